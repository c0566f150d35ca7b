//! Whom the authority admits: its file looked at and taken over, people matched, given a site, withdrawn and had back.

use kit::{
    admission::{ADMISSION, dbf, row},
    enrolment::{ENROLMENT, MAJORS, turn},
    pre_registrations::PRE,
    students::id_number_of,
};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, Upload, classrooms::At, id};

const BIN: &str = "/adult/pc/admissionDeleted";

/// Answers what can be deleted at the end. The recruitment of the grade goes on from here.
pub(super) async fn live(life: &mut Life<'_>, at: &At, level: i64) -> Vec<(&'static str, i64)> {
    let batch = batch(life, at).await;
    let lead = lead(life, at, level).await;
    let people: Vec<Vec<String>> = [(21, "赵云"), (22, "钱多"), (23, "孙权"), (24, "周瑜")]
        .into_iter()
        .map(|(n, name)| {
            let mut row = row(n);
            row[1] = format!("{MARK}{name}");
            row
        })
        .collect();
    let maps = json!([{ "field": "level", "code": "2", "value": level.to_string() }]).to_string();
    let file = |texts: Vec<(&'static str, String)>| Upload {
        texts,
        field: "file",
        name: "LQK.dbf",
        content_type: "application/octet-stream",
        bytes: dbf(&people),
    };
    life.upload(&format!("{ADMISSION}/import/inspect"), file(vec![("batchId", batch.to_string())])).await;
    let whole = file(vec![("batchId", batch.to_string()), ("valueMaps", maps)]);
    let told = life.upload(&format!("{ADMISSION}/import"), whole).await;
    assert_eq!((&told["errors"], &told["inserted"]), (&json!([]), &json!(4)), "{told}");
    life.post(&format!("{ADMISSION}/imports"), json!({ "batchId": batch })).await;
    let list = life.post(&format!("{ADMISSION}/list"), json!({ "batchId": batch })).await["list"].clone();
    let of = |name: &str| {
        let found = list.as_array().expect("rows").iter().find(|row| row["name"] == json!(format!("{MARK}{name}")));
        found.expect("a person")["id"].clone()
    };
    let one = of("赵云");
    life.post(&format!("{ADMISSION}/export"), json!({ "scope": "student" })).await;
    life.get(&format!("{ADMISSION}/quota?batchId={batch}")).await;
    life.get(&format!("{ADMISSION}/candidates?id={one}")).await;
    let version = version(life, &one).await;
    let by_hand = json!({ "id": one, "version": version, "preRegistrationId": lead });
    life.put(&format!("{ADMISSION}/matchManual"), by_hand).await;
    step(life, "match", &one, json!({})).await;
    step(life, "allocation", &one, json!({ "clear": true })).await;
    step(life, "allocation", &one, json!({ "siteId": at.site })).await;
    let contact =
        json!({ "id": one, "version": self::version(life, &one).await, "phone": "15400000088", "address": "某路8号" });
    life.put(&format!("{ADMISSION}/edit"), contact).await;
    life.post("/system/pc/plain/view", json!({ "entity": "admission", "id": one, "field": "idCardNo" })).await;
    life.get(&format!("{ADMISSION}/allocation/import/template")).await;
    let second = &people[1];
    let sheet = Upload {
        texts: vec![("batchId", batch.to_string())],
        ..Upload::sheet(&["考生号", "姓名", "站点编码"], &[&[second[0].as_str(), second[1].as_str(), "S1"]])
    };
    let told = life.call(Method::POST, &format!("{ADMISSION}/allocation/import"), Sent::File(sheet)).await;
    assert_eq!((&told["errors"], &told["imported"]), (&json!([]), &json!(1)));
    let second = of("钱多");
    for (action, remark) in [("cancel", "招办撤销录取"), ("restore", "误操作")] {
        let version = self::version(life, &second).await;
        let body = json!({ "id": second, "version": version, "action": action, "remark": remark });
        life.post(&format!("{ADMISSION}/cancel"), body).await;
    }
    let gone = of("孙权");
    life.post(&format!("{ADMISSION}/batchDel"), json!({ "ids": [gone] })).await;
    let bin = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    life.get(&format!("{BIN}/view?id={gone}")).await;
    life.post(&format!("{BIN}/export"), json!({})).await;
    let back = json!({ "items": [{ "id": gone, "version": bin["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/recover"), back).await["done"], json!(1));
    ["孙权", "周瑜"].map(|name| (ADMISSION, of(name).as_i64().expect("a number"))).into()
}

/// Two go for good; only an operator can do that.
pub(super) async fn destroy(life: &mut Life<'_>) {
    let mut ids = Vec::new();
    for name in ["赵云", "钱多"] {
        let found = life.post(&format!("{ADMISSION}/list"), json!({ "keyword": format!("{MARK}{name}") })).await;
        ids.push(found["list"][0]["id"].clone());
    }
    assert_eq!(life.post(&format!("{ADMISSION}/batchDel"), json!({ "ids": ids })).await["done"], json!(2));
    life.delete(&format!("{BIN}/delete?id={}", ids[0])).await;
    let row = life.post(&format!("{BIN}/list"), json!({})).await["list"][0].clone();
    let gone = json!({ "items": [{ "id": row["id"], "version": row["version"] }] });
    assert_eq!(life.post(&format!("{BIN}/batchDel"), gone).await["done"], json!(1));
}

async fn batch(life: &mut Life<'_>, at: &At) -> i64 {
    let form = json!({
        "code": "ZS-5", "name": format!("{MARK}录取批次"), "year": 2025, "season": "spring", "gradeId": at.grade,
    });
    let batch = id(life.client.post(&format!("{ENROLMENT}/save"), form).await.data());
    let body =
        json!({ "batchId": batch, "majorId": at.major, "authorityCode": "101", "quota": 100, "tuition": 280_000 });
    life.client.post(&format!("{MAJORS}/save"), body).await.data();
    assert_eq!(turn(&life.client, batch, "open").await.code(), 200);
    batch
}

/// Somebody who told before that they want to study, under another name.
async fn lead(life: &mut Life<'_>, at: &At, level: i64) -> i64 {
    let pre: i64 = life.server.one("select id from school_1.pre_registration_batch where code = 'Y2026'").await;
    let body = json!({
        "batchId": pre, "name": format!("{MARK}赵雲"), "idCardNo": id_number_of("410100", 21), "phone": "15400000021",
        "levelId": level, "majorId": at.major, "siteId": at.site,
    });
    id(life.client.post(&format!("{PRE}/save"), body).await.data())
}

async fn version(life: &mut Life<'_>, admission: &Value) -> Value {
    life.get(&format!("{ADMISSION}/view?id={admission}")).await["version"].clone()
}

async fn step(life: &mut Life<'_>, call: &str, admission: &Value, more: Value) {
    let mut body = json!({ "items": [{ "id": admission, "version": version(life, admission).await }] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    let answer = life.post(&format!("{ADMISSION}/{call}"), body).await;
    assert_eq!(answer["done"], json!(1), "{call} {answer}");
}
