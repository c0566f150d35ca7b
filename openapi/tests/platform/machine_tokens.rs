//! 机器令牌: programs call with some of a person's rights, and never with more than they have at that moment (00 §8).

use chrono::Duration;
use kit::{Answer, Client, PASSWORD, Server, accounts::operator_with, within};
use poem::http::Method;
use serde_json::{Value, json};

const TOKEN: &str = "/system/pc/sys/machineToken";
const SCHOOL: &str = "/system/pc/sys/school";
const GRADE: &str = "/adult/pc/grade";
const MANAGER: [&str; 6] = [
    "system:pc:sys:machineToken:list",
    "system:pc:sys:machineToken:save",
    "system:pc:sys:machineToken:delete",
    "system:pc:sys:machineToken:update:status",
    "system:pc:sys:school:view",
    "system:pc:sys:school:list",
];

fn new_token(server: &Server, codes: &[&str]) -> Value {
    let end = server.app.clock().now() + Duration::days(30);
    json!({ "name": "terraform", "permissionCodes": codes, "schoolScope": "all", "expiresAt": end.to_rfc3339() })
}

/// Issues a token and calls with it.
pub(crate) async fn issued<'s>(server: &'s Server, owner: &Client<'s>, codes: &[&str]) -> (i64, Client<'s>) {
    let saved = owner.post(&format!("{TOKEN}/save"), new_token(server, codes)).await;
    (saved.id(), server.anonymous().with_token(saved.data()["secret"].as_str()))
}

async fn in_school(client: &Client<'_>, school: i64, method: Method, path: &str, body: &Value) -> Answer {
    client.with_header(method, path, ("schoolid", &school.to_string()), body).await
}

/// A change past the server reaches it by a notice.
async fn becomes(client: &Client<'_>, path: &str, code: i64) {
    within(4, path, async || client.get(path).await.code() == code).await;
}

async fn listed(owner: &Client<'_>, filter: Value) -> Vec<Value> {
    owner.post(&format!("{TOKEN}/list"), filter).await.data()["list"].as_array().expect("a list").clone()
}

/// What a Terraform provider does: opens a school with a key of its own, repeats the call, reads it by its code.
#[tokio::test]
async fn a_token_opens_a_school_and_reads_it_by_its_code() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let (_, program) = issued(&server, &operator, &["system:pc:sys:school:save", "system:pc:sys:school:view"]).await;
    let body =
        json!({ "code": "10589", "name": "海南示范大学", "status": "trial", "adminPassword": server.cipher(PASSWORD) });
    let key = ("idempotency-key", "plan-1");
    let opened = program.with_header(Method::POST, &format!("{SCHOOL}/save"), key, &body).await;
    let id = opened.id();
    let again = program.with_header(Method::POST, &format!("{SCHOOL}/save"), key, &body).await;
    assert_eq!(again.id(), id);
    server.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {id}")).await;
    let seen = program.get(&format!("{SCHOOL}/view?code=10589")).await;
    assert_eq!(seen.data()["id"], json!(id));
    assert_eq!(seen.data()["deletionProtection"], json!(true));
    // What is not there is 404; what is there and not the token's is 403 (a_token_never_has_more_…).
    assert_eq!(program.get(&format!("{SCHOOL}/view?code=99999")).await.code(), 404);
    assert_eq!(program.post(&format!("{SCHOOL}/list"), json!({})).await.refused(), (403, "没有操作权限"));
    let trail: (String, Option<String>) = sqlx::query_as(
        "select actor_name, on_behalf_of from platform.audit_log where entity_type = 'school' and entity_id = $1 and action = 'insert'",
    )
    .bind(id)
    .fetch_one(&mut server.owner().await)
    .await
    .expect("a row of the trail");
    assert_eq!(trail, ("机器令牌 terraform".to_owned(), Some("运营一".to_owned())));
    server
        .wait_until(&format!(
            "select count(*) = 1 from platform.sys_log
             where trace_id = '{}' and method = 'POST' and actor_name = '机器令牌 terraform' and on_behalf_of = '运营一'
               and session_id is null",
            opened.trace
        ))
        .await;
}

