//! What homework says of students is a part of their scores: whoever computes those is told at once that it changed (part 04 §5.2).

use infra::{Result, Tx};
use scores::offered::sources_changed;

/// Tells of these rows of a homework, or of all. A published homework counts when nobody of it is open any more: where only these
/// rows are, what the others have begins or ceases to count with them.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one of the scores for too long.
pub(crate) async fn changed(tx: &mut Tx, homework: i64, rows: Option<&[i64]>) -> Result<()> {
    let selections = sqlx::query_scalar!(
        "select s.selection_id from homework_student s join homework h on h.id = s.homework_id
         where s.homework_id = $1 and h.purpose = 'homework'
           and ($2::bigint[] is null or s.id = any($2)
                or not exists (
                    select from homework_student o
                    where o.homework_id = $1 and o.id <> all($2::bigint[])
                      and o.state not in ('marked', 'missed', 'exempt', 'void')))
         order by s.selection_id",
        homework,
        rows
    )
    .fetch_all(&mut **tx)
    .await?;
    sources_changed(tx, &selections).await
}
