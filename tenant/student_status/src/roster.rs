//! 班级花名册 (part 03 A4): who sits in a class, by student number, to be printed and signed. Those who count in the class are
//! on it (02 §0.2); who has ended is not.

use classes::class::ViewClass;
use infra::{
    Allowed, App, Error, Part, Reply, Result, Scope, files, mask, reply,
    setting::{Setting, Settings, kind::Kind},
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    enums::{StudentStatus, StudyForm},
    id_card::Gender,
};

pub const PART: Part = Part { settings: &[Settings { group: "school_info", settings: SETTINGS }], ..Part::NONE };

const SETTINGS: &[Setting] =
    &[PRINT_HEADER, SEAL_IMAGE, ENGLISH_NAME, COLLEGE_NAME, POSTAL_CODE, OFFICE_PHONE, OFFICE_EMAIL];

/// What stands above every printed page (01 §13).
const PRINT_HEADER: Setting = Setting {
    of_school: Some(|school| Value::String(school.name.clone())),
    ..Setting::text("printHeader", "打印页眉", 60, "未填时为院校名称")
};

/// The picture of the school's seal, a private file of the school (01 §13).
const SEAL_IMAGE: Setting = Setting::new("sealImage", "印章", Kind::File, "私有图片，只用于打印");

/// Where the school is to be reached, below the header of its papers (01 §13).
const ENGLISH_NAME: Setting = Setting::text("englishName", "英文名", 100, "印在登记表和成绩单上");
const COLLEGE_NAME: Setting = Setting::text("collegeName", "继续教育学院名称", 60, "印在登记表和成绩单上");
const POSTAL_CODE: Setting = Setting::new(
    "postalCode",
    "邮编",
    Kind::Text { default: "", max: 6, pattern: Some("^[0-9]{6}$"), hint: "应为6位数字" },
    "印在登记表和成绩单上",
);
const OFFICE_PHONE: Setting = Setting::text("officePhone", "办公电话", 30, "印在登记表和成绩单上");
const OFFICE_EMAIL: Setting = Setting::new(
    "officeEmail",
    "办公邮箱",
    Kind::Text { default: "", max: 100, pattern: Some("^[^@ ]+@[^@ ]+$"), hint: "应为邮箱地址" },
    "印在登记表和成绩单上",
);

/// A class with its students, as its sheet shows them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassRoster {
    /// 院校
    pub school_name: String,
    /// 页眉
    pub header: String,
    /// 学院信息
    pub office: Option<String>,
    /// 印章地址
    pub seal_url: Option<String>,
    /// 班级编码
    pub code: String,
    /// 班级
    pub name: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 班主任
    pub manager_name: Option<String>,
    /// 学生
    pub students: Vec<RosterLine>,
}

/// A student of the class; numbers are masked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RosterLine {
    /// 序号
    pub seq: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: Option<String>,
    /// 状态
    pub status: StudentStatus,
}

pub struct Roster;

#[OpenApi(prefix_path = "/adult/pc/class", tag = "crate::Tag::StudentStatus")]
impl Roster {
    /// 打印班级花名册
    #[oai(path = "/roster", method = "get", operation_id = "viewClassRoster")]
    async fn view(
        &self,
        caller: Allowed<ViewClass>,
        /// 班级编号
        id: Query<i64>,
    ) -> Result<Reply<ClassRoster>> {
        let mut tx = caller.read().await?;
        let school_name = caller.school.as_ref().map_or_else(String::new, |school| school.name.clone());
        let mut roster = find(&mut tx, school_name, id.0, &caller.scope()).await?;
        let Letterhead { header, office, seal_url } = letterhead(caller.app(), &mut tx).await?;
        if let Some(header) = header {
            roster.header = header;
        }
        roster.office = office;
        roster.seal_url = seal_url;
        Ok(reply(roster))
    }
}

/// What a school's printed pages have in common.
#[derive(Debug, Clone, Default)]
pub struct Letterhead {
    /// What stands above them; the school's name unless it is set.
    pub header: Option<String>,
    /// Names, post code, telephone and mail of the office, in one line; none while nothing of it is set.
    pub office: Option<String>,
    /// The short-lived address of the seal's picture.
    pub seal_url: Option<String>,
}

