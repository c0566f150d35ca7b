//! The way of a plan (part 03 B1).

use crate::enums::PlanStatus;

/// Where a plan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Submit,
    Recall,
    Pass,
    Return,
    Withdraw,
}

impl Turn {
    const fn zh(self) -> &'static str {
        match self {
            Self::Submit => "提交",
            Self::Recall => "撤回",
            Self::Pass => "审核",
            Self::Return => "退回",
            Self::Withdraw => "作废",
        }
    }
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: PlanStatus, turn: Turn) -> Result<PlanStatus, String> {
    use PlanStatus::{Draft, Effective, Rejected, Submitted, Superseded, Withdrawn};
    match (turn, from) {
        (Turn::Submit, Draft | Rejected) => Ok(Submitted),
        (Turn::Recall, Submitted) => Ok(Draft),
        (Turn::Pass, Submitted) => Ok(Effective),
        (Turn::Return, Submitted) => Ok(Rejected),
        (Turn::Withdraw, Draft | Rejected | Submitted) => Ok(Withdrawn),
        (Turn::Submit, Submitted | Effective | Superseded | Withdrawn)
        | (Turn::Recall | Turn::Pass | Turn::Return, Draft | Rejected | Effective | Superseded | Withdrawn)
        | (Turn::Withdraw, Effective | Superseded | Withdrawn) => {
            Err(format!("当前状态为{}，不能{}", from.zh(), turn.zh()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_goes_its_way() {
        use PlanStatus::{Draft, Effective, Rejected, Submitted, Superseded, Withdrawn};
        for (from, turn, to) in [
            (Draft, Turn::Submit, Ok(Submitted)),
            (Rejected, Turn::Submit, Ok(Submitted)),
            (Submitted, Turn::Recall, Ok(Draft)),
            (Submitted, Turn::Pass, Ok(Effective)),
            (Submitted, Turn::Return, Ok(Rejected)),
            (Rejected, Turn::Withdraw, Ok(Withdrawn)),
            (Effective, Turn::Withdraw, Err("当前状态为生效，不能作废")),
            (Effective, Turn::Submit, Err("当前状态为生效，不能提交")),
            (Draft, Turn::Pass, Err("当前状态为草稿，不能审核")),
            (Superseded, Turn::Return, Err("当前状态为已被替代，不能退回")),
            (Withdrawn, Turn::Recall, Err("当前状态为作废，不能撤回")),
        ] {
            assert_eq!(after(from, turn), to.map_err(str::to_owned), "{from:?} {turn:?}");
        }
    }
}
