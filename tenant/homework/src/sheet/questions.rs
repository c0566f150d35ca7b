//! What a snapshot asks of a sheet (part 03 B10).

use std::collections::HashMap;

use homework_rules::questions::{SheetQuestion, files_of};
use infra::Result;
use papers::content::DetailSection;
use question_bank::score::tenths;
use sqlx::PgConnection;

/// The questions of a snapshot with what these sections say of them, in their order.
///
/// # Errors
/// Those of the database.
pub async fn questions_of(
    connection: &mut PgConnection,
    snapshot: i64,
    sections: &[DetailSection],
) -> Result<Vec<SheetQuestion>> {
    let rows = sqlx::query!(
        r#"select id, seq, score::float8 as "score!" from snapshot_question where snapshot_id = $1"#,
        snapshot
    )
    .fetch_all(connection)
    .await?;
    let known: HashMap<String, (i64, i64)> =
        rows.into_iter().map(|row| (row.seq, (row.id, tenths(row.score)))).collect();
    let mut questions = Vec::with_capacity(known.len());
    for question in sections.iter().flat_map(|section| &section.questions) {
        let blanks = |answer: Option<&question_bank::marking::QuestionAnswer>| {
            answer.and_then(|answer| answer.blanks.as_ref()).map_or(0, Vec::len)
        };
        if !question.kind.is_parent() {
            if let Some((id, score)) = known.get(&question.seq) {
                questions.push(SheetQuestion {
                    id: *id,
                    seq: question.seq.clone(),
                    kind: question.kind,
                    score: *score,
                    options: question.options.len(),
                    blanks: blanks(question.answer.as_ref()),
                    files: files_of(question.kind, question.upload.as_ref(), question.allow_attachment),
                    stem: question.stem.clone(),
                    material: None,
                });
            }
            continue;
        }
        for (place, sub) in (1..).zip(&question.sub_questions) {
            let place: i32 = place;
            let seq = format!("{}.{place}", question.seq);
            if let Some((id, score)) = known.get(&seq) {
                questions.push(SheetQuestion {
                    id: *id,
                    seq,
                    kind: sub.kind,
                    score: *score,
                    options: sub.options.len(),
                    blanks: blanks(sub.answer.as_ref()),
                    files: files_of(sub.kind, sub.upload.as_ref(), sub.allow_attachment),
                    stem: sub.stem.clone(),
                    material: Some(question.stem.clone()),
                });
            }
        }
    }
    Ok(questions)
}
