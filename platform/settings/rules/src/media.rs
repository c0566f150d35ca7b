//! Channels of videos, and how their lists are gone through (01 §4).

use infra::{clock::Moment, enumeration};

enumeration! {
    /// 音视频通道
    pub enum MediaChannel = "mediaChannel" {
        Storage = "storage" "对象存储",
        Aliyun = "aliyun" "阿里云点播",
        Polyv = "polyv" "保利威",
        Baijiayun = "baijiayun" "百家云",
    }
}

enumeration! {
    /// 音视频状态
    pub enum MediaState = "mediaState" {
        Uploading = "uploading" "上传中",
        Processing = "processing" "转码中",
        Ready = "ready" "可用",
        Failed = "failed" "失败",
    }
}

/// A video as its provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedVideo {
    pub vid: String,
    pub title: String,
}

/// Where a list of a provider's videos goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPlace {
    /// From 1.
    pub page: u32,
    /// Only those that were made before, where a provider does not turn its pages for ever.
    pub until: Option<Moment>,
}

impl ListPlace {
    pub const FIRST: Self = Self { page: 1, until: None };

    pub fn next(&self) -> Self {
        Self { page: self.page + 1, until: self.until }
    }
}

/// Videos that a page of a list has at the most.
pub const LISTED: usize = 100;

/// A page of a provider's videos; where it goes on, unless the page is empty.
pub type Listing = (Vec<ListedVideo>, Option<ListPlace>);

/// The page of a provider that counts its pages from 1 until one is empty.
pub fn listing(at: &ListPlace, videos: Vec<ListedVideo>) -> Listing {
    let next = (!videos.is_empty()).then(|| at.next());
    (videos, next)
}
