//! 成绩: how a score comes about, the sheets in which it becomes official, its correction (part 04 §5–§7).
//!
//! ```text
//! study, homework, lessons, questions ─[rules]→ parts ─┐
//! examination ─[offered::receive]→ sheet, entry ───────┴→ total ─publish→ selection ends with it ─lock→ correction alone
//! sheet: pending → entering → submitted → first_reviewed → reviewed ⇄ published → locked      submitted … reviewed ─reject→ returned
//! ```
//! Invariants: one score of each selection; numbers are tenths, rounded once; what was submitted keeps its parts and its formula;
//! nobody reviews what they submitted; what is published changes by a correction that another person approves.
//!
//! What is locked, is locked in one order: openings, selections, batches, sheets, scores, rows; of each by id. Examinations are read
//! here, never written; they hand their results in by [`offered`].
//!
//! Start reading at [`rule`], then [`sheet`] and [`offered`].

pub mod achievement;
mod client;
pub mod component;
pub mod correction;
pub mod demo;
mod evidence;
mod jobs;
pub mod offered;
pub mod offline;
pub mod rule;
mod score;
pub mod sheet;
pub mod transcript;

use infra::{
    Module,
    access::{MayWrite, Mode},
    clients,
};
use poem_openapi::{OpenApi, Tags};

pub use scores_rules::enums;

#[derive(Tags)]
enum Tag {
    /// scores
    #[oai(rename = "scores")]
    Scores,
}

pub const MODULE: Module = Module {
    name: "scores",
    parts: &[
        enums::PART,
        rule::PART,
        component::PART,
        sheet::PART,
        offline::PART,
        correction::PART,
        achievement::PART,
        jobs::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (rule::api(), component::api(), sheet::api(), offline::api(), correction::api(), achievement::api(), client::api())
}

clients! {
    /// Students.
    pub StudentClient = "student";
    /// Teachers.
    pub TeacherClient = "teacher";
}

/// Told to whoever acts for a teacher in what is theirs alone.
const NOT_FOR_ANOTHER: &str = "代登录只能查看，不能代为录入成绩";

/// Marks that a teacher enters; nobody enters them for another.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some(NOT_FOR_ANOTHER);
}
impl MayWrite for WritesOwn {}
