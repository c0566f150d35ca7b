//! The ways of a session: draft → seated ⇄ confirmed → finished (part 04 §4.3).

use thiserror::Error;

use crate::enums::ExamSessionStatus;

/// What happens to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionTurn {
    /// Seats are given: auto, place, move, import.
    Seat,
    /// All its seats are taken away.
    Clear,
    Confirm,
    /// Before tickets open, or with a reason.
    Unconfirm {
        excused: bool,
    },
    /// All its rooms are recorded.
    Finish,
}

/// Why it may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SessionRefusal {
    #[error("座位已确认，请先取消确认")]
    Confirmed,
    #[error("场次已结束，不能修改座位")]
    Finished,
    #[error("场次还没有编排座位")]
    NoSeats,
    #[error("座位还没有确认")]
    NotConfirmed,
    #[error("准考证已开放，取消确认请填写原因")]
    TicketsOpen,
}

/// The state behind a step.
///
/// # Errors
/// Why it may not be.
pub fn after(from: ExamSessionStatus, turn: SessionTurn) -> Result<ExamSessionStatus, SessionRefusal> {
    use ExamSessionStatus::{Confirmed, Draft, Finished, Seated};
    match (from, turn) {
        (Draft | Seated, SessionTurn::Seat) => Ok(Seated),
        (Draft | Seated, SessionTurn::Clear) => Ok(Draft),
        (Seated, SessionTurn::Confirm) => Ok(Confirmed),
        (Draft, SessionTurn::Confirm) => Err(SessionRefusal::NoSeats),
        (Confirmed, SessionTurn::Unconfirm { excused: true }) => Ok(Seated),
        (Confirmed, SessionTurn::Unconfirm { excused: false }) => Err(SessionRefusal::TicketsOpen),
        (Confirmed, SessionTurn::Finish) => Ok(Finished),
        (Draft | Seated, SessionTurn::Unconfirm { .. } | SessionTurn::Finish) => Err(SessionRefusal::NotConfirmed),
        (Confirmed, SessionTurn::Seat | SessionTurn::Clear | SessionTurn::Confirm) => Err(SessionRefusal::Confirmed),
        (Finished, _) => Err(SessionRefusal::Finished),
    }
}

/// The next free number of a session, of two digits.
pub fn next_code(taken: &[String]) -> Option<String> {
    (1..=99).map(|n| format!("{n:02}")).find(|code| !taken.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scenario 5.
    #[test]
    fn confirmed_seats_stay() {
        use ExamSessionStatus::{Confirmed, Draft, Finished, Seated};
        assert_eq!(after(Draft, SessionTurn::Seat), Ok(Seated));
        assert_eq!(after(Confirmed, SessionTurn::Seat), Err(SessionRefusal::Confirmed));
        assert_eq!(SessionRefusal::Confirmed.to_string(), "座位已确认，请先取消确认");
        assert_eq!(after(Seated, SessionTurn::Confirm), Ok(Confirmed));
        assert_eq!(after(Confirmed, SessionTurn::Unconfirm { excused: false }), Err(SessionRefusal::TicketsOpen));
        assert_eq!(after(Confirmed, SessionTurn::Unconfirm { excused: true }), Ok(Seated));
        assert_eq!(after(Confirmed, SessionTurn::Finish), Ok(Finished));
        assert_eq!(after(Finished, SessionTurn::Clear), Err(SessionRefusal::Finished));
    }

    #[test]
    fn codes_fill_gaps() {
        let taken = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<String>>();
        assert_eq!(next_code(&taken(&["01", "03"])), Some("02".to_owned()));
        assert_eq!(next_code(&(1..=99).map(|n| format!("{n:02}")).collect::<Vec<_>>()), None);
    }
}
