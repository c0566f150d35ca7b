//! A whole server over a database of its own, and what a story asks of it.

use std::{
    path::Path,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::{TimeDelta, Timelike};
use embedded::Cluster;
use infra::{
    App,
    app::Parts,
    audit::Actor,
    clock::{Clock, Random},
    config::{Config, Passwords},
    db::{Db, DbOptions},
    keys::MasterKey,
    outbound::Targets,
    schedule::{Schedule, When, queue_due},
    tx,
};
use openapi::{modules, server, start};
use poem::{EndpointExt, endpoint::BoxEndpoint};
use rsa::{Oaep, RsaPublicKey, pkcs8::DecodePublicKey};
use sha2::{Digest, Sha256};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions, PgSslMode},
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    Client,
    cluster::{cluster, copy, data_folder, program},
    copies,
};

pub const PASSWORD: &str = "Xian#2026qiu";
const MASTER: [u8; 32] = [7; 32];
/// Seconds for which what must come is waited for.
const PATIENCE: u64 = 60;
/// The topic of [`Server::catch_up`].
const HEARD: &str = "story";

/// Numbers of copies and of accounts.
pub(crate) static NEXT: AtomicU32 = AtomicU32::new(1);

/// Asks until a condition holds, and panics when it does not for so many seconds.
pub async fn within(seconds: u64, what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < Duration::from_secs(seconds), "not within {seconds} s: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) fn open(cluster: &Cluster, database: &str) -> Db {
    let app_url = cluster.url(database, embedded::APP);
    Db::open(DbOptions {
        listen_url: app_url.clone(),
        app_url,
        owner_url: cluster.url(database, embedded::OWNER),
        shards: 1,
        // As few as a request that counts beside its own transaction needs: each has caches of its own to fill.
        connections_per_shard: 2,
        platform_connections: 3,
        job_connections: 2,
        role_prefix: format!("{database}_"),
    })
    .expect("addresses")
}

/// A whole server over a database of its own.
pub struct Server {
    pub app: App,
    pub(crate) endpoint: BoxEndpoint<'static, poem::Response>,
    stop: CancellationToken,
    database: String,
    owner_url: String,
    app_url: String,
    /// The last of the notices of [`Self::catch_up`] that this server heard.
    heard: watch::Receiver<u32>,
    /// Of the owner, for the kit's own looks.
    pub(crate) looks: PgPool,
    /// The last server on a database takes it away.
    _copy: copies::Lease,
}

/// Whoever writes past the operations.
fn somebody() -> Actor {
    Actor {
        kind: "platform".to_owned(),
        id: 0,
        name: "测试".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    }
}

/// With `CHENGJIAO_LOG` a story shows what its server says, the causes of internal errors among it.
fn say() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("CHENGJIAO_LOG") {
        // A process of several stories says it once.
        tracing_subscriber::fmt().with_env_filter(filter).with_test_writer().try_init().ok();
    }
}

/// A clock far from midnight, so that what a story calls today lasts until its end.
///
/// A run that begins in the last hour of a day has the next morning from its first story to its last. The database's own clock stays
/// where it is: what the server compares with its own a story writes by [`Server::now`] and the server's day.
///
/// With `STORY_HOURS` the clock is so many hours ahead at any time of the day: 4 as in the last hour, 13 at noon for the next day.
fn clock() -> Clock {
    static AWAY: LazyLock<TimeDelta> = LazyLock::new(|| {
        let late = if Clock::default().now().hour() < 23 { 0 } else { 4 };
        // Not one of the program's own settings, which would refuse to start with a name that it does not know.
        let told = std::env::var("STORY_HOURS").ok().map(|hours| hours.parse::<i64>().expect("STORY_HOURS are hours"));
        TimeDelta::hours(told.unwrap_or(late))
    });
    let clock = Clock::default();
    clock.shift(*AWAY);
    clock
}

impl Server {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// A server whose settings are not the usual ones.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        say();
        let cluster = cluster().await;
        let database = format!("t_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        copy(&database).await;
        Self::on(cluster, open(cluster, &database), &database, change).await
    }

    /// Another server on the same database.
    pub async fn beside(other: &Self) -> Self {
        let cluster = cluster().await;
        Self::on(cluster, open(cluster, &other.database), &other.database, |_| {}).await
    }

