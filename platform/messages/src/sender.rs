//! From the queue out of the house (05 D5).
//!
//! ```text
//! queued ─lease 2 min→ delivering ─adapter→ sent
//!    ▲                     │ rate_limited, provider_busy, timeout, not_configured: again after 1, 5, 30 minutes
//!    └─ lease ran out ─────┴ everything else, and the fourth failure → failed
//! ```
//! What is recalled while it is on its way does not wait again.
//! An outcome, its attempt and the counters of its message are written by one statement. What a provider of short messages
//! tells afterwards is `channels::receipts`' and `receipts`' work.

use std::collections::{HashMap, HashSet};

use channels::{
    channel::{self, Adapter, Outcome, Outgoing, Way},
    circuit,
    enums::FailCode,
    quota,
    workspace::Workspace,
};
use infra::{Change, Result, Tx, clock::Moment};
use scenes::enums::Channel;
use serde_json::Value;

use crate::{enums::MsgStatus, handover};

/// Minutes until the next attempt, by the attempts made; then it is final.
pub(crate) const RETRIES: [i64; 3] = [1, 5, 30];
/// Rows of the inbox and of `recorded` that one visit takes.
const AT_ONCE: i64 = 1_000;
/// Whose outcome is not known after this may be tried by another server.
const LEASE_MINUTES: i64 = 2;
/// Short messages that a person gets in 24 hours at most, codes excepted.
const SMS_A_DAY: i64 = 10;
/// Codes and security are never held back.
const URGENT: i16 = 1;

/// Sends a batch of each channel; says whether there is more.
pub(crate) async fn deliveries(workspace: &Workspace) -> Result<bool> {
    tidy(workspace).await?;
    let now = workspace.now();
    let mut tx = workspace.begin().await?;
    let due = sqlx::query_scalar!(
        r#"select t.channel as "channel!: Channel" from unnest(array['in_app', 'sms', 'wechat', 'app_push', 'mail']) as t (channel)
           where exists (select from msg_delivery d where d.channel = t.channel and d.status = 'queued' and d.next_attempt_at <= $1)"#,
        now
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    let demo = workspace.school.as_ref().is_some_and(|school| school.demo);
    let mut more = false;
    for channel in due {
        if !circuit::is_open(&workspace.app, workspace.school_id(), channel, now) {
            continue;
        }
        more |= match channel::way(&workspace.app, channel, workspace.school_id(), demo).await? {
            Way::Inbox => inbox(workspace, now).await?,
            way => outside(workspace, channel, way, now).await?,
        };
    }
    Ok(more)
}

/// Rows whose lease ran out wait again; what nobody needs any more is cancelled.
async fn tidy(workspace: &Workspace) -> Result<()> {
    let now = workspace.now();
    let mut tx = workspace.begin().await?;
    sqlx::query!(
        "with back as (
             update msg_delivery d
             set status = case when m.status = 'recalled' then 'cancelled' else 'queued' end, lease_until = null, maybe_twice = true,
                 next_attempt_at = $1
             from msg m
             where m.id = d.msg_id
               and d.id in (select id from msg_delivery where status = 'delivering' and lease_until <= $1
                            order by id limit 1000 for update skip locked)
             returning d.msg_id, d.status),
         counted as (select msg_id, count(*) as n from back where status = 'cancelled' group by msg_id order by msg_id)
         update msg m set cancelled_count = m.cancelled_count + c.n from counted c where m.id = c.msg_id",
        now
    )
    .execute(&mut *tx)
    .await?;
    let touched = sqlx::query_scalar!(
        "with late as (
             update msg_delivery d set status = 'cancelled', fail_code = 'expired'
             where d.id in (select id from msg_delivery where status = 'queued' and next_attempt_at <= $1 and expires_at <= $1
                            order by id limit 1000 for update skip locked)
             returning d.msg_id),
         counted as (select msg_id, count(*) as n from late group by msg_id)
         update msg m set cancelled_count = m.cancelled_count + c.n from counted c where m.id = c.msg_id returning m.id",
        now
    )
    .fetch_all(&mut *tx)
    .await?;
    close(&mut tx, &touched, now).await?;
    tx.commit_untracked("states of deliveries").await?;
    handover::report(workspace, &touched).await
}

