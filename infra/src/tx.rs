//! The two kinds of transactions that an operation can get. Both are already inside one school, or in `platform`.

use std::{
    collections::HashMap,
    ops::{Deref, DerefMut},
};

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Postgres, Row, Transaction};
use uuid::Uuid;

use crate::{
    app::App,
    audit::{Actor, Change},
    error::{BulkFailureReason, Error, OnConstraint, Result},
    notice,
    reference::{Reference, Referred, on_the_wire},
    reply::EnabledChange,
    syslog::CallLog,
};

/// A snapshot; it ends without a commit.
pub struct ReadTx {
    inner: Transaction<'static, Postgres>,
}

impl ReadTx {
    pub(crate) fn new(inner: Transaction<'static, Postgres>) -> Self {
        Self { inner }
    }
}

impl Deref for ReadTx {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.inner
    }
}

impl DerefMut for ReadTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.inner
    }
}

/// The key a caller gave to a save, so that a repetition creates nothing (00 §8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    pub operation: String,
    pub body_hash: Vec<u8>,
}

/// A writing transaction. It is undone unless [`Tx::commit`] is called, which asks for the record of the change.
pub struct Tx {
    inner: Transaction<'static, Postgres>,
    app: App,
    actor: Actor,
    idempotency: Option<Idempotency>,
    notices: Vec<(&'static str, String)>,
    log: CallLog,
    /// Of whose rows it is told that they were changed; none in `platform`, and in work that only follows from them.
    school: Option<i64>,
    /// What the records bear that name no batch of their own.
    batch: Option<Uuid>,
    /// By table, the statement of [`Tx::referring`]; none for a table to which nothing can refer.
    referring: HashMap<&'static str, Option<String>>,
}

impl Deref for Tx {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.inner
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.inner
    }
}

