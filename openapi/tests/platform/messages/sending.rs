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
