//! 录取详情: what the authority says of somebody as it is understood here, and beside it as it came.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use enrolment::batch::{EnrollmentColumn, EnrollmentField};
use infra::{Allowed, App, Error, Reply, Result, Scope, clock::Moment, files, mask, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::ParseFromJSON};
use recruitment::enums::{ExamStatus, PreRegistrationStatus};
use registration::enums::RegistrationStatus;
use sqlx::{PgConnection, types::Json};
use student_status::{
    enums::{ExamCategory, PreEduLevel, StudyForm},
    student::references::{Word, words},
};

use super::ViewAdmission;
use crate::{
    enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionStatus},
    id_card::{Gender, IdCardType},
};

/// An admission, as stored.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Admission {
    /// 编号
    pub id: i64,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 导入批编号
    pub import_id: i64,
    /// 导入文件
    pub file_name: String,
    /// 年级编号
    pub grade_id: i64,
    /// 年级
    pub grade_name: String,
    /// 考生号
    pub examinee_no: String,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Gender,
    /// 出生日期
    pub birthday: NaiveDate,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 民族
    pub ethnicity: Option<String>,
    /// 政治面貌
    pub political_status: Option<String>,
    /// 手机
    pub phone: Option<String>,
    /// 通讯地址
    pub address: Option<String>,
    /// 邮编
    pub postal_code: Option<String>,
    /// 招生专业
    pub enrollment_major_id: i64,
    /// 专业编号
    pub major_id: i64,
    /// 专业
    pub major_name: String,
    /// 层次编号
    pub level_id: i64,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    pub schooling_years: f64,
    /// 招办专业代码
    pub authority_major_code: String,
    /// 招办专业
    pub authority_major_name: Option<String>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 总分
    pub total_score: Option<f64>,
    /// 照顾分
    pub bonus_score: Option<f64>,
    /// 单科成绩
    /// 按来源列
    pub scores: BTreeMap<String, f64>,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 毕业院校
    pub pre_edu_school: Option<String>,
    /// 毕业日期
    pub pre_edu_graduated_on: Option<NaiveDate>,
    /// 参加工作日期
    pub work_started_on: Option<NaiveDate>,
    /// 录取日期
    pub admitted_on: Option<NaiveDate>,
    /// 预报名编号
    pub pre_registration_id: Option<i64>,
    /// 匹配
    pub match_status: AdmissionMatchStatus,
    /// 问题
    pub issues: Vec<AdmissionIssue>,
    /// 站点编号
    pub site_id: Option<i64>,
    /// 站点
    pub site_name: Option<String>,
    /// 状态
    pub status: AdmissionStatus,
    /// 注销原因
    pub cancel_remark: Option<String>,
    /// 审核意见
    pub audit_remark: Option<String>,
    /// 导入时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// The lead of an admission.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MatchedPreRegistration {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Gender,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: String,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 考试状态
    pub exam_status: ExamStatus,
}

/// An admission as people see it: personal values masked, what the authority sent beside what was understood of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionView {
    #[oai(flatten)]
    pub admission: Admission,
    /// 民族名称
    pub ethnicity_name: Option<String>,
    /// 政治面貌名称
    pub political_status_name: Option<String>,
    /// 原始数据
    /// 招办文件中的各列
    pub raw: BTreeMap<String, String>,
    /// 预报名
    /// 数据范围以外的预报名只显示站点
    pub pre_registration: Option<MatchedPreRegistration>,
    /// 预报名站点
    pub pre_registration_site_name: Option<String>,
    /// 照片地址
    pub photo_url: Option<String>,
    /// 报到编号
    pub registration_id: Option<i64>,
    /// 报到状态
    pub registration_status: Option<RegistrationStatus>,
    /// 审核人
    pub audited_by: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
}

pub struct View;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl View {
    /// 查看录取数据
    #[oai(path = "/view", method = "get", operation_id = "viewAdmission")]
    async fn view(
        &self,
        caller: Allowed<ViewAdmission>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<AdmissionView>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let found = find_in(&mut tx, id.0, &scope, Kept::Live).await?;
        Ok(reply(shown(caller.app(), &mut tx, found, &scope).await?))
    }
}

