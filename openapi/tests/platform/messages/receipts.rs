//! 短信回执: what the providers tell of short messages that they took (05 D4, D5), against providers of this process.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use channels::channel::SmsEndpoints;
use kit::{Server, fields, jobs::ended};
use poem::{
    EndpointExt, Request, Response, Route, Server as HttpServer, handler,
    http::Method,
    listener::{Acceptor, Listener, TcpListener},
    web::Data,
};
use serde_json::{Value, json};

use super::{MSG, becomes, count, school};

const SECRET: &str = "receipts-of-school_1";

/// The numbers that were given away.
type Given = Arc<Mutex<HashSet<String>>>;

/// Takes every message: 阿里云's number is `biz^` and our delivery's, 腾讯云's `7:` and it; the second time it says so.
#[handler]
async fn answer_as_provider(request: &Request, body: poem::Body, given: Data<&Given>) -> Response {
    let bytes = body.into_vec().await.expect("a body");
    let number = |prefix: &str, delivery: &str| {
        let first = format!("{prefix}{delivery}");
        let mut given = given.lock().expect("nothing panics");
        if given.insert(first.clone()) { first } else { format!("{first}.again") }
    };
    let answer = match request.header("x-tc-action") {
        Some(_) => {
            let asked: Value = serde_json::from_slice(&bytes).expect("JSON");
            let delivery = asked["SessionContext"].as_str().expect("a delivery");
            json!({ "Response": { "SendStatusSet": [{ "Code": "Ok", "SerialNo": number("7:", delivery) }] } })
        }
        None => {
            let query = request.uri().query().unwrap_or_default();
            let delivery = query.split('&').find_map(|pair| pair.strip_prefix("OutId=")).expect("a delivery");
            json!({ "Code": "OK", "BizId": number("biz^", delivery) })
        }
    };
    Response::builder().content_type("application/json").body(answer.to_string())
}

/// The server under test, with providers that answer at this machine.
async fn with_providers() -> Server {
    let server = Server::start().await;
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.expect("a port");
    let port = acceptor.local_addr()[0].as_socket_addr().expect("an address").port();
    let app = Route::new().at("/", answer_as_provider.data(Given::default()));
    tokio::spawn(HttpServer::new_with_acceptor(acceptor).run(app));
    let address = format!("http://127.0.0.1:{port}");
    server.app.of_room(|_| SmsEndpoints { aliyun: address.clone(), tencent: address });
    server
}

async fn configure(server: &Server, provider: &str, school: Option<i64>) -> i64 {
    let content = json!({ "provider": provider, "keyId": "id", "secret": "key-of-the-provider", "signName": "继续教育学院",
        "receiptSecret": SECRET });
    let body = json!({ "configName": provider, "configKind": "sms", "schoolId": school, "content": content, "isDefault": true });
    server.operator().await.post("/system/pc/sys/config/save", body).await.id()
}

/// A scene's message to so many students, due in some minutes; answers its number and those of its deliveries.
async fn told(server: &Server, template: &str, persons: i64, minutes: i64) -> (i64, Vec<i64>) {
    let msg: i64 = server
        .one(&format!(
            "insert into school_1.msg (title, content, msg_type, channels, audience, scene_code, status, resolved_at, creator_name,
                 person_count, total_count, created_by, updated_by)
             values ('成绩发布', '<p>成绩已发布。</p>', 'exam', array['sms'], 'scene', 'score_published', 'sending', now(), '系统',
                 {persons}, {persons}, 0, 0) returning id"
        ))
        .await;
    let filled = json!({ "code": template, "values": [["course", "会计学原理"]] });
    let now = server.now();
    server
        .run(&format!(
            "insert into school_1.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, address, channel, next_attempt_at,
                 expires_at, rendered_title, rendered_content, provider_template, segments, created_at)
             select {msg}, 'student', n, '学生' || n, '154' || lpad(n::text, 8, '0'), 'sms', {now} + interval '{minutes} minutes',
                 {now} + interval '7 days', '成绩发布', '成绩已发布。', '{filled}', 1, now()
             from generate_series(1, {persons}) n"
        ))
        .await;
    let ids = sqlx::query_scalar("select id from school_1.msg_delivery where msg_id = $1 order by id")
        .bind(msg)
        .fetch_all(&mut server.owner().await)
        .await
        .expect("deliveries");
    (msg, ids)
}

