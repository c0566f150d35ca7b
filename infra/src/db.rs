//! The only place that opens connections. Everything else gets a transaction that already is where it may be:
//! in one school, as that school's role, or in `platform`, as the platform's role.
//!
//! Four guards stand between two schools, and each alone is enough:
//! (a) the school of a transaction comes from the verified claim of a token and nothing else, but for an operator, who has
//!     no such claim and names schools that they may act for (`EachSchool`, `ManySchools`), and for public reads before
//!     sign-in, where the request's host names it (`Public::at_host`);
//! (b) `set local role` makes the database refuse every other schema;
//! (c) `search_path` names that school's schema alone (and `ext`, which holds extensions);
//! (d) the login role is NOINHERIT and has no right on any school, so that forgetting (b) fails closed.

mod pulse;
mod waits;

use std::{
    collections::HashSet,
    str::FromStr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use sqlx::{
    AssertSqlSafe, Executor, PgPool, Postgres, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::error::{Error, Result};

pub use pulse::Pulse;
pub(crate) use pulse::{broken_off, is_gone, silent};
pub use waits::WaitFigures;
use waits::Waits;

/// The schema and role of a school, checked when it was read from the directory: only `[a-z0-9_]` can reach the SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchoolKey {
    id: i64,
    schema: Arc<str>,
    role: Arc<str>,
}

impl SchoolKey {
    /// # Errors
    /// Internal, when the directory names a schema or role with other characters.
    pub(crate) fn new(id: i64, schema: &str, role: &str) -> Result<Self> {
        for name in [schema, role] {
            identifier(name)?;
        }
        Ok(Self { id, schema: schema.into(), role: role.into() })
    }

    pub fn id(&self) -> i64 {
        self.id
    }

    pub fn schema(&self) -> &str {
        &self.schema
    }
}

fn identifier(name: &str) -> Result<&str> {
    let plain = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if plain && !name.is_empty() && name.len() <= 63 {
        Ok(name)
    } else {
        Err(Error::internal(format!("{name:?} is not a plain identifier")))
    }
}

/// What requests over `platform` run as.
pub const PLATFORM_ROLE: &str = "chengjiao_platform";

/// How to reach the database.
#[derive(Debug, Clone)]
pub struct DbOptions {
    /// Login role of requests, NOINHERIT.
    pub app_url: String,
    /// Owner of all tables; creates schemas and roles, runs migrations.
    pub owner_url: String,
    /// Where LISTEN is possible (not through a transaction-mode pooler).
    pub listen_url: String,
    /// Pools over the schools; a school always uses pool `id mod shards`.
    pub shards: usize,
    pub connections_per_shard: u32,
    pub platform_connections: u32,
    /// For exports, imports and other long work, so that it never stops a request.
    pub job_connections: u32,
    /// Before each role's name; empty in production, the database's name in tests, because roles are cluster-wide.
    pub role_prefix: String,
}

/// How long a caller waits for a connection and its opening statement.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Between tries to begin while the database is being started again.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Schools after which the connections of a pool are made anew.
const SCHOOLS_PER_CONNECTION: usize = 60;

/// Which schools the connections of a pool have touched. A backend of PostgreSQL keeps what it learned of each school's
/// tables for as long as it lives; so when a pool has seen [`SCHOOLS_PER_CONNECTION`] schools, its connections end as
/// they come back, and new ones begin with nothing.
#[derive(Debug)]
struct Touched {
    schools: HashSet<i64>,
    since: Instant,
}

impl Touched {
    fn new() -> Self {
        Self { schools: HashSet::new(), since: Instant::now() }
    }

    fn touch(&mut self, school: i64) {
        if self.schools.len() >= SCHOOLS_PER_CONNECTION && !self.schools.contains(&school) {
            *self = Self::new();
        }
        self.schools.insert(school);
    }

    /// Whether a connection that has lived for `age` may have touched schools of an earlier round.
    fn retires(&self, age: Duration) -> bool {
        age > self.since.elapsed()
    }
}

/// Connections over schools, with what they have touched.
#[derive(Debug, Clone)]
struct SchoolPool {
    pool: PgPool,
    touched: Arc<Mutex<Touched>>,
}

impl SchoolPool {
    fn touch(&self, school: i64) {
        self.touched.lock().expect("no touch panics").touch(school);
    }
}

/// The pools. Private: a handler gets a transaction by its signature or not at all.
#[derive(Debug, Clone)]
pub struct Db {
    shards: Vec<SchoolPool>,
    platform: PgPool,
    jobs: SchoolPool,
    owner: PgPool,
    options: DbOptions,
    platform_role: Arc<str>,
    app_role: Arc<str>,
    waits: Arc<Waits>,
    pulse: Pulse,
    written: Arc<Mutex<HashSet<i64>>>,
}

/// A pool as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolFigures {
    pub name: String,
    pub size: u32,
    pub idle: usize,
    pub most: u32,
}

