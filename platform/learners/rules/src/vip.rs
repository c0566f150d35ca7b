//! 会员: how long it lasts (01 §9.6).

use chrono::Months;
use infra::clock::Moment;

/// The span of so many months more: they begin when what runs ends, or now. A day that the last month does not have is its last one
/// (31 January and one month → 28 or 29 February).
///
/// None when the end lies beyond what a calendar holds.
pub fn extended(now: Moment, runs_until: Option<Moment>, months: u32) -> Option<(Moment, Moment)> {
    let from = runs_until.filter(|end| *end > now).unwrap_or(now);
    let to = from.checked_add_months(Months::new(months))?;
    Some((from, to.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    fn end(now: &str, runs_until: Option<&str>, months: u32) -> String {
        let (_, to) = extended(at(now), runs_until.map(at), months).expect("within the calendar");
        to.to_rfc3339()
    }

    /// 01 §9.10 Learners (1).
    #[test]
    fn months_begin_when_what_runs_ends() {
        let now = "2027-01-31T10:00:00+08:00";
        assert_eq!(end(now, Some("2027-02-15T00:00:00+08:00"), 12), "2028-02-15T00:00:00+08:00");
        assert_eq!(end(now, Some("2027-01-30T00:00:00+08:00"), 12), "2028-01-31T10:00:00+08:00");
        assert_eq!(end(now, None, 12), "2028-01-31T10:00:00+08:00");
    }

    #[test]
    fn a_day_that_the_month_does_not_have_is_its_last() {
        assert_eq!(end("2027-01-31T10:00:00+08:00", None, 1), "2027-02-28T10:00:00+08:00");
        assert_eq!(end("2028-01-31T10:00:00+08:00", None, 1), "2028-02-29T10:00:00+08:00");
        assert_eq!(end("2027-03-31T00:00:00+08:00", None, 1), "2027-04-30T00:00:00+08:00");
    }

    #[test]
    fn the_span_is_told_whole() {
        let running = at("2027-02-15T00:00:00+08:00");
        let span = extended(at("2027-01-31T10:00:00+08:00"), Some(running), 3);
        assert_eq!(span, Some((running, at("2027-05-15T00:00:00+08:00"))));
    }
}
