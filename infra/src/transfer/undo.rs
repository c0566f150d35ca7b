//! 撤销导入: for 30 days, what an import created or changed goes back, record by record, the newest first.
//!
//! ```text
//! import ─→ import_run, one import_record for each Change (what an edited record held is sealed)
//! undo   ─→ changed since? [trail] ─→ Import::undo, as the room's own `remove` or opposite step ─→ record marked, trail written
//! ```
//!
//! A record that somebody changed after the import, or that its room does not let go because something refers to it, stays and is
//! told; everything else goes. A check does the same and undoes itself. What stayed can be tried again later.
//!
//! Every [`Import`] is kept so. An import with a way of its own calls [`keep`] before its commit, or [`Parts::keep`] before
//! each of several; its kind of job begins with [`undone`], or is [`undo_job`] where it has no other work.

use std::{collections::HashMap, future::Future};

use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection, Row};
use uuid::Uuid;

use super::Import;
use crate::{
    App, BulkFailure, Change, Error, Result, Scope, Tx,
    access::Permission,
    clock::Moment,
    jobs::{JobKind, JobRun, Outcome},
    steps,
};

/// Days for which an import can be undone.
pub const KEPT_DAYS: i32 = 30;

/// The param of a job of an import's kind that undoes a run instead of reading a file.
pub(crate) const UNDO: &str = "undo";

/// Records between two looks at the job's row.
const PART: usize = 200;

/// What of an import can go back; every [`Import`] is one.
pub trait Undo: Send + 'static {
    /// Of the job.
    const KIND: &'static str;
    /// Of the import.
    type Permission: Permission;

    /// As [`Import::elsewhere`].
    fn elsewhere(_run: &JobRun, _new: &[i64]) -> impl Future<Output = Result<HashMap<i64, String>>> + Send {
        async { Ok(HashMap::new()) }
    }

    /// As [`Import::hold`].
    fn hold(_tx: &mut Tx, _records: &[i64]) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// As [`Import::undo`].
    fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> impl Future<Output = Result<Option<Change>>> + Send;

    /// As [`Import::named`].
    fn named(tx: &mut Tx, record: &Imported) -> impl Future<Output = Result<String>> + Send {
        name_of(tx, record)
    }
}

impl<I: Import> Undo for I {
    const KIND: &'static str = <I as Import>::KIND;
    type Permission = <I as Import>::Permission;

    fn elsewhere(run: &JobRun, new: &[i64]) -> impl Future<Output = Result<HashMap<i64, String>>> + Send {
        <I as Import>::elsewhere(run, new)
    }

    fn hold(tx: &mut Tx, records: &[i64]) -> impl Future<Output = Result<()>> + Send {
        <I as Import>::hold(tx, records)
    }

    fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> impl Future<Output = Result<Option<Change>>> + Send {
        <I as Import>::undo(tx, scope, record)
    }

    fn named(tx: &mut Tx, record: &Imported) -> impl Future<Output = Result<String>> + Send {
        <I as Import>::named(tx, record)
    }
}

/// Keeps what an import with a way of its own has written, in its transaction and as the last before its commit; answers the
/// batch that its changes in the trail must bear.
///
/// # Errors
/// Those of the database.
pub async fn keep<U: Undo>(tx: &mut Tx, title: &str, file_name: &str, total: i64, changes: &[Change]) -> Result<Uuid> {
    Parts::new(tx.app()).keep::<U>(tx, title, file_name, total, changes).await
}

/// The run of an import that commits part by part: what was committed is kept, also when somebody cancels the rest.
pub struct Parts {
    batch: Uuid,
    run: Option<Keeping>,
}

impl Parts {
    pub fn new(app: &App) -> Self {
        Self { batch: app.random().uuid(), run: None }
    }

    /// Before anything of a part is recorded: all of it belongs to the import, also what follows of its records.
    pub fn enter(&self, tx: &mut Tx) {
        tx.all_in_batch(self.batch);
    }

    /// [`keep`] of one part; `total` is of the whole import. Answers the same batch for each.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn keep<U: Undo>(
        &mut self,
        tx: &mut Tx,
        title: &str,
        file_name: &str,
        total: i64,
        changes: &[Change],
    ) -> Result<Uuid> {
        let mut run = match self.run.take() {
            Some(run) => run,
            None => Keeping::begin(tx, U::KIND, title, file_name, self.batch).await?,
        };
        run.keep(tx, changes).await?;
        run.end(tx, total).await?;
        self.run = Some(run);
        Ok(self.batch)
    }
}

