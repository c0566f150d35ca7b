//! Undoing what was imported last.

use serde_json::{Value, json};

use crate::{Client, jobs::ended};

/// The import that the person did or may undo, the newest of them.
pub async fn newest(client: &Client<'_>) -> Value {
    let listed = client.post("/system/pc/import/list", json!({})).await;
    listed.data()["list"][0].clone()
}

/// Undoes the newest import, or checks whether it can be; the job as it ended.
pub async fn undone(client: &Client<'_>, dry_run: bool) -> Value {
    let wanted = json!({ "id": newest(client).await["id"], "dryRun": dry_run });
    let begun = client.put("/system/pc/import/undo", wanted).await;
    assert_eq!(begun.code(), 200, "{}", begun.body);
    ended(client, &begun.data()["jobId"]).await
}
