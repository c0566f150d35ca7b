//! When a school's service ends, and when what is archived may be deleted.

use infra::clock::Moment;

/// Days before the end at which a school's administrators and the operators are warned.
const WARNED_BEFORE: [i32; 3] = [30, 7, 1];

/// The warning that is due so many days before the end, unless it or a later one was given for this end.
pub fn due(days_left: i64, given: Option<i32>) -> Option<i32> {
    let due = WARNED_BEFORE.into_iter().rev().find(|days| days_left >= 0 && days_left <= i64::from(*days))?;
    given.is_none_or(|given| due < given).then_some(due)
}

/// Days that are still missing, by the calendar.
pub fn days_left(archived_at: Moment, now: Moment, wait: i64) -> i64 {
    wait - (now.date_naive() - archived_at.date_naive()).num_days()
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;

    #[test]
    fn each_warning_is_given_once_and_none_is_given_late() {
        assert_eq!(due(31, None), None);
        assert_eq!(due(30, None), Some(30));
        assert_eq!(due(30, Some(30)), None);
        assert_eq!(due(12, None), Some(30), "a server that stood still makes up for it");
        assert_eq!(due(7, Some(30)), Some(7));
        assert_eq!(due(1, Some(7)), Some(1));
        assert_eq!(due(0, None), Some(1));
        assert_eq!(due(0, Some(1)), None);
        assert_eq!(due(-1, None), None);
    }

    #[test]
    fn thirty_days_are_counted_by_the_calendar() {
        let archived: Moment = "2026-03-01T23:30:00+08:00".parse().expect("a time");
        let left = |days: i64| days_left(archived, archived + Duration::days(days), 30);
        assert_eq!((left(0), left(29), left(30), left(31)), (30, 1, 0, -1));
        let next_morning: Moment = "2026-03-02T00:10:00+08:00".parse().expect("a time");
        assert_eq!(days_left(archived, next_morning, 30), 29);
    }
}
