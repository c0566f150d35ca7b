//! What every provider of videos can do, behind one trait: begin an upload, tell how far a video is, let one person play it,
//! delete it, prove that a message is theirs.

use std::{collections::BTreeMap, path::Path, time::Duration};

use async_trait::async_trait;
use infra::{App, Error, Result, clock::Moment};
use reqwest::{Client, RequestBuilder, multipart};
use serde_json::Value;
pub use setting_rules::media::{LISTED, ListPlace, ListedVideo, Listing, MediaChannel, MediaState, listing};
use tokio_util::io::ReaderStream;

use super::{aliyun::Aliyun, baijiayun::Baijiayun, polyv::Polyv};
use crate::config::{ConfigKind, chosen, of_id};

/// A video to be uploaded.
#[derive(Debug, Clone)]
pub struct NewVideo {
    pub title: String,
    pub file_name: String,
    pub size: i64,
    pub category: Option<String>,
}

/// How a browser, or this server for it, sends the bytes to the provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticket {
    pub vid: String,
    pub method: &'static str,
    pub url: String,
    pub headers: BTreeMap<String, String>,
    /// Fields of the form before the file, in their order; empty where the bytes are the body.
    pub fields: Vec<(String, String)>,
    /// The file's field of the form.
    pub file_field: Option<&'static str>,
    pub expires_at: Moment,
}

/// How far a video is.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub state: MediaState,
    /// Seconds.
    pub duration: Option<i32>,
    pub size: Option<i64>,
    pub cover_url: Option<String>,
    pub fail_reason: Option<String>,
}

impl Status {
    pub fn of(state: MediaState) -> Self {
        Self { state, duration: None, size: None, cover_url: None, fail_reason: None }
    }
}

/// What a player needs for one person.
#[derive(Debug, Clone, PartialEq)]
pub struct Play {
    pub token: String,
}

/// Where somebody looks at a video who has none of the providers' players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    /// A page of the provider's that may stand in a frame.
    Page(String),
    /// A file that browsers play.
    File(String),
    /// It is encrypted, or in no format that browsers play.
    Sealed,
}

/// A message that says it comes from a provider.
#[derive(Debug, Clone, Default)]
pub struct Message {
    /// Of the query and of a form, by their names.
    pub fields: BTreeMap<String, String>,
    pub body: Value,
    pub timestamp: Option<String>,
    pub signature: Option<String>,
    /// The addresses under which this server was called, with and without encryption.
    pub addresses: Vec<String>,
}

#[async_trait]
pub trait Channel: Send + Sync {
    /// Reserves the video at the provider.
    async fn begin(&self, video: &NewVideo, now: Moment) -> Result<Ticket>;
    /// None when the provider does not know it.
    async fn status(&self, vid: &str, now: Moment) -> Result<Option<Status>>;
    async fn play(&self, vid: &str, person: &str, now: Moment) -> Result<Play>;
    /// With what [`Channel::play`] gave.
    async fn preview(&self, vid: &str, play: &Play, now: Moment) -> Result<Preview>;
    async fn delete(&self, vid: &str, now: Moment) -> Result<()>;
    /// One page of all its videos, whoever sent them.
    async fn list(&self, at: &ListPlace, now: Moment) -> Result<Listing>;
    /// Tells the provider where its messages go; nothing where that is only entered by hand.
    async fn listen_at(&self, address: &str, now: Moment) -> Result<()>;
    /// Whether a message is the provider's.
    fn is_theirs(&self, message: &Message, now: Moment) -> bool;
}

/// The video that a message is about; nothing of it is believed before it was checked.
pub fn vid_of(channel: MediaChannel, message: &Message) -> Option<String> {
    let field = |name: &str| message.fields.get(name).cloned();
    match channel {
        MediaChannel::Aliyun => message.body["VideoId"].as_str().map(ToOwned::to_owned),
        MediaChannel::Polyv => field("vid"),
        MediaChannel::Baijiayun => field("video_id"),
        MediaChannel::Storage => None,
    }
}

/// Where the providers answer. Only a test has others, and says so before the first call.
#[derive(Debug, Clone)]
pub struct Endpoints {
    pub aliyun: Option<String>,
    pub polyv_api: String,
    pub polyv_token: String,
    pub baijiayun: Option<String>,
}

impl Default for Endpoints {
    fn default() -> Self {
        Self {
            aliyun: None,
            polyv_api: "https://api.polyv.net".to_owned(),
            polyv_token: "https://hls.videocc.net".to_owned(),
            baijiayun: None,
        }
    }
}

pub(crate) fn endpoints(app: &App) -> Endpoints {
    (*app.of_room(|_| Endpoints::default())).clone()
}

