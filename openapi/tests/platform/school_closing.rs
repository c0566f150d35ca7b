//! How a school ends: archived, exported, deleted; and how its service runs out (01 §5.2, §5.6, 00 §8).

use std::io::{Cursor, Read};

use infra::schedule::{Schedule, When};
use kit::{Client, PASSWORD, Server, accounts::all_school_codes, rows::running_job};
use poem::http::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SCHOOL: &str = "/system/pc/sys/school";

/// Somebody of school 1 with every right.
async fn registrar(server: &Server) -> Client<'_> {
    let codes = all_school_codes();
    server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await
}

pub(crate) async fn unprotect(operator: &Client<'_>, id: i64, name: &str) {
    let seen = operator.get(&format!("{SCHOOL}/view?id={id}")).await;
    let body = json!({ "id": id, "version": seen.data()["version"], "name": name, "expiresOn": seen.data()["expiresOn"],
        "deletionProtection": false });
    assert_eq!(operator.put(&format!("{SCHOOL}/edit"), body).await.code(), 200);
}

async fn archive(operator: &Client<'_>, id: i64) -> kit::Answer {
    operator.put(&format!("{SCHOOL}/archive"), json!({ "id": id, "reason": "合作结束" })).await
}

/// Starts an export and answers the finished job.
pub(crate) async fn export(server: &Server, operator: &Client<'_>, id: i64, objects: bool) -> Value {
    let started = operator.post(&format!("{SCHOOL}/export/data?id={id}&objects={objects}"), json!({})).await;
    let job = started.data()["jobId"].as_i64().expect("a job");
    server.wait_until(&format!("select state not in ('queued', 'running') from platform.job where id = {job}")).await;
    operator.get(&format!("/system/pc/job/view?id={job}")).await.data().clone()
}

async fn delete(server: &Server, operator: &Client<'_>, id: i64, code: &str, password: &str) -> kit::Answer {
    let body = json!({ "id": id, "confirmCode": code, "password": server.cipher(password) });
    operator.json(Method::DELETE, &format!("{SCHOOL}/delete"), &body).await
}

