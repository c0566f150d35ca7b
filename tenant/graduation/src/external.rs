//! 校外考试成绩: outside examinations that degrees ask for (part 04 §9.1).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    naming::tenths,
    permissions, reply,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{
        self, Attachment, ByRow, Export, Exported, ImportAnswer, ImportForm, Imported, RowImport, Rows as RowStream,
        export_job, import_job,
    },
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::{Value, json};
use sqlx::PgConnection;
use student_status::keyword::classify;

use crate::{
    enums::ExternalExamType,
    person::{self, Named},
};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/studentList";
    InSchool Reads       ListExternalExams      = "adult:pc:external:exam:list" "校外考试成绩列表";
    InSchool Reads       ViewExternalExam       = "adult:pc:external:exam:view" "查看校外考试成绩";
    InSchool Writes      SaveExternalExam       = "adult:pc:external:exam:save" "新增校外考试成绩";
    InSchool Writes      EditExternalExam       = "adult:pc:external:exam:edit" "编辑校外考试成绩";
    InSchool Writes      DeleteExternalExam     = "adult:pc:external:exam:delete" "删除校外考试成绩";
    InSchool Writes      DeleteExternalExams    = "adult:pc:external:exam:batchDel" "批量删除校外考试成绩";
    InSchool ReadsLogged ExportExternalExams    = "adult:pc:external:exam:export" "导出校外考试成绩";
    InSchool Writes      ImportExternalExams    = "adult:pc:external:exam:import" "导入校外考试成绩";
    InSchool Reads       FetchExternalExamSheet = "adult:pc:external:exam:import" "导入校外考试成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "external_exam_score", name: "校外考试成绩", counted: "条校外考试成绩" }],
    jobs: &[export_job::<ExternalExams>(), import_job::<ByRow<ExternalExamSheet>>()],
    histories: &[History {
        table: "external_exam_score",
        code: "adult:pc:external:exam:view",
        scope: Some((
            "(select y.site_id from student y where y.id = external_exam_score.student_id)",
            Some("(select y.class_id from student y where y.id = external_exam_score.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// What a clerk types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ExternalExamForm {
    /// 学生
    pub student_id: i64,
    /// 考试类型
    #[oai(rename = "type")]
    pub kind: ExternalExamType,
    /// 成绩
    /// 最多一位小数
    #[oai(validator(minimum(value = "0"), maximum(value = "999.9")))]
    pub score: Option<f64>,
    /// 证书编号
    #[oai(validator(max_length = 60))]
    pub certificate_no: Option<String>,
    /// 考试日期
    pub exam_date: NaiveDate,
    /// 是否合格
    pub passed: bool,
}

impl Example for ExternalExamForm {
    fn example() -> Self {
        Self {
            student_id: 1,
            kind: ExternalExamType::Cet4,
            score: Some(430.0),
            certificate_no: Some("261110000123".to_owned()),
            exam_date: NaiveDate::from_ymd_opt(2026, 6, 13).unwrap_or_default(),
            passed: true,
        }
    }
}

/// An outside examination, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExternalExam {
    /// 编号
    pub id: i64,
    /// 学生
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点名称
    pub site_name: String,
    /// 考试类型
    #[oai(rename = "type")]
    pub kind: ExternalExamType,
    /// 成绩
    pub score: Option<f64>,
    /// 证书编号
    pub certificate_no: Option<String>,
    /// 考试日期
    pub exam_date: NaiveDate,
    /// 是否合格
    pub passed: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExternalExamFilter {
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 学生
    pub student_id: Option<i64>,
    /// 考试类型
    #[oai(rename = "type")]
    pub kind: Option<ExternalExamType>,
    /// 是否合格
    pub passed: Option<bool>,
    /// 站点
    pub site_id: Option<i64>,
    /// 考试日期起
    pub exam_from: Option<NaiveDate>,
    /// 考试日期止
    pub exam_to: Option<NaiveDate>,
}

pub struct ExternalExams;

#[OpenApi(prefix_path = "/adult/pc/external/exam", tag = "crate::Tag::Graduation")]
impl ExternalExams {
    /// 校外考试成绩列表
    #[oai(path = "/list", method = "post", operation_id = "listExternalExams")]
    async fn list(
        &self,
        caller: Allowed<ListExternalExams>,
        Body(asked): Body<Paged<ExternalExamFilter>>,
    ) -> Result<Reply<Page<ExternalExam>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看校外考试成绩
    #[oai(path = "/view", method = "get", operation_id = "viewExternalExam")]
    async fn view(
        &self,
        caller: Allowed<ViewExternalExam>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ExternalExam>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增校外考试成绩
    #[oai(path = "/save", method = "post", operation_id = "saveExternalExam")]
    async fn save(
        &self,
        caller: Allowed<SaveExternalExam>,
        Body(form): Body<ExternalExamForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let change = insert(&mut tx, form, &caller.scope()).await?;
        let id = change.id();
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑校外考试成绩
    #[oai(path = "/edit", method = "put", operation_id = "editExternalExam")]
    async fn edit(
        &self,
        caller: Allowed<EditExternalExam>,
        Body(edit): Body<Edit<ExternalExamForm>>,
    ) -> Result<Reply<Saved>> {
        let Edit { id, version, form } = edit;
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, id, &caller.scope()).await?;
        if before.student_id != form.student_id {
            return Err(Error::field("studentId", "不能改为其他学生，请新增"));
        }
        check(&mut tx, &form, &caller.scope()).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update external_exam_score set type = $3, score = $4::float8::numeric, certificate_no = $5, exam_date = $6, passed = $7,
                    updated_at = now(), updated_by = $8, version = version + 1
             where id = $1 and version = $2",
            id,
            version,
            form.kind.as_str(),
            form.score,
            form.certificate_no,
            form.exam_date,
            form.passed,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("external_exam_score", id).await);
        }
        let after = Self::find(&mut tx, id, &caller.scope()).await?;
        tx.commit(Change::edited("external_exam_score", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除校外考试成绩
    #[oai(path = "/delete", method = "delete", operation_id = "deleteExternalExam")]
    async fn delete(
        &self,
        caller: Allowed<DeleteExternalExam>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除校外考试成绩
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteExternalExams")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteExternalExams>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "external_exam_score", "type");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出校外考试成绩
    #[oai(path = "/export", method = "post", operation_id = "exportExternalExams")]
    async fn export(
        &self,
        caller: Allowed<ExportExternalExams>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExternalExamFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 校外考试成绩导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchExternalExamImportTemplate")]
    async fn template(&self, caller: Allowed<FetchExternalExamSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ExternalExamSheet>, _>(&caller).await
    }

    /// 导入校外考试成绩
    #[oai(path = "/import", method = "post", operation_id = "importExternalExams")]
    async fn import(&self, caller: Allowed<ImportExternalExams>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ExternalExamSheet>>(&caller, form).await
    }
}

async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<ExternalExam> {
    tx.lock("external_exam_score", id).await?;
    ExternalExams::find(tx, id, scope).await
}

/// # Errors
/// 422 by field.
async fn check(tx: &mut Tx, form: &ExternalExamForm, scope: &Scope) -> Result<()> {
    person::seen(tx, "studentId", form.student_id, scope).await?;
    if form.exam_date > tx.app().clock().today() {
        return Err(Error::field("examDate", "考试日期不能晚于今天"));
    }
    if form.score.is_some_and(|score| (score * 10.0).fract().abs() > 1e-6) {
        return Err(Error::field("score", "成绩最多一位小数"));
    }
    Ok(())
}

async fn insert(tx: &mut Tx, form: ExternalExamForm, scope: &Scope) -> Result<Change> {
    check(tx, &form, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into external_exam_score (student_id, type, score, certificate_no, exam_date, passed, created_by, updated_by)
         values ($1, $2, $3::float8::numeric, $4, $5, $6, $7, $7) returning id",
        form.student_id,
        form.kind.as_str(),
        form.score,
        form.certificate_no,
        form.exam_date,
        form.passed,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(Change::created("external_exam_score", id, &form))
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "external_exam_score_no_taken" => Some(Error::field("certificateNo", "该类型的证书编号已存在")),
        "external_exam_score_date_taken" => Some(Error::field("examDate", "该生已有同一日期同一类型的成绩")),
        _ => None,
    }
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = held(tx, id, scope).await?;
    tx.remove("external_exam_score", id, before.kind.zh()).await?;
    Ok(Change::deleted("external_exam_score", id, &before))
}

impl Keyed for ExternalExams {
    type Filter = ExternalExamFilter;
    type Row = ExternalExam;

    fn id(row: &ExternalExam) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ExternalExamFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select d.id, d.created_at, count(*) over () as "total!"
               from external_exam_score d join student y on y.id = d.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::text is null or y.id_card_no = $3) and ($14::text is null or y.phone = $14)
                 and ($15::text is null or y.student_no like $15 or y.examinee_no like $15
                      or ($15 !~ '[0-9]' and y.initials like lower(rtrim($15, '%')) || '%'))
                 and ($16::text[] is null or y.name_grams @> $16)
                 and ($4::bigint is null or d.student_id = $4)
                 and ($5::text is null or d.type = $5)
                 and ($6::boolean is null or d.passed = $6)
                 and ($7::bigint is null or y.site_id = $7)
                 and ($8::date is null or d.exam_date >= $8) and ($9::date is null or d.exam_date <= $9)
                 and ($10::bigint is null or d.id = $10) and ($11::timestamptz is null or d.created_at <= $11)
               order by case when $11::timestamptz is null then d.exam_date end desc, d.created_at desc, d.id
               limit $12 offset $13"#,
            scope.sites(),
            scope.classes(),
            keyword.id_card_no.as_deref(),
            filter.student_id,
            filter.kind.map(ExternalExamType::as_str),
            filter.passed,
            filter.site_id,
            filter.exam_from,
            filter.exam_to,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref()
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ExternalExam>> {
        sqlx::query_as!(
            ExternalExam,
            r#"select d.id as "id!", d.student_id as "student_id!", y.student_no as "student_no?", y.name as "name!",
                      c.name as "class_name?", s.name as "site_name!", d.type as "kind!: _", d.score::float8 as "score?",
                      d.certificate_no as "certificate_no?", d.exam_date as "exam_date!", d.passed as "passed!", d.version as "version!"
               from external_exam_score d
               join student y on y.id = d.student_id
               join site s on s.id = y.site_id
               left join class c on c.id = y.class_id
               where d.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for ExternalExams {
    type Filter = ExternalExamFilter;
    type Row = ExternalExam;
    const KIND: &'static str = "external_exam_score.export";
    type Permission = ExportExternalExams;
    const TITLE: &'static str = "校外考试成绩";
    const COLUMNS: &'static [Column<ExternalExam>] = &[
        Column { heading: "学号", width: 16, cell: |row| Cell::text(row.student_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.clone()) },
        Column { heading: "教学站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "类型", width: 14, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "成绩", width: 8, cell: |row| row.score.map_or(Cell::Empty, tenths) },
        Column { heading: "证书编号", width: 20, cell: |row| Cell::text(row.certificate_no.clone()) },
        Column { heading: "考试日期", width: 12, cell: |row| Cell::date(Some(row.exam_date)) },
        Column { heading: "是否合格", width: 10, cell: |row| Cell::Bool(row.passed) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExternalExamFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, ExternalExam>> {
        Self::all(connection, filter, scope).await
    }
}

const NUMBER: &str = "学号";
const NAME: &str = "姓名";

/// An import of outside examinations, with the students whom its rows name.
pub(crate) struct ExternalExamSheet {
    scope: Scope,
    known: HashMap<String, Named>,
}

impl RowImport for ExternalExamSheet {
    type Form = ExternalExamForm;
    const KIND: &'static str = "external_exam_score.import";
    type Permission = ImportExternalExams;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("studentId", NUMBER),
        ("type", "类型"),
        ("score", "成绩"),
        ("certificateNo", "证书编号"),
        ("examDate", "考试日期"),
        ("passed", "是否合格"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    fn template() -> Template {
        Template {
            title: "校外考试成绩",
            columns: vec![
                InputColumn::required(NUMBER, ""),
                InputColumn::required(NAME, "与学籍中的姓名一致"),
                InputColumn::required("类型", "").one_of(ExternalExamType::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("成绩", "最多一位小数"),
                InputColumn::optional("证书编号", "同一类型不重复"),
                InputColumn::required("考试日期", "例如 2026-06-13"),
                InputColumn::required("是否合格", "").one_of(["是", "否"]),
            ],
        }
    }

    async fn start(_tx: &mut Tx, scope: Scope) -> Result<Self> {
        Ok(Self { scope, known: HashMap::new() })
    }

    async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        self.known = person::of_rows(tx, rows, NUMBER).await?;
        Ok(())
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "studentId": person::of_row(row, (NUMBER, Some(NAME)), &self.known, &self.scope),
            "type": row.one_of("类型", ExternalExamType::CHOICES).map(ExternalExamType::as_str),
            "score": row.decimal("成绩", 1).map(|score| score as f64 / 10.0),
            "certificateNo": row.text("证书编号"),
            "examDate": row.date("考试日期"),
            "passed": row.one_of("是否合格", &[("是", true), ("否", false)]),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: ExternalExamForm) -> Result<Change> {
        insert(tx, form, &self.scope).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select y.name from external_exam_score e join student y on y.id = e.student_id where e.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