/// 站内信: sent at once, by one statement.
async fn inbox(workspace: &Workspace, now: Moment) -> Result<bool> {
    let mut tx = workspace.begin().await?;
    let counted = sqlx::query!(
        r#"with picked as (
               select id from msg_delivery where channel = 'in_app' and status = 'queued' and next_attempt_at <= $1
               order by priority, id limit $2 for update skip locked),
           done as (
               update msg_delivery d set status = 'sent', attempts = d.attempts + 1, sent_at = $1, fail_code = null,
                      first_attempt_at = coalesce(d.first_attempt_at, $1)
               from picked where d.id = picked.id returning d.id, d.msg_id, d.attempts),
           tried as (insert into msg_attempt (delivery_id, no, at, ok) select id, attempts, $1, true from done),
           counted as (select msg_id, count(*) as n from done group by msg_id order by msg_id)
           update msg m set sent_count = m.sent_count + c.n, inbox_count = m.inbox_count + c.n from counted c
           where m.id = c.msg_id returning m.id, c.n as "n!""#,
        now,
        AT_ONCE
    )
    .fetch_all(&mut *tx)
    .await?;
    let touched: Vec<i64> = counted.iter().map(|row| row.id).collect();
    close(&mut tx, &touched, now).await?;
    tx.commit_untracked("states of deliveries").await?;
    handover::report(workspace, &touched).await?;
    Ok(counted.iter().map(|row| row.n).sum::<i64>() >= AT_ONCE)
}

/// A row that this server holds now.
struct Leased {
    id: i64,
    recipient_type: String,
    recipient_id: i64,
    address: Option<String>,
    priority: i16,
    attempts: i32,
    segments: i32,
    title: String,
    content: String,
    provider_template: Option<Value>,
}

impl Leased {
    fn outgoing(&self) -> Outgoing {
        let template = self
            .provider_template
            .as_ref()
            .and_then(|template| Some((template["code"].as_str()?.to_owned(), template["values"].clone())));
        Outgoing {
            delivery_id: self.id,
            address: self.address.clone().unwrap_or_default(),
            title: self.title.clone(),
            content: self.content.clone(),
            template,
        }
    }
}

/// A channel that leaves the house, or is recorded instead.
async fn outside(workspace: &Workspace, channel: Channel, way: Way, now: Moment) -> Result<bool> {
    let batch = match &way {
        Way::Provider(adapter) => adapter.limits().batch,
        _ => AT_ONCE,
    };
    let (leased, mut refused) = lease(workspace, channel, batch, now).await?;
    let full = i64::try_from(leased.len()).unwrap_or(i64::MAX) >= batch;
    if leased.is_empty() {
        return Ok(false);
    }
    if channel == Channel::Sms {
        let wanted = leased.iter().filter(|row| !refused.contains_key(&row.id)).map(|row| (row.id, row.segments));
        for id in quota::beyond(workspace, channel, wanted.collect(), now).await? {
            refused.insert(id, FailCode::Quota);
        }
    }
    let going: Vec<&Leased> = leased.iter().filter(|row| !refused.contains_key(&row.id)).collect();
    let began = std::time::Instant::now();
    let outcomes = match &way {
        Way::Provider(adapter) => sent(adapter.as_ref(), &going, now).await,
        Way::Unusable => vec![Outcome::rejected(FailCode::NotConfigured, "", "渠道配置不完整"); going.len()],
        Way::Inbox | Way::Recorded => vec![Outcome::accepted(None); going.len()],
    };
    let took = i32::try_from(began.elapsed().as_millis()).unwrap_or(i32::MAX);
    if let Way::Provider(adapter) = &way {
        circuit::note(workspace, channel, &outcomes, adapter.limits(), now).await?;
        note_receipts(workspace, adapter.as_ref(), &going, &outcomes, now).await;
    }
    let recorded = matches!(way, Way::Recorded).then_some(channel);
    let all = going
        .into_iter()
        .zip(outcomes)
        .chain(leased.iter().filter_map(|row| {
            let code = refused.get(&row.id)?;
            Some((row, Outcome::rejected(*code, "", "")))
        }))
        .collect::<Vec<_>>();
    settle(workspace, &all, recorded, took, now).await?;
    Ok(full)
}

async fn sent(adapter: &dyn Adapter, going: &[&Leased], now: Moment) -> Vec<Outcome> {
    let batch: Vec<Outgoing> = going.iter().map(|row| row.outgoing()).collect();
    let mut outcomes = adapter.send(now, &batch).await;
    // An adapter that forgot some of its batch has not sent them.
    outcomes.resize(batch.len(), Outcome::rejected(FailCode::ProviderBusy, "", "没有结果"));
    outcomes
}

