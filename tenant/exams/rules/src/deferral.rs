//! 缓考: the way of an application (part 04 §3).

use crate::enums::DeferralStatus;

/// Where an application goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeferralTurn {
    Approve,
    Reject,
    Cancel,
    Use,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: DeferralStatus, turn: DeferralTurn) -> Result<DeferralStatus, String> {
    use DeferralStatus::{Applied, Approved, Cancelled, Rejected, Used};
    match (turn, from) {
        (DeferralTurn::Approve, Applied) => Ok(Approved),
        (DeferralTurn::Reject, Applied) => Ok(Rejected),
        (DeferralTurn::Cancel, Applied | Approved) => Ok(Cancelled),
        (DeferralTurn::Use, Approved) => Ok(Used),
        (DeferralTurn::Approve | DeferralTurn::Reject, Approved | Rejected | Cancelled | Used) => {
            Err(format!("缓考申请{}，不能再审核", from.zh()))
        }
        (DeferralTurn::Cancel, Rejected | Cancelled | Used) => Err(format!("缓考申请{}，不能撤销", from.zh())),
        (DeferralTurn::Use, Applied | Rejected | Cancelled | Used) => Err(format!("缓考申请{}", from.zh())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_goes_its_way() {
        use DeferralStatus::{Applied, Approved, Cancelled, Rejected, Used};
        assert_eq!(after(Applied, DeferralTurn::Approve), Ok(Approved));
        assert_eq!(after(Applied, DeferralTurn::Reject), Ok(Rejected));
        assert_eq!(after(Approved, DeferralTurn::Cancel), Ok(Cancelled));
        assert_eq!(after(Approved, DeferralTurn::Use), Ok(Used));
        assert_eq!(after(Rejected, DeferralTurn::Approve), Err("缓考申请已驳回，不能再审核".to_owned()));
        assert_eq!(after(Used, DeferralTurn::Cancel), Err("缓考申请已补考，不能撤销".to_owned()));
    }
}
