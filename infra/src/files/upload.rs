//! Uploads: pictures through the server, everything else directly to the store (01 §4.2, §4.4). The operations here are
//! the console's; a module that serves clients announces and completes with [`Announced`] and [`complete`].

use std::sync::Arc;

use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::Row;

use super::{
    FileType, NewFile, Stored, UploadParts, Uploader, close_private, extension_of,
    file_store::{self, FileStore},
    is_public, keep_bytes, new_key, note, parts,
    picture::{PICTURE_BYTES, Picture, PictureForm, read_picture},
    types::{REFUSED, is_servable},
    url_of, usage,
};
use crate::{
    Allowed, App, Body, Change, Error, Reads, Reply, Result, SignedIn, Writes,
    access::HomeOrNamed,
    clock::Moment,
    params::{IntParam, Param, ParamKind},
    permissions, reply,
    tx::Tx,
};

/// Largest direct upload, in MiB; videos have their own.
const UPLOAD_MB: IntParam = IntParam { code: "upload.maxMb", default: 500, min: 1, max: 5000 };
/// Largest video, in MiB.
pub const VIDEO_MB: IntParam = IntParam { code: "upload.videoMaxMb", default: 4096, min: 1, max: 20_480 };

/// The extensions of a purpose, as people type them.
const EXTENSIONS: &str = "^[a-z0-9]{1,8}(,[a-z0-9]{1,8})*$";

/// A purpose of uploads, `upload.ext.<purpose>`, with the extensions that it takes until an operator says otherwise. Whoever
/// stores the files tells it among the parameters of their module.
pub const fn purpose(code: &'static str, name: &'static str, default: &'static str) -> Param {
    let hint = "扩展名用英文逗号分隔，例如 pdf,docx,jpg";
    Param::new(code, name, "上传", ParamKind::Text { default, pattern: EXTENSIONS, hint })
}

/// Pictures have their own limit, which is a rule of the product ([`PICTURE_BYTES`]).
pub const PARAMS: &[Param] = &[
    UPLOAD_MB.entry("单个文件上限(MB)", "上传"),
    VIDEO_MB.entry("单个视频上限(MB)", "上传"),
    IntParam { code: "upload.imageMaxMb", default: 2, min: 2, max: 2 }.entry("单张图片上限(MB)", "上传").fixed(),
];

permissions! {
    pages "/dashboard";
    HomeOrNamed ReadsLogged ViewFile = "system:pc:upload:view" "查看私有文件";
}

/// # Errors
/// 422 at `fileName` for programs, and for what the purpose does not take.
pub(super) async fn allowed(app: &App, extension: &str, purpose: Option<&str>) -> Result<()> {
    let refused = || Error::field("fileName", "不支持上传该文件格式");
    if REFUSED.contains(&extension) {
        return Err(refused());
    }
    let Some(purpose) = purpose else { return Ok(()) };
    let code = format!("upload.ext.{purpose}");
    if !app.modules().params().any(|param| param.code == code) {
        return Err(Error::field("purpose", "上传用途不存在"));
    }
    let listed = app.param_text(&code).await?;
    if listed.split(',').any(|known| known == extension) {
        return Ok(());
    }
    Err(Error::field("fileName", format!("不支持上传该文件格式，可上传：{}", listed.replace(',', "、"))))
}

/// What a browser wants to upload directly.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TicketForm {
    /// 文件名
    #[oai(validator(max_length = 255))]
    pub file_name: String,
    /// 大小(字节)
    #[oai(validator(minimum(value = "1")))]
    pub size: i64,
    /// 内容类型
    #[oai(validator(max_length = 120, pattern = "^[a-z0-9.+-]+/[a-z0-9.+-]+$"))]
    pub content_type: String,
    /// 文件类型
    /// 1图片 2公开附件 3私有附件
    #[oai(rename = "type", validator(minimum(value = "1"), maximum(value = "3")))]
    pub kind: i16,
    /// 用途
    #[oai(validator(max_length = 30))]
    pub purpose: Option<String>,
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
pub struct UploadTicket {
    /// 键
    pub key: String,
    /// 上传地址
    pub url: String,
    /// 方法
    pub method: String,
    /// 请求头
    pub headers: poem_openapi::types::Any<std::collections::BTreeMap<String, String>>,
    /// 公开地址
    pub public_url: Option<String>,
    /// 有效期至
    pub expires_at: Moment,
    /// 分片大小(字节)
    /// A large file goes better in parts of this size, whose addresses `parts` gives; what broke off then goes on. It may go
    /// whole to the address above all the same. Absent for small files.
    pub part_size: Option<i64>,
}

#[derive(Debug, Object)]
#[oai(example)]
pub struct UploadedKey {
    /// 键
    #[oai(validator(max_length = 200))]
    pub key: String,
}

impl Example for UploadedKey {
    fn example() -> Self {
        Self { key: "private/s1/202611/0123456789abcdefghijklmnopqrstuv.pdf".to_owned() }
    }
}

