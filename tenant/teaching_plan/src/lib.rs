//! Teaching plans: for one grade and major, which courses in which term, with which credits, hours and examination (part 03 B1).
//!
//! ```text
//! plan (versions of a grade and major) ─┬─ plan_course: a course of the library, its credits and hours copied
//!                                       └─ plan_elective_group: of these courses so many credits
//! draft ─submit→ submitted ─audit→ effective ─(the next version is audited)→ superseded
//! submitted ─reject→ rejected ─submit→ …     submitted ─recall→ draft     draft, rejected, submitted ─withdraw→ withdrawn
//! ```
//! What is in effect is never edited: a revision copies it to the next version, so that what was opened and what a graduation is
//! judged by stay as they were. Of a grade and major one version is in effect and one is worked on; two indexes hold that.
//! Every write of a plan's courses holds the plan's row and raises its version, so that two people cannot put together a plan
//! that neither of them has seen.
//!
//! Dictionary-like: seen by all who hold the code, without data scope; figures of students count within it. Offered to openings:
//! [`effective`], [`credits`]. Start reading at [`plan`], then [`plan::check`].

pub mod course;
pub mod credits;
pub mod demo;
pub mod effective;
pub mod plan;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use teaching_plan_rules::{credit, enums};

#[derive(Tags)]
enum Tag {
    /// teaching_plan
    #[oai(rename = "teaching_plan")]
    TeachingPlan,
}

pub const MODULE: Module = Module { name: "teaching_plan", parts: &[plan::PART, course::PART] };

pub fn api() -> impl OpenApi {
    (plan::api(), course::api())
}
