//! 任务: long work that goes on after the answer, with progress, cancel and a result (01 §6.4).
//!
//! What a job needs to run is sealed where it names a person, and forgotten when the job ends; what people and logs see of
//! it is redacted ([`Stored`]).
//!
//! A job's row stands in `platform`; its work may be in a school. The work's own transaction writes the job's number
//! into that school's `job_done`, so that a job whose server died between the two commits is not done twice.

use std::{
    borrow::Cow,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sqlx::{Postgres, Transaction};
use tokio::task::JoinSet;

use crate::{
    access::Caller,
    app::App,
    audit::{Actor, Change},
    db::Purpose,
    directory::School,
    error::{Error, OnConstraint, Result},
    mask,
    session::Scope,
    syslog,
    token::Area,
    tx::{ReadTx, Tx},
};

type Work = Pin<Box<dyn Future<Output = Result<Outcome>> + Send>>;

/// A kind of job that a module registers.
#[derive(Debug, Clone, Copy)]
pub struct JobKind {
    /// For example `student.import`.
    pub kind: &'static str,
    /// The permission that starts one; none for what begins by itself. Whoever holds it may cancel a job of this kind, and
    /// whoever started one must still hold it to fetch its result.
    pub code: Option<&'static str>,
    pub run: fn(JobRun) -> Work,
    /// Of an export: what its file may hold.
    pub headings: Option<fn() -> Headings>,
}

/// What the file of an export may hold.
#[derive(Debug)]
pub struct Headings {
    /// Names the sheet, for example 站点.
    pub title: &'static str,
    /// Of all its columns, in order.
    pub columns: Vec<&'static str>,
    /// The code that shows whole numbers.
    pub whole: Option<&'static str>,
}

/// How a job ended well.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// For a person: 共10000行，已导入10000行.
    pub message: String,
    /// The first 1,000 rows that failed, as `{row, column, message}` or `{id, name, msg}`.
    pub errors: Vec<Value>,
    /// The first 1,000 things worth a second look, as `{row, column, message}`.
    pub warnings: Vec<Value>,
    /// A file of `platform.file_object` that can be fetched for seven days.
    pub result_file: Option<i64>,
    /// What ended the work before its time, when something of it stays done and is told.
    pub cut: Option<Error>,
}

/// The answer of a call that starts a job (01 §6.4).
#[derive(Debug, Clone, poem_openapi::Object)]
#[oai(rename_all = "camelCase")]
pub struct JobStarted {
    /// 任务编号
    pub job_id: i64,
}

/// What is asked for when a job is started.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub kind: &'static str,
    /// At most one job of a kind and target runs in a school.
    pub target: String,
    pub title: String,
    pub params: Value,
}

/// A running job, in the hands of its work.
#[derive(Clone)]
pub struct JobRun {
    pub id: i64,
    /// For people: 导入学生.
    pub title: String,
    pub params: Value,
    pub actor: Actor,
    pub school: Option<Arc<School>>,
    /// Begun by an operator from outside the school.
    from_platform: bool,
    started: Instant,
    whole: Arc<AtomicBool>,
    app: App,
}

/// Where the params of a job have the rows of [`start_over`].
pub const ROWS: &str = "rows";

/// Told to the work when a person cancelled it.
fn cancelled() -> Error {
    Error::conflict("任务已取消")
}

impl JobRun {
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The rows that its starter may see with `code` at this moment.
    ///
    /// # Errors
    /// 403 when the code was taken away meanwhile.
    pub async fn scope(&self, code: &str) -> Result<Scope> {
        let inside = self.school.as_ref().filter(|_| !self.from_platform).map(|school| school.id);
        let area = if inside.is_some() { Area::School } else { Area::Platform };
        let rights = self.app.rights(self.actor.id, area, inside).await?;
        rights.get(code).cloned().ok_or_else(Error::forbidden)
    }

    /// A snapshot of where the job works: its school, or `platform`.
    pub async fn read(&self) -> Result<ReadTx> {
        Ok(ReadTx::new(self.inner(Purpose::LongRead).await?))
    }

