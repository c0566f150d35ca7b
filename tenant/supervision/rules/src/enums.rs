//! The words of supervision.

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        SuperviseKind::ENUMERATION,
        SuperviseLevel::ENUMERATION,
        SuperviseStatus::ENUMERATION,
        SuperviseClosedReason::ENUMERATION,
        SuperviseRef::ENUMERATION,
        SuperviseStatBy::ENUMERATION,
        SuperviseContactBy::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 预警类型
    pub enum SuperviseKind = "superviseKind" {
        VideoLag = "video_lag" "视频落后",
        HomeworkOverdue = "homework_overdue" "作业逾期",
        HomeworkDue = "homework_due" "作业临期",
        ExamRisk = "exam_risk" "考试资格风险",
        ExamAbsent = "exam_absent" "缺考",
        ScoreFailed = "score_failed" "课程不及格",
        Silent = "silent" "长期未登录",
        Fee = "fee" "欠费",
        Information = "information" "信息未提交",
        StudyLimit = "study_limit" "临近最长学习期限",
        Manual = "manual" "人工关注",
    }
}

impl SuperviseKind {
    /// Whether the measure of each flag is how many of them there are.
    pub const fn counts(self) -> bool {
        matches!(self, Self::HomeworkOverdue | Self::HomeworkDue | Self::ExamAbsent | Self::ScoreFailed)
    }

    /// Whether less is worse: days and months that are left.
    pub const fn falls(self) -> bool {
        matches!(self, Self::ExamRisk | Self::Information | Self::StudyLimit)
    }
}

enumeration! {
    /// 预警级别
    pub enum SuperviseLevel = "superviseLevel" {
        Yellow = "yellow" "黄色",
        Orange = "orange" "橙色",
        Red = "red" "红色",
    }
}

impl SuperviseLevel {
    /// The higher, the worse.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Yellow => 1,
            Self::Orange => 2,
            Self::Red => 3,
        }
    }
}

enumeration! {
    /// 督学状态
    pub enum SuperviseStatus = "superviseStatus" {
        Open = "open" "待处理",
        Following = "following" "跟进中",
        Relieved = "relieved" "已解除",
        Closed = "closed" "已关闭",
    }
}

enumeration! {
    /// 督学关闭原因
    pub enum SuperviseClosedReason = "superviseClosedReason" {
        Withdrawn = "withdrawn" "已退学",
        TransferredOut = "transferred_out" "已转出",
        Graduated = "graduated" "已毕业",
        Suspended = "suspended" "休学",
        SemesterEnd = "semester_end" "学期结束",
        NoNeed = "no_need" "无需督学",
    }
}

enumeration! {
    /// 预警对象
    pub enum SuperviseRef = "superviseRef" {
        Selection = "selection" "选课",
        HomeworkStudent = "homework_student" "作业",
        ExamCandidate = "exam_candidate" "考试",
        Information = "information" "信息采集",
        Student = "student" "学生",
    }
}

enumeration! {
    /// 督学统计方式
    pub enum SuperviseStatBy = "superviseStatBy" {
        Class = "class" "按班级",
        Manager = "manager" "按班主任",
        Kind = "kind" "按类型",
        Day = "day" "按日",
        Reason = "reason" "按原因",
    }
}

enumeration! {
    /// 联系人类别
    pub enum SuperviseContactBy = "superviseContactBy" {
        Staff = "staff" "院校人员",
        ClassManager = "class_manager" "班主任",
        SiteStaff = "site_staff" "站点人员",
    }
}
