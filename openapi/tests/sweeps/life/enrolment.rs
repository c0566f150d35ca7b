//! The official recruitment of the grade: its batches, their majors, and what the sites take on.

use kit::enrolment::{ENROLMENT, MAJORS, PLAN};
use poem::http::Method;
use serde_json::{Value, json};

use super::{Life, MARK, Sent, Upload, classrooms::At, id};

/// Answers what can be deleted at the end; the grade's recruitment is over then.
pub(super) async fn live(life: &mut Life<'_>, at: &At) -> Vec<(&'static str, i64)> {
    // What was filed in the year before was withdrawn.
    life.server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2035, {}, id, 200, 280000, 'filed', '2025-11-02', 0, 0 from school_1.major where enabled",
            at.grade
        ))
        .await;
    let form = |code: &str| json!({ "code": code, "name": format!("{MARK}{code}招生"), "year": 2025, "season": "spring", "gradeId": at.grade });
    let batch = id(&life.post(&format!("{ENROLMENT}/save"), form("ZS-1")).await);
    let mut edit = form("ZS-1");
    (edit["id"], edit["version"], edit["enrolledOn"]) = (json!(batch), json!(1), json!("2026-03-05"));
    life.put(&format!("{ENROLMENT}/edit"), edit).await;
    let seen = life.get(&format!("{ENROLMENT}/view?id={batch}")).await;
    let maps = json!({
        "id": batch, "version": seen["version"], "columnMap": seen["columnMap"], "valueMaps": [],
    });
    life.put(&format!("{ENROLMENT}/mapping"), maps).await;
    life.post(&format!("{ENROLMENT}/list"), json!({})).await;
    life.post(&format!("{ENROLMENT}/export"), json!({})).await;
    life.get("/adult/pc/options/enrollmentBatch").await;
    let major = majors(life, at, batch).await;
    turn(life, batch, "open").await;
    let mut deleted = plans(life, at, batch, major).await;
    turn(life, batch, "closed").await;
    let copy = json!({ "id": batch, "gradeId": at.grade, "code": "ZS-2", "name": format!("{MARK}第二次招生") });
    let copied = id(&life.post(&format!("{ENROLMENT}/copy"), copy).await);
    life.server.run(&format!("delete from school_1.enrollment_major where batch_id = {copied}")).await;
    deleted.push((ENROLMENT, copied));
    deleted.push((ENROLMENT, id(&life.post(&format!("{ENROLMENT}/save"), form("ZS-3")).await)));
    deleted
}

async fn turn(life: &mut Life<'_>, batch: i64, status: &str) {
    let version = life.get(&format!("{ENROLMENT}/view?id={batch}")).await["version"].clone();
    life.put(&format!("{ENROLMENT}/changeStatus"), json!({ "id": batch, "version": version, "status": status })).await;
}

async fn majors(life: &mut Life<'_>, at: &At, batch: i64) -> i64 {
    life.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": batch })).await;
    let own = json!({ "batchId": batch, "keyword": "0412" });
    let row = life.post(&format!("{MAJORS}/list"), own).await["list"][0].clone();
    life.delete(&format!("{MAJORS}/delete?id={}", row["id"])).await;
    let body = json!({ "batchId": batch, "majorId": at.major, "quota": 100, "tuition": 280_000 });
    let made = id(&life.post(&format!("{MAJORS}/save"), body.clone()).await);
    life.delete(&format!("{MAJORS}/delete?id={made}")).await;
    life.get(&format!("{MAJORS}/import/template")).await;
    let headings = ["专业代码", "层次", "学习形式", "招办专业代码", "计划数", "学费(元/学年)"];
    sheet(life, MAJORS, batch, &headings, &["0412", "ZSB", "非脱产", "101", "100", "2800"]).await;
    life.get(&format!("/adult/pc/options/enrollmentMajor?parentId={batch}")).await;
    let own = json!({ "batchId": batch, "keyword": "0412" });
    let row = life.post(&format!("{MAJORS}/list"), own).await["list"][0].clone();
    let mut edit = body;
    edit.as_object_mut().expect("fields").remove("batchId");
    (edit["id"], edit["version"], edit["quota"]) = (row["id"].clone(), row["version"].clone(), json!(120));
    life.put(&format!("{MAJORS}/edit"), edit).await;
    row["id"].as_i64().expect("a number")
}

