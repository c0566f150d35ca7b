//! 退选, 审核 and 驳回 (part 03 B4).

use crate::enums::SelectionStatus;

/// How a selection goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Drop,
    Pass,
    Reject,
}

/// Why it does not.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("该课程成绩已提交，不能退选")]
    Submitted,
    #[error("该选课为{}，不能退选", .0.zh())]
    NotIn(SelectionStatus),
    #[error("该选课为{}，只有待审核的可以审核", .0.zh())]
    NotPending(SelectionStatus),
}

/// Where a turn leads from a status; `submitted` when the score of the selection was.
///
/// # Errors
/// Why it does not.
pub fn after(status: SelectionStatus, turn: Turn, submitted: bool) -> Result<SelectionStatus, Refusal> {
    use SelectionStatus::{Completed, Dropped, Exempted, Pending, Selected};
    match (turn, status) {
        (Turn::Drop, _) if submitted => Err(Refusal::Submitted),
        (Turn::Drop, Pending | Selected) | (Turn::Reject, Pending) => Ok(Dropped),
        (Turn::Drop, Dropped | Exempted | Completed) => Err(Refusal::NotIn(status)),
        (Turn::Pass, Pending) => Ok(Selected),
        (Turn::Pass | Turn::Reject, Selected | Dropped | Exempted | Completed) => Err(Refusal::NotPending(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_goes_on_from_where_it_is() {
        use SelectionStatus::{Completed, Dropped, Exempted, Pending, Selected};
        let told = |status, turn| after(status, turn, status == Completed).map_err(|why| why.to_string());
        assert_eq!(told(Selected, Turn::Drop), Ok(Dropped));
        assert_eq!(told(Pending, Turn::Drop), Ok(Dropped));
        assert_eq!(told(Completed, Turn::Drop), Err("该课程成绩已提交，不能退选".to_owned()));
        assert_eq!(after(Selected, Turn::Drop, true), Err(Refusal::Submitted));
        assert_eq!(told(Dropped, Turn::Drop), Err("该选课为已退选，不能退选".to_owned()));
        assert_eq!(told(Exempted, Turn::Drop), Err("该选课为免修，不能退选".to_owned()));
        assert_eq!(told(Pending, Turn::Pass), Ok(Selected));
        assert_eq!(told(Pending, Turn::Reject), Ok(Dropped));
        assert_eq!(told(Selected, Turn::Pass), Err("该选课为已选，只有待审核的可以审核".to_owned()));
    }
}
