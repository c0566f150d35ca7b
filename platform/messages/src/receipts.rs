//! 短信回执: what the providers tell of short messages after they took them (05 D4, D5).
//!
//! ```text
//! sender ──── sent: number, delivery, school ──┐
//!                                              ├─► platform.msg_receipt ─both halves→ pending: in the delivery's schema
//! provider ── told: number, delivered or not ──┘                                      sent ─→ delivered │ failed
//! ```
//! A receipt names the message by the provider's number alone: 腾讯云 sends nothing of ours back, so what we send along
//! could find the school for 阿里云 only. Therefore the sender notes the number and whose it is in one table of the
//! platform, before its outcome is committed; a receipt that is faster waits there for its other half. No school is
//! asked whose a number is.
//!
//! Invariant: the first thing that a provider tells of a number counts; the same again, and what is told of a number that
//! is not ours, changes nothing. A receipt is taken only under the secret of the config by which its message was sent.

mod callback;
mod report;

use std::collections::{BTreeMap, HashSet};

use chrono::Duration;
use infra::{Public, Result, Writes, clock::Moment};

use crate::{
    handover,
    words::FailCode,
    work::{Place, TOPIC},
};
use report::Report;

pub use callback::Callbacks;

/// Receipts that one visit applies.
const AT_ONCE: i64 = 1_000;
/// Days that both halves stay; carriers tell within three.
pub(crate) const DAYS: i64 = 7;
/// The key of the platform's place at the bell of the loop.
const PLATFORM: &str = "platform";

/// Notes where messages lie that a provider took under this config: delivery and the provider's number.
pub(crate) async fn expect(place: &Place, config_id: i64, sent: &[(i64, &str)], now: Moment) -> Result<()> {
    if sent.is_empty() {
        return Ok(());
    }
    let deliveries: Vec<i64> = sent.iter().map(|(delivery, _)| *delivery).collect();
    let numbers: Vec<&str> = sent.iter().map(|(_, number)| *number).collect();
    let mut tx = place.begin_in_platform().await?;
    let due = sqlx::query_scalar!(
        r#"insert into platform.msg_receipt as r (config_id, provider_msg_id, delivery_id, school_id, created_at)
           select distinct on (t.number) $1::bigint, t.number, t.delivery, $4::bigint, $5::timestamptz
           from unnest($2::text[], $3::bigint[]) as t (number, delivery) order by t.number
           on conflict on constraint msg_receipt_key do update
               set delivery_id = excluded.delivery_id, school_id = excluded.school_id,
                   due_at = case when r.told_at is not null then excluded.created_at end
               where r.delivery_id is null
           returning r.due_at is not null as "due!""#,
        config_id,
        &numbers as &[&str],
        &deliveries,
        place.school_id(),
        now
    )
    .fetch_all(&mut *tx)
    .await?;
    if due.contains(&true) {
        tx.notice(TOPIC, PLATFORM);
    }
    tx.commit_untracked("where short messages lie, until their receipts come").await
}

/// Keeps what a provider told; the loop takes it to the deliveries.
async fn keep(caller: &Public<Writes>, config_id: i64, reports: &[Report], now: Moment) -> Result<()> {
    if reports.is_empty() {
        return Ok(());
    }
    let numbers: Vec<&str> = reports.iter().map(|report| report.number.as_str()).collect();
    let oks: Vec<bool> = reports.iter().map(|report| report.ok).collect();
    let codes: Vec<&str> = reports.iter().map(|report| report.code.as_str()).collect();
    let details: Vec<&str> = reports.iter().map(|report| report.detail.as_str()).collect();
    // A provider whose clock is ahead has not delivered in the future.
    let times: Vec<Moment> = reports.iter().map(|report| report.at.map_or(now, |at| at.min(now))).collect();
    let mut tx = caller.begin().await?;
    let due = sqlx::query_scalar!(
        r#"insert into platform.msg_receipt as r (config_id, provider_msg_id, ok, provider_code, detail, told_at, created_at)
           select $1::bigint, t.number, t.ok, nullif(t.code, ''), nullif(t.detail, ''), t.told_at, $7::timestamptz
           from unnest($2::text[], $3::boolean[], $4::text[], $5::text[], $6::timestamptz[])
               as t (number, ok, code, detail, told_at)
           order by t.number
           on conflict on constraint msg_receipt_key do update
               set ok = excluded.ok, provider_code = excluded.provider_code, detail = excluded.detail, told_at = excluded.told_at,
                   due_at = case when r.delivery_id is not null then excluded.created_at end
               where r.told_at is null
           returning r.due_at is not null as "due!""#,
        config_id,
        &numbers as &[&str],
        &oks,
        &codes as &[&str],
        &details as &[&str],
        &times as &[Moment],
        now
    )
    .fetch_all(&mut *tx)
    .await?;
    if due.contains(&true) {
        tx.notice(TOPIC, PLATFORM);
    }
    tx.commit_untracked("what a provider told, until the deliveries know it").await
}

/// A receipt with both halves.
struct Due {
    config_id: i64,
    number: String,
    delivery_id: i64,
    school_id: Option<i64>,
    ok: bool,
    provider_code: Option<String>,
    detail: Option<String>,
    told_at: Moment,
}

