//! The closed sets of theses and internships (part 04 §8, §12).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        ThesisStage::ENUMERATION,
        ThesisStageStatus::ENUMERATION,
        ThesisStatus::ENUMERATION,
        ThesisDocumentKind::ENUMERATION,
        ThesisDecision::ENUMERATION,
        TopicSource::ENUMERATION,
        TopicStatus::ENUMERATION,
        TopicMode::ENUMERATION,
        SelectMode::ENUMERATION,
        DefenseMode::ENUMERATION,
        DefenseResult::ENUMERATION,
        DefenseGroupStatus::ENUMERATION,
        ReviewOpinion::ENUMERATION,
        ThesisPlanStatus::ENUMERATION,
        InternshipStatus::ENUMERATION,
        GraduationScoreStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 论文阶段
    pub enum ThesisStage = "thesisStage" {
        Topic = "topic" "选题",
        Proposal = "proposal" "开题",
        Draft = "draft" "初稿",
        Final = "final" "终稿",
        Similarity = "similarity" "查重",
        Review = "review" "评阅",
        Defense = "defense" "答辩",
        Done = "done" "完成",
    }
}

enumeration! {
    /// 阶段状态
    pub enum ThesisStageStatus = "thesisStageStatus" {
        Pending = "pending" "待提交",
        Submitted = "submitted" "待审核",
        Passed = "passed" "通过",
        Returned = "returned" "退回修改",
        Failed = "failed" "不通过",
    }
}

enumeration! {
    /// 论文状态
    pub enum ThesisStatus = "thesisStatus" {
        Active = "active" "进行中",
        Finished = "finished" "已完成",
        Failed = "failed" "不通过",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 文稿类型
    pub enum ThesisDocumentKind = "thesisDocumentKind" {
        Proposal = "proposal" "开题报告",
        Midterm = "midterm" "中期检查",
        Draft = "draft" "初稿",
        Revision = "revision" "修改稿",
        Final = "final" "终稿",
        SimilarityReport = "similarity_report" "查重报告",
        Slides = "slides" "答辩材料",
        Archived = "archived" "归档稿",
    }
}

enumeration! {
    /// 审阅结论
    pub enum ThesisDecision = "thesisDecision" {
        Pending = "pending" "待审阅",
        Passed = "passed" "通过",
        Returned = "returned" "退回",
    }
}

enumeration! {
    /// 选题来源
    pub enum TopicSource = "topicSource" {
        Production = "production" "生产实际",
        Research = "research" "科研",
        Social = "social" "社会调查",
        Own = "self" "自拟",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 选题状态
    pub enum TopicStatus = "topicStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "待审",
        Approved = "approved" "已通过",
        Rejected = "rejected" "已退回",
        Closed = "closed" "已关闭",
    }
}

enumeration! {
    /// 选题方式
    pub enum TopicMode = "topicMode" {
        Pool = "pool" "题库选题",
        Own = "self" "自拟",
        Both = "both" "均可",
    }
}

enumeration! {
    /// 选题规则
    pub enum SelectMode = "selectMode" {
        FirstCome = "first_come" "先到先得",
        AdviserConfirm = "adviser_confirm" "导师确认",
        Assigned = "assigned" "指定",
    }
}

enumeration! {
    /// 答辩方式
    pub enum DefenseMode = "defenseMode" {
        Onsite = "onsite" "现场",
        Online = "online" "线上",
        Written = "written" "书面",
    }
}

enumeration! {
    /// 答辩结论
    pub enum DefenseResult = "defenseResult" {
        Passed = "passed" "通过",
        Second = "second" "二次答辩",
        Failed = "failed" "不通过",
    }
}

enumeration! {
    /// 答辩组状态
    pub enum DefenseGroupStatus = "defenseGroupStatus" {
        Draft = "draft" "草稿",
        Arranged = "arranged" "已安排",
        Finished = "finished" "已结束",
    }
}

enumeration! {
    /// 评阅意见
    pub enum ReviewOpinion = "reviewOpinion" {
        Agree = "agree" "同意答辩",
        Revise = "revise" "修改后答辩",
        Disagree = "disagree" "不同意答辩",
    }
}

enumeration! {
    /// 论文批次状态
    pub enum ThesisPlanStatus = "thesisPlanStatus" {
        Draft = "draft" "草稿",
        Active = "active" "进行中",
        Closed = "closed" "已结束",
    }
}

enumeration! {
    /// 实习状态
    pub enum InternshipStatus = "internshipStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "待审",
        Passed = "passed" "通过",
        Returned = "returned" "退回",
    }
}

enumeration! {
    /// 毕业成绩状态
    pub enum GraduationScoreStatus = "graduationScoreStatus" {
        Pending = "pending" "待录入",
        Entering = "entering" "录入中",
        Submitted = "submitted" "待审核",
        Reviewed = "reviewed" "待发布",
        Published = "published" "已发布",
        Locked = "locked" "已锁定",
        Returned = "returned" "已退回",
    }
}

impl GraduationScoreStatus {
    /// Whether values may still be entered.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Entering | Self::Returned)
    }
}
