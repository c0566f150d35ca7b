//! How scores are read.

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

/// A score.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRating {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课程类型
    pub course_type: CourseKind,
    /// 用户
    pub learner_name: String,
    /// 评分
    pub score: i16,
    /// 内容
    pub content: Option<String>,
    /// 评分时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRatingFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 用户
    #[oai(validator(max_length = 30))]
    pub learner_name: Option<String>,
    /// 评分
    #[oai(validator(minimum(value = "1"), maximum(value = "5")))]
    pub score: Option<i16>,
    /// 评分日期起
    pub created_from: Option<NaiveDate>,
    /// 评分日期止
    pub created_to: Option<NaiveDate>,
}

/// How many gave a score.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct RatingCount {
    /// 评分
    pub score: i16,
    /// 人数
    pub count: i64,
}

/// What scores come to.
pub(super) struct Spread {
    pub(super) count: i64,
    pub(super) average: Option<f64>,
    /// From 5 to 1, also what nobody gave.
    pub(super) distribution: Vec<RatingCount>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CourseRatingFilter,
    page: Option<Paging>,
) -> Rows<'c, CourseRating> {
    let rows = sqlx::query_as!(
        CourseRating,
        r#"select r.id, r.course_id, c.course_name, c.course_type as "course_type: _", r.learner_name, r.score, r.content,
                  r.created_at
           from platform.course_rating r join platform.online_course c on c.id = r.course_id
           where ($1::bigint is null or r.id = $1)
             and ($2::text is null or strpos(c.course_name, $2) > 0 or starts_with(c.initials, lower($2)))
             and ($3::text is null or strpos(r.learner_name, $3) > 0)
             and ($4::smallint is null or r.score = $4)
             and ($5::timestamptz is null or r.created_at >= $5)
             and ($6::timestamptz is null or r.created_at < $6)
           order by r.created_at desc, r.id desc limit $7 offset $8"#,
        only,
        filter.course_name,
        filter.learner_name,
        filter.score,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn spread(connection: &mut PgConnection, filter: &CourseRatingFilter) -> Result<Spread> {
    let counted = sqlx::query_as!(
        RatingCount,
        r#"select r.score, count(*) as "count!"
           from platform.course_rating r join platform.online_course c on c.id = r.course_id
           where ($1::text is null or strpos(c.course_name, $1) > 0 or starts_with(c.initials, lower($1)))
             and ($2::text is null or strpos(r.learner_name, $2) > 0)
             and ($3::smallint is null or r.score = $3)
             and ($4::timestamptz is null or r.created_at >= $4)
             and ($5::timestamptz is null or r.created_at < $5)
           group by r.score"#,
        filter.course_name,
        filter.learner_name,
        filter.score,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    let count: i64 = counted.iter().map(|each| each.count).sum();
    let sum: i64 = counted.iter().map(|each| each.count * i64::from(each.score)).sum();
    let of = |score: i16| counted.iter().find(|each| each.score == score).map_or(0, |each| each.count);
    let distribution = (1..=5).rev().map(|score| RatingCount { score, count: of(score) }).collect();
    Ok(Spread { count, average: mean(sum, count), distribution })
}

/// One place, half up; none of nothing.
fn mean(sum: i64, count: i64) -> Option<f64> {
    (count > 0).then(|| ((sum * 20 + count) / (count * 2)) as f64 / 10.0)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CourseRating> {
    let found = select(connection, Some(id), &CourseRatingFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
