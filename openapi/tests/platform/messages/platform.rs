//! What operators have beside messages to schools: App消息, 用户消息, and how long it is all kept.

use kit::{Server, fields, jobs::ended, rows::students};
use serde_json::{Value, json};

use super::{MSG, letter, school};

const APP: &str = "/user/pc/msg/app";
const PERSON: &str = "/user/pc/msg/user";

fn push(with: Value) -> Value {
    let mut body = json!({
        "title": "考试安排", "content": "<p>请查看考场。</p>", "msgType": "exam", "schoolIds": [1],
        "jumpType": "none", "sendMode": "now",
    });
    for (field, value) in with.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// 01 §7.4: a message with the channel app_push, and where a tap leads.
#[tokio::test]
async fn a_push_takes_the_steps_of_a_message() {
    let server = Server::start().await;
    let (_, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 3).await;
    let operator = server.operator().await;
    let nowhere = operator.post(&format!("{APP}/save"), push(json!({ "jumpType": "url" }))).await;
    assert_eq!(fields(&nowhere), ["jumpTarget: 跳转目标应为以 http:// 或 https:// 开头的网址"]);
    let later = (server.app.clock().now() + chrono::Duration::hours(1)).to_rfc3339();
    let timed = push(json!({ "sendMode": "timed", "sendAt": later, "jumpType": "course", "jumpTarget": "12" }));
    let id = operator.post(&format!("{APP}/save"), timed).await.id();
    operator.post(&format!("{APP}/send?id={id}"), json!({})).await.data();
    operator.put(&format!("{APP}/cancel?id={id}"), json!({})).await.data();
    let seen = operator.get(&format!("{APP}/view?id={id}")).await;
    assert_eq!(
        (&seen.data()["status"], &seen.data()["channels"], &seen.data()["jumpTarget"]),
        (&json!("draft"), &json!(["app_push"]), &json!("12"))
    );
    let mut edit = push(json!({ "title": "考试安排已更新" }));
    (edit["id"], edit["version"]) = (json!(id), seen.data()["version"].clone());
    operator.put(&format!("{APP}/edit"), edit).await.id();
    operator.post(&format!("{APP}/send?id={id}"), json!({})).await.data();
    server.wait_until(&format!("select status = 'sent' from platform.msg where id = {id}")).await;
    let sent: i64 =
        server.one("select count(*) from school_1.msg_delivery where channel = 'app_push' and status = 'sent'").await;
    assert_eq!(sent, 3);

    // A letter of the inbox is none of this screen's.
    let inbox = operator.post(&format!("{MSG}/save"), letter(json!({ "schoolIds": [1] }))).await.id();
    for refused in [
        operator.get(&format!("{APP}/view?id={inbox}")).await,
        operator.post(&format!("{APP}/send?id={inbox}"), json!({})).await,
        operator.delete(&format!("{APP}/delete?id={inbox}")).await,
    ] {
        assert_eq!(refused.code(), 404, "{}", refused.body);
    }
    let list = operator.post(&format!("{APP}/list"), json!({ "schoolId": 1 })).await;
    assert_eq!((&list.data()["totalCount"], &list.data()["list"][0]["title"]), (&json!(1), &json!("考试安排已更新")));
    operator.put(&format!("{APP}/recall?id={id}"), json!({})).await.data();
    operator.delete(&format!("{APP}/delete?id={id}")).await.data();
}

/// 05 D5: the cards and tables of a message to several schools are the sums of theirs.
#[tokio::test]
async fn a_message_to_several_schools_has_the_figures_of_all() {
    let server = Server::start().await;
    let (_, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 3).await;
    server.run("update school_1.student set phone = null where student_no = '2600000003'").await;
    let codes = kit::accounts::all_school_codes();
    let south = server.staff(2, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let south = kit::cohort::cohort(&south).await;
    server
        .run(&format!(
            "insert into school_2.student (student_no, name, name_grams, pinyin, initials, id_card_type, id_card_no, grade_id,
                 level_id, major_id, study_form, schooling_years, site_id, enrolled_on, expected_graduation_on,
                 max_study_end_on, status, source, phone, created_by, updated_by)
             select '27' || lpad(n::text, 8, '0'), '学生' || n, '{{}}', '', '', 'passport', 'F' || lpad(n::text, 8, '0'), {}, {},
                 {}, 'non_full_time', 2.5, {}, '2026-03-01', '2028-07-10', '2031-02-28', 'registered', 'legacy',
                 '155' || lpad(n::text, 8, '0'), 0, 0
             from generate_series(1, 2) n",
            south.grade, south.level, south.major, south.site
        ))
        .await;
    let operator = server.operator().await;
    let form = letter(json!({ "schoolIds": [1, 2], "channels": ["in_app", "sms"] }));
    let id = operator.post(&format!("{MSG}/save"), form).await.id();
    operator.post(&format!("{MSG}/send?id={id}"), json!({})).await.id();
    server
        .wait_until(&format!(
            "select status = 'sent' and sent_count = 9 and failed_count = 1 from platform.msg where id = {id}"
        ))
        .await;
    let seen = operator.get(&format!("{MSG}/statistics?id={id}")).await.data().clone();
    assert_eq!(seen["bySchool"].as_array().map(Vec::len), Some(2));
    let counts = |part: &Value| ["deliveries", "succeeded", "failed", "waiting"].map(|name| part[name].as_i64());
    let by_channel: Vec<_> = seen["byChannel"].as_array().expect("channels").iter().collect();
    assert_eq!([&by_channel[0]["channel"], &by_channel[1]["channel"]], ["in_app", "sms"]);
    assert_eq!(counts(by_channel[0]), [Some(5), Some(5), Some(0), Some(0)]);
    assert_eq!(counts(by_channel[1]), [Some(5), Some(4), Some(1), Some(0)]);
    let segments: i64 = server
        .one(
            "select (select sum(segments) from school_1.msg_delivery where sent_at is not null)::bigint
                   + (select sum(segments) from school_2.msg_delivery where sent_at is not null)::bigint",
        )
        .await;
    assert!(segments >= 4, "{segments}");
    assert_eq!(seen["total"]["segments"], json!(segments));
    assert_eq!(seen["byFailCode"], json!([{ "code": "no_address", "count": 1 }]));
    // Who of a school got it and who did not, under the platform's own number (01 §7.4).
    let readers = operator.post(&format!("{MSG}/checkStatistics?schoolId=2"), json!({ "id": id })).await;
    assert_eq!(
        (&readers.data()["totalCount"], &readers.data()["list"][0]["recipientNo"]),
        (&json!(2), &json!("2700000001"))
    );
    assert_eq!(readers.data()["list"][0]["siteName"], json!("城东教学点"));
    let failures = operator.post(&format!("{MSG}/failureLog?schoolId=1"), json!({ "id": id })).await;
    assert_eq!(failures.data()["list"][0]["recipientNo"], json!("2600000003"), "{}", failures.body);
    let failure = failures.data()["list"][0]["id"].clone();
    let again = operator.post(&format!("{MSG}/resend?schoolId=1"), json!({ "ids": [failure] })).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("请先补充接收人的手机号"));
    let unnamed = operator.post(&format!("{MSG}/remind?id={id}"), json!({})).await;
    assert_eq!(kit::fields(&unnamed), ["schoolId: 请选择院校"]);
    let reminded = operator.post(&format!("{MSG}/remind?id={id}&schoolId=2"), json!({})).await.id();
    assert_eq!(server.one::<String>(&format!("select audience from school_2.msg where id = {reminded}")).await, "list");
    let sheet = operator.post(&format!("{MSG}/export?schoolId=2"), json!({ "id": id, "part": "readers" })).await;
    assert_eq!(kit::sheets::texts(&sheet.bytes).len(), 3);
    let sent: i64 = seen["byHour"].as_array().expect("hours").iter().filter_map(|hour| hour["sent"].as_i64()).sum();
    assert_eq!(sent, 9);
    let limited = kit::accounts::operator_with(&server, "narrow", &["user:pc:msg:checkStatistics"]).await;
    kit::rows::manage(&server, "narrow", &[1]).await;
    let foreign = limited.post(&format!("{MSG}/checkStatistics?schoolId=2"), json!({ "id": id })).await;
    assert_eq!(foreign.code(), 404, "{}", foreign.body);
}

