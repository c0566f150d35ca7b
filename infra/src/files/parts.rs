//! Large files come in parts, so that an upload that broke off goes on where it stopped. The store knows what has arrived;
//! the row knows how the file is cut and what the store calls its upload.
//!
//! ```text
//! presign → (parts → PUT …)* → complete          a part's address lives a quarter of an hour, the upload a day
//! ```

use poem_openapi::Object;
use sqlx::{PgConnection, Row};
use store::{Cut, StoreError};

use super::{
    Uploader,
    file_store::{self, FileStore},
};
use crate::{App, Error, Result, clock::Moment, tx::ReadTx};

/// How many addresses are given at a time: they are short-lived, and a slow line sends few parts while they live.
const AT_ONCE: usize = 20;

/// A part that has arrived whole.
#[derive(Debug, Object)]
pub struct ArrivedPart {
    /// 分片序号
    pub number: i32,
    /// 大小(字节)
    pub size: i64,
}

/// Where to send a part.
#[derive(Debug, Object)]
pub struct MissingPart {
    /// 分片序号
    pub number: i32,
    /// 大小(字节)
    pub size: i64,
    /// 上传地址
    pub url: String,
}

/// How far an upload in parts is.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct UploadParts {
    /// 分片大小(字节)
    pub part_size: i64,
    /// 分片数
    pub part_count: i32,
    /// 已上传的分片
    pub arrived: Vec<ArrivedPart>,
    /// 待上传的分片
    /// The first of those that are missing; the others get their addresses when these have arrived.
    pub missing: Vec<MissingPart>,
    /// 方法
    pub method: String,
    /// 有效期至
    pub expires_at: Moment,
}

/// An upload in parts that was begun and not completed.
#[derive(Debug)]
pub(super) struct Begun {
    pub upload: String,
    pub cut: Cut,
}

impl Begun {
    /// Begins an upload when the file is large.
    pub async fn when_large(place: &FileStore, key: &str, size: u64, content_type: &str) -> Result<Option<Self>> {
        let Some(cut) = Cut::of(size) else { return Ok(None) };
        Ok(Some(Self { upload: place.store.begin_parts(&place.path(key), content_type).await?, cut }))
    }

    /// The size of its parts, in bytes.
    pub fn part_size(&self) -> i64 {
        bytes(self.cut.part_size())
    }

    /// Writes it down beside the file.
    pub async fn note(&self, connection: &mut PgConnection, file_id: i64) -> Result<()> {
        // Unchecked because the table stands in `platform` and in every school; the path decides.
        sqlx::query("update file_object set upload_id = $2, part_size = $3 where id = $1")
            .bind(file_id)
            .bind(&self.upload)
            .bind(self.part_size())
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Ends an upload whose file is not wanted, or came another way. What then stays in the store is in nobody's way.
    pub async fn give_up(&self, place: &FileStore, key: &str) {
        if let Err(error) = place.store.abort_parts(&place.path(key), &self.upload).await {
            tracing::warn!(key, ?error, "the parts of an upload stay in the store");
        }
    }
}

fn bytes(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// # Errors
/// 404 when there is no such file, or none of that uploader.
async fn find(connection: &mut PgConnection, key: &str, of: Uploader<'_>) -> Result<Option<Begun>> {
    let row = sqlx::query(
        "select size, part_size, upload_id from file_object where key = $1 and uploader_type = $2 and uploader_id = $3",
    )
    .bind(key)
    .bind(of.kind())
    .bind(of.id())
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let (size, part_size, upload): (i64, Option<i64>, Option<String>) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let (Some(part_size), Some(upload)) = (part_size, upload) else { return Ok(None) };
    let bytes = |size: i64| u64::try_from(size).map_err(Error::internal);
    Ok(Some(Begun { upload, cut: Cut::begun(bytes(size)?, bytes(part_size)?) }))
}

/// Which parts have arrived, and addresses for the next ones. The transaction ends before the store is asked.
///
/// # Errors
/// 404 when there is no such file, or none of that uploader; 409 when it does not come in parts, or is complete.
pub async fn progress(app: &App, mut tx: ReadTx, key: &str, of: Uploader<'_>) -> Result<UploadParts> {
    let found = find(&mut tx, key, of).await?;
    drop(tx);
    let Begun { upload, cut } = found.ok_or_else(|| Error::conflict("该文件已上传完成或无需分片上传"))?;
    let place = file_store::of_key(app, key).await?;
    let path = place.path(key);
    let now = app.clock().now();
    let arrived = place.store.arrived(&path, &upload).await?;
    let numbers = cut.missing(&arrived);
    let mut missing = Vec::new();
    for (number, size) in numbers.iter().filter_map(|number| Some((*number, cut.size_of(*number)?))).take(AT_ONCE) {
        let url = place.store.part_url(&path, &upload, (number, size), *now).await?;
        missing.push(MissingPart { number, size: bytes(size), url });
    }
    let whole = (1..=cut.count()).filter(|number| numbers.binary_search(number).is_err());
    let arrived = whole.filter_map(|number| Some(ArrivedPart { number, size: bytes(cut.size_of(number)?) })).collect();
    Ok(UploadParts {
        part_size: bytes(cut.part_size()),
        part_count: cut.count(),
        arrived,
        missing,
        method: "PUT".to_owned(),
        expires_at: now + store::UPLOAD_VALID,
    })
}

/// Puts the parts of a file together, where it came in parts; what came whole is left as it is. Large files take a while, so
/// the transaction ends before, and the work goes on when the caller hangs up.
///
/// # Errors
/// 404 when there is no such file, or none of that uploader; 409 while parts are missing.
pub async fn join(app: &App, mut tx: ReadTx, key: &str, of: Uploader<'_>) -> Result<()> {
    let found = find(&mut tx, key, of).await?;
    drop(tx);
    let Some(begun) = found else { return Ok(()) };
    let place = file_store::of_key(app, key).await?;
    let path = place.path(key);
    // It was sent whole all the same, or joined by a call whose answer was lost.
    if place.store.head(&path).await?.is_some() {
        begun.give_up(&place, key).await;
        return Ok(());
    }
    let (store, at) = (place.store.clone(), path.clone());
    let joining = tokio::spawn(async move { store.join_parts(&at, &begun.upload, begun.cut).await });
    match joining.await.map_err(Error::internal)? {
        // Another call of the same person was faster.
        Err(StoreError::NotFound) if place.store.head(&path).await?.is_some() => Ok(()),
        joined => Ok(joined?),
    }
}
