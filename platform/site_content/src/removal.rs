//! What is used elsewhere stays (01 §9.0).

use infra::{Change, Result, Tx, unreferred};
use poem_openapi::types::ToJSON;

/// Deletes a row; what goes with it is gone already.
///
/// # Errors
/// 409 with the numbers and kinds of the rows that refer to it.
pub async fn remove<T: ToJSON>(tx: &mut Tx, table: &'static str, id: i64, name: &str, before: &T) -> Result<Change> {
    unreferred(tx, table, id).await?;
    tx.remove(table, id, name).await?;
    Ok(Change::deleted(table, id, before))
}
