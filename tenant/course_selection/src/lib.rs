//! 选课: who is in which course, the one roster of what is taught, studied, examined and scored (part 03 B4).
//!
//! ```text
//! opening of a compulsory course ─[roster::enrol]→ selected
//! student, clerk, sheet ─[admission: rules in their order]→ pending │ selected
//! pending ─audit→ selected     pending ─reject→ dropped     pending, selected ─drop→ dropped ─(selected again)→ selected
//! pending, selected ─exempt→ exempted      selected ─[score::complete_selection]→ completed ─[score::reopen_selection]→ selected
//! ```
//! Invariants: a student is in a course once at a time; a selection's semester and course are its opening's; a final score is
//! written by [`score`] alone; what the student's status took away comes back with it, what a person dropped does not.
//!
//! Openings and their rules are read and held here, never written. What is locked, is locked in one order: semesters, openings,
//! students, selections, of each by id; places are counted while the opening is held.
//!
//! Start reading at [`selection`], then [`admission`] and [`sync`].

pub mod admission;
pub mod demo;
pub mod opening;
pub mod roster;
pub mod score;
pub mod selection;
pub mod sync;

use std::collections::BTreeMap;

pub use course_selection_rules::enums;
use infra::{Module, Result, Tx};
use poem_openapi::{OpenApi, Tags};
use scenes::{Person, PersonKind, Persons, notify};

#[derive(Tags)]
enum Tag {
    /// course_selection
    #[oai(rename = "course_selection")]
    CourseSelection,
}

pub const MODULE: Module =
    Module { name: "course_selection", parts: &[enums::PART, selection::PART, roster::PART, sync::PART] };

pub fn api() -> impl OpenApi {
    selection::api()
}

/// Tells each of these students all that changed of their courses at once.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell_each(tx: &mut Tx, told: impl IntoIterator<Item = (i64, String)> + Send) -> Result<()> {
    let mut by_student: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for (student, line) in told {
        by_student.entry(student).or_default().push(line);
    }
    // Who is told the same is told it together.
    let mut by_lines: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (student, lines) in by_student {
        by_lines.entry(lines.join("；")).or_default().push(student);
    }
    for (lines, students) in by_lines {
        tell(tx, &students, lines).await?;
    }
    Ok(())
}

/// Tells students what changed of their courses: `增加《会计学原理》`.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell(tx: &mut Tx, students: &[i64], lines: String) -> Result<()> {
    if students.is_empty() {
        return Ok(());
    }
    let persons = students.iter().map(|id| Person { kind: PersonKind::Student, id: *id }).collect();
    let values = [("lines".to_owned(), lines)].into();
    notify(tx, "selection_changed", Persons::Recipients(persons), values, None).await
}
