//! What an entry of the footer leads to (01 §9.1): a column of the first level to nothing, a page or an article; what stands below it
//! to exactly one of both.

use infra::Error;

/// Why an entry may not be so.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("请填写链接或文章内容（二选一）")]
pub struct NotOne;

impl From<NotOne> for Error {
    fn from(refusal: NotOne) -> Self {
        Self::field("linkUrl", refusal.to_string())
    }
}

/// `below`: whether the entry stands below a column.
///
/// # Errors
/// When it leads to both, or an entry below a column to neither.
pub fn leads_once(below: bool, link: bool, article: bool) -> Result<(), NotOne> {
    match (link, article) {
        (true, true) => Err(NotOne),
        (false, false) if below => Err(NotOne),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_leads_to_one_place() {
        for below in [false, true] {
            assert_eq!(leads_once(below, true, false), Ok(()));
            assert_eq!(leads_once(below, false, true), Ok(()));
            assert_eq!(leads_once(below, true, true), Err(NotOne));
        }
        assert_eq!(leads_once(false, false, false), Ok(()));
        assert_eq!(leads_once(true, false, false), Err(NotOne));
    }
}
