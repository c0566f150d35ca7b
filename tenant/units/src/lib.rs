//! The units of a school: its organizations, the sites where it teaches, and their classrooms.
//!
//! ```text
//! organization ── site ── classroom
//! (a tree)
//! ```
//!
//! All who hold the code see organizations; sites and classrooms lie in the data scope. Other modules take from here `by_code`
//! of organizations and sites for imports.

pub mod classroom;
pub mod demo;
pub mod organization;
pub mod site;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// units
    #[oai(rename = "units")]
    Units,
}

pub const MODULE: Module = Module { name: "units", parts: &[organization::PART, site::PART, classroom::PART] };

pub fn api() -> impl OpenApi {
    (organization::Organizations, site::Sites, site::ChangeStatus, classroom::Classrooms)
}
