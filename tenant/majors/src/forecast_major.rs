//! 拟招生专业: what a school means to recruit for in a year, and what became of it at the ministry (part 03 A3).
//!
//! ```text
//! draft ─submit→ submitted ─audit→ filed          submitted ─reject→ rejected ─edit→ draft
//! draft, submitted, filed ─withdraw→ withdrawn
//! ```
//! The result comes from outside: it is typed by hand ([`steps`]) or imported ([`FilingResults`]). Only filed majors of
//! the batch's grade may be recruited for. Level, study form and code follow from the school's major.

mod copy;
mod filed;
mod form;
mod result;
mod sheet;
mod steps;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Sorted, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    enumeration, files,
    naming::sought_word,
    permissions, reply,
    transfer::{self, Exported, export_job, import_job},
};
pub use major_rules::forecast::ForecastStatus;
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use crate::major::StudyForm;

pub(crate) use result::FilingResults;

pub use filed::{Filed, filed_for};
pub use form::ForecastMajorForm;
use form::{insert, set_sites, update};

permissions! {
    pages "/schoolPC/basicData/major/forecastingMajor", "/platformPC/basicData/major/forecastingMajor";
    EachSchool Reads       ListForecastMajors     = "adult:pc:forecastingMajor:list" "拟招生专业列表";
    EachSchool Reads       ViewForecastMajor      = "adult:pc:forecastingMajor:view" "查看拟招生专业";
    InSchool   Writes      SaveForecastMajor      = "adult:pc:forecastingMajor:save" "新增拟招生专业";
    InSchool   Writes      EditForecastMajor      = "adult:pc:forecastingMajor:edit" "编辑拟招生专业";
    InSchool   Writes      DeleteForecastMajor    = "adult:pc:forecastingMajor:delete" "删除拟招生专业";
    InSchool   Writes      DeleteForecastMajors   = "adult:pc:forecastingMajor:batchDel" "批量删除拟招生专业";
    EachSchool ReadsLogged ExportForecastMajors   = "adult:pc:forecastingMajor:export" "导出拟招生专业";
    InSchool   Writes      SubmitForecastMajors   = "adult:pc:forecastingMajor:submit" "上报拟招生专业";
    ManySchools Writes     AuditForecastMajors    = "adult:pc:forecastingMajor:audit" "拟招生专业备案通过";
    ManySchools Writes     RejectForecastMajors   = "adult:pc:forecastingMajor:reject" "拟招生专业未通过";
    InSchool   Writes      WithdrawForecastMajor  = "adult:pc:forecastingMajor:withdraw" "撤销拟招生专业";
    InSchool   Writes      CopyForecastMajors     = "adult:pc:forecastingMajor:copy" "从上年复制拟招生专业";
    InSchool   Writes      ImportFilingResults    = "adult:pc:forecastingMajor:import" "导入备案结果";
    InSchool   Reads       FetchFilingResults     = "adult:pc:forecastingMajor:import" "导入备案结果";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ForecastStatus::ENUMERATION, ForecastMajorSort::ENUMERATION],
    entities: &[
        Entity { table: "forecast_major", name: "拟招生专业", counted: "个拟招生专业" },
        Entity { table: "forecast_major_site", name: "拟招生专业的站点", counted: "个拟招生专业" },
    ],
    jobs: &[export_job::<ForecastMajors>(), import_job::<FilingResults>()],
    histories: &[History { table: "forecast_major", code: "adult:pc:forecastingMajor:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

/// A site at which the major is to be taught.
#[derive(Debug, Clone, Object)]
pub struct ForecastSite {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
}

/// A major as it is filed, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ForecastMajor {
    /// 编号
    pub id: i64,
    /// 招生年份
    pub year: i32,
    /// 对应年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 学校专业
    pub major_id: i64,
    /// 校内专业代码
    pub major_code: String,
    /// 专业
    pub name: String,
    /// 国家专业代码
    pub national_code: String,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学制
    pub schooling_years: f64,
    /// 拟招人数
    pub planned_quota: i32,
    /// 学费(分/年)
    pub tuition_per_year: Option<i64>,
    /// 站点数
    pub site_count: i64,
    /// 拟招站点编号
    pub site_ids: Vec<i64>,
    /// 拟招站点
    pub sites: Vec<ForecastSite>,
    /// 申报依据
    pub basis: Option<String>,
    /// 依据附件编号
    pub basis_file_id: Option<i64>,
    /// 依据附件
    pub basis_key: Option<String>,
    /// 依据附件文件名
    pub basis_name: Option<String>,
    /// 状态
    pub status: ForecastStatus,
    /// 备案号
    pub filing_no: Option<String>,
    /// 备案日期
    pub filed_on: Option<NaiveDate>,
    /// 结果说明
    pub filing_result: Option<String>,
    /// 版本
    pub version: i32,
}

/// A filing with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ForecastMajorView {
    #[oai(flatten)]
    pub filing: ForecastMajor,
    /// 依据附件地址
    pub basis_url: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ForecastMajorFilter {
    /// 专业代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 招生年份
    pub year: Option<i32>,
    /// 层次
    pub level_id: Option<i64>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 状态
    pub status: Option<ForecastStatus>,
}

/// Whether the form of a filing may still be changed.
fn editable(status: ForecastStatus) -> Result<()> {
    match status {
        ForecastStatus::Draft | ForecastStatus::Rejected => Ok(()),
        ForecastStatus::Submitted | ForecastStatus::Filed => Err(Error::conflict("已上报的专业不能修改，请先退回")),
        ForecastStatus::Withdrawn => Err(Error::conflict("已撤销的专业不能修改")),
    }
}

/// What was ever sent to the ministry stays in the register.
fn deletable(row: &ForecastMajor) -> Result<()> {
    match row.status {
        ForecastStatus::Draft => Ok(()),
        ForecastStatus::Submitted | ForecastStatus::Filed | ForecastStatus::Rejected | ForecastStatus::Withdrawn => {
            Err(Error::conflict(format!("“{}”{}，只有草稿可以删除", row.name, row.status.zh())))
        }
    }
}

enumeration! {
    /// 拟招生专业排序字段
    pub enum ForecastMajorSort = "forecastMajorSort" {
        Year = "year" "年份",
        MajorCode = "majorCode" "专业代码",
        Name = "name" "专业名称",
        PlannedQuota = "plannedQuota" "计划人数",
        SiteCount = "siteCount" "站点数",
    }
}

pub struct ForecastMajors;

#[OpenApi(prefix_path = "/adult/pc/forecastingMajor", tag = "crate::Tag::Majors")]
impl ForecastMajors {
    /// 拟招生专业列表
    #[oai(path = "/list", method = "post", operation_id = "listForecastMajors")]
    async fn list(
        &self,
        caller: Allowed<ListForecastMajors>,
        Body(asked): Body<Sorted<ForecastMajorFilter, ForecastMajorSort>>,
    ) -> Result<Reply<SchoolPage<ForecastMajor>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看拟招生专业
    #[oai(path = "/view", method = "get", operation_id = "viewForecastMajor")]
    async fn view(
        &self,
        caller: Allowed<ViewForecastMajor>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ForecastMajorView>> {
        let mut tx = caller.read().await?;
        let filing = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let basis_url = match filing.basis_file_id {
            Some(file) => files::address(caller.app(), &mut tx, file).await?.map(|(url, _)| url),
            None => None,
        };
        Ok(reply(ForecastMajorView { filing, basis_url }))
    }

    /// 新增拟招生专业
    #[oai(path = "/save", method = "post", operation_id = "saveForecastMajor")]
    async fn save(
        &self,
        caller: Allowed<SaveForecastMajor>,
        Body(form): Body<ForecastMajorForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑拟招生专业
    #[oai(path = "/edit", method = "put", operation_id = "editForecastMajor")]
    async fn edit(
        &self,
        caller: Allowed<EditForecastMajor>,
        Body(edit): Body<Edit<ForecastMajorForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除拟招生专业
    #[oai(path = "/delete", method = "delete", operation_id = "deleteForecastMajor")]
    async fn delete(
        &self,
        caller: Allowed<DeleteForecastMajor>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除拟招生专业
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteForecastMajors")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteForecastMajors>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = rows_of(caller.begin().await?);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出拟招生专业
    #[oai(path = "/export", method = "post", operation_id = "exportForecastMajors")]
    async fn export(
        &self,
        caller: Allowed<ExportForecastMajors>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ForecastMajorFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Keyed for ForecastMajors {
    type Filter = ForecastMajorFilter;
    type Row = ForecastMajor;

    fn id(row: &ForecastMajor) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ForecastMajorFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select f.id, f.created_at, count(*) over () as "total!"
               from forecast_major f join major m on m.id = f.major_id
               where ($1::text is null or strpos(m.name, $1) > 0 or starts_with(lower(m.code), lower($1))
                      or starts_with(m.national_code, upper($1)))
                 and ($2::integer is null or f.year = $2)
                 and ($3::bigint is null or m.level_id = $3)
                 and ($10::text is null or m.level_id = any(array(
                          select x.id from level x where strpos(lower(x.code), $10) > 0 or strpos(lower(x.name), $10) > 0)))
                 and ($4::text is null or m.study_form = $4)
                 and ($5::text is null or f.status = $5)
                 and ($6::bigint is null or f.id = $6)
                 and ($7::timestamptz is null or f.created_at <= $7)
               order by case when $7::timestamptz is null then f.year end desc, case when $7::timestamptz is null then m.code end,
                        f.created_at desc, f.id
               limit $8 offset $9"#,
            filter.keyword,
            filter.year,
            filter.level_id,
            filter.study_form.map(StudyForm::as_str),
            filter.status.map(ForecastStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            sought_word(filter.level_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ForecastMajor>> {
        sqlx::query!(
            r#"select f.id, f.year, f.grade_id, g.name as grade_name, f.major_id, m.code as major_code, m.name, m.national_code,
                      l.name as level_name, m.study_form as "study_form: StudyForm",
                      m.schooling_years::float8 as "schooling_years!", f.planned_quota, f.tuition_per_year, f.basis,
                      f.basis_file_id, (select o.key from file_object o where o.id = f.basis_file_id) as basis_key,
                      (select o.original_name from file_object o where o.id = f.basis_file_id) as basis_name,
                      f.status as "status: ForecastStatus", f.filing_no, f.filed_on, f.filing_result, f.version,
                      array(select fs.site_id from forecast_major_site fs join site s on s.id = fs.site_id
                            where fs.forecast_major_id = f.id order by s.code) as "site_ids!",
                      array(select s.name from forecast_major_site fs join site s on s.id = fs.site_id
                            where fs.forecast_major_id = f.id order by s.code) as "site_names!: Vec<String>"
               from forecast_major f
               join grade g on g.id = f.grade_id
               join major m on m.id = f.major_id
               join level l on l.id = m.level_id
               where f.id = any($1)"#,
            ids
        )
        .map(|row| ForecastMajor {
            id: row.id,
            year: row.year,
            grade_id: row.grade_id,
            grade_name: row.grade_name,
            major_id: row.major_id,
            major_code: row.major_code,
            name: row.name,
            national_code: row.national_code,
            level_name: row.level_name,
            study_form: row.study_form,
            schooling_years: row.schooling_years,
            planned_quota: row.planned_quota,
            tuition_per_year: row.tuition_per_year,
            site_count: i64::try_from(row.site_ids.len()).unwrap_or(i64::MAX),
            sites: row
                .site_ids
                .iter()
                .zip(row.site_names)
                .map(|(id, name)| ForecastSite { id: *id, name })
                .collect(),
            site_ids: row.site_ids,
            basis: row.basis,
            basis_file_id: row.basis_file_id,
            basis_key: row.basis_key,
            basis_name: row.basis_name,
            status: row.status,
            filing_no: row.filing_no,
            filed_on: row.filed_on,
            filing_result: row.filing_result,
            version: row.version,
        })
        .fetch_all(connection)
        .await
    }
}

/// The operations on filings.
pub(crate) fn api() -> impl OpenApi {
    (ForecastMajors, steps::Steps, copy::Copy, result::Results)
}

/// A bulk step over filings. People know a filing by its major, so failures carry the name of its year.
fn rows_of(tx: Tx) -> Bulk {
    Bulk::named(
        tx,
        "(select f.id, f.year || '年 ' || m.name as name from forecast_major f join major m on m.id = f.major_id) filing",
        "name",
    )
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("forecast_major", id).await?;
    let before = ForecastMajors::find(tx, id, &Scope::whole_school()).await?;
    deletable(&before)?;
    set_sites(tx, id, &[]).await?;
    tx.remove("forecast_major", id, &before.name).await?;
    let files = files::of_records(tx, "forecast_major", &[id]).await?;
    files::let_go(tx, &files).await?;
    Ok(Change::deleted("forecast_major", id, &before))
}