    /// A snapshot of `platform`, for the job of a school whose rows stand there.
    pub async fn read_platform(&self) -> Result<ReadTx> {
        Ok(ReadTx::new(self.app.db().in_platform(Purpose::LongRead).await?))
    }

    /// A snapshot of one school, for a job of the platform that goes over schools; one after the other.
    ///
    /// # Errors
    /// 409 while the school is being opened or migrated; 403 for the job of another school.
    pub async fn read_in(&self, school: &School) -> Result<ReadTx> {
        Ok(ReadTx::new(self.in_school(school, Purpose::LongRead).await?))
    }

    /// Every school, for a job of the platform that has to know what all of them have.
    ///
    /// # Errors
    /// 409 when its starter may act for some schools alone: nobody tells them of the others.
    pub async fn every_school(&self) -> Result<Vec<Arc<School>>> {
        let all = sqlx::query!(
            r#"select s.id, u.school_scope = 'all' or exists (
                          select from platform.sys_user_school b
                          where b.user_id = u.id and b.school_id = s.id and b.enabled) as "theirs!"
               from platform.school s join platform.sys_user u on u.id = $1
               where s.deleted_at is null and s.provision_state = 'ready' order by s.id"#,
            self.actor.id
        )
        .fetch_all(&mut *self.read_platform().await?)
        .await?;
        let mut schools = Vec::with_capacity(all.len());
        for school in all {
            if !school.theirs {
                return Err(Error::conflict(
                    "您只能管理部分院校，不能确认其他院校的引用情况，请由管理全部院校的人员办理",
                ));
            }
            schools.extend(self.app.school(school.id).await?);
        }
        Ok(schools)
    }

    /// A look into one of [`JobRun::every_school`].
    ///
    /// # Errors
    /// 409 while the school is being migrated.
    pub async fn ask(&self, school: &School) -> Result<ReadTx> {
        self.read_in(school).await.map_err(|error| match error.code {
            409 => Error::conflict(format!("“{}”正在升级，暂时不能确认引用情况，请稍后再试", school.name)),
            _ => error,
        })
    }

    /// The same as [`JobRun::read_in`] to write.
    pub async fn begin_in(&self, school: &School) -> Result<Tx> {
        let inner = self.in_school(school, Purpose::LongWrite).await?;
        Ok(Tx::open(inner, self.app.clone(), self.actor.clone(), None).await?.placed(Some(school.id)))
    }

    async fn in_school(&self, school: &School, purpose: Purpose) -> Result<Transaction<'static, Postgres>> {
        if self.school.as_ref().is_some_and(|own| own.id != school.id) {
            return Err(Error::forbidden());
        }
        self.app.db().in_school(school.key()?, purpose).await
    }

    /// A writing transaction where the job works: in its school, or in `platform`.
    pub async fn begin(&self) -> Result<Tx> {
        let inner = self.inner(Purpose::LongWrite).await?;
        let school = self.school.as_ref().map(|school| school.id);
        Ok(Tx::open(inner, self.app.clone(), self.actor.clone(), None).await?.placed(school))
    }

    async fn inner(&self, purpose: Purpose) -> Result<Transaction<'static, Postgres>> {
        match &self.school {
            Some(school) => self.app.db().in_school(school.key()?, purpose).await,
            None => self.app.db().in_platform(purpose).await,
        }
    }

    /// A writing transaction where its starter reads their messages: in the school of a session inside it, else in `platform`.
    pub async fn begin_home(&self) -> Result<Tx> {
        if self.from_platform || self.school.is_none() { self.begin_in_platform().await } else { self.begin().await }
    }

    /// A writing transaction in `platform`.
    pub async fn begin_in_platform(&self) -> Result<Tx> {
        let inner = self.app.db().in_platform(Purpose::Write).await?;
        Tx::open(inner, self.app.clone(), self.actor.clone(), None).await
    }

    /// Says that the result shows personal values whole, or private files; the log marks it.
    pub fn show_whole(&self) {
        self.whole.store(true, Ordering::Relaxed);
    }

    pub(crate) fn shows_whole(&self) -> bool {
        self.whole.load(Ordering::Relaxed)
    }

    /// Shows how far the work is.
    ///
    /// # Errors
    /// 409 when somebody cancelled it; the work ends with it, and its open transaction is undone.
    pub async fn progress(&self, step: &str, done: i64, total: i64) -> Result<()> {
        let mut tx = self.app.db().in_platform(Purpose::Write).await?;
        let asked = sqlx::query_scalar!(
            "update platform.job set step = $2, done = $3, total = $4, leased_until = now() + interval '60 seconds'
             where id = $1 returning cancel_asked",
            self.id,
            step,
            done,
            total
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.commit().await?;
        if asked { Err(cancelled()) } else { Ok(()) }
    }

    /// Marks the work as done inside the work's own transaction.
    pub async fn mark_done(&self, tx: &mut Tx, outcome: &Outcome) -> Result<()> {
        let message = mask::shapes(&outcome.message);
        if self.school.is_none() {
            // The job's own row lies beside the work; its end is told once more when the work has ended. Whoever looks between
            // the two finds all that is told.
            sqlx::query!(
                "update platform.job set state = 'done', message = $2, result_file_id = $3, errors = $4, warnings = $5,
                        finished_at = now(), leased_until = null, input = null
                 where id = $1",
                self.id,
                message.as_ref(),
                outcome.result_file,
                told(self.app(), &outcome.errors),
                told(self.app(), &outcome.warnings)
            )
            .execute(&mut **tx)
            .await?;
            return Ok(());
        }
        let cut = outcome.cut.as_ref().map(|error| json!({ "code": error.code, "msg": error.msg }));
        let result = json!({ "message": message, "resultFile": outcome.result_file, "cut": cut });
        sqlx::query!("insert into job_done (job_id, result) values ($1, $2)", self.id, result)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }

    async fn was_done(&self) -> Result<Option<Outcome>> {
        let Some(school) = &self.school else { return Ok(None) };
        let mut tx = self.app.db().in_school(school.key()?, Purpose::LongRead).await?;
        let result = sqlx::query_scalar!("select result from job_done where job_id = $1", self.id)
            .fetch_optional(&mut *tx)
            .await?;
        Ok(result.map(|result| Outcome {
            message: result["message"].as_str().unwrap_or_default().to_owned(),
            result_file: result["resultFile"].as_i64(),
            cut: cut_of(&result["cut"]),
            ..Outcome::default()
        }))
    }
}

