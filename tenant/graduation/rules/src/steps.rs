//! The ways of a batch and of its graduates (part 04 §9.3).

use thiserror::Error;

use crate::enums::{GraduationBatchStatus, GraduationUserStatus};

/// What happens to a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchTurn {
    Start,
    Confirm,
    Register,
    Archive,
}

impl BatchTurn {
    const fn zh(self) -> &'static str {
        match self {
            Self::Start => "启动",
            Self::Confirm => "确认",
            Self::Register => "注册",
            Self::Archive => "归档",
        }
    }
}

/// Why it may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StepRefusal {
    #[error("毕业批次已确认")]
    AlreadyConfirmed,
    #[error("毕业批次{}，不能{}", .0.zh(), .1.zh())]
    Batch(GraduationBatchStatus, BatchTurn),
    #[error("该毕业生{}，不能{}", .0.zh(), .1.zh())]
    User(GraduationUserStatus, UserTurn),
}

/// The state of a batch behind a step.
///
/// # Errors
/// Why it may not be.
pub fn batch_after(from: GraduationBatchStatus, turn: BatchTurn) -> Result<GraduationBatchStatus, StepRefusal> {
    use GraduationBatchStatus::{Archived, Auditing, Confirmed, Draft, Registered};
    match (from, turn) {
        (Draft, BatchTurn::Start) => Ok(Auditing),
        (Auditing, BatchTurn::Confirm) => Ok(Confirmed),
        (Confirmed | Registered | Archived, BatchTurn::Confirm) => Err(StepRefusal::AlreadyConfirmed),
        (Confirmed, BatchTurn::Register) => Ok(Registered),
        (Registered, BatchTurn::Archive) => Ok(Archived),
        (Draft | Auditing | Confirmed | Registered | Archived, _) => Err(StepRefusal::Batch(from, turn)),
    }
}

/// What happens to a graduate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserTurn {
    SiteCheck,
    Decide,
    Waive,
    Remove,
    Confirm,
    Revoke,
    /// Somebody who was removed comes back.
    List,
}

impl UserTurn {
    const fn zh(self) -> &'static str {
        match self {
            Self::SiteCheck => "初审",
            Self::Decide => "终审",
            Self::Waive => "豁免",
            Self::Remove => "移出",
            Self::Confirm => "确认",
            Self::Revoke => "撤销毕业",
            Self::List => "列入",
        }
    }
}

/// The state of a graduate behind a step.
///
/// # Errors
/// Why it may not be.
pub fn user_after(from: GraduationUserStatus, turn: UserTurn) -> Result<GraduationUserStatus, StepRefusal> {
    use GraduationUserStatus::{Confirmed, Decided, Listed, Removed, Revoked, SiteChecked};
    match (from, turn) {
        (Listed | SiteChecked, UserTurn::SiteCheck) => Ok(SiteChecked),
        (Listed | SiteChecked | Decided, UserTurn::Decide) => Ok(Decided),
        (Listed | SiteChecked | Decided, UserTurn::Waive) => Ok(from),
        (Listed | SiteChecked | Decided, UserTurn::Remove) => Ok(Removed),
        (Decided, UserTurn::Confirm) => Ok(Confirmed),
        (Confirmed, UserTurn::Revoke) => Ok(Revoked),
        (Removed, UserTurn::List) => Ok(Listed),
        (Listed | SiteChecked | Decided | Confirmed | Removed | Revoked, _) => Err(StepRefusal::User(from, turn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_goes_one_way() {
        use GraduationBatchStatus::{Archived, Auditing, Confirmed, Draft, Registered};
        assert_eq!(batch_after(Draft, BatchTurn::Start), Ok(Auditing));
        assert_eq!(batch_after(Auditing, BatchTurn::Confirm), Ok(Confirmed));
        assert_eq!(batch_after(Confirmed, BatchTurn::Confirm), Err(StepRefusal::AlreadyConfirmed));
        assert_eq!(batch_after(Confirmed, BatchTurn::Register), Ok(Registered));
        assert_eq!(batch_after(Registered, BatchTurn::Archive), Ok(Archived));
        let refused = batch_after(Draft, BatchTurn::Confirm).expect_err("not started");
        assert_eq!(refused.to_string(), "毕业批次草稿，不能确认");
    }

    #[test]
    fn a_graduate_may_be_decided_again_until_the_confirmation() {
        use GraduationUserStatus::{Confirmed, Decided, Listed, Removed, Revoked, SiteChecked};
        assert_eq!(user_after(Listed, UserTurn::SiteCheck), Ok(SiteChecked));
        assert_eq!(user_after(Decided, UserTurn::Decide), Ok(Decided));
        assert_eq!(user_after(Decided, UserTurn::Confirm), Ok(Confirmed));
        assert_eq!(user_after(Confirmed, UserTurn::Revoke), Ok(Revoked));
        assert_eq!(user_after(Removed, UserTurn::List), Ok(Listed));
        let refused = user_after(Confirmed, UserTurn::Remove).expect_err("in effect");
        assert_eq!(refused.to_string(), "该毕业生已生效，不能移出");
    }
}
