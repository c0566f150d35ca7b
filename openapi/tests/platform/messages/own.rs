//! What accounts of the console are told, and where they read it: the warnings before a school's service ends (01 §5.2), the
//! inbox behind the badge of the top bar (01 §10, 05 D4).

use infra::schedule::{Schedule, When};
use kit::{Client, Server, accounts::admin, rows::manage};
use serde_json::{Value, json};

use crate::across::changed;

const INBOX: &str = "/user/pc/msg/inbox";

/// A school's service ends so many days from now; answers the day.
async fn ends(server: &Server, school: i64, days: i64) -> String {
    let end = (server.app.clock().today() + chrono::Duration::days(days)).to_string();
    server.run(&format!("update platform.school set expires_on = '{end}' where id = {school}")).await;
    end
}

/// A night: the job runs, what it tells is sent; answers what it says of itself.
async fn night(server: &Server) -> (String, Value) {
    let daily = Schedule { when: When::Daily { hour: 0, minute: 0 }, ..schools::nightly::SCHEDULE };
    assert_eq!(infra::schedule::queue_due(&server.app, [daily]).await.expect("queued"), 1);
    let jobs = "platform.job where kind = 'school.expiry'";
    server.wait_until(&format!("select not exists (select from {jobs} and state in ('queued', 'running'))")).await;
    let newest = "order by id desc limit 1";
    let message = server.one(&format!("select state || message from {jobs} {newest}")).await;
    let errors = server.one(&format!("select errors from {jobs} {newest}")).await;
    // Tomorrow it runs again.
    server.run("update platform.job set created_at = created_at - interval '1 day' where kind = 'school.expiry'").await;
    for place in ["platform", "school_1", "school_2"] {
        server
            .wait_until(&format!("select not exists (select from {place}.event_outbox where status = 'pending')"))
            .await;
        server.wait_until(&format!("select not exists (select from {place}.msg where status = 'sending')")).await;
    }
    (message, errors)
}

async fn letters(client: &Client<'_>, filter: Value) -> Vec<Value> {
    let page = client.post(&format!("{INBOX}/list"), filter).await;
    page.data()["list"].as_array().expect("a list").clone()
}

async fn texts(client: &Client<'_>) -> Vec<String> {
    let text = |letter: &Value| letter["content"].as_str().expect("a text").to_owned();
    letters(client, json!({})).await.iter().map(text).collect()
}

fn warning(school: &str, end: &str, days: i64) -> String {
    format!("<p>{school}的服务将于{end}到期，还有{days}天，请及时续期。</p>")
}

async fn badge(client: &Client<'_>) -> Value {
    client.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["unreadMsgCount"].clone()
}

/// 01 §5.2: 30, 7 and 1 days before, to the school's administrators and to the operators who see it; each once.
#[tokio::test]
async fn the_end_of_a_service_is_told_to_the_school_and_to_the_operators() {
    let server = Server::start().await;
    let (head, clerk) = (admin(&server, 1).await, server.staff(1, &[]).await);
    let (other, operator) = (admin(&server, 2).await, server.operator().await);
    let end = ends(&server, 1, 30).await;
    ends(&server, 2, 31).await;
    assert_eq!(night(&server).await.0, "done到期停用0所院校，到期提醒1所院校");
    assert_eq!(night(&server).await.0, "done到期停用0所院校，到期提醒0所院校");
    let first = warning("东湖示范学院", &end, 30);
    assert_eq!(texts(&head).await, [first.as_str()]);
    assert_eq!(texts(&operator).await, [first.as_str()]);
    assert!(texts(&clerk).await.is_empty() && texts(&other).await.is_empty(), "nobody else");
    assert_eq!((badge(&head).await, badge(&operator).await, badge(&clerk).await), (json!(1), json!(1), json!(0)));

    // Killed before it could write down that it has told, the job tells nobody twice.
    server.run("update platform.school set warned_end = null, warned_days = null where id = 1").await;
    assert_eq!(night(&server).await.0, "done到期停用0所院校，到期提醒1所院校");
    assert_eq!((texts(&head).await.len(), texts(&operator).await.len()), (1, 1));

    // An operator of other schools is not told, and the next day-mark is a new warning.
    manage(&server, "operator", &[2]).await;
    let end = ends(&server, 1, 7).await;
    assert_eq!(night(&server).await.0, "done到期停用0所院校，到期提醒1所院校");
    assert_eq!(texts(&head).await, [warning("东湖示范学院", &end, 7), first]);
    assert_eq!(texts(&operator).await.len(), 1);
    assert_eq!(server.one::<i64>("select count(*) from platform.audit_log where action = 'expiry_warning'").await, 3);
}

