//! 审核, 撤销, 删除.

use catalogue_rules::audit::CourseDecision;
use chrono::NaiveDate;
use community_rules::certificate::{lasts, may_be_decided, may_be_deleted, may_be_revoked};
use infra::{Change, Error, Result, Tx, files};
use poem_openapi::{Object, types::Example};

use super::list::{CommunityCertificate, find};

/// `{id, auditStatus, opinion, expiresOn, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateDecision {
    /// 编号
    pub id: i64,
    /// 审核结果
    pub audit_status: CourseDecision,
    /// 审核意见
    /// 不通过时必填
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
    /// 有效期至
    /// 通过时填写，空为长期有效
    pub expires_on: Option<NaiveDate>,
    /// 版本
    pub version: Option<i32>,
}

impl Example for CertificateDecision {
    fn example() -> Self {
        Self { id: 1, audit_status: CourseDecision::Approved, opinion: None, expires_on: None, version: None }
    }
}

/// `{id, reason}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateRevocation {
    /// 编号
    pub id: i64,
    /// 撤销原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 版本
    pub version: Option<i32>,
}

impl Example for CertificateRevocation {
    fn example() -> Self {
        Self { id: 1, reason: "证明材料不真实".to_owned(), version: None }
    }
}

/// A certificate that nobody else changes until the transaction ends.
async fn hold(tx: &mut Tx, id: i64) -> Result<CommunityCertificate> {
    tx.lock("community_certificate", id).await?;
    let today = tx.app().clock().today();
    find(tx, today, id).await
}

/// # Errors
/// 422 for a rejection without opinion and for a last day that is over; 409 for what was decided already.
pub(super) async fn decide(tx: &mut Tx, decision: &CertificateDecision) -> Result<Change> {
    if decision.audit_status == CourseDecision::Rejected && decision.opinion.is_none() {
        return Err(Error::field("opinion", "请填写审核意见"));
    }
    let expires_on = match decision.audit_status {
        CourseDecision::Approved => decision.expires_on,
        CourseDecision::Rejected => None,
    };
    lasts(expires_on, tx.app().clock().today())?;
    let before = hold(tx, decision.id).await?;
    may_be_decided(before.audit_status)?;
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("community_certificate", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_certificate
         set audit_status = $2, opinion = $3, expires_on = $4, audited_by = $5, audited_at = now(), updated_at = now(),
             updated_by = $5, version = version + 1
         where id = $1",
        decision.id,
        decision.audit_status.as_str(),
        decision.opinion,
        expires_on,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    let change = Change::status("community_certificate", decision.id, "auditStatus", from, to);
    Ok(change.because(decision.opinion.as_deref()))
}

/// # Errors
/// 409 for what is no certificate, or none any more.
pub(super) async fn revoke(tx: &mut Tx, wanted: &CertificateRevocation) -> Result<Change> {
    let before = hold(tx, wanted.id).await?;
    may_be_revoked(before.audit_status)?;
    if wanted.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("community_certificate", wanted.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_certificate
         set audit_status = 'revoked', revoke_reason = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change =
        Change::status("community_certificate", wanted.id, "auditStatus", before.audit_status.as_str(), "revoked");
    Ok(change.because(Some(&wanted.reason)))
}

/// Its proofs are nobody's then, and are swept away.
///
/// # Errors
/// 409 for one that holds.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id).await?;
    may_be_deleted(before.audit_status)?;
    let keys = sqlx::query_scalar!("delete from platform.community_certificate where id = $1 returning proof_keys", id)
        .fetch_one(&mut **tx)
        .await?;
    files::release(tx, &keys).await?;
    Ok(Change::deleted("community_certificate", id, &before))
}
