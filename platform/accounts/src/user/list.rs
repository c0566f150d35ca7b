//! The lists of accounts: platform accounts, and school accounts of one or of all the operator's schools.

use chrono::Duration;
use futures_util::{StreamExt, TryStreamExt};
use infra::{
    App, Error, Paging, Result, Scope,
    clock::Moment,
    mask,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{AccountExpiry, AccountGender, SchoolScope, UserType, known::Reach};

/// Accounts whose end lies so near are shown as about to end.
const SOON_DAYS: i64 = 30;

/// An account as lists and views show it; personal values are masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Account {
    /// 编号
    pub id: i64,
    /// 账号
    pub login_name: String,
    /// 姓名
    pub real_name: String,
    /// 手机号
    pub phone: Option<String>,
    /// 邮箱
    pub email: Option<String>,
    /// 性别
    pub gender: AccountGender,
    /// 账号类型
    pub user_type: UserType,
    /// 可管院校
    pub school_scope: SchoolScope,
    /// 角色
    pub role_names: Vec<String>,
    /// 绑定院校
    /// 院校区域不显示
    pub school_names: Vec<String>,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 最近登录
    pub last_login_at: Option<Moment>,
    /// 锁定
    pub locked: bool,
    /// 两步验证
    pub totp_enabled: bool,
    /// 状态
    pub enabled: bool,
    /// 账号启用
    /// 平台停用的账号在各院校均不能登录
    pub account_enabled: bool,
    /// 内置
    pub built_in: bool,
    /// 院校管理员
    pub is_admin: bool,
    /// 绑定编号
    pub binding_id: Option<i64>,
    /// 备注
    pub remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AccountFilter {
    /// 账号
    #[oai(validator(max_length = 32))]
    pub login_name: Option<String>,
    /// 姓名
    #[oai(validator(max_length = 30))]
    pub real_name: Option<String>,
    /// 手机号
    #[oai(validator(max_length = 11))]
    pub phone: Option<String>,
    /// 角色
    pub role_id: Option<i64>,
    /// 状态
    pub enabled: Option<bool>,
    /// 到期
    pub expiry: Option<AccountExpiry>,
    /// 院校
    pub school_id: Option<i64>,
}

/// A filter with what the caller may see of its answer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Asked {
    /// 筛选
    filter: AccountFilter,
    /// 账号类型
    user_type: UserType,
    /// 绑定的院校
    school: Option<i64>,
    /// 只看该人员的院校
    operator: Option<i64>,
    /// 院校区域
    inside: bool,
}

impl Asked {
    /// Platform accounts.
    pub(super) fn system(filter: AccountFilter) -> Self {
        Self { filter, user_type: UserType::Platform, school: None, operator: None, inside: false }
    }

    /// School accounts within reach; `school` was checked.
    pub(super) fn school(filter: AccountFilter, reach: Reach, school: Option<i64>) -> Self {
        Self {
            filter,
            user_type: UserType::School,
            school: reach.school.or(school),
            operator: reach.operator,
            inside: reach.school.is_some(),
        }
    }
}

