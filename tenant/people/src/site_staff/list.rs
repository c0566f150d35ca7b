//! A person of a site as list, view and export show them.

use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, Scope,
    across::{Key, Listed},
    clock::Moment,
    mask,
    naming::sought_word,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::SiteStaffs;
use crate::{
    account::AccountState,
    enums::{SiteStaffDuty, StaffStatus},
    id_card::Gender,
};

/// A person of a site with the account.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteStaff {
    /// 编号
    pub id: i64,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 工号
    pub work_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    pub id_card_no: Option<String>,
    /// 手机
    pub phone: String,
    /// 邮箱
    pub email: Option<String>,
    /// 职务
    pub duty: SiteStaffDuty,
    /// 主要负责人
    pub is_primary: bool,
    /// 状态
    pub status: StaffStatus,
    /// 备注
    pub remark: Option<String>,
    /// 登录名
    pub login_name: Option<String>,
    /// 账号状态
    pub account_state: AccountState,
    /// 账号版本
    pub account_version: Option<i32>,
    /// 需修改密码
    pub must_change: Option<bool>,
    /// 最近登录
    pub last_login_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

impl SiteStaff {
    /// As lists show it; the whole values are one call for one person (05 E4).
    pub(super) fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.id_card_no = self.id_card_no.as_deref().map(mask::id_card);
        self.email = self.email.as_deref().map(mask::email);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteStaffFilter {
    /// 姓名、工号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 职务
    pub duty: Option<SiteStaffDuty>,
    /// 状态
    pub status: Option<StaffStatus>,
}

impl Listed for SiteStaffs {
    type Filter = SiteStaffFilter;
    type Row = SiteStaff;

    fn id(row: &SiteStaff) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &SiteStaffFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<SiteStaff>)> {
        let total = count(connection, filter, scope).await?;
        Ok((total, masked(select(connection, None, filter, scope, Some(paging))).await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &SiteStaffFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let keys = sqlx::query_as!(
            Key,
            r#"select p.id, p.created_at, count(*) over () as "total!" from site_staff p
               where p.created_at <= $1
                 and ($2::bigint[] is null or p.site_id = any($2))
                 and ($3::text is null or strpos(p.name, $3) > 0 or starts_with(lower(p.work_no), lower($3)) or p.phone = $3
                      or starts_with(p.initials, lower($3)))
                 and ($4::bigint is null or p.site_id = $4)
                 and ($8::text is null or p.site_id = any(array(
                          select x.id from site x where strpos(lower(x.code), $8) > 0 or strpos(lower(x.name), $8) > 0)))
                 and ($5::text is null or p.duty = $5)
                 and ($6::text is null or p.status = $6)
               order by p.created_at desc, p.id
               limit $7"#,
            until,
            scope.sites(),
            filter.keyword,
            filter.site_id,
            filter.duty.map(SiteStaffDuty::as_str),
            filter.status.map(StaffStatus::as_str),
            most,
            sought_word(filter.site_text.as_deref())
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<SiteStaff>> {
        masked(select(connection, Some(ids), &SiteStaffFilter::default(), &Scope::whole_school(), None)).await
    }
}

/// In the list's order.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    filter: &SiteStaffFilter,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, SiteStaff> {
    let rows = sqlx::query_as!(
        SiteStaff,
        r#"select p.id, p.site_id, s.name as site_name, p.work_no, p.name, p.gender as "gender: _", p.id_card_no, p.phone, p.email,
                  p.duty as "duty: _", p.is_primary, p.status as "status: _", p.remark, a.login_name as "login_name?",
                  case when a.id is null then 'none' when not a.enabled then 'disabled'
                       when a.locked_until > now() then 'locked' else 'enabled' end as "account_state!: AccountState",
                  a.version as "account_version?", a.must_change as "must_change?", a.last_login_at,
                  p.version
           from site_staff p
           join site s on s.id = p.site_id
           left join client_account a on a.owner_kind = 'site_staff' and a.owner_id = p.id
           where ($1::bigint[] is null or p.id = any($1))
             and ($2::bigint[] is null or p.site_id = any($2))
             and ($3::text is null or strpos(p.name, $3) > 0 or starts_with(lower(p.work_no), lower($3)) or p.phone = $3
                  or starts_with(p.initials, lower($3)))
             and ($4::bigint is null or p.site_id = $4)
             and ($9::text is null or p.site_id = any(array(
                      select x.id from site x where strpos(lower(x.code), $9) > 0 or strpos(lower(x.name), $9) > 0)))
             and ($5::text is null or p.duty = $5)
             and ($6::text is null or p.status = $6)
           order by s.code, p.is_primary desc, p.id
           limit $7 offset $8"#,
        only,
        scope.sites(),
        filter.keyword,
        filter.site_id,
        filter.duty.map(SiteStaffDuty::as_str),
        filter.status.map(StaffStatus::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset),
        sought_word(filter.site_text.as_deref())
    )
    .fetch(connection);
    Box::pin(rows)
}

async fn count(connection: &mut PgConnection, filter: &SiteStaffFilter, scope: &Scope) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from site_staff p
           where ($1::bigint[] is null or p.site_id = any($1))
             and ($2::text is null or strpos(p.name, $2) > 0 or starts_with(lower(p.work_no), lower($2)) or p.phone = $2
                  or starts_with(p.initials, lower($2)))
             and ($3::bigint is null or p.site_id = $3)
             and ($6::text is null or p.site_id = any(array(
                      select x.id from site x where strpos(lower(x.code), $6) > 0 or strpos(lower(x.name), $6) > 0)))
             and ($4::text is null or p.duty = $4)
             and ($5::text is null or p.status = $5)"#,
        scope.sites(),
        filter.keyword,
        filter.site_id,
        filter.duty.map(SiteStaffDuty::as_str),
        filter.status.map(StaffStatus::as_str),
        sought_word(filter.site_text.as_deref())
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// As lists show them.
async fn masked(rows: Rows<'_, SiteStaff>) -> Result<Vec<SiteStaff>> {
    let mut list: Vec<SiteStaff> = rows.try_collect().await?;
    list.iter_mut().for_each(SiteStaff::mask);
    Ok(list)
}

/// # Errors
/// 404 when they do not exist or lie outside the scope.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<SiteStaff> {
    let found = select(connection, Some(&[id]), &SiteStaffFilter::default(), scope, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
