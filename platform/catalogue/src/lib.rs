//! The operator's online-education site beside the schools (01 §9): its categories, lecturers and courses. Schema `platform`,
//! for operators only; [`shared`] is what modules of the schools read.
//!
//! ```text
//! category   trees of at most three levels, one a kind of content
//! lecturer   who teaches, and their part of each sale            switched off → their courses go off sale
//! record_course   typed → a version ─[record_audit]→ published → schools copy it
//! ```

pub mod category;
pub mod demo;
pub mod lecturer;
pub mod record_audit;
pub mod record_course;
mod removal;
pub mod shared;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// catalogue
    #[oai(rename = "catalogue")]
    Catalogue,
}

pub const MODULE: Module =
    Module { name: "catalogue", parts: &[category::PART, lecturer::PART, record_course::PART, record_audit::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (category::RecordCategories, lecturer::Lecturers, record_course::RecordCourses, record_audit::RecordAudits)
}
