//! How the schools of the home page are read, and their sheet. They are not imported.

use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{SchoolZones, ShownOn};
use crate::filter::DecorationFilter;

/// A school of the home page, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolZone {
    /// 编号
    pub id: i64,
    /// 院校
    pub school_id: i64,
    /// 院校名称
    pub name: String,
    /// 院校可展示
    pub school_open: bool,
    /// 封面
    pub cover_img: Option<String>,
    /// 宣传语
    pub slogan: Option<String>,
    /// 链接
    pub link_url: Option<String>,
    /// 展示链接
    pub site_url: Option<String>,
    /// 展示端
    pub terminal: ShownOn,
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
    filter: &DecorationFilter,
    page: Option<Paging>,
) -> Rows<'c, SchoolZone> {
    let rows = sqlx::query_as!(
        SchoolZone,
        r#"select z.id, z.school_id, s.name, (s.status in ('trial', 'active') and s.deleted_at is null) as "school_open!",
                  z.cover_img, z.slogan, z.link_url,
                  coalesce(z.link_url, 'https://' || s.domain) as "site_url?", z.terminal as "terminal: _", z.sort,
                  z.enabled, z.created_at, z.version
           from platform.zone_school z
           join platform.school s on s.id = z.school_id
           where ($1::bigint is null or z.id = $1)
             and ($2::text is null or strpos(s.name, $2) > 0)
             and ($3::boolean is null or z.enabled = $3)
             and ($4::timestamptz is null or z.created_at >= $4)
             and ($5::timestamptz is null or z.created_at < $5)
           order by z.sort, z.id desc limit $6 offset $7"#,
        only,
        filter.name,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &DecorationFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.zone_school z
           join platform.school s on s.id = z.school_id
           where ($1::text is null or strpos(s.name, $1) > 0)
             and ($2::boolean is null or z.enabled = $2)
             and ($3::timestamptz is null or z.created_at >= $3)
             and ($4::timestamptz is null or z.created_at < $4)"#,
        filter.name,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<SchoolZone> {
    let found = select(connection, Some(id), &DecorationFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for SchoolZones {
    type Filter = DecorationFilter;
    type Row = SchoolZone;
    const KIND: &'static str = "schoolZone.export";
    type Permission = super::ExportSchoolZones;
    const TITLE: &'static str = "院校专区";
    const COLUMNS: &'static [Column<SchoolZone>] = &[
        Column { heading: "院校", width: 30, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "院校可展示", width: 12, cell: |row| Cell::Bool(row.school_open) },
        Column { heading: "封面", width: 36, cell: |row| Cell::text(row.cover_img.clone()) },
        Column { heading: "宣传语", width: 30, cell: |row| Cell::text(row.slogan.clone()) },
        Column { heading: "链接", width: 36, cell: |row| Cell::text(row.link_url.clone()) },
        Column { heading: "展示链接", width: 36, cell: |row| Cell::text(row.site_url.clone()) },
        Column { heading: "展示端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DecorationFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, SchoolZone>> {
        Ok(select(connection, None, filter, None))
    }
}
