//! Whom the authority admitted is audited; those who passed come, are kept, give up or are late, and what was done is taken back.

use kit::{
    admission::{ADMISSION, dbf, items, row, take},
    files::paper,
    registration::{REGISTRATION, ready},
};
use serde_json::{Value, json};

use super::{Life, MARK, Upload};

const BIN: &str = "/adult/pc/registrationDeleted";
/// Who is admitted here, by their numbers in the file.
const PEOPLE: [(usize, &str); 12] = [
    (31, "周一"),
    (32, "吴二"),
    (33, "郑三"),
    (34, "王四"),
    (35, "冯五"),
    (36, "陈六"),
    (37, "褚七"),
    (38, "卫八"),
    (39, "蒋九"),
    (40, "沈十"),
    (41, "韩甲"),
    (42, "杨乙"),
];

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, level: i64) -> Vec<(&'static str, i64)> {
    let batch: i64 = life.server.one("select id from school_1.enrollment_batch where code = 'ZS-5'").await;
    admitted(life, batch, level).await;
    audit(life, batch).await;
    ready(life.server).await;
    let one = person(life, "周一").await;
    life.post(&format!("{REGISTRATION}/list"), json!({ "batchId": batch })).await;
    life.get(&format!("{REGISTRATION}/view?id={}", one["id"])).await;
    life.get(&format!("{REGISTRATION}/print?id={}&doc=roll", one["id"])).await;
    life.post(&format!("{REGISTRATION}/export"), json!({ "batchId": batch })).await;
    life.post(&format!("{REGISTRATION}/export"), json!({ "batchId": batch, "sheet": "missing" })).await;
    life.post(&format!("{REGISTRATION}/statistics"), json!({ "batchId": batch, "by": "site" })).await;
    let number = json!({ "entity": "registration", "id": one["id"], "field": "idCardNo" });
    life.post("/system/pc/plain/view", number).await;
    fees(life).await;
    let checked = json!({ "identityVerified": true, "verifyMethod": "manual", "materials": ["id_copy", "commitment"] });
    let body = turn(life, "周一", checked).await;
    life.put(&format!("{REGISTRATION}/edit"), body).await;
    come(life).await;
    stay_away(life).await;
    results(life).await;
    binned(life).await;
    let mut kept = Vec::new();
    for name in ["沈十", "韩甲"] {
        kept.push((REGISTRATION, person(life, name).await["id"].as_i64().expect("a number")));
    }
    kept
}

