//! The help centre: articles, and whether people find it.

use poem::http::Method;
use serde_json::{Value, json};

use crate::{Client, Server};

pub use crate::client::with;

pub const SUPPORT: &str = "/system/pc/support";
/// What people of the console read.
pub const READ: &str = "/system/pc/api/support";
/// What people of the clients read.
pub const OWN: &str = "/system/client/support";

/// Opens the help centre of the platform and of both schools.
pub async fn open(server: &Server) {
    server
        .run(
            "insert into platform.sys_config (config_name, config_kind, content, is_default, enabled, created_by, updated_by)
             select '站点', 'website', '{\"title\": \"成教云\", \"schoolAssistanceCenter\": true}', true, true, 0, 0
             where not exists (select from platform.sys_config where config_kind = 'website');
             update platform.school set assistance_center_enabled = true",
        )
        .await;
    server.tell("config:").await;
}

/// A category of an audience; answers its number.
pub async fn category(client: &Client<'_>, audience: &str, name: &str) -> i64 {
    client.post(&format!("{SUPPORT}/{audience}/category/save"), json!({ "name": name })).await.id()
}

/// What an editor types.
pub fn article(category: i64, title: &str, text: &str) -> Value {
    json!({ "categoryId": category, "title": title, "content": format!("<p>{text}</p>") })
}

/// An article that nobody reads yet; answers its number.
pub async fn draft(client: &Client<'_>, audience: &str, form: Value) -> i64 {
    client.post(&format!("{SUPPORT}/{audience}/save"), form).await.id()
}

/// Publishes an article now.
pub async fn publish(client: &Client<'_>, audience: &str, id: i64) {
    let done = client.put(&format!("{SUPPORT}/{audience}/publish"), json!({ "ids": [id] })).await;
    assert_eq!(done.data()["done"], json!(1), "{}", done.body);
}

/// An article that is read; answers its number.
pub async fn published(client: &Client<'_>, audience: &str, form: Value) -> i64 {
    let id = draft(client, audience, form).await;
    publish(client, audience, id).await;
    id
}

/// An article as its editor sees it.
pub async fn viewed(client: &Client<'_>, audience: &str, id: i64) -> Value {
    client.get(&format!("{SUPPORT}/{audience}/view?id={id}")).await.data().clone()
}

/// The whole form of an article again, with some fields otherwise.
pub async fn edit(client: &Client<'_>, audience: &str, id: i64, more: Value) -> crate::Answer {
    let seen = viewed(client, audience, id).await;
    let mut form = json!({ "id": id });
    for field in [
        "version",
        "categoryId",
        "title",
        "keywords",
        "content",
        "fileIds",
        "videoAssetId",
        "schoolIds",
        "pinned",
        "sort",
        "offlineAt",
    ] {
        form[field] = seen[field].clone();
    }
    client.put(&format!("{SUPPORT}/{audience}/edit"), with(form, more)).await
}

/// The titles that a search finds, in their order; without words all of them.
pub async fn found(client: &Client<'_>, base: &str, asked: Value) -> Vec<String> {
    let page = client.post(&format!("{base}/search"), asked).await.data().clone();
    let hits = page["list"].as_array().expect("articles").iter();
    hits.map(|hit| hit["title"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Somebody in a client sends in a paper; answers its number.
pub async fn paper_of(server: &Server, client: &Client<'_>, name: &str) -> i64 {
    let form =
        json!({ "fileName": name, "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "support" });
    let ticket = client.post("/user/client/upload/presign", form).await.data().clone();
    let address = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, address, Some("application/pdf"), b"12345".to_vec()).await;
    let answer = client.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    number_of(server, "school_1", ticket["key"].as_str().expect("a key")).await
}

/// The number of a file by its key.
pub async fn number_of(server: &Server, schema: &str, key: &str) -> i64 {
    server.one(&format!("select id from {schema}.file_object where key = '{key}'")).await
}