/// Starts a job for a caller; it begins at once in some server's worker.
///
/// # Errors
/// 409 when the same work is running already.
pub async fn start(caller: &Caller, job: NewJob) -> Result<i64> {
    put(caller, &Stored::of(caller.app(), &job)?).await
}

/// The same over rows that are settled now: the work finds them in its params at [`ROWS`], nobody else sees them.
///
/// # Errors
/// As [`start`].
pub async fn start_over(caller: &Caller, job: NewJob, rows: Value) -> Result<i64> {
    let mut stored = Stored::of(caller.app(), &job)?;
    let mut whole = job.params.clone();
    whole[ROWS] = rows;
    stored.input = Some(Stored::seal(caller.app(), &whole)?);
    put(caller, &stored).await
}

async fn put(caller: &Caller, stored: &Stored<'_>) -> Result<i64> {
    let app = caller.app();
    let mut tx = app.db().in_platform(Purpose::Write).await?;
    let from_platform = caller.session.area == Area::Platform;
    let id = enqueue(&mut tx, &caller.actor(), caller.school_id(), from_platform, stored).await?;
    tx.commit().await?;
    app.job_waiting().notify_one();
    Ok(id)
}

/// Starts a job inside a transaction in `platform`; it begins when that commits and [`wake`] is called.
pub async fn start_in(tx: &mut Tx, school_id: Option<i64>, job: &NewJob) -> Result<i64> {
    let (actor, stored) = (tx.actor().clone(), Stored::of(tx.app(), job)?);
    enqueue(tx, &actor, school_id, false, &stored).await
}

/// Tells this server's workers that a job waits.
pub fn wake(app: &App) {
    app.job_waiting().notify_one();
}

