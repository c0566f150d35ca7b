//! 会话与锁: who works in the database, who waits for whom, and how a statement is cancelled.

use std::collections::BTreeMap;

use infra::{Allowed, Result, clock::Moment, mask};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::{
    druid::{ViewMonitor, gone},
    overview::megabytes,
};

/// A session of the database.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Session {
    /// 进程号
    pid: i32,
    /// 院校
    /// 会话的事务中用到其表的院校
    school_name: Option<String>,
    /// 状态
    state: String,
    /// 开始时间
    /// 当前事务开始或状态改变的时间
    since: Option<Moment>,
    /// 等待
    waiting_for: Option<String>,
    /// 被阻塞于
    /// 阻塞本会话的进程号
    blocked_by: Vec<i32>,
    /// 语句
    /// 不含具体数值
    statement: Option<String>,
    /// 内存(MB)
    /// 数据库与服务在同一台机器时可读
    memory_mb: Option<f64>,
    /// 可取消
    cancellable: bool,
}

fn state_zh(state: Option<&str>) -> &'static str {
    match state {
        Some("active") => "执行中",
        Some("idle") => "空闲",
        Some("idle in transaction") => "事务中空闲",
        Some("idle in transaction (aborted)") => "事务已失败",
        Some("fastpath function call") => "调用函数",
        Some(_) => "其他",
        // Another role's session shows no more than that it is there.
        None => "无权查看",
    }
}

pub(crate) async fn look(caller: &Allowed<ViewMonitor>) -> Result<Vec<Session>> {
    let mut tx = caller.server_view().await?;
    let rows = sqlx::query!(
        r#"select a.pid as "pid!", a.state, coalesce(a.xact_start, a.state_change) as since, a.wait_event_type, a.wait_event,
                  case when a.wait_event_type = 'Lock' then pg_blocking_pids(a.pid) else '{}'::integer[] end as "blocked_by!",
                  a.query, a.usename = session_user as "ours!", inet_server_addr() is null as "is_local!",
                  (select n.nspname::text from pg_locks l
                   join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
                   where l.pid = a.pid and l.database = (select oid from pg_database where datname = current_database())
                     and n.nspname ~ '^school_[0-9]+$' limit 1) as schema
           from pg_stat_activity a
           where a.datname = current_database() and a.usename is not null and a.pid <> pg_backend_pid()
           order by a.state = 'idle', a.xact_start nulls last, a.pid"#
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    let schemas: Vec<String> = rows.iter().filter_map(|row| row.schema.clone()).collect();
    let names: BTreeMap<String, String> =
        sqlx::query!("select schema_name, name from platform.school where schema_name = any($1)", &schemas)
            .fetch_all(&mut *caller.read().await?)
            .await?
            .into_iter()
            .map(|row| (row.schema_name, row.name))
            .collect();
    Ok(rows
        .into_iter()
        .map(|row| {
            let active = row.state.as_deref() == Some("active");
            Session {
                pid: row.pid,
                school_name: row.schema.and_then(|schema| names.get(&schema).cloned()),
                state: state_zh(row.state.as_deref()).to_owned(),
                since: row.since,
                waiting_for: row
                    .wait_event_type
                    .filter(|_| active)
                    .map(|kind| [Some(kind), row.wait_event].into_iter().flatten().collect::<Vec<_>>().join(" ")),
                blocked_by: row.blocked_by,
                statement: row
                    .query
                    .filter(|query| !query.is_empty() && query != "<insufficient privilege>")
                    .map(|query| mask::statement(&query)),
                memory_mb: row.is_local.then(|| memory_of(row.pid)).flatten(),
                cancellable: row.ours && active,
            }
        })
        .collect())
}

/// What a backend on this machine holds in memory for itself, where the system shows it.
fn memory_of(pid: i32) -> Option<f64> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    if !name.starts_with("postgres") {
        return None;
    }
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(megabytes(kilobytes * 1024))
}

/// Cancels what a session of the deployment executes; the session itself stays. Answers the statement.
///
/// # Errors
/// 404 when there is no such session, it is another's, or it executes nothing.
pub(crate) async fn cancel(connection: &mut PgConnection, pid: i32) -> Result<String> {
    let found = sqlx::query_scalar!(
        r#"select query as "query!" from pg_stat_activity
           where pid = $1 and datname = current_database() and backend_type = 'client backend' and usename = session_user
             and state = 'active' and pid <> pg_backend_pid()"#,
        pid
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(gone)?;
    let cancelled =
        sqlx::query_scalar!(r#"select pg_cancel_backend($1) as "done!""#, pid).fetch_one(connection).await?;
    if cancelled { Ok(mask::statement(&found)) } else { Err(gone()) }
}
