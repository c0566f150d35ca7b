//! What is filled in: the forms as they come (02 §11.1). Files lie beside them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use corrections::correction::CorrectionEvidenceForm;
pub use information_review_rules::content::{
    AdmissionCommitmentContent, AdmissionInformationContent, CheckedItem, FamilyLine, GraduationInformationContent,
    ResumeLine,
};
use poem_openapi::{Object, types::Example};
use serde_json::Value;
use student_status::enums::PreEduLevel;

use crate::enums::{DiplomaEvidence, InformationItem};

/// What somebody says to one item of the register.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct ItemAnswer {
    /// 核对项
    pub key: InformationItem,
    /// 无误
    pub ok: bool,
    /// 应为
    /// 有误时填写；性别、民族、政治面貌填代码，日期填 2026-03-01 的形式
    #[oai(validator(max_length = 100))]
    pub declared: Option<String>,
}

/// A file that belongs to a form.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct InformationFileForm {
    /// 用途
    /// attachment 材料、paper 本人签字的纸质表扫描件，或院校自定义文件字段的标识
    #[oai(validator(max_length = 40))]
    pub kind: String,
    /// 文件
    #[oai(validator(max_length = 300))]
    pub key: String,
}

/// 学籍注册信息核对, filled in.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionInformationForm {
    /// 提交
    /// 不提交时只暂存
    #[oai(default)]
    pub submit: bool,
    /// 核对项
    #[oai(default, validator(max_items = 20))]
    pub items: Vec<ItemAnswer>,
    /// 手机
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: Option<String>,
    /// 邮箱
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 通讯地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 邮编
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub postal_code: Option<String>,
    /// 工作单位
    #[oai(validator(max_length = 100))]
    pub work_unit: Option<String>,
    /// 职业
    #[oai(validator(max_length = 60))]
    pub occupation: Option<String>,
    /// 籍贯
    #[oai(validator(max_length = 100))]
    pub native_place: Option<String>,
    /// 紧急联系人
    #[oai(validator(max_length = 50))]
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    #[oai(validator(pattern = "^[0-9*-]{5,20}$"))]
    pub emergency_phone: Option<String>,
    /// 入学照片
    /// 上传后的文件标识；不填时保留已有照片
    #[oai(validator(max_length = 300))]
    pub enrol_photo: Option<String>,
    /// 简历
    #[oai(default, validator(max_items = 20))]
    pub resume: Vec<ResumeLine>,
    /// 自定义字段
    #[oai(default)]
    pub extra: BTreeMap<String, Value>,
    /// 更正材料
    /// 核对项有误时随信息更正提交
    #[oai(default, validator(max_items = 20))]
    pub evidence: Vec<CorrectionEvidenceForm>,
    /// 文件
    #[oai(default, validator(max_items = 20))]
    pub files: Vec<InformationFileForm>,
    /// 签名
    /// 上传后的图片标识
    #[oai(validator(max_length = 300))]
    pub signature: Option<String>,
}

impl Example for AdmissionInformationForm {
    fn example() -> Self {
        Self { phone: Some("13800138000".to_owned()), ..Self::default() }
    }
}

/// 入学资格审查 with the 承诺书, filled in.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionCommitmentForm {
    /// 提交
    /// 不提交时只暂存
    #[oai(default)]
    pub submit: bool,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 毕业院校
    #[oai(validator(max_length = 100))]
    pub pre_edu_school: Option<String>,
    /// 所学专业
    #[oai(validator(max_length = 100))]
    pub pre_edu_major: Option<String>,
    /// 毕业证书号
    #[oai(validator(max_length = 30))]
    pub pre_edu_certificate_no: Option<String>,
    /// 毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 证明方式
    pub evidence_kind: Option<DiplomaEvidence>,
    /// 在线验证码
    #[oai(validator(max_length = 18))]
    pub verify_code: Option<String>,
    /// 报告编号
    #[oai(validator(max_length = 40))]
    pub report_no: Option<String>,
    /// 已阅读并签署承诺书
    #[oai(default)]
    pub signed: bool,
    /// 文件
    #[oai(default, validator(max_items = 20))]
    pub files: Vec<InformationFileForm>,
    /// 签名
    /// 上传后的图片标识
    #[oai(validator(max_length = 300))]
    pub signature: Option<String>,
}

impl Example for AdmissionCommitmentForm {
    fn example() -> Self {
        Self { pre_edu_level: Some(PreEduLevel::Associate), signed: true, ..Self::default() }
    }
}

/// 毕业登记, filled in.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduationInformationForm {
    /// 提交
    /// 不提交时只暂存
    #[oai(default)]
    pub submit: bool,
    /// 核对项
    #[oai(default, validator(max_items = 20))]
    pub items: Vec<ItemAnswer>,
    /// 简历
    #[oai(default, validator(max_items = 20))]
    pub resume: Vec<ResumeLine>,
    /// 家庭成员
    #[oai(default, validator(max_items = 20))]
    pub family: Vec<FamilyLine>,
    /// 自我鉴定
    /// 200至800个字符
    #[oai(validator(max_length = 800))]
    pub self_assessment: Option<String>,
    /// 实习
    #[oai(validator(max_length = 300))]
    pub practice: Option<String>,
    /// 论文题目
    #[oai(validator(max_length = 300))]
    pub thesis_title: Option<String>,
    /// 奖励
    #[oai(validator(max_length = 300))]
    pub rewards: Option<String>,
    /// 处分
    #[oai(validator(max_length = 300))]
    pub punishments: Option<String>,
    /// 毕业后联系方式
    #[oai(validator(max_length = 100))]
    pub contact_after: Option<String>,
    /// 自定义字段
    #[oai(default)]
    pub extra: BTreeMap<String, Value>,
    /// 文件
    #[oai(default, validator(max_items = 20))]
    pub files: Vec<InformationFileForm>,
    /// 签名
    /// 上传后的图片标识
    #[oai(validator(max_length = 300))]
    pub signature: Option<String>,
}

impl Example for GraduationInformationForm {
    fn example() -> Self {
        Self { thesis_title: Some("会计信息化研究".to_owned()), ..Self::default() }
    }
}