/// The kind of job by which an import without a job of its own is undone.
pub const fn undo_job<U: Undo>() -> JobKind {
    JobKind {
        kind: U::KIND,
        code: Some(<U::Permission as Permission>::CODE),
        run: |run| Box::pin(only_undone::<U>(run)),
        headings: None,
    }
}

async fn only_undone<U: Undo>(run: JobRun) -> Result<Outcome> {
    undone::<U>(&run).await?.ok_or_else(|| Error::internal("the job names no import"))
}

/// Undoes an import, or checks whether it can be, when the job is there for that; none when it has other work.
///
/// # Errors
/// 404 when the import is over 30 days old; 409 when all of it is undone.
pub async fn undone<U: Undo>(run: &JobRun) -> Result<Option<Outcome>> {
    match run.params[UNDO].as_i64() {
        Some(id) => work::<U>(run, id).await.map(Some),
        None => Ok(None),
    }
}

/// One record that an import wrote.
#[derive(Debug)]
pub struct Imported {
    /// The table, as in the [`Change`].
    pub entity: String,
    pub id: i64,
    /// What the [`Change`] said: `insert`, `update`, `status`, or an event's own word.
    pub action: String,
    /// `[{field, before, after}]` of a change that is no `insert`.
    held: Value,
}

impl Imported {
    /// Whether the import made the record, by its `insert`.
    pub fn is_new(&self, entity: &str) -> bool {
        self.entity == entity && self.action == "insert"
    }

    /// What a field held before the import; none where the import did not change it.
    ///
    /// # Errors
    /// 500 when the value is of another type than the room's.
    pub fn before<T: ParseFromJSON>(&self, field: &str) -> Result<Option<T>> {
        self.side(field, "before")
    }

    /// What the import wrote into a field; none where it did not change it.
    ///
    /// # Errors
    /// As [`Imported::before`].
    pub fn after<T: ParseFromJSON>(&self, field: &str) -> Result<Option<T>> {
        self.side(field, "after")
    }

    fn side<T: ParseFromJSON>(&self, field: &str, side: &str) -> Result<Option<T>> {
        let rows = self.held.as_array().into_iter().flatten();
        let Some(row) = rows.into_iter().find(|row| row["field"] == field) else { return Ok(None) };
        T::parse_from_json(Some(row[side].clone())).map(Some).map_err(|error| Error::internal(error.into_message()))
    }

    /// The record's JSON as it was before the import, laid over what it is `now`: for a room that saves whole forms.
    pub fn laid_over(&self, now: &impl ToJSON) -> Value {
        let mut value = now.to_json().unwrap_or(Value::Null);
        for row in self.held.as_array().into_iter().flatten() {
            if let Some(field) = row["field"].as_str() {
                value[field] = row["before"].clone();
            }
        }
        value
    }

    /// The form, or the record itself, as it was before the import; what the import did not write is as it is `now`.
    ///
    /// # Errors
    /// 409 when a field no longer holds what the import wrote, or held what may not be typed any more.
    pub fn former<F: ParseFromJSON>(&self, now: &impl ToJSON) -> Result<F> {
        let stands = now.to_json().unwrap_or(Value::Null);
        let holds = |row: &Value| row["field"].as_str().is_some_and(|field| stands[field] == row["after"]);
        if !self.held.as_array().into_iter().flatten().all(holds) {
            return Err(Self::changed());
        }
        F::parse_from_json(Some(self.laid_over(now)))
            .map_err(|_| Error::conflict("导入前的内容不符合现在的填写要求，不能恢复，请手工修改"))
    }

    /// The refusal where a record no longer holds what the import wrote.
    pub fn changed() -> Error {
        Error::conflict("导入后又有改动，不能撤销")
    }
}

/// A run that is being written.
pub(crate) struct Keeping {
    id: i64,
    records: i32,
}

