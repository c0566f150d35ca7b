//! 我的账号: profile, sessions and the second step of signing in.

use chrono::Duration;
use kit::{Answer, Client, PASSWORD, Server};
use serde_json::{Value, json};

const USER: &str = "/system/pc/sys/user";
const TOTP: &str = "/system/pc/sys/user/totp";

/// What an authenticator shows for a Base32 secret at this moment of the server's clock.
fn code_at(server: &Server, secret: &str, shift_seconds: i64) -> String {
    let bytes = totp_rs::Secret::Encoded(secret.to_owned()).to_bytes().expect("Base32");
    let totp =
        totp_rs::TOTP::new(totp_rs::Algorithm::SHA1, 6, 1, 30, bytes, None, String::new()).expect("a right secret");
    totp.generate((server.app.clock().now().timestamp() + shift_seconds).unsigned_abs())
}

/// Switches the second step on; answers the secret and the recovery codes. The code's half minute has just begun, and lasts.
async fn begins(server: &Server, client: &Client<'_>) -> (String, Vec<String>) {
    let clock = server.app.clock();
    clock.shift(Duration::seconds(30 - clock.now().timestamp() % 30));
    let begun = client.post(&format!("{TOTP}/begin"), json!({ "oldPassword": server.cipher(PASSWORD) })).await;
    let secret = begun.data()["secret"].as_str().expect("a secret").to_owned();
    let url = begun.data()["url"].as_str().expect("an address");
    assert!(url.starts_with("otpauth://totp/") && url.contains(&secret), "{url}");
    let confirmed = client.post(&format!("{TOTP}/confirm"), json!({ "code": code_at(server, &secret, 0) })).await;
    let codes = confirmed.data()["recoveryCodes"].as_array().expect("codes").iter();
    (secret, codes.filter_map(Value::as_str).map(ToOwned::to_owned).collect())
}

/// The second step: everything again, with the code.
async fn sign_in_with(server: &Server, login_name: &str, call: &str, code: &str) -> Answer {
    let client = server.anonymous();
    client.challenge(login_name, call).await;
    let body = json!({ "loginName": login_name, "loginPassword": server.cipher(PASSWORD), "totpCode": code });
    client.post(&format!("/system/pc/api/sys/user/{call}"), body).await
}

#[tokio::test]
async fn a_person_keeps_his_own_profile() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let seen = operator.get(&format!("{USER}/view/current")).await;
    assert_eq!((&seen.data()["loginName"], &seen.data()["totpEnabled"]), (&json!("operator"), &json!(false)));
    let edit = |version: &Value, phone: &str| {
        json!({ "version": version, "realName": "运营甲", "phone": phone, "email": "ops@example.cn", "gender": "female",
                "avatar": "/admin/files/x.png" })
    };
    let version = seen.data()["version"].clone();
    assert_eq!(
        operator.put(&format!("{USER}/edit/current"), edit(&version, "12345")).await.refused(),
        (422, "手机号应为11位手机号")
    );
    assert_eq!(operator.put(&format!("{USER}/edit/current"), edit(&version, "13800000011")).await.code(), 200);
    let stale = operator.put(&format!("{USER}/edit/current"), edit(&version, "13800000011")).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
    let seen = operator.get(&format!("{USER}/view/current")).await;
    assert_eq!((&seen.data()["realName"], &seen.data()["phone"]), (&json!("运营甲"), &json!("138****0011")));
    // What came back masked was not typed.
    assert_eq!(
        operator.put(&format!("{USER}/edit/current"), edit(&seen.data()["version"], "138****0011")).await.code(),
        200
    );
    assert_eq!(
        server.one::<String>("select phone from platform.sys_user where login_name = 'operator'").await,
        "13800000011"
    );
    let info = operator.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
    assert_eq!((&info.data()["realName"], &info.data()["avatar"]), (&json!("运营甲"), &json!("/admin/files/x.png")));
    assert_eq!(info.data()["serverVersion"], json!(infra::release::VERSION));
    let trail: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'sys_user' and action = 'update' and changes::text like '%运营甲%'")
        .await;
    assert_eq!(trail, 1);
    let staff = server.staff(1, &[]).await;
    let taken = {
        let seen = staff.get(&format!("{USER}/view/current")).await;
        staff.put(&format!("{USER}/edit/current"), edit(&seen.data()["version"], "13800000011")).await
    };
    assert_eq!(taken.refused(), (422, "手机号已被其他账号使用"));
}

