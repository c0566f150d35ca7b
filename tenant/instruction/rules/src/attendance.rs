//! 考勤: of which sessions it is registered (part 03 B8).

use infra::{Error, Result};
use timetable_rules::enums::{ArrangeStatus, SessionStatus};

/// Whether who came to a session is registered; `begun` when it has.
///
/// # Errors
/// 409 for a session without attendance.
pub fn may_register(arrange: ArrangeStatus, session: SessionStatus, begun: bool) -> Result<()> {
    match (arrange, session) {
        (_, SessionStatus::Cancelled) => Err(Error::conflict("该次课已取消")),
        (ArrangeStatus::Draft, SessionStatus::Scheduled) => Err(Error::conflict("排课还未发布，不能登记考勤")),
        (ArrangeStatus::Published | ArrangeStatus::Cancelled, SessionStatus::Scheduled) if !begun => {
            Err(Error::conflict("该次课还未开始，不能登记考勤"))
        }
        (ArrangeStatus::Published | ArrangeStatus::Cancelled, SessionStatus::Scheduled) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scenario 2.
    #[test]
    fn attendance_is_of_what_took_place() {
        use ArrangeStatus::{Cancelled, Draft, Published};
        let told = |arrange, session, begun| may_register(arrange, session, begun).map_err(|error| error.msg);
        assert_eq!(told(Published, SessionStatus::Cancelled, true), Err("该次课已取消".into()));
        assert_eq!(told(Draft, SessionStatus::Scheduled, true), Err("排课还未发布，不能登记考勤".into()));
        assert_eq!(told(Published, SessionStatus::Scheduled, false), Err("该次课还未开始，不能登记考勤".into()));
        assert_eq!(told(Published, SessionStatus::Scheduled, true), Ok(()));
        // What was held of an arrangement that was called off afterwards.
        assert_eq!(told(Cancelled, SessionStatus::Scheduled, true), Ok(()));
    }
}
