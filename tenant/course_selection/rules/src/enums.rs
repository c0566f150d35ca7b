//! The closed sets of openings and selections (part 03 B2, B4).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        OpeningKind::ENUMERATION,
        OpeningStatus::ENUMERATION,
        SelectionSource::ENUMERATION,
        SelectionStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 开课类别
    pub enum OpeningKind = "openingKind" {
        Plan = "plan" "计划",
        Extra = "extra" "计划外",
        Retake = "retake" "重修班",
    }
}

enumeration! {
    /// 开课状态
    pub enum OpeningStatus = "openingStatus" {
        Draft = "draft" "待开课",
        Opened = "opened" "已开课",
        Closed = "closed" "已结课",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 选课来源
    pub enum SelectionSource = "selectionSource" {
        Plan = "plan" "计划",
        Own = "self" "自选",
        Admin = "admin" "补选",
        Retake = "retake" "重修",
        MakeupStudy = "makeup_study" "补修",
    }
}

impl SelectionSource {
    /// Whether the opening must be of the student's own grade and major.
    pub const fn asks_cohort(self) -> bool {
        match self {
            Self::Plan | Self::Own => true,
            Self::Admin | Self::Retake | Self::MakeupStudy => false,
        }
    }
}

enumeration! {
    /// 选课状态
    pub enum SelectionStatus = "selectionStatus" {
        Pending = "pending" "待审核",
        Selected = "selected" "已选",
        Dropped = "dropped" "已退选",
        Exempted = "exempted" "免修",
        Completed = "completed" "已完成",
    }
}

impl SelectionStatus {
    /// In the course now: takes a place and counts into the credits of the semester.
    pub const fn is_active(self) -> bool {
        match self {
            Self::Pending | Self::Selected => true,
            Self::Dropped | Self::Exempted | Self::Completed => false,
        }
    }
}
