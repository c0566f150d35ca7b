//! From which measure on a flag has which level (part 05 C2).

use crate::enums::{SuperviseKind, SuperviseLevel};

/// The measure from which each level is reached, in whole units; none: the level is not used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thresholds {
    pub yellow: Option<i32>,
    pub orange: Option<i32>,
    pub red: Option<i32>,
}

impl Thresholds {
    fn all(self) -> [(SuperviseLevel, Option<i32>); 3] {
        [(SuperviseLevel::Yellow, self.yellow), (SuperviseLevel::Orange, self.orange), (SuperviseLevel::Red, self.red)]
    }

    /// The mildest level that is used.
    fn lowest(self) -> Option<(SuperviseLevel, i32)> {
        self.all().into_iter().find_map(|(level, from)| Some((level, from?)))
    }

    /// Whether each level that is used is stricter than those before, and one is used.
    pub fn grow(self, kind: SuperviseKind) -> bool {
        let used: Vec<i32> = self.all().into_iter().filter_map(|(_, from)| from).collect();
        let stricter = |pair: &[i32]| if kind.falls() { pair[1] < pair[0] } else { pair[1] > pair[0] };
        !used.is_empty() && used.iter().all(|from| *from >= 0) && used.windows(2).all(stricter)
    }
}

/// The level of a measure in tenths; none: no flag. A flag that is live stays, at its mildest, until the measure is better than
/// that by `clear_below`, so that it does not come and go.
pub fn level_of(
    kind: SuperviseKind,
    thresholds: Thresholds,
    tenths: i32,
    live: bool,
    clear_below: i32,
) -> Option<SuperviseLevel> {
    let reached = |from: i32| if kind.falls() { tenths <= from * 10 } else { tenths >= from * 10 };
    let worst = thresholds.all().into_iter().rev().find(|(_, from)| from.is_some_and(reached)).map(|(level, _)| level);
    if worst.is_some() {
        return worst;
    }
    let (mildest, from) = thresholds.lowest()?;
    let better = if kind.falls() { tenths > (from + clear_below) * 10 } else { tenths < (from - clear_below) * 10 };
    (live && clear_below > 0 && !better).then_some(mildest)
}

/// The level of a case: the worst of its flags; two kinds of orange make red.
pub fn case_level(flags: &[(SuperviseKind, SuperviseLevel)]) -> Option<SuperviseLevel> {
    let worst = flags.iter().map(|(_, level)| *level).max_by_key(|level| level.rank())?;
    let orange = flags.iter().filter(|(_, level)| *level == SuperviseLevel::Orange);
    let mut kinds: Vec<&str> = orange.map(|(kind, _)| kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    Some(if kinds.len() >= 2 { SuperviseLevel::Red } else { worst })
}

#[cfg(test)]
mod tests {
    use super::*;
    use SuperviseKind::{ExamRisk, Fee, HomeworkOverdue, Silent, StudyLimit, VideoLag};
    use SuperviseLevel::{Orange, Red, Yellow};

    const VIDEO: Thresholds = Thresholds { yellow: Some(15), orange: Some(30), red: Some(50) };

    /// 05 C4: 12.0 of 37.6, 5.0, and nothing at all; later 33.0 and 32.0 of 42.9.
    #[test]
    fn a_lag_is_yellow_orange_or_red_and_goes_five_points_below() {
        let of = |tenths, live| level_of(VideoLag, VIDEO, tenths, live, 5);
        assert_eq!((of(256, false), of(326, false), of(376, false)), (Some(Yellow), Some(Orange), Some(Orange)));
        assert_eq!(of(500, false), Some(Red));
        assert_eq!((of(99, true), of(109, true), of(109, false)), (None, Some(Yellow), None));
        assert_eq!((of(149, false), of(150, false)), (None, Some(Yellow)));
    }

    #[test]
    fn what_is_left_is_worse_the_less_it_is() {
        let days = Thresholds { yellow: Some(14), orange: Some(7), red: Some(3) };
        let of = |days_left: i32| level_of(ExamRisk, days, days_left * 10, false, 0);
        assert_eq!((of(15), of(14), of(7), of(3), of(0)), (None, Some(Yellow), Some(Orange), Some(Red), Some(Red)));
        let fee = Thresholds { orange: Some(1), ..Thresholds::default() };
        assert_eq!((level_of(Fee, fee, 10, false, 0), level_of(Fee, fee, 0, true, 0)), (Some(Orange), None));
    }

    #[test]
    fn two_kinds_of_orange_make_a_red_case() {
        assert_eq!(case_level(&[(VideoLag, Orange), (Silent, Orange)]), Some(Red));
        assert_eq!(case_level(&[(VideoLag, Orange), (VideoLag, Orange)]), Some(Orange), "of one kind");
        assert_eq!(case_level(&[(VideoLag, Yellow), (HomeworkOverdue, Red)]), Some(Red));
        assert_eq!(case_level(&[]), None);
    }

    /// 05 C7-11.
    #[test]
    fn levels_grow_stricter() {
        let of = |yellow, orange, red| Thresholds { yellow, orange, red };
        assert!(!of(Some(30), Some(20), None).grow(VideoLag));
        assert!(!of(Some(15), Some(15), None).grow(VideoLag));
        assert!(of(Some(15), None, Some(50)).grow(VideoLag));
        assert!(of(Some(12), Some(6), Some(3)).grow(StudyLimit));
        assert!(!of(Some(3), Some(6), None).grow(StudyLimit));
        assert!(!Thresholds::default().grow(VideoLag));
    }
}
