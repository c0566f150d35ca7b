//! How recommendations are read.

use catalogue::recommend::RecommendStanding;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use quiz_rules::enums::QuizRecommendPosition;
use sqlx::PgConnection;

/// A recommendation.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizRecommend {
    /// 编号
    pub id: i64,
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 位置
    pub position: QuizRecommendPosition,
    /// 分类
    pub category_id: Option<i64>,
    /// 分类名称
    pub category_name: Option<String>,
    /// 开始时间
    pub begins_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 展示状态
    /// 试卷未上架、已停用或未通过审核时为已失效
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
pub struct QuizRecommendFilter {
    /// 试卷名称
    #[oai(validator(max_length = 60))]
    pub exam_name: Option<String>,
    /// 位置
    pub position: Option<QuizRecommendPosition>,
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
    filter: &QuizRecommendFilter,
    page: Option<Paging>,
) -> Rows<'c, QuizRecommend> {
    let rows = sqlx::query_as!(
        QuizRecommend,
        r#"select r.id, r.exam_id, e.exam_name, r.position as "position: _", r.category_id,
                  g.category_name as "category_name?", r.begins_at, r.ends_at,
                  case when not r.enabled then 'disabled'
                       when not (e.enabled and e.putaway = 'on') then 'hidden'
                       when r.begins_at > $1 then 'waiting'
                       when r.ends_at <= $1 then 'ended'
                       else 'shown' end as "standing!: _",
                  r.sort, r.enabled, r.created_at, r.version
           from platform.exam_recommend r
           join platform.online_exam e on e.id = r.exam_id
           left join platform.online_category g on g.id = r.category_id
           where ($2::bigint is null or r.id = $2)
             and ($3::text is null or strpos(e.exam_name, $3) > 0 or starts_with(e.initials, lower($3)))
             and ($4::text is null or r.position = $4)
             and ($5::boolean is null or r.enabled = $5)
             and ($6::timestamptz is null or r.created_at >= $6)
             and ($7::timestamptz is null or r.created_at < $7)
           order by r.position, r.category_id nulls first, r.sort, r.id desc limit $8 offset $9"#,
        now,
        only,
        filter.exam_name,
        filter.position.map(QuizRecommendPosition::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &QuizRecommendFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.exam_recommend r
           join platform.online_exam e on e.id = r.exam_id
           where ($1::text is null or strpos(e.exam_name, $1) > 0 or starts_with(e.initials, lower($1)))
             and ($2::text is null or r.position = $2)
             and ($3::boolean is null or r.enabled = $3)
             and ($4::timestamptz is null or r.created_at >= $4)
             and ($5::timestamptz is null or r.created_at < $5)"#,
        filter.exam_name,
        filter.position.map(QuizRecommendPosition::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, now: Moment, id: i64) -> Result<QuizRecommend> {
    let found = select(connection, now, Some(id), &QuizRecommendFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
