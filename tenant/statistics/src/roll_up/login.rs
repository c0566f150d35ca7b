//! 登录 and 登录日. A sign-in is found as the session that it opened; whoever acts for a person opens sessions of their own kind, which
//! are none of the person's.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Result, Tx,
    clock::{Moment, day_began, day_ended},
};
use sqlx::types::Uuid;
use statistics_rules::presence::{counts, device_of};

use super::{Key, changed::OWNERS, mark};

/// Computes people on their days anew.
pub(super) async fn compute(tx: &mut Tx, keys: &[Key]) -> Result<u64> {
    let mut changed = 0;
    for (kind, number) in OWNERS {
        let of_kind: Vec<Key> = keys.iter().copied().filter(|key| key.k2 == number).collect();
        if of_kind.is_empty() {
            continue;
        }
        take_over(tx, kind, &of_kind).await?;
        changed += days(tx, kind, &of_kind).await?;
    }
    Ok(changed)
}

/// A session that is no sign-in here yet.
struct Session {
    jti: Uuid,
    person_id: i64,
    client: String,
    ip: String,
    user_agent: String,
    issued_at: Moment,
}

/// Makes sign-ins of the sessions that these people opened on their days.
///
/// # Errors
/// Those of the database.
pub(crate) async fn take_over(tx: &mut Tx, kind: &str, keys: &[Key]) -> Result<()> {
    let owners: Vec<i64> = keys.iter().map(|key| key.k1).collect();
    let first = keys.iter().map(|key| key.day).min().unwrap_or_default();
    let last = keys.iter().map(|key| key.day).max().unwrap_or_default();
    let sessions = sqlx::query_as!(
        Session,
        "select s.jti, s.person_id, s.client, s.ip, s.user_agent, s.issued_at
         from client_session s
         where s.actor_user_id is null and s.kind = $1 and s.person_id = any($2)
           and s.issued_at >= $3::timestamptz and s.issued_at < $4::timestamptz
           and not exists (select from client_login l where l.session = s.jti)
         order by s.issued_at, s.jti",
        kind,
        &owners,
        day_began(first) as _,
        day_ended(last) as _
    )
    .fetch_all(&mut **tx)
    .await?;
    if sessions.is_empty() {
        return Ok(());
    }
    let known = sqlx::query!(
        r#"select owner_id, device, at from client_login
           where owner_kind = $1 and owner_id = any($2) and at >= $3::timestamptz - interval '1 hour' and at < $4::timestamptz
           order by at"#,
        kind,
        &owners,
        day_began(first) as _,
        day_ended(last) as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut before: HashMap<(i64, String), Vec<Moment>> = HashMap::new();
    for row in known {
        before.entry((row.owner_id, row.device)).or_default().push(row.at);
    }
    let mut counted = Vec::with_capacity(sessions.len());
    let mut devices = Vec::with_capacity(sessions.len());
    for session in &sessions {
        let device = device_of(&session.user_agent);
        let times = before.entry((session.person_id, device.to_owned())).or_default();
        let last = times.iter().copied().filter(|at| *at < session.issued_at).max();
        counted.push(counts(last, session.issued_at));
        devices.push(device);
        times.push(session.issued_at);
    }
    let ids: Vec<Uuid> = sessions.iter().map(|session| session.jti).collect();
    let people: Vec<i64> = sessions.iter().map(|session| session.person_id).collect();
    let clients: Vec<&str> = sessions.iter().map(|session| session.client.as_str()).collect();
    let ips: Vec<&str> = sessions.iter().map(|session| session.ip.as_str()).collect();
    let times: Vec<Moment> = sessions.iter().map(|session| session.issued_at).collect();
    sqlx::query!(
        "insert into client_login (session, owner_kind, owner_id, at, ip, device, client_name, counted)
         select n.session, $1, n.owner, n.at, n.ip, n.device, n.client, n.counted
         from unnest($2::uuid[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::boolean[])
              as n (session, owner, at, ip, device, client, counted)
         on conflict (session) do nothing",
        kind,
        &ids,
        &people,
        &times as &[Moment],
        &ips as _,
        &devices as _,
        &clients as _,
        &counted
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn days(tx: &mut Tx, kind: &str, keys: &[Key]) -> Result<u64> {
    let now = tx.app().clock().now();
    let owners: Vec<i64> = keys.iter().map(|key| key.k1).collect();
    let dates: Vec<NaiveDate> = keys.iter().map(|key| key.day).collect();
    let told = sqlx::query!(
        r#"insert into stat_login_day as s (date, owner_kind, owner_id, class_id, site_id, logins, active_seconds, first_at,
               last_at, device_mask, hour_mask, computed_at)
           select k.day, $1, l.owner_id, coalesce(y.class_id, 0), coalesce(y.site_id, f.site_id, 0),
                  (count(*) filter (where l.counted))::integer, sum(l.active_seconds)::integer, min(l.at), max(l.at),
                  bit_or(case l.device when 'pc' then 1 when 'mobile' then 2 when 'tablet' then 4 else 8 end),
                  bit_or(1 << extract(hour from l.at at time zone 'Asia/Shanghai')::integer), $4::timestamptz
           from (select distinct w.owner, w.day from unnest($2::bigint[], $3::date[]) as w (owner, day)) k
           join client_login l on l.owner_kind = $1 and l.owner_id = k.owner
                and l.at >= k.day::timestamp at time zone 'Asia/Shanghai'
                and l.at < (k.day + 1)::timestamp at time zone 'Asia/Shanghai'
           left join student y on $1 = 'student' and y.id = l.owner_id
           left join site_staff f on $1 = 'site_staff' and f.id = l.owner_id
           group by k.day, l.owner_id, y.class_id, y.site_id, f.site_id
           on conflict (date, owner_kind, owner_id) do update
           set logins = excluded.logins, active_seconds = excluded.active_seconds, first_at = excluded.first_at,
               last_at = excluded.last_at, device_mask = excluded.device_mask, hour_mask = excluded.hour_mask,
               computed_at = excluded.computed_at
           where (s.logins, s.active_seconds, s.first_at, s.last_at, s.device_mask, s.hour_mask)
                 is distinct from (excluded.logins, excluded.active_seconds, excluded.first_at, excluded.last_at,
                                   excluded.device_mask, excluded.hour_mask)
           returning s.date, s.class_id"#,
        kind,
        &owners,
        &dates,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    if kind == "student" {
        let classes: Vec<Key> = told.iter().map(|row| Key { k1: row.class_id, k2: 0, day: row.date }).collect();
        mark(tx, "class_day", &classes).await?;
    }
    Ok(told.len() as u64)
}
