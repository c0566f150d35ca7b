//! The operator's online-education site beside the schools (01 §9): its categories and courses. Schema `platform`,
//! for operators; visitors, learners and lecturers come by [`client`], and [`shared`] is what modules of the schools read.
//!
//! ```text
//! category   trees of at most three levels, one a kind of content
//! course     typed → a version ─[audit]→ published               record_course: schools copy it
//! recommend  which of them the site shows before others          client: seen by all, played by its buyers, handed in by lecturers
//! ```
//! Operations of each kind of course stand in `record_…`, `live_…` and `resource_…`; what they share stands in [`course`] and [`audit`].

pub mod audit;
pub mod category;
pub mod client;
pub mod course;
pub mod demo;
pub mod live_audit;
pub mod live_course;
pub mod recommend;
pub mod record_audit;
pub mod record_course;
pub mod resource_audit;
pub mod resource_course;
pub mod shared;
pub mod watch;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// catalogue
    #[oai(rename = "catalogue")]
    Catalogue,
}

pub const MODULE: Module = Module {
    name: "catalogue",
    parts: &[
        category::PART,
        course::PART,
        record_course::PART,
        live_course::PART,
        resource_course::PART,
        audit::PART,
        record_audit::PART,
        live_audit::PART,
        resource_audit::PART,
        recommend::PART,
        client::PART,
    ],
};

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        (category::RecordCategories, category::LiveCategories, category::ResourceCategories),
        (record_course::RecordCourses, live_course::LiveCourses, resource_course::ResourceCourses),
        (record_audit::RecordAudits, live_audit::LiveAudits, resource_audit::ResourceAudits),
        (recommend::Recommends, client::SiteCourses),
    )
}
