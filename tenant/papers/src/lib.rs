//! Papers: sections of questions with scores, put together by hand or drawn by a rule, and frozen when something uses one
//! (part 03 A8).
//!
//! ```text
//! rule ─[draw]→ paper ── sections ── questions ─[freeze]→ snapshot, written once and never changed
//! draft ─submit→ pending_review ─audit→ approved ⇄ disabled       approved ─edit→ the next version, a draft
//! ```
//! What is answered and marked is a snapshot, so that neither a paper nor a question that is edited reaches an answer. Offered to
//! homework and examinations: [`snapshot::freeze`] of a paper, [`rule::deal`] of a rule for one student.
//! Seen by all who hold the code, without data scope. Start reading at [`paper`], then [`snapshot`].

pub mod content;
pub mod demo;
pub mod paper;
pub mod rule;
pub mod snapshot;

use infra::Module;
pub use paper_rules::enums;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// papers
    #[oai(rename = "papers")]
    Papers,
}

pub const MODULE: Module = Module { name: "papers", parts: &[rule::PART, paper::PART, snapshot::PART] };

pub fn api() -> impl OpenApi {
    (rule::api(), paper::api(), snapshot::Snapshots)
}
