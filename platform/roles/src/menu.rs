//! 菜单: the trees of both areas, as operators arrange them (01 §2).
//!
//! A menu decides what is reached: the codes below a disabled one count for nobody, and its children keep their own flags,
//! so that enabling it restores exactly what was.

mod form;

use std::collections::HashMap;

use accounts::rights;
use infra::{
    Allowed, Body, Change, Edit, Entity, Error, OnConstraint, Part, Reply, Result, Saved, enumeration,
    enumeration::Enumeration, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

pub use form::MenuForm;
use form::{checked, explain_constraint};

permissions! {
    pages "/sys/menu/list", "/sys/menu/schoolList";
    InPlatform Reads  ListMenus          = "system:pc:sys:menu:list" "菜单列表";
    InPlatform Reads  ListAvailableMenus = "system:pc:sys:menu:available:list" "可用菜单选项";
    InPlatform Reads  ViewMenu           = "system:pc:sys:menu:view" "查看菜单";
    InPlatform Writes SaveMenu           = "system:pc:sys:menu:save" "新增菜单";
    InPlatform Writes EditMenu           = "system:pc:sys:menu:edit" "编辑菜单";
    InPlatform Writes DeleteMenu         = "system:pc:sys:menu:delete" "删除菜单";
    InPlatform Writes SwitchMenu         = "system:pc:sys:menu:disableOrEnableMenu" "启用停用菜单";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[MenuType::ENUMERATION, CLIENT_TYPE],
    entities: &[Entity { table: "sys_menu", name: "菜单", counted: "个菜单" }],
    ..Part::NONE
};

/// For option lists: on the wire the number stands.
const CLIENT_TYPE: Enumeration =
    Enumeration { name: "clientType", items: &[("0", "平台"), ("1", "院校")], schema: None };

enumeration! {
    /// 菜单类型
    pub enum MenuType = "menuType" {
        Directory = "directory" "目录",
        Page = "page" "页面",
    }
}

/// A menu with what hangs below it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Menu {
    /// 编号
    pub id: i64,
    /// 上级编号
    pub parent_id: i64,
    /// 菜单端
    /// 0平台 1院校
    pub client_type: i16,
    /// 名称
    pub menu_name: String,
    /// 类型
    pub menu_type: MenuType,
    /// 路径
    pub path: String,
    /// 图标
    pub icon: String,
    /// 排序
    pub sort: i32,
    /// 隐藏
    pub hidden: bool,
    /// 缓存
    pub keep_alive: bool,
    /// 外链
    pub frame_url: Option<String>,
    /// 启用
    pub enabled: bool,
    /// 内置
    pub built_in: bool,
    /// 已上线
    /// 控制台有该页面；没有的不会显示在菜单中
    pub shipped: bool,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
    /// 下级数
    pub child_count: i64,
    /// 权限数
    pub permission_count: i64,
    /// 下级
    pub children: Vec<Menu>,
}

/// Whether something is on, after it was switched.
#[derive(Debug, Clone, Object)]
pub struct Switched {
    /// 启用
    pub enabled: bool,
}

pub struct Menus;

#[OpenApi(prefix_path = "/system/pc/sys/menu", tag = "crate::Tag::Roles")]
impl Menus {
    /// 菜单列表
    #[oai(path = "/list", method = "get", operation_id = "listMenus")]
    async fn list(
        &self,
        caller: Allowed<ListMenus>,
        /// 菜单端
        /// 0平台 1院校
        #[oai(name = "clientType", validator(minimum(value = "0"), maximum(value = "1")))]
        client_type: Query<i16>,
        /// 上级编号
        /// 空为整棵树，否则只返回其下一级
        #[oai(name = "parentId")]
        parent_id: Query<Option<i64>>,
    ) -> Result<Reply<Vec<Menu>>> {
        let mut tx = caller.read().await?;
        let all = select(&mut tx, None, Some(client_type.0), false).await?;
        Ok(reply(match parent_id.0 {
            Some(parent) => all.into_iter().filter(|menu| menu.parent_id == parent).collect(),
            None => tree(all),
        }))
    }

    /// 可用菜单选项
    #[oai(path = "/available/list", method = "get", operation_id = "listAvailableMenus")]
    async fn available(
        &self,
        caller: Allowed<ListAvailableMenus>,
        /// 菜单端
        /// 0平台 1院校
        #[oai(name = "clientType", validator(minimum(value = "0"), maximum(value = "1")))]
        client_type: Query<i16>,
    ) -> Result<Reply<Vec<Menu>>> {
        let mut tx = caller.read().await?;
        Ok(reply(tree(select(&mut tx, None, Some(client_type.0), true).await?)))
    }

