//! 讲师账户: what a lecturer has, and the journal of what moved. Nobody types into it; sales, refunds and withdrawals book it.

pub(crate) mod check;

use infra::{Entity, Error, Part, Result, Tx};
use lecturer_rules::account::{Balance, Movement};

pub const PART: Part = Part {
    entities: &[Entity { table: "user_account", name: "讲师账户", counted: "个讲师账户" }],
    jobs: &[check::JOB],
    schedules: &[check::SCHEDULE],
    ..Part::NONE
};

/// Moves money in a learner's account, which is opened with its first movement. The same thing is booked once.
///
/// `of` is the table and the number of what it moves for.
///
/// # Errors
/// 409 when more is asked for than the account has, or when this was booked already.
pub async fn book(tx: &mut Tx, learner: i64, movement: Movement, of: (&'static str, i64)) -> Result<Balance> {
    let by = tx.by();
    sqlx::query!(
        "insert into platform.user_account (learner_id, created_by, updated_by) values ($1, $2, $2)
         on conflict (learner_id) do nothing",
        learner,
        by
    )
    .execute(&mut **tx)
    .await?;
    let before = sqlx::query_as!(
        Balance,
        "select available, frozen, withdrawn from platform.user_account where learner_id = $1 for update",
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    let after = before.after(movement)?;
    sqlx::query!(
        "update platform.user_account set total_income = $2, available = $3, frozen = $4, withdrawn = $5, updated_at = now(),
                updated_by = $6, version = version + 1
         where learner_id = $1",
        learner,
        after.total(),
        after.available,
        after.frozen,
        after.withdrawn,
        by
    )
    .execute(&mut **tx)
    .await?;
    let noted = sqlx::query!(
        "insert into platform.account_journal (learner_id, kind, amount, moved, ref_type, ref_id, balance_after)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (learner_id, kind, ref_type, ref_id) do nothing",
        learner,
        movement.kind(),
        movement.gained(),
        movement.moved(),
        of.0,
        of.1,
        after.available
    )
    .execute(&mut **tx)
    .await?;
    if noted.rows_affected() == 0 { Err(Error::conflict("该笔款项已入账")) } else { Ok(after) }
}
