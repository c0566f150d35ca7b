//! A step over many rows of which each succeeds or fails by itself (00 §4).

use sqlx::AssertSqlSafe;

use crate::{BulkFailure, BulkResult, Change, Error, Result, Tx};

/// ```text
/// let mut bulk = Bulk::new(caller.begin().await?, "grade");
/// for id in ids {
///     let outcome = remove(bulk.row().await?, id).await;
///     bulk.ended(id, outcome).await?;
/// }
/// bulk.commit().await
/// ```
pub struct Bulk {
    tx: Tx,
    table: &'static str,
    name_column: &'static str,
    changes: Vec<Change>,
    failed: Vec<BulkFailure>,
}

impl Bulk {
    /// The rows are rows of `table`, which has a column `name`.
    pub fn new(tx: Tx, table: &'static str) -> Self {
        Self::named(tx, table, "name")
    }

    /// The same where people know a row by another column.
    pub fn named(tx: Tx, table: &'static str, name_column: &'static str) -> Self {
        Self { tx, table, name_column, changes: Vec::new(), failed: Vec::new() }
    }

    /// Begins a row: what is done with the transaction until [`Bulk::ended`] is undone when the row fails.
    pub async fn row(&mut self) -> Result<&mut Tx> {
        self.tx.savepoint().await?;
        Ok(&mut self.tx)
    }

    /// Ends a row, well or not.
    ///
    /// # Errors
    /// An internal error is not the row's; it ends the whole step.
    pub async fn ended(&mut self, id: i64, outcome: Result<Change>) -> Result<()> {
        match outcome {
            Ok(change) => {
                self.tx.row_done().await?;
                self.changes.push(change);
            }
            Err(error) => {
                let unseen = error.code == 404;
                let msg = self.tx.row_failed(error).await?.0;
                // The name of a row that the caller may not see is not told either.
                let name = if unseen { String::new() } else { self.name(id).await? };
                self.failed.push(BulkFailure { id, name, msg });
            }
        }
        Ok(())
    }

    /// Commits the rows that went well, with their records.
    pub async fn commit(self) -> Result<BulkResult> {
        let done = i64::try_from(self.changes.len()).unwrap_or(i64::MAX);
        self.tx.commit_all(self.changes).await?;
        Ok(BulkResult { done, failed: self.failed })
    }

    /// Empty for a row that is gone.
    async fn name(&mut self, id: i64) -> Result<String> {
        let sql = format!("select {} from {} where id = $1", self.name_column, self.table);
        let name: Option<String> =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).fetch_optional(&mut *self.tx).await.map_err(Error::from)?;
        Ok(name.unwrap_or_default())
    }
}
