//! From a form to the last delivery.

use kit::{Server, rows::students, sheets::texts};
use serde_json::json;

use super::{MSG, becomes, count, letter, school, send};

/// 01 §7.6-1: grade 2026, site 3 = 212 students; a sender scoped to class 5 (40) previews 40, and reaches 40.
#[tokio::test]
async fn a_sender_reaches_no_further_than_his_data_scope() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    let class = json!({ "code": "C5", "gradeId": p.grade, "levelId": p.level, "majorId": p.major, "siteId": p.site });
    let class = admin.post("/adult/pc/class/save", class).await.id();
    let other = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    students(&server, &p, p.site, Some(class), 1, 40).await;
    students(&server, &p, p.site, None, 41, 172).await;
    students(&server, &p, other, None, 213, 30).await;
    let codes = [
        "user:pc:msg:preview",
        "user:pc:msg:save",
        "user:pc:msg:send",
        "user:pc:msg:checkStatistics",
        "user:pc:msg:statistics",
    ];
    let narrow = server.staff_within(1, &codes, "named_classes", &[class]).await;

    let choice =
        json!({ "audience": "student_filter", "audienceFilter": { "gradeIds": [p.grade], "siteIds": [p.site] } });
    let preview = admin.post(&format!("{MSG}/preview"), choice.clone()).await;
    assert_eq!((&preview.data()["count"], preview.data()["sample"].as_array().map(Vec::len)), (&json!(212), Some(5)));
    assert_eq!(narrow.post(&format!("{MSG}/preview"), choice.clone()).await.data()["count"], json!(40));

    let id = send(&narrow, choice).await;
    becomes(&server, id, "sent").await;
    assert_eq!(count(&server, &format!("school_1.msg_delivery where msg_id = {id}")).await, 40);
    // Others of the school see the message, and of its people those in their own scope.
    let elsewhere = server.staff_within(1, &codes, "named_sites", &[other]).await;
    let seen = elsewhere.post(&format!("{MSG}/checkStatistics"), json!({ "id": id })).await;
    assert_eq!(seen.data()["totalCount"], json!(0));
    assert_eq!(elsewhere.get(&format!("{MSG}/statistics?id={id}")).await.data()["total"]["persons"], json!(0));

    // Who is named is written to, and nobody beyond the scope by being named.
    let loose: i64 = server.one("select min(id) from school_1.student where class_id is null").await;
    let named = json!({ "audience": "student_filter", "audienceFilter": { "studentIds": [loose] } });
    for (sender, people) in [(&admin, 1), (&narrow, 0)] {
        let preview = sender.post(&format!("{MSG}/preview"), named.clone()).await;
        assert_eq!(preview.data()["count"], json!(people), "{}", preview.body);
    }
    // Whatever became of them, unless a status is asked for.
    let left = "update school_1.student set status = 'withdrawn', status_reason = 'voluntary' where id";
    server.run(&format!("{left} = {loose}")).await;
    for (statuses, people) in [(json!([]), 1), (json!(["registered"]), 0)] {
        let filter = json!({ "studentIds": [loose], "studentStatus": statuses });
        let named = json!({ "audience": "student_filter", "audienceFilter": filter });
        let preview = admin.post(&format!("{MSG}/preview"), named).await;
        assert_eq!(preview.data()["count"], json!(people), "{}", preview.body);
    }
    let nobody = json!({ "audience": "student_filter", "audienceFilter": { "siteIds": [other] } });
    let id = narrow.post(&format!("{MSG}/save"), letter(nobody)).await.id();
    let refused = narrow.post(&format!("{MSG}/send?id={id}"), json!({})).await;
    assert_eq!(refused.refused(), (422, "没有符合条件的接收人"));
}

