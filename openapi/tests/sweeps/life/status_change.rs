//! Students change site, leave and stay: windows, applications, the opinions of the sites, decisions, a revocation, an import.

use kit::{
    status_change::{BATCH, CHANGE, batch_of, change},
    students::id_number_of,
};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, classrooms::At, id};

const ROLL: &str = "/adult/pc/studentRoll";

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, at: &At, level: i64) -> Vec<(&'static str, i64)> {
    batches(life, at).await;
    let class =
        json!({ "code": "YD1", "gradeId": at.grade, "levelId": level, "majorId": at.major, "siteId": at.other_site });
    id(life.client.post("/adult/pc/class/save", class).await.data());
    moved(life, at, level).await;
    left(life, at, level).await;
    let mut deleted = Vec::new();
    for code in ["YD-8", "YD-9"] {
        let body = batch_of(code, &format!("{MARK}多余批次{code}"), &["dropout"]);
        deleted.push((BATCH, id(&life.post(&format!("{BATCH}/save"), body).await)));
    }
    deleted
}

async fn batches(life: &mut Life<'_>, at: &At) {
    let all = ["professional", "hierarchical", "class_change", "dropout", "suspension", "return", "transfer_out"];
    let mut body = batch_of("YD-7", &format!("{MARK}学籍异动"), &all);
    body["gradeIds"] = json!([at.grade]);
    let made = id(&life.post(&format!("{BATCH}/save"), body.clone()).await);
    let seen = life.get(&format!("{BATCH}/view?id={made}")).await;
    (body["id"], body["version"], body["clientEntry"]) = (json!(made), seen["version"].clone(), json!(true));
    life.put(&format!("{BATCH}/edit"), body).await;
    life.post(&format!("{BATCH}/list"), json!({})).await;
    life.post(&format!("{BATCH}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{BATCH}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    life.get("/adult/pc/options/changeBatch").await;
}

/// To the other site and back again.
async fn moved(life: &mut Life<'_>, at: &At, level: i64) {
    let student = student(life, at, level, 1).await;
    let mut body = change(student, "class_change", json!({ "after": { "siteId": at.other_site } }));
    let check = json!({ "studentId": student, "type": "class_change", "after": { "siteId": at.other_site } });
    assert_eq!(life.post(&format!("{CHANGE}/check"), check).await["ok"], json!(true));
    let made = id(&life.post(&format!("{CHANGE}/save"), body.clone()).await);
    (body["id"], body["version"], body["reason"]) = (json!(made), json!(1), json!(format!("{MARK}工作地点变动")));
    body.as_object_mut().expect("fields").remove("submit");
    life.put(&format!("{CHANGE}/edit"), body).await;
    step(life, "submit", made, json!({})).await;
    step(life, "siteReview", made, json!({ "result": "pass" })).await;
    step(life, "acceptReview", made, json!({ "result": "pass", "remark": "同意接收" })).await;
    let today = life.server.app.clock().today();
    step(life, "audit", made, json!({ "effectiveOn": today })).await;
    life.post(&format!("{CHANGE}/list"), json!({})).await;
    life.post(&format!("{CHANGE}/statistics"), json!({ "by": "type" })).await;
    life.post(&format!("{CHANGE}/export"), json!({})).await;
    life.get(&format!("{CHANGE}/print?id={made}")).await;
    step(life, "revoke", made, json!({ "remark": "学生仍在原站点" })).await;
}

/// Some stay, some leave.
async fn left(life: &mut Life<'_>, at: &At, level: i64) {
    let dropout = |student| change(student, "dropout", json!({ "reasonCode": "voluntary", "submit": true }));
    let stays = student(life, at, level, 2).await;
    let refused = id(&life.post(&format!("{CHANGE}/save"), dropout(stays)).await);
    step(life, "reject", refused, json!({ "remark": "材料不齐" })).await;
    let again = id(&life.post(&format!("{CHANGE}/save"), dropout(stays)).await);
    step(life, "cancel", again, json!({ "remark": "改变主意" })).await;
    let leaves = student(life, at, level, 3).await;
    let made = id(&life.post(&format!("{CHANGE}/save"), dropout(leaves)).await);
    step(life, "siteReview", made, json!({ "result": "pass" })).await;
    let items = |version: &Value| json!([{ "id": made, "version": version }]);
    let now = version(life, made).await;
    let done = life.post(&format!("{CHANGE}/batchReview"), json!({ "items": items(&now), "result": "pass" })).await;
    assert_eq!(done["done"], json!(1), "{done}");
    let now = version(life, made).await;
    let filing = json!({ "items": items(&now), "filingNo": "省教学籍〔2026〕12号", "filedOn": "2026-04-20" });
    assert_eq!(life.put(&format!("{CHANGE}/filing"), filing).await["done"], json!(1));
    student(life, at, level, 4).await;
    life.call(Method::GET, &format!("{CHANGE}/import/template"), Sent::Nothing).await;
    let today = life.server.app.clock().today().to_string();
    let row = [number(4), format!("{MARK}异动4"), "退学".to_owned(), "本人申请".to_owned(), today];
    let row: Vec<&str> = row.iter().map(String::as_str).collect();
    life.import(&format!("{CHANGE}/import"), &["学号", "姓名", "异动类型", "原因", "生效日期"], &[&row]).await;
}

fn number(n: usize) -> String {
    format!("26309{n:06}")
}

async fn student(life: &mut Life<'_>, at: &At, level: i64, n: usize) -> i64 {
    let body = json!({
        "name": format!("{MARK}异动{n}"), "idCardNo": id_number_of("410900", n), "studentNo": number(n), "gradeId": at.grade,
        "levelId": level, "majorId": at.major, "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": at.site,
        "enrolledOn": "2026-03-01", "status": "registered", "phone": format!("159{n:08}"), "source": "legacy",
    });
    id(life.client.post(&format!("{ROLL}/save"), body).await.data())
}

async fn version(life: &mut Life<'_>, change: i64) -> Value {
    life.get(&format!("{CHANGE}/view?id={change}")).await["version"].clone()
}

async fn step(life: &mut Life<'_>, call: &str, change: i64, more: Value) {
    let mut body = json!({ "id": change, "version": version(life, change).await });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    life.post(&format!("{CHANGE}/{call}"), body).await;
}
