//! How templates are read, and their sheet. They are not imported.

use chrono::NaiveDate;
use futures_util::{StreamExt, TryStreamExt};
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use serde_json::Value;
use site_content_rules::poster::{self, PosterElement};
use sqlx::PgConnection;

use super::{PosterTemplates, ShareType};

/// A template, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PosterTemplate {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 分享类型
    pub share_type: ShareType,
    /// 背景图
    pub bg_image: String,
    /// 元素
    pub elements: Vec<PosterElement>,
    /// 默认模板
    pub is_default: bool,
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
pub struct PosterTemplateFilter {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub name: Option<String>,
    /// 分享类型
    pub share_type: Option<ShareType>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// As the table has it.
struct Row {
    id: i64,
    name: String,
    share_type: ShareType,
    bg_image: String,
    elements: Value,
    is_default: bool,
    sort: i32,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl PosterTemplate {
    fn of(row: Row) -> sqlx::Result<Self> {
        let elements = poster::stored(row.elements).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Self {
            id: row.id,
            name: row.name,
            share_type: row.share_type,
            bg_image: row.bg_image,
            elements,
            is_default: row.is_default,
            sort: row.sort,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        })
    }
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &PosterTemplateFilter,
    page: Option<Paging>,
) -> Rows<'c, PosterTemplate> {
    let rows = sqlx::query_as!(
        Row,
        r#"select s.id, s.name, s.share_type as "share_type: _", s.bg_image, s.elements, s.is_default, s.sort,
                  s.enabled, s.created_at, s.version
           from platform.sharing_template s
           where ($1::bigint is null or s.id = $1)
             and ($2::text is null or strpos(s.name, $2) > 0)
             and ($3::text is null or s.share_type = $3)
             and ($4::boolean is null or s.enabled = $4)
             and ($5::timestamptz is null or s.created_at >= $5)
             and ($6::timestamptz is null or s.created_at < $6)
           order by s.share_type, s.sort, s.id desc limit $7 offset $8"#,
        only,
        filter.name,
        filter.share_type.map(ShareType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map(|row| row.and_then(PosterTemplate::of)))
}

pub(super) async fn count(connection: &mut PgConnection, filter: &PosterTemplateFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.sharing_template s
           where ($1::text is null or strpos(s.name, $1) > 0)
             and ($2::text is null or s.share_type = $2)
             and ($3::boolean is null or s.enabled = $3)
             and ($4::timestamptz is null or s.created_at >= $4)
             and ($5::timestamptz is null or s.created_at < $5)"#,
        filter.name,
        filter.share_type.map(ShareType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<PosterTemplate> {
    let found = select(connection, Some(id), &PosterTemplateFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for PosterTemplates {
    type Filter = PosterTemplateFilter;
    type Row = PosterTemplate;
    const KIND: &'static str = "posterTemplate.export";
    type Permission = super::ExportPosterTemplates;
    const TITLE: &'static str = "分享海报模板";
    const COLUMNS: &'static [Column<PosterTemplate>] = &[
        Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "分享类型", width: 10, cell: |row| Cell::Text(row.share_type.zh().to_owned()) },
        Column { heading: "默认模板", width: 10, cell: |row| Cell::Bool(row.is_default) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PosterTemplateFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, PosterTemplate>> {
        Ok(select(connection, None, filter, None))
    }
}
