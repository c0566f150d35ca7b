//! How arrangements are read.

use futures_util::TryStreamExt;
use infra::{Error, Paging, Result, clock::Moment, transfer::Rows};
use poem_openapi::Object;
use sqlx::PgConnection;

/// An exam of a class.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizArrangement {
    /// 编号
    pub id: i64,
    /// 考试班级
    pub grade_id: i64,
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 考试时长(分钟)
    pub duration_minutes: i32,
    /// 开放时间
    pub opens_at: Moment,
    /// 关闭时间
    pub closes_at: Moment,
    /// 参加人数
    pub taken_count: i64,
    /// 待批改数
    pub marking_count: i64,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizArrangementFilter {
    /// 考试班级
    pub grade_id: Option<i64>,
    /// 试卷名称
    #[oai(validator(max_length = 60))]
    pub exam_name: Option<String>,
}

/// Those that open last before all others.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &QuizArrangementFilter,
    page: Option<Paging>,
) -> Rows<'c, QuizArrangement> {
    let rows = sqlx::query_as!(
        QuizArrangement,
        r#"select x.id, x.grade_id, x.exam_id, e.exam_name, e.duration_minutes, x.opens_at, x.closes_at,
                  (select count(distinct r.learner_id) from platform.online_exam_record r
                   where r.grade_id = x.grade_id and r.exam_id = x.exam_id) as "taken_count!",
                  (select count(*) from platform.online_exam_record r
                   where r.grade_id = x.grade_id and r.exam_id = x.exam_id and r.state = 'marking') as "marking_count!",
                  x.created_at, x.version
           from platform.exam_grade_exam x join platform.online_exam e on e.id = x.exam_id
           where ($1::bigint is null or x.id = $1)
             and ($2::bigint is null or x.grade_id = $2)
             and ($3::text is null or strpos(e.exam_name, $3) > 0 or starts_with(e.initials, lower($3)))
           order by x.opens_at desc, x.id desc limit $4 offset $5"#,
        only,
        filter.grade_id,
        filter.exam_name,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &QuizArrangementFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.exam_grade_exam x join platform.online_exam e on e.id = x.exam_id
           where ($1::bigint is null or x.grade_id = $1)
             and ($2::text is null or strpos(e.exam_name, $2) > 0 or starts_with(e.initials, lower($2)))"#,
        filter.grade_id,
        filter.exam_name
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<QuizArrangement> {
    let found = select(connection, Some(id), &QuizArrangementFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
