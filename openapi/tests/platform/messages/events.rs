//! From an event in another module's transaction to its deliveries (05 D2).

use infra::{Change, Tx, audit::Actor, tx};
use kit::{Server, rows::students};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use serde_json::json;

use super::{MSG, count, school};

async fn begin(server: &Server, school: i64) -> Tx {
    let actor = Actor {
        kind: "school".to_owned(),
        id: 0,
        name: "测试".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    };
    let directory = server.app.school(school).await.expect("read").expect("there");
    tx::at_the_server_in(&server.app, &directory, actor).await.expect("a transaction")
}

async fn people(server: &Server) -> Vec<i64> {
    let sql = "select id from school_1.student order by id";
    sqlx::query_scalar(sql).fetch_all(&mut server.owner().await).await.expect("students")
}

fn students_of(ids: &[i64]) -> Persons {
    Persons::Recipients(ids.iter().map(|id| Person { kind: PersonKind::Student, id: *id }).collect())
}

fn values(pairs: &[(&str, &str)]) -> Values {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Publishes a sheet of scores as the module of achievement will.
async fn publish(server: &Server, ids: &[i64], key: &str, commit: bool) {
    let mut tx = begin(server, 1).await;
    let given = values(&[("course", "会计学原理"), ("score", "87.5"), ("secret", "x")]);
    notify(&mut tx, "score_published", students_of(ids), given, Some(key)).await.expect("written");
    if commit {
        tx.commit(Change::event("score_sheet", 812, "publish", json!({}))).await.expect("committed");
    }
}

async fn dispatched(server: &Server) {
    server.wait_until("select not exists (select from school_1.event_outbox where status = 'pending')").await;
    server.wait_until("select not exists (select from school_1.msg where status = 'sending')").await;
}

/// 05 D8-1, D8-2: a rollback leaves nothing; a commit makes 45 deliveries; the same event again none.
#[tokio::test]
async fn an_event_is_told_once_when_its_change_commits() {
    let server = Server::start().await;
    let (_, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 45).await;
    let ids = people(&server).await;
    publish(&server, &ids, "score_published:sheet:811", false).await;
    assert_eq!(count(&server, "school_1.event_outbox").await, 0);

    let beside = Server::beside(&server).await;
    publish(&server, &ids, "score_published:sheet:812", true).await;
    publish(&beside, &ids, "score_published:sheet:812", true).await;
    dispatched(&server).await;
    assert_eq!(count(&server, "school_1.event_outbox").await, 1);
    assert_eq!(count(&server, "school_1.msg_delivery where channel = 'in_app' and status = 'sent'").await, 45);
    let content: String = server.one("select content from school_1.msg").await;
    assert_eq!(content, "<p>《会计学原理》的成绩已发布：87.5。</p>");
    beside.close().await;
}

/// 05 D8-1: a dispatcher that dies leaves its event pending and no half of its deliveries.
#[tokio::test]
async fn a_dispatcher_that_dies_has_done_nothing() {
    let server = Server::start().await;
    let (_, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 45).await;
    let ids = people(&server).await;
    // The forty-fifth row fails, when the message and forty-four rows are written.
    let last = ids.iter().max().expect("students");
    server.run(&format!("alter table school_1.msg_delivery add constraint dies check (recipient_id <> {last})")).await;
    publish(&server, &ids, "score_published:sheet:812", true).await;
    server.wait_until("select attempts = 1 from school_1.event_outbox").await;
    assert_eq!((count(&server, "school_1.msg").await, count(&server, "school_1.msg_delivery").await), (0, 0));
    assert_eq!(count(&server, "school_1.event_outbox where status = 'pending'").await, 1);
    server.run("alter table school_1.msg_delivery drop constraint dies").await;
    server.app.clock().shift(chrono::Duration::minutes(2));
    dispatched(&server).await;
    assert_eq!(count(&server, "school_1.msg_delivery where status = 'sent'").await, 45);
}

/// 01 §7.6-6: a school that switched short messages off gets inbox rows only; with them on, both.
#[tokio::test]
async fn switches_and_templates_choose_the_channels() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 2).await;
    let ids = people(&server).await;
    let operator = server.operator().await;
    let found = operator.post("/user/pc/psd/info/list", json!({ "keyword": "exam_published" })).await;
    let scene = found.data()["list"][0]["id"].clone();
    let sms = json!({ "sceneId": scene, "channel": "sms", "title": "考试", "content": "《{{course}}》{{startsAt}}开考",
        "providerTemplateCode": "SMS_1" });
    operator.post("/user/pc/psd/list/conf/save", sms).await.data();
    operator
        .put(&format!("{MSG}/scene/edit"), json!({ "sceneId": scene, "channel": "sms", "enabled": true }))
        .await
        .data();
    admin
        .put(&format!("{MSG}/scene/edit"), json!({ "sceneId": scene, "channel": "sms", "enabled": false }))
        .await
        .data();
    let tell = async |key: &str| {
        let mut tx = begin(&server, 1).await;
        let given = values(&[("course", "会计学原理"), ("startsAt", "2026-06-20 09:00")]);
        notify(&mut tx, "exam_published", students_of(&ids), given, Some(key)).await.expect("written");
        tx.commit(Change::event("exam_setup", 1, "publish", json!({}))).await.expect("committed");
        dispatched(&server).await;
    };
    tell("exam:1").await;
    let of = async |channel: &str| count(&server, &format!("school_1.msg_delivery where channel = '{channel}'")).await;
    assert_eq!((of("in_app").await, of("sms").await), (2, 0));
    admin
        .put(&format!("{MSG}/scene/edit"), json!({ "sceneId": scene, "channel": "sms", "enabled": true }))
        .await
        .data();
    tell("exam:2").await;
    assert_eq!((of("in_app").await, of("sms").await), (4, 2));
    // A missing value renders as nothing.
    let text: String = server.one("select content from school_1.msg_recorded where channel = 'sms' limit 1").await;
    assert_eq!(text, "《会计学原理》2026-06-20 09:00开考");
    let place: String = server.one("select content from school_1.msg order by id limit 1").await;
    assert!(place.ends_with("地点：。</p>"), "{place}");
}