struct Row {
    id: i64,
    login_name: String,
    real_name: String,
    phone: Option<String>,
    email: Option<String>,
    gender: AccountGender,
    user_type: UserType,
    school_scope: SchoolScope,
    role_names: Vec<String>,
    school_names: Vec<String>,
    gmt_expires: Option<Moment>,
    last_login_at: Option<Moment>,
    locked: bool,
    totp_enabled: bool,
    enabled: bool,
    account_enabled: bool,
    built_in: bool,
    is_admin: bool,
    binding_id: Option<i64>,
    remark: Option<String>,
    created_at: Moment,
    version: i32,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            login_name: row.login_name,
            real_name: row.real_name,
            phone: row.phone,
            email: row.email,
            gender: row.gender,
            user_type: row.user_type,
            school_scope: row.school_scope,
            role_names: row.role_names,
            school_names: row.school_names,
            gmt_expires: row.gmt_expires,
            last_login_at: row.last_login_at,
            locked: row.locked,
            totp_enabled: row.totp_enabled,
            enabled: row.enabled,
            account_enabled: row.account_enabled,
            built_in: row.built_in,
            is_admin: row.is_admin,
            binding_id: row.binding_id,
            remark: row.remark,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

/// From and to of the wanted end, of which the first is left out for what has ended.
fn ends(expiry: Option<AccountExpiry>, now: Moment) -> (Option<Moment>, Option<Moment>) {
    match expiry {
        None => (None, None),
        Some(AccountExpiry::Expired) => (None, Some(now)),
        Some(AccountExpiry::Within30Days) => (Some(now), Some(now + Duration::days(SOON_DAYS))),
    }
}

/// Accounts as list, view and export show them, the newest first; not yet masked.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    asked: &Asked,
    page: Option<Paging>,
    now: Moment,
) -> Rows<'c, Account> {
    let filter = &asked.filter;
    let (after, until) = ends(filter.expiry, now);
    sqlx::query_as!(
        Row,
        r#"select u.id, u.login_name, u.real_name, u.phone, u.email, u.gender as "gender: _", u.user_type as "user_type: _",
                  u.school_scope as "school_scope: _",
                  array(select distinct r.role_name from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id
                        where ur.user_id = u.id and ($2::bigint is null or ur.school_id = $2) order by r.role_name) as "role_names!",
                  array(select s.name from platform.sys_user_school x join platform.school s on s.id = x.school_id
                        where x.user_id = u.id and not $4 and s.deleted_at is null
                          and (($3::bigint is null and u.school_scope = 'listed')
                               or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                               or exists (select from platform.sys_user_school m
                                          where m.user_id = $3 and m.school_id = x.school_id and m.enabled))
                        order by s.id) as "school_names!",
                  seen.ends as gmt_expires, u.last_login_at,
                  exists (select from platform.sys_login_guard g
                          where g.key = 'u:' || lower(u.login_name) and g.locked_until > $5) as "locked!",
                  exists (select from platform.sys_user_totp t
                          where t.user_id = u.id and t.confirmed_at is not null) as "totp_enabled!",
                  seen.open as "enabled!", u.enabled as account_enabled, u.built_in, coalesce(b.is_admin, false) as "is_admin!",
                  b.id as "binding_id?", u.remark, u.created_at, u.version
           from platform.sys_user u
           left join platform.sys_user_school b on b.user_id = u.id and b.school_id = $2
           cross join lateral (select case when $4 then least(u.gmt_expires, b.gmt_expires) else u.gmt_expires end as ends,
                                      case when $4 then b.enabled else u.enabled end as open) seen
           where u.user_type = $1 and u.deleted_at is null and ($6::bigint is null or u.id = $6)
             and ($2::bigint is null or b.id is not null)
             and ($3::bigint is null
                  or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                  or exists (select from platform.sys_user_school x
                             join platform.sys_user_school m on m.school_id = x.school_id and m.user_id = $3 and m.enabled
                             where x.user_id = u.id))
             and ($7::text is null or strpos(lower(u.login_name), lower($7)) > 0)
             and ($8::text is null or strpos(u.real_name, $8) > 0)
             and ($9::text is null or u.phone = $9)
             and ($10::bigint is null or exists (
                 select from platform.sys_user_role ur
                 where ur.user_id = u.id and ur.role_id = $10 and ($2::bigint is null or ur.school_id = $2)))
             and ($11::boolean is null or seen.open = $11)
             and ($12::timestamptz is null or seen.ends > $12) and ($13::timestamptz is null or seen.ends <= $13)
           order by u.created_at desc, u.id desc
           limit $14 offset $15"#,
        asked.user_type.as_str(),
        asked.school,
        asked.operator,
        asked.inside,
        now,
        only,
        filter.login_name,
        filter.real_name,
        filter.phone,
        filter.role_id,
        filter.enabled,
        after,
        until,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
    .map_ok(Account::from)
    .boxed()
}

