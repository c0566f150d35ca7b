//! 操作日志: who called what, written after the answer (01 §6.1, 05 E1). The queue is bounded; when it is full,
//! requests wait rather than lose rows.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde_json::Value;
use tokio::sync::mpsc;

use crate::{
    app::App,
    audit::{self, Actor},
    clock::Moment,
    db::{Db, Purpose},
};

/// What the check of a request found out about it.
#[derive(Debug, Clone)]
pub(crate) struct Logged {
    pub(crate) code: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) logged: bool,
    pub(crate) actor: Actor,
    pub(crate) school_id: Option<i64>,
}

/// Carries [`Logged`] from the check to the outermost layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot(Arc<OnceLock<Logged>>);

/// One row of the log.
#[derive(Debug)]
pub(crate) struct Row {
    at: Moment,
    logged: Logged,
    method: String,
    path: String,
    code: i32,
    duration_ms: i32,
    params: Value,
}

impl Slot {
    pub(crate) fn fill(&self, logged: Logged) {
        // A request is checked once.
        self.0.get_or_init(|| logged);
    }

    pub(crate) async fn send(&self, app: &App, method: &str, path: &str, code: i32, took: Duration, params: Value) {
        let Some(logged) = self.0.get().filter(|logged| logged.logged) else { return };
        let row = Row {
            at: app.clock().now(),
            logged: logged.clone(),
            method: method.to_owned(),
            path: path.to_owned(),
            code,
            duration_ms: i32::try_from(took.as_millis()).unwrap_or(i32::MAX),
            params: audit::redacted("", &params),
        };
        if app.syslog().send(row).await.is_err() {
            tracing::error!("the operation log has stopped");
        }
    }
}

/// Writes rows as they come, many at a time; ends when every sender is gone.
pub(crate) async fn write(db: Db, mut rows: mpsc::Receiver<Row>) {
    let mut batch = Vec::with_capacity(200);
    while rows.recv_many(&mut batch, 200).await > 0 {
        let mut attempt = 0;
        while let Err(error) = insert(&db, &batch).await {
            attempt += 1;
            tracing::warn!(%error, attempt, "the operation log could not be written; trying again");
            tokio::time::sleep(Duration::from_secs(1)).await;
            if attempt == 30 {
                tracing::error!(rows = batch.len(), "rows of the operation log are lost");
                break;
            }
        }
        batch.clear();
    }
}

async fn insert(db: &Db, rows: &[Row]) -> crate::Result<()> {
    let mut tx = db.in_platform(Purpose::Write).await?;
    for row in rows {
        let actor = &row.logged.actor;
        let module = row.path.trim_start_matches('/').split('/').next().unwrap_or_default();
        let sensitive = row.path.contains("/plain/") || row.path.ends_with("/export");
        sqlx::query!(
            "insert into platform.sys_log (at, trace_id, actor_type, actor_id, actor_name, on_behalf_of, school_id, module, operation,
                 permission_code, method, path, result_code, duration_ms, ip, params, sensitive)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
            row.at.to_utc(),
            actor.trace_id,
            actor.kind,
            actor.id,
            actor.name,
            actor.on_behalf_of,
            row.logged.school_id,
            module,
            row.logged.operation,
            row.logged.code,
            row.method,
            row.path,
            row.code,
            row.duration_ms,
            actor.ip,
            row.params,
            sensitive
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(())
}
