//! 处分 of students: what keeps from graduating, and from a degree (part 04 §9.1).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, OnConstraint, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
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
    enums::{DisciplineStatus, DisciplineType},
    person::{self, Named},
};

permissions! {
    pages "/schoolPC/graduate/graduatingStudents/studentList";
    InSchool Reads       ListDisciplines      = "adult:pc:discipline:list" "处分列表";
    InSchool Reads       ViewDiscipline       = "adult:pc:discipline:view" "查看处分";
    InSchool Writes      SaveDiscipline       = "adult:pc:discipline:save" "新增处分";
    InSchool Writes      EditDiscipline       = "adult:pc:discipline:edit" "编辑处分";
    InSchool Writes      DeleteDiscipline     = "adult:pc:discipline:delete" "删除处分";
    InSchool Writes      DeleteDisciplines    = "adult:pc:discipline:batchDel" "批量删除处分";
    InSchool Writes      ReleaseDiscipline    = "adult:pc:discipline:release" "解除处分";
    InSchool ReadsLogged ExportDisciplines    = "adult:pc:discipline:export" "导出处分";
    InSchool Writes      ImportDisciplines    = "adult:pc:discipline:import" "导入处分";
    InSchool Reads       FetchDisciplineSheet = "adult:pc:discipline:import" "导入处分";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "student_discipline", name: "处分", counted: "条处分" }],
    jobs: &[export_job::<Disciplines>(), import_job::<ByRow<DisciplineSheet>>()],
    histories: &[History {
        table: "student_discipline",
        code: "adult:pc:discipline:view",
        scope: Some((
            "(select y.site_id from student y where y.id = student_discipline.student_id)",
            Some("(select y.class_id from student y where y.id = student_discipline.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// What a clerk types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DisciplineForm {
    /// 学生
    pub student_id: i64,
    /// 处分类型
    #[oai(rename = "type")]
    pub kind: DisciplineType,
    /// 文号
    #[oai(validator(min_length = 1, max_length = 60))]
    pub document_no: String,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 处分日期
    pub decided_on: NaiveDate,
    /// 到期日期
    pub expires_on: Option<NaiveDate>,
    /// 违规记录
    /// 由考试违规引起时
    pub violation_id: Option<i64>,
}

impl Example for DisciplineForm {
    fn example() -> Self {
        Self {
            student_id: 1,
            kind: DisciplineType::Warning,
            document_no: "校学〔2026〕12号".to_owned(),
            reason: "考试违纪".to_owned(),
            decided_on: NaiveDate::from_ymd_opt(2026, 7, 1).unwrap_or_default(),
            expires_on: None,
            violation_id: None,
        }
    }
}

/// A punishment that ends.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DisciplineRelease {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 解除日期
    pub released_on: NaiveDate,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for DisciplineRelease {
    fn example() -> Self {
        let released_on = NaiveDate::from_ymd_opt(2027, 7, 1).unwrap_or_default();
        Self { id: 1, version: 1, released_on, reason: "期满解除".to_owned() }
    }
}

/// A punishment, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentDiscipline {
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
    /// 处分类型
    #[oai(rename = "type")]
    pub kind: DisciplineType,
    /// 文号
    pub document_no: String,
    /// 原因
    pub reason: String,
    /// 处分日期
    pub decided_on: NaiveDate,
    /// 到期日期
    pub expires_on: Option<NaiveDate>,
    /// 解除日期
    pub released_on: Option<NaiveDate>,
    /// 解除原因
    pub release_reason: Option<String>,
    /// 违规记录
    pub violation_id: Option<i64>,
    /// 状态
    pub status: DisciplineStatus,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DisciplineFilter {
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 学生
    pub student_id: Option<i64>,
    /// 处分类型
    #[oai(rename = "type")]
    pub kind: Option<DisciplineType>,
    /// 状态
    pub status: Option<DisciplineStatus>,
    /// 站点
    pub site_id: Option<i64>,
    /// 处分日期起
    pub decided_from: Option<NaiveDate>,
    /// 处分日期止
    pub decided_to: Option<NaiveDate>,
}

pub struct Disciplines;

#[OpenApi(prefix_path = "/adult/pc/discipline", tag = "crate::Tag::Graduation")]
impl Disciplines {
    /// 处分列表
    #[oai(path = "/list", method = "post", operation_id = "listDisciplines")]
    async fn list(
        &self,
        caller: Allowed<ListDisciplines>,
        Body(asked): Body<Paged<DisciplineFilter>>,
    ) -> Result<Reply<Page<StudentDiscipline>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看处分
    #[oai(path = "/view", method = "get", operation_id = "viewDiscipline")]
    async fn view(
        &self,
        caller: Allowed<ViewDiscipline>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<StudentDiscipline>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增处分
    #[oai(path = "/save", method = "post", operation_id = "saveDiscipline")]
    async fn save(&self, caller: Allowed<SaveDiscipline>, Body(form): Body<DisciplineForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let change = insert(&mut tx, form, &caller.scope()).await?;
        let id = change.id();
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑处分
    #[oai(path = "/edit", method = "put", operation_id = "editDiscipline")]
    async fn edit(
        &self,
        caller: Allowed<EditDiscipline>,
        Body(edit): Body<Edit<DisciplineForm>>,
    ) -> Result<Reply<Saved>> {
        let Edit { id, version, form } = edit;
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, id, &caller.scope()).await?;
        if before.student_id != form.student_id {
            return Err(Error::field("studentId", "不能改为其他学生，请新增"));
        }
        if before.status != DisciplineStatus::Effective {
            return Err(Error::conflict(format!("处分{}，不能编辑", before.status.zh())));
        }
        // What a violation made stays with it, so that it is neither deleted nor kept when the violation is revoked.
        if before.violation_id.is_some() && before.violation_id != form.violation_id {
            return Err(Error::field("violationId", "该处分由考试违规引起，不能改为其他违规"));
        }
        check(&mut tx, &form, &caller.scope()).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update student_discipline set type = $3, document_no = $4, reason = $5, decided_on = $6, expires_on = $7,
                    violation_id = $8, updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
            id,
            version,
            form.kind.as_str(),
            form.document_no,
            form.reason,
            form.decided_on,
            form.expires_on,
            form.violation_id,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(explain)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("student_discipline", id).await);
        }
        let after = Self::find(&mut tx, id, &caller.scope()).await?;
        tx.commit(Change::edited("student_discipline", id, &before, &after)).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除处分
    #[oai(path = "/delete", method = "delete", operation_id = "deleteDiscipline")]
    async fn delete(
        &self,
        caller: Allowed<DeleteDiscipline>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除处分
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteDisciplines")]
    async fn delete_many(&self, caller: Allowed<DeleteDisciplines>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "student_discipline", "document_no");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 解除处分
    #[oai(path = "/release", method = "put", operation_id = "releaseDiscipline")]
    async fn release(
        &self,
        caller: Allowed<ReleaseDiscipline>,
        Body(wanted): Body<DisciplineRelease>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, wanted.id, &caller.scope()).await?;
        if before.status != DisciplineStatus::Effective {
            return Err(Error::conflict(format!("处分{}，不能解除", before.status.zh())));
        }
        if wanted.released_on < before.decided_on || wanted.released_on > tx.app().clock().today() {
            return Err(Error::field("releasedOn", format!("解除日期应在{}至今天之间", before.decided_on)));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update student_discipline set status = 'released', released_on = $3, release_reason = $4, updated_at = now(),
                    updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            wanted.id,
            wanted.version,
            wanted.released_on,
            wanted.reason,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("student_discipline", wanted.id).await);
        }
        let change = Change::status("student_discipline", wanted.id, "status", "effective", "released");
        tx.commit(change.because(Some(&wanted.reason))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出处分
    #[oai(path = "/export", method = "post", operation_id = "exportDisciplines")]
    async fn export(
        &self,
        caller: Allowed<ExportDisciplines>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DisciplineFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 处分导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchDisciplineImportTemplate")]
    async fn template(&self, caller: Allowed<FetchDisciplineSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<DisciplineSheet>, _>(&caller).await
    }

    /// 导入处分
    #[oai(path = "/import", method = "post", operation_id = "importDisciplines")]
    async fn import(&self, caller: Allowed<ImportDisciplines>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<DisciplineSheet>>(&caller, form).await
    }
}

async fn held(tx: &mut Tx, id: i64, scope: &Scope) -> Result<StudentDiscipline> {
    tx.lock("student_discipline", id).await?;
    Disciplines::find(tx, id, scope).await
}

/// # Errors
/// 422 by field.
async fn check(tx: &mut Tx, form: &DisciplineForm, scope: &Scope) -> Result<()> {
    person::seen(tx, "studentId", form.student_id, scope).await?;
    if form.decided_on > tx.app().clock().today() {
        return Err(Error::field("decidedOn", "处分日期不能晚于今天"));
    }
    if form.expires_on.is_some_and(|on| on < form.decided_on) {
        return Err(Error::field("expiresOn", "到期日期不能早于处分日期"));
    }
    if let Some(violation) = form.violation_id {
        let theirs = sqlx::query_scalar!(
            r#"select exists (select from exam_violation v join exam_candidate c on c.id = v.candidate_id
                              where v.id = $1 and c.student_id = $2 and v.status = 'confirmed') as "theirs!""#,
            violation,
            form.student_id
        )
        .fetch_one(&mut **tx)
        .await?;
        if !theirs {
            return Err(Error::field("violationId", "该生没有这条已认定的违规"));
        }
    }
    Ok(())
}

async fn insert(tx: &mut Tx, form: DisciplineForm, scope: &Scope) -> Result<Change> {
    check(tx, &form, scope).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into student_discipline (student_id, type, document_no, reason, decided_on, expires_on, violation_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.student_id,
        form.kind.as_str(),
        form.document_no,
        form.reason,
        form.decided_on,
        form.expires_on,
        form.violation_id,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(Change::created("student_discipline", id, &form))
}

fn explain(constraint: &str) -> Option<Error> {
    (constraint == "student_discipline_no_taken").then(|| Error::field("documentNo", "该生已有此文号的处分"))
}

/// # Errors
/// 404 outside the scope; 409 for what a violation made.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = held(tx, id, scope).await?;
    if before.violation_id.is_some() {
        return Err(Error::conflict("该处分由考试违规引起，不能删除，可以解除"));
    }
    tx.remove("student_discipline", id, &before.document_no).await?;
    Ok(Change::deleted("student_discipline", id, &before))
}

impl Keyed for Disciplines {
    type Filter = DisciplineFilter;
    type Row = StudentDiscipline;

    fn id(row: &StudentDiscipline) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &DisciplineFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select d.id, d.created_at, count(*) over () as "total!"
               from student_discipline d join student y on y.id = d.student_id
               where ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::text is null or y.id_card_no = $3) and ($14::text is null or y.phone = $14)
                 and ($15::text is null or y.student_no like $15 or y.examinee_no like $15
                      or ($15 !~ '[0-9]' and y.initials like lower(rtrim($15, '%')) || '%'))
                 and ($16::text[] is null or y.name_grams @> $16)
                 and ($4::bigint is null or d.student_id = $4)
                 and ($5::text is null or d.type = $5)
                 and ($6::text is null or d.status = $6)
                 and ($7::bigint is null or y.site_id = $7)
                 and ($8::date is null or d.decided_on >= $8) and ($9::date is null or d.decided_on <= $9)
                 and ($10::bigint is null or d.id = $10) and ($11::timestamptz is null or d.created_at <= $11)
               order by case when $11::timestamptz is null then d.decided_on end desc, d.created_at desc, d.id
               limit $12 offset $13"#,
            scope.sites(),
            scope.classes(),
            keyword.id_card_no.as_deref(),
            filter.student_id,
            filter.kind.map(DisciplineType::as_str),
            filter.status.map(DisciplineStatus::as_str),
            filter.site_id,
            filter.decided_from,
            filter.decided_to,
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

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<StudentDiscipline>> {
        sqlx::query_as!(
            StudentDiscipline,
            r#"select d.id as "id!", d.student_id as "student_id!", y.student_no as "student_no?", y.name as "name!",
                      c.name as "class_name?", s.name as "site_name!", d.type as "kind!: _", d.document_no as "document_no!",
                      d.reason as "reason!", d.decided_on as "decided_on!", d.expires_on as "expires_on?",
                      d.released_on as "released_on?", d.release_reason as "release_reason?", d.violation_id as "violation_id?",
                      d.status as "status!: _", d.version as "version!"
               from student_discipline d
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

impl Export for Disciplines {
    type Filter = DisciplineFilter;
    type Row = StudentDiscipline;
    const KIND: &'static str = "student_discipline.export";
    type Permission = ExportDisciplines;
    const TITLE: &'static str = "处分";
    const COLUMNS: &'static [Column<StudentDiscipline>] = &[
        Column { heading: "学号", width: 16, cell: |row| Cell::text(row.student_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.clone()) },
        Column { heading: "教学站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "类型", width: 12, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "文号", width: 24, cell: |row| Cell::Text(row.document_no.clone()) },
        Column { heading: "原因", width: 40, cell: |row| Cell::Text(row.reason.clone()) },
        Column { heading: "处分日期", width: 12, cell: |row| Cell::date(Some(row.decided_on)) },
        Column { heading: "到期日期", width: 12, cell: |row| Cell::date(row.expires_on) },
        Column { heading: "解除日期", width: 12, cell: |row| Cell::date(row.released_on) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DisciplineFilter,
        scope: &Scope,
    ) -> Result<RowStream<'c, StudentDiscipline>> {
        Self::all(connection, filter, scope).await
    }
}

const NUMBER: &str = "学号";

/// An import of punishments, with the students whom its rows name.
pub(crate) struct DisciplineSheet {
    scope: Scope,
    known: HashMap<String, Named>,
}

impl RowImport for DisciplineSheet {
    type Form = DisciplineForm;
    const KIND: &'static str = "student_discipline.import";
    type Permission = ImportDisciplines;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("studentId", NUMBER),
        ("type", "类型"),
        ("documentNo", "文号"),
        ("reason", "原因"),
        ("decidedOn", "处分日期"),
        ("expiresOn", "到期日期"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    fn template() -> Template {
        Template {
            title: "处分",
            columns: vec![
                InputColumn::required(NUMBER, ""),
                InputColumn::required("类型", "").one_of(DisciplineType::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::required("文号", "同一学生不重复"),
                InputColumn::required("原因", "2至500个字符"),
                InputColumn::required("处分日期", "例如 2026-07-01"),
                InputColumn::optional("到期日期", ""),
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
            "studentId": person::of_row(row, (NUMBER, None), &self.known, &self.scope),
            "type": row.one_of("类型", DisciplineType::CHOICES).map(DisciplineType::as_str),
            "documentNo": row.text("文号"),
            "reason": row.text("原因"),
            "decidedOn": row.date("处分日期"),
            "expiresOn": row.date("到期日期"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: DisciplineForm) -> Result<Change> {
        insert(tx, form, &self.scope).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let no = sqlx::query_scalar!("select document_no from student_discipline where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(no.unwrap_or_default())
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id, scope).await.map(Some)
    }
}
