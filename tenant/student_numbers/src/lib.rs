//! 学号: by which rules student numbers are made, and which were ever given (part 02 §9.4).
//!
//! ```text
//! rule of the grade, else of all grades ─→ prefix of a student ─→ counter of the prefix ─→ number, kept for ever
//! ```
//! A number is given once: not even the number of a student who was deleted, or has another now, is given again; only one that came
//! by a sheet may come again when that import is undone. This module finds numbers and remembers them ([`allocation`]); the
//! register writes them, for it alone writes students.

pub mod allocation;
pub mod demo;
pub mod rule;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// student_numbers
    #[oai(rename = "student_numbers")]
    StudentNumbers,
}

pub const MODULE: Module = Module { name: "student_numbers", parts: &[rule::PART] };

pub fn api() -> impl OpenApi {
    rule::api()
}
