//! Tokens as the list shows them, and the codes that an owner can put into one.

use super::MachineTokenState;
use accounts::user::SchoolScope;
use infra::{Error, Paging, Result, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A token without its secret.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MachineToken {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 令牌开头
    pub shown_prefix: String,
    /// 所有者
    pub owner_name: String,
    /// 所有者账号
    pub owner_login_name: String,
    /// 状态
    pub state: MachineTokenState,
    /// 启用
    pub enabled: bool,
    /// 权限
    pub permission_codes: Vec<String>,
    /// 可管院校
    pub school_scope: SchoolScope,
    /// 指定的院校
    pub school_names: Vec<String>,
    /// 有效期至
    pub expires_at: Moment,
    /// 最近使用
    pub last_used_at: Option<Moment>,
    /// 最近使用地址
    pub last_used_ip: Option<String>,
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
pub struct MachineTokenFilter {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub name: Option<String>,
    /// 所有者
    #[oai(validator(max_length = 32))]
    pub owner: Option<String>,
    /// 状态
    pub state: Option<MachineTokenState>,
}

/// A code that may be put into a token.
#[derive(Debug, Clone, Object)]
pub struct PermissionOption {
    /// 权限标识
    pub code: String,
    /// 权限名称
    pub desc: String,
    /// 菜单
    pub page: String,
    /// 院校区域
    pub school: bool,
}

struct Row {
    id: i64,
    name: String,
    shown_prefix: String,
    owner_name: String,
    owner_login_name: String,
    state: MachineTokenState,
    enabled: bool,
    permission_codes: Vec<String>,
    school_scope: SchoolScope,
    school_names: Vec<String>,
    expires_at: Moment,
    last_used_at: Option<Moment>,
    last_used_ip: Option<String>,
    remark: Option<String>,
    created_at: Moment,
    version: i32,
}

impl From<Row> for MachineToken {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: row.name,
            shown_prefix: row.shown_prefix,
            owner_name: row.owner_name,
            owner_login_name: row.owner_login_name,
            state: row.state,
            enabled: row.enabled,
            permission_codes: row.permission_codes,
            school_scope: row.school_scope,
            school_names: row.school_names,
            expires_at: row.expires_at,
            last_used_at: row.last_used_at,
            last_used_ip: row.last_used_ip,
            remark: row.remark,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

pub(super) async fn count(connection: &mut PgConnection, filter: &MachineTokenFilter, now: Moment) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.sys_machine_token t join platform.sys_user o on o.id = t.owner_id
           where ($1::text is null or t.name like '%' || $1 || '%')
             and ($2::text is null or o.login_name ilike $2 || '%' or o.real_name like $2 || '%')
             and ($3::text is null or $3 = case
                 when not t.enabled then 'disabled'
                 when t.expires_at <= $4 then 'expired'
                 when not o.enabled or o.deleted_at is not null or o.gmt_expires <= $4 then 'owner_off'
                 else 'active' end)"#,
        filter.name,
        filter.owner,
        filter.state.map(MachineTokenState::as_str),
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(count)
}

pub(super) async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &MachineTokenFilter,
    paging: Paging,
    now: Moment,
) -> Result<Vec<MachineToken>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select t.id, t.name, t.shown_prefix, o.real_name as owner_name, o.login_name as owner_login_name, t.enabled,
                  s.state as "state!: MachineTokenState", t.permission_codes,
                  case when t.school_ids is null then 'all' else 'listed' end as "school_scope!: SchoolScope",
                  array(select c.name from platform.school c where c.id = any(t.school_ids) order by c.code) as "school_names!",
                  t.expires_at, t.last_used_at, t.last_used_ip, t.remark, t.created_at, t.version
           from platform.sys_machine_token t
           join platform.sys_user o on o.id = t.owner_id
           cross join lateral (select case
               when not t.enabled then 'disabled'
               when t.expires_at <= $5 then 'expired'
               when not o.enabled or o.deleted_at is not null or o.gmt_expires <= $5 then 'owner_off'
               else 'active' end as state) s
           where ($1::bigint is null or t.id = $1)
             and ($2::text is null or t.name like '%' || $2 || '%')
             and ($3::text is null or o.login_name ilike $3 || '%' or o.real_name like $3 || '%')
             and ($4::text is null or s.state = $4)
           order by t.created_at desc, t.id desc limit $6 offset $7"#,
        only,
        filter.name,
        filter.owner,
        filter.state.map(MachineTokenState::as_str),
        now,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(MachineToken::from).collect())
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64, now: Moment) -> Result<MachineToken> {
    let filter = MachineTokenFilter::default();
    select(connection, Some(id), &filter, Paging::of(None, None)?, now).await?.pop().ok_or_else(Error::not_found)
}

/// Every code of a person, in both areas, whichever school it is for; the call itself asks again.
pub(super) async fn permissions_of(connection: &mut PgConnection, user_id: i64) -> Result<Vec<PermissionOption>> {
    let options = sqlx::query_as!(
        PermissionOption,
        r#"select code as "code!", "desc" as "desc!", page as "page!", school as "school!"
           from (select distinct on (p.permission_code) p.permission_code as code, p.permission_name as "desc",
                        m.menu_name as page, m.client_type = 1 as school, m.client_type, m.sort, p.id
                 from platform.sys_user_role ur
                 join platform.sys_role r on r.id = ur.role_id and r.enabled
                 join platform.sys_role_permission rp on rp.role_id = r.id
                 join platform.sys_permission p on p.id = rp.permission_id and p.enabled
                 join platform.sys_menu m on m.id = p.menu_id and m.client_type = r.client_type and m.enabled
                 where ur.user_id = $1
                 order by p.permission_code, m.client_type, m.sort, p.id) held
           order by client_type, sort, id"#,
        user_id
    )
    .fetch_all(connection)
    .await?;
    Ok(options)
}