#[tokio::test]
async fn an_archived_school_is_read_only_and_comes_back_as_what_it_was() {
    let server = Server::start().await;
    let (operator, staff) = (server.operator().await, server.staff(2, &[]).await);
    assert_eq!(archive(&operator, 2).await.refused(), (409, "院校已开启删除保护，请先在编辑中关闭删除保护"));
    unprotect(&operator, 2, "南岭示范大学").await;
    running_job(&server, 2, "student.import", "导入").await;
    assert_eq!(archive(&operator, 2).await.refused(), (409, "有任务正在执行，请等待完成或取消后再归档"));
    server.run("update platform.job set state = 'done' where kind = 'student.import'").await;

    // It was suspended, and it is suspended again afterwards.
    assert_eq!(operator.put(&format!("{SCHOOL}/suspend"), json!({ "id": 2, "reason": "未续费" })).await.code(), 200);
    assert_eq!(archive(&operator, 2).await.code(), 200);
    assert_eq!(staff.get("/system/pc/sys/user/permission").await.code(), 303);
    assert_eq!(archive(&operator, 2).await.refused(), (409, "院校当前状态为归档，不能归档"));
    let entered = operator.get("/system/pc/api/sys/user/createSchoolToken?id=2&reason=%E6%9F%A5%E7%9C%8B").await;
    let inside = operator.with_token(entered.data()["token"].as_str());
    assert_eq!(inside.post("/adult/pc/grade/list", json!({})).await.code(), 200);
    let written =
        inside.post("/adult/pc/grade/save", json!({ "code": "2026", "name": "2026级", "entrySeason": "spring" })).await;
    assert_eq!(written.refused(), (403, "院校已停用或归档，仅可查看"));
    let set = json!({ "id": 2, "group": "teaching", "version": 0, "value": { "classCapacityDefault": 1 } });
    assert_eq!(operator.put(&format!("{SCHOOL}/setting/edit"), set).await.refused(), (409, "院校已归档，仅可查看"));

    let restore = format!("{SCHOOL}/restore?id=2");
    assert_eq!(operator.put(&restore, json!({})).await.code(), 200);
    assert_eq!(server.one::<String>("select status from platform.school where id = 2").await, "suspended");
    assert_eq!(operator.put(&restore, json!({})).await.refused(), (409, "院校当前状态为停用，不能取消归档"));
    assert_eq!(operator.put(&format!("{SCHOOL}/resume?id=2"), json!({})).await.code(), 200);
    assert_eq!(server.one::<String>("select status from platform.school where id = 2").await, "trial");
    let trail: Vec<String> = sqlx::query_scalar(
        "select c ->> 'after' from platform.audit_log, jsonb_array_elements(changes) c
         where entity_type = 'school' and entity_id = 2 and action = 'status' and c ->> 'field' = 'status' order by id desc limit 4",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("a trail");
    assert_eq!(trail, ["trial", "suspended", "archived", "suspended"]);
}

#[tokio::test]
async fn a_school_leaves_as_a_zip_that_proves_itself() {
    let server = Server::start().await;
    let (operator, admin) = (server.operator().await, registrar(&server).await);
    for (code, name) in [("2026", "2026级"), ("2027", "两行\n与“引号\"”的名称")] {
        let saved =
            admin.post("/adult/pc/grade/save", json!({ "code": code, "name": name, "entrySeason": "spring" })).await;
        assert_eq!(saved.code(), 200, "{}", saved.body);
    }
    server.run("update school_1.grade set remark = E'两行\\n备注,\"引号\"' where code = '2026'").await;
    let form = json!({ "fileName": "证明.pdf", "size": 5, "contentType": "application/pdf", "type": 3 });
    let ticket = admin.post("/system/pc/upload/presign", form).await;
    let (key, url) = (
        ticket.data()["key"].as_str().expect("a key").to_owned(),
        ticket.data()["url"].as_str().expect("a url").to_owned(),
    );
    admin.raw(Method::PUT, &url, Some("application/pdf"), b"12345".to_vec()).await;
    assert_eq!(admin.post("/system/pc/upload/complete", json!({ "key": key })).await.code(), 200);

    let job = export(&server, &operator, 1, true).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    let address = job["fileUrl"].as_str().expect("an address");
    let days: i64 = server.one("select round(extract(epoch from expires_at - created_at) / 86400)::bigint from platform.file_object where original_name like 'demo01_%.zip'").await;
    assert_eq!(days, 7);
    // The address is private and signed: without its query nobody reads it.
    let bare = address.split('?').next().expect("a path");
    assert_eq!(operator.raw(Method::GET, bare, None, Vec::new()).await.status().as_u16(), 403);
    let bytes = operator.raw(Method::GET, address, None, Vec::new()).await.into_body().into_vec().await.expect("bytes");

    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).expect("a zip");
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        zip.by_name(name).unwrap_or_else(|_| panic!("no {name}")).read_to_end(&mut bytes).expect("bytes");
        bytes
    };
    let manifest: Value = serde_json::from_slice(&read("manifest.json")).expect("JSON");
    assert_eq!(manifest["school"]["code"], json!("demo01"));
    let tables = manifest["tables"].as_array().expect("tables").clone();
    let expected: i64 = server.one("select count(*) from information_schema.tables where table_schema = 'school_1' and table_type = 'BASE TABLE' and table_name <> '_sqlx_migrations'").await;
    assert_eq!(tables.len() as i64, expected + 1, "every table, and the list of files");
    for table in &tables {
        let name = table["name"].as_str().expect("a name");
        let bytes = read(name);
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (table["sha256"].as_str(), table["bytes"].as_u64()),
            (Some(hash.as_str()), Some(bytes.len() as u64)),
            "{name}"
        );
        assert!(bytes.starts_with(b"\xEF\xBB\xBF"), "{name} has no byte order mark");
        let rows: Vec<_> = csv::Reader::from_reader(&bytes[3..]).records().map(|row| row.expect("a row")).collect();
        assert_eq!(table["rows"].as_u64(), Some(rows.len() as u64), "{name}");
    }
    let of = |name: &str| tables.iter().find(|table| table["name"] == json!(name)).expect("a table").clone();
    assert_eq!(of("tables/grade.csv")["rows"], json!(2));
    assert_eq!(of("files.csv")["rows"], json!(1));
    assert!(String::from_utf8(read("tables/grade.csv")).expect("UTF-8").contains("两行\n备注"));
    assert_eq!(read(&format!("files/{key}")), b"12345");
}