    pub(crate) async fn on(cluster: &Cluster, db: Db, database: &str, change: impl FnOnce(&mut Config)) -> Self {
        let data = data_folder().join(database);
        std::fs::create_dir_all(&data).expect("a data folder");
        let mut config = Config { data, ..Config::default() };
        // What stands in for mail servers and storages listens on this machine.
        config.outbound.targets = Targets::Any;
        // Nobody guesses a story's passwords, and every story makes accounts and signs in.
        config.passwords = Passwords { memory_kib: 64, passes: 1 };
        config.server.console_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/dist");
        change(&mut config);
        let seed = [NEXT.fetch_add(1, Ordering::Relaxed) as u8; 32];
        let parts = Parts {
            config,
            db,
            clock: clock(),
            random: Random::seeded(Sha256::digest([&seed[..], database.as_bytes()].concat()).into()),
            master: MasterKey::from_base64(&BASE64_STANDARD.encode(MASTER)).expect("a key"),
            modules: modules::modules(),
        };
        let app = App::start(parts).await.expect("the server starts");
        within(PATIENCE, "the server hears", async || app.notices().is_hearing()).await;
        let (hears, heard) = watch::channel(0);
        app.notices().on(HEARD, move |number| {
            hears.send_replace(number.parse().unwrap_or_default());
        });
        let stop = CancellationToken::new();
        start::worker(&app, &stop);
        Self {
            endpoint: server::endpoint(&app).map_to_response().boxed(),
            app,
            stop,
            heard,
            database: database.to_owned(),
            _copy: copies::lease(database, cluster.url(embedded::DATABASE, embedded::OWNER)),
            looks: PgPoolOptions::new()
                .max_connections(2)
                .connect_lazy(&cluster.url(database, embedded::OWNER))
                .expect("an address"),
            owner_url: cluster.url(database, embedded::OWNER),
            app_url: cluster.url(database, embedded::APP),
        }
    }

    pub async fn close(self) {
        self.stop.cancel();
        self.looks.close().await;
        self.app.close().await;
    }

    /// The owner's connection, for builders and for looks behind the curtain.
    pub async fn owner(&self) -> PgConnection {
        PgConnection::connect(&self.owner_url).await.expect("the owner")
    }

    /// The login role's bare connection: what a request would have without its opening statement.
    pub async fn bare(&self) -> PgConnection {
        PgConnection::connect(&self.app_url).await.expect("the login role")
    }

    /// The login role over a connection that is encrypted to whoever the certificate names.
    ///
    /// # Errors
    /// Those of the connection: the stories' own database has no TLS.
    pub async fn encrypted(&self) -> sqlx::Result<PgConnection> {
        let options: PgConnectOptions = self.app_url.parse()?;
        PgConnection::connect_with(&options.ssl_mode(PgSslMode::VerifyFull)).await
    }

    /// The same as another login role.
    pub async fn bare_as(&self, role: &str) -> PgConnection {
        let address = self.app_url.replace(embedded::APP, role);
        PgConnection::connect(&address).await.expect("the login role")
    }

