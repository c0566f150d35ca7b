//! The closed sets of admission (02 §0.7, §6).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        AdmissionStatus::ENUMERATION,
        AdmissionMatchStatus::ENUMERATION,
        AdmissionIssue::ENUMERATION,
        AdmissionDifference::ENUMERATION,
        AdmissionScope::ENUMERATION,
        AdmissionImportMode::ENUMERATION,
        AdmissionTurn::ENUMERATION,
        AdmissionResult::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 录取状态
    pub enum AdmissionStatus = "admissionStatus" {
        Imported = "imported" "待分配",
        Assigned = "assigned" "待审核",
        Audited = "audited" "已审核",
        Rejected = "rejected" "不予入学",
        Cancelled = "cancelled" "已注销",
    }
}

enumeration! {
    /// 匹配
    pub enum AdmissionMatchStatus = "admissionMatchStatus" {
        Matched = "matched" "已匹配",
        Unmatched = "unmatched" "未匹配",
        Conflict = "conflict" "有冲突",
    }
}

enumeration! {
    /// 问题
    pub enum AdmissionIssue = "admissionIssue" {
        IdChecksum = "id_checksum" "证件号校验未通过",
        NameDiffers = "name_differs" "姓名不一致",
        MajorDiffers = "major_differs" "专业与预报名不一致",
        SiteMissing = "site_missing" "站点无法使用",
        ActiveStudent = "active_student" "现为在籍学生",
        OverQuota = "over_quota" "超计划",
        PhotoMissing = "photo_missing" "缺少照片",
    }
}

enumeration! {
    /// 与预报名的差异
    pub enum AdmissionDifference = "admissionDifference" {
        Name = "name" "姓名",
        IdCardNo = "id_card_no" "证件号",
        Gender = "gender" "性别",
        ExamineeNo = "examinee_no" "考生号",
        Level = "level" "层次",
        Major = "major" "专业",
        Site = "site" "站点",
    }
}

enumeration! {
    /// 名单
    pub enum AdmissionScope = "admissionScope" {
        Data = "data" "录取数据",
        Student = "student" "录取学生",
        Audit = "audit" "录取审核",
    }
}

enumeration! {
    /// 导入方式
    pub enum AdmissionImportMode = "admissionImportMode" {
        Insert = "insert" "只新增",
        Update = "update" "新增并更新",
    }
}

enumeration! {
    /// 注销或恢复
    pub enum AdmissionTurn = "admissionTurn" {
        Cancel = "cancel" "注销",
        Restore = "restore" "恢复",
    }
}

enumeration! {
    /// 录取审核结果
    pub enum AdmissionResult = "admissionResult" {
        Pass = "pass" "通过",
        Reject = "reject" "不予入学",
        Revoke = "revoke" "撤销",
    }
}
