//! Sign-in and session (01 §1.7, and the attacks of issue "system administration" that the foundation can already show).

use chrono::Duration;
use kit::{PASSWORD, Server, rows::manage, signed, within};
use serde_json::json;

const MENU: &str = "/system/pc/sys/user/menu";

#[tokio::test]
async fn an_operator_signs_in_and_is_logged() {
    let server = Server::start().await;
    let answer = server.anonymous().sign_in("operator", PASSWORD, "login").await;
    assert!(answer.data()["token"].is_string());
    assert_eq!(answer.data()["schoolId"], json!(null));
    let logged: i64 = server
        .one("select count(*) from platform.login_log where login_name = 'operator' and event = 'login' and success and ip <> ''")
        .await;
    assert_eq!(logged, 1);
}

#[tokio::test]
async fn a_captured_login_does_not_work_twice() {
    let server = Server::start().await;
    let thief = server.anonymous();
    thief.challenge("operator", "login").await;
    let body = json!({ "loginName": "operator", "loginPassword": server.cipher(PASSWORD) });
    assert_eq!(thief.post("/system/pc/api/sys/user/login", body.clone()).await.code(), 200);
    let again = thief.post("/system/pc/api/sys/user/login", body).await;
    assert_eq!(again.refused(), (409, "登录校验已失效，请重试"));
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_session").await, 1);
    let replays: i64 = server
        .one("select count(*) from platform.login_log where event = 'login_failed' and reason = 'replay' and user_id is not null")
        .await;
    assert_eq!(replays, 1);
}

#[tokio::test]
async fn a_challenge_is_used_once_and_by_a_right_clock() {
    let server = Server::start().await;
    let caller = server.anonymous();
    let now = server.app.clock().now().timestamp_millis();
    let body = signed("operator", "login", now, 1234);
    assert_eq!(caller.post("/system/pc/api/sys/user/authenticate", body.clone()).await.code(), 200);
    let again = caller.post("/system/pc/api/sys/user/authenticate", body).await;
    assert_eq!(again.refused(), (409, "请求重复，请重试"));
    let late = caller.challenge_at("operator", "login", now - 301_000).await;
    assert_eq!(late.refused(), (400, "请求已过期，请校准本机时间后重试"));
    let mut forged = signed("operator", "login", now, 77);
    forged["signatureNonce"] = json!(78);
    assert_eq!(caller.post("/system/pc/api/sys/user/authenticate", forged).await.refused(), (400, "签名错误"));
}

#[tokio::test]
async fn five_wrong_passwords_lock_for_a_quarter_of_an_hour() {
    let server = Server::start().await;
    let caller = server.anonymous();
    for name in ["operator", "nobody-at-all"] {
        for left in [4, 3, 2, 1] {
            let answer = caller.sign_in(name, "Wrong#2026qiu", "login").await;
            assert_eq!(answer.refused(), (422, format!("账号或密码错误，还可尝试{left}次").as_str()));
        }
        let fifth = caller.sign_in(name, "Wrong#2026qiu", "login").await;
        assert_eq!(fifth.refused(), (429, "密码连续输错5次，账号已锁定，请15分钟后再试"));
    }
    server.app.clock().shift(Duration::minutes(14));
    let right = caller.sign_in("operator", PASSWORD, "login").await;
    assert_eq!(right.refused(), (429, "密码连续输错5次，账号已锁定，请1分钟后再试"));
    server.app.clock().shift(Duration::seconds(61));
    assert_eq!(caller.sign_in("operator", PASSWORD, "login").await.code(), 200);
}

