//! 审核 and 取消: how a correction goes on (02 §9.6). Who asked does not decide.

use correction_rules::{
    correction::{Refusal, Standing, Turn, after, is_open_to, is_the_provinces},
    step::{Step, complete},
};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, Warned, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::{
    Student,
    correct::{self, Approval, KeyFields},
};

use super::{
    AuditCorrection, Correction, CorrectionResult, CorrectionStatus, Corrections, EditCorrection, form::locked,
};

/// What was decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CorrectionAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 更正审核结果
    pub result: CorrectionResult,
    /// 省厅文号
    /// 待省厅的更正通过时必填
    #[oai(validator(max_length = 50))]
    pub province_doc_no: Option<String>,
    /// 原因
    /// 不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for CorrectionAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, result: CorrectionResult::Pass, province_doc_no: None, remark: None }
    }
}

/// A correction that is taken back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct CorrectionCancel {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for CorrectionCancel {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: None }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/correction", tag = "crate::Tag::Corrections")]
impl Steps {
    /// 审核信息更正
    #[oai(path = "/audit", method = "post", operation_id = "auditCorrection")]
    async fn audit(
        &self,
        caller: Allowed<AuditCorrection>,
        Body(wanted): Body<CorrectionAudit>,
    ) -> Result<Reply<Warned>> {
        let CorrectionAudit { id, version, result, province_doc_no, remark } = wanted;
        let mut tx = caller.begin().await?;
        let step = Step { id, version, turn: Turn::Audit(result), document_no: province_doc_no, remark };
        let (warned, change) = turn(&mut tx, step, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(warned))
    }

    /// 取消信息更正
    #[oai(path = "/cancel", method = "post", operation_id = "cancelCorrection")]
    async fn cancel(
        &self,
        caller: Allowed<EditCorrection>,
        Body(wanted): Body<CorrectionCancel>,
    ) -> Result<Reply<Saved>> {
        let CorrectionCancel { id, version, remark } = wanted;
        let mut tx = caller.begin().await?;
        let step = Step { id, version, turn: Turn::Cancel, document_no: None, remark };
        let (_, change) = turn(&mut tx, step, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// Moves a correction on; an approved one is written into the register. Answers what is worth a second look in what was let
/// through.
///
/// # Errors
/// 404 outside the scope; 409 from a status that does not lead there, for whoever asked, when the values may not stand any
/// more, or when it changed since it was read; 422 when something is missing.
pub(super) async fn turn(tx: &mut Tx, step: Step, scope: &Scope) -> Result<(Warned, Change)> {
    let found = Corrections::find(tx, step.id, scope).await?;
    let student = correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, step.id, scope).await?;
    let standing = Standing { status: student.status, register_result: student.register_result };
    let to = after(before.status, step.turn, is_the_provinces(standing))?;
    if matches!(step.turn, Turn::Audit(_)) && before.is_of(tx.by()) {
        return Err(Refusal::Own.into());
    }
    complete(before.status, &step)?;
    if before.version != step.version {
        return Err(tx.stale("student_correction", step.id).await);
    }
    let warnings = match to {
        CorrectionStatus::PendingProvince | CorrectionStatus::Approved => {
            look_again(tx, &student, &before, standing).await?
        }
        CorrectionStatus::PendingSite
        | CorrectionStatus::PendingSchool
        | CorrectionStatus::Rejected
        | CorrectionStatus::Cancelled => before.warnings.clone(),
    };
    if to == CorrectionStatus::Approved {
        approve(tx, &student, &before, step.document_no.as_deref()).await?;
    }
    write(tx, &before, to, &step, &warnings).await?;
    note(tx, step.id, Some(before.status), to, step.remark.as_deref()).await?;
    let change = Change::status("student_correction", step.id, "status", before.status.as_str(), to.as_str());
    let passed = !matches!(to, CorrectionStatus::Rejected | CorrectionStatus::Cancelled);
    let warned = Warned { id: step.id, warnings: if passed { warnings } else { Vec::new() } };
    Ok((warned, change.because(step.remark.as_deref())))
}

/// What held when it was asked for must still hold; answers what is worth a second look now.
async fn look_again(tx: &mut Tx, student: &Student, before: &Correction, standing: Standing) -> Result<Vec<String>> {
    is_open_to(standing, before.kind).map_err(|closed| Error::conflict(closed.to_string()))?;
    if KeyFields::of(student).beside(&before.after) != before.before {
        return Err(Error::conflict("学生信息已变化，请重新核对"));
    }
    Ok(correct::check(tx, student, &before.after).await.map_err(now_refused)?.warnings)
}

async fn approve(tx: &mut Tx, student: &Student, before: &Correction, document_no: Option<&str>) -> Result<()> {
    let approval = Approval { reason: &before.reason, document_no, on: tx.app().clock().today() };
    correct::correct(tx, student, &before.after, &approval).await.map_err(now_refused)
}

/// Who decides typed nothing of it: what is wrong with a value is the state of things.
fn now_refused(error: Error) -> Error {
    if error.code == 422 { Error::conflict(error.msg) } else { error }
}

async fn write(tx: &mut Tx, before: &Correction, to: CorrectionStatus, step: &Step, warnings: &[String]) -> Result<()> {
    let (by, today) = (tx.by(), tx.app().clock().today());
    let ends = matches!(to, CorrectionStatus::Approved | CorrectionStatus::Rejected);
    sqlx::query!(
        "update student_correction set status = $2, province_doc_no = $3, decided_on = $4, warnings = $5, updated_at = now(),
                updated_by = $6, version = version + 1
         where id = $1",
        before.id,
        to.as_str(),
        step.document_no,
        ends.then_some(today),
        warnings,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A row of the way that a correction goes.
pub(super) async fn note(
    tx: &mut Tx,
    id: i64,
    from: Option<CorrectionStatus>,
    to: CorrectionStatus,
    remark: Option<&str>,
) -> Result<()> {
    let actor = tx.actor().clone();
    sqlx::query!(
        "insert into student_correction_step (student_correction_id, from_status, to_status, remark, actor_kind, actor_id,
                                              actor_name)
         values ($1, $2, $3, $4, $5, $6, $7)",
        id,
        from.map(CorrectionStatus::as_str),
        to.as_str(),
        remark,
        actor.kind,
        actor.id,
        actor.on_behalf_of.map_or_else(|| actor.name.clone(), |staff| format!("{}（{staff}代）", actor.name))
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
