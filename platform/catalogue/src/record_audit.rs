//! 录播审核: versions of courses that wait for an auditor, with what they change (01 §9.2).
//!
//! Two auditors at once: the course is held while one of them decides, and the other is told.

mod select;
mod sheet;
mod step;

use catalogue_rules::audit::CourseDecision;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use select::{RecordAudit, RecordAuditFilter, RecordAuditView};
pub use step::{RecordDecision, RecordDecisions};

use select::{count, select, view};

permissions! {
    pages "/course/audit/record/list";
    InPlatform Reads       ListRecordAudits   = "course:pc:audit:record:list" "录播审核列表";
    InPlatform Reads       ViewRecordAudit    = "course:pc:audit:record:view" "查看录播审核";
    InPlatform Writes      AuditRecord        = "course:pc:audit:record:audit" "审核录播课程";
    InPlatform Writes      AuditRecords       = "course:pc:audit:record:batchReview" "批量审核录播课程";
    InPlatform ReadsLogged ExportRecordAudits = "course:pc:audit:record:export" "导出录播审核";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[CourseDecision::ENUMERATION],
    entities: &[Entity { table: "online_course_revision", name: "课程审核版本", counted: "个审核版本" }],
    jobs: &[export_job::<RecordAudits>()],
    ..Part::NONE
};

pub struct RecordAudits;

#[OpenApi(prefix_path = "/course/pc/audit/record", tag = "crate::Tag::Catalogue")]
impl RecordAudits {
    /// 录播审核列表
    #[oai(path = "/list", method = "post", operation_id = "listRecordAudits")]
    async fn list(
        &self,
        caller: Allowed<ListRecordAudits>,
        Body(asked): Body<Paged<RecordAuditFilter>>,
    ) -> Result<Reply<Page<RecordAudit>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看录播审核
    /// 逐项列出与已发布版本的差异
    #[oai(path = "/view", method = "get", operation_id = "viewRecordAudit")]
    async fn view(
        &self,
        caller: Allowed<ViewRecordAudit>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RecordAuditView>> {
        Ok(reply(view(&mut *caller.read().await?, id.0).await?))
    }

    /// 审核录播课程
    #[oai(path = "/audit", method = "put", operation_id = "auditRecord")]
    async fn audit(&self, caller: Allowed<AuditRecord>, Body(decision): Body<RecordDecision>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::decide(&mut tx, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核录播课程
    #[oai(path = "/batchReview", method = "put", operation_id = "auditRecords")]
    async fn audit_many(
        &self,
        caller: Allowed<AuditRecords>,
        Body(decisions): Body<RecordDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "online_course_revision", step::NAME);
        for decision in decisions.each() {
            let outcome = step::decide(bulk.row().await?, &decision).await;
            bulk.ended(decision.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出录播审核
    #[oai(path = "/export", method = "post", operation_id = "exportRecordAudits")]
    async fn export(
        &self,
        caller: Allowed<ExportRecordAudits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<RecordAuditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
