//! An approved version becomes the exam.

use catalogue::course::{Putaway, lecturer_teaches};
use infra::{Result, Tx, pinyin};
use question_bank_rules::score::tenths;
use quiz_rules::content::QuizContent;

use super::{content::refers_to_what_is_there, form::total, shelf::lock};

/// Copies a version into the exam; from then on its questions may be shown by attempts for ever. The caller holds the exam.
///
/// # Errors
/// As [`refers_to_what_is_there`]; 409 for an exam on the shelf whose lecturer was switched off.
pub(crate) async fn publish(tx: &mut Tx, exam: i64, revision: i64, content: &QuizContent) -> Result<()> {
    refers_to_what_is_there(content, tx).await?;
    let shown = lock(tx, exam).await?.putaway == Putaway::On;
    if let Some(lecturer) = content.lecturer_id.filter(|_| shown) {
        lecturer_teaches(tx, lecturer, "试卷").await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam
         set exam_name = $2, category_id = $3, lecturer_id = $4, cover = $5, is_free = $6, price_original = $7, price_sale = $8,
             duration_minutes = $9, total_score = $10, pass_score = $11, attempt_limit = $12, problem_total = $13, initials = $14,
             audit_status = 'approved', published_revision_id = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1",
        exam,
        content.exam_name,
        content.category_id,
        content.lecturer_id,
        content.cover,
        content.is_free,
        content.price_original,
        content.price_sale,
        content.duration_minutes,
        tenths(content.total_score),
        tenths(content.pass_score),
        content.attempt_limit,
        total(content),
        pinyin::text_initials(&content.exam_name),
        revision,
        by
    )
    .execute(&mut **tx)
    .await?;
    let ids = content.problem_ids();
    sqlx::query!("update platform.online_problem set frozen = true where id = any($1) and not frozen", &ids)
        .execute(&mut **tx)
        .await?;
    set_problems(tx, exam, &ids).await
}

/// Which questions an exam needs by now.
pub(super) async fn set_problems(tx: &mut Tx, exam: i64, ids: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.online_exam_problem where exam_id = $1 and problem_id <> all($2)", exam, ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into platform.online_exam_problem (exam_id, problem_id) select $1, u.id from unnest($2::bigint[]) as u (id)
         on conflict (exam_id, problem_id) do nothing",
        exam,
        ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