    /// The program as somebody at the server runs it: on this database and data folder.
    pub fn program(&self, arguments: &[&str]) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(program());
        command
            .args(arguments)
            .env("DATABASE_URL", &self.app_url)
            .env("DATABASE_OWNER_URL", &self.owner_url)
            .env("DATABASE_LISTEN_URL", &self.app_url)
            .env("CHENGJIAO_DATABASE_ROLE_PREFIX", format!("{}_", self.database))
            .env("CHENGJIAO_DATA", &self.app.config().data)
            .env("CHENGJIAO_MASTER_KEY", BASE64_STANDARD.encode(MASTER))
            .kill_on_drop(true);
        command
    }

    pub async fn begin(&self) -> infra::Tx {
        tx::at_the_server(&self.app, somebody()).await.expect("a transaction")
    }

    /// The same in a school.
    pub async fn begin_in(&self, school: i64) -> infra::Tx {
        let school = self.app.school(school).await.expect("the schools").expect("the school");
        tx::at_the_server_in(&self.app, &school, somebody()).await.expect("a transaction")
    }

    /// Opens a school and waits until it is ready; answers its number.
    pub async fn open_school(&self, code: &str, name: &str) -> i64 {
        let new = schools::school::NewSchool::named(code, name);
        let opened = schools::school::open(self.begin().await, &new, Some(PASSWORD.to_owned())).await.expect("opened");
        infra::jobs::wake(&self.app);
        self.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {}", opened.id))
            .await;
        opened.id
    }

    /// Says a notice (`topic:key`) as another server would, and waits until this one has heard it.
    pub async fn tell(&self, notice: &str) {
        self.run(&format!("select pg_notify('chengjiao', '{notice}')")).await;
        self.catch_up().await;
    }

    /// Waits until this server has heard whatever was committed before.
    pub async fn catch_up(&self) {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.run(&format!("select pg_notify('chengjiao', '{HEARD}:{number}')")).await;
        let mut heard = self.heard.clone();
        let hears = heard.wait_for(|last| *last == number);
        tokio::time::timeout(Duration::from_secs(PATIENCE), hears)
            .await
            .expect("the server hears")
            .expect("the server lives");
    }

    /// Waits for a statement to say yes; a row that is not there yet says nothing.
    pub async fn wait_until(&self, sql: &str) {
        let says = async || {
            let statement = sqlx::query_scalar::<_, bool>(AssertSqlSafe(sql.to_owned())).persistent(false);
            statement.fetch_optional(&self.looks).await.expect(sql) == Some(true)
        };
        within(PATIENCE, sql, says).await;
    }

    /// The server's time as a statement says it, where the database's own `now()` may be hours behind.
    pub fn now(&self) -> String {
        format!("timestamptz '{}'", self.app.clock().now().to_rfc3339())
    }

    /// Lets so much time pass and does what is then due of such work. Comes back when it is done: what runs still is not due again.
    ///
    /// At least two minutes: what began in the last one is not due either.
    pub async fn when_due(&self, kind: &'static str, later: TimeDelta) {
        let idle = format!(
            "select not exists (select from platform.job where kind = '{kind}' and state in ('queued', 'running'))"
        );
        self.wait_until(&idle).await;
        self.app.clock().shift(later);
        let due = Schedule { kind, title: "定时任务", when: When::Every { minutes: 1 } };
        assert_eq!(queue_due(&self.app, [due]).await.expect("queued"), 1, "{kind}");
        self.wait_until(&idle).await;
        let newest =
            format!("select state || message from platform.job where kind = '{kind}' order by id desc limit 1");
        let told: String = self.one(&newest).await;
        assert!(told.starts_with("done"), "{kind}: {told}");
    }

    pub async fn one<T>(&self, sql: &str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).persistent(false).fetch_one(&self.looks).await.expect(sql)
    }

    pub async fn run(&self, sql: &str) {
        self.looks.execute(AssertSqlSafe(sql.to_owned())).await.expect(sql);
    }

    pub fn anonymous(&self) -> Client<'_> {
        Client { server: self, token: None, host: None }
    }

    /// The operator with every right, signed in to the platform.
    pub async fn operator(&self) -> Client<'_> {
        self.signed_in("operator", "login").await
    }

    /// The operator inside school 1 or 2.
    pub async fn operator_in(&self, school: i64) -> Client<'_> {
        let outside = self.operator().await;
        let entered = outside
            .get(&format!(
                "/system/pc/api/sys/user/createSchoolToken?id={school}&reason=%E6%94%AF%E6%8C%81%E5%B7%A5%E4%BD%9C"
            ))
            .await;
        Client { server: self, token: entered.data()["token"].as_str().map(ToOwned::to_owned), host: None }
    }

    /// The administrator of a school of the template.
    pub async fn admin_of(&self, school: i64) -> Client<'_> {
        self.signed_in(&format!("demo0{school}_admin"), "schoolLogin").await
    }

    /// Somebody at a school with exactly these codes, over the whole school.
    pub async fn staff(&self, school: i64, codes: &[&str]) -> Client<'_> {
        self.staff_within(school, codes, "whole_school", &[]).await
    }

    /// The same within named sites or classes.
    pub async fn staff_within(&self, school: i64, codes: &[&str], data_scope: &str, targets: &[i64]) -> Client<'_> {
        let login_name = self.account(school, codes, data_scope, targets).await;
        self.signed_in(&login_name, "schoolLogin").await
    }

    /// Somebody at a school who has several roles, each with its own codes and data scope.
    pub async fn staff_with_roles(&self, school: i64, roles: &[(&[&str], &str, &[i64])]) -> Client<'_> {
        let mut names = Vec::with_capacity(roles.len());
        for (codes, data_scope, targets) in roles {
            names.push(self.account(school, codes, data_scope, targets).await);
        }
        let (first, others) = names.split_first().expect("a role");
        for other in others {
            self.run(&format!(
                "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
                 select u.id, r.id, {school}, 0 from platform.sys_user u, platform.sys_role r
                 where u.login_name = '{first}' and r.role_name = '{other}'"
            ))
            .await;
        }
        self.signed_in(first, "schoolLogin").await
    }

    /// Signs in as a browser does.
    pub async fn signed_in(&self, login_name: &str, call: &str) -> Client<'_> {
        let answer = self.anonymous().sign_in(login_name, PASSWORD, call).await;
        let data = answer.data();
        let token = data.as_str().or_else(|| data["token"].as_str()).map(ToOwned::to_owned);
        assert!(token.is_some(), "{login_name} may not sign in: {}", answer.body);
        Client { server: self, token, host: None }
    }

    pub fn cipher(&self, password: &str) -> String {
        let der = BASE64_STANDARD.decode(self.app.keys().public_key()).expect("Base64");
        let key = RsaPublicKey::from_public_key_der(&der).expect("SPKI");
        let mut rng =
            <rand_chacha::ChaCha20Rng as rand_chacha::rand_core::SeedableRng>::from_seed(self.app.random().bytes());
        BASE64_STANDARD.encode(key.encrypt(&mut rng, Oaep::<Sha256>::new(), password.as_bytes()).expect("encrypted"))
    }
}
