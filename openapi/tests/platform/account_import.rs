//! Accounts by sheet: many at once, all or none, and their first passwords once (01 §2.4, §2.5.1).

use kit::{
    Answer, Client, Server,
    accounts::{USER, operator_with, role},
    imports::taken_back,
    jobs::ended,
    sheets::{XLSX, sheet},
};
use serde_json::json;

const HEADINGS: [&str; 7] = ["账号", "姓名", "手机号", "邮箱", "性别", "初始密码", "备注"];

/// Uploads a sheet of accounts with one role and one end.
async fn import(client: &Client<'_>, role: i64, texts: &[(&str, &str)], rows: &[Vec<String>]) -> Answer {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let file = sheet(&HEADINGS, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let role = role.to_string();
    let mut fields = vec![("roleIdList", role.as_str())];
    fields.extend(texts);
    client.upload_with(&format!("{USER}/import/excel"), &fields, "file", "账号.xlsx", XLSX, &file).await
}

fn row(n: usize) -> Vec<String> {
    [
        format!("import{n:05}"),
        "张晓梅".to_owned(),
        format!("154{n:08}"),
        String::new(),
        "女".to_owned(),
        String::new(),
        String::new(),
    ]
    .to_vec()
}

#[tokio::test]
async fn accounts_are_imported_and_their_passwords_fetched_once() {
    let server = Server::start().await;
    let root = server.operator().await;
    let audit = role(&server, "audit").await;
    let template = root.get(&format!("{USER}/import/template")).await;
    assert!(template.file_name.is_some());
    let mut rows: Vec<Vec<String>> = (1..=5).map(row).collect();
    rows[1][0] = "IMPORT00001".to_owned();
    rows[2][0] = "operator".to_owned();
    rows[3][5] = "weak".to_owned();
    rows[4][2] = "123".to_owned();
    let refused = import(&root, audit, &[("dryRun", "true")], &rows).await;
    let told: Vec<String> = refused.data()["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| {
            format!(
                "{} {}: {}",
                error["row"],
                error["column"].as_str().unwrap_or_default(),
                error["message"].as_str().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "3 账号: 账号与第2行重复",
            "4 账号: 账号已存在",
            "5 初始密码: 密码须为8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类",
            "6 手机号: 手机号应为11位手机号",
        ]
    );
    assert!(refused.data()["errorFileUrl"].is_string());
    let rows: Vec<Vec<String>> = (1..=4)
        .map(|n| {
            let mut row = row(n);
            if n == 2 {
                row[5] = "Typed#2026qiu".to_owned();
            }
            row
        })
        .collect();
    let past = import(&root, audit, &[("gmtExpires", "2020-01-01T00:00:00+08:00")], &rows).await;
    assert_eq!(past.refused(), (422, "有效期不能早于当前时间"));
    assert_eq!(import(&root, 999_999, &[], &rows).await.refused(), (422, "所选角色不存在或已停用，请重新选择"));
    let checked = import(&root, audit, &[("dryRun", "true")], &rows).await;
    assert_eq!((&checked.data()["total"], &checked.data()["imported"]), (&json!(4), &json!(0)));
    let other = import(&root, audit, &[("sha256", "0000")], &rows).await;
    assert_eq!(other.refused(), (409, "文件与检查时的不同，请重新上传并检查"));
    let done = import(&root, audit, &[("gmtExpires", "2099-01-01T00:00:00+08:00")], &rows).await;
    assert_eq!((&done.data()["total"], &done.data()["imported"]), (&json!(4), &json!(4)));
    let sheet_id = done.data()["passwordSheetId"].as_i64().expect("a sheet of passwords");
    let right: i64 = server
        .one(&format!("select count(*) from platform.sys_user u join platform.sys_user_role r on r.user_id = u.id and r.role_id = {audit}
              where u.login_name like 'import%' and u.must_change_password and u.gmt_expires = '2099-01-01T00:00:00+08:00'"))
        .await;
    assert_eq!(right, 4);

    // Nobody else fetches the passwords, and the importer once; the typed one works.
    let second = operator_with(&server, "second", &["system:pc:sys:user:import:excel"]).await;
    let fetch = format!("{USER}/import/template?passwordSheetId={sheet_id}");
    assert_eq!(second.get(&fetch).await.code(), 404);
    let root = server.operator().await;
    let fetched = root.get(&fetch).await;
    let name = fetched.file_name.expect("a file");
    assert!(name.contains("%E5%88%9D%E5%A7%8B%E5%AF%86%E7%A0%81"), "{name}");
    assert_eq!(root.get(&fetch).await.refused(), (409, "初始密码表只能在导入后24小时内下载一次，请改用重置密码"));
    assert_eq!(server.anonymous().sign_in("import00002", "Typed#2026qiu", "login").await.code(), 200);
    let kept: i64 = server.one("select count(*) from platform.initial_password_sheet where sealed is not null").await;
    assert_eq!(kept, 0);
    let told: i64 = server
        .one("select count(*) from platform.audit_log where action = 'import' and (changes::text like '%argon2%' or changes::text like '%Typed#%')")
        .await;
    assert_eq!(told, 0);
    // After a day nobody fetches them any more.
    let late = import(&root, audit, &[], &[row(9)]).await.data()["passwordSheetId"].clone();
    server.run("update platform.initial_password_sheet set expires_at = now() - interval '1 minute'").await;
    assert_eq!(root.get(&format!("{USER}/import/template?passwordSheetId={late}")).await.code(), 409);
}

/// The file of 01 §2.5.1, in which row 7,001 repeats a name.
fn ten_thousand() -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = (1..=10_000).map(row).collect();
    rows[6_999][0] = "import00001".to_owned();
    rows
}

#[tokio::test]
async fn ten_thousand_accounts_with_one_repeated_name_are_none() {
    let server = Server::start().await;
    let root = server.operator().await;
    let audit = role(&server, "audit").await;
    let started = import(&root, audit, &[], &ten_thousand()).await;
    let job = ended(&root, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共10000行，1行有误，未导入任何数据")));
    assert_eq!(job["errors"], json!([{ "row": 7001, "column": "账号", "message": "账号与第2行重复" }]));
    assert!(job["fileUrl"].is_string(), "the marked sheet is offered");
    assert_eq!(server.one::<i64>("select count(*) from platform.sys_user where login_name like 'import%'").await, 0);
    // So many rows are a job; every account of a right one gets the roles and the end.
    let rows: Vec<Vec<String>> = (1..=2_001).map(row).collect();
    let started = import(&root, audit, &[("gmtExpires", "2099-01-01T00:00:00+08:00")], &rows).await;
    let job = ended(&root, &started.data()["jobId"]).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("共2001行，已导入2001行")));
    let right: i64 = server
        .one(&format!("select count(*) from platform.sys_user u join platform.sys_user_role r on r.user_id = u.id and r.role_id = {audit}
              where u.login_name like 'import%' and u.gmt_expires = '2099-01-01T00:00:00+08:00'"))
        .await;
    assert_eq!(right, 2_001);
    let fetched = root.get(&format!("{USER}/import/template?jobId={}", started.data()["jobId"])).await;
    assert!(fetched.file_name.is_some(), "{}", fetched.body);
}

#[tokio::test]
async fn accounts_of_a_sheet_end_again() {
    let server = Server::start().await;
    let root = server.operator().await;
    let audit = role(&server, "audit").await;
    let rows: Vec<Vec<String>> = (1..=3).map(row).collect();
    assert_eq!(import(&root, audit, &[], &rows).await.data()["imported"], json!(3));
    let second: i64 = server.one("select id from platform.sys_user where login_name = 'import00002'").await;
    let path = format!("{USER}/disableOrEnableAccount?userId={second}");
    assert_eq!(root.bare(poem::http::Method::PUT, &path).await.code(), 200);
    let (message, stays) = taken_back(&root, "账号").await;
    assert_eq!(message, "共3条，已撤销2条，1条保留");
    assert!(stays.len() == 1 && stays[0].starts_with("张晓梅: 导入后已被"), "{stays:?}");
    let left: Vec<String> = server
        .one("select array_agg(login_name) from platform.sys_user where login_name like 'import%' and deleted_at is null")
        .await;
    assert_eq!(left, ["import00002"]);
    // Names and phones are free again.
    assert_eq!(import(&root, audit, &[], &[row(1), row(3)]).await.data()["imported"], json!(2));
}
