//! What a registrar types of a site, and how it is written.

use chrono::NaiveDate;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    across::Keyed,
    mask,
    naming::{code_taken, name_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};

use super::{SiteKind, Sites};
use crate::organization;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 简称
    #[oai(validator(max_length = 20))]
    pub short_name: Option<String>,
    /// 类型
    pub kind: SiteKind,
    /// 管理机构
    pub organization_id: Option<i64>,
    /// 设点单位
    #[oai(validator(max_length = 100))]
    pub host_unit: Option<String>,
    /// 备案编号
    #[oai(validator(max_length = 50))]
    pub filing_no: Option<String>,
    /// 备案有效期
    pub filing_expires_on: Option<NaiveDate>,
    /// 所在地区
    /// 六位行政区划代码
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub region: Option<String>,
    /// 地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 联系人
    #[oai(validator(max_length = 50))]
    pub contact: Option<String>,
    /// 电话
    /// 手机号，或带区号的固定电话，如 027-87654321
    #[oai(validator(pattern = "^(1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}|(0[0-9]{2,3}-?)?[0-9*]{7,8}(-[0-9*]{1,6})?)$"))]
    pub phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 可容纳人数
    #[oai(default, validator(minimum(value = "0"), maximum(value = "1000000")))]
    pub capacity: i32,
}

impl Example for SiteForm {
    fn example() -> Self {
        Self {
            code: "CD01".to_owned(),
            name: "城东教学点".to_owned(),
            short_name: Some("城东".to_owned()),
            kind: SiteKind::External,
            organization_id: None,
            host_unit: Some("城东职业技术学校".to_owned()),
            filing_no: None,
            filing_expires_on: None,
            region: None,
            address: None,
            contact: Some("刘老师".to_owned()),
            phone: Some("027-87654321".to_owned()),
            email: None,
            capacity: 500,
        }
    }
}

/// # Errors
/// 422 when an external site names no unit that hosts it.
fn check(form: &SiteForm) -> Result<()> {
    if form.kind == SiteKind::External && form.host_unit.is_none() {
        return Err(Error::field("hostUnit", "校外教学点须填写设点单位"));
    }
    Ok(())
}

/// # Errors
/// 422 for stars that are not the mask of what is stored.
fn reachable(form: &SiteForm) -> Result<()> {
    for (field, label, value, stars) in [
        ("phone", "电话号码", &form.phone, "*"),
        ("email", "邮箱", &form.email, "***@"),
        ("address", "地址", &form.address, "***"),
    ] {
        if value.as_deref().is_some_and(|value| value.contains(stars)) {
            return Err(Error::field(field, format!("请填写完整的{label}")));
        }
    }
    Ok(())
}

/// # Errors
/// 403 for a person of some sites or classes: the new site would not be among them.
pub(super) async fn insert(tx: &mut Tx, form: SiteForm, scope: &Scope) -> Result<(i64, Change)> {
    if !scope.is_whole() {
        return Err(Error::new(403, "您只能管理已分配的站点，不能新增站点"));
    }
    check(&form)?;
    reachable(&form)?;
    if let Some(unit) = form.organization_id {
        organization::usable(tx, unit).await?;
    }
    let name = tidy(&form.name);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into site (code, name, short_name, kind, organization_id, host_unit, filing_no, filing_expires_on, region,
             address, contact, phone, email, capacity, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) returning id",
        form.code,
        name,
        form.short_name,
        form.kind.as_str(),
        form.organization_id,
        form.host_unit,
        form.filing_no,
        form.filing_expires_on,
        form.region,
        form.address,
        form.contact,
        form.phone,
        form.email,
        form.capacity,
        pinyin::text_initials(&name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    Ok((id, Change::created("site", id, &form)))
}

/// A masked value that was not touched stays.
///
/// # Errors
/// 404 outside the scope, 409 when it was changed meanwhile, 422 for what cannot be chosen.
pub(super) async fn update(tx: &mut Tx, edit: Edit<SiteForm>, scope: &Scope) -> Result<Change> {
    let mut form = edit.form;
    check(&form)?;
    let name = tidy(&form.name);
    let before = Sites::find(tx, edit.id, scope).await?;
    form.phone = mask::kept(form.phone, before.phone.as_deref(), mask::phone);
    form.email = mask::kept(form.email, before.email.as_deref(), mask::email);
    form.address = mask::kept(form.address, before.address.as_deref(), mask::address);
    reachable(&form)?;
    if let Some(unit) = form.organization_id.filter(|_| form.organization_id != before.organization_id) {
        organization::usable(tx, unit).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update site set code = $3, name = $4, short_name = $5, kind = $6, organization_id = $7, host_unit = $8, filing_no = $9,
                filing_expires_on = $10, region = $11, address = $12, contact = $13, phone = $14, email = $15, capacity = $16,
                initials = $17, updated_at = now(), updated_by = $18, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        name,
        form.short_name,
        form.kind.as_str(),
        form.organization_id,
        form.host_unit,
        form.filing_no,
        form.filing_expires_on,
        form.region,
        form.address,
        form.contact,
        form.phone,
        form.email,
        form.capacity,
        pinyin::text_initials(&name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("site", edit.id).await);
    }
    let after = Sites::find(tx, edit.id, scope).await?;
    Ok(Change::edited("site", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &SiteForm) -> Option<Error> {
    match constraint {
        "site_code_taken" => Some(code_taken(&form.code)),
        "site_name_taken" => Some(name_taken(&form.name)),
        "site_filing_no_taken" => Some(Error::field("filingNo", "备案编号已被其他站点使用")),
        _ => None,
    }
}
