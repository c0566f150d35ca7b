//! The closed sets of recruitment (02 §0.7, §2, §3).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        BatchPhase::ENUMERATION,
        PreRegistrationStatus::ENUMERATION,
        ExamStatus::ENUMERATION,
        PersonSource::ENUMERATION,
        AttachmentKind::ENUMERATION,
        FunnelStep::ENUMERATION,
        FunnelGroup::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 批次阶段
    pub enum BatchPhase = "preRegistrationBatchPhase" {
        NotStarted = "not_started" "未开始",
        Open = "open" "进行中",
        Ended = "ended" "已结束",
        Closed = "closed" "已停用",
    }
}

enumeration! {
    /// 审核状态
    pub enum PreRegistrationStatus = "preRegistrationStatus" {
        Pending = "pending" "待审核",
        Returned = "returned" "退回修改",
        Approved = "approved" "已通过",
        Rejected = "rejected" "不通过",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 考试状态
    pub enum ExamStatus = "preRegistrationExamStatus" {
        None = "none" "未网报",
        Registered = "registered" "已网报",
        Admitted = "admitted" "已录取",
        NotAdmitted = "not_admitted" "未录取",
    }
}

enumeration! {
    /// 来源
    pub enum PersonSource = "personSource" {
        StudentClient = "student_client" "学员端",
        SiteClient = "site_client" "站点端",
        BackOffice = "back_office" "后台",
        Import = "import" "导入",
    }
}

enumeration! {
    /// 进展
    pub enum FunnelStep = "preRegistrationFunnelStep" {
        Registered = "registered" "已网报（含已录取和未录取）",
        Reported = "reported" "已录取并已报到",
    }
}

enumeration! {
    /// 统计方式
    pub enum FunnelGroup = "preRegistrationFunnelGroup" {
        Site = "site" "按站点",
        Major = "major" "按专业",
    }
}

enumeration! {
    /// 材料类型
    pub enum AttachmentKind = "attachmentKind" {
        IdFront = "id_front" "证件人像面",
        IdBack = "id_back" "证件国徽面",
        Diploma = "diploma" "毕业证书",
        Other = "other" "其他材料",
    }
}
