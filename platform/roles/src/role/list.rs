//! Which roles an area sees: an operator the platform's and the templates, a school the templates and its own.

use infra::{Error, Paging, Result};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{DataScope, Role, RoleKind};

/// A role to choose.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleOption {
    /// 编号
    pub id: i64,
    /// 角色名称
    pub role_name: String,
    /// 类型
    pub kind: RoleKind,
    /// 数据范围
    pub data_scope: DataScope,
}

impl From<Role> for RoleOption {
    fn from(role: Role) -> Self {
        Self { id: role.id, role_name: role.role_name, kind: role.kind, data_scope: role.data_scope }
    }
}

/// What a list asks for; the school is the session's.
#[derive(Debug, Clone, Default)]
pub(super) struct RoleFilter {
    pub(super) school: Option<i64>,
    pub(super) role_name: Option<String>,
    pub(super) kind: Option<RoleKind>,
    pub(super) enabled: Option<bool>,
}

/// Accounts are counted where the area sees them: a school counts its own.
pub(super) async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &RoleFilter,
    page: Option<Paging>,
) -> Result<Vec<Role>> {
    let roles = sqlx::query_as!(
        Role,
        r#"select r.id, r.role_name, k.kind as "kind!: _", r.data_scope as "data_scope: _", r.built_in, r.enabled,
                  r.totp_required, r.remark, r.version,
                  (select count(distinct ur.user_id) from platform.sys_user_role ur
                   where ur.role_id = r.id and ($2::bigint is null or ur.school_id = $2)) as "account_count!",
                  (select count(*) from platform.sys_role_permission rp where rp.role_id = r.id) as "permission_count!"
           from platform.sys_role r,
                lateral (select case when r.client_type = 0 then 'platform' when r.school_id is null then 'template' else 'own' end) k (kind)
           where ($1::bigint is null or r.id = $1)
             and (($2::bigint is null and r.school_id is null)
                  or ($2 is not null and r.client_type = 1 and (r.school_id is null or r.school_id = $2)))
             and ($3::text is null or strpos(r.role_name, $3) > 0)
             and ($4::text is null or k.kind = $4)
             and ($5::boolean is null or r.enabled = $5)
           order by r.client_type, r.school_id nulls last, r.id
           limit $6 offset $7"#,
        only,
        filter.school,
        filter.role_name,
        filter.kind.map(RoleKind::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    Ok(roles)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &RoleFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.sys_role r,
                lateral (select case when r.client_type = 0 then 'platform' when r.school_id is null then 'template' else 'own' end) k (kind)
           where (($1::bigint is null and r.school_id is null)
                  or ($1 is not null and r.client_type = 1 and (r.school_id is null or r.school_id = $1)))
             and ($2::text is null or strpos(r.role_name, $2) > 0)
             and ($3::text is null or k.kind = $3)
             and ($4::boolean is null or r.enabled = $4)"#,
        filter.school,
        filter.role_name,
        filter.kind.map(RoleKind::as_str),
        filter.enabled
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when the area does not see it.
pub(super) async fn find(connection: &mut PgConnection, id: i64, school: Option<i64>) -> Result<Role> {
    let filter = RoleFilter { school, ..RoleFilter::default() };
    select(connection, Some(id), &filter, None).await?.pop().ok_or_else(Error::not_found)
}

/// The role of a kind with this name; no two of a kind have the same.
///
/// # Errors
/// 404 when the area sees none.
pub(super) async fn named(
    connection: &mut PgConnection,
    name: String,
    kind: RoleKind,
    school: Option<i64>,
) -> Result<Role> {
    // The filter looks for a part of the name.
    let filter = RoleFilter { school, role_name: Some(name.clone()), kind: Some(kind), ..RoleFilter::default() };
    let found = select(connection, None, &filter, None).await?;
    found.into_iter().find(|role| role.role_name == name).ok_or_else(Error::not_found)
}
