//! Courses of a school, their material and its chapters.

use serde_json::{Value, json};

use crate::Client;

pub const TYPE: &str = "/adult/pc/curriculumType";
pub const COURSE: &str = "/course/pc/collegeCurriculum";

/// The number of the seeded type of a kind.
pub async fn type_of(client: &Client<'_>, code: &str) -> i64 {
    client.get(&format!("{TYPE}/view?code={code}")).await.data()["id"].as_i64().expect("a seeded type")
}

/// A course of 4 credits and 72 hours of the type 公共基础课.
pub async fn course(client: &Client<'_>, code: &str, name: &str) -> i64 {
    let type_id = type_of(client, "GGJC").await;
    client.post(&format!("{COURSE}/save"), body(code, name, type_id)).await.id()
}

pub fn body(code: &str, name: &str, type_id: i64) -> Value {
    json!({ "code": code, "name": name, "typeId": type_id, "credits": 4.0, "lectureHours": 24, "onlineHours": 40, "selfStudyHours": 8 })
}

pub const RECORD: &str = "/course/pc/schoolCourse";
pub const CHAPTER: &str = "/course/pc/schoolChapter";
pub const PERIOD: &str = "/course/pc/schoolPeriod";

/// A draft of a course.
pub async fn record(client: &Client<'_>, course: i64, name: &str) -> i64 {
    client.post(&format!("{RECORD}/save"), json!({ "courseId": course, "name": name, "source": "own" })).await.id()
}

pub async fn chapter(client: &Client<'_>, course: i64, parent: Option<i64>, title: &str) -> i64 {
    let body = json!({ "courseId": course, "parentId": parent, "title": title });
    client.post(&format!("{CHAPTER}/save"), body).await.id()
}
