//! 底部导航: the columns at the foot of the site, and below each of them links and articles. A tree of two levels.

mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Part, Reply, Result, Saved,
    permissions, reply,
    transfer::{self, Exported, export_job},
    tree::build_tree,
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    filter::DecorationFilter,
    order::{SiteOrder, ordered},
};

pub use form::FooterNavForm;
pub use list::{FooterNav, FooterNavNode};

use list::{find, matches, select};

permissions! {
    pages "/system/website/nav/list";
    InPlatform Reads       ListFooterNavs        = "system:pc:website:nav:list" "底部导航列表";
    InPlatform Reads       ViewFooterNav         = "system:pc:website:nav:view" "查看底部导航";
    InPlatform Writes      SaveFooterNav         = "system:pc:website:nav:save" "新增底部导航";
    InPlatform Writes      EditFooterNav         = "system:pc:website:nav:edit" "编辑底部导航";
    InPlatform Writes      DeleteFooterNav       = "system:pc:website:nav:delete" "删除底部导航";
    InPlatform Writes      DeleteFooterNavs      = "system:pc:website:nav:batchDel" "批量删除底部导航";
    InPlatform Writes      ChangeFooterNavStatus = "system:pc:website:nav:update:status" "启用停用底部导航";
    InPlatform Writes      SortFooterNavs        = "system:pc:website:nav:sort" "底部导航排序";
    InPlatform ReadsLogged ExportFooterNavs      = "system:pc:website:nav:export" "导出底部导航";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "website_nav", name: "底部导航", counted: "条底部导航" }],
    jobs: &[export_job::<FooterNavs>()],
    histories: &[History { table: "website_nav", code: "system:pc:website:nav:view", scope: None }],
    ..Part::NONE
};

pub struct FooterNavs;

#[OpenApi(prefix_path = "/system/pc/website/nav", tag = "crate::Tag::SiteContent")]
impl FooterNavs {
    /// 底部导航列表
    #[oai(path = "/list", method = "post", operation_id = "listFooterNavs")]
    async fn list(
        &self,
        caller: Allowed<ListFooterNavs>,
        Body(filter): Body<DecorationFilter>,
    ) -> Result<Reply<Vec<FooterNavNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<FooterNav> = select(&mut tx, None).try_collect().await?;
        Ok(reply(build_tree(all, |nav| matches(nav, &filter), |nav, children| FooterNavNode { nav, children })))
    }

    /// 查看底部导航
    #[oai(path = "/view", method = "get", operation_id = "viewFooterNav")]
    async fn view(
        &self,
        caller: Allowed<ViewFooterNav>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<FooterNav>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增底部导航
    #[oai(path = "/save", method = "post", operation_id = "saveFooterNav")]
    async fn save(&self, caller: Allowed<SaveFooterNav>, Body(form): Body<FooterNavForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑底部导航
    #[oai(path = "/edit", method = "put", operation_id = "editFooterNav")]
    async fn edit(
        &self,
        caller: Allowed<EditFooterNav>,
        Body(edit): Body<Edit<FooterNavForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除底部导航
    #[oai(path = "/delete", method = "delete", operation_id = "deleteFooterNav")]
    async fn delete(
        &self,
        caller: Allowed<DeleteFooterNav>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除底部导航
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteFooterNavs")]
    async fn delete_many(&self, caller: Allowed<DeleteFooterNavs>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "website_nav", "nav_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用底部导航
    #[oai(path = "/update/status", method = "put", operation_id = "changeFooterNavStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeFooterNavStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("website_nav", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 底部导航排序
    #[oai(path = "/sort", method = "put", operation_id = "sortFooterNavs")]
    async fn sort(&self, caller: Allowed<SortFooterNavs>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("website_nav", &["parent_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出底部导航
    #[oai(path = "/export", method = "post", operation_id = "exportFooterNavs")]
    async fn export(
        &self,
        caller: Allowed<ExportFooterNavs>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<DecorationFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}
