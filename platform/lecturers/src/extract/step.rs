//! 审核 and 打款登记.

use catalogue_rules::audit::{AuditDecision, CourseDecision};
use infra::{Change, Error, OnConstraint, Result, Tx, money::yuan};
use lecturer_rules::account::Movement;
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify, template::Values};

use super::ExtractStatus;
use crate::account::book;

/// `{id, payNo, success, reason, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExtractPayment {
    /// 编号
    pub id: i64,
    /// 打款成功
    pub success: bool,
    /// 打款流水号
    /// 成功时必填
    #[oai(validator(max_length = 64))]
    pub pay_no: Option<String>,
    /// 失败原因
    /// 失败时必填
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
    /// 版本
    pub version: Option<i32>,
}

impl Example for ExtractPayment {
    fn example() -> Self {
        Self { id: 1, success: true, pay_no: Some("202611280001".to_owned()), reason: None, version: None }
    }
}

/// A withdrawal that nobody else decides on until the transaction ends.
struct Held {
    learner_id: i64,
    amount: i64,
    status: ExtractStatus,
    audited_by: Option<i64>,
    version: i32,
}

async fn hold(tx: &mut Tx, id: i64, read: Option<i32>) -> Result<Held> {
    let held = sqlx::query_as!(
        Held,
        r#"select learner_id, amount, status as "status: _", audited_by, version
           from platform.account_extract_log where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    match read {
        Some(read) if read != held.version && held.status == ExtractStatus::Pending => {
            Err(tx.stale("account_extract_log", id).await)
        }
        _ => Ok(held),
    }
}

/// Tells whoever asked how their withdrawal ended (01 §12).
async fn tell(tx: &mut Tx, id: i64, held: &Held, ended: ExtractStatus, remark: &str) -> Result<()> {
    let values = Values::from([
        ("amount".to_owned(), yuan(held.amount)),
        ("result".to_owned(), ended.zh().to_owned()),
        ("remark".to_owned(), remark.to_owned()),
    ]);
    let earner = Persons::Recipients(vec![Person { kind: PersonKind::Learner, id: held.learner_id }]);
    notify(tx, "extract_result", earner, values, Some(&format!("extract_result:{id}"))).await
}

/// What is rejected is given back to the account, and whoever asked for it is told.
///
/// # Errors
/// 422 for a rejection without opinion; 409 for a withdrawal that somebody else has decided on.
pub(super) async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    let held = hold(tx, decision.id, decision.version).await?;
    match held.status {
        ExtractStatus::Pending => {}
        ExtractStatus::Approved | ExtractStatus::Paid | ExtractStatus::Rejected | ExtractStatus::Failed => {
            return Err(Error::conflict("该提现已审核，请刷新"));
        }
    }
    let by = tx.by();
    let status = match decision.audit_status {
        CourseDecision::Approved => ExtractStatus::Approved,
        CourseDecision::Rejected => ExtractStatus::Rejected,
    };
    sqlx::query!(
        "update platform.account_extract_log
         set status = $2, opinion = $3, audited_by = $4, audited_at = now(), updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        decision.id,
        status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    if status == ExtractStatus::Rejected {
        book(tx, held.learner_id, Movement::ExtractReturn(held.amount), ("account_extract_log", decision.id)).await?;
        tell(tx, decision.id, &held, status, decision.audit_opinion.as_deref().unwrap_or_default()).await?;
    }
    let change = Change::status("account_extract_log", decision.id, "status", held.status.as_str(), status.as_str());
    Ok(change.because(decision.audit_opinion.as_deref()))
}

/// What was paid is taken out of the account; what failed is given back to it. Whoever asked for it is told.
///
/// # Errors
/// 422 without a number of the payment, or without a reason; 409 for a withdrawal that is not to be paid, for its own auditor
/// when there are to be two persons, and for a number of a payment that was registered already.
pub(super) async fn pay(tx: &mut Tx, payment: &ExtractPayment, two_persons: bool) -> Result<Change> {
    match (payment.success, &payment.pay_no, &payment.reason) {
        (true, None, _) => return Err(Error::field("payNo", "请填写打款流水号")),
        (false, _, None) => return Err(Error::field("reason", "请填写失败原因")),
        _ => {}
    }
    let held = hold(tx, payment.id, None).await?;
    match held.status {
        ExtractStatus::Approved => {}
        ExtractStatus::Pending => return Err(Error::conflict("该提现尚未审核通过，不能打款")),
        ExtractStatus::Paid | ExtractStatus::Rejected | ExtractStatus::Failed => {
            return Err(Error::conflict(format!("该提现{}，不能打款", held.status.zh())));
        }
    }
    if payment.version.is_some_and(|read| read != held.version) {
        return Err(tx.stale("account_extract_log", payment.id).await);
    }
    let by = tx.by();
    if two_persons && held.audited_by == Some(by) {
        return Err(Error::conflict("审核人与打款人不能为同一人"));
    }
    let (status, movement) = if payment.success {
        (ExtractStatus::Paid, Movement::ExtractPaid(held.amount))
    } else {
        (ExtractStatus::Failed, Movement::ExtractReturn(held.amount))
    };
    let pay_no = payment.pay_no.as_deref().filter(|_| payment.success);
    let reason = payment.reason.as_deref().filter(|_| !payment.success);
    sqlx::query!(
        "update platform.account_extract_log
         set status = $2, pay_no = $3, opinion = coalesce($4, opinion), paid_by = $5,
             paid_at = case when $2 = 'paid' then now() end, updated_at = now(), updated_by = $5, version = version + 1
         where id = $1",
        payment.id,
        status.as_str(),
        pay_no,
        reason,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "account_extract_log_pay_no_taken").then(|| Error::field("payNo", "该打款流水号已登记，请核对"))
    })?;
    book(tx, held.learner_id, movement, ("account_extract_log", payment.id)).await?;
    tell(tx, payment.id, &held, status, reason.unwrap_or("请查收")).await?;
    let change = Change::status("account_extract_log", payment.id, "status", held.status.as_str(), status.as_str());
    Ok(change.because(reason))
}
