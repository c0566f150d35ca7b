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
    places::{Place, place, registrar},
};
use serde_json::{Value, json};

pub(super) const MSG: &str = "/user/pc/msg";

/// A school with one of everything and somebody who may do all.
pub(super) async fn school(server: &Server) -> (Client<'_>, Place) {
    let admin = registrar(server).await;
    let place = place(&admin).await;
    (admin, place)
}

/// Students written directly, so many that saving them would take long. Their phones are 154 and the number.
pub(super) async fn students(server: &Server, p: &Place, site: i64, class: Option<i64>, first: i64, count: i64) {
    let class = class.map_or_else(|| "null".to_owned(), |id| id.to_string());
    server
        .run(&format!(
            "insert into school_1.student (student_no, name, name_grams, pinyin, initials, id_card_type, id_card_no, grade_id, level_id,
                major_id, study_form, schooling_years, site_id, class_id, enrolled_on, expected_graduation_on, max_study_end_on, status,
                source, phone, email, created_by, updated_by)
             select '26' || lpad(n::text, 8, '0'), '学生' || n, '{{}}', '', '', 'passport', 'E' || lpad(n::text, 8, '0'), {}, {}, {},
                'non_full_time', 2.5, {site}, {class}, '2026-03-01', '2028-07-10', '2031-02-28', 'registered', 'legacy',
                '154' || lpad(n::text, 8, '0'), 's' || n || '@example.com', 0, 0
             from generate_series({first}, {first} + {count} - 1) n",
            p.grade, p.level, p.major
        ))
        .await;
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
