//! 拟招生专业: how a filing goes on, and which is copied (part 03 A3).

use infra::enumeration;

enumeration! {
    /// 备案状态
    pub enum ForecastStatus = "forecastStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "已上报",
        Filed = "filed" "已备案",
        Rejected = "rejected" "未通过",
        Withdrawn = "withdrawn" "撤销",
    }
}

/// Where a filing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Submit,
    Accept,
    Refuse,
    Withdraw,
}

/// Why a step is not to be had.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("只有草稿可以上报")]
    Sent,
    #[error("未通过的记录请先修改，再上报")]
    Unchanged,
    #[error("只有已上报的记录可以审核")]
    Unsent,
    #[error("当前状态为{}，不能撤销", .0.zh())]
    Over(ForecastStatus),
}

/// The status behind a step.
///
/// # Errors
/// Why the step is not to be had.
pub fn after(from: ForecastStatus, step: Step) -> Result<ForecastStatus, Refusal> {
    use ForecastStatus::{Draft, Filed, Rejected, Submitted, Withdrawn};
    match (step, from) {
        (Step::Submit, Draft) => Ok(Submitted),
        (Step::Submit, Rejected) => Err(Refusal::Unchanged),
        (Step::Submit, Submitted | Filed | Withdrawn) => Err(Refusal::Sent),
        (Step::Accept, Submitted) => Ok(Filed),
        (Step::Refuse, Submitted) => Ok(Rejected),
        (Step::Accept | Step::Refuse, Draft | Filed | Rejected | Withdrawn) => Err(Refusal::Unsent),
        (Step::Withdraw, Draft | Submitted | Filed) => Ok(Withdrawn),
        (Step::Withdraw, Rejected | Withdrawn) => Err(Refusal::Over(from)),
    }
}

/// Why a filing of a year is not made again.
pub fn taken(year: i32) -> String {
    format!("{year}年已有该专业")
}

/// Why a filing is not copied; none when it is.
pub fn passed_over(status: ForecastStatus, major_enabled: bool, exists: bool, year: i32) -> Option<String> {
    if exists {
        Some(taken(year))
    } else if !major_enabled {
        Some("专业已停用".to_owned())
    } else if status == ForecastStatus::Withdrawn {
        Some("来源年份中已撤销".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(from: ForecastStatus, step: Step) -> String {
        after(from, step).map_or_else(|refusal| refusal.to_string(), |to| to.zh().to_owned())
    }

    #[test]
    fn a_filing_goes_its_way() {
        use ForecastStatus::{Draft, Filed, Rejected, Submitted, Withdrawn};
        let row = |step| [Draft, Submitted, Filed, Rejected, Withdrawn].map(|from| told(from, step));
        const NOT_SUBMIT: &str = "只有草稿可以上报";
        const UNCHANGED: &str = "未通过的记录请先修改，再上报";
        const NOT_AUDIT: &str = "只有已上报的记录可以审核";
        assert_eq!(row(Step::Submit), ["已上报", NOT_SUBMIT, NOT_SUBMIT, UNCHANGED, NOT_SUBMIT]);
        assert_eq!(row(Step::Accept), [NOT_AUDIT, "已备案", NOT_AUDIT, NOT_AUDIT, NOT_AUDIT]);
        assert_eq!(row(Step::Refuse), [NOT_AUDIT, "未通过", NOT_AUDIT, NOT_AUDIT, NOT_AUDIT]);
        assert_eq!(
            row(Step::Withdraw),
            ["撤销", "撤销", "撤销", "当前状态为未通过，不能撤销", "当前状态为撤销，不能撤销"]
        );
    }

    #[test]
    fn what_is_there_or_closed_is_passed_over() {
        use ForecastStatus::{Filed, Withdrawn};
        assert_eq!(passed_over(Filed, true, false, 2027), None);
        assert_eq!(passed_over(Filed, true, true, 2027).as_deref(), Some("2027年已有该专业"));
        assert_eq!(passed_over(Filed, false, false, 2027).as_deref(), Some("专业已停用"));
        assert_eq!(passed_over(Withdrawn, true, false, 2027).as_deref(), Some("来源年份中已撤销"));
    }
}
