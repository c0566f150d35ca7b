//! 直播分类: the categories of live courses.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Ids, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported},
};
use poem_openapi::{OpenApi, param::Query};

use super::{
    Category, CategoryFilter, CategoryForm, CategoryNode, CategoryType, find, insert, remove, select, tree, update,
};

permissions! {
    pages "/course/category/live/list";
    InPlatform Reads       ListLiveCategories       = "course:pc:category:live:list" "直播分类列表";
    InPlatform Reads       ViewLiveCategory         = "course:pc:category:live:view" "查看直播分类";
    InPlatform Writes      SaveLiveCategory         = "course:pc:category:live:save" "新增直播分类";
    InPlatform Writes      EditLiveCategory         = "course:pc:category:live:edit" "编辑直播分类";
    InPlatform Writes      DeleteLiveCategory       = "course:pc:category:live:delete" "删除直播分类";
    InPlatform Writes      DeleteLiveCategories     = "course:pc:category:live:batchDel" "批量删除直播分类";
    InPlatform Writes      ChangeLiveCategoryStatus = "course:pc:category:live:update:status" "启用停用直播分类";
    InPlatform ReadsLogged ExportLiveCategories     = "course:pc:category:live:export" "导出直播分类";
}

const KIND: CategoryType = CategoryType::Live;

pub struct LiveCategories;

#[OpenApi(prefix_path = "/course/pc/category/live", tag = "crate::Tag::Catalogue")]
impl LiveCategories {
    /// 直播分类列表
    #[oai(path = "/list", method = "post", operation_id = "listLiveCategories")]
    async fn list(
        &self,
        caller: Allowed<ListLiveCategories>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Reply<Vec<CategoryNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Category> = select(&mut tx, KIND, None).try_collect().await?;
        Ok(reply(tree::build_tree(all, &filter)))
    }

    /// 查看直播分类
    #[oai(path = "/view", method = "get", operation_id = "viewLiveCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewLiveCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Category>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, KIND, id.0).await?))
    }

    /// 新增直播分类
    #[oai(path = "/save", method = "post", operation_id = "saveLiveCategory")]
    async fn save(&self, caller: Allowed<SaveLiveCategory>, Body(form): Body<CategoryForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, KIND, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑直播分类
    #[oai(path = "/edit", method = "put", operation_id = "editLiveCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditLiveCategory>,
        Body(edit): Body<Edit<CategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, KIND, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除直播分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteLiveCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteLiveCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除直播分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteLiveCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteLiveCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_category", "category_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用直播分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeLiveCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLiveCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出直播分类
    #[oai(path = "/export", method = "post", operation_id = "exportLiveCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportLiveCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}