/// 01 §1.4.5: thirty failures of one address within ten minutes shut it out for ten, whoever signs in and however rightly.
#[tokio::test]
async fn thirty_failures_shut_an_address_out() {
    let server = Server::start().await;
    let caller = server.anonymous();
    for n in 1..=30 {
        let wrong = caller.sign_in(&format!("nobody{n}"), "Wrong#2026qiu", "login").await;
        assert_eq!(wrong.refused(), (422, "账号或密码错误，还可尝试4次"), "{n}");
    }
    let often = (429, "操作过于频繁，请稍后再试");
    assert_eq!(caller.sign_in("operator", PASSWORD, "login").await.refused(), often);
    server.app.clock().shift(Duration::minutes(9));
    assert_eq!(caller.sign_in("operator", PASSWORD, "login").await.refused(), often);
    server.app.clock().shift(Duration::seconds(61));
    assert_eq!(caller.sign_in("operator", PASSWORD, "login").await.code(), 200);
}

/// However many are tried at once, five are tried.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_wrong_passwords_at_once_five_are_tried() {
    let server = Server::start().await;
    let known = server.account(1, &[], "whole_school", &[]).await;
    for (name, at_once) in [(known.as_str(), 12), ("nobody-at-all", 60)] {
        let caller = server.anonymous();
        for _ in 0..at_once {
            assert_eq!(caller.challenge(name, "schoolLogin").await.code(), 200);
        }
        let tries = (0..at_once).map(|_| {
            let body = json!({ "loginName": name, "loginPassword": server.cipher("Wrong#2026qiu") });
            let caller = caller.clone();
            async move { caller.post("/system/pc/api/sys/user/schoolLogin", body).await }
        });
        let mut told: Vec<String> =
            futures_util::future::join_all(tries).await.iter().map(|answer| answer.msg().to_owned()).collect();
        told.sort_unstable();
        let tried: i64 = server
            .one(&format!(
                "select count(*) from platform.login_log where login_name = '{name}' and reason in ('wrong_password', 'unknown_account')"
            ))
            .await;
        let locked: i64 = server
            .one(&format!("select count(*) from platform.login_log where login_name = '{name}' and reason = 'locked'"))
            .await;
        assert_eq!((tried, locked), (5, at_once - 5), "{told:?}");
        let left: Vec<&String> = told.iter().filter(|text| text.starts_with("账号或密码错误，还可尝试")).collect();
        assert_eq!(
            left,
            [
                "账号或密码错误，还可尝试1次",
                "账号或密码错误，还可尝试2次",
                "账号或密码错误，还可尝试3次",
                "账号或密码错误，还可尝试4次"
            ]
        );
        let locks: i32 =
            server.one(&format!("select locks_in_24h from platform.sys_login_guard where key = 'u:{name}'")).await;
        assert_eq!(locks, 1);
    }
    let right = server.anonymous().sign_in(&known, PASSWORD, "schoolLogin").await;
    assert_eq!(right.refused(), (429, "密码连续输错5次，账号已锁定，请15分钟后再试"));
    server.app.clock().shift(Duration::minutes(16));
    // The first try after a lock counts from the beginning, and a right one is no lock.
    let wrong = server.anonymous().sign_in(&known, "Wrong#2026qiu", "schoolLogin").await;
    assert_eq!(wrong.refused(), (422, "账号或密码错误，还可尝试4次"));
    for left in [3, 2, 1] {
        let wrong = server.anonymous().sign_in(&known, "Wrong#2026qiu", "schoolLogin").await;
        assert_eq!(wrong.refused(), (422, format!("账号或密码错误，还可尝试{left}次").as_str()));
    }
    assert_eq!(server.anonymous().sign_in(&known, PASSWORD, "schoolLogin").await.code(), 200);
    let locks: i32 =
        server.one(&format!("select locks_in_24h from platform.sys_login_guard where key = 'u:{known}'")).await;
    assert_eq!(locks, 1);
    // The second lock within a day lasts an hour.
    for _ in 0..4 {
        server.anonymous().sign_in(&known, "Wrong#2026qiu", "schoolLogin").await;
    }
    let again = server.anonymous().sign_in(&known, "Wrong#2026qiu", "schoolLogin").await;
    assert_eq!(again.refused(), (429, "密码连续输错5次，账号已锁定，请60分钟后再试"));
}

