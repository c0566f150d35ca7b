//! 层次: from which schooling to which, and how long it takes (part 03 A1). The wire calls it arrangement.

mod form;
mod foundation;
mod options;
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
use term::{EntryLevel, NationalLevel};

pub use options::{KnownLevel, by_code, chosen};
use options::{LevelFields, options};

pub use form::LevelForm;
use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/levels", "/platformPC/basicData/levels";
    EachSchool Reads       ListLevels        = "adult:pc:arrangement:list" "层次列表";
    EachSchool Reads       ViewLevel         = "adult:pc:arrangement:view" "查看层次";
    EachSchool Writes      SaveLevel         = "adult:pc:arrangement:save" "新增层次";
    EachSchool Writes      EditLevel         = "adult:pc:arrangement:edit" "编辑层次";
    EachSchool Writes      DeleteLevel       = "adult:pc:arrangement:delete" "删除层次";
    EachSchool Writes      DeleteLevels      = "adult:pc:arrangement:batchDel" "批量删除层次";
    EachSchool Writes      ChangeLevelStatus = "adult:pc:arrangement:update:status" "启用停用层次";
    EachSchool ReadsLogged ExportLevels      = "adult:pc:arrangement:export" "导出层次";
    EachSchool Writes      ImportLevels      = "adult:pc:arrangement:import" "导入层次";
    EachSchool Reads       FetchLevelSheet   = "adult:pc:arrangement:import" "导入层次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[EntryLevel::ENUMERATION, NationalLevel::ENUMERATION, LevelSort::ENUMERATION],
    entities: &[Entity { table: "level", name: "层次", counted: "个层次" }],
    jobs: &[export_job::<Levels>(), import_job::<ByRow<Levels>>()],
    histories: &[History { table: "level", code: "adult:pc:arrangement:view", scope: None }],
    options: &[Source::new("level", |connection, asked| Box::pin(options(connection, asked))).with::<LevelFields>()],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// A level, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Level {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 起点层次
    pub entry_level: EntryLevel,
    /// 培养层次
    pub national_level: NationalLevel,
    /// 学制
    pub schooling_years: f64,
    /// 最长修业年限
    pub max_years: f64,
    /// 学期数
    pub term_count: i32,
    /// 最低总学时
    pub min_hours: i32,
    /// 每学分学时下限
    pub hours_per_credit_min: i32,
    /// 每学分学时上限
    pub hours_per_credit_max: i32,
    /// 线下教学最低比例(%)
    pub min_offline_ratio: i32,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LevelFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 起点层次
    pub entry_level: Option<EntryLevel>,
    /// 启用
    pub enabled: Option<bool>,
}

enumeration! {
    /// 层次排序字段
    pub enum LevelSort = "levelSort" {
        Code = "code" "编码",
        Name = "name" "名称",
        SchoolingYears = "schoolingYears" "学制",
    }
}

pub struct Levels;

#[OpenApi(prefix_path = "/adult/pc/arrangement", tag = "crate::Tag::Calendar")]
impl Levels {
    /// 层次列表
    #[oai(path = "/list", method = "post", operation_id = "listLevels")]
    async fn list(
        &self,
        caller: Allowed<ListLevels>,
        Body(asked): Body<Sorted<LevelFilter, LevelSort>>,
    ) -> Result<Reply<SchoolPage<Level>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看层次
    #[oai(path = "/view", method = "get", operation_id = "viewLevel")]
    async fn view(
        &self,
        caller: Allowed<ViewLevel>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Level>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "level", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增层次
    #[oai(path = "/save", method = "post", operation_id = "saveLevel")]
    async fn save(&self, caller: Allowed<SaveLevel>, Body(form): Body<LevelForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑层次
    #[oai(path = "/edit", method = "put", operation_id = "editLevel")]
    async fn edit(&self, caller: Allowed<EditLevel>, Body(edit): Body<Edit<LevelForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除层次
    #[oai(path = "/delete", method = "delete", operation_id = "deleteLevel")]
    async fn delete(
        &self,
        caller: Allowed<DeleteLevel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除层次
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteLevels")]
    async fn delete_many(&self, caller: Allowed<DeleteLevels>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "level");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用层次
    #[oai(path = "/update/status", method = "put", operation_id = "changeLevelStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeLevelStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("level", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出层次
    #[oai(path = "/export", method = "post", operation_id = "exportLevels")]
    async fn export(
        &self,
        caller: Allowed<ExportLevels>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LevelFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 层次导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchLevelImportTemplate")]
    async fn template(&self, caller: Allowed<FetchLevelSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<Self>, _>(&caller).await
    }

    /// 导入层次
    #[oai(path = "/import", method = "post", operation_id = "importLevels")]
    async fn import(&self, caller: Allowed<ImportLevels>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<Self>>(&caller, form).await
    }
}

impl Keyed for Levels {
    type Filter = LevelFilter;
    type Row = Level;

    fn id(row: &Level) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &LevelFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select l.id, l.created_at, count(*) over () as "total!"
               from level l
               where ($1::text is null or strpos(l.name, $1) > 0 or starts_with(lower(l.code), lower($1)))
                 and ($2::text is null or l.entry_level = $2)
                 and ($3::boolean is null or l.enabled = $3)
                 and ($4::bigint is null or l.id = $4)
                 and ($5::timestamptz is null or l.created_at <= $5)
               order by case when $5::timestamptz is null then l.sort_no end, case when $5::timestamptz is null then l.code end,
                        l.created_at desc, l.id
               limit $6 offset $7"#,
            filter.keyword,
            filter.entry_level.map(EntryLevel::as_str),
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Level>> {
        sqlx::query_as!(
            Level,
            r#"select id, code, name, entry_level as "entry_level: _", national_level as "national_level: _",
                      schooling_years::float8 as "schooling_years!", max_years::float8 as "max_years!",
                      (schooling_years * 2)::integer as "term_count!", min_hours, hours_per_credit_min, hours_per_credit_max,
                      min_offline_ratio, enabled, sort_no, remark, version
               from level
               where id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Levels::find(tx, id, &Scope::whole_school()).await?;
    tx.remove("level", id, &before.name).await?;
    Ok(Change::deleted("level", id, &before))
}
