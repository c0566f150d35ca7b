//! Files that were uploaded.

use std::io::Cursor;

use poem::http::Method;
use serde_json::json;

use crate::Client;

/// The key of a paper that the console uploaded directly, with the bytes `12345`.
pub async fn paper(client: &Client<'_>, name: &str) -> String {
    uploaded(client, name, "application/pdf", b"12345").await
}

/// What stands on the pages of a document.
pub fn written(pdf: &[u8]) -> String {
    let document = lopdf::Document::load_mem(pdf).expect("a document");
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    document.extract_text(&pages).expect("text")
}

/// A small picture, each shade another.
pub fn png(shade: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(4, 3, image::Rgb([shade; 3]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

/// The key of a private file that the console uploaded directly.
pub async fn uploaded(client: &Client<'_>, name: &str, content_type: &str, bytes: &[u8]) -> String {
    let form = json!({ "fileName": name, "size": bytes.len(), "contentType": content_type, "type": 3 });
    let ticket = client.post("/system/pc/upload/presign", form).await.data().clone();
    let url = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, url, Some(content_type), bytes.to_vec()).await;
    let key = ticket["key"].as_str().expect("a key").to_owned();
    client.post("/system/pc/upload/complete", json!({ "key": key })).await.data();
    key
}

/// Sends what a client announced by a ticket, a plain text, and completes it.
pub async fn sent(client: &Client<'_>, ticket: &serde_json::Value, bytes: &[u8]) {
    let url = ticket["url"].as_str().expect("an address");
    client.raw(Method::PUT, url, Some("text/plain"), bytes.to_vec()).await;
    let answer = client.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
}
