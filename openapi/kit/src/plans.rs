//! Teaching plans of a school, their courses and groups.

use serde_json::{Value, json};

use crate::{
    Answer, Client,
    cohort::Cohort,
    courses::{COURSE, type_of},
};

pub const PLAN: &str = "/adult/pc/teachingPlan";
pub const PLAN_COURSE: &str = "/adult/pc/planCourse";
pub const PLAN_GROUP: &str = "/adult/pc/planGroup";

/// A draft for the cohort's grade and major: 92 credits, of which 88 are compulsory.
pub async fn plan(client: &Client<'_>, p: &Cohort) -> i64 {
    let body = json!({ "gradeId": p.grade, "majorId": p.major, "totalCredits": 92.0, "minCompulsoryCredits": 88.0 });
    client.post(&format!("{PLAN}/save"), body).await.id()
}

/// A course of the library with so many credits and hours, of which some are taught face to face.
pub async fn course(client: &Client<'_>, code: &str, credits: f64, hours: i32, offline: i32) -> i64 {
    course_of(client, (code, "GGJC"), credits, hours, offline).await
}

/// The same of a type by its code.
pub async fn course_of(client: &Client<'_>, (code, kind): (&str, &str), credits: f64, hours: i32, offline: i32) -> i64 {
    let type_id = type_of(client, kind).await;
    let body = json!({ "code": code, "name": format!("课程{code}"), "typeId": type_id, "credits": credits,
        "lectureHours": offline, "onlineHours": hours - offline });
    client.post(&format!("{COURSE}/save"), body).await.id()
}

/// Puts a compulsory course into a plan; answers the number of the plan's course.
pub async fn put(client: &Client<'_>, plan: i64, course: i64, term: i32) -> i64 {
    let item = json!({ "courseId": course, "nature": "compulsory", "termNo": term });
    added(client, plan, json!([item])).await.id()
}

/// Puts electives into a group of a plan.
pub async fn put_electives(client: &Client<'_>, plan: i64, group: i64, courses: &[i64], term: i32) {
    let item =
        |course: &i64| json!({ "courseId": course, "nature": "elective", "electiveGroupId": group, "termNo": term });
    added(client, plan, json!(courses.iter().map(item).collect::<Vec<_>>())).await.id();
}

/// Puts courses into a plan.
pub async fn added(client: &Client<'_>, plan: i64, items: Value) -> Answer {
    client.post(&format!("{PLAN_COURSE}/save"), json!({ "planId": plan, "items": items })).await
}

/// A group of a plan.
pub async fn group(client: &Client<'_>, plan: i64, name: &str, min_credits: f64) -> i64 {
    let body = json!({ "planId": plan, "name": name, "minCredits": min_credits });
    client.post(&format!("{PLAN_GROUP}/save"), body).await.id()
}

/// The version of a plan as it stands.
pub async fn version(client: &Client<'_>, plan: i64) -> Value {
    client.get(&format!("{PLAN}/view?id={plan}")).await.data()["version"].clone()
}

/// A plan as it was read, for its steps.
pub async fn item(client: &Client<'_>, plan: i64) -> Value {
    json!({ "id": plan, "version": version(client, plan).await })
}

/// Where a plan stands.
pub async fn status(client: &Client<'_>, plan: i64) -> Value {
    client.get(&format!("{PLAN}/view?id={plan}")).await.data()["status"].clone()
}

/// The worked plan (part 03 B1) as a draft: 88 compulsory credits with 1,568 hours, of which 340 are taught face to face, and four
/// electives of two credits, 36 hours and 8 face to face, of which four credits are chosen. Answers it and its plan's courses of
/// the terms 1 to 5.
pub async fn worked(client: &Client<'_>, p: &Cohort) -> (i64, Vec<i64>) {
    let id = plan(client, p).await;
    let mut own = Vec::new();
    for (code, kind, credits, hours, offline, term) in [
        ("K1", "GGJC", 25.0, 448, 100, 1),
        ("K2", "GGJC", 25.0, 448, 100, 2),
        ("K3", "GGJC", 25.0, 448, 100, 3),
        ("K4", "GGJC", 7.0, 112, 20, 4),
        ("LW", "BYSJ", 6.0, 112, 20, 5),
    ] {
        let course = course_of(client, (code, kind), credits, hours, offline).await;
        own.push(put(client, id, course, term).await);
    }
    let group = group(client, id, "专业选修", 4.0).await;
    let mut electives = Vec::new();
    for code in ["X1", "X2", "X3", "X4"] {
        electives.push(course(client, code, 2.0, 36, 8).await);
    }
    put_electives(client, id, group, &electives, 4).await;
    (id, own)
}

/// Submits a plan and lets somebody else audit it.
pub async fn in_effect(client: &Client<'_>, other: &Client<'_>, plan: i64) {
    let submitted = client.put(&format!("{PLAN}/submit"), item(client, plan).await).await;
    assert_eq!(submitted.code(), 200, "{}", submitted.body);
    let mut audit = item(other, plan).await;
    audit["opinion"] = json!("同意执行");
    let audited = other.put(&format!("{PLAN}/audit"), audit).await;
    assert_eq!(audited.code(), 200, "{}", audited.body);
}
