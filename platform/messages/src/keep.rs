//! 消息保存: how long deliveries, recorded letters and events stay (05 E3). The messages themselves stay, with their counters.
//!
//! Rows are written in the order of their numbers, so the oldest come first and a night without anything to delete costs a
//! look at a few thousand of them.

use channels::receipts;
use chrono::Months;
use infra::{
    Error, Part, Result, Tx,
    clock::Moment,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
    setting::{Setting, Settings},
};
use scenes::outbox;

pub const PART: Part = Part {
    jobs: &[KIND],
    schedules: &[SCHEDULE],
    settings: &[Settings { group: "support", settings: &[INBOX_MONTHS] }],
    ..Part::NONE
};

/// Months that deliveries and their attempts stay (01 §13); the platform's own as long as a school's by default.
const INBOX_MONTHS: Setting = Setting::int("inboxMonths", "站内信保留(月)", (24, 6, 60), "");
/// What the platform's own are kept for.
const DELIVERY_MONTHS: u32 = 24;

pub const KIND: JobKind = JobKind { kind: "messages.keep", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "清理过期消息记录", when: When::Daily { hour: 4, minute: 40 } };

/// Days that stay what was recorded instead of sent, events that are done, events that failed.
const RECORDED_DAYS: i64 = 90;
const DONE_EVENT_DAYS: i64 = 30;
const FAILED_EVENT_DAYS: i64 = 180;
/// Rows of one transaction.
const AT_ONCE: i64 = 5_000;

/// The moments before which rows go.
struct Bounds {
    deliveries: Moment,
    recorded: Moment,
    done_events: Moment,
    failed_events: Moment,
}

impl Bounds {
    fn at(now: Moment, months: u32) -> Self {
        let days = |days| now - chrono::Duration::days(days);
        Self {
            deliveries: now.checked_sub_months(Months::new(months)).map_or(now, Moment::from),
            recorded: days(RECORDED_DAYS),
            done_events: days(DONE_EVENT_DAYS),
            failed_events: days(FAILED_EVENT_DAYS),
        }
    }
}

/// How many rows of each kind went.
#[derive(Default)]
struct Gone {
    deliveries: u64,
    recorded: u64,
    events: u64,
}

async fn work(run: JobRun) -> Result<Outcome> {
    let now = run.app().clock().now();
    let bounds = Bounds::at(now, DELIVERY_MONTHS);
    forget_receipts(&run).await?;
    let mut gone = Gone::default();
    while sweep(run.begin_in_platform().await?, &bounds, &mut gone).await? {}
    // An archived school stays as it is until it is deleted.
    let schools = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status <> 'archived' order by id"
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    for id in schools {
        let Some(school) = run.app().school(id).await?.filter(|school| school.key().is_ok()) else { continue };
        let months = INBOX_MONTHS.number(&mut *run.read_in(&school).await?).await?;
        let bounds = Bounds::at(now, u32::try_from(months).map_err(Error::internal)?);
        while sweep(run.begin_in(&school).await?, &bounds, &mut gone).await? {}
    }
    let Gone { deliveries, recorded, events } = gone;
    let message = format!("已删除过期投递{deliveries}条、发件记录{recorded}条、消息事件{events}条");
    Ok(Outcome { message, ..Outcome::default() })
}

/// 短信回执 that carriers tell no more; nothing that a person sees.
async fn forget_receipts(run: &JobRun) -> Result<()> {
    let before = run.app().clock().now() - chrono::Duration::days(receipts::DAYS);
    loop {
        let mut tx = run.begin_in_platform().await?;
        let gone = receipts::forget(&mut tx, before, AT_ONCE).await?;
        tx.commit_untracked("what is kept for a time is no record that somebody keeps").await?;
        if gone < u64::try_from(AT_ONCE).unwrap_or(u64::MAX) {
            return Ok(());
        }
    }
}

/// One small transaction; whether there may be more to delete.
async fn sweep(mut tx: Tx, bounds: &Bounds, gone: &mut Gone) -> Result<bool> {
    let deliveries = sqlx::query!(
        "delete from msg_delivery where id in (
             select id from (select id, created_at from msg_delivery order by id limit $2) oldest where created_at < $1)",
        bounds.deliveries,
        AT_ONCE
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    // Those of templates' trials belong to no delivery.
    let attempts = sqlx::query!(
        "delete from msg_attempt where id in (
             select id from (select id, at from msg_attempt order by id limit $2) oldest where at < $1)",
        bounds.deliveries,
        AT_ONCE
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let recorded = sqlx::query!(
        "delete from msg_recorded where id in (
             select id from (select id, at from msg_recorded order by id limit $2) oldest where at < $1)",
        bounds.recorded,
        AT_ONCE
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let events = outbox::sweep(&mut tx, bounds.done_events, bounds.failed_events, AT_ONCE).await?;
    tx.commit_untracked("what is kept for a time is no record that somebody keeps").await?;
    gone.deliveries += deliveries;
    gone.recorded += recorded;
    gone.events += events;
    let most = deliveries.max(attempts).max(recorded).max(events);
    Ok(most == u64::try_from(AT_ONCE).unwrap_or(u64::MAX))
}
