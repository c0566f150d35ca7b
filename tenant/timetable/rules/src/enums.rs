//! The closed sets of the timetable (part 03 B9).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        ArrangeKind::ENUMERATION,
        ArrangeMode::ENUMERATION,
        ArrangeStatus::ENUMERATION,
        SessionStatus::ENUMERATION,
        ResourceKind::ENUMERATION,
        OccupationSource::ENUMERATION,
        ProposalStatus::ENUMERATION,
        UnplacedReason::ENUMERATION,
        PeriodSource::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 上课类型
    pub enum ArrangeKind = "arrangeKind" {
        Lecture = "lecture" "面授",
        Tutoring = "tutoring" "辅导",
        Lab = "lab" "实验",
        ExamReview = "exam_review" "考前辅导",
        Live = "live" "直播",
    }
}

impl ArrangeKind {
    /// Whether its periods fulfil the face-to-face hours of a course; what is offered beside the course does not.
    pub const fn fulfils_hours(self) -> bool {
        match self {
            Self::Lecture | Self::Lab | Self::Live => true,
            Self::Tutoring | Self::ExamReview => false,
        }
    }
}

enumeration! {
    /// 排课方式
    pub enum ArrangeMode = "arrangeMode" {
        Weekly = "weekly" "按周",
        Dates = "dates" "按日期",
    }
}

enumeration! {
    /// 排课状态
    pub enum ArrangeStatus = "arrangeStatus" {
        Draft = "draft" "草稿",
        Published = "published" "已发布",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 课次状态
    pub enum SessionStatus = "arrangeSessionStatus" {
        Scheduled = "scheduled" "已安排",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 资源类型
    pub enum ResourceKind = "resourceKind" {
        Teacher = "teacher" "教师",
        Classroom = "classroom" "教室",
        Class = "class" "班级",
    }
}

enumeration! {
    /// 占用来源
    pub enum OccupationSource = "occupationSource" {
        Session = "session" "排课",
        ExamSession = "exam_session" "考试",
        Blocked = "blocked" "不可用时间",
    }
}

enumeration! {
    /// 方案状态
    pub enum ProposalStatus = "proposalStatus" {
        Open = "open" "未采用",
        Accepted = "accepted" "已采用",
    }
}

enumeration! {
    /// 未排原因
    pub enum UnplacedReason = "unplacedReason" {
        NoRoom = "no_room" "无可用教室",
        NoTeacherTime = "no_teacher_time" "教师无空余时间",
        ClassClash = "class_clash" "班级时间冲突",
        TooLarge = "too_large" "容量不足",
        NoLecturer = "no_lecturer" "未安排主讲教师",
        OutOfTime = "out_of_time" "计算时间已到",
    }
}

enumeration! {
    /// 节次来源
    pub enum PeriodSource = "periodSource" {
        Site = "site" "站点",
        School = "school" "学校",
        Setting = "setting" "系统设置",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_beside_a_course_fulfils_no_hours() {
        let fulfilling: Vec<&str> =
            ArrangeKind::CHOICES.iter().filter(|(_, kind)| kind.fulfils_hours()).map(|(zh, _)| *zh).collect();
        assert_eq!(fulfilling, ["面授", "实验", "直播"]);
    }
}
