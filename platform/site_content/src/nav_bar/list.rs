//! How the entries of the bar are read, and their sheet. They are not imported.

use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use settings::banner::LinkTarget;
use sqlx::PgConnection;

use super::NavBars;
use crate::filter::{SiteTerminal, TerminalFilter};

/// An entry of the bar, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct NavBar {
    /// 编号
    pub id: i64,
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    pub nav_title: String,
    /// 链接
    pub nav_url: String,
    /// 打开方式
    pub target: LinkTarget,
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
) -> Rows<'c, NavBar> {
    let rows = sqlx::query_as!(
        NavBar,
        r#"select n.id, n.terminal as "terminal: _", n.nav_title, n.nav_url, n.target as "target: _", n.icon, n.sort,
                  n.enabled, n.created_at, n.version
           from platform.nav_bar n
           where ($1::bigint is null or n.id = $1)
             and ($2::text is null or strpos(n.nav_title, $2) > 0)
             and ($3::text is null or n.terminal = $3)
             and ($4::boolean is null or n.enabled = $4)
             and ($5::timestamptz is null or n.created_at >= $5)
             and ($6::timestamptz is null or n.created_at < $6)
           order by n.terminal, n.sort, n.id desc limit $7 offset $8"#,
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
        r#"select count(*) as "count!" from platform.nav_bar n
           where ($1::text is null or strpos(n.nav_title, $1) > 0)
             and ($2::text is null or n.terminal = $2)
             and ($3::boolean is null or n.enabled = $3)
             and ($4::timestamptz is null or n.created_at >= $4)
             and ($5::timestamptz is null or n.created_at < $5)"#,
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

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<NavBar> {
    let found = select(connection, Some(id), &TerminalFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for NavBars {
    type Filter = TerminalFilter;
    type Row = NavBar;
    const KIND: &'static str = "navBar.export";
    type Permission = super::ExportNavBars;
    const TITLE: &'static str = "头部导航";
    const COLUMNS: &'static [Column<NavBar>] = &[
        Column { heading: "端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
        Column { heading: "标题", width: 20, cell: |row| Cell::Text(row.nav_title.clone()) },
        Column { heading: "链接", width: 36, cell: |row| Cell::Text(row.nav_url.clone()) },
        Column { heading: "打开方式", width: 10, cell: |row| Cell::Text(row.target.zh().to_owned()) },
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
    ) -> Result<Rows<'c, NavBar>> {
        Ok(select(connection, None, filter, None))
    }
}