/// What is open before a password is changed is the list of 01 §1.4.11, and nothing else of the document.
#[tokio::test]
async fn before_the_password_is_changed_six_calls_are_open() {
    let server = Server::start().await;
    let name = server.account(1, &[], "whole_school", &[]).await;
    server.run(&format!("update platform.sys_user set must_change_password = true where login_name = '{name}'")).await;
    let person = server.signed_in(&name, "schoolLogin").await;
    let document = openapi::document::document();
    let mut open = std::collections::BTreeSet::new();
    for (method, path, operation) in openapi::document::operations(document) {
        let permission = operation["x-permission"].as_str().expect("a permission");
        if operation["x-area"] == json!("client") || permission == "public" {
            continue;
        }
        let method: poem::http::Method = method.parse().expect("a method");
        let answer = person.json(method.clone(), &path.replace("{type}", "siteKind"), &json!({})).await;
        if answer.refused() != (403, "请先修改密码") {
            open.insert(format!("{method} {path}"));
        }
    }
    let listed = [
        "GET /system/pc/api/sys/user/getSchoolAccountInfo",
        "GET /system/pc/sys/school/user/menu",
        "GET /system/pc/sys/user/menu",
        "GET /system/pc/sys/user/permission",
        "PUT /system/pc/sys/user/update/password/current",
    ];
    assert_eq!(open.iter().map(String::as_str).collect::<Vec<_>>(), listed);
    // Signing out and the site's own information ask for no session at all.
    for path in ["/system/pc/sys/user/logout", "/system/pc/sys/config/get"] {
        assert_eq!(document["paths"][path]["post"]["x-permission"], json!("public"), "{path}");
    }
    assert_eq!(person.post("/system/pc/sys/config/get", json!({})).await.code(), 200);
    assert_eq!(person.post("/system/pc/sys/user/logout", json!({})).await.code(), 200);
}

#[tokio::test]
async fn a_clear_text_password_is_refused() {
    let server = Server::start().await;
    let caller = server.anonymous();
    caller.challenge("operator", "login").await;
    let answer =
        caller.post("/system/pc/api/sys/user/login", json!({ "userName": "operator", "password": PASSWORD })).await;
    assert_eq!(answer.refused(), (422, "密码解密失败，请刷新页面后重试"));
}

#[tokio::test]
async fn entrances_are_told_apart() {
    let server = Server::start().await;
    let caller = server.anonymous();
    let staff = caller.sign_in("demo01_admin", PASSWORD, "login").await;
    assert_eq!(staff.refused(), (403, "该账号不是平台账号，请从院校入口登录"));
    let operator = caller.sign_in("operator", PASSWORD, "schoolLogin").await;
    assert_eq!(operator.refused(), (403, "该账号不是院校账号，请从平台入口登录"));
    server.run("update platform.school set domain = 'dh.example.cn' where id = 1").await;
    let elsewhere = caller.at_host("dh.example.cn").sign_in("demo02_admin", PASSWORD, "schoolLogin").await;
    assert_eq!(elsewhere.refused(), (403, "账号未绑定该院校"));
    server.run("update platform.sys_user set enabled = false where login_name = 'demo02_admin'").await;
    let closed = caller.sign_in("demo02_admin", PASSWORD, "schoolLogin").await;
    assert_eq!(closed.refused(), (403, "账号已停用，请联系管理员"));
}

#[tokio::test]
async fn a_new_sign_in_ends_the_older_ones_and_their_entries() {
    let server = Server::start().await;
    let first = server.operator().await;
    let inside = first.get("/system/pc/api/sys/user/createSchoolToken?id=2").await.data()["token"].clone();
    let inside = first.with_token(inside.as_str());
    assert_eq!(inside.get("/system/pc/sys/school/user/menu").await.code(), 200);
    server.operator().await;
    for session in [first, inside] {
        let answer = session.get("/system/pc/sys/user/permission").await;
        assert_eq!(answer.refused(), (303, "账号已在其他设备登录，请重新登录"));
    }
}

