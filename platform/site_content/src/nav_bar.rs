//! 头部导航: the bar at the head of the site, on computers and in the app.

mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    filter::TerminalFilter,
    order::{SiteOrder, ordered},
};

pub use form::NavBarForm;
pub use list::NavBar;

use list::{count, find, select};

permissions! {
    pages "/system/nav/bar/pc/list", "/system/nav/bar/app/list";
    InPlatform Reads       ListNavBars        = "system:pc:nav:bar:list" "导航列表";
    InPlatform Reads       ViewNavBar         = "system:pc:nav:bar:view" "查看导航";
    InPlatform Writes      SaveNavBar         = "system:pc:nav:bar:save" "新增导航";
    InPlatform Writes      EditNavBar         = "system:pc:nav:bar:edit" "编辑导航";
    InPlatform Writes      DeleteNavBar       = "system:pc:nav:bar:delete" "删除导航";
    InPlatform Writes      DeleteNavBars      = "system:pc:nav:bar:batchDel" "批量删除导航";
    InPlatform Writes      ChangeNavBarStatus = "system:pc:nav:bar:update:status" "启用停用导航";
    InPlatform Writes      SortNavBars        = "system:pc:nav:bar:sort" "导航排序";
    InPlatform ReadsLogged ExportNavBars      = "system:pc:nav:bar:export" "导出导航";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "nav_bar", name: "头部导航", counted: "个导航" }],
    jobs: &[export_job::<NavBars>()],
    histories: &[History { table: "nav_bar", code: "system:pc:nav:bar:view", scope: None }],
    ..Part::NONE
};

pub struct NavBars;

#[OpenApi(prefix_path = "/system/pc/nav/bar", tag = "crate::Tag::SiteContent")]
impl NavBars {
    /// 导航列表
    #[oai(path = "/list", method = "post", operation_id = "listNavBars")]
    async fn list(
        &self,
        caller: Allowed<ListNavBars>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Reply<Page<NavBar>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看导航
    #[oai(path = "/view", method = "get", operation_id = "viewNavBar")]
    async fn view(
        &self,
        caller: Allowed<ViewNavBar>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<NavBar>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增导航
    #[oai(path = "/save", method = "post", operation_id = "saveNavBar")]
    async fn save(&self, caller: Allowed<SaveNavBar>, Body(form): Body<NavBarForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑导航
    #[oai(path = "/edit", method = "put", operation_id = "editNavBar")]
    async fn edit(&self, caller: Allowed<EditNavBar>, Body(edit): Body<Edit<NavBarForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除导航
    #[oai(path = "/delete", method = "delete", operation_id = "deleteNavBar")]
    async fn delete(
        &self,
        caller: Allowed<DeleteNavBar>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除导航
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteNavBars")]
    async fn delete_many(&self, caller: Allowed<DeleteNavBars>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "nav_bar", "nav_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用导航
    #[oai(path = "/update/status", method = "put", operation_id = "changeNavBarStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeNavBarStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::switch(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导航排序
    #[oai(path = "/sort", method = "put", operation_id = "sortNavBars")]
    async fn sort(&self, caller: Allowed<SortNavBars>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("nav_bar", &["terminal"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出导航
    #[oai(path = "/export", method = "post", operation_id = "exportNavBars")]
    async fn export(
        &self,
        caller: Allowed<ExportNavBars>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
