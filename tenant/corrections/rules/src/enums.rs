//! The closed sets of corrections (part 02 §9.6).

use infra::enumeration;

enumeration! {
    /// 更正类型
    pub enum CorrectionKind = "correctionKind" {
        DataError = "data_error" "录取信息有误",
        ChangedByPolice = "changed_by_police" "公安变更",
    }
}

enumeration! {
    /// 更正状态
    pub enum CorrectionStatus = "correctionStatus" {
        PendingSite = "pending_site" "待站点",
        PendingSchool = "pending_school" "待学校",
        PendingProvince = "pending_province" "待省厅",
        Approved = "approved" "已更正",
        Rejected = "rejected" "不通过",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 更正来源
    pub enum CorrectionSource = "correctionSource" {
        StudentClient = "student_client" "学员端",
        BackOffice = "back_office" "后台",
    }
}

enumeration! {
    /// 更正审核结果
    pub enum CorrectionResult = "correctionResult" {
        Pass = "pass" "通过",
        Reject = "reject" "不通过",
    }
}

enumeration! {
    /// 更正材料
    pub enum EvidenceKind = "correctionEvidence" {
        IdCard = "id_card" "身份证",
        Hukou = "hukou" "户口簿",
        PoliceCertificate = "police_certificate" "公安证明",
        BirthCertificate = "birth_certificate" "出生证明",
        ExamTicket = "exam_ticket" "准考证",
        Other = "other" "其他",
    }
}