/// What a provider pushes, to an address of one's choice; answers the HTTP status and the body.
async fn push(server: &Server, address: &str, receipts: &Value) -> (u16, Value) {
    let path = format!("/admin/apis/system/callback/sms/{address}");
    let body = receipts.to_string().into_bytes();
    let response = server.anonymous().raw(Method::POST, &path, Some("application/json"), body).await;
    let status = response.status().as_u16();
    let bytes = response.into_body().into_vec().await.expect("a body");
    (status, serde_json::from_slice(&bytes).expect("JSON"))
}

fn taken() -> (u16, Value) {
    (200, json!({ "code": 0, "msg": "成功", "result": 0, "errmsg": "OK" }))
}

fn aliyun(number: &str, success: bool, code: &str, words: &str) -> Value {
    json!({ "phone_number": "15400000001", "send_time": "2020-01-05 09:29:58", "report_time": "2020-01-05 09:30:00",
        "success": success, "err_code": code, "err_msg": words, "sms_size": "1", "biz_id": number, "out_id": "1" })
}

fn tencent(number: &str, status: &str, code: &str, at: &str) -> Value {
    json!({ "user_receive_time": at, "nationcode": "86", "mobile": "15400000001", "report_status": status,
        "errmsg": code, "description": "说明", "sid": number })
}

async fn status(server: &Server, delivery: i64) -> String {
    server.one(&format!("select status from school_1.msg_delivery where id = {delivery}")).await
}

async fn becomes_delivered(server: &Server, deliveries: &[i64]) {
    let (all, ids) = (deliveries.len(), json!(deliveries).to_string());
    let ids = ids.trim_matches(['[', ']']);
    server
        .wait_until(&format!(
            "select count(*) = {all} from school_1.msg_delivery where id in ({ids}) and status = 'delivered'"
        ))
        .await;
}

async fn due(server: &Server) -> i64 {
    count(server, "platform.msg_receipt where due_at is not null").await
}

/// 05 D5: 送达 counts what the provider confirmed; a failed receipt moves one from 成功 to 失败; the same again, a number
/// that nobody knows, and whoever does not know the secret change nothing.
#[tokio::test]
async fn receipts_of_aliyun_turn_sent_into_delivered_or_failed() {
    let server = with_providers().await;
    let (admin, _) = school(&server).await;
    let config = configure(&server, "aliyun", Some(1)).await;
    let (msg, ids) = told(&server, "SMS_1", 3, 0).await;
    becomes(&server, msg, "sent").await;
    assert_eq!(count(&server, "platform.msg_receipt where school_id = 1 and told_at is null").await, 3);
    let number = |at: usize| format!("biz^{}", ids[at]);
    let receipts = json!([
        aliyun(&number(0), true, "DELIVERED", "用户接收成功"),
        aliyun(&number(1), false, "MOBILE_NOT_ON_SERVICE", "停机或空号"),
        aliyun("biz^unknown", true, "DELIVERED", "用户接收成功"),
        { "phone_number": "15400000001" },
    ]);

    for address in [
        format!("aliyun?config={config}&secret=receipts-of-another"),
        format!("aliyun?config={config}"),
        format!("aliyun?config={}&secret={SECRET}", config + 1_000),
        format!("tencent?config={config}&secret={SECRET}"),
    ] {
        let (status, refused) = push(&server, &address, &receipts).await;
        assert_eq!(
            (status, &refused["code"], &refused["msg"]),
            (200, &json!(403), &json!("回执密钥不正确")),
            "{address}"
        );
    }
    let nobody = push(&server, &format!("recorded?config={config}&secret={SECRET}"), &receipts).await;
    assert_eq!(nobody.1["code"], json!(404));
    assert_eq!(count(&server, "platform.msg_receipt where told_at is not null").await, 0, "nobody was believed");

    let address = format!("aliyun?config={config}&secret={SECRET}");
    assert_eq!(push(&server, &address, &receipts).await, taken());
    becomes_delivered(&server, &ids[..1]).await;
    server.wait_until(&format!("select status = 'failed' from school_1.msg_delivery where id = {}", ids[1])).await;
    assert_eq!(status(&server, ids[2]).await, "sent", "nothing was told of it");
    let at: bool = server
        .one(&format!(
            "select delivered_at = '2020-01-05 09:30:00+08' from school_1.msg_delivery where id = {}",
            ids[0]
        ))
        .await;
    assert!(at, "when the person got it, by the provider's clock");

    let figures = admin.get(&format!("{MSG}/statistics?id={msg}")).await;
    let total = &figures.data()["total"];
    assert_eq!(
        [&total["deliveries"], &total["succeeded"], &total["failed"], &total["delivered"], &total["arrivalRate"]],
        [&json!(3), &json!(2), &json!(1), &json!(1), &json!(66.7)]
    );
    let channel = &figures.data()["byChannel"][0];
    assert_eq!([&channel["succeeded"], &channel["delivered"], &channel["failed"]], [&json!(2), &json!(1), &json!(1)]);
    assert_eq!(figures.data()["byFailCode"], json!([{ "code": "invalid_address", "count": 1 }]));
    let seen = admin.get(&format!("{MSG}/view?id={msg}")).await;
    assert_eq!([&seen.data()["sentCount"], &seen.data()["failedCount"]], [&json!(2), &json!(1)]);
    let failures = admin.post(&format!("{MSG}/failureLog"), json!({ "id": msg })).await;
    let row = &failures.data()["list"][0];
    assert_eq!(
        (&row["failCode"], &row["providerStatus"]),
        (&json!("invalid_address"), &json!("MOBILE_NOT_ON_SERVICE 停机或空号"))
    );

    // The same again, and another word about the same number: the first one counts.
    server.wait_until("select not exists (select from platform.msg_receipt where due_at is not null)").await;
    assert_eq!(push(&server, &address, &receipts).await, taken());
    let other = json!([aliyun(&number(0), false, "EXPIRED", ""), aliyun(&number(1), true, "DELIVERED", "")]);
    assert_eq!(push(&server, &address, &other).await, taken());
    assert_eq!(due(&server).await, 0);
    assert_eq!(status(&server, ids[0]).await, "delivered");
    assert_eq!(status(&server, ids[1]).await, "failed");

    // Sent anew it has another number, by which it is told of.
    server.app.clock().shift(chrono::Duration::minutes(2));
    let again = admin.post(&format!("{MSG}/resend"), json!({ "ids": [ids[1]] })).await;
    assert_eq!(again.data()["done"], json!(1));
    becomes(&server, msg, "sent").await;
    let late = json!([aliyun(&format!("{}.again", number(1)), true, "DELIVERED", "用户接收成功")]);
    assert_eq!(push(&server, &address, &late).await, taken());
    becomes_delivered(&server, &ids[..2]).await;
    let figures = admin.get(&format!("{MSG}/statistics?id={msg}")).await;
    let total = &figures.data()["total"];
    assert_eq!([&total["succeeded"], &total["failed"], &total["delivered"]], [&json!(3), &json!(0), &json!(2)]);
}