impl Tx {
    /// # Errors
    /// [`Error::replay`] when the same save was made before, 409 when its key was used for another.
    pub(crate) async fn open(
        mut inner: Transaction<'static, Postgres>,
        app: App,
        actor: Actor,
        idempotency: Option<Idempotency>,
    ) -> Result<Self> {
        if let Some(wanted) = &idempotency {
            // The same call beside this one waits here until the first has ended, before either does any work.
            sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, $2))")
                .bind(&wanted.key)
                .bind(actor.id)
                .execute(&mut *inner)
                .await?;
            replay(&mut inner, actor.id, wanted).await?;
        }
        Ok(Self {
            inner,
            app,
            actor,
            idempotency,
            notices: Vec::new(),
            log: CallLog::default(),
            school: None,
            batch: None,
            referring: HashMap::new(),
        })
    }

    /// The call's row of the operation log names what this transaction changes.
    pub(crate) fn logged_in(mut self, log: CallLog) -> Self {
        self.log = log;
        self
    }

    /// What is committed is told of this school.
    pub(crate) fn placed(mut self, school: Option<i64>) -> Self {
        self.school = school;
        self
    }

    /// All that is recorded from now on belongs to one import or its undoing, also what follows of its records.
    pub(crate) fn all_in_batch(&mut self, batch: Uuid) {
        self.batch = Some(batch);
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// The account that acts, for `created_by` and `updated_by`; 0 for people of the clients, who have none in the console.
    pub fn by(&self) -> i64 {
        if matches!(self.actor.kind.as_str(), "platform" | "school" | "job") { self.actor.id } else { 0 }
    }

    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Whoever began as nobody has proven who they are: what follows stands under their name.
    pub fn acts_now(&mut self, actor: Actor) {
        self.actor = actor;
    }

    /// Every server drops what it remembers under `topic` and `key` when this transaction commits.
    pub fn notice(&mut self, topic: &'static str, key: impl ToString) {
        let notice = (topic, key.to_string());
        // Thousands of rows of one step say the same.
        if self.notices.last() != Some(&notice) {
            self.notices.push(notice);
        }
    }

    /// Writes the record of the change and commits both.
    pub fn commit(self, change: Change) -> BoxFuture<'static, Result<()>> {
        self.commit_all(vec![change])
    }

    /// The same for a step that changed several rows; their records are written set-wise.
    pub fn commit_all(self, changes: Vec<Change>) -> BoxFuture<'static, Result<()>> {
        self.committed(changes).boxed()
    }

    async fn committed(mut self, changes: Vec<Change>) -> Result<()> {
        self.record(&changes).await?;
        if let (Some(wanted), Some(first)) = (self.idempotency.take(), changes.first()) {
            // What is replaced is older than a day: a younger one would have been answered before the work.
            sqlx::query(
                "insert into idempotency_key (key, user_id, operation, body_hash, result_id) values ($1, $2, $3, $4, $5)
                 on conflict (user_id, key) do update
                 set operation = excluded.operation, body_hash = excluded.body_hash, result_id = excluded.result_id,
                     created_at = excluded.created_at",
            )
            .bind(&wanted.key)
            .bind(self.actor.id)
            .bind(&wanted.operation)
            .bind(&wanted.body_hash)
            .bind(first.id)
            .execute(&mut *self.inner)
            .await?;
        }
        self.ended().await
    }

    /// Ends a step that touched nothing which the trail keeps: counters of failed sign-ins, a challenge.
    pub async fn commit_untracked(self, _because: &'static str) -> Result<()> {
        self.ended().await
    }

    /// Commits, and says what has to be known of it.
    async fn ended(mut self) -> Result<()> {
        for (topic, key) in &self.notices {
            notice::publish(&mut self.inner, topic, key).await?;
        }
        self.inner.commit().await?;
        for (topic, key) in &self.notices {
            self.app.notices().forget(topic, key);
        }
        if let Some(school) = self.school {
            self.app.db().wrote(school);
        }
        Ok(())
    }

    /// Writes records now, for a long step that commits later with its last ones.
    pub async fn record(&mut self, changes: &[Change]) -> Result<()> {
        let changes: Vec<&Change> = changes.iter().filter(|change| !change.is_nothing()).collect();
        if let Some(first) = changes.first() {
            self.log.changed(first.entity, first.id);
        }
        for part in changes.chunks(1000) {
            let entities: Vec<&str> = part.iter().map(|change| change.entity).collect();
            let ids: Vec<i64> = part.iter().map(|change| change.id).collect();
            let actions: Vec<&str> = part.iter().map(|change| change.action).collect();
            let fields: Vec<&Value> = part.iter().map(|change| &change.fields).collect();
            let batches: Vec<Option<Uuid>> = part.iter().map(|change| change.batch.or(self.batch)).collect();
            // Unchecked because the table stands in `platform` and in every school; the path decides.
            sqlx::query(
                "insert into audit_log (at, trace_id, actor_type, actor_id, actor_name, on_behalf_of, ip,
                                        entity_type, entity_id, action, changes, batch_id)
                 select $1, $2, $3, $4, $5, $6, $7, r.entity, r.id, r.action, r.changes, r.batch
                 from unnest($8::text[], $9::bigint[], $10::text[], $11::jsonb[], $12::uuid[])
                      as r (entity, id, action, changes, batch)",
            )
            .bind(self.app.clock().now())
            .bind(&self.actor.trace_id)
            .bind(&self.actor.kind)
            .bind(self.actor.id)
            .bind(&self.actor.name)
            .bind(&self.actor.on_behalf_of)
            .bind(&self.actor.ip)
            .bind(entities)
            .bind(ids)
            .bind(actions)
            .bind(fields)
            .bind(batches)
            .execute(&mut *self.inner)
            .await?;
        }
        Ok(())
    }

    /// Why an update with a version met no row: gone, or changed by somebody else since it was read (02 §0.6).
    pub fn stale(&mut self, table: &'static str, id: i64) -> BoxFuture<'_, Error> {
        async move {
            match self.last_change(table, id).await {
                Ok(Some((by, at))) => {
                    let at = at.format("%Y-%m-%d %H:%M:%S");
                    Error::conflict(format!("数据已被{by}于{at}修改，请刷新后重试"))
                }
                Ok(None) => Error::not_found(),
                Err(error) => error,
            }
        }
        .boxed()
    }

    async fn last_change(&mut self, table: &'static str, id: i64) -> Result<Option<(String, crate::clock::Moment)>> {
        let row = sqlx::query(AssertSqlSafe(format!("select updated_by, updated_at from {table} where id = $1")))
            .bind(id)
            .fetch_optional(&mut *self.inner)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let (by, at): (i64, crate::clock::Moment) = (row.try_get(0)?, row.try_get(1)?);
        // Who has no account of the console, as a student in their client, is known to the trail alone.
        let name = if by == 0 { self.last_actor(table, id).await? } else { None };
        match name {
            Some(name) => Ok(Some((name, at))),
            None => Ok(Some((self.app.account_name(by).await?, at))),
        }
    }

    async fn last_actor(&mut self, table: &'static str, id: i64) -> Result<Option<String>> {
        Ok(sqlx::query_scalar(
            "select actor_name from audit_log where entity_type = $1 and entity_id = $2 order by at desc limit 1",
        )
        .bind(table)
        .bind(id)
        .fetch_optional(&mut *self.inner)
        .await?)
    }

    /// How many rows of which kinds refer to a row; none when no row does.
    pub async fn referring(&mut self, table: &'static str, id: i64) -> Result<Option<Referred>> {
        let known = self.referring.get(table).cloned();
        let sql = match known {
            Some(sql) => sql,
            None => {
                let sql = self.counting(table).await?;
                self.referring.insert(table, sql.clone());
                sql
            }
        };
        let Some(sql) = sql else { return Ok(None) };
        let counts: Vec<(String, String, i64)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_all(&mut *self.inner).await?;
        let told = |(entity, column, count): (String, String, i64)| {
            let counted = self.app.modules().entity(&entity).map_or("条记录", |entity| entity.counted).to_owned();
            Reference { entity, counted, count, field: on_the_wire(&column), id }
        };
        let references: Vec<Reference> = counts.into_iter().filter(|(_, _, count)| *count > 0).map(told).collect();
        Ok((!references.is_empty()).then_some(Referred { references }))
    }

    /// The statement that counts, table by table, the rows that refer to one of this table. A step that removes many looks it up
    /// once.
    async fn counting(&mut self, table: &'static str) -> Result<Option<String>> {
        let referring = sqlx::query_as::<_, (String, String)>(
            // A foreign key of several columns counts by the one that holds the row's number. The keys to a table are found
            // by what depends on it: pg_constraint has no index on that side, and holds those of every school.
            "select distinct c.relname::text, a.attname::text
             from pg_depend d
             join pg_constraint k on k.oid = d.objid
             join pg_class c on c.oid = k.conrelid
             join pg_attribute i on i.attrelid = k.confrelid and i.attname = 'id'
             join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[array_position(k.confkey, i.attnum)]
             where d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass($1)
               and d.classid = 'pg_constraint'::regclass and k.contype = 'f' and k.confrelid = d.refobjid
             order by 1, 2",
        )
        .bind(table)
        .fetch_all(&mut *self.inner)
        .await?;
        let count = |(place, (other, column)): (usize, &(String, String))| {
            format!(
                "select {place} as place, '{other}' as kind, '{column}' as field, count(*) as referring from {other}
                 where {column} = $1"
            )
        };
        let counts: Vec<String> = referring.iter().enumerate().map(count).collect();
        let all = counts.join(" union all ");
        Ok((!counts.is_empty()).then(|| format!("select kind, field, referring from ({all}) counts order by place")))
    }

    /// Switches a row on or off (`update/status`); the version is checked when it was sent. A row that is so already keeps its
    /// version, and the trail tells nothing of it.
    pub async fn set_enabled(&mut self, table: &'static str, wanted: &EnabledChange) -> Result<Change> {
        let held = format!("select enabled, version from {table} where id = $1 for update");
        let before: Option<(bool, i32)> =
            sqlx::query_as(AssertSqlSafe(held)).bind(wanted.id).fetch_optional(&mut *self.inner).await?;
        let before = match before {
            Some((before, version)) if wanted.version.is_none_or(|read| read == version) => before,
            _ => return Err(self.stale(table, wanted.id).await),
        };
        if before == wanted.enabled {
            return Ok(Change::nothing(table, wanted.id));
        }
        let switched = format!(
            "update {table} set enabled = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1"
        );
        sqlx::query(AssertSqlSafe(switched))
            .bind(wanted.id)
            .bind(wanted.enabled)
            .bind(self.actor.id)
            .execute(&mut *self.inner)
            .await?;
        Ok(Change::status(table, wanted.id, "enabled", before, wanted.enabled))
    }

    /// Holds a row until the transaction ends, so that nobody changes it or begins to refer to it; one that is gone is
    /// found missing by whoever reads it next.
    pub async fn lock(&mut self, table: &'static str, id: i64) -> Result<()> {
        sqlx::query(AssertSqlSafe(format!("select id from {table} where id = $1 for update")))
            .bind(id)
            .fetch_optional(&mut *self.inner)
            .await?;
        Ok(())
    }

    /// Lets every module take away what it made by itself of a record that is about to be deleted, as far as nobody touched it
    /// ([`crate::module::Part::leaving`]). Whoever calls holds the record; what somebody made still refers to it.
    pub async fn leaving(&mut self, table: &'static str, id: i64) -> Result<()> {
        let app = self.app.clone();
        for leaving in app.modules().leaving() {
            leaving(self, table, id).await?;
        }
        Ok(())
    }

    /// Lets every module write anew what it copied of a record that its owner has just corrected
    /// ([`crate::module::Part::corrected`]).
    pub async fn corrected(&mut self, table: &'static str, id: i64) -> Result<()> {
        let app = self.app.clone();
        for corrected in app.modules().corrected() {
            corrected(self, table, id).await?;
        }
        Ok(())
    }

    /// Deletes rows, unless something refers to them: then 409 with the kinds and numbers, in the words of the modules and as data.
    ///
    /// Which tables refer is read from the catalogue of foreign keys, so that a new table cannot be forgotten.
    pub async fn remove(&mut self, table: &'static str, id: i64, name: &str) -> Result<()> {
        if let Some(found) = self.referring(table, id).await? {
            return Err(found.refuse(format!("“{name}”已被引用，不能删除：{found}")));
        }
        let deleted = sqlx::query(AssertSqlSafe(format!("delete from {table} where id = $1")))
            .bind(id)
            .execute(&mut *self.inner)
            .await
            .on_constraint(|_| Some(Error::conflict(format!("“{name}”已被引用，不能删除"))))?;
        if deleted.rows_affected() == 0 {
            return Err(Error::not_found());
        }
        self.forget_imported(table, &[id]).await
    }

    /// What imports could put back of these records goes with what the records told of people.
    pub async fn forget_imported(&mut self, table: &'static str, ids: &[i64]) -> Result<()> {
        sqlx::query(
            "update import_record set held = null where entity = $1 and entity_id = any($2) and held is not null",
        )
        .bind(table)
        .bind(ids)
        .execute(&mut *self.inner)
        .await?;
        Ok(())
    }

    /// A point to which one row of a bulk step can go back without undoing the others.
    pub async fn savepoint(&mut self) -> Result<()> {
        sqlx::query("savepoint one_row").execute(&mut *self.inner).await?;
        Ok(())
    }

    /// Ends a row that went well; thousands of open points would slow every statement.
    pub async fn row_done(&mut self) -> Result<()> {
        sqlx::query("release savepoint one_row").execute(&mut *self.inner).await?;
        Ok(())
    }

    /// Undoes the row since [`Tx::savepoint`] and says why, for the failed rows of a bulk answer.
    ///
    /// # Errors
    /// Internal errors are not a row's failure; they end the whole step.
    pub async fn row_failed(&mut self, error: Error) -> Result<BulkFailureReason> {
        if error.code == 500 {
            return Err(error);
        }
        sqlx::query("rollback to savepoint one_row").execute(&mut *self.inner).await?;
        self.row_done().await?;
        Ok(BulkFailureReason(error.msg.into_owned()))
    }
}

