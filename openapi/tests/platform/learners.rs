//! Learners of the operators' site: registration, sign-in and their sessions (part 01 §9.6, §9.10 Learners, §9.11).

use chrono::Duration;
use kit::{
    Server,
    clients::{HOST, school, signed_in, with_token},
    fields,
    learners::{EXT, LEARNER, OWN, code, entered, newest_code, passwords, register, seen, sign_in, sign_in_by_code},
    statistics::table,
};
use poem::http::Method;
use serde_json::json;

const PHONE: &str = "13900000005";
const OTHER: &str = "Yuan#2026hang";

#[tokio::test]
async fn a_phone_is_registered_by_its_code_and_signs_in() {
    let server = Server::start().await;
    let visitor = server.anonymous();
    let form = |code: &str, password: &str| json!({ "phone": PHONE, "password": server.cipher(password), "smsCode": code, "source": "h5" });
    let send =
        async |code: &str, password: &str| visitor.post(&format!("{LEARNER}/register"), form(code, password)).await;
    let asked = json!({ "phone": PHONE, "scene": "register" });
    let sent = visitor.post(&format!("{LEARNER}/smsCode"), asked.clone()).await;
    assert_eq!(sent.data(), &json!({ "againAfterSeconds": 60, "validMinutes": 5 }));
    let right = newest_code(&server, PHONE).await;
    let again = visitor.post(&format!("{LEARNER}/smsCode"), asked).await;
    assert_eq!(again.code(), 429, "{}", again.body);
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let refused = ["smsCode: 验证码错误或已失效，请核对或重新获取"];
    assert_eq!(fields(&send(wrong, OWN).await), refused);
    let weak = fields(&send(&right, "12345678").await);
    assert_eq!(weak, ["password: 密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"]);
    assert_eq!(fields(&send(&right, &format!("Aa#{PHONE}")).await), ["password: 密码不能包含账号或手机号"]);
    let id = send(&right, OWN).await.id();
    assert_eq!(fields(&send(&right, OWN).await), refused, "a code serves once");
    let newer = code(&server, PHONE, "register").await;
    assert_eq!(send(&newer, OWN).await.refused(), (409, "该手机号已注册，请直接登录"));
    // Neither the phone nor a code stands in the table.
    let kept: String = server.one("select string_agg(c::text, ' ') from platform.learner_code c").await;
    assert!(!kept.contains(PHONE) && !kept.contains(&right), "{kept}");

    let answer = sign_in(&server, PHONE, OWN).await;
    assert_eq!((&answer.data()["name"], &answer.data()["mustChangePassword"]), (&json!("139****0005"), &json!(false)));
    let own = with_token(&server, &answer);
    let shown = own.get(&format!("{LEARNER}/view")).await.data().clone();
    assert_eq!(
        (&shown["id"], &shown["phone"], &shown["hasPassword"]),
        (&json!(id), &json!("139****0005"), &json!(true))
    );
    let body = json!({ "nickname": "好学的小林", "gender": "female", "birthday": "1996-03-15" });
    own.put(&format!("{LEARNER}/edit"), body).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.data()["nickname"], json!("好学的小林"));
    let born = own.put(&format!("{LEARNER}/edit"), json!({ "birthday": "2199-01-01" })).await;
    assert_eq!(fields(&born), ["birthday: 生日应在1900年至今天之间"]);
    // Signed in elsewhere, the first session ends.
    let second = with_token(&server, &sign_in(&server, PHONE, OWN).await);
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "账号已在其他设备登录，请重新登录"));
    assert_eq!(second.bare(Method::POST, "/user/client/logout").await.data(), &json!(true));
    assert_eq!(second.get(&format!("{LEARNER}/view")).await.code(), 303);
    let log: String = server
        .one("select string_agg(event, ',' order by id) from platform.login_log where kind = 'learner' and school_id is null")
        .await;
    assert_eq!(log, "login,login,logout");
    let source: String = server.one(&format!("select source from platform.user_ext where id = {id}")).await;
    assert_eq!(source, "h5");
}

