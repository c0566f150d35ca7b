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
    let give =
        |room: &Value| json!({ "sessionRoomId": room["id"], "people": [{ "invigilatorId": one, "role": "chief" }] });
    let given = admin.post(&format!("{WATCHER}/assign"), give(&rooms[0])).await;
    assert_eq!(given.data()["warnings"], json!([]), "{}", given.body);
    let twice = admin.post(&format!("{WATCHER}/assign"), give(&rooms[1])).await;
    let no = rooms[0]["examRoomNo"].as_str().expect("a number");
    let told = format!("该监考员同一时间已有监考任务：01场 {no}考场");
    assert_eq!(twice.refused(), (409, told.as_str()));

    // Who manages the class that sits there is named, as who teaches it is.
    let teacher = at.taught.teachers[1];
    server
        .run(&format!(
            "with manager as (
                 insert into school_1.class_manager (work_no, name, initials, phone, teacher_id, created_by, updated_by)
                 values ('M1', '班主任', 'BZR', '13800000009', {teacher}, 0, 0) returning id)
             update school_1.class set manager_id = (select id from manager) where id = {}",
            at.taught.classes[0]
        ))
        .await;
    let wanted = json!({ "siteId": at.taught.p.site, "teacherIds": [teacher] });
    admin.post(&format!("{WATCHER}/addTeachers"), wanted).await.data();
    let own: i64 = server.one(&format!("select id from school_1.invigilator where teacher_id = {teacher}")).await;
    let body = json!({ "sessionRoomId": rooms[1]["id"], "people": [{ "invigilatorId": own, "role": "chief" }] });
    let warned = admin.post(&format!("{WATCHER}/assign"), body).await;
    let told = warned.data()["warnings"][0].as_str().expect("a warning");
    assert!(told.ends_with("是该考场班级的任课教师或班主任"), "{}", warned.body);
    let listed = admin.post("/offline/pc/offline/setup/list", json!({ "ids": [at.setup] })).await;
    let exam = &listed.data()["list"][0];
    assert_eq!((&exam["roomCount"], &exam["invigilatorCount"]), (&json!(2), &json!(2)), "{exam}");
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