/// What a transaction is for; decides pool, time limit and whether it may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Read,
    /// One school's part of a list over many (05 F).
    AcrossSchools,
    Write,
    /// Exports, imports, jobs: no statement time limit, own pool.
    LongRead,
    LongWrite,
}

impl Purpose {
    fn begin(self) -> &'static str {
        match self {
            Self::Read | Self::AcrossSchools | Self::LongRead => "begin read only",
            Self::Write | Self::LongWrite => "begin",
        }
    }

    fn statement_timeout(self) -> &'static str {
        match self {
            Self::AcrossSchools => "5s",
            Self::Read | Self::Write => "15s",
            Self::LongRead | Self::LongWrite => "0",
        }
    }

    fn is_long(self) -> bool {
        matches!(self, Self::LongRead | Self::LongWrite)
    }
}

impl Db {
    /// Opens the pools; connections themselves are made when they are needed.
    ///
    /// # Errors
    /// When an address is not a PostgreSQL URL.
    pub fn open(options: DbOptions) -> Result<Self, sqlx::Error> {
        let pool = |url: &str, size: u32, touched: Option<Arc<Mutex<Touched>>>| -> Result<PgPool, sqlx::Error> {
            let connect = PgConnectOptions::from_str(url)?.options([("client_min_messages", "error")]);
            Ok(PgPoolOptions::new()
                .max_connections(size)
                .acquire_timeout(LONGEST_WAIT)
                .idle_timeout(Duration::from_secs(180))
                .max_lifetime(Duration::from_secs(15 * 60))
                .test_before_acquire(false)
                // A connection never comes back inside a transaction: sqlx 0.9 forgets one whose opening statement
                // failed half-way, and the next user would inherit an aborted transaction.
                .after_release(move |connection, known| {
                    let retires = touched
                        .as_ref()
                        .is_some_and(|touched| touched.lock().expect("no touch panics").retires(known.age));
                    Box::pin(async move {
                        if retires {
                            return Ok(false);
                        }
                        connection.execute("rollback").await.map(|_| true)
                    })
                })
                .connect_lazy_with(connect))
        };
        let school_pool = |size| {
            let touched = Arc::new(Mutex::new(Touched::new()));
            Ok::<_, sqlx::Error>(SchoolPool { pool: pool(&options.app_url, size, Some(touched.clone()))?, touched })
        };
        let shards = (0..options.shards.max(1))
            .map(|_| school_pool(options.connections_per_shard))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            shards,
            platform: pool(&options.app_url, options.platform_connections, None)?,
            jobs: school_pool(options.job_connections)?,
            owner: pool(&options.owner_url, 3, None)?,
            platform_role: PLATFORM_ROLE.into(),
            app_role: identifier(PgConnectOptions::from_str(&options.app_url)?.get_username())
                .map_err(|_| sqlx::Error::Configuration("the login role must be a plain lower-case name".into()))?
                .into(),
            waits: Arc::default(),
            pulse: Pulse::new(&options.app_url)?,
            written: Arc::default(),
            options,
        })
    }

    pub fn role_prefix(&self) -> &str {
        &self.options.role_prefix
    }

    /// The login role of requests; it may become each school's role and the platform's.
    pub fn app_role(&self) -> &str {
        &self.app_role
    }

    pub(crate) fn listen_url(&self) -> &str {
        &self.options.listen_url
    }

    /// For migrations, opening of schools and `doctor`. Requests never get it.
    pub fn owner(&self) -> &PgPool {
        &self.owner
    }

    pub(crate) async fn in_school(&self, key: &SchoolKey, purpose: Purpose) -> Result<Transaction<'static, Postgres>> {
        let pool = if purpose.is_long() {
            &self.jobs
        } else {
            &self.shards[usize::try_from(key.id.rem_euclid(self.shards.len() as i64)).unwrap_or(0)]
        };
        pool.touch(key.id);
        self.waits.count(key.id);
        self.begin(&pool.pool, purpose, &key.role, &key.schema).await
    }

    pub(crate) async fn in_platform(&self, purpose: Purpose) -> Result<Transaction<'static, Postgres>> {
        let pool = if purpose.is_long() { &self.jobs.pool } else { &self.platform };
        self.begin(pool, purpose, &self.platform_role, "platform").await
    }

    /// One message opens the transaction, takes the role and the path. Custom plans: an optional filter
    /// (`$1 is null or …`) can use its index only when its value is known. Each call is planned, then, and to
    /// try every order of a list's seven tables costs more than the list: more than four are joined as they are written. To
    /// compile a plan that runs once costs more than it gains, too.
    async fn begin(
        &self,
        pool: &PgPool,
        purpose: Purpose,
        role: &str,
        schema: &str,
    ) -> Result<Transaction<'static, Postgres>> {
        let sql = format!(
            "{}; set local role {role}; set local search_path = {schema}, ext; \
             set local plan_cache_mode = force_custom_plan; set local join_collapse_limit = 4; set local jit = off; \
             set local statement_timeout = '{}'; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '120s'",
            purpose.begin(),
            purpose.statement_timeout()
        );
        let waiting = self.waits.begin();
        let begun = tokio::select! {
            biased;
            begun = Self::begin_somehow(pool, &sql) => begun,
            () = self.pulse.silence() => return Err(silent()),
        };
        match begun {
            Ok(transaction) => {
                waiting.connected();
                Ok(transaction)
            }
            Err(sqlx::Error::PoolTimedOut) if self.pulse.is_ready().await => {
                waiting.timed_out();
                Err(Error::too_many("当前访问人数较多，请稍后再试"))
            }
            Err(sqlx::Error::PoolTimedOut) => Err(silent()),
            Err(error) if is_gone(&error) => {
                tracing::warn!(%error, "no transaction can begin");
                Err(silent())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Begins on another connection where one is found dead: after the database was started again, each connection of the
    /// pool is from before. Nothing has been done yet, so trying again is safe.
    async fn begin_somehow(pool: &PgPool, sql: &str) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        let begun = Instant::now();
        loop {
            match pool.begin_with(AssertSqlSafe(sql.to_owned())).await {
                Err(error) if is_gone(&error) && begun.elapsed() < LONGEST_WAIT => {
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                done => return done,
            }
        }
    }

    /// A look at sessions and locks of the database as the login role itself, which has no right on any table: of the
    /// deployment's own sessions it sees the statements, and may cancel them.
    pub(crate) async fn as_login(&self) -> Result<Transaction<'static, Postgres>> {
        const BEGIN: &str = "begin read only; set local search_path = pg_catalog; set local statement_timeout = '5s'";
        Ok(self.platform.begin_with(BEGIN).await?)
    }

    /// How callers of this server came to their connections.
    pub fn waits(&self) -> WaitFigures {
        self.waits.figures()
    }

    /// Something in a school was changed and committed.
    pub(crate) fn wrote(&self, school: i64) {
        self.written.lock().expect("no insertion panics").insert(school);
    }

    /// The schools in which this server committed something since it was asked last. What follows from a school's rows looks
    /// there alone; work that only follows ([`crate::tx::at_work`]) is not told.
    pub fn take_written(&self) -> Vec<i64> {
        self.written.lock().expect("no insertion panics").drain().collect()
    }

    /// Transactions that this server began in a school in a minute.
    pub fn per_minute(&self, school: i64) -> i64 {
        self.waits.per_minute(school)
    }

    /// The pools of requests and jobs, for the monitor.
    pub fn figures(&self) -> Vec<PoolFigures> {
        let of = |name: String, pool: &PgPool| PoolFigures {
            name,
            size: pool.size(),
            idle: pool.num_idle(),
            most: pool.options().get_max_connections(),
        };
        let schools = self.shards.iter().enumerate().map(|(n, shard)| of(format!("院校{}", n + 1), &shard.pool));
        schools.chain([of("平台".to_owned(), &self.platform), of("任务".to_owned(), &self.jobs.pool)]).collect()
    }

    /// Whether the database answers, for readiness and for calls that wait.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Name, size and idle connections of each pool, for metrics and the monitor.
    pub fn pools(&self) -> Vec<(String, u32, usize)> {
        let named = |name: String, pool: &PgPool| (name, pool.size(), pool.num_idle());
        let mut all: Vec<_> =
            self.shards.iter().enumerate().map(|(n, shard)| named(format!("school{n}"), &shard.pool)).collect();
        all.push(named("platform".to_owned(), &self.platform));
        all.push(named("jobs".to_owned(), &self.jobs.pool));
        all.push(named("owner".to_owned(), &self.owner));
        all
    }

    pub async fn close(&self) {
        self.pulse.close();
        let schools = self.shards.iter().chain([&self.jobs]).map(|shard| &shard.pool);
        for pool in schools.chain([&self.platform, &self.owner]) {
            pool.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ruling: a connection has touched at most sixty schools when it ends.
    #[test]
    fn connections_older_than_the_round_retire() {
        let mut touched = Touched::new();
        for school in 0..60 {
            touched.touch(school);
            touched.touch(0);
        }
        assert_eq!(touched.schools.len(), 60);
        let first = touched.since;
        std::thread::sleep(Duration::from_millis(20));
        let old = Duration::from_millis(10) + first.elapsed();
        assert!(!touched.retires(Duration::from_millis(5)));
        touched.touch(60);
        assert_eq!(touched.schools.len(), 1);
        assert!(touched.retires(old));
        assert!(!touched.retires(Duration::ZERO));
    }
}