/// Looks for the key; the caller's own of more than a day ago go, so that nobody's heap up.
async fn replay(connection: &mut PgConnection, user_id: i64, wanted: &Idempotency) -> Result<()> {
    sqlx::query(
        "delete from idempotency_key where user_id = $1 and key in (
             select key from idempotency_key
             where user_id = $1 and created_at <= now() - interval '24 hours' for update skip locked)",
    )
    .bind(user_id)
    .execute(&mut *connection)
    .await?;
    let known = sqlx::query(
        "select operation, body_hash, result_id from idempotency_key
         where user_id = $1 and key = $2 and created_at > now() - interval '24 hours'",
    )
    .bind(user_id)
    .bind(&wanted.key)
    .fetch_optional(connection)
    .await?;
    let Some(row) = known else { return Ok(()) };
    let (operation, body_hash, id): (String, Vec<u8>, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if operation == wanted.operation && body_hash == wanted.body_hash {
        Err(Error::replay(id))
    } else {
        Err(Error::conflict("请求编号已被使用"))
    }
}

/// Notes an event in a school's trail from outside it: somebody entered, its settings were changed by an operator.
///
/// # Errors
/// 409 while the school is being opened or migrated.
pub async fn record_in_school(
    app: &App,
    school: &crate::directory::School,
    actor: &Actor,
    change: Change,
) -> Result<()> {
    let inner = app.db().in_school(school.key()?, crate::db::Purpose::Write).await?;
    Tx::open(inner, app.clone(), actor.clone(), None).await?.placed(Some(school.id)).commit(change).await
}

