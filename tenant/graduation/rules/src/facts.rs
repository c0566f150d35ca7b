//! Everything that a rule looks at, read at once for many students.

use std::collections::HashMap;

use chrono::NaiveDate;
use student_status_rules::enums::StudentStatus;

use crate::{
    enums::{DisciplineType, ExternalExamType, GraduationBatchKind},
    rules::Place,
};

/// The batch in which somebody is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchFacts {
    pub kind: GraduationBatchKind,
    pub graduates_on: NaiveDate,
}

/// The published score of a course: the passed attempt, else the best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseResult {
    pub passed: bool,
    /// As transcripts show it: 48, 缺考, 免修.
    pub text: String,
    /// Tenths of a credit that it gives.
    pub earned: i64,
    /// Tenths; none of what has no number.
    pub total: Option<i64>,
}

/// What a course of a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanKind {
    Study,
    Internship,
    Thesis,
}

/// A course of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCourse {
    pub course: i64,
    pub name: String,
    pub kind: PlanKind,
    pub degree: bool,
}

/// Courses of which some are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedGroup {
    pub name: String,
    /// Tenths of a credit.
    pub min_credits: i64,
    pub min_courses: Option<i64>,
    pub courses: Vec<i64>,
}

/// The plan of a grade and major.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanFacts {
    /// Tenths of a credit.
    pub total: i64,
    pub compulsory: Vec<PlannedCourse>,
    pub groups: Vec<PlannedGroup>,
}

impl PlanFacts {
    pub fn has(&self, kind: PlanKind) -> bool {
        self.compulsory.iter().any(|course| course.kind == kind)
    }
}

/// The total of a thesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThesisResult {
    /// Tenths.
    pub total: i64,
    pub passed: bool,
}

/// How far the practical work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InternshipState {
    #[default]
    Missing,
    Waiting,
    Failed(i64),
    Passed,
}

/// 三照比对.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhotoState {
    #[default]
    NotCompared,
    Same,
    Different,
}

/// A student who is examined for graduation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentFacts {
    pub student: i64,
    pub place: Place,
    pub status: StudentStatus,
    pub expected_on: NaiveDate,
    pub longest_on: NaiveDate,
    /// 专升本.
    pub second_stage: bool,
    /// Tenths of a credit, of all that is published.
    pub earned: i64,
    /// By course.
    pub results: HashMap<i64, CourseResult>,
    pub internship: InternshipState,
    /// Published ones alone.
    pub thesis: Option<ThesisResult>,
    pub arrears: bool,
    /// In effect, and since when.
    pub disciplines: Vec<(DisciplineType, NaiveDate)>,
    pub information_approved: bool,
    pub has_photo: bool,
    pub photo: PhotoState,
    pub prior_diploma: bool,
    /// What of the scores waits: 《财务管理》成绩未发布.
    pub waiting: Vec<String>,
}

/// An outside examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideExam {
    pub kind: ExternalExamType,
    /// Tenths.
    pub score: Option<i64>,
    pub passed: bool,
}

/// A student who applies for a degree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DegreeFacts {
    pub student: i64,
    pub place: Place,
    pub bachelor: bool,
    pub graduated_on: Option<NaiveDate>,
    /// In a batch that decided so, although it is not confirmed.
    pub graduation_decided: bool,
    /// Tenths.
    pub average: Option<i64>,
    /// Degree courses of the plan with what they came to.
    pub degree_courses: Vec<(String, Option<i64>)>,
    pub exams: Vec<OutsideExam>,
    pub thesis: Option<i64>,
    pub cheated: bool,
    /// Ever, whether released or not; not those that were revoked.
    pub disciplines: Vec<DisciplineType>,
    pub applied_on: NaiveDate,
    pub first_failed: i64,
}
