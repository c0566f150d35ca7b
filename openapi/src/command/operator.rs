//! What an operator does at the server: migrate, schools, accounts, doctor.

use std::path::{Path, PathBuf};

use accounts::{
    account::{self, NewAccount},
    password,
};
use clap::{Args, Subcommand};
use infra::{App, Change, Tx, audit::Actor, config::Config, tx};
use openapi::start::{self, Database};
use schools::{closing, school::NewSchool, suspension};
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(crate) enum School {
    /// Open a school with its first administrator; prints the password once.
    Create(NewSchoolArguments),
    /// Sign its people out and let nobody in.
    Suspend {
        code: String,
        #[arg(long)]
        reason: String,
    },
    /// Let its people in again.
    Resume { code: String },
    /// Close it: read-only, out of the platform's lists. Deletion protection must be off.
    Archive {
        code: String,
        #[arg(long)]
        reason: String,
    },
    /// Undo an archiving.
    Restore { code: String },
    /// Write its tables, and its files on demand, into a zip.
    Export {
        code: String,
        #[arg(long)]
        to: PathBuf,
        /// With the stored files themselves.
        #[arg(long)]
        objects: bool,
    },
    /// Remove an archived school for good, 30 days after its archiving and after an export from the console.
    Delete {
        code: String,
        /// The code once more, typed by hand.
        #[arg(long)]
        confirm: String,
    },
    /// All schools, a line each.
    List,
}

