//! 数据库监控 (01 §6.2, §6.5.6).

use kit::{
    Client, Server,
    cohort::{cohort, registrar},
};
use serde_json::{Value, json};
use sqlx::Executor;

const DRUID: &str = "/data/pc/druid";

async fn sessions(operator: &Client<'_>) -> Vec<Value> {
    operator.get(&format!("{DRUID}/session")).await.data().as_array().expect("a list").clone()
}

/// Waits until a look at the sessions shows so many that wait for another.
async fn blocked(operator: &Client<'_>, wanted: usize) -> Vec<Value> {
    for _ in 0..100 {
        let all = sessions(operator).await;
        if all.iter().filter(|row| row["blockedBy"].as_array().is_some_and(|by| !by.is_empty())).count() == wanted {
            return all;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("never {wanted} blocked sessions: {:?}", sessions(operator).await);
}

/// 6.5.6: the tree shows who blocks whom; a cancelled statement ends with a number for the log, its connection stays.
#[tokio::test]
async fn one_session_blocks_another_and_its_statement_is_cancelled() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let registrar = registrar(&server).await;
    let grade = cohort(&registrar).await.grade;
    // Somebody outside holds the row; the first call waits for them, the second for the first.
    let mut outside = server.owner().await;
    outside.execute("begin").await.expect("begun");
    sqlx::query("select id from school_1.grade where id = $1 for update")
        .bind(grade)
        .execute(&mut outside)
        .await
        .expect("held");
    let change = json!({ "id": grade, "enabled": false });
    let (first, second, ()) = tokio::join!(
        registrar.put("/adult/pc/grade/update/status", change.clone()),
        async {
            blocked(&operator, 1).await;
            registrar.put("/adult/pc/grade/update/status", change.clone()).await
        },
        async {
            let all = blocked(&operator, 2).await;
            let waiting = |all: &[Value]| -> Vec<Value> {
                all.iter().filter(|row| row["blockedBy"] != json!([])).cloned().collect()
            };
            let pids: Vec<i64> = all.iter().filter_map(|row| row["pid"].as_i64()).collect();
            for row in waiting(&all) {
                assert_eq!(row["schoolName"], json!("东湖示范学院"), "{row}");
                assert_eq!(row["cancellable"], json!(true), "{row}");
                assert!(row["waitingFor"].as_str().is_some_and(|text| text.starts_with("Lock")), "{row}");
                assert!(
                    row["blockedBy"]
                        .as_array()
                        .expect("pids")
                        .iter()
                        .all(|by| pids.contains(&by.as_i64().unwrap_or(0)))
                );
            }
            // The one that another call waits for.
            let blocker = waiting(&all)
                .into_iter()
                .find(|row| {
                    waiting(&all).iter().any(|other| other["blockedBy"].as_array().expect("pids").contains(&row["pid"]))
                })
                .expect("a blocked session that blocks");
            let cancelled = operator.post(&format!("{DRUID}/cancel"), json!({ "pid": blocker["pid"] })).await;
            assert_eq!(cancelled.code(), 200, "{}", cancelled.body);
            assert!(
                server
                    .one::<bool>(&format!(
                        "select exists (select from pg_stat_activity where pid = {})",
                        blocker["pid"]
                    ))
                    .await
            );
            let trail: i64 = server
                .one(&format!(
                    "select count(*) from platform.audit_log where entity_type = 'database_session' and entity_id = {}",
                    blocker["pid"]
                ))
                .await;
            assert_eq!(trail, 1);
            blocked(&operator, 1).await;
            outside.execute("rollback").await.expect("let go");
        }
    );
    let mut codes = [first.code(), second.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 500], "{} {}", first.body, second.body);
    let ended = if first.code() == 500 { &first } else { &second };
    assert!(ended.body["data"]["traceId"].is_string(), "{}", ended.body);
}

#[tokio::test]
async fn a_session_that_does_nothing_is_not_cancelled() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for pid in [1, 2_000_000_000] {
        let refused = operator.post(&format!("{DRUID}/cancel"), json!({ "pid": pid })).await;
        assert_eq!(refused.refused(), (404, "该会话已结束，或没有正在执行的语句"));
    }
    // The owner's sessions are not the server's to cancel.
    let mut owner = server.owner().await;
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut owner).await.expect("a number");
    assert_eq!(operator.post(&format!("{DRUID}/cancel"), json!({ "pid": pid })).await.code(), 404);
}