/// A plan of the one site goes its way; one of the other is a draft.
async fn plans(life: &mut Life<'_>, at: &At, batch: i64, major: i64) -> Vec<(&'static str, i64)> {
    let form = |site: i64| {
        json!({
            "batchId": batch, "siteId": site, "contactName": format!("{MARK}站长"), "contactPhone": "15400000077",
            "lines": [{ "enrollmentMajorId": major, "quotaApplied": 10 }],
        })
    };
    let plan = id(&life.post(&format!("{PLAN}/save"), form(at.site)).await);
    life.post("/system/pc/plain/view", json!({ "entity": "siteEnrollment", "id": plan, "field": "contactPhone" }))
        .await;
    step(life, "submit", plan, json!({})).await;
    step(life, "reject", plan, json!({ "remark": "人数过多" })).await;
    let mut edit = form(at.site);
    (edit["id"], edit["version"]) = (json!(plan), version(life, plan).await);
    life.put(&format!("{PLAN}/edit"), edit).await;
    step(life, "submit", plan, json!({})).await;
    step(life, "audit", plan, json!({})).await;
    step(life, "revoke", plan, json!({})).await;
    let items = json!({ "items": [{ "id": plan, "version": version(life, plan).await }] });
    assert_eq!(life.post(&format!("{PLAN}/batchReview"), items).await["done"], json!(1));
    life.post(&format!("{PLAN}/list"), json!({})).await;
    life.post(&format!("{PLAN}/export"), json!({})).await;
    life.post(&format!("{PLAN}/majorSummary"), json!({ "batchId": batch })).await;
    life.get(&format!("{PLAN}/import/template")).await;
    let headings = ["站点编码", "层次", "专业代码", "学习形式", "核定人数"];
    sheet(life, PLAN, batch, &headings, &["S1", "ZSB", "0412", "非脱产", "12"]).await;
    // A plan of a batch that is not closed can be deleted at the end.
    let other = json!({
        "code": "ZS-4", "name": format!("{MARK}补录招生"), "year": 2025, "season": "spring", "gradeId": at.grade,
    });
    let other = id(&life.post(&format!("{ENROLMENT}/save"), other).await);
    life.post(&format!("{MAJORS}/fromForecast"), json!({ "batchId": other })).await;
    let own = json!({ "batchId": other, "keyword": "0412" });
    let major = life.post(&format!("{MAJORS}/list"), own).await["list"][0]["id"].clone();
    let mut drafts = Vec::new();
    for site in [at.site, at.other_site] {
        let mut draft = form(site);
        (draft["batchId"], draft["lines"][0]["enrollmentMajorId"]) = (json!(other), major.clone());
        drafts.push((PLAN, id(&life.post(&format!("{PLAN}/save"), draft).await)));
    }
    drafts
}

async fn version(life: &mut Life<'_>, plan: i64) -> Value {
    life.get(&format!("{PLAN}/view?id={plan}")).await["version"].clone()
}

async fn step(life: &mut Life<'_>, call: &str, plan: i64, more: Value) {
    let mut body = json!({ "id": plan, "version": version(life, plan).await });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    life.post(&format!("{PLAN}/{call}"), body).await;
}

async fn sheet(life: &mut Life<'_>, entity: &str, batch: i64, headings: &[&str], row: &[&str]) {
    let file = Upload { texts: vec![("batchId", batch.to_string())], ..Upload::sheet(headings, &[row]) };
    let answer = life.call(Method::POST, &format!("{entity}/import"), Sent::File(file)).await;
    assert_eq!((&answer["errors"], &answer["imported"]), (&json!([]), &json!(1)), "{entity}");
}
