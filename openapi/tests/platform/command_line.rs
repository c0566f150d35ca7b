//! The program as an operator runs it at the server: how a school ends, step by step and refusal by refusal (01 §5.2, §5.6).

use std::{fs, io::Read, os::unix::fs::symlink, path::Path, process::Command};

use kit::Server;
use serde_json::{Value, json};

use crate::school_closing::{export, unprotect};

/// What a command answered: its exit code, what it printed, and the lines by which it says why it did nothing.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    code: i32,
    printed: String,
    mistakes: Vec<String>,
}

impl Ended {
    fn well(printed: &str) -> Self {
        Self { code: 0, printed: printed.to_owned(), mistakes: Vec::new() }
    }

    fn refused(why: &str) -> Self {
        Self { code: 1, printed: String::new(), mistakes: vec![why.to_owned()] }
    }
}

async fn school(server: &Server, arguments: &[&str]) -> Ended {
    let output = server.program(&[&["school"][..], arguments].concat()).output().await.expect("the program");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    Ended {
        code: output.status.code().expect("it ended by itself"),
        printed: String::from_utf8(output.stdout).expect("UTF-8"),
        // What it logs besides is JSON.
        mistakes: told.lines().filter_map(|line| line.strip_prefix("error: ")).map(ToOwned::to_owned).collect(),
    }
}

/// Left out is what a person must say or confirm: nothing was begun, and the program says what is missing.
async fn asks_for(server: &Server, arguments: &[&str], missing: &str) {
    let output = server.program(&[&["school"][..], arguments].concat()).output().await.expect("the program");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(missing), "{told}");
}

async fn standing(server: &Server, id: i64) -> String {
    server
        .one(&format!("select status || ' ' || coalesce(status_reason, '-') from platform.school where id = {id}"))
        .await
}

#[tokio::test]
async fn a_school_is_archived_and_comes_back_at_the_command_line() {
    let server = Server::start().await;
    asks_for(&server, &["archive", "demo02"], "--reason").await;
    asks_for(&server, &["restore"], "<CODE>").await;
    let stranger = school(&server, &["archive", "demo99", "--reason", "合作结束"]).await;
    assert_eq!(stranger, Ended::refused("no school has the code demo99"));
    let archive = async || school(&server, &["archive", "demo02", "--reason", "合作结束"]).await;
    let restore = async || school(&server, &["restore", "demo02"]).await;
    assert_eq!(archive().await, Ended::refused("409 院校已开启删除保护，请先在编辑中关闭删除保护"));
    let before = standing(&server, 2).await;
    assert_eq!(before.split(' ').next(), Some("trial"));
    assert_eq!(restore().await, Ended::refused("409 院校当前状态为试用，不能取消归档"));

    unprotect(&server.operator().await, 2, "南岭示范大学").await;
    let staff = server.staff(2, &[]).await;
    assert_eq!(archive().await, Ended::well(""));
    assert_eq!(standing(&server, 2).await, "archived 合作结束");
    // The running server heard of it at once.
    assert_eq!(staff.get("/system/pc/sys/user/permission").await.code(), 303);
    assert_eq!(archive().await, Ended::refused("409 院校当前状态为归档，不能归档"));
    let listed = school(&server, &["list"]).await;
    assert!(listed.printed.contains("2\tdemo02\t南岭示范大学\tarchived\tready\t"), "{}", listed.printed);
    assert_eq!(restore().await, Ended::well(""));
    assert_eq!(standing(&server, 2).await, "trial -");
    let trail: Vec<Value> = sqlx::query_scalar(
        "select jsonb_build_array(actor_name, c ->> 'after') from platform.audit_log, jsonb_array_elements(changes) c
         where entity_type = 'school' and entity_id = 2 and action = 'status' and c ->> 'field' = 'status' order by id",
    )
    .fetch_all(&mut server.owner().await)
    .await
    .expect("a trail");
    assert_eq!(trail, [json!(["命令行", "archived"]), json!(["命令行", "trial"])]);
}

/// The names and the manifest of an exported zip.
fn opened(zip: &Path) -> (Vec<String>, Value) {
    let file = std::fs::File::open(zip).expect("a file");
    let mut zip = zip::ZipArchive::new(file).expect("a zip");
    let names = zip.file_names().map(|name| name.expect("UTF-8").into_owned()).collect();
    let mut manifest = String::new();
    zip.by_name("manifest.json").expect("a manifest").read_to_string(&mut manifest).expect("UTF-8");
    (names, serde_json::from_str(&manifest).expect("JSON"))
}