/// A file as the wire shows it.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct FileObject {
    /// 编号
    pub id: i64,
    /// 键
    pub key: String,
    /// 文件名
    pub original_name: String,
    /// 大小(字节)
    pub size: i64,
    /// 内容类型
    pub content_type: String,
    /// 文件类型
    pub file_type: i16,
    /// 公开地址
    pub public_url: Option<String>,
}

#[derive(Debug, Object)]
struct SignedUrl {
    /// 地址
    url: String,
}

/// A direct upload that is allowed and signed, and not noted yet.
#[derive(Debug)]
pub struct Announced {
    school_id: Option<i64>,
    form: TicketForm,
    kind: FileType,
    key: String,
    place: Arc<FileStore>,
    ticket: store::Ticket,
    begun: Option<parts::Begun>,
    public_url: Option<String>,
    /// What is not completed by then is swept away.
    expires_at: Moment,
}

impl Announced {
    /// # Errors
    /// 422 at `fileName`, `purpose` or `size` for what is not taken.
    pub async fn of(app: &App, school_id: Option<i64>, form: TicketForm) -> Result<Self> {
        let extension = extension_of(&form.file_name);
        allowed(app, &extension, form.purpose.as_deref()).await?;
        let most = app.int(if form.purpose.as_deref() == Some("video") { VIDEO_MB } else { UPLOAD_MB }).await?;
        if form.size > most << 20 {
            return Err(Error::field("size", format!("文件大小不能超过{most}MB")));
        }
        let kind = FileType::of(form.kind).ok_or_else(Error::malformed)?;
        is_servable(kind, &extension, &form.content_type)?;
        let place = file_store::for_new(app, school_id).await?;
        let key = new_key(app, &place, school_id, kind, &extension);
        let now = app.clock().now();
        let size = u64::try_from(form.size).map_err(|_| Error::malformed())?;
        let ticket = place.store.upload_ticket(&place.path(&key), size, &form.content_type, *now).await?;
        let begun = parts::Begun::when_large(&place, &key, size, &form.content_type).await?;
        let public_url = (kind != FileType::Private).then(|| place.public_url(&key));
        let expires_at = now + chrono::Duration::hours(24);
        Ok(Self { school_id, form, kind, key, place, ticket, begun, public_url, expires_at })
    }

    /// Notes the file where the transaction is, so that it can be sent. From here on it fills the school's storage.
    ///
    /// # Errors
    /// 409 when that is full.
    pub async fn note(self, tx: &mut Tx, uploader: Uploader<'_>) -> Result<(UploadTicket, Change)> {
        let app = tx.app().clone();
        if let Err(full) = usage::room_for(&app, tx, self.school_id, self.form.size).await {
            if let Some(begun) = &self.begun {
                begun.give_up(&self.place, &self.key).await;
            }
            return Err(full);
        }
        let file = NewFile {
            name: &self.form.file_name,
            content_type: &self.form.content_type,
            kind: self.kind,
            owner: None,
            uploader,
            expires_at: Some(self.expires_at),
        };
        let id = note(tx, &self.key, &file, self.form.size, Stored::Pending).await?;
        if let Some(begun) = &self.begun {
            begun.note(tx, id).await?;
        }
        let change = Change::event("file_object", id, "insert", serde_json::json!({ "key": self.key }));
        let ticket = UploadTicket {
            key: self.key,
            url: self.ticket.url,
            method: self.ticket.method.to_owned(),
            headers: poem_openapi::types::Any(self.ticket.headers),
            public_url: self.public_url,
            expires_at: self.ticket.expires_at.into(),
            part_size: self.begun.as_ref().map(parts::Begun::part_size),
        };
        Ok((ticket, change))
    }
}

/// The file of this key, once it is in the store as it was announced; said again, it is answered again. What came in parts
/// is put together before, by [`join`](parts::join).
///
/// # Errors
/// 404 when there is no such file, or none of that uploader; 409 when it is not there whole.
pub async fn complete(mut tx: Tx, key: String, of: Uploader<'_>) -> Result<FileObject> {
    let app = tx.app().clone();
    let row = sqlx::query(
        "select id, original_name, size, content_type, file_type, state from file_object
         where key = $1 and uploader_type = $2 and uploader_id = $3 for update",
    )
    .bind(&key)
    .bind(of.kind())
    .bind(of.id())
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let place = file_store::of_key(&app, &key).await?;
    let file = FileObject {
        id: row.try_get(0)?,
        original_name: row.try_get(1)?,
        size: row.try_get(2)?,
        content_type: row.try_get(3)?,
        file_type: row.try_get(4)?,
        public_url: is_public(&key).then(|| place.public_url(&key)),
        key,
    };
    let state: String = row.try_get(5)?;
    if state == "pending" {
        // The store serves it under this type, which its announcement pinned.
        let kind = FileType::of(file.file_type).ok_or_else(Error::malformed)?;
        is_servable(kind, &extension_of(&file.key), &file.content_type)?;
        let head = place.store.head(&place.path(&file.key)).await?;
        let whole = head.is_some_and(|head| {
            i64::try_from(head.size) == Ok(file.size) && head.content_type.is_none_or(|kind| kind == file.content_type)
        });
        if !whole {
            return Err(Error::conflict("文件上传不完整，请重新上传"));
        }
        close_private(&place, &file.key).await?;
        sqlx::query(
            "update file_object set state = 'stored', expires_at = null, upload_id = null, part_size = null where id = $1",
        )
        .bind(file.id)
        .execute(&mut *tx)
        .await?;
        tx.commit(Change::status("file_object", file.id, "state", "pending", "stored")).await?;
    }
    Ok(file)
}

