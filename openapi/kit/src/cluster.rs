//! One private cluster, and the template that each story's database is copied from.
//!
//! The cluster runs as long as a process of stories uses it. The template stays for the processes after this one, until
//! the server that they test is another, or the day.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use accounts::account::{self, NewAccount};
use embedded::Cluster;
use infra::{Change, clock::Clock};
use openapi::{modules, upgrade};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::sync::OnceCell;

use crate::{PASSWORD, Server, server::open};

pub(crate) const TEMPLATE: &str = "template_for_tests";
/// From this version on PostgreSQL may copy a database by its pages instead of its files, which takes longer.
const STRATEGIES: i32 = 150_000;

const SETTINGS: [(&str, &str); 5] = [
    ("max_connections", "400"),
    // Its workers would hold copies that are to go, and a story's rows need none.
    ("autovacuum", "off"),
    // Nobody recovers or replicates it.
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("max_wal_size", "256MB"),
];
/// What the cluster may need at most, in bytes.
const MEMORY: u64 = 4 << 30;

static CLUSTER: OnceCell<Run> = OnceCell::const_new();

struct Run {
    cluster: Cluster,
    copying: &'static str,
}

/// The folder of this executable's profile: stories stand in `target/debug/deps`.
pub(crate) fn built() -> PathBuf {
    let executable = std::env::current_exe().expect("this executable");
    executable.ancestors().nth(2).expect("target/debug").to_path_buf()
}

/// The server that is built beside the stories.
pub(crate) fn program() -> PathBuf {
    built().join("chengjiao")
}

pub(crate) fn scratch() -> PathBuf {
    built().parent().expect("target").join("tmp")
}

/// In memory where there is room: files of a copy are made and taken away some hundred times a run.
fn folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let free = rustix::fs::statvfs(memory).map_or(0, |found| found.f_bavail * found.f_frsize);
    if free < MEMORY {
        return scratch().join("postgres");
    }
    let owner = Sha256::digest(scratch().as_os_str().as_encoded_bytes());
    memory.join(format!("chengjiao-stories-{:02x}{:02x}{:02x}{:02x}", owner[0], owner[1], owner[2], owner[3]))
}

pub(crate) fn data_folder() -> PathBuf {
    scratch().join("data")
}

async fn run() -> &'static Run {
    CLUSTER
        .get_or_init(|| async {
            openapi::start::own_files_only();
            let cluster = tokio::task::spawn_blocking(|| {
                let mut options = embedded::Options::new(folder());
                options.durable = false;
                for (name, value) in SETTINGS {
                    options.settings.push((name.to_owned(), value.to_owned()));
                }
                Cluster::start(options)
            })
            .await
            .expect("no panic")
            .expect("a private PostgreSQL");
            stop_with_the_last_process(&cluster);
            // What an earlier run left under the same names.
            std::fs::remove_dir_all(data_folder()).ok();
            let mut owner = owner_of(&cluster, embedded::DATABASE).await;
            drop_copies(&mut owner).await;
            keep_template(&cluster, &mut owner).await;
            let version: i32 = sqlx::query_scalar("select current_setting('server_version_num')::int")
                .fetch_one(&mut owner)
                .await
                .expect("a version");
            Run { cluster, copying: if version < STRATEGIES { "" } else { " strategy file_copy" } }
        })
        .await
}

/// The run's cluster, with its template.
pub(crate) async fn cluster() -> &'static Cluster {
    &run().await.cluster
}

/// Makes a story's database.
pub(crate) async fn copy(database: &str) {
    let Run { cluster, copying } = run().await;
    let statement = format!("create database {database} template {TEMPLATE}{copying}");
    let mut owner = owner_of(cluster, embedded::DATABASE).await;
    owner.execute(AssertSqlSafe(statement)).await.expect("a copy of the template");
}

