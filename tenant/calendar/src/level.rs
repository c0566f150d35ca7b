//! 层次: from which schooling to which, and how long it takes (part 03 A1). The wire calls it arrangement.

mod choice;
mod form;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, OnConstraint, Paged,
    Paging, Part, Reply, Result, Saved, Scope, Tx,
    across::{self, Key, Listed, SchoolPage},
    clock::Moment,
    naming::resolve_id,
    options::Source,
    permissions, pinyin, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, Rows, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use term::{EntryLevel, NationalLevel};

pub use choice::{KnownLevel, by_code, chosen};
use choice::{LevelFields, options};

pub use form::LevelForm;
use form::{Complete, insert, moved, taken};

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
    enumerations: &[EntryLevel::ENUMERATION, NationalLevel::ENUMERATION],
    entities: &[Entity { table: "level", name: "层次", counted: "个层次" }],
    jobs: &[export_job::<Levels>(), import_job::<ByRow<Levels>>()],
    histories: &[History { table: "level", code: "adult:pc:arrangement:view", scope: None }],
    options: &[Source::new("level", |connection, asked| Box::pin(options(connection, asked))).with::<LevelFields>()],
    option_pages: PAGES,
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

pub struct Levels;

#[OpenApi(prefix_path = "/adult/pc/arrangement", tag = "crate::Tag::Calendar")]
impl Levels {
    /// 层次列表
    #[oai(path = "/list", method = "post", operation_id = "listLevels")]
    async fn list(
        &self,
        caller: Allowed<ListLevels>,
        Body(asked): Body<Paged<LevelFilter>>,
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
        Ok(reply(find(&mut tx, id).await?))
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
        let form = Complete::of(edit.form)?;
        let before = lock(&mut tx, edit.id).await?;
        if let Some(field) = moved(&before, &form)
            && let Some(users) = tx.referring("level", edit.id).await?
        {
            return Err(Error::conflict(format!("已有{users}使用该层次，不能修改{field}")));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update level set code = $3, name = $4, entry_level = $5, national_level = $6,
                    schooling_years = $7::float8::numeric, max_years = $8::float8::numeric, min_hours = $9,
                    hours_per_credit_min = $10, hours_per_credit_max = $11, min_offline_ratio = $12, initials = $13,
                    sort_no = $14, remark = $15, updated_at = now(), updated_by = $16, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.code,
            form.name,
            form.entry_level.as_str(),
            form.entry_level.national_level().as_str(),
            form.schooling_years,
            form.max_years,
            form.min_hours,
            form.hours_per_credit_min,
            form.hours_per_credit_max,
            form.min_offline_ratio,
            pinyin::text_initials(&form.name),
            form.sort_no,
            form.remark,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|name| taken(name, &form))?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("level", edit.id).await);
        }
        let after = find(&mut tx, edit.id).await?;
        tx.commit(Change::edited("level", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
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
        transfer::template::<ByRow<Self>>(caller.app()).await
    }

    /// 导入层次
    #[oai(path = "/import", method = "post", operation_id = "importLevels")]
    async fn import(&self, caller: Allowed<ImportLevels>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<Self>>(&caller, form).await
    }
}

impl Listed for Levels {
    type Filter = LevelFilter;
    type Row = Level;

    fn id(row: &Level) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &LevelFilter,
        _scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Level>)> {
        let total = count(connection, filter).await?;
        Ok((total, select(connection, None, filter, Some(paging)).try_collect().await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &LevelFilter,
        _scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let keys = sqlx::query_as!(
            Key,
            r#"select id, created_at, count(*) over () as "total!" from level
               where created_at <= $1
                 and ($2::text is null or strpos(name, $2) > 0 or starts_with(lower(code), lower($2)))
                 and ($3::text is null or entry_level = $3)
                 and ($4::boolean is null or enabled = $4)
               order by created_at desc, id
               limit $5"#,
            until,
            filter.keyword,
            filter.entry_level.map(EntryLevel::as_str),
            filter.enabled,
            most
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Level>> {
        Ok(select(connection, Some(ids), &LevelFilter::default(), None).try_collect().await?)
    }
}

/// A level as list, view and export show it, in the list's order.
fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    filter: &LevelFilter,
    page: Option<Paging>,
) -> Rows<'c, Level> {
    sqlx::query_as!(
        Level,
        r#"select id, code, name, entry_level as "entry_level: _", national_level as "national_level: _",
                  schooling_years::float8 as "schooling_years!", max_years::float8 as "max_years!",
                  (schooling_years * 2)::integer as "term_count!", min_hours, hours_per_credit_min, hours_per_credit_max,
                  min_offline_ratio, enabled, sort_no, remark, version
           from level
           where ($1::bigint[] is null or id = any($1))
             and ($2::text is null or strpos(name, $2) > 0 or starts_with(lower(code), lower($2)))
             and ($3::text is null or entry_level = $3)
             and ($4::boolean is null or enabled = $4)
           order by sort_no, code
           limit $5 offset $6"#,
        only,
        filter.keyword,
        filter.entry_level.map(EntryLevel::as_str),
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

async fn count(connection: &mut PgConnection, filter: &LevelFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from level
           where ($1::text is null or strpos(name, $1) > 0 or starts_with(lower(code), lower($1)))
             and ($2::text is null or entry_level = $2)
             and ($3::boolean is null or enabled = $3)"#,
        filter.keyword,
        filter.entry_level.map(EntryLevel::as_str),
        filter.enabled
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<Level> {
    let found = select(connection, Some(&[id]), &LevelFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// Nobody begins to refer to the level while it is edited.
async fn lock(tx: &mut Tx, id: i64) -> Result<Level> {
    sqlx::query!("select id from level where id = $1 for update", id).fetch_optional(&mut **tx).await?;
    find(tx, id).await
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("level", id, &before.name).await?;
    Ok(Change::deleted("level", id, &before))
}
