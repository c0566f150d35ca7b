//! People of the client applications.

use infra::http::RequestOrigin;
use people::{
    account::{self, Account, NewAccount, OwnerKind},
    session::{self, NewSession},
};
use serde_json::json;

use crate::{
    Answer, Client, Server,
    cohort::registrar,
    teachers::{TEACHER, teacher},
};

/// The domain of school 1.
pub const HOST: &str = "dh.example.cn";
pub const OWN: &str = "Qiu#2026xian";

/// School 1 under its own host, with a teacher T001 whose ID number ends in 150216.
pub async fn school(server: &Server) -> (Client<'_>, i64) {
    server.run(&format!("update platform.school set domain = '{HOST}' where id = 1")).await;
    server.tell("school:1").await;
    let admin = registrar(server).await;
    let organization = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
    let organization = admin.post("/adult/pc/organize/save", organization).await.id();
    let id = admin.post(&format!("{TEACHER}/save"), teacher(organization, 1)).await.id();
    (admin, id)
}

pub async fn sign_in(server: &Server, name: &str, password: &str, kind: &str) -> Answer {
    let caller = server.anonymous().at_host(HOST);
    caller.challenge(name, "client").await.data();
    let body = json!({ "loginName": name, "loginPassword": server.cipher(password), "kind": kind });
    caller.post("/user/client/login", body).await
}

pub fn with_token<'s>(server: &'s Server, answer: &Answer) -> Client<'s> {
    server.anonymous().with_token(answer.data()["token"].as_str())
}

/// The teacher in, with a password of their own.
pub async fn signed_in(server: &Server) -> Client<'_> {
    entered(server, "T001", "Aa@150216", "teacher").await
}

/// Tokens of students of school 1 who are in their client since now, in their order: each gets an account, and nobody looks at a
/// password. Of thousands of sign-ins a measurement of something else would see nothing but these.
pub async fn inside(server: &Server, students: &[i64]) -> Vec<String> {
    let school = server.app.school(1).await.expect("the schools").expect("the school");
    let now = server.app.clock().now();
    let mut tx = server.begin_in(1).await;
    let names: Vec<String> = students.iter().map(|id| format!("L{id}")).collect();
    let new: Vec<NewAccount<'_>> = students
        .iter()
        .zip(&names)
        .map(|(id, name)| NewAccount { owner_id: *id, login_name: name, enabled: true })
        .collect();
    account::open_accounts(&mut tx, OwnerKind::Student, &new).await.expect("accounts");
    let mut tokens = Vec::with_capacity(students.len());
    for (id, name) in students.iter().zip(&names) {
        let opened = account::lock(&mut tx, OwnerKind::Student, *id).await.expect("an account").expect("an account");
        let account = &Account { must_change: false, ..opened };
        let expires_at = now + chrono::Duration::hours(8);
        let new = NewSession { account, person_name: name, acting: None, read_only: false, expires_at };
        let session = session::open(&mut tx, &school, &RequestOrigin::default(), new, now).await;
        tokens.push(session.expect("a session").token);
    }
    tx.commit_untracked("a measurement").await.expect("committed");
    tokens
}

/// Somebody in their client for the first time, with a password of their own instead of the initial one.
pub async fn entered<'s>(server: &'s Server, name: &str, initial: &str, kind: &str) -> Client<'s> {
    let first = sign_in(server, name, initial, kind).await;
    let body = json!({
        "oldPassword": server.cipher(initial), "loginPassword": server.cipher(OWN), "confirmPassword": server.cipher(OWN),
    });
    assert_eq!(with_token(server, &first).put("/user/client/password", body).await.code(), 200);
    with_token(server, &sign_in(server, name, OWN, kind).await)
}
