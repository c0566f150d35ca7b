//! 毕业审核: who is examined in which batch by which rules, what was decided, and what follows; degrees, punishments and outside
//! examinations that the rules ask for (part 04 §9, §10).
//!
//! ```text
//! batch: draft ─start→ auditing ─confirm→ confirmed ─register→ registered ─archive→ archived
//! user:  listed ─siteCheck→ site_checked ─decide→ decided ─(batch confirm)→ confirmed ─revoke→ revoked      ─remove→ removed
//! degree: applied ─audit→ audited ─decide→ approved ─award→ awarded        audited ─decide→ refused
//! ```
//! Invariants: a student waits in one batch; nobody graduates against the rules or by an audit that is out of date; the confirmation of a
//! batch is all or nothing. Statuses are written by [`student_status::student::ending`], scores locked by [`scores::offered`], certificates
//! and archives kept by [`certificates::offered`].
//!
//! What is locked, is locked in one order: students by id, their scores, the batch, its graduates by id, then certificates.
//!
//! Start reading at [`graduation_rules::graduation`], then [`load`], [`user`] and [`batch`].

pub mod batch;
pub mod degree;
pub mod demo;
pub mod discipline;
pub mod external;
pub mod load;
pub mod nightly;
mod person;
pub mod rule;
pub mod user;

use infra::{Module, clients};
use poem_openapi::{OpenApi, Tags};

pub use graduation_rules::enums;

#[derive(Tags)]
enum Tag {
    /// graduation
    #[oai(rename = "graduation")]
    Graduation,
}

clients! {
    /// Students, in what they see of their graduation.
    pub GraduateClient = "student";
}

pub const MODULE: Module = Module {
    name: "graduation",
    parts: &[
        enums::PART,
        batch::PART,
        user::PART,
        rule::PART,
        degree::PART,
        discipline::PART,
        external::PART,
        nightly::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (batch::Batches, batch::steps::Steps, batch::confirm::Confirmations, batch::report::Reports),
        (user::Users, user::steps::UserSteps, user::print::Prints, user::client::OwnGraduation),
        (rule::Rules, degree::Degrees, degree::steps::DegreeSteps, degree::client::OwnDegrees),
        (discipline::Disciplines, external::ExternalExams),
    )
}
