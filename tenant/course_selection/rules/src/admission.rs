//! The rules of an admission, in the order in which they are told (part 03 B4).

use infra::{Error, clock::Moment};
use student_status_rules::enums::StudentStatus;
use teaching_plan_rules::{credit::shown, enums::CourseNature};

use crate::{
    enums::{OpeningKind, OpeningStatus, SelectionSource, SelectionStatus},
    opening::{Opening, Rule},
};

/// A student, as far as the rules ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Student {
    pub id: i64,
    pub status: StudentStatus,
    pub grade_id: i64,
    pub major_id: i64,
    pub site_id: i64,
    pub class_id: Option<i64>,
    /// The grade's place on the calendar.
    pub ordinal: i32,
}

/// Why a student does not come into an opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("无权操作该数据")]
    NotYours,
    /// Of the class that was chosen.
    #[error("无权操作该数据")]
    ClassNotYours,
    #[error("班级“{0}”已停用")]
    ClassOff(String),
    #[error("班级“{0}”不属于该开课的年级和专业")]
    OtherClass(String),
    #[error("学期“{0}”已关闭，不能修改")]
    ClosedSemester(String),
    #[error("学籍状态为{}，不能选课", .0.zh())]
    Status(StudentStatus),
    #[error("课程未开课")]
    NotOpened,
    #[error("必修课程由学校安排，不能自选")]
    Compulsory,
    #[error("重修班由学校安排，不能自选")]
    RetakeClass,
    #[error("不在选课时间内")]
    OutsideTime,
    #[error("不属于该专业年级的课程")]
    OtherCohort,
    #[error("已选该课程")]
    Already,
    #[error("该课程已通过")]
    Passed,
    #[error("该学生没有修读过该课程，不能重修")]
    NeverTaken,
    #[error("该学生在本次开课中为{}，请选择其他开课", .0.zh())]
    InThisOpening(SelectionStatus),
    #[error("先修课程“{0}”未通过")]
    Prerequisite(String),
    #[error("超过本学期学分上限{}", shown(*.0))]
    Credits(i64),
    #[error("人数已满")]
    Full,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotYours | Refusal::ClassNotYours => Self::new(404, refusal.to_string()),
            _ => Self::conflict(refusal.to_string()),
        }
    }
}

/// A selection that the student has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Had {
    pub id: i64,
    pub opening_id: i64,
    pub course_id: i64,
    pub semester_id: i64,
    /// Of the semester.
    pub ordinal: i32,
    pub status: SelectionStatus,
    pub passed: Option<bool>,
    /// In tenths.
    pub credits: i64,
}

impl Had {
    /// What is exempted counts as passed.
    fn is_passed(&self) -> bool {
        match self.status {
            SelectionStatus::Exempted => true,
            SelectionStatus::Completed => self.passed == Some(true),
            SelectionStatus::Pending | SelectionStatus::Selected | SelectionStatus::Dropped => false,
        }
    }

    /// Counts as an attempt at the course.
    fn is_attempt(&self) -> bool {
        !matches!(self.status, SelectionStatus::Dropped | SelectionStatus::Exempted)
    }
}

/// A course that comes before another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prerequisite {
    pub course_id: i64,
    pub name: String,
}

impl Prerequisite {
    /// Passed, or selected in an earlier semester.
    pub fn is_met(&self, had: &[Had], ordinal: i32) -> bool {
        had.iter()
            .filter(|row| row.course_id == self.course_id)
            .any(|row| row.is_passed() || row.is_attempt() && row.ordinal < ordinal)
    }
}

/// A student, an opening, and what the rules look at.
pub struct Asked<'a> {
    pub student: &'a Student,
    pub opening: &'a Opening,
    pub source: SelectionSource,
    pub learner: bool,
    pub now: Moment,
    pub rule: Option<&'a Rule>,
    pub prerequisites: &'a [Prerequisite],
    pub had: &'a [Had],
    /// Places that are taken.
    pub taken: i64,
}

/// How somebody comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    pub status: SelectionStatus,
    /// Their dropped row of this opening, which is taken up again.
    pub again: Option<i64>,
    pub attempt_no: i32,
    pub warnings: Vec<String>,
}