#[tokio::test]
async fn the_secret_is_shown_once_and_kept_as_a_hash() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = new_token(&server, &["system:pc:sys:school:view"]);
    let key = ("idempotency-key", "token-1");
    let saved = operator.with_header(Method::POST, &format!("{TOKEN}/save"), key, &body).await;
    let secret = saved.data()["secret"].as_str().expect("a secret").to_owned();
    assert!(secret.starts_with("cjm_") && secret.len() == 47, "{secret}");
    let again = operator.with_header(Method::POST, &format!("{TOKEN}/save"), key, &body).await;
    assert_eq!((again.id(), &again.data()["secret"]), (saved.id(), &json!(null)));
    let kept: i64 = server
        .one(&format!(
            "select count(*) from platform.sys_machine_token where secret_digest = sha256('{secret}') and shown_prefix = left('{secret}', 10)"
        ))
        .await;
    assert_eq!(kept, 1);
    for table in ["audit_log", "sys_machine_token", "sys_user"] {
        let told: i64 = server
            .one(&format!("select count(*) from platform.{table} t where t::text like '%{}%'", &secret[10..]))
            .await;
        assert_eq!(told, 0, "the secret stands in {table}");
    }
    let same_name = operator.post(&format!("{TOKEN}/save"), body).await;
    assert_eq!(same_name.refused(), (422, "您已有同名的机器令牌"));
    let row = &listed(&operator, json!({ "name": "terra", "owner": "oper", "state": "active" })).await[0];
    assert_eq!(row["shownPrefix"], json!(secret[..10]));
    assert_eq!((&row["ownerName"], &row["lastUsedAt"]), (&json!("运营一"), &json!(null)));
    let wrong = server.anonymous().with_token(Some("cjm_wrong"));
    assert_eq!(wrong.get(&format!("{SCHOOL}/view?id=1")).await.refused(), (301, "机器令牌无效，请检查后重试"));
    let program = server.anonymous().with_token(Some(&secret));
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=1")).await.code(), 200);
    let row = &listed(&operator, json!({})).await[0];
    assert!(row["lastUsedAt"].is_string() && row["lastUsedIp"] == json!("127.0.0.1"), "{row}");
}

#[tokio::test]
async fn a_token_never_has_more_than_its_owner_has_now() {
    let server = Server::start().await;
    let owner = operator_with(&server, "keeper", &MANAGER).await;
    let beyond = owner.post(&format!("{TOKEN}/save"), new_token(&server, &["system:pc:sys:school:save"])).await;
    assert_eq!(beyond.refused(), (403, "不能授予自己没有的权限：新增院校"));
    let unknown = owner.post(&format!("{TOKEN}/save"), new_token(&server, &["system:pc:sys:moon:view"])).await;
    assert_eq!(unknown.refused(), (422, "权限标识不在系统目录中：system:pc:sys:moon:view"));
    let offered = owner.get(&format!("{TOKEN}/available/list")).await;
    let codes: Vec<&str> =
        offered.data().as_array().expect("options").iter().filter_map(|option| option["code"].as_str()).collect();
    assert_eq!(codes.len(), MANAGER.len(), "{codes:?}");
    let (_, program) = issued(&server, &owner, &["system:pc:sys:school:view"]).await;
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=1")).await.code(), 200);
    // What the owner may do besides, the token may not.
    assert_eq!(program.post(&format!("{SCHOOL}/list"), json!({})).await.code(), 403);
    assert_eq!(program.post(&format!("{TOKEN}/list"), json!({})).await.code(), 403);

    // The owner loses the code, gets it back, loses their schools, is switched off.
    let root = server.operator().await;
    let role: i64 = server.one("select id from platform.sys_role where role_name = 'keeper'").await;
    let permission: i64 = server
        .one("select p.id from platform.sys_permission p where p.permission_code = 'system:pc:sys:school:view' limit 1")
        .await;
    server
        .run(&format!(
            "delete from platform.sys_role_permission where role_id = {role} and permission_id = {permission}"
        ))
        .await;
    server.tell("rights:").await;
    becomes(&program, &format!("{SCHOOL}/view?id=1"), 403).await;
    server
        .run(&format!(
            "insert into platform.sys_role_permission (role_id, permission_id) values ({role}, {permission})"
        ))
        .await;
    server.tell("rights:").await;
    becomes(&program, &format!("{SCHOOL}/view?id=1"), 200).await;
    let keeper: i64 = server.one("select id from platform.sys_user where login_name = 'keeper'").await;
    let view = root.get(&format!("/system/pc/sys/user/view?userId={keeper}")).await.data().clone();
    let edit = json!({ "id": keeper, "version": view["version"], "realName": "王五", "schoolScope": "listed", "schoolIds": [2] });
    assert_eq!(root.put("/system/pc/sys/user/edit", edit).await.code(), 200);
    // For a program gone is not the same as not yours: it would make the school again.
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=1")).await.refused(), (403, "没有进入该院校的权限"));
    let code: String = server.one("select code from platform.school where id = 1").await;
    assert_eq!(program.get(&format!("{SCHOOL}/view?code={code}")).await.code(), 403);
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=999")).await.code(), 404);
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=2")).await.code(), 200);
    assert_eq!(
        root.put(&format!("/system/pc/sys/user/disableOrEnableAccount?userId={keeper}"), json!({})).await.code(),
        200
    );
    assert_eq!(program.get(&format!("{SCHOOL}/view?id=2")).await.refused(), (303, "账号已停用，请联系管理员"));
}

