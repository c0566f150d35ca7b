//! 年级: the entry cohorts of a school (part 03 A1).

mod form;
mod foundation;
mod options;
pub mod roll_over;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Scope, Sorted, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    enumeration,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use term::Season;

use options::options;
pub use options::{KnownGrade, by_code};

pub use form::GradeForm;
use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/grade", "/platformPC/basicData/grade";
    EachSchool Reads       ListGrades        = "adult:pc:grade:list" "年级列表";
    EachSchool Reads       ViewGrade         = "adult:pc:grade:view" "查看年级";
    EachSchool Writes      SaveGrade         = "adult:pc:grade:save" "新增年级";
    EachSchool Writes      EditGrade         = "adult:pc:grade:edit" "编辑年级";
    EachSchool Writes      DeleteGrade       = "adult:pc:grade:delete" "删除年级";
    EachSchool Writes      DeleteGrades      = "adult:pc:grade:batchDel" "批量删除年级";
    EachSchool Writes      ChangeGradeStatus = "adult:pc:grade:update:status" "启用停用年级";
    EachSchool ReadsLogged ExportGrades      = "adult:pc:grade:export" "导出年级";
    EachSchool Writes      ImportGrades      = "adult:pc:grade:import" "导入年级";
    EachSchool Reads       FetchGradeSheet   = "adult:pc:grade:import" "导入年级";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[Season::ENUMERATION, GradeSort::ENUMERATION],
    entities: &[Entity { table: "grade", name: "年级", counted: "个年级" }],
    jobs: &[export_job::<Grades>(), import_job::<ByRow<Grades>>()],
    histories: &[History { table: "grade", code: "adult:pc:grade:view", scope: None }],
    options: &[Source::new("grade", |connection, asked| Box::pin(options(connection, asked)))],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// An entry cohort, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Grade {
    /// 编号
    pub id: i64,
    /// 年级编码
    pub code: String,
    /// 年级名称
    pub name: String,
    /// 入学年份
    pub entry_year: i32,
    /// 入学季
    pub entry_season: Season,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 备注
    pub remark: Option<String>,
    /// 班级数
    pub class_count: i64,
    /// 在籍人数
    pub student_count: i64,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GradeFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 入学季
    pub entry_season: Option<Season>,
    /// 启用
    pub enabled: Option<bool>,
}

enumeration! {
    /// 年级排序字段
    pub enum GradeSort = "gradeSort" {
        Code = "code" "年级编码",
        Name = "name" "年级名称",
        ClassCount = "classCount" "班级数",
        StudentCount = "studentCount" "在籍人数",
    }
}

pub struct Grades;

#[OpenApi(prefix_path = "/adult/pc/grade", tag = "crate::Tag::Calendar")]
impl Grades {
    /// 年级列表
    #[oai(path = "/list", method = "post", operation_id = "listGrades")]
    async fn list(
        &self,
        caller: Allowed<ListGrades>,
        Body(asked): Body<Sorted<GradeFilter, GradeSort>>,
    ) -> Result<Reply<SchoolPage<Grade>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看年级
    #[oai(path = "/view", method = "get", operation_id = "viewGrade")]
    async fn view(
        &self,
        caller: Allowed<ViewGrade>,
        /// 编号
        id: Query<Option<i64>>,
        /// 年级编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Grade>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "grade", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增年级
    #[oai(path = "/save", method = "post", operation_id = "saveGrade")]
    async fn save(&self, caller: Allowed<SaveGrade>, Body(form): Body<GradeForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑年级
    #[oai(path = "/edit", method = "put", operation_id = "editGrade")]
    async fn edit(&self, caller: Allowed<EditGrade>, Body(edit): Body<Edit<GradeForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除年级
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGrade")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGrade>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除年级
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteGrades")]
    async fn delete_many(&self, caller: Allowed<DeleteGrades>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "grade");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用年级
    #[oai(path = "/update/status", method = "put", operation_id = "changeGradeStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeGradeStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("grade", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出年级
    #[oai(path = "/export", method = "post", operation_id = "exportGrades")]
    async fn export(
        &self,
        caller: Allowed<ExportGrades>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<GradeFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 年级导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchGradeImportTemplate")]
    async fn template(&self, caller: Allowed<FetchGradeSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<Self>, _>(&caller).await
    }

    /// 导入年级
    #[oai(path = "/import", method = "post", operation_id = "importGrades")]
    async fn import(&self, caller: Allowed<ImportGrades>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<Self>>(&caller, form).await
    }
}

impl Keyed for Grades {
    type Filter = GradeFilter;
    type Row = Grade;

    fn id(row: &Grade) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &GradeFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select g.id, g.created_at, count(*) over () as "total!"
               from grade g
               where ($1::text is null or strpos(g.name, $1) > 0 or starts_with(g.code, upper($1)))
                 and ($2::text is null or g.entry_season = $2)
                 and ($3::boolean is null or g.enabled = $3)
                 and ($4::bigint is null or g.id = $4)
                 and ($5::timestamptz is null or g.created_at <= $5)
               order by case when $5::timestamptz is null then g.sort_no end, case when $5::timestamptz is null then g.code end,
                        g.created_at desc, g.id
               limit $6 offset $7"#,
            filter.keyword,
            filter.entry_season.map(Season::as_str),
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<Grade>> {
        sqlx::query_as!(
            Grade,
            r#"select g.id, g.code, g.name, g.entry_year, g.entry_season as "entry_season: _", g.enabled, g.sort_no, g.remark,
                      (select count(*) from class c where c.grade_id = g.id
                         and ($2::bigint[] is null or c.site_id = any($2) or c.id = any($3::bigint[]))) as "class_count!",
                      (select count(*) from student s where s.grade_id = g.id and s.active
                         and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))) as "student_count!",
                      g.version
               from grade g
               where g.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Grades::find(tx, id, &Scope::whole_school()).await?;
    tx.remove("grade", id, &before.name).await?;
    Ok(Change::deleted("grade", id, &before))
}
