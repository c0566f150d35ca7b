//! 文库分类: the categories of the library.

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
    pages "/course/category/resource/list";
    InPlatform Reads       ListResourceCategories       = "course:pc:category:resource:list" "文库分类列表";
    InPlatform Reads       ViewResourceCategory         = "course:pc:category:resource:view" "查看文库分类";
    InPlatform Writes      SaveResourceCategory         = "course:pc:category:resource:save" "新增文库分类";
    InPlatform Writes      EditResourceCategory         = "course:pc:category:resource:edit" "编辑文库分类";
    InPlatform Writes      DeleteResourceCategory       = "course:pc:category:resource:delete" "删除文库分类";
    InPlatform Writes      DeleteResourceCategories     = "course:pc:category:resource:batchDel" "批量删除文库分类";
    InPlatform Writes      ChangeResourceCategoryStatus = "course:pc:category:resource:update:status" "启用停用文库分类";
    InPlatform ReadsLogged ExportResourceCategories     = "course:pc:category:resource:export" "导出文库分类";
}

const KIND: CategoryType = CategoryType::Resource;

pub struct ResourceCategories;

#[OpenApi(prefix_path = "/course/pc/category/resource", tag = "crate::Tag::Catalogue")]
impl ResourceCategories {
    /// 文库分类列表
    #[oai(path = "/list", method = "post", operation_id = "listResourceCategories")]
    async fn list(
        &self,
        caller: Allowed<ListResourceCategories>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Reply<Vec<CategoryNode>>> {
        let mut tx = caller.read().await?;
        let all: Vec<Category> = select(&mut tx, KIND, None).try_collect().await?;
        Ok(reply(tree::build_tree(all, &filter)))
    }

    /// 查看文库分类
    #[oai(path = "/view", method = "get", operation_id = "viewResourceCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewResourceCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Category>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, KIND, id.0).await?))
    }

    /// 新增文库分类
    #[oai(path = "/save", method = "post", operation_id = "saveResourceCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveResourceCategory>,
        Body(form): Body<CategoryForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, KIND, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑文库分类
    #[oai(path = "/edit", method = "put", operation_id = "editResourceCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditResourceCategory>,
        Body(edit): Body<Edit<CategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, KIND, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除文库分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteResourceCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteResourceCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, KIND, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除文库分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteResourceCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteResourceCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "online_category", "category_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, KIND, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用文库分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeResourceCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeResourceCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, KIND, wanted.id).await?;
        let change = tx.set_enabled("online_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出文库分类
    #[oai(path = "/export", method = "post", operation_id = "exportResourceCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportResourceCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<CategoryFilter>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}
