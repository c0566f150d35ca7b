//! 课程评论: what learners say of a course, and what the operator answers (01 §9.3).
//!
//! ```text
//! said → approved │ pending (a word to be looked at, or comment.preAudit)    pending ─audit→ approved │ rejected
//! ```
//! A comment stays as it was said; one that is rejected is seen by nobody else. It goes with its answers.

mod list;
mod say;
mod sheet;
mod step;

use catalogue_rules::audit::{AuditDecision, AuditDecisions};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved, Warned,
    enumeration,
    params::{BoolParam, Param},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use settings::sensitive;

pub use list::{CourseComment, CourseCommentFilter, CourseCommentView};
pub use say::{Said, say, screened};
pub use step::{CommentTopChange, CourseCommentReply};

use list::{answers, find, segments, select};
use step::{answer, decide, put_on_top, remove};

permissions! {
    pages "/course/comment/list";
    InPlatform Reads       ListCourseComments   = "course:pc:comment:list" "课程评论列表";
    InPlatform Reads       ViewCourseComment    = "course:pc:comment:view" "查看课程评论";
    InPlatform Writes      AuditCourseComment   = "course:pc:comment:audit" "审核课程评论";
    InPlatform Writes      AuditCourseComments  = "course:pc:comment:batchReview" "批量审核课程评论";
    InPlatform Writes      ReplyCourseComment   = "course:pc:comment:reply" "回复课程评论";
    InPlatform Writes      TopCourseComment     = "course:pc:comment:top" "置顶课程评论";
    InPlatform Writes      DeleteCourseComment  = "course:pc:comment:delete" "删除课程评论";
    InPlatform Writes      DeleteCourseComments = "course:pc:comment:batchDel" "批量删除课程评论";
    InPlatform ReadsLogged ExportCourseComments = "course:pc:comment:export" "导出课程评论";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[CommentStatus::ENUMERATION],
    entities: &[Entity { table: "course_comment", name: "课程评论", counted: "条评论" }],
    jobs: &[export_job::<Comments>()],
    histories: &[History { table: "course_comment", code: "course:pc:comment:view", scope: None }],
    params: &[PARAMS],
    ..Part::NONE
};

/// Whether what learners say waits before others see it: of courses, and in the community.
pub const PRE_AUDIT: BoolParam = BoolParam { code: "comment.preAudit", default: false };

const PARAMS: &[Param] = &[PRE_AUDIT.entry("评论先审后发", "评论")];

enumeration! {
    /// 评论审核状态
    pub enum CommentStatus = "commentStatus" {
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

pub struct Comments;

#[OpenApi(prefix_path = "/course/pc/comment", tag = "crate::Tag::SiteStudy")]
impl Comments {
    /// 课程评论列表
    #[oai(path = "/list", method = "post", operation_id = "listCourseComments")]
    async fn list(
        &self,
        caller: Allowed<ListCourseComments>,
        Body(asked): Body<Paged<CourseCommentFilter>>,
    ) -> Result<Reply<Page<CourseComment>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        let state = filter.audit_status.map(CommentStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看课程评论
    /// 附其回复
    #[oai(path = "/view", method = "get", operation_id = "viewCourseComment")]
    async fn view(
        &self,
        caller: Allowed<ViewCourseComment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseCommentView>> {
        let mut tx = caller.read().await?;
        let comment = find(&mut tx, id.0).await?;
        let answers = answers(&mut tx, id.0).await?;
        Ok(reply(CourseCommentView { comment, answers }))
    }

    /// 审核课程评论
    #[oai(path = "/audit", method = "put", operation_id = "auditCourseComment")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditCourseComment>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = decide(&mut tx, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核课程评论
    #[oai(path = "/batchReview", method = "put", operation_id = "auditCourseComments")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditCourseComments>,
        Body(decisions): Body<AuditDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "course_comment", "left(content, 20)");
        for decision in decisions.each() {
            let outcome = decide(bulk.row().await?, &decision).await;
            bulk.ended(decision.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 回复课程评论
    #[oai(path = "/reply", method = "put", operation_id = "replyCourseComment")]
    async fn reply(
        &self,
        caller: Allowed<ReplyCourseComment>,
        Body(said): Body<CourseCommentReply>,
    ) -> Result<Reply<Warned>> {
        let warnings = sensitive::warning(&caller, "回复", &said.content).await?.into_iter().collect();
        let mut tx = caller.begin().await?;
        let (id, change) = answer(&mut tx, &said).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 置顶课程评论
    #[oai(path = "/top", method = "put", operation_id = "topCourseComment")]
    async fn top(
        &self,
        caller: Allowed<TopCourseComment>,
        Body(wanted): Body<CommentTopChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = put_on_top(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除课程评论
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCourseComment")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCourseComment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除课程评论
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCourseComments")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCourseComments>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "course_comment", "left(content, 20)");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出课程评论
    #[oai(path = "/export", method = "post", operation_id = "exportCourseComments")]
    async fn export(
        &self,
        caller: Allowed<ExportCourseComments>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseCommentFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
