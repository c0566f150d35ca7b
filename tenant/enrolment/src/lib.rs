//! 招生: the official recruitment of a grade, by major, and what each site takes on of it (part 02 §4, §5).
//!
//! ```text
//! forecast_major (filed) ─→ enrollment_major ── enrollment_batch draft ─→ open ⇄ closed
//!                                 └── site_enrollment_line ── site_enrollment draft ─→ submitted ─→ approved
//! ```
//! What the sites of a major were granted together never exceeds its quota: whoever grants locks the majors first.
//! Figures of admitted people are read where they stand. Start reading at [`batch`], then [`major`], then [`plan`]. Other modules
//! ask [`batch::is_over`], and [`admitting`] for whom the authority admits.

pub mod admitting;
pub mod batch;
pub mod demo;
pub mod major;
pub mod plan;

use std::collections::HashMap;

use infra::{
    Module, Result,
    naming::{Codes, referred},
    sheet::{Cell, Row},
};
use majors::major::{KnownMajor, StudyForm};
use poem_openapi::{OpenApi, Tags};
use sqlx::PgConnection;
use term::EntryLevel;

#[derive(Tags)]
enum Tag {
    /// enrolment
    #[oai(rename = "enrolment")]
    Enrolment,
}

pub const MODULE: Module = Module { name: "enrolment", parts: &[batch::PART, major::PART, plan::PART] };

pub fn api() -> impl OpenApi {
    (batch::api(), major::api(), plan::api())
}

/// A percentage of one place in a cell.
fn rate(rate: Option<f64>) -> Cell {
    rate.map_or(Cell::Empty, |rate| Cell::Decimal((rate * 10.0).round() as i64, 1))
}

/// A level that a row names.
#[derive(Debug, Clone, Copy)]
struct Level {
    id: i64,
    entry_level: EntryLevel,
}

/// Levels by name and code, in lower case, as sheets name them.
async fn levels(connection: &mut PgConnection) -> Result<HashMap<String, Level>> {
    let rows = sqlx::query!(r#"select id, code, name, entry_level as "entry_level: EntryLevel" from level"#)
        .fetch_all(connection)
        .await?;
    let level = |id, entry_level| Level { id, entry_level };
    let mut known: HashMap<String, Level> =
        rows.iter().map(|row| (row.code.to_lowercase(), level(row.id, row.entry_level))).collect();
    // A code goes before a name that is spelt like it.
    for row in rows {
        known.entry(row.name.to_lowercase()).or_insert_with(|| level(row.id, row.entry_level));
    }
    Ok(known)
}

/// The major that a row names by its code, with its level; level and study form must be the major's.
fn major_of(
    row: &mut Row,
    levels: &HashMap<String, Level>,
    majors: &Codes<KnownMajor>,
) -> Option<(KnownMajor, EntryLevel)> {
    let level = row.text("层次");
    let study_form = row.one_of("学习形式", StudyForm::CHOICES);
    let major = referred(row, "专业代码", majors).cloned()?;
    let level = levels.get(&level?.to_lowercase()).filter(|level| level.id == major.level_id);
    if level.is_none() {
        row.refuse("层次", format!("与专业“{}”的层次不符", major.name));
    }
    if study_form.is_some_and(|wanted| wanted != major.study_form) {
        row.refuse("学习形式", format!("与专业“{}”的{}不符", major.name, major.study_form.zh()));
    }
    Some((major, level?.entry_level))
}