/// A message of the platform to one of its own people.
async fn told(server: &Server, days_ago: i64, status: &str) -> i64 {
    server
        .one(&format!(
            "with m as (
                 insert into platform.msg (title, content, msg_type, channels, audience, scene_code, status, resolved_at, creator_name,
                     person_count, total_count, failed_count, created_at, created_by, updated_by)
                 values ('到期提醒', '<p>服务即将到期。</p>', 'system', '{{mail}}', 'scene', 'school_expiring', 'sent', now(), '系统',
                     1, 1, 1, now() - interval '{days_ago} days', 0, 0) returning id)
             insert into platform.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, recipient_no, address, channel,
                 status, fail_code, next_attempt_at, expires_at, created_at)
             select id, 'account', 1, '王运营', 'admin', 'wang@example.com', 'mail', '{status}',
                 case when '{status}' = 'failed' then 'provider_rejected' end, now(), now() + interval '7 days',
                 now() - interval '{days_ago} days' from m returning id"
        ))
        .await
}

#[tokio::test]
async fn a_persons_messages_are_looked_at_sent_again_and_deleted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let failed = told(&server, 1, "failed").await;
    let old = told(&server, 31, "sent").await;
    let list = operator.post(&format!("{PERSON}/list"), json!({ "keyword": "王运营" })).await;
    assert_eq!(list.data()["totalCount"], json!(1), "the last thirty days");
    assert_eq!(list.data()["list"][0]["address"], json!("w***@example.com"));
    let since = (server.app.clock().today() - chrono::Days::new(40)).to_string();
    let all = operator.post(&format!("{PERSON}/list"), json!({ "startsOn": since })).await;
    assert_eq!(all.data()["totalCount"], json!(2));
    let again = operator.post(&format!("{PERSON}/resend"), json!({ "ids": [failed, old] })).await;
    assert_eq!(
        (&again.data()["done"], &again.data()["failed"][0]["msg"]),
        (&json!(1), &json!("只有失败的记录可以重发"))
    );
    server.wait_until(&format!("select status = 'sent' from platform.msg_delivery where id = {failed}")).await;
    operator.delete(&format!("{PERSON}/delete?id={failed}")).await.id();
    assert_eq!(operator.delete(&format!("{PERSON}/delete?id={failed}")).await.code(), 404);
    let waiting = told(&server, 0, "queued").await;
    server
        .run(&format!(
            "update platform.msg_delivery set next_attempt_at = now() + interval '1 day' where id = {waiting}"
        ))
        .await;
    assert_eq!(operator.delete(&format!("{PERSON}/delete?id={waiting}")).await.code(), 409);
}

