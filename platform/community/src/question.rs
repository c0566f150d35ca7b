//! 问答: what learners ask, and what others answer (01 §9.8).
//!
//! ```text
//! asked → approved │ pending ─audit→ approved │ rejected
//! answered ─accept→ the accepted one of its question        closed ⇄ open: a closed one takes no more answers
//! ```
//! A question goes with its answers; one that a recommendation shows does not go.

pub mod answer;
mod list;
mod sheet;
mod step;
mod write;

use community_rules::enums::CommunityStatus;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use list::{CommunityQuestion, CommunityQuestionFilter, CommunityQuestionView};
pub use step::{AnswerAcceptance, QuestionClosing, QuestionDecision};
pub use write::{CommunityQuestionForm, NewQuestion, ask};

use list::{segments, select};

permissions! {
    pages "/community/questions/list";
    InPlatform Reads       ListCommunityQuestions   = "user:pc:community:questions:list" "问答列表";
    InPlatform Reads       ViewCommunityQuestion    = "user:pc:community:questions:view" "查看问答";
    InPlatform Writes      AuditCommunityQuestion   = "user:pc:community:questions:audit" "审核问答";
    InPlatform Writes      CloseCommunityQuestion   = "user:pc:community:questions:close" "关闭问答";
    InPlatform Writes      AcceptCommunityAnswer    = "user:pc:community:questions:accept" "采纳回答";
    InPlatform Writes      DeleteCommunityQuestion  = "user:pc:community:questions:delete" "删除问答";
    InPlatform Writes      DeleteCommunityQuestions = "user:pc:community:questions:batchDel" "批量删除问答";
    InPlatform ReadsLogged ExportCommunityQuestions = "user:pc:community:questions:export" "导出问答";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, answer::PERMISSIONS],
    entities: &[
        Entity { table: "community_question", name: "社区问答", counted: "条问答" },
        Entity { table: "community_answer", name: "社区回答", counted: "条回答" },
    ],
    jobs: &[export_job::<CommunityQuestions>()],
    histories: &[
        History { table: "community_question", code: "user:pc:community:questions:view", scope: None },
        History { table: "community_answer", code: "user:pc:community:questions:answer:list", scope: None },
    ],
    ..Part::NONE
};

pub struct CommunityQuestions;

#[OpenApi(prefix_path = "/user/pc/community/questions", tag = "crate::Tag::Community")]
impl CommunityQuestions {
    /// 问答列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityQuestions")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityQuestions>,
        Body(asked): Body<Paged<CommunityQuestionFilter>>,
    ) -> Result<Reply<Page<CommunityQuestion>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        let state = filter.audit_status.map(CommunityStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看问答
    /// 附其内容和标签
    #[oai(path = "/view", method = "get", operation_id = "viewCommunityQuestion")]
    async fn view(
        &self,
        caller: Allowed<ViewCommunityQuestion>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityQuestionView>> {
        let mut tx = caller.read().await?;
        Ok(reply(list::view(&mut tx, id.0).await?))
    }

    /// 审核问答
    /// 填写回答编号时审核该问题的这条回答
    #[oai(path = "/audit", method = "put", operation_id = "auditCommunityQuestion")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditCommunityQuestion>,
        Body(decided): Body<QuestionDecision>,
    ) -> Result<Reply<Saved>> {
        let QuestionDecision { decision, answer_id } = decided;
        let mut tx = caller.begin().await?;
        let change = match answer_id {
            None => step::decide(&mut tx, &decision).await?,
            Some(answer) => answer::decide(&mut tx, answer, &decision).await?,
        };
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 关闭问答
    /// 关闭后不再接受回答；closed为false时重新开放
    #[oai(path = "/close", method = "put", operation_id = "closeCommunityQuestion")]
    async fn close(
        &self,
        caller: Allowed<CloseCommunityQuestion>,
        Body(wanted): Body<QuestionClosing>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::close(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 采纳回答
    /// 已采纳其他回答的，改为采纳这一条
    #[oai(path = "/accept", method = "put", operation_id = "acceptCommunityAnswer")]
    async fn accept(
        &self,
        caller: Allowed<AcceptCommunityAnswer>,
        Body(wanted): Body<AnswerAcceptance>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::accept(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除问答
    /// 回答一并删除；已被推荐引用的不能删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityQuestion")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityQuestion>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除问答
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCommunityQuestions")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCommunityQuestions>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "community_question", "title");
        for id in ids.ids {
            let outcome = step::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出问答
    #[oai(path = "/export", method = "post", operation_id = "exportCommunityQuestions")]
    async fn export(
        &self,
        caller: Allowed<ExportCommunityQuestions>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityQuestionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
