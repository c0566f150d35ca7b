//! How often somebody may try an exam, and how long an attempt lasts (01 §9.7).

use chrono::{NaiveDate, TimeDelta};
use infra::{Error, clock::Moment};

/// What was sent before the deadline may arrive so many seconds behind it.
pub const GRACE_SECONDS: i64 = 30;

/// Why no attempt begins.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("考试次数已用完")]
pub struct UsedUp;

impl From<UsedUp> for Error {
    fn from(refusal: UsedUp) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// The number of the next attempt of somebody who began so many; a limit of 0 is none.
///
/// # Errors
/// 409 `考试次数已用完`.
pub fn next_attempt(limit: i32, begun: i32) -> Result<i32, UsedUp> {
    if limit > 0 && begun >= limit { Err(UsedUp) } else { Ok(begun + 1) }
}

/// When an attempt that begins now is to be handed in; of a class that closes earlier with it.
pub fn deadline(now: Moment, minutes: i32, closes_at: Option<Moment>) -> Moment {
    let own = now + TimeDelta::minutes(i64::from(minutes));
    closes_at.map_or(own, |closes| own.min(closes))
}

/// When a class takes an exam: the class within its days, the exam from `opens_at` on and before `closes_at`.
#[derive(Debug, Clone, Copy)]
pub struct ClassTime {
    pub enabled: bool,
    pub starts_on: NaiveDate,
    pub ends_on: NaiveDate,
    pub opens_at: Moment,
    pub closes_at: Moment,
}

/// Why a class does not take an exam now.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    #[error("班级未开放")]
    Class,
    #[error("考试尚未开始")]
    Early,
    #[error("考试已结束")]
    Late,
}

impl From<NotNow> for Error {
    fn from(refusal: NotNow) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// # Errors
/// 409 with the reason.
pub fn in_class_time(time: &ClassTime, now: Moment) -> Result<(), NotNow> {
    let today = now.date_naive();
    if !time.enabled || today < time.starts_on || today > time.ends_on {
        Err(NotNow::Class)
    } else if now < time.opens_at {
        Err(NotNow::Early)
    } else if now >= time.closes_at {
        Err(NotNow::Late)
    } else {
        Ok(())
    }
}

/// Whether nothing that comes now was sent in time.
pub fn is_over(deadline: Moment, now: Moment) -> bool {
    now > deadline + TimeDelta::seconds(GRACE_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 01 §9.10 Exams (3).
    #[test]
    fn of_two_attempts_there_is_no_third() {
        assert_eq!((next_attempt(2, 0), next_attempt(2, 1), next_attempt(2, 2)), (Ok(1), Ok(2), Err(UsedUp)));
        assert_eq!(next_attempt(0, 99), Ok(100), "as often as they like");
        assert_eq!(UsedUp.to_string(), "考试次数已用完");
    }

    #[test]
    fn an_attempt_ends_with_its_minutes_or_with_its_class() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let now = at("2026-11-22T10:00:00+08:00");
        assert_eq!(deadline(now, 90, None), at("2026-11-22T11:30:00+08:00"));
        assert_eq!(deadline(now, 90, Some(at("2026-11-22T11:00:00+08:00"))), at("2026-11-22T11:00:00+08:00"));
        assert!(!is_over(now, at("2026-11-22T10:00:30+08:00")) && is_over(now, at("2026-11-22T10:00:31+08:00")));
    }

    #[test]
    fn a_class_takes_an_exam_in_its_time() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let time = ClassTime {
            enabled: true,
            starts_on: day("2026-11-01"),
            ends_on: day("2026-11-30"),
            opens_at: at("2026-11-22T09:00:00+08:00"),
            closes_at: at("2026-12-01T09:00:00+08:00"),
        };
        let told = |now: &str| in_class_time(&time, at(now));
        assert_eq!(told("2026-11-22T09:00:00+08:00"), Ok(()));
        assert_eq!(told("2026-11-22T08:59:59+08:00"), Err(NotNow::Early));
        assert_eq!(told("2026-12-01T08:00:00+08:00"), Err(NotNow::Class), "the class itself is over");
        assert_eq!(in_class_time(&ClassTime { ends_on: day("2026-12-31"), ..time }, time.closes_at), Err(NotNow::Late));
        assert_eq!(in_class_time(&ClassTime { enabled: false, ..time }, time.opens_at), Err(NotNow::Class));
    }
}
