//! What is typed of a person who wants to study: the body of 新增, of 编辑, and what a sheet's row amounts to (02 §3).

use std::collections::BTreeMap;

use chrono::NaiveDate;
use poem_openapi::{Object, types::Example};
use serde_json::Value;
use student_status::enums::{ExamCategory, PreEduLevel};

use crate::id_card::{Gender, IdCardType};

/// A file that lies beside a pre-registration.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct AttachmentForm {
    /// 材料类型
    /// id_front、id_back、diploma、other，或本校文件字段的标识
    #[oai(validator(pattern = "^(id_front|id_back|diploma|other|x_[a-z0-9_]{1,30})$"))]
    pub kind: String,
    /// 文件
    #[oai(validator(max_length = 300))]
    pub key: String,
}

/// What a person, or somebody for them, fills in.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationForm {
    /// 姓名
    /// 2至40个汉字或字母，与证件一致
    #[oai(validator(max_length = 40))]
    pub name: String,
    /// 性别
    /// 居民身份证可不填，取自证件号
    pub gender: Option<Gender>,
    /// 出生日期
    /// 居民身份证可不填，取自证件号
    pub birthday: Option<NaiveDate>,
    /// 证件类型
    #[oai(default = "resident_id")]
    pub id_card_type: IdCardType,
    /// 证件号
    #[oai(validator(max_length = 40))]
    pub id_card_no: String,
    /// 民族
    #[oai(validator(max_length = 10))]
    pub ethnicity: Option<String>,
    /// 政治面貌
    #[oai(validator(max_length = 10))]
    pub political_status: Option<String>,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: String,
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 通讯地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 邮编
    /// 应为6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub postal_code: Option<String>,
    /// 层次
    pub level_id: i64,
    /// 专业
    pub major_id: i64,
    /// 站点
    pub site_id: i64,
    /// 科类
    pub exam_category: Option<ExamCategory>,
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
    /// 工作单位
    #[oai(validator(max_length = 60))]
    pub work_unit: Option<String>,
    /// 职业
    #[oai(validator(max_length = 60))]
    pub occupation: Option<String>,
    /// 户籍地
    #[oai(validator(max_length = 60))]
    pub hukou_place: Option<String>,
    /// 推荐人
    #[oai(validator(max_length = 60))]
    pub referrer: Option<String>,
    /// 照片
    #[oai(validator(max_length = 300))]
    pub photo: Option<String>,
    /// 材料
    #[oai(default, validator(max_items = 20))]
    pub attachments: Vec<AttachmentForm>,
    /// 自定义字段
    /// 本校字段的值，以字段标识为名
    #[oai(default)]
    pub extra: BTreeMap<String, Value>,
}

fn resident_id() -> IdCardType {
    IdCardType::ResidentId
}

impl Example for PreRegistrationForm {
    fn example() -> Self {
        Self {
            name: "张晓梅".to_owned(),
            gender: None,
            birthday: None,
            id_card_type: IdCardType::ResidentId,
            id_card_no: "119900200002291008".to_owned(),
            ethnicity: Some("01".to_owned()),
            political_status: Some("13".to_owned()),
            phone: "13900000001".to_owned(),
            email: None,
            address: None,
            postal_code: None,
            level_id: 1,
            major_id: 1,
            site_id: 1,
            exam_category: None,
            pre_edu_level: Some(PreEduLevel::Associate),
            pre_edu_school: None,
            pre_edu_major: None,
            pre_edu_certificate_no: None,
            pre_edu_graduated_on: None,
            work_unit: None,
            occupation: None,
            hukou_place: None,
            referrer: None,
            photo: None,
            attachments: Vec::new(),
            extra: BTreeMap::new(),
        }
    }
}

/// A new person of a batch.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationSave {
    /// 批次
    pub batch_id: i64,
    #[oai(flatten)]
    pub form: PreRegistrationForm,
}

impl Example for PreRegistrationSave {
    fn example() -> Self {
        Self { batch_id: 1, form: PreRegistrationForm::example() }
    }
}

/// The whole form again, with the version that was read. Masked values stay as they are stored.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 网报号
    /// 应为1至20位数字、字母或短横线
    /// 填写网报号或考生号后，考试状态为已网报
    #[oai(validator(pattern = "^[0-9A-Za-z-]{1,20}$"))]
    pub provincial_reg_no: Option<String>,
    /// 考生号
    /// 应为4至20位数字或大写字母
    #[oai(validator(pattern = "^[0-9A-Z]{4,20}$"))]
    pub examinee_no: Option<String>,
    #[oai(flatten)]
    pub form: PreRegistrationForm,
}

impl Example for PreRegistrationEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, provincial_reg_no: None, examinee_no: None, form: PreRegistrationForm::example() }
    }
}