/// Statics are never dropped; a small shell waits for this process and then stops the cluster, unless another one uses it.
fn stop_with_the_last_process(cluster: &Cluster) {
    use std::os::unix::process::CommandExt;
    let postmaster = cluster.moved_to().map_or_else(folder, Path::to_path_buf).join("postgres/postmaster.pid");
    let script = r#"(while kill -0 "$1" 2>/dev/null; do sleep 0.2; done
        flock "$2/start.lock" flock --nonblock "$2/owner.lock" sh -c 'pid=$(head -1 "$1") && kill -INT $pid && while kill -0 $pid; do sleep 0.05; done' - "$3"
        ) >/dev/null 2>&1 &"#;
    std::process::Command::new("sh")
        .args(["-c", script, "-", &std::process::id().to_string()])
        .args([folder(), postmaster])
        .process_group(0)
        .status()
        .expect("a shell");
}

async fn owner_of(cluster: &Cluster, database: &str) -> PgConnection {
    PgConnection::connect(&cluster.url(database, embedded::OWNER)).await.expect("the cluster answers")
}

async fn drop_copies(owner: &mut PgConnection) {
    let old: Vec<String> = sqlx::query_scalar("select datname::text from pg_database where datname ~ '^t_[0-9]+$'")
        .fetch_all(&mut *owner)
        .await
        .expect("databases");
    for name in old {
        drop_database(owner, &name).await;
    }
}

async fn drop_database(owner: &mut PgConnection, name: &str) {
    let statement = format!("drop database if exists {name} with (force)");
    owner.execute(AssertSqlSafe(statement)).await.expect("an old run's database goes");
}

/// What a template must have been made by: this server, this file, and on this day, as some tables are cut by time.
fn makers() -> String {
    let server = std::fs::metadata(program()).expect("the server is built beside the stories");
    let changed = server.modified().expect("a time");
    let today = Clock::default().today();
    let sum = Sha256::digest(format!("{} {changed:?} {today} {}", server.len(), include_str!("cluster.rs")));
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes the template unless it is there and whole; its comment says what made it.
async fn keep_template(cluster: &Cluster, owner: &mut PgConnection) {
    let makers = makers();
    let known: Option<String> = sqlx::query_scalar(
        "select shobj_description(oid, 'pg_database') from pg_database where datname = $1 and not datallowconn",
    )
    .bind(TEMPLATE)
    .fetch_optional(&mut *owner)
    .await
    .expect("databases")
    .flatten();
    if known.as_deref() == Some(&makers) {
        return;
    }
    drop_database(owner, TEMPLATE).await;
    owner.execute(AssertSqlSafe(format!("create database {TEMPLATE}"))).await.expect("the template's database");
    fill_template(cluster).await;
    // A copy can be made only while nobody is connected.
    let close = format!(
        "comment on database {TEMPLATE} is '{makers}'; alter database {TEMPLATE} with allow_connections = false"
    );
    owner.execute(AssertSqlSafe(close)).await.expect("closed");
    for _ in 0..500 {
        let left: i64 = sqlx::query_scalar("select count(*) from pg_stat_activity where datname = $1")
            .bind(TEMPLATE)
            .fetch_one(&mut *owner)
            .await
            .expect("sessions");
        if left == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("somebody is still connected to the template");
}

/// Two open schools and an operator.
async fn fill_template(cluster: &Cluster) {
    let db = open(cluster, TEMPLATE);
    upgrade::run(&db, &modules::modules(), |_, _| {}).await.expect("the platform is migrated");
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
    // One address makes all calls of a test, and a client does not wait between its calls.
    sqlx::query(
        "insert into platform.sys_param (code, value, updated_by)
         values ('auth.ipPerMinute', '100000', 0), ('client.callsPerSecond', '100000', 0)
         on conflict (code) do update set value = excluded.value",
    )
    .execute(&mut *tx)
    .await
    .expect("a parameter");
    tx.commit(Change::event("sys_user", id, "insert", json!({}))).await.expect("committed");
    server.close().await;
}
