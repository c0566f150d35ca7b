//! Files: bytes lie in the store under random keys, everything else stands in `file_object` of the schema they belong to
//! (01 §4). Keys under `public/` may be read by anybody who has the address; `private/` only through a signed one.

mod local;
mod picture;

use std::path::Path;

use bytes::Bytes;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::{PgConnection, Row};
use store::StoreError;

use crate::{Allowed, App, Body, Change, Error, Reply, Result, SignedIn, Writes, clock::Moment, permissions, reply};

pub use local::serve;
use picture::{PICTURE_BYTES, Picture, PictureForm, read_picture};

/// Largest direct upload, in MiB; videos have their own.
const UPLOAD_MB: crate::params::IntParam =
    crate::params::IntParam { code: "upload.maxMb", default: 500, min: 1, max: 5000 };
/// Pictures have their own limit, which is a rule of the product ([`PICTURE_BYTES`]).
pub const PARAMS: &[crate::params::Param] = &[
    UPLOAD_MB.entry("单个文件上限(MB)", "上传"),
    crate::params::IntParam { code: "upload.imageMaxMb", default: 2, min: 2, max: 2 }
        .entry("单张图片上限(MB)", "上传")
        .fixed(),
];
/// Results of jobs and error sheets are kept a week (05 E3).
const RESULT_DAYS: i64 = 7;

permissions! {
    pages "/dashboard";
    Anywhere ReadsLogged ViewFile = "system:pc:upload:view" "查看私有文件";
}

/// Who may read a file, as the wire counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileType {
    Picture = 1,
    Public = 2,
    Private = 3,
}

impl FileType {
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
            StoreError::BadLink | StoreError::Expired => Self::new(403, "文件地址已失效，请重新获取"),
            other => Self::internal(other),
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
    pub uploader: i64,
    pub expires_at: Option<Moment>,
}

/// `<directory>/<s<schoolId>|platform>/<yyyyMM>/<32 random characters>.<ext>` (01 §4.1).
fn new_key(app: &App, school_id: Option<i64>, kind: FileType, extension: &str) -> String {
    let place = school_id.map_or_else(|| "platform".to_owned(), |id| format!("s{id}"));
    let month = app.clock().now().format("%Y%m");
    let random = app.random().text(b"abcdefghijklmnopqrstuvwxyz0123456789", 32);
    format!("{}/{place}/{month}/{random}.{extension}", kind.directory())
}

fn extension_of(name: &str) -> String {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    if !extension.is_empty() && extension.len() <= 8 && extension.bytes().all(|b| b.is_ascii_alphanumeric()) {
        extension
    } else {
        "bin".to_owned()
    }
}

/// Keeps a file of this machine in the store and notes it in the transaction's schema. The bytes are stored first: a row
/// without bytes could be read, bytes without a row are swept away.
pub async fn keep(
    app: &App,
    connection: &mut PgConnection,
    school_id: Option<i64>,
    file: &NewFile<'_>,
    path: &Path,
) -> Result<i64> {
    let key = new_key(app, school_id, file.kind, &extension_of(file.name));
    app.store().put_file(&key, file.content_type, path).await?;
    let size = tokio::fs::metadata(path).await.map_err(Error::internal)?.len();
    note(connection, &key, file, i64::try_from(size).unwrap_or(i64::MAX), "stored").await
}

/// The same for bytes in memory.
pub async fn keep_bytes(
    app: &App,
    connection: &mut PgConnection,
    school_id: Option<i64>,
    file: &NewFile<'_>,
    bytes: Bytes,
) -> Result<(i64, String)> {
    let key = new_key(app, school_id, file.kind, &extension_of(file.name));
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    app.store().put(&key, file.content_type, bytes).await?;
    Ok((note(connection, &key, file, size, "stored").await?, key))
}

async fn note(connection: &mut PgConnection, key: &str, file: &NewFile<'_>, size: i64, state: &str) -> Result<i64> {
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    let row = sqlx::query(
        "insert into file_object (key, original_name, size, content_type, file_type, state, owner_type, owner_id, uploader_id, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
    )
    .bind(key)
    .bind(file.name.chars().take(255).collect::<String>())
    .bind(size)
    .bind(file.content_type)
    .bind(file.kind as i16)
    .bind(state)
    .bind(file.owner.map(|(kind, _)| kind))
    .bind(file.owner.map(|(_, id)| id))
    .bind(file.uploader)
    .bind(file.expires_at)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}