#[tokio::test]
async fn a_token_ends_by_time_by_its_switch_and_for_good() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let late = operator
        .post(&format!("{TOKEN}/save"), {
            let mut body = new_token(&server, &["system:pc:sys:school:view"]);
            body["expiresAt"] = json!("2020-01-01T00:00:00+08:00");
            body
        })
        .await;
    assert_eq!(late.refused(), (422, "有效期不能早于当前时间"));
    let (id, program) = issued(&server, &operator, &["system:pc:sys:school:view"]).await;
    let view = format!("{SCHOOL}/view?id=1");
    assert_eq!(program.get(&view).await.code(), 200);
    let switch = |enabled: bool| json!({ "id": id, "enabled": enabled });
    assert_eq!(operator.put(&format!("{TOKEN}/update/status"), switch(false)).await.code(), 200);
    assert_eq!(program.get(&view).await.refused(), (303, "机器令牌已停用，请联系管理员"));
    assert_eq!(listed(&operator, json!({ "state": "disabled" })).await.len(), 1);
    assert_eq!(operator.put(&format!("{TOKEN}/update/status"), switch(true)).await.code(), 200);
    assert_eq!(program.get(&view).await.code(), 200);
    server.run("update platform.sys_machine_token set expires_at = now() - interval '1 minute'").await;
    server.run("select pg_notify('chengjiao', 'session:')").await;
    becomes(&program, &view, 302).await;
    assert_eq!(listed(&operator, json!({ "state": "expired" })).await.len(), 1);
    assert_eq!(operator.delete(&format!("{TOKEN}/delete?id={id}")).await.code(), 200);
    assert_eq!(program.get(&view).await.code(), 301);
    assert_eq!(listed(&operator, json!({})).await.len(), 0);
}

