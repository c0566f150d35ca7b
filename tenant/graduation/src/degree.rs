//! 学位: applications, what the rules say of them, the committee, the award (part 04 §10).

pub mod client;
mod select;
pub mod steps;

use certificates::settings::PRESIDENT_NAME;
use graduation_rules::{
    register::{DegreeRow, chosen, degree_row},
    settings::{DEGREE_CHAIR_NAME, DEGREE_COLUMNS, DEGREE_EXPORT_COLUMNS, DEGREE_UNIT_CODE},
};
use infra::{
    Allowed, Body, Entity, Error, History, Page, Paged, Part, Reply, Result, Saved, Scope,
    access::Permission,
    across::{KeyQuery, Keyed, Listed},
    clock::Moment,
    mask, permissions, pinyin, reply,
    sheet::Cell,
    transfer::{Attachment, whole_of},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use student_status::id_card::Gender;

use crate::{
    batch::ExportRegisterPlain,
    enums::DegreeSource,
    user::{AuditItem, items_of},
};

pub use select::{Degree, DegreeFilter};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/studentList", "/schoolPC/graduate/graduatingStudents/graduatingBatch";
    InSchool Reads       ListDegrees   = "adult:pc:degree:list" "学位申请列表";
    InSchool Reads       ViewDegree    = "adult:pc:degree:view" "查看学位申请";
    InSchool Writes      SaveDegree    = "adult:pc:degree:save" "新增学位申请";
    InSchool Writes      AuditDegrees  = "adult:pc:degree:audit" "学位审核";
    InSchool Writes      DecideDegrees = "adult:pc:degree:decide" "学位评定";
    InSchool Writes      AwardDegrees  = "adult:pc:degree:award" "授予学位";
    InSchool ReadsLogged ExportDegrees = "adult:pc:degree:export" "导出学位申请";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "degree_application", name: "学位申请", counted: "份学位申请" }],
    jobs: &[steps::JOB],
    histories: &[History {
        table: "degree_application",
        code: "adult:pc:degree:view",
        scope: Some((
            "(select y.site_id from student y where y.id = degree_application.student_id)",
            Some("(select y.class_id from student y where y.id = degree_application.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// For whom a clerk applies.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DegreeForm {
    /// 学生
    pub student_id: i64,
    /// 毕业批次
    pub batch_id: i64,
}

impl Example for DegreeForm {
    fn example() -> Self {
        Self { student_id: 1, batch_id: 1 }
    }
}

/// An application with each rule.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DegreeView {
    #[oai(flatten)]
    pub row: Degree,
    /// 评定人
    pub decided_by_name: Option<String>,
    /// 评定时间
    pub decided_at: Option<Moment>,
    /// 审核明细
    pub items: Vec<AuditItem>,
}

pub struct Degrees;

#[OpenApi(prefix_path = "/adult/pc/degree", tag = "crate::Tag::Graduation")]
impl Degrees {
    /// 学位申请列表
    #[oai(path = "/list", method = "post", operation_id = "listDegrees")]
    async fn list(
        &self,
        caller: Allowed<ListDegrees>,
        Body(asked): Body<Paged<DegreeFilter>>,
    ) -> Result<Reply<Page<Degree>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看学位申请
    #[oai(path = "/view", method = "get", operation_id = "viewDegree")]
    async fn view(
        &self,
        caller: Allowed<ViewDegree>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<DegreeView>> {
        let mut tx = caller.read().await?;
        let row = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let more = sqlx::query!("select decided_by_name, decided_at from degree_application where id = $1", id.0)
            .fetch_one(&mut *tx)
            .await?;
        let items = items_of(caller.app(), &mut tx, None, Some(id.0)).await?;
        let (decided_by_name, decided_at) = (more.decided_by_name, more.decided_at);
        Ok(reply(DegreeView { row, decided_by_name, decided_at, items }))
    }

    /// 新增学位申请
    #[oai(path = "/save", method = "post", operation_id = "saveDegree")]
    async fn save(&self, caller: Allowed<SaveDegree>, Body(form): Body<DegreeForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        crate::person::seen(&mut tx, "studentId", form.student_id, &caller.scope()).await?;
        let change = steps::apply(&mut tx, form.student_id, form.batch_id, DegreeSource::Staff).await?;
        let id = change.id();
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 导出学位申请
    /// 学位上报文件，列按设置；证件号默认隐藏
    #[oai(path = "/export", method = "post", operation_id = "exportDegrees")]
    async fn export(
        &self,
        caller: Allowed<ExportDegrees>,
        /// 完整证件号
        /// 须有“学历注册导出完整证件号”的权限并说明用途，记入日志
        whole: Query<Option<bool>>,
        /// 用途
        /// 导出完整证件号时填写，2至200个字符
        #[oai(validator(max_length = 200))]
        reason: Query<Option<String>>,
        Body(asked): Body<Paged<DegreeFilter>>,
    ) -> Result<Attachment> {
        let plain = whole_of(caller.caller(), ExportRegisterPlain::CODE, whole.0, reason.0.as_deref())?;
        let mut tx = caller.read_long().await?;
        let keys = Self::matching(&mut tx, &asked.filter, &caller.scope(), KeyQuery::default()).await?;
        if keys.is_empty() {
            return Err(Error::new(999, "没有可导出的数据"));
        }
        let ids: Vec<i64> = keys.into_iter().map(|key| key.id).collect();
        let columns = chosen(&DEGREE_EXPORT_COLUMNS.value(&mut tx).await?, DEGREE_COLUMNS);
        let rows = rows_of(&mut tx, &ids, &plain).await?;
        drop(tx);
        let (plain, reason) = (whole.0 == Some(true), reason.0.filter(|_| whole.0 == Some(true)));
        caller.note("export", json!({ "rows": rows.len(), "file": "学位上报.xlsx", "plain": plain, "reason": reason }));
        let headings = columns.iter().map(|column| (column.clone(), 18)).collect();
        let cells = rows.iter().map(|one| degree_row(&columns, one).into_iter().map(Cell::Text).collect()).collect();
        Attachment::headed(caller.app(), "学位上报", headings, cells).await
    }
}

/// The applications as they are reported, with the whole numbers of those within `plain`.
async fn rows_of(connection: &mut PgConnection, ids: &[i64], plain: &Scope) -> Result<Vec<DegreeRow>> {
    let unit = DEGREE_UNIT_CODE.value(connection).await?.as_str().unwrap_or_default().to_owned();
    let chair = DEGREE_CHAIR_NAME.value(connection).await?.as_str().unwrap_or_default().to_owned();
    let principal = PRESIDENT_NAME.value(connection).await?.as_str().unwrap_or_default().to_owned();
    let rows = sqlx::query!(
        r#"select y.name as "name!", y.gender as "gender?: Gender", y.ethnicity as "ethnicity?", y.political_status as "political?",
                  y.birthday as "birthday?", y.id_card_type as "id_card_type!", y.id_card_no as "id_card_no!",
                  y.site_id as "site_id!", y.class_id as "class_id?",
                  m.national_code as "major_code!", m.national_name as "major_name!", m.degree as "degree?",
                  y.examinee_no as "examinee_no?", y.enrolled_on as "enrolled_on!", y.ended_on as "graduated_on?",
                  (select h.title from thesis h where h.student_id = y.id and h.status <> 'cancelled'
                   order by h.id desc limit 1) as "title?",
                  a.awarded_at as "awarded_at?", a.chair_name as "chair?", k.number as "number?"
           from degree_application a
           join student y on y.id = a.student_id
           join major m on m.id = y.major_id
           left join certificate k on k.student_id = a.student_id and k.kind = 'degree' and k.status <> 'voided'
           where a.id = any($1) order by m.national_code, y.student_no, y.id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let one = rows.into_iter().map(|row| DegreeRow {
        name_pinyin: pinyin::text_pinyin(&row.name),
        name: row.name,
        gender_code: match row.gender {
            Some(Gender::Male) => "1",
            Some(Gender::Female) => "2",
            None => "",
        }
        .to_owned(),
        ethnicity_code: row.ethnicity.unwrap_or_default(),
        political_code: row.political.unwrap_or_default(),
        birthday: row.birthday,
        id_card_type_code: if row.id_card_type == "resident_id" { "1" } else { "9" }.to_owned(),
        id_card_no: if plain.sees(Some(row.site_id), row.class_id) {
            row.id_card_no
        } else {
            mask::id_card(&row.id_card_no)
        },
        unit_code: unit.clone(),
        principal: principal.clone(),
        chair: row.chair.unwrap_or_else(|| chair.clone()),
        training_unit_code: unit.clone(),
        degree_kind_code: row.degree.unwrap_or_default(),
        major_code: row.major_code,
        certificate_major: row.major_name,
        examinee_no: row.examinee_no.unwrap_or_default(),
        enrolled_on: Some(row.enrolled_on),
        graduated_on: row.graduated_on,
        thesis_title: row.title.unwrap_or_default(),
        awarded_on: row.awarded_at.map(|at| at.date_naive()),
        certificate_no: row.number.unwrap_or_default(),
    });
    Ok(one.collect())
}