/// A receipt may be faster than our own commit: it waits for its other half. The platform's config serves every school.
#[tokio::test]
async fn receipts_of_tencent_wait_for_what_was_sent() {
    let server = with_providers().await;
    let (admin, _) = school(&server).await;
    let config = configure(&server, "tencent", None).await;
    let (msg, ids) = told(&server, "1400000001/449739", 2, 30).await;
    let receipts = json!([
        tencent(&format!("7:{}", ids[0]), "SUCCESS", "DELIVRD", "2020-01-05 09:30:00"),
        tencent(&format!("7:{}", ids[1]), "FAIL", "REJECTD", ""),
    ]);
    assert_eq!(push(&server, &format!("tencent?config={config}&secret={SECRET}"), &receipts).await, taken());
    assert_eq!(count(&server, "platform.msg_receipt where delivery_id is null and told_at is not null").await, 2);
    assert_eq!((status(&server, ids[0]).await, due(&server).await), ("queued".to_owned(), 0));

    server.app.clock().shift(chrono::Duration::minutes(31));
    becomes_delivered(&server, &ids[..1]).await;
    server
        .wait_until(&format!("select fail_code = 'content_rejected' from school_1.msg_delivery where id = {}", ids[1]))
        .await;
    let seen = admin.get(&format!("{MSG}/statistics?id={msg}")).await;
    let total = &seen.data()["total"];
    assert_eq!([&total["succeeded"], &total["failed"], &total["delivered"]], [&json!(1), &json!(1), &json!(1)]);
}

