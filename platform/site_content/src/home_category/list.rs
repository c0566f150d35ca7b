//! How the categories of the home page are read, and their sheet. They are not imported.

use catalogue::category::CategoryType;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::HomeCategories;
use crate::filter::{SiteTerminal, TerminalFilter};

/// A category of the home page, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeCategory {
    /// 编号
    pub id: i64,
    /// 端
    pub terminal: SiteTerminal,
    /// 分类
    pub category_id: i64,
    /// 名称
    pub name: String,
    /// 分类类型
    pub category_type: CategoryType,
    /// 分类名称
    pub category_name: String,
    /// 标题
    pub title: Option<String>,
    /// 图标
    pub icon: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &TerminalFilter,
    page: Option<Paging>,
) -> Rows<'c, HomeCategory> {
    let rows = sqlx::query_as!(
        HomeCategory,
        r#"select h.id, h.terminal as "terminal: _", h.category_id, coalesce(h.title, c.category_name) as "name!",
                  c.category_type as "category_type: _", c.category_name, h.title, h.icon, h.sort, h.enabled,
                  h.created_at, h.version
           from platform.home_category h
           join platform.online_category c on c.id = h.category_id
           where ($1::bigint is null or h.id = $1)
             and ($2::text is null or strpos(coalesce(h.title, c.category_name), $2) > 0)
             and ($3::text is null or h.terminal = $3)
             and ($4::boolean is null or h.enabled = $4)
             and ($5::timestamptz is null or h.created_at >= $5)
             and ($6::timestamptz is null or h.created_at < $6)
           order by h.terminal, h.sort, h.id desc limit $7 offset $8"#,
        only,
        filter.name,
        filter.terminal.map(SiteTerminal::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &TerminalFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.home_category h
           join platform.online_category c on c.id = h.category_id
           where ($1::text is null or strpos(coalesce(h.title, c.category_name), $1) > 0)
             and ($2::text is null or h.terminal = $2)
             and ($3::boolean is null or h.enabled = $3)
             and ($4::timestamptz is null or h.created_at >= $4)
             and ($5::timestamptz is null or h.created_at < $5)"#,
        filter.name,
        filter.terminal.map(SiteTerminal::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<HomeCategory> {
    let found = select(connection, Some(id), &TerminalFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for HomeCategories {
    type Filter = TerminalFilter;
    type Row = HomeCategory;
    const KIND: &'static str = "homeCategory.export";
    type Permission = super::ExportHomeCategories;
    const TITLE: &'static str = "首页分类";
    const COLUMNS: &'static [Column<HomeCategory>] = &[
        Column { heading: "端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
        Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "分类类型", width: 12, cell: |row| Cell::Text(row.category_type.zh().to_owned()) },
        Column { heading: "分类", width: 24, cell: |row| Cell::Text(row.category_name.clone()) },
        Column { heading: "图标", width: 36, cell: |row| Cell::text(row.icon.clone()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &TerminalFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, HomeCategory>> {
        Ok(select(connection, None, filter, None))
    }
}
