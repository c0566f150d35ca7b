//! 学籍异动: students change their major, level, class or site, are suspended, return and leave, on application (part 02 §10).
//!
//! ```text
//! change_batch  not_started ─(starts_at)→ open ─(ends_at)→ ended        any ⇄ closed, by the switch
//!
//! draft ─submit→ pending_site ─→ pending_target_site (another site) ─→ pending_school ─→ approved ─(its day)→ executed
//!                pending_site ─→ pending_school                        pending_* ─→ rejected
//! draft ─submit→ pending_target_site (another site), else pending_school, where the batch asks no site that is left
//! draft, pending_* ─→ cancelled      executed ─revoke, 90 days→ revoked
//! ```
//! Invariants: a student has one open change; how the student was is frozen when it is sent in and compared when it is
//! decided; whatever held when it was asked for is looked at again, when it is decided and on the day of its effect
//! ([`change`]'s checks); the register is written by [`student_status::student::transfer`] alone.
//!
//! What is locked, is locked in one order: students, their changes, the classes that they go to, the school's quota, the counters
//! of student numbers, accounts; of each kind by id or key. Whoever needs several of a kind takes all of them first. A number of
//! a change is taken without holding anything ([`change`]).
//!
//! Start reading at [`batch`], then [`change`] and `change/checks.rs`.

pub mod batch;
pub mod change;
pub mod demo;

use infra::Module;
use poem_openapi::{OpenApi, Tags};
pub use status_change_rules::enums::ChangeType;

#[derive(Tags)]
enum Tag {
    /// status_change
    #[oai(rename = "status_change")]
    StatusChange,
}

pub const MODULE: Module = Module { name: "status_change", parts: &[batch::PART, change::PART] };

pub fn api() -> impl OpenApi {
    (batch::Batches, change::api())
}
