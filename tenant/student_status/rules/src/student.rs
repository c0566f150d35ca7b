//! A student as the register has it (02 §9).

use chrono::NaiveDate;
use infra::{clock::Moment, mask};
use people::id_card::{Gender, IdCardType};
use poem_openapi::Object;

use crate::enums::{
    ExamCategory, FeeFlag, PreEduLevel, RegisterResult, StudentSource, StudentStatus, StudyForm, WithdrawReason,
};

/// A student, as stored.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Student {
    /// 编号
    pub id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 曾用名
    pub former_name: Option<String>,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 民族
    pub ethnicity: Option<String>,
    /// 政治面貌
    pub political_status: Option<String>,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
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
    /// 户口所在地
    pub hukou_place: Option<String>,
    /// 紧急联系人
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    pub emergency_phone: Option<String>,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 入学前毕业学校
    pub pre_edu_school: Option<String>,
    /// 入学前专业
    pub pre_edu_major: Option<String>,
    /// 入学前毕业证书号
    pub pre_edu_certificate_no: Option<String>,
    /// 入学前毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 年级编号
    pub grade_id: i64,
    /// 年级
    pub grade_name: String,
    /// 层次编号
    pub level_id: i64,
    /// 层次
    pub level_name: String,
    /// 专业编号
    pub major_id: i64,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    pub schooling_years: f64,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 预计毕业
    pub expected_graduation_on: NaiveDate,
    /// 最长学习期限
    pub max_study_end_on: NaiveDate,
    /// 学籍状态
    pub status: StudentStatus,
    /// 状态原因
    pub status_reason: Option<WithdrawReason>,
    /// 离校日期
    pub ended_on: Option<NaiveDate>,
    /// 休学至
    pub suspended_until: Option<NaiveDate>,
    /// 累计休学月数
    pub suspended_months: i32,
    /// 注册日期
    pub registered_on: Option<NaiveDate>,
    /// 注册结果
    pub register_result: RegisterResult,
    /// 注册说明
    pub register_message: Option<String>,
    /// 录取照片编号
    pub admission_photo_id: Option<i64>,
    /// 入学照片编号
    pub enrol_photo_id: Option<i64>,
    /// 学历照片编号
    pub graduation_photo_id: Option<i64>,
    /// 入学总分
    pub total_score: Option<f64>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 来源
    pub source: StudentSource,
    /// 欠费
    pub fee_flag: FeeFlag,
    /// 备注
    pub remark: Option<String>,
    /// 建档时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Student {
    /// As a view shows it; the whole values are opened one by one (05 E4).
    pub fn masked(mut self) -> Self {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = self.phone.as_deref().map(mask::phone);
        self.emergency_phone = self.emergency_phone.as_deref().map(mask::phone);
        self.email = self.email.as_deref().map(mask::email);
        self.address = self.address.as_deref().map(mask::address);
        self.hukou_place = self.hukou_place.as_deref().map(mask::address);
        self
    }
}