impl Keeping {
    /// Begins to keep what an import writes, within its own transaction.
    pub(crate) async fn begin(tx: &mut Tx, kind: &str, title: &str, file_name: &str, batch: Uuid) -> Result<Self> {
        let (by, name, undo) = (tx.by(), tx.actor().name.clone(), tx.app().random().uuid());
        // Unchecked here and below because the tables stand in `platform` and in every school; the path decides.
        let id = sqlx::query_scalar(
            "insert into import_run (kind, title, file_name, by_id, by_name, batch_id, undo_batch)
             values ($1, $2, $3, $4, $5, $6, $7) returning id",
        )
        .bind(kind)
        .bind(title)
        .bind(file_name)
        .bind(by)
        .bind(name)
        .bind(batch)
        .bind(undo)
        .fetch_one(&mut **tx)
        .await?;
        Ok(Self { id, records: 0 })
    }

    /// Keeps some records, in the order in which they were written. A note on the file as a whole is of no record.
    pub(crate) async fn keep(&mut self, tx: &mut Tx, changes: &[Change]) -> Result<()> {
        let app = tx.app().clone();
        let changes: Vec<&Change> = changes.iter().filter(|change| change.id != 0).collect();
        for part in changes.chunks(1_000) {
            let entities: Vec<&str> = part.iter().map(|change| change.entity).collect();
            let ids: Vec<i64> = part.iter().map(|change| change.id).collect();
            let actions: Vec<&str> = part.iter().map(|change| change.action).collect();
            let held: Vec<Option<Vec<u8>>> = part.iter().map(|change| sealed(&app, change)).collect::<Result<_>>()?;
            sqlx::query(
                "insert into import_record (run_id, seq, entity, entity_id, action, held)
                 select $1, $2 + r.place, r.entity, r.id, r.action, r.held
                 from unnest($3::text[], $4::bigint[], $5::text[], $6::bytea[]) with ordinality
                      as r (entity, id, action, held, place)",
            )
            .bind(self.id)
            .bind(self.records)
            .bind(entities)
            .bind(ids)
            .bind(actions)
            .bind(held)
            .execute(&mut **tx)
            .await?;
            self.records += i32::try_from(part.len()).map_err(Error::internal)?;
        }
        Ok(())
    }

