//! The closed sets of information review (02 §0.7, §11).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        InformationKind::ENUMERATION,
        InformationStatus::ENUMERATION,
        InformationItem::ENUMERATION,
        InformationSubmitter::ENUMERATION,
        InformationStage::ENUMERATION,
        InformationResult::ENUMERATION,
        DiplomaEvidence::ENUMERATION,
        CommitmentConclusion::ENUMERATION,
        ChsiPreCheck::ENUMERATION,
        PhotoCheck::ENUMERATION,
        InformationWindowPhase::ENUMERATION,
        InformationPaper::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 信息类别
    pub enum InformationKind = "informationKind" {
        AdmissionInformation = "admission_information" "学籍注册信息",
        AdmissionCommitment = "admission_commitment" "入学资格审查",
        GraduationInformation = "graduation_information" "毕业登记",
    }
}

enumeration! {
    /// 信息状态
    pub enum InformationStatus = "informationStatus" {
        NotSubmitted = "not_submitted" "未提交",
        Submitted = "submitted" "待审核",
        ClassPassed = "class_passed" "班主任通过",
        Approved = "approved" "已通过",
        Returned = "returned" "已退回",
    }
}

enumeration! {
    /// 核对项
    pub enum InformationItem = "informationItem" {
        Name = "name" "姓名",
        Gender = "gender" "性别",
        Birthday = "birthday" "出生日期",
        IdCardNo = "id_card_no" "证件号",
        Ethnicity = "ethnicity" "民族",
        PoliticalStatus = "political_status" "政治面貌",
        ExamineeNo = "examinee_no" "考生号",
        Level = "level" "层次",
        Major = "major" "专业",
        StudyForm = "study_form" "学习形式",
        SchoolingYears = "schooling_years" "学制",
        EnrolledOn = "enrolled_on" "入学日期",
        AdmissionPhoto = "admission_photo" "录取照片",
        ExpectedGraduationOn = "expected_graduation_on" "预计毕业",
        GraduationPhoto = "graduation_photo" "学历照片",
    }
}

enumeration! {
    /// 提交人
    pub enum InformationSubmitter = "informationSubmitter" {
        Student = "student" "学员",
        Staff = "staff" "代填",
    }
}

enumeration! {
    /// 办理环节
    pub enum InformationStage = "informationStage" {
        Submit = "submit" "提交",
        ClassPass = "class_pass" "班主任通过",
        Approve = "approve" "审核通过",
        Return = "return" "退回",
        TakeBack = "take_back" "撤销通过",
        PreCheck = "pre_check" "前置学历清查",
    }
}

enumeration! {
    /// 审核结果
    pub enum InformationResult = "informationResult" {
        Pass = "pass" "通过",
        Return = "return" "退回",
    }
}

enumeration! {
    /// 证明方式
    pub enum DiplomaEvidence = "evidenceKind" {
        OnlineCode = "online_code" "教育部学历证书电子注册备案表",
        Report = "report" "学历认证报告",
        DiplomaCopy = "diploma_copy" "毕业证复印件",
        HighSchool = "high_school" "高中/中职毕业证",
        Equivalent = "equivalent" "同等学力证明",
    }
}

enumeration! {
    /// 信息打印
    pub enum InformationPaper = "informationPaper" {
        CheckSheet = "check_sheet" "学籍注册信息核对表",
        Commitment = "commitment" "承诺书",
        Qualification = "qualification" "入学资格审查表",
        Graduation = "graduation" "毕业生登记表",
    }
}

enumeration! {
    /// 审查结论
    pub enum CommitmentConclusion = "commitmentConclusion" {
        Qualified = "qualified" "合格",
        Unqualified = "unqualified" "不合格",
        Supplement = "supplement" "待补材料",
    }
}

enumeration! {
    /// 前置学历清查
    pub enum ChsiPreCheck = "chsiPreCheck" {
        NotRequired = "not_required" "不需要",
        Pending = "pending" "未查",
        Passed = "passed" "通过",
        ToCheck = "to_check" "待清查",
        Failed = "failed" "未通过",
    }
}

enumeration! {
    /// 三照比对
    pub enum PhotoCheck = "photoCheck" {
        Pending = "pending" "未比对",
        Same = "same" "一致",
        Different = "different" "不一致",
    }
}

enumeration! {
    /// 采集阶段
    pub enum InformationWindowPhase = "informationWindowPhase" {
        NotStarted = "not_started" "未开始",
        Open = "open" "进行中",
        Ended = "ended" "已结束",
        Closed = "closed" "已停用",
    }
}
