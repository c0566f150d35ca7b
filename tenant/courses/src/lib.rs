//! Courses: what a school's plans are made of, and the material with which they are taught (part 03 A5, A6).
//!
//! ```text
//! curriculum_type (two levels) ── course ── what a plan may take; its credits and hours are copied, never referred to
//!      course_prerequisite, without circles ┤
//!                                           ├ knowledge_point (three levels) ── what questions are about
//!                                           ├ course_chapter (章, 节) ── course_period ── course_record (one default)
//!                                           └ a period's video is a media_asset of the settings module
//! platform_course: what the operator's catalogue shares becomes such a record
//! ```
//! Dictionary-like: seen by all who hold the code, without data scope. Start reading at [`course`].

pub mod chapter;
pub mod course;
pub mod curriculum_type;
pub mod demo;
mod into_course;
pub mod knowledge_point;
pub mod period;
pub mod platform_course;
pub mod record;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// courses
    #[oai(rename = "courses")]
    Courses,
}

pub const MODULE: Module = Module {
    name: "courses",
    parts: &[
        curriculum_type::PART,
        course::PART,
        record::PART,
        platform_course::PART,
        chapter::PART,
        period::PART,
        knowledge_point::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        curriculum_type::CurriculumTypes,
        course::Courses,
        record::CourseRecords,
        platform_course::PlatformCourses,
        chapter::Chapters,
        period::Periods,
        knowledge_point::KnowledgePoints,
    )
}