/// 01 §5.6, scenario 5.
#[tokio::test]
async fn a_school_is_deleted_late_exported_and_by_somebody_who_means_it() {
    let server = Server::start().await;
    let id = server.open_school("10599", "北山示范学院").await;
    let staff = server.account(id, &[], "whole_school", &[]).await;
    let operator = server.operator().await;
    unprotect(&operator, id, "北山示范学院").await;
    assert_eq!(
        delete(&server, &operator, id, "10599", PASSWORD).await.refused(),
        (409, "院校当前状态为试用，不能删除，请先归档")
    );
    // An export from before the archiving does not count.
    assert_eq!(export(&server, &operator, id, false).await["state"], json!("done"));
    assert_eq!(archive(&operator, id).await.code(), 200);
    // By the server's clock, which is not the database's in the evening.
    let now = server.app.clock().now().to_rfc3339();
    let before = async |archived: i64, exported: i64| {
        server
            .run(&format!(
                "update platform.school set archived_at = '{now}'::timestamptz - interval '{archived} days' where id = {id}"
            ))
            .await;
        server
            .run(&format!(
                "update platform.job set created_at = '{now}'::timestamptz - interval '{exported} days'
                 where kind = 'school.export'"
            ))
            .await;
    };
    before(29, 30).await;
    assert_eq!(delete(&server, &operator, id, "demo01", PASSWORD).await.refused(), (422, "院校代码输入不一致"));
    assert_eq!(
        delete(&server, &operator, id, "10599", PASSWORD).await.refused(),
        (409, "归档满30天后才能删除，还需1天")
    );
    before(30, 31).await;
    assert_eq!(delete(&server, &operator, id, "10599", PASSWORD).await.refused(), (409, "请先导出归档数据"));
    assert_eq!(export(&server, &operator, id, false).await["state"], json!("done"));
    assert_eq!(delete(&server, &operator, id, "10599", "Wrong#2026x").await.refused(), (422, "登录密码不正确"));
    assert_eq!(server.one::<i64>(&format!("select count(*) from pg_namespace where nspname = 'school_{id}'")).await, 1);

    let role: String = server.one(&format!("select db_role from platform.school where id = {id}")).await;
    let deleted = delete(&server, &operator, id, "10599", PASSWORD).await;
    let job = deleted.data()["jobId"].as_i64().expect("a job");
    server.wait_until(&format!("select state not in ('queued', 'running') from platform.job where id = {job}")).await;
    assert_eq!(
        server.one::<String>(&format!("select state || message from platform.job where id = {job}")).await,
        "done院校数据已删除，共删除0个文件"
    );
    assert_eq!(server.one::<i64>(&format!("select count(*) from pg_namespace where nspname = 'school_{id}'")).await, 0);
    assert_eq!(server.one::<i64>(&format!("select count(*) from pg_roles where rolname = '{role}'")).await, 0);
    assert_eq!(
        server
            .one::<i64>(&format!(
                "select (select count(*) from platform.sys_user_school where school_id = {id})
        + (select count(*) from platform.sys_role where school_id = {id})"
            ))
            .await,
        0
    );
    assert_eq!(operator.get(&format!("{SCHOOL}/view?id={id}")).await.code(), 404);
    assert_eq!(delete(&server, &operator, id, "10599", PASSWORD).await.code(), 404);
    // The account stays, without a school; the log still names the school that is gone.
    assert_eq!(server.anonymous().sign_in(&staff, PASSWORD, "schoolLogin").await.refused(), (403, "账号未绑定院校"));
    let kept: Option<String> =
        server.one(&format!("select name from platform.school where id = {id} and deleted_at is not null")).await;
    assert_eq!(kept.as_deref(), Some("北山示范学院"));
    // Its code is never given again.
    let again = operator
        .post(&format!("{SCHOOL}/save"), json!({ "code": "10599", "name": "新北山学院", "status": "trial" }))
        .await;
    assert_eq!(again.refused(), (409, "院校代码已存在"));
}

#[tokio::test]
async fn at_night_services_end_and_those_near_their_end_are_warned_once() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let today = server.app.clock().today();
    let ends = async |id: i64, days: i64| {
        let end = today + chrono::Duration::days(days);
        server.run(&format!("update platform.school set expires_on = '{end}' where id = {id}")).await;
    };
    let night = async |round: i64| -> String {
        let daily = Schedule { when: When::Daily { hour: 0, minute: 0 }, ..schools::nightly::SCHEDULE };
        let queued = infra::schedule::queue_due(&server.app, [daily]).await.expect("queued");
        assert_eq!(queued, 1, "round {round}");
        assert_eq!(
            infra::schedule::queue_due(&server.app, [daily]).await.expect("asked again"),
            0,
            "a day's work is done once"
        );
        server.wait_until("select not exists (select from platform.job where kind = 'school.expiry' and state in ('queued', 'running'))").await;
        let message = server
            .one("select state || message from platform.job where kind = 'school.expiry' order by id desc limit 1")
            .await;
        // The next night.
        server
            .run("update platform.job set created_at = created_at - interval '1 day' where kind = 'school.expiry'")
            .await;
        message
    };
    ends(1, 30).await;
    ends(2, 0).await;
    assert_eq!(night(1).await, "done到期停用0所院校，到期提醒2所院校", "on its last day a service still runs");
    assert_eq!(night(2).await, "done到期停用0所院校，到期提醒0所院校");
    ends(1, 7).await;
    ends(2, -1).await;
    assert_eq!(night(3).await, "done到期停用1所院校，到期提醒1所院校");
    let (status, reason): (String, String) =
        sqlx::query_as("select status, status_reason from platform.school where id = 2")
            .fetch_one(&mut server.owner().await)
            .await
            .expect("a school");
    assert_eq!((status.as_str(), reason.as_str()), ("suspended", "服务到期"));
    assert_eq!(
        operator.put(&format!("{SCHOOL}/resume?id=2"), json!({})).await.refused(),
        (409, "服务已到期，请先续期")
    );
    let warned: i64 = server
        .one("select count(*) from platform.audit_log where entity_type = 'school' and action = 'expiry_warning'")
        .await;
    assert_eq!(warned, 3);
}