#[tokio::test]
async fn the_overview_and_the_schools_show_what_the_database_knows() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let registrar = registrar(&server).await;
    cohort(&registrar).await;
    let seen = operator.get(&format!("{DRUID}/overview")).await;
    let data = seen.data();
    assert_eq!(data["pools"].as_array().map(Vec::len), Some(3), "{data}");
    let sum = |field: &str| {
        data["pools"].as_array().expect("pools").iter().filter_map(|pool| pool[field].as_i64()).sum::<i64>()
    };
    assert_eq!(json!(sum("size")), data["poolSize"]);
    assert_eq!(data["poolSize"].as_i64(), Some(sum("inUse") + sum("idle")));
    assert!(data["databaseSizeMb"].as_f64().is_some_and(|size| size > 1.0), "{data}");
    assert!(data["connections"].as_i64() <= data["maxConnections"].as_i64());
    assert!(data["acquireP95Ms"].as_f64().is_some_and(|ms| ms > 0.0) && data["timeouts"] == json!(0), "{data}");
    assert_eq!(data["instances"], json!(1));

    let schools = operator.get(&format!("{DRUID}/school?pageSize=20")).await;
    assert_eq!(schools.data()["totalCount"], json!(2));
    let first = &schools.data()["list"][0];
    let tables: i64 =
        server.one("select count(*) from information_schema.tables where table_schema = 'school_1' and table_type = 'BASE TABLE'").await;
    let version: i64 = server.one("select schema_version from platform.school where id = 1").await;
    assert_eq!((&first["schemaName"], &first["tableCount"]), (&json!("school_1"), &json!(tables)));
    assert_eq!(first["schemaVersion"], json!(version));
    assert!(first["sizeMb"].as_f64().is_some_and(|size| size > 0.1), "{first}");
    assert_eq!(first["largestTables"].as_array().map(Vec::len), Some(3));
    // One for each of the four rows of the place; the loop of messages may add its own.
    assert!(first["transactionsPerMinute"].as_i64().is_some_and(|count| count >= 4), "{first}");
    assert!(first["lastActiveAt"].is_string());
    assert_eq!(operator.get(&format!("{DRUID}/school?keyword=demo02")).await.data()["totalCount"], json!(1));
}

#[tokio::test]
async fn statements_show_no_values_and_start_anew() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let seen = operator.get(&format!("{DRUID}/statement")).await;
    if seen.data()["available"] == json!(false) {
        assert_eq!(seen.data()["list"], json!([]));
        assert_eq!(operator.post(&format!("{DRUID}/reset"), json!({})).await.code(), 409);
        return;
    }
    // The extension forgets rare statements when many databases fill its table, so what is asked for runs on an empty one.
    let reset = format!("{DRUID}/reset");
    let emptied = operator.bare(poem::http::Method::POST, &reset).await;
    assert_eq!(emptied.code(), 200, "{}", emptied.body);
    let operator = server.operator().await;
    let marked = "name-that-stands-nowhere";
    operator.get(&format!("/system/pc/sys/user/selectPageList?loginName={marked}")).await;
    let seen = operator.get(&format!("{DRUID}/statement?order=calls")).await;
    let list = seen.data()["list"].as_array().expect("a list").clone();
    assert!(list.windows(2).all(|pair| pair[0]["calls"].as_i64() >= pair[1]["calls"].as_i64()));
    let signed_in = "into platform.sys_session";
    assert!(seen.body.to_string().contains(signed_in), "{}", seen.body);
    assert!(!seen.body.to_string().contains(marked));
    assert_eq!(operator.bare(poem::http::Method::POST, &reset).await.code(), 200);
    let after = operator.get(&format!("{DRUID}/statement?order=calls")).await;
    assert!(!after.body.to_string().contains(signed_in), "{}", after.body);
}

#[tokio::test]
async fn work_that_comes_round_is_listed_and_run_at_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let row = |answer: &kit::Answer| {
        let all = answer.data()["scheduled"].as_array().expect("a list").clone();
        all.into_iter().find(|row| row["kind"] == json!("overview.rollup")).expect("the roll-up")
    };
    let before = row(&operator.get(&format!("{DRUID}/job")).await);
    assert_eq!((&before["title"], &before["state"]), (&json!("汇总院校数据"), &json!("never")));
    let started = operator.post(&format!("{DRUID}/job/run"), json!({ "name": "overview.rollup" })).await;
    let id = started.data()["jobId"].as_i64().expect("a job");
    server.wait_until(&format!("select state = 'done' from platform.job where id = {id}")).await;
    let after = row(&operator.get(&format!("{DRUID}/job")).await);
    assert_eq!((&after["state"], &after["message"]), (&json!("done"), &json!("已汇总2所院校")));
    assert!(after["durationMs"].is_i64() && after["lastStartedAt"].is_string(), "{after}");
    let unknown = operator.post(&format!("{DRUID}/job/run"), json!({ "name": "school.provision" })).await;
    assert_eq!(unknown.refused(), (404, "没有这个后台任务"));
    server
        .run("insert into platform.job (kind, title, params, state, started_by, actor_name, actor, message, finished_at, school_id)
              values ('student.import', '导入学生', '{}', 'failed', 1, '教务员', '{}', '表头不符', now(), 1)")
        .await;
    let jobs = operator.get(&format!("{DRUID}/job")).await;
    assert_eq!(jobs.data()["failedCount"], json!(1));
    assert_eq!(jobs.data()["failed"][0]["schoolName"], json!("东湖示范学院"));
}
