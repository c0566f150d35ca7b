//! How a score comes of attendance and performance: in whole numbers, rounded half up and once, on the last step (part 03 §0.1,
//! B8).

use infra::setting::{Setting, kind::Field};

use crate::enums::AttendanceResult;

/// What attendance and performance weigh (01 §13).
pub const INSTRUCTION_WEIGHTS: Setting = Setting::object(
    "instructionWeights",
    "面授成绩权重",
    &[Field::share("attendance", "考勤", 40), Field::share("performance", "表现", 60)],
    Some(100),
    "",
);

/// Hundredths that attendance and performance weigh; together a hundred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    pub attendance: i64,
    pub performance: i64,
}

/// How often somebody came; leave counts neither for nor against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attended {
    pub present: i64,
    pub late: i64,
    pub leave: i64,
    pub absent: i64,
}

impl Attended {
    /// Sessions that count.
    pub const fn required(self) -> i64 {
        self.present + self.late + self.absent
    }

    /// Half sessions: late counts half.
    const fn halves(self) -> i64 {
        2 * self.present + self.late
    }

    /// In tenths.
    pub const fn attended(self) -> i64 {
        5 * self.halves()
    }

    /// With one session told otherwise: what was registered of it before, if anything was, and what is now.
    #[must_use]
    pub fn with(mut self, before: Option<AttendanceResult>, now: AttendanceResult) -> Self {
        if let Some(before) = before {
            *self.of(before) -= 1;
        }
        *self.of(now) += 1;
        self
    }

    fn of(&mut self, result: AttendanceResult) -> &mut i64 {
        match result {
            AttendanceResult::Present => &mut self.present,
            AttendanceResult::Late => &mut self.late,
            AttendanceResult::Leave => &mut self.leave,
            AttendanceResult::Absent => &mut self.absent,
        }
    }

    /// Whether anything was registered, be it leave.
    pub const fn is_any(self) -> bool {
        self.required() + self.leave > 0
    }

    /// In tenths of a hundred; none when no session counts.
    pub fn score(self) -> Option<i64> {
        (self.required() > 0).then(|| rounded(1_000 * self.halves(), 2 * self.required()))
    }
}

/// Half up; neither is negative.
const fn rounded(numerator: i64, denominator: i64) -> i64 {
    (2 * numerator + denominator) / (2 * denominator)
}

/// A score, in tenths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scored {
    pub attendance: Option<i64>,
    pub total: Option<i64>,
}

/// What comes of attendance, or of a typed attendance score where there were no sessions, and performance; both in tenths.
pub fn scored(attended: Attended, typed: Option<i64>, performance: Option<i64>, weights: Weights) -> Scored {
    let Weights { attendance: by_attendance, performance: by_performance } = weights;
    if attended.required() > 0 {
        // Of the unrounded rate.
        let required = 2 * attended.required();
        let total = performance.map(|performance| {
            rounded(1_000 * attended.halves() * by_attendance + performance * by_performance * required, 100 * required)
        });
        return Scored { attendance: attended.score(), total };
    }
    let typed = typed.filter(|_| !attended.is_any());
    let total = performance.map(|performance| match typed {
        Some(typed) => rounded(typed * by_attendance + performance * by_performance, 100),
        None => performance,
    });
    Scored { attendance: typed, total }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Weights = Weights { attendance: 40, performance: 60 };

    /// Scenario 1, with its numbers.
    #[test]
    fn the_total_comes_of_the_unrounded_rate() {
        let attended = Attended { present: 7, late: 1, leave: 1, absent: 1 };
        assert_eq!((attended.required(), attended.attended()), (9, 75));
        assert_eq!(scored(attended, None, Some(880), USUAL), Scored { attendance: Some(833), total: Some(861) });
    }

    /// Scenario 6.
    #[test]
    fn without_sessions_that_count_performance_is_all() {
        let on_leave = Attended { leave: 10, ..Attended::default() };
        let none = Scored { attendance: None, total: Some(880) };
        assert_eq!(scored(on_leave, None, Some(880), USUAL), none);
        assert_eq!(scored(Attended::default(), None, Some(880), USUAL), none);
        // What was typed does not outlive the first session.
        assert_eq!(scored(on_leave, Some(900), Some(880), USUAL), none);
    }

    #[test]
    fn one_session_is_told_otherwise() {
        use AttendanceResult::{Absent, Late, Present};
        let attended = Attended { present: 2, absent: 1, ..Attended::default() };
        assert_eq!(attended.with(None, Late), Attended { present: 2, late: 1, absent: 1, leave: 0 });
        assert_eq!(attended.with(Some(Absent), Present), Attended { present: 3, ..Attended::default() });
        assert_eq!(attended.with(Some(Present), Present), attended);
    }

    #[test]
    fn what_is_typed_counts_where_there_are_no_sessions() {
        assert_eq!(
            scored(Attended::default(), Some(905), Some(880), USUAL),
            Scored { attendance: Some(905), total: Some(890) }
        );
        assert_eq!(scored(Attended::default(), Some(905), None, USUAL), Scored { attendance: Some(905), total: None });
    }

    #[test]
    fn halves_are_rounded_up_once() {
        // 0.05 becomes 0.1.
        assert_eq!((rounded(1, 2), rounded(1, 3), rounded(2, 3)), (1, 0, 1));
        let all = Attended { present: 3, ..Attended::default() };
        assert_eq!(all.score(), Some(1000));
        let none = Attended { absent: 3, ..Attended::default() };
        assert_eq!(scored(none, None, Some(1000), USUAL), Scored { attendance: Some(0), total: Some(600) });
    }
}
