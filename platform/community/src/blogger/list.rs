//! How bloggers are read, and their sheet.

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

use super::Bloggers;

/// A blogger.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityBlogger {
    /// 编号
    pub id: i64,
    /// 学员编号
    pub learner_id: i64,
    /// 博主
    pub blogger_name: String,
    /// 简介
    pub introduce: Option<String>,
    /// 等级
    pub level: i32,
    /// 博客数
    pub blog_count: i64,
    /// 可见博客数
    /// 在网站上展示的
    pub visible_blogs: i64,
    /// 粉丝数
    pub fans_count: i64,
    /// 认证编号
    pub certificate_id: Option<i64>,
    /// 认证
    /// 审核通过且在有效期内
    pub badge: Option<String>,
    /// 启用
    pub enabled: bool,
    /// 成为博主时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityBloggerFilter {
    /// 博主
    #[oai(validator(max_length = 30))]
    pub blogger_name: Option<String>,
    /// 等级
    pub level: Option<i32>,
    /// 启用
    pub enabled: Option<bool>,
    /// 成为博主日期起
    pub created_from: Option<NaiveDate>,
    /// 成为博主日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first. The badge is the one that was approved last of those that hold.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    today: NaiveDate,
    only: Option<i64>,
    filter: &CommunityBloggerFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityBlogger> {
    let rows = sqlx::query_as!(
        CommunityBlogger,
        r#"select g.id, g.learner_id, g.blogger_name, g.introduce, g.level,
                  (select count(*) from platform.blog b where b.blogger_id = g.id) as "blog_count!",
                  (select count(*) from platform.blog b
                   where b.blogger_id = g.id and b.audit_status = 'approved' and b.putaway = 'on' and g.enabled)
                      as "visible_blogs!",
                  g.fans_count, c.id as "certificate_id?", c.title as "badge?", g.enabled, g.created_at, g.version
           from platform.blogger g
           left join lateral (
               select k.id, k.title from platform.community_certificate k
               where k.learner_id = g.learner_id and k.audit_status = 'approved'
                 and (k.expires_on is null or k.expires_on >= $2)
               order by k.audited_at desc limit 1) c on true
           where ($1::bigint is null or g.id = $1)
             and ($3::text is null or strpos(g.blogger_name, $3) > 0 or starts_with(g.initials, lower($3)))
             and ($4::integer is null or g.level = $4)
             and ($5::boolean is null or g.enabled = $5)
             and ($6::timestamptz is null or g.created_at >= $6)
             and ($7::timestamptz is null or g.created_at < $7)
           order by g.created_at desc, g.id desc limit $8 offset $9"#,
        only,
        today,
        filter.blogger_name,
        filter.level,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CommunityBloggerFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.blogger g
           where ($1::text is null or strpos(g.blogger_name, $1) > 0 or starts_with(g.initials, lower($1)))
             and ($2::integer is null or g.level = $2)
             and ($3::boolean is null or g.enabled = $3)
             and ($4::timestamptz is null or g.created_at >= $4)
             and ($5::timestamptz is null or g.created_at < $5)"#,
        filter.blogger_name,
        filter.level,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, today: NaiveDate, id: i64) -> Result<CommunityBlogger> {
    let found = select(connection, today, Some(id), &CommunityBloggerFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for Bloggers {
    type Filter = CommunityBloggerFilter;
    type Row = CommunityBlogger;
    const KIND: &'static str = "blogger.export";
    type Permission = super::ExportBloggers;
    const TITLE: &'static str = "博主";
    const COLUMNS: &'static [Column<CommunityBlogger>] = &[
        Column { heading: "博主", width: 16, cell: |row| Cell::Text(row.blogger_name.clone()) },
        Column { heading: "等级", width: 8, cell: |row| Cell::Int(row.level.into()) },
        Column { heading: "认证", width: 20, cell: |row| Cell::text(row.badge.clone()) },
        Column { heading: "简介", width: 40, cell: |row| Cell::text(row.introduce.clone()) },
        Column { heading: "博客数", width: 10, cell: |row| Cell::Int(row.blog_count) },
        Column { heading: "可见博客数", width: 12, cell: |row| Cell::Int(row.visible_blogs) },
        Column { heading: "粉丝数", width: 10, cell: |row| Cell::Int(row.fans_count) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "成为博主时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityBloggerFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityBlogger>> {
        Ok(select(connection, app.clock().today(), None, filter, None))
    }
}
