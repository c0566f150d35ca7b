//! How classes are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use quiz_rules::{class::typed_code, enums::QuizClassVerify};
use sqlx::PgConnection;

/// A class, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClass {
    /// 编号
    pub id: i64,
    /// 班级名称
    pub grade_name: String,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 讲师姓名
    pub lecturer_name: Option<String>,
    /// 邀请码
    pub invite_code: String,
    /// 人数上限
    pub max_members: i32,
    /// 已加入人数
    pub joined_count: i64,
    /// 待审核人数
    pub pending_count: i64,
    /// 考试数
    pub exam_count: i64,
    /// 入班方式
    pub verify: QuizClassVerify,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
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
pub struct QuizClassFilter {
    /// 班级名称
    #[oai(validator(max_length = 60))]
    pub grade_name: Option<String>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 邀请码
    #[oai(validator(max_length = 20))]
    pub invite_code: Option<String>,
    /// 入班方式
    pub verify: Option<QuizClassVerify>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &QuizClassFilter,
    page: Option<Paging>,
) -> Rows<'c, QuizClass> {
    let rows = sqlx::query_as!(
        QuizClass,
        r#"select g.id, g.grade_name, g.lecturer_id, l.lecturer_name as "lecturer_name?", g.invite_code, g.max_members,
                  (select count(*) from platform.exam_grade_member m where m.grade_id = g.id and m.state = 'joined') as "joined_count!",
                  (select count(*) from platform.exam_grade_member m where m.grade_id = g.id and m.state = 'pending') as "pending_count!",
                  (select count(*) from platform.exam_grade_exam x where x.grade_id = g.id) as "exam_count!",
                  g.verify as "verify: _", g.starts_on, g.ends_on, g.enabled, g.created_at, g.version
           from platform.exam_grade_info g left join platform.lecturer l on l.id = g.lecturer_id
           where ($1::bigint is null or g.id = $1)
             and ($2::text is null or strpos(g.grade_name, $2) > 0 or starts_with(g.initials, lower($2)))
             and ($3::bigint is null or g.lecturer_id = $3)
             and ($4::text is null or g.invite_code = $4)
             and ($5::text is null or g.verify = $5)
             and ($6::boolean is null or g.enabled = $6)
             and ($7::timestamptz is null or g.created_at >= $7)
             and ($8::timestamptz is null or g.created_at < $8)
           order by g.id desc limit $9 offset $10"#,
        only,
        filter.grade_name,
        filter.lecturer_id,
        filter.invite_code.as_deref().map(typed_code),
        filter.verify.map(QuizClassVerify::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &QuizClassFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.exam_grade_info g
           where ($1::text is null or strpos(g.grade_name, $1) > 0 or starts_with(g.initials, lower($1)))
             and ($2::bigint is null or g.lecturer_id = $2)
             and ($3::text is null or g.invite_code = $3)
             and ($4::text is null or g.verify = $4)
             and ($5::boolean is null or g.enabled = $5)
             and ($6::timestamptz is null or g.created_at >= $6)
             and ($7::timestamptz is null or g.created_at < $7)"#,
        filter.grade_name,
        filter.lecturer_id,
        filter.invite_code.as_deref().map(typed_code),
        filter.verify.map(QuizClassVerify::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<QuizClass> {
    let found = select(connection, Some(id), &QuizClassFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
