//! 任务: what comes round by itself, how it went, and what failed lately.

use infra::{App, Part, Result, clock::Moment, enumeration};
use poem_openapi::Object;
use sqlx::PgConnection;

pub const PART: Part = Part { enumerations: &[ScheduledJobState::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 后台任务状态
    pub enum ScheduledJobState = "scheduledJobState" {
        Never = "never" "未执行",
        Queued = "queued" "排队中",
        Running = "running" "执行中",
        Done = "done" "已完成",
        Failed = "failed" "失败",
        Cancelled = "cancelled" "已取消",
    }
}

/// Work that comes round.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScheduledJob {
    /// 名称
    kind: String,
    /// 任务
    title: String,
    /// 执行时间
    when: String,
    /// 状态
    state: ScheduledJobState,
    /// 最近执行
    last_started_at: Option<Moment>,
    /// 耗时(毫秒)
    duration_ms: Option<i64>,
    /// 结果
    message: String,
}

/// A job of anybody's that failed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FailedJob {
    /// 编号
    id: i64,
    /// 任务
    title: String,
    /// 院校
    school_name: Option<String>,
    /// 发起人
    actor_name: String,
    /// 结束时间
    finished_at: Option<Moment>,
    /// 原因
    message: String,
}

/// Both lists.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Jobs {
    /// 后台任务
    scheduled: Vec<ScheduledJob>,
    /// 失败任务数
    /// 最近7天
    failed_count: i64,
    /// 失败任务
    failed: Vec<FailedJob>,
}

/// Failures that are shown.
const SHOWN: i64 = 50;

pub(crate) async fn look(app: &App, connection: &mut PgConnection) -> Result<Jobs> {
    let kinds: Vec<String> = app.modules().schedules().map(|schedule| schedule.kind.to_owned()).collect();
    let last = sqlx::query!(
        r#"select distinct on (kind) kind, state as "state: ScheduledJobState", started_at, finished_at, message
           from platform.job where kind = any($1) and school_id is null order by kind, id desc"#,
        &kinds
    )
    .fetch_all(&mut *connection)
    .await?;
    let scheduled = app
        .modules()
        .schedules()
        .map(|schedule| {
            let row = last.iter().find(|row| row.kind == schedule.kind);
            let took = row.and_then(|row| Some(row.finished_at? - row.started_at?));
            ScheduledJob {
                kind: schedule.kind.to_owned(),
                title: schedule.title.to_owned(),
                when: schedule.when.words(),
                state: row.map_or(ScheduledJobState::Never, |row| row.state),
                last_started_at: row.and_then(|row| row.started_at),
                duration_ms: took.map(|took| took.num_milliseconds()),
                message: row.map(|row| row.message.clone()).unwrap_or_default(),
            }
        })
        .collect();
    let failed_count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.job
           where state = 'failed' and finished_at > now() - interval '7 days'"#
    )
    .fetch_one(&mut *connection)
    .await?;
    let failed = sqlx::query!(
        r#"select j.id, j.title, s.name as "school_name?", j.actor_name, j.finished_at, j.message
           from platform.job j left join platform.school s on s.id = j.school_id
           where j.state = 'failed' and j.finished_at > now() - interval '7 days'
           order by j.finished_at desc, j.id desc limit $1"#,
        SHOWN
    )
    .fetch_all(connection)
    .await?
    .into_iter()
    .map(|row| FailedJob {
        id: row.id,
        title: row.title,
        school_name: row.school_name,
        actor_name: row.actor_name,
        finished_at: row.finished_at,
        message: row.message,
    })
    .collect();
    Ok(Jobs { scheduled, failed_count, failed })
}
