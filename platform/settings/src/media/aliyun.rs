//! 阿里云点播 (API version 2017-03-21).

use std::collections::BTreeMap;

use async_trait::async_trait;
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::{App, Error, Result, clock::Moment, migrate::hex};
use serde_json::Value;
use setting_rules::aliyun::{beyond, written};

use super::{
    channel::{
        Channel, LISTED, ListPlace, Listing, MediaState, Message, NewVideo, Play, Preview, Status, Ticket, asked,
        client, endpoints, number, refused, text, videos_of,
    },
    sign::{self, Parameters},
};
use crate::config::kinds::AliyunVideoConfig;

/// Seconds by which a message's time may differ from ours.
const LATE: i64 = 300;
/// How long the address of an upload is used; the temporary key itself lives an hour.
const MINUTES: i64 = 50;

pub(super) struct Aliyun {
    config: AliyunVideoConfig,
    api: String,
    app: App,
    callback_key: String,
}

/// The key under which the provider signs its messages: derived, so that nobody has to keep it, and told to the provider
/// with the address.
fn callback_key(app: &App, config_id: i64) -> String {
    hex(&app.keys().sign(format!("messages of the video config {config_id}").as_bytes())).chars().take(32).collect()
}

impl Aliyun {
    pub(super) fn new(app: &App, config_id: i64, config: AliyunVideoConfig) -> Result<Self> {
        let api = endpoints(app).aliyun.unwrap_or_else(|| format!("https://vod.{}.aliyuncs.com", config.region));
        Ok(Self { config, api, app: app.clone(), callback_key: callback_key(app, config_id) })
    }

    async fn call(&self, action: &'static str, own: Parameters, now: Moment) -> Result<Value> {
        let answer = self.answer(action, own, now).await?;
        match answer["Code"].as_str() {
            None => Ok(answer),
            Some(code) if code.starts_with("InvalidVideo.NotFound") => Ok(Value::Null),
            Some(_) => Err(refused(&answer["Message"])),
        }
    }

    /// What it says, be it a refusal.
    async fn answer(&self, action: &'static str, own: Parameters, now: Moment) -> Result<Value> {
        let mut parameters = own;
        parameters.extend([
            ("AccessKeyId", self.config.key_id.clone()),
            ("Action", action.to_owned()),
            ("Format", "JSON".to_owned()),
            ("SignatureMethod", "HMAC-SHA1".to_owned()),
            ("SignatureNonce", self.app.random().uuid().to_string()),
            ("SignatureVersion", "1.0".to_owned()),
            ("Timestamp", written(now)),
            ("Version", "2017-03-21".to_owned()),
        ]);
        let signature = sign::aliyun(&parameters, self.config.secret.as_deref().unwrap_or_default());
        parameters.insert("Signature", signature);
        asked(client()?.get(format!("{}/", self.api)).query(&parameters)).await
    }
}

fn decoded(answer: &Value, name: &str) -> Result<Value> {
    let bytes = BASE64_STANDARD.decode(text(answer, name)?).map_err(Error::internal)?;
    serde_json::from_slice(&bytes).map_err(Error::internal)
}

#[async_trait]
impl Channel for Aliyun {
    async fn begin(&self, video: &NewVideo, now: Moment) -> Result<Ticket> {
        let mut own = Parameters::from([("Title", video.title.clone()), ("FileName", video.file_name.clone())]);
        own.extend(video.category.clone().map(|category| ("CateId", category)));
        own.extend(self.config.template_group_id.clone().map(|group| ("TemplateGroupId", group)));
        let answer = self.call("CreateUploadVideo", own, now).await?;
        let (address, auth) = (decoded(&answer, "UploadAddress")?, decoded(&answer, "UploadAuth")?);
        let (bucket, object) = (text(&address, "Bucket")?, text(&address, "FileName")?);
        let endpoint = text(&address, "Endpoint")?;
        let (scheme, host) = endpoint.split_once("://").unwrap_or(("https", &endpoint));
        let token = text(&auth, "SecurityToken")?;
        let expires_at = now + chrono::Duration::minutes(MINUTES);
        let expires = expires_at.timestamp();
        let content_type = "application/octet-stream";
        let secret = text(&auth, "AccessKeySecret")?;
        let signature = sign::oss_upload(&secret, &token, content_type, expires, &bucket, &object);
        let url = format!(
            "{scheme}://{bucket}.{host}/{object}?OSSAccessKeyId={}&Expires={expires}&Signature={}&security-token={}",
            sign::percent(&text(&auth, "AccessKeyId")?),
            sign::percent(&signature),
            sign::percent(&token)
        );
        Ok(Ticket {
            vid: text(&answer, "VideoId")?,
            method: "PUT",
            url,
            headers: BTreeMap::from([("Content-Type".to_owned(), content_type.to_owned())]),
            fields: Vec::new(),
            file_field: None,
            expires_at,
        })
    }

