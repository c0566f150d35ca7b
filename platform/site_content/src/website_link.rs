//! 友情链接: the other sites at the foot of the site.

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
    filter::DecorationFilter,
    order::{SiteOrder, ordered},
};

pub use form::FriendLinkForm;
pub use list::FriendLink;

use list::{count, find, select};

permissions! {
    pages "/system/website/link/list";
    InPlatform Reads       ListFriendLinks        = "system:pc:website:link:list" "友情链接列表";
    InPlatform Reads       ViewFriendLink         = "system:pc:website:link:view" "查看友情链接";
    InPlatform Writes      SaveFriendLink         = "system:pc:website:link:save" "新增友情链接";
    InPlatform Writes      EditFriendLink         = "system:pc:website:link:edit" "编辑友情链接";
    InPlatform Writes      DeleteFriendLink       = "system:pc:website:link:delete" "删除友情链接";
    InPlatform Writes      DeleteFriendLinks      = "system:pc:website:link:batchDel" "批量删除友情链接";
    InPlatform Writes      ChangeFriendLinkStatus = "system:pc:website:link:update:status" "启用停用友情链接";
    InPlatform Writes      SortFriendLinks        = "system:pc:website:link:sort" "友情链接排序";
    InPlatform ReadsLogged ExportFriendLinks      = "system:pc:website:link:export" "导出友情链接";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "website_link", name: "友情链接", counted: "个友情链接" }],
    jobs: &[export_job::<FriendLinks>()],
    histories: &[History { table: "website_link", code: "system:pc:website:link:view", scope: None }],
    ..Part::NONE
};

pub struct FriendLinks;

#[OpenApi(prefix_path = "/system/pc/website/link", tag = "crate::Tag::SiteContent")]
impl FriendLinks {
    /// 友情链接列表
    #[oai(path = "/list", method = "post", operation_id = "listFriendLinks")]
    async fn list(
        &self,
        caller: Allowed<ListFriendLinks>,
        Body(asked): Body<Paged<DecorationFilter>>,
    ) -> Result<Reply<Page<FriendLink>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看友情链接
    #[oai(path = "/view", method = "get", operation_id = "viewFriendLink")]
    async fn view(
        &self,
        caller: Allowed<ViewFriendLink>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<FriendLink>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增友情链接
    #[oai(path = "/save", method = "post", operation_id = "saveFriendLink")]
    async fn save(&self, caller: Allowed<SaveFriendLink>, Body(form): Body<FriendLinkForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑友情链接
    #[oai(path = "/edit", method = "put", operation_id = "editFriendLink")]
    async fn edit(
        &self,
        caller: Allowed<EditFriendLink>,
        Body(edit): Body<Edit<FriendLinkForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除友情链接
    #[oai(path = "/delete", method = "delete", operation_id = "deleteFriendLink")]
    async fn delete(
        &self,
        caller: Allowed<DeleteFriendLink>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除友情链接
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteFriendLinks")]
    async fn delete_many(&self, caller: Allowed<DeleteFriendLinks>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "website_link", "link_name");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用友情链接
    #[oai(path = "/update/status", method = "put", operation_id = "changeFriendLinkStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeFriendLinkStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("website_link", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 友情链接排序
    #[oai(path = "/sort", method = "put", operation_id = "sortFriendLinks")]
    async fn sort(&self, caller: Allowed<SortFriendLinks>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("website_link", &[], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出友情链接
    #[oai(path = "/export", method = "post", operation_id = "exportFriendLinks")]
    async fn export(
        &self,
        caller: Allowed<ExportFriendLinks>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DecorationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
