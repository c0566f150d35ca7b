//! 在线考试: answered under time, watched, marked, handed in (part 04 §2).
//!
//! ```text
//! exam_setup: draft ─publish→ published ─(time, close)→ closed ─[marking]→ done ─transfer→ transferred (scores)
//! candidate ─start→ answer_sheet ─save, heartbeat→ … ─submit │ time │ limits │ staff→ submitted ─(every answer)→ marked
//! ```
//! Invariants: what is answered is a snapshot; all times are the server's; keys leave the server for markers, and for students when
//! the examination shows them; risk alone changes no score. Whoever changes a sheet holds its candidate first, then the sheet.
//!
//! Start reading at [`setup`], then `client/exam.rs` and [`mark`].

pub mod attempt;
pub mod candidate;
mod client;
pub mod demo;
mod jobs;
pub mod mark;
pub mod record;
pub mod setup;
pub mod sheet;

use infra::{Error, Module};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// online_exams
    #[oai(rename = "online_exams")]
    OnlineExams,
}

pub const MODULE: Module = Module {
    name: "online_exams",
    parts: &[setup::PART, candidate::PART, attempt::PART, mark::PART, record::PART, jobs::PART],
};

pub fn api() -> impl OpenApi {
    (
        (setup::OnlineSetups, setup::Batches, setup::Steps, setup::Previews),
        candidate::OnlineCandidates,
        (attempt::Attempts, attempt::Watching),
        (mark::ExamMarkings, mark::Marking, mark::Ending),
        record::ExamRecords,
        client::api(),
    )
}

/// Somebody whom a bulk step does not reach is told so, without a name.
pub(crate) fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}