    async fn status(&self, vid: &str, now: Moment) -> Result<Option<Status>> {
        let answer = self.call("GetVideoInfo", Parameters::from([("VideoId", vid.to_owned())]), now).await?;
        let video = &answer["Video"];
        let Some(word) = video["Status"].as_str() else { return Ok(None) };
        let state = match word {
            "Uploading" => MediaState::Uploading,
            "Normal" => MediaState::Ready,
            "UploadFail" | "TranscodeFail" | "Blocked" => MediaState::Failed,
            _ => MediaState::Processing,
        };
        Ok(Some(Status {
            state,
            duration: number(&video["Duration"]).and_then(|seconds| i32::try_from(seconds).ok()),
            size: number(&video["Size"]),
            cover_url: video["CoverURL"].as_str().map(ToOwned::to_owned),
            fail_reason: (state == MediaState::Failed).then(|| {
                let zh = match word {
                    "UploadFail" => "上传失败",
                    "TranscodeFail" => "转码失败",
                    _ => "视频被屏蔽",
                };
                zh.to_owned()
            }),
        }))
    }

    async fn play(&self, vid: &str, _person: &str, now: Moment) -> Result<Play> {
        let answer = self.call("GetVideoPlayAuth", Parameters::from([("VideoId", vid.to_owned())]), now).await?;
        Ok(Play { token: text(&answer, "PlayAuth")? })
    }

    /// Its player is a script; what is not encrypted it also has as files.
    async fn preview(&self, vid: &str, _play: &Play, now: Moment) -> Result<Preview> {
        let own = Parameters::from([("VideoId", vid.to_owned()), ("Formats", "mp4,mp3".to_owned())]);
        let answer = self.answer("GetPlayInfo", own, now).await?;
        match answer["Code"].as_str() {
            None => {}
            Some("InvalidVideo.NoneStream" | "Forbidden.AliyunVoDEncryption") => return Ok(Preview::Sealed),
            Some(_) => return Err(refused(&answer["Message"])),
        }
        let streams = answer["PlayInfoList"]["PlayInfo"].as_array().map(Vec::as_slice).unwrap_or_default();
        let open = streams.iter().find(|stream| number(&stream["Encrypt"]) != Some(1));
        let file = open.and_then(|stream| stream["PlayURL"].as_str());
        Ok(file.map_or(Preview::Sealed, |file| Preview::File(file.to_owned())))
    }

    async fn delete(&self, vid: &str, now: Moment) -> Result<()> {
        self.call("DeleteVideo", Parameters::from([("VideoIds", vid.to_owned())]), now).await.map(|_| ())
    }

    async fn list(&self, at: &ListPlace, now: Moment) -> Result<Listing> {
        let mut own = Parameters::from([("PageNo", at.page.to_string()), ("PageSize", LISTED.to_string())]);
        own.extend(at.until.map(|until| ("EndTime", written(until))));
        let answer = self.call("GetVideoList", own, now).await?;
        let listed = answer["VideoList"]["Video"].as_array().map(Vec::as_slice).unwrap_or_default();
        let videos = videos_of(listed, "VideoId", "Title")?;
        let oldest = listed.last().and_then(|video| video["CreationTime"].as_str()?.parse().ok());
        let next = if listed.is_empty() { None } else { beyond(at, oldest) };
        Ok((videos, next))
    }

    async fn listen_at(&self, address: &str, now: Moment) -> Result<()> {
        let own = Parameters::from([
            ("CallbackType", "HTTP".to_owned()),
            ("CallbackURL", address.to_owned()),
            ("EventTypeList", "ALL".to_owned()),
            ("AuthSwitch", "on".to_owned()),
            ("AuthKey", self.callback_key.clone()),
        ]);
        self.call("SetMessageCallback", own, now).await.map(|_| ())
    }

    /// MD5 of the address that was called, the time and the key, with `|` between.
    fn is_theirs(&self, message: &Message, now: Moment) -> bool {
        let (Some(at), Some(signature)) = (&message.timestamp, &message.signature) else { return false };
        let in_time = at.parse::<i64>().is_ok_and(|at| (now.timestamp() - at).abs() <= LATE);
        let expected = |address: &String| sign::md5(&format!("{address}|{at}|{}", self.callback_key));
        in_time && message.addresses.iter().any(|address| sign::is_same(signature, &expected(address)))
    }
}
