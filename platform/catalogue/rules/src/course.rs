//! A course of any kind: what recorded and live courses and files of the library have in common, and which of them a content is
//! (01 §9.2).

use std::collections::HashSet;

use infra::{Error, FieldError, Result, RichText, enumeration};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::Value;

use crate::{attachment::Attached, content::RecordContent, live::LiveContent, resource::ResourceContent};

/// Characters of an introduction.
const INTRODUCTION: usize = 2_000;

/// Lessons of a course.
pub const PERIODS: usize = 2_000;

enumeration! {
    /// 线上课程类型
    pub enum SiteCourseKind = "courseType" {
        Record = "record" "录播课程",
        Live = "live" "直播课程",
        Resource = "resource" "文库资源",
    }
}

/// What courses of every kind have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Head<'c> {
    pub course_name: &'c str,
    pub category_id: i64,
    pub lecturer_id: i64,
    pub cover: &'c str,
    pub introduce: Option<&'c RichText>,
    pub is_free: bool,
    /// 分.
    pub price_original: i64,
    /// 分.
    pub price_sale: i64,
    pub valid_days: Option<i32>,
    /// Stands before the real number in what visitors read.
    pub count_buy_base: i64,
}

/// The whole of a course, as a version keeps it.
#[derive(Debug, Clone, PartialEq)]
pub enum CourseContent {
    Record(RecordContent),
    Live(LiveContent),
    Resource(ResourceContent),
}

impl CourseContent {
    pub const fn kind(&self) -> SiteCourseKind {
        match self {
            Self::Record(_) => SiteCourseKind::Record,
            Self::Live(_) => SiteCourseKind::Live,
            Self::Resource(_) => SiteCourseKind::Resource,
        }
    }

    pub fn head(&self) -> Head<'_> {
        match self {
            Self::Record(content) => content.head(),
            Self::Live(content) => content.head(),
            Self::Resource(content) => content.head(),
        }
    }

    /// As a version keeps it.
    pub fn to_stored(&self) -> Value {
        let value = match self {
            Self::Record(content) => content.to_json(),
            Self::Live(content) => content.to_json(),
            Self::Resource(content) => content.to_json(),
        };
        value.unwrap_or_default()
    }

    /// The content with what belongs together made to agree: a course that is free costs nothing.
    ///
    /// # Errors
    /// 422 at every field that does not fit the others.
    pub fn in_itself(self) -> Result<Self> {
        Ok(match self {
            Self::Record(content) => Self::Record(content.in_itself()?),
            Self::Live(content) => Self::Live(content.in_itself()?),
            Self::Resource(content) => Self::Resource(content.in_itself()?),
        })
    }

    /// The numbers of the chapters and of the lessons that the course has already.
    pub fn parts(&self) -> (Vec<i64>, Vec<i64>) {
        match self {
            Self::Record(content) => (
                content.chapters.iter().filter_map(|chapter| chapter.id).collect(),
                content.periods().filter_map(|period| period.id).collect(),
            ),
            Self::Live(content) => (
                content.chapters.iter().filter_map(|chapter| chapter.id).collect(),
                content.periods().filter_map(|period| period.id).collect(),
            ),
            Self::Resource(_) => (Vec::new(), Vec::new()),
        }
    }

    /// The videos that it refers to.
    pub fn media(&self) -> Vec<i64> {
        match self {
            Self::Record(content) => content.periods().map(|period| period.media_asset_id).collect(),
            Self::Live(content) => content.periods().filter_map(|period| period.replay_asset_id).collect(),
            Self::Resource(_) => Vec::new(),
        }
    }

    /// The files that its lessons bring with them.
    pub fn attachments(&self) -> Vec<Attached<'_>> {
        match self {
            Self::Record(content) => content.attachments(),
            Self::Live(content) => content.attachments(),
            Self::Resource(_) => Vec::new(),
        }
    }

    /// The keys of those files, and of the one that a resource is.
    pub fn file_keys(&self) -> Vec<String> {
        match self {
            Self::Resource(content) => content.resource_file_key.iter().cloned().collect(),
            Self::Record(_) | Self::Live(_) => {
                self.attachments().into_iter().flat_map(|each| each.keys).cloned().collect()
            }
        }
    }

    /// The same content with another number before what is really bought, which only the operator says.
    pub fn with_buy_base(mut self, base: i64) -> Self {
        match &mut self {
            Self::Record(content) => content.count_buy_base = base,
            Self::Live(content) => content.count_buy_base = base,
            Self::Resource(content) => content.count_buy_base = base,
        }
        self
    }

    /// The channels that it is given on.
    pub fn channels(&self) -> Vec<i64> {
        match self {
            Self::Live(content) => content.periods().map(|period| period.live_channel_id).collect(),
            Self::Record(_) | Self::Resource(_) => Vec::new(),
        }
    }
}

