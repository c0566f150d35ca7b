//! The closed sets of papers (part 03 A8).

use infra::enumeration;

enumeration! {
    /// 组卷方式
    pub enum PaperComposeMode = "paperComposeMode" {
        Manual = "manual" "手工",
        Rule = "rule" "策略",
        Mixed = "mixed" "混合",
    }
}

enumeration! {
    /// 试卷状态
    pub enum PaperStatus = "paperStatus" {
        Draft = "draft" "草稿",
        PendingReview = "pending_review" "待审核",
        Approved = "approved" "已通过",
        Rejected = "rejected" "已退回",
        Disabled = "disabled" "停用",
    }
}

impl PaperStatus {
    /// Whether it passed once: then it is not changed any more, and is for all who may look at papers.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Approved | Self::Disabled)
    }
}

enumeration! {
    /// 卷别
    pub enum PaperVariant = "paperVariant" {
        A = "A" "A卷",
        B = "B" "B卷",
        C = "C" "C卷",
        D = "D" "D卷",
        E = "E" "E卷",
        F = "F" "F卷",
    }
}

enumeration! {
    /// 复制方式
    pub enum PaperCopyMode = "paperCopyMode" {
        Copy = "copy" "复制",
        Variant = "variant" "生成另一卷",
    }
}

enumeration! {
    /// 试卷导出格式
    pub enum PaperExportFormat = "paperExportFormat" {
        Xlsx = "xlsx" "表格",
        Word = "word" "Word文档",
    }
}
