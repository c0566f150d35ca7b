//! 学期: the halves of the calendar that teaching happens in (part 03 A1).
//!
//! ```text
//! open ─close→ closed ─reopen→ open        exactly one is current, once there is any
//! ```

mod current;
mod form;
mod foundation;
mod options;
pub mod roll_over;
mod sheet;
mod status;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use term::Season;

pub(crate) use current::Current;
use options::options;
pub(crate) use status::Standing;

pub use form::SemesterForm;
use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/term", "/platformPC/basicData/term";
    EachSchool Reads       ListSemesters      = "adult:pc:semester:list" "学期列表";
    EachSchool Reads       ViewSemester       = "adult:pc:semester:view" "查看学期";
    EachSchool Writes      SaveSemester       = "adult:pc:semester:save" "新增学期";
    EachSchool Writes      EditSemester       = "adult:pc:semester:edit" "编辑学期";
    EachSchool Writes      DeleteSemester     = "adult:pc:semester:delete" "删除学期";
    EachSchool Writes      DeleteSemesters    = "adult:pc:semester:batchDel" "批量删除学期";
    EachSchool ReadsLogged ExportSemesters    = "adult:pc:semester:export" "导出学期";
    EachSchool Writes      ImportSemesters    = "adult:pc:semester:import" "导入学期";
    EachSchool Reads       FetchSemesterSheet = "adult:pc:semester:import" "导入学期";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, current::PERMISSIONS, status::PERMISSIONS],
    entities: &[Entity { table: "semester", name: "学期", counted: "个学期" }],
    jobs: &[export_job::<Semesters>(), import_job::<ByRow<Semesters>>()],
    histories: &[History { table: "semester", code: "adult:pc:semester:view", scope: None }],
    options: &[Source::new("semester", |connection, asked| Box::pin(options(connection, asked)))],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// A semester, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Semester {
    /// 编号
    pub id: i64,
    /// 学期编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 年
    pub year: i32,
    /// 季
    pub season: Season,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
    /// 周数
    pub week_count: i32,
    /// 当前学期
    pub current: bool,
    /// 已关闭
    pub closed: bool,
    /// 停课日期
    pub holidays: Vec<NaiveDate>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SemesterFilter {
    /// 年份
    pub year: Option<i32>,
    /// 季
    pub season: Option<Season>,
    /// 当前学期
    pub current: Option<bool>,
    /// 已关闭
    pub closed: Option<bool>,
}

pub struct Semesters;

#[OpenApi(prefix_path = "/adult/pc/semester", tag = "crate::Tag::Calendar")]
impl Semesters {
    /// 学期列表
    #[oai(path = "/list", method = "post", operation_id = "listSemesters")]
    async fn list(
        &self,
        caller: Allowed<ListSemesters>,
        Body(asked): Body<Paged<SemesterFilter>>,
    ) -> Result<Reply<SchoolPage<Semester>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看学期
    #[oai(path = "/view", method = "get", operation_id = "viewSemester")]
    async fn view(
        &self,
        caller: Allowed<ViewSemester>,
        /// 编号
        id: Query<Option<i64>>,
        /// 学期编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Semester>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "semester", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增学期
    #[oai(path = "/save", method = "post", operation_id = "saveSemester")]
    async fn save(&self, caller: Allowed<SaveSemester>, Body(form): Body<SemesterForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑学期
    #[oai(path = "/edit", method = "put", operation_id = "editSemester")]
    async fn edit(&self, caller: Allowed<EditSemester>, Body(edit): Body<Edit<SemesterForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除学期
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSemester")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSemester>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除学期
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSemesters")]
    async fn delete_many(&self, caller: Allowed<DeleteSemesters>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "semester");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出学期
    #[oai(path = "/export", method = "post", operation_id = "exportSemesters")]
    async fn export(
        &self,
        caller: Allowed<ExportSemesters>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SemesterFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 学期导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSemesterImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSemesterSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<Self>, _>(&caller).await
    }

    /// 导入学期
    #[oai(path = "/import", method = "post", operation_id = "importSemesters")]
    async fn import(&self, caller: Allowed<ImportSemesters>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<Self>>(&caller, form).await
    }
}

impl Keyed for Semesters {
    type Filter = SemesterFilter;
    type Row = Semester;

    fn id(row: &Semester) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &SemesterFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select s.id, s.created_at, count(*) over () as "total!"
               from semester s
               where ($1::integer is null or s.year = $1)
                 and ($2::text is null or s.season = $2)
                 and ($3::boolean is null or s.current = $3)
                 and ($4::boolean is null or (s.closed_at is not null) = $4)
                 and ($5::bigint is null or s.id = $5)
                 and ($6::timestamptz is null or s.created_at <= $6)
               order by case when $6::timestamptz is null then s.code end desc, s.created_at desc, s.id
               limit $7 offset $8"#,
            filter.year,
            filter.season.map(Season::as_str),
            filter.current,
            filter.closed,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Semester>> {
        sqlx::query_as!(
            Semester,
            r#"select id, code, name, year, season as "season: _", starts_on, ends_on,
                      (ends_on - starts_on + 7) / 7 as "week_count!", current, closed_at is not null as "closed!", holidays, version
               from semester
               where id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// A current semester goes last.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Semesters::find(tx, id, &Scope::whole_school()).await?;
    let others = sqlx::query_scalar!(r#"select exists (select from semester where id <> $1) as "others!""#, id)
        .fetch_one(&mut **tx)
        .await?;
    if before.current && others {
        return Err(Error::conflict("当前学期不能删除，请先将其他学期设为当前学期"));
    }
    tx.remove("semester", id, &before.name).await?;
    Ok(Change::deleted("semester", id, &before))
}

/// Whether things of the semester may still change; marking and score entry may even then.
fn check_open(semester: &Semester) -> Result<()> {
    if semester.closed {
        return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", semester.name)));
    }
    Ok(())
}
