//! Basic data: the calendar, the units, the majors and the classes that everything else in a school hangs on.
//!
//! ```text
//! grade ┐                                    organization ┬─ site ── classroom
//! level ┼─ class ── student                  (a tree)     └─ major ── forecast_major
//! major ┤     its (level, major) is a pair of major,
//! site ─┘     its number comes from a counter that only goes up
//! semester    open ⇄ closed, one is current             national_major   platform; schools copy code and name
//! ```
//!
//! Grades, levels, semesters, units and majors are seen by all who hold the code; sites and classes lie in the data scope.
//! Invariant: what other rows rely on (a grade's code, a level's years, a class's place) does not change under them.
//!
//! Other rooms take from here `by_code` of each entity for imports, [`class::class_seats`] before they fill a class, and
//! `term` for the arithmetic of terms. What a year leaves to the next is made by [`roll_over`]. Start reading at
//! [`grade`]: every entity is made like it.

pub mod class;
pub mod classroom;
pub mod demo;
pub mod forecast_major;
pub mod grade;
pub mod level;
pub mod major;
pub mod national_major;
pub mod organization;
pub mod roll_over;
pub mod semester;
pub mod site;

use infra::Room;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// basic_data
    #[oai(rename = "basic_data")]
    BasicData,
}

pub const ROOM: Room = Room {
    name: "basic_data",
    parts: &[
        grade::PART,
        roll_over::PART,
        level::PART,
        semester::PART,
        organization::PART,
        site::PART,
        classroom::PART,
        national_major::PART,
        major::PART,
        forecast_major::PART,
        class::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (grade::Grades, roll_over::RollOver, level::Levels),
        (semester::Semesters, semester::Current, semester::Standing),
        (organization::Organizations, site::Sites, site::ChangeStatus, classroom::Classrooms),
        (national_major::NationalMajors, national_major::upkeep::Upkeep, major::Majors),
        (forecast_major::api(), class::Classes, class::generate::Generate),
    )
}
