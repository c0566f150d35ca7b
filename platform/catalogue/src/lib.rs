//! The operator's online-education site beside the schools (01 §9): its categories, lecturers and courses. Schema `platform`,
//! for operators only; [`shared`] is what rooms of the schools read.
//!
//! ```text
//! category   trees of at most three levels, one a kind of content
//! lecturer   who teaches, and his part of each sale            switched off → his courses go off sale
//! record_course   typed → a version ─[record_audit]→ published → schools copy it
//! ```

pub mod category;
pub mod demo;
pub mod lecturer;
pub mod record_audit;
pub mod record_course;
mod removal;
pub mod shared;

use infra::{Entity, History, Room, transfer::export_job};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// catalogue
    #[oai(rename = "catalogue")]
    Catalogue,
}

pub const ROOM: Room = Room {
    name: "catalogue",
    permissions: &[category::PERMISSIONS, lecturer::PERMISSIONS, record_course::PERMISSIONS, record_audit::PERMISSIONS],
    enumerations: &[
        category::CategoryType::ENUMERATION,
        record_course::Putaway::ENUMERATION,
        record_course::CourseAuditStatus::ENUMERATION,
        record_course::CourseSubmission::ENUMERATION,
        record_course::CourseField::ENUMERATION,
        record_audit::CourseDecision::ENUMERATION,
    ],
    entities: &[
        Entity { table: "online_category", name: "线上分类", counted: "条分类" },
        Entity { table: "online_course", name: "线上课程", counted: "条课程" },
        Entity { table: "lecturer", name: "讲师", counted: "名讲师" },
        Entity { table: "online_course_revision", name: "课程审核版本", counted: "个审核版本" },
    ],
    jobs: &[
        export_job::<category::RecordCategories>(),
        export_job::<lecturer::Lecturers>(),
        export_job::<record_course::RecordCourses>(),
        export_job::<record_audit::RecordAudits>(),
    ],
    plain: &[lecturer::PLAIN],
    histories: &[
        History { table: "online_category", code: "course:pc:category:record:view", scope: None },
        History { table: "lecturer", code: "user:pc:lecturer:view", scope: None },
        History { table: "online_course", code: "course:pc:course:record:view", scope: None },
    ],
    params: &[lecturer::PARAMS],
    schedules: &[],
};

/// Every operation of the room.
pub fn api() -> impl OpenApi {
    (category::RecordCategories, lecturer::Lecturers, record_course::RecordCourses, record_audit::RecordAudits)
}
