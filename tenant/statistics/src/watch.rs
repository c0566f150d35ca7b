//! Which schools were written to, and up to when the facts of each were looked at. A school that nobody writes to is not looked at by
//! day: what changes is told by the servers that change it ([`infra::db::Db::take_written`]), and what was not told, because a
//! server died, is found in the night.

use std::{sync::Arc, time::Duration};

use infra::{App, Error, Result, audit::Actor, clock::Moment, directory::School, tx};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::table::AsOf;

/// How often a server tells where it wrote.
const TELL_EVERY: Duration = Duration::from_secs(20);
/// So long after the last writing a school is looked at: a step may commit long after it began, and bears the time of its beginning.
const WARM_MINUTES: i32 = 5;
/// What was changed so shortly before the last look is looked at once more, for the same reason.
const OVERLAP_MINUTES: i64 = 2;

/// Tells until the process ends.
pub async fn run(app: App, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(TELL_EVERY) => {}
            () = stop.cancelled() => return,
        }
        if let Err(error) = tell(&app).await {
            tracing::warn!(%error, "where this server wrote could not be told; the night finds it");
        }
    }
}

/// Tells where this server wrote since it told last.
///
/// # Errors
/// Those of the database.
pub(crate) async fn tell(app: &App) -> Result<()> {
    let mut schools = app.db().take_written();
    if schools.is_empty() {
        return Ok(());
    }
    schools.sort_unstable();
    let now = app.clock().now();
    let mut tx = tx::at_work(app, None, Actor::system("")).await?;
    sqlx::query!(
        "insert into platform.stat_watch (school_id, written_at)
         select s.id, $2::timestamptz from unnest($1::bigint[]) as s (id) order by s.id
         on conflict (school_id) do update set written_at = excluded.written_at",
        &schools,
        now as _
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("where something was written is no record that somebody keeps").await
}

/// A school whose keys a run did not get through stays warm, although nobody writes to it: the next run goes on with them.
///
/// # Errors
/// Those of the database.
pub(crate) async fn goes_on(app: &App, school: i64) -> Result<()> {
    let now = app.clock().now();
    let mut tx = tx::at_work(app, None, Actor::system("")).await?;
    sqlx::query!("update platform.stat_watch set written_at = $2::timestamptz where school_id = $1", school, now as _)
        .execute(&mut *tx)
        .await?;
    tx.commit_untracked("where something waits is no record that somebody keeps").await
}

/// Since when facts are to be looked at, by both clocks; none: from the beginning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since {
    pub server: Option<Moment>,
    pub database: Option<Moment>,
}

/// The open schools that were written to since they were looked at last, or shortly before.
///
/// # Errors
/// Those of the database.
pub(crate) async fn warm(app: &App) -> Result<Vec<Arc<School>>> {
    let ids = sqlx::query_scalar!(
        "select w.school_id from platform.stat_watch w
         join platform.school s on s.id = w.school_id and s.deleted_at is null and s.provision_state = 'ready'
                               and s.status in ('trial', 'active')
         where w.written_at is not null
           and (w.swept_at is null or w.written_at >= w.swept_at - make_interval(mins => $1))
         order by w.school_id",
        WARM_MINUTES
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    known(app, ids).await
}

/// Every open school.
///
/// # Errors
/// Those of the database.
pub(crate) async fn all(app: &App) -> Result<Vec<Arc<School>>> {
    let ids = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    known(app, ids).await
}

async fn known(app: &App, ids: Vec<i64>) -> Result<Vec<Arc<School>>> {
    let mut schools = Vec::with_capacity(ids.len());
    for id in ids {
        // One that is being migrated waits for the next turn.
        schools.extend(app.school(id).await?.filter(|school| school.is_open() && school.key().is_ok()));
    }
    Ok(schools)
}

/// Since when the facts of a school are to be looked at.
///
/// # Errors
/// Those of the database.
pub(crate) async fn since(app: &App, school: i64) -> Result<Since> {
    let row = sqlx::query!("select swept_at, swept_db_at from platform.stat_watch where school_id = $1", school)
        .fetch_optional(&mut *app.platform_read().await?)
        .await?;
    let overlap = chrono::Duration::minutes(OVERLAP_MINUTES);
    let before = |at: Option<Moment>| at.map(|at| at - overlap);
    Ok(row.map_or(Since { server: None, database: None }, |row| Since {
        server: before(row.swept_at),
        database: before(row.swept_db_at),
    }))
}

/// The facts of a school were looked at up to these moments of the server's and the database's clock.
///
/// # Errors
/// Those of the database.
pub(crate) async fn swept(app: &App, school: i64, server: Moment, database: Moment) -> Result<()> {
    let mut tx = tx::at_work(app, None, Actor::system("")).await?;
    sqlx::query!(
        "insert into platform.stat_watch (school_id, swept_at, swept_db_at) values ($1, $2, $3)
         on conflict (school_id) do update set swept_at = excluded.swept_at, swept_db_at = excluded.swept_db_at",
        school,
        server as _,
        database as _
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("how far a look went is no record that somebody keeps").await
}

/// A school published its figures.
///
/// # Errors
/// Those of the database.
pub(crate) async fn published(connection: &mut PgConnection, school: i64, now: Moment) -> Result<()> {
    sqlx::query!(
        "insert into platform.stat_watch (school_id, published_at) values ($1, $2)
         on conflict (school_id) do update set published_at = excluded.published_at",
        school,
        now as _
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Schools whose figures changed since they published them.
///
/// # Errors
/// Those of the database.
pub(crate) async fn unpublished(app: &App) -> Result<Vec<Arc<School>>> {
    let ids = sqlx::query_scalar!(
        "select w.school_id from platform.stat_watch w
         join platform.school s on s.id = w.school_id and s.deleted_at is null and s.provision_state = 'ready'
                               and s.status in ('trial', 'active')
         where w.swept_at is not null and w.written_at is not null
           and (w.published_at is null or w.written_at >= w.published_at - make_interval(mins => $1))
         order by w.school_id",
        WARM_MINUTES
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    known(app, ids).await
}

/// Lets somebody ask for new figures of a school, once a minute (05 §0).
///
/// # Errors
/// 429 within a minute of the last time.
pub(crate) async fn may_refresh(app: &App, school: i64) -> Result<()> {
    let now = app.clock().now();
    let mut tx = tx::at_work(app, None, Actor::system("")).await?;
    let taken = sqlx::query_scalar!(
        r#"insert into platform.stat_watch as w (school_id, refreshed_at) values ($1, $2::timestamptz)
           on conflict (school_id) do update set refreshed_at = excluded.refreshed_at
           where w.refreshed_at is null or w.refreshed_at <= excluded.refreshed_at - interval '1 minute'
           returning school_id as "school_id!""#,
        school,
        now as _
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit_untracked("how often somebody asked is no record that somebody keeps").await?;
    taken.map(|_| ()).ok_or_else(|| Error::too_many("数据刚刚更新过，请稍后再试"))
}

/// Up to when the figures of a school go: now, where nothing was written since they were computed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn as_of(app: &App, school: i64) -> Result<AsOf> {
    let now = app.clock().now();
    let row = sqlx::query!("select written_at, swept_at from platform.stat_watch where school_id = $1", school)
        .fetch_optional(&mut *app.platform_read().await?)
        .await?;
    let behind = row.and_then(|row| match (row.written_at, row.swept_at) {
        (Some(written), Some(swept)) if written > swept => Some(swept),
        _ => None,
    });
    Ok(AsOf { computed_at: now, data_until: behind.unwrap_or(now) })
}
