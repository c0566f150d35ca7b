//! One at a time: who looks whether a number is there already, and then enters it, holds it meanwhile (02 §0.2).

use infra::{Result, Tx};

/// Numbers share so many locks; a sheet of thousands takes them all instead of one for each.
const LOCKS: i32 = 256;
/// From so many numbers on all locks are taken at once, so that the parts of two sheets never wait for each other.
const MANY: usize = 100;

/// Waits until nobody else of this school enters one of these numbers, and keeps them out until the transaction ends.
/// What others entered is seen by the statements behind it.
pub async fn hold(tx: &mut Tx, numbers: &[&str]) -> Result<()> {
    let all = numbers.len() > MANY;
    let numbers: Vec<String> = if all { Vec::new() } else { numbers.iter().map(|no| (*no).to_owned()).collect() };
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtext(current_schema() || ' id_card_no'), place)
         from (select place from generate_series(0, $2 - 1) place where $3
               union select abs(hashtext(number) % $2) from unnest($1::text[]) number
               order by 1) places",
        &numbers,
        LOCKS,
        all
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
