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

/// Undoes the newest import with this title of which something is left, after a check that says the same; how it ended, and
/// which records stay and why, without the moment at which somebody changed one.
pub async fn taken_back(client: &Client<'_>, title: &str) -> (String, Vec<String>) {
    let listed = client.post("/system/pc/import/list", json!({})).await;
    let runs = listed.data()["list"].as_array().expect("imports").clone();
    let left = |run: &&Value| run["title"] == json!(title) && run["undone"] != run["records"];
    let id = runs.iter().find(left).expect("an import with something left")["id"].clone();
    let mut told = Vec::new();
    for dry_run in [true, false] {
        let begun = client.put("/system/pc/import/undo", json!({ "id": id, "dryRun": dry_run })).await;
        let job = ended(client, &begun.data()["jobId"]).await;
        assert_eq!(job["state"], json!("done"), "{job}");
        told.push((job["message"].as_str().unwrap_or_default().to_owned(), staying(&job)));
    }
    let (done, checked) = (told.pop().expect("an undo"), told.pop().expect("a check"));
    assert_eq!(checked.1, done.1, "the check tells what the undo does");
    done
}

fn staying(job: &Value) -> Vec<String> {
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let lines = job["errors"].as_array().into_iter().flatten();
    lines
        .map(|line| {
            let msg = word(line, "msg");
            let why =
                if msg.starts_with("导入后已被") { msg.split('于').next().unwrap_or_default() } else { &msg };
            format!("{}: {why}", word(line, "name"))
        })
        .collect()
}
