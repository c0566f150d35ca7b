//! 消息 (01 §7, 05 D): the stories, and what they share.

mod events;
mod inbox;
mod mail;
mod own;
mod platform;
mod receipts;
mod scenes;
mod sending;
mod steps;

use kit::{
    Client, Server,
    cohort::{Cohort, cohort, registrar},
};
use serde_json::{Value, json};

pub(super) const MSG: &str = "/user/pc/msg";

/// A school with one of everything and somebody who may do all.
pub(super) async fn school(server: &Server) -> (Client<'_>, Cohort) {
    let admin = registrar(server).await;
    let place = cohort(&admin).await;
    (admin, place)
}

/// The body of a message; `with` overrides its fields.
pub(super) fn letter(with: Value) -> Value {
    let mut body = json!({
        "title": "缴费通知", "content": "<p>请于3月15日前缴费。</p>", "msgType": "system", "channels": ["in_app"],
        "audience": "all_students",
    });
    for (field, value) in with.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// Saves a message and sends it.
pub(super) async fn send(client: &Client<'_>, with: Value) -> i64 {
    let id = client.post(&format!("{MSG}/save"), letter(with)).await.id();
    assert_eq!(client.post(&format!("{MSG}/send?id={id}"), json!({})).await.id(), id);
    id
}

/// Waits until a message of school 1 is what it shall be.
pub(super) async fn becomes(server: &Server, id: i64, status: &str) {
    server.wait_until(&format!("select status = '{status}' from school_1.msg where id = {id}")).await;
}

pub(super) async fn count(server: &Server, of: &str) -> i64 {
    server.one(&format!("select count(*) from {of}")).await
}
