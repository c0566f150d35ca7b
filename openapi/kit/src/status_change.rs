//! Changes of students' status, and their windows.

use serde_json::{Value, json};

use crate::{Answer, Client};

pub const BATCH: &str = "/adult/pc/changeBatch";
pub const CHANGE: &str = "/adult/pc/change";

/// A window that is open for a long time, in the body of `save`.
pub fn batch_of(code: &str, name: &str, types: &[&str]) -> Value {
    json!({
        "code": code, "name": name, "types": types, "gradeIds": [], "startsAt": "2020-01-01T00:00:00+08:00",
        "endsAt": "2099-01-01T00:00:00+08:00",
    })
}

/// A window for every type, open for a long time and without the opinion of sites; answers its number.
pub async fn open_batch(client: &Client<'_>) -> i64 {
    let all = ["professional", "hierarchical", "class_change", "dropout", "suspension", "return", "transfer_out"];
    let mut body = batch_of("YD-1", "学籍异动", &all);
    body["siteReview"] = json!(false);
    client.post(&format!("{BATCH}/save"), body).await.id()
}

/// A change in the body of `save`, with fields of its own.
pub fn change(student: i64, kind: &str, fields: Value) -> Value {
    let mut body = json!({ "studentId": student, "type": kind, "reason": "本人申请，材料齐全" });
    for (field, value) in fields.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// Asks for a change that goes on at once.
pub async fn ask(client: &Client<'_>, student: i64, kind: &str, fields: Value) -> Answer {
    let mut body = change(student, kind, fields);
    body["submit"] = json!(true);
    client.post(&format!("{CHANGE}/save"), body).await
}

/// The change as its page shows it.
pub async fn seen(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{CHANGE}/view?id={id}")).await.data().clone()
}

/// A step of the change as it stands now.
pub async fn step(client: &Client<'_>, call: &str, id: i64, more: Value) -> Answer {
    let mut body = json!({ "id": id, "version": seen(client, id).await["version"] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post(&format!("{CHANGE}/{call}"), body).await
}