/// Judges one pair.
pub fn admit(asked: &Asked<'_>) -> Result<Admission, Refusal> {
    let Asked { student, opening, source, learner, now, rule, had, .. } = *asked;
    if opening.semester_closed {
        return Err(Refusal::ClosedSemester(opening.semester_name.clone()));
    }
    if !matches!(student.status, StudentStatus::PendingRegistration | StudentStatus::Registered) {
        return Err(Refusal::Status(student.status));
    }
    if opening.status != OpeningStatus::Opened {
        return Err(Refusal::NotOpened);
    }
    if learner {
        may_choose(opening)?;
    }
    if learner && !rule.is_some_and(|rule| (rule.select_starts_at..rule.select_ends_at).contains(&now)) {
        return Err(Refusal::OutsideTime);
    }
    if source.asks_cohort() && !opening.is_for(student.grade_id, student.major_id) {
        return Err(Refusal::OtherCohort);
    }
    let of_course: Vec<&Had> = had.iter().filter(|row| row.course_id == opening.course_id).collect();
    if of_course.iter().any(|row| row.status.is_active()) {
        return Err(Refusal::Already);
    }
    if source != SelectionSource::Retake && of_course.iter().any(|row| row.is_passed()) {
        return Err(Refusal::Passed);
    }
    if source == SelectionSource::Retake && !of_course.iter().any(|row| row.is_attempt()) {
        return Err(Refusal::NeverTaken);
    }
    let own = of_course.iter().find(|row| row.opening_id == opening.id);
    if let Some(own) = own.filter(|own| own.status != SelectionStatus::Dropped) {
        return Err(Refusal::InThisOpening(own.status));
    }
    let warnings = prerequisites(asked)?;
    if let Some(rule) = rule {
        let semester = had.iter().filter(|row| row.semester_id == opening.semester_id && row.status.is_active());
        let credits: i64 = semester.map(|row| row.credits).sum();
        if credits + opening.credits > rule.max_credits {
            return Err(Refusal::Credits(rule.max_credits));
        }
    }
    if opening.capacity.is_some_and(|capacity| asked.taken >= i64::from(capacity)) {
        return Err(Refusal::Full);
    }
    let earlier = of_course.iter().filter(|row| row.is_attempt()).count();
    Ok(Admission {
        status: match rule {
            Some(rule) if learner && rule.need_audit => SelectionStatus::Pending,
            _ => SelectionStatus::Selected,
        },
        again: own.map(|own| own.id),
        attempt_no: i32::try_from(earlier).unwrap_or(i32::MAX).saturating_add(1),
        warnings,
    })
}

/// Whether students choose such a course by themselves: what is compulsory comes by the plan, a class for those who repeat a
/// course by the school (part 03 B4).
fn may_choose(opening: &Opening) -> Result<(), Refusal> {
    if opening.kind == OpeningKind::Retake {
        return Err(Refusal::RetakeClass);
    }
    if opening.nature == CourseNature::Compulsory { Err(Refusal::Compulsory) } else { Ok(()) }
}

