//! 审核, 回复, 置顶, 删除.

use catalogue_rules::audit::AuditDecision;
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use super::{
    CommentStatus,
    list::{CourseComment, find},
};

/// Under what name the operator answers.
const OPERATOR: &str = "官方回复";

/// What the operator answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseCommentReply {
    /// 评论编号
    pub id: i64,
    /// 内容
    #[oai(validator(max_length = 500))]
    pub content: String,
}

impl Example for CourseCommentReply {
    fn example() -> Self {
        Self { id: 1, content: "感谢您的建议，课件已更新".to_owned() }
    }
}

/// `{id, isTop}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommentTopChange {
    /// 编号
    pub id: i64,
    /// 置顶
    pub is_top: bool,
    /// 版本
    pub version: Option<i32>,
}

impl Example for CommentTopChange {
    fn example() -> Self {
        Self { id: 1, is_top: true, version: None }
    }
}

/// A comment that nobody else changes until the transaction ends.
async fn hold(tx: &mut Tx, id: i64) -> Result<CourseComment> {
    tx.lock("course_comment", id).await?;
    find(tx, id).await
}

/// # Errors
/// 422 for a rejection without opinion; 409 for a comment that was decided on already.
pub(super) async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    let before = hold(tx, decision.id).await?;
    match before.audit_status {
        CommentStatus::Pending => {}
        CommentStatus::Approved | CommentStatus::Rejected => {
            return Err(Error::conflict("该评论已审核，请刷新"));
        }
    }
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("course_comment", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.course_comment
         set audit_status = $2, audit_opinion = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
        decision.id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    let change = Change::status("course_comment", decision.id, "auditStatus", from, to);
    Ok(change.because(decision.audit_opinion.as_deref()))
}

/// The answer stands below the comment, or beside the answer that it answers.
///
/// # Errors
/// 409 for a comment that others do not see.
pub(super) async fn answer(tx: &mut Tx, said: &CourseCommentReply) -> Result<(i64, Change)> {
    let comment = hold(tx, said.id).await?;
    match comment.audit_status {
        CommentStatus::Approved => {}
        CommentStatus::Pending | CommentStatus::Rejected => {
            return Err(Error::conflict("评论审核通过后才能回复"));
        }
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.course_comment (course_id, learner_name, parent_id, content, audit_status, created_by, updated_by)
         values ($1, $2, $3, $4, 'approved', $5, $5) returning id",
        comment.course_id,
        OPERATOR,
        comment.parent_id.unwrap_or(comment.id),
        said.content,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let after = find(tx, id).await?;
    Ok((id, Change::created("course_comment", id, &after)))
}

/// # Errors
/// 409 for a comment that others do not see, for an answer, and when it is so already.
pub(super) async fn put_on_top(tx: &mut Tx, wanted: &CommentTopChange) -> Result<Change> {
    let before = hold(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("course_comment", wanted.id).await);
    }
    if before.parent_id.is_some() {
        return Err(Error::conflict("回复不能置顶，请置顶其评论"));
    }
    if wanted.is_top && before.audit_status != CommentStatus::Approved {
        return Err(Error::conflict("评论审核通过后才能置顶"));
    }
    if before.is_top == wanted.is_top {
        return Err(Error::conflict(if wanted.is_top { "该评论已置顶" } else { "该评论未置顶" }));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.course_comment set is_top = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.is_top,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("course_comment", wanted.id, "isTop", before.is_top, wanted.is_top))
}

/// A comment goes with its answers; the trail of each keeps what was said.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id).await?;
    let answers = sqlx::query!(
        "delete from platform.course_comment where parent_id = $1 returning id, learner_name, content",
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let gone: Vec<Change> = answers
        .into_iter()
        .map(|answer| {
            let what = json!({ "learnerName": answer.learner_name, "content": answer.content, "parentId": id });
            Change::event("course_comment", answer.id, "delete", what)
        })
        .collect();
    tx.record(&gone).await?;
    sqlx::query!("delete from platform.course_comment where id = $1", id).execute(&mut **tx).await?;
    Ok(Change::deleted("course_comment", id, &before))
}
