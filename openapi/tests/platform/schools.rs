//! The tenants (01 §5.6, 00 §8).

use kit::{PASSWORD, Server, jobs::ended};
use poem::http::Method;
use serde_json::json;

const SAVE: &str = "/system/pc/sys/school/save";

#[tokio::test]
async fn a_school_is_opened_and_its_administrator_signs_in() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body =
        json!({ "code": "10589", "name": "海南示范大学", "status": "trial", "adminPassword": server.cipher(PASSWORD) });
    let opened = operator.post(SAVE, body).await;
    let id = opened.id();
    assert_eq!(opened.data()["adminLoginName"], json!("10589_admin"));
    assert_eq!(opened.data()["initialPassword"], json!(null));
    server.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {id}")).await;
    assert_eq!(server.anonymous().sign_in("10589_admin", PASSWORD, "schoolLogin").await.code(), 200);
    let job = operator.get(&format!("/system/pc/job/view?id={}", opened.data()["jobId"])).await;
    assert_eq!(job.data()["state"], json!("done"));
    let seen = operator.get("/system/pc/sys/school/view?code=10589").await;
    assert_eq!(seen.data()["studentCount"], json!(0));
    assert_eq!(seen.data()["expiresOn"].as_str().map(str::len), Some(10));
}

#[tokio::test]
async fn a_schools_role_reaches_its_own_schema_and_nothing_else() {
    let server = Server::start().await;
    let refused = |role: &str, sql: &str| {
        let (role, sql) = (role.to_owned(), sql.to_owned());
        let server = &server;
        async move {
            use sqlx::{AssertSqlSafe, Executor};
            let mut bare = server.bare().await;
            if !role.is_empty() {
                bare.execute(AssertSqlSafe(format!("set role {role}"))).await.expect("the login role may become it");
            }
            bare.execute(AssertSqlSafe(sql)).await.is_err()
        }
    };
    let role: String = server.one("select db_role from platform.school where id = 2").await;
    assert!(!refused(&role, "select 1 from school_2.grade").await);
    assert!(refused(&role, "select 1 from school_1.grade").await);
    assert!(refused(&role, "select 1 from platform.school").await);
    assert!(refused(&role, "create table school_2.mine (a int)").await);
    assert!(refused(&role, "delete from school_2.audit_log").await);
    // Without any role nothing can be read at all.
    assert!(refused("", "select 1 from school_1.grade").await);
    assert!(refused("", "select 1 from platform.school").await);
    assert!(refused("chengjiao_platform", "update platform.login_log set ip = 'x'").await);
}

#[tokio::test]
async fn one_of_two_equal_schools_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = |name: &str| json!({ "code": "10590", "name": name, "status": "trial" });
    let (one, two) = tokio::join!(operator.post(SAVE, body("甲示范大学")), operator.post(SAVE, body("乙示范大学")));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
    let refused = if one.code() == 409 { one } else { two };
    assert_eq!(refused.msg(), "院校代码已存在");
    // Programs are told at which field.
    assert_eq!(refused.body["data"], json!([{ "field": "code", "message": "院校代码已存在" }]));
}

#[tokio::test]
async fn the_code_of_an_archived_school_is_told_as_such() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let code: String = server.one("select code from platform.school where id = 2").await;
    server.run("update platform.school set status = 'archived', archived_from = 'active', archived_at = now() where id = 2").await;
    let again = operator.post(SAVE, json!({ "code": code, "name": "另一所大学", "status": "trial" })).await;
    assert_eq!(again.refused(), (409, "院校代码已存在，该院校已归档，取消归档后可继续使用"));
    assert_eq!(again.body["data"][0]["field"], json!("code"));
}

#[tokio::test]
async fn the_same_request_twice_opens_one_school() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let body = json!({ "code": "10591", "name": "丙示范大学", "status": "trial" });
    let key = ("idempotency-key", "open-10591");
    let first = operator.with_header(Method::POST, SAVE, key, &body).await;
    assert!(first.data()["initialPassword"].is_string());
    let again = operator.with_header(Method::POST, SAVE, key, &body).await;
    assert_eq!(again.id(), first.id());
    assert_eq!(again.data()["jobId"], first.data()["jobId"]);
    assert_eq!(again.data()["initialPassword"], json!(null), "a secret is shown once");
    let other = json!({ "code": "10592", "name": "丁示范大学", "status": "trial" });
    assert_eq!(operator.with_header(Method::POST, SAVE, key, &other).await.refused(), (409, "请求编号已被使用"));
}

#[tokio::test]
async fn every_wrong_field_is_told_at_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let answer = operator
        .post(SAVE, json!({ "code": "X", "status": "trial", "brandColor": "#FF7D00", "identityCode": "1" }))
        .await;
    let fields: Vec<&str> =
        answer.body["data"].as_array().expect("fields").iter().filter_map(|f| f["field"].as_str()).collect();
    assert_eq!(answer.code(), 422);
    assert_eq!(fields, ["code", "name", "identityCode"]);
    let pale = operator
        .post(SAVE, json!({ "code": "10593", "name": "戊示范大学", "status": "trial", "brandColor": "#FF7D00" }))
        .await;
    assert_eq!(pale.refused(), (422, "品牌色与白色文字的对比度为2.6，应不低于4.5，请选择较深的颜色"));
}

