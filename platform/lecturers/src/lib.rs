//! Who teaches on the operators' site, and what they earn there (01 §9.5). Schema `platform`.
//!
//! ```text
//! lecturer         who teaches, and their part of each sale        switched off → their courses and exams go off sale
//! lecturer_audit   a learner asks to teach ─approval→ a lecturer
//! account          what they earned: free, kept back, taken out    every movement is a row of the journal
//! bank             the card on which it is paid out               a withdrawal keeps it as it was
//! extract          taken out: asked for → approved by one → paid by another
//! ```
//! Learners ask to teach and for their money by `client`.
//! Invariant: an account changes only by [`account::book`], which writes the journal in the same statement's transaction.

pub mod account;
mod bank;
mod client;
pub mod demo;
pub mod extract;
pub mod lecturer;
pub mod lecturer_audit;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// lecturers
    #[oai(rename = "lecturers")]
    Lecturers,
}

pub const MODULE: Module = Module {
    name: "lecturers",
    parts: &[lecturer::PART, lecturer_audit::PART, account::PART, bank::PART, extract::PART],
};

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (lecturer::Lecturers, lecturer_audit::LecturerAudits, extract::Extracts, client::OwnLecturer)
}
