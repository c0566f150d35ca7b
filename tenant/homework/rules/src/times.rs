//! Times and scores of homework (part 03 B6). Scores are tenths of a point.

use chrono::TimeDelta;
use infra::clock::Moment;
use question_bank::score::part;

use crate::enums::{AttemptScoring, SheetMarkState, ShowAnswer};

/// What was under way when time ran out still counts.
const GRACE_SECONDS: i64 = 30;

/// So long after a deadline an answer still counts.
pub fn grace() -> TimeDelta {
    TimeDelta::seconds(GRACE_SECONDS)
}

/// Until when a homework is handed in, and what a student of it was given besides.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub ends_at: Moment,
    pub late_until: Option<Moment>,
    pub extended_until: Option<Moment>,
    /// Of what is done again because it was given back: until when.
    pub redo_until: Option<Moment>,
}

impl Window {
    /// When nothing is taken any more.
    pub(crate) fn hard_end(&self) -> Moment {
        self.redo_until.or(self.extended_until).or(self.late_until).unwrap_or(self.ends_at)
    }

    /// Until when a sheet that is begun now may be answered.
    pub fn deadline(&self, started: Moment, minutes: Option<i32>) -> Moment {
        let hard = self.hard_end();
        minutes.map_or(hard, |minutes| hard.min(started + TimeDelta::minutes(i64::from(minutes))))
    }

    /// Whether what was handed in then is late: in the time that is there for it, without an easement.
    pub fn is_late(&self, submitted: Moment) -> bool {
        self.late_until.is_some()
            && self.extended_until.is_none()
            && self.redo_until.is_none()
            && submitted > self.ends_at + grace()
    }
}

/// A score after the penalty of so many percent: 86.0 less 10 % is 77.4.
pub const fn penalised(score: i64, percent: i64) -> i64 {
    part(score, 100 - percent, 100)
}

/// The raw score of several attempts, by the number of each; none of none.
pub fn final_raw(scoring: AttemptScoring, marked: &[(i32, i64)]) -> Option<i64> {
    match scoring {
        AttemptScoring::Highest => marked.iter().map(|(_, score)| *score).max(),
        AttemptScoring::Last => marked.iter().max_by_key(|(attempt, _)| *attempt).map(|(_, score)| *score),
        AttemptScoring::Average => {
            let count = i64::try_from(marked.len()).unwrap_or(i64::MAX);
            let sum: i64 = marked.iter().map(|(_, score)| *score).sum();
            (count > 0).then(|| part(sum, 1, count))
        }
    }
}

/// A raw score of a hundred.
pub const fn of_hundred(raw: i64, total: i64) -> i64 {
    part(raw, 1_000, total)
}

/// The homework of a course as the scores read it by default: weighted, what was missed counts nothing; in tenths. None without
/// homework that has a weight.
pub fn weighted(rows: &[(i64, Option<i64>)]) -> Option<i64> {
    let weights: i64 = rows.iter().map(|(weight, _)| *weight).sum();
    let sum: i64 = rows.iter().map(|(weight, score)| weight * score.unwrap_or(0)).sum();
    (weights > 0).then(|| part(sum, 1, weights))
}

/// What decides whether a student may see keys.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub show: ShowAnswer,
    pub sheet: SheetMarkState,
    /// The homework is closed, and the student was not given longer.
    pub over: bool,
    /// A sheet of the student's is to be done again, or is done again now: nothing is told that helps with it.
    pub again: bool,
    /// Another attempt is open, or may still begin: the keys would be its answers.
    pub more: bool,
}

impl Shown {
    /// Whether keys and analysis are shown.
    pub const fn keys(&self) -> bool {
        if self.again || self.more {
            return false;
        }
        let handed = !matches!(self.sheet, SheetMarkState::InProgress | SheetMarkState::Void);
        match self.show {
            ShowAnswer::Never => false,
            ShowAnswer::AfterSubmit => handed,
            ShowAnswer::AfterClose => handed && self.over,
            ShowAnswer::AfterMarked => matches!(self.sheet, SheetMarkState::Marked),
        }
    }

    /// Whether the score is shown: of what is marked, and where keys wait for the end the score waits too.
    pub const fn score(&self) -> bool {
        !self.again
            && matches!(self.sheet, SheetMarkState::Marked)
            && (self.over || !matches!(self.show, ShowAnswer::AfterClose))
    }

