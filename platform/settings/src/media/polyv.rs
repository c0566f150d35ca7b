//! 保利威点播 (API version 2).

use std::collections::BTreeMap;

use async_trait::async_trait;
use infra::{App, Result, clock::Moment};
use serde_json::{Value, json};
use setting_rules::polyv::{end_of, seconds};

use super::{
    channel::{
        Channel, Endpoints, LISTED, ListPlace, Listing, MediaState, Message, NewVideo, Play, Preview, Status, Ticket,
        asked, client, endpoints, listing, number, refused, text, videos_of,
    },
    sign::{self, Parameters},
};
use crate::config::kinds::PolyvConfig;

/// The root of the categories.
const ROOT: &str = "1";

pub(super) struct Polyv {
    config: PolyvConfig,
    endpoints: Endpoints,
}

impl Polyv {
    pub(super) fn new(app: &App, config: PolyvConfig) -> Result<Self> {
        Ok(Self { config, endpoints: endpoints(app) })
    }

    fn secret(&self) -> &str {
        self.config.secret_key.as_deref().unwrap_or_default()
    }

    /// A call about one video.
    async fn about(&self, what: &str, vid: &str, now: Moment) -> Result<Value> {
        self.call(what, Parameters::from([("vid", vid.to_owned())]), now).await
    }

    async fn call(&self, what: &str, own: Parameters, now: Moment) -> Result<Value> {
        let mut parameters = own;
        parameters.insert("ptime", now.timestamp_millis().to_string());
        let signature = sign::polyv(&parameters, self.secret());
        parameters.insert("sign", signature);
        let address = format!("{}/v2/video/{}/{what}", self.endpoints.polyv_api, self.config.user_id);
        asked(client()?.post(address).form(&parameters)).await
    }
}

#[async_trait]
impl Channel for Polyv {
    /// Signed with MD5 of key and time, and of time and write token.
    async fn begin(&self, video: &NewVideo, now: Moment) -> Result<Ticket> {
        let ptime = now.timestamp_millis().to_string();
        let write_token = self.config.write_token.as_deref().unwrap_or_default();
        let category = video.category.clone().or_else(|| self.config.category_id.clone());
        let parameters = Parameters::from([
            ("sign", sign::md5(&format!("{}{ptime}", self.secret()))),
            ("hash", sign::md5(&format!("{ptime}{write_token}"))),
            ("ptime", ptime),
            ("userid", self.config.user_id.clone()),
            ("title", video.title.clone()),
            ("filesize", video.size.to_string()),
            ("cataid", category.unwrap_or_else(|| ROOT.to_owned())),
            ("uploadType", "plugin_miniapp_v1".to_owned()),
            ("compatible", "1".to_owned()),
            ("isSts", "N".to_owned()),
        ]);
        let address = format!("{}/v2/uploadvideo/direct/{}/init", self.endpoints.polyv_api, self.config.user_id);
        let answer = asked(client()?.post(address).form(&parameters)).await?;
        if answer["status"] != json!("success") && number(&answer["code"]) != Some(200) {
            return Err(refused(&answer["message"]));
        }
        let data = &answer["data"];
        let vid = text(data, "vid")?;
        let host = text(data, "host")?;
        let policy = text(data, "policy")?;
        let extension =
            video.file_name.rsplit_once('.').map(|(_, extension)| format!(".{extension}")).unwrap_or_default();
        let expires_at = end_of(&policy, now);
        Ok(Ticket {
            method: "POST",
            url: if host.contains("://") { host } else { format!("https://{}", host.trim_start_matches("//")) },
            headers: BTreeMap::new(),
            fields: vec![
                ("key".to_owned(), format!("{}{vid}{extension}", text(data, "dir")?)),
                ("policy".to_owned(), policy),
                ("OSSAccessKeyId".to_owned(), text(data, "accessid")?),
                ("signature".to_owned(), text(data, "signature")?),
                ("callback".to_owned(), text(data, "callback")?),
            ],
            file_field: Some("file"),
            vid,
            expires_at,
        })
    }

    async fn status(&self, vid: &str, now: Moment) -> Result<Option<Status>> {
        let answer = self.about("get-video-msg", vid, now).await?;
        if number(&answer["code"]) != Some(200) {
            return Err(refused(&answer["message"]));
        }
        let video = &answer["data"][0];
        let Some(word) = number(&video["status"]) else { return Ok(None) };
        let state = match word {
            60 | 61 => MediaState::Ready,
            51 | -1 => MediaState::Failed,
            _ => MediaState::Processing,
        };
        Ok(Some(Status {
            state,
            duration: video["duration"].as_str().and_then(seconds),
            size: number(&video["source_filesize"]),
            cover_url: video["first_image"].as_str().map(ToOwned::to_owned),
            fail_reason: match word {
                51 => Some("服务商审核未通过".to_owned()),
                -1 => Some("服务商已删除该视频".to_owned()),
                _ => None,
            },
        }))
    }

    async fn play(&self, vid: &str, person: &str, now: Moment) -> Result<Play> {
        let mut parameters = Parameters::from([
            ("userId", self.config.user_id.clone()),
            ("videoId", vid.to_owned()),
            ("ts", now.timestamp_millis().to_string()),
            ("viewerId", person.to_owned()),
        ]);
        let signature = sign::polyv_token(&parameters, self.secret());
        parameters.insert("sign", signature);
        let address = format!("{}/service/v1/token", self.endpoints.polyv_token);
        let answer = asked(client()?.post(address).form(&parameters)).await?;
        Ok(Play { token: text(&answer["data"], "token").map_err(|_| refused(&answer["message"]))? })
    }

    /// Its player is a script; what is not encrypted it also has as a file.
    async fn preview(&self, vid: &str, _play: &Play, now: Moment) -> Result<Preview> {
        let answer = self.about("get-video-msg", vid, now).await?;
        if number(&answer["code"]) != Some(200) {
            return Err(refused(&answer["message"]));
        }
        let video = &answer["data"][0];
        let is_encrypted = number(&video["seed"]) == Some(1);
        let file = video["mp4"].as_str().filter(|file| !file.is_empty() && !is_encrypted);
        Ok(file.map_or(Preview::Sealed, |file| Preview::File(file.to_owned())))
    }

    async fn delete(&self, vid: &str, now: Moment) -> Result<()> {
        let answer = self.about("del-video", vid, now).await?;
        if number(&answer["code"]) == Some(200) { Ok(()) } else { Err(refused(&answer["message"])) }
    }

    /// The newest first, of the root and all below it.
    async fn list(&self, at: &ListPlace, now: Moment) -> Result<Listing> {
        let own = Parameters::from([
            ("catatree", ROOT.to_owned()),
            ("numPerPage", LISTED.to_string()),
            ("pageNum", at.page.to_string()),
        ]);
        let answer = self.call("get-new-list", own, now).await?;
        if number(&answer["code"]) != Some(200) {
            return Err(refused(&answer["message"]));
        }
        // Without videos it is an empty text.
        let videos = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(listing(at, videos_of(videos, "vid", "title")?))
    }

    /// The address is entered in the provider's console.
    async fn listen_at(&self, _address: &str, _now: Moment) -> Result<()> {
        Ok(())
    }

    /// MD5 of what happened, the video and the key.
    fn is_theirs(&self, message: &Message, _now: Moment) -> bool {
        let field = |name: &str| message.fields.get(name).map(String::as_str).unwrap_or_default();
        let expected = sign::md5(&format!("{}{}{}", field("type"), field("vid"), self.secret()));
        !self.secret().is_empty() && sign::is_same(field("sign"), &expected)
    }
}
