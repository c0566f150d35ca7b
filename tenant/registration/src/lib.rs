//! 报到: who of the admitted comes, and who does not (part 02 §7).
//!
//! ```text
//! the audit of an admission ─→ pending ─→ reported ─→ a student
//!                              pending ─→ reserved ─→ pending, also of a later batch
//!                              pending ─→ abandoned │ no_show │ revoked
//! ```
//! Invariants: somebody who was admitted has one registration that counts; who reported has a student, and only they; a
//! student comes into the register by [`student_status::student::arrival`] in the transaction of the report.
//!
//! [`opening`] is what the audit of admissions asks, [`ending`] what the end of a batch does, [`document`] a paper of archives; all lie
//! above this module. Start reading at [`registration`], then `registration/held.rs` and `registration/report.rs`.

pub mod demo;
pub mod document;
pub mod ending;
pub mod opening;
mod recycle_bin;
pub mod registration;

use infra::Module;
use people::id_card;
use poem_openapi::{OpenApi, Tags};
pub use registration_rules::enums;

#[derive(Tags)]
enum Tag {
    /// registration
    #[oai(rename = "registration")]
    Registration,
}

pub const MODULE: Module = Module {
    name: "registration",
    parts: &[registration::PART, recycle_bin::PART, enums::PART, ending::PART, opening::PART],
};

pub fn api() -> impl OpenApi {
    (registration::api(), recycle_bin::api())
}
