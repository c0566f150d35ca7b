//! Record courses of the operators' site, and a school that takes one over.

use kit::{
    platform_courses::{AUDIT, COURSE, content, shared, shelf},
    rows::video,
};
use serde_json::json;

use super::{Life, id};

pub(super) async fn platform(life: &mut Life<'_>) {
    let shelf = shelf(&life.client).await;
    let media = video(life.server, "platform", "life_1", "ready", 90).await;
    let form = |name: &str, submission: &str| {
        let mut form = content(&shelf, name, &[("第一章", &[("1.1", media)])]);
        form["submission"] = json!(submission);
        form
    };
    let made = id(&life.post(&format!("{COURSE}/save"), form("甲", "review")).await);
    life.post(&format!("{COURSE}/list"), json!({})).await;
    life.post(&format!("{COURSE}/export"), json!({})).await;
    let waiting = life.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await["list"][0].clone();
    life.get(&format!("{AUDIT}/view?id={}", waiting["id"])).await;
    life.put(&format!("{AUDIT}/audit"), json!({ "id": waiting["id"], "auditStatus": "approved" })).await;
    let mut edit = form("乙", "review");
    (edit["id"], edit["version"]) =
        (json!(made), life.get(&format!("{COURSE}/view?id={made}")).await["version"].clone());
    life.put(&format!("{COURSE}/edit"), edit).await;
    let waiting = life.post(&format!("{AUDIT}/list"), json!({ "auditStatus": "pending" })).await["list"][0].clone();
    let done =
        life.put(&format!("{AUDIT}/batchReview"), json!({ "ids": [waiting["id"]], "auditStatus": "approved" })).await;
    assert_eq!(done["done"], json!(1), "{done}");
    life.post(&format!("{AUDIT}/export"), json!({})).await;
    for putaway in ["on", "off"] {
        life.put(&format!("{COURSE}/update/putaway"), json!({ "id": made, "putaway": putaway })).await;
    }
    for enabled in [false, true] {
        life.put(&format!("{COURSE}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    life.put(&format!("{COURSE}/update/schoolShared"), json!({ "id": made, "schoolShared": true })).await;
    let second = id(&life.post(&format!("{COURSE}/save"), form("丙", "draft")).await);
    life.post(&format!("{COURSE}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{COURSE}/delete?id={made}")).await;
}

pub(super) async fn school(life: &mut Life<'_>, course: i64) {
    let shared = shared(life.server, "life_2").await;
    // Whoever made it signed in as the operator once more.
    if let Some(school) = life.outside.as_ref().map(|(_, school)| *school) {
        life.outside = Some((life.server.operator().await, school));
    }
    life.post("/course/pc/schoolCourse/platformCourse/list", json!({})).await;
    life.get(&format!("/course/pc/schoolCourse/platformCourse/view?platformCourseId={shared}")).await;
    let wanted = json!({ "platformCourseId": shared, "courseId": course });
    life.post("/course/pc/schoolCourse/importPlatform", wanted).await;
}
