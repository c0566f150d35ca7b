//! Forms of information review.

use serde_json::{Value, json};

use crate::{Answer, Client, Server, cohort::Cohort, files::uploaded};

pub use crate::client::with;

pub const INFORMATION: &str = "/user/pc/admissionInformation";
pub const COMMITMENT: &str = "/user/pc/admissionCommitment";
pub const GRADUATION: &str = "/user/pc/graduationInformation";

/// A window that began yesterday and ends in a month.
pub fn window(server: &Server, p: &Cohort) -> Value {
    let now = server.app.clock().now();
    let at = |days: i64| (now + chrono::Duration::days(days)).to_rfc3339();
    json!({
        "gradeIds": [p.grade], "opensAt": at(-1), "closesAt": at(30), "templateText": null, "requireSignature": false,
        "requireFace": false, "enabled": true,
    })
}

/// The form of a student.
pub async fn form_of(client: &Client<'_>, group: &str, student: i64) -> Value {
    let list = client.post(&format!("{group}/list"), json!({ "pageSize": 500 })).await.data()["list"].clone();
    let found = list.as_array().expect("rows").iter().find(|row| row["studentId"] == json!(student)).cloned();
    found.unwrap_or_else(|| panic!("student {student} has a form in {list}"))
}

/// Every item of a form as right.
pub fn all_right(view: &Value) -> Value {
    view["items"].as_array().expect("items").iter().map(|item| json!({ "key": item["key"], "ok": true })).collect()
}

/// What a student states at 学籍注册信息核对 when all is right.
pub fn information(view: &Value) -> Value {
    json!({
        "items": all_right(view), "phone": "13800138000", "address": "武汉市洪山区珞瑜路1037号",
        "resume": [{ "from": "2015-09", "to": null, "unit": "江城机械厂", "duty": "技工", "witness": "李工" }],
    })
}

/// What a student states at 入学资格审查, with the paper of this key.
pub fn commitment(paper: &str) -> Value {
    json!({
        "preEduLevel": "associate", "preEduSchool": "湖北职业技术学院", "preEduMajor": "会计",
        "preEduCertificateNo": "123456202306000123", "preEduGraduatedOn": "2023-06-30", "evidenceKind": "report",
        "reportNo": "R2023060001", "signed": true, "files": [{ "kind": "attachment", "key": paper }],
    })
}

/// What a student states at 毕业登记 when all is right.
pub fn graduation(view: &Value) -> Value {
    json!({
        "items": all_right(view), "selfAssessment": "好".repeat(200), "thesisTitle": "会计信息化研究", "rewards": "无",
        "resume": [{ "from": "2015-09", "to": null, "unit": "江城机械厂" }],
        "family": [{ "relation": "父亲", "name": "张建国", "unit": "退休" }],
    })
}

/// Gives a student the three pictures that are compared; they are one file.
pub async fn photographed(server: &Server, client: &Client<'_>, student: i64) {
    let key = uploaded(client, "照片.jpg", "image/jpeg", b"12345").await;
    server
        .run(&format!(
            "update school_1.student s
             set admission_photo_id = f.id, enrol_photo_id = f.id, graduation_photo_id = f.id
             from school_1.file_object f where f.key = '{key}' and s.id = {student}"
        ))
        .await;
}

/// A step of a form as it stands.
pub async fn turn(client: &Client<'_>, group: &str, call: &str, student: i64, more: Value) -> Answer {
    let row = form_of(client, group, student).await;
    let body = with(json!({ "id": row["id"], "version": row["version"] }), more);
    client.post(&format!("{group}/{call}"), body).await
}