/// 01 §7.6-2, 05 D8-5: two servers at the due time, each delivery once; a cancelled one stays a draft.
#[tokio::test]
async fn a_timed_message_goes_out_once_and_a_cancelled_one_never() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 3_000).await;
    let beside = Server::beside(&server).await;
    let at = (server.app.clock().now() + chrono::Duration::minutes(30)).to_rfc3339();
    let timed = json!({ "sendMode": "timed", "sendAt": at, "channels": ["in_app", "sms"] });
    let (kept, cancelled) = (send(&admin, timed.clone()).await, send(&admin, timed).await);
    becomes(&server, kept, "scheduled").await;
    admin.put(&format!("{MSG}/cancel?id={cancelled}"), json!({})).await.data();

    for each in [&server, &beside] {
        each.app.clock().shift(chrono::Duration::minutes(31));
    }
    becomes(&server, kept, "sent").await;
    let twice: i64 = server
        .one("select count(*) from (select delivery_id from school_1.msg_attempt group by delivery_id having count(*) > 1) t")
        .await;
    assert_eq!((count(&server, "school_1.msg_attempt").await, twice), (6_000, 0));
    let left: String = server.one(&format!("select status from school_1.msg where id = {cancelled}")).await;
    assert_eq!(left, "draft");
    assert_eq!(count(&server, &format!("school_1.msg_delivery where msg_id = {cancelled}")).await, 0);
    let late = admin.post(&format!("{MSG}/send?id={cancelled}"), json!({})).await;
    assert_eq!(late.refused(), (409, "发送时间已过，请修改发送时间后再发送"));
    beside.close().await;
}

/// 01 §7.6-3, 05 D8-10: 10,000 persons, one without a phone; the failure is a delivery's, not the message's.
#[tokio::test]
async fn ten_thousand_persons_of_whom_one_has_no_phone() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 10_000).await;
    server.run("update school_1.student set phone = null where student_no = '2600000007'").await;
    let id = send(&admin, json!({ "channels": ["sms"] })).await;
    becomes(&server, id, "sent").await;
    let seen = admin.get(&format!("{MSG}/view?id={id}")).await;
    let seen = seen.data();
    assert_eq!(
        [&seen["personCount"], &seen["totalCount"], &seen["sentCount"], &seen["failedCount"]],
        [&json!(10_000), &json!(10_000), &json!(9_999), &json!(1)]
    );
    let failures = admin.post(&format!("{MSG}/failureLog"), json!({ "id": id })).await;
    let row = &failures.data()["list"][0];
    assert_eq!((&failures.data()["totalCount"], &row["failCode"]), (&json!(1), &json!("no_address")));
    let again = admin.post(&format!("{MSG}/resend"), json!({ "ids": [row["id"]] })).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("请先补充接收人的手机号"));

    let began = std::time::Instant::now();
    let page = admin.post(&format!("{MSG}/checkStatistics"), json!({ "id": id })).await;
    assert_eq!(page.data()["totalCount"], json!(10_000));
    assert!(began.elapsed() < std::time::Duration::from_millis(1_500), "{:?}", began.elapsed());
    let exported = admin.post(&format!("{MSG}/export"), json!({ "id": id })).await;
    assert_eq!(texts(&exported.bytes).len(), 10_001);
    // Nothing left the house; what would have is kept, phones masked.
    let recorded = admin.post(&format!("{MSG}/recorded/list"), json!({ "id": id, "channel": "sms" })).await;
    assert_eq!(recorded.data()["totalCount"], json!(9_999));
    assert!(recorded.data()["list"][0]["address"].as_str().is_some_and(|phone| phone.contains("****")));
}

/// 01 §7.3-5, 05 D5, D8-9: 990 of 1,000 = 99.0 %, 325 of 500 = 65.0 %, 490 short messages of 78 characters = 980
/// segments; a recall leaves what was read.
#[tokio::test]
async fn the_worked_figures_and_a_recall() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 500).await;
    server.run("update school_1.student set phone = null where student_no <= '2600000010'").await;
    let text = format!("<p>{}</p>", "字".repeat(78));
    let id = send(&admin, json!({ "channels": ["in_app", "sms"], "content": text })).await;
    becomes(&server, id, "sent").await;
    server
        .run(&format!(
            "update school_1.msg_delivery set read_at = now() where id in (
                 select id from school_1.msg_delivery where msg_id = {id} and channel = 'in_app' order by id limit 325)"
        ))
        .await;
    let figures = admin.get(&format!("{MSG}/statistics?id={id}")).await;
    let total = &figures.data()["total"];
    assert_eq!(
        [
            &total["persons"],
            &total["deliveries"],
            &total["succeeded"],
            &total["failed"],
            &total["read"],
            &total["segments"]
        ],
        [&json!(500), &json!(1000), &json!(990), &json!(10), &json!(325), &json!(980)]
    );
    assert_eq!((&total["arrivalRate"], &total["readRate"]), (&json!(99.0), &json!(65.0)));
    assert_eq!(figures.data()["byFailCode"], json!([{ "code": "no_address", "count": 10 }]));
    let unread = admin.post(&format!("{MSG}/checkStatistics"), json!({ "id": id, "read": false })).await;
    assert_eq!(unread.data()["totalCount"], json!(175));
    let failed = json!({ "id": id, "channel": "sms", "status": "failed" });
    assert_eq!(admin.post(&format!("{MSG}/checkStatistics"), failed).await.data()["totalCount"], json!(10));

    admin.put(&format!("{MSG}/recall?id={id}"), json!({})).await.data();
    let gone = count(&server, &format!("school_1.msg_delivery where msg_id = {id} and status = 'recalled'")).await;
    let read = count(
        &server,
        &format!("school_1.msg_delivery where msg_id = {id} and read_at is not null and status = 'sent'"),
    )
    .await;
    assert_eq!((gone, read), (175, 325));
    let figures = admin.get(&format!("{MSG}/statistics?id={id}")).await;
    assert_eq!(figures.data()["total"]["readRate"], json!(65.0));
    assert_eq!(figures.data()["status"], json!("recalled"));
    // What was recalled goes to nobody any more, whatever became of it before.
    let failures = admin.post(&format!("{MSG}/failureLog"), json!({ "id": id })).await;
    let again = json!({ "ids": [failures.data()["list"][0]["id"]] });
    let again = admin.post(&format!("{MSG}/resend"), again).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("消息已撤回，不能重发"));
}