#[tokio::test]
async fn a_school_is_exported_and_deleted_at_the_command_line() {
    let server = Server::start().await;
    let id = server.open_school("10599", "北山示范学院").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("10599.zip");
    let to = file.to_str().expect("UTF-8");
    asks_for(&server, &["export", "10599"], "--to").await;
    let stranger = school(&server, &["export", "99999", "--to", to]).await;
    assert_eq!(stranger, Ended::refused("no school has the code 99999"));
    let nowhere = folder.path().join("nowhere/10599.zip");
    let lost = school(&server, &["export", "10599", "--to", nowhere.to_str().expect("UTF-8")]).await;
    assert_eq!((lost.code, lost.mistakes.len()), (1, 1), "{lost:?}");
    assert!(!file.exists());
    let tables: i64 = server
        .one(&format!(
            "select count(*) from information_schema.tables
             where table_schema = 'school_{id}' and table_type = 'BASE TABLE' and table_name <> '_sqlx_migrations'"
        ))
        .await;
    let exported = school(&server, &["export", "10599", "--to", to, "--objects"]).await;
    assert_eq!(exported, Ended::well(&format!("{tables} tables in {to}\n")));
    let (names, manifest) = opened(&file);
    assert!(names.iter().any(|name| name == "tables/student.csv"), "{names:?}");
    assert_eq!(manifest["school"], json!({ "id": id, "code": "10599", "name": "北山示范学院" }));

    asks_for(&server, &["delete", "10599"], "--confirm").await;
    let delete = async |confirm: &str| school(&server, &["delete", "10599", "--confirm", confirm]).await;
    assert_eq!(delete("demo01").await, Ended::refused("422 院校代码输入不一致"));
    assert_eq!(delete("10599").await, Ended::refused("409 院校已开启删除保护，请先在编辑中关闭删除保护"));
    let operator = server.operator().await;
    unprotect(&operator, id, "北山示范学院").await;
    assert_eq!(delete("10599").await, Ended::refused("409 院校当前状态为试用，不能删除，请先归档"));
    let archived = school(&server, &["archive", "10599", "--reason", "合作结束"]).await;
    assert_eq!(archived, Ended::well(""));
    assert_eq!(delete("10599").await, Ended::refused("409 归档满30天后才能删除，还需30天"));
    server.run(&format!("update platform.school set archived_at = now() - interval '30 days' where id = {id}")).await;
    // What was written into a file of one's own is not what a deletion waits for.
    assert_eq!(school(&server, &["export", "10599", "--to", to]).await.code, 0);
    assert_eq!(delete("10599").await, Ended::refused("409 请先导出归档数据"));
    assert_eq!(export(&server, &operator, id, false).await["state"], json!("done"));
    let role: String = server.one(&format!("select db_role from platform.school where id = {id}")).await;
    assert_eq!(delete("10599").await, Ended::well("院校数据已删除，共删除0个文件\n"));
    let left: i64 = server
        .one(&format!(
            "select (select count(*) from pg_namespace where nspname = 'school_{id}')
                  + (select count(*) from pg_roles where rolname = '{role}')"
        ))
        .await;
    assert_eq!(left, 0, "neither schema nor role");
    assert_eq!(delete("10599").await, Ended::refused("no school has the code 10599"));
    let listed = school(&server, &["list"]).await;
    assert!(listed.printed.contains("demo01") && !listed.printed.contains("10599"), "{}", listed.printed);
}

/// A machine without npm and a C compiler, and with a Rust that is too old, is told so before anything is built.
#[test]
fn what_a_machine_lacks_is_said_before_anything_is_built() {
    let machine = tempfile::tempdir().expect("a folder");
    let program = |name: &str| machine.path().join(name);
    for name in ["bash", "dirname", "sed", "sort", "head", "cut", "tr"] {
        let there = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        symlink(there.iter().find(|path| path.exists()).expect(name), program(name)).expect("a link");
    }
    let stub = |name: &str, told: &str| {
        fs::write(program(name), format!("#!{}\necho {told}\n", program("bash").display())).expect("a file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(program(name), mode).expect("a mode");
    };
    stub("rustc", "rustc 1.94.1");
    stub("node", "v20.19.0");
    let answer = Command::new(program("bash"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/ready"))
        .env_clear()
        .env("PATH", machine.path())
        .output()
        .expect("bash");
    assert_eq!(answer.status.code(), Some(1));
    let told = String::from_utf8(answer.stderr).expect("UTF-8");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "missing: Rust 1.95 or newer: found 1.94.1",
            "missing: npm: not found",
            "missing: a C compiler (cc): not found",
        ]
    );
}