#[tokio::test]
async fn each_session_of_ones_own_can_be_ended_and_nobody_elses() {
    let server = Server::start().await;
    server
        .run("insert into platform.sys_param (code, value, updated_by) values ('session.single', 'false', 0) on conflict (code) do update set value = 'false'")
        .await;
    let (first, second) = (server.operator().await, server.operator().await);
    let entered = second.get("/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E6%A0%B8%E5%AF%B9").await;
    let inside = second.with_token(entered.data()["token"].as_str());
    let list = first.get(&format!("{USER}/session/list")).await;
    let rows = list.data().as_array().expect("a list");
    assert_eq!(rows.len(), 3, "{}", list.body);
    assert_eq!(rows.iter().filter(|row| row["current"] == json!(true)).count(), 1);
    let of = |test: &dyn Fn(&Value) -> bool| rows.iter().find(|row| test(row)).expect("a session")["id"].clone();
    let school = of(&|row| row["schoolName"] == json!("东湖示范学院"));
    let root = of(&|row| row["current"] == json!(false) && row["entered"] == json!(false));
    let current = of(&|row| row["current"] == json!(true));
    let end = |id: &Value| format!("{USER}/session/delete?id={}", id.as_str().expect("an id"));
    assert_eq!(first.delete(&end(&current)).await.refused(), (409, "当前登录请使用退出登录"));
    let staff = server.staff(1, &[]).await;
    assert_eq!(staff.delete(&end(&root)).await.code(), 404);
    assert_eq!(first.delete(&end(&school)).await.code(), 200);
    assert_eq!(inside.get(&format!("{USER}/permission")).await.refused(), (303, "请重新登录"));
    assert_eq!(second.get(&format!("{USER}/permission")).await.code(), 200);
    assert_eq!(first.delete(&end(&root)).await.code(), 200);
    assert_eq!(second.get(&format!("{USER}/permission")).await.code(), 303);
    assert_eq!(first.delete(&end(&root)).await.code(), 404);
    assert_eq!(first.get(&format!("{USER}/session/list")).await.data().as_array().map(Vec::len), Some(1));
    assert_eq!(first.delete(&format!("{USER}/session/delete?id=nonsense")).await.code(), 400);
}

#[tokio::test]
async fn a_code_is_asked_for_after_the_password_and_opens_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let wrong = operator.post(&format!("{TOTP}/begin"), json!({ "oldPassword": server.cipher("Wrong#2026qiu") })).await;
    assert_eq!(wrong.refused(), (422, "原密码不正确"));
    let (secret, codes) = begins(&server, &operator).await;
    assert_eq!(codes.len(), 10);
    let sealed: i64 = server
        .one(&format!("select count(*) from platform.sys_user_totp t where t::text like '%{}%' or encode(sealed, 'escape') like '%{secret}%'", codes[0]))
        .await;
    assert_eq!(sealed, 0);
    let first = server.anonymous().sign_in("operator", PASSWORD, "login").await;
    assert_eq!(first.refused(), (422, "请输入动态验证码"));
    assert_eq!(first.body["data"][0]["field"], json!("totpCode"));
    // The code that confirmed was used; the next step's is fresh.
    let used = sign_in_with(&server, "operator", "login", &code_at(&server, &secret, 0)).await;
    assert_eq!(used.refused(), (422, "动态验证码错误，还可尝试4次"));
    server.app.clock().shift(Duration::seconds(30));
    let code = code_at(&server, &secret, 0);
    assert!(sign_in_with(&server, "operator", "login", &code).await.data()["token"].is_string());
    let again = sign_in_with(&server, "operator", "login", &code).await;
    assert_eq!(again.code(), 422, "a code opens once");
    let logged: i64 = server.one("select count(*) from platform.login_log where reason = 'wrong_code'").await;
    assert_eq!(logged, 2);
    // A recovery code takes its place, once, however it is typed.
    let typed = codes[0].to_lowercase().replace('-', "");
    assert!(sign_in_with(&server, "operator", "login", &typed).await.data()["token"].is_string());
    assert_eq!(sign_in_with(&server, "operator", "login", &codes[0]).await.code(), 422);
}

#[tokio::test]
async fn wrong_codes_lock_like_wrong_passwords() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (secret, _) = begins(&server, &operator).await;
    for left in [4, 3, 2, 1] {
        let refused = sign_in_with(&server, "operator", "login", "000000").await;
        assert_eq!(refused.refused(), (422, format!("动态验证码错误，还可尝试{left}次").as_str()));
        // A right password alone neither counts nor clears.
        assert_eq!(server.anonymous().sign_in("operator", PASSWORD, "login").await.code(), 422);
    }
    assert_eq!(sign_in_with(&server, "operator", "login", "000000").await.code(), 429);
    server.app.clock().shift(Duration::minutes(14));
    assert_eq!(sign_in_with(&server, "operator", "login", &code_at(&server, &secret, 0)).await.code(), 429);
    server.app.clock().shift(Duration::seconds(61));
    assert_eq!(sign_in_with(&server, "operator", "login", &code_at(&server, &secret, 0)).await.code(), 200);
}

