//! 搜索词: what the search of the site offers, what stands in its empty field, and how often learners click it.

mod click;
mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Warned, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use settings::sensitive::{self, Screened};

use crate::order::{SiteOrder, ordered};

pub use click::{SearchClick, SearchClicks};
pub use form::SearchWordForm;
pub use list::{SearchWord, SearchWordFilter};

use list::{count, find, select};

permissions! {
    pages "/system/search/list";
    InPlatform Reads       ListSearchWords        = "system:pc:search:list" "搜索词列表";
    InPlatform Reads       ViewSearchWord         = "system:pc:search:view" "查看搜索词";
    InPlatform Writes      SaveSearchWord         = "system:pc:search:save" "新增搜索词";
    InPlatform Writes      EditSearchWord         = "system:pc:search:edit" "编辑搜索词";
    InPlatform Writes      DeleteSearchWord       = "system:pc:search:delete" "删除搜索词";
    InPlatform Writes      DeleteSearchWords      = "system:pc:search:batchDel" "批量删除搜索词";
    InPlatform Writes      ChangeSearchWordStatus = "system:pc:search:update:status" "启用停用搜索词";
    InPlatform Writes      SortSearchWords        = "system:pc:search:sort" "搜索词排序";
    InPlatform ReadsLogged ExportSearchWords      = "system:pc:search:export" "导出搜索词";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SearchWordType::ENUMERATION],
    entities: &[Entity { table: "search_word", name: "搜索词", counted: "个搜索词" }],
    jobs: &[export_job::<SearchWords>()],
    histories: &[History { table: "search_word", code: "system:pc:search:view", scope: None }],
    ..Part::NONE
};

enumeration! {
    /// 搜索词类型
    pub enum SearchWordType = "searchWordType" {
        Hot = "hot" "热搜",
        Placeholder = "placeholder" "默认词",
    }
}

pub struct SearchWords;

#[OpenApi(prefix_path = "/system/pc/search", tag = "crate::Tag::SiteContent")]
impl SearchWords {
    /// 搜索词列表
    #[oai(path = "/list", method = "post", operation_id = "listSearchWords")]
    async fn list(
        &self,
        caller: Allowed<ListSearchWords>,
        Body(asked): Body<Paged<SearchWordFilter>>,
    ) -> Result<Reply<Page<SearchWord>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看搜索词
    #[oai(path = "/view", method = "get", operation_id = "viewSearchWord")]
    async fn view(
        &self,
        caller: Allowed<ViewSearchWord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SearchWord>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增搜索词
    #[oai(path = "/save", method = "post", operation_id = "saveSearchWord")]
    async fn save(&self, caller: Allowed<SaveSearchWord>, Body(form): Body<SearchWordForm>) -> Result<Reply<Warned>> {
        let warnings = warnings(caller.app(), &form.word).await?;
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 编辑搜索词
    #[oai(path = "/edit", method = "put", operation_id = "editSearchWord")]
    async fn edit(
        &self,
        caller: Allowed<EditSearchWord>,
        Body(edit): Body<Edit<SearchWordForm>>,
    ) -> Result<Reply<Warned>> {
        let id = edit.id;
        let warnings = warnings(caller.app(), &edit.form.word).await?;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 删除搜索词
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSearchWord")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSearchWord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除搜索词
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSearchWords")]
    async fn delete_many(&self, caller: Allowed<DeleteSearchWords>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "search_word", "word");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用搜索词
    #[oai(path = "/update/status", method = "put", operation_id = "changeSearchWordStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeSearchWordStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("search_word", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 搜索词排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSearchWords")]
    async fn sort(&self, caller: Allowed<SortSearchWords>, Body(order): Body<SiteOrder>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("search_word", &["terminal", "word_type"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }

    /// 导出搜索词
    #[oai(path = "/export", method = "post", operation_id = "exportSearchWords")]
    async fn export(
        &self,
        caller: Allowed<ExportSearchWords>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SearchWordFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Sensitive words apply (01 §9.1): one that is refused may not be offered to visitors, of others the operator is told.
///
/// # Errors
/// 422 for a word that the library refuses.
async fn warnings(app: &App, word: &str) -> Result<Vec<String>> {
    match sensitive::screen_field(app, "word", word).await? {
        Screened::Publish(text) if text == word => Ok(Vec::new()),
        Screened::Publish(_) | Screened::Review(_) => Ok(vec!["搜索词包含敏感词，请核对".to_owned()]),
    }
}