/// A job as its row keeps it.
struct Stored<'j> {
    kind: &'static str,
    target: &'j str,
    title: Cow<'j, str>,
    /// Redacted.
    params: Value,
    /// The params as the work needs them, sealed; none when nothing in them is redacted.
    input: Option<Vec<u8>>,
}

impl<'j> Stored<'j> {
    fn of(app: &App, job: &'j NewJob) -> Result<Self> {
        let params = syslog::kept(app, &job.params);
        let input = if params == job.params { None } else { Some(Self::seal(app, &job.params)?) };
        Ok(Self { kind: job.kind, target: &job.target, title: mask::shapes(&job.title), params, input })
    }

    fn seal(app: &App, whole: &Value) -> Result<Vec<u8>> {
        app.keys().seal(app.random(), &serde_json::to_vec(whole).map_err(Error::internal)?)
    }

    /// What [`Stored::of`] was given.
    fn whole(app: &App, params: Value, input: Option<Vec<u8>>) -> Result<Value> {
        match input {
            None => Ok(params),
            Some(sealed) => serde_json::from_slice(&app.keys().unseal(&sealed)?).map_err(Error::internal),
        }
    }
}

async fn enqueue(
    connection: &mut sqlx::PgConnection,
    actor: &Actor,
    school_id: Option<i64>,
    from_platform: bool,
    job: &Stored<'_>,
) -> Result<i64> {
    sqlx::query_scalar!(
        "insert into platform.job (school_id, kind, target, title, params, input, started_by, actor_name, actor, from_platform)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        school_id,
        job.kind,
        job.target,
        job.title.as_ref(),
        job.params,
        job.input,
        actor.id,
        actor.name,
        json!(actor),
        from_platform
    )
    .fetch_one(connection)
    .await
    .on_constraint(|name| (name == "job_already_running").then(|| Error::conflict("该任务正在进行中，请稍后再试")))
}

/// Runs jobs until the process ends, `at_once` of them beside each other.
pub async fn work(app: App, at_once: usize, stop: tokio_util::sync::CancellationToken) {
    let mut running = JoinSet::new();
    loop {
        while running.len() < at_once {
            match lease(&app).await {
                Ok(Some((job, kind))) => {
                    running.spawn(run(app.clone(), job, kind));
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "no job could be leased");
                    break;
                }
            }
        }
        tokio::select! {
            () = app.job_waiting().notified() => {}
            () = tokio::time::sleep(Duration::from_secs(2)) => {}
            Some(ended) = running.join_next(), if !running.is_empty() => {
                if let Err(error) = ended {
                    tracing::error!(%error, "a job panicked; its lease will run out");
                }
            }
            () = stop.cancelled() => break,
        }
    }
    // What runs now may finish; what does not finish in time is leased again by another server.
    while running.join_next().await.is_some() {}
}

