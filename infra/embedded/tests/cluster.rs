//! The life of a cluster, with whatever PostgreSQL this machine has.

#![allow(clippy::unwrap_used, reason = "a test may fail; the lint sees only functions marked as tests")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use embedded::{APP, Cluster, DATABASE, EmbeddedError, OWNER, Options};
use rustix::process::{Pid, Signal, kill_process};

/// A data folder that another account can reach.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

fn options(data: &Path) -> Options {
    Options { durable: false, bin_dir: std::env::var_os("PG_BIN_DIR").map(PathBuf::from), ..Options::new(data) }
}

/// One value, asked through `psql`; the test that has no `psql` cannot ask.
fn ask(url: &str, statement: &str) -> String {
    let output = Command::new("psql").args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, url]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn pid(data: &Path) -> Option<u32> {
    fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?.lines().next()?.parse().ok()
}

/// Kills a process and waits until the system knows that it is dead.
fn kill(pid: u32) {
    kill_process(Pid::from_raw(pid.try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    let alive = || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while alive() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_new_cluster_has_roles_database_and_extensions_and_starts_again() {
    let data = folder();
    let cluster = Cluster::start(options(data.path())).unwrap();
    let owner = cluster.url(DATABASE, OWNER);
    assert_eq!(cluster.moved_to(), None);
    assert_eq!(ask(&owner, "select current_database() || ' ' || current_user"), "chengjiao chengjiao_owner");
    assert_eq!(
        ask(
            &owner,
            "select string_agg(concat_ws(' ', rolname, rolsuper, rolcreaterole, rolcreatedb, rolinherit), ',' order by rolname)
             from pg_roles where rolname ~ 'chengjiao' and rolcanlogin and not rolsuper"
        ),
        "chengjiao_app f f f f,chengjiao_owner f t t t"
    );
    assert!(ask(&owner, "select string_agg(extname, ',' order by extname) from pg_extension").contains("btree_gist"));
    assert_eq!(
        ask(
            &owner,
            "select pg_encoding_to_char(encoding) || ' ' || datcollate from pg_database where datname = 'chengjiao'"
        ),
        "UTF8 C.UTF-8"
    );
    assert_eq!(ask(&cluster.url(DATABASE, APP), "show max_locks_per_transaction"), "1024");
    assert_eq!(ask(&owner, "show listen_addresses"), "");
    let run = fs::metadata(data.path().join("run")).unwrap();
    assert_eq!(run.permissions().mode() & 0o777, 0o700);
    ask(&owner, "create table kept (n int)");
    ask(&owner, "create database copy");

    cluster.stop().unwrap();
    assert_eq!(pid(data.path()), None);

    let begun = Instant::now();
    let cluster = Cluster::start(options(data.path())).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "the second start took {:?}", begun.elapsed());
    assert_eq!(ask(&cluster.url(DATABASE, OWNER), "select count(*) from kept"), "0");
    assert!(ask(&cluster.url("copy", OWNER), "select extname from pg_extension").contains("btree_gist"));
    cluster.stop().unwrap();
}

#[test]
fn the_last_user_stops_the_cluster() {
    let data = folder();
    let first = Cluster::start(options(data.path())).unwrap();
    let second = Cluster::start(options(data.path())).unwrap();
    assert_eq!(first.url(DATABASE, APP), second.url(DATABASE, APP));
    first.stop().unwrap();
    assert_eq!(ask(&second.url(DATABASE, APP), "select 1"), "1");
    drop(second);
    assert_eq!(pid(data.path()), None);
}

#[test]
fn a_killed_database_recovers() {
    let data = folder();
    let options = |data| Options { durable: true, ..options(data) };
    let first = Cluster::start(options(data.path())).unwrap();
    ask(&first.url(DATABASE, OWNER), "create table kept (n int); insert into kept values (7)");
    let old = pid(data.path()).unwrap();
    kill(old);
    let second = Cluster::start(options(data.path())).unwrap();
    assert_ne!(pid(data.path()), Some(old));
    assert_eq!(ask(&second.url(DATABASE, OWNER), "select n from kept"), "7");
    first.stop().unwrap();
    second.stop().unwrap();
    assert_eq!(pid(data.path()), None);
}

/// Recovery writes everything down; beside somebody who fills the disk that takes minutes, and the program waits as long.
const RECOVERY: Duration = Duration::from_secs(300);

/// Waits until the database that was killed answers again, as another process.
fn wait_until_back(data: &Path, url: &str, old: u32) {
    let deadline = Instant::now() + RECOVERY;
    let answers = || {
        let psql = Command::new("psql").args(["-XAtq", "-c", "select 1", url]).output().unwrap();
        psql.status.success()
    };
    while pid(data).is_none_or(|now| now == old) || !answers() {
        assert!(Instant::now() < deadline, "the database was not started again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A statement that computes; it does not notice that it has no server any more.
fn computing(url: &str) -> Child {
    let busy = Command::new("psql")
        .args(["-XAtq", "-c", "do $$ begin loop null; end loop; end $$", url])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + RECOVERY;
    while ask(url, "select count(*) from pg_stat_activity where query like 'do $$%' and state = 'active'") != "1" {
        assert!(Instant::now() < deadline);
    }
    busy
}

#[test]
fn what_still_computes_is_ended_also_when_the_file_of_its_server_is_gone() {
    let data = folder();
    let cluster = Cluster::start(Options { durable: true, ..options(data.path()) }).unwrap();
    let url = cluster.url(DATABASE, OWNER);
    let mut busy = computing(&url);
    let old = pid(data.path()).unwrap();
    kill(old);
    fs::remove_file(data.path().join("postgres/postmaster.pid")).unwrap();
    wait_until_back(data.path(), &url, old);
    assert!(!busy.wait().unwrap().success());
    cluster.stop().unwrap();
}

#[test]
fn a_database_that_dies_is_started_again_where_it_was() {
    let data = folder();
    let options = |data| Options { durable: true, ..options(data) };
    let cluster = Cluster::start(options(data.path())).unwrap();
    let beside = Cluster::start(options(data.path())).unwrap();
    let url = cluster.url(DATABASE, OWNER);
    ask(&url, "create table kept (n int); insert into kept values (7)");
    for times in 1..=2 {
        let mut busy = computing(&url);
        let old = pid(data.path()).unwrap();
        kill(old);
        wait_until_back(data.path(), &url, old);
        assert_eq!(ask(&url, "select n from kept"), "7");
        assert!(!busy.wait().unwrap().success());
        let deadline = Instant::now() + RECOVERY;
        while cluster.restarts().count() + beside.restarts().count() < 2 * times {
            assert!(Instant::now() < deadline, "not both who use it took note");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    cluster.stop().unwrap();
    assert_eq!(ask(&url, "select n from kept"), "7");
    beside.stop().unwrap();
    assert_eq!(pid(data.path()), None);
}

/// Plays the server that is killed in the next test; does nothing when run by itself.
#[test]
fn a_server_that_waits_to_be_killed() {
    if let Some(data) = std::env::var_os("CHENGJIAO_TEST_WAITS_IN") {
        let _cluster = Cluster::start(options(Path::new(&data))).unwrap();
        fs::write(Path::new(&data).join("waiting"), "").unwrap();
        std::thread::sleep(Duration::from_secs(60));
    }
}

#[test]
fn the_database_of_a_killed_server_is_taken_over() {
    let data = folder();
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_server_that_waits_to_be_killed"])
        .env("CHENGJIAO_TEST_WAITS_IN", data.path())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(50);
    while !data.path().join("waiting").exists() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let running = pid(data.path()).unwrap();

    let cluster = Cluster::start(options(data.path())).unwrap();
    assert_eq!(pid(data.path()), Some(running));
    let url = cluster.url(DATABASE, APP);
    assert_eq!(ask(&url, "select 1"), "1");
    // Who only joined starts it again, too.
    kill(running);
    wait_until_back(data.path(), &url, running);
    cluster.stop().unwrap();
    assert_eq!(pid(data.path()), None);
}

#[test]
fn a_file_of_a_dead_server_does_not_matter_even_if_its_number_lives() {
    let data = folder();
    Cluster::start(options(data.path())).unwrap().stop().unwrap();
    let file = data.path().join("postgres/postmaster.pid");
    let us = std::process::id();
    fs::write(&file, format!("{us}\n{}\n1\n5432\n/nowhere\n\n1 1\nready\n", data.path().display())).unwrap();
    let cluster = Cluster::start(options(data.path())).unwrap();
    assert_eq!(ask(&cluster.url(DATABASE, APP), "select 1"), "1");
    cluster.stop().unwrap();
}

#[test]
fn half_a_cluster_is_made_again() {
    let data = folder();
    fs::create_dir(data.path().join("postgres.tmp")).unwrap();
    fs::write(data.path().join("postgres.tmp/PG_VERSION"), "15\n").unwrap();
    let cluster = Cluster::start(options(data.path())).unwrap();
    assert!(!data.path().join("postgres.tmp").exists());
    cluster.stop().unwrap();
}

#[test]
fn a_long_path_gets_its_socket_elsewhere() {
    let data = folder();
    let long = data.path().join("很长的目录".repeat(8));
    let cluster = Cluster::start(options(&long)).unwrap();
    assert!(!long.join("run").exists());
    assert_eq!(ask(&cluster.url(DATABASE, APP), "select 1"), "1");
    cluster.stop().unwrap();
}

#[test]
fn root_moves_out_of_a_folder_that_others_cannot_enter() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    fs::set_permissions(data.path(), Permissions::from_mode(0o700)).unwrap();
    let cluster = Cluster::start(options(data.path())).unwrap();
    let moved = cluster.moved_to().unwrap().to_path_buf();
    assert!(moved.starts_with("/var/lib/chengjiao"));
    assert_eq!(ask(&cluster.url(DATABASE, APP), "select 1"), "1");
    cluster.stop().unwrap();
    fs::remove_dir_all(moved).unwrap();
}

#[test]
fn another_major_version_is_refused_in_one_line() {
    let data = folder();
    fs::create_dir(data.path().join("postgres")).unwrap();
    fs::write(data.path().join("postgres/PG_VERSION"), "9\n").unwrap();
    let error = Cluster::start(options(data.path())).unwrap_err();
    assert!(matches!(error, EmbeddedError::OtherVersion { made_by: 9, .. }), "{error}");
    assert_eq!(error.to_string().lines().count(), 1);
}

#[test]
fn a_wrong_setting_is_told_in_one_line() {
    let data = folder();
    let settings = vec![("no_such_setting".to_owned(), "1".to_owned())];
    let error = Cluster::start(Options { settings, ..options(data.path()) }).unwrap_err();
    assert!(error.to_string().contains("no_such_setting"), "{error}");
    assert_eq!(error.to_string().lines().count(), 1);
}

#[test]
fn a_folder_without_postgres_is_refused() {
    let data = folder();
    let bin_dir = Some(data.path().to_path_buf());
    let error = Cluster::start(Options { bin_dir, ..options(data.path()) }).unwrap_err();
    assert!(matches!(error, EmbeddedError::BinDir { .. }), "{error}");
}