/// 05 D8-4: a text of 71 characters is two segments; 15,000 segments carry 7,500 of 10,000; one warning at four fifths.
#[tokio::test]
async fn a_quota_ends_a_months_short_messages() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 10_000).await;
    let operator = server.operator().await;
    operator.put(&format!("{MSG}/quota/edit"), json!({ "schoolId": 1, "monthlyLimit": 15_000 })).await.data();
    let text = format!("<p>{}</p>", "字".repeat(71));
    let id = send(&admin, json!({ "channels": ["sms"], "content": text })).await;
    becomes(&server, id, "sent").await;
    let state = |status: &str| format!("school_1.msg_delivery where msg_id = {id} and {status}");
    assert_eq!(count(&server, &state("status = 'sent'")).await, 7_500);
    assert_eq!(count(&server, &state("status = 'failed' and fail_code = 'quota'")).await, 2_500);
    assert_eq!(count(&server, "platform.event_outbox where name = 'quota_warning'").await, 1);
    let quotas = operator.get(&format!("{MSG}/quota/list")).await;
    let own = &quotas.data()[0];
    assert_eq!([&own["schoolId"], &own["used"], &own["warned"]], [&json!(1), &json!(15_000), &json!(true)]);
    // The warning lies in the inbox of those who may change quotas, and counts on their badge.
    server
        .wait_until(
            "select exists (select from platform.msg_delivery where recipient_type = 'account' and status = 'sent')",
        )
        .await;
    let own = operator.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
    assert_eq!(own.data()["unreadMsgCount"], json!(1));
}

/// Two teachers, a person at the site and one elsewhere, a class manager of the site; one teacher has left.
async fn staff(server: &Server, site: i64, other: i64) {
    let people = format!(
        "insert into school_1.organization (code, name, kind, created_by, updated_by) values ('JX', '教学部', 'college', 0, 0)
           on conflict do nothing;
         insert into school_1.teacher (work_no, name, initials, phone, email, organization_id, status, created_by, updated_by)
           select 'T' || n, '教师' || n, 'js', '1390000000' || n, 't' || n || '@example.com', (select min(id) from school_1.organization),
                  case when n = 3 then 'left' else 'active' end, 0, 0 from generate_series(1, 3) n;
         insert into school_1.site_staff (site_id, name, initials, phone, duty, created_by, updated_by)
           values ({site}, '站点甲', 'zdj', '13700000001', 'academic', 0, 0), ({other}, '站点乙', 'zdy', '13700000002', 'academic', 0, 0);
         insert into school_1.class_manager (work_no, name, initials, phone, created_by, updated_by)
           values ('M1', '班主任', 'bzr', '13600000001', 0, 0);
         insert into school_1.class_manager_site (manager_id, site_id) select id, {site} from school_1.class_manager"
    );
    for statement in people.split(';') {
        server.run(statement).await;
    }
}

