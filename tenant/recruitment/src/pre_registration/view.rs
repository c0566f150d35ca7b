//! 预报名详情: one person, with photo and papers beside the data.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use infra::{Allowed, App, Error, Reply, Result, Scope, clock::Moment, files, mask, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::{Map, Value};
use sqlx::{PgConnection, types::Json};
use student_status::{
    enums::{ExamCategory, PreEduLevel, StudyForm},
    student::references::{Word, words},
};

use super::{
    ViewPreRegistration,
    files::Attachment,
    form::{AttachmentForm, PreRegistrationForm},
};
use crate::{
    enums::{ExamStatus, PersonSource, PreRegistrationStatus},
    id_card::{Gender, IdCardType},
};

/// A pre-registration, as stored.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistration {
    /// 编号
    pub id: i64,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 年级
    pub grade_name: String,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Gender,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 民族
    pub ethnicity: Option<String>,
    /// 政治面貌
    pub political_status: Option<String>,
    /// 手机
    pub phone: String,
    /// 手机重复
    pub phone_duplicate: bool,
    /// 邮箱
    pub email: Option<String>,
    /// 通讯地址
    pub address: Option<String>,
    /// 邮编
    pub postal_code: Option<String>,
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
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 科类
    pub exam_category: Option<ExamCategory>,
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
    /// 工作单位
    pub work_unit: Option<String>,
    /// 职业
    pub occupation: Option<String>,
    /// 户籍地
    pub hukou_place: Option<String>,
    /// 推荐人
    pub referrer: Option<String>,
    /// 照片
    pub photo: Option<String>,
    /// 材料
    pub attachments: Vec<Attachment>,
    /// 自定义字段
    pub extra: BTreeMap<String, Value>,
    /// 来源
    pub source: PersonSource,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 考试状态
    pub exam_status: ExamStatus,
    /// 网报号
    pub provincial_reg_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 在读
    pub dup_student: bool,
    /// 审核意见
    pub audit_remark: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 报名时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A paper as an address that soon expires.
#[derive(Debug, Clone, Object)]
pub struct AttachmentLink {
    /// 材料类型
    pub kind: String,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// A pre-registration as people see it: personal values masked, photo and papers as short-lived addresses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationView {
    #[oai(flatten)]
    pub pre_registration: PreRegistration,
    /// 民族名称
    pub ethnicity_name: Option<String>,
    /// 政治面貌名称
    pub political_status_name: Option<String>,
    /// 照片地址
    pub photo_url: Option<String>,
    /// 材料地址
    pub attachment_links: Vec<AttachmentLink>,
    /// 审核人
    pub auditor: Option<String>,
}

/// What stands on 报名登记表.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationPaper {
    /// 院校
    school_name: String,
    /// 打印时间
    printed_at: Moment,
    #[oai(flatten)]
    person: PreRegistrationView,
}

impl PreRegistration {
    /// As a view shows it; the whole values are opened one by one (05 E4).
    pub(super) fn masked(mut self) -> Self {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = mask::phone(&self.phone);
        self.email = self.email.as_deref().map(mask::email);
        self.address = self.address.as_deref().map(mask::address);
        self.hukou_place = self.hukou_place.as_deref().map(mask::address);
        self
    }
}

