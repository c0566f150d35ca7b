//! What a demonstration school shows of statistics: sign-ins of a month, visits of two weeks by links of several channels, and then the
//! sums of all its rows.

use chrono::{Days, Months, NaiveDate};
use infra::{App, Result, Tx, directory::School};

use crate::{
    jobs::rebuild_all,
    roll_up::{Key, alone, begin, mark},
    school_day,
};

/// Days of sign-ins and of visits, up to yesterday.
const LOGIN_DAYS: i32 = 30;
const VISIT_DAYS: i32 = 14;
/// Views of a day.
const VIEWS: i32 = 40;
/// Days whose register is told from history.
const KEPT_DAYS: u64 = 35;
const KEPT_MONTHS: u32 = 12;

/// Links, sign-ins and visits; the same whenever it is done.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into promotion_link (code, name, source_channel, site_id, target_page, enabled, created_by, updated_by)
         select l.code, l.name, l.channel, case when l.of_site then (select min(s.id) from site s) end, 'enrol', l.enabled, $1, $1
         from (values ('demoPos1', '地铁站海报', 'poster', false, true), ('demoWx01', '公众号推文', 'wechat', false, true),
                      ('demoSite', '站点宣传单', 'site', true, true), ('demoOld1', '往年朋友推荐', 'friend', false, false))
              as l (code, name, channel, of_site, enabled)",
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into client_login (session, owner_kind, owner_id, at, last_beat_at, last_seq, active_seconds, ip, device, client_name,
             counted)
         select md5('login ' || s.id || ' ' || d.n)::uuid, 'student', s.id, t.at, t.at + make_interval(secs => t.seconds),
                t.seconds / 60, t.seconds, '', (array['mobile', 'mobile', 'pc', 'tablet'])[1 + (s.id + d.n) % 4], 'student', true
         from student s
         cross join generate_series(1, $2::integer) as d (n)
         cross join lateral (
             select (($1::date - d.n)::timestamp + make_interval(hours => 7 + ((s.id * 7 + d.n * 5) % 15)::integer,
                                                                 mins => ((s.id * 13 + d.n) % 60)::integer))
                        at time zone 'Asia/Shanghai' as at,
                    60 * (5 + ((s.id * 3 + d.n * 11) % 50)::integer) as seconds) t
         where s.active and s.id % 8 <> 0 and (s.id * 31 + d.n * 17) % 10 < 3",
        today,
        LOGIN_DAYS
    )
    .execute(&mut **tx)
    .await?;
    let now = tx.app().clock().now();
    sqlx::query!(
        "insert into stat_dirty (kind, k1, k2, day, marked_at)
         select distinct 'login', l.owner_id, 1, (l.at at time zone 'Asia/Shanghai')::date, $1::timestamptz from client_login l
         on conflict (kind, k1, k2, day) do nothing",
        now as _
    )
    .execute(&mut **tx)
    .await?;
    visits(tx, today).await
}

async fn visits(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    sqlx::query!(
        "insert into visit (visitor_key, at, page, link_id, channel, terminal, referrer_domain, address_hash)
         select md5('visitor ' || (v.n * 7 + d.n * 3) % 150),
                (($1::date - d.n)::timestamp + make_interval(hours => 8 + v.n % 14, mins => (v.n * 7) % 60))
                    at time zone 'Asia/Shanghai',
                (array['enrol', 'home', 'enrol', 'course'])[1 + v.n % 4], coalesce(l.id, 0), coalesce(l.source_channel, ''),
                (array['h5', 'wechat', 'pc', 'mini_program'])[1 + (v.n + d.n) % 4],
                (array['', 'baidu.com', 'qq.com', ''])[1 + v.n % 4], decode(md5('address ' || v.n), 'hex')
         from generate_series(1, $2::integer) as d (n)
         cross join generate_series(1, $3::integer) as v (n)
         left join promotion_link l on l.enabled and l.source_channel = (array['poster', 'wechat', 'site', '-', '-'])[1 + v.n % 5]",
        today,
        VISIT_DAYS,
        VIEWS
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into visit_conversion (kind, ref_id, visitor_key, page, link_id, channel, terminal, referrer_domain, at)
         select 'pre_registration', p.id, md5('visitor ' || p.id % 150), 'enrol', l.id, l.source_channel, 'h5', '', p.created_at
         from (select x.id, x.created_at, row_number() over (order by x.id desc) as place from pre_registration x
               where x.deleted_at is null order by x.id desc limit 24) p
         join promotion_link l on l.source_channel = (array['poster', 'wechat', 'site'])[1 + p.place % 3]"
    )
    .execute(&mut **tx)
    .await?;
    let days = sqlx::query_scalar!(
        r#"select (v.at at time zone 'Asia/Shanghai')::date as "day!" from visit v
           union select (c.at at time zone 'Asia/Shanghai')::date from visit_conversion c"#
    )
    .fetch_all(&mut **tx)
    .await?;
    let keys: Vec<Key> = days.into_iter().map(|day| Key { k1: 0, k2: 0, day }).collect();
    mark(tx, "visit", &keys).await
}

/// Sums all that the school has, and tells its register of the days and ends of months that are over.
///
/// # Errors
/// Only internal ones.
pub async fn roll_up(app: &App, school: &School) -> Result<()> {
    rebuild_all(app, school).await?;
    let today = app.clock().today();
    let days = (1..=KEPT_DAYS).filter_map(|back| today.checked_sub_days(Days::new(back)));
    let first = today.checked_sub_days(Days::new(u64::from(chrono::Datelike::day(&today)) - 1)).unwrap_or(today);
    let months = (0..KEPT_MONTHS).filter_map(|back| {
        first.checked_sub_months(Months::new(back)).and_then(|first| first.checked_sub_days(Days::new(1)))
    });
    let mut all: Vec<NaiveDate> = days.chain(months).collect();
    all.sort_unstable();
    all.dedup();
    let mut tx = begin(app, school).await?;
    alone(&mut tx).await?;
    school_day::restore(&mut tx, &all).await?;
    tx.commit_untracked("figures follow from other rows").await
}
