//! 权限: the codes that hang under a menu. A code is one of the server's compiled registry; names and places are
//! people's to change (01 §2.1, §2.4).

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, OnConstraint, Part, Reply, Result, Saved, Tx, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use crate::menu::{Switched, leads_to_menus};

permissions! {
    pages "/sys/menu/list", "/sys/menu/schoolList";
    InPlatform Reads  ListPermissions  = "system:pc:sys:permission:list" "权限列表";
    InPlatform Reads  ViewPermission   = "system:pc:sys:permission:view" "查看权限";
    InPlatform Writes SavePermission   = "system:pc:sys:permission:save" "新增权限";
    InPlatform Writes EditPermission   = "system:pc:sys:permission:edit" "编辑权限";
    InPlatform Writes DeletePermission = "system:pc:sys:permission:delete" "删除权限";
    InPlatform Writes SwitchPermission = "system:pc:sys:permission:disableOrEnablePermission" "启用停用权限";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "sys_permission", name: "权限", counted: "个权限" }],
    ..Part::NONE
};

/// A code under a menu.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Permission {
    /// 编号
    pub id: i64,
    /// 菜单编号
    pub menu_id: i64,
    /// 权限名称
    pub permission_name: String,
    /// 权限标识
    pub permission_code: String,
    /// 启用
    pub enabled: bool,
    /// 角色数
    pub role_count: i64,
    /// 版本
    pub version: i32,
}

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PermissionForm {
    /// 菜单编号
    pub menu_id: i64,
    /// 权限名称
    #[oai(validator(min_length = 1, max_length = 30))]
    pub permission_name: String,
    /// 权限标识
    #[oai(validator(max_length = 100))]
    pub permission_code: String,
}

impl Example for PermissionForm {
    fn example() -> Self {
        Self {
            menu_id: 1,
            permission_name: "院校列表".to_owned(),
            permission_code: "system:pc:sys:school:list".to_owned(),
        }
    }
}

pub struct Permissions;

#[OpenApi(prefix_path = "/system/pc/sys/permission", tag = "crate::Tag::Roles")]
impl Permissions {
    /// 权限列表
    #[oai(path = "/list", method = "get", operation_id = "listPermissions")]
    async fn list(
        &self,
        caller: Allowed<ListPermissions>,
        /// 菜单编号
        #[oai(name = "menuId")]
        menu_id: Query<i64>,
    ) -> Result<Reply<Vec<Permission>>> {
        let mut tx = caller.read().await?;
        Ok(reply(select(&mut tx, None, Some(menu_id.0)).await?))
    }

    /// 查看权限
    #[oai(path = "/view", method = "get", operation_id = "viewPermission")]
    async fn view(
        &self,
        caller: Allowed<ViewPermission>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Permission>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增权限
    #[oai(path = "/save", method = "post", operation_id = "savePermission")]
    async fn save(&self, caller: Allowed<SavePermission>, Body(form): Body<PermissionForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        known(&tx, &form)?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_permission (menu_id, permission_name, permission_code, created_by, updated_by)
             values ($1, $2, $3, $4, $4) returning id",
            form.menu_id,
            form.permission_name,
            form.permission_code,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        let after = find(&mut tx, id).await?;
        tx.notice("rights", "");
        tx.commit(Change::created("sys_permission", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑权限
    #[oai(path = "/edit", method = "put", operation_id = "editPermission")]
    async fn edit(
        &self,
        caller: Allowed<EditPermission>,
        Body(edit): Body<Edit<PermissionForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        known(&tx, &edit.form)?;
        let before = find(&mut tx, edit.id).await?;
        if before.permission_code != edit.form.permission_code {
            return Err(Error::field("permissionCode", "权限标识不能修改，请新增"));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sys_permission set menu_id = $3, permission_name = $4, updated_at = now(), updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            edit.form.menu_id,
            edit.form.permission_name,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sys_permission", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.notice("rights", "");
        tx.commit(Change::edited("sys_permission", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除权限
    #[oai(path = "/delete", method = "delete", operation_id = "deletePermission")]
    async fn delete(
        &self,
        caller: Allowed<DeletePermission>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        if leads_to_menus(&mut tx, before.menu_id).await? {
            return Err(Error::conflict("删除后将无法再管理菜单和权限，不能删除该权限"));
        }
        sqlx::query!("delete from platform.sys_role_permission where permission_id = $1", id.0)
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from platform.sys_permission where id = $1", id.0).execute(&mut *tx).await?;
        tx.notice("rights", "");
        tx.commit(Change::deleted("sys_permission", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用权限
    #[oai(path = "/disableOrEnablePermission", method = "put", operation_id = "switchPermission")]
    async fn switch(
        &self,
        caller: Allowed<SwitchPermission>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Switched>> {
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let switched = sqlx::query!(
            r#"update platform.sys_permission p
               set enabled = coalesce($3, not p.enabled), updated_at = now(), updated_by = $2, version = p.version + 1
               from (select id, enabled from platform.sys_permission where id = $1 for update) before
               where p.id = before.id
               returning p.enabled as "enabled!", p.menu_id as "menu_id!", before.enabled as "was!""#,
            id.0,
            by,
            enabled.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let enabled = switched.enabled;
        if !enabled && leads_to_menus(&mut tx, switched.menu_id).await? {
            return Err(Error::conflict("停用后将无法再管理菜单和权限，不能停用该权限"));
        }
        tx.notice("rights", "");
        tx.commit(Change::status("sys_permission", id.0, "enabled", switched.was, enabled)).await?;
        Ok(reply(Switched { enabled }))
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    match constraint {
        "sys_permission_once_per_menu" => Some(Error::field("permissionCode", "该菜单下已有此权限")),
        "sys_permission_of_menu" => Some(Error::field("menuId", "菜单不存在")),
        _ => None,
    }
}

/// # Errors
/// 422 when no operation of this server asks for the code.
fn known(tx: &Tx, form: &PermissionForm) -> Result<()> {
    if tx.app().modules().permissions().any(|entry| entry.code == form.permission_code) {
        Ok(())
    } else {
        Err(Error::field("permissionCode", "权限标识不在系统目录中"))
    }
}

async fn select(connection: &mut PgConnection, only: Option<i64>, menu_id: Option<i64>) -> Result<Vec<Permission>> {
    let list = sqlx::query_as!(
        Permission,
        r#"select p.id, p.menu_id, p.permission_name, p.permission_code, p.enabled, p.version,
                  (select count(*) from platform.sys_role_permission rp where rp.permission_id = p.id) as "role_count!"
           from platform.sys_permission p
           where ($1::bigint is null or p.id = $1) and ($2::bigint is null or p.menu_id = $2) order by p.id"#,
        only,
        menu_id
    )
    .fetch_all(connection)
    .await?;
    Ok(list)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<Permission> {
    select(connection, Some(id), None).await?.pop().ok_or_else(Error::not_found)
}
