//! 访问日: where visitors came from, and what they did then. What a visit led to stands with the row that it led to: a registration
//! bears the key of the browser, so its module need not know of visits. The same holds for learners of the operators' own site.

use chrono::{Days, NaiveDate};
use infra::{
    App, Result, Tx,
    audit::Actor,
    clock::{Moment, day_began},
    directory::School,
    tx,
};
use sqlx::PgConnection;

use super::{Done, Key, alone, begin, mark};

/// Days for which single visits are kept.
pub(crate) const KEPT_DAYS: u64 = 40;
/// Days that are counted in one transaction.
const AT_ONCE: i64 = 20;

/// A registration of somebody whose browser is known.
#[derive(Debug, Clone)]
pub(crate) struct Visited {
    id: i64,
    visitor_key: String,
    created_at: Moment,
}

/// Registrations of known browsers that changed since, or all.
pub(super) async fn changed(connection: &mut PgConnection, since: Option<Moment>) -> Result<Vec<Visited>> {
    Ok(sqlx::query_as!(
        Visited,
        r#"select id, visitor_key as "visitor_key!", created_at from pre_registration
           where visitor_key is not null and ($1::timestamptz is null or updated_at >= $1)
           order by id"#,
        since as _
    )
    .fetch_all(connection)
    .await?)
}

/// Gives each registration to the last visit with a link or channel within 30 days before it, and marks its day. A visit bears the
/// server's clock and a registration the database's: the two may be a little apart.
pub(super) async fn convert(tx: &mut Tx, visited: &[Visited]) -> Result<()> {
    if visited.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = visited.iter().map(|one| one.id).collect();
    let keys: Vec<&str> = visited.iter().map(|one| one.visitor_key.as_str()).collect();
    let times: Vec<Moment> = visited.iter().map(|one| one.created_at).collect();
    sqlx::query!(
        "insert into visit_conversion (kind, ref_id, visitor_key, page, link_id, channel, terminal, referrer_domain, at)
         select 'pre_registration', n.id, n.visitor, v.page, v.link_id, v.channel, v.terminal, v.referrer_domain, n.at
         from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as n (id, visitor, at)
         cross join lateral (
             select x.page, x.link_id, x.channel, x.terminal, x.referrer_domain from visit x
             where x.visitor_key = n.visitor and x.at >= n.at - interval '30 days' and x.at <= n.at + interval '1 minute'
             order by (x.link_id <> 0 or x.channel <> '') desc, x.at desc, x.id desc limit 1) v
         on conflict (kind, ref_id) do nothing",
        &ids,
        &keys as _,
        &times as &[Moment]
    )
    .execute(&mut **tx)
    .await?;
    let days: Vec<Key> = visited.iter().map(|one| Key { k1: 0, k2: 0, day: one.created_at.date_naive() }).collect();
    mark(tx, "visit", &days).await
}

/// Counts the views of days anew, of which single visits are still kept. The same in a school and in `platform`.
async fn views(tx: &mut Tx, days: &[NaiveDate]) -> Result<u64> {
    let today = tx.app().clock().today();
    let kept_from = today.checked_sub_days(Days::new(KEPT_DAYS)).unwrap_or(today);
    let days: Vec<NaiveDate> = days.iter().copied().filter(|day| *day >= kept_from).collect();
    let done = sqlx::query!(
        "insert into visit_day as s (date, page, link_id, channel, terminal, referrer_domain, pv, uv, pre_registrations,
             admissions, registrations, learners)
         select d.day, v.page, v.link_id, v.channel, v.terminal, v.referrer_domain, count(*)::integer,
                count(distinct v.visitor_key)::integer, 0, 0, 0, 0
         from (select distinct w.day from unnest($1::date[]) as w (day)) d
         join visit v on v.at >= d.day::timestamp at time zone 'Asia/Shanghai'
                     and v.at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai'
         group by d.day, v.page, v.link_id, v.channel, v.terminal, v.referrer_domain
         on conflict (date, page, link_id, channel, terminal, referrer_domain) do update
         set pv = excluded.pv, uv = excluded.uv
         where (s.pv, s.uv) is distinct from (excluded.pv, excluded.uv)",
        &days
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected())
}

