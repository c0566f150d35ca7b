//! 课程学习成绩: of progress, time and days (part 04 §5.3).

use crate::{arith::scaled, params::StudyParams};

/// Minutes of a period of an online course.
const PERIOD: i64 = 45;

/// The value of who got so far (tenths of a percent), studied so long on so many days, in a course of so many periods online.
pub fn value(p: &StudyParams, progress: i64, seconds: i64, days: i64, online_hours: i64) -> i64 {
    let full = p.full_minutes.map_or(online_hours * PERIOD, i64::from) * 60;
    // A part of which nothing is asked counts full.
    let (seconds, full) = if full <= 0 { (1, 1) } else { (seconds.clamp(0, full), full) };
    let full_days = p.full_days.map_or(0, i64::from);
    let (days, full_days) = if full_days <= 0 { (1, 1) } else { (days.clamp(0, full_days), full_days) };
    let [progress, seconds, full, days, full_days] =
        [progress.clamp(0, 1_000), seconds, full, days, full_days].map(i128::from);
    let [by_progress, by_minutes, by_days] = [p.progress_weight, p.minutes_weight, p.days_weight].map(i128::from);
    let whole = full * full_days;
    let sum = progress * by_progress * whole + seconds * 1_000 * by_minutes * full_days + days * 1_000 * by_days * full;
    scaled(sum, 100 * whole, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_minutes_and_days_are_weighed() {
        let plain = StudyParams {
            progress_weight: 80,
            minutes_weight: 20,
            days_weight: 0,
            full_minutes: Some(600),
            full_days: None,
        };
        assert_eq!(value(&plain, 925, 450 * 60, 3, 0), 890);
        let days = StudyParams {
            progress_weight: 70,
            minutes_weight: 20,
            days_weight: 10,
            full_minutes: Some(600),
            full_days: Some(20),
        };
        assert_eq!(value(&days, 925, 450 * 60, 15, 0), 873);
        let by_hours = StudyParams { full_minutes: None, ..plain };
        assert_eq!(value(&by_hours, 1_000, 9 * 45 * 60, 0, 18), 900);
        assert_eq!(value(&by_hours, 1_000, 0, 0, 0), 1_000);
    }
}