/// Notes where the messages lie of which the provider will tell more. What left the house counts as sent also when this
/// fails; only its receipt is lost then.
async fn note_receipts(
    workspace: &Workspace,
    adapter: &dyn Adapter,
    going: &[&Leased],
    outcomes: &[Outcome],
    now: Moment,
) {
    let Some(config) = adapter.receipts() else { return };
    let taken = going.iter().zip(outcomes).filter_map(|(row, outcome)| match outcome {
        Outcome::Accepted { provider_msg_id: Some(number) } => Some((row.id, number.as_str())),
        _ => None,
    });
    if let Err(error) = channels::receipts::expect(workspace, config, &taken.collect::<Vec<_>>(), now).await {
        tracing::warn!(%error, "it could not be noted where receipts belong");
    }
}

/// Takes rows for two minutes, and says which of them a person's limits hold back.
async fn lease(
    workspace: &Workspace,
    channel: Channel,
    batch: i64,
    now: Moment,
) -> Result<(Vec<Leased>, HashMap<i64, FailCode>)> {
    let mut tx = workspace.begin().await?;
    let until = now + chrono::Duration::minutes(LEASE_MINUTES);
    let mut leased = sqlx::query_as!(
        Leased,
        r#"update msg_delivery d set status = 'delivering', lease_until = $3, attempts = d.attempts + 1,
                  first_attempt_at = coalesce(d.first_attempt_at, $2)
           from (select id from msg_delivery where channel = $1 and status = 'queued' and next_attempt_at <= $2
                 order by priority, id limit $4 for update skip locked) q, msg m
           where d.id = q.id and m.id = d.msg_id
           returning d.id, d.recipient_type, d.recipient_id, d.address, d.priority, d.attempts, d.segments,
                     coalesce(d.rendered_title, m.title) as "title!", coalesce(d.rendered_content, m.content) as "content!",
                     d.provider_template"#,
        channel.as_str(),
        now,
        until,
        batch
    )
    .fetch_all(&mut *tx)
    .await?;
    leased.sort_by_key(|row| (row.priority, row.id));
    let mut refused = HashMap::new();
    if channel == Channel::Sms {
        let often = too_often(&mut tx, &leased, now).await?;
        let mut seen = HashSet::new();
        for row in leased.iter().filter(|row| row.priority != URGENT) {
            if often.contains(&row.id) || !seen.insert((row.recipient_type.as_str(), row.recipient_id)) {
                refused.insert(row.id, FailCode::RateLimited);
            }
        }
    }
    tx.commit_untracked("leases of deliveries").await?;
    Ok((leased, refused))
}

