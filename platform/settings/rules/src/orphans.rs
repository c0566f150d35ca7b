//! Videos that lie at a provider and that nobody here knows: how they are counted and told.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::media::MediaChannel;

/// Videos that one run looks at.
pub const MOST: usize = 100_000;

/// Videos that are told by their names.
const TOLD: usize = 500;

/// What the lists of the providers have that nobody noted. Two configs of one account list the same videos, which count once.
#[derive(Debug, Default)]
pub struct Orphans {
    pub looked_at: usize,
    found: HashSet<(MediaChannel, String)>,
    /// `{channel, vid, name, msg}` of the first ones.
    told: Vec<Value>,
    /// There were more videos than are looked at.
    pub cut: bool,
    /// A provider broke off.
    pub broken: bool,
}

impl Orphans {
    /// Notes a video that nobody noted before.
    pub fn keep(&mut self, channel: MediaChannel, vid: String, title: &str) {
        let name = if title.is_empty() { vid.as_str() } else { title };
        let msg = format!("{}有该视频（编号{vid}），本系统没有登记", channel.zh());
        let told = json!({ "channel": channel.as_str(), "vid": vid, "name": name, "msg": msg });
        if self.found.insert((channel, vid)) && self.told.len() < TOLD {
            self.told.push(told);
        }
    }

    /// In words.
    pub fn message(&self) -> String {
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
    pub fn into_told(self) -> Vec<Value> {
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
