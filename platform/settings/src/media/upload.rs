//! 上传到阿里云点播、保利威、百家云 (01 §4.2.5): with JSON the browser gets what it needs to send the bytes itself; with a
//! file of at most 200 MB the server forwards it.

use std::collections::BTreeMap;

use infra::{
    Allowed, App, Body, Error, Reply, Result, Writes,
    access::{HomeOrNamed, Permission},
    body,
    clock::Moment,
    files::{VIDEO_MB, purpose},
    params::Param,
    permissions, reply,
};
use poem::{FromRequest, Request, RequestBody, web::Multipart};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Object, OpenApi,
    registry::{MetaRequest, Registry},
    types::{Any, Example, ToJSON, multipart::Upload},
};
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{
    asset::{self, VideoOwner},
    channel::{MediaChannel, MediaState, NewVideo, Status, for_new, forward},
};

/// The longest title, as the form has it.
const TITLE_SIGNS: usize = 100;
/// Largest file that the server forwards, in bytes.
const FORWARDED_BYTES: u64 = 200 << 20;

permissions! {
    pages
        "/dashboard",
        "/schoolPC/basicData/course/record/list/{courseId}", "/platformPC/basicData/course/record/list/chapterList";
    HomeOrNamed Writes UploadAliyun    = "system:pc:upload:aliyun" "上传到阿里云点播";
    HomeOrNamed Writes UploadPolyv     = "system:pc:upload:polyv" "上传到保利威";
    HomeOrNamed Writes UploadBaijiayun = "system:pc:upload:baijiayun" "上传到百家云";
}

/// A video that a browser wants to send. As a form it carries the field `file` besides, and the server sends it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct VideoForm {
    /// 文件名
    #[oai(validator(max_length = 255))]
    pub file_name: String,
    /// 大小(字节)
    #[oai(validator(minimum(value = "1")))]
    pub size: i64,
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: String,
    /// 分类编号
    #[oai(validator(max_length = 60))]
    pub category_id: Option<String>,
}

impl Example for VideoForm {
    fn example() -> Self {
        Self {
            file_name: "第一讲.mp4".to_owned(), size: 104_857_600, title: "第一讲".to_owned(), category_id: None
        }
    }
}

/// A video that was begun. Without a file it comes with what sends the bytes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct BegunVideo {
    /// 编号
    pub id: i64,
    /// 通道
    pub channel: MediaChannel,
    /// 通道编号
    pub vid: String,
    /// 状态
    pub state: MediaState,
    /// 上传地址
    pub upload_url: Option<String>,
    /// 方法
    pub method: Option<String>,
    /// 请求头
    pub headers: Option<Any<BTreeMap<String, String>>>,
    /// 表单字段
    pub fields: Option<Any<Vec<(String, String)>>>,
    /// 文件字段
    pub file_field: Option<String>,
    /// 有效期至
    pub expires_at: Option<Moment>,
}

/// The same as a form, with the bytes: what [`received`] reads, for the document.
#[derive(Debug, poem_openapi::Multipart)]
#[oai(rename_all = "camelCase")]
#[expect(dead_code, reason = "the fields are read one by one, and the file only up to its limit")]
struct ForwardedVideo {
    /// 文件
    /// 不超过200MB，由服务器转发
    file: Upload,
    /// 标题
    /// 不填时取文件名
    title: Option<String>,
    /// 分类编号
    category_id: Option<String>,
}

/// What came: the description alone, or the file too.
pub struct Sent {
    form: VideoForm,
    file: Option<NamedTempFile>,
}

impl<'a> ApiExtractor<'a> for Sent {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        Body::<VideoForm>::register(registry);
        ForwardedVideo::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let mut described = Body::<VideoForm>::request_meta()?;
        described.content.extend(ForwardedVideo::request_meta()?.content);
        Some(described)
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        if request.content_type().is_some_and(|kind| kind.starts_with("multipart/form-data")) {
            let multipart =
                <Multipart as FromRequest>::from_request(request, body).await.map_err(|_| Error::malformed())?;
            return Ok(received(multipart).await?);
        }
        let Body(form) = Body::<VideoForm>::from_request(request, body, options).await?;
        Ok(Self { form, file: None })
    }
}

/// Reads a form into a file of this machine, holding little of it in memory.
async fn received(mut multipart: Multipart) -> Result<Sent> {
    let (mut title, mut category_id, mut name, mut file) = (None, None, None, None);
    while let Some(field) = multipart.next_field().await.map_err(|_| Error::malformed())? {
        match field.name().unwrap_or_default() {
            "title" => title = Some(field.text().await.map_err(|_| Error::malformed())?),
            "categoryId" => category_id = Some(field.text().await.map_err(|_| Error::malformed())?),
            "file" => {
                name = field.file_name().map(ToOwned::to_owned);
                file = Some(written(field).await?);
            }
            _ => return Err(Error::malformed()),
        }
    }
    let (Some(file), Some(file_name)) = (file, name) else { return Err(Error::field("file", "请选择文件")) };
    let size = file.as_file().metadata().map_err(Error::internal)?.len();
    let form = VideoForm {
        title: title
            .filter(|title| !title.trim().is_empty())
            .unwrap_or_else(|| file_name.chars().take(TITLE_SIGNS).collect()),
        size: i64::try_from(size).map_err(Error::internal)?,
        file_name,
        category_id,
    };
    // The fields of a form are held to what its JSON is held to.
    let form = body::check(form.to_json().unwrap_or_default())?;
    Ok(Sent { form, file: Some(file) })
}

