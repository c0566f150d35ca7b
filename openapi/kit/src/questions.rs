//! Banks, questions, rules and papers of a school.

use serde_json::{Value, json};

use crate::Client;

pub const BANK: &str = "/exam/pc/questionBank";
pub const QUESTION: &str = "/exam/pc/exam/problem";
pub const PAPER: &str = "/exam/pc/exam/info";
pub const RULE: &str = "/exam/pc/exam/rule";

/// A bank of a course.
pub async fn bank(client: &Client<'_>, course: i64, code: &str, usage: &str) -> i64 {
    let body = json!({ "code": code, "name": format!("题库{code}"), "courseId": course, "usage": usage });
    client.post(&format!("{BANK}/save"), body).await.id()
}

/// A 单选题 whose answer is A.
pub fn choice(bank: i64, stem: &str, score: f64) -> Value {
    json!({ "bankId": bank, "type": "single_choice", "stem": format!("<p>{stem}</p>"), "defaultScore": score,
        "options": [{ "letter": "A", "content": "价值尺度" }, { "letter": "B", "content": "贮藏手段" }],
        "answer": { "letters": ["A"] } })
}

/// A 综合题 of two parts, 3 points each.
pub fn case(bank: i64, stem: &str) -> Value {
    let part =
        |stem: &str| json!({ "type": "true_false", "stem": stem, "answer": { "value": true }, "defaultScore": 3.0 });
    json!({ "bankId": bank, "type": "case_analysis", "stem": format!("<p>{stem}</p>"),
        "subQuestions": [part("第一问"), part("第二问")] })
}

pub async fn question(client: &Client<'_>, body: Value) -> i64 {
    client.post(&format!("{QUESTION}/save"), body).await.id()
}

/// So many choices of 2 points, in their order.
pub async fn choices(client: &Client<'_>, bank: i64, count: usize, chapter: Option<i64>, name: &str) -> Vec<i64> {
    let mut ids = Vec::new();
    for n in 1..=count {
        let mut body = choice(bank, &format!("{name}第{n}题"), 2.0);
        body["chapterId"] = json!(chapter);
        ids.push(question(client, body).await);
    }
    ids
}

/// A draft of a course.
pub async fn paper(client: &Client<'_>, course: i64, kind: &str, total: f64) -> i64 {
    let body =
        json!({ "name": "期末试卷", "courseId": course, "kind": kind, "totalScore": total, "passScore": total * 0.6 });
    client.post(&format!("{PAPER}/save"), body).await.id()
}

/// Puts questions of 2 points into one section of a paper; answers its number, which is a new one for a new version.
pub async fn compose(client: &Client<'_>, paper: i64, questions: &[i64]) -> i64 {
    let held: Vec<Value> = questions.iter().map(|id| json!({ "questionId": id, "score": 2.0 })).collect();
    let section = json!({ "title": "一、单项选择题", "type": "single_choice", "defaultScore": 2.0, "questions": held });
    let body = json!({ "id": paper, "version": version(client, paper).await, "sections": [section] });
    client.put(&format!("{PAPER}/sections"), body).await.id()
}

/// The version of a paper.
pub async fn version(client: &Client<'_>, paper: i64) -> Value {
    client.get(&format!("{PAPER}/view?id={paper}")).await.data()["version"].clone()
}

/// A paper with its version, as the body of a step.
pub async fn item(client: &Client<'_>, paper: i64) -> Value {
    json!({ "id": paper, "version": version(client, paper).await })
}
