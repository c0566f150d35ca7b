//! Until when an examination is answered, and who may enter it; all by the server's clock (part 04 §2.3).

use std::fmt;

use chrono::TimeDelta;
use infra::clock::Moment;

/// The time of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub starts_at: Moment,
    pub ends_at: Moment,
    pub duration: i32,
    /// Minutes after the beginning in which somebody may enter.
    pub late: Option<i32>,
    /// Minutes that the candidate has more.
    pub extra: i32,
    /// Opened again for the candidate until then.
    pub reopened: Option<Moment>,
}

impl Window {
    fn end(&self) -> Moment {
        self.reopened.unwrap_or(self.ends_at) + minutes(self.extra)
    }
}

fn minutes(count: i32) -> TimeDelta {
    TimeDelta::minutes(i64::from(count))
}

/// Until when whoever enters now answers.
pub fn deadline(window: &Window, started: Moment) -> Moment {
    (started + minutes(window.duration + window.extra)).min(window.end())
}

/// Why somebody may not enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnterRefusal {
    NotBegun,
    Over,
    /// Until when it was possible.
    Late(Moment),
}

impl fmt::Display for EnterRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBegun => f.write_str("考试未开始"),
            Self::Over => f.write_str("考试已结束"),
            Self::Late(until) => write!(f, "已超过允许进入时间（{}）", until.format("%H:%M")),
        }
    }
}

/// # Errors
/// Why the candidate may not enter now.
pub fn may_enter(window: &Window, now: Moment) -> Result<(), EnterRefusal> {
    if now < window.starts_at {
        return Err(EnterRefusal::NotBegun);
    }
    if now >= window.end() {
        return Err(EnterRefusal::Over);
    }
    // Who was let in again comes late by nature.
    let late = window.late.filter(|_| window.reopened.is_none()).map(|late| window.starts_at + minutes(late));
    match late {
        Some(until) if now > until => Err(EnterRefusal::Late(until)),
        _ => Ok(()),
    }
}

/// When the last candidate's time is over.
pub fn last_possible(ends_at: Moment, extras: impl Iterator<Item = i32>) -> Moment {
    ends_at + minutes(extras.max().unwrap_or(0))
}

/// # Errors
/// The refusal in Chinese for whoever hands in before the earliest minute.
pub fn may_submit(started: Moment, earliest: i32, now: Moment) -> Result<(), String> {
    if now < started + minutes(earliest) {
        return Err(format!("开考 {earliest} 分钟后方可交卷"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use infra::clock::day_began;

    use super::*;

    fn at(hour: i64, minute: i64, second: i64) -> Moment {
        let day = day_began(NaiveDate::from_ymd_opt(2026, 6, 20).expect("a day"));
        day + TimeDelta::hours(hour) + TimeDelta::minutes(minute) + TimeDelta::seconds(second)
    }

    fn window() -> Window {
        Window { starts_at: at(9, 0, 0), ends_at: at(11, 0, 0), duration: 90, late: Some(30), extra: 0, reopened: None }
    }

    #[test]
    fn nine_to_eleven_with_ninety_minutes() {
        assert_eq!(deadline(&window(), at(9, 20, 0)), at(10, 50, 0));
        assert_eq!(deadline(&window(), at(9, 30, 0)), at(11, 0, 0));
        assert_eq!(deadline(&Window { extra: 15, ..window() }, at(9, 30, 0)), at(11, 15, 0));
        let again = Window { reopened: Some(at(15, 0, 0)), ..window() };
        assert_eq!(deadline(&again, at(14, 0, 0)), at(15, 0, 0));
        assert_eq!(deadline(&again, at(13, 0, 0)), at(14, 30, 0));
    }

    #[test]
    fn whoever_comes_late_is_refused() {
        assert_eq!(may_enter(&window(), at(9, 30, 0)), Ok(()));
        let told = may_enter(&window(), at(9, 30, 1)).map_err(|why| why.to_string());
        assert_eq!(told, Err("已超过允许进入时间（09:30）".to_owned()));
        assert_eq!(may_enter(&window(), at(8, 59, 59)), Err(EnterRefusal::NotBegun));
        let any = Window { late: None, ..window() };
        assert_eq!(may_enter(&any, at(10, 59, 59)), Ok(()));
        assert_eq!(may_enter(&any, at(11, 0, 0)), Err(EnterRefusal::Over));
        let again = Window { reopened: Some(at(15, 0, 0)), ..window() };
        assert_eq!(may_enter(&again, at(14, 0, 0)), Ok(()));
    }

    #[test]
    fn the_last_one_decides_when_it_is_over() {
        assert_eq!(last_possible(at(11, 0, 0), [0, 20, 5].into_iter()), at(11, 20, 0));
        assert_eq!(last_possible(at(11, 0, 0), std::iter::empty()), at(11, 0, 0));
        assert_eq!(may_submit(at(9, 0, 0), 30, at(9, 29, 59)), Err("开考 30 分钟后方可交卷".to_owned()));
        assert_eq!(may_submit(at(9, 0, 0), 30, at(9, 30, 0)), Ok(()));
    }
}
