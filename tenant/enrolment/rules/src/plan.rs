//! The way of a site's plan.

use infra::enumeration;

enumeration! {
    /// 站点招生状态
    pub enum SiteEnrollmentStatus = "siteEnrollmentStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "待审核",
        Approved = "approved" "已核定",
        Rejected = "rejected" "退回",
    }
}

/// Where a plan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Submit,
    Approve,
    Reject,
    Revoke,
}

/// Why a step is not to be had.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("当前状态为{}，不能提交", .0.zh())]
    Sent(SiteEnrollmentStatus),
    #[error("退回的申报请先修改，再提交")]
    Unchanged,
    #[error("当前状态为{}，只有待审核的申报可以审核", .0.zh())]
    Undecidable(SiteEnrollmentStatus),
    #[error("当前状态为{}，不能撤销核定", .0.zh())]
    NotApproved(SiteEnrollmentStatus),
}

/// The status behind a step.
pub fn after(from: SiteEnrollmentStatus, step: Step) -> Result<SiteEnrollmentStatus, Refusal> {
    use SiteEnrollmentStatus::{Approved, Draft, Rejected, Submitted};
    match (step, from) {
        (Step::Submit, Draft) => Ok(Submitted),
        (Step::Submit, Rejected) => Err(Refusal::Unchanged),
        (Step::Submit, Submitted | Approved) => Err(Refusal::Sent(from)),
        (Step::Approve, Submitted) => Ok(Approved),
        (Step::Reject, Submitted) => Ok(Rejected),
        (Step::Approve | Step::Reject, Draft | Approved | Rejected) => Err(Refusal::Undecidable(from)),
        (Step::Revoke, Approved) => Ok(Submitted),
        (Step::Revoke, Draft | Submitted | Rejected) => Err(Refusal::NotApproved(from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SiteEnrollmentStatus::{Approved, Draft, Rejected, Submitted};

    #[test]
    fn a_plan_goes_its_way() {
        let row = |step| {
            [Draft, Submitted, Approved, Rejected]
                .map(|from| after(from, step).map_or_else(|refusal| refusal.to_string(), |to| to.zh().to_owned()))
        };
        assert_eq!(
            row(Step::Submit),
            ["待审核", "当前状态为待审核，不能提交", "当前状态为已核定，不能提交", "退回的申报请先修改，再提交"]
        );
        assert_eq!(row(Step::Approve)[1], "已核定");
        assert_eq!(row(Step::Reject)[1], "退回");
        assert_eq!(row(Step::Reject)[0], "当前状态为草稿，只有待审核的申报可以审核");
        assert_eq!(row(Step::Revoke)[2], "待审核");
        assert_eq!(row(Step::Revoke)[1], "当前状态为待审核，不能撤销核定");
    }
}
