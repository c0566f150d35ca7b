//! The dates of an enrolment: expected graduation, longest study, and what a suspension moves (part 02 §9.3).
//!
//! Years are counted in half years, which are semesters: `term::half_years`.

use chrono::{Datelike, Days, Months, NaiveDate};
use term::{Season, Term};

/// The two days of the year on which a school graduates its students: the setting `graduateDates` (part 01 §13).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraduateDates {
    pub spring: MonthDay,
    pub autumn: MonthDay,
}

impl Default for GraduateDates {
    fn default() -> Self {
        GraduateDates { spring: MonthDay { month: 7, day: 10 }, autumn: MonthDay { month: 1, day: 10 } }
    }
}

/// A day of any year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthDay {
    month: u32,
    day: u32,
}

impl MonthDay {
    /// Reads `MM-DD`; 29 February, which most years lack, is not a day of any year.
    pub fn parse(text: &str) -> Option<MonthDay> {
        let (month, day) = text.split_once('-')?;
        if ![month, day].iter().all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())) {
            return None;
        }
        let date = NaiveDate::from_ymd_opt(2025, month.parse().ok()?, day.parse().ok()?)?;
        Some(MonthDay { month: date.month(), day: date.day() })
    }

    fn of(date: NaiveDate) -> MonthDay {
        MonthDay { month: date.month(), day: date.day() }
    }

    fn in_year(self, year: i32) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(year, self.month, self.day)
    }
}

/// 预计毕业日期 of a grade after n semesters (part 02 §9.3).
///
/// Spring entry of Y: n odd → the spring date of Y + (n−1)/2; n even → the autumn date of Y + n/2, which is in
/// January. Autumn entry of Y: n odd → the autumn date of Y + (n+1)/2; n even → the spring date of Y + n/2.
/// None only when the year leaves the calendar.
pub fn expected_graduation_on(grade: Term, semesters: i32, dates: GraduateDates) -> Option<NaiveDate> {
    let odd = semesters.rem_euclid(2) == 1;
    match (grade.season, odd) {
        (Season::Spring, true) => dates.spring.in_year(grade.year + (semesters - 1) / 2),
        (Season::Spring, false) => dates.autumn.in_year(grade.year + semesters / 2),
        (Season::Autumn, true) => dates.autumn.in_year(grade.year + (semesters + 1) / 2),
        (Season::Autumn, false) => dates.spring.in_year(grade.year + semesters / 2),
    }
}

/// 最长学习期限: the last day of the level's longest study time, counted from enrolledOn (part 02 §9.3).
///
/// A suspension counts inside it; only military service (应征入伍) adds its months.
pub fn max_study_end_on(enrolled_on: NaiveDate, max_half_years: i32, military_months: u32) -> Option<NaiveDate> {
    let months = u32::try_from(max_half_years).ok()?.checked_mul(6)?.checked_add(military_months)?;
    let end = enrolled_on.checked_add_months(Months::new(months))?;
    // Who entered on a day that the last month lacks (29 February) has already been moved to its last day.
    if end.day() == enrolled_on.day() { end.checked_sub_days(Days::new(1)) } else { Some(end) }
}

/// How many semesters a suspension of some months costs: every begun half year (part 02 §9.3).
fn semesters_lost(suspended_months: u32) -> u32 {
    suspended_months.div_ceil(6)
}

/// 复学: the expected graduation after a suspension, moved from graduation date to graduation date (part 02 §9.3).
///
/// An expected date that is neither of the school's two (imported, or set before the setting changed) moves by whole
/// half years instead.
pub(crate) fn expected_after_return(
    expected_on: NaiveDate,
    suspended_months: u32,
    dates: GraduateDates,
) -> Option<NaiveDate> {
    let semesters = semesters_lost(suspended_months);
    let mut year = expected_on.year();
    let mut at_spring = match MonthDay::of(expected_on) {
        day if day == dates.spring => true,
        day if day == dates.autumn => false,
        _ => return expected_on.checked_add_months(Months::new(semesters.checked_mul(6)?)),
    };
    // The autumn date lies in the January after its semester, so a year begins with it.
    for _ in 0..semesters {
        if at_spring {
            year += 1;
        }
        at_spring = !at_spring;
    }
    if at_spring { dates.spring.in_year(year) } else { dates.autumn.in_year(year) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn expected(year: i32, season: Season, semesters: i32) -> NaiveDate {
        expected_graduation_on(Term { year, season }, semesters, GraduateDates::default()).unwrap()
    }

    #[test]
    fn expected_graduation_as_worked() {
        assert_eq!(expected(2026, Season::Spring, 5), day("2028-07-10"));
        assert_eq!(expected(2026, Season::Spring, 10), day("2031-01-10"));
        assert_eq!(expected(2026, Season::Autumn, 5), day("2029-01-10"));
        assert_eq!(expected(2026, Season::Autumn, 6), day("2029-07-10"));
    }

    #[test]
    fn a_school_may_have_other_dates() {
        let dates =
            GraduateDates { spring: MonthDay::parse("06-30").unwrap(), autumn: MonthDay::parse("01-20").unwrap() };
        let grade = Term { year: 2026, season: Season::Spring };
        assert_eq!(expected_graduation_on(grade, 5, dates), Some(day("2028-06-30")));
        assert_eq!(expected_graduation_on(grade, 6, dates), Some(day("2029-01-20")));
        assert_eq!(MonthDay::parse("07-10"), Some(GraduateDates::default().spring));
        for wrong in ["7-10", "13-01", "02-29", "02-30", "0710", "", "+7-10"] {
            assert_eq!(MonthDay::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn longest_study_as_worked() {
        assert_eq!(max_study_end_on(day("2026-03-01"), 10, 0), Some(day("2031-02-28")));
        assert_eq!(max_study_end_on(day("2026-03-01"), 16, 0), Some(day("2034-02-28")));
        assert_eq!(max_study_end_on(day("2027-03-01"), 10, 0), Some(day("2032-02-29")));
        assert_eq!(max_study_end_on(day("2024-02-29"), 10, 0), Some(day("2029-02-28")));
        assert_eq!(max_study_end_on(day("2026-03-01"), -1, 0), None);
    }

    #[test]
    fn only_military_service_prolongs_it() {
        assert_eq!(max_study_end_on(day("2026-03-01"), 10, 24), Some(day("2033-02-28")));
    }

    #[test]
    fn return_after_suspension_as_worked() {
        let dates = GraduateDates::default();
        assert_eq!(semesters_lost(12), 2);
        assert_eq!(expected_after_return(day("2028-07-10"), 12, dates), Some(day("2029-07-10")));
        assert_eq!(expected_after_return(day("2028-07-10"), 6, dates), Some(day("2029-01-10")));
        assert_eq!(expected_after_return(day("2029-01-10"), 6, dates), Some(day("2029-07-10")));
        assert_eq!(expected_after_return(day("2028-07-10"), 7, dates), Some(day("2029-07-10")));
        assert_eq!(expected_after_return(day("2028-07-10"), 18, dates), Some(day("2030-01-10")));
        assert_eq!(expected_after_return(day("2028-07-10"), 0, dates), Some(day("2028-07-10")));
        assert_eq!(expected_after_return(day("2028-06-30"), 12, dates), Some(day("2029-06-30")));
        assert_eq!((semesters_lost(0), semesters_lost(1), semesters_lost(6), semesters_lost(7)), (0, 1, 1, 2));
    }
}
