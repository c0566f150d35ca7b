//! 国家专业库: the ministry's catalogues, the same for every school (part 03 A3). A school copies what it offers.
//!
//! Schools read, operators maintain ([`upkeep`]). The shipped catalogues are loaded by [`load`].

mod choice;
mod code;
mod discipline;
mod form;
mod load;
mod sheet;
pub mod upkeep;
mod used;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Entity, Error, Page, Paged, Paging, Part, Reply, Result,
    options::Source,
    permissions, reply,
    transfer::{Rows, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use term::NationalLevel;

pub(crate) use choice::{KnownNationalMajor, all, chosen};
use choice::{NationalMajorFields, options};
pub use discipline::Discipline;
pub use load::load;
pub(crate) use sheet::NationalMajorImport;

permissions! {
    pages "/schoolPC/basicData/major/national", "/platformPC/basicData/major/national";
    Anywhere Reads ListNationalMajors = "adult:pc:nationalMajor:list" "国家专业列表";
    Anywhere Reads ViewNationalMajor  = "adult:pc:nationalMajor:view" "查看国家专业";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, upkeep::PERMISSIONS],
    enumerations: &[Discipline::ENUMERATION],
    entities: &[Entity { table: "national_major", name: "国家专业", counted: "个国家专业" }],
    jobs: &[export_job::<NationalMajors>(), import_job::<NationalMajorImport>()],
    options: &[Source::new("nationalMajor", |connection, asked| Box::pin(options(connection, asked)))
        .with::<NationalMajorFields>()
        .of_platform()],
    option_pages: PAGES,
    ..Part::NONE
};

/// A major of the ministry's catalogue.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct NationalMajor {
    /// 编号
    pub id: i64,
    /// 专业代码
    pub code: String,
    /// 专业名称
    pub name: String,
    /// 培养层次
    pub level: NationalLevel,
    /// 门类代码
    pub discipline_code: String,
    /// 学科门类
    pub discipline: String,
    /// 专业类代码
    pub category_code: Option<String>,
    /// 专业类
    pub category: Option<String>,
    /// 可授学位
    pub degrees: Vec<String>,
    /// 特设
    pub special: bool,
    /// 国控
    pub controlled: bool,
    /// 目录年版
    pub year: i32,
    /// 原代码
    pub former_code: Option<String>,
    /// 待核对
    pub uncertain: bool,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct NationalMajorFilter {
    /// 代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 培养层次
    pub level: Option<NationalLevel>,
    /// 门类
    pub discipline_code: Option<Discipline>,
    /// 目录年版
    pub year: Option<i32>,
    /// 国控
    pub controlled: Option<bool>,
    /// 启用
    pub enabled: Option<bool>,
}

pub struct NationalMajors;

#[OpenApi(prefix_path = "/adult/pc/nationalMajor", tag = "crate::Tag::Majors")]
impl NationalMajors {
    /// 国家专业列表
    #[oai(path = "/list", method = "post", operation_id = "listNationalMajors")]
    async fn list(
        &self,
        caller: Allowed<ListNationalMajors>,
        Body(asked): Body<Paged<NationalMajorFilter>>,
    ) -> Result<Reply<Page<NationalMajor>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看国家专业
    #[oai(path = "/view", method = "get", operation_id = "viewNationalMajor")]
    async fn view(
        &self,
        caller: Allowed<ViewNationalMajor>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<NationalMajor>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }
}

/// A major as list and view show it, by code, the newest edition first.
fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &NationalMajorFilter,
    page: Option<Paging>,
) -> Rows<'c, NationalMajor> {
    sqlx::query_as!(
        NationalMajor,
        r#"select id, code, name, level as "level: _", discipline_code, discipline, category_code, category, degrees, special,
                  controlled, year, former_code, checked not in ('confirmed', 'name_seen') as "uncertain!", enabled, version
           from platform.national_major
           where ($1::bigint is null or id = $1)
             and ($2::text is null or strpos(name, $2) > 0 or starts_with(code, upper($2)))
             and ($3::text is null or level = $3)
             and ($4::text is null or discipline_code = $4)
             and ($5::integer is null or year = $5)
             and ($6::boolean is null or controlled = $6)
             and ($7::boolean is null or enabled = $7)
           order by code, year desc
           limit $8 offset $9"#,
        only,
        filter.keyword,
        filter.level.map(NationalLevel::as_str),
        filter.discipline_code.map(Discipline::as_str),
        filter.year,
        filter.controlled,
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

async fn count(connection: &mut PgConnection, filter: &NationalMajorFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.national_major
           where ($1::text is null or strpos(name, $1) > 0 or starts_with(code, upper($1)))
             and ($2::text is null or level = $2)
             and ($3::text is null or discipline_code = $3)
             and ($4::integer is null or year = $4)
             and ($5::boolean is null or controlled = $5)
             and ($6::boolean is null or enabled = $6)"#,
        filter.keyword,
        filter.level.map(NationalLevel::as_str),
        filter.discipline_code.map(Discipline::as_str),
        filter.year,
        filter.controlled,
        filter.enabled
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<NationalMajor> {
    let found = select(connection, Some(id), &NationalMajorFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
