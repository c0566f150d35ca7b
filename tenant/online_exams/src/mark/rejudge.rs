//! 更正考试答案: a key is corrected beside its snapshot, the sheets of candidates are marked anew (part 04 §2.3).

use exams::{
    enums::{ExamMode, MarkingStatus},
    setup,
};
use homework::{
    marking::rejudge::{MovedStudent, RejudgeResult, Rejudgement, asked},
    sheet::{remark, settle, sheet},
};
use homework_rules::rejudge::{check, corrected, normal, score_by};
use infra::{Change, Error, Result, Tx};
use papers::snapshot::{KeyCorrection, correct_key, effective_keys};
use question_bank::{marking::GivenAnswer, question::stored, score::points};
use serde_json::Value;
use sqlx::types::Json;

/// Students that an answer names.
const TOLD: usize = 1_000;

/// Corrects a key, or tells what it would come to.
///
/// # Errors
/// 404 for no question; 409 while a sheet of scores is past entering; 422 for a key that does not fit.
pub(super) async fn rejudged(mut tx: Tx, wanted: Rejudgement) -> Result<RejudgeResult> {
    let id = wanted.snapshot_question_id;
    let dry = wanted.dry_run;
    let correction = normal(KeyCorrection {
        answer: wanted.answer,
        scheme: wanted.scheme,
        full_score: wanted.full_score,
        reason: wanted.reason,
    });
    let asked = asked(&mut tx, id).await?;
    check(&asked, &correction)?;
    // Setups, then candidates: nothing is handed in, and no other key is corrected, beside it.
    let setups = sqlx::query_scalar!(
        "select distinct setup_id from exam_candidate where snapshot_id = $1 order by setup_id",
        asked.snapshot
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut given_in = Vec::new();
    for setup in &setups {
        let held = setup::hold(&mut tx, *setup, ExamMode::Online).await?;
        if held.marking_status == MarkingStatus::Transferred {
            given_in.push(held.id);
        }
    }
    let candidates = sqlx::query_scalar!(
        "select id from exam_candidate where snapshot_id = $1 order by id for update",
        asked.snapshot
    )
    .fetch_all(&mut *tx)
    .await?;
    if candidates.is_empty() {
        return Err(Error::not_found());
    }
    if !scores::offered::past_entering(&mut tx, &candidates).await?.is_empty() {
        return Err(Error::conflict("成绩已提交审核，请先退回成绩登记表"));
    }
    let former = effective_keys(&mut tx, asked.snapshot).await?.remove(&asked.seq);
    let key = corrected(former.as_ref(), &correction);
    let rows = sqlx::query!(
        r#"select a.id as "sheet!", i.answer as "answer: Json<Value>", (i.score * 10)::bigint as score, y.student_no, y.name as "name!"
           from answer_item i
           join answer_sheet a on a.id = i.sheet_id
           join exam_candidate c on c.id = a.exam_candidate_id
           join student y on y.id = c.student_id
           where i.snapshot_question_id = $1 and a.mark_state in ('submitted', 'marked')
           order by a.id for update of a"#,
        id
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut told = RejudgeResult { done: 0, changed: 0, up: 0, down: 0, moved: Vec::new(), locked: Vec::new() };
    let mut sheets = Vec::new();
    for row in rows {
        let given: Option<GivenAnswer> = row.answer.map(|answer| stored(answer.0)).transpose()?;
        let (before, after) = (row.score.unwrap_or(0), score_by(&asked, &key, given.as_ref()));
        let Some(after) = after.filter(|after| *after != before || row.score.is_none()) else { continue };
        told.changed += 1;
        told.up += i64::from(after > before);
        told.down += i64::from(after < before);
        if told.moved.len() < TOLD {
            told.moved.push(MovedStudent {
                sheet_id: row.sheet,
                student_no: row.student_no,
                name: row.name,
                before: row.score.map(points),
                after: points(after),
            });
        }
        sheets.push(row.sheet);
    }
    if dry {
        return Ok(told);
    }
    let mut changes = vec![correct_key(&mut tx, id, &correction).await?];
    let keys = effective_keys(&mut tx, asked.snapshot).await?;
    for id in sheets {
        let sheet = sheet(&mut tx, id).await?;
        let machine = remark(&mut tx, &sheet, &keys).await?;
        settle(&mut tx, None, &sheet, machine).await?;
        let what = serde_json::json!({ "snapshotQuestionId": wanted.snapshot_question_id });
        changes.push(Change::event("answer_sheet", id, "rejudge", what));
    }
    for setup in given_in {
        changes.push(setup::marking(&mut tx, setup, MarkingStatus::Done).await?);
    }
    told.done = told.changed;
    tx.commit_all(changes).await?;
    Ok(told)
}
