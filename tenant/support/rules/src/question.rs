//! The way of a question (part 05 B3).
//!
//! ```text
//! waiting ─reply→ replied ─the asker asks again within 15 days→ waiting
//! waiting, replied ─reply with close, the asker, 15 days after the last reply→ closed
//! ```

use chrono::Duration;
use infra::clock::Moment;

use crate::enums::SupportQuestionStatus;

/// So long after the last reply its asker may ask again; then the question is closed.
pub const OPEN_DAYS: i64 = 15;
/// Questions of a person on one day.
pub const MOST_A_DAY: i64 = 5;

/// Why a question stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("咨询已关闭，不能回复")]
    ClosedForReply,
    #[error("咨询已关闭，如仍有疑问请重新提交咨询")]
    ClosedForAsker,
    #[error("回复已超过{OPEN_DAYS}天，不能继续追问，请重新提交咨询")]
    TooLate,
    #[error("咨询已关闭")]
    Closed,
    #[error("咨询已关闭，不能分派")]
    ClosedForDuty,
    #[error("今日咨询次数已达上限")]
    TooMany,
}

/// # Errors
/// The reason.
pub const fn may_be_replied(status: SupportQuestionStatus) -> Result<(), Refusal> {
    match status {
        SupportQuestionStatus::Waiting | SupportQuestionStatus::Replied => Ok(()),
        SupportQuestionStatus::Closed => Err(Refusal::ClosedForReply),
    }
}

/// # Errors
/// The reason.
pub const fn may_be_assigned(status: SupportQuestionStatus) -> Result<(), Refusal> {
    match status {
        SupportQuestionStatus::Waiting | SupportQuestionStatus::Replied => Ok(()),
        SupportQuestionStatus::Closed => Err(Refusal::ClosedForDuty),
    }
}

/// Whether the asker may add something: what waits waits on, what was replied waits again.
///
/// # Errors
/// The reason.
pub fn may_be_asked_again(
    status: SupportQuestionStatus,
    replied_at: Option<Moment>,
    now: Moment,
) -> Result<(), Refusal> {
    match status {
        SupportQuestionStatus::Waiting => Ok(()),
        SupportQuestionStatus::Replied => {
            let late = replied_at.is_some_and(|at| now - at > Duration::days(OPEN_DAYS));
            if late { Err(Refusal::TooLate) } else { Ok(()) }
        }
        SupportQuestionStatus::Closed => Err(Refusal::ClosedForAsker),
    }
}

/// # Errors
/// The reason.
pub const fn may_be_closed(status: SupportQuestionStatus) -> Result<(), Refusal> {
    match status {
        SupportQuestionStatus::Waiting | SupportQuestionStatus::Replied => Ok(()),
        SupportQuestionStatus::Closed => Err(Refusal::Closed),
    }
}

/// Whether somebody who asked so often today may ask once more.
///
/// # Errors
/// The reason.
pub const fn may_ask(today: i64) -> Result<(), Refusal> {
    if today < MOST_A_DAY { Ok(()) } else { Err(Refusal::TooMany) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    #[test]
    fn a_closed_question_stays_closed() {
        let closed = SupportQuestionStatus::Closed;
        assert_eq!(may_be_replied(closed), Err(Refusal::ClosedForReply));
        assert_eq!(may_be_assigned(closed), Err(Refusal::ClosedForDuty));
        assert_eq!(may_be_closed(closed), Err(Refusal::Closed));
        assert_eq!(may_be_asked_again(closed, None, Moment::default()), Err(Refusal::ClosedForAsker));
        for open in [SupportQuestionStatus::Waiting, SupportQuestionStatus::Replied] {
            assert_eq!((may_be_replied(open), may_be_assigned(open), may_be_closed(open)), (Ok(()), Ok(()), Ok(())));
        }
    }

    #[test]
    fn one_asks_again_within_fifteen_days_of_the_reply() {
        let replied = Some(moment("2026-03-01T09:00:00+08:00"));
        let asked = |at: &str| may_be_asked_again(SupportQuestionStatus::Replied, replied, moment(at));
        assert_eq!(asked("2026-03-16T09:00:00+08:00"), Ok(()));
        assert_eq!(asked("2026-03-16T09:00:01+08:00"), Err(Refusal::TooLate));
        let waits = may_be_asked_again(SupportQuestionStatus::Waiting, replied, moment("2026-09-01T09:00:00+08:00"));
        assert_eq!(waits, Ok(()), "what waits may be said more of at any time");
    }

    /// 05 B8 scenario 6.
    #[test]
    fn the_sixth_question_of_a_day_is_too_many() {
        assert_eq!(may_ask(4), Ok(()));
        assert_eq!(may_ask(5).map_err(|refusal| refusal.to_string()), Err("今日咨询次数已达上限".to_owned()));
    }
}
