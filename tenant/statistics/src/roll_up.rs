//! How the figures follow from the facts (part 05 A3): what changed since the last look becomes keys, each key is computed anew from all
//! its facts, and the key goes with the row in one transaction. Done twice, or after a crash, it gives the same rows.
//!
//! ```text
//! watch::warm ─[changed::mark]→ stat_dirty ─[work]→ study, login → opening_class, exam_class → class_day
//! ```

pub(crate) mod changed;
mod class_day;
mod exam;
pub(crate) mod login;
mod opening;
mod study;
pub(crate) mod visits;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use infra::{App, Result, Tx, audit::Actor, clock::Moment, directory::School, setting::Setting, tx};
use serde_json::Value;

use crate::watch;

/// 视频达标进度: from which progress on a course counts as reached whose opening asks for none.
pub(crate) const STANDARD_PERCENT: Setting =
    Setting::int("videoStandardPercent", "视频达标进度(%)", (80, 0, 100), "开课未设要求进度时使用");

/// Kinds of keys in the order in which they are computed: the later ones look at rows of the earlier.
const KINDS: [(&str, i64); 6] = [
    ("semester", 1),
    ("study", 5_000),
    ("login", 2_000),
    ("opening_class", 200),
    ("exam_class", 200),
    ("class_day", 500),
];
/// Transactions of a school in one run; what is left waits for the next, so that no school keeps the others waiting.
const MOST_TURNS: usize = 60;

/// A key as it stands in `stat_dirty`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub k1: i64,
    pub k2: i64,
    pub day: NaiveDate,
}

/// What a run did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub keys: usize,
    pub changed: u64,
}

impl std::ops::AddAssign for Done {
    fn add_assign(&mut self, other: Self) {
        self.keys += other.keys;
        self.changed += other.changed;
    }
}

/// Whoever computes rows of a school does so alone, so that two that meet do not wait for each other's rows crosswise.
pub(crate) async fn alone(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtextextended('statistics ' || current_schema(), 0))::text as "locked""#
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(())
}

pub(crate) async fn begin(app: &App, school: &School) -> Result<Tx> {
    tx::at_work(app, Some(school), Actor::system("statistics")).await
}

/// Looks at what changed in a school and computes it anew.
///
/// # Errors
/// Those of the database; 409 while the school is being migrated or somebody else computes its rows.
pub(crate) async fn sweep(app: &App, school: &School, job: &str) -> Result<Done> {
    let started = app.clock().now();
    changed::look(app, school).await?;
    let outcome = work(app, school).await;
    let error = outcome.as_ref().err().map(|error| error.msg.to_string());
    let done = outcome.as_ref().copied().unwrap_or_default();
    if done.keys > 0 || error.is_some() {
        note(app, school, job, started, done, error.as_deref()).await?;
    }
    if done.keys > 0 && waits(app, school).await? {
        watch::goes_on(app, school.id).await?;
    }
    outcome
}

/// Whether keys are left that a run did not come to.
async fn waits(app: &App, school: &School) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select exists (select from stat_dirty where kind <> 'visit') as "waits!""#)
        .fetch_one(&mut *tx::at_the_server_read_in(app, school).await?)
        .await?)
}

/// Computes until nothing waits, however long it takes.
///
/// # Errors
/// Those of the database.
pub(crate) async fn work_all(app: &App, school: &School) -> Result<Done> {
    let mut done = Done::default();
    loop {
        let turn = work(app, school).await?;
        if turn.keys == 0 {
            return Ok(done);
        }
        done += turn;
    }
}

/// Computes the keys that wait, kind by kind.
async fn work(app: &App, school: &School) -> Result<Done> {
    let mut done = Done::default();
    let mut turns = 0;
    for (kind, most) in KINDS {
        while turns < MOST_TURNS {
            turns += 1;
            let turn = turn(app, school, kind, most).await?;
            done += turn;
            if turn.keys == 0 {
                break;
            }
        }
    }
    Ok(done)
}

