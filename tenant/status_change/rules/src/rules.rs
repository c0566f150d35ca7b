//! Which types a student may be changed by, and how a change goes on: rules over loaded values alone (02 §10).

use chrono::{Datelike, Days, Months, NaiveDate};
use infra::{Error, Result};
use student_status_rules::enums::StudentStatus;

use crate::enums::{ChangeResult, ChangeStatus, ChangeType};

/// Days before the end of a suspension from which a return may be asked for.
const RETURN_DAYS: u64 = 30;
/// Days after the end of a suspension from which who has not returned is 逾期未复学.
const OVERDUE_DAYS: u64 = 30;
/// Days within which a change may be taken back.
const REVOKE_DAYS: i64 = 90;

/// C3: the status from which a type leads on.
///
/// # Errors
/// The refusal in Chinese.
pub fn status_allows(kind: ChangeType, status: StudentStatus) -> Result<(), String> {
    use StudentStatus::{Expired, PendingRegistration, Registered, Suspended};
    let allowed = match kind {
        ChangeType::Professional | ChangeType::Hierarchical | ChangeType::Suspension | ChangeType::TransferOut => {
            status == Registered
        }
        ChangeType::ClassChange => matches!(status, Registered | PendingRegistration),
        ChangeType::Dropout => matches!(status, PendingRegistration | Registered | Suspended | Expired),
        ChangeType::Return => status == Suspended,
    };
    if allowed { Ok(()) } else { Err(format!("学籍状态为{}，不能办理{}", status.zh(), kind.zh())) }
}

/// C6: so many months after the entry nobody changes the major any more.
///
/// # Errors
/// The refusal in Chinese.
pub fn within_deadline(enrolled_on: NaiveDate, on: NaiveDate, months: u32) -> Result<(), String> {
    let last = enrolled_on.checked_add_months(Months::new(months));
    if last.is_none_or(|last| on <= last) {
        Ok(())
    } else {
        Err(format!("入学超过{months}个月，不能转专业"))
    }
}

/// C8: the last day of a suspension of 6 or 12 months. A day that the last month lacks has already been moved to its last one.
pub fn suspended_until(from: NaiveDate, months: i32) -> Option<NaiveDate> {
    let months = u32::try_from(months).ok().filter(|months| matches!(months, 6 | 12))?;
    let end = from.checked_add_months(Months::new(months))?;
    if end.day() == from.day() { end.pred_opt() } else { Some(end) }
}

/// C8: all suspensions together, without those for military service.
///
/// # Errors
/// The refusal in Chinese.
pub fn within_total(earlier: i32, months: i32, most: i64, military: bool) -> Result<(), String> {
    let total = i64::from(earlier) + i64::from(months);
    if military || total <= most { Ok(()) } else { Err(format!("累计休学{total}个月，超过{most}个月")) }
}

/// C8: from when a return may be asked for.
///
/// # Errors
/// The refusal in Chinese.
pub fn may_return(until: Option<NaiveDate>, on: NaiveDate) -> Result<(), String> {
    let first = until.and_then(|until| until.checked_sub_days(Days::new(RETURN_DAYS)));
    match (until, first) {
        (Some(until), Some(first)) if on < first => Err(format!("休学至{until}，{first}起可以办理复学")),
        _ => Ok(()),
    }
}

/// 逾期未复学: the last day on which a suspension may have ended.
pub fn overdue_since(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(Days::new(OVERDUE_DAYS)).unwrap_or(today)
}

/// # Errors
/// The refusal in Chinese.
pub fn may_revoke(executed_on: NaiveDate, today: NaiveDate) -> Result<(), String> {
    let days = (today - executed_on).num_days();
    if days <= REVOKE_DAYS { Ok(()) } else { Err(format!("异动生效已超过{REVOKE_DAYS}天，不能撤销")) }
}

/// Where a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The site says what it thinks of it.
    Site(ChangeResult),
    /// The receiving site says whether it takes the student.
    Target(ChangeResult),
    /// The school decides.
    Approve,
    /// The school refuses, also in the place of a site that says nothing.
    Reject,
    /// The school takes it back before it is decided, or when it could not take effect.
    Cancel,
    /// Who asked for it takes it back before it is decided.
    Withdraw,
}

impl Turn {
    /// Whether the student is refused what was asked for.
    pub fn refuses(self) -> bool {
        matches!(self, Self::Reject | Self::Site(ChangeResult::Reject) | Self::Target(ChangeResult::Reject))
    }
}

