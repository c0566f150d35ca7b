//! People who want to study: entered, typed again, audited, numbered, moved, deleted and had back.

use kit::{
    files::paper,
    pre_registrations::{BATCH, PRE},
    students::id_number_of,
};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, Upload, classrooms::At, id};

const BIN: &str = "/adult/pc/preRegistrationDeleted";

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, at: &At, level: i64) -> Vec<(&'static str, i64)> {
    let batch = batch(life, at, level).await;
    life.get("/adult/pc/options/preRegistrationBatch").await;
    life.get(&format!("{PRE}/offer?batchId={batch}")).await;
    let person = |n: usize, name: &str| {
        json!({
            "batchId": batch, "name": format!("{MARK}{name}"), "idCardNo": id_number_of("410100", n),
            "phone": format!("154{n:08}"), "levelId": level, "majorId": at.major, "siteId": at.site,
        })
    };
    let made = id(&life.post(&format!("{PRE}/save"), person(1, "李秀英")).await);
    edit(life, made, person(1, "李秀英")).await;
    life.get(&format!("{PRE}/print?id={made}")).await;
    life.post(&format!("{PRE}/list"), json!({ "batchId": batch })).await;
    life.post(&format!("{PRE}/export"), json!({})).await;
    life.get(&format!("{PRE}/funnel")).await;
    life.post("/system/pc/plain/view", json!({ "entity": "preRegistration", "id": made, "field": "phone" })).await;
    steps(life, made, at).await;
    life.get(&format!("{PRE}/import/template?batchId={batch}")).await;
    let (name, number) = (format!("{MARK}王芳"), id_number_of("410100", 2));
    let row: &[&str] = &[&name, &number, "15400000002", "ZSB", "0412", "S1"];
    sheet(life, Method::POST, "import", batch, &["姓名", "证件号", "手机", "层次", "专业", "站点"], row).await;
    let row: &[&str] = &[&number, &name, "26420101150001"];
    life.get(&format!("{PRE}/examineeNo/import/template")).await;
    sheet(life, Method::PUT, "examineeNo/import", batch, &["证件号", "姓名", "考生号"], row).await;

    missed(life).await;
    let gone = id(&life.post(&format!("{PRE}/save"), person(3, "张敏")).await);
    life.post(&format!("{PRE}/batchDel"), json!({ "ids": [gone] })).await;
    let bin = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    life.get(&format!("{BIN}/view?id={gone}")).await;
    life.post(&format!("{BIN}/export"), json!({})).await;
    let back = json!({ "items": [{ "id": gone, "version": bin["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/recover"), back).await["done"], json!(1));
    let mut last = person(4, "刘洋");
    last["attachments"] = json!([{ "kind": "diploma", "key": paper(&life.client, "毕业证.pdf").await }]);
    let last = id(&life.post(&format!("{PRE}/save"), last).await);
    life.post(&format!("{PRE}/batchDownload"), json!({ "batchId": batch })).await;
    vec![(PRE, gone), (PRE, last)]
}

/// Two people go for good; only an operator can do that.
pub(super) async fn destroy(life: &mut Life<'_>) {
    let mut ids = Vec::new();
    for name in ["李秀英", "王芳"] {
        let found = life.post(&format!("{PRE}/list"), json!({ "keyword": format!("{MARK}{name}") })).await;
        ids.push(found["list"][0]["id"].clone());
    }
    assert_eq!(life.post(&format!("{PRE}/batchDel"), json!({ "ids": ids })).await["done"], json!(2));
    life.delete(&format!("{BIN}/delete?id={}", ids[0])).await;
    let row = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    let gone = json!({ "items": [{ "id": row["id"], "version": row["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/batchDel"), gone).await["done"], json!(1));
}

/// Whoever was numbered is not admitted when the recruitment of the grade is over.
async fn missed(life: &mut Life<'_>) {
    let row = life.post(&format!("{PRE}/list"), json!({ "examStatus": "registered" })).await["list"][0].clone();
    let items = json!({ "items": [{ "id": row["id"], "version": row["version"] }] });
    assert_eq!(life.post(&format!("{PRE}/notAdmitted"), items).await["done"], json!(1));
}

async fn batch(life: &mut Life<'_>, at: &At, level: i64) -> i64 {
    let form = json!({
        "code": "Y2026", "name": format!("{MARK}秋季预报名"), "gradeId": at.grade, "startsAt": "2020-09-01T00:00:00+08:00",
        "endsAt": "2099-01-01T00:00:00+08:00", "levelIds": [level], "needAudit": true,
    });
    let made = id(&life.post(&format!("{BATCH}/save"), form).await);
    let offer = json!({ "id": made, "version": 1, "majors": [{ "majorId": at.major }] });
    life.put(&format!("{BATCH}/majors"), offer).await;
    made
}

async fn edit(life: &mut Life<'_>, made: i64, mut form: Value) {
    form.as_object_mut().expect("fields").remove("batchId");
    form["id"] = json!(made);
    form["version"] = life.get(&format!("{PRE}/view?id={made}")).await["version"].clone();
    form["address"] = json!("某路1号");
    life.put(&format!("{PRE}/edit"), form).await;
}

async fn steps(life: &mut Life<'_>, made: i64, at: &At) {
    for (method, call, more) in [
        (Method::POST, "audit", json!({ "result": "pass" })),
        (Method::POST, "reopen", json!({})),
        (Method::PUT, "cancel", json!({ "remark": "本人放弃" })),
        (Method::POST, "reopen", json!({})),
    ] {
        let version = life.get(&format!("{PRE}/view?id={made}")).await["version"].clone();
        let mut body = json!({ "id": made, "version": version });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        life.call(method, &format!("{PRE}/{call}"), Sent::Json(body)).await;
    }
    for (call, more) in [
        ("site", json!({ "siteId": at.other_site })),
        ("batchReview", json!({ "result": "return", "remark": "照片不清晰" })),
    ] {
        let version = life.get(&format!("{PRE}/view?id={made}")).await["version"].clone();
        let mut body = json!({ "items": [{ "id": made, "version": version }] });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        let answer = life.post(&format!("{PRE}/{call}"), body).await;
        assert_eq!(answer["done"], json!(1), "{call} {answer}");
    }
}

async fn sheet(life: &mut Life<'_>, method: Method, call: &str, batch: i64, headings: &[&str], row: &[&str]) {
    let file = Upload { texts: vec![("batchId", batch.to_string())], ..Upload::sheet(headings, &[row]) };
    let answer = life.call(method, &format!("{PRE}/{call}"), Sent::File(file)).await;
    assert_eq!((&answer["errors"], &answer["imported"]), (&json!([]), &json!(1)), "{call}");
}
