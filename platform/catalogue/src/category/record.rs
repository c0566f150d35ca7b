//! 录播分类: the categories of recorded courses.

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
    pages "/course/category/record/list";
    InPlatform Reads       ListRecordCategories       = "course:pc:category:record:list" "录播分类列表";
    InPlatform Reads       ViewRecordCategory         = "course:pc:category:record:view" "查看录播分类";
    InPlatform Writes      SaveRecordCategory         = "course:pc:category:record:save" "新增录播分类";
    InPlatform Writes      EditRecordCategory         = "course:pc:category:record:edit" "编辑录播分类";
    InPlatform Writes      DeleteRecordCategory       = "course:pc:category:record:delete" "删除录播分类";
    InPlatform Writes      DeleteRecordCategories     = "course:pc:category:record:batchDel" "批量删除录播分类";
    InPlatform Writes      ChangeRecordCategoryStatus = "course:pc:category:record:update:status" "启用停用录播分类";
    InPlatform ReadsLogged ExportRecordCategories     = "course:pc:category:record:export" "导出录播分类";
}

const KIND: CategoryType = CategoryType::Record;

pub struct RecordCategories;

#[OpenApi(prefix_path = "/course/pc/category/record", tag = "crate::Tag::Catalogue")]
impl RecordCategories {
    /// 录播分类列表
    #[oai(path = "/list", method = "post", operation_id = "listRecordCategories")]
    async fn list(
        &self,
        caller: Allowed<ListRecordCategories>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Reply<Vec<CategoryNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Category> = select(&mut tx, KIND, None).try_collect().await?;
        Ok(reply(tree::build_tree(all, &filter)))
    }

    /// 查看录播分类
    #[oai(path = "/view", method = "get", operation_id = "viewRecordCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewRecordCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Category>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, KIND, id.0).await?))
    }

    /// 新增录播分类
    #[oai(path = "/save", method = "post", operation_id = "saveRecordCategory")]
    async fn save(&self, caller: Allowed<SaveRecordCategory>, Body(form): Body<CategoryForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, KIND, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑录播分类
    #[oai(path = "/edit", method = "put", operation_id = "editRecordCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditRecordCategory>,
        Body(edit): Body<Edit<CategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, KIND, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除录播分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteRecordCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteRecordCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除录播分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteRecordCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteRecordCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_category", "category_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用录播分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeRecordCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeRecordCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出录播分类
    #[oai(path = "/export", method = "post", operation_id = "exportRecordCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportRecordCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}
