//! 学信网 (CHSI), the national register: which students a school sends there, and what comes back (part 02 §9.9, §14.2).
//!
//! ```text
//! pending_registration ─→ the file (exported) ─→ the answer: registered │ rejected, with why │ place kept │ struck off
//! ```
//! Invariants: nothing is cut to fit the file, and who differs from what the authority admitted is not in it; what the answer does
//! to a student is written by `student_status`, to a registration by `registration`.
//!
//! Start reading at `line.rs`: what a line of the file is, and why somebody has none.

pub mod export;
mod line;
pub mod result_sheet;

use futures_util::future::BoxFuture;
use infra::{
    App, Module, Part, Result, permissions,
    setting::{
        Setting, Settings,
        kind::{Field, Kind},
    },
    transfer::import_job,
};
use poem_openapi::{OpenApi, Tags};
use sqlx::PgConnection;

#[derive(Tags)]
enum Tag {
    /// chsi
    #[oai(rename = "chsi")]
    Chsi,
}

permissions! {
    pages "/schoolPC/studentStatus/studentRoll/BeRegistered";
    InSchool Writes ExportToChsi    = "adult:pc:studentRoll:export" "导出学籍";
    InSchool Writes ImportOfChsi    = "adult:pc:studentRoll:audit" "标记已注册";
    InSchool Reads  FetchChsiSheet  = "adult:pc:studentRoll:audit" "标记已注册";
}

/// Whether who is sent must have an approved 承诺书 (01 §13).
const COMMITMENT_REQUIRED: Setting =
    Setting::yes_no("commitmentRequiredForRegister", "注册须承诺书通过", true, "导出学信网文件前须有审核通过的承诺书");

/// Whether 学号 longer than 学信网 takes stay at home (01 §13).
const NUMBER_CHECK: Setting =
    Setting::yes_no("chsiStudentNoCheck", "检查学号长度", true, "超过15位的学号不进入学信网文件");

const fn words(default: &'static str) -> Kind {
    Kind::Text { default, max: 20, pattern: None, hint: "" }
}

/// How 学信网 calls the levels (01 §13).
const LEVEL_NAMES: Setting = Setting::object(
    "chsiLevelMap",
    "学信网层次名称",
    &[
        Field::new("high_school_to_associate", "高起专", words("专科")),
        Field::new("associate_to_bachelor", "专升本", words("专升本")),
        Field::new("high_school_to_bachelor", "高起本", words("本科")),
    ],
    None,
    "学信网文件的 CC 列",
);

/// The number that the ministry gave the school; the file is named by it (01 §13). Once students are known by it, another is
/// confirmed (02 §11.4).
const NATIONAL_CODE: Setting = Setting {
    doubt: Some(known_by_the_former),
    ..Setting::new(
        "nationalCode",
        "院校代码",
        Kind::Text { default: "", max: 5, pattern: Some("^[0-9]{5}$"), hint: "应为5位数字" },
        "用于证书和学信网文件；未填时取5位数字的院校代码",
    )
};

/// The number by which certificates and files for 学信网 begin, of the school whose data the connection means: what 学校信息 says, else
/// the school's own code.
///
/// # Errors
/// Those of the database.
pub async fn national_code(app: &App, connection: &mut PgConnection) -> Result<String> {
    let told = NATIONAL_CODE.set(connection).await?;
    if let Some(code) = told.as_str().filter(|code| !code.is_empty()) {
        return Ok(code.to_owned());
    }
    let schema = sqlx::query_scalar!(r#"select current_schema()::text as "schema!""#).fetch_one(connection).await?;
    let code = sqlx::query_scalar!("select code from platform.school where schema_name = $1", schema)
        .fetch_optional(&mut *app.platform_read().await?)
        .await?;
    Ok(code.unwrap_or_default())
}

/// Whether 学信网 has students of the school: exported ones, and those that are registered there, also before this system.
fn known_by_the_former(connection: &mut PgConnection) -> BoxFuture<'_, Result<Option<&'static str>>> {
    Box::pin(async move {
        let any = sqlx::query_scalar!(
            r#"select exists (select from student where register_result in ('exported', 'accepted', 'rejected')) as "any!""#
        )
        .fetch_one(connection)
        .await?;
        Ok(any.then_some("学信网已有本校学生数据，修改院校代码将使前后文件不一致，确认后再保存"))
    })
}

const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[export::ChsiFormat::ENUMERATION, result_sheet::ChsiAnswer::ENUMERATION],
    jobs: &[export::JOB, import_job::<result_sheet::ResultSheet>()],
    settings: &[
        Settings { group: "school_info", settings: &[NATIONAL_CODE] },
        Settings { group: "recruitment", settings: &[COMMITMENT_REQUIRED, NUMBER_CHECK, LEVEL_NAMES] },
    ],
    ..Part::NONE
};

pub const MODULE: Module = Module { name: "chsi", parts: &[PART] };

pub fn api() -> impl OpenApi {
    (export::ChsiExport, result_sheet::ChsiResults)
}
