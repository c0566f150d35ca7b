//! The job centre: whose jobs a person sees, to whom a result belongs, who may stop one.

use kit::{
    Client, Server,
    accounts::{all_school_codes, operator_with},
    cohort::cohort,
    jobs::ended,
    rows::{manage, running_job},
};
use poem::http::Method;
use serde_json::{Value, json};

const SITES: &str = "/adult/pc/site";
const LIST: &str = "system:pc:job:list";
const EXPORT: &str = "adult:pc:site:export";

async fn view(client: &Client<'_>, id: &Value) -> Value {
    client.get(&format!("/system/pc/job/view?id={id}")).await.data().clone()
}

async fn hidden(client: &Client<'_>, id: &Value) {
    assert_eq!(client.get(&format!("/system/pc/job/view?id={id}")).await.refused(), (404, "记录不存在或已被删除"));
    let listed = client.post("/system/pc/job/list", json!({ "all": true, "pageSize": 500 })).await;
    let rows = listed.data()["list"].as_array().expect("rows").clone();
    assert!(rows.iter().all(|row| row["id"] != *id), "{}", listed.body);
    assert_eq!(cancel(client, id).await.0, 404);
}

async fn cancel(client: &Client<'_>, id: &Value) -> (i64, String) {
    let answer = client.bare(Method::PUT, &format!("/system/pc/job/cancel?id={id}")).await;
    (answer.code(), answer.msg().to_owned())
}

/// Whether a person is shown the row without anything that is its starter's.
fn is_bare(job: &Value) -> bool {
    job["hasFile"] == json!(false)
        && job["fileUrl"].is_null()
        && job["fileName"].is_null()
        && job["errors"] == json!([])
}

