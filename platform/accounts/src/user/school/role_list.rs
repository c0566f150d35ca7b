//! The roles that can be given: templates and a school's own, or the platform's.

use infra::{Paging, Result};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A role to choose.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleChoice {
    /// 编号
    pub id: i64,
    /// 角色名称
    pub role_name: String,
    /// 角色端
    pub client_type: i16,
    /// 数据范围
    pub data_scope: String,
    /// 院校模板
    pub template: bool,
}

/// A role with how many accounts of the school have it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleRow {
    /// 编号
    pub id: i64,
    /// 角色名称
    pub role_name: String,
    /// 数据范围
    pub data_scope: String,
    /// 院校模板
    pub template: bool,
    /// 启用
    pub enabled: bool,
    /// 账号数
    pub account_count: i64,
}

/// Enabled roles of one kind; without a school only those that belong to none.
pub(super) async fn choices(
    connection: &mut PgConnection,
    school: Option<i64>,
    client_type: i16,
) -> Result<Vec<RoleChoice>> {
    let choices = sqlx::query_as!(
        RoleChoice,
        r#"select id, role_name, client_type, data_scope, school_id is null as "template!"
           from platform.sys_role
           where client_type = $2 and enabled and (school_id is null or school_id = $1)
           order by school_id nulls first, id"#,
        school,
        client_type
    )
    .fetch_all(connection)
    .await?;
    Ok(choices)
}

/// Roles of schools by name, a page at a time.
pub(super) async fn page(
    connection: &mut PgConnection,
    school: Option<i64>,
    role_name: Option<&str>,
    paging: Paging,
) -> Result<(i64, Vec<RoleRow>)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.sys_role
           where client_type = 1 and (school_id is null or school_id = $1) and ($2::text is null or strpos(role_name, $2) > 0)"#,
        school,
        role_name
    )
    .fetch_one(&mut *connection)
    .await?;
    let page = sqlx::query_as!(
        RoleRow,
        r#"select r.id, r.role_name, r.data_scope, r.school_id is null as "template!", r.enabled,
                  (select count(distinct ur.user_id) from platform.sys_user_role ur
                   where ur.role_id = r.id and ($1::bigint is null or ur.school_id = $1)) as "account_count!"
           from platform.sys_role r
           where r.client_type = 1 and (r.school_id is null or r.school_id = $1)
             and ($2::text is null or strpos(r.role_name, $2) > 0)
           order by r.school_id nulls first, r.id limit $3 offset $4"#,
        school,
        role_name,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok((total, page))
}
