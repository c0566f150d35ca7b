//! 违规: what a decided case does to a score (part 04 §3).

use scores_rules::enums::ScoreMark;

use crate::enums::{ViolationLevel, ViolationPenalty, ViolationStatus};

/// Whether the score of the examination counts as nothing.
pub const fn zero_exam(penalty: ViolationPenalty, level: ViolationLevel) -> bool {
    match penalty {
        ViolationPenalty::ScoreVoid | ViolationPenalty::BatchVoid => true,
        ViolationPenalty::Discipline => matches!(level, ViolationLevel::Cheating),
    }
}

/// The mark of a case.
pub const fn mark(level: ViolationLevel) -> ScoreMark {
    match level {
        ViolationLevel::Cheating => ScoreMark::Cheating,
        ViolationLevel::Violation | ViolationLevel::None => ScoreMark::Violation,
    }
}

/// Where a case goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseTurn {
    Confirm,
    Dismiss,
    Revoke,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: ViolationStatus, turn: CaseTurn) -> Result<ViolationStatus, String> {
    use ViolationStatus::{Confirmed, Dismissed, Reported, Revoked};
    match (turn, from) {
        (CaseTurn::Confirm, Reported) => Ok(Confirmed),
        (CaseTurn::Dismiss, Reported) => Ok(Dismissed),
        (CaseTurn::Revoke, Confirmed) => Ok(Revoked),
        (CaseTurn::Confirm | CaseTurn::Dismiss, Confirmed | Dismissed | Revoked) => {
            Err(format!("违规记录{}，不能再认定", from.zh()))
        }
        (CaseTurn::Revoke, Reported | Dismissed | Revoked) => {
            Err(format!("违规记录{}，只有已认定的可以撤销", from.zh()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_marks_the_score() {
        assert_eq!(mark(ViolationLevel::Cheating), ScoreMark::Cheating);
        assert_eq!(mark(ViolationLevel::Violation), ScoreMark::Violation);
        assert!(zero_exam(ViolationPenalty::ScoreVoid, ViolationLevel::Violation));
        assert!(!zero_exam(ViolationPenalty::Discipline, ViolationLevel::Violation));
        assert!(zero_exam(ViolationPenalty::Discipline, ViolationLevel::Cheating));
    }

    #[test]
    fn a_case_goes_its_way() {
        use ViolationStatus::{Confirmed, Dismissed, Reported, Revoked};
        assert_eq!(after(Reported, CaseTurn::Confirm), Ok(Confirmed));
        assert_eq!(after(Reported, CaseTurn::Dismiss), Ok(Dismissed));
        assert_eq!(after(Confirmed, CaseTurn::Revoke), Ok(Revoked));
        assert_eq!(after(Dismissed, CaseTurn::Confirm), Err("违规记录不成立，不能再认定".to_owned()));
        assert_eq!(after(Reported, CaseTurn::Revoke), Err("违规记录已登记，只有已认定的可以撤销".to_owned()));
    }
}