#[tokio::test]
async fn recovery_codes_are_renewed_and_the_second_step_is_given_up_with_password_and_code() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (secret, codes) = begins(&server, &operator).await;
    server.app.clock().shift(Duration::seconds(30));
    let proof = |code: &str| json!({ "oldPassword": server.cipher(PASSWORD), "code": code });
    assert_eq!(operator.post(&format!("{TOTP}/recovery"), proof("000000")).await.refused(), (422, "动态验证码不正确"));
    let renewed = operator.post(&format!("{TOTP}/recovery"), proof(&code_at(&server, &secret, 0))).await;
    let fresh = renewed.data()["recoveryCodes"].as_array().expect("codes").clone();
    assert_eq!(fresh.len(), 10);
    assert_eq!(sign_in_with(&server, "operator", "login", &codes[1]).await.code(), 422);
    assert_eq!(operator.get(&format!("{USER}/view/current")).await.data()["recoveryCodesLeft"], json!(10));
    let twice = operator.post(&format!("{TOTP}/begin"), json!({ "oldPassword": server.cipher(PASSWORD) })).await;
    assert_eq!(twice.code(), 409);
    let given_up = operator.post(&format!("{TOTP}/disable"), proof(fresh[0].as_str().expect("a code"))).await;
    assert_eq!(given_up.code(), 200, "{}", given_up.body);
    assert_eq!(server.anonymous().sign_in("operator", PASSWORD, "login").await.code(), 200);
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_recovery_code").await, 0);
}

#[tokio::test]
async fn a_role_can_ask_for_the_second_step() {
    let server = Server::start().await;
    let staff = server.staff(1, &["adult:pc:grade:list"]).await;
    assert_eq!(staff.post("/adult/pc/grade/list", json!({})).await.code(), 200);
    // As an administrator does it in the role's form; the role is the school's own.
    let role: i64 = server.one("select max(id) from platform.sys_role").await;
    let admin = {
        server.run("update platform.sys_user set must_change_password = false where login_name = 'demo01_admin'").await;
        server.admin_of(1).await
    };
    let view = admin.get(&format!("/system/pc/sys/role/view?id={role}")).await.data().clone();
    let edit = json!({ "id": role, "version": view["version"], "roleName": view["roleName"], "kind": "own",
                       "dataScope": "whole_school", "totpRequired": true });
    assert_eq!(admin.put("/system/pc/sys/role/edit", edit).await.code(), 200);
    assert_eq!(staff.post("/adult/pc/grade/list", json!({})).await.refused(), (403, "请先启用两步验证"));
    let info = staff.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
    assert_eq!(info.data()["mustSetTotp"], json!(true));
    let (secret, _) = begins(&server, &staff).await;
    assert_eq!(staff.post("/adult/pc/grade/list", json!({})).await.code(), 200);
    server.app.clock().shift(Duration::seconds(30));
    let proof = json!({ "oldPassword": server.cipher(PASSWORD), "code": code_at(&server, &secret, 0) });
    let refused = staff.post(&format!("{TOTP}/disable"), proof).await;
    assert_eq!(refused.refused(), (409, "您的角色要求启用两步验证，不能停用"));
    // schoolLogin asks for the code too.
    let name: String = server.one(&format!("select login_name from platform.sys_user u join platform.sys_user_role r on r.user_id = u.id where r.role_id = {role}")).await;
    assert_eq!(server.anonymous().sign_in(&name, PASSWORD, "schoolLogin").await.refused(), (422, "请输入动态验证码"));
    let entered = sign_in_with(&server, &name, "schoolLogin", &code_at(&server, &secret, 0)).await;
    assert!(entered.data().is_string());
}

#[tokio::test]
async fn an_administrator_resets_the_second_step_with_the_password() {
    let server = Server::start().await;
    let root = server.operator().await;
    let staff = server.staff(1, &[]).await;
    begins(&server, &staff).await;
    let (id, name): (i64, String) = sqlx::query_as(
        "select id, login_name from platform.sys_user where user_type = 'school' order by id desc limit 1",
    )
    .fetch_one(&mut server.owner().await)
    .await
    .expect("the account");
    let list = root.get(&format!("/system/pc/sys/school/user/selectPageList?loginName={name}")).await;
    assert_eq!(list.data()["list"][0]["totpEnabled"], json!(true));
    let reset = json!({ "userId": id, "oldPassword": server.cipher(PASSWORD), "loginPassword": server.cipher("Xian#2027qiu"),
                        "confirmPassword": server.cipher("Xian#2027qiu"), "resetTotp": true });
    assert_eq!(root.put("/system/pc/sys/school/user/update/password", reset).await.code(), 200);
    let entered = server.anonymous().sign_in(&name, "Xian#2027qiu", "schoolLogin").await;
    assert_eq!(entered.code(), 200, "{}", entered.body);
    let trail: i64 = server
        .one(&format!("select count(*) from platform.audit_log where entity_id = {id} and changes::text like '%totp%' and actor_name = '运营一'"))
        .await;
    assert_eq!(trail, 1);
}
