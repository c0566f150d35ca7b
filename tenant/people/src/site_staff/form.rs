//! What a person types of somebody who looks after a site, and how it is written.

use infra::{Change, Error, OnConstraint, Result, Scope, Tx, mask, naming::tidy, pinyin};
use people_rules::form::{checked_id, number_taken, whole, whole_phone};
use poem_openapi::{Object, types::Example};

use super::{SiteStaff, SiteStaffs};
use crate::{
    enums::{SiteStaffDuty, StaffStatus},
    id_card::Gender,
    steps::open_account,
};

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteStaffForm {
    /// 站点
    pub site_id: i64,
    /// 工号
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub work_no: Option<String>,
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
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 职务
    pub duty: SiteStaffDuty,
    /// 主要负责人
    #[oai(default)]
    pub is_primary: bool,
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

impl Example for SiteStaffForm {
    fn example() -> Self {
        Self {
            site_id: 1,
            work_no: Some("Z0001".to_owned()),
            name: "刘站长".to_owned(),
            gender: None,
            id_card_no: None,
            phone: "13900000002".to_owned(),
            email: None,
            duty: SiteStaffDuty::Principal,
            is_primary: true,
            status: StaffStatus::Active,
            remark: None,
        }
    }
}

/// The form with its numbers whole and checked.
///
/// # Errors
/// 422 at the field; 404 is told at the site when it lies outside the scope.
pub(super) async fn completed(
    tx: &mut Tx,
    mut form: SiteStaffForm,
    before: Option<&SiteStaff>,
    scope: &Scope,
) -> Result<SiteStaffForm> {
    form.name = tidy(&form.name);
    form.phone = whole_phone(form.phone, before.map(|person| person.phone.as_str()))?;
    let stored = |of: fn(&SiteStaff) -> Option<&str>| before.and_then(of);
    form.email = whole("email", form.email, stored(|person| person.email.as_deref()), mask::email)?;
    let number = whole("idCardNo", form.id_card_no, stored(|person| person.id_card_no.as_deref()), mask::id_card)?;
    (form.id_card_no, form.gender) = checked_id(number, form.gender, tx.app().clock().today())?;
    if before.is_none_or(|person| person.site_id != form.site_id) {
        let site = sqlx::query!("select name, status from site where id = $1", form.site_id)
            .fetch_optional(&mut **tx)
            .await?
            .filter(|_| scope.sees(Some(form.site_id), None))
            .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
        if site.status == "closed" {
            return Err(Error::field("siteId", format!("“{}”已撤销，请选择其他项", site.name)));
        }
    }
    if form.is_primary && form.status != StaffStatus::Active {
        return Err(Error::field("isPrimary", "停用或离职的人员不能是主要负责人"));
    }
    Ok(form)
}

pub(super) async fn insert(tx: &mut Tx, form: SiteStaffForm, scope: &Scope) -> Result<(i64, Change)> {
    let form = completed(tx, form, None, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into site_staff (site_id, work_no, name, initials, gender, id_card_no, phone, email, duty, is_primary, status, remark,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) returning id",
        form.site_id,
        form.work_no,
        form.name,
        pinyin::initials(&form.name),
        form.gender.map(Gender::as_str),
        form.id_card_no,
        form.phone,
        form.email,
        form.duty.as_str(),
        form.is_primary,
        form.status.as_str(),
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    let active = form.status == StaffStatus::Active;
    open_account::<SiteStaffs>(tx, id, form.work_no.as_deref(), &form.phone, active).await?;
    Ok((id, Change::created("site_staff", id, &form)))
}

pub(super) fn explain_constraint(constraint: &str, form: &SiteStaffForm) -> Option<Error> {
    match constraint {
        "site_staff_work_no_taken" => Some(number_taken("workNo", "工号", form.work_no.as_deref().unwrap_or_default())),
        "site_staff_phone_taken" => Some(number_taken("phone", "手机", &form.phone)),
        "site_staff_primary_taken" => Some(Error::field("isPrimary", "该站点已有主要负责人，请先取消原来的")),
        _ => None,
    }
}
