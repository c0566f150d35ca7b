//! 分配权限: which menus and codes a role has.

use std::collections::{HashMap, HashSet};

use accounts::{rights, user::grant};
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{list, rules};

/// A menu with the codes that hang under it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RightsMenu {
    /// 编号
    id: i64,
    /// 上级编号
    parent_id: i64,
    /// 名称
    menu_name: String,
    /// 启用
    enabled: bool,
    /// 权限
    permissions: Vec<RightsPermission>,
    /// 下级
    children: Vec<RightsMenu>,
}

/// A code that a role has or could have.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RightsPermission {
    /// 编号
    id: i64,
    /// 权限名称
    name: String,
    /// 权限标识
    code: String,
    /// 启用
    enabled: bool,
    /// 已选
    checked: bool,
}

/// What a role has, in the whole tree of its area.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleRights {
    /// 菜单
    menus: Vec<RightsMenu>,
    /// 已选菜单
    checked_menu_ids: Vec<i64>,
    /// 已选权限
    checked_permission_ids: Vec<i64>,
    /// 版本
    version: i32,
}

/// What a role is to have.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Allocation {
    /// 角色编号
    pub role_id: i64,
    /// 菜单
    /// 所选菜单的上级由系统补全
    #[oai(validator(max_items = 5000))]
    pub menu_ids: Vec<i64>,
    /// 权限
    #[oai(validator(max_items = 20000))]
    pub permission_ids: Vec<i64>,
    /// 版本
    pub version: i32,
}

impl Example for Allocation {
    fn example() -> Self {
        Self { role_id: 1, menu_ids: vec![1], permission_ids: vec![1], version: 1 }
    }
}

pub(super) async fn rights_of(connection: &mut PgConnection, id: i64, school: Option<i64>) -> Result<RoleRights> {
    let role = list::find(connection, id, school).await?;
    let client_type = rules::client_type(role.kind);
    let menus = sqlx::query!(
        r#"select m.id, m.parent_id, m.menu_name, m.enabled, rm.menu_id is not null as "checked!"
           from platform.sys_menu m left join platform.sys_role_menu rm on rm.menu_id = m.id and rm.role_id = $1
           where m.client_type = $2 order by m.sort, m.id"#,
        id,
        client_type
    )
    .fetch_all(&mut *connection)
    .await?;
    let permissions = sqlx::query!(
        r#"select p.id, p.menu_id, p.permission_name, p.permission_code, p.enabled, rp.permission_id is not null as "checked!"
           from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = $2
           left join platform.sys_role_permission rp on rp.permission_id = p.id and rp.role_id = $1
           order by p.id"#,
        id,
        client_type
    )
    .fetch_all(connection)
    .await?;
    let checked_menu_ids = menus.iter().filter(|menu| menu.checked).map(|menu| menu.id).collect();
    let checked_permission_ids = permissions.iter().filter(|row| row.checked).map(|row| row.id).collect();
    let mut hanging: HashMap<i64, Vec<RightsPermission>> = HashMap::new();
    for row in permissions {
        hanging.entry(row.menu_id).or_default().push(RightsPermission {
            id: row.id,
            name: row.permission_name,
            code: row.permission_code,
            enabled: row.enabled,
            checked: row.checked,
        });
    }
    let mut below: HashMap<i64, Vec<RightsMenu>> = HashMap::new();
    for menu in menus {
        below.entry(menu.parent_id).or_default().push(RightsMenu {
            id: menu.id,
            parent_id: menu.parent_id,
            menu_name: menu.menu_name,
            enabled: menu.enabled,
            permissions: hanging.remove(&menu.id).unwrap_or_default(),
            children: Vec::new(),
        });
    }
    let menus = worth_showing(0, &mut below);
    Ok(RoleRights { menus, checked_menu_ids, checked_permission_ids, version: role.version })
}

/// The tree; a menu without a code in or below it gives nothing and is left out.
fn worth_showing(parent: i64, below: &mut HashMap<i64, Vec<RightsMenu>>) -> Vec<RightsMenu> {
    let mut menus = below.remove(&parent).unwrap_or_default();
    for menu in &mut menus {
        menu.children = worth_showing(menu.id, below);
    }
    menus.retain(|menu| !menu.permissions.is_empty() || !menu.children.is_empty());
    menus
}

pub(super) async fn allocate(mut tx: Tx, wanted: Allocation, school: Option<i64>) -> Result<()> {
    let role = rules::editable(&mut tx, wanted.role_id, school).await?;
    rules::not_super(&mut tx, role.id).await?;
    rules::not_own(&mut tx, role.id).await?;
    let client_type = rules::client_type(role.kind);
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.sys_role set updated_at = now(), updated_by = $3, version = version + 1 where id = $1 and version = $2",
        role.id,
        wanted.version,
        by
    )
    .execute(&mut *tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("sys_role", role.id).await);
    }
    let known = sqlx::query!(
        r#"select p.id, p.permission_name, rp.permission_id is not null as "held!"
           from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = $2
           left join platform.sys_role_permission rp on rp.permission_id = p.id and rp.role_id = $1
           where p.id = any($3) or rp.permission_id is not null"#,
        role.id,
        client_type,
        &wanted.permission_ids
    )
    .fetch_all(&mut *tx)
    .await?;
    let asked: HashSet<i64> = wanted.permission_ids.iter().copied().collect();
    if asked.iter().any(|id| !known.iter().any(|row| row.id == *id)) {
        return Err(Error::field("permissionIds", "所选权限已不存在，请刷新后重试"));
    }
    let added: Vec<i64> = known.iter().filter(|row| asked.contains(&row.id) && !row.held).map(|row| row.id).collect();
    let removed: Vec<i64> = known.iter().filter(|row| !asked.contains(&row.id)).map(|row| row.id).collect();
    let targets = grant::targets_of(&mut tx, role.id).await?;
    let extent = grant::Extent::of(role.data_scope.as_str(), &targets.sites, &targets.classes);
    grant::check_permissions(&mut tx, client_type, school, &added, &extent).await?;
    sqlx::query!(
        "delete from platform.sys_role_permission where role_id = $1 and permission_id = any($2)",
        role.id,
        &removed
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into platform.sys_role_permission (role_id, permission_id) select $1, unnest($2::bigint[])",
        role.id,
        &added
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from platform.sys_role_menu where role_id = $1", role.id).execute(&mut *tx).await?;
    // What is chosen, what its codes hang under, and everything above.
    sqlx::query!(
        "with recursive up as (
             select m.id, m.parent_id from platform.sys_menu m
             where m.client_type = $4 and (m.id = any($2) or m.id in (select menu_id from platform.sys_permission where id = any($3)))
             union
             select m.id, m.parent_id from platform.sys_menu m join up on up.parent_id = m.id)
         insert into platform.sys_role_menu (role_id, menu_id) select $1, id from up",
        role.id,
        &wanted.menu_ids,
        &wanted.permission_ids,
        client_type
    )
    .execute(&mut *tx)
    .await?;
    rights::of_role_changed(&mut tx, role.id).await?;
    let named = |ids: &[i64]| -> Vec<&str> {
        known.iter().filter(|row| ids.contains(&row.id)).map(|row| row.permission_name.as_str()).collect()
    };
    let what = json!({ "added": named(&added), "removed": named(&removed) });
    tx.commit(Change::event("sys_role", role.id, "update", what)).await
}
