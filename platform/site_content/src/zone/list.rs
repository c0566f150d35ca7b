//! How shelves are read, and their sheet. They are not imported.

use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{SiteZones, ZoneLayout, ZoneType};
use crate::filter::{SiteTerminal, TerminalFilter};

/// A shelf, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteZone {
    /// 编号
    pub id: i64,
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    pub zone_title: String,
    /// 说明
    pub zone_desc: Option<String>,
    /// 类型
    pub zone_type: ZoneType,
    /// 展示数量
    pub show_count: i32,
    /// 布局
    pub layout: ZoneLayout,
    /// 内容数
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

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &TerminalFilter,
    page: Option<Paging>,
) -> Rows<'c, SiteZone> {
    let rows = sqlx::query_as!(
        SiteZone,
        r#"select z.id, z.terminal as "terminal: _", z.zone_title, z.zone_desc, z.zone_type as "zone_type: _",
                  z.show_count, z.layout as "layout: _",
                  (select count(*) from platform.zone_item i where i.zone_id = z.id) as "item_count!", z.sort,
                  z.enabled, z.created_at, z.version
           from platform.zone z
           where ($1::bigint is null or z.id = $1)
             and ($2::text is null or strpos(z.zone_title, $2) > 0)
             and ($3::text is null or z.terminal = $3)
             and ($4::boolean is null or z.enabled = $4)
             and ($5::timestamptz is null or z.created_at >= $5)
             and ($6::timestamptz is null or z.created_at < $6)
           order by z.terminal, z.sort, z.id desc limit $7 offset $8"#,
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
        r#"select count(*) as "count!" from platform.zone z
           where ($1::text is null or strpos(z.zone_title, $1) > 0)
             and ($2::text is null or z.terminal = $2)
             and ($3::boolean is null or z.enabled = $3)
             and ($4::timestamptz is null or z.created_at >= $4)
             and ($5::timestamptz is null or z.created_at < $5)"#,
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

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<SiteZone> {
    let found = select(connection, Some(id), &TerminalFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for SiteZones {
    type Filter = TerminalFilter;
    type Row = SiteZone;
    const KIND: &'static str = "siteZone.export";
    type Permission = super::ExportSiteZones;
    const TITLE: &'static str = "首页专区";
    const COLUMNS: &'static [Column<SiteZone>] = &[
        Column { heading: "端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
        Column { heading: "标题", width: 20, cell: |row| Cell::Text(row.zone_title.clone()) },
        Column { heading: "说明", width: 30, cell: |row| Cell::text(row.zone_desc.clone()) },
        Column { heading: "类型", width: 12, cell: |row| Cell::Text(row.zone_type.zh().to_owned()) },
        Column { heading: "展示数量", width: 10, cell: |row| Cell::Int(row.show_count.into()) },
        Column { heading: "布局", width: 12, cell: |row| Cell::Text(row.layout.zh().to_owned()) },
        Column { heading: "内容数", width: 8, cell: |row| Cell::Int(row.item_count) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &TerminalFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, SiteZone>> {
        Ok(select(connection, None, filter, None))
    }
}
