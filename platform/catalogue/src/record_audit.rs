//! 录播审核: versions of recorded courses that wait for an auditor, with what they change (01 §9.2).

mod sheet;
mod wire;

use catalogue_rules::{
    audit::{AuditDecision, AuditDecisions},
    course::{CourseContent, SiteCourseKind},
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Error, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    audit::{self, compared, decide, segments, select},
    course::{CourseAuditStatus, attachments_of},
};

pub use wire::{RecordAudit, RecordAuditFilter, RecordAuditView};

permissions! {
    pages "/course/audit/record/list";
    InPlatform Reads       ListRecordAudits   = "course:pc:audit:record:list" "录播审核列表";
    InPlatform Reads       ViewRecordAudit    = "course:pc:audit:record:view" "查看录播审核";
    InPlatform Writes      AuditRecord        = "course:pc:audit:record:audit" "审核录播课程";
    InPlatform Writes      AuditRecords       = "course:pc:audit:record:batchReview" "批量审核录播课程";
    InPlatform ReadsLogged ExportRecordAudits = "course:pc:audit:record:export" "导出录播审核";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<RecordAudits>()], ..Part::NONE };

const KIND: SiteCourseKind = SiteCourseKind::Record;

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
        let (paging, filter) = (asked.paging()?, (&asked.filter).into());
        let state = asked.filter.audit_status.map(CourseAuditStatus::as_str);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, KIND, &filter).await?;
        let list = select(&mut tx, KIND, None, &filter, Some(paging)).map_ok(RecordAudit::from).try_collect().await?;
        Ok(reply(paging.page_of_state(segments, state, list)))
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
        let mut tx = caller.read().await?;
        let found = compared(&mut tx, KIND, id.0).await?;
        let attachments = attachments_of(caller.app(), &mut tx, &found.content).await?;
        let CourseContent::Record(content) = found.content else { return Err(Error::not_found()) };
        let revision = found.revision.into();
        Ok(reply(RecordAuditView {
            revision,
            differences: found.differences,
            content,
            media: found.media,
            attachments,
        }))
    }

    /// 审核录播课程
    #[oai(path = "/audit", method = "put", operation_id = "auditRecord")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditRecord>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = decide(&mut tx, KIND, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核录播课程
    #[oai(path = "/batchReview", method = "put", operation_id = "auditRecords")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditRecords>,
        Body(decisions): Body<AuditDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "online_course_revision", audit::NAME);
        for decision in decisions.each() {
            let outcome = decide(bulk.row().await?, KIND, &decision).await;
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
