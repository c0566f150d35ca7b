//! A course of any kind: what recorded and live courses and files of the library have in common, and which of them a content is
//! (01 §9.2).

use std::collections::HashSet;

use infra::{Error, FieldError, Result, RichText, enumeration};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::Value;

use crate::{content::RecordContent, live::LiveContent, resource::ResourceContent};

/// Characters of an introduction.
const INTRODUCTION: usize = 2_000;

/// Lessons of a course.
pub const PERIODS: usize = 2_000;

enumeration! {
    /// 线上课程类型
    pub enum CourseKind = "onlineCourseType" {
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
}

/// The whole of a course, as a version keeps it.
#[derive(Debug, Clone, PartialEq)]
pub enum CourseContent {
    Record(RecordContent),
    Live(LiveContent),
    Resource(ResourceContent),
}

impl CourseContent {
    pub const fn kind(&self) -> CourseKind {
        match self {
            Self::Record(_) => CourseKind::Record,
            Self::Live(_) => CourseKind::Live,
            Self::Resource(_) => CourseKind::Resource,
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
pub fn stored(kind: CourseKind, value: Value) -> Result<CourseContent> {
    Ok(match kind {
        CourseKind::Record => CourseContent::Record(stored_as(value)?),
        CourseKind::Live => CourseContent::Live(stored_as(value)?),
        CourseKind::Resource => CourseContent::Resource(stored_as(value)?),
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

pub(crate) fn price_mistakes(head: Head<'_>) -> Vec<FieldError> {
    let mut wrong = Vec::new();
    let mut tell =
        |message: &str| wrong.push(FieldError { field: "priceSale".to_owned(), message: message.to_owned() });
    if !head.is_free && head.price_sale == 0 {
        tell("收费课程的优惠价应大于0，不收费请选择免费");
    }
    if head.price_sale > head.price_original {
        tell("优惠价不能高于原价");
    }
    wrong
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
