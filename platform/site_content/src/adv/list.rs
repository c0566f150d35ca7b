//! How advertisements are read, and their sheet. They are not imported.

use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::Rows,
};
use poem_openapi::Object;
use settings::banner::{BannerStanding, LinkTarget};
use sqlx::PgConnection;

use super::AdvertisementPlace;
use crate::filter::{SiteTerminal, TerminalFilter};

/// An advertisement, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Advertisement {
    /// 编号
    pub id: i64,
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    pub adv_title: String,
    /// 图片
    pub adv_img: String,
    /// 链接
    pub adv_url: Option<String>,
    /// 打开方式
    pub target: LinkTarget,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 展示状态
    pub standing: BannerStanding,
    /// 可关闭
    pub closable: bool,
    /// 背景色
    pub bg_color: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

pub(super) const COLUMNS: &[Column<Advertisement>] = &[
    Column { heading: "端", width: 10, cell: |row| Cell::Text(row.terminal.zh().to_owned()) },
    Column { heading: "标题", width: 28, cell: |row| Cell::Text(row.adv_title.clone()) },
    Column { heading: "展示状态", width: 10, cell: |row| Cell::Text(row.standing.zh().to_owned()) },
    Column { heading: "开始时间", width: 20, cell: |row| Cell::DateTime(row.begins_at) },
    Column { heading: "结束时间", width: 20, cell: |row| Cell::DateTime(row.ends_at) },
    Column { heading: "链接", width: 36, cell: |row| Cell::text(row.adv_url.clone()) },
    Column { heading: "打开方式", width: 10, cell: |row| Cell::Text(row.target.zh().to_owned()) },
    Column { heading: "可关闭", width: 8, cell: |row| Cell::Bool(row.closable) },
    Column { heading: "背景色", width: 10, cell: |row| Cell::text(row.bg_color.clone()) },
    Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
    Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
    Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
];

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    place: AdvertisementPlace,
    only: Option<i64>,
    filter: &TerminalFilter,
    now: Moment,
    page: Option<Paging>,
) -> Rows<'c, Advertisement> {
    let rows = sqlx::query_as!(
        Advertisement,
        r#"select a.id, a.terminal as "terminal: _", a.adv_title, a.adv_img, a.adv_url, a.target as "target: _",
                  a.begins_at,
                  a.ends_at,
                  case when not a.enabled then 'disabled' when a.begins_at > $3 then 'waiting'
                       when a.ends_at <= $3 then 'ended' else 'shown' end as "standing!: _",
                  a.closable, a.bg_color, a.sort, a.enabled, a.created_at, a.version
           from platform.adv a
           where a.adv_location = $1 and ($2::bigint is null or a.id = $2)
             and ($4::text is null or strpos(a.adv_title, $4) > 0)
             and ($5::text is null or a.terminal = $5)
             and ($6::boolean is null or a.enabled = $6)
             and ($7::timestamptz is null or a.created_at >= $7)
             and ($8::timestamptz is null or a.created_at < $8)
           order by a.terminal, a.sort, a.id desc limit $9 offset $10"#,
        place.as_str(),
        only,
        now,
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

pub(super) async fn count(
    connection: &mut PgConnection,
    place: AdvertisementPlace,
    filter: &TerminalFilter,
) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.adv a
           where a.adv_location = $1
             and ($2::text is null or strpos(a.adv_title, $2) > 0)
             and ($3::text is null or a.terminal = $3)
             and ($4::boolean is null or a.enabled = $4)
             and ($5::timestamptz is null or a.created_at >= $5)
             and ($6::timestamptz is null or a.created_at < $6)"#,
        place.as_str(),
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

/// # Errors
/// 404 also for one of the other place.
pub(super) async fn find(
    connection: &mut PgConnection,
    place: AdvertisementPlace,
    id: i64,
    now: Moment,
) -> Result<Advertisement> {
    let found = select(connection, place, Some(id), &TerminalFilter::default(), now, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
