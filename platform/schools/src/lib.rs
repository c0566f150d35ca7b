//! The tenants: each school has a row here, a schema and a database role of its own.
//!
//! ```text
//! save ─→ row, first administrator, job ─→ role → schema → migrations → check ─→ ready
//! trial ─→ active ⇄ suspended ─→ archived ─→ deleted (tombstone)
//! ```
//! Invariant: a school that is not ready, or whose schema is behind, is refused by the router before its schema is touched.
//!
//! Start reading at [`school`], then [`provision`]; what a school sets: [`setting`]; how it ends: [`closing`]; what it
//! takes over from another one: [`foundation`]; for demonstration: [`demo`].

pub mod closing;
pub mod demo;
pub mod foundation;
pub mod nightly;
pub mod provision;
pub mod school;
pub mod school_info;
pub mod setting;
pub mod suspension;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// schools
    #[oai(rename = "schools")]
    Schools,
}

pub const MODULE: Module = Module {
    name: "schools",
    parts: &[
        school::PART,
        suspension::PART,
        closing::PART,
        foundation::PART,
        setting::PART,
        school_info::PART,
        provision::PART,
        nightly::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        school::Schools,
        school::SchoolExport,
        suspension::Standing,
        closing::Closing,
        foundation::Foundations,
        setting::SchoolSettings,
        school_info::SchoolInfos,
    )
}
