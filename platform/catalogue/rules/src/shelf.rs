//! What may stand on the shelf (01 §9.2).

use std::collections::HashSet;

use infra::Error;

use crate::content::RecordContent;

/// Why a course may not stand on the shelf with its content.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("请先添加课时")]
    NoPeriod,
    #[error("还有{0}个课时的音视频未转码完成")]
    Unready(usize),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// Learners can watch every period of what is on the shelf; `ready` are the media that can be watched.
///
/// # Errors
/// Why it may not stand there.
pub fn watchable(content: &RecordContent, ready: &HashSet<i64>) -> Result<(), Refusal> {
    if content.periods().next().is_none() {
        return Err(Refusal::NoPeriod);
    }
    match content.periods().filter(|period| !ready.contains(&period.media_asset_id)).count() {
        0 => Ok(()),
        unready => Err(Refusal::Unready(unready)),
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;

    #[test]
    fn only_what_can_be_watched_stands_on_the_shelf() {
        let content = RecordContent::example();
        assert_eq!(watchable(&content, &HashSet::from([1])), Ok(()));
        assert_eq!(watchable(&content, &HashSet::new()), Err(Refusal::Unready(1)));
        let empty = RecordContent { chapters: Vec::new(), ..content };
        assert_eq!(watchable(&empty, &HashSet::new()), Err(Refusal::NoPeriod));
    }
}
