//! Files: bytes lie in a store under random keys, everything else stands in `file_object` of the schema they belong to
//! (01 §4). Keys under `public` may be read by anybody who has the address; `private` only through a signed one.
//!
//! ```text
//! presign → pending ─complete→ stored ─(sweep: expired, or nobody's after a week)→ gone
//! ```
//! Start reading at [`file_store`], which says in which store a key lies, then `upload`, and `parts` for large files; `usage` is
//! how much a school may store.

pub mod archive;
pub mod file_store;
mod limits;
mod local;
mod parts;
mod picture;
pub mod sweep;
mod types;
mod upload;
mod usage;

use std::path::Path;

use bytes::Bytes;
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, Row};
use store::StoreError;

use crate::{App, Error, Result, clock::Moment, enumeration::Enumeration, migrate::hex, module::Part};

pub use limits::{Takes, adopt_kind, adopt_of, fits, is_one_of};
pub use local::serve;
pub use parts::{ArrivedPart, MissingPart, UploadParts, join, progress};
pub use upload::{
    Announced, FileObject, Files, PARAMS, PERMISSIONS, TicketForm, UploadTicket, UploadedKey, VIDEO_MB, complete,
    purpose,
};
pub use usage::{in_gb, tenths_of_gb, used};

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[FileType::ENUMERATION],
    jobs: &[sweep::SWEEP],
    params: &[PARAMS],
    schedules: &[sweep::SCHEDULE],
    ..Part::NONE
};

/// Results of jobs and error sheets are kept a week (05 E3).
const RESULT_DAYS: i64 = 7;

/// Who may read a file, as the wire counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileType {
    Picture = 1,
    Public = 2,
    Private = 3,
}

impl FileType {
    /// For option lists: on the wire the number stands.
    const ENUMERATION: Enumeration =
        Enumeration {
            name: "fileType", items: &[("1", "图片"), ("2", "公开附件"), ("3", "私有附件")], schema: None
        };

    fn of(number: i16) -> Option<Self> {
        [Self::Picture, Self::Public, Self::Private].into_iter().find(|kind| *kind as i16 == number)
    }

    fn directory(self) -> &'static str {
        if self == Self::Private { "private" } else { "public" }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::new(404, "文件不存在或已被删除"),
            StoreError::PartsMissing(_) => Self::conflict(error.to_string()),
            StoreError::BadLink | StoreError::Expired => Self::new(403, "文件地址已失效，请重新获取"),
            // Nothing was ever stored under such a key.
            StoreError::BadKey => Self::new(404, "文件不存在或已被删除"),
            StoreError::Full(cause) => Self::disk_full(cause),
            StoreError::OutOfRange | StoreError::SizeDiffers | StoreError::Unavailable(_) => Self::internal(error),
        }
    }
}

/// Who sends a file in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uploader<'a> {
    /// An account of the console; 0 is the system.
    Account(i64),
    /// Somebody in a client, by the kind of their session and their number.
    Person(&'a str, i64),
}

impl<'a> Uploader<'a> {
    fn kind(self) -> &'a str {
        match self {
            Self::Account(_) => "account",
            Self::Person(kind, _) => kind,
        }
    }

    fn id(self) -> i64 {
        match self {
            Self::Account(id) | Self::Person(_, id) => id,
        }
    }
}

/// A file to be kept.
#[derive(Debug, Clone)]
pub struct NewFile<'a> {
    pub name: &'a str,
    pub content_type: &'a str,
    pub kind: FileType,
    /// Which record it belongs to.
    pub owner: Option<(&'a str, i64)>,
    pub uploader: Uploader<'a>,
    pub expires_at: Option<Moment>,
}

/// `<directory>/<s<schoolId>|platform>/<yyyyMM>/<32 random characters>.<ext>` (01 §4.1). The directory says who may read
/// and, where it is not the deployment's own store, which config's store it is: `private-7`.
fn new_key(
    app: &App,
    place: &file_store::FileStore,
    school_id: Option<i64>,
    kind: FileType,
    extension: &str,
) -> String {
    let owner = school_id.map_or_else(|| "platform".to_owned(), |id| format!("s{id}"));
    let directory = match place.config_id {
        Some(config) => format!("{}-{config}", kind.directory()),
        None => kind.directory().to_owned(),
    };
    let month = app.clock().now().format("%Y%m");
    let random = app.random().text(b"abcdefghijklmnopqrstuvwxyz0123456789", 32);
    format!("{directory}/{owner}/{month}/{random}.{extension}")
}

