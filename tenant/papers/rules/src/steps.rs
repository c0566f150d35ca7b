//! 提交, 审核, 退回, 启用停用 of a paper (part 03 A8).

use crate::enums::PaperStatus;

/// Where a paper goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Whether papers of its kind are reviewed.
    Submit(bool),
    Pass,
    Return,
    Enable,
    Disable,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: PaperStatus, turn: Turn) -> Result<PaperStatus, String> {
    use PaperStatus::{Approved, Disabled, Draft, PendingReview, Rejected};
    match (turn, from) {
        (Turn::Submit(true), Draft | Rejected) => Ok(PendingReview),
        (Turn::Submit(false), Draft | Rejected) | (Turn::Pass, PendingReview) => Ok(Approved),
        (Turn::Return, PendingReview) => Ok(Rejected),
        (Turn::Enable, Disabled | Approved) => Ok(Approved),
        (Turn::Disable, Approved | Disabled) => Ok(Disabled),
        (Turn::Submit(_), PendingReview | Approved | Disabled) => Err(format!("当前状态为{}，不能提交", from.zh())),
        (Turn::Pass | Turn::Return, Draft | Approved | Rejected | Disabled) => {
            Err(format!("当前状态为{}，不能审核", from.zh()))
        }
        (Turn::Enable, Draft | PendingReview | Rejected) => Err(format!("当前状态为{}，不能启用", from.zh())),
        (Turn::Disable, Draft | PendingReview | Rejected) => Err(format!("当前状态为{}，不能停用", from.zh())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_goes_its_way() {
        use PaperStatus::{Approved, Disabled, Draft, PendingReview, Rejected};
        for (from, turn, to) in [
            (Draft, Turn::Submit(true), Ok(PendingReview)),
            (Draft, Turn::Submit(false), Ok(Approved)),
            (Rejected, Turn::Submit(true), Ok(PendingReview)),
            (PendingReview, Turn::Pass, Ok(Approved)),
            (PendingReview, Turn::Return, Ok(Rejected)),
            (Approved, Turn::Disable, Ok(Disabled)),
            (Disabled, Turn::Enable, Ok(Approved)),
            (Approved, Turn::Submit(true), Err("当前状态为已通过，不能提交")),
            (Draft, Turn::Pass, Err("当前状态为草稿，不能审核")),
            (Draft, Turn::Enable, Err("当前状态为草稿，不能启用")),
        ] {
            assert_eq!(after(from, turn), to.map_err(str::to_owned), "{from:?} {turn:?}");
        }
    }
}