#[tokio::test]
async fn an_operator_enters_only_schools_of_his_own_and_cannot_name_another() {
    let server = Server::start().await;
    manage(&server, "operator", &[1]).await;
    let operator = server.operator().await;
    let refused = operator.get("/system/pc/api/sys/user/createSchoolToken?id=2").await;
    assert_eq!(refused.refused(), (403, "没有进入该院校的权限"));
    let entered = operator.get("/system/pc/api/sys/user/createSchoolToken?id=1").await;
    assert_eq!(entered.data()["schoolId"], json!(1));
    // Whoever says nothing is known to have said nothing, on both sides (01 §1.4.8).
    let reason: String = server.one("select reason from platform.login_log where event = 'school_enter'").await;
    let trail: String = server.one("select changes::text from school_1.audit_log where action = 'enter'").await;
    assert!(reason == "未填写原因" && trail.contains("未填写原因"), "{reason} {trail}");
    let inside = operator.with_token(entered.data()["token"].as_str());
    let named = inside.get("/system/pc/sys/school/user/menu?schoolId=2").await;
    assert_eq!((named.status, named.refused()), (400, (400, "请求参数不正确")));
    let in_body = inside.post("/system/pc/job/list", json!({ "schoolId": 2 })).await;
    assert_eq!(in_body.refused(), (400, "请求参数不正确"));
    let header =
        inside.with_header(poem::http::Method::POST, "/system/pc/job/list", ("schoolId", "2"), &json!({})).await;
    assert_eq!(header.refused(), (400, "请求参数不正确"));
    server.run("update platform.school set provision_state = 'failed', provision_error = 'x' where id = 1").await;
    server.tell("school:1").await;
    let unfinished = operator.get("/system/pc/api/sys/user/createSchoolToken?id=1").await;
    assert_eq!(unfinished.refused(), (409, "院校未开通完成"));
}

#[tokio::test]
async fn leaving_a_school_ends_the_entry_and_leads_back() {
    let server = Server::start().await;
    let inside = server.operator_in(2).await;
    let reason: String = server.one("select reason from platform.login_log where event = 'school_enter'").await;
    assert_eq!(reason, "支持工作");
    let noted: i64 = server.one("select count(*) from school_2.audit_log where action = 'enter'").await;
    assert_eq!(noted, 1);
    let back = inside.post("/system/pc/sys/user/leaveSchool", json!({})).await;
    let outside = inside.with_token(back.data()["token"].as_str());
    assert_eq!(inside.get("/system/pc/sys/school/user/menu").await.refused(), (303, "请重新登录"));
    assert_eq!(outside.get(MENU).await.code(), 200);
    assert_eq!(
        outside.get("/system/pc/sys/school/user/menu").await.refused(),
        (403, "当前身份与所选区域不一致，请重新进入")
    );
}

