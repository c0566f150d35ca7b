//! Examinations on the net: a batch, a paper, an examination that runs, and what a student does in it.

use chrono::Duration;
use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    homework::{submitted, with, words},
    questions::{self, PAPER, question, version},
};

pub const BATCH: &str = "/exam/pc/test/batch";
pub const ONLINE: &str = "/exam/pc/online/setup";
pub const CANDIDATE: &str = "/exam/pc/online/candidate";
pub const OWN: &str = "/exam/client/exam";

/// A batch that is active from yesterday on, for a month; scores are entered as long and ten days more.
pub async fn batch(server: &Server, admin: &Client<'_>, semester: i64, code: &str) -> i64 {
    let (today, now) = (server.app.clock().today(), server.app.clock().now());
    let body = json!({ "code": code, "name": format!("批次{code}"), "semesterId": semester, "kind": "final", "mode": "mixed",
        "examStartsOn": today - Duration::days(1), "examEndsOn": today + Duration::days(30),
        "scoreEntryStartsAt": now - Duration::days(1), "scoreEntryEndsAt": now + Duration::days(40) });
    let id = admin.post(&format!("{BATCH}/save"), body).await.id();
    step(admin, "update/status", id, json!({ "status": "active" })).await.data();
    id
}

/// A step of a batch as it was read.
pub async fn step(admin: &Client<'_>, name: &str, id: i64, more: Value) -> Answer {
    let seen = admin.get(&format!("{BATCH}/view?id={id}")).await.data().clone();
    let body = with(json!({ "id": id, "version": seen["version"] }), more);
    admin.put(&format!("{BATCH}/{name}"), body).await
}

/// An approved paper for examinations: choices of 2 points and short answers of 5.
pub async fn paper(server: &Server, admin: &Client<'_>, course: i64, choices: &[i64], words: &[i64]) -> i64 {
    let id = submitted(admin, (course, "exam"), choices, words).await;
    reviewed(server, admin, id).await
}

/// An approved paper for examinations of one short answer with so many points.
pub async fn essay(server: &Server, admin: &Client<'_>, (course, bank): (i64, i64), score: f64) -> i64 {
    let mut body = words(bank, "简答");
    body["defaultScore"] = json!(score);
    let question = question(admin, body).await;
    let id = questions::paper(admin, course, "exam", score).await;
    let section = json!({ "title": "一、简答题", "type": "short_answer", "defaultScore": score,
        "questions": [{ "questionId": question, "score": score }] });
    let body = json!({ "id": id, "version": version(admin, id).await, "sections": [section] });
    assert_eq!(admin.put(&format!("{PAPER}/sections"), body).await.code(), 200);
    admin.put(&format!("{PAPER}/submit"), questions::item(admin, id).await).await.data();
    reviewed(server, admin, id).await
}

/// A paper that somebody else handed in, reviewed.
async fn reviewed(server: &Server, admin: &Client<'_>, id: i64) -> i64 {
    server.run(&format!("update school_1.paper set submitted_by = 0 where id = {id}")).await;
    admin.put(&format!("{PAPER}/audit"), questions::item(admin, id).await).await.id()
}

/// What is typed of an examination that begins in five minutes and takes as long as is said.
pub fn exam(
    server: &Server,
    (batch, course, semester): (i64, i64, i64),
    paper: i64,
    class: i64,
    minutes: i64,
) -> Value {
    let now = server.app.clock().now();
    json!({ "batchId": batch, "courseId": course, "semesterId": semester, "startsAt": now + Duration::minutes(5),
        "endsAt": now + Duration::minutes(minutes + 15), "durationMinutes": minutes, "papers": [{ "slot": "A", "paperId": paper }],
        "shuffleQuestions": false, "shuffleOptions": false, "classIds": [class] })
}

/// An examination that is published, with its candidates; one that [`exam`] says has begun a minute ago.
pub async fn published(admin: &Client<'_>, body: Value) -> i64 {
    let id = admin.post(&format!("{ONLINE}/save"), body).await.id();
    let refreshed = admin.post(&format!("{CANDIDATE}/refresh"), json!({ "setupId": id })).await;
    assert_eq!(refreshed.code(), 200, "{}", refreshed.body);
    let answer = admin.put(&format!("{ONLINE}/publish"), json!({ "items": [item(admin, id).await] })).await;
    assert_eq!(answer.data()["done"], json!(1), "{}", answer.body);
    begin(admin.server);
    id
}

/// Lets the time pass until what was published now has begun.
pub fn begin(server: &Server) {
    server.app.clock().shift(Duration::minutes(6));
}

/// An examination as it was read, for its steps.
pub async fn item(admin: &Client<'_>, id: i64) -> Value {
    let seen = admin.get(&format!("{ONLINE}/view?id={id}")).await.data().clone();
    json!({ "id": id, "version": seen["version"] })
}

/// Begins an examination in the student's client, from one device.
pub async fn start(own: &Client<'_>, setup: i64, device: &str, request: &str) -> Answer {
    own.post(&format!("{OWN}/start"), json!({ "setupId": setup, "deviceId": device, "requestId": request })).await
}

/// Saves answers by their places.
pub async fn save(own: &Client<'_>, sheet: &Value, seq: i64, items: &[(&str, Value)]) -> Answer {
    let items: Vec<Value> = items.iter().map(|(seq, answer)| json!({ "seq": seq, "answer": answer })).collect();
    own.put(&format!("{OWN}/save"), json!({ "sheetId": sheet, "clientSeq": seq, "items": items })).await
}

/// Hands a sheet in.
pub async fn submit(own: &Client<'_>, sheet: &Value, request: &str) -> Answer {
    own.post(&format!("{OWN}/submit"), json!({ "sheetId": sheet, "requestId": request })).await
}
