//! 国家专业库: the ministry's catalogues, the same for every school (part 03 A3). A school copies what it offers.
//!
//! Schools read, operators maintain ([`upkeep`]). The shipped catalogues are loaded by [`load`].

mod form;
mod load;
mod options;
mod sheet;
pub mod upkeep;
mod used;

use infra::{
    Allowed, Body, Entity, Page, Paged, Part, Reply, Result, Scope,
    across::{Key, KeyQuery, Keyed, Listed},
    options::Source,
    permissions, reply,
    transfer::{export_job, import_job},
};
pub use major_rules::{discipline::Discipline, national_major::NationalMajor};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use term::NationalLevel;

pub use load::load;
use options::{NationalMajorFields, options};
pub(crate) use options::{all, chosen};
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
        let (total, list) = Self::page(&mut tx, &filter, &Scope::whole_school(), paging).await?;
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
        Ok(reply(Self::find(&mut tx, id.0, &Scope::whole_school()).await?))
    }
}

impl Keyed for NationalMajors {
    type Filter = NationalMajorFilter;
    type Row = NationalMajor;

    fn id(row: &NationalMajor) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &NationalMajorFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select n.id, n.created_at, count(*) over () as "total!"
               from platform.national_major n
               where ($1::text is null or strpos(n.name, $1) > 0 or starts_with(n.code, upper($1)))
                 and ($2::text is null or n.level = $2)
                 and ($3::text is null or n.discipline_code = $3)
                 and ($4::integer is null or n.year = $4)
                 and ($5::boolean is null or n.controlled = $5)
                 and ($6::boolean is null or n.enabled = $6)
                 and ($7::bigint is null or n.id = $7)
                 and ($8::timestamptz is null or n.created_at <= $8)
               order by case when $8::timestamptz is null then n.code end, case when $8::timestamptz is null then n.year end desc,
                        n.created_at desc, n.id
               limit $9 offset $10"#,
            filter.keyword,
            filter.level.map(NationalLevel::as_str),
            filter.discipline_code.map(Discipline::as_str),
            filter.year,
            filter.controlled,
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<NationalMajor>> {
        sqlx::query_as!(
            NationalMajor,
            r#"select id, code, name, level as "level: _", discipline_code, discipline, category_code, category, degrees, special,
                      controlled, year, former_code, checked not in ('confirmed', 'name_seen') as "uncertain!", enabled, version
               from platform.national_major
               where id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}
