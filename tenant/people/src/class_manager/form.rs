//! What a person types of a class manager, and how it is written.

use infra::{Change, Error, OnConstraint, Result, Scope, Tx, mask, naming::tidy, pinyin};
use people_rules::form::{checked_id, number_taken, whole, whole_phone};
use poem_openapi::{Object, types::Example};

use super::{ClassManager, ClassManagers};
use crate::{enums::StaffStatus, id_card::Gender, steps::open_account};

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClassManagerForm {
    /// 工号
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub work_no: String,
    /// 姓名
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    /// 居民身份证号，初始密码取后6位
    #[oai(validator(max_length = 30))]
    pub id_card_no: Option<String>,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: String,
    /// 站点
    #[oai(validator(min_items = 1, max_items = 100))]
    pub site_ids: Vec<i64>,
    /// 兼任教师
    pub teacher_id: Option<i64>,
    /// 状态
    #[oai(default = "active")]
    pub status: StaffStatus,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

fn active() -> StaffStatus {
    StaffStatus::Active
}

impl Example for ClassManagerForm {
    fn example() -> Self {
        Self {
            work_no: "B0001".to_owned(),
            name: "周晓梅".to_owned(),
            gender: None,
            id_card_no: None,
            phone: "13900000003".to_owned(),
            site_ids: vec![1],
            teacher_id: None,
            status: StaffStatus::Active,
            remark: None,
        }
    }
}

/// The form with its numbers whole and checked.
///
/// # Errors
/// 422 at the field, for a site outside the scope too.
pub(super) async fn completed(
    tx: &mut Tx,
    mut form: ClassManagerForm,
    before: Option<&ClassManager>,
    scope: &Scope,
) -> Result<ClassManagerForm> {
    form.name = tidy(&form.name);
    form.phone = whole_phone(form.phone, before.map(|person| person.phone.as_str()))?;
    let stored = before.and_then(|person| person.id_card_no.as_deref());
    let number = whole("idCardNo", form.id_card_no, stored, mask::id_card)?;
    (form.id_card_no, form.gender) = checked_id(number, form.gender, tx.app().clock().today())?;
    form.site_ids.sort_unstable();
    form.site_ids.dedup();
    let had: &[i64] = before.map_or(&[], |person| &person.site_ids);
    if let Some(site) = form.site_ids.iter().find(|site| !had.contains(site) && !scope.sees(Some(**site), None)) {
        return Err(Error::field("siteIds", format!("站点{site}不存在或无权选择")));
    }
    let Some(person) = before else { return Ok(form) };
    // Who keeps their classes keeps their sites.
    let left = sqlx::query_scalar!(
        "select distinct s.name from class c join site s on s.id = c.site_id
         where c.manager_id = $1 and c.site_id <> all($2) order by 1",
        person.id,
        &form.site_ids
    )
    .fetch_all(&mut **tx)
    .await?;
    if !left.is_empty() {
        return Err(Error::field("siteIds", format!("仍负责{}的班级，不能移除该站点", left.join("、"))));
    }
    Ok(form)
}

pub(super) async fn insert(tx: &mut Tx, form: ClassManagerForm, scope: &Scope) -> Result<(i64, Change)> {
    let form = completed(tx, form, None, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into class_manager (work_no, name, initials, gender, id_card_no, phone, teacher_id, status, remark, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
        form.work_no,
        form.name,
        pinyin::initials(&form.name),
        form.gender.map(Gender::as_str),
        form.id_card_no,
        form.phone,
        form.teacher_id,
        form.status.as_str(),
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    set_sites(tx, id, &form.site_ids).await?;
    let active = form.status == StaffStatus::Active;
    open_account::<ClassManagers>(tx, id, Some(&form.work_no), &form.phone, active).await?;
    Ok((id, Change::created("class_manager", id, &form)))
}

/// # Errors
/// 422 for a site that is gone.
pub(super) async fn set_sites(tx: &mut Tx, id: i64, sites: &[i64]) -> Result<()> {
    sqlx::query!("delete from class_manager_site where manager_id = $1 and site_id <> all($2)", id, sites)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into class_manager_site (manager_id, site_id) select $1, site_id from unnest($2::bigint[]) as s (site_id)
         on conflict do nothing",
        id,
        sites
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "class_manager_site_of_site").then(|| Error::field("siteIds", "所选站点不存在，请重新选择"))
    })?;
    Ok(())
}

pub(super) fn explain_constraint(constraint: &str, form: &ClassManagerForm) -> Option<Error> {
    match constraint {
        "class_manager_work_no_taken" => Some(number_taken("workNo", "工号", &form.work_no)),
        "class_manager_phone_taken" => Some(number_taken("phone", "手机", &form.phone)),
        "class_manager_teacher_taken" => Some(Error::field("teacherId", "该教师已是其他班主任")),
        "class_manager_of_teacher" => Some(Error::field("teacherId", "所选教师不存在，请重新选择")),
        _ => None,
    }
}
