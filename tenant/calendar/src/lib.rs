//! The calendar of a school: grades, levels and semesters, on which majors, classes and students hang.
//!
//! ```text
//! grade   the cohort that entered     level   from which schooling to which
//! semester    open ⇄ closed, one is current
//! ```
//!
//! All who hold the code see them. Invariant: what other rows rely on (a grade's code, a level's years) does not change
//! under them. The arithmetic of terms is the crate `term`.
//!
//! Other modules take from here `by_code` of each entity for imports, and what a year leaves to the next: [`roll_over`] and
//! the modules of that name in [`grade`] and [`semester`]. Start reading at [`grade`]: every entity is made like it.

pub mod demo;
pub mod grade;
pub mod level;
pub mod roll_over;
pub mod semester;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// calendar
    #[oai(rename = "calendar")]
    Calendar,
}

pub const MODULE: Module =
    Module { name: "calendar", parts: &[grade::PART, level::PART, semester::PART, roll_over::PART] };

pub fn api() -> impl OpenApi {
    (grade::Grades, level::Levels, semester::Semesters, semester::Current, semester::Standing)
}