/// A job with its attempt: queued, or left behind by a server that died.
async fn lease(app: &App) -> Result<Option<(JobRun, JobKind)>> {
    let mut tx = app.db().in_platform(Purpose::Write).await?;
    let row = sqlx::query!(
        "update platform.job set state = 'running', attempts = attempts + 1, leased_until = now() + interval '60 seconds',
                started_at = coalesce(started_at, now())
         where id = (select id from platform.job
                     where state = 'queued' or (state = 'running' and leased_until < now())
                     order by created_at limit 1 for update skip locked)
         returning id, kind, title, school_id, from_platform, params, input, actor, attempts"
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit().await?;
    let Some(row) = row else { return Ok(None) };
    let actor: Actor = serde_json::from_value(row.actor).map_err(Error::internal)?;
    let school = match row.school_id {
        Some(id) => app.school(id).await?,
        None => None,
    };
    let mut run = JobRun {
        id: row.id,
        title: row.title,
        params: row.params,
        actor,
        school,
        from_platform: row.from_platform,
        started: Instant::now(),
        whole: Arc::default(),
        app: app.clone(),
    };
    let Some(kind) = app.modules().job(&row.kind) else {
        finish(&run, "unknown", Err(Error::internal(format!("no module runs jobs of kind {}", row.kind)))).await?;
        return Ok(None);
    };
    run.params = match Stored::whole(app, std::mem::take(&mut run.params), row.input) {
        Ok(whole) => whole,
        // Another master key than the one it was sealed with: nobody can run it any more.
        Err(error) => {
            finish(&run, kind.kind, Err(error)).await?;
            return Ok(None);
        }
    };
    if row.attempts > 3 {
        finish(&run, kind.kind, Err(Error::conflict("任务多次中断，请重新发起"))).await?;
        return Ok(None);
    }
    Ok(Some((run, kind)))
}

async fn run(app: App, run: JobRun, kind: JobKind) {
    let id = run.id;
    let beat = tokio::spawn(keep_lease(app, id));
    let outcome = match run.was_done().await {
        Ok(Some(done)) => Ok(done),
        Ok(None) => (kind.run)(run.clone()).await,
        Err(error) => Err(error),
    };
    beat.abort();
    if let Err(error) = finish(&run, kind.kind, outcome).await {
        tracing::error!(job = id, %error, "a job's end could not be written; it will be leased again");
    }
}

async fn keep_lease(app: App, id: i64) {
    loop {
        tokio::time::sleep(Duration::from_secs(20)).await;
        let renewed = async {
            let mut tx = app.db().in_platform(Purpose::Write).await?;
            sqlx::query!("update platform.job set leased_until = now() + interval '60 seconds' where id = $1", id)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok::<_, Error>(())
        };
        if let Err(error) = renewed.await {
            tracing::warn!(job = id, %error, "a job's lease could not be renewed");
        }
    }
}

/// How a job ended.
#[derive(Debug, Clone, Copy)]
pub struct JobEnd<'a> {
    pub kind: &'a str,
    /// `done`, `failed` or `cancelled`.
    pub state: &'a str,
    /// The sentence that the job centre shows.
    pub message: &'a str,
}

/// The state of a job that an error ended.
fn state_of(error: &Error) -> &'static str {
    if *error == cancelled() { "cancelled" } else { "failed" }
}

/// What ended the work before its time, as [`JobRun::mark_done`] keeps it.
fn cut_of(kept: &Value) -> Option<Error> {
    let msg = kept["msg"].as_str()?.to_owned();
    Some(Error::new(i32::try_from(kept["code"].as_i64()?).ok()?, msg))
}

/// The first 1,000 notes as the job's row keeps them: redacted.
fn told(app: &App, notes: &[Value]) -> Value {
    syslog::kept(app, &Value::Array(notes.iter().take(1000).cloned().collect()))
}

async fn finish(run: &JobRun, kind: &'static str, outcome: Result<Outcome>) -> Result<()> {
    let code = match &outcome {
        Ok(done) => done.cut.as_ref().map_or(200, |cut| cut.code),
        Err(error) => error.code,
    };
    let (state, done) = match outcome {
        Ok(done) => (done.cut.as_ref().map_or("done", state_of), done),
        Err(error) => (state_of(&error), Outcome { message: error.msg.into_owned(), ..Outcome::default() }),
    };
    let (message, errors, warnings) =
        (mask::shapes(&done.message).into_owned(), told(run.app(), &done.errors), told(run.app(), &done.warnings));
    let file = done.result_file;
    run.app.metrics().job(kind, state);
    for hear in run.app.modules().job_ended() {
        // A school that was closed meanwhile hears nothing; the job ends all the same.
        if let Err(error) = hear(run, JobEnd { kind, state, message: &message }).await {
            tracing::warn!(job = run.id, %error, "the end of a job could not be told");
        }
    }
    let mut tx = run.begin_in_platform().await?;
    sqlx::query!(
        "update platform.job set state = $2, message = $3, errors = $4, result_file_id = $5, warnings = $6, finished_at = now(),
                leased_until = null, input = null
         where id = $1",
        run.id,
        state,
        message,
        errors,
        file,
        warnings
    )
    .execute(&mut *tx)
    .await?;
    tx.commit(Change::status("job", run.id, "state", "running", state)).await?;
    let notes = json!({ "state": state, "message": message, "file": file });
    syslog::job_ended(run, kind, code, run.started.elapsed(), notes).await;
    Ok(())
}
