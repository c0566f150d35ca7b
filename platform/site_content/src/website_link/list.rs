//! How links are read, and their sheet. They are not imported.

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

use super::FriendLinks;
use crate::filter::DecorationFilter;

/// A link to another site, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FriendLink {
    /// 编号
    pub id: i64,
    /// 名称
    pub link_name: String,
    /// 链接
    pub link_url: String,
    /// 标志
    pub logo: Option<String>,
    /// 打开方式
    pub target: LinkTarget,
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
) -> Rows<'c, FriendLink> {
    let rows = sqlx::query_as!(
        FriendLink,
        r#"select w.id, w.link_name, w.link_url, w.logo, w.target as "target: _", w.sort, w.enabled, w.created_at,
                  w.version
           from platform.website_link w
           where ($1::bigint is null or w.id = $1)
             and ($2::text is null or strpos(w.link_name, $2) > 0)
             and ($3::boolean is null or w.enabled = $3)
             and ($4::timestamptz is null or w.created_at >= $4)
             and ($5::timestamptz is null or w.created_at < $5)
           order by w.sort, w.id desc limit $6 offset $7"#,
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
        r#"select count(*) as "count!" from platform.website_link w
           where ($1::text is null or strpos(w.link_name, $1) > 0)
             and ($2::boolean is null or w.enabled = $2)
             and ($3::timestamptz is null or w.created_at >= $3)
             and ($4::timestamptz is null or w.created_at < $4)"#,
        filter.name,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<FriendLink> {
    let found = select(connection, Some(id), &DecorationFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for FriendLinks {
    type Filter = DecorationFilter;
    type Row = FriendLink;
    const KIND: &'static str = "friendLink.export";
    type Permission = super::ExportFriendLinks;
    const TITLE: &'static str = "友情链接";
    const COLUMNS: &'static [Column<FriendLink>] = &[
        Column { heading: "名称", width: 24, cell: |row| Cell::Text(row.link_name.clone()) },
        Column { heading: "链接", width: 36, cell: |row| Cell::Text(row.link_url.clone()) },
        Column { heading: "标志", width: 36, cell: |row| Cell::text(row.logo.clone()) },
        Column { heading: "打开方式", width: 10, cell: |row| Cell::Text(row.target.zh().to_owned()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DecorationFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, FriendLink>> {
        Ok(select(connection, None, filter, None))
    }
}