/// Keeps the result of a job or the marked copy of a sheet in `platform` for a week.
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
        uploader,
        expires_at: Some(app.clock().now() + chrono::Duration::days(RESULT_DAYS)),
    };
    let mut tx = app.db().in_platform(crate::db::Purpose::Write).await?;
    let id = keep(app, &mut tx, school_id, &file, path).await?;
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

async fn url_of(app: &App, key: &str, name: &str) -> Result<String> {
    if key.starts_with("public/") {
        return Ok(public_url(app, key));
    }
    Ok(app.store().download_url(key, name, app.clock().now()).await?)
}

fn public_url(app: &App, key: &str) -> String {
    let base = &app.config().store.public_base_url;
    if base.is_empty() { format!("/admin/files/{key}") } else { format!("{}/{key}", base.trim_end_matches('/')) }
}

/// What a browser wants to upload directly.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
struct TicketForm {
    /// 文件名
    #[oai(validator(max_length = 255))]
    file_name: String,
    /// 大小(字节)
    #[oai(validator(minimum(value = "1")))]
    size: i64,
    /// 内容类型
    #[oai(validator(max_length = 120, pattern = "^[a-z0-9.+-]+/[a-z0-9.+-]+$"))]
    content_type: String,
    /// 文件类型
    /// 1图片 2公开附件 3私有附件
    #[oai(rename = "type", validator(minimum(value = "1"), maximum(value = "3")))]
    kind: i16,
    /// 用途
    #[oai(validator(max_length = 30))]
    purpose: Option<String>,
}

impl Example for TicketForm {
    fn example() -> Self {
        Self {
            file_name: "证明.pdf".to_owned(),
            size: 1024,
            content_type: "application/pdf".to_owned(),
            kind: 3,
            purpose: None,
        }
    }
}

/// Where and how to upload.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct UploadTicket {
    /// 键
    key: String,
    /// 上传地址
    url: String,
    /// 方法
    method: String,
    /// 请求头
    headers: poem_openapi::types::Any<std::collections::BTreeMap<String, String>>,
    /// 公开地址
    public_url: Option<String>,
    /// 有效期至
    expires_at: Moment,
}

#[derive(Debug, Object)]
#[oai(example)]
struct UploadedKey {
    /// 键
    #[oai(validator(max_length = 200))]
    key: String,
}

impl Example for UploadedKey {
    fn example() -> Self {
        Self { key: "private/s1/202611/0123456789abcdefghijklmnopqrstuv.pdf".to_owned() }
    }
}

/// A file as the wire shows it.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct FileObject {
    /// 编号
    id: i64,
    /// 键
    key: String,
    /// 文件名
    original_name: String,
    /// 大小(字节)
    size: i64,
    /// 内容类型
    content_type: String,
    /// 文件类型
    file_type: i16,
    /// 公开地址
    public_url: Option<String>,
}

#[derive(Debug, Object)]
struct SignedUrl {
    /// 地址
    url: String,
}

pub struct Files;

/// Programs never, whatever the purpose (01 §4.2.2).
const REFUSED: [&str; 12] = ["exe", "dll", "bat", "cmd", "com", "msi", "sh", "js", "jar", "php", "html", "svg"];

#[OpenApi(prefix_path = "/system/pc/upload", tag = "crate::Tag::Infra")]
impl Files {
    /// 上传图片
    #[oai(path = "/picture", method = "post", operation_id = "uploadPicture")]
    async fn picture(&self, caller: SignedIn<Writes>, form: PictureForm) -> Result<Reply<Picture>> {
        let name = form.pic_file.file_name().unwrap_or_default().to_owned();
        let declared = form.pic_file.content_type().unwrap_or_default().to_owned();
        if form.pic_file.size() as u64 >= PICTURE_BYTES {
            return Err(Error::refused("上传图片大小不能超过 2MB!"));
        }
        let bytes = form.pic_file.into_vec().await.map_err(Error::internal)?;
        let (bytes, format, width, height) = tokio::task::spawn_blocking(move || read_picture(&name, &declared, bytes))
            .await
            .map_err(Error::internal)??;
        let app = caller.app();
        let (content_type, extension) = (format.to_mime_type(), format.extensions_str()[0]);
        let file = NewFile {
            name: &format!("picture.{extension}"),
            content_type,
            kind: FileType::Picture,
            owner: None,
            uploader: caller.user_id(),
            expires_at: None,
        };
        let mut tx = caller.begin_home().await?;
        let (id, key) = keep_bytes(app, &mut tx, caller.session.school_id, &file, bytes.into()).await?;
        tx.commit(Change::event("file_object", id, "insert", serde_json::json!({ "key": key }))).await?;
        Ok(reply(Picture { url: public_url(caller.app(), &key), key, width, height }))
    }

