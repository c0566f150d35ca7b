//! Teachers.

use serde_json::{Value, json};

use crate::Client;

pub const TEACHER: &str = "/user/pc/teacher";

/// Teacher `T00n` at this unit.
pub fn teacher(organization: i64, n: i64) -> Value {
    json!({
        "workNo": format!("T{n:03}"), "name": "陈立新", "phone": format!("1390000{n:04}"), "organizationId": organization,
        "idCardType": "resident_id", "idCardNo": "429900199603150216", "title": "lecturer", "duties": ["lecturer", "marker"],
    })
}

/// As the list shows it.
pub async fn line(client: &Client<'_>, id: i64) -> Value {
    let listed = client.post(&format!("{TEACHER}/list"), json!({ "pageSize": 500 })).await;
    let list = listed.data()["list"].as_array().expect("teachers").clone();
    list.into_iter().find(|row| row["id"] == json!(id)).expect("the teacher")
}
