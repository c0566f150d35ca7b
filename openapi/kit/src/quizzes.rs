//! Exams of the operators' site: questions, exams and classes as an operator makes them, attempts as a learner does.

use serde_json::{Value, json};

pub use crate::client::with;
use crate::{Answer, Client};

pub const CATEGORY: &str = "/exam/pc/category";
pub const PROBLEM: &str = "/exam/pc/online/problem";
pub const EXAM: &str = "/exam/pc/info";
pub const RECORD: &str = "/exam/pc/info/record";
pub const AUDIT: &str = "/exam/pc/audit";
pub const RECOMMEND: &str = "/exam/pc/recommend";
pub const CLASS: &str = "/exam/pc/grade/info";
pub const OWN: &str = "/exam/client/info";
pub const JOIN: &str = "/exam/client/grade/join";

/// What no learner may read before they handed in; it stands in every key and analysis.
pub const SECRET: &str = "机密解析";

/// A category: of questions with `problem`, of exams with `info`.
pub async fn category(operator: &Client<'_>, kind: &str, name: &str) -> i64 {
    operator.post(&format!("{CATEGORY}/{kind}/save"), json!({ "categoryName": name })).await.id()
}

/// A choice of 2 points whose right answer is B.
pub fn choice(category: i64, stem: &str) -> Value {
    json!({
        "categoryId": category, "type": "single_choice", "stem": format!("<p>{stem}</p>"), "defaultScore": 2.0,
        "options": [{ "letter": "A", "content": "贮藏手段" }, { "letter": "B", "content": "价值尺度" }],
        "answer": { "letters": ["B"] }, "analysis": format!("<p>{SECRET}</p>"),
    })
}

/// What is written and read by a marker.
pub fn essay(category: i64, stem: &str) -> Value {
    json!({
        "categoryId": category, "type": "essay", "stem": format!("<p>{stem}</p>"), "defaultScore": 10.0,
        "answer": { "text": format!("<p>{SECRET}</p>") }, "analysis": format!("<p>{SECRET}</p>"),
    })
}

/// One blank of 2 points: 商品.
pub fn blank(category: i64, stem: &str) -> Value {
    json!({
        "categoryId": category, "type": "fill_blank", "stem": format!("<p>{stem}____</p>"), "defaultScore": 2.0,
        "answer": { "blanks": [{ "accept": ["商品"], "match": "loose", "score": 2.0 }] },
        "analysis": format!("<p>{SECRET}</p>"),
    })
}

pub async fn problem(operator: &Client<'_>, form: Value) -> i64 {
    operator.post(&format!("{PROBLEM}/save"), form).await.id()
}

/// Two choices and an essay in a category of their own.
pub async fn problems(operator: &Client<'_>) -> [i64; 3] {
    let category = category(operator, "problem", "货币").await;
    [
        problem(operator, choice(category, "货币最基本的职能是")).await,
        problem(operator, choice(category, "商品的尺度是")).await,
        problem(operator, essay(category, "论货币的职能")).await,
    ]
}

/// A free exam of 90 minutes with these questions in one section.
pub fn content(name: &str, total: f64, pass: f64, problems: &[(i64, f64)]) -> Value {
    let problems: Vec<Value> = problems.iter().map(|(id, score)| json!({ "problemId": id, "score": score })).collect();
    json!({
        "examName": name, "isFree": true, "durationMinutes": 90, "totalScore": total, "passScore": pass,
        "sections": [{ "title": "一、全部试题", "problems": problems }],
    })
}

pub async fn save(operator: &Client<'_>, content: Value, submission: &str) -> Answer {
    operator.post(&format!("{EXAM}/save"), with(content, json!({ "submission": submission }))).await
}

/// The same content again, with the version that is there now.
pub async fn edit(operator: &Client<'_>, id: i64, content: Value, submission: &str) -> Answer {
    let version = operator.get(&format!("{EXAM}/view?id={id}")).await.data()["version"].clone();
    let body = with(content, json!({ "id": id, "version": version, "submission": submission }));
    operator.put(&format!("{EXAM}/edit"), body).await
}

/// Published and on the shelf.
pub async fn shown(operator: &Client<'_>, content: Value) -> i64 {
    let id = save(operator, content, "publish").await.id();
    operator.put(&format!("{EXAM}/update/putaway"), json!({ "id": id, "putaway": "on" })).await.id();
    id
}

/// A shown exam of 40, 40 and 20 points, passed with 60, that may be tried so often.
pub async fn exam(operator: &Client<'_>, name: &str, attempts: i32) -> i64 {
    let [first, second, third] = problems(operator).await;
    let content = content(name, 100.0, 60.0, &[(first, 40.0), (second, 40.0), (third, 20.0)]);
    shown(operator, with(content, json!({ "attemptLimit": attempts }))).await
}

pub async fn start(learner: &Client<'_>, exam: i64) -> Answer {
    learner.post(&format!("{OWN}/start"), json!({ "examId": exam })).await
}

/// The number of an attempt that began.
pub fn record_of(sheet: &Answer) -> i64 {
    sheet.data()["recordId"].as_i64().expect("an attempt")
}

/// Answers to the three questions of [`exam`].
pub fn answers(first: &str, second: &str, essay: Option<&str>) -> Value {
    let letter = |seq: &str, letter: &str| json!({ "seq": seq, "answer": { "letters": [letter] } });
    let mut all = vec![letter("1", first), letter("2", second)];
    all.extend(essay.map(|text| json!({ "seq": "3", "answer": { "html": format!("<p>{text}</p>") } })));
    json!(all)
}

pub async fn submit(learner: &Client<'_>, record: i64, answers: Value) -> Answer {
    learner.post(&format!("{OWN}/submit"), json!({ "recordId": record, "answers": answers })).await
}

/// A class that is open for a long time.
pub fn class(name: &str, most: i32, verify: &str) -> Value {
    json!({ "gradeName": name, "maxMembers": most, "verify": verify, "startsOn": "2020-01-01", "endsOn": "2099-12-31" })
}

/// A class and its code.
pub async fn open_class(operator: &Client<'_>, form: Value) -> (i64, String) {
    let id = operator.post(&format!("{CLASS}/save"), form).await.id();
    (id, code_of(operator, id).await)
}

pub async fn code_of(operator: &Client<'_>, class: i64) -> String {
    let view = operator.get(&format!("{CLASS}/view?id={class}")).await;
    view.data()["inviteCode"].as_str().expect("a code").to_owned()
}

pub async fn join(learner: &Client<'_>, code: &str) -> Answer {
    learner.post(JOIN, json!({ "inviteCode": code })).await
}