/// That a refusal says why.
///
/// # Errors
/// 422 at `remark` when a refusal has no reason.
pub fn require_reason(remark: Option<&str>) -> Result<()> {
    let told = remark.is_some_and(|remark| remark.trim().chars().count() >= 2);
    if told { Ok(()) } else { Err(Error::field("remark", "请填写原因")) }
}

/// Why a step is not to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("当前状态为{}，不能审核", .0.zh())]
    Elsewhere(ChangeStatus),
    #[error("当前状态为{}，不能审批", .0.zh())]
    Undecidable(ChangeStatus),
    #[error("当前状态为{}，不能撤回", .0.zh())]
    Over(ChangeStatus),
    #[error("当前状态为{}，不能修改", .0.zh())]
    Underway(ChangeStatus),
    #[error("当前状态为{}，不能提交", .0.zh())]
    Sent(ChangeStatus),
    #[error("当前状态为{}，不能登记备案文号", .0.zh())]
    Undecided(ChangeStatus),
    #[error("当前状态为{}，不能撤销", .0.zh())]
    NotExecuted(ChangeStatus),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// The status behind a step. `crosses`: the student goes to another site. `stuck`: an approved one could not take effect.
pub fn after(from: ChangeStatus, turn: Turn, crosses: bool, stuck: bool) -> Result<ChangeStatus, Refusal> {
    use ChangeResult::{Pass, Reject};
    use ChangeStatus::{
        Approved, Cancelled, Draft, Executed, PendingSchool, PendingSite, PendingTargetSite, Rejected, Revoked,
    };
    match (turn, from) {
        (Turn::Site(Pass), PendingSite) if crosses => Ok(PendingTargetSite),
        (Turn::Site(Pass), PendingSite) | (Turn::Target(Pass), PendingTargetSite) => Ok(PendingSchool),
        (Turn::Site(Reject), PendingSite) | (Turn::Target(Reject), PendingTargetSite) => Ok(Rejected),
        (Turn::Site(_) | Turn::Target(_), _) => Err(Refusal::Elsewhere(from)),
        (Turn::Approve, PendingSchool) => Ok(Approved),
        (Turn::Reject, PendingSite | PendingTargetSite | PendingSchool) => Ok(Rejected),
        (Turn::Approve, _) | (Turn::Reject, Draft | Approved | Executed | Rejected | Cancelled | Revoked) => {
            Err(Refusal::Undecidable(from))
        }
        (Turn::Cancel | Turn::Withdraw, Draft | PendingSite | PendingTargetSite | PendingSchool) => Ok(Cancelled),
        (Turn::Cancel, Approved) if stuck => Ok(Cancelled),
        (Turn::Cancel | Turn::Withdraw, Approved | Executed | Rejected | Cancelled | Revoked) => {
            Err(Refusal::Over(from))
        }
    }
}

/// Where a change begins when it is sent in. Without the opinion of sites the receiving one is asked all the same.
pub fn first(site_review: bool, crosses: bool) -> ChangeStatus {
    match (site_review, crosses) {
        (true, _) => ChangeStatus::PendingSite,
        (false, true) => ChangeStatus::PendingTargetSite,
        (false, false) => ChangeStatus::PendingSchool,
    }
}

