//! How an attempt is kept and ends. It is marked by its own copy of the questions.

use infra::{Change, Error, Result, Tx, clock::Moment};
use poem_openapi::types::ToJSON;
use question_bank_rules::score::points;
use quiz_rules::{
    answer::QuizAnswer,
    content::stored_as,
    enums::{QuizRecordState, QuizSubmitKind},
    marking::{Outcome, mark, outcome},
    paper::QuizPaperSection,
};
use serde_json::{Value, json};

/// An attempt that nobody else changes until the transaction ends. Scores are tenths of a point.
pub(crate) struct Held {
    pub(crate) id: i64,
    pub(crate) exam_id: i64,
    pub(crate) learner_id: i64,
    pub(crate) grade_id: Option<i64>,
    pub(crate) exam_name: String,
    pub(crate) attempt_no: i32,
    pub(crate) total_score: i64,
    pub(crate) pass_score: i64,
    pub(crate) snapshot: Value,
    pub(crate) answers: Value,
    pub(crate) marks: Value,
    pub(crate) state: QuizRecordState,
    pub(crate) started_at: Moment,
    pub(crate) deadline_at: Moment,
    pub(crate) objective_score: Option<i64>,
    pub(crate) score: Option<i64>,
    pub(crate) passed: Option<bool>,
    pub(crate) version: i32,
}

impl Held {
    pub(crate) fn paper(&self) -> Result<Vec<QuizPaperSection>> {
        stored_as(self.snapshot.clone())
    }

    pub(crate) fn given(&self) -> Result<Vec<QuizAnswer>> {
        stored_as(self.answers.clone())
    }
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<Held> {
    sqlx::query_as!(
        Held,
        r#"select id, exam_id, learner_id, grade_id, exam_name, attempt_no, total_score, pass_score, snapshot, answers, marks,
                  state as "state: _", started_at, deadline_at, objective_score, score, passed, version
           from platform.online_exam_record where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// Hands an attempt in with what is kept of it: the machine marks what it can, and the rest waits for its marker. The caller holds the
/// attempt, which is `doing`.
///
/// # Errors
/// Those of the database.
pub(crate) async fn submit(tx: &mut Tx, held: &Held, kind: QuizSubmitKind) -> Result<(Outcome, Change)> {
    let marks = mark(&held.paper()?, &held.given()?);
    let outcome = outcome(&marks);
    let state = if outcome.total.is_some() { QuizRecordState::Finished } else { QuizRecordState::Marking };
    let now = tx.app().clock().now();
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam_record
         set marks = $2, state = $3, submit_kind = $4, submitted_at = $5, objective_score = $6, subjective_score = $7, score = $8,
             passed = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1",
        held.id,
        marks.to_json().unwrap_or_default(),
        state.as_str(),
        kind.as_str(),
        now,
        outcome.objective,
        outcome.subjective,
        outcome.total,
        outcome.passed(held.pass_score),
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "examId": held.exam_id, "submitKind": kind.as_str(), "state": state.as_str(),
        "objectiveScore": points(outcome.objective), "score": outcome.total.map(points) });
    Ok((outcome, Change::event("online_exam_record", held.id, "submit", what)))
}