/// Two go for good; only an operator can do that.
pub(super) async fn destroy(life: &mut Life<'_>) {
    let mut ids = Vec::new();
    for name in ["蒋九", "杨乙"] {
        ids.push(person(life, name).await["id"].clone());
    }
    assert_eq!(life.post(&format!("{REGISTRATION}/batchDel"), json!({ "ids": ids })).await["done"], json!(2));
    life.delete(&format!("{BIN}/delete?id={}", ids[0])).await;
    let row = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    let gone = json!({ "items": [{ "id": row["id"], "version": row["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/batchDel"), gone).await["done"], json!(1));
}

/// A file of theirs, in which each has the first site.
async fn admitted(life: &mut Life<'_>, batch: i64, level: i64) {
    let rows: Vec<Vec<String>> = PEOPLE
        .into_iter()
        .map(|(n, name)| {
            let mut row = row(n);
            row[1] = format!("{MARK}{name}");
            row[11] = format!("{MARK}城东站");
            row
        })
        .collect();
    let maps = json!([{ "field": "level", "code": "2", "value": level.to_string() }]).to_string();
    let told = take(&life.client, batch, &[("valueMaps", &maps)], "LQK2.dbf", &dbf(&rows)).await.data().clone();
    assert_eq!((&told["errors"], &told["inserted"]), (&json!([]), &json!(PEOPLE.len())), "{told}");
}

/// One by hand, whose audit is taken back and given again; the others together.
async fn audit(life: &mut Life<'_>, batch: i64) {
    for (result, remark) in [("pass", None), ("revoke", Some("信息待核")), ("pass", None)] {
        let row = admission(life, batch, PEOPLE[0].1).await;
        let body = json!({ "id": row["id"], "version": row["version"], "result": result, "remark": remark });
        life.post(&format!("{ADMISSION}/audit"), body).await;
    }
    let mut rest = Vec::new();
    for (_, name) in &PEOPLE[1..] {
        rest.push(admission(life, batch, name).await);
    }
    let body = json!({ "items": items(&rest), "result": "pass" });
    let told = life.post(&format!("{ADMISSION}/batchReview"), body).await;
    assert_eq!(told["done"], json!(rest.len()), "{told}");
}

async fn admission(life: &Life<'_>, batch: i64, name: &str) -> Value {
    let filter = json!({ "batchId": batch, "keyword": format!("{MARK}{name}") });
    life.client.post(&format!("{ADMISSION}/list"), filter).await.data()["list"][0].clone()
}

async fn person(life: &Life<'_>, name: &str) -> Value {
    let filter = json!({ "keyword": format!("{MARK}{name}") });
    life.client.post(&format!("{REGISTRATION}/list"), filter).await.data()["list"][0].clone()
}

/// The body of a step on one person.
async fn turn(life: &Life<'_>, name: &str, more: Value) -> Value {
    let row = person(life, name).await;
    let mut body = json!({ "id": row["id"], "version": row["version"] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

/// That of one among several.
async fn item(life: &Life<'_>, name: &str, more: Value) -> Value {
    let mut body = json!({ "items": items(&[person(life, name).await]) });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}

async fn fees(life: &mut Life<'_>) {
    let mut unpaid = Vec::new();
    for name in ["吴二", "卫八", "蒋九", "沈十", "韩甲", "杨乙"] {
        unpaid.push(person(life, name).await);
    }
    let body = json!({ "items": items(&unpaid), "feePaid": false });
    assert_eq!(life.put(&format!("{REGISTRATION}/fee"), body).await["done"], json!(6));
    life.get(&format!("{REGISTRATION}/fee/import/template")).await;
    let (number, name) = (row(PEOPLE[1].0)[0].clone(), format!("{MARK}吴二"));
    let day = life.server.app.clock().today().to_string();
    life.import(
        &format!("{REGISTRATION}/fee/import"),
        &["考生号", "姓名", "实缴金额(元)", "缴费日期", "流水号"],
        &[&[&number, &name, "2800.00", &day, "YH202602250001"]],
    )
    .await;
}

/// One who came by mistake, and one who stays.
async fn come(life: &mut Life<'_>) {
    let body = turn(life, "周一", json!({ "identityVerified": true, "materials": ["id_copy"] })).await;
    life.post(&format!("{REGISTRATION}/report"), body).await;
    let body = turn(life, "周一", json!({ "reason": "误操作" })).await;
    life.post(&format!("{REGISTRATION}/undoReport"), body).await;
    let body = item(life, "吴二", json!({ "identityVerified": true })).await;
    let told = life.post(&format!("{REGISTRATION}/batchReview"), body).await;
    assert_eq!(told["done"], json!(1), "{told}");
}

async fn stay_away(life: &mut Life<'_>) {
    // The batch begins as the life does, so that a year from its entry lies ahead.
    let today = life.server.app.clock().today();
    life.server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}' where code = 'ZS-5'")).await;
    let attachment = paper(&life.client, "申请.pdf").await;
    let until = today + chrono::Days::new(30);
    let kept = json!({ "reserveReason": "illness", "reserveUntil": until, "reason": "住院", "attachment": attachment });
    let body = turn(life, "郑三", kept).await;
    life.post(&format!("{REGISTRATION}/reserve"), body).await;
    let body = turn(life, "郑三", json!({})).await;
    life.post(&format!("{REGISTRATION}/resume"), body).await;
    let body = item(life, "王四", json!({ "reason": "工作变动" })).await;
    assert_eq!(life.post(&format!("{REGISTRATION}/abandon"), body).await["done"], json!(1));
    let body = turn(life, "冯五", json!({ "remark": "前置学历不符合要求" })).await;
    life.post(&format!("{REGISTRATION}/revoke"), body).await;
    life.server.run(&format!("update school_1.registration set status = 'no_show' where name = '{MARK}陈六'")).await;
    let body = turn(life, "陈六", json!({})).await;
    life.post(&format!("{REGISTRATION}/reinstate"), body).await;
}

async fn results(life: &mut Life<'_>) {
    life.get(&format!("{REGISTRATION}/result/import/template")).await;
    let of = row(PEOPLE[6].0);
    let name = format!("{MARK}褚七");
    let sheet = Upload::sheet(
        &["考生号", "姓名", "证件号", "结果", "原因"],
        &[&[&of[0], &name, &of[4], "放弃入学资格", "本人放弃"]],
    );
    let told = life.upload(&format!("{REGISTRATION}/result/import"), sheet).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(1)), "{told}");
}

/// One is deleted, looked at in the bin, and had back.
async fn binned(life: &mut Life<'_>) {
    let gone = person(life, "卫八").await["id"].clone();
    life.post(&format!("{REGISTRATION}/batchDel"), json!({ "ids": [gone] })).await;
    let bin = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    life.get(&format!("{BIN}/view?id={gone}")).await;
    life.post(&format!("{BIN}/export"), json!({})).await;
    let back = json!({ "items": [{ "id": gone, "version": bin["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/recover"), back).await["done"], json!(1));
}
