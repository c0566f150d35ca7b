//! 录取: whom the authority admitted, taken as its file has it, joined with their lead, and given a site (part 02 §6).
//!
//! ```text
//! the authority's file ─→ imported ⇄ assigned ─→ audited          imported, assigned, rejected ─→ cancelled ─→ imported
//!      pre_registration ─(ID number, else 考生号)→ matched │ conflict │ unmatched
//! ```
//! Invariants: what the authority says is written by the import alone; a person has a site exactly while they hold a place of it,
//! which is taken with [`enrolment::admitting::places`] held; the lead's 考试状态 follows by
//! [`recruitment::admitting::admit`] and [`recruitment::admitting::release`] in the same transaction; whoever is audited has a
//! registration, which [`registration::opening`] opens and withdraws.
//!
//! Start reading at [`admission`], then `admission/person.rs`, `admission/matching.rs` and `admission/import.rs`.

pub mod admission;
pub mod demo;
mod recycle_bin;

pub use admission_rules::enums;
use infra::Module;
use people::id_card;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// admission
    #[oai(rename = "admission")]
    Admission,
}

pub const MODULE: Module = Module { name: "admission", parts: &[admission::PART, recycle_bin::PART, enums::PART] };

pub fn api() -> impl OpenApi {
    (admission::api(), recycle_bin::api())
}
