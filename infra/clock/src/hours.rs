//! Hours of the day in which something may be done.

use chrono::{Days, NaiveTime};

use crate::{Moment, china};

/// When it may be done: now inside the hours `HH:MM-HH:MM`, else at their next beginning. What names no hours forbids none.
pub fn next_within(hours: &str, now: Moment) -> Moment {
    let parsed = hours.split_once('-').and_then(|(from, to)| {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").ok();
        Some((time(from)?, time(to)?))
    });
    let Some((from, to)) = parsed else { return now };
    let time = now.time();
    if (from..to).contains(&time) {
        return now;
    }
    let day = if time < from { now.date_naive() } else { now.date_naive() + Days::new(1) };
    day.and_time(from).and_local_timezone(china()).single().map_or(now, Moment::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 01 §7.3-3: only 08:00–22:00, else queued to 08:00.
    #[test]
    fn what_comes_at_night_waits_for_the_morning() {
        let from = |text: &str| next_within("08:00-22:00", text.parse().expect("a moment")).to_rfc3339();
        assert_eq!(from("2026-03-01T09:30:00+08:00"), "2026-03-01T09:30:00+08:00");
        assert_eq!(from("2026-03-01T06:00:00+08:00"), "2026-03-01T08:00:00+08:00");
        assert_eq!(from("2026-03-01T22:00:00+08:00"), "2026-03-02T08:00:00+08:00");
    }
}