/// A writing transaction in `platform` for counters that are nobody's, beside a caller's own; it ends with
/// [`Tx::commit_untracked`].
pub async fn for_counters(app: &App) -> Result<Tx> {
    let inner = app.db().in_platform(crate::db::Purpose::Write).await?;
    Tx::open(inner, app.clone(), Actor::system(""), None).await
}

/// A writing transaction in `platform` for somebody who sits at the server: the command line. No request comes here.
pub async fn at_the_server(app: &App, actor: Actor) -> Result<Tx> {
    let inner = app.db().in_platform(crate::db::Purpose::LongWrite).await?;
    Tx::open(inner, app.clone(), actor, None).await
}

/// A snapshot of one school for the same.
pub async fn at_the_server_read_in(app: &App, school: &crate::directory::School) -> Result<ReadTx> {
    Ok(ReadTx::new(app.db().in_school(school.key()?, crate::db::Purpose::LongRead).await?))
}

/// A writing transaction inside one school.
pub async fn at_the_server_in(app: &App, school: &crate::directory::School, actor: Actor) -> Result<Tx> {
    let inner = app.db().in_school(school.key()?, crate::db::Purpose::LongWrite).await?;
    Ok(Tx::open(inner, app.clone(), actor, None).await?.placed(Some(school.id)))
}

/// A writing transaction for a worker of this server: in one school, or in `platform`. No request comes here; whom the
/// work is for, the worker has found in the tables. What it commits only follows from rows of others and is not told
/// ([`crate::db::Db::take_written`]).
pub async fn at_work(app: &App, school: Option<&crate::directory::School>, actor: Actor) -> Result<Tx> {
    let inner = match school {
        Some(school) => app.db().in_school(school.key()?, crate::db::Purpose::Write).await?,
        None => app.db().in_platform(crate::db::Purpose::Write).await?,
    };
    Tx::open(inner, app.clone(), actor, None).await
}
