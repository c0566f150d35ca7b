//! Videos that lie at a provider and that nobody here knows: sent from elsewhere, or left behind.

use std::collections::HashSet;

use infra::{Result, jobs::JobRun};
use serde_json::{Value, json};

use super::channel::{ListPlace, MediaChannel, channel_of, of_config};
use crate::config::ConfigKind;

/// Videos that one run looks at.
const MOST: usize = 100_000;
/// Videos that are told by their names.
const TOLD: usize = 500;

/// What the lists of the providers have that nobody noted. Two configs of one account list the same videos, which count once.
#[derive(Debug, Default)]
pub(crate) struct Orphans {
    looked_at: usize,
    found: HashSet<(MediaChannel, String)>,
    /// `{channel, vid, name, msg}` of the first ones.
    told: Vec<Value>,
    /// There were more videos than are looked at.
    cut: bool,
    /// A provider broke off.
    broken: bool,
}

impl Orphans {
    /// Goes through the videos of one config, page by page; the reason where its provider breaks off.
    ///
    /// # Errors
    /// 409 when somebody cancelled the job; else only internal ones.
    pub(crate) async fn look(&mut self, run: &JobRun, kind: ConfigKind, config_id: i64) -> Result<Result<(), String>> {
        let Some(channel) = channel_of(kind) else { return Ok(Ok(())) };
        let app = run.app();
        let provider = of_config(app, channel, config_id).await?;
        let mut place = Some(ListPlace::FIRST);
        while let Some(at) = place {
            if self.looked_at >= MOST {
                self.cut = true;
                break;
            }
            run.progress(&format!("核对{}的视频，已核对{}个", channel.zh(), self.looked_at), 0, 0).await?;
            let (videos, next) = match provider.list(&at, app.clock().now()).await {
                Ok(page) => page,
                Err(error) => {
                    self.broken = true;
                    return Ok(Err(error.msg.into_owned()));
                }
            };
            self.looked_at += videos.len();
            let vids: Vec<&str> = videos.iter().map(|video| video.vid.as_str()).collect();
            let known: HashSet<String> = sqlx::query_scalar!(
                "select vid from platform.media_place where channel = $1 and vid = any($2)",
                channel.as_str(),
                &vids as &[&str]
            )
            .fetch_all(&mut *app.platform_read().await?)
            .await?
            .into_iter()
            .collect();
            for video in videos.into_iter().filter(|video| !known.contains(&video.vid)) {
                self.keep(channel, video.vid, &video.title);
            }
            place = next;
        }
        Ok(Ok(()))
    }

    fn keep(&mut self, channel: MediaChannel, vid: String, title: &str) {
        let name = if title.is_empty() { vid.as_str() } else { title };
        let msg = format!("{}有该视频（编号{vid}），本系统没有登记", channel.zh());
        let told = json!({ "channel": channel.as_str(), "vid": vid, "name": name, "msg": msg });
        if self.found.insert((channel, vid)) && self.told.len() < TOLD {
            self.told.push(told);
        }
    }

    /// In words.
    pub(crate) fn message(&self) -> String {
        let found = match self.found.len() {
            0 => "服务商没有未登记的视频".to_owned(),
            many => format!("服务商有{many}个视频未在本系统登记"),
        };
        match (self.broken, self.cut) {
            (true, _) => format!("{found}（有的服务商没有列完）"),
            (false, true) => format!("{found}（只核对了{MOST}个）"),
            (false, false) => found,
        }
    }

    /// The first ones by their names.
    pub(crate) fn into_told(self) -> Vec<Value> {
        self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_counts_once_and_some_are_told_by_name() {
        let mut orphans = Orphans::default();
        assert_eq!(orphans.message(), "服务商没有未登记的视频");
        for number in 0..TOLD + 2 {
            orphans.keep(MediaChannel::Polyv, format!("v{number}"), "讲座");
        }
        orphans.keep(MediaChannel::Polyv, "v0".to_owned(), "讲座");
        orphans.keep(MediaChannel::Aliyun, "v0".to_owned(), "");
        assert_eq!(orphans.message(), "服务商有503个视频未在本系统登记");
        orphans.cut = true;
        assert_eq!(orphans.message(), "服务商有503个视频未在本系统登记（只核对了100000个）");
        orphans.broken = true;
        assert_eq!(orphans.message(), "服务商有503个视频未在本系统登记（有的服务商没有列完）");
        let told = orphans.into_told();
        assert_eq!((told.len(), &told[0]["name"], &told[0]["vid"]), (TOLD, &json!("讲座"), &json!("v0")));
    }
}