/// Takes receipts to their deliveries, one transaction a school; answers when the next one is due. Called at the platform.
pub(crate) async fn pending(place: &Place) -> Result<Option<Moment>> {
    let now = place.now();
    let next = next(place).await?;
    if next.is_none_or(|at| at > now) {
        return Ok(next);
    }
    let mut tx = place.app.platform_read().await?;
    let due = sqlx::query_as!(
        Due,
        r#"select config_id, provider_msg_id as number, delivery_id as "delivery_id!", school_id, ok as "ok!", provider_code,
                  detail, told_at as "told_at!"
           from platform.msg_receipt where due_at <= $1 order by due_at limit $2"#,
        now,
        AT_ONCE
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    let mut schools: BTreeMap<Option<i64>, Vec<Due>> = BTreeMap::new();
    for receipt in due {
        schools.entry(receipt.school_id).or_default().push(receipt);
    }
    for (school, due) in schools {
        let again = match attempt(place, school, &due, now).await {
            Ok(again) => again,
            Err(error) => {
                tracing::warn!(?school, %error, "receipts could not be applied; tried again in a minute");
                vec![Some(now + Duration::minutes(1)); due.len()]
            }
        };
        mark(place, &due, &again).await?;
    }
    self::next(place).await
}

async fn next(place: &Place) -> Result<Option<Moment>> {
    let mut tx = place.app.platform_read().await?;
    let at = sqlx::query_scalar!("select min(due_at) from platform.msg_receipt where due_at is not null")
        .fetch_one(&mut *tx)
        .await?;
    Ok(at)
}

/// Applies the receipts of one school, or of the platform; for each, when it must be tried again.
async fn attempt(place: &Place, school: Option<i64>, due: &[Due], now: Moment) -> Result<Vec<Option<Moment>>> {
    let there = match school {
        None => Some(place.clone()),
        Some(id) => {
            let school = place.app.school(id).await?;
            let open = school.filter(|school| school.is_open() && school.key().is_ok());
            open.map(|school| Place { app: place.app.clone(), school: Some(school) })
        }
    };
    // Suspended, archived and migrating schools are left alone; one that opens within the days gets its receipts.
    let Some(there) = there else { return Ok(vec![Some(now + Duration::hours(1)); due.len()]) };
    let in_flight = apply(&there, due).await?;
    let soon = now + Duration::seconds(5);
    Ok(due.iter().map(|receipt| in_flight.contains(&receipt.delivery_id).then_some(soon)).collect())
}

/// Turns deliveries to delivered or failed; answers those whose sending is not written yet. A delivery that was sent
/// anew since carries another number and stays as it is.
async fn apply(place: &Place, due: &[Due]) -> Result<HashSet<i64>> {
    let ids: Vec<i64> = due.iter().map(|receipt| receipt.delivery_id).collect();
    let numbers: Vec<&str> = due.iter().map(|receipt| receipt.number.as_str()).collect();
    let oks: Vec<bool> = due.iter().map(|receipt| receipt.ok).collect();
    let codes: Vec<Option<&str>> = due
        .iter()
        .map(|receipt| {
            let code = receipt.provider_code.as_deref().unwrap_or_default();
            (!receipt.ok).then(|| report::meaning(code)).map(FailCode::as_str)
        })
        .collect();
    let provider_codes: Vec<Option<&str>> = due.iter().map(|receipt| receipt.provider_code.as_deref()).collect();
    let details: Vec<Option<&str>> = due.iter().map(|receipt| receipt.detail.as_deref()).collect();
    let times: Vec<Moment> = due.iter().map(|receipt| receipt.told_at).collect();
    let mut tx = place.begin().await?;
    // Looked at first: what is written between the two statements is tried once more, not lost.
    let in_flight =
        sqlx::query_scalar!("select id from msg_delivery where id = any($1) and status = 'delivering'", &ids)
            .fetch_all(&mut *tx)
            .await?;
    let touched = sqlx::query_scalar!(
        r#"with told as (
               select * from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
                   as t (id, number, ok, code, provider_code, detail, told_at)),
           done as (
               update msg_delivery d set status = case when t.ok then 'delivered' else 'failed' end,
                      delivered_at = case when t.ok then t.told_at end, fail_code = t.code, provider_status = t.provider_code
               from told t
               where d.id = t.id and d.channel = 'sms' and d.status = 'sent' and d.provider_msg_id = t.number
               returning d.id, d.msg_id, d.attempts, t.number, t.ok, t.code, t.provider_code, t.detail, t.told_at),
           tried as (
               insert into msg_attempt (delivery_id, no, at, ok, code, provider_code, provider_msg_id, detail)
               select id, attempts, told_at, false, code, provider_code, number, detail from done where not ok),
           counted as (select msg_id, count(*) as failed from done where not ok group by msg_id order by msg_id)
           update msg m set sent_count = m.sent_count - c.failed, failed_count = m.failed_count + c.failed
           from counted c where m.id = c.msg_id returning m.id"#,
        &ids,
        &numbers as &[&str],
        &oks,
        &codes as &[Option<&str>],
        &provider_codes as &[Option<&str>],
        &details as &[Option<&str>],
        &times as &[Moment]
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.commit_untracked("states of deliveries").await?;
    handover::report(place, &touched).await?;
    Ok(in_flight.into_iter().collect())
}

/// What was applied is due no more and stays, so that its repetition is known; the rest is due again.
async fn mark(place: &Place, due: &[Due], again: &[Option<Moment>]) -> Result<()> {
    let configs: Vec<i64> = due.iter().map(|receipt| receipt.config_id).collect();
    let numbers: Vec<&str> = due.iter().map(|receipt| receipt.number.as_str()).collect();
    let mut tx = place.begin_in_platform().await?;
    sqlx::query!(
        "update platform.msg_receipt r set due_at = t.again
         from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as t (config_id, number, again)
         where r.config_id = t.config_id and r.provider_msg_id = t.number",
        &configs,
        &numbers as &[&str],
        again as &[Option<Moment>]
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("which receipts the deliveries know").await
}
