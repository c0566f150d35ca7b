//! What becomes of a lecturer's exams when they are switched off (01 §9.5).

use infra::{Change, Result, Tx};

/// The exams of a lecturer that were on sale; their trail remembers which. Whoever bought one keeps it.
///
/// # Errors
/// Only internal ones.
pub async fn take_off_sale(tx: &mut Tx, lecturer: i64) -> Result<Vec<Change>> {
    let by = tx.by();
    let exams = sqlx::query_scalar!(
        "update platform.online_exam set putaway = 'off', updated_at = now(), updated_by = $2, version = version + 1
         where lecturer_id = $1 and putaway = 'on' returning id",
        lecturer,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(exams.into_iter().map(|id| Change::status("online_exam", id, "putaway", "on", "off")).collect())
}
