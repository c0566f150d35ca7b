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
pub mod ending;
pub mod enrol;
mod export;
mod fee_flag;
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

use infra::{
    Entity, Error, History, Part, Result, Scope, UnmaskedFields, permissions,
    setting::Settings,
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::OpenApi;
use sqlx::PgConnection;
use student_status_rules::references::{GRADUATE_ACCOUNT_DAYS, GRADUATE_DATES};

use crate::album::album_job;

pub use student_status_rules::{form, student::Student};

pub(crate) use self::{edit::lock, export::ExportStudents, import::StudentSheet};

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
    settings: &[Settings { group: "recruitment", settings: &[GRADUATE_DATES, GRADUATE_ACCOUNT_DAYS] }],
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
