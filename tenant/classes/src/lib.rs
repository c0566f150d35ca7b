//! Classes of a school, and the roll-over of a year.
//!
//! ```text
//! grade ┐
//! level ┼─ class ── student
//! major ┤     its (level, major) is a pair of major,
//! site ─┘     its number comes from a counter that only goes up
//! ```
//!
//! Classes lie in the data scope. Invariant: the place of a class does not change under its students.
//!
//! Other modules take from here [`class::by_code`] for imports and [`class::class_seats`] before they fill a class. What a year
//! leaves to the next is made by [`roll_over`], which asks the calendar for grades and semesters.

pub mod class;
pub mod demo;
pub mod roll_over;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// classes
    #[oai(rename = "classes")]
    Classes,
}

pub const MODULE: Module = Module { name: "classes", parts: &[class::PART, roll_over::PART] };

pub fn api() -> impl OpenApi {
    (class::Classes, class::generate::Generate, roll_over::RollOver)
}