#[tokio::test]
async fn a_token_works_inside_its_schools_alone() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let mut body = new_token(&server, &["adult:pc:grade:list", "adult:pc:grade:save", "system:pc:sys:school:enter"]);
    body["schoolScope"] = json!("listed");
    body["schoolIds"] = json!([1]);
    let saved = operator.post(&format!("{TOKEN}/save"), body.clone()).await;
    let program = server.anonymous().with_token(saved.data()["secret"].as_str());
    let grade = json!({ "code": "2026", "entrySeason": "spring" });
    let made = in_school(&program, 1, Method::POST, &format!("{GRADE}/save"), &grade).await;
    assert_eq!(made.code(), 200, "{}", made.body);
    let trail: (String, String) =
        sqlx::query_as("select actor_name, on_behalf_of from school_1.audit_log where entity_type = 'grade'")
            .fetch_one(&mut server.owner().await)
            .await
            .expect("a row of the trail");
    assert_eq!(trail, ("机器令牌 terraform".to_owned(), "平台人员 运营一 进入 东湖示范学院".to_owned()));
    let list = in_school(&program, 1, Method::POST, &format!("{GRADE}/list"), &json!({})).await;
    assert_eq!(list.data()["totalCount"], json!(1));
    let other = in_school(&program, 2, Method::POST, &format!("{GRADE}/list"), &json!({})).await;
    assert_eq!(other.refused(), (403, "没有进入该院校的权限"));
    // Outside a school there are no grades; a person's token is never led by the header.
    assert_eq!(program.post(&format!("{GRADE}/list"), json!({})).await.code(), 403);
    assert_eq!(program.post(&format!("{GRADE}/list?schoolId=1"), json!({})).await.code(), 403);
    let staff = server.staff(1, &["adult:pc:grade:list"]).await;
    let led = in_school(&staff, 2, Method::POST, &format!("{GRADE}/list"), &json!({})).await;
    assert_eq!((led.status, led.code()), (400, 400));
    // Without the code that its owner needs to enter, a token stays outside.
    body["name"] = json!("outside");
    body["permissionCodes"] = json!(["adult:pc:grade:list"]);
    let saved = operator.post(&format!("{TOKEN}/save"), body).await;
    let outside = server.anonymous().with_token(saved.data()["secret"].as_str());
    let refused = in_school(&outside, 1, Method::POST, &format!("{GRADE}/list"), &json!({})).await;
    assert_eq!(refused.code(), 403);
}

#[tokio::test]
async fn a_token_makes_no_tokens_changes_no_person_and_passes_on_no_more_than_it_has() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let codes = [
        "system:pc:sys:machineToken:save",
        "system:pc:sys:user:save",
        "system:pc:sys:user:allocation",
        "system:pc:sys:user:update:password",
        "system:pc:sys:user:view",
    ];
    let (_, program) = issued(&server, &operator, &codes).await;
    let more = program.post(&format!("{TOKEN}/save"), new_token(&server, &["system:pc:sys:user:view"])).await;
    assert_eq!(more.refused(), (403, "机器令牌不能管理机器令牌，请使用账号登录"));
    let enter = program.get("/system/pc/api/sys/user/createSchoolToken?id=1&reason=%E6%A3%80%E6%9F%A5").await;
    assert_eq!(enter.refused(), (403, "机器令牌不能办理本人事项，请使用账号登录"));
    let own = json!({ "oldPassword": server.cipher(PASSWORD), "loginPassword": server.cipher("Xian#2027qiu"), "confirmPassword": server.cipher("Xian#2027qiu") });
    assert_eq!(program.put("/system/pc/sys/user/update/password/current", own.clone()).await.code(), 403);
    let reset = program.put("/system/pc/sys/user/update/password", own).await;
    assert_eq!(reset.refused(), (403, "机器令牌没有登录密码，请使用账号登录后办理"));
    // Its owner could give the super administrator's role; the token holds five codes.
    let root: i64 = server.one("select id from platform.sys_role where seed_key = 'super'").await;
    let account = json!({ "loginName": "escalated", "realName": "王五", "roleIdList": [root] });
    let refused = program.post("/system/pc/sys/user/save", account).await;
    assert_eq!(refused.code(), 403, "{}", refused.body);
    assert!(refused.msg().starts_with("不能授予自己没有的权限"), "{}", refused.msg());
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_user where login_name = 'escalated'").await, 0);
    // Accounts of tokens are nobody that could be listed or signed in as.
    let account: i64 = server.one("select account_id from platform.sys_machine_token").await;
    assert_eq!(operator.get(&format!("/system/pc/sys/user/view?userId={account}")).await.code(), 404);
    let name: String = server.one(&format!("select login_name from platform.sys_user where id = {account}")).await;
    assert_eq!(server.anonymous().sign_in(&name, PASSWORD, "login").await.code(), 422);
}