/// What comes before the course; a clerk who adds somebody is only told.
fn prerequisites(asked: &Asked<'_>) -> Result<Vec<String>, Refusal> {
    let lacking = asked.prerequisites.iter().filter(|before| !before.is_met(asked.had, asked.opening.ordinal));
    let mut warnings = Vec::new();
    for before in lacking {
        let refusal = Refusal::Prerequisite(before.name.clone());
        if asked.source != SelectionSource::Admin {
            return Err(refusal);
        }
        warnings.push(refusal.to_string());
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;

    fn at(day: u32) -> Moment {
        infra::clock::day_began(NaiveDate::from_ymd_opt(2026, 3, day).unwrap())
    }

    fn student() -> Student {
        Student {
            id: 1,
            status: StudentStatus::Registered,
            grade_id: 2,
            major_id: 3,
            site_id: 4,
            class_id: Some(5),
            ordinal: 4052,
        }
    }

    fn opening() -> Opening {
        Opening {
            id: 10,
            semester_id: 1,
            semester_name: "2026年春季学期".to_owned(),
            semester_closed: false,
            ordinal: 4052,
            course_id: 7,
            course_name: "市场营销学".to_owned(),
            kind: OpeningKind::Plan,
            status: OpeningStatus::Opened,
            nature: CourseNature::Elective,
            grade_id: Some(2),
            major_id: Some(3),
            credits: 20,
            capacity: None,
        }
    }

    fn rule() -> Rule {
        Rule {
            id: 1,
            semester_id: 1,
            grade_id: None,
            major_id: None,
            term_no: None,
            min_credits: 100,
            max_credits: 200,
            select_starts_at: at(1),
            select_ends_at: at(10),
            drop_ends_at: at(15),
            need_audit: false,
        }
    }

    fn had(course_id: i64, status: SelectionStatus, credits: i64) -> Had {
        Had {
            id: 90 + course_id,
            opening_id: 80 + course_id,
            course_id,
            semester_id: 1,
            ordinal: 4052,
            status,
            passed: None,
            credits,
        }
    }

    struct Case {
        student: Student,
        opening: Opening,
        source: SelectionSource,
        learner: bool,
        now: Moment,
        rule: Option<Rule>,
        prerequisites: Vec<Prerequisite>,
        had: Vec<Had>,
        taken: i64,
    }

    fn case() -> Case {
        Case {
            student: student(),
            opening: opening(),
            source: SelectionSource::Own,
            learner: true,
            now: at(5),
            rule: Some(rule()),
            prerequisites: Vec::new(),
            had: Vec::new(),
            taken: 0,
        }
    }

    fn judged(case: &Case) -> Result<Admission, Refusal> {
        admit(&Asked {
            student: &case.student,
            opening: &case.opening,
            source: case.source,
            learner: case.learner,
            now: case.now,
            rule: case.rule.as_ref(),
            prerequisites: &case.prerequisites,
            had: &case.had,
            taken: case.taken,
        })
    }

    fn told(case: &Case) -> String {
        judged(case).expect_err("a refusal").to_string()
    }

    #[test]
    fn the_refusals_are_told_in_their_order() {
        let full = || Opening { capacity: Some(1), ..opening() };
        let mut wrong = Case {
            student: Student { status: StudentStatus::Suspended, grade_id: 9, ..student() },
            opening: Opening { status: OpeningStatus::Draft, semester_closed: true, ..full() },
            now: at(20),
            had: vec![had(7, SelectionStatus::Selected, 20), had(8, SelectionStatus::Selected, 190)],
            prerequisites: vec![Prerequisite { course_id: 6, name: "管理学原理".to_owned() }],
            taken: 1,
            ..case()
        };
        assert_eq!(told(&wrong), "学期“2026年春季学期”已关闭，不能修改");
        wrong.opening.semester_closed = false;
        assert_eq!(told(&wrong), "学籍状态为休学，不能选课");
        wrong.student.status = StudentStatus::PendingRegistration;
        assert_eq!(told(&wrong), "课程未开课");
        wrong.opening.status = OpeningStatus::Opened;
        assert_eq!(told(&wrong), "不在选课时间内");
        wrong.now = at(5);
        assert_eq!(told(&wrong), "不属于该专业年级的课程");
        wrong.student.grade_id = 2;
        assert_eq!(told(&wrong), "已选该课程");
        wrong.had[0] = Had { passed: Some(true), ..had(7, SelectionStatus::Completed, 20) };
        assert_eq!(told(&wrong), "该课程已通过");
        wrong.had[0] = Had { passed: Some(false), ..had(7, SelectionStatus::Completed, 20) };
        assert_eq!(told(&wrong), "先修课程“管理学原理”未通过");
        wrong.prerequisites.clear();
        assert_eq!(told(&wrong), "超过本学期学分上限20.0");
        wrong.had.pop();
        assert_eq!(told(&wrong), "人数已满");
        wrong.taken = 0;
        assert_eq!(judged(&wrong).expect("comes in").attempt_no, 2);
    }

    /// maxCredits 20.0, 16.0 by the plan: A of 2.0 comes in, B of 3.0 behind it does not.
    #[test]
    fn credits_of_the_semester_have_a_limit() {
        let by_plan = had(1, SelectionStatus::Selected, 160);
        let a = Case { had: vec![by_plan.clone()], ..case() };
        assert!(judged(&a).is_ok());
        let b = Case {
            opening: Opening { credits: 30, ..opening() },
            had: vec![by_plan, had(2, SelectionStatus::Selected, 20)],
            ..case()
        };
        assert_eq!(told(&b), "超过本学期学分上限20.0");
    }

    #[test]
    fn what_was_dropped_is_taken_up_again_in_its_row() {
        let dropped = Had { opening_id: 10, ..had(7, SelectionStatus::Dropped, 20) };
        let admission = judged(&Case { had: vec![dropped], ..case() }).expect("comes in");
        assert_eq!((admission.again, admission.attempt_no), (Some(97), 1));
    }

    #[test]
    fn a_learner_chooses_neither_what_is_compulsory_nor_a_class_of_those_who_repeat() {
        let compulsory = Opening { nature: CourseNature::Compulsory, ..opening() };
        let wanted = Case { opening: compulsory, ..case() };
        assert_eq!(told(&wanted), "必修课程由学校安排，不能自选");
        let clerk = Case { source: SelectionSource::Admin, learner: false, ..wanted };
        assert!(judged(&clerk).is_ok(), "the school puts them there");
        let retake = Case { opening: Opening { kind: OpeningKind::Retake, ..opening() }, ..case() };
        assert_eq!(told(&retake), "重修班由学校安排，不能自选");
    }

    #[test]
    fn only_who_has_taken_a_course_repeats_it() {
        let new = Case { source: SelectionSource::Retake, learner: false, ..case() };
        assert_eq!(told(&new), "该学生没有修读过该课程，不能重修");
        let left = Case { had: vec![had(7, SelectionStatus::Dropped, 20)], ..new };
        assert_eq!(told(&left), "该学生没有修读过该课程，不能重修");
    }

    #[test]
    fn a_learner_waits_where_the_rule_says_so_and_without_a_rule_selects_nothing() {
        let audited = Case { rule: Some(Rule { need_audit: true, ..rule() }), ..case() };
        assert_eq!(judged(&audited).expect("comes in").status, SelectionStatus::Pending);
        let clerk = Case { source: SelectionSource::Admin, learner: false, ..audited };
        assert_eq!(judged(&clerk).expect("comes in").status, SelectionStatus::Selected);
        assert_eq!(told(&Case { rule: None, ..case() }), "不在选课时间内");
    }

    #[test]
    fn a_clerk_is_only_told_of_what_comes_before() {
        let needed = vec![Prerequisite { course_id: 6, name: "管理学原理".to_owned() }];
        let clerk = Case { source: SelectionSource::Admin, learner: false, prerequisites: needed.clone(), ..case() };
        assert_eq!(judged(&clerk).expect("comes in").warnings, ["先修课程“管理学原理”未通过"]);
        let earlier = Had { ordinal: 4051, ..had(6, SelectionStatus::Selected, 20) };
        assert!(judged(&Case { prerequisites: needed.clone(), had: vec![earlier], ..case() }).is_ok());
        let beside = had(6, SelectionStatus::Selected, 20);
        assert_eq!(told(&Case { prerequisites: needed, had: vec![beside], ..case() }), "先修课程“管理学原理”未通过");
    }

    #[test]
    fn a_retake_may_repeat_what_was_passed_and_goes_anywhere() {
        let passed = Had { passed: Some(true), ..had(7, SelectionStatus::Completed, 20) };
        let retake = Case {
            student: Student { grade_id: 1, ..student() },
            source: SelectionSource::Retake,
            learner: false,
            had: vec![passed.clone()],
            ..case()
        };
        assert_eq!(judged(&retake).expect("comes in").attempt_no, 2);
        let same = Case { had: vec![Had { opening_id: 10, ..passed }], ..retake };
        assert_eq!(told(&same), "该学生在本次开课中为已完成，请选择其他开课");
    }
}