/// What a version of this kind of course keeps.
///
/// # Errors
/// Internal, when it was not written by [`CourseContent::to_stored`].
pub fn stored(kind: SiteCourseKind, value: Value) -> Result<CourseContent> {
    Ok(match kind {
        SiteCourseKind::Record => CourseContent::Record(stored_as(value)?),
        SiteCourseKind::Live => CourseContent::Live(stored_as(value)?),
        SiteCourseKind::Resource => CourseContent::Resource(stored_as(value)?),
    })
}

/// The same, as the content of one kind.
///
/// # Errors
/// As [`stored`].
pub fn stored_as<C: ParseFromJSON>(value: Value) -> Result<C> {
    C::parse_from_json(Some(value)).map_err(|error| Error::internal(error.into_message()))
}

/// An introduction that says nothing is none.
///
/// # Errors
/// 422 for one that is too long.
pub(crate) fn tidy_introduction(introduce: Option<RichText>) -> Result<Option<RichText>> {
    if let Some(text) = &introduce {
        text.at_most("introduce", "课程介绍", INTRODUCTION)?;
    }
    Ok(introduce.filter(|text| !text.is_blank()))
}

/// What is wrong in that which courses of every kind have: prices that do not agree, a cover that is no picture's address.
pub(crate) fn head_mistakes(head: Head<'_>) -> Vec<FieldError> {
    let mut wrong = Vec::new();
    let mut tell = |field: &str, message: &str| {
        wrong.push(FieldError { field: field.to_owned(), message: message.to_owned() });
    };
    if !head.is_free && head.price_sale == 0 {
        tell("priceSale", "收费课程的优惠价应大于0，不收费请选择免费");
    }
    if head.price_sale > head.price_original {
        tell("priceSale", "优惠价不能高于原价");
    }
    if !is_picture(head.cover) {
        tell("cover", "封面地址应以 http://、https:// 或 / 开头，请重新上传");
    }
    wrong
}

/// Visitors' browsers load it: a place on the web or of this server, or a picture in itself.
fn is_picture(address: &str) -> bool {
    if address.starts_with("data:image/") {
        return true;
    }
    let web = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let leads = match (web, address.strip_prefix('/')) {
        (Some(rest), _) => !rest.is_empty() && !rest.starts_with(['/', '?', '#', '@']),
        // Two slashes are the beginning of another host.
        (None, Some(rest)) => !rest.starts_with('/'),
        (None, None) => false,
    };
    leads && !address.contains(|sign: char| sign.is_whitespace() || sign == '\\')
}

/// A chapter, as far as its numbers and name go.
pub(crate) struct Parts<'c> {
    pub(crate) id: Option<i64>,
    pub(crate) name: &'c str,
    /// The numbers of its lessons that have one.
    pub(crate) periods: Vec<i64>,
}

/// A chapter's name, and every number, stands once in a course.
pub(crate) fn twice<'c>(chapters: impl Iterator<Item = Parts<'c>>) -> Vec<FieldError> {
    let mut wrong = Vec::new();
    let (mut names, mut ids, mut periods) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (place, chapter) in chapters.enumerate() {
        if !names.insert(chapter.name) {
            let message = format!("章节名称“{}”重复", chapter.name);
            wrong.push(FieldError { field: format!("chapters[{place}].chapterName"), message });
        }
        let again =
            chapter.id.is_some_and(|id| !ids.insert(id)) || chapter.periods.iter().any(|id| !periods.insert(*id));
        if again {
            let message = "同一章节或课时出现了两次，请刷新后重试".to_owned();
            wrong.push(FieldError { field: format!("chapters[{place}].id"), message });
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;

    #[test]
    fn a_cover_is_the_address_of_a_picture() {
        for right in
            ["/admin/files/public/a.png", "https://cdn.example.com/a.png", "data:image/svg+xml,%3Csvg a='b c'/%3E"]
        {
            assert!(is_picture(right), "{right}");
        }
        let wrong = [
            "javascript:x()",
            "data:text/html,x",
            "//evil.example/a.png",
            "/\\evil.example",
            "https:///a",
            "a.png",
            "/a b",
        ];
        for address in wrong {
            assert!(!is_picture(address), "{address}");
        }
    }

    #[test]
    fn what_is_kept_of_a_course_reads_as_it_was() {
        for content in [
            CourseContent::Record(RecordContent::example()),
            CourseContent::Live(LiveContent::example()),
            CourseContent::Resource(ResourceContent::example()),
        ] {
            assert_eq!(stored(content.kind(), content.to_stored()), Ok(content));
        }
    }
}