pub struct View;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl View {
    /// 查看预报名
    #[oai(path = "/view", method = "get", operation_id = "viewPreRegistration")]
    async fn view(
        &self,
        caller: Allowed<ViewPreRegistration>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PreRegistrationView>> {
        let mut tx = caller.read().await?;
        let (found, auditor) = find(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(shown(caller.app(), &mut tx, found, auditor).await?))
    }

    /// 打印报名登记表
    /// 登记表的内容，由浏览器排版打印
    #[oai(path = "/print", method = "get", operation_id = "printPreRegistration")]
    async fn print(
        &self,
        caller: Allowed<ViewPreRegistration>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RegistrationPaper>> {
        let mut tx = caller.read().await?;
        let (found, auditor) = find(&mut tx, id.0, &caller.scope()).await?;
        let person = shown(caller.app(), &mut tx, found, auditor).await?;
        let school_name = caller.school.as_ref().map(|school| school.name.clone()).unwrap_or_default();
        Ok(reply(RegistrationPaper { school_name, printed_at: caller.app().clock().now(), person }))
    }
}

/// What a view answers.
pub(crate) async fn shown(
    app: &App,
    connection: &mut PgConnection,
    found: PreRegistration,
    auditor: Option<i64>,
) -> Result<PreRegistrationView> {
    let (ethnicities, political) = words(app).await?;
    let label = |words: &[Word], value: Option<&str>| {
        words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
    };
    let files = sqlx::query!(
        r#"select f.kind as "kind!", f.file_id as "file_id!" from pre_registration_file f where f.pre_registration_id = $1
           union all select 'photo', photo_id from pre_registration where id = $1 and photo_id is not null"#,
        found.id
    )
    .fetch_all(&mut *connection)
    .await?;
    let (mut photo_url, mut attachment_links) = (None, Vec::new());
    for file in files {
        let Some((url, name)) = files::address(app, connection, file.file_id).await? else { continue };
        if file.kind == "photo" {
            photo_url = Some(url);
        } else {
            attachment_links.push(AttachmentLink { kind: file.kind, name, url });
        }
    }
    let auditor = match auditor {
        Some(id) => Some(app.account_name(id).await?),
        None => None,
    };
    Ok(PreRegistrationView {
        ethnicity_name: label(&ethnicities, found.ethnicity.as_deref()),
        political_status_name: label(&political, found.political_status.as_deref()),
        photo_url,
        attachment_links,
        auditor,
        pre_registration: found.masked(),
    })
}

/// Where a row is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Live,
    InBin,
}

/// The pre-registration of this id that is not in the bin, if the scope shows it, and who audited it.
///
/// # Errors
/// 404 when there is none, or it lies outside the scope.
pub(super) async fn find(
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
) -> Result<(PreRegistration, Option<i64>)> {
    find_in(connection, id, scope, Kept::Live).await
}

/// The same in the bin, or outside of it.
pub(crate) async fn find_in(
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
    kept: Kept,
) -> Result<(PreRegistration, Option<i64>)> {
    find_all(connection, &[id], scope, kept).await?.pop().ok_or_else(Error::not_found)
}

/// Those of these ids that are there and that the scope shows, in the order of their numbers.
pub(super) async fn find_all(
    connection: &mut PgConnection,
    ids: &[i64],
    scope: &Scope,
    kept: Kept,
) -> Result<Vec<(PreRegistration, Option<i64>)>> {
    let rows = sqlx::query!(
        r#"select p.id, p.batch_id, b.name as batch_name, g.name as grade_name, p.name, p.gender as "gender: Gender",
                  p.birthday, p.id_card_type as "id_card_type: IdCardType", p.id_card_no, p.ethnicity,
                  p.political_status, p.phone, p.phone_duplicate, p.email, p.address, p.postal_code, p.level_id,
                  l.name as level_name, p.major_id, m.name as major_name, p.study_form as "study_form: StudyForm",
                  p.site_id, t.name as site_name, p.exam_category as "exam_category: ExamCategory",
                  p.pre_edu_level as "pre_edu_level: PreEduLevel", p.pre_edu_school, p.pre_edu_major,
                  p.pre_edu_certificate_no, p.pre_edu_graduated_on, p.work_unit, p.occupation, p.hukou_place,
                  p.referrer, o.key as "photo?", p.extra, p.source as "source: PersonSource",
                  p.status as "status: PreRegistrationStatus", p.exam_status as "exam_status: ExamStatus",
                  p.provincial_reg_no, p.examinee_no, p.dup_student, p.audit_remark, p.audited_by, p.audited_at,
                  p.created_at, p.version,
                  (select coalesce(json_agg(json_build_object('kind', f.kind, 'key', a.key, 'name', a.original_name)
                                            order by f.id), '[]')
                   from pre_registration_file f join file_object a on a.id = f.file_id
                   where f.pre_registration_id = p.id) as "attachments!: Json<Vec<Attachment>>"
           from pre_registration p
           join pre_registration_batch b on b.id = p.batch_id
           join grade g on g.id = p.grade_id
           join level l on l.id = p.level_id
           join major m on m.id = p.major_id
           join site t on t.id = p.site_id
           left join file_object o on o.id = p.photo_id
           where p.id = any($1) and (p.deleted_at is not null) = $3
             and ($2::bigint[] is null or p.site_id = any($2))
           order by p.id"#,
        ids,
        scope.sites(),
        kept == Kept::InBin
    )
    .fetch_all(connection)
    .await?;
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let extra = match row.extra {
            Value::Object(values) => values,
            _ => Map::new(),
        };
        let found = PreRegistration {
            id: row.id,
            batch_id: row.batch_id,
            batch_name: row.batch_name,
            grade_name: row.grade_name,
            name: row.name,
            gender: row.gender,
            birthday: row.birthday,
            id_card_type: row.id_card_type,
            id_card_no: row.id_card_no,
            ethnicity: row.ethnicity,
            political_status: row.political_status,
            phone: row.phone,
            phone_duplicate: row.phone_duplicate,
            email: row.email,
            address: row.address,
            postal_code: row.postal_code,
            level_id: row.level_id,
            level_name: row.level_name,
            major_id: row.major_id,
            major_name: row.major_name,
            study_form: row.study_form,
            site_id: row.site_id,
            site_name: row.site_name,
            exam_category: row.exam_category,
            pre_edu_level: row.pre_edu_level,
            pre_edu_school: row.pre_edu_school,
            pre_edu_major: row.pre_edu_major,
            pre_edu_certificate_no: row.pre_edu_certificate_no,
            pre_edu_graduated_on: row.pre_edu_graduated_on,
            work_unit: row.work_unit,
            occupation: row.occupation,
            hukou_place: row.hukou_place,
            referrer: row.referrer,
            photo: row.photo,
            attachments: row.attachments.0,
            extra: extra.into_iter().collect(),
            source: row.source,
            status: row.status,
            exam_status: row.exam_status,
            provincial_reg_no: row.provincial_reg_no,
            examinee_no: row.examinee_no,
            dup_student: row.dup_student,
            audit_remark: row.audit_remark,
            audited_at: row.audited_at,
            created_at: row.created_at,
            version: row.version,
        };
        all.push((found, row.audited_by));
    }
    Ok(all)
}

