//! 作业: what opened courses set, students answer and teachers mark (part 03 B6, B7; the clients' calls of B10).
//!
//! ```text
//! homework ─publish→ snapshots, a row of each student ─start→ sheet ─[submit_sheet]→ marked by machine ─(marker)→ marked
//! draft ─publish→ published ─close→ closed ─reopen→ published        published ─withdraw→ withdrawn ─publish→ published
//! row: not_started → in_progress → submitted → marked        marked ─return→ returned → in_progress │ marked
//!      not_started ─(closed)→ missed      any ─exempt→ exempt      any ─(selection dropped)→ void ─(back)→ as it was
//! ```
//! Invariants: what is answered and marked is a snapshot, so that no edit of a paper reaches an answer; a score is the machine's by
//! the keys that count now, or a person's; what a row tells of its sheets [`sheet`] alone writes; keys leave the server for markers,
//! and for students when their homework shows them.
//!
//! What is locked, is locked in one order: openings, selections, the homework, rows of students, sheets, of each by id.
//! Offered to examinations (04): sheets and items as they stand, [`sheet::submit_sheet`]. Read by scores: the view
//! `homework_result`; `study_summary` reads the tests of chapters here.
//!
//! Start reading at [`homework`], then [`sheet`] and [`marking`].

mod client;
pub mod demo;
pub mod homework;
mod jobs;
pub mod marking;
pub mod sheet;
pub mod student;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use homework_rules::enums;

#[derive(Tags)]
enum Tag {
    /// homework
    #[oai(rename = "homework")]
    Homework,
}

pub const MODULE: Module = Module {
    name: "homework",
    parts: &[enums::PART, homework::PART, student::PART, sheet::PART, marking::PART, jobs::PART],
};

pub fn api() -> impl OpenApi {
    (homework::api(), student::StudentHomeworks, marking::api(), client::api())
}
