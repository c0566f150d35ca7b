//! 学号规则: the parts of a student number, for some grades or for all others (02 §9.4).

pub(crate) mod form;
mod preview;
pub(crate) mod segment;

use infra::{
    Allowed, Body, Edit, Entity, Error, History, Part, Reply, Result, Tx, Warned, enumeration, permissions, reply,
    setting::{Setting, Settings, kind::Kind},
};
use poem_openapi::{
    Object, OpenApi,
    types::{ParseFromJSON, ToJSON},
};
use serde_json::Value;
use sqlx::PgConnection;

pub use form::StudentNoRuleForm;
use form::{insert, update};
pub use segment::{SegmentKind, StudentNoSegment, StudentNoValue};

permissions! {
    pages "/schoolPC/studentStatus/studentRoll/BeRegistered";
    InSchool    Reads  ListStudentNoRules   = "adult:pc:studentRoll:allocation" "学号规则";
    InSchool    Reads  PreviewStudentNoRule = "adult:pc:studentRoll:allocation" "学号规则";
    WholeSchool Writes SaveStudentNoRule    = "adult:pc:studentRoll:allocation" "学号规则";
}

/// When a student gets their number: as they report, or as they are registered (01 §13).
pub const STUDENT_NO_AT: Setting = Setting::new(
    "studentNoAt",
    "学号生成时机",
    Kind::Select { default: "report", options: &[("report", "报到时"), ("register", "注册时")] },
    "报到时：建档即按学号规则生成；注册时：标记已注册时生成",
);

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SegmentKind::ENUMERATION, StudentNoOrder::ENUMERATION],
    entities: &[Entity { table: "student_no_rule", name: "学号规则", counted: "条学号规则" }],
    histories: &[History { table: "student_no_rule", code: "adult:pc:studentRoll:allocation", scope: None }],
    settings: &[Settings { group: "recruitment", settings: &[STUDENT_NO_AT] }],
    ..Part::NONE
};

enumeration! {
    /// 学号顺序
    pub enum StudentNoOrder = "studentNoOrder" {
        ExamineeNo = "examinee_no" "按考生号",
        NamePinyin = "name_pinyin" "按姓名拼音",
        ReportTime = "report_time" "按报到时间",
    }
}

/// Whether numbers are given as students come into the register.
///
/// # Errors
/// Those of the database.
pub async fn given_at_report(connection: &mut PgConnection) -> Result<bool> {
    Ok(STUDENT_NO_AT.value(connection).await? == "report")
}

/// Whether the school makes its numbers by rules at all.
///
/// # Errors
/// Those of the database.
pub async fn is_in_use(connection: &mut PgConnection) -> Result<bool> {
    let found = sqlx::query_scalar!(r#"select exists (select from student_no_rule where enabled) as "found!""#)
        .fetch_one(connection)
        .await?;
    Ok(found)
}

/// A rule, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentNoRule {
    /// 编号
    pub id: i64,
    /// 规则名称
    pub name: String,
    /// 年级编号
    /// 空为其他所有年级
    pub grade_ids: Vec<i64>,
    /// 年级
    pub grade_names: Vec<String>,
    /// 组成
    pub segments: Vec<StudentNoSegment>,
    /// 学号顺序
    pub sort_by: StudentNoOrder,
    /// 启用
    pub enabled: bool,
    /// 学号长度
    pub length: i32,
    /// 版本
    pub version: i32,
}

pub struct StudentNoRules;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/studentNoRule", tag = "crate::Tag::StudentNumbers")]
impl StudentNoRules {
    /// 学号规则列表
    #[oai(path = "/list", method = "get", operation_id = "listStudentNoRules")]
    async fn list(&self, caller: Allowed<ListStudentNoRules>) -> Result<Reply<Vec<StudentNoRule>>> {
        Ok(reply(rules(&mut *caller.read().await?, None).await?))
    }

    /// 新增学号规则
    #[oai(path = "/save", method = "post", operation_id = "saveStudentNoRule")]
    async fn save(
        &self,
        caller: Allowed<SaveStudentNoRule>,
        Body(form): Body<StudentNoRuleForm>,
    ) -> Result<Reply<Warned>> {
        let school = school_code(caller.app(), caller.school_id()).await?;
        let mut tx = caller.begin().await?;
        let (saved, change) = insert(&mut tx, form, &school).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 编辑学号规则
    #[oai(path = "/edit", method = "put", operation_id = "editStudentNoRule")]
    async fn edit(
        &self,
        caller: Allowed<SaveStudentNoRule>,
        Body(edit): Body<Edit<StudentNoRuleForm>>,
    ) -> Result<Reply<Warned>> {
        let school = school_code(caller.app(), caller.school_id()).await?;
        let mut tx = caller.begin().await?;
        let (saved, change) = update(&mut tx, edit, &school).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }
}

pub(crate) fn api() -> impl OpenApi {
    (StudentNoRules, preview::Preview)
}

/// The code of the caller's school, which a segment may carry. It never changes (01 §5.1).
async fn school_code(app: &infra::App, school: Option<i64>) -> Result<String> {
    let id = school.ok_or_else(Error::not_found)?;
    Ok(app.school(id).await?.ok_or_else(Error::not_found)?.code.clone())
}

/// All rules, or one, in the order of their names.
pub(crate) async fn rules(connection: &mut PgConnection, only: Option<i64>) -> Result<Vec<StudentNoRule>> {
    let rows = sqlx::query!(
        r#"select r.id, r.name, r.segments, r.sort_by as "sort_by: StudentNoOrder", r.enabled, r.version,
                  array(select p.grade_id from student_no_rule_grade p join grade g on g.id = p.grade_id
                        where p.rule_id = r.id order by g.code) as "grade_ids!",
                  array(select g.name from student_no_rule_grade p join grade g on g.id = p.grade_id
                        where p.rule_id = r.id order by g.code) as "grade_names!"
           from student_no_rule r where ($1::bigint is null or r.id = $1) order by r.enabled desc, r.name"#,
        only
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let segments = segments_of(row.segments)?;
            Ok(StudentNoRule {
                id: row.id,
                name: row.name,
                grade_ids: row.grade_ids,
                grade_names: row.grade_names,
                length: segment::length(&segments),
                segments,
                sort_by: row.sort_by,
                enabled: row.enabled,
                version: row.version,
            })
        })
        .collect()
}

fn segments_of(stored: Value) -> Result<Vec<StudentNoSegment>> {
    Vec::parse_from_json(Some(stored)).map_err(|_| Error::internal("the segments of a rule cannot be read"))
}

/// The rule, kept from others until the transaction ends.
async fn lock(tx: &mut Tx, id: i64) -> Result<StudentNoRule> {
    tx.lock("student_no_rule", id).await?;
    rules(tx, Some(id)).await?.pop().ok_or_else(Error::not_found)
}

fn stored(segments: &Vec<StudentNoSegment>) -> Value {
    segments.to_json().unwrap_or_default()
}
