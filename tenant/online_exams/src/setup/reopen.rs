//! 延长重开: named candidates of an examination that is over may enter again (part 04 §2.2).

use chrono::TimeDelta;
use exam_rules::setup::SetupTurn;
use exams::{
    candidate,
    enums::{ExamMode, ExamSetupStatus, MarkingStatus, ReopenMode},
    setup::{self, Said},
};
use homework::sheet::{resume, void};
use infra::{Change, Error, Result, Scope, Tx, clock::Moment};
use poem_openapi::{Object, types::Example};

/// Who may enter again, until when and how.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineSetupReopening {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 开放至
    pub ends_at: Moment,
    /// 考生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub candidate_ids: Vec<i64>,
    /// 方式
    pub mode: ReopenMode,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for OnlineSetupReopening {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            ends_at: Moment::default(),
            candidate_ids: vec![1],
            mode: ReopenMode::Resume,
            reason: "站点停电".to_owned(),
        }
    }
}

/// # Errors
/// 409 once scores were handed in, and for what is not over; 422 for a time that is over, and for others than candidates.
pub(super) async fn reopened(tx: &mut Tx, wanted: &OnlineSetupReopening, scope: &Scope) -> Result<Vec<Change>> {
    let held = setup::held(tx, wanted.id, ExamMode::Online, scope).await?;
    held.as_read(tx, wanted.version).await?;
    held.in_live_batch()?;
    if held.marking_status == MarkingStatus::Transferred {
        return Err(Error::conflict("成绩已转入，不能重新开放"));
    }
    let now = tx.app().clock().now();
    if wanted.ends_at <= now {
        return Err(Error::field("endsAt", "开放截止时间应晚于现在"));
    }
    let mut ids = wanted.candidate_ids.clone();
    ids.sort_unstable();
    ids.dedup();
    let found = sqlx::query_scalar!(
        "select id from exam_candidate
         where setup_id = $1 and id = any($2) and not removed and eligibility = 'eligible' order by id for update",
        held.id,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    if found.len() < ids.len() {
        return Err(Error::field("candidateIds", "所选考生不在本考试中，或没有考试资格"));
    }
    let mut changes = Vec::new();
    // Another part may be open already.
    if held.status != ExamSetupStatus::Published {
        let to = held.after(SetupTurn::Reopen)?;
        let said = Said { reason: Some(&wanted.reason), until: Some(wanted.ends_at), ..Said::default() };
        changes.push(setup::turned(tx, &held, to, said).await?);
    } else if held.reopened_until.is_none() {
        return Err(Error::conflict("考试还未结束，请延后结束时间或给考生加时"));
    } else {
        let said = Said { reason: Some(&wanted.reason), until: Some(wanted.ends_at), ..Said::default() };
        let closed = setup::HeldSetup { status: ExamSetupStatus::Closed, ..held.clone() };
        changes.push(setup::turned(tx, &closed, ExamSetupStatus::Published, said).await?);
    }
    changes.push(setup::marking(tx, held.id, MarkingStatus::None).await?);
    candidate::reopen(tx, &ids, wanted.ends_at).await?;
    for id in ids {
        let newest = sqlx::query!(
            "select id, deadline_at, submitted_at from answer_sheet
             where exam_candidate_id = $1 and mark_state in ('submitted', 'marked') order by attempt_no desc limit 1",
            id
        )
        .fetch_optional(&mut **tx)
        .await?;
        let Some(sheet) = newest else { continue };
        match wanted.mode {
            ReopenMode::NewAttempt => changes.push(void(tx, sheet.id).await?),
            ReopenMode::Resume => {
                let left = sheet.submitted_at.map_or(TimeDelta::zero(), |submitted| sheet.deadline_at - submitted);
                let left = left.max(TimeDelta::minutes(1));
                let until = (now + left).min(wanted.ends_at);
                changes.push(resume(tx, sheet.id, until).await?);
            }
        }
        let what = serde_json::json!({ "reopenedUntil": wanted.ends_at, "mode": wanted.mode.as_str() });
        changes.push(Change::event("exam_candidate", id, "reopen", what).because(Some(&wanted.reason)));
    }
    // What was voided or taken up again is nobody's to mark.
    exams::marker::recount(tx, held.id).await?;
    Ok(changes)
}
