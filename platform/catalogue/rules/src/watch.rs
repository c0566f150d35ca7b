//! Who may watch a lesson of the site (01 §9.0, §9.11): whoever has the right to its course, and everybody what is free.

use infra::Error;

/// What a learner has of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CourseRight {
    Nothing,
    /// Its days are over.
    Expired,
    Runs,
}

/// A lesson, as far as it decides who may watch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// The operator's switch: without it nobody sees the course, not even whoever bought it.
    pub enabled: bool,
    /// On the shelf, with a version that was approved.
    pub on_sale: bool,
    /// The course or this lesson of it costs nothing.
    pub is_free: bool,
    pub right: CourseRight,
}

/// Why somebody may not watch.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("记录不存在或已被删除")]
    Unseen,
    #[error("请先购买课程")]
    NotBought,
    #[error("课程已过有效期，请重新购买")]
    Expired,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unseen => Self::not_found(),
            Refusal::NotBought | Refusal::Expired => Self::new(403, refusal.to_string()),
        }
    }
}

/// Whoever has the right watches also what is off the shelf by now; others only what is free on it.
///
/// # Errors
/// Why not.
pub const fn may_watch(watched: Watched) -> Result<(), Refusal> {
    match watched {
        Watched { enabled: false, .. } => Err(Refusal::Unseen),
        Watched { right: CourseRight::Runs, .. } | Watched { on_sale: true, is_free: true, .. } => Ok(()),
        Watched { right: CourseRight::Expired, .. } => Err(Refusal::Expired),
        Watched { on_sale: true, .. } => Err(Refusal::NotBought),
        Watched { .. } => Err(Refusal::Unseen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_watched_by_its_buyers_and_free_ones_by_all() {
        let sold = Watched { enabled: true, on_sale: true, is_free: false, right: CourseRight::Nothing };
        assert_eq!(may_watch(sold), Err(Refusal::NotBought));
        assert_eq!(may_watch(Watched { is_free: true, ..sold }), Ok(()));
        assert_eq!(may_watch(Watched { right: CourseRight::Runs, ..sold }), Ok(()));
        assert_eq!(may_watch(Watched { right: CourseRight::Expired, ..sold }), Err(Refusal::Expired));
        assert_eq!(may_watch(Watched { right: CourseRight::Expired, is_free: true, ..sold }), Ok(()));
    }

    #[test]
    fn what_left_the_shelf_stays_with_its_buyers_until_it_is_switched_off() {
        let gone = Watched { enabled: true, on_sale: false, is_free: true, right: CourseRight::Nothing };
        assert_eq!(may_watch(gone), Err(Refusal::Unseen));
        assert_eq!(may_watch(Watched { right: CourseRight::Runs, ..gone }), Ok(()));
        assert_eq!(may_watch(Watched { right: CourseRight::Runs, enabled: false, ..gone }), Err(Refusal::Unseen));
    }
}
