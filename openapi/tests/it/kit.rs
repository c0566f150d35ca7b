//! A server, a school and a signed-in person in one line each.
//!
//! Every call of every story that writes and succeeds must leave a row in the trail ([`trail`]).
//!
//! One private cluster a run; a template database that is migrated once and holds two open schools; a copy of it for
//! each test. Builders that write rows directly stand here and nowhere else.

mod client;
mod copies;
mod trail;

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use accounts::account::{self, NewAccount};
use base64::{Engine, prelude::BASE64_STANDARD};
use embedded::Cluster;
use infra::{
    App, Change,
    app::Parts,
    audit::Actor,
    clock::{Clock, Random},
    config::Config,
    db::{Db, DbOptions},
    keys::MasterKey,
    outbound::Targets,
    tx,
};
use openapi::{rooms, server, start, upgrade};
use poem::{EndpointExt, endpoint::BoxEndpoint};
use rsa::{Oaep, RsaPublicKey, pkcs8::DecodePublicKey};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

pub(crate) use client::{Answer, Client, signed};

pub(crate) const PASSWORD: &str = "Xian#2026qiu";
const TEMPLATE: &str = "template_for_tests";
const MASTER: [u8; 32] = [7; 32];

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
static NEXT: AtomicU32 = AtomicU32::new(1);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("postgres")
}

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("data")
}

/// Starts the run's cluster and makes the template.
async fn cluster() -> &'static Cluster {
    CLUSTER
        .get_or_init(|| async {
            openapi::start::own_files_only();
            let place = folder();
            let cluster = tokio::task::spawn_blocking(move || {
                let mut options = embedded::Options::new(&place);
                options.durable = false;
                options.settings.push(("max_connections".to_owned(), "400".to_owned()));
                // Its workers would hold copies that are to go, and a story's rows need none.
                options.settings.push(("autovacuum".to_owned(), "off".to_owned()));
                Cluster::start(options)
            })
            .await
            .expect("no panic")
            .expect("a private PostgreSQL");
            stop_with_this_process(&cluster);
            // What an earlier run left under the same names.
            std::fs::remove_dir_all(data_folder()).ok();
            make_template(&cluster).await;
            cluster
        })
        .await
}

/// Statics are never dropped; a small shell waits for this process and then stops the cluster.
fn stop_with_this_process(cluster: &Cluster) {
    use std::os::unix::process::CommandExt;
    let data = cluster.moved_to().map_or_else(folder, Path::to_path_buf).join("postgres/postmaster.pid");
    let script = format!(
        "(while kill -0 {} 2>/dev/null; do sleep 0.2; done; kill -QUIT $(head -1 '{}')) >/dev/null 2>&1 &",
        std::process::id(),
        data.display()
    );
    std::process::Command::new("sh").args(["-c", &script]).process_group(0).status().expect("a shell");
}

async fn owner_of(cluster: &Cluster, database: &str) -> PgConnection {
    PgConnection::connect(&cluster.url(database, embedded::OWNER)).await.expect("the cluster answers")
}

