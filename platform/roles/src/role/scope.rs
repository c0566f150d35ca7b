//! 数据范围: whose rows a role opens (01 §2.2.2).

use accounts::{rights, user::grant};
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{DataScope, RoleKind, list, rules};

/// A role's data scope with its targets.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleScope {
    /// 角色编号
    role_id: i64,
    /// 数据范围
    data_scope: DataScope,
    /// 站点
    site_ids: Vec<i64>,
    /// 班级
    class_ids: Vec<i64>,
    /// 版本
    version: i32,
}

/// What a person sets.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RoleScopeForm {
    /// 角色编号
    pub role_id: i64,
    /// 数据范围
    pub data_scope: DataScope,
    /// 站点
    #[oai(default, validator(max_items = 2000))]
    pub site_ids: Vec<i64>,
    /// 班级
    #[oai(default, validator(max_items = 2000))]
    pub class_ids: Vec<i64>,
    /// 版本
    pub version: i32,
}

impl Example for RoleScopeForm {
    fn example() -> Self {
        Self { role_id: 1, data_scope: DataScope::NamedSites, site_ids: vec![1], class_ids: Vec::new(), version: 1 }
    }
}

pub(super) async fn of(connection: &mut PgConnection, id: i64, school: Option<i64>) -> Result<RoleScope> {
    let role = list::find(connection, id, school).await?;
    let grant::Targets { sites, classes } = grant::targets_of(connection, id).await?;
    Ok(RoleScope {
        role_id: id,
        data_scope: role.data_scope,
        site_ids: sites,
        class_ids: classes,
        version: role.version,
    })
}

/// # Errors
/// 422 when a target is not one of the school's.
pub(super) async fn check_targets(school: &mut PgConnection, form: &RoleScopeForm) -> Result<()> {
    let found = sqlx::query!(
        r#"select (select count(*) from site where id = any($1)) as "sites!",
                  (select count(*) from class where id = any($2)) as "classes!""#,
        &form.site_ids,
        &form.class_ids
    )
    .fetch_one(school)
    .await?;
    if found.sites != distinct(&form.site_ids) {
        return Err(Error::field("siteIds", "所选站点不存在，请重新选择"));
    }
    if found.classes != distinct(&form.class_ids) {
        return Err(Error::field("classIds", "所选班级不存在，请重新选择"));
    }
    Ok(())
}

fn distinct(ids: &[i64]) -> i64 {
    let ids: std::collections::HashSet<&i64> = ids.iter().collect();
    i64::try_from(ids.len()).unwrap_or(i64::MAX)
}

/// Which targets go with a scope.
fn check(form: &RoleScopeForm, kind: RoleKind) -> Result<()> {
    let (sites, classes) = (!form.site_ids.is_empty(), !form.class_ids.is_empty());
    match (kind, form.data_scope) {
        (RoleKind::Platform, DataScope::NamedSites | DataScope::NamedClasses) => {
            Err(Error::field("dataScope", "平台角色的数据范围固定为全校"))
        }
        (RoleKind::Template, _) if sites || classes => {
            Err(Error::field("dataScope", "模板不属于任何院校，站点和班级在分配给账号时指定"))
        }
        (_, scope) if sites && scope != DataScope::NamedSites => {
            Err(Error::field("siteIds", "数据范围为指定站点时才能选择站点"))
        }
        (_, scope) if classes && scope != DataScope::NamedClasses => {
            Err(Error::field("classIds", "数据范围为指定班级时才能选择班级"))
        }
        _ => Ok(()),
    }
}

pub(super) async fn set(mut tx: Tx, form: RoleScopeForm, school: Option<i64>) -> Result<()> {
    let role = rules::editable(&mut tx, form.role_id, school).await?;
    rules::not_own(&mut tx, role.id).await?;
    check(&form, role.kind)?;
    let before = grant::targets_of(&mut tx, role.id).await?;
    let extent = grant::Extent::of(form.data_scope.as_str(), &form.site_ids, &form.class_ids);
    grant::check(&mut tx, rules::client_type(role.kind), school, &[(role.id, &extent)]).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.sys_role set data_scope = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and version = $2",
        role.id,
        form.version,
        form.data_scope.as_str(),
        by
    )
    .execute(&mut *tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("sys_role", role.id).await);
    }
    sqlx::query!("delete from platform.sys_role_scope where role_id = $1", role.id).execute(&mut *tx).await?;
    sqlx::query!(
        "insert into platform.sys_role_scope (role_id, target_type, target_id)
         select distinct $1::bigint, 'site', unnest($2::bigint[]) union select distinct $1, 'class', unnest($3::bigint[])",
        role.id,
        &form.site_ids,
        &form.class_ids
    )
    .execute(&mut *tx)
    .await?;
    rights::of_role_changed(&mut tx, role.id).await?;
    let shown = |scope: DataScope, sites: &[i64], classes: &[i64]| json!({ "dataScope": scope.as_str(), "siteIds": sites, "classIds": classes });
    let from = shown(role.data_scope, &before.sites, &before.classes);
    let to = shown(form.data_scope, &form.site_ids, &form.class_ids);
    tx.commit(Change::status("sys_role", role.id, "scope", from, to)).await
}
