//! What is used elsewhere stays (01 §9.0).

use infra::{Error, Result, Tx};

/// # Errors
/// 409 with the numbers and kinds of the rows that refer to this one.
pub(crate) async fn unreferred(tx: &mut Tx, table: &'static str, id: i64) -> Result<()> {
    match tx.referring(table, id).await? {
        Some(found) => Err(found.refuse(format!("已被{found}引用，不能删除"))),
        None => Ok(()),
    }
}

/// For a row that somebody began to refer to in the moment of its deletion.
pub(crate) fn just_referred(_constraint: &str) -> Option<Error> {
    Some(Error::conflict("刚刚被其他内容引用，不能删除"))
}
