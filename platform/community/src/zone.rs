//! 文章专区: shelves of blogs ([`item`]), in an order that people give them.

mod form;
pub mod item;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use site_content::order::{SiteOrder, ordered};

pub use form::ArticleZoneForm;
pub use list::{ArticleZone, ArticleZoneFilter};

use list::{count, find, select};

permissions! {
    pages "/community/article/zone/list";
    InPlatform Reads       ListArticleZones        = "user:pc:community:article:zone:list" "文章专区列表";
    InPlatform Reads       ViewArticleZone         = "user:pc:community:article:zone:view" "查看文章专区";
    InPlatform Writes      SaveArticleZone         = "user:pc:community:article:zone:save" "新增文章专区";
    InPlatform Writes      EditArticleZone         = "user:pc:community:article:zone:edit" "编辑文章专区";
    InPlatform Writes      DeleteArticleZone       = "user:pc:community:article:zone:delete" "删除文章专区";
    InPlatform Writes      DeleteArticleZones      = "user:pc:community:article:zone:batchDel" "批量删除文章专区";
    InPlatform Writes      ChangeArticleZoneStatus = "user:pc:community:article:zone:update:status" "启用停用文章专区";
    InPlatform Writes      SortArticleZones        = "user:pc:community:article:zone:sort" "文章专区排序";
    InPlatform ReadsLogged ExportArticleZones      = "user:pc:community:article:zone:export" "导出文章专区";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "article_zone", name: "文章专区", counted: "个文章专区" }],
    jobs: &[export_job::<ArticleZones>()],
    histories: &[History { table: "article_zone", code: "user:pc:community:article:zone:view", scope: None }],
    ..Part::NONE
};

pub struct ArticleZones;

#[OpenApi(prefix_path = "/user/pc/community/article/zone", tag = "crate::Tag::Community")]
impl ArticleZones {
    /// 文章专区列表
    #[oai(path = "/list", method = "post", operation_id = "listArticleZones")]
    async fn list(
        &self,
        caller: Allowed<ListArticleZones>,
        Body(asked): Body<Paged<ArticleZoneFilter>>,
    ) -> Result<Reply<Page<ArticleZone>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看文章专区
    #[oai(path = "/view", method = "get", operation_id = "viewArticleZone")]
    async fn view(
        &self,
        caller: Allowed<ViewArticleZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ArticleZone>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增文章专区
    #[oai(path = "/save", method = "post", operation_id = "saveArticleZone")]
    async fn save(&self, caller: Allowed<SaveArticleZone>, Body(form): Body<ArticleZoneForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑文章专区
    #[oai(path = "/edit", method = "put", operation_id = "editArticleZone")]
    async fn edit(
        &self,
        caller: Allowed<EditArticleZone>,
        Body(edit): Body<Edit<ArticleZoneForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除文章专区
    /// 其中的文章只是移出专区
    #[oai(path = "/delete", method = "delete", operation_id = "deleteArticleZone")]
    async fn delete(
        &self,
        caller: Allowed<DeleteArticleZone>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除文章专区
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteArticleZones")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteArticleZones>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "article_zone", "zone_title");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用文章专区
    #[oai(path = "/update/status", method = "put", operation_id = "changeArticleZoneStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeArticleZoneStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("article_zone", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 文章专区排序
    #[oai(path = "/sort", method = "put", operation_id = "sortArticleZones")]
    async fn sort(&self, caller: Allowed<SortArticleZones>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("article_zone", &[], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出文章专区
    #[oai(path = "/export", method = "post", operation_id = "exportArticleZones")]
    async fn export(
        &self,
        caller: Allowed<ExportArticleZones>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ArticleZoneFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
