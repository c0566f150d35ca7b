//! Making a cluster: `initdb`, roles, extensions and the database, before anybody can connect.
//!
//! The statements go through `postgres --single`, because the npm package has no `psql` and because nothing may listen
//! while roles are missing. All of them may be repeated.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::account::Account;
use crate::error::{At, EmbeddedError, last_words};
use crate::folders::Folders;
use crate::installation::Installation;
use crate::{APP, DATABASE, OWNER};

/// The superuser. It works here only; the server never connects as it.
const BOOT: &str = "chengjiao_boot";

/// Goes up when [`prepare`] learns something, so that older clusters are prepared again.
const PREPARED: &str = "2";

/// What requests over `platform` run as. The server makes it where it is missing; here it also gets what only a superuser
/// gives: the texts of the statement statistics of all roles, and their reset, for the monitor.
const PLATFORM: &str = "chengjiao_platform";

/// Who may connect, and how: everybody who can enter the socket's folder, and over TCP by password.
const ADMISSION: &str = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

/// The extensions of the product. Some need a superuser, none a choice: what the installation lacks is left out.
const EXTENSIONS: [&str; 2] = ["btree_gist", "pg_stat_statements"];

/// Makes the cluster if there is none, and prepares one that an older version of this file made.
pub(crate) fn ensure(
    folders: &Folders,
    installation: &Installation,
    account: Account,
    durable: bool,
) -> Result<(), EmbeddedError> {
    let cluster = folders.cluster();
    if cluster.join("PG_VERSION").exists() {
        return match fs::read_to_string(cluster.join("chengjiao.prepared")) {
            Ok(done) if done == PREPARED => Ok(()),
            _ => prepare(&cluster, installation, account),
        };
    }
    let staging = folders.staging();
    if staging.exists() {
        fs::remove_dir_all(&staging).at("删除", &staging)?;
    }
    account.make_folder(&staging)?;
    init(&staging, installation, account, durable)?;
    prepare(&staging, installation, account)?;
    fs::rename(&staging, &cluster).at("重命名", &staging)?;
    fs::File::open(&folders.home).and_then(|home| home.sync_all()).at("写入", &folders.home)
}

/// Gives the roles that can sign in the password that TCP needs.
pub(crate) fn set_password(
    cluster: &Path,
    installation: &Installation,
    account: Account,
    password: &str,
) -> Result<(), EmbeddedError> {
    let statements: String = [OWNER, APP].map(|role| format!("alter role {role} password '{password}';\n")).concat();
    single(cluster, installation, account, "postgres", &statements).map(drop)
}

fn init(folder: &Path, installation: &Installation, account: Account, durable: bool) -> Result<(), EmbeddedError> {
    let program = installation.program("initdb");
    let mut command = account.command(&program);
    command.args(["-U", BOOT, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-D"]).arg(folder);
    if !durable {
        command.arg("--no-sync");
    }
    let output = command.output().at("运行", &program)?;
    if !output.status.success() {
        return Err(failed(folder, &output.stderr));
    }
    // An existing file keeps its owner when it is written over.
    let admission = folder.join("pg_hba.conf");
    fs::write(&admission, ADMISSION).at("写入", &admission)
}

/// Roles, extensions in schema `ext` of the template and of the database, and the database.
fn prepare(cluster: &Path, installation: &Installation, account: Account) -> Result<(), EmbeddedError> {
    let roles = role(OWNER, "login createrole createdb")
        + &role(APP, "login noinherit")
        + &role(PLATFORM, "nologin")
        + &format!("grant {PLATFORM} to {OWNER} with admin option;\ngrant pg_read_all_stats to {PLATFORM};\n");
    let mut extensions = format!(
        "create schema if not exists ext authorization {OWNER};\n\
         grant usage on schema ext to public;\n"
    );
    for name in EXTENSIONS {
        extensions.push_str(&format!(
            "do $$ begin if exists (select from pg_available_extensions where name = '{name}') then \
             create extension if not exists {name} schema ext; end if; end $$;\n"
        ));
    }
    extensions.push_str(&format!(
        "do $$ declare f regprocedure; begin for f in select oid from pg_proc where proname = 'pg_stat_statements_reset' \
         loop execute format('grant execute on function %s to {PLATFORM}', f); end loop; end $$;\n"
    ));
    let listing = "select datname from pg_database;\n";
    let answer = single(cluster, installation, account, "template1", &(roles + &extensions + listing))?;
    if answer.contains(&format!("\"{DATABASE}\"")) {
        single(cluster, installation, account, DATABASE, &extensions)?;
    } else {
        let create = format!("create database {DATABASE} owner {OWNER};\n");
        single(cluster, installation, account, "postgres", &create)?;
    }
    let mark = cluster.join("chengjiao.prepared");
    fs::write(&mark, PREPARED).at("写入", &mark)?;
    account.own(&mark)
}

/// The statement that makes a role which does not exist yet.
fn role(name: &str, rights: &str) -> String {
    format!(
        "do $$ begin if not exists (select from pg_roles where rolname = '{name}') then \
         create role {name} {rights}; end if; end $$;\n"
    )
}

/// Runs statements, one a line, as superuser in a cluster that is not running, and returns what they show.
fn single(
    cluster: &Path,
    installation: &Installation,
    account: Account,
    database: &str,
    statements: &str,
) -> Result<String, EmbeddedError> {
    let program = installation.program("postgres");
    let mut child = account
        .command(&program)
        .args(["--single", "-D"])
        .arg(cluster)
        .args(["-c", "exit_on_error=on", "-c", "log_statement=none", database])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .at("运行", &program)?;
    if let Some(mut input) = child.stdin.take()
        && let Err(error) = input.write_all(statements.as_bytes())
    {
        tracing::debug!(%error, "the database ended before it had read everything; its own words follow");
    }
    let output = child.wait_with_output().at("运行", &program)?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(failed(cluster, &output.stderr))
    }
}

fn failed(path: &Path, stderr: &[u8]) -> EmbeddedError {
    EmbeddedError::Initdb { path: path.to_path_buf(), detail: last_words(&String::from_utf8_lossy(stderr)) }
}
