//! How comments are read.

use catalogue_rules::course::SiteCourseKind;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::CommentStatus;

/// A comment.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseComment {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课程类型
    pub course_type: SiteCourseKind,
    /// 用户
    pub learner_name: String,
    /// 运营方回复
    pub by_operator: bool,
    /// 回复的评论
    pub parent_id: Option<i64>,
    /// 内容
    pub content: String,
    /// 审核状态
    pub audit_status: CommentStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 置顶
    pub is_top: bool,
    /// 点赞
    pub like_count: i64,
    /// 回复数
    pub answer_count: i64,
    /// 发表地址
    pub ip: Option<String>,
    /// 发表时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A comment with its answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCommentView {
    #[oai(flatten)]
    pub comment: CourseComment,
    /// 回复
    pub answers: Vec<CourseComment>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseCommentFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 课程
    pub course_id: Option<i64>,
    /// 用户
    #[oai(validator(max_length = 30))]
    pub learner_name: Option<String>,
    /// 内容
    #[oai(validator(max_length = 50))]
    pub content: Option<String>,
    /// 审核状态
    pub audit_status: Option<CommentStatus>,
    /// 发表日期起
    pub created_from: Option<NaiveDate>,
    /// 发表日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first; answers stand among them.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CourseCommentFilter,
    page: Option<Paging>,
) -> Rows<'c, CourseComment> {
    let rows = sqlx::query_as!(
        CourseComment,
        r#"select m.id, m.course_id, c.course_name, c.course_type as "course_type: _", m.learner_name,
                  m.learner_id is null as "by_operator!", m.parent_id, m.content, m.audit_status as "audit_status: _",
                  m.audit_opinion, m.is_top, m.like_count,
                  (select count(*) from platform.course_comment a where a.parent_id = m.id) as "answer_count!", m.ip,
                  m.created_at, m.version
           from platform.course_comment m join platform.online_course c on c.id = m.course_id
           where ($1::bigint is null or m.id = $1)
             and ($2::text is null or strpos(c.course_name, $2) > 0 or starts_with(c.initials, lower($2)))
             and ($3::bigint is null or m.course_id = $3)
             and ($4::text is null or strpos(m.learner_name, $4) > 0)
             and ($5::text is null or strpos(m.content, $5) > 0)
             and ($6::text is null or m.audit_status = $6)
             and ($7::timestamptz is null or m.created_at >= $7)
             and ($8::timestamptz is null or m.created_at < $8)
           order by m.created_at desc, m.id desc limit $9 offset $10"#,
        only,
        filter.course_name,
        filter.course_id,
        filter.learner_name,
        filter.content,
        filter.audit_status.map(CommentStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many comments are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &CourseCommentFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select m.audit_status as "value!", count(*) as "count!"
           from platform.course_comment m join platform.online_course c on c.id = m.course_id
           where ($1::text is null or strpos(c.course_name, $1) > 0 or starts_with(c.initials, lower($1)))
             and ($2::bigint is null or m.course_id = $2)
             and ($3::text is null or strpos(m.learner_name, $3) > 0)
             and ($4::text is null or strpos(m.content, $4) > 0)
             and ($5::timestamptz is null or m.created_at >= $5)
             and ($6::timestamptz is null or m.created_at < $6)
           group by m.audit_status order by m.audit_status"#,
        filter.course_name,
        filter.course_id,
        filter.learner_name,
        filter.content,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CourseComment> {
    let found = select(connection, Some(id), &CourseCommentFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// The answers to a comment, the first one first.
pub(super) async fn answers(connection: &mut PgConnection, id: i64) -> Result<Vec<CourseComment>> {
    let answers = sqlx::query_as!(
        CourseComment,
        r#"select m.id, m.course_id, c.course_name, c.course_type as "course_type: _", m.learner_name,
                  m.learner_id is null as "by_operator!", m.parent_id, m.content, m.audit_status as "audit_status: _",
                  m.audit_opinion, m.is_top, m.like_count, 0::bigint as "answer_count!", m.ip, m.created_at, m.version
           from platform.course_comment m join platform.online_course c on c.id = m.course_id
           where m.parent_id = $1
           order by m.id limit 200"#,
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(answers)
}
