//! What of a course is done: periods by what was watched of them, the course by its periods (part 03 B5).
//!
//! ```text
//! period: seen / whole, or finished and 100      course: Σ weight × period / Σ weight over enabled required periods
//! ```
//! A period that was finished stays so, whatever becomes of its material, and a course that was finished stays at 100. Progress that
//! came from another platform is the least that is shown. Rounding happens once, on the last step.
//!
//! Who holds one selection alone ([`hold`]) waits for nobody else's; who holds many does so one work at a time ([`alone`]).

use infra::{Result, clock::Moment};
use sqlx::PgConnection;

/// How far a selection is.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    pub id: i64,
    /// In percent.
    pub progress: f64,
    pub finished: bool,
}

/// How courses are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    at: Moment,
    /// Somebody studied then.
    studied: bool,
    /// What is shown stays at the least.
    never_lower: bool,
}

impl Counting {
    /// Because something changed of which they are counted.
    pub const fn anew_at(at: Moment) -> Self {
        Self { at, studied: false, never_lower: false }
    }

    /// Because their student studied.
    pub const fn studied_at(at: Moment) -> Self {
        Self { at, studied: true, never_lower: false }
    }

    /// Because more came from another platform, which never lowers anything.
    pub const fn added_at(at: Moment) -> Self {
        Self { at, studied: false, never_lower: true }
    }
}

/// Whoever holds the study of many selections holds them in the order in which they come to it, not in that of their ids; so one
/// such work of a school waits for the other.
///
/// # Errors
/// 409 when the other takes too long.
pub(crate) async fn alone(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('online_study ' || current_schema(), 0))::text as "locked""#
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Holds the course progress of these selections in the order of their ids; who has none gets one.
///
/// # Errors
/// Those of the database.
pub(crate) async fn hold(connection: &mut PgConnection, selections: &[i64]) -> Result<()> {
    let held = lock(connection, selections).await?;
    let new: Vec<i64> = selections.iter().copied().filter(|id| held.binary_search(id).is_err()).collect();
    if new.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into study_course_progress (id, opening_id)
         select id, opening_id from course_selection where id = any($1) order by id
         on conflict (id) do nothing",
        &new
    )
    .execute(&mut *connection)
    .await?;
    lock(connection, &new).await?;
    Ok(())
}

/// Answers those that there are, in order.
async fn lock(connection: &mut PgConnection, selections: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from study_course_progress where id = any($1) order by id for update",
        selections
    )
    .fetch_all(connection)
    .await?)
}

/// Counts the periods of these selections anew that are not finished, by how long their material is and from which share on they
/// are finished now. The selections are held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn recount_periods(connection: &mut PgConnection, selections: &[i64], now: Moment) -> Result<()> {
    sqlx::query!(
        "update study_progress x
         set seen = n.seen, progress = least(100, case when n.whole > 0 then round(n.seen * 100.0 / n.whole, 1) else 0 end),
             finished_at = case when n.whole > 0 and n.seen * 100 >= n.whole * n.finish_percent then $2::timestamptz end
         from (select y.id, w.whole, w.finish_percent, coalesce((
                          select sum(upper(part) - lower(part))
                          from unnest(case when d.kind = 'document' then y.pages else y.watched end
                                      * int4multirange(case when d.kind = 'document' then int4range(1, w.whole + 1)
                                                            else int4range(0, coalesce(w.whole, 360000)) end)) part), 0)::bigint as seen
               from study_progress y
               join course_selection c on c.id = y.selection_id
               join course_period d on d.id = y.period_id
               left join media_asset m on m.id = d.media_asset_id
               left join online_teaching t on t.id = c.opening_id
               cross join lateral (
                   select case d.kind when 'document' then coalesce(d.page_count, 1) when 'link' then 1
                                      when 'live' then extract(epoch from d.live_ends_at - d.live_starts_at)::integer
                                      else coalesce(d.duration_seconds, m.duration) end as whole,
                          coalesce(t.finish_percent, 90) as finish_percent) w
               where y.selection_id = any($1) and y.finished_at is null) n
         where x.id = n.id",
        selections,
        now as _
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Counts the courses of these selections anew. They are held. Whose course has no material keeps what was counted when it had some.
///
/// # Errors
/// Those of the database.
pub(crate) async fn recount(
    connection: &mut PgConnection,
    selections: &[i64],
    counting: Counting,
) -> Result<Vec<Counted>> {
    let counted = sqlx::query_as!(
        Counted,
        r#"with courses as (
               select c.id, c.opening_id, coalesce(t.course_record_id, r.id) as record_id
               from course_selection c
               join course_opening o on o.id = c.opening_id
               left join online_teaching t on t.id = o.id
               left join course_record r on r.course_id = o.course_id and r.is_default and r.status = 'published'
               where c.id = any($1)
           ), periods as (
               select k.id, d.weight, x.finished_at is not null as finished,
                      case when x.finished_at is not null then 100
                           when w.whole > 0 then least(100, coalesce(x.seen, 0) * 100.0 / w.whole)
                           else 0 end as share
               from courses k
               join course_period d on d.course_record_id = k.record_id and d.enabled and d.required
               left join media_asset m on m.id = d.media_asset_id
               left join study_progress x on x.selection_id = k.id and x.period_id = d.id
               cross join lateral (
                   select case d.kind when 'document' then coalesce(d.page_count, 1) when 'link' then 1
                                      when 'live' then extract(epoch from d.live_ends_at - d.live_starts_at)::integer
                                      else coalesce(d.duration_seconds, m.duration) end as whole) w
           ), counted as (
               select k.id, k.opening_id, count(p.id)::integer as total,
                      (count(*) filter (where p.finished))::integer as finished,
                      case when k.record_id is not null
                           then coalesce(case when sum(p.weight) > 0 then sum(p.weight * p.share) / sum(p.weight)
                                              else avg(p.share) end, 0) end as exact
               from courses k left join periods p on p.id = k.id
               group by k.id, k.opening_id, k.record_id
           )
           update study_course_progress g
           set opening_id = n.opening_id, total_periods = case when n.exact is null then g.total_periods else n.total end,
               finished_periods = case when n.exact is null then g.finished_periods else n.finished end,
               progress = case when g.finished_at is not null or n.exact >= 100 then 100
                               else greatest(case when n.exact is not null then least(round(n.exact, 1), 99.9) end,
                                             case when n.exact is null or $4 then g.progress end,
                                             g.imported_progress, 0) end,
               finished_at = case when g.finished_at is not null then g.finished_at
                                  when n.exact >= 100 or g.imported_progress = 100 then $2::timestamptz end,
               study_seconds = (select coalesce(sum(seconds), 0) from study_day y where y.selection_id = g.id),
               login_days = (select count(*) from study_day y where y.selection_id = g.id),
               last_at = case when $3 then greatest(g.last_at, $2) else g.last_at end,
               updated_at = $2
           from counted n
           where g.id = n.id
           returning g.id, g.progress::float8 as "progress!", g.finished_at is not null as "finished!""#,
        selections,
        counting.at as _,
        counting.studied,
        counting.never_lower
    )
    .fetch_all(connection)
    .await?;
    Ok(counted)
}