/// 01 §1.4.8, 05 E1: both sides keep the exit, whichever way it came; a token whose half hour is over still leads back.
#[tokio::test]
async fn each_way_out_of_a_school_is_kept_by_both_sides() {
    let server = Server::start().await;
    let ways = || async {
        let how: Option<Vec<String>> = server
            .one(
                "select array_agg(jsonb_path_query_first(changes, '$[*] ? (@.field == \"how\").after') #>> '{}' order by id) from (
                     select id, changes from school_1.audit_log where action = 'leave'
                     union all select id, changes from school_2.audit_log where action = 'leave') t",
            )
            .await;
        how.unwrap_or_default()
    };
    let exits = "platform.login_log where event = 'school_leave'";
    let inside = server.operator_in(2).await;
    let hop = inside.get("/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E5%B7%A1%E6%9F%A5").await;
    assert_eq!(ways().await, ["转入其他院校"]);
    let inside = inside.with_token(hop.data()["token"].as_str());
    let back = inside.post("/system/pc/sys/user/leaveSchool", json!({})).await;
    assert_eq!(back.code(), 200, "{}", back.body);
    assert_eq!(server.one::<i64>(&format!("select count(*) from {exits}")).await, 2);
    server
        .wait_until("select exists (select from platform.sys_log where path = '/system/pc/sys/user/leaveSchool' and school_id = 1)")
        .await;

    let outside = inside.with_token(back.data()["token"].as_str());
    let entered = outside.get("/system/pc/api/sys/user/createSchoolToken?id=2&reason=%E5%B7%A1%E6%9F%A5").await;
    let inside = outside.with_token(entered.data()["token"].as_str());
    server.app.clock().shift(Duration::minutes(31));
    assert_eq!(inside.get("/system/pc/sys/school/user/menu").await.code(), 302);
    let every =
        infra::schedule::Schedule { when: infra::schedule::When::Every { minutes: 1 }, ..sign_in::expiry::SCHEDULE };
    assert_eq!(infra::schedule::queue_due(&server.app, [every]).await.expect("queued"), 1);
    server.wait_until(&format!("select count(*) = 3 from {exits}")).await;
    let how: String = server
        .one("select jsonb_path_query_first(changes, '$[*] ? (@.field == \"how\").after') #>> '{}' from school_2.audit_log where action = 'leave' order by id desc limit 1")
        .await;
    assert_eq!(how, "到时返回");
    // The way back is open all the same, and is not counted as a second exit.
    let back = inside.post("/system/pc/sys/user/leaveSchool", json!({})).await;
    assert_eq!(back.code(), 200, "{}", back.body);
    assert_eq!(server.one::<i64>(&format!("select count(*) from {exits}")).await, 3);
    let outside = inside.with_token(back.data()["token"].as_str());
    assert_eq!(outside.get(MENU).await.code(), 200);
}

/// The host of the operators is theirs also where a school claims it as its domain.
#[tokio::test]
async fn operators_sign_in_at_their_own_host_where_one_is_named() {
    let server = Server::with(|config| config.server.operator_hosts = vec!["ops.example.cn".to_owned()]).await;
    server.run("update platform.school set domain = 'ops.example.cn' where id = 2").await;
    let client = server.anonymous();
    let elsewhere = client.sign_in("operator", PASSWORD, "login").await;
    assert_eq!(elsewhere.refused(), (403, "平台账号请从平台网址登录"));
    let theirs = client.at_host("OPS.example.cn:8443");
    assert_eq!(theirs.sign_in("operator", PASSWORD, "login").await.code(), 200);
    let site = theirs.post("/system/pc/sys/config/get", json!({})).await;
    assert_eq!(site.data()["schoolId"], json!(null), "{}", site.body);
}

/// 01 §1.4.5: who sends nothing but wrong challenges is shut out as well.
#[tokio::test]
async fn refused_challenges_count_for_the_address() {
    let server = Server::start().await;
    server.run("update platform.sys_param set value = '3' where code = 'auth.ipPerMinute'").await;
    server.tell("param:").await;
    let client = server.anonymous();
    let old = server.app.clock().now().timestamp_millis() - 3_600_000;
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(client.challenge_at("operator", "login", old).await.code());
    }
    assert_eq!(codes, [400, 400, 400, 429]);
}

#[tokio::test]
async fn an_entry_lasts_half_an_hour_unless_renewed() {
    let server = Server::start().await;
    let inside = server.operator_in(1).await;
    server.app.clock().shift(Duration::minutes(29));
    let renewed = inside.put("/system/pc/sys/user/renew", json!({})).await;
    let renewed = inside.with_token(renewed.data()["token"].as_str());
    server.app.clock().shift(Duration::minutes(2));
    assert_eq!(inside.get("/system/pc/sys/user/permission").await.refused(), (302, "登录已过期，请重新登录"));
    assert_eq!(renewed.get("/system/pc/sys/user/permission").await.code(), 200);
    server.app.clock().shift(Duration::minutes(29));
    assert_eq!(renewed.get("/system/pc/sys/user/permission").await.code(), 302);
}