/// Rows of people who got a short message in the last minute, or ten in the last day.
async fn too_often(tx: &mut Tx, leased: &[Leased], now: Moment) -> Result<HashSet<i64>> {
    let ids: Vec<i64> = leased.iter().map(|row| row.id).collect();
    let kinds: Vec<&str> = leased.iter().map(|row| row.recipient_type.as_str()).collect();
    let people: Vec<i64> = leased.iter().map(|row| row.recipient_id).collect();
    let found = sqlx::query_scalar!(
        r#"select l.id as "id!" from unnest($1::bigint[], $2::text[], $3::bigint[]) as l (id, kind, person)
           cross join lateral (
               select count(*) as a_day, count(*) filter (where o.sent_at > $5) as a_minute from msg_delivery o
               where o.channel = 'sms' and o.recipient_id = l.person and o.recipient_type = l.kind and o.sent_at > $4) o
           where o.a_minute > 0 or o.a_day >= $6"#,
        &ids,
        &kinds as &[&str],
        &people,
        (now - chrono::Duration::days(1)),
        (now - chrono::Duration::minutes(1)),
        SMS_A_DAY
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(found.into_iter().collect())
}

/// Outcomes as columns, for one statement.
#[derive(Default)]
struct Settled {
    ids: Vec<i64>,
    states: Vec<&'static str>,
    oks: Vec<bool>,
    codes: Vec<Option<&'static str>>,
    provider_codes: Vec<Option<String>>,
    provider_ids: Vec<Option<String>>,
    details: Vec<Option<String>>,
    next: Vec<Moment>,
}

impl Settled {
    fn add(&mut self, row: &Leased, outcome: &Outcome, now: Moment) {
        self.ids.push(row.id);
        match outcome {
            Outcome::Accepted { provider_msg_id } => {
                self.states.push("sent");
                self.oks.push(true);
                self.codes.push(None);
                self.provider_codes.push(None);
                self.provider_ids.push(provider_msg_id.clone());
                self.details.push(None);
                self.next.push(now);
            }
            Outcome::Rejected { code, provider_code, detail } => {
                let tries = usize::try_from(row.attempts - 1).unwrap_or(usize::MAX);
                let wait = RETRIES.get(tries).filter(|_| code.is_retryable());
                self.states.push(if wait.is_some() { "queued" } else { "failed" });
                self.oks.push(false);
                self.codes.push(Some(code.as_str()));
                let told = |text: &String| (!text.is_empty()).then(|| text.clone());
                self.provider_codes.push(told(provider_code));
                self.provider_ids.push(None);
                self.details.push(told(detail));
                self.next.push(now + chrono::Duration::minutes(wait.copied().unwrap_or(0)));
            }
        }
    }
}

async fn settle(
    workspace: &Workspace,
    all: &[(&Leased, Outcome)],
    recorded: Option<Channel>,
    took: i32,
    now: Moment,
) -> Result<()> {
    let mut settled = Settled::default();
    for (row, outcome) in all {
        settled.add(row, outcome, now);
    }
    let mut tx = workspace.begin().await?;
    let touched = sqlx::query_scalar!(
        r#"with outcome as (
               select * from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::text[],
                                    $8::timestamptz[])
                   as t (id, status, ok, code, provider_code, provider_id, detail, next_at)),
           done as (
               update msg_delivery d
               set status = case when o.status = 'queued' and m.status = 'recalled' then 'cancelled' else o.status end, lease_until = null,
                   fail_code = o.code, provider_status = o.provider_code, provider_msg_id = o.provider_id,
                   next_attempt_at = o.next_at, sent_at = case when o.ok then $9::timestamptz end
               from outcome o, msg m where d.id = o.id and m.id = d.msg_id and d.status = 'delivering'
               returning d.id, d.msg_id, d.attempts, d.status),
           tried as (
               insert into msg_attempt (delivery_id, no, at, duration_ms, ok, code, provider_code, provider_msg_id, detail)
               select d.id, d.attempts, $9, $10, o.ok, o.code, o.provider_code, o.provider_id, o.detail
               from done d join outcome o on o.id = d.id),
           counted as (
               select msg_id, count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'failed') as failed,
                      count(*) filter (where status = 'cancelled') as cancelled
               from done group by msg_id order by msg_id)
           update msg m set sent_count = m.sent_count + c.sent, failed_count = m.failed_count + c.failed,
                  cancelled_count = m.cancelled_count + c.cancelled
           from counted c
           where m.id = c.msg_id returning m.id"#,
        &settled.ids,
        &settled.states as &[&str],
        &settled.oks,
        &settled.codes as &[Option<&str>],
        &settled.provider_codes as &[Option<String>],
        &settled.provider_ids as &[Option<String>],
        &settled.details as &[Option<String>],
        &settled.next as &[Moment],
        now,
        took
    )
    .fetch_all(&mut *tx)
    .await?;
    if let Some(channel) = recorded {
        record(&mut tx, channel, all, now).await?;
    }
    close(&mut tx, &touched, now).await?;
    tx.commit_untracked("states of deliveries").await?;
    handover::report(workspace, &touched).await
}

/// Keeps what would have left the house.
async fn record(tx: &mut Tx, channel: Channel, all: &[(&Leased, Outcome)], now: Moment) -> Result<()> {
    let kept: Vec<&Leased> =
        all.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Accepted { .. })).map(|(row, _)| *row).collect();
    let column = |of: fn(&Leased) -> String| -> Vec<String> { kept.iter().map(|row| of(row)).collect() };
    let ids: Vec<i64> = kept.iter().map(|row| row.id).collect();
    sqlx::query!(
        "insert into msg_recorded (delivery_id, channel, address, title, content, at)
         select id, $2, address, title, content, $6
         from unnest($1::bigint[], $3::text[], $4::text[], $5::text[]) as t (id, address, title, content)",
        &ids,
        channel.as_str(),
        &column(|row| row.address.clone().unwrap_or_default()),
        &column(|row| row.title.clone()),
        &column(|row| row.content.clone()),
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Ends the messages of which nothing waits any more: sent, or failed when every delivery failed (01 §7.2).
pub(crate) async fn close(tx: &mut Tx, ids: &[i64], now: Moment) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let ended = sqlx::query!(
        r#"update msg set status = case when sent_count = 0 and failed_count > 0 then 'failed' else 'sent' end, finished_at = $2,
                  updated_at = now(), updated_by = 0, version = version + 1
           where id = any($1) and status = 'sending' and resolved_at is not null
             and sent_count + failed_count + cancelled_count >= total_count
           returning id, status as "status: MsgStatus""#,
        ids,
        now
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes: Vec<Change> =
        ended.iter().map(|row| Change::status("msg", row.id, "status", "sending", row.status.as_str())).collect();
    tx.record(&changes).await
}