pub(super) async fn count(connection: &mut PgConnection, asked: &Asked, now: Moment) -> Result<i64> {
    let filter = &asked.filter;
    let (after, until) = ends(filter.expiry, now);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.sys_user u
           left join platform.sys_user_school b on b.user_id = u.id and b.school_id = $2
           cross join lateral (select case when $4 then least(u.gmt_expires, b.gmt_expires) else u.gmt_expires end as ends,
                                      case when $4 then b.enabled else u.enabled end as open) seen
           where u.user_type = $1 and u.deleted_at is null
             and ($2::bigint is null or b.id is not null)
             and ($3::bigint is null
                  or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                  or exists (select from platform.sys_user_school x
                             join platform.sys_user_school m on m.school_id = x.school_id and m.user_id = $3 and m.enabled
                             where x.user_id = u.id))
             and ($5::text is null or strpos(lower(u.login_name), lower($5)) > 0)
             and ($6::text is null or strpos(u.real_name, $6) > 0)
             and ($7::text is null or u.phone = $7)
             and ($8::bigint is null or exists (
                 select from platform.sys_user_role ur
                 where ur.user_id = u.id and ur.role_id = $8 and ($2::bigint is null or ur.school_id = $2)))
             and ($9::boolean is null or seen.open = $9)
             and ($10::timestamptz is null or seen.ends > $10) and ($11::timestamptz is null or seen.ends <= $11)"#,
        asked.user_type.as_str(),
        asked.school,
        asked.operator,
        asked.inside,
        filter.login_name,
        filter.real_name,
        filter.phone,
        filter.role_id,
        filter.enabled,
        after,
        until
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// One account, not yet masked.
///
/// # Errors
/// 404 when there is none within reach.
pub(super) async fn find(connection: &mut PgConnection, id: i64, asked: &Asked, now: Moment) -> Result<Account> {
    select(connection, Some(id), asked, None, now).try_next().await?.ok_or_else(Error::not_found)
}

/// What lists, views and exports without the right show of personal values (05 E4).
pub(super) fn hide(account: &mut Account) {
    account.phone = account.phone.as_deref().map(mask::phone);
    account.email = account.email.as_deref().map(mask::email);
}

fn login_name(account: &Account) -> Cell {
    Cell::Text(account.login_name.clone())
}
fn real_name(account: &Account) -> Cell {
    Cell::Text(account.real_name.clone())
}
fn phone(account: &Account) -> Cell {
    Cell::text(account.phone.clone())
}
fn user_type(account: &Account) -> Cell {
    Cell::Text(account.user_type.zh().to_owned())
}
fn roles(account: &Account) -> Cell {
    Cell::Text(account.role_names.join("、"))
}
fn schools(account: &Account) -> Cell {
    Cell::Text(account.school_names.join("、"))
}
fn expires(account: &Account) -> Cell {
    Cell::time(account.gmt_expires)
}
fn last_login(account: &Account) -> Cell {
    Cell::time(account.last_login_at)
}
fn locked(account: &Account) -> Cell {
    Cell::Bool(account.locked)
}
fn state(account: &Account) -> Cell {
    Cell::Text(if account.enabled { "启用" } else { "停用" }.to_owned())
}

/// The list's columns (01 §2.3).
const COLUMNS: &[Column<Account>] = &[
    Column { heading: "账号", width: 18, cell: login_name },
    Column { heading: "姓名", width: 12, cell: real_name },
    Column { heading: "手机号", width: 14, cell: phone },
    Column { heading: "账号类型", width: 10, cell: user_type },
    Column { heading: "角色", width: 28, cell: roles },
    Column { heading: "绑定院校", width: 28, cell: schools },
    Column { heading: "有效期至", width: 20, cell: expires },
    Column { heading: "最近登录", width: 20, cell: last_login },
    Column { heading: "锁定", width: 8, cell: locked },
    Column { heading: "状态", width: 8, cell: state },
];

/// The export of platform accounts.
pub enum SystemAccounts {}

impl Export for SystemAccounts {
    type Filter = Asked;
    type Row = Account;
    const KIND: &'static str = "sys_user.export";
    type Permission = crate::user::system::ExportUsers;
    const PLAIN: Option<&'static str> = Some("system:pc:sys:user:exportPlain");
    const TITLE: &'static str = "平台账号";
    const COLUMNS: &'static [Column<Account>] = COLUMNS;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        asked: &Asked,
        _scope: &Scope,
    ) -> Result<Rows<'c, Account>> {
        Ok(select(connection, None, asked, None, app.clock().now()))
    }

    fn mask(account: &mut Account) {
        hide(account);
    }
}

/// The export of school accounts.
pub enum SchoolAccounts {}

impl Export for SchoolAccounts {
    type Filter = Asked;
    type Row = Account;
    const KIND: &'static str = "school_user.export";
    type Permission = crate::user::school::ExportSchoolUsers;
    const PLAIN: Option<&'static str> = Some("system:pc:sys:school:user:exportPlain");
    const TITLE: &'static str = "院校账号";
    const COLUMNS: &'static [Column<Account>] = COLUMNS;
    const OF_PLATFORM: bool = true;

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        asked: &Asked,
        _scope: &Scope,
    ) -> Result<Rows<'c, Account>> {
        Ok(select(connection, None, asked, None, app.clock().now()))
    }

    fn mask(account: &mut Account) {
        hide(account);
    }
}
