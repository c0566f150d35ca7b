//! 批改: what a marker gives for answers that no machine can mark.

use infra::{Change, Error, Result, Tx};
use poem_openapi::{
    Object,
    types::{Example, ToJSON},
};
use question_bank_rules::score::points;
use quiz_rules::{
    content::stored_as,
    enums::QuizRecordState,
    marking::{QuizMark, QuizMarkItem, by_marker, outcome},
};

use super::write::lock;

/// `{id, version, items}`; what was given before and is not named stays.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QuizMarking {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 评分
    #[oai(validator(max_items = 10000))]
    pub items: Vec<QuizMarkItem>,
}

impl Example for QuizMarking {
    fn example() -> Self {
        Self { id: 1, version: 1, items: vec![QuizMarkItem { seq: "3".to_owned(), score: 4.5, comment: None }] }
    }
}

/// # Errors
/// 409 before the attempt was handed in, for one that a machine marked whole, and when somebody else marked meanwhile; 422 as
/// [`by_marker`].
pub(crate) async fn mark(tx: &mut Tx, marking: QuizMarking) -> Result<Change> {
    let held = lock(tx, marking.id).await?;
    if held.state == QuizRecordState::Doing {
        return Err(Error::conflict("学员尚未交卷，不能批改"));
    }
    if held.version != marking.version {
        return Err(tx.stale("online_exam_record", held.id).await);
    }
    let marks = stored_as::<Vec<QuizMark>>(held.marks)?;
    if marks.iter().all(|mark| mark.objective) {
        return Err(Error::conflict("答卷中没有须批改的题目"));
    }
    let marks = by_marker(marks, marking.items)?;
    let outcome = outcome(&marks);
    let now = tx.app().clock().now();
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam_record
         set marks = $2, state = 'finished', objective_score = $3, subjective_score = $4, score = $5, passed = $6, marked_by = $7,
             marked_at = $8, updated_at = now(), updated_by = $7, version = version + 1
         where id = $1",
        held.id,
        marks.to_json().unwrap_or_default(),
        outcome.objective,
        outcome.subjective,
        outcome.total,
        outcome.passed(held.pass_score),
        by,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("online_exam_record", held.id, "score", held.score.map(points), outcome.total.map(points)))
}