    /// 查看菜单
    #[oai(path = "/view", method = "get", operation_id = "viewMenu")]
    async fn view(
        &self,
        caller: Allowed<ViewMenu>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Menu>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增菜单
    #[oai(path = "/save", method = "post", operation_id = "saveMenu")]
    async fn save(&self, caller: Allowed<SaveMenu>, Body(form): Body<MenuForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let form = checked(&mut tx, form, None).await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.sys_menu (parent_id, client_type, menu_name, menu_type, path, icon, sort, hidden, keep_alive, frame_url,
                 remark, shipped, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                 $10::text is not null or exists (select from platform.sys_menu where path = $5 and shipped), $12, $12)
             returning id",
            form.parent_id,
            form.client_type,
            form.menu_name,
            form.menu_type.as_str(),
            form.path.unwrap_or_default(),
            form.icon.unwrap_or_default(),
            form.sort,
            form.hidden,
            form.keep_alive,
            form.frame_url,
            form.remark,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        let after = find(&mut tx, id).await?;
        tx.commit(Change::created("sys_menu", id, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑菜单
    #[oai(path = "/edit", method = "put", operation_id = "editMenu")]
    async fn edit(&self, caller: Allowed<EditMenu>, Body(edit): Body<Edit<MenuForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let form = checked(&mut tx, edit.form, Some(&before)).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.sys_menu set parent_id = $3, menu_name = $4, menu_type = $5, path = $6, icon = $7, sort = $8, hidden = $9,
                    keep_alive = $10, frame_url = $11, remark = $12,
                    shipped = $11::text is not null or exists (select from platform.sys_menu m where m.path = $6 and m.shipped),
                    updated_at = now(), updated_by = $13, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.parent_id,
            form.menu_name,
            form.menu_type.as_str(),
            form.path.unwrap_or_default(),
            form.icon.unwrap_or_default(),
            form.sort,
            form.hidden,
            form.keep_alive,
            form.frame_url,
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain_constraint)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("sys_menu", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        if before.parent_id != after.parent_id {
            // What lies above decides about the codes below.
            rights::of_menu_changed(&mut tx, edit.id).await?;
        }
        tx.commit(Change::edited("sys_menu", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除菜单
    #[oai(path = "/delete", method = "delete", operation_id = "deleteMenu")]
    async fn delete(
        &self,
        caller: Allowed<DeleteMenu>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        if before.built_in {
            return Err(Error::conflict("内置数据不能删除"));
        }
        let below = before.child_count + before.permission_count;
        if below > 0 {
            return Err(Error::conflict(format!("请先删除下级菜单或权限（{below}个）")));
        }
        sqlx::query!("delete from platform.sys_role_menu where menu_id = $1", id.0).execute(&mut *tx).await?;
        sqlx::query!("delete from platform.sys_menu where id = $1", id.0)
            .execute(&mut *tx)
            .await
            .on_constraint(|_| Some(Error::conflict("请先删除下级菜单或权限")))?;
        tx.commit(Change::deleted("sys_menu", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用菜单
    #[oai(path = "/disableOrEnableMenu", method = "put", operation_id = "switchMenu")]
    async fn switch(
        &self,
        caller: Allowed<SwitchMenu>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Switched>> {
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let switched = sqlx::query!(
            r#"update platform.sys_menu m
               set enabled = coalesce($3, not m.enabled), updated_at = now(), updated_by = $2, version = m.version + 1
               from (select id, enabled from platform.sys_menu where id = $1 for update) before
               where m.id = before.id
               returning m.enabled as "enabled!", before.enabled as "was!""#,
            id.0,
            by,
            enabled.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let enabled = switched.enabled;
        if !enabled && leads_to_menus(&mut tx, id.0).await? {
            return Err(Error::conflict("停用后将无法再管理菜单，不能停用该菜单"));
        }
        rights::of_menu_changed(&mut tx, id.0).await?;
        tx.commit(Change::status("sys_menu", id.0, "enabled", switched.was, enabled)).await?;
        Ok(reply(Switched { enabled }))
    }
}

/// Whether the page where menus and codes are switched on again is this menu or lies below it.
pub(crate) async fn leads_to_menus(connection: &mut PgConnection, id: i64) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"with recursive up as (
               select id, parent_id from platform.sys_menu where client_type = 0 and path = '/sys/menu/list'
               union all
               select m.id, m.parent_id from platform.sys_menu m join up on up.parent_id = m.id)
           select exists (select from up where id = $1) as "found!""#,
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(found)
}

/// Menus in their order, without their children.
async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    client_type: Option<i16>,
    enabled_only: bool,
) -> Result<Vec<Menu>> {
    let rows = sqlx::query!(
        r#"select m.id, m.parent_id, m.client_type, m.menu_name, m.menu_type as "menu_type: MenuType", m.path, m.icon, m.sort, m.hidden,
                  m.keep_alive, m.frame_url, m.enabled, m.built_in, m.shipped or m.menu_type = 'directory' as "shipped!", m.remark,
                  m.version,
                  (select count(*) from platform.sys_menu c where c.parent_id = m.id) as "child_count!",
                  (select count(*) from platform.sys_permission p where p.menu_id = m.id) as "permission_count!"
           from platform.sys_menu m
           where ($1::bigint is null or m.id = $1) and ($2::smallint is null or m.client_type = $2) and (m.enabled or not $3)
           order by m.sort, m.id"#,
        only,
        client_type,
        enabled_only
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Menu {
            id: row.id,
            parent_id: row.parent_id,
            client_type: row.client_type,
            menu_name: row.menu_name,
            menu_type: row.menu_type,
            path: row.path,
            icon: row.icon,
            sort: row.sort,
            hidden: row.hidden,
            keep_alive: row.keep_alive,
            frame_url: row.frame_url,
            enabled: row.enabled,
            built_in: row.built_in,
            shipped: row.shipped,
            remark: row.remark,
            version: row.version,
            child_count: row.child_count,
            permission_count: row.permission_count,
            children: Vec::new(),
        })
        .collect())
}

pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> Result<Menu> {
    select(connection, Some(id), None, false).await?.pop().ok_or_else(Error::not_found)
}

/// Rows in order become a tree in the same order. A row whose parent is not among them is left out.
fn tree(rows: Vec<Menu>) -> Vec<Menu> {
    let mut below: HashMap<i64, Vec<Menu>> = HashMap::new();
    for row in rows {
        below.entry(row.parent_id).or_default().push(row);
    }
    fn build_tree(parent: i64, below: &mut HashMap<i64, Vec<Menu>>) -> Vec<Menu> {
        let mut menus = below.remove(&parent).unwrap_or_default();
        for menu in &mut menus {
            menu.children = build_tree(menu.id, below);
        }
        menus
    }
    build_tree(0, &mut below)
}