/// A server that just sent the message has not written it yet, when another one already takes the receipt to it.
#[tokio::test]
async fn a_receipt_is_tried_again_while_its_sending_is_not_written() {
    let server = with_providers().await;
    school(&server).await;
    let config = configure(&server, "aliyun", Some(1)).await;
    let (msg, ids) = told(&server, "SMS_1", 1, 0).await;
    becomes(&server, msg, "sent").await;
    server.run("update school_1.msg_delivery set status = 'delivering', lease_until = now() + interval '1 hour'").await;
    let receipts = json!([aliyun(&format!("biz^{}", ids[0]), true, "DELIVERED", "用户接收成功")]);
    assert_eq!(push(&server, &format!("aliyun?config={config}&secret={SECRET}"), &receipts).await, taken());
    server.wait_until("select due_at > now() from platform.msg_receipt").await;
    assert_eq!(status(&server, ids[0]).await, "delivering");
    server.run("update school_1.msg_delivery set status = 'sent', lease_until = null").await;
    becomes_delivered(&server, &ids).await;
}

/// Two hundred receipts in one push; a body that is too large or no list is malformed; what nobody asks for any more goes.
#[tokio::test]
async fn a_push_of_many_and_what_is_kept_of_it() {
    let server = with_providers().await;
    let (admin, _) = school(&server).await;
    let config = configure(&server, "aliyun", Some(1)).await;
    let address = format!("aliyun?config={config}&secret={SECRET}");
    let (msg, ids) = told(&server, "SMS_1", 200, 0).await;
    becomes(&server, msg, "sent").await;
    let before = admin.get(&format!("{MSG}/statistics?id={msg}")).await;
    assert_eq!(before.data()["total"]["delivered"], json!(0), "the provider is asked for receipts, and told none yet");
    let one = |id: &i64| aliyun(&format!("biz^{id}"), true, "DELIVERED", "用户接收成功");
    let all = Value::Array(ids.iter().map(one).collect());
    let (status, _) = push(&server, &address, &json!([all, "x".repeat(64 << 10)])).await;
    assert_eq!(status, 400, "too large");
    assert_eq!(push(&server, &address, &json!({ "biz_id": "1" })).await.0, 400, "no list");
    assert_eq!(push(&server, &address, &all).await, taken());
    becomes_delivered(&server, &ids).await;
    assert_eq!(count(&server, "school_1.msg_attempt").await, 200, "a receipt that went well is no attempt");

    server.wait_until("select not exists (select from platform.msg_receipt where due_at is not null)").await;
    server
        .run(
            "update platform.msg_receipt set created_at = now() - interval '8 days'
             where delivery_id <> (select max(delivery_id) from platform.msg_receipt)",
        )
        .await;
    let operator = server.operator().await;
    let job = operator.post("/data/pc/druid/job/run", json!({ "name": "messages.keep" })).await.data()["jobId"].clone();
    ended(&operator, &job).await;
    assert_eq!(count(&server, "platform.msg_receipt").await, 1);
}

/// A school whose messages are recorded has no receipts, and says so.
#[tokio::test]
async fn without_a_provider_there_is_no_figure_of_receipts() {
    let server = with_providers().await;
    let (admin, _) = school(&server).await;
    let (msg, _) = told(&server, "SMS_1", 1, 0).await;
    becomes(&server, msg, "sent").await;
    let seen = admin.get(&format!("{MSG}/statistics?id={msg}")).await;
    assert_eq!((&seen.data()["total"]["succeeded"], &seen.data()["total"]["delivered"]), (&json!(1), &Value::Null));
    assert_eq!(count(&server, "platform.msg_receipt").await, 0);
}

/// The secret of the address is like every other: checked when it is typed, never read again.
#[tokio::test]
async fn the_secret_of_the_address_is_written_only() {
    let server = with_providers().await;
    let operator = server.operator().await;
    let content =
        json!({ "provider": "aliyun", "keyId": "id", "secret": "k", "signName": "甲", "receiptSecret": "short" });
    let body = json!({ "configName": "短信", "configKind": "sms", "content": content });
    let refused = operator.post("/system/pc/sys/config/save", body).await;
    assert_eq!(
        fields(&refused),
        [
            "content.receiptSecret: 回执密钥格式不正确：16至64位字母、数字、下划线和短横线，自行设定，填写后才接收送达回执"
        ]
    );
    let id = configure(&server, "aliyun", None).await;
    // Whoever made it has signed in since.
    let seen = server.operator().await.get(&format!("/system/pc/sys/config/view?id={id}")).await;
    let content = &seen.data()["content"];
    assert_eq!(
        (&content["receiptSecret"], &content["receiptSecretSet"], &content["receiptSecretTail"]),
        (&Value::Null, &json!(true), &json!("ol_1"))
    );
}
