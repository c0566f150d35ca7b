//! Courses: what a school's plans are made of, and the material with which they are taught (part 03 A5, A6).
//!
//! ```text
//! curriculum_type (two levels) ── course ── what a plan may take; its credits and hours are copied, never referred to
//!      course_prerequisite, without circles ┤
//!                                           ├ knowledge_point (three levels) ── what questions are about
//!                                           ├ course_chapter (章, 节) ── course_period ── course_record (one default)
//!                                           └ a period's video is a media_asset of the settings room
//! platform_course: what the operator's catalogue shares becomes such a record
//! ```
//! Dictionary-like: seen by all who hold the code, without data scope. Start reading at [`course`].

pub mod chapter;
pub mod course;
pub mod curriculum_type;
pub mod demo;
mod into_course;
pub mod knowledge_point;
mod options;
pub mod period;
pub mod platform_course;
pub mod record;

use infra::{
    Entity, History, Room,
    transfer::{ByRow, export_job, import_job},
};
use poem_openapi::{OpenApi, Tags};

pub use options::OPTIONS;

#[derive(Tags)]
enum Tag {
    /// courses
    #[oai(rename = "courses")]
    Courses,
}

pub const ROOM: Room = Room {
    name: "courses",
    permissions: &[
        curriculum_type::PERMISSIONS,
        course::PERMISSIONS,
        record::PERMISSIONS,
        platform_course::PERMISSIONS,
        chapter::PERMISSIONS,
        period::PERMISSIONS,
        knowledge_point::PERMISSIONS,
    ],
    enumerations: &[
        curriculum_type::CurriculumSystemKind::ENUMERATION,
        course::CourseKind::ENUMERATION,
        course::ExamForm::ENUMERATION,
        course::AssessMode::ENUMERATION,
        course::CourseSource::ENUMERATION,
        record::CourseRecordStatus::ENUMERATION,
        period::PeriodKind::ENUMERATION,
    ],
    entities: &[
        Entity { table: "curriculum_type", name: "课程类型", counted: "个下级类型" },
        Entity { table: "course", name: "院校课程", counted: "门课程" },
        Entity { table: "course_prerequisite", name: "先修课程", counted: "门后续课程" },
        Entity { table: "course_record", name: "课程资源", counted: "个课程资源" },
        Entity { table: "course_chapter", name: "课程章节", counted: "个章节" },
        Entity { table: "course_period", name: "课时", counted: "个课时" },
        Entity { table: "knowledge_point", name: "知识点", counted: "个知识点" },
    ],
    jobs: &[
        export_job::<curriculum_type::CurriculumTypes>(),
        export_job::<course::Courses>(),
        import_job::<ByRow<course::NewCourses>>(),
        import_job::<ByRow<course::UpsertedCourses>>(),
        export_job::<record::CourseRecords>(),
        export_job::<knowledge_point::KnowledgePoints>(),
    ],
    plain: &[],
    histories: &[
        History { table: "curriculum_type", code: "adult:pc:curriculumType:view", scope: None },
        History { table: "course", code: "course:pc:collegeCurriculum:view", scope: None },
        History { table: "course_record", code: "course:pc:schoolCourse:view", scope: None },
        History { table: "knowledge_point", code: "course:pc:knowledgePoint:view", scope: None },
    ],
    params: &[],
    schedules: &[],
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