#[derive(Debug, Args)]
pub(crate) struct NewSchoolArguments {
    /// 院校代码
    code: String,
    /// 院校名称
    name: String,
    #[arg(long)]
    admin: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Account {
    /// An operator with every right of the platform; prints the password once.
    CreateOperator {
        login_name: String,
        #[arg(long, default_value = "超级管理员")]
        real_name: String,
    },
}

pub(super) fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(super) async fn migrate(config: Config) -> Result<(), String> {
    let database = start::database(&config).await?;
    let report = super::upgrade(&database.db).await?;
    println!(
        "platform: {} files; schools: {} were current, {} migrated, {} failed",
        report.platform_files,
        report.schools_current,
        report.schools_migrated,
        report.failed.len()
    );
    database.stop().await?;
    if report.failed.is_empty() { Ok(()) } else { Err("some schools stay on their old version".to_owned()) }
}

/// Starts what a command needs, and stops it after the command.
pub(super) async fn with_app<T, E: From<String>>(
    config: Config,
    work: impl AsyncFnOnce(&App) -> Result<T, E>,
) -> Result<T, E> {
    let database: Database = start::database(&config).await?;
    super::upgrade(&database.db).await?;
    let app = start::app(config, database.db.clone()).await?;
    let done = work(&app).await;
    database.stop().await?;
    done
}

/// A writing transaction in `platform` for whoever sits at the server.
async fn begin(app: &App) -> Result<Tx, String> {
    let actor = Actor {
        kind: "platform".to_owned(),
        id: 0,
        name: "命令行".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    };
    tx::at_the_server(app, actor).await.map_err(told)
}

pub(super) async fn school(config: Config, command: School) -> Result<(), String> {
    with_app(config, async |app| match command {
        School::Create(arguments) => {
            let mut new = NewSchool::named(&arguments.code, &arguments.name);
            new.admin_login_name = arguments.admin;
            let opened = schools::school::open(begin(app).await?, &new, None).await.map_err(told)?;
            wait_until_ready(app, opened.id).await?;
            println!("school {} is open; administrator {}", opened.id, opened.admin_login_name.unwrap_or_default());
            println!("password (shown once): {}", opened.initial_password.unwrap_or_default());
            Ok(())
        }
        School::Suspend { code, reason } => {
            let id = id_of(app, &code).await?;
            suspension::suspend(begin(app).await?, 0, id, &reason).await.map_err(told)
        }
        School::Resume { code } => {
            let id = id_of(app, &code).await?;
            suspension::resume(begin(app).await?, 0, id).await.map_err(told)
        }
        School::Archive { code, reason } => {
            let id = id_of(app, &code).await?;
            closing::archive(begin(app).await?, 0, id, &reason).await.map_err(told)
        }
        School::Restore { code } => {
            let id = id_of(app, &code).await?;
            closing::restore(begin(app).await?, 0, id).await.map_err(told)
        }
        School::Export { code, to, objects } => export_school(app, &code, &to, objects).await,
        School::Delete { code, confirm } => delete_school(app, &code, &confirm).await,
        School::List => {
            let mut tx = app.platform_read().await.map_err(told)?;
            let rows = sqlx::query!(
                "select id, code, name, status, provision_state, schema_version from platform.school where deleted_at is null order by id"
            )
            .fetch_all(&mut *tx)
            .await
            .map_err(told)?;
            for row in rows {
                println!("{}\t{}\t{}\t{}\t{}\t{}", row.id, row.code, row.name, row.status, row.provision_state, row.schema_version);
            }
            Ok(())
        }
    })
    .await
}

async fn id_of(app: &App, code: &str) -> Result<i64, String> {
    let mut tx = app.platform_read().await.map_err(told)?;
    sqlx::query_scalar!("select id from platform.school where code = $1 and deleted_at is null", code)
        .fetch_optional(&mut *tx)
        .await
        .map_err(told)?
        .ok_or_else(|| format!("no school has the code {code}"))
}

/// Writes the archive where it was asked for; nothing is kept in the store, so it does not count as the export that a
/// deletion wants.
async fn export_school(app: &App, code: &str, to: &Path, objects: bool) -> Result<(), String> {
    let id = id_of(app, code).await?;
    let school = app.school(id).await.map_err(told)?.ok_or_else(|| format!("no school has the code {code}"))?;
    let mut tx = tx::at_the_server_read_in(app, &school).await.map_err(told)?;
    let (file, tables) = closing::write_export(app, &mut tx, &school, objects, None).await.map_err(told)?;
    tokio::fs::copy(file.path(), to).await.map_err(told)?;
    println!("{tables} tables in {}", to.display());
    Ok(())
}

/// Runs this process's worker until nothing is left of a school but its row.
async fn delete_school(app: &App, code: &str, confirm: &str) -> Result<(), String> {
    let id = id_of(app, code).await?;
    let mut tx = begin(app).await?;
    let school = closing::may_be_deleted(&mut tx, 0, id, confirm).await.map_err(told)?;
    let job = closing::delete(tx, &school).await.map_err(told)?;
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = start::worker(app, &stop);
    infra::jobs::wake(app);
    let ended = ended(app, job).await;
    stop.cancel();
    worker.await.map_err(told)?;
    println!("{}", ended?);
    Ok(())
}

/// Waits for a job; its message when it is done.
pub(super) async fn ended(app: &App, job: i64) -> Result<String, String> {
    loop {
        let mut tx = app.platform_read().await.map_err(told)?;
        let row = sqlx::query!("select state, message from platform.job where id = $1", job)
            .fetch_one(&mut *tx)
            .await
            .map_err(told)?;
        match row.state.as_str() {
            "done" => return Ok(row.message),
            "failed" | "cancelled" => return Err(row.message),
            _ => tokio::time::sleep(std::time::Duration::from_millis(200)).await,
        }
    }
}

/// Runs this process's worker until a school is ready.
async fn wait_until_ready(app: &App, id: i64) -> Result<(), String> {
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = start::worker(app, &stop);
    infra::jobs::wake(app);
    let ready = ready(app, id).await;
    stop.cancel();
    worker.await.map_err(told)?;
    ready
}

async fn ready(app: &App, id: i64) -> Result<(), String> {
    for _ in 0..600 {
        let mut tx = app.platform_read().await.map_err(told)?;
        let row = sqlx::query!("select provision_state, provision_error from platform.school where id = $1", id)
            .fetch_one(&mut *tx)
            .await
            .map_err(told)?;
        match row.provision_state.as_str() {
            "ready" => return Ok(()),
            "failed" => return Err(row.provision_error.unwrap_or_default()),
            _ => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
        }
    }
    Err("the school is not ready after 30 seconds; see its job".to_owned())
}

pub(super) async fn account(config: Config, command: Account) -> Result<(), String> {
    let Account::CreateOperator { login_name, real_name } = command;
    with_app(config, async |app| {
        let password = password::random(app);
        let id = make_operator(app, &login_name, &real_name, &password, true).await?;
        println!("operator {login_name} has number {id}");
        println!("password (shown once): {password}");
        Ok(())
    })
    .await
}

/// An operator with every right of the platform, who may also enter schools.
async fn make_operator(
    app: &App,
    login_name: &str,
    real_name: &str,
    password: &str,
    must_change: bool,
) -> Result<i64, String> {
    let mut tx = begin(app).await?;
    let now = app.clock().now();
    let new =
        NewAccount { login_name, real_name, phone: None, user_type: "platform", password, must_change, built_in: true };
    let id = account::create(&mut tx, &new, now).await.map_err(told)?;
    account::give_role(&mut tx, id, "super", None).await.map_err(told)?;
    account::give_role(&mut tx, id, "support", None).await.map_err(told)?;
    tx.commit(Change::event("sys_user", id, "insert", json!({ "loginName": login_name }))).await.map_err(told)?;
    Ok(id)
}

pub(super) async fn doctor(config: Config) -> Result<(), String> {
    let database = start::database(&config).await?;
    let mut found = Vec::new();
    if !config.database.url.is_empty() && config.database.owner_url.is_empty() {
        found.push("database.owner_url is not given: requests run as the owner of the tables, and nothing but search_path keeps schools apart".to_owned());
    }
    let mut owner = database.db.owner().acquire().await.map_err(told)?;
    let inherits: bool =
        sqlx::query_scalar("select coalesce((select rolinherit or rolsuper from pg_roles where rolname = $1), true)")
            .bind(database.db.app_role())
            .fetch_one(&mut *owner)
            .await
            .map_err(told)?;
    if inherits {
        found.push(format!(
            "the login role {} inherits rights; make it NOINHERIT and no superuser",
            database.db.app_role()
        ));
    }
    let schools: Vec<(i64, String, i64, String)> = sqlx::query_as(
        "select id, schema_name, schema_version, structure_hash from platform.school where deleted_at is null and provision_state = 'ready'",
    )
    .fetch_all(&mut *owner)
    .await
    .map_err(told)?;
    for (id, schema, version, recorded) in &schools {
        let seen = infra::migrate::structure_hash(&mut owner, schema).await.map_err(told)?;
        if seen != *recorded {
            found.push(format!("school {id} at version {version}: its tables differ from what its migrations made"));
        }
    }
    drop(owner);
    for line in &found {
        println!("! {line}");
    }
    println!("{} schools checked, {} findings", schools.len(), found.len());
    database.stop().await
}
