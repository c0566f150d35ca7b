//! The closed sets of homework, sheets and marking (part 03 B6, B7).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        HomeworkPurpose::ENUMERATION,
        HomeworkKind::ENUMERATION,
        HomeworkPaperMode::ENUMERATION,
        HomeworkStatus::ENUMERATION,
        HomeworkPhase::ENUMERATION,
        HomeworkStudentState::ENUMERATION,
        AttemptScoring::ENUMERATION,
        ShowAnswer::ENUMERATION,
        SheetMarkState::ENUMERATION,
        ItemMarkState::ENUMERATION,
        SubmitKind::ENUMERATION,
        SimilarityVerdict::ENUMERATION,
        AnnotationKind::ENUMERATION,
        AssignMode::ENUMERATION,
        MarkingTab::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 用途
    pub enum HomeworkPurpose = "homeworkPurpose" {
        Homework = "homework" "作业",
        ChapterTest = "chapter_test" "章节测验",
    }
}

enumeration! {
    /// 形式
    pub enum HomeworkKind = "homeworkKind" {
        Paper = "paper" "试卷作业",
        Upload = "upload" "附件作业",
    }
}

enumeration! {
    /// 出卷方式
    pub enum HomeworkPaperMode = "homeworkPaperMode" {
        Fixed = "fixed" "固定试卷",
        RandomPool = "random_pool" "多套随机",
        RandomRule = "random_rule" "每人随机",
    }
}

enumeration! {
    /// 作业状态
    pub enum HomeworkStatus = "homeworkStatus" {
        Draft = "draft" "草稿",
        Published = "published" "已发布",
        Closed = "closed" "已截止",
        Withdrawn = "withdrawn" "已撤回",
    }
}

impl HomeworkStatus {
    /// Whether it is still set, not yet given to anybody.
    pub const fn is_open_to_edits(self) -> bool {
        matches!(self, Self::Draft | Self::Withdrawn)
    }
}

enumeration! {
    /// 阶段
    pub enum HomeworkPhase = "homeworkPhase" {
        NotStarted = "not_started" "未开始",
        Running = "running" "进行中",
        Late = "late" "补交中",
        Over = "over" "已截止",
    }
}

enumeration! {
    /// 学生作业状态
    pub enum HomeworkStudentState = "homeworkStudentState" {
        NotStarted = "not_started" "未作答",
        InProgress = "in_progress" "作答中",
        Submitted = "submitted" "待批阅",
        Marked = "marked" "已批阅",
        Returned = "returned" "已退回",
        Missed = "missed" "缺交",
        Exempt = "exempt" "免做",
        Void = "void" "作废",
    }
}

enumeration! {
    /// 计分方式
    pub enum AttemptScoring = "attemptScoring" {
        Highest = "highest" "最高",
        Last = "last" "最后一次",
        Average = "average" "平均",
    }
}

enumeration! {
    /// 答案可见
    pub enum ShowAnswer = "showAnswer" {
        Never = "never" "不可见",
        AfterSubmit = "after_submit" "提交后",
        AfterClose = "after_close" "截止后",
        AfterMarked = "after_marked" "批阅后",
    }
}

enumeration! {
    /// 答卷状态
    pub enum SheetMarkState = "sheetMarkState" {
        InProgress = "in_progress" "作答中",
        Submitted = "submitted" "待批阅",
        Marked = "marked" "已批阅",
        Returned = "returned" "已退回",
        Void = "void" "作废",
    }
}

enumeration! {
    /// 题目批阅状态
    pub enum ItemMarkState = "itemMarkState" {
        Auto = "auto" "系统评分",
        Pending = "pending" "待批阅",
        Marked = "marked" "已批阅",
    }
}

enumeration! {
    /// 提交方式
    pub enum SubmitKind = "submitKind" {
        Student = "student" "本人",
        AutoTime = "auto_time" "到时",
        AutoClose = "auto_close" "截止",
        Staff = "staff" "代交",
        Forced = "forced" "强制交卷",
        SwitchLimit = "switch_limit" "切屏超限",
        Idle = "idle" "无操作",
        FaceFail = "face_fail" "人脸核验失败",
    }
}

enumeration! {
    /// 相似认定
    pub enum SimilarityVerdict = "similarityVerdict" {
        Open = "open" "未认定",
        Confirmed = "confirmed" "认定雷同",
        Dismissed = "dismissed" "排除",
    }
}

enumeration! {
    /// 批注类型
    pub enum AnnotationKind = "annotationKind" {
        Highlight = "highlight" "高亮",
        Tick = "tick" "对勾",
        Cross = "cross" "叉",
        Comment = "comment" "评语",
        Stamp = "stamp" "印章",
    }
}

enumeration! {
    /// 分配方式
    pub enum AssignMode = "assignMode" {
        Average = "average" "平均分配",
        Class = "class" "按班级",
        Question = "question" "按题目",
    }
}

enumeration! {
    /// 批阅列表页签
    pub enum MarkingTab = "markingTab" {
        Pending = "pending" "待批阅",
        Marked = "marked" "已批阅",
        Returned = "returned" "已退回",
        Similar = "similar" "相似",
    }
}
