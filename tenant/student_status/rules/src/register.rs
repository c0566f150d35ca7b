//! Which students a list, its count and its export are of.

use chrono::NaiveDate;
use infra::{Scope, clock::Moment};

use crate::{
    enums::{PhotoKind, RegisterResult, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    keyword::{Keyword, classify},
};

/// The filters of F1 (02 §0.6) and of the register, ready to be bound. A filter that is not set does not count: with
/// custom plans its part of the condition is folded away.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub grade_id: Option<i64>,
    pub level_id: Option<i64>,
    pub major_id: Option<i64>,
    pub study_form: Option<StudyForm>,
    pub site_id: Option<i64>,
    pub class_id: Option<i64>,
    pub keyword: Keyword,
    /// One status is compared with `=`, so that its index gives the rows in the list's order.
    pub status: Option<StudentStatus>,
    pub statuses: Option<Vec<String>>,
    pub register_result: Option<RegisterResult>,
    pub assigned: Option<bool>,
    pub photo_missing: Option<PhotoKind>,
    pub enrolled_from: Option<NaiveDate>,
    pub enrolled_to: Option<NaiveDate>,
    pub source: Option<StudentSource>,
    pub status_reason: Option<WithdrawReason>,
    pub ended_from: Option<NaiveDate>,
    pub ended_to: Option<NaiveDate>,
    /// Names and numbers of a list that somebody brought.
    pub among: Option<Vec<String>>,
    /// Those of one import, which all begin at the same moment.
    pub entered_at: Option<Moment>,
    /// What the codes or names of grade, level, major, site and class contain.
    pub texts: Option<Vec<Option<String>>>,
    pub scope: Scope,
}

impl Wanted {
    /// Every student of the school: for rows that are named by their numbers.
    pub fn anybody() -> Self {
        Self { scope: Scope::whole_school(), ..Self::default() }
    }

    pub fn keyword(text: Option<&str>) -> Keyword {
        text.map(classify).unwrap_or_default()
    }

    /// Splits a set of statuses into the two conditions; none means all.
    pub(crate) fn one_or_many(statuses: Option<Vec<StudentStatus>>) -> (Option<StudentStatus>, Option<Vec<String>>) {
        match statuses.as_deref() {
            None => (None, None),
            Some([only]) => (Some(*only), None),
            Some(many) => (None, Some(many.iter().map(|status| status.as_str().to_owned()).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_status_is_compared_alone() {
        assert_eq!(Wanted::one_or_many(None), (None, None));
        assert_eq!(Wanted::one_or_many(Some(vec![StudentStatus::Expired])), (Some(StudentStatus::Expired), None));
        let two = vec![StudentStatus::Registered, StudentStatus::Suspended];
        assert_eq!(Wanted::one_or_many(Some(two)).1.unwrap(), ["registered", "suspended"]);
        assert_eq!(Wanted::one_or_many(Some(Vec::new())).1.unwrap(), Vec::<String>::new());
    }
}