async fn written(field: poem::web::Field) -> Result<NamedTempFile> {
    let file = NamedTempFile::new().map_err(Error::of_disk)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::of_disk)?);
    let mut bytes = field.into_async_read().take(FORWARDED_BYTES + 1);
    let size = tokio::io::copy(&mut bytes, &mut target).await.map_err(|_| Error::malformed())?;
    if size > FORWARDED_BYTES {
        return Err(Error::field("file", "文件不能超过200MB，请使用直传"));
    }
    target.flush().await.map_err(Error::of_disk)?;
    Ok(file)
}

pub struct Uploads;

#[OpenApi(prefix_path = "/system/pc/upload", tag = "crate::Tag::Settings")]
impl Uploads {
    /// 上传到阿里云点播
    #[oai(path = "/aliyun", method = "post", operation_id = "uploadToAliyun")]
    async fn aliyun(&self, caller: Allowed<UploadAliyun>, sent: Sent) -> Result<Reply<BegunVideo>> {
        upload(&caller, MediaChannel::Aliyun, sent).await
    }

    /// 上传到保利威
    #[oai(path = "/polyv", method = "post", operation_id = "uploadToPolyv")]
    async fn polyv(&self, caller: Allowed<UploadPolyv>, sent: Sent) -> Result<Reply<BegunVideo>> {
        upload(&caller, MediaChannel::Polyv, sent).await
    }

    /// 上传到百家云
    #[oai(path = "/baijiayun", method = "post", operation_id = "uploadToBaijiayun")]
    async fn baijiayun(&self, caller: Allowed<UploadBaijiayun>, sent: Sent) -> Result<Reply<BegunVideo>> {
        upload(&caller, MediaChannel::Baijiayun, sent).await
    }
}

pub(super) const VIDEOS: Param = purpose("upload.ext.video", "视频格式", "mp4,mov,avi,flv,wmv,mkv,mpg,3gp,mp3,m4a,wav");

/// # Errors
/// 422 at the field of what no channel takes.
async fn may_be_sent(app: &App, form: &VideoForm) -> Result<()> {
    let most = app.int(VIDEO_MB).await?;
    if form.size > most << 20 {
        return Err(Error::field("size", format!("视频大小不能超过{most}MB")));
    }
    let listed = app.param_text(VIDEOS.code).await?;
    let extension = form.file_name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    if listed.split(',').any(|known| known == extension) {
        Ok(())
    } else {
        Err(Error::field("fileName", format!("不支持上传该文件格式，可上传：{}", listed.replace(',', "、"))))
    }
}

async fn upload<P>(caller: &Allowed<P>, channel: MediaChannel, sent: Sent) -> Result<Reply<BegunVideo>>
where
    P: Permission<Realm = HomeOrNamed, Mode = Writes>,
{
    let app = caller.app();
    let Sent { form, file } = sent;
    let school_id = caller.school_id();
    let (config_id, provider) = for_new(app, channel, school_id).await?;
    may_be_sent(app, &form).await?;
    let video = NewVideo { title: form.title, file_name: form.file_name, size: form.size, category: form.category_id };
    let ticket = provider.begin(&video, app.clock().now()).await?;
    let mut tx = caller.begin().await?;
    let id = asset::insert(&mut tx, channel, &ticket.vid, &video).await?;
    tx.commit(asset::created(id, channel, &ticket.vid, &video)).await?;
    asset::note_place(app, channel, &ticket.vid, &VideoOwner { school_id, config_id, media_id: id }).await?;
    let begun = BegunVideo {
        id,
        channel,
        vid: ticket.vid.clone(),
        state: MediaState::Uploading,
        upload_url: None,
        method: None,
        headers: None,
        fields: None,
        file_field: None,
        expires_at: None,
    };
    let Some(file) = file else {
        return Ok(reply(BegunVideo {
            upload_url: Some(ticket.url),
            method: Some(ticket.method.to_owned()),
            headers: Some(Any(ticket.headers)),
            fields: Some(Any(ticket.fields)),
            file_field: ticket.file_field.map(ToOwned::to_owned),
            expires_at: Some(ticket.expires_at),
            ..begun
        }));
    };
    let forwarded = forward(&ticket, &video.file_name, video.size, file.path()).await;
    let status = match &forwarded {
        Ok(()) => Status::of(MediaState::Processing),
        Err(error) => Status { fail_reason: Some(error.msg.to_string()), ..Status::of(MediaState::Failed) },
    };
    let mut tx = caller.begin().await?;
    if let Some(change) = asset::update(&mut tx, id, &status).await? {
        tx.commit(change).await?;
    }
    if let Err(error) = forwarded {
        // What was reserved and never filled would stay at the provider for ever.
        if let Err(left) = provider.delete(&ticket.vid, app.clock().now()).await {
            tracing::warn!(vid = %ticket.vid, %left, "an empty video stays at its provider");
        }
        return Err(error);
    }
    Ok(reply(BegunVideo { state: MediaState::Processing, ..begun }))
}
