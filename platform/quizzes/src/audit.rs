//! 试卷审核: versions of exams that wait for an auditor, with what they change (01 §9.7, as §9.2).
//!
//! Two auditors at once: the exam is held while one of them decides, and the other is told.

mod select;
mod sheet;
mod step;

use catalogue::course::CourseAuditStatus;
use catalogue_rules::audit::{AuditDecision, AuditDecisions};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{QuizAudit, QuizAuditFilter, QuizAuditView};

use select::{compared, segments, select};
use step::decide;

permissions! {
    pages "/exam/audit/list";
    InPlatform Reads       ListQuizAudits   = "exam:pc:audit:list" "试卷审核列表";
    InPlatform Reads       ViewQuizAudit    = "exam:pc:audit:view" "查看试卷审核";
    InPlatform Writes      AuditQuiz        = "exam:pc:audit:audit" "审核线上试卷";
    InPlatform Writes      AuditQuizzes     = "exam:pc:audit:batchReview" "批量审核线上试卷";
    InPlatform ReadsLogged ExportQuizAudits = "exam:pc:audit:export" "导出试卷审核";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "online_exam_revision", name: "试卷审核版本", counted: "个审核版本" }],
    jobs: &[export_job::<QuizAudits>()],
    ..Part::NONE
};

/// How a version is called in the failures of a bulk step.
const NAME: &str = "(select exam_name from online_exam where id = exam_id)";

pub struct QuizAudits;

#[OpenApi(prefix_path = "/exam/pc/audit", tag = "crate::Tag::Quizzes")]
impl QuizAudits {
    /// 试卷审核列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizAudits")]
    async fn list(
        &self,
        caller: Allowed<ListQuizAudits>,
        Body(asked): Body<Paged<QuizAuditFilter>>,
    ) -> Result<Reply<Page<QuizAudit>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).map_ok(QuizAudit::from).try_collect().await?;
        let state = filter.audit_status.map(CourseAuditStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看试卷审核
    /// 逐项列出与已发布版本的差异
    #[oai(path = "/view", method = "get", operation_id = "viewQuizAudit")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizAudit>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizAuditView>> {
        let mut tx = caller.read().await?;
        Ok(reply(compared(caller.app(), &mut tx, id.0).await?))
    }

    /// 审核线上试卷
    #[oai(path = "/audit", method = "put", operation_id = "auditQuiz")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditQuiz>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = decide(&mut tx, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核线上试卷
    #[oai(path = "/batchReview", method = "put", operation_id = "auditQuizzes")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditQuizzes>,
        Body(decisions): Body<AuditDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "online_exam_revision", NAME);
        for decision in decisions.each() {
            let outcome = decide(bulk.row().await?, &decision).await;
            bulk.ended(decision.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出试卷审核
    #[oai(path = "/export", method = "post", operation_id = "exportQuizAudits")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizAudits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizAuditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
