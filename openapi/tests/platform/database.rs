//! The real program whose private PostgreSQL dies, and whose database hangs.

use std::{
    collections::BTreeSet,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use openapi::document;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::crash::{Browser, Program, data_folder, join, one, owner};

const LONGEST: Duration = Duration::from_secs(120);
const WRITERS: usize = 4;
/// What a person is told while the database is away: what is so, and what to do.
const HONEST: [&str; 2] = ["数据库暂时没有响应，请稍后再试", "与数据库的连接中断，请稍后刷新页面，确认操作是否已完成"];

fn postmaster(data: &Path) -> u32 {
    let file = std::fs::read_to_string(data.join("postgres/postmaster.pid")).expect("a running cluster");
    file.lines().next().and_then(|line| line.parse().ok()).expect("its number")
}

/// The server and all its processes.
fn processes(postmaster: u32) -> Vec<u32> {
    let of = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        (pid == postmaster || parent == postmaster).then_some(pid)
    };
    std::fs::read_dir("/proc").expect("processes").flatten().filter_map(of).collect()
}

/// A backend may have ended by itself since it was listed.
fn signal(name: &str, pids: &[u32]) {
    for pid in pids {
        let asked = Command::new("kill").arg(name).arg(pid.to_string()).status().expect("kill");
        assert!(asked.success() || !Path::new(&format!("/proc/{pid}")).exists(), "{pid}");
    }
}

/// A call as a person makes it, with whatever answer.
async fn call(program: &Program, staff: &Browser, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = staff.http.post(format!("{}{}{path}", program.address, document::BASE)).json(body);
    let answer = request.header("token", &staff.token).send().await.expect("an answer");
    let status = answer.status();
    (status, serde_json::from_slice(&answer.bytes().await.expect("bytes")).expect("an envelope"))
}

fn level(code: &str) -> Value {
    json!({ "code": code, "name": format!("专升本{code}"), "entryLevel": "associate_to_bachelor" })
}

async fn readiness(program: &Program) -> (StatusCode, Value) {
    let answer = reqwest::get(format!("{}/readyz", program.operations)).await.expect("an answer");
    (answer.status(), serde_json::from_slice(&answer.bytes().await.expect("bytes")).expect("JSON"))
}

async fn page(program: &Program, path: &str) -> String {
    reqwest::get(format!("{}{path}", program.operations)).await.expect("an answer").text().await.expect("text")
}

