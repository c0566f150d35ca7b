//! The closed sets of messages (01 §12, 05 I).

use infra::{Part, enumeration};
use scenes::PersonKind;

pub const PART: Part = Part {
    enumerations: &[
        MsgType::ENUMERATION,
        MsgStatus::ENUMERATION,
        MsgAudience::ENUMERATION,
        JumpType::ENUMERATION,
        SendMode::ENUMERATION,
        DeliveryStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 消息类型
    pub enum MsgType = "msgType" {
        System = "system" "系统",
        Teaching = "teaching" "教学",
        Exam = "exam" "考试",
        Recruit = "recruit" "招生",
        Graduation = "graduation" "毕业",
        Marketing = "marketing" "营销",
    }
}

enumeration! {
    /// 消息状态
    pub enum MsgStatus = "msgStatus" {
        Draft = "draft" "草稿",
        Scheduled = "scheduled" "待发送",
        Sending = "sending" "发送中",
        Sent = "sent" "已发送",
        Failed = "failed" "发送失败",
        Recalled = "recalled" "已撤回",
    }
}

enumeration! {
    /// 接收范围
    pub enum MsgAudience = "msgAudience" {
        AllStudents = "all_students" "全部学生",
        StudentFilter = "student_filter" "按条件选择学生",
        Teachers = "teachers" "全部教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManagers = "class_managers" "班主任",
        List = "list" "导入名单",
        Scene = "scene" "场景消息",
    }
}

impl MsgAudience {
    /// Who is meant. A scene's own events say whom it tells.
    pub(crate) const fn person_kind(self) -> PersonKind {
        match self {
            Self::Teachers => PersonKind::Teacher,
            Self::SiteStaff => PersonKind::SiteStaff,
            Self::ClassManagers => PersonKind::ClassManager,
            Self::AllStudents | Self::StudentFilter | Self::List | Self::Scene => PersonKind::Student,
        }
    }

    /// Whether operators may choose it for whole schools.
    pub(crate) const fn is_of_whole_schools(self) -> bool {
        matches!(self, Self::AllStudents | Self::Teachers | Self::SiteStaff | Self::ClassManagers)
    }
}

enumeration! {
    /// 跳转类型
    pub enum JumpType = "jumpType" {
        None = "none" "不跳转",
        Url = "url" "网址",
        Course = "course" "课程",
        Exam = "exam" "考试",
        Homework = "homework" "作业",
    }
}

enumeration! {
    /// 发送方式
    pub enum SendMode = "sendMode" {
        Now = "now" "立即发送",
        Timed = "timed" "定时发送",
    }
}

enumeration! {
    /// 投递状态
    pub enum DeliveryStatus = "deliveryStatus" {
        Queued = "queued" "待发送",
        Delivering = "delivering" "发送中",
        Sent = "sent" "已发送",
        Delivered = "delivered" "已送达",
        Failed = "failed" "失败",
        Cancelled = "cancelled" "已取消",
        Recalled = "recalled" "已撤回",
    }
}
