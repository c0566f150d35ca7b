//! 异动: where and how a student studies behind a change, with its dates (02 §10).

use chrono::{Months, NaiveDate};
use infra::{Error, Result};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::{Map, Value};
use term::{Term, half_years};

use crate::{
    dates::{GraduateDates, expected_after_return, expected_graduation_on},
    enums::{StatusChangeKind, StudentStatus, StudyForm, WithdrawReason},
    student::Student,
};

/// Half years by which suspensions may have moved a graduation.
const FURTHEST: u32 = 24;

/// Where and how somebody studies, and whether they do.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Placement {
    /// 年级编号
    pub grade_id: i64,
    /// 层次编号
    pub level_id: i64,
    /// 专业编号
    pub major_id: i64,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    pub schooling_years: f64,
    /// 站点编号
    pub site_id: i64,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 学籍状态
    pub status: StudentStatus,
}

impl Placement {
    /// That of a student.
    pub fn of(student: &Student) -> Self {
        Self {
            grade_id: student.grade_id,
            level_id: student.level_id,
            major_id: student.major_id,
            study_form: student.study_form,
            schooling_years: student.schooling_years,
            site_id: student.site_id,
            class_id: student.class_id,
            status: student.status,
        }
    }

    /// One that was kept.
    ///
    /// # Errors
    /// Only internal ones: what is no placement was never kept.
    pub fn kept(value: &Value) -> Result<Self> {
        Self::parse_from_json(Some(value.clone())).map_err(|error| Error::internal(error.into_message()))
    }
}

/// What happens to a student.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Professional,
    Hierarchical,
    ClassChange,
    /// Military service (应征入伍) prolongs the longest study, and counts to no limit.
    Suspension {
        until: NaiveDate,
        months: i32,
        military: bool,
    },
    /// After a suspension of so many months.
    Return {
        months: i32,
    },
    Dropout(WithdrawReason),
    TransferOut,
}

impl Effect {
    /// As the history names it.
    pub const fn kind(self) -> StatusChangeKind {
        match self {
            Self::Professional => StatusChangeKind::Professional,
            Self::Hierarchical => StatusChangeKind::Hierarchical,
            Self::ClassChange => StatusChangeKind::ClassChange,
            Self::Suspension { .. } => StatusChangeKind::Suspension,
            Self::Return { .. } => StatusChangeKind::Return,
            Self::Dropout(_) => StatusChangeKind::Dropout,
            Self::TransferOut => StatusChangeKind::TransferOut,
        }
    }

    /// The status behind it.
    pub const fn status(self, before: StudentStatus) -> StudentStatus {
        match self {
            Self::Professional | Self::Hierarchical | Self::ClassChange => before,
            Self::Suspension { .. } => StudentStatus::Suspended,
            Self::Return { .. } => StudentStatus::Registered,
            Self::Dropout(_) => StudentStatus::Withdrawn,
            Self::TransferOut => StudentStatus::TransferredOut,
        }
    }

    /// Whether the enrolment ends by it.
    pub const fn ends(self) -> bool {
        matches!(self, Self::Dropout(_) | Self::TransferOut)
    }
}

/// A change that was allowed.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    pub effect: Effect,
    /// How it is to be.
    pub after: &'a Placement,
    pub reason: &'a str,
    /// 重编学号
    pub renumber: bool,
    /// Whose the row of the history is.
    pub change_id: i64,
    pub document_no: Option<&'a str>,
    pub effective_on: NaiveDate,
}

/// The dates of an enrolment (02 §9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StudyDates {
    pub expected_graduation_on: NaiveDate,
    pub max_study_end_on: NaiveDate,
}

impl StudyDates {
    fn of(student: &Student) -> Self {
        Self { expected_graduation_on: student.expected_graduation_on, max_study_end_on: student.max_study_end_on }
    }
}

/// What the dates follow from besides the student.
pub struct Basis {
    /// Of the grade that the student is in, and of that to be.
    pub grades: (Term, Term),
    /// Longest study of the level before and after, in half years.
    pub longest: (i32, i32),
    pub days: GraduateDates,
}