/// # Errors
/// 409 when no enabled config of the channel is there.
pub async fn for_new(app: &App, channel: MediaChannel, school_id: Option<i64>) -> Result<(i64, Box<dyn Channel>)> {
    let none = || Error::conflict("未启用该上传通道，请先在系统配置中设置");
    let kind = kind_of(channel).ok_or_else(none)?;
    Ok(match channel {
        MediaChannel::Aliyun => {
            let (id, config) = chosen(app, kind, school_id).await?.ok_or_else(none)?;
            (id, Box::new(Aliyun::new(app, id, config)?))
        }
        MediaChannel::Polyv => {
            let (id, config) = chosen(app, kind, school_id).await?.ok_or_else(none)?;
            (id, Box::new(Polyv::new(app, config)?))
        }
        _ => {
            let (id, config) = chosen(app, kind, school_id).await?.ok_or_else(none)?;
            (id, Box::new(Baijiayun::new(app, config)?))
        }
    })
}

/// The channel of a video that exists, with the config under which it was uploaded.
pub async fn of_config(app: &App, channel: MediaChannel, config: i64) -> Result<Box<dyn Channel>> {
    Ok(match channel {
        MediaChannel::Aliyun => Box::new(Aliyun::new(app, config, of_id(app, config).await?)?),
        MediaChannel::Polyv => Box::new(Polyv::new(app, of_id(app, config).await?)?),
        MediaChannel::Baijiayun => Box::new(Baijiayun::new(app, of_id(app, config).await?)?),
        MediaChannel::Storage => return Err(Error::internal("the store is no channel")),
    })
}

/// The channel that a kind of config sets up.
pub(super) const fn channel_of(kind: ConfigKind) -> Option<MediaChannel> {
    match kind {
        ConfigKind::VideoAliyun => Some(MediaChannel::Aliyun),
        ConfigKind::VideoPolyv => Some(MediaChannel::Polyv),
        ConfigKind::VideoBaijiayun => Some(MediaChannel::Baijiayun),
        _ => None,
    }
}

const fn kind_of(channel: MediaChannel) -> Option<ConfigKind> {
    match channel {
        MediaChannel::Storage => None,
        MediaChannel::Aliyun => Some(ConfigKind::VideoAliyun),
        MediaChannel::Polyv => Some(ConfigKind::VideoPolyv),
        MediaChannel::Baijiayun => Some(ConfigKind::VideoBaijiayun),
    }
}

pub(super) fn client() -> Result<Client> {
    Client::builder().timeout(Duration::from_secs(15)).build().map_err(Error::internal)
}

/// The provider's answer. The address of an error carries a signature, so it is neither told nor logged.
pub(super) async fn asked(request: RequestBuilder) -> Result<Value> {
    let answer = request.send().await.map_err(|_| Error::conflict("无法连接音视频服务商，请检查网络后重试"))?;
    let status = answer.status();
    answer.json().await.map_err(|_| Error::conflict(format!("音视频服务商的应答无法识别（{}）", status.as_u16())))
}

pub(super) fn refused(reason: &Value) -> Error {
    Error::conflict(format!("音视频服务商拒绝了请求：{}", reason.as_str().unwrap_or("未说明原因")))
}

/// A text of the answer that must be there.
pub(super) fn text(answer: &Value, name: &str) -> Result<String> {
    match &answer[name] {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Error::internal(format!("the provider's answer lacks {name}"))),
    }
}

/// The videos of an array, by the names of their number and their title.
pub(super) fn videos_of(listed: &[Value], vid: &str, title: &str) -> Result<Vec<ListedVideo>> {
    let video = |each: &Value| {
        let title = each[title].as_str().unwrap_or_default().to_owned();
        Ok(ListedVideo { vid: text(each, vid)?, title })
    };
    listed.iter().map(video).collect()
}

/// A number that some providers write as text.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().map(|number| number as i64)).or_else(|| value.as_str()?.parse().ok())
}

/// Sends a file of this machine as the ticket says, holding little of it in memory.
pub async fn forward(ticket: &Ticket, name: &str, size: i64, path: &Path) -> Result<()> {
    let file = tokio::fs::File::open(path).await.map_err(Error::internal)?;
    let length = u64::try_from(size).map_err(Error::internal)?;
    let body = reqwest::Body::wrap_stream(ReaderStream::new(file));
    // A large file takes its time.
    let client = Client::builder().timeout(Duration::from_secs(1800)).build().map_err(Error::internal)?;
    let mut request =
        client.request(if ticket.method == "PUT" { reqwest::Method::PUT } else { reqwest::Method::POST }, &ticket.url);
    for (header, value) in &ticket.headers {
        request = request.header(header, value);
    }
    request = match ticket.file_field {
        None => request.header("content-length", length).body(body),
        Some(field) => {
            let form = ticket
                .fields
                .iter()
                .fold(multipart::Form::new(), |form, (field, value)| form.text(field.clone(), value.clone()));
            let part = multipart::Part::stream_with_length(body, length).file_name(name.to_owned());
            request.multipart(form.part(field, part))
        }
    };
    let answer = request.send().await.map_err(|_| Error::conflict("上传到音视频服务商失败，请检查网络后重试"))?;
    if answer.status().is_success() {
        Ok(())
    } else {
        Err(Error::conflict(format!("音视频服务商没有接收文件（{}）", answer.status().as_u16())))
    }
}