#[tokio::test]
async fn a_suspended_school_shuts_its_staff_out_and_can_only_be_read() {
    let server = Server::start().await;
    let staff = server.staff(2, &[]).await;
    let operator = server.operator().await;
    let suspend = operator.put("/system/pc/sys/school/suspend", json!({ "id": 2, "reason": "未续费" })).await;
    assert_eq!(suspend.id(), 2);
    assert_eq!(staff.get("/system/pc/sys/user/permission").await.refused(), (303, "院校已停用，请联系平台运营方"));
    let again = operator.put("/system/pc/sys/school/suspend", json!({ "id": 2, "reason": "未续费" })).await;
    assert_eq!(again.refused(), (409, "院校当前状态为停用，不能停用"));
    let entered = operator.get("/system/pc/api/sys/user/createSchoolToken?id=2&reason=%E6%9F%A5%E7%9C%8B").await;
    let inside = operator.with_token(entered.data()["token"].as_str());
    assert_eq!(inside.get("/system/pc/api/sys/user/getSchoolAccountInfo").await.data()["readOnly"], json!(true));
    let written = inside
        .post(
            "/system/pc/upload/presign",
            json!({ "fileName": "a.pdf", "size": 1, "contentType": "application/pdf", "type": 3 }),
        )
        .await;
    assert_eq!(written.refused(), (403, "院校已停用或归档，仅可查看"));
    assert_eq!(inside.put("/system/pc/sys/user/renew", json!({})).await.code(), 200);
    assert_eq!(operator.put("/system/pc/sys/school/resume?id=2", json!({})).await.code(), 200);
    assert_eq!(server.one::<String>("select status from platform.school where id = 2").await, "trial");
}

#[tokio::test]
async fn two_people_edit_one_school_and_the_second_is_told() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let edit = |title: &str| json!({ "id": 1, "version": 1, "name": "东湖示范学院", "title": title, "expiresOn": "2030-01-01" });
    assert_eq!(operator.put("/system/pc/sys/school/edit", edit("甲")).await.code(), 200);
    let second = operator.put("/system/pc/sys/school/edit", edit("乙")).await;
    assert_eq!(second.code(), 409);
    assert!(
        second.msg().starts_with("数据已被运营一于") && second.msg().ends_with("修改，请刷新后重试"),
        "{}",
        second.msg()
    );
    assert_eq!(server.one::<String>("select title from platform.school where id = 1").await, "甲");
    let changes: serde_json::Value = server
        .one("select changes from platform.audit_log where entity_type = 'school' and action = 'update' order by id desc limit 1")
        .await;
    assert!(changes.as_array().expect("changes").contains(&json!({ "field": "title", "before": null, "after": "甲" })));
}

#[tokio::test]
async fn the_list_of_schools_comes_as_a_file_or_by_a_job() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let direct = operator.post("/system/pc/sys/school/export", json!({})).await;
    assert!(direct.file_name.is_some_and(|name| name.contains("xlsx")));
    let started = operator.post("/system/pc/sys/school/export?job=true", json!({})).await;
    let job = ended(&operator, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共导出2行")), "{job}");
    assert!(job["fileUrl"].is_string(), "{job}");
    // It is of nobody's school: one with the operator's number can be archived meanwhile.
    let target: String = server.one("select target from platform.job where kind = 'school.list_export'").await;
    assert!(target.starts_with("user:"), "{target}");
}

#[tokio::test]
async fn a_school_is_retried_only_after_it_failed() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let retry = "/system/pc/sys/school/provision/retry?id=1";
    assert_eq!(operator.post(retry, json!({})).await.refused(), (409, "院校当前为已开通，只有开通失败的院校可以重试"));
    server.run("update platform.school set provision_state = 'failed', provision_error = 'x' where id = 1").await;
    assert_eq!(operator.post(retry, json!({})).await.code(), 200);
    server.wait_until("select provision_state = 'ready' from platform.school where id = 1").await;
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_user where login_name = 'demo01_admin'").await, 1);
}

/// Schema, tables and settings are one step: what fails on its way leaves nothing behind, and the next try finds nothing in its way.
#[tokio::test]
async fn a_school_whose_opening_fails_leaves_no_schema_behind() {
    let server = Server::start().await;
    let operator = server.operator().await;
    server.run("alter table platform.school_setting_default rename to set_aside").await;
    let id = operator.post(SAVE, json!({ "code": "10591", "name": "重试示范大学", "status": "trial" })).await.id();
    let ended = format!(
        "select state = 'failed' from platform.job where kind = 'school.provision' and target = '{id}' order by id desc limit 1"
    );
    server.wait_until(&ended).await;
    let state = format!("select provision_state from platform.school where id = {id}");
    assert_eq!(server.one::<String>(&state).await, "failed");
    let schemas = format!("select count(*) from pg_namespace where nspname = 'school_{id}'");
    assert_eq!(server.one::<i64>(&schemas).await, 0);
    server.run("alter table platform.set_aside rename to school_setting_default").await;
    let retry = format!("/system/pc/sys/school/provision/retry?id={id}");
    assert_eq!(operator.post(&retry, json!({})).await.code(), 200);
    server.wait_until(&format!("select provision_state = 'ready' from platform.school where id = {id}")).await;
    assert_eq!(server.one::<i64>(&schemas).await, 1);
}

#[tokio::test]
async fn a_school_that_is_behind_is_refused_and_the_others_go_on() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    server.run("update platform.school set schema_version = 0 where id = 1").await;
    server.tell("school:1").await;
    let presign = json!({ "fileName": "a.pdf", "size": 1, "contentType": "application/pdf", "type": 3 });
    let refused = staff.post("/system/pc/upload/presign", presign.clone()).await;
    assert_eq!(refused.refused(), (409, "系统升级中，请稍后再试"));
    assert_eq!(server.staff(2, &[]).await.post("/system/pc/upload/presign", presign).await.code(), 200);
}
