//! 审核, 关闭, 采纳, 删除.

use catalogue_rules::audit::AuditDecision;
use community_rules::enums::CommunityStatus;
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use site_content::removal;

use super::list::{CommunityQuestion, find};

/// A decision, of the question or of one of its answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionDecision {
    #[oai(flatten)]
    pub decision: AuditDecision,
    /// 回答编号
    /// 填写时审核该问题的这条回答
    pub answer_id: Option<i64>,
}

impl Example for QuestionDecision {
    fn example() -> Self {
        Self { decision: AuditDecision::example(), answer_id: None }
    }
}

/// `{id, closed}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionClosing {
    /// 编号
    pub id: i64,
    /// 关闭
    #[oai(default = "yes")]
    pub closed: bool,
    /// 版本
    pub version: Option<i32>,
}

fn yes() -> bool {
    true
}

impl Example for QuestionClosing {
    fn example() -> Self {
        Self { id: 1, closed: true, version: None }
    }
}

/// `{id, answerId}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AnswerAcceptance {
    /// 编号
    pub id: i64,
    /// 采纳的回答
    pub answer_id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for AnswerAcceptance {
    fn example() -> Self {
        Self { id: 1, answer_id: 1, version: None }
    }
}

/// A question that nobody else changes until the transaction ends.
pub(super) async fn hold(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<CommunityQuestion> {
    tx.lock("community_question", id).await?;
    let question = find(tx, id).await?;
    if version.is_some_and(|read| read != question.version) {
        return Err(tx.stale("community_question", id).await);
    }
    Ok(question)
}

/// # Errors
/// 422 for a rejection without opinion; 409 for a question that was decided on already.
pub(super) async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    let before = hold(tx, decision.id, None).await?;
    before.audit_status.undecided("问题")?;
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("community_question", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_question
         set audit_status = $2, audit_opinion = $3, audited_by = $4, audited_at = now(), updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        decision.id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    let change = Change::status("community_question", decision.id, "auditStatus", from, to);
    Ok(change.because(decision.audit_opinion.as_deref()))
}

/// # Errors
/// 409 when it is so already.
pub(super) async fn close(tx: &mut Tx, wanted: &QuestionClosing) -> Result<Change> {
    let before = hold(tx, wanted.id, wanted.version).await?;
    if before.closed == wanted.closed {
        return Err(Error::conflict(if wanted.closed { "该问题已关闭" } else { "该问题未关闭" }));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_question set closed = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        wanted.id,
        wanted.closed,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("community_question", wanted.id, "closed", before.closed, wanted.closed))
}

/// # Errors
/// 404 for an answer to another question; 409 for one that others do not see, and when it is accepted already.
pub(super) async fn accept(tx: &mut Tx, wanted: &AnswerAcceptance) -> Result<Change> {
    let before = hold(tx, wanted.id, wanted.version).await?;
    let status = sqlx::query_scalar!(
        r#"select audit_status as "audit_status: CommunityStatus" from platform.community_answer
           where id = $1 and question_id = $2 for share"#,
        wanted.answer_id,
        wanted.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    match status {
        CommunityStatus::Approved => {}
        CommunityStatus::Pending | CommunityStatus::Rejected => {
            return Err(Error::conflict("回答审核通过后才能采纳"));
        }
    }
    if before.accepted_answer_id == Some(wanted.answer_id) {
        return Err(Error::conflict("该回答已采纳"));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_question set accepted_answer_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        wanted.id,
        wanted.answer_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let was = before.accepted_answer_id;
    Ok(Change::status("community_question", wanted.id, "acceptedAnswerId", was, wanted.answer_id))
}

/// Of a question that is about to lose its accepted answer.
pub(super) async fn accept_none(tx: &mut Tx, id: i64) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update platform.community_question
         set accepted_answer_id = null, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1 and accepted_answer_id is not null",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A question goes with its answers and labels.
///
/// # Errors
/// 409 while a recommendation shows it.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id, None).await?;
    accept_none(tx, id).await?;
    sqlx::query!("delete from platform.community_question_label where question_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.community_answer where question_id = $1", id).execute(&mut **tx).await?;
    removal::remove(tx, "community_question", id, &before.title, &before).await
}
