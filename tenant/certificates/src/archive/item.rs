//! What stands in a place of an archive, and what stood there before.

use certificate_rules::{
    enums::{ArchiveItemOrigin, ArchiveItemStatus, ArchiveStatus},
    items::standing,
    steps::{ArchiveTurn, may},
};
use infra::{App, Change, Error, Result, Scope, Tx, across::Keyed, files};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{Archives, select::Archive};

/// Files whose digest is computed while somebody waits.
const MOST_BYTES: i64 = 200 << 20;
/// Files whose pages are counted.
const MOST_COUNTED: usize = 50 << 20;

/// Holds an archive within the scope.
///
/// # Errors
/// 404 beyond the scope; 409 for a turn that its status does not allow.
pub(super) async fn held(tx: &mut Tx, id: i64, turn: ArchiveTurn, scope: &Scope) -> Result<Archive> {
    tx.lock("archive", id).await?;
    let archive = Archives::find(tx, id, scope).await?;
    may(archive.status, turn).map_err(Error::conflict)?;
    Ok(archive)
}

/// Puts a stored file into a place, and notes whether the system made it; what stood there is kept.
///
/// # Errors
/// Those of the store.
pub(super) async fn put(tx: &mut Tx, item: i64, file: i64, origin: ArchiveItemOrigin) -> Result<()> {
    let key = sqlx::query_scalar!("select key from file_object where id = $1", file).fetch_one(&mut **tx).await?;
    let app = tx.app().clone();
    let pages = pages_of(&app, &key).await?;
    files::note_digests(&app, tx, &[key], MOST_BYTES).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "insert into archive_item_file (item_id, file_id, sha256, made_at, created_by)
         select id, file_id, coalesce(sha256, ''), coalesce(generated_at, updated_at), $3 from archive_item
         where id = $1 and file_id is not null and file_id <> $2",
        item,
        file,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update archive_item set file_id = $2, sha256 = coalesce((select sha256 from file_object where id = $2), ''),
                generated_at = $3, status = 'ready', waive_reason = null, origin = $5, pages = $6, updated_at = $3, updated_by = $4,
                version = version + 1
         where id = $1",
        item,
        file,
        now as _,
        by,
        origin.as_str(),
        pages
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// How many pages a file has; none of what is no document and no picture.
async fn pages_of(app: &App, key: &str) -> Result<Option<i32>> {
    if files::is_one_of(key, &["jpg", "jpeg", "png"]).is_ok() {
        return Ok(Some(1));
    }
    if files::is_one_of(key, &["pdf"]).is_err() {
        return Ok(None);
    }
    let Some(bytes) = files::beginning(app, key, MOST_COUNTED).await? else { return Ok(None) };
    let pages = spawn_blocking(move || paper::pages(&bytes)).await.map_err(Error::internal)?;
    Ok(pages.and_then(|pages| i32::try_from(pages).ok()))
}

/// Counts what an archive has anew; complete when nothing that is needed is missing.
///
/// # Errors
/// Those of the database.
pub(super) async fn recount(tx: &mut Tx, archive: i64, from: ArchiveStatus) -> Result<Change> {
    let items = sqlx::query!(
        r#"select needed, status as "status: ArchiveItemStatus" from archive_item where archive_id = $1 order by id"#,
        archive
    )
    .fetch_all(&mut **tx)
    .await?;
    let items: Vec<(bool, ArchiveItemStatus)> = items.into_iter().map(|row| (row.needed, row.status)).collect();
    let (ready, needed, to) = standing(&items);
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update archive set ready_count = $2, needed_count = $3, status = $4, updated_at = $5, updated_by = $6, version = version + 1
         where id = $1",
        archive,
        i32::try_from(ready).unwrap_or_default(),
        i32::try_from(needed).unwrap_or_default(),
        to.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited(
        "archive",
        archive,
        &json!({ "status": from.as_str() }),
        &json!({ "status": to.as_str(), "readyCount": ready, "neededCount": needed }),
    ))
}
