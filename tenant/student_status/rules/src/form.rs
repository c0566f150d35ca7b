//! What a registrar types of a student: the body of 新增, and what 编辑 may change of it (02 §9.7).

use chrono::NaiveDate;
use people::id_card::{Gender, IdCardType};
use poem_openapi::{Object, types::Example};

use crate::enums::{ExamCategory, PreEduLevel, StudentSource, StudentStatus, StudyForm, WithdrawReason};

/// The fields that stay free to edit: no key fields (02 §0.4).
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct FreeFields {
    /// 曾用名
    #[oai(validator(max_length = 50))]
    pub former_name: Option<String>,
    /// 政治面貌
    #[oai(validator(max_length = 10))]
    pub political_status: Option<String>,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: Option<String>,
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
    /// 工作单位
    #[oai(validator(max_length = 100))]
    pub work_unit: Option<String>,
    /// 职业
    #[oai(validator(max_length = 60))]
    pub occupation: Option<String>,
    /// 籍贯
    #[oai(validator(max_length = 100))]
    pub native_place: Option<String>,
    /// 户口所在地
    #[oai(validator(max_length = 200))]
    pub hukou_place: Option<String>,
    /// 紧急联系人
    #[oai(validator(max_length = 50))]
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    /// 手机号，或带区号的固定电话，如 027-87654321
    #[oai(validator(pattern = "^[0-9*-]{5,20}$"))]
    pub emergency_phone: Option<String>,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 入学前毕业学校
    #[oai(validator(max_length = 100))]
    pub pre_edu_school: Option<String>,
    /// 入学前专业
    #[oai(validator(max_length = 100))]
    pub pre_edu_major: Option<String>,
    /// 入学前毕业证书号
    #[oai(validator(max_length = 50))]
    pub pre_edu_certificate_no: Option<String>,
    /// 入学前毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 入学总分
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub total_score: Option<f64>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

/// A student to be entered: transfer-in and old data; everybody else comes through reporting.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentForm {
    /// 姓名
    #[oai(validator(max_length = 50))]
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 证件类型
    pub id_card_type: Option<IdCardType>,
    /// 证件号
    #[oai(validator(max_length = 40))]
    pub id_card_no: String,
    /// 民族
    #[oai(validator(max_length = 10))]
    pub ethnicity: Option<String>,
    /// 学号
    /// 应为4至20位数字或大写字母
    #[oai(validator(pattern = "^[0-9A-Z]{4,20}$"))]
    pub student_no: Option<String>,
    /// 考生号
    /// 应为4至20位数字或大写字母
    #[oai(validator(pattern = "^[0-9A-Z]{4,20}$"))]
    pub examinee_no: Option<String>,
    /// 年级
    pub grade_id: i64,
    /// 层次
    pub level_id: i64,
    /// 专业
    pub major_id: i64,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    #[oai(validator(minimum(value = "2"), maximum(value = "6"), multiple_of = 0.5))]
    pub schooling_years: f64,
    /// 站点
    pub site_id: i64,
    /// 班级
    pub class_id: Option<i64>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 学籍状态
    pub status: Option<StudentStatus>,
    /// 状态原因
    pub status_reason: Option<WithdrawReason>,
    /// 注册日期
    pub registered_on: Option<NaiveDate>,
    /// 毕业日期
    pub ended_on: Option<NaiveDate>,
    /// 来源
    pub source: Option<StudentSource>,
    #[oai(flatten)]
    pub free: FreeFields,
}

impl Example for StudentForm {
    fn example() -> Self {
        Self {
            name: "张晓梅".to_owned(),
            gender: Some(Gender::Female),
            birthday: None,
            id_card_type: Some(IdCardType::ResidentId),
            id_card_no: "119900200002291008".to_owned(),
            ethnicity: Some("01".to_owned()),
            student_no: None,
            examinee_no: Some("26420101150001".to_owned()),
            grade_id: 1,
            level_id: 1,
            major_id: 1,
            study_form: StudyForm::NonFullTime,
            schooling_years: 2.5,
            site_id: 1,
            class_id: None,
            enrolled_on: NaiveDate::from_ymd_opt(2026, 3, 1).unwrap_or_default(),
            status: Some(StudentStatus::PendingRegistration),
            status_reason: None,
            registered_on: None,
            ended_on: None,
            source: Some(StudentSource::Legacy),
            free: FreeFields {
                political_status: Some("13".to_owned()),
                phone: Some("13900000001".to_owned()),
                pre_edu_level: Some(PreEduLevel::Associate),
                ..FreeFields::default()
            },
        }
    }
}

/// The free fields again, with the version that was read. Key fields may be sent as they were read; another value is
/// refused. Site and class stay as they are when they are not sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 姓名
    pub name: Option<String>,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 民族
    pub ethnicity: Option<String>,
    /// 证件类型
    pub id_card_type: Option<IdCardType>,
    /// 证件号
    pub id_card_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 入学日期
    pub enrolled_on: Option<NaiveDate>,
    /// 学制
    pub schooling_years: Option<f64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    #[oai(flatten)]
    pub free: FreeFields,
}

impl Example for StudentEdit {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            name: None,
            gender: None,
            birthday: None,
            ethnicity: None,
            id_card_type: None,
            id_card_no: None,
            examinee_no: None,
            grade_id: None,
            level_id: None,
            major_id: None,
            study_form: None,
            enrolled_on: None,
            schooling_years: None,
            site_id: None,
            class_id: None,
            free: StudentForm::example().free,
        }
    }
}