/// 05 E3: deliveries 24 months, recorded letters 90 days, events 30 and 180 days; the message keeps its counters.
#[tokio::test]
async fn what_is_kept_for_a_time_goes() {
    let server = Server::start().await;
    let operator = server.operator().await;
    told(&server, 740, "sent").await;
    told(&server, 700, "sent").await;
    for place in ["platform", "school_1"] {
        server
            .run(&format!(
                "insert into {place}.msg_recorded (channel, title, content, at)
                 select 'sms', '验证码', '……', now() - make_interval(days => d) from unnest(array[91, 89]) d;
                 insert into {place}.event_outbox (kind, name, payload, status, occurred_at, next_attempt_at)
                 select 'message', 'x', '{{}}', s, now() - make_interval(days => d), now()
                 from (values ('done', 31), ('done', 29), ('skipped', 31), ('failed', 179), ('failed', 181)) v (s, d)"
            ))
            .await;
    }
    // A school may keep less, or more (01 §13 inboxMonths).
    kit::rows::setting(&server, "inboxMonths", &json!(6)).await;
    for place in ["school_1", "school_2"] {
        server
            .run(&format!(
                "insert into {place}.msg_attempt (no, at, ok) select 1, now() - make_interval(days => d), true
                 from unnest(array[200, 170]) d"
            ))
            .await;
    }
    let job = operator.post("/data/pc/druid/job/run", json!({ "name": "messages.keep" })).await.data()["jobId"].clone();
    let told = ended(&operator, &job).await["message"].clone();
    assert_eq!(told, json!("已删除过期投递1条、发件记录2条、消息事件6条"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.msg_attempt").await, 1);
    assert_eq!(server.one::<i64>("select count(*) from school_2.msg_attempt").await, 2);
    let left: Vec<i64> = vec![
        server.one("select count(*) from platform.msg").await,
        server.one("select count(*) from platform.msg_delivery").await,
        server.one("select count(*) from school_1.msg_recorded").await,
        server.one("select count(*) from school_1.event_outbox").await,
    ];
    assert_eq!(left, [2, 1, 1, 2]);
    assert_eq!(server.one::<i64>("select min(failed_count) from platform.msg").await, 1, "its counters stay");
}
