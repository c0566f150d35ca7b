//! Versions of courses that wait for an auditor, with what they change (01 §9.2). Each kind of course has a list of its own.
//!
//! Two auditors at once: the course is held while one of them decides, and the other is told.

mod select;
mod step;

use catalogue_rules::audit::CourseDecision;
use infra::{Entity, Part};

pub(crate) use select::{AuditQuery, AuditRow, compared, segments, select};
pub(crate) use step::{NAME, decide};

pub const PART: Part = Part {
    enumerations: &[CourseDecision::ENUMERATION],
    entities: &[Entity { table: "online_course_revision", name: "课程审核版本", counted: "个审核版本" }],
    ..Part::NONE
};