/// 01 §9.11: 10 codes a day per phone; nobody learns who has an account.
#[tokio::test]
async fn codes_are_few_and_tell_nothing() {
    let server = Server::start().await;
    let ask = async |phone: &str, scene: &str| {
        server.run("update platform.learner_code set sent_at = sent_at - interval '61 seconds'").await;
        server.anonymous().post(&format!("{LEARNER}/smsCode"), json!({ "phone": phone, "scene": scene })).await
    };
    assert_eq!(ask("13900000099", "login").await.code(), 200, "the same answer for a stranger");
    assert_eq!(server.one::<i64>("select count(*) from platform.msg_recorded").await, 0);
    server
        .run(
            "insert into platform.learner_code (phone_digest, scene, code_digest, client_ip, sent_at, expires_at)
             select phone_digest, scene, code_digest, '10.0.0.1', sent_at, expires_at
             from platform.learner_code, generate_series(1, 9)",
        )
        .await;
    // All of today, whenever the story is told.
    let today = server.app.clock().today();
    server.run(&format!("update platform.learner_code set sent_at = '{today} 00:01:00+08'")).await;
    let many = server
        .anonymous()
        .post(&format!("{LEARNER}/smsCode"), json!({ "phone": "13900000099", "scene": "login" }))
        .await;
    assert_eq!(many.code(), 429, "{}", many.body);
    // At a school's address there are no learners.
    school(&server).await;
    let there = server.anonymous().at_host(HOST);
    let refused = there.post(&format!("{LEARNER}/smsCode"), json!({ "phone": PHONE, "scene": "register" })).await;
    assert_eq!(refused.refused(), (403, "请从平台网站注册或登录"));
    there.challenge(PHONE, "client").await.data();
    let body = json!({ "loginName": PHONE, "loginPassword": server.cipher(OWN), "kind": "learner" });
    assert_eq!(there.post("/user/client/login", body).await.refused(), (403, "请从平台网站登录"));
}

#[tokio::test]
async fn whoever_forgot_the_password_signs_in_by_a_code() {
    let server = Server::start().await;
    register(&server, PHONE).await;
    let sent = code(&server, PHONE, "login").await;
    let wrong = if sent == "000000" { "000001" } else { "000000" };
    let refused = sign_in_by_code(&server, PHONE, wrong).await;
    assert_eq!(fields(&refused), ["smsCode: 验证码错误或已失效，还可尝试4次"]);
    let answer = sign_in_by_code(&server, PHONE, &sent).await;
    let own = with_token(&server, &answer);
    assert_eq!(sign_in_by_code(&server, PHONE, &sent).await.code(), 422, "a code serves once");
    own.put("/user/client/password", passwords(&server, "whatever", OTHER)).await.data();
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "密码已修改，请重新登录"));
    let own = with_token(&server, &sign_in(&server, PHONE, OTHER).await);
    // By the password one must know the former one; the fifth wrong one ends the session.
    for _ in 0..5 {
        let refused = own.put("/user/client/password", passwords(&server, "Wrong#2026qiu", OWN)).await;
        assert_eq!(fields(&refused), ["oldPassword: 原密码不正确"]);
    }
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (303, "您已被管理员强制下线"));
    // A code of five minutes ago is none.
    let late = code(&server, PHONE, "login").await;
    server.app.clock().shift(Duration::minutes(6));
    assert_eq!(sign_in_by_code(&server, PHONE, &late).await.code(), 422);
}

#[tokio::test]
async fn five_wrong_passwords_lock_the_phone_and_a_reset_opens_it() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let id = register(&server, PHONE).await;
    for left in [4, 3, 2, 1] {
        let told = format!("账号或密码错误，还可尝试{left}次");
        assert_eq!(sign_in(&server, PHONE, "Wrong#2026qiu").await.refused(), (422, told.as_str()));
    }
    assert_eq!(sign_in(&server, PHONE, "Wrong#2026qiu").await.code(), 429);
    assert_eq!(sign_in(&server, PHONE, OWN).await.code(), 429, "the right one does not help");
    // A stranger counts down alike.
    assert_eq!(sign_in(&server, "13900000098", OWN).await.refused(), (422, "账号或密码错误，还可尝试4次"));
    let told = operator.put(&format!("{EXT}/update/password"), json!({ "id": id })).await;
    let password = told.data()["password"].as_str().expect("a password").to_owned();
    let answer = sign_in(&server, PHONE, &password).await;
    assert_eq!(answer.data()["mustChangePassword"], json!(true));
    let own = with_token(&server, &answer);
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.refused(), (403, "请先修改密码"));
    own.put("/user/client/password", passwords(&server, &password, OTHER)).await.data();
    assert_eq!(sign_in(&server, PHONE, OTHER).await.data()["mustChangePassword"], json!(false));
    let shown = seen(&operator, id).await;
    let results: Vec<&str> =
        shown["signIns"].as_array().expect("sign-ins").iter().filter_map(|one| one["result"].as_str()).collect();
    assert_eq!(results[..2], ["登录成功", "登录成功"]);
    assert!(results.contains(&"密码错误") && results.contains(&"账号已锁定"), "{results:?}");
    let stale = operator.put(&format!("{EXT}/update/password"), json!({ "id": id, "version": 1 })).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
}

