//! Examinations on the net: the scenarios of part 04 §5 and §6.

use chrono::TimeDelta;
use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::cohort,
    exams::{OWN, batch, exam, paper, published, save, start, submit},
    homework::{letter, short_answers},
    openings::{opened, plan, semester},
    plans,
    questions::{bank, choices},
    students::{id_number, save as enter, student},
};
use serde_json::{Value, json};

/// An examination of five choices that runs now, and the two who sit in it.
struct Scene<'s> {
    admin: Client<'s>,
    setup: i64,
    students: Vec<i64>,
}

async fn scene(server: &Server, words: usize) -> Scene<'_> {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let semester = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": semester })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=2 {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(enter(&admin, body).await);
    }
    opened(&admin, semester, course).await;
    let bank = bank(&admin, course, "KS", "homework").await;
    let choices = choices(&admin, bank, 5, None, "单选").await;
    let words = short_answers(&admin, bank, words).await;
    let paper = paper(server, &admin, course, &choices, &words).await;
    let batch = batch(server, &admin, semester, "2026F").await;
    let setup = published(&admin, exam(server, (batch, course, semester), paper, class, 60)).await;
    Scene { admin, setup, students }
}

async fn learner<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

/// So many right answers of five.
fn given(right: usize) -> Vec<(String, Value)> {
    (1..=5).map(|n| (n.to_string(), letter(if n <= right { "A" } else { "B" }))).collect()
}

async fn saved(own: &Client<'_>, sheet: &Value, seq: i64, right: usize) {
    let given = given(right);
    let items: Vec<(&str, Value)> = given.iter().map(|(seq, answer)| (seq.as_str(), answer.clone())).collect();
    let answer = save(own, sheet, seq, &items).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
}

/// A student begins, begins again on the same device, saves and hands in; the machine marks.
#[tokio::test]
async fn an_examination_is_answered_and_marked() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let begun = start(&own, at.setup, "d1", "r1").await.data().clone();
    let again = start(&own, at.setup, "d1", "r1").await.data().clone();
    assert_eq!(begun["sheetId"], again["sheetId"], "{again}");
    assert!(!begun["paper"].to_string().contains("\"answer\":{\"letters\""), "answers are not told");
    let other = start(&own, at.setup, "d2", "r2").await;
    assert_eq!(other.msg(), "您已在其他设备上作答，请联系监考老师解除", "{}", other.body);
    let sheet = begun["sheetId"].clone();
    saved(&own, &sheet, 1, 4).await;
    let handed = submit(&own, &sheet, "s1").await;
    assert_eq!(handed.code(), 200, "{}", handed.body);
    // The same again is the same answer.
    assert_eq!(submit(&own, &sheet, "s1").await.data()["submittedAt"], handed.data()["submittedAt"]);
    let score: i64 =
        server.one(&format!("select (total_score * 10)::bigint from school_1.answer_sheet where id = {sheet}")).await;
    assert_eq!(score, 80, "four of five at two points");
    let listed = at.admin.post("/exam/pc/online/attempt/list", json!({ "setupId": at.setup })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
}

/// Whoever does not hand in is handed in by the server at their deadline.
#[tokio::test]
async fn time_hands_in() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    saved(&own, &sheet, 1, 3).await;
    server.when_due("exam.close", TimeDelta::minutes(62)).await;
    let status: String = server.one(&format!("select mark_state from school_1.answer_sheet where id = {sheet}")).await;
    assert_ne!(status, "in_progress");
    let late = own.put(&format!("{OWN}/save"), json!({ "sheetId": sheet, "clientSeq": 9, "items": [] })).await;
    assert_ne!(late.code(), 200, "{}", late.body);
    assert_eq!(at.students.len(), 2);
}

/// Nobody sees or answers another one's sheet.
#[tokio::test]
async fn a_sheet_is_ones_own() {
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    let (first, second) = (learner(&server, 1).await, learner(&server, 2).await);
    let sheet = start(&first, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    assert_eq!(save(&second, &sheet, 1, &[("1", letter("A"))]).await.code(), 404);
    assert_eq!(submit(&second, &sheet, "s1").await.code(), 404);
}
