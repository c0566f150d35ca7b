//! 信息更正: the key fields of a person, which no form changes, are corrected on application, with evidence, by somebody else
//! (part 02 §9.6).
//!
//! ```text
//! the student ─→ pending_site ─→ pending_school ─→ pending_province ─→ approved
//! staff ───────────────────────→ pending_school ─→ approved, of who is not registered with 学信网 yet
//! pending_* ─→ rejected │ cancelled
//! ```
//! Invariants: a student has one open correction; who asked does not decide; the register is written by
//! [`student_status::student::correct`] alone, which looks at everything again.
//!
//! Start reading at [`correction`], then [`correction_rules::correction`].

pub mod correction;
pub mod demo;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// corrections
    #[oai(rename = "corrections")]
    Corrections,
}

pub const MODULE: Module = Module { name: "corrections", parts: &[correction::PART] };

pub fn api() -> impl OpenApi {
    correction::api()
}