/// 01 §7.1: teachers, site staff and class managers are reached, each within the sender's data scope; operators reach those
/// of whole schools; whoever has not read is reminded.
#[tokio::test]
async fn staff_are_told_within_the_senders_scope() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    let other = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    staff(&server, p.site, other).await;
    let codes = ["user:pc:msg:preview", "user:pc:msg:save", "user:pc:msg:send"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[other]).await;
    for (audience, all, seen) in [("teachers", 2, 0), ("site_staff", 2, 1), ("class_managers", 1, 0)] {
        let choice = json!({ "audience": audience });
        let whole = admin.post(&format!("{MSG}/preview"), choice.clone()).await;
        assert_eq!(whole.data()["count"], json!(all), "{audience}: {}", whole.body);
        assert_eq!(narrow.post(&format!("{MSG}/preview"), choice).await.data()["count"], json!(seen), "{audience}");
    }
    let id = send(&narrow, json!({ "audience": "site_staff" })).await;
    becomes(&server, id, "sent").await;
    let told: Vec<String> =
        server.one(&format!("select array_agg(recipient_name) from school_1.msg_delivery where msg_id = {id}")).await;
    assert_eq!(told, ["站点乙"]);

    let id = send(&admin, json!({ "audience": "teachers", "channels": ["in_app", "mail", "app_push"] })).await;
    becomes(&server, id, "sent").await;
    let addresses: Vec<String> = server
        .one(&format!(
            "select array_agg(address order by address) from school_1.msg_delivery
             where msg_id = {id} and channel = 'app_push' and recipient_type = 'teacher'"
        ))
        .await;
    let first: i64 = server.one("select min(id) from school_1.teacher").await;
    assert_eq!(addresses, [format!("school_1_teacher_{first}"), format!("school_1_teacher_{}", first + 1)]);
    server
        .run(&format!(
            "update school_1.msg_delivery set read_at = now() where msg_id = {id} and recipient_id = {first}"
        ))
        .await;
    let reminder = admin.post(&format!("{MSG}/remind?id={id}"), json!({})).await.id();
    becomes(&server, reminder, "sent").await;
    let reminded: Vec<i64> = server
        .one(&format!("select array_agg(recipient_id) from school_1.msg_delivery where msg_id = {reminder}"))
        .await;
    assert_eq!(reminded, [first + 1]);

    let operator = server.operator().await;
    let body = letter(json!({ "audience": "class_managers", "schoolIds": [1] }));
    let own = operator.post(&format!("{MSG}/save"), body).await.id();
    assert_eq!(operator.post(&format!("{MSG}/send?id={own}"), json!({})).await.code(), 200);
    server
        .wait_until("select exists (select from school_1.msg_delivery where recipient_type = 'class_manager' and status = 'sent')")
        .await;
}

/// A provider of short messages sends only what it approved before, so a form does not promise what will fail.
#[tokio::test]
async fn a_written_message_cannot_take_a_channel_that_needs_a_template() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let body = letter(json!({ "channels": ["in_app", "sms"] }));
    assert_eq!(admin.post(&format!("{MSG}/save"), body.clone()).await.code(), 200, "recorded takes any text");
    let config = json!({ "configName": "短信", "configKind": "sms", "isDefault": true,
        "content": { "provider": "aliyun", "keyId": "k", "secret": "s3cret-value", "signName": "继续教育" } });
    server.operator().await.post("/system/pc/sys/config/save", config).await.data();
    let refused = admin.post(&format!("{MSG}/save"), body).await;
    assert_eq!(kit::fields(&refused), ["channels: 短信服务商只发送审核过的模板，手写消息不能使用短信"]);
}

/// 01 §7.3-3: advertising says how to refuse more of it, by push as by short message, and not in the inbox or by WeChat.
#[tokio::test]
async fn advertising_tells_how_to_refuse_it() {
    let server = Server::start().await;
    let (admin, p) = school(&server).await;
    students(&server, &p, p.site, None, 1, 1).await;
    let id = send(&admin, json!({ "msgType": "marketing", "channels": ["in_app", "wechat", "app_push"] })).await;
    server.wait_until(&format!("select count(*) = 3 from school_1.msg_delivery where msg_id = {id}")).await;
    let told: Vec<String> = server
        .one(&format!(
            "select array_agg(channel order by channel) from school_1.msg_delivery
             where msg_id = {id} and rendered_content like '%拒收请回复R'"
        ))
        .await;
    assert_eq!(told, ["app_push"]);
}
