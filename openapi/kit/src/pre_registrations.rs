//! Batches of pre-registration and the people in them.

use serde_json::{Value, json};

use crate::{Client, cohort::Cohort, students::id_number};

pub const BATCH: &str = "/adult/pc/preRegistrationBatch";
pub const PRE: &str = "/adult/pc/preRegistration";

/// A batch of the grade with the place's major at every site.
pub async fn batch(client: &Client<'_>, p: &Cohort, code: &str, need_audit: bool) -> i64 {
    let form = json!({
        "code": code, "name": format!("批次{code}"), "gradeId": p.grade, "startsAt": "2020-09-01T00:00:00+08:00",
        "endsAt": "2099-01-01T00:00:00+08:00", "levelIds": [p.level], "needAudit": need_audit,
    });
    let id = client.post(&format!("{BATCH}/save"), form).await.id();
    let majors = json!({ "id": id, "version": 1, "majors": [{ "majorId": p.major }] });
    assert_eq!(client.put(&format!("{BATCH}/majors"), majors).await.code(), 200);
    id
}

/// The n-th person in the body of `save`.
pub fn person(p: &Cohort, batch: i64, n: usize) -> Value {
    json!({
        "batchId": batch, "name": "李秀英", "idCardNo": id_number(n), "phone": format!("154{n:08}"), "levelId": p.level,
        "majorId": p.major, "siteId": p.site,
    })
}
