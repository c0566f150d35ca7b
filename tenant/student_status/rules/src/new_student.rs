//! A checked student, and the first rows of the history (02 §9.1, §9.7).

use chrono::NaiveDate;
use people::id_card::{Gender, IdCardType};
use serde_json::{Value, json};

use crate::{
    enums::{RegisterResult, StatusChangeKind, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    form::FreeFields,
};

/// A checked student with everything that follows from the form: see [`super::check::check`].
#[derive(Debug, Clone, PartialEq)]
pub struct NewStudent {
    pub name: String,
    pub gender: Option<Gender>,
    pub birthday: Option<NaiveDate>,
    pub ethnicity: Option<String>,
    pub id_card_type: IdCardType,
    pub id_card_no: String,
    pub student_no: Option<String>,
    pub examinee_no: Option<String>,
    pub grade_id: i64,
    pub level_id: i64,
    pub major_id: i64,
    pub study_form: StudyForm,
    /// 学制 in half years.
    pub schooling_half_years: i32,
    pub site_id: i64,
    pub class_id: Option<i64>,
    pub enrolled_on: NaiveDate,
    pub expected_graduation_on: NaiveDate,
    pub max_study_end_on: NaiveDate,
    pub status: StudentStatus,
    pub status_reason: Option<WithdrawReason>,
    pub registered_on: Option<NaiveDate>,
    pub register_result: RegisterResult,
    /// The day on which somebody who has left did.
    pub ended_on: Option<NaiveDate>,
    pub source: StudentSource,
    pub account_enabled: bool,
    pub free: FreeFields,
}

impl NewStudent {
    /// 学号, before that 考生号; without either there is no account yet.
    pub fn login_name(&self) -> Option<&str> {
        self.student_no.as_deref().or(self.examinee_no.as_deref())
    }

    /// Whether a rule is to give the number: who is here and brought none.
    pub fn is_to_be_numbered(&self) -> bool {
        self.student_no.is_none() && self.status.is_active()
    }

    /// The first rows of the history, which replayed give the status: entry, and for those who left on a known day the
    /// leaving.
    pub fn history(&self) -> Vec<Event> {
        let entered = |status| Event {
            kind: StatusChangeKind::Enrol,
            from: None,
            to: status,
            on: self.enrolled_on,
            reason: None,
            after: json!({
                "gradeId": self.grade_id, "levelId": self.level_id, "majorId": self.major_id, "siteId": self.site_id,
                "classId": self.class_id, "studyForm": self.study_form.as_str(),
                "schoolingYears": f64::from(self.schooling_half_years) / 2.0,
            }),
        };
        let reason = self.status_reason.map(WithdrawReason::zh);
        match (self.status.ending(), self.ended_on) {
            (Some(kind), Some(on)) => {
                let before = StudentStatus::Registered;
                let left = Event { kind, from: Some(before), to: self.status, on, reason, after: json!({}) };
                vec![entered(before), left]
            }
            _ => vec![Event { reason, ..entered(self.status) }],
        }
    }
}

/// A row of the history.
#[derive(Debug, PartialEq)]
pub struct Event {
    pub kind: StatusChangeKind,
    pub from: Option<StudentStatus>,
    pub to: StudentStatus,
    pub on: NaiveDate,
    pub reason: Option<&'static str>,
    pub after: Value,
}

/// A number with one place, in units of that place.
pub fn tenths(number: f64) -> i32 {
    (number * 10.0).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_of_who_left_on_a_known_day_has_two_rows() {
        let new = crate::check::tests::graduate("2024-07-10");
        let history = new.history();
        let kinds: Vec<_> = history.iter().map(|event| (event.kind, event.from, event.to, event.on)).collect();
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        assert_eq!(
            kinds,
            [
                (StatusChangeKind::Enrol, None, StudentStatus::Registered, day("2022-03-01")),
                (
                    StatusChangeKind::Graduate,
                    Some(StudentStatus::Registered),
                    StudentStatus::Graduated,
                    day("2024-07-10")
                ),
            ]
        );
    }

    #[test]
    fn without_a_day_the_entry_tells_the_status() {
        let new = NewStudent { ended_on: None, ..crate::check::tests::graduate("2024-07-10") };
        let history = new.history();
        assert_eq!(history.len(), 1);
        assert_eq!((history[0].kind, history[0].to), (StatusChangeKind::Enrol, StudentStatus::Graduated));
    }
}
