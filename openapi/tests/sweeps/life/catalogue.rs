//! The operators' online-education site: categories, lecturers and their money, live channels.

use kit::{lecturers, site};
use serde_json::{Value, json};

use super::{Life, id};

pub(super) async fn live(life: &mut Life<'_>) {
    for kind in ["record", "live", "resource"] {
        default_set(life, &format!("/course/pc/category/{kind}"), "categoryName", json!({})).await;
    }
    default_set(life, "/user/pc/lecturer", "lecturerName", json!({ "phone": "13900000003" })).await;
    let channel = json!({ "provider": "polyv", "scene": "lecture" });
    channels(life, channel).await;
    audits(life).await;
    money(life).await;
    said(life).await;
}

/// Channels have numbers of their own, so no default set fits them.
async fn channels(life: &mut Life<'_>, rest: Value) {
    const CHANNEL: &str = "/course/pc/live/channel";
    let form = |name: &str, no: &str| {
        let mut form = rest.clone();
        (form["channelName"], form["channelNo"]) = (json!(name), json!(no));
        form
    };
    let made = id(&life.post(&format!("{CHANNEL}/save"), form("甲", "c1")).await);
    let mut edit = form("乙", "c1");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{CHANNEL}/edit"), edit).await;
    assert_eq!(life.get(&format!("{CHANNEL}/view?id={made}")).await["channelName"], json!("乙"));
    life.post(&format!("{CHANNEL}/list"), json!({})).await;
    life.post(&format!("{CHANNEL}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{CHANNEL}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    life.put(&format!("{CHANNEL}/close"), json!({ "id": made })).await;
    let second = id(&life.post(&format!("{CHANNEL}/save"), form("丙", "c2")).await);
    life.post(&format!("{CHANNEL}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{CHANNEL}/delete?id={made}")).await;
}

async fn audits(life: &mut Life<'_>) {
    const AUDIT: &str = "/user/pc/lecturer/audit";
    let asked = lecturers::application(life.server, 31, "江若宁").await;
    life.post(&format!("{AUDIT}/list"), json!({})).await;
    life.get(&format!("{AUDIT}/view?id={asked}")).await;
    life.put(&format!("{AUDIT}/audit"), json!({ "id": asked, "auditStatus": "approved" })).await;
    life.post(&format!("{AUDIT}/export"), json!({})).await;
}

async fn money(life: &mut Life<'_>) {
    const LOG: &str = "/user/pc/account/extract/log";
    const PARAM: &str = "/system/pc/sys/param/config";
    // Whoever approves may pay, too.
    let rule = life.get(&format!("{PARAM}/view?code=extract.twoPersons")).await;
    life.put(&format!("{PARAM}/edit"), json!({ "id": rule["id"], "version": rule["version"], "paramValue": "false" }))
        .await;
    let (first, second) =
        (lecturers::withdrawal(life.server, 41, 10_000).await, lecturers::withdrawal(life.server, 42, 20_000).await);
    life.post(&format!("{LOG}/list"), json!({})).await;
    life.get(&format!("{LOG}/view?id={first}")).await;
    life.put(&format!("{LOG}/audit"), json!({ "id": first, "auditStatus": "approved" })).await;
    life.put(&format!("{LOG}/batchReview"), json!({ "ids": [second], "auditStatus": "approved" })).await;
    life.put(&format!("{LOG}/pay"), json!({ "id": first, "success": true, "payNo": "P1" })).await;
    life.post(&format!("{LOG}/export"), json!({})).await;
}

async fn said(life: &mut Life<'_>) {
    const COMMENT: &str = "/course/pc/comment";
    let course = site::course(life.server, "甲课程").await;
    life.post("/course/client/course/list", json!({})).await;
    life.get(&format!("/course/client/course/view?id={course}")).await;
    let [first, second, third] = [
        site::comment(life.server, course, "讲得好", "pending").await,
        site::comment(life.server, course, "很清楚", "pending").await,
        site::comment(life.server, course, "再来一遍", "approved").await,
    ];
    life.post(&format!("{COMMENT}/list"), json!({})).await;
    life.put(&format!("{COMMENT}/audit"), json!({ "id": first, "auditStatus": "approved" })).await;
    life.put(&format!("{COMMENT}/batchReview"), json!({ "ids": [second], "auditStatus": "approved" })).await;
    life.put(&format!("{COMMENT}/reply"), json!({ "id": first, "content": "谢谢" })).await;
    life.put(&format!("{COMMENT}/top"), json!({ "id": first, "isTop": true })).await;
    life.get(&format!("{COMMENT}/view?id={first}")).await;
    life.post(&format!("{COMMENT}/export"), json!({})).await;
    life.post(&format!("{COMMENT}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{COMMENT}/delete?id={third}")).await;
    let rating = site::rating(life.server, course, 51, 5).await;
    life.post(&format!("{COMMENT}/score/list"), json!({})).await;
    life.post(&format!("{COMMENT}/score/export"), json!({})).await;
    life.delete(&format!("{COMMENT}/score/delete?id={rating}")).await;
    let studied = site::studied(life.server, course, 61).await;
    life.post("/course/pc/progress/list", json!({})).await;
    life.get(&format!("/course/pc/progress/view?id={studied}")).await;
    life.post("/course/pc/progress/export", json!({})).await;
    life.post("/course/pc/statistics/list", json!({})).await;
    life.post("/course/pc/statistics/chart", json!({})).await;
    life.post("/course/pc/statistics/export", json!({})).await;
}

/// The default actions of an entity, whose rows are gone afterwards. `named` is the field of its name.
async fn default_set(life: &mut Life<'_>, entity: &str, named: &str, rest: Value) {
    let form = |name: &str| {
        let mut form = rest.clone();
        form[named] = json!(name);
        form
    };
    let made = id(&life.post(&format!("{entity}/save"), form("甲")).await);
    let mut edit = form("乙");
    (edit["id"], edit["version"]) = (json!(made), json!(1));
    life.put(&format!("{entity}/edit"), edit).await;
    assert_eq!(life.get(&format!("{entity}/view?id={made}")).await[named], json!("乙"));
    life.post(&format!("{entity}/list"), json!({})).await;
    life.post(&format!("{entity}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{entity}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let second = id(&life.post(&format!("{entity}/save"), form("丙")).await);
    life.post(&format!("{entity}/batchDel"), json!({ "ids": [second] })).await;
    life.delete(&format!("{entity}/delete?id={made}")).await;
}
