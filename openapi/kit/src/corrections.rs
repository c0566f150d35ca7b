//! Corrections of students' key fields.

use serde_json::{Value, json};

use crate::{Answer, Client, files::paper};

pub const CORRECTION: &str = "/adult/pc/correction";

/// A correction in the body of `save`, with fields of its own.
pub fn correction(student: i64, kind: &str, fields: Value) -> Value {
    let mut body = json!({ "studentId": student, "kind": kind, "reason": "经核对户口簿，原信息有误" });
    for (field, value) in fields.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// Papers of these kinds, uploaded in the console.
pub async fn evidence(client: &Client<'_>, kinds: &[&str]) -> Value {
    let mut papers = Vec::new();
    for kind in kinds {
        papers.push(json!({ "kind": kind, "key": paper(client, &format!("{kind}.pdf")).await }));
    }
    json!(papers)
}

/// The correction as its page shows it.
pub async fn seen(client: &Client<'_>, id: i64) -> Value {
    client.get(&format!("{CORRECTION}/view?id={id}")).await.data().clone()
}

/// A decision about the correction as it stands now.
pub async fn audit(client: &Client<'_>, id: i64, result: &str, more: Value) -> Answer {
    let mut body = json!({ "id": id, "version": seen(client, id).await["version"], "result": result });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post(&format!("{CORRECTION}/audit"), body).await
}
