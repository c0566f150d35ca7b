//! 客户端菜单 (02 §12.5): what students, teachers and site staff find in their own clients, kept by the operator.
//!
//! A tree for each client, three levels deep. Disabling a node hides what hangs below it without touching its flags.

mod form;
mod tree;

use infra::{
    Allowed, Body, Change, Client, Edit, Entity, Error, OnConstraint, Page, Paging, Part, ReadsAlways, Reply, Result,
    Saved, Tx, permissions, reply,
};
use people_rules::menu::{ClientKind, ClientMenu, ClientMenuNode, OpenKind, OwnMenu, build_tree, of};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::client::SchoolClient;

pub use form::ClientMenuForm;

use form::{check, explain_constraint};
use tree::{all, find};

permissions! {
    pages "/platformPC/userManagerment/menu";
    InPlatform Reads  ListClientMenus        = "user:pc:menu:list" "客户端菜单列表";
    InPlatform Writes SaveClientMenu         = "user:pc:menu:save" "新增客户端菜单";
    InPlatform Writes EditClientMenu         = "user:pc:menu:edit" "编辑客户端菜单";
    InPlatform Writes DeleteClientMenu       = "user:pc:menu:delete" "删除客户端菜单";
    InPlatform Writes ChangeClientMenuStatus = "user:pc:menu:update:status" "启用停用客户端菜单";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ClientKind::ENUMERATION, OpenKind::ENUMERATION],
    entities: &[Entity { table: "user_menu", name: "客户端菜单", counted: "个下级菜单" }],
    ..Part::NONE
};

pub struct ClientMenus;