/// 01 §9.10 Learners (2).
#[tokio::test]
async fn disabling_ends_the_sessions_on_every_server() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let operator = server.operator().await;
    let (own, id) = entered(&server, PHONE).await;
    let view = format!("{LEARNER}/view");
    assert_eq!(own.at(&other).get(&view).await.code(), 200);
    let switch = async |enabled: bool| {
        operator.put(&format!("{EXT}/update/status"), json!({ "id": id, "enabled": enabled })).await
    };
    assert_eq!(switch(false).await.id(), id);
    assert_eq!(own.get(&view).await.refused(), (303, "账号已停用，请联系管理员"));
    other.catch_up().await;
    assert_eq!(own.at(&other).get(&view).await.code(), 303);
    assert_eq!(sign_in(&server, PHONE, OWN).await.refused(), (403, "账号已停用，请联系客服"));
    let refused = operator.post(&format!("{EXT}/grantVip"), json!({ "id": id, "vipSetId": 1 })).await;
    assert_eq!(refused.refused(), (409, "该学员已停用，请先启用"));
    assert_eq!(switch(true).await.id(), id);
    assert_eq!(sign_in(&server, PHONE, OWN).await.code(), 200);
    other.close().await;
}

#[tokio::test]
async fn a_learner_reaches_nothing_of_schools_and_of_the_console() {
    let server = Server::start().await;
    let (own, _) = entered(&server, PHONE).await;
    school(&server).await;
    let teacher = signed_in(&server).await;
    let stranger = (403, "当前身份不能访问");
    assert_eq!(own.get("/user/client/menu").await.refused(), stranger);
    assert_eq!(own.post("/user/pc/ext/list", json!({})).await.refused(), stranger);
    assert_eq!(own.get("/system/pc/sys/user/menu").await.refused(), stranger);
    assert_eq!(teacher.get(&format!("{LEARNER}/view")).await.refused(), stranger);
    assert_eq!(own.bare(Method::PUT, "/user/client/renew").await.refused(), (403, "当前不是代登录，无需续期"));
    // The inbox of a learner lies in the operators' area.
    assert_eq!(own.get("/user/client/msg/unread").await.data()["count"], json!(0));
    assert_eq!(own.post("/user/client/msg/list", json!({})).await.data()["totalCount"], json!(0));
    let form =
        json!({ "fileName": "a.pdf", "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "exam" });
    let ticket = own.post("/user/client/upload/presign", form).await.data().clone();
    let key = ticket["key"].as_str().expect("a key");
    assert!(key.contains("platform/"), "{key}");
    // Left alone for hours, it ends.
    server.app.clock().shift(Duration::hours(13));
    assert_eq!(own.get(&format!("{LEARNER}/view")).await.code(), 302);
}

/// 05 A1: a registration is given to the visit that led to it.
#[tokio::test]
async fn a_registration_is_counted_with_its_visit() {
    let server = Server::start().await;
    let visitor = server.anonymous();
    let visit = json!({ "page": "home", "terminal": "h5" });
    let key = visitor.post("/data/client/visit/save", visit).await.data()["visitorKey"].clone();
    let sent = code(&server, PHONE, "register").await;
    let body = json!({ "phone": PHONE, "password": server.cipher(OWN), "smsCode": sent, "visitorKey": key });
    visitor.post(&format!("{LEARNER}/register"), body).await.id();
    // Another one came without a browser that is known.
    register(&server, "13900000006").await;
    let operator = server.operator().await;
    let again = json!({ "screen": "from_statistics" });
    operator.post("/data/pc/statistics/refresh", again.clone()).await.data();
    let list = table(&operator, "/data/pc/fromStatistics/list", json!({ "own": true })).await;
    assert_eq!(list.figures("合计", &["pv", "learners"]), [json!(1.0), json!(1.0)]);
    server.app.clock().shift(Duration::seconds(61));
    operator.post("/data/pc/statistics/refresh", again).await.data();
    let kept: i64 = server.one("select sum(learners)::bigint from platform.visit_day").await;
    assert_eq!(kept, 1, "and once");
}
