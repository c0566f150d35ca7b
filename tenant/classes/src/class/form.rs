//! What a registrar types of a class, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};

use super::{Classes, Cohort, cohort, seats};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 年级
    pub grade_id: i64,
    /// 层次
    pub level_id: i64,
    /// 专业
    pub major_id: i64,
    /// 站点
    pub site_id: i64,
    /// 容量
    #[oai(validator(minimum(value = "1"), maximum(value = "500")))]
    pub capacity: Option<i32>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl ClassForm {
    pub(super) fn cohort(&self) -> Cohort {
        Cohort { grade_id: self.grade_id, level_id: self.level_id, major_id: self.major_id, site_id: self.site_id }
    }
}

impl Example for ClassForm {
    fn example() -> Self {
        Self {
            code: "26KJCD1".to_owned(),
            name: None,
            grade_id: 1,
            level_id: 1,
            major_id: 1,
            site_id: 1,
            capacity: Some(50),
            remark: None,
        }
    }
}

/// # Errors
/// 422 when more people sit in the class than would fit.
fn check_capacity(capacity: i32, students: i64) -> Result<()> {
    if i64::from(capacity) < students {
        return Err(Error::field("capacity", format!("容量不能小于现有人数{students}")));
    }
    Ok(())
}

/// A sheet takes the numbers of its classes before their rows; others get the next one.
pub(super) async fn insert(tx: &mut Tx, form: ClassForm, scope: &Scope, taken: Option<i32>) -> Result<(i64, Change)> {
    let names = cohort::check(tx, form.cohort(), None, scope).await?;
    let seq = match taken {
        Some(seq) => seq,
        None => cohort::next_seq(tx, form.cohort()).await?,
    };
    let name = form.name.as_deref().map_or_else(|| names.class_name(seq), tidy);
    let capacity = match form.capacity {
        Some(capacity) => capacity,
        None => seats::default_capacity(tx).await?,
    };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.code,
        name,
        form.grade_id,
        form.level_id,
        form.major_id,
        form.site_id,
        seq,
        capacity,
        pinyin::text_initials(&name),
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    Ok((id, Change::created("class", id, &form)))
}

/// # Errors
/// 404 outside the scope, 409 when it was changed meanwhile or has students who would move along, 422 at a wrong field.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ClassForm>, scope: &Scope) -> Result<Change> {
    let form = edit.form;
    tx.lock("class", edit.id).await?;
    let before = Classes::find(tx, edit.id, scope).await?;
    let capacity = form.capacity.unwrap_or(before.capacity);
    check_capacity(capacity, before.student_count)?;
    let (seq, name) = if form.cohort() == before.cohort() {
        (before.seq, form.name.as_deref().map_or(before.name.clone(), tidy))
    } else {
        let members = members(tx, edit.id).await?;
        if members > 0 {
            return Err(Error::conflict(format!("班级已有{members}名学生，不能修改年级、层次、专业或站点")));
        }
        let names = cohort::check(tx, form.cohort(), Some(before.cohort()), scope).await?;
        let seq = cohort::next_seq(tx, form.cohort()).await?;
        (seq, form.name.as_deref().map_or_else(|| names.class_name(seq), tidy))
    };
    let by = tx.by();
    let changed = sqlx::query!(
        "update class set code = $3, name = $4, grade_id = $5, level_id = $6, major_id = $7, site_id = $8, seq = $9,
                -- A manager has classes at their sites alone.
                manager_id = (select s.manager_id from class_manager_site s
                              where s.manager_id = class.manager_id and s.site_id = $8),
                capacity = $10, initials = $11, remark = $12, updated_at = now(), updated_by = $13, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        form.grade_id,
        form.level_id,
        form.major_id,
        form.site_id,
        seq,
        capacity,
        pinyin::text_initials(&name),
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.code, &name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("class", edit.id).await);
    }
    let after = Classes::find(tx, edit.id, &Scope::whole_school()).await?;
    Ok(Change::edited("class", edit.id, &before, &after))
}

/// All students of the class, also those who have ended: a student's row holds its class in its place.
async fn members(tx: &mut Tx, id: i64) -> Result<i64> {
    let members = sqlx::query_scalar!(r#"select count(*) as "count!" from student where class_id = $1"#, id)
        .fetch_one(&mut **tx)
        .await?;
    Ok(members)
}

pub(super) fn explain_constraint(constraint: &str, code: &str, name: &str) -> Option<Error> {
    match constraint {
        "class_code_taken" => Some(code_taken(code)),
        "class_name_taken" => Some(Error::field("name", format!("该年级中名称“{name}”已存在"))),
        "class_major_not_of_level" => Some(Error::field("majorId", "所选专业不属于所选层次")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_keeps_room_for_those_who_sit_in_it() {
        assert!(check_capacity(48, 48).is_ok());
        let refused = check_capacity(40, 48).expect_err("48 do not fit");
        assert_eq!((refused.code, refused.msg.as_ref()), (422, "容量不能小于现有人数48"));
    }
}
