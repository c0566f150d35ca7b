//! Which single sessions may be moved or cancelled, and how a move is told (part 03 B9).

use chrono::{Datelike, NaiveDate};
use infra::{Error, Result, clock::Moment};

use crate::{
    enums::{ArrangeStatus, SessionStatus},
    weeks::periods_zh,
};

/// `3月7日第1-4节`.
pub fn when(day: NaiveDate, from: i32, to: i32) -> String {
    format!("{}月{}日{}", day.month(), day.day(), periods_zh(from, to))
}

/// # Errors
/// 409 for what is not published, does not take place, or has attendance.
pub fn may_change(arrange: ArrangeStatus, session: SessionStatus, attended: bool) -> Result<()> {
    match (arrange, session) {
        (ArrangeStatus::Draft, _) => Err(Error::conflict("草稿还未发布，请直接编辑排课")),
        (_, SessionStatus::Cancelled) => Err(Error::conflict("该次课已取消")),
        (ArrangeStatus::Published | ArrangeStatus::Cancelled, SessionStatus::Scheduled) if attended => {
            Err(Error::conflict("该次课已有考勤记录"))
        }
        (ArrangeStatus::Published | ArrangeStatus::Cancelled, SessionStatus::Scheduled) => Ok(()),
    }
}

/// # Errors
/// 422 at `date` for a session that has not begun and would lie in the past.
pub fn not_back(from: Moment, to: Moment, now: Moment) -> Result<()> {
    if from > now && to <= now {
        return Err(Error::field("date", "还未上的课不能调到已经过去的时间"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scenario 8, and what else stays as it is.
    #[test]
    fn what_was_attended_or_cancelled_stays() {
        use ArrangeStatus::{Cancelled, Draft, Published};
        let told = |arrange, session, attended| may_change(arrange, session, attended).map_err(|error| error.msg);
        assert_eq!(told(Published, SessionStatus::Scheduled, true), Err("该次课已有考勤记录".into()));
        assert_eq!(told(Published, SessionStatus::Cancelled, false), Err("该次课已取消".into()));
        assert_eq!(told(Draft, SessionStatus::Scheduled, false), Err("草稿还未发布，请直接编辑排课".into()));
        assert_eq!(told(Published, SessionStatus::Scheduled, false), Ok(()));
        assert_eq!(told(Cancelled, SessionStatus::Scheduled, false), Ok(()));
    }

    #[test]
    fn what_lies_ahead_does_not_go_into_the_past() {
        let at = |text: &str| text.parse::<Moment>().expect("a time");
        let now = at("2026-04-01T12:00:00+08:00");
        let (behind, ahead) = (at("2026-03-28T08:00:00+08:00"), at("2026-04-04T08:00:00+08:00"));
        let told = |from, to| not_back(from, to, now).map_err(|error| error.msg);
        assert_eq!(told(ahead, behind), Err("还未上的课不能调到已经过去的时间".into()));
        assert_eq!(told(ahead, now), Err("还未上的课不能调到已经过去的时间".into()));
        // Made up for, put right, put off.
        assert_eq!((told(behind, ahead), told(behind, behind), told(ahead, ahead)), (Ok(()), Ok(()), Ok(())));
    }

    #[test]
    fn a_move_is_told_by_day_and_lesson() {
        let day: NaiveDate = "2026-03-07".parse().expect("a day");
        assert_eq!(when(day, 1, 4), "3月7日第1-4节");
    }
}
