//! How exams are read.

use catalogue::course::{CourseAuditStatus, Putaway};
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use quiz_rules::content::{QuizContent, stored};
use sqlx::PgConnection;

use super::wire::QuizFilter;

/// An exam as lists show it: what is published of it, or before that what was typed last. Scores are tenths of a point.
pub struct QuizRow {
    pub(crate) id: i64,
    pub(crate) exam_name: String,
    pub(crate) category_id: Option<i64>,
    pub(crate) category_name: Option<String>,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) lecturer_name: Option<String>,
    pub(crate) cover: Option<String>,
    pub(crate) problem_total: i32,
    pub(crate) total_score: i64,
    pub(crate) pass_score: i64,
    pub(crate) duration_minutes: i32,
    pub(crate) attempt_limit: i32,
    pub(crate) is_free: bool,
    pub(crate) price_original: i64,
    pub(crate) price_sale: i64,
    pub(crate) count_join: i64,
    pub(crate) count_marking: i64,
    pub(crate) count_buy: i64,
    pub(crate) putaway: Putaway,
    pub(crate) audit_status: CourseAuditStatus,
    pub(crate) revision_status: Option<CourseAuditStatus>,
    pub(crate) audit_opinion: Option<String>,
    pub(crate) recommended: bool,
    pub(crate) enabled: bool,
    pub(crate) created_at: Moment,
    pub(crate) version: i32,
}

/// The newest first.
pub(crate) fn select<'c>(
    connection: &'c mut PgConnection,
    now: Moment,
    only: Option<i64>,
    filter: &QuizFilter,
    page: Option<Paging>,
) -> Rows<'c, QuizRow> {
    let rows = sqlx::query_as!(
        QuizRow,
        r#"select e.id, e.exam_name, e.category_id, g.category_name as "category_name?", e.lecturer_id,
                  l.lecturer_name as "lecturer_name?", e.cover, e.problem_total, e.total_score, e.pass_score, e.duration_minutes,
                  e.attempt_limit, e.is_free, e.price_original, e.price_sale,
                  (select count(*) from platform.online_exam_record r where r.exam_id = e.id and r.attempt_no = 1) as "count_join!",
                  (select count(*) from platform.online_exam_record r where r.exam_id = e.id and r.state = 'marking')
                      as "count_marking!",
                  e.count_buy, e.putaway as "putaway: _", e.audit_status as "audit_status: _",
                  (select v.audit_status from platform.online_exam_revision v
                   where v.exam_id = e.id and v.audit_status <> 'approved') as "revision_status: _",
                  (select v.audit_opinion from platform.online_exam_revision v
                   where v.exam_id = e.id and v.audit_status <> 'approved') as "audit_opinion?",
                  exists (select from platform.exam_recommend k
                          where k.exam_id = e.id and k.enabled and coalesce(k.begins_at, $1) <= $1
                            and coalesce(k.ends_at > $1, true)) as "recommended!",
                  e.enabled, e.created_at, e.version
           from platform.online_exam e
           left join platform.online_category g on g.id = e.category_id
           left join platform.lecturer l on l.id = e.lecturer_id
           where ($2::bigint is null or e.id = $2)
             and ($3::text is null or strpos(e.exam_name, $3) > 0 or starts_with(e.initials, lower($3)))
             and ($4::bigint is null or e.category_id in (
                 with recursive below as (
                     select $4::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($5::bigint is null or e.lecturer_id = $5)
             and ($6::boolean is null or e.is_free = $6)
             and ($7::text is null or e.putaway = $7)
             and ($8::text is null or e.audit_status = $8)
             and ($9::boolean is null or e.enabled = $9)
             and ($10::timestamptz is null or e.created_at >= $10)
             and ($11::timestamptz is null or e.created_at < $11)
             and ($12::boolean is null or $12 = exists (
                 select from platform.exam_recommend k
                 where k.exam_id = e.id and k.enabled and coalesce(k.begins_at, $1) <= $1 and coalesce(k.ends_at > $1, true)))
           order by e.id desc limit $13 offset $14"#,
        now,
        only,
        filter.exam_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.recommended,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(crate) async fn count(connection: &mut PgConnection, now: Moment, filter: &QuizFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_exam e
           where ($2::text is null or strpos(e.exam_name, $2) > 0 or starts_with(e.initials, lower($2)))
             and ($3::bigint is null or e.category_id in (
                 with recursive below as (
                     select $3::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($4::bigint is null or e.lecturer_id = $4)
             and ($5::boolean is null or e.is_free = $5)
             and ($6::text is null or e.putaway = $6)
             and ($7::text is null or e.audit_status = $7)
             and ($8::boolean is null or e.enabled = $8)
             and ($9::timestamptz is null or e.created_at >= $9)
             and ($10::timestamptz is null or e.created_at < $10)
             and ($11::boolean is null or $11 = exists (
                 select from platform.exam_recommend k
                 where k.exam_id = e.id and k.enabled and coalesce(k.begins_at, $1) <= $1 and coalesce(k.ends_at > $1, true)))"#,
        now,
        filter.exam_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.recommended
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn find(connection: &mut PgConnection, now: Moment, id: i64) -> Result<QuizRow> {
    let found = select(connection, now, Some(id), &QuizFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// The content of the version that is not approved, or of the one that is published.
pub(crate) async fn content_of(connection: &mut PgConnection, id: i64) -> Result<QuizContent> {
    let content = sqlx::query_scalar!(
        "select r.content from platform.online_exam_revision r join platform.online_exam e on e.id = r.exam_id
         where e.id = $1 and (r.audit_status <> 'approved' or r.id = e.published_revision_id)
         order by r.audit_status = 'approved' limit 1",
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    stored(content)
}
