//! The way of a pre-registration (02 §3).

use infra::{Error, enumeration};

use crate::enums::{ExamStatus, PreRegistrationStatus};

enumeration! {
    /// 审核结果
    pub enum AuditResult = "auditResult" {
        Pass = "pass" "通过",
        Return = "return" "退回",
        Reject = "reject" "不通过",
    }
}

enumeration! {
    /// 批量审核结果
    pub enum ReviewResult = "reviewResult" {
        Pass = "pass" "通过",
        Return = "return" "退回",
        Reject = "reject" "不通过",
        Reopen = "reopen" "恢复待审",
    }
}

impl ReviewResult {
    /// What becomes of each; 恢复待审 takes back what was decided.
    pub fn turn(self) -> Turn {
        match self {
            Self::Pass => Turn::Audit(AuditResult::Pass),
            Self::Return => Turn::Audit(AuditResult::Return),
            Self::Reject => Turn::Audit(AuditResult::Reject),
            Self::Reopen => Turn::Reopen,
        }
    }
}

/// Where a pre-registration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Audit(AuditResult),
    Reopen,
    Cancel,
}

/// Why a step is not to be had.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("当前状态为{}，不能审核", .0.zh())]
    Decided(PreRegistrationStatus),
    #[error("已网报，不能撤销审核")]
    Registered,
    #[error("当前状态为{}，无须恢复", .0.zh())]
    Open(PreRegistrationStatus),
    #[error("当前状态为{}，不能取消", .0.zh())]
    Over(PreRegistrationStatus),
    #[error("该人员已录取，不能退回、拒绝或取消")]
    Admitted,
}

/// The status behind a step.
pub fn after(from: PreRegistrationStatus, exam: ExamStatus, step: Turn) -> Result<PreRegistrationStatus, Refusal> {
    use PreRegistrationStatus::{Approved, Cancelled, Pending, Rejected, Returned};
    match (step, from) {
        // The authority took somebody who waited here: they may still pass.
        (Turn::Audit(AuditResult::Return | AuditResult::Reject) | Turn::Cancel, _) if exam == ExamStatus::Admitted => {
            Err(Refusal::Admitted)
        }
        (Turn::Audit(AuditResult::Pass), Pending | Returned) => Ok(Approved),
        (Turn::Audit(AuditResult::Return), Pending) => Ok(Returned),
        (Turn::Audit(AuditResult::Reject), Pending | Returned) => Ok(Rejected),
        (Turn::Audit(_), _) => Err(Refusal::Decided(from)),
        (Turn::Reopen, Rejected | Cancelled) => Ok(Pending),
        (Turn::Reopen, Approved) if exam == ExamStatus::None => Ok(Pending),
        (Turn::Reopen, Approved) => Err(Refusal::Registered),
        (Turn::Reopen, Pending | Returned) => Err(Refusal::Open(from)),
        (Turn::Cancel, Pending | Returned) => Ok(Cancelled),
        (Turn::Cancel, Approved | Rejected | Cancelled) => Err(Refusal::Over(from)),
    }
}

/// # Errors
/// 422 at `remark` when a return or a refusal has no reason.
pub fn require_reason(result: AuditResult, remark: Option<&str>) -> infra::Result<()> {
    match result {
        AuditResult::Pass => Ok(()),
        AuditResult::Return | AuditResult::Reject => match remark.map(|remark| remark.chars().count()) {
            Some(2..) => Ok(()),
            _ => Err(Error::field("remark", "请填写原因")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ExamStatus::{Admitted, None as NotYet, Registered};
    use PreRegistrationStatus::{Approved, Cancelled, Pending, Rejected, Returned};

    fn told(from: PreRegistrationStatus, exam: ExamStatus, step: Turn) -> String {
        after(from, exam, step).map_or_else(|refusal| refusal.to_string(), |to| to.zh().to_owned())
    }

    #[test]
    fn a_pre_registration_goes_its_way() {
        let row = |step| [Pending, Returned, Approved, Rejected, Cancelled].map(|from| told(from, NotYet, step));
        let decided = |from: &str| format!("当前状态为{from}，不能审核");
        assert_eq!(
            row(Turn::Audit(AuditResult::Pass)),
            ["已通过".into(), "已通过".into(), decided("已通过"), decided("不通过"), decided("已取消")]
        );
        assert_eq!(row(Turn::Audit(AuditResult::Return))[..2], ["退回修改".to_owned(), decided("退回修改")]);
        assert_eq!(row(Turn::Audit(AuditResult::Reject))[..2], ["不通过", "不通过"]);
        assert_eq!(row(Turn::Reopen)[2..], ["待审核", "待审核", "待审核"]);
        assert_eq!(row(Turn::Reopen)[0], "当前状态为待审核，无须恢复");
        assert_eq!(row(Turn::Cancel)[..3], ["已取消", "已取消", "当前状态为已通过，不能取消"]);
    }

    #[test]
    fn who_registered_with_the_province_stays_approved() {
        assert_eq!(told(Approved, Registered, Turn::Reopen), "已网报，不能撤销审核");
    }

    #[test]
    fn whom_the_authority_admitted_may_only_pass() {
        assert_eq!(told(Pending, Admitted, Turn::Audit(AuditResult::Pass)), "已通过");
        for step in [Turn::Audit(AuditResult::Return), Turn::Audit(AuditResult::Reject), Turn::Cancel] {
            assert_eq!(told(Pending, Admitted, step), "该人员已录取，不能退回、拒绝或取消");
        }
    }

    #[test]
    fn a_return_has_a_reason() {
        assert!(require_reason(AuditResult::Pass, None).is_ok());
        assert!(require_reason(AuditResult::Return, Some("照片不清晰")).is_ok());
        assert_eq!(require_reason(AuditResult::Reject, Some("否")).unwrap_err().code, 422);
        assert_eq!(require_reason(AuditResult::Return, None).unwrap_err().code, 422);
    }
}
