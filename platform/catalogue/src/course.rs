//! A course of any kind: recorded, live, or a file of the library (01 §9.2). What is typed becomes a version, and an approved version
//! becomes the course.
//!
//! ```text
//! save, edit ─→ a version (draft │ pending │ approved) ─approval→ copied into course, chapters and periods
//! ```
//! What is published stays as it is until a version is approved. An operator who holds `…:edit` may publish at once; their
//! version is approved by themself. Who only holds `…:save` hands their new course in, and it waits for the auditors
//! ([`audit`](crate::audit)).

mod attachment;
mod content;
mod form;
mod names;
mod publish;
mod select;
mod shelf;

use catalogue_rules::{course::SiteCourseKind, difference::CourseField};
use infra::{Entity, History, KindCodes, Part, enumeration, naming::tenths, sheet::Cell};

pub use attachment::CourseAttachment;
pub use content::{gone, lecturer_may_be_chosen, lecturer_teaches, nothing_is_gone};
pub use select::LiveStanding;
pub use shelf::{PutawayChange, SharedChange, Sold, bought, rescore, studied, take_off_sale, unsold};

pub(crate) use attachment::attachments_of;
pub(crate) use content::media_of;
pub(crate) use form::{Typed, insert, update};
pub(crate) use names::names_of;
pub(crate) use publish::publish;
pub(crate) use select::{CourseQuery, CourseRow, content_of, count, find, select};
pub(crate) use shelf::{lock, remove, set_putaway, share};

pub const PART: Part = Part {
    enumerations: &[
        SiteCourseKind::ENUMERATION,
        LiveStanding::ENUMERATION,
        Putaway::ENUMERATION,
        CourseAuditStatus::ENUMERATION,
        CourseSubmission::ENUMERATION,
        CourseField::ENUMERATION,
    ],
    entities: &[
        Entity { table: "online_course", name: "线上课程", counted: "条课程" },
        Entity { table: "online_period", name: "线上课时", counted: "个课时" },
    ],
    histories: &[History { table: "online_course", code: "course:pc:course:record:view", scope: None }],
    kinds: &[KindCodes {
        table: "online_course",
        kind: "select course_type from platform.online_course where id = $1",
        codes: &[
            (SiteCourseKind::Record.as_str(), "course:pc:course:record:view"),
            (SiteCourseKind::Live.as_str(), "course:pc:course:live:view"),
            (SiteCourseKind::Resource.as_str(), "course:pc:course:resource:view"),
        ],
    }],
    ..Part::NONE
};

enumeration! {
    /// 上架状态
    pub enum Putaway = "putaway" {
        On = "on" "上架",
        Off = "off" "下架",
    }
}

enumeration! {
    /// 课程审核状态
    pub enum CourseAuditStatus = "courseAuditStatus" {
        Draft = "draft" "草稿",
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

enumeration! {
    /// 保存方式
    pub enum CourseSubmission = "courseSubmission" {
        Draft = "draft" "存为草稿",
        Review = "review" "提交审核",
        Publish = "publish" "直接发布",
    }
}

/// An average of scores in a sheet: one place.
pub(crate) fn score(average: Option<f64>) -> Cell {
    average.map_or(Cell::Empty, tenths)
}
