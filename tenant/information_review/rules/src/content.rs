//! What is filled in, as it is stored (02 §11.1). Files lie beside it.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use poem_openapi::Object;
use serde_json::Value;
use student_status_rules::enums::PreEduLevel;

use crate::enums::{DiplomaEvidence, InformationItem};

/// An item as it was answered, with what the register said then.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct CheckedItem {
    /// 核对项
    pub key: InformationItem,
    /// 登记的信息
    pub registered: Option<String>,
    /// 无误
    pub ok: bool,
    /// 应为
    pub declared: Option<String>,
}

/// A line of a résumé.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct ResumeLine {
    /// 起始年月
    /// 例如 2019-09
    #[oai(validator(pattern = r"^\d{4}-(0[1-9]|1[0-2])$"))]
    pub from: String,
    /// 截止年月
    /// 不填为至今
    #[oai(validator(pattern = r"^\d{4}-(0[1-9]|1[0-2])$"))]
    pub to: Option<String>,
    /// 学校或单位
    #[oai(validator(min_length = 1, max_length = 60))]
    pub unit: String,
    /// 职务
    #[oai(validator(max_length = 30))]
    pub duty: Option<String>,
    /// 证明人
    #[oai(validator(max_length = 30))]
    pub witness: Option<String>,
}

/// Somebody of the family.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct FamilyLine {
    /// 关系
    #[oai(validator(min_length = 1, max_length = 20))]
    pub relation: String,
    /// 姓名
    #[oai(validator(min_length = 1, max_length = 30))]
    pub name: String,
    /// 工作单位
    #[oai(validator(max_length = 60))]
    pub unit: Option<String>,
    /// 职务
    #[oai(validator(max_length = 30))]
    pub duty: Option<String>,
}

/// 学籍注册信息核对, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionInformationContent {
    /// 核对项
    #[oai(default)]
    pub items: Vec<CheckedItem>,
    /// 手机
    pub phone: Option<String>,
    /// 邮箱
    pub email: Option<String>,
    /// 通讯地址
    pub address: Option<String>,
    /// 邮编
    pub postal_code: Option<String>,
    /// 工作单位
    pub work_unit: Option<String>,
    /// 职业
    pub occupation: Option<String>,
    /// 籍贯
    pub native_place: Option<String>,
    /// 紧急联系人
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    pub emergency_phone: Option<String>,
    /// 简历
    #[oai(default)]
    pub resume: Vec<ResumeLine>,
    /// 自定义字段
    #[oai(default)]
    pub extra: BTreeMap<String, Value>,
}

/// 入学资格审查, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionCommitmentContent {
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 毕业院校
    pub pre_edu_school: Option<String>,
    /// 所学专业
    pub pre_edu_major: Option<String>,
    /// 毕业证书号
    pub pre_edu_certificate_no: Option<String>,
    /// 毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 证明方式
    pub evidence_kind: Option<DiplomaEvidence>,
    /// 在线验证码
    pub verify_code: Option<String>,
    /// 报告编号
    pub report_no: Option<String>,
}

/// 毕业登记, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GraduationInformationContent {
    /// 核对项
    #[oai(default)]
    pub items: Vec<CheckedItem>,
    /// 简历
    #[oai(default)]
    pub resume: Vec<ResumeLine>,
    /// 家庭成员
    #[oai(default)]
    pub family: Vec<FamilyLine>,
    /// 自我鉴定
    pub self_assessment: Option<String>,
    /// 实习
    pub practice: Option<String>,
    /// 论文题目
    pub thesis_title: Option<String>,
    /// 奖励
    pub rewards: Option<String>,
    /// 处分
    pub punishments: Option<String>,
    /// 毕业后联系方式
    pub contact_after: Option<String>,
    /// 自定义字段
    #[oai(default)]
    pub extra: BTreeMap<String, Value>,
}
