//! 考试: rounds of examinations, what is set in them, who sits for it, who is excused and who broke the rules (part 04 §1, §3).
//!
//! ```text
//! test_batch ── exam_setup (online_exams, offline_exams step it) ── exam_candidate ── course_selection
//! batch: draft → active ⇄ closed → archived        deferral: applied → approved → used        violation: reported → confirmed → revoked
//! ```
//! Invariants: a student sits once for a course in a batch; nobody decides a case that they reported; what a case or a deferral does to
//! scores, [`scores::offered`] writes. What is locked, is locked in one order: batch, session, setup, candidate, then scores.
//!
//! Start reading at [`setup`], then [`candidate`].

pub mod batch;
pub mod candidate;
pub mod deferral;
pub mod demo;
pub mod evidence;
mod jobs;
pub mod marker;
pub mod setup;
pub mod violation;

use infra::{Error, Module};
use poem_openapi::{OpenApi, Tags};

pub use exam_rules::enums;
pub use setup::list as setups;

#[derive(Tags)]
enum Tag {
    /// exams
    #[oai(rename = "exams")]
    Exams,
}

pub const MODULE: Module = Module {
    name: "exams",
    parts: &[
        enums::PART,
        batch::PART,
        setup::PART,
        candidate::PART,
        marker::PART,
        deferral::PART,
        violation::PART,
        jobs::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (batch::TestBatches, batch::Steps),
        (marker::Markers, marker::Assignments),
        (deferral::Deferrals, deferral::Decisions, deferral::OwnDeferrals),
        (violation::Violations, violation::Decisions),
    )
}

/// Told to whoever sees some of the classes that a change touches (03 §0.1).
pub const NOT_ALL_CLASSES: &str = "该记录包含您管辖范围以外的班级，不能修改";

/// Somebody whom a bulk step does not reach is told so, without a name.
pub(crate) fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, student_status::student::check::NOT_YOURS) } else { error }
}