async fn make_template(cluster: &Cluster) {
    let mut owner = owner_of(cluster, embedded::DATABASE).await;
    let old: Vec<String> =
        sqlx::query_scalar("select datname::text from pg_database where datname ~ '^(t_[0-9]+|template_for_tests)$'")
            .fetch_all(&mut owner)
            .await
            .expect("databases");
    for name in old {
        owner
            .execute(AssertSqlSafe(format!("drop database {name} with (force)")))
            .await
            .expect("an old run's database goes");
    }
    owner.execute(AssertSqlSafe(format!("create database {TEMPLATE}"))).await.expect("the template's database");
    let db = open(cluster, TEMPLATE);
    upgrade::run(&db, &rooms::rooms(), |_, _| {}).await.expect("the platform is migrated");
    let server = Server::on(cluster, db, TEMPLATE, |_| {}).await;
    for (code, name) in [("demo01", "东湖示范学院"), ("demo02", "南岭示范大学")] {
        server.open_school(code, name).await;
    }
    let mut tx = server.begin().await;
    let now = server.app.clock().now();
    let operator = NewAccount {
        login_name: "operator",
        real_name: "运营一",
        phone: None,
        user_type: "platform",
        password: PASSWORD,
        must_change: false,
        built_in: true,
    };
    let id = account::create(&mut tx, &operator, now).await.expect("the operator");
    account::give_role(&mut tx, id, "super", None).await.expect("a role");
    account::give_role(&mut tx, id, "support", None).await.expect("a role");
    // One address makes all calls of a test.
    sqlx::query(
        "insert into platform.sys_param (code, value, updated_by) values ('auth.ipPerMinute', '100000', 0)
         on conflict (code) do update set value = excluded.value",
    )
    .execute(&mut *tx)
    .await
    .expect("a parameter");
    tx.commit(Change::event("sys_user", id, "insert", json!({}))).await.expect("committed");
    server.close().await;
    // A copy can be made only while nobody is connected.
    owner
        .execute(AssertSqlSafe(format!("alter database {TEMPLATE} with allow_connections = false")))
        .await
        .expect("closed");
    for _ in 0..500 {
        let left: i64 = sqlx::query_scalar("select count(*) from pg_stat_activity where datname = $1")
            .bind(TEMPLATE)
            .fetch_one(&mut owner)
            .await
            .expect("sessions");
        if left == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("somebody is still connected to the template");
}

fn open(cluster: &Cluster, database: &str) -> Db {
    let app_url = cluster.url(database, embedded::APP);
    Db::open(DbOptions {
        listen_url: app_url.clone(),
        app_url,
        owner_url: cluster.url(database, embedded::OWNER),
        shards: 1,
        connections_per_shard: 3,
        platform_connections: 4,
        job_connections: 2,
        role_prefix: format!("{database}_"),
    })
    .expect("addresses")
}

/// A whole server over a database of its own.
pub(crate) struct Server {
    pub(crate) app: App,
    endpoint: BoxEndpoint<'static, poem::Response>,
    stop: CancellationToken,
    database: String,
    owner_url: String,
    app_url: String,
    /// The last server on a database takes it away.
    _copy: copies::Lease,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// A server whose settings are not the usual ones.
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let cluster = cluster().await;
        let database = format!("t_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut owner = owner_of(cluster, embedded::DATABASE).await;
        owner
            .execute(AssertSqlSafe(format!("create database {database} template {TEMPLATE}")))
            .await
            .expect("a copy of the template");
        Self::on(cluster, open(cluster, &database), &database, change).await
    }

    /// Another server on the same database.
    pub(crate) async fn beside(other: &Self) -> Self {
        {
            let cluster = cluster().await;
            Self::on(cluster, open(cluster, &other.database), &other.database, |_| {}).await
        }
    }

    async fn on(cluster: &Cluster, db: Db, database: &str, change: impl FnOnce(&mut Config)) -> Self {
        let data = data_folder().join(database);
        std::fs::create_dir_all(&data).expect("a data folder");
        let mut config = Config { data, ..Config::default() };
        // What stands in for mail servers and storages listens on this machine.
        config.outbound.targets = Targets::Any;
        config.server.console_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../console/dist");
        change(&mut config);
        let seed = [NEXT.fetch_add(1, Ordering::Relaxed) as u8; 32];
        let parts = Parts {
            config,
            db,
            clock: Clock::default(),
            random: Random::seeded(Sha256::digest([&seed[..], database.as_bytes()].concat()).into()),
            master: MasterKey::from_base64(&BASE64_STANDARD.encode(MASTER)).expect("a key"),
            rooms: rooms::rooms(),
        };
        let app = App::start(parts).await.expect("the server starts");
        for _ in 0..200 {
            if app.notices().is_hearing() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let stop = CancellationToken::new();
        start::worker(&app, &stop);
        Self {
            endpoint: server::endpoint(&app).map_to_response().boxed(),
            app,
            stop,
            database: database.to_owned(),
            _copy: copies::lease(database, cluster.url(embedded::DATABASE, embedded::OWNER)),
            owner_url: cluster.url(database, embedded::OWNER),
            app_url: cluster.url(database, embedded::APP),
        }
    }

    pub(crate) async fn close(self) {
        self.stop.cancel();
        self.app.close().await;
    }

    /// The owner's connection, for builders and for looks behind the curtain.
    pub(crate) async fn owner(&self) -> PgConnection {
        PgConnection::connect(&self.owner_url).await.expect("the owner")
    }

    /// The login role's bare connection: what a request would have without its opening statement.
    pub(crate) async fn bare(&self) -> PgConnection {
        PgConnection::connect(&self.app_url).await.expect("the login role")
    }

    /// The same as another login role.
    pub(crate) async fn bare_as(&self, role: &str) -> PgConnection {
        let address = self.app_url.replace(embedded::APP, role);
        PgConnection::connect(&address).await.expect("the login role")
    }

    /// The program as somebody at the server runs it: on this database and data folder.
    pub(crate) fn program(&self, arguments: &[&str]) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_chengjiao"));
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

    pub(crate) async fn begin(&self) -> infra::Tx {
        let actor = Actor {
            kind: "platform".to_owned(),
            id: 0,
            name: "测试".to_owned(),
            on_behalf_of: None,
            ip: "127.0.0.1".to_owned(),
            trace_id: "-".to_owned(),
        };
        tx::at_the_server(&self.app, actor).await.expect("a transaction")
    }

    /// Opens a school and waits until it is ready; answers its number.
    pub(crate) async fn open_school(&self, code: &str, name: &str) -> i64 {
        let new = schools::school::NewSchool::named(code, name);
        let opened = schools::school::open(self.begin().await, &new, Some(PASSWORD.to_owned())).await.expect("opened");
        infra::jobs::wake(&self.app);
        self.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {}", opened.id))
            .await;
        opened.id
    }

    /// Waits at most 20 seconds for a statement to say yes.
    pub(crate) async fn wait_until(&self, sql: &str) {
        let mut owner = self.owner().await;
        for _ in 0..1000 {
            let yes: bool = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut owner).await.expect(sql);
            if yes {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("never became true: {sql}");
    }

    pub(crate) async fn one<T>(&self, sql: &str) -> T
    where
        T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut self.owner().await).await.expect(sql)
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.owner().await.execute(AssertSqlSafe(sql.to_owned())).await.expect(sql);
    }

    pub(crate) fn anonymous(&self) -> Client<'_> {
        Client { server: self, token: None, host: None }
    }

    /// The operator with every right, signed in to the platform.
    pub(crate) async fn operator(&self) -> Client<'_> {
        self.signed_in("operator", "login").await
    }

    /// The operator inside school 1 or 2.
    pub(crate) async fn operator_in(&self, school: i64) -> Client<'_> {
        let outside = self.operator().await;
        let entered = outside
            .get(&format!(
                "/system/pc/api/sys/user/createSchoolToken?id={school}&reason=%E6%94%AF%E6%8C%81%E5%B7%A5%E4%BD%9C"
            ))
            .await;
        Client { server: self, token: entered.data()["token"].as_str().map(ToOwned::to_owned), host: None }
    }

    /// The administrator of a school of the template.
    pub(crate) async fn admin_of(&self, school: i64) -> Client<'_> {
        self.signed_in(&format!("demo0{school}_admin"), "schoolLogin").await
    }

    /// Somebody at a school with exactly these codes, over the whole school.
    pub(crate) async fn staff(&self, school: i64, codes: &[&str]) -> Client<'_> {
        self.staff_within(school, codes, "whole_school", &[]).await
    }

    /// The same within named sites or classes.
    pub(crate) async fn staff_within(
        &self,
        school: i64,
        codes: &[&str],
        data_scope: &str,
        targets: &[i64],
    ) -> Client<'_> {
        let login_name = self.account(school, codes, data_scope, targets).await;
        self.signed_in(&login_name, "schoolLogin").await
    }

    /// Makes an account at a school with a role of its own; answers its name.
    pub(crate) async fn account(&self, school: i64, codes: &[&str], data_scope: &str, targets: &[i64]) -> String {
        let login_name = format!("staff{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut tx = self.begin().await;
        let now = self.app.clock().now();
        let new = NewAccount {
            login_name: &login_name,
            real_name: "教务员",
            phone: None,
            user_type: "school",
            password: PASSWORD,
            must_change: false,
            built_in: false,
        };
        let user = account::create(&mut tx, &new, now).await.expect("an account");
        account::bind(&mut tx, user, school, false).await.expect("bound");
        let role: i64 = sqlx::query_scalar(
            "insert into platform.sys_role (role_name, client_type, school_id, data_scope, created_by, updated_by)
             values ($1, 1, $2, $3, 0, 0) returning id",
        )
        .bind(&login_name)
        .bind(school)
        .bind(data_scope)
        .fetch_one(&mut *tx)
        .await
        .expect("a role");
        sqlx::query(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by) values ($1, $2, $3, 0)",
        )
        .bind(user)
        .bind(role)
        .bind(school)
        .execute(&mut *tx)
        .await
        .expect("given");
        let codes: Vec<String> = codes.iter().map(|code| (*code).to_owned()).collect();
        let granted = sqlx::query(
            "insert into platform.sys_role_permission (role_id, permission_id)
             select $1, p.id from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = 1 and p.permission_code = any($2)",
        )
        .bind(role)
        .bind(&codes)
        .execute(&mut *tx)
        .await
        .expect("granted");
        assert!(
            granted.rows_affected() >= codes.len() as u64,
            "not all of {codes:?} are seeded under a page of the school area"
        );
        let kind = if data_scope == "named_classes" { "class" } else { "site" };
        for target in targets {
            sqlx::query("insert into platform.sys_role_scope (role_id, target_type, target_id) values ($1, $2, $3)")
                .bind(role)
                .bind(kind)
                .bind(target)
                .execute(&mut *tx)
                .await
                .expect("a target");
        }
        tx.commit(Change::event("sys_user", user, "insert", json!({}))).await.expect("committed");
        login_name
    }

    /// Makes a platform account with a role of its own that has these codes of the operators' area, for all schools or for
    /// these; answers its name.
    pub(crate) async fn platform_account(&self, codes: &[String], schools: Option<&[i64]>) -> String {
        let login_name = format!("oper{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut tx = self.begin().await;
        let now = self.app.clock().now();
        let new = NewAccount {
            login_name: &login_name,
            real_name: "运营员",
            phone: None,
            user_type: "platform",
            password: PASSWORD,
            must_change: false,
            built_in: false,
        };
        let user = account::create(&mut tx, &new, now).await.expect("an account");
        sqlx::query(
            "with made as (
                 insert into platform.sys_role (role_name, client_type, created_by, updated_by) values ($2, 0, 0, 0) returning id),
             given as (
                 insert into platform.sys_user_role (user_id, role_id, created_by) select $1, id, 0 from made)
             insert into platform.sys_role_permission (role_id, permission_id)
             select made.id, p.id from made, platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = 0 and p.permission_code = any($3)",
        )
        .bind(user)
        .bind(&login_name)
        .bind(codes)
        .execute(&mut *tx)
        .await
        .expect("a role");
        if let Some(schools) = schools {
            sqlx::query("update platform.sys_user set school_scope = 'listed' where id = $1")
                .bind(user)
                .execute(&mut *tx)
                .await
                .expect("some schools");
            for school in schools {
                account::bind(&mut tx, user, *school, false).await.expect("bound");
            }
        }
        tx.commit(Change::event("sys_user", user, "insert", json!({}))).await.expect("committed");
        login_name
    }

    /// Signs in as a browser does.
    pub(crate) async fn signed_in(&self, login_name: &str, call: &str) -> Client<'_> {
        let answer = self.anonymous().sign_in(login_name, PASSWORD, call).await;
        let data = answer.data();
        let token = data.as_str().or_else(|| data["token"].as_str()).map(ToOwned::to_owned);
        assert!(token.is_some(), "{login_name} may not sign in: {}", answer.body);
        Client { server: self, token, host: None }
    }

    pub(crate) fn cipher(&self, password: &str) -> String {
        let der = BASE64_STANDARD.decode(self.app.keys().public_key()).expect("Base64");
        let key = RsaPublicKey::from_public_key_der(&der).expect("SPKI");
        let mut rng =
            <rand_chacha::ChaCha20Rng as rand_chacha::rand_core::SeedableRng>::from_seed(self.app.random().bytes());
        BASE64_STANDARD.encode(key.encrypt(&mut rng, Oaep::<Sha256>::new(), password.as_bytes()).expect("encrypted"))
    }
}

/// Every code that a page of the school area has.
pub(crate) fn all_school_codes() -> Vec<String> {
    let pages: std::collections::BTreeSet<&str> = include_str!("../../../platform/accounts/data/menus.tsv")
        .lines()
        .filter_map(|line| line.strip_prefix("1\t")?.split('\t').next())
        .collect();
    let codes: std::collections::BTreeSet<&str> = rooms::rooms()
        .permissions()
        .filter(|entry| entry.pages.iter().any(|page| pages.contains(page)))
        .map(|entry| entry.code)
        .collect();
    codes.into_iter().map(ToOwned::to_owned).collect()
}

/// A workbook with one sheet.
pub(crate) fn sheet(headings: &[&str], rows: &[&[&str]]) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (line, row) in std::iter::once(&headings).chain(rows).enumerate() {
        for (column, text) in row.iter().enumerate() {
            sheet.write_string(line as u32, column as u16, *text).expect("a cell");
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}
