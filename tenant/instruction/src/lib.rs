//! 面授成绩: who came to the sessions that are taught face to face, and how they did (part 03 B8).
//!
//! ```text
//! session, roster ─[attendance]→ present │ late │ leave │ absent ─[rule]→ attendance score ─┐
//! clerk, sheet ─────────────────────────────────────────────────→ performance score ────────┴→ total
//! draft ─submit→ submitted ─confirm→ confirmed      submitted ─return→ draft      confirmed ─revoke→ submitted
//! ```
//! Invariants: scores are counted in whole numbers and rounded once; what was submitted keeps its attendance; a selection whose
//! final score is published keeps its confirmed score.
//!
//! Sessions and selections are read here and held in one order: arrangements with their sessions, semesters, selections, own
//! rows, of each by id. Whoever takes an opening away holds its arrangements before its roster, too.
//! What lies in the data scope is as of selections: where the student is.
//!
//! Start reading at [`score`], then [`rule`] and [`attendance`].

pub mod attendance;
pub mod demo;
pub mod score;

use infra::{Module, clients};
pub use instruction_rules::{enums, rule};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// instruction
    #[oai(rename = "instruction")]
    Instruction,
}

pub const MODULE: Module = Module { name: "instruction", parts: &[enums::PART, score::PART, attendance::PART] };

pub fn api() -> impl OpenApi {
    (score::api(), attendance::api())
}

clients! {
    /// Teachers.
    pub TeacherClient = "teacher";
}
