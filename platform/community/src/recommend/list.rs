//! How recommendations are read, and their sheet.

use chrono::NaiveDate;
use community_rules::enums::{RecommendPlace, RecommendRef, Showing};
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::CommunityRecommends;

/// A recommendation.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityRecommend {
    /// 编号
    pub id: i64,
    /// 推荐对象
    pub ref_type: RecommendRef,
    /// 对象编号
    pub ref_id: i64,
    /// 名称
    /// 博客或问题的标题，博主的名称
    pub name: String,
    /// 位置
    pub position: RecommendPlace,
    /// 状态
    /// 已失效的不在网站上展示
    pub state: Showing,
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
pub struct CommunityRecommendFilter {
    /// 名称
    #[oai(validator(max_length = 60))]
    pub name: Option<String>,
    /// 推荐对象
    pub ref_type: Option<RecommendRef>,
    /// 位置
    pub position: Option<RecommendPlace>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// By place, in the order that people gave them.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CommunityRecommendFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityRecommend> {
    let rows = sqlx::query_as!(
        CommunityRecommend,
        r#"select r.id, r.ref_type as "ref_type: _", coalesce(r.blog_id, r.question_id, r.blogger_id) as "ref_id!",
                  coalesce(b.title, q.title, g.blogger_name) as "name!", r.position as "position: _",
                  case when case r.ref_type when 'blog' then b.audit_status = 'approved' and b.putaway = 'on' and w.enabled
                                            when 'question' then q.audit_status = 'approved'
                                            else g.enabled end
                       then 'shown' else 'lost' end as "state!: _",
                  r.sort, r.enabled, r.created_at, r.version
           from platform.community_recommend r
           left join platform.blog b on b.id = r.blog_id
           left join platform.blogger w on w.id = b.blogger_id
           left join platform.community_question q on q.id = r.question_id
           left join platform.blogger g on g.id = r.blogger_id
           where ($1::bigint is null or r.id = $1)
             and ($2::text is null or strpos(coalesce(b.title, q.title, g.blogger_name), $2) > 0)
             and ($3::text is null or r.ref_type = $3)
             and ($4::text is null or r.position = $4)
             and ($5::boolean is null or r.enabled = $5)
             and ($6::timestamptz is null or r.created_at >= $6)
             and ($7::timestamptz is null or r.created_at < $7)
           order by r.position, r.sort, r.id desc limit $8 offset $9"#,
        only,
        filter.name,
        filter.ref_type.map(RecommendRef::as_str),
        filter.position.map(RecommendPlace::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CommunityRecommendFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.community_recommend r
           left join platform.blog b on b.id = r.blog_id
           left join platform.community_question q on q.id = r.question_id
           left join platform.blogger g on g.id = r.blogger_id
           where ($1::text is null or strpos(coalesce(b.title, q.title, g.blogger_name), $1) > 0)
             and ($2::text is null or r.ref_type = $2)
             and ($3::text is null or r.position = $3)
             and ($4::boolean is null or r.enabled = $4)
             and ($5::timestamptz is null or r.created_at >= $5)
             and ($6::timestamptz is null or r.created_at < $6)"#,
        filter.name,
        filter.ref_type.map(RecommendRef::as_str),
        filter.position.map(RecommendPlace::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CommunityRecommend> {
    let found = select(connection, Some(id), &CommunityRecommendFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for CommunityRecommends {
    type Filter = CommunityRecommendFilter;
    type Row = CommunityRecommend;
    const KIND: &'static str = "communityRecommend.export";
    type Permission = super::ExportCommunityRecommends;
    const TITLE: &'static str = "社区推荐";
    const COLUMNS: &'static [Column<CommunityRecommend>] = &[
        Column { heading: "名称", width: 36, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "推荐对象", width: 10, cell: |row| Cell::Text(row.ref_type.zh().to_owned()) },
        Column { heading: "位置", width: 10, cell: |row| Cell::Text(row.position.zh().to_owned()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.state.zh().to_owned()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityRecommendFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityRecommend>> {
        Ok(select(connection, None, filter, None))
    }
}