/// 05 D8-6: without an openId the inbox is reached, WeChat fails, the message is sent.
#[tokio::test]
async fn who_has_not_bound_wechat_is_reached_by_the_inbox() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let id = super::send(&admin, json!({ "channels": ["in_app", "wechat"] })).await;
    super::becomes(&server, id, "sent").await;
    let failures = admin.post(&format!("{MSG}/failureLog"), json!({})).await;
    let row = &failures.data()["list"][0];
    assert_eq!(
        (&row["channel"], &row["failCode"], &row["retryable"]),
        (&json!("wechat"), &json!("no_openid"), &json!(false))
    );
}

/// 05 D7: events with the reason why nobody was told, and another try.
#[tokio::test]
async fn skipped_events_say_why_and_are_tried_again() {
    let server = Server::start().await;
    let (_, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let ids = people(&server).await;
    let operator = server.operator().await;
    let found = operator.post("/user/pc/psd/info/list", json!({ "keyword": "score_published" })).await;
    let scene = found.data()["list"][0]["id"].clone();
    let switch = async |enabled: bool| {
        let body = json!({ "id": scene, "enabled": enabled });
        operator.put("/user/pc/psd/info/update/status", body).await.data();
    };
    switch(false).await;
    publish(&server, &ids, "score_published:sheet:1", true).await;
    dispatched(&server).await;
    let listed = operator.post(&format!("{MSG}/outbox/list"), json!({ "schoolId": 1, "status": "skipped" })).await;
    let event = listed.data()["list"][0].clone();
    assert_eq!((&event["skipReason"], &event["personCount"]), (&json!("scene_off"), &json!(1)));
    switch(true).await;
    let again = operator.put(&format!("{MSG}/outbox/retry"), json!({ "schoolId": 1, "ids": [event["id"], 999] })).await;
    assert_eq!((&again.data()["done"], &again.data()["failed"][0]["msg"]), (&json!(1), &json!("记录不存在或已被删除")));
    server.wait_until("select exists (select from school_1.msg_delivery where status = 'sent')").await;
    let done = operator.put(&format!("{MSG}/outbox/retry"), json!({ "schoolId": 1, "ids": [event["id"]] })).await;
    assert_eq!(done.data()["failed"][0]["msg"], json!("只有失败或已跳过的事件可以重试"));
}

/// 05 D2: an event of the school's staff reaches them; a link that leaves the inbox is whole.
#[tokio::test]
async fn an_event_reaches_teachers_with_a_link_that_works_outside() {
    let server = Server::start().await;
    let (admin, _) = school(&server).await;
    server.run("update platform.school set domain = 'cj.example.edu.cn' where id = 1").await;
    server.tell("school:1").await;
    server.run("insert into platform.psd_info (scene_code, scene_name, module, default_channels, audience_type, created_by, updated_by)
                values ('marking_due', '阅卷提醒', '考试', '{in_app,mail}', 'teacher', 0, 0)").await;
    server.run("insert into platform.psd_conf (scene_id, channel, title, content, created_by, updated_by)
                select id, c, '阅卷提醒', '请到{{link}}阅卷', 0, 0 from platform.psd_info, unnest(array['in_app', 'mail']) c
                where scene_code = 'marking_due'").await;
    let organization =
        admin.post("/adult/pc/organize/save", json!({ "code": "JX", "name": "教学部", "kind": "college" })).await.id();
    let body = kit::teachers::teacher(organization, 1);
    let teacher = admin.post("/user/pc/teacher/save", body).await.id();
    server.run("update school_1.teacher set email = 't1@example.com'").await;
    let mut tx = begin(&server, 1).await;
    let persons = Persons::Recipients(vec![Person { kind: PersonKind::Teacher, id: teacher }]);
    notify(&mut tx, "marking_due", persons, values(&[("link", "/messages")]), None).await.expect("written");
    tx.commit(Change::event("score_sheet", 1, "publish", json!({}))).await.expect("committed");
    dispatched(&server).await;
    let told: Vec<String> = server
        .one(
            "select array_agg(coalesce(d.rendered_content, m.content) order by d.channel)
              from school_1.msg_delivery d join school_1.msg m on m.id = d.msg_id where d.recipient_type = 'teacher'",
        )
        .await;
    assert!(told[0].contains("请到/messages阅卷"), "{told:?}");
    assert!(told[1].contains("请到https://cj.example.edu.cn/messages阅卷"), "{told:?}");
}