async fn until_ready(program: &Program) {
    let begun = Instant::now();
    while readiness(program).await.0 != StatusCode::OK {
        assert!(begun.elapsed() < LONGEST, "never ready: {:?}", readiness(program).await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Writes until it is told to stop; answers what was acknowledged and what was told otherwise.
async fn write(
    program: &Program,
    staff: &Browser,
    writer: usize,
    acknowledged: &AtomicUsize,
    stop: &AtomicBool,
) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut told) = (Vec::new(), Vec::new());
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let code = format!("W{writer}N{n}");
        let (_, answer) = call(program, staff, "/adult/pc/arrangement/save", &level(&code)).await;
        if answer["code"] == json!(200) {
            kept.push(code);
            acknowledged.fetch_add(1, Ordering::Relaxed);
        } else {
            told.push(answer["msg"].as_str().expect("a sentence").to_owned());
        }
    }
    (kept, told)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_dies_comes_back_and_one_that_hangs_is_told_of() {
    let folder = data_folder();
    let data = folder.path();
    let program = Program::start(data).await;
    let program = Arc::new(program);
    let staff = Arc::new(Browser::sign_in(&program.address, "demo01_admin").await);
    until_ready(&program).await;

    let (acknowledged, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (program, staff) = (program.clone(), staff.clone());
            let (acknowledged, stop) = (acknowledged.clone(), stop.clone());
            tokio::spawn(async move { write(&program, &staff, writer, &acknowledged, &stop).await })
        })
        .collect();
    let more = async |than: usize| {
        let begun = Instant::now();
        while acknowledged.load(Ordering::Relaxed) < than {
            assert!(begun.elapsed() < LONGEST, "the writers do not get on");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    more(20).await;
    for _ in 0..2 {
        let dead = postmaster(data);
        signal("-KILL", &[dead]);
        let so_far = acknowledged.load(Ordering::Relaxed);
        more(so_far + 40).await;
        assert_ne!(postmaster(data), dead);
    }
    stop.store(true, Ordering::Relaxed);
    let (mut kept, mut told) = (Vec::new(), BTreeSet::new());
    for writer in writers {
        let (codes, sentences) = writer.await.expect("no panic");
        kept.extend(codes);
        told.extend(sentences);
    }
    assert!(told.iter().all(|sentence| HONEST.contains(&sentence.as_str())), "{told:?}");
    // Not before: whoever shares the cluster mends it too, and the repairs of the server are counted here.
    let cluster = join(data).await;
    let mut look = owner(&cluster).await;
    let school: i64 = one(&mut look, "select id from platform.school where code = 'demo01'").await;
    let there: Vec<String> = one(
        &mut look,
        &format!("select coalesce(array_agg(code), '{{}}') from school_{school}.level where code ~ '^W[0-9]+N[0-9]+$'"),
    )
    .await;
    let lost: Vec<_> = kept.iter().filter(|code| !there.contains(code)).collect();
    assert!(lost.is_empty(), "acknowledged and gone: {lost:?}");
    until_ready(&program).await;
    let metrics = page(&program, "/metrics").await;
    assert!(metrics.contains("\nchengjiao_database_restarts_total 2\n"), "{metrics}");
    assert!(metrics.contains("\nchengjiao_database_answers 1\n"), "{metrics}");
    let log = std::fs::read_to_string(data.join("server.log")).expect("a log");
    assert!(log.contains("the private database is gone") && log.contains("the private database runs again"));

    // Only who takes new connections is stopped: those that are there still answer.
    signal("-STOP", &[postmaster(data)]);
    assert_eq!(readiness(&program).await.0, StatusCode::SERVICE_UNAVAILABLE);
    signal("-CONT", &[postmaster(data)]);
    until_ready(&program).await;

    // Stopped in the middle of whatever it does: it neither answers nor refuses.
    let frozen = processes(postmaster(data));
    signal("-STOP", &frozen);
    for _ in 0..3 {
        let begun = Instant::now();
        let (status, parts) = readiness(&program).await;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!((status, &parts["database"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("no answer")), "{parts}");
    }
    assert!(page(&program, "/healthz").await.contains("\"healthy\":true"));
    let begun = Instant::now();
    let (status, answer) = call(&program, &staff, "/adult/pc/arrangement/save", &level("FROZEN1")).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(HONEST.contains(&answer["msg"].as_str().expect("a sentence")), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    // By now it is known to everybody, and nobody waits.
    let begun = Instant::now();
    let (_, answer) = call(&program, &staff, "/adult/pc/arrangement/list", &json!({})).await;
    assert!(HONEST.contains(&answer["msg"].as_str().expect("a sentence")), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(page(&program, "/metrics").await.contains("\nchengjiao_database_answers 0\n"));
    signal("-CONT", &frozen);
    until_ready(&program).await;
    let begun = Instant::now();
    while call(&program, &staff, "/adult/pc/arrangement/save", &level("AWAKE")).await.1["code"] != json!(200) {
        assert!(begun.elapsed() < LONGEST);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(page(&program, "/metrics").await.contains("\nchengjiao_database_restarts_total 2\n"), "it only hung");

    sqlx::Connection::close(look).await.expect("closed");
    Arc::into_inner(program).expect("nobody else calls").stop();
    tokio::task::spawn_blocking(move || cluster.stop()).await.expect("no panic").expect("PostgreSQL stops");
}

/// A database in a cloud wants its connections encrypted, to whom its certificate names.
#[tokio::test]
async fn the_server_asks_a_database_for_tls_where_it_is_to() {
    let server = kit::Server::start().await;
    // The stories' own database has none, and says so. A server that was built without TLS would not even ask.
    let refused = server.encrypted().await.expect_err("there is none here");
    assert!(refused.to_string().contains("server does not support TLS"), "{refused}");
    server.close().await;
}