/// Counts what the visits of days led to anew. Who is in the recycle bin does not count, who was admitted later counts at their day.
async fn conversions(tx: &mut Tx, days: &[NaiveDate]) -> Result<()> {
    sqlx::query!(
        "update visit_day set pre_registrations = 0, admissions = 0, registrations = 0
         where date = any($1) and (pre_registrations > 0 or admissions > 0 or registrations > 0)",
        days
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into visit_day as s (date, page, link_id, channel, terminal, referrer_domain, pv, uv, pre_registrations,
             admissions, registrations, learners)
         select d.day, c.page, c.link_id, c.channel, c.terminal, c.referrer_domain, 0, 0, count(*)::integer,
                (count(*) filter (where p.exam_status = 'admitted'))::integer,
                (count(*) filter (where exists (
                     select from admission a join registration r on r.admission_id = a.id
                     where a.pre_registration_id = p.id and a.deleted_at is null and r.deleted_at is null
                       and r.status = 'reported')))::integer, 0
         from (select distinct w.day from unnest($1::date[]) as w (day)) d
         join visit_conversion c on c.kind = 'pre_registration'
              and c.at >= d.day::timestamp at time zone 'Asia/Shanghai'
              and c.at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai'
         join pre_registration p on p.id = c.ref_id and p.deleted_at is null
         group by d.day, c.page, c.link_id, c.channel, c.terminal, c.referrer_domain
         on conflict (date, page, link_id, channel, terminal, referrer_domain) do update
         set pre_registrations = excluded.pre_registrations, admissions = excluded.admissions,
             registrations = excluded.registrations",
        days
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives each learner who registered of late, and whose browser is known, to the last visit with a link or channel within 30 days
/// before; answers the days on which they registered. Both bear the server's clock.
async fn convert_learners(tx: &mut Tx) -> Result<Vec<NaiveDate>> {
    let today = tx.app().clock().today();
    let since = day_began(today.checked_sub_days(Days::new(KEPT_DAYS)).unwrap_or(today));
    Ok(sqlx::query_scalar!(
        r#"with found as (
               insert into platform.visit_conversion (kind, ref_id, visitor_key, page, link_id, channel, terminal,
                   referrer_domain, at)
               select 'learner', e.id, e.visitor_key, v.page, v.link_id, v.channel, v.terminal, v.referrer_domain, e.created_at
               from platform.user_ext e
               cross join lateral (
                   select x.page, x.link_id, x.channel, x.terminal, x.referrer_domain from platform.visit x
                   where x.visitor_key = e.visitor_key and x.at >= e.created_at - interval '30 days'
                     and x.at <= e.created_at + interval '1 minute'
                   order by (x.link_id <> 0 or x.channel <> '') desc, x.at desc, x.id desc limit 1) v
               where e.visitor_key is not null and e.created_at >= $1::timestamptz
                 and not exists (select from platform.visit_conversion c where c.kind = 'learner' and c.ref_id = e.id)
               on conflict (kind, ref_id) do nothing
               returning at)
           select distinct (at at time zone 'Asia/Shanghai')::date as "day!" from found"#,
        since as _
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Counts the learners whom the visits of days led to anew.
async fn registered(tx: &mut Tx, days: &[NaiveDate]) -> Result<()> {
    sqlx::query!("update platform.visit_day set learners = 0 where date = any($1) and learners > 0", days)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into platform.visit_day as s (date, page, link_id, channel, terminal, referrer_domain, pv, uv,
             pre_registrations, admissions, registrations, learners)
         select d.day, c.page, c.link_id, c.channel, c.terminal, c.referrer_domain, 0, 0, 0, 0, 0, count(*)::integer
         from (select distinct w.day from unnest($1::date[]) as w (day)) d
         join platform.visit_conversion c on c.kind = 'learner'
              and c.at >= d.day::timestamp at time zone 'Asia/Shanghai'
              and c.at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai'
         group by d.day, c.page, c.link_id, c.channel, c.terminal, c.referrer_domain
         on conflict (date, page, link_id, channel, terminal, referrer_domain) do update
         set learners = excluded.learners",
        days
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The days that wait, in the school of the transaction or in `platform`; they go with it.
async fn waiting(tx: &mut Tx) -> Result<Vec<NaiveDate>> {
    Ok(sqlx::query_scalar!(
        "delete from stat_dirty d using (
             select day from stat_dirty where kind = 'visit' order by day limit $1 for update skip locked) t
         where d.kind = 'visit' and d.day = t.day
         returning d.day",
        AT_ONCE
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Counts the days of a school that wait.
///
/// # Errors
/// Those of the database.
pub(crate) async fn fold(app: &App, school: &School) -> Result<Done> {
    let mut done = Done::default();
    loop {
        let waits = sqlx::query_scalar!(r#"select exists (select from stat_dirty where kind = 'visit') as "waits!""#)
            .fetch_one(&mut *tx::at_the_server_read_in(app, school).await?)
            .await?;
        if !waits {
            return Ok(done);
        }
        let mut tx = begin(app, school).await?;
        alone(&mut tx).await?;
        let days = waiting(&mut tx).await?;
        if days.is_empty() {
            return Ok(done);
        }
        let changed = views(&mut tx, &days).await?;
        conversions(&mut tx, &days).await?;
        tx.commit_untracked("figures follow from other rows").await?;
        done += Done { keys: days.len(), changed };
    }
}

/// The same of the operators' own site, where visits lead to learners.
///
/// # Errors
/// Those of the database.
pub(crate) async fn fold_own(app: &App) -> Result<Done> {
    let mut done = Done::default();
    let mut tx = tx::at_work(app, None, Actor::system("statistics")).await?;
    let found: Vec<Key> = convert_learners(&mut tx).await?.into_iter().map(|day| Key { k1: 0, k2: 0, day }).collect();
    if found.is_empty() {
        drop(tx);
    } else {
        mark(&mut tx, "visit", &found).await?;
        tx.commit_untracked("what changed is marked, and changes nothing itself").await?;
    }
    loop {
        let mut tx = tx::at_work(app, None, Actor::system("statistics")).await?;
        let days = waiting(&mut tx).await?;
        if days.is_empty() {
            return Ok(done);
        }
        let changed = views(&mut tx, &days).await?;
        registered(&mut tx, &days).await?;
        tx.commit_untracked("figures follow from other rows").await?;
        done += Done { keys: days.len(), changed };
    }
}
