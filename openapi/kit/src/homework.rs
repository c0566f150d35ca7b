//! Homework of a school: set, given, answered.

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    questions::{PAPER, item, paper, question, version},
};

pub use crate::client::with;

pub const TASKS: &str = "/exam/pc/tasks";
pub const MARKING: &str = "/exam/pc/tasks/marking";
pub const OWN: &str = "/exam/client/tasks";

/// A 简答题 of 5 points.
pub fn words(bank: i64, stem: &str) -> Value {
    json!({ "bankId": bank, "type": "short_answer", "stem": format!("<p>{stem}</p>"), "defaultScore": 5.0,
        "answer": { "text": "<p>价值尺度</p>" } })
}

/// A homework paper of choices of 2 points and, behind them, of short answers of 5 points; approved at once.
pub async fn approved(client: &Client<'_>, course: i64, choices: &[i64], words: &[i64]) -> i64 {
    submitted(client, (course, "homework"), choices, words).await
}

/// The same for a use.
pub async fn submitted(client: &Client<'_>, (course, kind): (i64, &str), choices: &[i64], words: &[i64]) -> i64 {
    let total = 2.0 * choices.len() as f64 + 5.0 * words.len() as f64;
    let id = paper(client, course, kind, total).await;
    let section = |title: &str, kind: &str, score: f64, ids: &[i64]| {
        let held: Vec<Value> = ids.iter().map(|id| json!({ "questionId": id, "score": score })).collect();
        json!({ "title": title, "type": kind, "defaultScore": score, "questions": held })
    };
    let mut sections = Vec::new();
    if !choices.is_empty() {
        sections.push(section("一、单项选择题", "single_choice", 2.0, choices));
    }
    if !words.is_empty() {
        sections.push(section("二、简答题", "short_answer", 5.0, words));
    }
    let body = json!({ "id": id, "version": version(client, id).await, "sections": sections });
    assert_eq!(client.put(&format!("{PAPER}/sections"), body).await.code(), 200);
    client.put(&format!("{PAPER}/submit"), item(client, id).await).await.id()
}

/// So many short answers of a bank.
pub async fn short_answers(client: &Client<'_>, bank: i64, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for n in 1..=count {
        ids.push(question(client, words(bank, &format!("简答第{n}题"))).await);
    }
    ids
}

/// A homework of a fixed paper that began an hour ago and ends in so many minutes.
pub fn task(server: &Server, place: (i64, i64, i64), paper: i64, minutes: i64) -> Value {
    let (semester, course, opening) = place;
    let now = server.app.clock().now();
    json!({
        "semesterId": semester, "courseId": course, "title": "第一次作业", "purpose": "homework", "kind": "paper",
        "paperMode": "fixed", "paperIds": [paper], "startsAt": now - chrono::Duration::hours(1),
        "endsAt": now + chrono::Duration::minutes(minutes), "targets": [{ "openingId": opening }],
    })
}

/// A homework as it was read, for its steps.
pub async fn task_item(client: &Client<'_>, id: i64) -> Value {
    let seen = client.get(&format!("{TASKS}/view?id={id}")).await.data().clone();
    json!({ "id": id, "version": seen["version"] })
}

/// A step of one homework.
pub async fn step(client: &Client<'_>, name: &str, id: i64) -> Answer {
    let items = json!({ "items": [task_item(client, id).await] });
    client.put(&format!("{TASKS}/{name}"), items).await
}

/// Sets a homework and publishes it.
pub async fn published(client: &Client<'_>, body: Value) -> i64 {
    let id = client.post(&format!("{TASKS}/save"), body).await.id();
    let answer = step(client, "publish", id).await;
    assert_eq!(answer.data()["done"], json!(1), "{}", answer.body);
    id
}

/// The rows of students that a filter names.
pub async fn rows(client: &Client<'_>, mut filter: Value) -> Vec<Value> {
    filter["pageSize"] = json!(500);
    let listed = client.post(&format!("{TASKS}/student/list"), filter).await;
    listed.data()["list"].as_array().expect("rows").clone()
}

/// The row of a student.
pub async fn row_of(client: &Client<'_>, homework: i64, student: i64) -> Value {
    let all = rows(client, json!({ "homeworkId": homework })).await;
    all.into_iter().find(|row| row["studentId"] == json!(student)).expect("a row")
}

/// Begins a homework in the student's client.
pub async fn start(own: &Client<'_>, row: &Value, request: &str) -> Answer {
    own.post(&format!("{OWN}/start"), json!({ "homeworkStudentId": row["id"], "requestId": request })).await
}

/// Saves answers by their places.
pub async fn save(own: &Client<'_>, sheet: &Value, seq: i64, items: &[(&str, Value)]) -> Answer {
    let items: Vec<Value> = items.iter().map(|(seq, answer)| json!({ "seq": seq, "answer": answer })).collect();
    own.put(&format!("{OWN}/save"), json!({ "sheetId": sheet, "clientSeq": seq, "items": items })).await
}

/// A letter as an answer.
pub fn letter(letter: &str) -> Value {
    json!({ "letters": [letter] })
}

/// Words as an answer.
pub fn html(text: &str) -> Value {
    json!({ "html": format!("<p>{text}</p>") })
}

/// Hands a sheet in.
pub async fn submit(own: &Client<'_>, sheet: &Value, request: &str) -> Answer {
    own.post(&format!("{OWN}/submit"), json!({ "sheetId": sheet, "requestId": request })).await
}
