//! 毕业成绩: practical work, and the parts of a thesis' score with the total that its course ends with (part 04 §8.2).
//!
//! ```text
//! internship: draft → submitted → passed (its course ends)      submitted → returned → submitted      waived: passed
//! score: pending → entering → submitted → reviewed → published (the thesis course ends) → locked      submitted, reviewed → returned
//! ```
//! Invariants: nobody reviews what they entered or submitted; what is published is the course's score and changes by a correction of
//! [`scores`]; what somebody entered is not filled in from elsewhere.
//!
//! A list has a row for each selection of a course of its kind, also where nothing was entered yet; the selection is its number.
//! What is locked, is locked in one order: openings, selections, scores of courses, theses, then the records of this room; each by id.
//!
//! Start reading at [`internship`], then [`grade`].

mod client;
mod corrected;
pub mod demo;
pub mod grade;
pub mod internship;

use infra::{
    Module,
    access::{MayWrite, Mode},
    clients,
};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// graduation_grades
    #[oai(rename = "graduation_grades")]
    GraduationGrades,
}

pub const MODULE: Module =
    Module { name: "graduation_grades", parts: &[internship::PART, grade::PART, corrected::PART] };

pub fn api() -> impl OpenApi {
    (internship::api(), grade::api(), client::api())
}

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers.
    pub TeacherClient = "teacher";
}

/// Told to whoever acts for a student or a teacher in what is theirs alone.
const NOT_FOR_ANOTHER: &str = "代登录只能查看，不能代为办理实习和论文成绩";

/// An internship is written by its student, the score of a thesis by its adviser; nobody does it for another.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some(NOT_FOR_ANOTHER);
}
impl MayWrite for WritesOwn {}
