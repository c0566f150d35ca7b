//! When an article is published, goes offline and is deleted (part 05 B3).
//!
//! ```text
//! draft ─publish→ published ─offline→ offline ─publish→ published      an edit is a draft beside what readers see
//! ```

use crate::enums::SupportArticleStatus;

/// Articles of a category that stand before all others.
pub const MOST_PINNED: i64 = 5;

/// Why an article stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("分类已停用，不能发布")]
    CategoryOff,
    #[error("正文为空，不能发布")]
    Blank,
    #[error("文章没有未发布的修改，无需再次发布")]
    Unchanged,
    #[error("只有已发布的文章可以下线")]
    NotPublished,
    #[error("已发布的文章请先下线")]
    Published,
    #[error("每个分类最多置顶{MOST_PINNED}篇")]
    Pinned,
    #[error("该文章用于全部院校，请由可管全部院校的人员办理")]
    ForAll,
    #[error("该文章的适用院校超出您可管的院校，请由可管这些院校的人员办理")]
    ForOthers,
    #[error("帮助分类用于全部院校，请由可管全部院校的人员办理")]
    CategoryForAll,
}

/// What the rule of publishing must know of an article.
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    pub status: SupportArticleStatus,
    /// Whether the text differs from the one that readers see.
    pub changed: bool,
    /// Whether it has neither words nor a picture.
    pub blank: bool,
    /// Whether its category, and the one above it, are switched on.
    pub category_enabled: bool,
}

/// A draft, what was taken offline, and what was edited since may be published.
///
/// # Errors
/// The reason.
pub const fn may_publish(article: Ready) -> Result<(), Refusal> {
    if !article.category_enabled {
        return Err(Refusal::CategoryOff);
    }
    if article.blank {
        return Err(Refusal::Blank);
    }
    match article.status {
        SupportArticleStatus::Draft | SupportArticleStatus::Offline => Ok(()),
        SupportArticleStatus::Published if article.changed => Ok(()),
        SupportArticleStatus::Published => Err(Refusal::Unchanged),
    }
}

/// # Errors
/// The reason.
pub const fn may_go_offline(status: SupportArticleStatus) -> Result<(), Refusal> {
    match status {
        SupportArticleStatus::Published => Ok(()),
        SupportArticleStatus::Draft | SupportArticleStatus::Offline => Err(Refusal::NotPublished),
    }
}

/// # Errors
/// The reason.
pub const fn may_be_deleted(status: SupportArticleStatus) -> Result<(), Refusal> {
    match status {
        SupportArticleStatus::Draft | SupportArticleStatus::Offline => Ok(()),
        SupportArticleStatus::Published => Err(Refusal::Published),
    }
}

/// Whether one more article of a category may stand before all others.
///
/// # Errors
/// The reason.
pub const fn may_be_pinned(others: i64) -> Result<(), Refusal> {
    if others < MOST_PINNED { Ok(()) } else { Err(Refusal::Pinned) }
}

/// Whether an article for these schools, or without any for all of them, may be written by somebody who acts for `own`, or without
/// any for all.
///
/// # Errors
/// The reason.
pub fn may_be_written(own: Option<&[i64]>, schools: &[i64]) -> Result<(), Refusal> {
    match own {
        None => Ok(()),
        Some(_) if schools.is_empty() => Err(Refusal::ForAll),
        Some(own) if schools.iter().all(|school| own.contains(school)) => Ok(()),
        Some(_) => Err(Refusal::ForOthers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Ready =
        Ready { status: SupportArticleStatus::Draft, changed: true, blank: false, category_enabled: true };

    fn told(article: Ready) -> String {
        may_publish(article).map_or_else(|refusal| refusal.to_string(), |()| String::new())
    }

    #[test]
    fn a_draft_is_published_in_an_open_category() {
        assert_eq!(told(READY), "");
        assert_eq!(told(Ready { category_enabled: false, ..READY }), "分类已停用，不能发布");
        assert_eq!(told(Ready { blank: true, ..READY }), "正文为空，不能发布");
        assert_eq!(told(Ready { status: SupportArticleStatus::Offline, changed: false, ..READY }), "");
        let shown = Ready { status: SupportArticleStatus::Published, ..READY };
        assert_eq!(told(shown), "");
        assert_eq!(told(Ready { changed: false, ..shown }), "文章没有未发布的修改，无需再次发布");
    }

    #[test]
    fn what_readers_see_is_taken_offline_before_it_goes() {
        let all = SupportArticleStatus::CHOICES.iter().map(|(_, status)| *status);
        let (offline, deleted): (Vec<_>, Vec<_>) =
            all.map(|status| (may_go_offline(status).is_ok(), may_be_deleted(status).is_ok())).unzip();
        assert_eq!(offline, [false, true, false]);
        assert_eq!(deleted, [true, false, true]);
        assert_eq!(Refusal::Published.to_string(), "已发布的文章请先下线");
    }

    #[test]
    fn five_of_a_category_stand_before_the_others() {
        assert_eq!(may_be_pinned(4), Ok(()));
        assert_eq!(may_be_pinned(5).map_err(|refusal| refusal.to_string()), Err("每个分类最多置顶5篇".to_owned()));
    }

    #[test]
    fn one_writes_for_the_schools_that_one_acts_for() {
        assert_eq!(may_be_written(None, &[]), Ok(()));
        assert_eq!(may_be_written(None, &[3]), Ok(()));
        assert_eq!(may_be_written(Some(&[1, 2]), &[2]), Ok(()));
        assert_eq!(may_be_written(Some(&[1, 2]), &[]), Err(Refusal::ForAll));
        assert_eq!(may_be_written(Some(&[1, 2]), &[2, 3]), Err(Refusal::ForOthers));
        assert_eq!(may_be_written(Some(&[]), &[]), Err(Refusal::ForAll), "bound to no school one writes for none");
    }
}
