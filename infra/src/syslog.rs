//! 操作日志: who called what, written after the answer (01 §6.1, 05 E1). The queue is bounded; when it is full,
//! requests wait rather than lose rows.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{
    app::App,
    audit::{self, Actor},
    clock::Moment,
    db::{Db, Purpose},
    jobs::JobRun,
    mask,
};

/// What the check of a request found out about it.
#[derive(Debug, Clone)]
pub(crate) struct Logged {
    /// The permission code, or the kind of a job.
    pub(crate) code: &'static str,
    /// In Chinese, for people.
    pub(crate) operation: Cow<'static, str>,
    pub(crate) logged: bool,
    /// Shows personal values whole or private files, unless its answer was masked.
    pub(crate) sensitive: bool,
    pub(crate) actor: Actor,
    pub(crate) school_id: Option<i64>,
    pub(crate) session_id: Option<Uuid>,
}

/// What stands for the permission code of calls that need none but a session.
pub(crate) const SIGNED_IN: &str = "signed-in";

/// What is known of a call when it was answered.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Of the operation in the document.
    pub(crate) title: Option<&'a str>,
    pub(crate) code: i32,
    pub(crate) took: Duration,
    pub(crate) params: Value,
}

/// Carries [`Logged`] from the check, and notes from the handler, to the outermost layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallLog(Arc<Filled>);

#[derive(Debug, Default)]
struct Filled {
    logged: OnceLock<Logged>,
    /// The first row that was changed: its table and number.
    entity: OnceLock<(&'static str, i64)>,
    masked: OnceLock<()>,
    notes: Mutex<Map<String, Value>>,
}

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
    notes: Value,
    entity: Option<(&'static str, i64)>,
}

impl CallLog {
    pub(crate) fn fill(&self, logged: Logged) {
        // A request is checked once.
        self.0.logged.get_or_init(|| logged);
    }

    pub(crate) fn note(&self, name: &'static str, value: Value) {
        self.0.notes.lock().expect("no note panics").insert(name.to_owned(), value);
    }

    pub(crate) fn changed(&self, entity: &'static str, id: i64) {
        self.0.entity.get_or_init(|| (entity, id));
    }

    /// The answer shows nothing whole, although the operation might.
    pub(crate) fn masked(&self) {
        self.0.masked.get_or_init(|| ());
    }

    pub(crate) async fn send(&self, app: &App, answered: Answered<'_>) {
        let Some(logged) = self.0.logged.get().filter(|logged| logged.logged) else { return };
        let mut logged = logged.clone();
        // A call without a permission is named by the document instead.
        if let (SIGNED_IN, Some(title)) = (logged.code, answered.title) {
            logged.operation = Cow::Owned(title.to_owned());
        }
        logged.sensitive &= self.0.masked.get().is_none();
        let row = Row {
            at: app.clock().now(),
            logged,
            method: answered.method,
            path: mask::shapes(&answered.path).into_owned(),
            code: answered.code,
            duration_ms: milliseconds(answered.took),
            params: kept(app, &answered.params),
            notes: kept(app, &Value::Object(self.0.notes.lock().expect("no note panics").clone())),
            entity: self.0.entity.get().copied(),
        };
        queue(app, row).await;
    }
}

/// The row of a job that ended: what became of it, under the name of who started it (05 E1).
pub(crate) async fn job_ended(run: &JobRun, kind: &'static str, code: i32, took: Duration, notes: Value) {
    let mut actor = run.actor.clone();
    actor.kind = "job".to_owned();
    let row = Row {
        at: run.app().clock().now(),
        logged: Logged {
            code: kind,
            operation: Cow::Owned(run.title.clone()),
            logged: true,
            sensitive: run.shows_whole(),
            actor,
            school_id: run.school.as_ref().map(|school| school.id),
            session_id: None,
        },
        method: "JOB".to_owned(),
        path: kind.to_owned(),
        code,
        duration_ms: milliseconds(took),
        params: kept(run.app(), &run.params),
        notes: kept(run.app(), &notes),
        entity: Some(("job", run.id)),
    };
    queue(run.app(), row).await;
}

/// What logs keep of values that came from outside: redacted, without what no log keeps, and such as the database can hold.
pub(crate) fn kept(app: &App, value: &Value) -> Value {
    let mut kept = audit::redacted("", value);
    cover(&mut kept, app.modules().unlogged());
    storable(kept)
}

/// Puts a sign in the place of every field of these names.
fn cover(value: &mut Value, unlogged: &[&str]) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if unlogged.contains(&name.as_str()) && !value.is_null() {
                    *value = Value::String("***".to_owned());
                } else {
                    cover(value, unlogged);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cover(item, unlogged)),
        _ => {}
    }
}

/// What was sent may have the character that the database cannot keep; a row must not be lost, and others with it, for that.
fn storable(value: Value) -> Value {
    let kept = |text: String| if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
    match value {
        Value::String(text) => Value::String(kept(text)),
        Value::Array(items) => items.into_iter().map(storable).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (kept(name), storable(value))).collect(),
        other => other,
    }
}

fn milliseconds(took: Duration) -> i32 {
    i32::try_from(took.as_millis()).unwrap_or(i32::MAX)
}

async fn queue(app: &App, row: Row) {
    if app.syslog().send(row).await.is_err() {
        tracing::error!("the operation log has stopped");
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
        let module = row.path.trim_start_matches('/').split(['/', '.']).next().unwrap_or_default();
        sqlx::query!(
            "insert into platform.sys_log (at, trace_id, actor_type, actor_id, actor_name, on_behalf_of, school_id, session_id,
                 module, operation, permission_code, method, path, result_code, duration_ms, ip, params, notes, sensitive,
                 entity_type, entity_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
            row.at,
            actor.trace_id,
            actor.kind,
            actor.id,
            actor.name,
            actor.on_behalf_of,
            row.logged.school_id,
            row.logged.session_id,
            module,
            row.logged.operation.as_ref(),
            row.logged.code,
            row.method,
            row.path,
            row.code,
            row.duration_ms,
            actor.ip,
            row.params,
            row.notes,
            row.logged.sensitive,
            row.entity.map(|(entity, _)| entity),
            row.entity.map(|(_, id)| id)
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::cover;

    #[test]
    fn no_log_holds_what_a_module_keeps_out() {
        let mut sent = json!({ "stem": "货币的职能", "answer": { "letters": ["B"] }, "analysis": null,
            "subQuestions": [{ "answer": { "value": true }, "analysis": "见第二章" }], "withAnswer": true });
        cover(&mut sent, &["answer", "analysis"]);
        assert_eq!(
            sent,
            json!({ "stem": "货币的职能", "answer": "***", "analysis": null,
                "subQuestions": [{ "answer": "***", "analysis": "***" }], "withAnswer": true })
        );
    }
}