/// Whether anybody who has the address may read it.
fn is_public(key: &str) -> bool {
    key.split('/').next().is_some_and(|directory| directory == "public" || directory.starts_with("public-"))
}

/// Gives a private object its access setting (01 §4.2.2): a bucket may be open to everybody.
async fn close_private(place: &file_store::FileStore, key: &str) -> Result<()> {
    if is_public(key) {
        return Ok(());
    }
    Ok(place.store.make_private(&place.path(key)).await?)
}

fn extension_of(name: &str) -> String {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    if !extension.is_empty() && extension.len() <= 8 && extension.bytes().all(|b| b.is_ascii_alphanumeric()) {
        extension
    } else {
        "bin".to_owned()
    }
}

/// Keeps bytes in the store and notes them in the transaction's schema. They are stored first: a row without bytes could be
/// read, bytes without a row are swept away.
///
/// # Errors
/// 409 when the school's storage is full.
pub async fn keep_bytes(
    app: &App,
    connection: &mut PgConnection,
    school_id: Option<i64>,
    file: &NewFile<'_>,
    bytes: Bytes,
) -> Result<(i64, String)> {
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    usage::room_for(app, connection, school_id, size).await?;
    let place = file_store::for_new(app, school_id).await?;
    let key = new_key(app, &place, school_id, file.kind, &extension_of(file.name));
    let sha256 = Some(hex(&Sha256::digest(&bytes)));
    place.store.put(&place.path(&key), file.content_type, bytes).await?;
    close_private(&place, &key).await?;
    Ok((note(connection, &key, file, size, Stored::Whole { sha256 }).await?, key))
}

/// The same of what was made of a file, which lies where that one does: with the same school, or with the platform.
///
/// # Errors
/// 409 when the school's storage is full.
pub async fn keep_beside(
    app: &App,
    connection: &mut PgConnection,
    key: &str,
    file: &NewFile<'_>,
    bytes: Bytes,
) -> Result<i64> {
    Ok(keep_bytes(app, connection, school_of(key), file, bytes).await?.0)
}

/// The school whose file a key names; none for one of the platform.
fn school_of(key: &str) -> Option<i64> {
    key.split('/').nth(1)?.strip_prefix('s')?.parse().ok()
}

/// The same of a file that lies on this server's disk, whatever its size.
///
/// # Errors
/// 409 when the school's storage is full.
pub async fn keep_file(
    app: &App,
    connection: &mut PgConnection,
    school_id: Option<i64>,
    file: &NewFile<'_>,
    path: &Path,
) -> Result<i64> {
    let size = tokio::fs::metadata(path).await.map_err(Error::of_disk)?.len();
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    usage::room_for(app, connection, school_id, size).await?;
    let place = file_store::for_new(app, school_id).await?;
    let key = new_key(app, &place, school_id, file.kind, &extension_of(file.name));
    place.store.put_file(&place.path(&key), file.content_type, path).await?;
    close_private(&place, &key).await?;
    note(connection, &key, file, size, Stored::Whole { sha256: None }).await
}

/// What of a file is in the store when its row is written.
enum Stored {
    /// Announced alone: its bytes go past this server.
    Pending,
    /// All of it, with the SHA-256 of its bytes where they went through this server's memory.
    Whole { sha256: Option<String> },
}

async fn note(connection: &mut PgConnection, key: &str, file: &NewFile<'_>, size: i64, stored: Stored) -> Result<i64> {
    let (state, sha256) = match stored {
        Stored::Pending => ("pending", None),
        Stored::Whole { sha256 } => ("stored", sha256),
    };
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    let row = sqlx::query(
        "insert into file_object (key, original_name, size, content_type, file_type, state, owner_type, owner_id,
                                  uploader_type, uploader_id, expires_at, storage_config_id, sha256)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id",
    )
    .bind(key)
    // A name of a form's part comes here without any check.
    .bind(file.name.chars().filter(|sign| !sign.is_control()).take(255).collect::<String>())
    .bind(size)
    .bind(file.content_type)
    .bind(file.kind as i16)
    .bind(state)
    .bind(file.owner.map(|(kind, _)| kind))
    .bind(file.owner.map(|(_, id)| id))
    .bind(file.uploader.kind())
    .bind(file.uploader.id())
    .bind(file.expires_at)
    .bind(file_store::config_of(key))
    .bind(sha256)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}

