//! 录取审核: who may begin here, and with which words (02 §6).

use chrono::NaiveDate;
use infra::{Error, Result};
use serde_json::json;

use crate::{
    enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionResult, AdmissionStatus},
    person::Person,
};

/// What was said, without the space around it.
///
/// # Errors
/// 422 at `remark` when one must be said and was not.
pub fn said(result: AdmissionResult, remark: Option<String>) -> Result<Option<String>> {
    let remark = remark.map(|remark| remark.trim().to_owned()).filter(|remark| !remark.is_empty());
    let enough = remark.as_deref().is_some_and(|remark| remark.chars().count() >= 2);
    if result != AdmissionResult::Pass && !enough {
        return Err(Error::field("remark", "请填写原因"));
    }
    Ok(remark)
}

/// An active student who is the same person.
pub struct Standing {
    pub number: String,
    pub graduates_on: NaiveDate,
    /// Before the batch's people begin.
    pub before_entry: bool,
}

/// What was decided, and what was said of it.
pub struct Decision {
    pub result: AdmissionResult,
    pub remark: Option<String>,
    /// Whoever studies here until they begin anew was looked at.
    pub confirmed: bool,
}

impl Decision {
    /// # Errors
    /// 409 with the reason why it is not to be had.
    pub fn allow(&self, person: &Person, student: Option<&Standing>) -> Result<()> {
        match self.result {
            AdmissionResult::Pass => self.passes(person, student),
            AdmissionResult::Reject | AdmissionResult::Revoke if person.is_open() => Ok(()),
            AdmissionResult::Reject | AdmissionResult::Revoke => {
                Err(Error::conflict(format!("当前状态为{}，不能改为不予入学", person.status.zh())))
            }
        }
    }

    fn passes(&self, person: &Person, student: Option<&Standing>) -> Result<()> {
        match person.status {
            AdmissionStatus::Assigned => {}
            AdmissionStatus::Imported => return Err(Error::conflict("尚未分配站点，不能审核通过")),
            AdmissionStatus::Audited => return Err(Error::conflict("该生已审核")),
            AdmissionStatus::Rejected | AdmissionStatus::Cancelled => {
                return Err(Error::conflict(format!("当前状态为{}，不能审核通过", person.status.zh())));
            }
        }
        if person.issues.contains(&AdmissionIssue::IdChecksum) {
            return Err(Error::conflict("证件号校验未通过，请先更正"));
        }
        if person.match_status == AdmissionMatchStatus::Conflict {
            return Err(Error::conflict("与预报名有冲突，请先手工匹配"));
        }
        match student {
            None => Ok(()),
            Some(Standing { number, before_entry: false, .. }) => {
                Err(Error::conflict(format!("该人员为在籍学生（{number}），不能审核通过")))
            }
            Some(_) if self.confirmed => Ok(()),
            Some(Standing { number, graduates_on, .. }) => {
                let why = format!("该人员为在籍学生（{number}），预计{graduates_on}毕业，请确认后通过");
                // The console asks, and sends it again.
                Err(Error::conflict(why).with_data(json!({ "confirm": "confirmDuplicate" })))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person::tests::person;

    fn assigned() -> Person {
        Person { status: AdmissionStatus::Assigned, site_id: Some(7), ..person(1, "张伟") }
    }

    fn told(person: &Person, student: Option<&Standing>, confirmed: bool) -> String {
        let decision = Decision { result: AdmissionResult::Pass, remark: None, confirmed };
        decision.allow(person, student).map_or_else(|error| error.msg.into_owned(), |()| String::new())
    }

    #[test]
    fn who_passes_has_no_problem_that_holds_them() {
        assert_eq!(told(&assigned(), None, false), "");
        assert_eq!(told(&person(1, "张伟"), None, false), "尚未分配站点，不能审核通过");
        let mut wrong = assigned();
        wrong.note(AdmissionIssue::OverQuota, true);
        assert_eq!(told(&wrong, None, false), "");
        wrong.note(AdmissionIssue::IdChecksum, true);
        assert_eq!(told(&wrong, None, false), "证件号校验未通过，请先更正");
        let conflict = Person { match_status: AdmissionMatchStatus::Conflict, ..assigned() };
        assert_eq!(told(&conflict, None, false), "与预报名有冲突，请先手工匹配");
        let audited = Person { status: AdmissionStatus::Audited, ..assigned() };
        assert_eq!(told(&audited, None, false), "该生已审核");
    }

    #[test]
    fn a_student_who_ends_before_is_confirmed() {
        let standing = |before_entry| Standing {
            number: "23304120070001".to_owned(),
            graduates_on: "2026-01-10".parse().expect("a day"),
            before_entry,
        };
        let why = "该人员为在籍学生（23304120070001），预计2026-01-10毕业，请确认后通过";
        assert_eq!(told(&assigned(), Some(&standing(true)), false), why);
        assert_eq!(told(&assigned(), Some(&standing(true)), true), "");
        assert_eq!(told(&assigned(), Some(&standing(false)), true), "该人员为在籍学生（23304120070001），不能审核通过");
    }

    #[test]
    fn who_is_refused_is_told_why() {
        assert!(said(AdmissionResult::Reject, Some("假".to_owned())).is_err());
        assert!(said(AdmissionResult::Revoke, None).is_err());
        assert_eq!(said(AdmissionResult::Pass, Some("  ".to_owned())).expect("nothing"), None);
    }
}
