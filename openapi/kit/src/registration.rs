//! People who were audited and are to report.

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    admission::{ADMISSION, items, row, taken},
    cohort::Cohort,
};

pub const REGISTRATION: &str = "/adult/pc/registration";

/// Takes these people over into an open batch, gives them the place's site, and audits them.
pub async fn audited(client: &Client<'_>, p: &Cohort, batch: i64, people: std::ops::Range<usize>) {
    taken(client, p, batch, &people.map(row).collect::<Vec<_>>()).await;
    let waiting = rows_of(client, ADMISSION, json!({ "batchId": batch, "status": "imported" })).await;
    for part in waiting.chunks(1_000) {
        let body = json!({ "items": items(part), "siteId": p.site });
        let told = client.post(&format!("{ADMISSION}/allocation"), body).await;
        assert_eq!(told.data()["failed"], json!([]), "{}", told.body);
    }
    let assigned = rows_of(client, ADMISSION, json!({ "batchId": batch, "status": "assigned" })).await;
    for part in assigned.chunks(1_000) {
        let told =
            client.post(&format!("{ADMISSION}/batchReview"), json!({ "items": items(part), "result": "pass" })).await;
        assert_eq!(told.data()["failed"], json!([]), "{}", told.body);
    }
}

/// All rows of a list, as it shows them.
async fn rows_of(client: &Client<'_>, call: &str, filter: Value) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let mut body = filter.clone();
        (body["pageSize"], body["pageCurrent"]) = (json!(500), json!(page));
        let list = client.post(&format!("{call}/list"), body).await.data()["list"].as_array().expect("rows").clone();
        let last = list.len() < 500;
        all.extend(list);
        if last {
            break;
        }
    }
    all
}

/// The registrations that a filter names.
pub async fn registrations(client: &Client<'_>, filter: Value) -> Vec<Value> {
    rows_of(client, REGISTRATION, filter).await
}

/// The registration of the n-th person of a file.
pub async fn registration(client: &Client<'_>, n: usize) -> Value {
    let found = registrations(client, json!({ "keyword": format!("0501{n:010}") })).await;
    found.into_iter().find(|row| row["carriedOn"] == json!(false)).expect("a registration")
}

/// Everybody has the authority's picture and has paid.
pub async fn ready(server: &Server) {
    server
        .run(
            "insert into school_1.file_object (key, original_name, size, content_type, file_type, state, uploader_id)
             values ('private/s1/202601/of_everybody.jpg', '照片.jpg', 1, 'image/jpeg', 3, 'stored', 0)
             on conflict do nothing;
             update school_1.admission set photo_id = (select id from school_1.file_object where key like '%of_everybody.jpg');
             update school_1.registration set fee_paid = true, paid_amount = 280000, paid_at = now(), fee_source = 'manual',
                    version = version + 1",
        )
        .await;
}

/// Has one person report.
pub async fn report(client: &Client<'_>, row: &Value) -> Answer {
    let body = json!({
        "id": row["id"], "version": row["version"], "identityVerified": true, "verifyMethod": "card_reader",
        "materials": ["id_copy", "diploma_copy"],
    });
    client.post(&format!("{REGISTRATION}/report"), body).await
}
