//! Statistics of the school: every table, its cards, charts and file; and what both areas have, visits and the links that led to them.

use serde_json::{Value, json};

use super::{Life, MARK, id};

const LINK: &str = "/data/pc/promotionLink";
const SOURCE: &str = "/data/pc/fromStatistics";
const REFRESH: &str = "/data/pc/statistics/refresh";

pub(super) async fn live(life: &mut Life<'_>, site: i64) {
    for report in ["overview", "recruit", "status", "teaching", "score", "graduate", "yearly"] {
        for call in ["list", "summary", "chart", "export"] {
            life.post(&format!("/data/pc/statistics/{call}"), json!({ "report": report })).await;
        }
    }
    for screen in ["statisticsVideo", "workStatistics", "examinationStatistics"] {
        for call in ["list", "siteList", "summary", "chart", "export"] {
            life.post(&format!("/data/pc/{screen}/{call}"), json!({})).await;
        }
        life.post(&format!("/data/pc/{screen}/list"), json!({ "level": "class" })).await;
    }
    for call in ["list", "day", "chart", "export"] {
        life.post(&format!("/data/pc/learningRecords/{call}"), json!({})).await;
    }
    // Players are at work in the life of the clients; here one sat of whom it is told.
    let session: i64 = life
        .server
        .one(
            "insert into school_1.study_session (selection_id, student_id, period_id, sign_in, started_at, last_beat_at)
             select c.id, c.student_id, p.id, gen_random_uuid(), now(), now()
             from school_1.course_selection c, school_1.course_period p order by c.id, p.id limit 1 returning id",
        )
        .await;
    life.get(&format!("/data/pc/learningRecords/view?id={session}")).await;
    life.server.run(&format!("delete from school_1.study_session where id = {session}")).await;
    for tab in ["site", "class", "student", "day"] {
        life.post("/data/pc/studentLoginStatistics/list", json!({ "tab": tab })).await;
    }
    life.post("/data/pc/studentLoginStatistics/chart", json!({})).await;
    life.post("/data/pc/studentLoginStatistics/export", json!({})).await;
    // In the school it would compute figures of all sites for whoever repeats it.
    if life.outside.is_some() {
        life.post(REFRESH, json!({ "screen": "statistics" })).await;
    }
    both(life, Some(site)).await;
}

/// In a school as on the platform.
pub(super) async fn both(life: &mut Life<'_>, site: Option<i64>) {
    let form = json!({ "name": format!("{MARK}地铁站海报"), "sourceChannel": "poster", "siteId": site, "targetPage": "enrol", "enabled": true });
    let link = id(&life.post(&format!("{LINK}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["targetPage"]) = (json!(link), json!(1), json!("home"));
    life.put(&format!("{LINK}/edit"), edit).await;
    let list = life.post(&format!("{LINK}/list"), json!({})).await;
    assert_eq!(list["list"][0]["targetPage"], json!("home"), "{list}");
    life.get(&format!("{LINK}/qrcode?id={link}")).await;
    for enabled in [false, true] {
        life.put(&format!("{LINK}/update/status"), json!({ "id": link, "enabled": enabled })).await;
    }
    // On the platform the schools are the rows; what is drawn is its own site's.
    let own: Value = if site.is_some() { json!({}) } else { json!({ "own": true }) };
    life.post(&format!("{SOURCE}/list"), own.clone()).await;
    life.post(&format!("{SOURCE}/chart"), own.clone()).await;
    life.post(&format!("{SOURCE}/export"), own).await;
    if site.is_none() {
        life.post(REFRESH, json!({ "screen": "from_statistics" })).await;
    }
    life.delete(&format!("{LINK}/delete?id={link}")).await;
}

/// For operators alone.
pub(super) async fn rebuild(life: &mut Life<'_>) {
    let semester: String = life.server.one("select code from school_1.semester order by id limit 1").await;
    let job = life.post("/data/pc/statistics/rebuild", json!({ "semesterCode": semester })).await["jobId"].clone();
    life.server.wait_until(&format!("select state = 'done' from platform.job where id = {job}")).await;
}
