//! Work that begins by itself, once a day or every few minutes: kinds of the table of jobs without a person who started
//! them (01 §6.4).
//!
//! Every server looks; the table lets one of them queue the work, whichever looks first.

use std::time::Duration;

use chrono::Timelike;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    audit::{Actor, Change},
    clock::Moment,
    db::Purpose,
    error::{Error, Result},
    jobs,
    tx::Tx,
};

/// How often a server looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Rows of such work are kept so long.
const KEPT_DAYS: i32 = 7;

/// A kind of job that is due by itself.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    pub kind: &'static str,
    /// For people: 检查院校服务到期.
    pub title: &'static str,
    pub when: When,
}

/// When it is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At a time of China; also later on the day, when no server ran then.
    Daily { hour: u32, minute: u32 },
    /// So many minutes from one start to the next.
    Every { minutes: u32 },
}

impl When {
    /// For people: 每天 04:30.
    pub fn words(self) -> String {
        match self {
            Self::Daily { hour, minute } => format!("每天 {hour:02}:{minute:02}"),
            Self::Every { minutes } => format!("每{minutes}分钟"),
        }
    }

    /// Nothing is due when a run began after this moment; none while today's time has not come.
    fn latest(self, now: Moment) -> Option<Moment> {
        match self {
            Self::Daily { hour, minute } => {
                let time = now.with_time(chrono::NaiveTime::from_hms_opt(hour, minute, 0)?).single()?.into();
                ((now.hour(), now.minute()) >= (hour, minute)).then_some(time)
            }
            Self::Every { minutes } => Some(now - chrono::Duration::minutes(i64::from(minutes))),
        }
    }
}

/// Queues what is due until the process ends.
pub async fn run(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = queue_due(&app, app.modules().schedules()).await {
            tracing::warn!(%error, "work that is due could not be queued; it is tried again");
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Queues what is due now and neither runs nor ran yet. Answers how much.
pub async fn queue_due(app: &App, schedules: impl IntoIterator<Item = Schedule>) -> Result<usize> {
    let now = app.clock().now();
    let mut queued = 0;
    for schedule in schedules {
        if let Some(latest) = schedule.when.latest(now) {
            queued += usize::from(queue(app, &schedule, now, latest).await?);
        }
    }
    if queued > 0 {
        jobs::wake(app);
    }
    Ok(queued)
}

async fn queue(app: &App, schedule: &Schedule, now: Moment, latest: Moment) -> Result<bool> {
    let system = Actor::system("");
    let mut tx = app.db().in_platform(Purpose::Write).await?;
    // Of two servers that look in one moment the second meets the waiting row.
    let written = sqlx::query!(
        "insert into platform.job (kind, title, params, started_by, actor_name, actor, created_at)
         select $1, $2, '{}', 0, $3, $4, $5
         where not exists (select from platform.job
                           where kind = $1 and school_id is null and (state in ('queued', 'running') or created_at >= $6))
         on conflict do nothing",
        schedule.kind,
        schedule.title,
        system.name,
        json!(system),
        now,
        latest
    )
    .execute(&mut *tx)
    .await?;
    let queued = written.rows_affected() == 1;
    if queued {
        sqlx::query!(
            "delete from platform.job
             where kind = $1 and school_id is null and started_by = 0 and finished_at < $2::timestamptz - make_interval(days => $3)",
            schedule.kind,
            now,
            KEPT_DAYS
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await.map_err(Error::from)?;
    Ok(queued)
}

/// Starts such work now, for a person who asked for it.
///
/// # Errors
/// 404 when there is no such work, 409 while it runs.
pub async fn start_now(mut tx: Tx, kind: &str) -> Result<i64> {
    let app = tx.app().clone();
    let known = app.modules().schedules().find(|schedule| schedule.kind == kind);
    let Schedule { kind, title, .. } = known.ok_or_else(|| Error::new(404, "没有这个后台任务"))?;
    let job = jobs::NewJob { kind, target: String::new(), title: title.to_owned(), params: json!({}) };
    let id = jobs::start_in(&mut tx, None, &job).await?;
    tx.commit(Change::event("job", id, "insert", json!({ "kind": kind }))).await?;
    jobs::wake(&app);
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse::<Moment>().expect("a moment")
    }

    #[test]
    fn daily_work_is_due_from_its_time_of_china_on() {
        let when = When::Daily { hour: 4, minute: 30 };
        assert_eq!(when.latest(at("2026-11-21T20:29:59Z")), None, "04:29:59 in China");
        assert_eq!(when.latest(at("2026-11-21T20:30:00Z")), Some(at("2026-11-21T20:30:00Z")));
        assert_eq!(
            when.latest(at("2026-11-22T15:59:00Z")),
            Some(at("2026-11-21T20:30:00Z")),
            "made up for until midnight"
        );
    }

    #[test]
    fn other_work_is_due_so_long_after_it_began() {
        let when = When::Every { minutes: 10 };
        assert_eq!(when.latest(at("2026-11-22T00:05:00Z")), Some(at("2026-11-21T23:55:00Z")));
        assert_eq!(
            (when.words(), When::Daily { hour: 0, minute: 20 }.words()),
            ("每10分钟".to_owned(), "每天 00:20".to_owned())
        );
    }
}