/// One transaction: takes keys, computes their rows, and lets the keys go with them.
async fn turn(app: &App, school: &School, kind: &str, most: i64) -> Result<Done> {
    // A look costs less than a transaction that locks.
    let waits = sqlx::query_scalar!(r#"select exists (select from stat_dirty where kind = $1) as "waits!""#, kind)
        .fetch_one(&mut *tx::at_the_server_read_in(app, school).await?)
        .await?;
    if !waits {
        return Ok(Done::default());
    }
    let mut tx = begin(app, school).await?;
    alone(&mut tx).await?;
    let keys = sqlx::query_as!(
        Key,
        "delete from stat_dirty d using (
             select kind, k1, k2, day from stat_dirty where kind = $1 order by marked_at, k1, k2, day limit $2
             for update skip locked) t
         where d.kind = t.kind and d.k1 = t.k1 and d.k2 = t.k2 and d.day = t.day
         returning d.k1, d.k2, d.day",
        kind,
        most
    )
    .fetch_all(&mut *tx)
    .await?;
    let changed = compute(&mut tx, kind, &keys).await?;
    tx.commit_untracked("figures follow from other rows").await?;
    Ok(Done { keys: keys.len(), changed })
}

/// Computes the rows of keys of one kind; answers how many are others than before.
pub(crate) async fn compute(tx: &mut Tx, kind: &str, keys: &[Key]) -> Result<u64> {
    if keys.is_empty() {
        return Ok(0);
    }
    let ids: Vec<i64> = keys.iter().map(|key| key.k1).collect::<BTreeSet<_>>().into_iter().collect();
    match kind {
        "semester" => changed::whole_semesters(tx, &ids).await,
        "study" => {
            let from = keys.iter().map(|key| key.day).min().unwrap_or_default();
            study::compute(tx, &ids, from).await
        }
        "login" => login::compute(tx, keys).await,
        "opening_class" => opening::compute(tx, &ids).await,
        "exam_class" => exam::compute(tx, &ids).await,
        _ => class_day::compute(tx, keys).await,
    }
}

/// Marks keys of one kind; one that waits already stays as it is.
pub(crate) async fn mark(tx: &mut Tx, kind: &str, keys: &[Key]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let now = tx.app().clock().now();
    let sorted: Vec<Key> = keys.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let k1: Vec<i64> = sorted.iter().map(|key| key.k1).collect();
    let k2: Vec<i64> = sorted.iter().map(|key| key.k2).collect();
    let days: Vec<NaiveDate> = sorted.iter().map(|key| key.day).collect();
    sqlx::query!(
        "insert into stat_dirty (kind, k1, k2, day, marked_at)
         select $1, k.k1, k.k2, k.day, $5::timestamptz from unnest($2::bigint[], $3::bigint[], $4::date[]) as k (k1, k2, day)
         on conflict (kind, k1, k2, day) do nothing",
        kind,
        &k1,
        &k2,
        &days,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Keeps what a run did.
///
/// # Errors
/// Those of the database.
pub(crate) async fn note(
    app: &App,
    school: &School,
    job: &str,
    started: Moment,
    done: Done,
    error: Option<&str>,
) -> Result<()> {
    let now = app.clock().now();
    let mut tx = begin(app, school).await?;
    sqlx::query!(
        "insert into stat_run (job, started_at, finished_at, keys, changed, error) values ($1, $2, $3, $4, $5, $6)",
        job,
        started as _,
        now as _,
        i32::try_from(done.keys).unwrap_or(i32::MAX),
        i32::try_from(done.changed).unwrap_or(i32::MAX),
        error
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("what a roll-up did is its own record").await
}

/// What is told of a run, for the list of background work.
pub(crate) fn failed(school: &School, error: &infra::Error) -> Value {
    serde_json::json!({ "id": school.id, "name": school.name, "msg": error.msg })
}

/// Looks at every warm school.
///
/// # Errors
/// When the schools cannot be listed; one that fails is told beside the others.
pub(crate) async fn sweep_warm(app: &App, job: &str) -> Result<(Done, Vec<Value>)> {
    watch::tell(app).await?;
    let (mut done, mut errors) = (Done::default(), Vec::new());
    for school in watch::warm(app).await? {
        match sweep(app, &school, job).await {
            Ok(of_school) => done += of_school,
            Err(error) => errors.push(failed(&school, &error)),
        }
    }
    Ok((done, errors))
}
