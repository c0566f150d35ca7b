//! Courses of the operators' site of every kind, what is recommended of them, and a school that takes one over.

use kit::{
    platform_courses::{AUDIT, COURSE, content, shared, shelf},
    rows::video,
    site,
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
    recommended(life, made).await;
    life.delete(&format!("{COURSE}/delete?id={made}")).await;
    let channel = site::channel(life.server, "一号厅").await;
    for kind in ["live", "resource"] {
        other_kind(life, kind, channel).await;
    }
}

async fn recommended(life: &mut Life<'_>, course: i64) {
    const RECOMMEND: &str = "/course/pc/recommend";
    let form = |position: &str| json!({ "courseId": course, "position": position });
    let made = id(&life.post(&format!("{RECOMMEND}/save"), form("home")).await);
    let mut edit = form("home");
    (edit["id"], edit["version"], edit["sort"]) = (json!(made), json!(1), json!(7));
    life.put(&format!("{RECOMMEND}/edit"), edit).await;
    life.get(&format!("{RECOMMEND}/view?id={made}")).await;
    life.post(&format!("{RECOMMEND}/list"), json!({})).await;
    life.post(&format!("{RECOMMEND}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{RECOMMEND}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let other = site::course(life.server, "乙课程").await;
    let beside = id(&life.post(&format!("{RECOMMEND}/save"), json!({ "courseId": other, "position": "home" })).await);
    life.put(&format!("{RECOMMEND}/sort"), json!({ "ids": [beside, made] })).await;
    life.post(&format!("{RECOMMEND}/batchDel"), json!({ "ids": [beside] })).await;
    life.delete(&format!("{RECOMMEND}/delete?id={made}")).await;
}

/// The life of a live course or a file of the library.
async fn other_kind(life: &mut Life<'_>, kind: &str, channel: i64) {
    let (course, audit) = (format!("/course/pc/course/{kind}"), format!("/course/pc/audit/{kind}"));
    let shelf = site::shelf(&life.client, kind).await;
    let form = |name: &str, submission: &str| {
        let mut form = site::content(&shelf, name);
        form["submission"] = json!(submission);
        if kind == "live" {
            form["chapters"] = site::lessons(channel, &[("19:00", "20:30")]);
        }
        form
    };
    let made = id(&life.post(&format!("{course}/save"), form("甲", "review")).await);
    life.post(&format!("{course}/list"), json!({})).await;
    life.post(&format!("{course}/export"), json!({})).await;
    let waiting = life.post(&format!("{audit}/list"), json!({ "auditStatus": "pending" })).await["list"][0].clone();
    life.get(&format!("{audit}/view?id={}", waiting["id"])).await;
    life.put(&format!("{audit}/audit"), json!({ "id": waiting["id"], "auditStatus": "approved" })).await;
    let mut edit = form("乙", "review");
    (edit["id"], edit["version"]) =
        (json!(made), life.get(&format!("{course}/view?id={made}")).await["version"].clone());
    life.put(&format!("{course}/edit"), edit).await;
    let waiting = life.post(&format!("{audit}/list"), json!({ "auditStatus": "pending" })).await["list"][0].clone();
    let several = json!({ "ids": [waiting["id"]], "auditStatus": "approved" });
    life.put(&format!("{audit}/batchReview"), several).await;
    life.post(&format!("{audit}/export"), json!({})).await;
    site::filed(life.server, made, kind).await;
    for putaway in ["on", "off"] {
        life.put(&format!("{course}/update/putaway"), json!({ "id": made, "putaway": putaway })).await;
    }
    for enabled in [false, true] {
        life.put(&format!("{course}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let mut second = form("丙", "draft");
    second["chapters"] = if kind == "live" { json!([]) } else { json!(null) };
    if kind == "resource" {
        second.as_object_mut().expect("a form").remove("chapters");
    }
    let second = id(&life.post(&format!("{course}/save"), second).await);
    life.post(&format!("{course}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{course}/delete?id={made}")).await;
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
