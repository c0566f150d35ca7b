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

use channel_rules::report::{self, Report};
use infra::{App, Public, Result, Tx, Writes, clock::Moment};

use scenes::outbox::TOPIC;

use crate::{enums::FailCode, workspace::Workspace};

pub use callback::Callbacks;

/// Receipts that one visit applies.
const AT_ONCE: i64 = 1_000;
/// Days that both halves stay; carriers tell within three.
pub const DAYS: i64 = 7;
/// The key of the platform's place at the bell of the loop.
const PLATFORM: &str = "platform";

/// Notes where messages lie that a provider took under this config: delivery and the provider's number.
pub async fn expect(workspace: &Workspace, config_id: i64, sent: &[(i64, &str)], now: Moment) -> Result<()> {
    if sent.is_empty() {
        return Ok(());
    }
    let deliveries: Vec<i64> = sent.iter().map(|(delivery, _)| *delivery).collect();
    let numbers: Vec<&str> = sent.iter().map(|(_, number)| *number).collect();
    let mut tx = workspace.begin_in_platform().await?;
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
        workspace.school_id(),
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
pub struct Due {
    pub config_id: i64,
    pub number: String,
    pub delivery_id: i64,
    pub school_id: Option<i64>,
    pub ok: bool,
    pub provider_code: Option<String>,
    pub detail: Option<String>,
    pub told_at: Moment,
}

impl Due {
    /// Why the message did not arrive; none when it did.
    pub fn failure(&self) -> Option<FailCode> {
        (!self.ok).then(|| report::meaning(self.provider_code.as_deref().unwrap_or_default()))
    }
}

/// The receipts that are due, oldest first.
pub async fn due(app: &App, now: Moment) -> Result<Vec<Due>> {
    let mut tx = app.platform_read().await?;
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
    Ok(due)
}

/// When the next receipt is due.
pub async fn next(app: &App) -> Result<Option<Moment>> {
    let mut tx = app.platform_read().await?;
    let at = sqlx::query_scalar!("select min(due_at) from platform.msg_receipt where due_at is not null")
        .fetch_one(&mut *tx)
        .await?;
    Ok(at)
}

/// Forgets receipts from before a moment, so many at most; answers how many went.
pub async fn forget(tx: &mut Tx, before: Moment, most: i64) -> Result<u64> {
    let gone = sqlx::query!(
        "delete from platform.msg_receipt r
         using (select config_id, provider_msg_id from platform.msg_receipt where created_at < $1
                order by created_at limit $2) old
         where r.config_id = old.config_id and r.provider_msg_id = old.provider_msg_id",
        before,
        most
    )
    .execute(&mut **tx)
    .await?;
    Ok(gone.rows_affected())
}

/// What was applied is due no more and stays, so that its repetition is known; the rest is due again.
pub async fn mark(workspace: &Workspace, due: &[Due], again: &[Option<Moment>]) -> Result<()> {
    let configs: Vec<i64> = due.iter().map(|receipt| receipt.config_id).collect();
    let numbers: Vec<&str> = due.iter().map(|receipt| receipt.number.as_str()).collect();
    let mut tx = workspace.begin_in_platform().await?;
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