pub struct Files;

#[OpenApi(prefix_path = "/system/pc/upload", tag = "crate::Tag::Infra")]
impl Files {
    /// 上传图片
    #[oai(path = "/picture", method = "post", operation_id = "uploadPicture")]
    async fn picture(&self, caller: SignedIn<Writes, HomeOrNamed>, form: PictureForm) -> Result<Reply<Picture>> {
        let name = form.pic_file.file_name().unwrap_or_default().to_owned();
        let sent_as = name.clone();
        let declared = form.pic_file.content_type().unwrap_or_default().to_owned();
        if form.pic_file.size() as u64 >= PICTURE_BYTES {
            return Err(Error::refused("上传图片大小不能超过 2MB!"));
        }
        let bytes = form.pic_file.into_vec().await.map_err(Error::internal)?;
        let (bytes, format, width, height) = tokio::task::spawn_blocking(move || read_picture(&name, &declared, bytes))
            .await
            .map_err(Error::internal)??;
        let app = caller.app();
        let file = NewFile {
            name: &sent_as,
            content_type: format.to_mime_type(),
            kind: FileType::Picture,
            owner: None,
            uploader: Uploader::Account(caller.user_id()),
            expires_at: None,
        };
        let mut tx = caller.begin_home().await?;
        let (id, key) = keep_bytes(app, &mut tx, caller.school_id(), &file, bytes.into()).await?;
        tx.commit(Change::event("file_object", id, "insert", serde_json::json!({ "key": key }))).await?;
        Ok(reply(Picture { url: file_store::of_key(caller.app(), &key).await?.public_url(&key), key, width, height }))
    }

    /// 申请直传
    #[oai(path = "/presign", method = "post", operation_id = "presignUpload")]
    async fn presign(
        &self,
        caller: SignedIn<Writes, HomeOrNamed>,
        Body(form): Body<TicketForm>,
    ) -> Result<Reply<UploadTicket>> {
        let announced = Announced::of(caller.app(), caller.school_id(), form).await?;
        let mut tx = caller.begin_home().await?;
        let (ticket, change) = announced.note(&mut tx, Uploader::Account(caller.user_id())).await?;
        tx.commit(change).await?;
        Ok(reply(ticket))
    }

    /// 分片上传进度
    /// Which parts of a large file have arrived, and short-lived addresses for the next ones.
    #[oai(path = "/parts", method = "post", operation_id = "listUploadParts")]
    async fn parts(
        &self,
        caller: SignedIn<Reads, HomeOrNamed>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<UploadParts>> {
        let tx = caller.home_read().await?;
        Ok(reply(parts::progress(caller.app(), tx, &form.key, Uploader::Account(caller.user_id())).await?))
    }

    /// 完成直传
    #[oai(path = "/complete", method = "post", operation_id = "completeUpload")]
    async fn complete(
        &self,
        caller: SignedIn<Writes, HomeOrNamed>,
        Body(form): Body<UploadedKey>,
    ) -> Result<Reply<FileObject>> {
        let uploader = Uploader::Account(caller.user_id());
        parts::join(caller.app(), caller.home_read().await?, &form.key, uploader).await?;
        let tx = caller.begin_home().await?;
        Ok(reply(complete(tx, form.key, uploader).await?))
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
        // Unchecked because the table stands in `platform` and in every school; the path decides.
        let row = sqlx::query(
            "select original_name, uploader_type = 'account' and uploader_id = $2, owner_type, owner_id
             from file_object where key = $1 and state = 'stored'",
        )
        .bind(&key.0)
        .bind(caller.user_id())
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let (name, own): (String, bool) = (row.try_get(0)?, row.try_get(1)?);
        let (table, record): (Option<String>, Option<i64>) = (row.try_get(2)?, row.try_get(3)?);
        if !own {
            // A file opens with the record that it belongs to; the result of a job is its starter's alone.
            let history = table.as_deref().and_then(|table| caller.app().modules().history(table));
            let (history, record) = history.zip(record).ok_or_else(Error::not_found)?;
            caller.app().modules().admit(&mut tx, history, record, caller.rights(), caller.user_id()).await?;
        }
        Ok(reply(SignedUrl { url: url_of(caller.app(), &key.0, &name).await? }))
    }
}