/// Keeps the result of a job or the marked copy of a sheet in `platform` for a week. It fills nobody's storage: no school is
/// to lack the answer of its import because it is full.
pub async fn keep_result(app: &App, school_id: Option<i64>, uploader: i64, name: &str, path: &Path) -> Result<i64> {
    let content_type = if name.ends_with(".zip") {
        "application/zip"
    } else {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    };
    let file = NewFile {
        name,
        content_type,
        kind: FileType::Private,
        owner: Some(("job", 0)),
        uploader: Uploader::Account(uploader),
        expires_at: Some(app.clock().now() + chrono::Duration::days(RESULT_DAYS)),
    };
    let place = file_store::for_new(app, school_id).await?;
    let key = new_key(app, &place, school_id, file.kind, &extension_of(name));
    place.store.put_file(&place.path(&key), content_type, path).await?;
    close_private(&place, &key).await?;
    let size = tokio::fs::metadata(path).await.map_err(Error::of_disk)?.len();
    let mut tx = app.db().in_platform(crate::db::Purpose::Write).await?;
    let id =
        note(&mut tx, &key, &file, i64::try_from(size).unwrap_or(i64::MAX), Stored::Whole { sha256: None }).await?;
    tx.commit().await?;
    Ok(id)
}

/// A short-lived address of a file that stands in the transaction's schema; none when it is gone.
pub async fn address(app: &App, connection: &mut PgConnection, id: i64) -> Result<Option<(String, String)>> {
    let row = sqlx::query("select key, original_name from file_object where id = $1 and state = 'stored'")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (key, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    Ok(Some((url_of(app, &key, &name).await?, name)))
}

/// [`address`] of a stored key.
pub async fn address_of_key(app: &App, connection: &mut PgConnection, key: &str) -> Result<Option<String>> {
    let id: Option<i64> = sqlx::query_scalar("select id from file_object where key = $1 and state = 'stored'")
        .bind(key)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = id else { return Ok(None) };
    Ok(address(app, connection, id).await?.map(|(url, _)| url))
}

/// [`address`] of a stored file whose key and name are known.
pub async fn url_of(app: &App, key: &str, name: &str) -> Result<String> {
    let place = file_store::of_key(app, key).await?;
    if is_public(key) {
        return Ok(place.public_url(key));
    }
    Ok(place.store.download_url(&place.path(key), name, *app.clock().now()).await?)
}

/// The bytes of a key; none when they are gone.
pub async fn open(app: &App, key: &str) -> Result<Option<store::Object>> {
    let place = file_store::of_key(app, key).await?;
    match place.store.get(&place.path(key)).await {
        Ok(object) => Ok(Some(object)),
        Err(StoreError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Notes the SHA-256 of the bytes of stored files that went past this server, as uploads do; of those of at most so many bytes.
/// Others, and what is gone from the store, keep none.
///
/// # Errors
/// Those of the store.
pub async fn note_digests(app: &App, connection: &mut PgConnection, keys: &[String], most: i64) -> Result<()> {
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    let unknown: Vec<(i64, String)> = sqlx::query_as(
        "select id, key from file_object
         where key = any($1) and state = 'stored' and sha256 is null and size <= $2 order by id",
    )
    .bind(keys)
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    for (id, key) in unknown {
        let Some(mut object) = open(app, &key).await? else { continue };
        let mut sum = Sha256::new();
        while let Some(chunk) = object.chunks.try_next().await? {
            sum.update(&chunk);
        }
        sqlx::query("update file_object set sha256 = $2 where id = $1")
            .bind(id)
            .bind(hex(&sum.finalize()))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The first bytes of a key, at most so many; none when they are gone.
pub async fn beginning(app: &App, key: &str, most: usize) -> Result<Option<Vec<u8>>> {
    let Some(mut object) = open(app, key).await? else { return Ok(None) };
    let mut bytes = Vec::new();
    while bytes.len() < most {
        let Some(chunk) = object.chunks.try_next().await? else { break };
        bytes.extend_from_slice(&chunk);
    }
    bytes.truncate(most);
    Ok(Some(bytes))
}

/// Says which record a stored file belongs to; until then it is nobody's, and is swept away after a week.
///
/// # Errors
/// 422 when the key is no stored private file of this schema, or another record's.
pub async fn adopt(connection: &mut PgConnection, key: &str, owner_type: &str, owner_id: i64) -> Result<i64> {
    owned(connection, key, (owner_type, owner_id), &[FileType::Private]).await
}

/// The same of an attachment that may also be public.
///
/// # Errors
/// 422 as [`adopt`]; a picture is nobody's.
pub async fn adopt_attachment(
    connection: &mut PgConnection,
    key: &str,
    owner_type: &str,
    owner_id: i64,
) -> Result<i64> {
    owned(connection, key, (owner_type, owner_id), &[FileType::Public, FileType::Private]).await
}

async fn owned(connection: &mut PgConnection, key: &str, owner: (&str, i64), kinds: &[FileType]) -> Result<i64> {
    let row = sqlx::query(
        "update file_object set owner_type = $2, owner_id = $3
         where key = $1 and state = 'stored' and file_type = any($4)
           and (owner_type is null or owner_type = $2 and owner_id = $3)
         returning id",
    )
    .bind(key)
    .bind(owner.0)
    .bind(owner.1)
    .bind(kinds.iter().map(|kind| *kind as i16).collect::<Vec<i16>>())
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::refused("文件不存在或未上传完成，请重新上传"))?;
    Ok(row.try_get(0)?)
}

/// Files that their record gave up are nobody's, and are swept away after a week.
pub async fn release(connection: &mut PgConnection, keys: &[String]) -> Result<()> {
    sqlx::query("update file_object set owner_type = null, owner_id = null where key = any($1)")
        .bind(keys)
        .execute(connection)
        .await?;
    Ok(())
}

/// The same of files by their numbers. A step that may still be undone lets files go: [`remove`] takes the objects at once.
pub async fn let_go(connection: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query("update file_object set owner_type = null, owner_id = null where id = any($1)")
        .bind(ids)
        .execute(connection)
        .await?;
    Ok(())
}

/// Files that came in for these records, also what was replaced since and not yet swept away.
pub async fn of_records(connection: &mut PgConnection, owner_type: &str, ids: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar("select id from file_object where owner_type = $1 and owner_id = any($2)")
        .bind(owner_type)
        .bind(ids)
        .fetch_all(connection)
        .await?)
}

/// Removes files for good: objects first, rows then, so that what is left after a crash is found again. No record may refer
/// to them any more. Answers how many there were.
pub async fn remove(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<usize> {
    let files: Vec<(String, Option<String>)> =
        sqlx::query_as("select key, upload_id from file_object where id = any($1)")
            .bind(ids)
            .fetch_all(&mut *connection)
            .await?;
    for (key, upload) in &files {
        remove_object(app, key, upload.as_deref()).await?;
    }
    sqlx::query("delete from file_object where id = any($1)").bind(ids).execute(connection).await?;
    Ok(files.len())
}

/// Removes the bytes of a key, and the parts of an upload that was not completed; the row is the caller's.
pub async fn remove_object(app: &App, key: &str, upload: Option<&str>) -> Result<()> {
    let place = file_store::of_key(app, key).await?;
    if let Some(upload) = upload {
        place.store.abort_parts(&place.path(key), upload).await?;
    }
    Ok(place.store.delete(&place.path(key)).await?)
}

/// Removes what the jobs of a school left in `platform`: results, marked sheets. Answers how many files.
pub async fn remove_results_of(app: &App, school_id: i64) -> Result<i64> {
    let mut tx = app.db().in_platform(crate::db::Purpose::Write).await?;
    let keys = sqlx::query_scalar!(
        "select key from platform.file_object where split_part(key, '/', 2) = $1",
        format!("s{school_id}")
    )
    .fetch_all(&mut *tx)
    .await?;
    for key in &keys {
        remove_object(app, key, None).await?;
    }
    sqlx::query!("delete from platform.file_object where key = any($1)", &keys).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(i64::try_from(keys.len()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_whose_it_is() {
        assert_eq!(school_of("private/s12/202611/0123.jpg"), Some(12));
        assert_eq!(school_of("private-7/s3/202611/0123.jpg"), Some(3));
        assert_eq!(school_of("public/platform/202611/0123.jpg"), None);
    }
}
