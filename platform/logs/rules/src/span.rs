//! The days that a log is asked for: seven unless said otherwise, at most ninety-two (01 §6.2).

use chrono::{Days, NaiveDate};
use infra::{Error, Result};

/// Days of a span that nobody chose.
const USUAL_DAYS: u64 = 7;
/// Days of the longest span.
const LONGEST_DAYS: i64 = 92;

/// From the first to the last day, both belonging to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub first: NaiveDate,
    pub last: NaiveDate,
}

impl Span {
    /// What was typed, completed: up to today, seven days long.
    ///
    /// # Errors
    /// 422 when it ends before it begins, or is longer than ninety-two days.
    pub fn of(first: Option<NaiveDate>, last: Option<NaiveDate>, today: NaiveDate) -> Result<Self> {
        let last = last.unwrap_or_else(|| today.max(first.unwrap_or(today)));
        let first = first.or_else(|| last.checked_sub_days(Days::new(USUAL_DAYS - 1))).unwrap_or(last);
        if first > last {
            return Err(Error::field("endsOn", "结束日期不能早于开始日期"));
        }
        if (last - first).num_days() >= LONGEST_DAYS {
            return Err(Error::field("startsOn", format!("时间跨度不能超过{LONGEST_DAYS}天")));
        }
        Ok(Self { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn of(first: &str, last: &str) -> Result<Span> {
        let typed = |text: &str| (!text.is_empty()).then(|| day(text));
        Span::of(typed(first), typed(last), day("2026-11-21"))
    }

    /// 01 §6.2: default seven days; §6.5.5: 93 days are refused.
    #[test]
    fn seven_days_unless_said_and_never_more_than_ninety_two() {
        let span = |first: &str, last: &str| Ok(Span { first: day(first), last: day(last) });
        assert_eq!(of("", ""), span("2026-11-15", "2026-11-21"));
        assert_eq!(of("", "2026-03-07"), span("2026-03-01", "2026-03-07"));
        assert_eq!(of("2026-10-01", ""), span("2026-10-01", "2026-11-21"));
        assert_eq!(of("2026-08-22", "2026-11-21"), span("2026-08-22", "2026-11-21"));
        let refused = |first: &str, last: &str| of(first, last).map_err(|error| error.msg.into_owned());
        assert_eq!(refused("2026-08-21", "2026-11-21"), Err("时间跨度不能超过92天".to_owned()));
        assert_eq!(refused("2026-11-02", "2026-11-01"), Err("结束日期不能早于开始日期".to_owned()));
    }
}