/// What a view answers.
///
/// # Errors
/// Those of the database.
pub(crate) async fn shown(
    app: &App,
    connection: &mut PgConnection,
    mut found: Admission,
    scope: &Scope,
) -> Result<AdmissionView> {
    let (ethnicities, political) = words(app).await?;
    let label = |words: &[Word], value: Option<&str>| {
        words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
    };
    let kept = sqlx::query!(
        r#"select a.raw as "raw: Json<BTreeMap<String, String>>", b.column_map, a.photo_id, a.audited_by, a.audited_at,
                  r.id as "registration_id?", r.status as "registration_status?: RegistrationStatus"
           from admission a
           join enrollment_batch b on b.id = a.batch_id
           left join registration r on r.admission_id = a.id and r.deleted_at is null and not r.carried_on
           where a.id = $1"#,
        found.id
    )
    .fetch_one(&mut *connection)
    .await?;
    let columns: Vec<EnrollmentColumn> = ParseFromJSON::parse_from_json(Some(kept.column_map)).unwrap_or_default();
    let raw = kept.raw.0.into_iter().map(|(column, text)| {
        let text = masked(&columns, &column, &text);
        (column, text)
    });
    let raw = raw.collect();
    let lead = sqlx::query_as!(
        MatchedPreRegistration,
        r#"select p.id, b.name as batch_name, p.name, p.gender as "gender: _", p.id_card_no, p.phone, p.examinee_no,
                  l.name as level_name, m.name as major_name, p.site_id, t.name as site_name, p.status as "status: _",
                  p.exam_status as "exam_status: _"
           from admission a
           join pre_registration p on p.id = a.pre_registration_id
           join pre_registration_batch b on b.id = p.batch_id
           join level l on l.id = p.level_id
           join major m on m.id = p.major_id
           join site t on t.id = p.site_id
           where a.id = $1"#,
        found.id
    )
    .fetch_optional(&mut *connection)
    .await?
    .map(|lead| MatchedPreRegistration {
        id_card_no: mask::id_card(&lead.id_card_no),
        phone: mask::phone(&lead.phone),
        ..lead
    });
    let site = lead.as_ref().map(|lead| lead.site_name.clone());
    // A lead beyond the scope is nothing but its site, as in the list.
    let lead = lead.filter(|lead| scope.sees(Some(lead.site_id), None));
    let photo = match kept.photo_id {
        Some(photo) => files::address(app, connection, photo).await?,
        None => None,
    };
    let audited_by = match kept.audited_by {
        Some(account) => Some(app.account_name(account).await?),
        None => None,
    };
    found.id_card_no = mask::id_card(&found.id_card_no);
    found.phone = found.phone.as_deref().map(mask::phone);
    found.address = found.address.as_deref().map(mask::address);
    Ok(AdmissionView {
        ethnicity_name: label(&ethnicities, found.ethnicity.as_deref()),
        political_status_name: label(&political, found.political_status.as_deref()),
        raw,
        pre_registration: lead,
        pre_registration_site_name: site,
        photo_url: photo.map(|(url, _)| url),
        registration_id: kept.registration_id,
        registration_status: kept.registration_status,
        audited_by,
        audited_at: kept.audited_at,
        admission: found,
    })
}

/// A source column as everybody sees it: by the field that it is, and by the shape of its value.
pub(super) fn masked(columns: &[EnrollmentColumn], column: &str, text: &str) -> String {
    let field = columns.iter().find(|entry| entry.column.eq_ignore_ascii_case(column)).map(|entry| entry.field);
    match field {
        Some(EnrollmentField::IdCardNo) => mask::id_card(text),
        Some(EnrollmentField::Phone) => mask::phone(text),
        Some(EnrollmentField::Address) => mask::address(text),
        _ => mask::shapes(text).into_owned(),
    }
}

