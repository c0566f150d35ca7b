//! Question bank: what homework, tests and examinations are put together of (part 03 A7).
//!
//! ```text
//! bank (homework, exam, both) ── question ── sub-questions of 综合题 and 听力题, saved with it as one tree
//! draft ─submit→ pending_review ─audit→ enabled ⇄ disabled       pending_review ─reject→ rejected
//! question ─[papers: freeze]→ snapshot: what is answered and marked is never the question itself
//! ```
//! Homework banks and examination banks are kept apart; the answers of an examination bank are shown only with a code of their
//! own. How an answer is marked stands once, in [`marking`]. Dictionary-like: seen by all who hold the code, without data scope,
//! but for the banks that their creator keeps to some members ([`bank::seen`]). Start reading at [`question`].

// A question holds its sub-questions and they theirs: the optimising compiler looks into the future that saves them, level by level.
#![recursion_limit = "256"]

pub mod bank;
pub mod demo;
pub mod question;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use question_bank_rules::{enums, marking, score, text};

#[derive(Tags)]
enum Tag {
    /// question_bank
    #[oai(rename = "question_bank")]
    QuestionBank,
}

pub const MODULE: Module = Module { name: "question_bank", parts: &[bank::PART, question::PART] };

pub fn api() -> impl OpenApi {
    (bank::QuestionBanks, question::api())
}