/// The pre-registration as it stands; nobody else changes it until this transaction ends.
pub(super) async fn lock(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<PreRegistration> {
    sqlx::query!("select id from pre_registration where id = $1 for update", id)
        .fetch_optional(&mut *connection)
        .await?;
    Ok(find(connection, id, scope).await?.0)
}

impl From<&PreRegistration> for PreRegistrationForm {
    fn from(stored: &PreRegistration) -> Self {
        Self {
            name: stored.name.clone(),
            gender: Some(stored.gender),
            birthday: stored.birthday,
            id_card_type: stored.id_card_type,
            id_card_no: stored.id_card_no.clone(),
            ethnicity: stored.ethnicity.clone(),
            political_status: stored.political_status.clone(),
            phone: stored.phone.clone(),
            email: stored.email.clone(),
            address: stored.address.clone(),
            postal_code: stored.postal_code.clone(),
            level_id: stored.level_id,
            major_id: stored.major_id,
            site_id: stored.site_id,
            exam_category: stored.exam_category,
            pre_edu_level: stored.pre_edu_level,
            pre_edu_school: stored.pre_edu_school.clone(),
            pre_edu_major: stored.pre_edu_major.clone(),
            pre_edu_certificate_no: stored.pre_edu_certificate_no.clone(),
            pre_edu_graduated_on: stored.pre_edu_graduated_on,
            work_unit: stored.work_unit.clone(),
            occupation: stored.occupation.clone(),
            hukou_place: stored.hukou_place.clone(),
            referrer: stored.referrer.clone(),
            photo: stored.photo.clone(),
            attachments: stored
                .attachments
                .iter()
                .map(|paper| AttachmentForm { kind: paper.kind.clone(), key: paper.key.clone() })
                .collect(),
            extra: stored.extra.clone(),
        }
    }
}
