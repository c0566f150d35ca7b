//! What a registrar types of a room, what follows from it, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, naming::tidy, pinyin};
use poem_openapi::{Object, types::Example};

use super::{ClassroomType, Classrooms};
use crate::site::SiteStatus;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassroomForm {
    /// 站点
    pub site_id: i64,
    /// 楼宇
    #[oai(validator(max_length = 50))]
    pub building: Option<String>,
    /// 房间号
    #[oai(validator(max_length = 20))]
    pub room_no: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 类型
    pub room_type: ClassroomType,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub capacity: i32,
    /// 考试容量
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub exam_capacity: Option<i32>,
}

impl Example for ClassroomForm {
    fn example() -> Self {
        Self {
            site_id: 1,
            building: Some("第一教学楼".to_owned()),
            room_no: "301".to_owned(),
            name: None,
            room_type: ClassroomType::Multimedia,
            capacity: 60,
            exam_capacity: Some(30),
        }
    }
}

/// A form that is right, with the name that the room takes.
#[derive(Debug)]
struct Complete {
    site_id: i64,
    building: String,
    room_no: String,
    name: String,
    room_type: ClassroomType,
    capacity: i32,
    exam_capacity: Option<i32>,
}

impl Complete {
    /// # Errors
    /// 422 when more people are to be examined than fit.
    fn of(form: ClassroomForm) -> Result<Self> {
        if form.exam_capacity.is_some_and(|exam| exam > form.capacity) {
            return Err(Error::field("examCapacity", "考试容量不能大于容量"));
        }
        let building = form.building.as_deref().map(tidy).unwrap_or_default();
        let name = form.name.as_deref().map_or_else(|| format!("{building}{}", form.room_no), tidy);
        Ok(Self {
            site_id: form.site_id,
            building,
            room_no: form.room_no,
            name,
            room_type: form.room_type,
            capacity: form.capacity,
            exam_capacity: form.exam_capacity,
        })
    }
}

/// # Errors
/// 422 at the site when it is not there, not the caller's, or closed.
async fn site_usable(tx: &mut Tx, site_id: i64, scope: &Scope) -> Result<()> {
    let site = sqlx::query!(
        r#"select name, status as "status: SiteStatus" from site s
           where id = $1 and ($2::bigint[] is null or id = any($2)
                 or exists (select from class c where c.site_id = s.id and c.id = any($3::bigint[])))"#,
        site_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
    match site.status {
        SiteStatus::Active | SiteStatus::Suspended => Ok(()),
        SiteStatus::Closed => Err(Error::field("siteId", format!("“{}”已撤销，请选择其他项", site.name))),
    }
}

pub(super) async fn insert(tx: &mut Tx, form: ClassroomForm, scope: &Scope) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    site_usable(tx, form.site_id, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into classroom (site_id, building, room_no, name, room_type, capacity, exam_capacity, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.site_id,
        form.building,
        form.room_no,
        form.name,
        form.room_type.as_str(),
        form.capacity,
        form.exam_capacity,
        pinyin::text_initials(&form.name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    Ok((id, Change::created("classroom", id, &typed)))
}

/// # Errors
/// 404 outside the scope, 409 when it was changed meanwhile, 422 for a site that cannot be chosen.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ClassroomForm>, scope: &Scope) -> Result<Change> {
    let before = Classrooms::find(tx, edit.id, scope).await?;
    let form = Complete::of(edit.form)?;
    if form.site_id != before.site_id {
        site_usable(tx, form.site_id, scope).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update classroom set site_id = $3, building = $4, room_no = $5, name = $6, room_type = $7, capacity = $8,
                exam_capacity = $9, initials = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.site_id,
        form.building,
        form.room_no,
        form.name,
        form.room_type.as_str(),
        form.capacity,
        form.exam_capacity,
        pinyin::text_initials(&form.name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("classroom", edit.id).await);
    }
    let after = Classrooms::find(tx, edit.id, scope).await?;
    Ok(Change::edited("classroom", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &Complete) -> Option<Error> {
    (constraint == "classroom_room_taken").then(|| {
        let Complete { building, room_no, .. } = form;
        Error::field("roomNo", format!("该站点已有教室“{building}{room_no}”"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_named_after_its_place() {
        let named = |building: Option<&str>, name: Option<&str>| {
            let form = ClassroomForm {
                building: building.map(ToOwned::to_owned),
                name: name.map(ToOwned::to_owned),
                ..ClassroomForm::example()
            };
            Complete::of(form).expect("a right form").name
        };
        assert_eq!(named(Some("第一教学楼"), None), "第一教学楼301");
        assert_eq!(named(None, None), "301");
        assert_eq!(named(None, Some("阶梯  教室")), "阶梯 教室");
    }

    /// Part 03 A2, acceptance 4.
    #[test]
    fn nobody_is_examined_in_the_corridor() {
        let form = ClassroomForm { capacity: 60, exam_capacity: Some(80), ..ClassroomForm::example() };
        let refused = Complete::of(form).expect_err("80 do not fit");
        assert_eq!((refused.code, refused.msg.as_ref()), (422, "考试容量不能大于容量"));
    }
}