/// A school that is being migrated is warned with the next round, and holds up no other.
#[tokio::test]
async fn a_school_out_of_reach_is_warned_the_next_night() {
    let server = Server::start().await;
    let (head, other) = (admin(&server, 1).await, admin(&server, 2).await);
    let operator = server.operator().await;
    let (one, two) = (ends(&server, 1, 7).await, ends(&server, 2, 1).await);
    let version: i64 = server.one("select schema_version from platform.school where id = 1").await;
    server.run("update platform.school set schema_version = 0 where id = 1").await;
    changed(&server, 1).await;
    let (message, errors) = night(&server).await;
    assert_eq!(message, "done到期停用0所院校，到期提醒1所院校");
    assert_eq!(errors, json!([{ "id": 1, "name": "东湖示范学院", "msg": "系统升级中，请稍后再试" }]));
    let second = warning("南岭示范大学", &two, 1);
    assert_eq!((texts(&other).await, texts(&operator).await), (vec![second.clone()], vec![second.clone()]));

    server.run(&format!("update platform.school set schema_version = {version} where id = 1")).await;
    changed(&server, 1).await;
    assert_eq!(night(&server).await, ("done到期停用0所院校，到期提醒1所院校".to_owned(), json!([])));
    let first = warning("东湖示范学院", &one, 7);
    assert_eq!((texts(&head).await, texts(&operator).await), (vec![first.clone()], vec![first, second]));
}

/// A letter in the inbox of an account, newer than all before it.
async fn told(server: &Server, place: &str, account: &Value, title: &str) -> i64 {
    server
        .one(&format!(
            "with m as (
                 insert into {place}.msg (title, content, msg_type, channels, audience, scene_code, status, resolved_at, creator_name,
                     person_count, total_count, sent_count, inbox_count, created_by, updated_by)
                 values ('{title}', '<p>正文</p>', 'system', '{{in_app}}', 'scene', 'quota_warning', 'sent', now(), '系统',
                     1, 1, 1, 1, 0, 0) returning id)
             insert into {place}.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, channel, status,
                 next_attempt_at, expires_at, created_at, sent_at)
             select id, 'account', {account}, '本人', 'in_app', 'sent', now(), now(), clock_timestamp(), now() from m
             returning id"
        ))
        .await
}

#[tokio::test]
async fn an_account_reads_its_own_letters_where_it_is_signed_in() {
    let server = Server::start().await;
    let (staff, colleague) = (server.staff(1, &[]).await, server.staff(1, &[]).await);
    let operator = server.operator().await;
    let account = async |client: &Client<'_>| {
        client.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["userId"].clone()
    };
    let own = account(&staff).await;
    let mut ids = Vec::new();
    for title in ["甲", "乙", "丙"] {
        ids.push(told(&server, "school_1", &own, title).await);
    }
    let theirs = told(&server, "school_1", &account(&colleague).await, "别人的").await;
    told(&server, "platform", &account(&operator).await, "平台的").await;

    let titles = async |client: &Client<'_>, filter: Value| -> Vec<String> {
        let title = |letter: &Value| letter["title"].as_str().expect("a title").to_owned();
        letters(client, filter).await.iter().map(title).collect()
    };
    assert_eq!(titles(&staff, json!({})).await, ["丙", "乙", "甲"], "newest first, and nobody else's");
    assert_eq!(titles(&operator, json!({})).await, ["平台的"]);
    // Inside a school an operator has another place, and nothing lies there.
    assert!(titles(&server.operator_in(1).await, json!({})).await.is_empty());
    let second = staff.post(&format!("{INBOX}/list"), json!({ "pageCurrent": 2, "pageSize": 2 })).await;
    assert_eq!((&second.data()["totalCount"], &second.data()["list"][0]["title"]), (&json!(3), &json!("甲")));

    let read = async |body: Value| staff.put(&format!("{INBOX}/read"), body).await.data()["done"].clone();
    assert_eq!(read(json!({ "ids": [ids[1], theirs] })).await, json!(1), "one's own alone");
    let at = |letters: &[Value]| letters[1]["readAt"].clone();
    let first = at(&letters(&staff, json!({})).await);
    assert!(first.is_string());
    assert_eq!(read(json!({ "ids": [ids[1]] })).await, json!(0));
    assert_eq!(at(&letters(&staff, json!({})).await), first, "the first time counts");
    assert_eq!(
        (titles(&staff, json!({ "unread": true })).await, badge(&staff).await),
        (vec!["丙".into(), "甲".into()], json!(2))
    );
    assert_eq!(staff.put(&format!("{INBOX}/read"), json!({ "ids": [] })).await.code(), 422);

    assert_eq!(read(json!({})).await, json!(2), "all that are left");
    assert_eq!((titles(&staff, json!({ "unread": true })).await.len(), badge(&staff).await), (0, json!(0)));
    assert_eq!(badge(&colleague).await, json!(1));
    assert_eq!(server.one::<i64>("select sum(read_count)::bigint from school_1.msg").await, 3);
}
