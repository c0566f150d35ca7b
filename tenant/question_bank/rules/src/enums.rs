//! The closed sets of banks and questions (part 03 A7).

use infra::enumeration;

enumeration! {
    /// 用途
    pub enum BankUsage = "bankUsage" {
        Homework = "homework" "作业",
        Exam = "exam" "考试",
        Both = "both" "通用",
    }
}

impl BankUsage {
    /// The papers that may take its questions; the other side of [`PaperKind::usages`].
    pub const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Homework => &["homework", "practice"],
            Self::Exam => &["exam", "makeup"],
            Self::Both => &["homework", "practice", "exam", "makeup"],
        }
    }
}

enumeration! {
    /// 可见范围
    pub enum BankVisibility = "bankVisibility" {
        School = "school" "全校",
        Owner = "owner" "创建人及成员",
    }
}

enumeration! {
    /// 题型
    pub enum QuestionType = "questionType" {
        SingleChoice = "single_choice" "单选题",
        MultipleChoice = "multiple_choice" "多选题",
        TrueFalse = "true_false" "判断题",
        FillBlank = "fill_blank" "填空题",
        ShortAnswer = "short_answer" "简答题",
        Essay = "essay" "论述题",
        CaseAnalysis = "case_analysis" "综合题",
        Listening = "listening" "听力题",
        FileUpload = "file_upload" "附件题",
    }
}

impl QuestionType {
    /// Whether it is a frame of sub-questions, which alone are answered.
    pub const fn is_parent(self) -> bool {
        matches!(self, Self::CaseAnalysis | Self::Listening)
    }

    pub const fn has_options(self) -> bool {
        matches!(self, Self::SingleChoice | Self::MultipleChoice)
    }
}

enumeration! {
    /// 难度
    pub enum QuestionDifficulty = "questionDifficulty" {
        Easy = "easy" "易",
        FairlyEasy = "fairly_easy" "较易",
        Medium = "medium" "中",
        FairlyHard = "fairly_hard" "较难",
        Hard = "hard" "难",
    }
}

impl QuestionDifficulty {
    /// As it is stored, 1 to 5.
    pub const fn grade(self) -> i16 {
        match self {
            Self::Easy => 1,
            Self::FairlyEasy => 2,
            Self::Medium => 3,
            Self::FairlyHard => 4,
            Self::Hard => 5,
        }
    }

    /// Of what is stored; the middle for what nothing stores.
    pub const fn of(grade: i16) -> Self {
        match grade {
            1 => Self::Easy,
            2 => Self::FairlyEasy,
            4 => Self::FairlyHard,
            5 => Self::Hard,
            _ => Self::Medium,
        }
    }

    /// The coefficient in hundredths: 90 for an easy question.
    pub const fn coefficient(self) -> i64 {
        match self {
            Self::Easy => 90,
            Self::FairlyEasy => 75,
            Self::Medium => 60,
            Self::FairlyHard => 45,
            Self::Hard => 30,
        }
    }
}

enumeration! {
    /// 试题状态
    pub enum QuestionStatus = "questionStatus" {
        Draft = "draft" "草稿",
        PendingReview = "pending_review" "待审核",
        Enabled = "enabled" "启用",
        Disabled = "disabled" "停用",
        Rejected = "rejected" "已退回",
    }
}

enumeration! {
    /// 试题来源
    pub enum QuestionSource = "questionSource" {
        Manual = "manual" "手工录入",
        Import = "import" "导入",
        Copy = "copy" "复制",
    }
}

enumeration! {
    /// 填空匹配方式
    pub enum BlankMatch = "blankMatch" {
        Loose = "loose" "宽松",
        Exact = "exact" "精确",
        Number = "number" "数值",
    }
}

enumeration! {
    /// 多选题计分
    pub enum MultipleRule = "multipleRule" {
        AllOrNothing = "all_or_nothing" "全对得分",
        PartialHalf = "partial_half" "少选得一半",
        PartialRatio = "partial_ratio" "少选按比例",
    }
}

enumeration! {
    /// 试题导出格式
    pub enum QuestionExportFormat = "questionExportFormat" {
        Xlsx = "xlsx" "表格",
        Text = "text" "文本",
    }
}

enumeration! {
    /// 试卷用途
    pub enum PaperKind = "paperKind" {
        Homework = "homework" "作业",
        Exam = "exam" "考试",
        Makeup = "makeup" "补考",
        Practice = "practice" "练习",
    }
}

impl PaperKind {
    /// The banks whose questions it may take.
    pub const fn usages(self) -> &'static [&'static str] {
        match self {
            Self::Homework | Self::Practice => &["homework", "both"],
            Self::Exam | Self::Makeup => &["exam", "both"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difficulty_has_its_coefficient() {
        use QuestionDifficulty::{Easy, FairlyEasy, FairlyHard, Hard, Medium};
        assert_eq!(
            [Easy, FairlyEasy, Medium, FairlyHard, Hard].map(QuestionDifficulty::coefficient),
            [90, 75, 60, 45, 30]
        );
    }
}