/// The dates behind a change.
pub fn dates(student: &Student, effect: Effect, after: &Placement, basis: &Basis) -> Option<StudyDates> {
    let now = StudyDates::of(student);
    match effect {
        Effect::ClassChange | Effect::Dropout(_) | Effect::TransferOut => Some(now),
        Effect::Professional | Effect::Hierarchical => {
            let before = expected_graduation_on(basis.grades.0, half_years(student.schooling_years)?, basis.days)?;
            let expected = expected_graduation_on(basis.grades.1, half_years(after.schooling_years)?, basis.days)?;
            // A suspension that left the student in the grade has moved the day; it stays moved.
            let lost = (0..=FURTHEST).find(|semesters| {
                expected_after_return(before, semesters * 6, basis.days) == Some(now.expected_graduation_on)
            });
            // What service has added stays: the last day moves by what the levels differ in.
            Some(StudyDates {
                expected_graduation_on: expected_after_return(expected, lost.unwrap_or(0) * 6, basis.days)?,
                max_study_end_on: moved_by(now.max_study_end_on, (basis.longest.1 - basis.longest.0) * 6)?,
            })
        }
        Effect::Suspension { months, military: true, .. } => {
            Some(StudyDates { max_study_end_on: moved_by(now.max_study_end_on, months)?, ..now })
        }
        Effect::Suspension { military: false, .. } => Some(now),
        Effect::Return { months } => {
            let months = u32::try_from(months).ok()?;
            let expected = expected_after_return(now.expected_graduation_on, months, basis.days)?;
            Some(StudyDates { expected_graduation_on: expected, ..now })
        }
    }
}

/// A last day so many months later, or earlier. The day behind it is what moves, as the day of the entry does in
/// [`crate::dates::max_study_end_on`]: the last of February becomes the last of August.
fn moved_by(last: NaiveDate, months: i32) -> Option<NaiveDate> {
    if months == 0 {
        return Some(last);
    }
    let behind = last.succ_opt()?;
    let by = Months::new(months.unsigned_abs());
    let moved = if months > 0 { behind.checked_add_months(by) } else { behind.checked_sub_months(by) };
    moved?.pred_opt()
}

/// Everything of a student that a change may touch.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Standing {
    #[oai(flatten)]
    pub placement: Placement,
    pub student_no: Option<String>,
    pub expected_graduation_on: NaiveDate,
    pub max_study_end_on: NaiveDate,
    pub status_reason: Option<WithdrawReason>,
    pub ended_on: Option<NaiveDate>,
    pub suspended_until: Option<NaiveDate>,
    pub suspended_months: i32,
}

impl Standing {
    pub fn of(student: &Student) -> Self {
        Self {
            placement: Placement::of(student),
            student_no: student.student_no.clone(),
            expected_graduation_on: student.expected_graduation_on,
            max_study_end_on: student.max_study_end_on,
            status_reason: student.status_reason,
            ended_on: student.ended_on,
            suspended_until: student.suspended_until,
            suspended_months: student.suspended_months,
        }
    }

    /// Behind a change, but for a number that is still to be given.
    pub fn behind(student: &Student, transfer: &Transfer<'_>, dates: StudyDates) -> Self {
        let before = Self::of(student);
        let placement = Placement { status: transfer.effect.status(student.status), ..transfer.after.clone() };
        let moved = Self {
            placement,
            expected_graduation_on: dates.expected_graduation_on,
            max_study_end_on: dates.max_study_end_on,
            ..before
        };
        match transfer.effect {
            Effect::Professional | Effect::Hierarchical | Effect::ClassChange => moved,
            Effect::Suspension { until, months, military } => {
                let counted = if military { 0 } else { months };
                Self { suspended_until: Some(until), suspended_months: moved.suspended_months + counted, ..moved }
            }
            Effect::Return { .. } => Self { suspended_until: None, ..moved },
            Effect::Dropout(reason) => Self {
                status_reason: Some(reason),
                ended_on: Some(transfer.effective_on),
                suspended_until: None,
                ..moved
            },
            Effect::TransferOut => Self { ended_on: Some(transfer.effective_on), ..moved },
        }
    }

