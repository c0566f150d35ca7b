//! How recommendations are read.

use catalogue_rules::course::CourseKind;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{RecommendPosition, RecommendStanding};

/// A recommendation.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRecommend {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课程类型
    pub course_type: CourseKind,
    /// 位置
    pub position: RecommendPosition,
    /// 分类
    pub category_id: Option<i64>,
    /// 分类名称
    pub category_name: Option<String>,
    /// 开始时间
    pub begins_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 展示状态
    /// 课程未上架、已停用或未通过审核时为已失效
    pub standing: RecommendStanding,
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
pub struct CourseRecommendFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 课程类型
    pub course_type: Option<CourseKind>,
    /// 位置
    pub position: Option<RecommendPosition>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// By position, each in its order.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    now: Moment,
    only: Option<i64>,
    filter: &CourseRecommendFilter,
    page: Option<Paging>,
) -> Rows<'c, CourseRecommend> {
    let rows = sqlx::query_as!(
        CourseRecommend,
        r#"select r.id, r.course_id, c.course_name, c.course_type as "course_type: _", r.position as "position: _", r.category_id,
                  g.category_name as "category_name?", r.begins_at, r.ends_at,
                  case when not r.enabled then 'disabled'
                       when not (c.enabled and c.putaway = 'on') then 'hidden'
                       when r.begins_at > $1 then 'waiting'
                       when r.ends_at <= $1 then 'ended'
                       else 'shown' end as "standing!: _",
                  r.sort, r.enabled, r.created_at, r.version
           from platform.course_recommend r
           join platform.online_course c on c.id = r.course_id
           left join platform.online_category g on g.id = r.category_id
           where ($2::bigint is null or r.id = $2)
             and ($3::text is null or strpos(c.course_name, $3) > 0 or starts_with(c.initials, lower($3)))
             and ($4::text is null or c.course_type = $4)
             and ($5::text is null or r.position = $5)
             and ($6::boolean is null or r.enabled = $6)
             and ($7::timestamptz is null or r.created_at >= $7)
             and ($8::timestamptz is null or r.created_at < $8)
           order by r.position, r.category_id nulls first, r.sort, r.id desc limit $9 offset $10"#,
        now,
        only,
        filter.course_name,
        filter.course_type.map(CourseKind::as_str),
        filter.position.map(RecommendPosition::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CourseRecommendFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.course_recommend r
           join platform.online_course c on c.id = r.course_id
           where ($1::text is null or strpos(c.course_name, $1) > 0 or starts_with(c.initials, lower($1)))
             and ($2::text is null or c.course_type = $2)
             and ($3::text is null or r.position = $3)
             and ($4::boolean is null or r.enabled = $4)
             and ($5::timestamptz is null or r.created_at >= $5)
             and ($6::timestamptz is null or r.created_at < $6)"#,
        filter.course_name,
        filter.course_type.map(CourseKind::as_str),
        filter.position.map(RecommendPosition::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, now: Moment, id: i64) -> Result<CourseRecommend> {
    let found = select(connection, now, Some(id), &CourseRecommendFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