    /// Whether the score of each question is shown: between attempts it would tell which choices were right.
    pub const fn score_of_each(&self) -> bool {
        self.score() && !self.more
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use infra::clock::day_began;

    use super::*;

    fn at(hour: i64, minute: i64, second: i64) -> Moment {
        let day = day_began(NaiveDate::from_ymd_opt(2026, 4, 1).expect("a day"));
        day + TimeDelta::hours(hour) + TimeDelta::minutes(minute) + TimeDelta::seconds(second)
    }

    fn window() -> Window {
        Window { ends_at: at(22, 0, 0), late_until: None, extended_until: None, redo_until: None }
    }

    #[test]
    fn an_hour_that_begins_at_21_40_ends_at_22_00() {
        assert_eq!(window().deadline(at(21, 40, 0), Some(60)), at(22, 0, 0));
        assert_eq!(window().deadline(at(20, 0, 0), Some(60)), at(21, 0, 0));
        assert_eq!(window().deadline(at(20, 0, 0), None), at(22, 0, 0));
        let late = Window { late_until: Some(at(23, 0, 0)), ..window() };
        assert_eq!(late.deadline(at(21, 40, 0), Some(60)), at(22, 40, 0));
        let extended = Window { extended_until: Some(at(23, 30, 0)), ..late };
        assert_eq!(extended.hard_end(), at(23, 30, 0));
        let again = Window { redo_until: Some(at(23, 45, 0)), ..extended };
        assert_eq!(again.hard_end(), at(23, 45, 0));
    }

    #[test]
    fn late_is_who_uses_the_time_for_it() {
        assert!(!window().is_late(at(22, 30, 0)), "there is no time for it");
        let late = Window { late_until: Some(at(23, 0, 0)), ..window() };
        assert!(!late.is_late(at(22, 0, 30)));
        assert!(late.is_late(at(22, 0, 31)));
        assert!(!Window { extended_until: Some(at(23, 0, 0)), ..late }.is_late(at(22, 30, 0)));
        assert!(!Window { redo_until: Some(at(23, 0, 0)), ..late }.is_late(at(22, 30, 0)));
        assert_eq!(penalised(860, 10), 774);
        assert_eq!(penalised(860, 0), 860);
    }

    #[test]
    fn three_attempts_of_70_85_and_80() {
        let marked = [(1, 700), (2, 850), (3, 800)];
        assert_eq!(final_raw(AttemptScoring::Highest, &marked), Some(850));
        assert_eq!(final_raw(AttemptScoring::Last, &marked), Some(800));
        assert_eq!(final_raw(AttemptScoring::Average, &marked), Some(783));
        assert_eq!(final_raw(AttemptScoring::Average, &[]), None);
        assert_eq!(of_hundred(45, 50), 900);
    }

    #[test]
    fn weights_1_1_2_with_one_that_was_missed() {
        assert_eq!(weighted(&[(10, Some(800)), (10, None), (20, Some(900))]), Some(650));
        assert_eq!(weighted(&[(10, Some(800)), (20, Some(900))]), Some(867), "the missed one is exempt");
        assert_eq!(weighted(&[]), None);
        assert_eq!(weighted(&[(0, Some(800))]), None);
    }

    #[test]
    fn keys_wait_until_they_may_be_seen() {
        let marked = |show, over| Shown { show, sheet: SheetMarkState::Marked, over, again: false, more: false };
        assert!(!marked(ShowAnswer::Never, true).keys());
        assert!(marked(ShowAnswer::Never, true).score());
        assert!(!marked(ShowAnswer::AfterClose, false).keys());
        assert!(!marked(ShowAnswer::AfterClose, false).score());
        assert!(marked(ShowAnswer::AfterClose, true).keys() && marked(ShowAnswer::AfterClose, true).score());
        assert!(marked(ShowAnswer::AfterMarked, false).keys());
        let handed = Shown { sheet: SheetMarkState::Submitted, ..marked(ShowAnswer::AfterSubmit, false) };
        assert!(handed.keys() && !handed.score());
        assert!(!Shown { sheet: SheetMarkState::InProgress, ..handed }.keys());
        let between = Shown { more: true, ..marked(ShowAnswer::AfterMarked, false) };
        assert!(!between.keys() && between.score(), "the score is told between attempts, the keys are not");
        assert!(!between.score_of_each() && marked(ShowAnswer::Never, true).score_of_each(), "nor is what was right");
        for show in [ShowAnswer::AfterSubmit, ShowAnswer::AfterClose, ShowAnswer::AfterMarked] {
            let back = Shown { sheet: SheetMarkState::Returned, again: true, ..marked(show, true) };
            assert!(!back.keys() && !back.score(), "it is done again first");
            let former = Shown { again: true, ..marked(show, true) };
            assert!(!former.keys() && !former.score(), "of an attempt before it neither");
        }
    }
}
