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
    let mut people = Vec::new();
    for (name, phone) in [("王监考", "13800000001"), ("李监考", "13800000002"), ("赵监考", "13800000003")] {
        people.push(watcher(&admin, at.taught.p.site, name, phone).await);
    }
    let duties = |roles: [&str; 2]| {
        json!({ "sessionRoomId": before["id"], "people": [{ "invigilatorId": people[0], "role": roles[0] },
            { "invigilatorId": people[1], "role": roles[1] }] })
    };
    admin.post(&format!("{WATCHER}/assign"), duties(["chief", "assistant"])).await.data();
    let scan = kit::files::paper(&admin, "考场情况记录表.pdf").await;
    let file: i64 = server.one(&format!("select id from school_1.file_object where key = '{scan}'")).await;
    let record = json!({ "sessionRoomId": before["id"], "absentSeatNos": [5, 9], "note": "二人缺考", "fileIds": [file],
        "signedInIds": [people[0]], "version": before["version"] });
    let early = admin.put(&format!("{MANAGE}/record"), record.clone()).await;
    assert_eq!(early.refused(), (409, "考试未开始，不能登记考场情况"));
    let now = server.now();
    server
        .run(&format!(
            "update school_1.offline_session set starts_at = {now} - interval '1 hour', ends_at = {now} + interval '1 hour'
             where id = {}",
            at.session
        ))
        .await;
    let mut stranger = record.clone();
    stranger["signedInIds"] = json!([people[2]]);
    let refused = admin.put(&format!("{MANAGE}/record"), stranger).await;
    assert_eq!(kit::fields(&refused), ["signedInIds: 所选人员不在该考场的监考安排中，请刷新后重试"]);
    let written = admin.put(&format!("{MANAGE}/record"), record).await;
    assert_eq!(written.code(), 200, "{}", written.body);
    let seen = room(&admin, at.session).await;
    assert_eq!((&seen["absentCount"], &seen["presentCount"]), (&json!(2), &json!(8)), "{seen}");
    assert_eq!(seen["files"][0]["name"], json!("考场情况记录表.pdf"), "{seen}");
    assert!(seen["files"][0]["url"].as_str().is_some_and(|url| !url.is_empty()), "{seen}");
    // Whoever came has come also in another role.
    admin.post(&format!("{WATCHER}/assign"), duties(["assistant", "chief"])).await.data();
    let listed = admin.post(&format!("{WATCHER}/duty/list"), json!({ "sessionId": at.session })).await;
    let came = |row: &Value| (row["role"].clone(), row["signedIn"].clone());
    let watching: Vec<_> = listed.data()["list"][0]["people"].as_array().expect("people").iter().map(came).collect();
    assert_eq!(watching, [(json!("chief"), json!(false)), (json!("assistant"), json!(true))]);
    // Without files, and nothing said of who came, both stay.
    let again = json!({ "sessionRoomId": seen["id"], "absentSeatNos": [5, 9], "version": seen["version"] });
    admin.put(&format!("{MANAGE}/record"), again).await.data();
    let seen = room(&admin, at.session).await;
    assert_eq!(seen["files"].as_array().map(Vec::len), Some(1), "{seen}");
    let signed: i64 = server.one("select count(*) from school_1.invigilation where signed_in").await;
    assert_eq!(signed, 1);

    // §4.7 scenario 8: whoever was absent is so in the sheet, and nobody types over it.
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'published', published_at = now() where id = {}",
            at.setup
        ))
        .await;
    let confirmed = admin.put(&format!("{MANAGE}/confirm"), json!({ "ids": [seen["id"]] })).await;
    assert_eq!(confirmed.data()["done"], json!(1), "{}", confirmed.body);
    let absent: i64 = server.one("select count(*) from school_1.exam_candidate where attendance = 'absent'").await;
    assert_eq!(absent, 2);
    let late = admin.post(&format!("{WATCHER}/assign"), duties(["chief", "assistant"])).await;
    assert_eq!(late.refused(), (409, "场次已结束，不能安排监考"));
    server
        .run(&format!(
            "update school_1.offline_session set ends_at = {now} - interval '5 minutes' where id = {}",
            at.session
        ))
        .await;
    server
        .run(&format!(
            "update school_1.test_batch set score_entry_starts_at = now() - interval '2 days' where id = {}",
            at.batch
        ))
        .await;
    server.when_due("exam.offline_close", chrono::TimeDelta::minutes(11)).await;
    let sheet: i64 = server.one("select id from school_1.score_sheet").await;
    let rows = kit::scores::rows(&admin, sheet).await;
    let missing: Vec<&Value> = rows.iter().filter(|row| row["mark"] == json!("absent")).collect();
    assert_eq!((rows.len(), missing.len()), (10, 2));
    let over = kit::scores::enter(&admin, missing[0], Some(90.0)).await;
    assert_eq!(over.refused(), (409, "该生已登记缺考，不能录入分数"));
}
