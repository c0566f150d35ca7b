//! 学籍: a person's enrolment, from the file's opening to the end of the status (02 §9).

pub mod admission_photo;
pub mod arrival;
mod as_of;
mod change_status;
pub mod check;
pub mod chsi;
pub mod confirm;
pub mod correct;
mod edit;
pub mod enrol;
mod export;
mod fee_flag;
pub mod form;
mod history;
mod import;
mod import_numbers;
pub(crate) mod list;
pub mod number;
mod own;
mod photo;
mod photo_export;
mod print;
pub(crate) mod quota;
pub mod references;
mod removal;
mod save;
mod statistics;
pub mod transfer;
mod view;
mod warnings;

pub(crate) use self::{
    edit::{lock, whole},
    export::ExportStudents,
    import::StudentSheet,
};

use chrono::NaiveDate;
use infra::{
    Entity, Error, History, Part, Result, Scope, UnmaskedFields,
    clock::Moment,
    permissions,
    setting::Settings,
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;

use crate::{
    album::album_job,
    enums::{
        ExamCategory, FeeFlag, PreEduLevel, RegisterResult, StudentSource, StudentStatus, StudyForm, WithdrawReason,
    },
    id_card::{Gender, IdCardType},
};

permissions! {
    pages "/schoolPC/studentStatus/studentRoll/BeRegistered", "/platformPC/studentStatus/studentRoll/BeRegistered";
    EachSchool Reads       ListStudents        = "adult:pc:studentRoll:list" "学籍列表";
    EachSchool Reads       ViewStudent         = "adult:pc:studentRoll:view" "查看学籍";
    InSchool   Writes      SaveStudent         = "adult:pc:studentRoll:save" "新增学籍";
    InSchool   Writes      EditStudent         = "adult:pc:studentRoll:edit" "编辑学籍";
    InSchool   Writes      RegisterStudents    = "adult:pc:studentRoll:audit" "标记已注册";
    InSchool   Writes      ChangeStudentStatus = "adult:pc:studentRoll:changeStatus" "标记超学制";
    InSchool   Writes      ImportStudents      = "adult:pc:studentRoll:import" "导入学籍";
    InSchool   Reads       FetchStudentSheet   = "adult:pc:studentRoll:import" "导入学籍";
    EachSchool ReadsLogged DownloadStudents    = "adult:pc:studentRoll:export" "导出学籍";
    InSchool   ReadsLogged PackStudentPhotos   = "adult:pc:studentRoll:batchDownload" "导出学生照片";
    EachSchool ReadsLogged ExportPlainStudents = "adult:pc:studentRoll:exportPlain" "导出完整证件号和手机";
    EachSchool ReadsLogged ViewPlainStudent    = "adult:pc:studentRoll:viewPlain" "查看完整证件号和手机";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[change_status::MarkedStatus::ENUMERATION],
    entities: &[
        Entity { table: "student", name: "学生", counted: "名学生" },
        Entity { table: "student_status_change", name: "学籍变动", counted: "条学籍变动" },
    ],
    jobs: &[
        export_job::<ExportStudents>(),
        export_job::<as_of::AsOf>(),
        import_job::<StudentSheet>(),
        album_job::<photo::StudentAlbum>(),
        photo_export::JOB,
        job::<change_status::Register>(),
        job::<change_status::Expire>(),
        job::<number::Generate>(),
        import_job::<import_numbers::NumberSheet>(),
        import_job::<fee_flag::FeeFlagSheet>(),
    ],
    settings: &[Settings {
        group: "recruitment",
        settings: &[references::GRADUATE_DATES, references::GRADUATE_ACCOUNT_DAYS],
    }],
    plain: &[UnmaskedFields {
        entity: "student",
        table: "student",
        code: "adult:pc:studentRoll:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            ("emergencyPhone", "emergency_phone"),
            ("email", "email"),
            ("address", "address"),
            ("hukouPlace", "hukou_place"),
        ],
        scope: ("site_id", Some("class_id")),
        live: None,
        platform: None,
    }],
    histories: &[History {
        table: "student",
        code: "adult:pc:studentRoll:view",
        scope: Some(("site_id", Some("class_id"))),
    }],
    option_pages: PAGES,
    ..Part::NONE
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

/// A statement over `student s` with its names, to be read as [`Student`]s: the condition and its parameters.
macro_rules! students {
    ([$($condition:tt)+] $(, $value:expr)*) => {
        sqlx::query_as!(
            Student,
            r#"select s.id, s.student_no, s.examinee_no, s.name, s.former_name, s.gender as "gender: _", s.birthday, s.ethnicity,
                       s.political_status, s.id_card_type as "id_card_type: _", s.id_card_no, s.phone, s.email, s.address,
                       s.postal_code, s.work_unit, s.occupation, s.native_place, s.hukou_place, s.emergency_contact,
                       s.emergency_phone, s.pre_edu_level as "pre_edu_level: _", s.pre_edu_school, s.pre_edu_major,
                       s.pre_edu_certificate_no, s.pre_edu_graduated_on, s.grade_id, g.name as grade_name, s.level_id,
                       l.name as level_name, s.major_id, m.name as major_name, s.study_form as "study_form: _",
                       s.schooling_years::float8 as "schooling_years!", s.site_id, t.name as site_name, s.class_id,
                       c.name as "class_name?", s.enrolled_on, s.expected_graduation_on, s.max_study_end_on,
                       s.status as "status: _", s.status_reason as "status_reason: _", s.ended_on, s.suspended_until, s.suspended_months,
                       s.registered_on, s.register_result as "register_result: _", s.register_message, s.admission_photo_id,
                       s.enrol_photo_id, s.graduation_photo_id, s.total_score::float8 as total_score,
                       s.exam_category as "exam_category: _", s.source as "source: _", s.fee_flag as "fee_flag: _", s.remark,
                       s.created_at, s.version
                from student s
                join grade g on g.id = s.grade_id
                join level l on l.id = s.level_id
                join major m on m.id = s.major_id
                join site t on t.id = s.site_id
                left join class c on c.id = s.class_id
               "# + $($condition)+
            $(, $value)*
        )
    };
}

/// The student of this id, or of this 学号, if the scope shows it.
///
/// # Errors
/// 404 when nobody has it, or somebody outside the scope.
pub(crate) async fn find(
    connection: &mut PgConnection,
    id: Option<i64>,
    student_no: Option<&str>,
    scope: &Scope,
) -> Result<Student> {
    let found = students!(
        ["where ($1::bigint is null or s.id = $1)
            and ($2::text is null or s.student_no = $2)
            and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
          limit 1"],
        id,
        student_no,
        scope.sites(),
        scope.classes()
    );
    found.fetch_optional(connection).await?.ok_or_else(Error::not_found)
}

/// The students of these ids that the scope shows, in no order.
///
/// # Errors
/// Those of the database.
pub async fn seen_all(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> Result<Vec<Student>> {
    let found = students!(
        ["where s.id = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"],
        ids,
        scope.sites(),
        scope.classes()
    );
    Ok(found.fetch_all(connection).await?)
}

/// The operations on the register.
pub(crate) fn api() -> impl OpenApi {
    (
        list::List,
        statistics::Statistics,
        view::View,
        save::Save,
        change_status::Standing,
        number::Numbering,
        import_numbers::ImportNumbers,
        edit::Edit,
        import::Import,
        photo::PhotoImport,
        photo_export::PhotoExport,
        ExportStudents,
        history::History,
        (as_of::AsOf, print::Print, fee_flag::FeeFlags, own::Own),
    )
}
