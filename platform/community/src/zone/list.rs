//! How shelves of blogs are read, and their sheet.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::ArticleZones;

/// A shelf of blogs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArticleZone {
    /// 编号
    pub id: i64,
    /// 标题
    pub zone_title: String,
    /// 文章数
    pub item_count: i64,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArticleZoneFilter {
    /// 标题
    #[oai(validator(max_length = 20))]
    pub zone_title: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &ArticleZoneFilter,
    page: Option<Paging>,
) -> Rows<'c, ArticleZone> {
    let rows = sqlx::query_as!(
        ArticleZone,
        r#"select z.id, z.zone_title,
                  (select count(*) from platform.article_zone_item i where i.zone_id = z.id) as "item_count!", z.sort, z.enabled,
                  z.created_at, z.version
           from platform.article_zone z
           where ($1::bigint is null or z.id = $1)
             and ($2::text is null or strpos(z.zone_title, $2) > 0)
             and ($3::boolean is null or z.enabled = $3)
             and ($4::timestamptz is null or z.created_at >= $4)
             and ($5::timestamptz is null or z.created_at < $5)
           order by z.sort, z.id desc limit $6 offset $7"#,
        only,
        filter.zone_title,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &ArticleZoneFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.article_zone z
           where ($1::text is null or strpos(z.zone_title, $1) > 0)
             and ($2::boolean is null or z.enabled = $2)
             and ($3::timestamptz is null or z.created_at >= $3)
             and ($4::timestamptz is null or z.created_at < $4)"#,
        filter.zone_title,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<ArticleZone> {
    let found = select(connection, Some(id), &ArticleZoneFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for ArticleZones {
    type Filter = ArticleZoneFilter;
    type Row = ArticleZone;
    const KIND: &'static str = "articleZone.export";
    type Permission = super::ExportArticleZones;
    const TITLE: &'static str = "文章专区";
    const COLUMNS: &'static [Column<ArticleZone>] = &[
        Column { heading: "标题", width: 24, cell: |row| Cell::Text(row.zone_title.clone()) },
        Column { heading: "文章数", width: 8, cell: |row| Cell::Int(row.item_count) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ArticleZoneFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, ArticleZone>> {
        Ok(select(connection, None, filter, None))
    }
}
