//! How courses are read. One statement answers every kind: what a kind has of its own is empty for the others.

use catalogue_rules::course::{SiteCourseKind, stored_as};
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    enumeration,
    transfer::Rows,
};
use poem_openapi::types::ParseFromJSON;
use sqlx::PgConnection;

use super::{CourseAuditStatus, Putaway};

enumeration! {
    /// 直播状态
    pub enum LiveStanding = "liveStanding" {
        Unscheduled = "none" "未安排",
        Waiting = "waiting" "未开始",
        Living = "living" "直播中",
        Ended = "ended" "已结束",
    }
}

/// A course as lists show it: what is published of it, or before that what was typed last.
pub(crate) struct CourseRow {
    pub(crate) id: i64,
    pub(crate) course_name: String,
    pub(crate) category_id: i64,
    pub(crate) category_name: String,
    pub(crate) lecturer_id: i64,
    pub(crate) lecturer_name: String,
    pub(crate) cover: String,
    pub(crate) is_free: bool,
    pub(crate) price_original: i64,
    pub(crate) price_sale: i64,
    pub(crate) valid_days: Option<i32>,
    pub(crate) period_total: i64,
    /// Seconds of all lessons: of their videos, or of the time at which a live one without replay is given.
    pub(crate) duration_seconds: i64,
    pub(crate) count_buy: i64,
    pub(crate) count_buy_base: i64,
    pub(crate) score_avg: Option<f64>,
    pub(crate) score_count: i64,
    pub(crate) putaway: Putaway,
    pub(crate) audit_status: CourseAuditStatus,
    pub(crate) revision_status: Option<CourseAuditStatus>,
    pub(crate) audit_opinion: Option<String>,
    pub(crate) recommended: bool,
    pub(crate) school_shared: bool,
    pub(crate) next_starts_at: Option<Moment>,
    pub(crate) live_standing: LiveStanding,
    pub(crate) resource_ext: Option<String>,
    pub(crate) resource_pages: Option<i32>,
    pub(crate) resource_size: Option<i64>,
    pub(crate) download_count: i64,
    pub(crate) enabled: bool,
    pub(crate) created_at: Moment,
    pub(crate) version: i32,
}

/// What lists ask for.
#[derive(Debug, Clone, Default)]
pub(crate) struct CourseQuery {
    pub(crate) course_name: Option<String>,
    pub(crate) category_id: Option<i64>,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) is_free: Option<bool>,
    pub(crate) putaway: Option<Putaway>,
    pub(crate) audit_status: Option<CourseAuditStatus>,
    pub(crate) recommended: Option<bool>,
    pub(crate) school_shared: Option<bool>,
    pub(crate) live_standing: Option<LiveStanding>,
    pub(crate) resource_ext: Option<String>,
    pub(crate) enabled: Option<bool>,
    pub(crate) created_from: Option<NaiveDate>,
    pub(crate) created_to: Option<NaiveDate>,
}