/// What the school of the connection prints on its pages.
///
/// # Errors
/// Those of the database.
pub async fn letterhead(app: &App, connection: &mut PgConnection) -> Result<Letterhead> {
    let set = PRINT_HEADER.set(connection).await?.as_str().filter(|header| !header.is_empty()).map(ToOwned::to_owned);
    let header = match set {
        Some(header) => Some(header),
        None => school_of(app, connection).await?,
    };
    let seal_url = match SEAL_IMAGE.set(connection).await?.as_str() {
        Some(key) => files::address_of_key(app, connection, key).await?,
        None => None,
    };
    let office = office(connection).await?;
    Ok(Letterhead { header, office, seal_url })
}

/// The name of the school of the connection; none while it is not open.
async fn school_of(app: &App, connection: &mut PgConnection) -> Result<Option<String>> {
    let schema = sqlx::query_scalar!(r#"select current_schema()::text as "schema!""#).fetch_one(connection).await?;
    let Some(id) = schema.strip_prefix("school_").and_then(|id| id.parse::<i64>().ok()) else { return Ok(None) };
    Ok(app.school(id).await?.map(|school| school.name.clone()))
}

/// What a school says of its office (01 §13, 学校信息), as papers have it below their header.
async fn office(connection: &mut PgConnection) -> Result<Option<String>> {
    let parts = [
        ("", COLLEGE_NAME),
        ("", ENGLISH_NAME),
        ("邮编：", POSTAL_CODE),
        ("电话：", OFFICE_PHONE),
        ("邮箱：", OFFICE_EMAIL),
    ];
    let keys: Vec<String> = parts.iter().map(|(_, setting)| setting.key.to_owned()).collect();
    let rows =
        sqlx::query!("select key, value from school_setting where key = any($1)", &keys).fetch_all(connection).await?;
    let set = |key: &str| rows.iter().find(|row| row.key == key).and_then(|row| row.value.as_str());
    let said: Vec<String> = parts
        .iter()
        .filter_map(|(before, setting)| {
            set(setting.key).filter(|text| !text.is_empty()).map(|text| format!("{before}{text}"))
        })
        .collect();
    Ok(if said.is_empty() { None } else { Some(said.join("　")) })
}

/// The stored picture of the school's seal, for papers that the server itself makes; none where there is none.
///
/// # Errors
/// Those of the database and of the store.
pub async fn seal_key(app: &App, connection: &mut PgConnection) -> Result<Option<String>> {
    SEAL_IMAGE.file_key(app, connection).await
}

/// # Errors
/// 404 when the class does not exist or lies outside the scope.
async fn find(connection: &mut PgConnection, school_name: String, id: i64, scope: &Scope) -> Result<ClassRoster> {
    let class = sqlx::query!(
        r#"select c.code, c.name, g.name as grade_name, l.name as level_name, m.name as major_name,
                  m.study_form as "study_form: StudyForm", t.name as site_name, w.name as "manager_name?"
           from class c
           join grade g on g.id = c.grade_id
           join level l on l.id = c.level_id
           join major m on m.id = c.major_id
           join site t on t.id = c.site_id
           left join class_manager w on w.id = c.manager_id
           where c.id = $1 and ($2::bigint[] is null or c.site_id = any($2) or c.id = any($3::bigint[]))"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(ClassRoster {
        header: school_name.clone(),
        office: None,
        seal_url: None,
        school_name,
        code: class.code,
        name: class.name,
        grade_name: class.grade_name,
        level_name: class.level_name,
        major_name: class.major_name,
        study_form: class.study_form,
        site_name: class.site_name,
        manager_name: class.manager_name,
        students: students(connection, id).await?,
    })
}

/// Who sits in a class that the caller sees, masked.
async fn students(connection: &mut PgConnection, class_id: i64) -> Result<Vec<RosterLine>> {
    let mut lines = sqlx::query_as!(
        RosterLine,
        r#"select row_number() over (order by student_no, pinyin, id) as "seq!", student_no, name, gender as "gender: _",
                  id_card_no, phone, status as "status: _"
           from student
           where class_id = $1 and active
           order by 1"#,
        class_id
    )
    .fetch_all(connection)
    .await?;
    for line in &mut lines {
        line.id_card_no = mask::id_card(&line.id_card_no);
        line.phone = line.phone.as_deref().map(mask::phone);
    }
    Ok(lines)
}