    /// 申请直传
    #[oai(path = "/presign", method = "post", operation_id = "presignUpload")]
    async fn presign(&self, caller: SignedIn<Writes>, Body(form): Body<TicketForm>) -> Result<Reply<UploadTicket>> {
        let app = caller.app();
        let extension = extension_of(&form.file_name);
        if REFUSED.contains(&extension.as_str()) {
            return Err(Error::field("fileName", "不支持上传该文件格式"));
        }
        let most = app.int(UPLOAD_MB).await?;
        if form.size > most << 20 {
            return Err(Error::field("size", format!("文件大小不能超过{most}MB")));
        }
        let kind = FileType::of(form.kind).ok_or_else(Error::malformed)?;
        let key = new_key(app, caller.session.school_id, kind, &extension);
        let now = app.clock().now();
        let size = u64::try_from(form.size).map_err(|_| Error::malformed())?;
        let ticket = app.store().upload_ticket(&key, size, &form.content_type, now).await?;
        let file = NewFile {
            name: &form.file_name,
            content_type: &form.content_type,
            kind,
            owner: None,
            uploader: caller.user_id(),
            // What is not completed within a day is swept away.
            expires_at: Some(now + chrono::Duration::hours(24)),
        };
        let mut tx = caller.begin_home().await?;
        let id = note(&mut tx, &key, &file, form.size, "pending").await?;
        tx.commit(Change::event("file_object", id, "insert", serde_json::json!({ "key": key }))).await?;
        Ok(reply(UploadTicket {
            public_url: (kind != FileType::Private).then(|| public_url(app, &key)),
            key,
            url: ticket.url,
            method: ticket.method.to_owned(),
            headers: poem_openapi::types::Any(ticket.headers),
            expires_at: ticket.expires_at,
        }))
    }

    /// 完成直传
    #[oai(path = "/complete", method = "post", operation_id = "completeUpload")]
    async fn complete(&self, caller: SignedIn<Writes>, Body(form): Body<UploadedKey>) -> Result<Reply<FileObject>> {
        let app = caller.app();
        let mut tx = caller.begin_home().await?;
        let row = sqlx::query(
            "select id, original_name, size, content_type, file_type, state from file_object where key = $1 for update",
        )
        .bind(&form.key)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let file = FileObject {
            id: row.try_get(0)?,
            original_name: row.try_get(1)?,
            size: row.try_get(2)?,
            content_type: row.try_get(3)?,
            file_type: row.try_get(4)?,
            public_url: form.key.starts_with("public/").then(|| public_url(app, &form.key)),
            key: form.key,
        };
        let state: String = row.try_get(5)?;
        if state == "pending" {
            let head = app.store().head(&file.key).await?;
            let whole = head.is_some_and(|head| {
                i64::try_from(head.size) == Ok(file.size)
                    && head.content_type.is_none_or(|kind| kind == file.content_type)
            });
            if !whole {
                return Err(Error::conflict("文件上传不完整，请重新上传"));
            }
            sqlx::query("update file_object set state = 'stored', expires_at = null where id = $1")
                .bind(file.id)
                .execute(&mut *tx)
                .await?;
            tx.commit(Change::status("file_object", file.id, "state", "pending", "stored")).await?;
        }
        Ok(reply(file))
    }

    /// 私有文件签名地址
    #[oai(path = "/signedUrl", method = "get", operation_id = "signFileUrl")]
    async fn signed_url(
        &self,
        caller: Allowed<ViewFile>,
        /// 键
        key: Query<String>,
    ) -> Result<Reply<SignedUrl>> {
        let mut tx = caller.caller().home_read().await?;
        let row = sqlx::query("select original_name from file_object where key = $1 and state = 'stored'")
            .bind(&key.0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(Error::not_found)?;
        let name: String = row.try_get(0)?;
        Ok(reply(SignedUrl { url: url_of(caller.app(), &key.0, &name).await? }))
    }
}
