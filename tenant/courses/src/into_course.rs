//! Imports whose rows belong to one record that the call names: chapters of a course, periods of a record. They have some
//! hundred rows, so they are answered directly.

use std::future::{Future, ready};

use infra::{
    Allowed, App, Change, Error, Reply, Result, Tx,
    access::{MayWrite, Permission},
    reply,
    sheet::{Limits, Reader, Row, RowError, Template},
    transfer::{self, DIRECT_ROWS, ImportAnswer, SentSheet, Undo},
};
use poem_openapi::types::multipart::Upload;

/// What came with the call.
pub(crate) struct Sent {
    pub(crate) file: Upload,
    pub(crate) dry_run: bool,
    pub(crate) sha256: Option<String>,
}

/// One import at work; what it wrote goes back like any other.
pub(crate) trait Lines: Undo {
    fn template() -> Template;

    /// Writes a row; what is wrong with it is noted in it, or answered as a refusal of the whole row.
    fn write(&mut self, tx: &mut Tx, row: &mut Row) -> impl Future<Output = Result<Vec<Change>>> + Send;

    /// What only the whole sheet shows, after its last row. With `keep` everything was right so far and is committed unless
    /// this finds a mistake: what lies outside the school is written here.
    fn settle(&mut self, _app: &App, _keep: bool) -> impl Future<Output = Result<Vec<RowError>>> + Send {
        ready(Ok(Vec::new()))
    }
}

/// Writes all rows or none. `tx` already holds what keeps others from changing the record meanwhile.
///
/// # Errors
/// 422 at `file` when it cannot be read as a whole. Wrong rows are no error but the answer.
pub(crate) async fn import<L: Lines, P: Permission>(
    caller: &Allowed<P>,
    mut tx: Tx,
    mut lines: L,
    sent: Sent,
) -> Result<Reply<ImportAnswer>>
where
    P::Mode: MayWrite,
{
    let app = caller.app();
    let sheet = SentSheet::receive(app, L::template().title, sent.file, sent.sha256.as_deref()).await?;
    let limits = Limits { rows: u32::try_from(DIRECT_ROWS).unwrap_or(u32::MAX), ..Limits::default() };
    let mut reader = Reader::open(sheet.path(), &L::template(), limits).await?;
    let (mut total, mut errors, mut changes): (i64, Vec<RowError>, Vec<Change>) = (0, Vec::new(), Vec::new());
    while let Some(rows) = reader.next().await? {
        for mut row in rows {
            total += 1;
            changes.extend(one(&mut tx, &mut lines, &mut row).await?);
            errors.extend(row.into_errors());
        }
    }
    if total == 0 {
        return Err(Error::field("file", "文件中没有可导入的数据"));
    }
    let keep = errors.is_empty() && !sent.dry_run;
    errors.extend(lines.settle(app, keep).await?);
    let mut answer = ImportAnswer { total, sha256: sheet.sha256.clone(), ..ImportAnswer::default() };
    if errors.is_empty() && !sent.dry_run {
        answer.imported = total;
        let batch = transfer::keep::<L>(&mut tx, L::template().title, &sheet.name, total, &changes).await?;
        tx.commit_all(changes.into_iter().map(|change| change.imported(batch)).collect()).await?;
    } else {
        drop(tx);
    }
    (answer.error_file_id, answer.error_file_url) = sheet.marked(caller, &errors, &[]).await?;
    sheet.noted(caller, total, answer.imported, errors.len());
    answer.errors = errors;
    Ok(reply(answer))
}

/// A row, undone when anything is wrong with it.
async fn one<L: Lines>(tx: &mut Tx, lines: &mut L, row: &mut Row) -> Result<Vec<Change>> {
    tx.savepoint().await?;
    match lines.write(tx, row).await {
        Ok(changes) if row.errors().is_empty() => {
            tx.row_done().await?;
            Ok(changes)
        }
        Ok(_) => {
            tx.row_failed(Error::refused("")).await?;
            Ok(Vec::new())
        }
        Err(error) => {
            let why = tx.row_failed(error).await?.0;
            row.refuse("", why);
            Ok(Vec::new())
        }
    }
}
