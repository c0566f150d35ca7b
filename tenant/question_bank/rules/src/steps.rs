//! The way of a question: how it comes into use where the school has its questions reviewed (part 03 A7).

use crate::enums::QuestionStatus;

/// The status with which a question begins.
pub fn first_status(draft: bool, review: bool) -> QuestionStatus {
    if draft || review { QuestionStatus::Draft } else { QuestionStatus::Enabled }
}

/// The status behind an edit: what was looked at is looked at again, snapshots stay as they are.
pub fn edited_status(from: QuestionStatus, draft: bool, review: bool) -> QuestionStatus {
    match from {
        QuestionStatus::Enabled | QuestionStatus::Disabled if review => QuestionStatus::PendingReview,
        QuestionStatus::Enabled | QuestionStatus::Disabled | QuestionStatus::PendingReview => from,
        QuestionStatus::Draft | QuestionStatus::Rejected => first_status(draft, review),
    }
}

/// Where a question goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Whether the school has its questions reviewed.
    Submit(bool),
    Pass,
    Return,
    Enable(bool),
    Disable,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: QuestionStatus, turn: Turn) -> Result<QuestionStatus, String> {
    use QuestionStatus::{Disabled, Draft, Enabled, PendingReview, Rejected};
    match (turn, from) {
        (Turn::Submit(true), Draft | Rejected) => Ok(PendingReview),
        (Turn::Submit(false), Draft | Rejected | PendingReview) => Ok(Enabled),
        (Turn::Pass, PendingReview) => Ok(Enabled),
        (Turn::Return, PendingReview) => Ok(Rejected),
        (Turn::Enable(_), Disabled | Enabled) => Ok(Enabled),
        (Turn::Enable(false), Draft) => Ok(Enabled),
        (Turn::Enable(true), Draft) => Err("试题须审核，请先提交审核".to_owned()),
        (Turn::Disable, Enabled | Disabled) => Ok(Disabled),
        (Turn::Submit(_), _) => Err(format!("当前状态为{}，不能提交", from.zh())),
        (Turn::Pass | Turn::Return, _) => Err(format!("当前状态为{}，不能审核", from.zh())),
        (Turn::Enable(_), _) => Err(format!("当前状态为{}，不能启用", from.zh())),
        (Turn::Disable, _) => Err(format!("当前状态为{}，不能停用", from.zh())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_at_is_looked_at_again() {
        use QuestionStatus::{Disabled, Draft, Enabled, PendingReview, Rejected};
        for (from, draft, review, to) in [
            (Enabled, false, false, Enabled),
            (Enabled, false, true, PendingReview),
            (Disabled, false, true, PendingReview),
            (Disabled, false, false, Disabled),
            (PendingReview, false, true, PendingReview),
            (Rejected, false, true, Draft),
            (Rejected, false, false, Enabled),
            (Draft, true, false, Draft),
            (Draft, false, false, Enabled),
        ] {
            assert_eq!(edited_status(from, draft, review), to, "{from:?} {draft} {review}");
        }
        assert_eq!((first_status(false, false), first_status(false, true)), (Enabled, Draft));
    }

    #[test]
    fn a_question_goes_its_way() {
        use QuestionStatus::{Disabled, Draft, Enabled, PendingReview, Rejected};
        for (from, turn, to) in [
            (Draft, Turn::Submit(true), Ok(PendingReview)),
            (Draft, Turn::Submit(false), Ok(Enabled)),
            (Rejected, Turn::Submit(true), Ok(PendingReview)),
            (Enabled, Turn::Submit(true), Err("当前状态为启用，不能提交")),
            (PendingReview, Turn::Pass, Ok(Enabled)),
            (PendingReview, Turn::Return, Ok(Rejected)),
            (Draft, Turn::Pass, Err("当前状态为草稿，不能审核")),
            (Enabled, Turn::Disable, Ok(Disabled)),
            (Disabled, Turn::Enable(true), Ok(Enabled)),
            (Draft, Turn::Enable(true), Err("试题须审核，请先提交审核")),
            (PendingReview, Turn::Enable(false), Err("当前状态为待审核，不能启用")),
        ] {
            assert_eq!(after(from, turn), to.map_err(str::to_owned), "{from:?} {turn:?}");
        }
    }
}
