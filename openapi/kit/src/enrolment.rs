//! Enrolment batches, their majors, and the plans of sites.

use serde_json::{Value, json};

use crate::{Client, Server, cohort::Cohort};

pub const ENROLMENT: &str = "/adult/pc/enrollmentBatch";
pub const MAJORS: &str = "/adult/pc/enrollmentMajor";
pub const PLAN: &str = "/adult/pc/siteEnrollment";

/// Files every major of school 1 that is switched on for the grade, 200 people each at 2800 元; each grade in a year of its own.
pub async fn file_majors(server: &Server, grade: i64) {
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2050 + {grade} % 40, {grade}, id, 200, 280000, 'filed', '2025-11-02', 0, 0 from school_1.major where enabled"
        ))
        .await;
}

/// A batch of the place's grade in the body of `save`.
pub fn batch(p: &Cohort, code: &str) -> Value {
    json!({ "code": code, "name": format!("{code}招生"), "year": 2025, "season": "spring", "gradeId": p.grade })
}

pub async fn save_batch(client: &Client<'_>, p: &Cohort, code: &str) -> i64 {
    client.post(&format!("{ENROLMENT}/save"), batch(p, code)).await.id()
}

/// Adds the place's major with this quota.
pub async fn save_major(client: &Client<'_>, batch: i64, major: i64, code: &str, quota: i32) -> i64 {
    let body = json!({ "batchId": batch, "majorId": major, "authorityCode": code, "quota": quota, "tuition": 280_000 });
    client.post(&format!("{MAJORS}/save"), body).await.id()
}

/// Opens or closes a batch.
pub async fn turn(client: &Client<'_>, batch: i64, status: &str) -> crate::Answer {
    let version = client.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["version"].clone();
    client.put(&format!("{ENROLMENT}/changeStatus"), json!({ "id": batch, "version": version, "status": status })).await
}

/// A site's plan that waits for the school.
pub async fn submitted(client: &Client<'_>, batch: i64, site: i64, major: i64, applied: i32) -> i64 {
    let body = json!({
        "batchId": batch, "siteId": site, "lines": [{ "enrollmentMajorId": major, "quotaApplied": applied }],
    });
    let id = client.post(&format!("{PLAN}/save"), body).await.id();
    client.post(&format!("{PLAN}/submit"), json!({ "id": id, "version": 1 })).await.id()
}