/// A change is edited until somebody has looked at it.
pub fn may_edit(status: ChangeStatus) -> Result<(), Refusal> {
    match status {
        ChangeStatus::Draft | ChangeStatus::PendingSite => Ok(()),
        _ => Err(Refusal::Underway(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    #[test]
    fn each_type_leads_on_from_its_statuses() {
        let from = |kind| {
            StudentStatus::CHOICES
                .iter()
                .filter(|(_, status)| status_allows(kind, *status).is_ok())
                .map(|(word, _)| *word)
                .collect::<Vec<_>>()
        };
        for kind in
            [ChangeType::Professional, ChangeType::Hierarchical, ChangeType::Suspension, ChangeType::TransferOut]
        {
            assert_eq!(from(kind), ["在籍"]);
        }
        assert_eq!(from(ChangeType::ClassChange), ["待注册", "在籍"]);
        assert_eq!(from(ChangeType::Dropout), ["待注册", "在籍", "休学", "超学制"]);
        assert_eq!(from(ChangeType::Return), ["休学"]);
        let refused = status_allows(ChangeType::Professional, StudentStatus::Suspended);
        assert_eq!(refused, Err("学籍状态为休学，不能办理转专业".to_owned()));
    }

    #[test]
    fn the_deadline_of_a_major_is_kept_to_the_day() {
        let told = |on: &str| within_deadline(day("2026-03-01"), day(on), 12).err();
        assert_eq!(told("2027-03-01"), None);
        assert_eq!(told("2027-03-02").as_deref(), Some("入学超过12个月，不能转专业"));
        assert_eq!(told("2027-04-01").as_deref(), Some("入学超过12个月，不能转专业"));
    }

    #[test]
    fn a_suspension_is_of_half_a_year_or_a_year() {
        let until = |months| suspended_until(day("2026-09-01"), months).map(|day| day.to_string());
        assert_eq!(until(6).as_deref(), Some("2027-02-28"));
        assert_eq!(until(12).as_deref(), Some("2027-08-31"));
        for wrong in [0, 3, 18, -6, i32::MAX] {
            assert_eq!(until(wrong), None);
        }
        // As of the end of the longest study, whose last month may be shorter.
        let from_end = |months| suspended_until(day("2026-08-31"), months).map(|day| day.to_string());
        assert_eq!((from_end(6).as_deref(), from_end(12).as_deref()), (Some("2027-02-28"), Some("2027-08-30")));
    }

    #[test]
    fn all_suspensions_have_a_limit_but_service() {
        assert_eq!(within_total(12, 12, 24, false), Ok(()));
        assert_eq!(within_total(18, 12, 24, false), Err("累计休学30个月，超过24个月".to_owned()));
        assert_eq!(within_total(18, 12, 24, true), Ok(()));
    }

    #[test]
    fn a_return_begins_thirty_days_before_the_end() {
        let until = Some(day("2027-02-28"));
        assert_eq!(may_return(until, day("2027-01-29")), Ok(()));
        assert_eq!(may_return(until, day("2027-01-28")), Err("休学至2027-02-28，2027-01-29起可以办理复学".to_owned()));
        assert_eq!(may_return(None, day("2026-01-01")), Ok(()));
        assert_eq!(overdue_since(day("2027-03-31")), day("2027-03-01"));
    }

    #[test]
    fn ninety_days_are_left_to_take_it_back() {
        assert_eq!(may_revoke(day("2026-09-01"), day("2026-11-30")), Ok(()));
        assert_eq!(may_revoke(day("2026-09-01"), day("2026-12-01")), Err("异动生效已超过90天，不能撤销".to_owned()));
    }

    #[test]
    fn a_change_goes_its_way() {
        use ChangeResult::{Pass, Reject};
        let row = |turn, crosses, stuck| -> Vec<String> {
            ChangeStatus::CHOICES
                .iter()
                .map(|(_, from)| {
                    after(*from, turn, crosses, stuck).map_or_else(|why| why.to_string(), |to| to.zh().to_owned())
                })
                .collect()
        };
        let went = |turn, crosses, stuck| -> Vec<String> {
            row(turn, crosses, stuck).into_iter().filter(|told| !told.starts_with("当前")).collect()
        };
        assert_eq!(went(Turn::Site(Pass), false, false), ["待学校审批"]);
        assert_eq!(went(Turn::Site(Pass), true, false), ["待接收站点"]);
        assert_eq!(went(Turn::Target(Pass), true, false), ["待学校审批"]);
        assert_eq!(went(Turn::Target(Reject), true, false), ["不批准"]);
        assert_eq!(went(Turn::Approve, false, false), ["已批准待生效"]);
        assert_eq!(went(Turn::Reject, false, false), ["不批准"; 3]);
        assert_eq!(went(Turn::Cancel, false, false), ["已撤回"; 4]);
        assert_eq!(went(Turn::Cancel, false, true), ["已撤回"; 5]);
        assert_eq!(row(Turn::Approve, false, false)[1], "当前状态为待站点审核，不能审批");
        assert_eq!(row(Turn::Target(Pass), true, false)[3], "当前状态为待学校审批，不能审核");
        assert_eq!(went(Turn::Withdraw, false, true), ["已撤回"; 4]);
        assert_eq!((first(true, true).zh(), first(true, false).zh()), ("待站点审核", "待站点审核"));
        assert_eq!((first(false, true).zh(), first(false, false).zh()), ("待接收站点", "待学校审批"));
    }

    #[test]
    fn a_refusal_has_a_reason() {
        let told = |remark| require_reason(remark).err().map(|error| error.msg.into_owned());
        assert_eq!(told(None).as_deref(), Some("请填写原因"));
        assert_eq!(told(Some(" 否 ")).as_deref(), Some("请填写原因"));
        assert_eq!(told(Some("材料不齐")), None);
        let refuses = Turn::refuses;
        assert!(refuses(Turn::Reject) && refuses(Turn::Site(ChangeResult::Reject)));
        assert!(!refuses(Turn::Approve) && !refuses(Turn::Target(ChangeResult::Pass)) && !refuses(Turn::Cancel));
    }
}