/// Courses of a kind, the newest first.
pub(crate) fn select<'c>(
    connection: &'c mut PgConnection,
    kind: SiteCourseKind,
    now: Moment,
    only: Option<i64>,
    filter: &CourseQuery,
    page: Option<Paging>,
) -> Rows<'c, CourseRow> {
    let rows = sqlx::query_as!(
        CourseRow,
        r#"select c.id, c.course_name, c.category_id, g.category_name, c.lecturer_id, l.lecturer_name, c.cover, c.is_free,
                  c.price_original, c.price_sale, c.valid_days, t.periods as "period_total!",
                  t.seconds as "duration_seconds!", c.count_buy, c.count_buy_base, c.score_avg::float8 as "score_avg?",
                  c.score_count, c.putaway as "putaway: _", c.audit_status as "audit_status: _",
                  (select r.audit_status from platform.online_course_revision r
                   where r.course_id = c.id and r.audit_status <> 'approved') as "revision_status: _",
                  (select r.audit_opinion from platform.online_course_revision r
                   where r.course_id = c.id and r.audit_status <> 'approved') as "audit_opinion?",
                  exists (select from platform.course_recommend k
                          where k.course_id = c.id and k.enabled and coalesce(k.begins_at, $2) <= $2
                            and coalesce(k.ends_at > $2, true)) as "recommended!",
                  c.school_shared, t.next_starts_at as "next_starts_at?",
                  case when t.living > 0 then 'living' when t.waiting > 0 then 'waiting' when t.periods > 0 then 'ended'
                       else 'none' end as "live_standing!: _",
                  c.resource_ext, c.resource_pages, c.resource_size, c.download_count, c.enabled, c.created_at, c.version
           from platform.online_course c
           join platform.online_category g on g.id = c.category_id
           join platform.lecturer l on l.id = c.lecturer_id
           cross join lateral (
               select count(*) as periods, count(*) filter (where p.starts_at <= $2 and p.ends_at > $2) as living,
                      count(*) filter (where p.starts_at > $2) as waiting,
                      min(p.starts_at) filter (where p.starts_at > $2) as next_starts_at,
                      coalesce(sum(coalesce(m.duration, extract(epoch from p.ends_at - p.starts_at))), 0)::bigint as seconds
               from platform.online_period p join platform.online_chapter h on h.id = p.chapter_id
               left join platform.media_asset m on m.id = coalesce(p.media_asset_id, p.replay_asset_id)
               where h.course_id = c.id) t
           where c.course_type = $1
             and ($3::bigint is null or c.id = $3)
             and ($4::text is null or strpos(c.course_name, $4) > 0 or starts_with(c.initials, lower($4)))
             and ($5::bigint is null or c.category_id in (
                 with recursive below as (
                     select $5::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($6::bigint is null or c.lecturer_id = $6)
             and ($7::boolean is null or c.is_free = $7)
             and ($8::text is null or c.putaway = $8)
             and ($9::text is null or c.audit_status = $9)
             and ($10::boolean is null or c.school_shared = $10)
             and ($11::boolean is null or c.enabled = $11)
             and ($12::timestamptz is null or c.created_at >= $12)
             and ($13::timestamptz is null or c.created_at < $13)
             and ($14::boolean is null or $14 = exists (
                 select from platform.course_recommend k
                 where k.course_id = c.id and k.enabled and coalesce(k.begins_at, $2) <= $2 and coalesce(k.ends_at > $2, true)))
             and ($15::text is null or c.resource_ext = $15)
             and ($16::text is null or $16 =
                 case when t.living > 0 then 'living' when t.waiting > 0 then 'waiting' when t.periods > 0 then 'ended'
                      else 'none' end)
           order by c.id desc limit $17 offset $18"#,
        kind.as_str(),
        now,
        only,
        filter.course_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.school_shared,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.recommended,
        filter.resource_ext,
        filter.live_standing.map(LiveStanding::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(crate) async fn count(
    connection: &mut PgConnection,
    kind: SiteCourseKind,
    now: Moment,
    filter: &CourseQuery,
) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_course c
           where c.course_type = $1
             and ($3::text is null or strpos(c.course_name, $3) > 0 or starts_with(c.initials, lower($3)))
             and ($4::bigint is null or c.category_id in (
                 with recursive below as (
                     select $4::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($5::bigint is null or c.lecturer_id = $5)
             and ($6::boolean is null or c.is_free = $6)
             and ($7::text is null or c.putaway = $7)
             and ($8::text is null or c.audit_status = $8)
             and ($9::boolean is null or c.school_shared = $9)
             and ($10::boolean is null or c.enabled = $10)
             and ($11::timestamptz is null or c.created_at >= $11)
             and ($12::timestamptz is null or c.created_at < $12)
             and ($13::boolean is null or $13 = exists (
                 select from platform.course_recommend k
                 where k.course_id = c.id and k.enabled and coalesce(k.begins_at, $2) <= $2 and coalesce(k.ends_at > $2, true)))
             and ($14::text is null or c.resource_ext = $14)
             and ($15::text is null or $15 = (
                 select case when count(*) filter (where p.starts_at <= $2 and p.ends_at > $2) > 0 then 'living'
                             when count(*) filter (where p.starts_at > $2) > 0 then 'waiting'
                             when count(*) > 0 then 'ended' else 'none' end
                 from platform.online_period p join platform.online_chapter h on h.id = p.chapter_id
                 where h.course_id = c.id))"#,
        kind.as_str(),
        now,
        filter.course_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.school_shared,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.recommended,
        filter.resource_ext,
        filter.live_standing.map(LiveStanding::as_str)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 also for a course of another kind.
pub(crate) async fn find(
    connection: &mut PgConnection,
    kind: SiteCourseKind,
    now: Moment,
    id: i64,
) -> Result<CourseRow> {
    let found = select(connection, kind, now, Some(id), &CourseQuery::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// The content of the version that is not approved, or of the one that is published. `C` is that of the course's kind.
pub(crate) async fn content_of<C: ParseFromJSON>(connection: &mut PgConnection, id: i64) -> Result<C> {
    let content = sqlx::query_scalar!(
        "select r.content from platform.online_course_revision r join platform.online_course c on c.id = r.course_id
         where c.id = $1 and (r.audit_status <> 'approved' or r.id = c.published_revision_id)
         order by r.audit_status = 'approved' limit 1",
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    stored_as(content)
}