#[tokio::test]
async fn a_session_ends_after_two_idle_hours_and_after_twelve_at_the_latest() {
    let server = Server::start().await;
    let operator = server.operator().await;
    for _ in 0..5 {
        server.app.clock().shift(Duration::minutes(119));
        assert_eq!(operator.get(MENU).await.code(), 200);
    }
    server.app.clock().shift(Duration::minutes(121));
    assert_eq!(operator.get(MENU).await.refused(), (302, "登录已过期，请重新登录"));
    assert_eq!(server.one::<i64>("select count(*) from platform.login_log where event = 'idle'").await, 1);
}

#[tokio::test]
async fn a_changed_password_ends_every_session() {
    let server = Server::start().await;
    let admin = server.admin_of(1).await;
    // The first administrator must change the password before anything else.
    assert_eq!(admin.post("/system/pc/job/list", json!({})).await.refused(), (403, "请先修改密码"));
    let change = |old: &str, new: &str, confirm: &str| json!({ "oldPassword": server.cipher(old), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(confirm) });
    const CALL: &str = "/system/pc/sys/user/update/password/current";
    let differs = admin.put(CALL, change(PASSWORD, "Other#2026qiu", "Other#2026qiv")).await;
    assert_eq!(differs.refused(), (422, "登录密码和确认密码不一致"));
    assert_eq!(
        admin.put(CALL, change("Wrong#2026qiu", "Other#2026qiu", "Other#2026qiu")).await.refused(),
        (422, "原密码不正确")
    );
    let weak = admin.put(CALL, change(PASSWORD, "short", "short")).await;
    assert_eq!(weak.refused(), (422, "密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"));
    let common = admin.put(CALL, change(PASSWORD, "Password1", "Password1")).await;
    assert_eq!(common.refused(), (422, "密码过于简单，请更换"));
    let former = admin.put(CALL, change(PASSWORD, PASSWORD, PASSWORD)).await;
    assert_eq!(former.refused(), (422, "新密码不能与最近5次使用过的密码相同"));
    assert_eq!(admin.put(CALL, change(PASSWORD, "Other#2026qiu", "Other#2026qiu")).await.code(), 200);
    assert_eq!(admin.get("/system/pc/sys/user/permission").await.refused(), (303, "密码已修改，请重新登录"));
    assert_eq!(server.anonymous().sign_in("demo01_admin", "Other#2026qiu", "schoolLogin").await.code(), 200);
}

#[tokio::test]
async fn a_sign_out_is_heard_by_every_server_at_once() {
    let server = Server::start().await;
    let other = Server::beside(&server).await;
    let operator = server.operator().await;
    assert_eq!(operator.at(&other).get(MENU).await.code(), 200);
    assert_eq!(operator.post("/system/pc/sys/user/logout", json!({})).await.data(), &json!(true));
    let ended = async || operator.at(&other).get(MENU).await.code() == 303;
    within(1, "the other server no longer believes in the session", ended).await;
    assert_eq!(
        server.anonymous().with_token(Some("nonsense")).post("/system/pc/sys/user/logout", json!({})).await.data(),
        &json!(true)
    );
}

#[tokio::test]
async fn no_token_a_wrong_one_and_a_machine_token_are_told_to_sign_in() {
    let server = Server::start().await;
    let caller = server.anonymous();
    for (token, msg) in
        [(None, "请先登录"), (Some("x.y.z"), "请先登录"), (Some("cjm_secret"), "机器令牌无效，请检查后重试")]
    {
        assert_eq!(caller.with_token(token).get(MENU).await.refused(), (301, msg));
    }
}
