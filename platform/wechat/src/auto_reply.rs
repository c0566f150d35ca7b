//! 自动回复: what followers are answered (01 §9.9).
//!
//! ```text
//! keyword    each keyword leads to one reply that is in use      exact, then contained: the longest, then by sort
//! default    whatever no keyword meets                           one in use
//! subscribe  whoever begins to follow                            one in use
//! ```

mod answer;
mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, Warned, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use settings::sensitive;
use wechat_rules::enums::{GzhMatchMode, GzhReplyKind, GzhReplyType};

pub use form::GzhAutoReplyForm;
pub use list::{GzhAutoReply, GzhAutoReplyFilter};

pub(crate) use answer::{greeting, met};
pub(crate) use form::insert;

use list::{count, find, select};

permissions! {
    pages "/gzh/autoReply";
    InPlatform Reads       ListGzhAutoReplies       = "system:pc:gzh:autoReply:list" "自动回复列表";
    InPlatform Reads       ViewGzhAutoReply         = "system:pc:gzh:autoReply:view" "查看自动回复";
    InPlatform Writes      SaveGzhAutoReply         = "system:pc:gzh:autoReply:save" "新增自动回复";
    InPlatform Writes      EditGzhAutoReply         = "system:pc:gzh:autoReply:edit" "编辑自动回复";
    InPlatform Writes      DeleteGzhAutoReply       = "system:pc:gzh:autoReply:delete" "删除自动回复";
    InPlatform Writes      DeleteGzhAutoReplies     = "system:pc:gzh:autoReply:batchDel" "批量删除自动回复";
    InPlatform Writes      ChangeGzhAutoReplyStatus = "system:pc:gzh:autoReply:update:status" "启用停用自动回复";
    InPlatform ReadsLogged ExportGzhAutoReplies     = "system:pc:gzh:autoReply:export" "导出自动回复";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[GzhReplyKind::ENUMERATION, GzhMatchMode::ENUMERATION, GzhReplyType::ENUMERATION],
    entities: &[Entity { table: "gzh_auto_reply", name: "自动回复", counted: "条自动回复" }],
    jobs: &[export_job::<GzhAutoReplies>()],
    histories: &[History { table: "gzh_auto_reply", code: "system:pc:gzh:autoReply:view", scope: None }],
    ..Part::NONE
};

/// How a reply is called in the failures of a bulk step.
const NAME: &str = "coalesce(nullif(array_to_string(keywords, '、'), ''), case reply_kind when 'subscribe' then '关注回复' else '默认回复' end)";

/// A page of replies, with whether there is an account that they belong to.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhAutoReplyPage {
    #[oai(flatten)]
    page: Page<GzhAutoReply>,
    /// 公众号已设置
    configured: bool,
}

pub struct GzhAutoReplies;

#[OpenApi(prefix_path = "/system/pc/gzh/autoReply", tag = "crate::Tag::Wechat")]
impl GzhAutoReplies {
    /// 自动回复列表
    #[oai(path = "/list", method = "post", operation_id = "listGzhAutoReplies")]
    async fn list(
        &self,
        caller: Allowed<ListGzhAutoReplies>,
        Body(asked): Body<Paged<GzhAutoReplyFilter>>,
    ) -> Result<Reply<GzhAutoReplyPage>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let configured = crate::account::config(caller.app()).await?.is_some();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let rows = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(GzhAutoReplyPage { page: paging.page(total, rows), configured }))
    }

    /// 查看自动回复
    #[oai(path = "/view", method = "get", operation_id = "viewGzhAutoReply")]
    async fn view(
        &self,
        caller: Allowed<ViewGzhAutoReply>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GzhAutoReply>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增自动回复
    #[oai(path = "/save", method = "post", operation_id = "saveGzhAutoReply")]
    async fn save(
        &self,
        caller: Allowed<SaveGzhAutoReply>,
        Body(form): Body<GzhAutoReplyForm>,
    ) -> Result<Reply<Warned>> {
        let words = sensitive::warning(&caller, "回复内容", form.content.as_deref().unwrap_or_default()).await?;
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        let waiting = form::waiting(&mut tx, id).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings: words.into_iter().chain(waiting).collect() }))
    }

    /// 编辑自动回复
    #[oai(path = "/edit", method = "put", operation_id = "editGzhAutoReply")]
    async fn edit(
        &self,
        caller: Allowed<EditGzhAutoReply>,
        Body(edit): Body<Edit<GzhAutoReplyForm>>,
    ) -> Result<Reply<Warned>> {
        let id = edit.id;
        let content = edit.form.content.as_deref().unwrap_or_default();
        let words = sensitive::warning(&caller, "回复内容", content).await?;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        let waiting = form::waiting(&mut tx, id).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings: words.into_iter().chain(waiting).collect() }))
    }

    /// 删除自动回复
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGzhAutoReply")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGzhAutoReply>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除自动回复
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteGzhAutoReplies")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteGzhAutoReplies>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "gzh_auto_reply", NAME);
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用自动回复
    /// 关注回复和默认回复各启用一条；关键词不能与其他启用的回复重复
    #[oai(path = "/update/status", method = "put", operation_id = "changeGzhAutoReplyStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeGzhAutoReplyStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::switch(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出自动回复
    #[oai(path = "/export", method = "post", operation_id = "exportGzhAutoReplies")]
    async fn export(
        &self,
        caller: Allowed<ExportGzhAutoReplies>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GzhAutoReplyFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
