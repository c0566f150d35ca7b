//! Scores of a demonstration school: those of semesters that go on, computed as the night would compute them.

use chrono::NaiveDate;
use infra::{Result, Tx};

use crate::{
    component::recompute::anew,
    score::{compute::of_all_kinds, ensure::ensure},
};

/// Selections of one statement.
const AT_ONCE: usize = 500;

/// Makes the scores of who studies now.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, _today: NaiveDate) -> Result<()> {
    let selections = sqlx::query_scalar!(
        "select c.id from course_selection c
         join semester e on e.id = c.semester_id and e.closed_at is null
         where c.status = 'selected' order by c.id limit 4000"
    )
    .fetch_all(&mut **tx)
    .await?;
    for part in selections.chunks(AT_ONCE) {
        let mut ids: Vec<i64> = ensure(tx, part).await?.into_values().collect();
        ids.sort_unstable();
        anew(tx, &ids, of_all_kinds()).await?;
    }
    Ok(())
}