#[OpenApi(tag = "crate::Tag::People")]
impl ClientMenus {
    /// 客户端菜单分页列表
    #[oai(path = "/user/pc/menu/pageList", method = "get", operation_id = "listClientMenus")]
    async fn page_list(
        &self,
        caller: Allowed<ListClientMenus>,
        /// 客户端
        #[oai(name = "clientKind")]
        client_kind: Query<Option<ClientKind>>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
    ) -> Result<Reply<Page<ClientMenu>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let mut tx = caller.read().await?;
        let (total, list) = tree::page(&mut tx, client_kind.0, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 学生端菜单树
    #[oai(path = "/user/pc/menu/studentList", method = "get", operation_id = "listStudentMenus")]
    async fn student_list(&self, caller: Allowed<ListClientMenus>) -> Result<Reply<Vec<ClientMenuNode>>> {
        whole(&mut *caller.read().await?, ClientKind::Student).await
    }

    /// 教师端菜单树
    #[oai(path = "/user/pc/menu/teacherList", method = "get", operation_id = "listTeacherMenus")]
    async fn teacher_list(&self, caller: Allowed<ListClientMenus>) -> Result<Reply<Vec<ClientMenuNode>>> {
        whole(&mut *caller.read().await?, ClientKind::Teacher).await
    }

    /// 站点端菜单树
    #[oai(path = "/user/pc/menu/siteList", method = "get", operation_id = "listSiteMenus")]
    async fn site_list(&self, caller: Allowed<ListClientMenus>) -> Result<Reply<Vec<ClientMenuNode>>> {
        whole(&mut *caller.read().await?, ClientKind::Site).await
    }

    /// 新增客户端菜单
    #[oai(path = "/user/pc/menu/save", method = "post", operation_id = "saveClientMenu")]
    async fn save(&self, caller: Allowed<SaveClientMenu>, Body(form): Body<ClientMenuForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let form = check(&mut tx, form, None).await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.user_menu (client_kind, parent_id, name, path, icon, open_kind, permission_key, school_ids, sort,
                 enabled, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
            form.client_kind.as_str(),
            form.parent_id,
            form.name,
            form.path,
            form.icon,
            form.open_kind.as_str(),
            form.permission_key,
            &form.school_ids,
            form.sort,
            form.enabled,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|name| explain_constraint(name, &form))?;
        tx.commit(Change::created("user_menu", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑客户端菜单
    #[oai(path = "/user/pc/menu/edit", method = "put", operation_id = "editClientMenu")]
    async fn edit(
        &self,
        caller: Allowed<EditClientMenu>,
        Body(edit): Body<Edit<ClientMenuForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id).await?;
        let form = check(&mut tx, edit.form, Some(&before)).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update platform.user_menu set parent_id = $3, name = $4, path = $5, icon = $6, open_kind = $7, permission_key = $8,
                    school_ids = $9, sort = $10, enabled = $11, updated_at = now(), updated_by = $12, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.parent_id,
            form.name,
            form.path,
            form.icon,
            form.open_kind.as_str(),
            form.permission_key,
            &form.school_ids,
            form.sort,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| explain_constraint(name, &form))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("user_menu", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("user_menu", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除客户端菜单
    #[oai(path = "/user/pc/menu/delete", method = "delete", operation_id = "deleteClientMenu")]
    async fn delete(
        &self,
        caller: Allowed<DeleteClientMenu>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0).await?;
        sqlx::query!("delete from platform.user_menu where id = $1", id.0)
            .execute(&mut *tx)
            .await
            .on_constraint(|name| (name == "user_menu_of_parent").then(|| Error::conflict("请先删除下级菜单")))?;
        tx.commit(Change::deleted("user_menu", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用学生端菜单
    #[oai(path = "/user/pc/menu/disableOrEnableStudentMenu", method = "put", operation_id = "switchStudentMenu")]
    async fn switch_student(
        &self,
        caller: Allowed<ChangeClientMenuStatus>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Saved>> {
        switch(caller.begin().await?, id.0, enabled.0, ClientKind::Student).await
    }

    /// 启用停用教师端菜单
    #[oai(path = "/user/pc/menu/disableOrEnableTeacherMenu", method = "put", operation_id = "switchTeacherMenu")]
    async fn switch_teacher(
        &self,
        caller: Allowed<ChangeClientMenuStatus>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Saved>> {
        switch(caller.begin().await?, id.0, enabled.0, ClientKind::Teacher).await
    }

    /// 启用停用站点端菜单
    #[oai(path = "/user/pc/menu/disableOrEnableSiteMenu", method = "put", operation_id = "switchSiteMenu")]
    async fn switch_site(
        &self,
        caller: Allowed<ChangeClientMenuStatus>,
        /// 编号
        id: Query<i64>,
        /// 启用
        /// 不填时切换为相反的状态
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Saved>> {
        switch(caller.begin().await?, id.0, enabled.0, ClientKind::Site).await
    }

    /// 客户端菜单
    #[oai(path = "/user/client/menu", method = "get", operation_id = "fetchClientMenu")]
    async fn own(&self, caller: Client<SchoolClient, ReadsAlways>) -> Result<Reply<Vec<OwnMenu>>> {
        let client = ClientKind::parse(&caller.session.client).ok_or_else(Error::not_found)?;
        let rows = all(&mut *caller.platform().await?, client).await?;
        Ok(reply(of(rows, caller.school.id, &caller.session.kind)))
    }
}

async fn whole(connection: &mut PgConnection, client: ClientKind) -> Result<Reply<Vec<ClientMenuNode>>> {
    Ok(reply(build_tree(all(connection, client).await?)))
}

/// Switches a menu as `wanted`, or round where nothing is wanted.
///
/// # Errors
/// 404 when the menu is of another client.
async fn switch(mut tx: Tx, id: i64, wanted: Option<bool>, client: ClientKind) -> Result<Reply<Saved>> {
    let by = tx.by();
    let switched = sqlx::query!(
        r#"update platform.user_menu m
           set enabled = coalesce($4, not m.enabled), updated_at = now(), updated_by = $3, version = m.version + 1
           from (select id, enabled from platform.user_menu where id = $1 and client_kind = $2 for update) before
           where m.id = before.id
           returning m.enabled as "enabled!", before.enabled as "was!""#,
        id,
        client.as_str(),
        by,
        wanted
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(Error::not_found)?;
    tx.commit(Change::status("user_menu", id, "enabled", switched.was, switched.enabled)).await?;
    Ok(reply(Saved { id }))
}