    /// Ends the run: what the trail says of its records later than now is somebody else's.
    pub(crate) async fn end(&self, tx: &mut Tx, total: i64) -> Result<()> {
        let now = tx.app().clock().now();
        sqlx::query("update import_run set total = $2, records = $3, at = $4 where id = $1")
            .bind(self.id)
            .bind(total)
            .bind(i64::from(self.records))
            .bind(now)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}

fn sealed(app: &App, change: &Change) -> Result<Option<Vec<u8>>> {
    if change.action == "insert" {
        return Ok(None);
    }
    let bytes = serde_json::to_vec(&change.whole).map_err(Error::internal)?;
    app.keys().seal(app.random(), &bytes).map(Some)
}

/// Since when imports can be undone.
pub(crate) fn since(app: &App) -> Moment {
    app.clock().now() - chrono::Duration::days(i64::from(KEPT_DAYS))
}

/// Forgets what imports wrote longer ago.
pub(crate) async fn forget_old(tx: &mut Tx) -> Result<u64> {
    let since = since(tx.app());
    let gone = sqlx::query("delete from import_run where at <= $1").bind(since).execute(&mut **tx).await?;
    Ok(gone.rows_affected())
}

/// What an undo came to.
#[derive(Debug, Default)]
struct Sum {
    done: i64,
    kept: Vec<BulkFailure>,
}

/// Undoes a run, or checks whether it can be: the work of a job of the import's kind.
async fn work<U: Undo>(run: &JobRun, id: i64) -> Result<Outcome> {
    let scope = run.scope(<U::Permission as Permission>::CODE).await?;
    let dry_run = run.params["dryRun"].as_bool().unwrap_or(false);
    // Looking into other schools takes long, so it is done before the writing transaction begins.
    let new = new_records(&mut *run.read().await?, id).await?;
    let elsewhere = if new.is_empty() { HashMap::new() } else { U::elsewhere(run, &new).await? };
    let mut tx = run.begin().await?;
    // Whose rights became narrower since they asked has their own imports alone.
    let found = sqlx::query(
        "select batch_id, undo_batch from import_run
         where id = $1 and kind = $2 and at > $3 and ($4 or by_id = $5) for update",
    )
    .bind(id)
    .bind(U::KIND)
    .bind(since(run.app()))
    .bind(scope.is_whole())
    .bind(run.actor.id)
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(|| Error::new(404, format!("导入记录不存在，或已超过{KEPT_DAYS}天")))?;
    let (batch, undo_batch): (Uuid, Uuid) = (found.try_get(0)?, found.try_get(1)?);
    tx.all_in_batch(undo_batch);
    let records = sqlx::query(
        "select seq, entity, entity_id, action, held from import_record where run_id = $1 and not undone order by seq desc",
    )
    .bind(id)
    .fetch_all(&mut *tx)
    .await?;
    if records.is_empty() {
        return Err(Error::conflict("该次导入已全部撤销"));
    }
    let total = i64::try_from(records.len()).map_err(Error::internal)?;
    let ids: Vec<i64> = records.iter().map(|row| row.try_get("entity_id")).collect::<sqlx::Result<_>>()?;
    U::hold(&mut tx, &ids).await?;
    let own = Own { run: id, batch, undo_batch, trace: run.actor.trace_id.clone(), elsewhere };
    let mut sum = Sum::default();
    for part in records.chunks(PART) {
        let gone = sum.done + i64::try_from(sum.kept.len()).map_err(Error::internal)?;
        run.progress(if dry_run { "检查" } else { "撤销" }, gone, total).await?;
        back::<U>(&mut tx, part, &own, &scope, &mut sum).await?;
    }
    let outcome = told(run, total, &sum, dry_run).await?;
    if dry_run || sum.done == 0 {
        return Ok(outcome);
    }
    sqlx::query("update import_run set undone = undone + $2, undone_at = $3, undone_by = $4 where id = $1")
        .bind(id)
        .bind(sum.done)
        .bind(run.app().clock().now())
        .bind(&run.actor.name)
        .execute(&mut *tx)
        .await?;
    run.mark_done(&mut tx, &outcome).await?;
    let what = json!({ "done": sum.done, "kept": sum.kept.len() });
    tx.commit(Change::event("import_run", id, "undo", what).in_batch(undo_batch)).await?;
    Ok(outcome)
}

/// What the run made and what is not undone yet.
async fn new_records(connection: &mut PgConnection, run: i64) -> Result<Vec<i64>> {
    let new = sqlx::query_scalar(
        "select entity_id from import_record where run_id = $1 and not undone and action = 'insert' order by seq",
    )
    .bind(run)
    .fetch_all(connection)
    .await?;
    Ok(new)
}

/// What a run calls its own in the trail, and which of its records have to stay for what lies elsewhere.
struct Own {
    run: i64,
    batch: Uuid,
    undo_batch: Uuid,
    /// Of the call that undoes: what it records is nobody else's change.
    trace: String,
    elsewhere: HashMap<i64, String>,
}

/// Some records, the newest first.
async fn back<U: Undo>(
    tx: &mut Tx,
    rows: &[sqlx::postgres::PgRow],
    own: &Own,
    scope: &Scope,
    sum: &mut Sum,
) -> Result<()> {
    let (mut undone, mut changes) = (Vec::new(), Vec::new());
    for row in rows {
        let seq: i32 = row.try_get("seq")?;
        let record = record(tx.app(), row)?;
        tx.savepoint().await?;
        match one::<U>(tx, own, seq, &record, scope).await {
            Ok(change) => {
                tx.row_done().await?;
                undone.push(seq);
                changes.extend(change);
                sum.done += 1;
            }
            Err(error) => {
                // Who is not to be seen is not named.
                let unseen = error.code == 404;
                let msg = tx.row_failed(error).await?.0;
                let name = if unseen { String::new() } else { U::named(tx, &record).await? };
                sum.kept.push(BulkFailure { id: record.id, name, msg });
            }
        }
    }
    tx.record(&changes).await?;
    // What was to be put back is kept no longer than it is of use.
    sqlx::query("update import_record set undone = true, held = null where run_id = $1 and seq = any($2)")
        .bind(own.run)
        .bind(undone)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// One record; what was done of one that has to stay is undone by whoever calls.
async fn one<U: Undo>(tx: &mut Tx, own: &Own, seq: i32, record: &Imported, scope: &Scope) -> Result<Option<Change>> {
    let Some(told) = held_by(tx, own, seq, record).await? else {
        let change = U::undo(tx, scope, record).await?;
        // The room may have waited for somebody who held the record when the trail was read first.
        return match changed_since(tx, own, seq).await? {
            None => Ok(change),
            Some(told) => Err(Error::conflict(told)),
        };
    };
    // Of what lies outside the scope by now nobody is told who changed it: only the room knows where it lies.
    if !scope.is_whole()
        && let Err(error) = U::undo(tx, scope, record).await
        && (error.code == 404 || error.code == 500)
    {
        return Err(error);
    }
    Err(Error::conflict(told))
}

/// Why a record has to stay, whatever its room says.
async fn held_by(tx: &mut Tx, own: &Own, seq: i32, record: &Imported) -> Result<Option<String>> {
    if let Some(told) = own.elsewhere.get(&record.id).filter(|_| record.action == "insert") {
        return Ok(Some(told.clone()));
    }
    if let Some(told) = changed_since(tx, own, seq).await? {
        return Ok(Some(told));
    }
    let forgotten = record.action != "insert" && record.held.is_null();
    Ok(forgotten.then(|| "导入前的内容已被清除，不能恢复".to_owned()))
}

fn record(app: &App, row: &sqlx::postgres::PgRow) -> Result<Imported> {
    let sealed: Option<Vec<u8>> = row.try_get("held")?;
    let held = match sealed {
        None => Value::Null,
        Some(sealed) => serde_json::from_slice(&app.keys().unseal(&sealed)?).map_err(Error::internal)?,
    };
    Ok(Imported { entity: row.try_get("entity")?, id: row.try_get("entity_id")?, action: row.try_get("action")?, held })
}

/// Who changed a record after the run, as the trail has it. Not looked at is what another run did to it and undid again, and what
/// followed of a run of which nothing is left.
async fn changed_since(tx: &mut Tx, own: &Own, seq: i32) -> Result<Option<String>> {
    let later: Option<(String, Moment)> = sqlx::query_as(
        "select a.actor_name, a.at
         from import_record r
         join import_run n on n.id = r.run_id
         join audit_log a on a.entity_type = r.entity and a.entity_id = r.entity_id and a.at > n.at
         where r.run_id = $1 and r.seq = $2 and a.batch_id is distinct from $3 and a.batch_id is distinct from $4
           and a.trace_id <> $5
           and not exists (
               select from import_run y
               where a.batch_id in (y.batch_id, y.undo_batch)
                 and (y.undone = y.records and y.records > 0
                      or exists (select from import_record x
                                 where x.run_id = y.id and x.entity = r.entity and x.entity_id = r.entity_id and x.undone)))
         order by a.at desc limit 1",
    )
    .bind(own.run)
    .bind(seq)
    .bind(own.batch)
    .bind(own.undo_batch)
    .bind(&own.trace)
    .fetch_optional(&mut **tx)
    .await?;
    Ok(later.map(|(by, at)| format!("导入后已被{by}于{}修改，不能撤销", at.format("%Y-%m-%d %H:%M:%S"))))
}

/// The name of a record whose table has a column `name`; empty for another.
pub(super) fn name_of(connection: &mut PgConnection, record: &Imported) -> impl Future<Output = Result<String>> + Send {
    // The table is a constant of a room, kept with its record.
    let sql = format!("select to_jsonb(t)->>'name' from {} t where id = $1", record.entity);
    let id = record.id;
    async move {
        let name: Option<Option<String>> =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
        Ok(name.flatten().unwrap_or_default())
    }
}

async fn told(run: &JobRun, total: i64, sum: &Sum, dry_run: bool) -> Result<Outcome> {
    let (done, kept) = (sum.done, sum.kept.len());
    let message = match (dry_run, kept) {
        (true, 0) => format!("共{total}条，均可撤销"),
        (true, _) => format!("共{total}条，可撤销{done}条，{kept}条不能撤销"),
        (false, 0) => format!("共{total}条，已撤销{done}条"),
        (false, _) => format!("共{total}条，已撤销{done}条，{kept}条保留"),
    };
    let result_file = steps::failures(run, &run.title, &sum.kept).await?;
    let errors = sum.kept.iter().take(1_000).map(|row| json!(row)).collect();
    Ok(Outcome { message, errors, result_file, ..Outcome::default() })
}
