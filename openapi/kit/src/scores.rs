//! Scores of a course that is checked without an examination: a round of examinations, its sheets, and what is entered in them.

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    lessons::{Lessons, lessons},
};

pub const RULE: &str = "/adult/pc/score/rule";
pub const COMPONENT: &str = "/adult/pc/score/component";
pub const SHEET: &str = "/adult/pc/score/sheet";
pub const CORRECTION: &str = "/adult/pc/score/correction";
pub const ACHIEVEMENT: &str = "/adult/pc/adult/achievement";

/// A round of final examinations of the semester, in which scores are entered now.
pub async fn batch(server: &Server, semester: i64, code: &str) -> i64 {
    server
        .one(&format!(
            "insert into school_1.test_batch (code, name, semester_id, kind, mode, exam_starts_on, exam_ends_on,
                 score_entry_starts_at, score_entry_ends_at, ticket_prefix, status, created_by, updated_by)
             values ('{code}', '批次{code}', {semester}, 'final', 'offline', current_date - 10, current_date - 5,
                 now() - interval '2 days', now() + interval '10 days',
                 (select lpad((100000 + count(*))::text, 6, '0') from school_1.test_batch), 'active', 0, 0)
             returning id"
        ))
        .await
}

/// A course with its round, its sheets generated.
pub struct Scored {
    pub taught: Lessons,
    pub batch: i64,
    /// Of the first class and of the second.
    pub sheets: [i64; 2],
}

/// With so many students in each class.
pub async fn scored(server: &Server, admin: &Client<'_>, people: [i64; 2]) -> Scored {
    let taught = lessons(server, admin, people).await;
    server.run(&format!("update school_1.course_opening set exam_form = 'check' where id = {}", taught.opening)).await;
    let batch = batch(server, taught.spring, "P1").await;
    admin.post(&format!("{SHEET}/generate"), json!({ "batchId": batch })).await.data();
    let of =
        |class: i64| format!("select id from school_1.score_sheet where batch_id = {batch} and class_id = {class}");
    let sheets = [server.one(&of(taught.classes[0])).await, server.one(&of(taught.classes[1])).await];
    Scored { taught, batch, sheets }
}

/// A sheet as it is listed.
pub async fn seen(client: &Client<'_>, sheet: i64) -> Value {
    client.get(&format!("{SHEET}/view?id={sheet}")).await.data().clone()
}

/// The rows of a sheet.
pub async fn rows(client: &Client<'_>, sheet: i64) -> Vec<Value> {
    let listed = client.get(&format!("{SHEET}/rows?sheetId={sheet}")).await;
    listed.data()["list"].as_array().expect("rows").clone()
}

/// Enters a mark, or an absence, into one row.
pub async fn enter(client: &Client<'_>, row: &Value, raw: Option<f64>) -> Answer {
    let mark = if raw.is_none() { json!("absent") } else { json!(null) };
    let typed = json!({ "rowId": row["id"], "raw": raw, "mark": mark, "version": row["version"] });
    client.put(&format!("{SHEET}/enter"), typed).await
}

/// Moves a sheet on; the whole answer.
pub async fn step(client: &Client<'_>, name: &str, sheet: i64, more: Value) -> Value {
    let item = json!({ "id": sheet, "version": seen(client, sheet).await["version"] });
    let mut body = json!({ "items": [item] });
    for (field, value) in more.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    client.put(&format!("{SHEET}/{name}"), body).await.data().clone()
}

/// Why the step did not go on.
pub fn told(answer: &Value) -> &str {
    answer["failed"][0]["msg"].as_str().unwrap_or_default()
}

/// Submits a sheet that is filled and publishes it: `clerk` enters, the other two review.
pub async fn published(clerk: &Client<'_>, first: &Client<'_>, second: &Client<'_>, sheet: i64) {
    for (client, name) in [(clerk, "submit"), (first, "review"), (second, "audit"), (second, "publish")] {
        let done = step(client, name, sheet, json!({})).await;
        assert_eq!(done["done"], json!(1), "{name}: {done}");
    }
}
