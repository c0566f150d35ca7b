//! How far somebody should be, and how long they were silent. Progress and lag in tenths of a percent; days are days of China.

use chrono::{Datelike, NaiveDate};

/// Days of a window that have begun up to a day, of all its days. The day itself counts: with its end it is over.
pub fn elapsed(starts: NaiveDate, ends: NaiveDate, day: NaiveDate) -> (i64, i64) {
    let whole = (ends - starts).num_days() + 1;
    ((day - starts).num_days().saturating_add(1).clamp(0, whole.max(0)), whole)
}

/// Where progress should be on a day when it is to come to `target` percent with the window's end; half up. A target of 0 asks
/// for all of it.
pub fn expected(target: i64, starts: NaiveDate, ends: NaiveDate, day: NaiveDate) -> i32 {
    let (gone, whole) = elapsed(starts, ends, day);
    let target = if target == 0 { 100 } else { target };
    if whole <= 0 {
        return 0;
    }
    i32::try_from((target * 10 * gone * 2 + whole) / (whole * 2)).unwrap_or(0)
}

/// Days since the last sign-in; since the semester began, of whoever never signed in.
pub fn silent(last: Option<NaiveDate>, starts: NaiveDate, day: NaiveDate) -> i64 {
    match last {
        Some(last) => (day - last).num_days().max(0),
        None => (day - starts).num_days().saturating_add(1).max(0),
    }
}

/// Whole months from a day to another; negative when it is past.
pub fn months_left(day: NaiveDate, until: NaiveDate) -> i64 {
    let months = i64::from(until.year() - day.year()) * 12 + i64::from(until.month()) - i64::from(day.month());
    months - i64::from(until.day() < day.day())
}

/// Whether a semester is so young that no flag is raised.
pub fn in_grace(starts: NaiveDate, weeks: i32, day: NaiveDate) -> bool {
    (day - starts).num_days() < i64::from(weeks) * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        format!("2026-{text}").parse().expect("a day")
    }

    /// The semester of 05 C4, of 133 days.
    #[test]
    fn progress_is_expected_to_grow_with_the_days() {
        let (starts, ends) = (day("03-02"), day("07-12"));
        assert_eq!(elapsed(starts, ends, day("04-20")), (50, 133));
        assert_eq!(expected(0, starts, ends, day("04-20")), 376);
        assert_eq!(expected(0, starts, ends, day("04-27")), 429);
        assert_eq!(expected(60, starts, ends, day("07-12")), 600);
        assert_eq!(expected(0, starts, ends, day("09-01")), 1_000);
        assert_eq!(expected(0, starts, ends, day("03-01")), 0);
        assert_eq!(expected(0, day("05-02"), day("05-01"), day("05-02")), 0, "a window without days");
    }

    #[test]
    fn who_never_signed_in_is_silent_since_the_semester_began() {
        assert_eq!(silent(None, day("03-02"), day("04-20")), 50);
        assert_eq!(silent(Some(day("04-10")), day("03-02"), day("04-20")), 10);
        assert_eq!(silent(Some(day("04-21")), day("03-02"), day("04-20")), 0);
    }

    #[test]
    fn the_first_weeks_raise_no_flag() {
        assert!(in_grace(day("03-02"), 3, day("03-15")));
        assert!(in_grace(day("03-02"), 3, day("03-22")));
        assert!(!in_grace(day("03-02"), 3, day("03-23")));
        assert!(!in_grace(day("03-02"), 0, day("03-02")));
    }

    #[test]
    fn months_that_are_left_are_whole() {
        assert_eq!(months_left(day("04-20"), day("07-20")), 3);
        assert_eq!(months_left(day("04-20"), day("07-19")), 2);
        assert_eq!(months_left(day("04-20"), day("04-01")), -1);
    }
}
