//! 提交, 确认, 退回 and 撤销确认 of scores (part 03 B8).

use crate::enums::InstructionScoreStatus;

/// How a score goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Submit,
    Confirm,
    Return,
    Revoke,
}

impl Turn {
    /// As the statement knows it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Confirm => "confirm",
            Self::Return => "return",
            Self::Revoke => "revoke",
        }
    }
}

/// Why it does not.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("该成绩{}，只有录入中的可以提交", .0.zh())]
    NotDraft(InstructionScoreStatus),
    #[error("该成绩{}，只有已提交的可以确认或退回", .0.zh())]
    NotSubmitted(InstructionScoreStatus),
    #[error("该成绩{}，只有已确认的可以撤销", .0.zh())]
    NotConfirmed(InstructionScoreStatus),
    #[error("成绩已锁定，不能撤销确认")]
    Locked,
}

/// Where a turn leads from a status; `locked` when the final score stands.
///
/// # Errors
/// Why it does not.
pub fn after(status: InstructionScoreStatus, turn: Turn, locked: bool) -> Result<InstructionScoreStatus, Refusal> {
    use InstructionScoreStatus::{Confirmed, Draft, Submitted};
    match (turn, status) {
        (Turn::Submit, Draft) => Ok(Submitted),
        (Turn::Submit, Submitted | Confirmed) => Err(Refusal::NotDraft(status)),
        (Turn::Confirm, Submitted) => Ok(Confirmed),
        (Turn::Return, Submitted) => Ok(Draft),
        (Turn::Confirm | Turn::Return, Draft | Confirmed) => Err(Refusal::NotSubmitted(status)),
        (Turn::Revoke, Confirmed) if locked => Err(Refusal::Locked),
        (Turn::Revoke, Confirmed) => Ok(Submitted),
        (Turn::Revoke, Draft | Submitted) => Err(Refusal::NotConfirmed(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_goes_on_from_where_it_is() {
        use InstructionScoreStatus::{Confirmed, Draft, Submitted};
        let told = |status, turn, locked| after(status, turn, locked).map_err(|why| why.to_string());
        assert_eq!(told(Draft, Turn::Submit, false), Ok(Submitted));
        assert_eq!(told(Submitted, Turn::Confirm, false), Ok(Confirmed));
        assert_eq!(told(Submitted, Turn::Return, false), Ok(Draft));
        assert_eq!(told(Confirmed, Turn::Revoke, false), Ok(Submitted));
        assert_eq!(told(Confirmed, Turn::Revoke, true), Err("成绩已锁定，不能撤销确认".to_owned()));
        assert_eq!(told(Confirmed, Turn::Submit, false), Err("该成绩已确认，只有录入中的可以提交".to_owned()));
        assert_eq!(told(Draft, Turn::Confirm, false), Err("该成绩录入中，只有已提交的可以确认或退回".to_owned()));
        assert_eq!(told(Submitted, Turn::Revoke, false), Err("该成绩已提交，只有已确认的可以撤销".to_owned()));
    }
}
