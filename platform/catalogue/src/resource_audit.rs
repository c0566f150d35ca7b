//! 文库审核: versions of files of the library that wait for an auditor, with what they change (01 §9.2).

mod sheet;
mod wire;

use catalogue_rules::{
    audit::{AuditDecision, AuditDecisions},
    course::{CourseContent, SiteCourseKind},
};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Error, Page, Paged, Part, Reply, Result, Saved, files, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

use crate::{
    audit::{self, compared, decide, segments, select},
    course::CourseAuditStatus,
};

pub use wire::{ResourceAudit, ResourceAuditFilter, ResourceAuditView};

permissions! {
    pages "/course/audit/resource/list";
    InPlatform Reads       ListResourceAudits   = "course:pc:audit:resource:list" "文库审核列表";
    InPlatform Reads       ViewResourceAudit    = "course:pc:audit:resource:view" "查看文库审核";
    InPlatform Writes      AuditResource        = "course:pc:audit:resource:audit" "审核文库资源";
    InPlatform Writes      AuditResources       = "course:pc:audit:resource:batchReview" "批量审核文库资源";
    InPlatform ReadsLogged ExportResourceAudits = "course:pc:audit:resource:export" "导出文库审核";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<ResourceAudits>()], ..Part::NONE };

const KIND: SiteCourseKind = SiteCourseKind::Resource;

pub struct ResourceAudits;

#[OpenApi(prefix_path = "/course/pc/audit/resource", tag = "crate::Tag::Catalogue")]
impl ResourceAudits {
    /// 文库审核列表
    #[oai(path = "/list", method = "post", operation_id = "listResourceAudits")]
    async fn list(
        &self,
        caller: Allowed<ListResourceAudits>,
        Body(asked): Body<Paged<ResourceAuditFilter>>,
    ) -> Result<Reply<Page<ResourceAudit>>> {
        let (paging, filter) = (asked.paging()?, (&asked.filter).into());
        let state = asked.filter.audit_status.map(CourseAuditStatus::as_str);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, KIND, &filter).await?;
        let list = select(&mut tx, KIND, None, &filter, Some(paging)).map_ok(ResourceAudit::from).try_collect().await?;
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看文库审核
    /// 逐项列出与已发布版本的差异
    #[oai(path = "/view", method = "get", operation_id = "viewResourceAudit")]
    async fn view(
        &self,
        caller: Allowed<ViewResourceAudit>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ResourceAuditView>> {
        let mut tx = caller.read().await?;
        let found = compared(&mut tx, KIND, id.0).await?;
        let CourseContent::Resource(content) = found.content else { return Err(Error::not_found()) };
        // A file that a later version replaced is swept away in time.
        let file_url = match &content.resource_file_key {
            Some(key) => files::address_of_key(caller.app(), &mut tx, key).await?,
            None => None,
        };
        let revision = found.revision.into();
        Ok(reply(ResourceAuditView { revision, differences: found.differences, content, file_url }))
    }

    /// 审核文库资源
    #[oai(path = "/audit", method = "put", operation_id = "auditResource")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditResource>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = decide(&mut tx, KIND, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核文库资源
    #[oai(path = "/batchReview", method = "put", operation_id = "auditResources")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditResources>,
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

    /// 导出文库审核
    #[oai(path = "/export", method = "post", operation_id = "exportResourceAudits")]
    async fn export(
        &self,
        caller: Allowed<ExportResourceAudits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ResourceAuditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