/// A school's administrator, who holds every code.
async fn registrar(server: &Server, school: i64) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(school, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn exported(client: &Client<'_>) -> Value {
    let started = client.post(&format!("{SITES}/export?job=true"), json!({})).await;
    let id = started.data()["jobId"].clone();
    assert_eq!(ended(client, &id).await["state"], json!("done"));
    id
}

#[tokio::test]
async fn a_result_belongs_to_whoever_started_the_job() {
    let server = Server::start().await;
    let starter = registrar(&server, 1).await;
    cohort(&starter).await;
    let id = exported(&starter).await;
    let own = view(&starter, &id).await;
    assert_eq!(own["hasFile"], json!(true));
    let address = own["fileUrl"].as_str().expect("an address").to_owned();
    assert_eq!(starter.raw(Method::GET, &address, None, Vec::new()).await.status().as_u16(), 200);

    // Whoever lists all jobs sees that it ran, and makes an export of their own.
    let lister = server.staff(1, &[LIST]).await;
    let seen = view(&lister, &id).await;
    assert!(is_bare(&seen), "{seen}");
    assert_eq!(seen["title"], json!("导出站点"));
    let colleague = registrar(&server, 1).await;
    let seen = view(&colleague, &id).await;
    assert!(is_bare(&seen), "the same rights do not open another's result: {seen}");
    hidden(&server.staff(1, &[]).await, &id).await;
    hidden(&registrar(&server, 2).await, &id).await;
}

#[tokio::test]
async fn whoever_lost_the_right_to_export_loses_what_was_exported() {
    let server = Server::start().await;
    cohort(&registrar(&server, 1).await).await;
    let login = server.account(1, &[EXPORT], "whole_school", &[]).await;
    let starter = server.signed_in(&login, "schoolLogin").await;
    let id = exported(&starter).await;
    assert!(view(&starter, &id).await["fileUrl"].is_string());
    server
        .run(&format!(
            "delete from platform.sys_role_permission using platform.sys_role r where role_id = r.id and r.role_name = '{login}'"
        ))
        .await;
    server.tell("rights:").await;
    let again = server.signed_in(&login, "schoolLogin").await;
    let seen = view(&again, &id).await;
    assert_eq!((&seen["hasFile"], &seen["fileUrl"]), (&json!(false), &Value::Null), "{seen}");
}

#[tokio::test]
async fn an_operator_bound_to_one_school_sees_no_job_of_another() {
    let server = Server::start().await;
    let root = server.operator().await;
    let over_all = root.post(&format!("{SITES}/export?job=true"), json!({})).await.data()["jobId"].clone();
    let of_two = root.post(&format!("{SITES}/export?job=true&schoolId=2"), json!({})).await.data()["jobId"].clone();
    let archive = root.bare(Method::POST, "/system/pc/sys/school/export/data?id=2").await.data()["jobId"].clone();
    for id in [&over_all, &of_two, &archive] {
        assert_eq!(ended(&root, id).await["state"], json!("done"), "{id}");
        assert!(view(&root, id).await["fileUrl"].is_string(), "{id}");
    }
    let auditor = operator_with(&server, "auditor", &[LIST, EXPORT, "system:pc:sys:school:export:data"]).await;
    manage(&server, "auditor", &[1]).await;
    for id in [&over_all, &of_two, &archive] {
        hidden(&auditor, id).await;
    }
    let root = server.operator().await;
    let of_one = root.post(&format!("{SITES}/export?job=true&schoolId=1"), json!({})).await.data()["jobId"].clone();
    ended(&root, &of_one).await;
    let seen = view(&auditor, &of_one).await;
    assert!(is_bare(&seen), "{seen}");
    assert_eq!(seen["schoolName"], json!("东湖示范学院"));
}

#[tokio::test]
async fn a_job_is_stopped_by_its_starter_or_by_whoever_may_start_its_kind() {
    let server = Server::start().await;
    let running = async |title: &str, school: i64| running_job(&server, school, "site.export", title).await;
    let first = running("甲", 1).await;
    let lister = server.staff(1, &[LIST]).await;
    assert_eq!(view(&lister, &json!(first)).await["cancellable"], json!(false));
    assert_eq!(cancel(&lister, &json!(first)).await, (403, "只有发起人或有权发起同类任务的人员可以取消".to_owned()));
    assert_eq!(cancel(&server.staff(2, &[LIST, EXPORT]).await, &json!(first)).await.0, 404);
    let peer = server.staff(1, &[EXPORT]).await;
    assert_eq!(cancel(&peer, &json!(first)).await.0, 200);
    assert!(server.one::<bool>(&format!("select cancel_asked from platform.job where id = {first}")).await);
}

#[tokio::test]
async fn jobs_are_looked_for_by_words_state_and_school() {
    let server = Server::start().await;
    for (school, title) in [(1, "导入学生 甲"), (1, "导出站点"), (2, "导入学生 乙")] {
        running_job(&server, school, &format!("kind.{title}"), title).await;
    }
    server.run("update platform.job set state = 'failed' where title = '导出站点'").await;
    let titles = async |client: &Client<'_>, mut filter: Value| {
        filter["all"] = json!(true);
        let answer = client.post("/system/pc/job/list", filter).await;
        let rows = answer.data()["list"].as_array().expect("rows").clone();
        rows.iter().map(|row| row["title"].as_str().expect("a title").to_owned()).collect::<Vec<_>>()
    };
    let root = server.operator().await;
    assert_eq!(titles(&root, json!({ "keyword": "导入学生" })).await, ["导入学生 乙", "导入学生 甲"]);
    assert_eq!(titles(&root, json!({ "keyword": "导", "schoolId": 1 })).await, ["导出站点", "导入学生 甲"]);
    assert_eq!(titles(&root, json!({ "keyword": "导", "state": "failed" })).await, ["导出站点"]);
    assert_eq!(titles(&root, json!({ "keyword": "%" })).await, Vec::<String>::new(), "a word is a word");
    // A page at a time, with the number of all.
    let second =
        root.post("/system/pc/job/list", json!({ "all": true, "keyword": "导", "pageCurrent": 2, "pageSize": 2 }));
    let second = second.await;
    assert_eq!(second.data()["totalCount"], json!(3));
    assert_eq!(second.data()["list"].as_array().map(Vec::len), Some(1));
    // Inside a school nobody names one.
    let lister = server.staff(1, &[LIST]).await;
    let named = lister.post("/system/pc/job/list", json!({ "all": true, "schoolId": 2 })).await;
    assert_eq!(named.refused(), (400, "请求参数不正确"));
}
