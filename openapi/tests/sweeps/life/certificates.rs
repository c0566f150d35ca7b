//! Certificates and archives of a batch whose audits are over; nothing where there is none.

use kit::files::paper;
use serde_json::json;

use super::{Life, MARK};

const CERTIFICATE: &str = "/adult/pc/certificate";
const ARCHIVE: &str = "/adult/pc/archive";

pub(super) async fn live(life: &mut Life<'_>) {
    life.post(&format!("{CERTIFICATE}/list"), json!({})).await;
    life.post(&format!("{ARCHIVE}/list"), json!({})).await;
    let batch: i64 = life
        .server
        .one(
            "select coalesce(max(b.id), 0) from school_1.graduation_batch b
             where b.status in ('confirmed', 'registered') and exists (select from school_1.archive a where a.batch_id = b.id)",
        )
        .await;
    if batch == 0 {
        return;
    }
    life.post(&format!("{CERTIFICATE}/allocate"), json!({ "batchId": batch, "preview": false })).await;
    let archive: i64 = life.server.one(&format!("select min(id) from school_1.archive where batch_id = {batch}")).await;
    let seen = life.get(&format!("{ARCHIVE}/view?id={archive}")).await;
    life.post(&format!("{ARCHIVE}/generate"), json!({ "batchId": batch, "ids": [archive] })).await;
    let key = paper(&life.client, "材料.pdf").await;
    life.put(&format!("{ARCHIVE}/upload"), json!({ "id": archive, "code": "identity", "fileKey": key })).await;
    for code in seen["missing"].as_array().expect("what is missing") {
        if code != &json!("identity") {
            let waive = json!({ "id": archive, "code": code, "reason": format!("{MARK}学校批准") });
            // What was made meanwhile needs no waiver.
            life.client.put(&format!("{ARCHIVE}/waive"), waive).await;
        }
    }
    life.post(&format!("{ARCHIVE}/export"), json!({})).await;
    for kind in ["label", "catalogue", "bundle"] {
        life.post(&format!("{ARCHIVE}/print/{kind}"), json!({ "ids": [archive] })).await;
    }
    life.post(&format!("{CERTIFICATE}/export"), json!({})).await;
}
