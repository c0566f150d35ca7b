//! 上架、下架, and which exams can be deleted.

use catalogue::course::{Putaway, PutawayChange, Sold, lecturer_teaches, unsold};
use infra::{Change, Error, Result, Tx};
use serde_json::json;

/// An exam that nobody else changes until the transaction ends.
pub(crate) struct LockedQuiz {
    pub(crate) id: i64,
    pub(crate) exam_name: String,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) putaway: Putaway,
    pub(crate) published_revision_id: Option<i64>,
    pub(crate) count_buy: i64,
    pub(crate) version: i32,
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<LockedQuiz> {
    sqlx::query_as!(
        LockedQuiz,
        r#"select id, exam_name, lecturer_id, putaway as "putaway: _", published_revision_id, count_buy, version
           from platform.online_exam where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 409 for an exam that is not approved, or whose lecturer is switched off.
pub(crate) async fn set_putaway(tx: &mut Tx, wanted: &PutawayChange) -> Result<Change> {
    let exam = lock(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != exam.version) {
        return Err(tx.stale("online_exam", wanted.id).await);
    }
    if exam.putaway == wanted.putaway {
        return Err(Error::conflict(format!("试卷已是{}状态", wanted.putaway.zh())));
    }
    if wanted.putaway == Putaway::On {
        if exam.published_revision_id.is_none() {
            return Err(Error::conflict("试卷尚未审核通过，不能上架"));
        }
        if let Some(lecturer) = exam.lecturer_id {
            lecturer_teaches(tx, lecturer, "试卷").await?;
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam set putaway = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.putaway.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("online_exam", wanted.id, "putaway", exam.putaway.as_str(), wanted.putaway.as_str()))
}

/// So many more bought an exam; fewer after a whole refund. The caller holds what was ordered.
///
/// # Errors
/// 404 for an exam that is gone.
pub async fn bought(tx: &mut Tx, exam: i64, more: i64) -> Result<()> {
    let changed = sqlx::query!("update platform.online_exam set count_buy = count_buy + $2 where id = $1", exam, more)
        .execute(&mut **tx)
        .await?;
    if changed.rows_affected() == 0 { Err(Error::not_found()) } else { Ok(()) }
}

/// An exam goes with its versions; its questions stay.
///
/// # Errors
/// 409 for an exam that somebody bought, was given or is about to buy, for one on the shelf, and for one that an attempt, a class or a
/// recommendation refers to.
pub(crate) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let exam = lock(tx, id).await?;
    let sold =
        Sold { product_type: "exam", id, name: &exam.exam_name, count_buy: exam.count_buy, putaway: exam.putaway };
    unsold(tx, sold).await?;
    let last = sqlx::query_scalar!(
        "select content from platform.online_exam_revision where exam_id = $1 order by id desc limit 1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    sqlx::query!("update platform.online_exam set published_revision_id = null where id = $1", id)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.online_exam_revision where exam_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.online_exam_problem where exam_id = $1", id).execute(&mut **tx).await?;
    tx.remove("online_exam", id, &exam.exam_name).await?;
    Ok(Change::event("online_exam", id, "delete", json!({ "examName": exam.exam_name, "content": last })))
}
