//! What the operators' public site is decorated with.

use serde_json::{Value, json};

use crate::Server;

pub fn nav(title: &str) -> Value {
    json!({ "terminal": "pc", "navTitle": title, "navUrl": "/courses" })
}

/// From one day of 2027 to the beginning of another, as `05-01`, on computers.
pub fn advertisement(title: &str, from: &str, to: &str) -> Value {
    let at = |day: &str| format!("2027-{day}T00:00:00+08:00");
    json!({
        "terminal": "pc", "advTitle": title, "advImg": "/admin/files/public/a.png", "beginsAt": at(from), "endsAt": at(to),
    })
}

/// A poster of courses with a code at its foot.
pub fn poster(name: &str) -> Value {
    let code = json!({ "kind": "qr", "x": 275, "y": 1100, "w": 200, "h": 200 });
    json!({ "name": name, "shareType": "course", "bgImage": "/admin/files/public/p.png", "elements": [code] })
}

/// A category of recorded courses.
pub async fn category(server: &Server, name: &str) -> i64 {
    server
        .one(&format!(
            "insert into platform.online_category (category_type, category_name, created_by, updated_by)
             values ('record', '{name}', 0, 0) returning id"
        ))
        .await
}

/// A course on the shelf, of a category and lecturer of its own, which visitors see.
pub async fn course(server: &Server, name: &str) -> i64 {
    let category = category(server, name).await;
    let lecturer: i64 = server
        .one(&format!(
            "insert into platform.lecturer (lecturer_name, phone, lecturer_proportion, created_by, updated_by)
             values ('{name}讲师', '13900000003', 0.7, 0, 0) returning id"
        ))
        .await;
    let course: i64 = server
        .one(&format!(
            "insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, is_free,
                 price_original, price_sale, audit_status, created_by, updated_by)
             values ('record', '{name}', {category}, {lecturer}, '/a.png', false, 19900, 9900, 'approved', 0, 0)
             returning id"
        ))
        .await;
    let version: i64 = server
        .one(&format!(
            "insert into platform.online_course_revision (course_id, content, audit_status, submitter_id, audited_by,
                 audited_at, created_by, updated_by)
             values ({course}, '{{}}', 'approved', 0, 0, now(), 0, 0) returning id"
        ))
        .await;
    server
        .run(&format!(
            "update platform.online_course set published_revision_id = {version}, putaway = 'on' where id = {course}"
        ))
        .await;
    course
}

/// What a visitor is shown on the home page of a terminal.
pub async fn home(server: &Server, terminal: &str) -> Value {
    server.anonymous().get(&format!("/system/client/site/home?terminal={terminal}")).await.data().clone()
}
