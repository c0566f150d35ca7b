//! 通过 and 不通过.

use catalogue::course::CourseAuditStatus;
use catalogue_rules::audit::{AuditDecision, CourseDecision};
use infra::{Change, Error, Result, Tx};
use quiz_rules::content::stored;
use serde_json::{Value, json};

use crate::exam::{publish::publish, shelf::lock};

struct Waiting {
    content: Value,
    audit_status: CourseAuditStatus,
    version: i32,
}

/// Approval publishes the version in the same transaction.
///
/// # Errors
/// 422 for a rejection without opinion; 409 for a version that somebody else has decided on, and for one that cannot be published.
pub(super) async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    let exam = sqlx::query_scalar!("select exam_id from platform.online_exam_revision where id = $1", decision.id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    // In the order in which an edit holds both.
    lock(tx, exam).await?;
    let waiting = sqlx::query_as!(
        Waiting,
        r#"select content, audit_status as "audit_status: _", version from platform.online_exam_revision
           where id = $1 for update"#,
        decision.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    match waiting.audit_status {
        CourseAuditStatus::Pending => {}
        CourseAuditStatus::Draft => return Err(Error::conflict("该版本尚未提交审核")),
        CourseAuditStatus::Approved | CourseAuditStatus::Rejected => {
            return Err(Error::conflict("该版本已审核，请刷新"));
        }
    }
    if decision.version.is_some_and(|read| read != waiting.version) {
        return Err(tx.stale("online_exam_revision", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam_revision
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
    match decision.audit_status {
        CourseDecision::Approved => {
            let content = stored(waiting.content)?;
            publish(tx, exam, decision.id, &content).await?;
            let what = json!({ "revisionId": decision.id, "content": content.to_stored() });
            tx.record(&[Change::event("online_exam", exam, "publish", what)]).await?;
        }
        CourseDecision::Rejected => {
            sqlx::query!(
                "update platform.online_exam
                 set audit_status = case when published_revision_id is null then 'rejected' else audit_status end,
                     updated_at = now(), updated_by = $2, version = version + 1
                 where id = $1",
                exam,
                by
            )
            .execute(&mut **tx)
            .await?;
        }
    }
    let to = decision.audit_status.as_str();
    Ok(Change::status("online_exam_revision", decision.id, "auditStatus", "pending", to)
        .because(decision.audit_opinion.as_deref()))
}
