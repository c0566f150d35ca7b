//! The closed sets of certificates and archives (part 04 §10, §11).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        CertificateKind::ENUMERATION,
        CertificateStatus::ENUMERATION,
        RegisterResultOfCertificate::ENUMERATION,
        ArchiveStatus::ENUMERATION,
        ArchiveItemCode::ENUMERATION,
        ArchiveItemOrigin::ENUMERATION,
        ArchiveItemStatus::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 证书种类
    pub enum CertificateKind = "certificateKind" {
        Graduation = "graduation" "毕业证书",
        Completion = "completion" "结业证书",
        Degree = "degree" "学士学位证书",
    }
}

enumeration! {
    /// 证书状态
    pub enum CertificateStatus = "certificateStatus" {
        Allocated = "allocated" "已编号",
        Printed = "printed" "已打印",
        Issued = "issued" "已发放",
        Voided = "voided" "已作废",
    }
}

enumeration! {
    /// 证书注册结果
    pub enum RegisterResultOfCertificate = "certificateRegisterResult" {
        Success = "success" "成功",
        Failed = "failed" "失败",
    }
}

enumeration! {
    /// 档案状态
    pub enum ArchiveStatus = "archiveStatus" {
        Collecting = "collecting" "收集中",
        Complete = "complete" "齐全",
        Sealed = "sealed" "已归档",
        HandedOver = "handed_over" "已移交",
    }
}

enumeration! {
    /// 档案材料
    pub enum ArchiveItemCode = "archiveItemCode" {
        Cover = "cover" "封面与目录",
        Admission = "admission" "录取/入学登记表",
        Roll = "roll" "学籍登记表",
        Transcript = "transcript" "成绩单",
        Registration = "registration" "毕业生登记表",
        Audit = "audit" "毕业资格审核表",
        Thesis = "thesis" "论文归档稿",
        ThesisForms = "thesis_forms" "论文过程材料",
        Internship = "internship" "实习报告与鉴定",
        Rewards = "rewards" "处分与奖励",
        Identity = "identity" "身份证、照片、前置学历扫描",
        Certificate = "certificate" "证书存根",
    }
}

enumeration! {
    /// 材料来源
    pub enum ArchiveItemOrigin = "archiveItemOrigin" {
        Generated = "generated" "系统生成",
        Upload = "upload" "上传",
    }
}

enumeration! {
    /// 材料状态
    pub enum ArchiveItemStatus = "archiveItemStatus" {
        Missing = "missing" "缺",
        Ready = "ready" "已备",
        Waived = "waived" "免",
    }
}