    pub fn fields(&self) -> Map<String, Value> {
        match self.to_json() {
            Some(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

/// Of both sides the fields that differ.
pub fn differing(before: &Map<String, Value>, after: &Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let of = |side: &Map<String, Value>, other: &Map<String, Value>| {
        let differs = |(name, value): &(&String, &Value)| other.get(*name) != Some(*value);
        side.iter().filter(differs).map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>()
    };
    (of(before, after), of(after, before))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use term::Season;

    use super::{super::check::tests::stored, *};

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn studying() -> Student {
        Student {
            schooling_years: 2.5,
            enrolled_on: day("2026-03-01"),
            expected_graduation_on: day("2028-07-10"),
            max_study_end_on: day("2031-02-28"),
            ..stored()
        }
    }

    fn told(student: &Student, effect: Effect, years: f64, (entered, longest): (i32, i32)) -> (String, String) {
        let spring = |year| Term { year, season: Season::Spring };
        let after = Placement { schooling_years: years, ..Placement::of(student) };
        let basis =
            Basis { grades: (spring(2026), spring(entered)), longest: (10, longest), days: GraduateDates::default() };
        let dates = dates(student, effect, &after, &basis).expect("dates");
        (dates.expected_graduation_on.to_string(), dates.max_study_end_on.to_string())
    }

    fn days(expected: &str, longest: &str) -> (String, String) {
        (expected.to_owned(), longest.to_owned())
    }

    #[test]
    fn dates_follow_the_years_of_the_new_major_and_level() {
        let student = studying();
        assert_eq!(told(&student, Effect::Professional, 3.0, (2026, 10)), days("2029-01-10", "2031-02-28"));
        // 高起本 of five years becomes 高起专 of two and a half.
        let five = Student { schooling_years: 5.0, expected_graduation_on: day("2031-01-10"), ..studying() };
        assert_eq!(told(&five, Effect::Hierarchical, 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
        assert_eq!(told(&student, Effect::Hierarchical, 5.0, (2026, 16)), days("2031-01-10", "2034-02-28"));
        // Half a year lost in the same grade, and two years of service, are not forgotten.
        let late =
            Student { expected_graduation_on: day("2029-01-10"), max_study_end_on: day("2033-02-28"), ..studying() };
        assert_eq!(told(&late, Effect::Professional, 3.0, (2026, 10)), days("2029-07-10", "2033-02-28"));
        // Nor is service of which no search for whole half years would find anything, or another end that was imported.
        for (end, after) in [("2031-08-31", "2034-08-31"), ("2032-02-29", "2035-02-28"), ("2031-05-19", "2034-05-19")] {
            let served = Student { max_study_end_on: day(end), ..studying() };
            assert_eq!(told(&served, Effect::Professional, 2.5, (2026, 10)), days("2028-07-10", end));
            assert_eq!(told(&served, Effect::Hierarchical, 2.5, (2026, 16)), days("2028-07-10", after));
        }
    }

    #[test]
    fn a_return_moves_the_graduation_and_service_the_longest_study() {
        let student = studying();
        assert_eq!(told(&student, Effect::Return { months: 12 }, 2.5, (2027, 10)), days("2029-07-10", "2031-02-28"));
        assert_eq!(told(&student, Effect::Return { months: 6 }, 2.5, (2026, 10)), days("2029-01-10", "2031-02-28"));
        let until = day("2027-02-28");
        let away = |military| Effect::Suspension { until, months: 12, military };
        assert_eq!(told(&student, away(false), 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
        assert_eq!(told(&student, away(true), 2.5, (2026, 10)), days("2028-07-10", "2032-02-29"));
        let half = Effect::Suspension { until, months: 6, military: true };
        assert_eq!(told(&student, half, 2.5, (2026, 10)), days("2028-07-10", "2031-08-31"));
        assert_eq!(told(&student, Effect::TransferOut, 2.5, (2026, 10)), days("2028-07-10", "2031-02-28"));
    }

    #[test]
    fn the_history_keeps_what_differs() {
        let student = Student { status: StudentStatus::Registered, class_id: Some(7), ..studying() };
        let after = Placement { class_id: None, ..Placement::of(&student) };
        let transfer = Transfer {
            effect: Effect::Dropout(WithdrawReason::Voluntary),
            after: &after,
            reason: "本人申请",
            renumber: false,
            change_id: 1,
            document_no: None,
            effective_on: day("2026-09-01"),
        };
        let behind = Standing::behind(&student, &transfer, StudyDates::of(&student));
        let (from, to) = differing(&Standing::of(&student).fields(), &behind.fields());
        assert_eq!(
            Value::Object(from),
            json!({ "classId": 7, "endedOn": null, "status": "registered", "statusReason": null })
        );
        assert_eq!(
            Value::Object(to),
            json!({ "classId": null, "endedOn": "2026-09-01", "status": "withdrawn", "statusReason": "voluntary" })
        );
    }

    #[test]
    fn military_service_counts_to_no_limit() {
        let student = Student { suspended_months: 18, ..studying() };
        let after = Placement::of(&student);
        let months = |military| {
            let effect = Effect::Suspension { until: day("2027-08-31"), months: 12, military };
            let transfer = Transfer {
                effect,
                after: &after,
                reason: "应征入伍",
                renumber: false,
                change_id: 1,
                document_no: None,
                effective_on: day("2026-09-01"),
            };
            Standing::behind(&student, &transfer, StudyDates::of(&student)).suspended_months
        };
        assert_eq!((months(false), months(true)), (30, 18));
    }
}
