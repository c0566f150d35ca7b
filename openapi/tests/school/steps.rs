//! Steps over all rows that a filter names (02 §0.6).

use kit::{
    Server,
    cohort::{Cohort, cohort, registrar},
    fields,
    jobs::{ended, job_until},
    rows::students,
    sheets::texts,
};
use serde_json::{Value, json};
use sqlx::Connection;

const DIVIDE: &str = "/user/pc/student/divide";
const ACCOUNT: &str = "/user/pc/student";

/// All of a site into one class, however many.
fn seats(p: &Cohort, class: i64) -> Value {
    json!({ "filter": { "siteId": p.site }, "classId": class, "force": true })
}

#[tokio::test]
async fn a_filter_names_the_rows_that_its_list_shows_and_nobody_elses() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let other = json!({ "code": "CX", "name": "城西教学点", "shortName": "城西", "kind": "headquarter", "phone": "13800000002" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    students(&server, &p, p.site, None, 1, 3).await;
    students(&server, &p, other, None, 4, 2).await;
    let all = admin.post(&format!("{ACCOUNT}/generate"), json!({ "filter": {} })).await;
    let job = ended(&admin, &all.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共5条，成功5条，失败0条")), "{job}");
    assert_eq!(job["title"], json!("生成学生账号（5条）"));
    // Whoever sees one site means the rows of that site, whatever the filter says.
    let codes = ["user:pc:student:list", "user:pc:student:changeStatus"];
    let clerk = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let off = clerk.put(&format!("{ACCOUNT}/update/status"), json!({ "filter": {}, "enabled": false })).await;
    let job = ended(&clerk, &off.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共3条，成功3条，失败0条"));
    let off = "select array_agg(s.site_id order by s.id) from school_1.student s
               join school_1.client_account a on a.owner_id = s.id and a.owner_kind = 'student' and not a.enabled";
    assert_eq!(server.one::<Vec<i64>>(off).await, [p.site; 3]);
    // Those who have an account already are told one by one, with a file of them.
    let again = admin.post(&format!("{ACCOUNT}/generate"), json!({ "filter": { "siteId": other } })).await;
    let job = ended(&admin, &again.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共2条，成功0条，失败2条")));
    assert_eq!(job["errors"][0]["msg"], json!("已有账号，无需再次生成"));
    let file = job["fileUrl"].as_str().expect("a file");
    let file = admin.raw(poem::http::Method::GET, file, None, Vec::new()).await;
    let lines = texts(&file.into_body().into_vec().await.expect("bytes"));
    assert_eq!((lines[0].join(" "), lines.len()), ("编号 名称 原因".to_owned(), 3));
}

#[tokio::test]
async fn a_step_has_ticked_rows_or_a_filter_that_names_some_and_not_too_many() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let bare = admin.put(DIVIDE, json!({ "classId": class })).await;
    assert_eq!(fields(&bare), ["items: 请选择要办理的记录"]);
    let both = json!({ "items": [{ "id": 1, "version": 1 }], "filter": {}, "classId": class });
    assert_eq!(fields(&admin.put(DIVIDE, both).await), ["filter: 已勾选记录，不能同时按条件办理"]);
    let nobody = admin.put(DIVIDE, seats(&p, class)).await;
    assert_eq!(fields(&nobody), ["filter: 没有符合条件的记录，请调整查询条件"]);
    students(&server, &p, p.site, None, 1, 20_001).await;
    let many = admin.put(DIVIDE, seats(&p, class)).await;
    assert_eq!(fields(&many), ["filter: 符合条件的记录超过20000条，请缩小范围后分批办理"]);
}

/// What was read when the step was asked for is what is done: who was changed meanwhile is left, with the reason.
#[tokio::test]
async fn who_is_changed_between_the_question_and_the_step_is_left() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(&server, &p, p.site, None, 1, 3).await;
    let mut holder = server.owner().await;
    let mut lock = holder.begin().await.expect("a transaction");
    sqlx::query("update school_1.student set version = version + 1 where id = (select min(id) from school_1.student)")
        .execute(&mut *lock)
        .await
        .expect("a change");
    let started = admin.put(DIVIDE, seats(&p, class)).await.data()["jobId"].clone();
    lock.commit().await.expect("the change stands");
    // Who comes into the list afterwards was not meant.
    students(&server, &p, p.site, None, 4, 1).await;
    let job = ended(&admin, &started).await;
    assert_eq!(job["message"], json!("共3条，成功2条，失败1条"), "{job}");
    let told = job["errors"][0]["msg"].as_str().expect("a reason");
    assert!(told.contains("请刷新后重试"), "{told}");
}

/// 01 §6.4: what a step did before it was cancelled stays and is told.
#[tokio::test]
async fn a_cancelled_step_keeps_what_it_did() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(&server, &p, p.site, None, 1, 1_500).await;
    let mut holder = server.owner().await;
    let mut lock = holder.begin().await.expect("a transaction");
    // Of the second part, whichever way the list goes.
    sqlx::query("select id from school_1.student order by id limit 1 offset 750 for update")
        .execute(&mut *lock)
        .await
        .expect("a lock");
    let started = admin.put(DIVIDE, seats(&p, class)).await.data()["jobId"].clone();
    job_until(&admin, &started, |job| job["done"] == json!(500)).await;
    let again = admin.put(DIVIDE, seats(&p, class)).await;
    assert_eq!(again.refused(), (409, "该任务正在进行中，请稍后再试"));
    assert_eq!(admin.bare(poem::http::Method::PUT, &format!("/system/pc/job/cancel?id={started}")).await.code(), 200);
    lock.rollback().await.expect("the lock goes");
    let job = ended(&admin, &started).await;
    assert_eq!(job["state"], json!("cancelled"));
    assert_eq!(job["message"], json!("共1500条，成功1000条，失败0条，任务已取消，其余500条未办理"));
    let seated = "select count(*) from school_1.student where class_id is not null";
    assert_eq!(server.one::<i64>(seated).await, 1_000);
    assert_eq!(server.one::<i64>("select count(*) from school_1.job_part").await, 0);
}

/// A server that takes up the job of one that died does no part twice, and says of which it cannot know the end.
#[tokio::test]
async fn a_part_is_done_once_though_a_server_dies() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    students(&server, &p, p.site, None, 1, 1_500).await;
    let mut holder = server.owner().await;
    let mut lock = holder.begin().await.expect("a transaction");
    sqlx::query("select id from school_1.student for update").execute(&mut *lock).await.expect("a lock");
    let started = admin.put(DIVIDE, seats(&p, class)).await.data()["jobId"].clone();
    job_until(&admin, &started, |job| job["state"] == json!("running")).await;
    let failed = json!([{ "id": 7, "name": "学生7", "msg": "已在该班级" }]);
    server
        .run(&format!(
            "insert into school_1.job_part (job_id, part, done, failed) values ({started}, 1, 499, '{failed}'), ({started}, 2, null, '[]')"
        ))
        .await;
    lock.rollback().await.expect("the lock goes");
    let job = ended(&admin, &started).await;
    let told = "共1500条，成功999条，失败1条，另有500条办理中服务中断，结果请在列表中核对";
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!(told)));
    let seated = "select count(*) from school_1.student where class_id is not null";
    assert_eq!(server.one::<i64>(seated).await, 500, "the other parts were not done again");
}
