//! 线下考试: what is written on paper, its way to approval, its make-ups, and the end that makes its sheets (part 04 §4).
//!
//! ```text
//! draft ─submit→ submitted ─audit, by another person→ approved ─publish→ published ─(a day behind, or all rooms confirmed)→ closed
//! submitted ─not passed→ draft        published ─withdraw→ approved        before the end: ─cancel→ cancelled
//! course scores that are not passed ─[makeup]→ drafts with their candidates
//! ```
//! Invariants: nobody audits what they submitted; nobody is set into two examinations at once; what is published has a seat for
//! everybody, where seats are asked for. Setups and candidates are [`exams`]', seats [`exam_seats`]', sheets [`scores`]'.
//!
//! Start reading at [`setup`], then [`makeup`] and [`jobs`].

pub mod candidate;
pub mod demo;
pub mod jobs;
pub mod makeup;
pub mod setup;

use infra::{Error, Module};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// offline_exams
    #[oai(rename = "offline_exams")]
    OfflineExams,
}

pub const MODULE: Module =
    Module { name: "offline_exams", parts: &[setup::PART, candidate::PART, makeup::PART, jobs::PART] };

pub fn api() -> impl OpenApi {
    (
        (setup::OfflineSetups, setup::steps::Steps, setup::batch::Batches, setup::print::Prints),
        (candidate::OfflineCandidates, candidate::sheet::CandidateImport, makeup::Makeups),
    )
}

/// A row that is not there, or lies outside the scope.
pub(crate) fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}
