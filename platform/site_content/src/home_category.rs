//! 首页分类: categories of the catalogue that the home page offers.

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
    choice::{SiteChoice, categories},
    filter::TerminalFilter,
    order::{SiteOrder, ordered},
};

pub use form::HomeCategoryForm;
pub use list::HomeCategory;

use list::{count, find, select};

permissions! {
    pages "/course/category/home/list";
    InPlatform Reads       ListHomeCategories       = "course:pc:category:home:list" "首页分类列表";
    InPlatform Reads       ViewHomeCategory         = "course:pc:category:home:view" "查看首页分类";
    InPlatform Writes      SaveHomeCategory         = "course:pc:category:home:save" "新增首页分类";
    InPlatform Writes      EditHomeCategory         = "course:pc:category:home:edit" "编辑首页分类";
    InPlatform Writes      DeleteHomeCategory       = "course:pc:category:home:delete" "删除首页分类";
    InPlatform Writes      DeleteHomeCategories     = "course:pc:category:home:batchDel" "批量删除首页分类";
    InPlatform Writes      ChangeHomeCategoryStatus = "course:pc:category:home:update:status" "启用停用首页分类";
    InPlatform Writes      SortHomeCategories       = "course:pc:category:home:sort" "首页分类排序";
    InPlatform ReadsLogged ExportHomeCategories     = "course:pc:category:home:export" "导出首页分类";
    InPlatform Reads       ChooseHomeCategory       = "course:pc:category:home:save" "新增首页分类";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "home_category", name: "首页分类", counted: "个首页分类" }],
    jobs: &[export_job::<HomeCategories>()],
    histories: &[History { table: "home_category", code: "course:pc:category:home:view", scope: None }],
    ..Part::NONE
};

pub struct HomeCategories;

#[OpenApi(prefix_path = "/course/pc/category/home", tag = "crate::Tag::SiteContent")]
impl HomeCategories {
    /// 首页分类列表
    #[oai(path = "/list", method = "post", operation_id = "listHomeCategories")]
    async fn list(
        &self,
        caller: Allowed<ListHomeCategories>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Reply<Page<HomeCategory>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看首页分类
    #[oai(path = "/view", method = "get", operation_id = "viewHomeCategory")]
    async fn view(
        &self,
        caller: Allowed<ViewHomeCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<HomeCategory>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 可选的首页分类
    #[oai(path = "/available/list", method = "get", operation_id = "listAvailableHomeCategories")]
    async fn available(
        &self,
        caller: Allowed<ChooseHomeCategory>,
        /// 名称
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Vec<SiteChoice>>> {
        let mut tx = caller.read().await?;
        Ok(reply(categories(&mut tx, keyword.0.as_deref()).await?))
    }

    /// 新增首页分类
    #[oai(path = "/save", method = "post", operation_id = "saveHomeCategory")]
    async fn save(
        &self,
        caller: Allowed<SaveHomeCategory>,
        Body(form): Body<HomeCategoryForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑首页分类
    #[oai(path = "/edit", method = "put", operation_id = "editHomeCategory")]
    async fn edit(
        &self,
        caller: Allowed<EditHomeCategory>,
        Body(edit): Body<Edit<HomeCategoryForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除首页分类
    #[oai(path = "/delete", method = "delete", operation_id = "deleteHomeCategory")]
    async fn delete(
        &self,
        caller: Allowed<DeleteHomeCategory>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除首页分类
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteHomeCategories")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteHomeCategories>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(
            caller.begin().await?,
            "home_category",
            "coalesce(title, (select c.category_name from online_category c where c.id = home_category.category_id))",
        );
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用首页分类
    #[oai(path = "/update/status", method = "put", operation_id = "changeHomeCategoryStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeHomeCategoryStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("home_category", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 首页分类排序
    #[oai(path = "/sort", method = "put", operation_id = "sortHomeCategories")]
    async fn sort(
        &self,
        caller: Allowed<SortHomeCategories>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("home_category", &["terminal"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出首页分类
    #[oai(path = "/export", method = "post", operation_id = "exportHomeCategories")]
    async fn export(
        &self,
        caller: Allowed<ExportHomeCategories>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TerminalFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