/// Where an admission lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Live,
    InBin,
}

/// The admission of this id that lies there, if the scope shows it.
///
/// # Errors
/// 404 when there is none, or it lies outside the scope.
pub(crate) async fn find_in(connection: &mut PgConnection, id: i64, scope: &Scope, kept: Kept) -> Result<Admission> {
    let row = sqlx::query!(
        r#"select a.id, a.batch_id, b.name as batch_name, a.import_id, i.file_name, a.grade_id, g.name as grade_name,
                  a.examinee_no, a.ticket_no, a.name, a.gender as "gender: Gender", a.birthday,
                  a.id_card_type as "id_card_type: IdCardType", a.id_card_no, a.ethnicity, a.political_status, a.phone,
                  a.address, a.postal_code, a.enrollment_major_id, a.major_id, m.name as major_name, a.level_id,
                  l.name as level_name, a.study_form as "study_form: StudyForm",
                  a.schooling_years::float8 as "schooling_years!", a.authority_major_code, a.authority_major_name,
                  a.exam_category as "exam_category: ExamCategory", (a.total_score / 10.0)::float8 as total_score,
                  (a.bonus_score / 10.0)::float8 as bonus_score, a.scores as "scores: Json<BTreeMap<String, i64>>",
                  a.pre_edu_level as "pre_edu_level: PreEduLevel", a.pre_edu_school, a.pre_edu_graduated_on,
                  a.work_started_on, a.admitted_on, a.pre_registration_id,
                  a.match_status as "match_status: AdmissionMatchStatus", a.issues as "issues: Vec<AdmissionIssue>",
                  a.site_id, t.name as "site_name?", a.status as "status: AdmissionStatus", a.cancel_remark, a.audit_remark,
                  a.created_at, a.version
           from admission a
           join enrollment_batch b on b.id = a.batch_id
           join admission_import i on i.id = a.import_id
           join grade g on g.id = a.grade_id
           join level l on l.id = a.level_id
           join major m on m.id = a.major_id
           left join site t on t.id = a.site_id
           where a.id = $1 and (a.deleted_at is not null) = $3 and ($2::bigint[] is null or a.site_id = any($2))"#,
        id,
        scope.sites(),
        kept == Kept::InBin
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(Admission {
        id: row.id,
        batch_id: row.batch_id,
        batch_name: row.batch_name,
        import_id: row.import_id,
        file_name: row.file_name,
        grade_id: row.grade_id,
        grade_name: row.grade_name,
        examinee_no: row.examinee_no,
        ticket_no: row.ticket_no,
        name: row.name,
        gender: row.gender,
        birthday: row.birthday,
        id_card_type: row.id_card_type,
        id_card_no: row.id_card_no,
        ethnicity: row.ethnicity,
        political_status: row.political_status,
        phone: row.phone,
        address: row.address,
        postal_code: row.postal_code,
        enrollment_major_id: row.enrollment_major_id,
        major_id: row.major_id,
        major_name: row.major_name,
        level_id: row.level_id,
        level_name: row.level_name,
        study_form: row.study_form,
        schooling_years: row.schooling_years,
        authority_major_code: row.authority_major_code,
        authority_major_name: row.authority_major_name,
        exam_category: row.exam_category,
        total_score: row.total_score,
        bonus_score: row.bonus_score,
        scores: row.scores.0.into_iter().map(|(column, tenths)| (column, tenths as f64 / 10.0)).collect(),
        pre_edu_level: row.pre_edu_level,
        pre_edu_school: row.pre_edu_school,
        pre_edu_graduated_on: row.pre_edu_graduated_on,
        work_started_on: row.work_started_on,
        admitted_on: row.admitted_on,
        pre_registration_id: row.pre_registration_id,
        match_status: row.match_status,
        issues: row.issues,
        site_id: row.site_id,
        site_name: row.site_name,
        status: row.status,
        cancel_remark: row.cancel_remark,
        audit_remark: row.audit_remark,
        created_at: row.created_at,
        version: row.version,
    })
}
