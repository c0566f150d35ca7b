//! Batches of pre-registrations, what they offer, and whose personal data are soon taken away.

use serde_json::json;

use super::{Life, MARK, id};

const BATCH: &str = "/adult/pc/preRegistrationBatch";

/// Where people are to be recruited; the offer of a batch is not scoped, so the site is one that everybody here sees.
pub(super) struct At {
    pub(super) grade: i64,
    pub(super) level: i64,
    pub(super) major: i64,
    pub(super) site: i64,
}

/// Answers what can be deleted at the end.
pub(super) async fn live(life: &mut Life<'_>, at: &At) -> Vec<(&'static str, i64)> {
    let batch = |code: &str| {
        json!({
            "code": code, "name": format!("{MARK}{code}批"), "gradeId": at.grade, "levelIds": [at.level],
            "startsAt": "2025-09-01T00:00:00+08:00", "endsAt": "2025-09-11T00:00:00+08:00",
        })
    };
    let made = id(&life.post(&format!("{BATCH}/save"), batch("2026-1")).await);
    let offer = json!({ "id": made, "version": 1, "majors": [{ "majorId": at.major, "siteIds": [at.site] }] });
    life.put(&format!("{BATCH}/majors"), offer).await;
    let offered = life.get(&format!("{BATCH}/majors?id={made}")).await;
    assert_eq!(offered["majors"][0]["siteIds"], json!([at.site]), "{offered}");
    let mut edit = batch("2026-1");
    (edit["id"], edit["version"], edit["needAudit"]) = (json!(made), offered["version"].clone(), json!(false));
    edit["notice"] = json!("<p>请带身份证</p>");
    life.put(&format!("{BATCH}/edit"), edit).await;
    let seen = life.get(&format!("{BATCH}/view?id={made}")).await;
    assert_eq!(seen["needAudit"], json!(false), "{seen}");
    life.put(&format!("{BATCH}/resetToken"), json!({ "id": made })).await;
    life.post(&format!("{BATCH}/list"), json!({})).await;
    life.post(&format!("{BATCH}/export"), json!({})).await;
    for enabled in [false, true] {
        life.put(&format!("{BATCH}/update/status"), json!({ "id": made, "enabled": enabled })).await;
    }
    let copy = json!({ "id": made, "gradeId": at.grade, "code": "2026-2", "name": format!("{MARK}第二批") });
    let copied = life.post(&format!("{BATCH}/copy"), copy).await;
    assert_eq!(copied["copied"], json!(1), "{copied}");
    life.get("/adult/pc/options/preRegistrationBatch?enabled=false").await;
    life.post("/data/pc/privacy/list", json!({})).await;
    for hold in [true, false] {
        life.put("/data/pc/privacy/hold", json!({ "batchId": made, "hold": hold })).await;
    }
    let mut deleted = vec![(BATCH, id(&copied))];
    deleted.push((BATCH, id(&life.post(&format!("{BATCH}/save"), batch("2026-3")).await)));
    deleted
}
