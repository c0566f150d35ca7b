//! 百家云点播.

use std::collections::BTreeMap;

use async_trait::async_trait;
use infra::{App, Error, Result, clock::Moment};
use serde_json::Value;

use super::{
    channel::{
        Channel, LISTED, ListPlace, Listing, MediaState, Message, NewVideo, Play, Preview, Status, Ticket, asked,
        client, endpoints, listing, number, refused, text, videos_of,
    },
    sign::{self, Parameters},
};
use crate::config::kinds::BaijiayunConfig;

/// 标清, 高清.
const DEFINITIONS: &str = "16,1";
/// How long an address of an upload is used.
const HOURS: i64 = 2;
/// How long a play token works, in seconds.
const PLAY_SECONDS: &str = "7200";

pub(super) struct Baijiayun {
    config: BaijiayunConfig,
    api: String,
}

impl Baijiayun {
    pub(super) fn new(app: &App, config: BaijiayunConfig) -> Result<Self> {
        let usual = || format!("https://{}.at.baijiayun.com", config.private_domain);
        let api = endpoints(app).baijiayun.unwrap_or_else(usual);
        Ok(Self { config, api })
    }

    fn key(&self) -> &str {
        self.config.partner_key.as_deref().unwrap_or_default()
    }

    async fn call(&self, what: &str, own: Parameters, now: Moment) -> Result<Value> {
        let mut parameters = own;
        parameters.insert("partner_id", self.config.partner_id.clone());
        parameters.insert("timestamp", now.timestamp().to_string());
        let signature = sign::baijiayun(&parameters, self.key());
        parameters.insert("sign", signature);
        let answer = asked(client()?.post(format!("{}/openapi/{what}", self.api)).form(&parameters)).await?;
        if number(&answer["code"]) == Some(0) { Ok(answer["data"].clone()) } else { Err(refused(&answer["msg"])) }
    }
}

fn of(vid: &str) -> Parameters {
    Parameters::from([("video_id", vid.to_owned())])
}

#[async_trait]
impl Channel for Baijiayun {
    async fn begin(&self, video: &NewVideo, now: Moment) -> Result<Ticket> {
        let own = Parameters::from([
            ("file_name", video.title.clone()),
            ("definition", DEFINITIONS.to_owned()),
            ("use_https", "1".to_owned()),
        ]);
        let data = self.call("video/getUploadUrl", own, now).await?;
        Ok(Ticket {
            vid: text(&data, "video_id")?,
            method: "POST",
            url: text(&data, "upload_url")?,
            headers: BTreeMap::new(),
            fields: Vec::new(),
            file_field: Some("file"),
            expires_at: now + chrono::Duration::hours(HOURS),
        })
    }

    async fn status(&self, vid: &str, now: Moment) -> Result<Option<Status>> {
        let video = self.call("video/getInfo", of(vid), now).await?;
        let Some(word) = number(&video["status"]) else { return Ok(None) };
        let state = match word {
            10 => MediaState::Uploading,
            100 => MediaState::Ready,
            30..=32 => MediaState::Failed,
            _ => MediaState::Processing,
        };
        Ok(Some(Status {
            state,
            duration: number(&video["length"]).and_then(|seconds| i32::try_from(seconds).ok()),
            size: number(&video["total_size"]),
            cover_url: video["preface_url"].as_str().map(ToOwned::to_owned),
            fail_reason: match word {
                30 => Some("转码失败".to_owned()),
                31 => Some("转码超时".to_owned()),
                32 => Some("上传超时".to_owned()),
                _ => None,
            },
        }))
    }

    async fn play(&self, vid: &str, _person: &str, now: Moment) -> Result<Play> {
        let mut own = of(vid);
        own.insert("expires_in", PLAY_SECONDS.to_owned());
        let data = self.call("video/getPlayerToken", own, now).await?;
        Ok(Play { token: text(&data, "token")? })
    }

    /// Its player is a page of the account's own host.
    async fn preview(&self, vid: &str, play: &Play, _now: Moment) -> Result<Preview> {
        let (vid, token) = (sign::percent(vid), sign::percent(&play.token));
        Ok(Preview::Page(format!("{}/web/video/player?vid={vid}&token={token}", self.api)))
    }

    async fn delete(&self, vid: &str, now: Moment) -> Result<()> {
        self.call("video/delete", of(vid), now).await.map(|_| ())
    }

    async fn list(&self, at: &ListPlace, now: Moment) -> Result<Listing> {
        let own = Parameters::from([("page", at.page.to_string()), ("page_size", LISTED.to_string())]);
        let data = self.call("video/getVideoList", own, now).await?;
        let videos = match data["list"].as_array() {
            Some(videos) => videos.as_slice(),
            // Without videos the answer may be an empty array.
            None if data.as_array().is_some_and(Vec::is_empty) => &[],
            None => return Err(Error::conflict("音视频服务商的应答中没有视频列表")),
        };
        Ok(listing(at, videos_of(videos, "video_id", "name")?))
    }

    async fn listen_at(&self, address: &str, now: Moment) -> Result<()> {
        let own = Parameters::from([("url", address.to_owned())]);
        self.call("video_account/setTranscodeCallbackUrl", own, now).await.map(|_| ())
    }

    fn is_theirs(&self, message: &Message, _now: Moment) -> bool {
        let mut fields = message.fields.clone();
        let Some(given) = fields.remove("sign") else { return false };
        !self.key().is_empty() && sign::is_same(&given, &sign::baijiayun(&fields, self.key()))
    }
}
