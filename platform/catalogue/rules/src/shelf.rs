//! What may stand on the shelf (01 §9.2).

use std::collections::HashSet;

use infra::Error;

use crate::course::CourseContent;

/// Why a course may not stand on the shelf with its content.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("请先添加课时")]
    NoPeriod,
    #[error("请先上传资源文件")]
    NoFile,
    #[error("还有{0}个课时的音视频未转码完成")]
    Unready(usize),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// Learners can use all of what is on the shelf: watch every lesson, come to one at least, read the file. `ready` are the media that
/// can be watched.
///
/// # Errors
/// Why it may not stand there.
pub fn usable(content: &CourseContent, ready: &HashSet<i64>) -> Result<(), Refusal> {
    match content {
        CourseContent::Record(record) => {
            if record.periods().next().is_none() {
                return Err(Refusal::NoPeriod);
            }
            match record.periods().filter(|period| !ready.contains(&period.media_asset_id)).count() {
                0 => Ok(()),
                unready => Err(Refusal::Unready(unready)),
            }
        }
        CourseContent::Live(live) if live.periods().next().is_none() => Err(Refusal::NoPeriod),
        CourseContent::Resource(resource) if resource.resource_file_key.is_none() => Err(Refusal::NoFile),
        CourseContent::Live(_) | CourseContent::Resource(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::{content::RecordContent, live::LiveContent, resource::ResourceContent};

    #[test]
    fn only_what_can_be_watched_stands_on_the_shelf() {
        let content = RecordContent::example();
        let told = |content: &RecordContent, ready: &[i64]| {
            usable(&CourseContent::Record(content.clone()), &ready.iter().copied().collect())
        };
        assert_eq!(told(&content, &[1]), Ok(()));
        assert_eq!(told(&content, &[]), Err(Refusal::Unready(1)));
        let empty = RecordContent { chapters: Vec::new(), ..content };
        assert_eq!(told(&empty, &[]), Err(Refusal::NoPeriod));
    }

    #[test]
    fn a_live_course_has_a_lesson_and_a_resource_a_file() {
        let none = HashSet::new();
        let live = LiveContent::example();
        assert_eq!(usable(&CourseContent::Live(live.clone()), &none), Ok(()));
        let empty = LiveContent { chapters: Vec::new(), ..live };
        assert_eq!(usable(&CourseContent::Live(empty), &none), Err(Refusal::NoPeriod));
        let resource = ResourceContent::example();
        assert_eq!(usable(&CourseContent::Resource(resource.clone()), &none), Err(Refusal::NoFile));
        let filed = ResourceContent { resource_file_key: Some("a.pdf".to_owned()), ..resource };
        assert_eq!(usable(&CourseContent::Resource(filed), &none), Ok(()));
    }
}
