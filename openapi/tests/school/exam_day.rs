//! The day of examinations on paper: the scenarios of part 04 §4.1, §4.3 and §4.4.

use kit::{Client, Server, cohort::registrar, exam_seats::seated};
use serde_json::{Value, json};

const MANAGE: &str = "/offline/pc/offline/manage";
const WATCHER: &str = "/offline/pc/offline/invigilator";

/// Somebody from outside who can be had at a site.
async fn watcher(admin: &Client<'_>, site: i64, name: &str, phone: &str) -> i64 {
    let body = json!({ "kind": "external", "name": name, "phone": phone, "siteId": site });
    admin.post(&format!("{WATCHER}/save"), body).await.id()
}

async fn room(admin: &Client<'_>, session: i64) -> Value {
    let listed = admin.post(&format!("{MANAGE}/list"), json!({ "sessionId": session })).await;
    listed.data()["list"][0].clone()
}

/// Nobody watches two rooms at once.
#[tokio::test]
async fn nobody_watches_two_rooms_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 20, &[(5, 2), (5, 2)]).await;
    at.auto(&admin, json!({ "perRoom": 10 })).await;
    let one = watcher(&admin, at.taught.p.site, "王监考", "13800000001").await;
    let duties = admin.post(&format!("{WATCHER}/duty/list"), json!({ "sessionId": at.session })).await;
    let rooms = duties.data()["list"].as_array().expect("rooms").clone();
    assert_eq!(rooms.len(), 2, "{}", duties.body);
    let give = |room: &Value| json!({ "sessionRoomId": room["id"], "people": [{ "invigilatorId": one, "role": "chief" }] });
    assert_eq!(admin.post(&format!("{WATCHER}/assign"), give(&rooms[0])).await.code(), 200);
    let twice = admin.post(&format!("{WATCHER}/assign"), give(&rooms[1])).await;
    assert_eq!(twice.code(), 409, "{}", twice.body);
}

/// What is recorded of a room is confirmed, and stands in its candidates.
#[tokio::test]
async fn who_was_absent_stands_in_the_candidates() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = seated(&server, &admin, 10, &[(5, 2)]).await;
    at.auto(&admin, json!({})).await;
    at.confirm(&admin).await;
    let before = room(&admin, at.session).await;
    let record = json!({ "sessionRoomId": before["id"], "absentSeatNos": [3], "note": "一人缺考", "fileIds": [],
        "version": before["version"] });
    let early = admin.put(&format!("{MANAGE}/record"), record.clone()).await;
    assert_eq!(early.refused(), (409, "考试未开始，不能登记考场情况"));
    server
        .run(&format!(
            "update school_1.offline_session set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
             where id = {}",
            at.session
        ))
        .await;
    let written = admin.put(&format!("{MANAGE}/record"), record).await;
    assert_eq!(written.code(), 200, "{}", written.body);
    let seen = room(&admin, at.session).await;
    assert_eq!((&seen["absentCount"], &seen["presentCount"]), (&json!(1), &json!(9)), "{seen}");
}
