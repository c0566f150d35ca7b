//! Examinations on the net: the scenarios of part 04 §5 and §6.

use chrono::TimeDelta;
use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::cohort,
    exams::{OWN, batch, exam, paper, published, save, start, submit},
    homework::{letter, short_answers},
    openings::{opened, plan, semester},
    plans,
    questions::{bank, choices},
    students::{id_number, save as enter, student},
};
use serde_json::{Value, json};

/// An examination of five choices that runs now, and the two who sit in it.
struct Scene<'s> {
    admin: Client<'s>,
    setup: i64,
    students: Vec<i64>,
}

async fn scene(server: &Server, words: usize) -> Scene<'_> {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let semester = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": semester })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=2 {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(enter(&admin, body).await);
    }
    opened(&admin, semester, course).await;
    let bank = bank(&admin, course, "KS", "homework").await;
    let choices = choices(&admin, bank, 5, None, "单选").await;
    let words = short_answers(&admin, bank, words).await;
    let paper = paper(server, &admin, course, &choices, &words).await;
    let batch = batch(server, &admin, semester, "2026F").await;
    let setup = published(&admin, exam(server, (batch, course, semester), paper, class, 60)).await;
    Scene { admin, setup, students }
}

async fn learner<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

/// So many right answers of five.
fn given(right: usize) -> Vec<(String, Value)> {
    (1..=5).map(|n| (n.to_string(), letter(if n <= right { "A" } else { "B" }))).collect()
}

async fn saved(own: &Client<'_>, sheet: &Value, seq: i64, right: usize) {
    let given = given(right);
    let items: Vec<(&str, Value)> = given.iter().map(|(seq, answer)| (seq.as_str(), answer.clone())).collect();
    let answer = save(own, sheet, seq, &items).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
}

/// A student begins, begins again on the same device, saves and hands in; the machine marks.
#[tokio::test]
async fn an_examination_is_answered_and_marked() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let begun = start(&own, at.setup, "d1", "r1").await.data().clone();
    let again = start(&own, at.setup, "d1", "r1").await.data().clone();
    assert_eq!(begun["sheetId"], again["sheetId"], "{again}");
    assert!(!begun["paper"].to_string().contains("\"answer\":{\"letters\""), "answers are not told");
    let other = start(&own, at.setup, "d2", "r2").await;
    assert_eq!(other.msg(), "您已在其他设备上作答，请联系监考老师解除", "{}", other.body);
    let sheet = begun["sheetId"].clone();
    saved(&own, &sheet, 1, 4).await;
    let handed = submit(&own, &sheet, "s1").await;
    assert_eq!(handed.code(), 200, "{}", handed.body);
    // The same again is the same answer.
    assert_eq!(submit(&own, &sheet, "s1").await.data()["submittedAt"], handed.data()["submittedAt"]);
    let score: i64 =
        server.one(&format!("select (total_score * 10)::bigint from school_1.answer_sheet where id = {sheet}")).await;
    assert_eq!(score, 80, "four of five at two points");
    let listed = at.admin.post("/exam/pc/online/attempt/list", json!({ "setupId": at.setup })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
}

/// Whoever does not hand in is handed in by the server at their deadline.
#[tokio::test]
async fn time_hands_in() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    saved(&own, &sheet, 1, 3).await;
    server.when_due("exam.close", TimeDelta::minutes(62)).await;
    let status: String = server.one(&format!("select mark_state from school_1.answer_sheet where id = {sheet}")).await;
    assert_ne!(status, "in_progress");
    let late = own.put(&format!("{OWN}/save"), json!({ "sheetId": sheet, "clientSeq": 9, "items": [] })).await;
    assert_ne!(late.code(), 200, "{}", late.body);
    assert_eq!(at.students.len(), 2);
}

/// Nobody sees or answers another one's sheet.
#[tokio::test]
async fn a_sheet_is_ones_own() {
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    let (first, second) = (learner(&server, 1).await, learner(&server, 2).await);
    let sheet = start(&first, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    assert_eq!(save(&second, &sheet, 1, &[("1", letter("A"))]).await.code(), 404);
    assert_eq!(submit(&second, &sheet, "s1").await.code(), 404);
}

/// A beat tells what the player saw and brings what staff said; a file is announced for one's own sheet alone.
#[tokio::test]
async fn a_player_beats_and_is_warned() {
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    let (own, other) = (learner(&server, 1).await, learner(&server, 2).await);
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    let warn = json!({ "sheetIds": [sheet], "text": "请不要离开考试页面" });
    at.admin.put("/exam/pc/online/attempt/warn", warn).await.data();
    let event = json!({ "type": "leave_page", "at": server.app.clock().now(), "seconds": 6 });
    let beat = json!({ "sheetId": sheet, "deviceId": "d1", "events": [event] });
    let told = own.post(&format!("{OWN}/heartbeat"), beat.clone()).await.data().clone();
    assert_eq!(told["commands"][0]["text"], json!("请不要离开考试页面"), "{told}");
    // What was told is told once.
    assert_eq!(own.post(&format!("{OWN}/heartbeat"), beat.clone()).await.data()["commands"], json!([]));
    assert_eq!(other.post(&format!("{OWN}/heartbeat"), beat).await.code(), 404);
    let events = at.admin.get(&format!("/exam/pc/online/attempt/events?sheetId={sheet}")).await;
    assert!(events.body.to_string().contains("leave_page"), "{}", events.body);
    let file = json!({ "sheetId": sheet, "seq": "6", "fileName": "答案.docx", "size": 20480 });
    assert_eq!(other.post(&format!("{OWN}/uploadTicket"), file.clone()).await.code(), 404);
    let ticket = own.post(&format!("{OWN}/uploadTicket"), file).await;
    assert_eq!(ticket.code(), 200, "{}", ticket.body);
}

/// A teacher marks what was given to them and nothing else; the marked examination is handed to the scores.
#[tokio::test]
async fn a_teacher_marks_and_the_scores_receive() {
    const MARK: &str = "/exam/client/exam/marking";
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    saved(&own, &sheet, 1, 5).await;
    submit(&own, &sheet, "s1").await.data();
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let to_end = json!({ "setupId": at.setup });
    let early = at.admin.put("/exam/pc/online/mark/finish", to_end.clone()).await;
    assert_eq!(early.refused(), (409, "还有 1 份答卷未阅"));
    let teacher: i64 = server.one("select id from school_1.teacher where work_no = 'T001'").await;
    let markers = json!({ "setupId": at.setup, "markers": [{ "teacherId": teacher }] });
    at.admin.post("/offline/pc/offline/marker/assign", markers).await.data();
    let marker = clients::signed_in(&server).await;
    let listed = marker.post(&format!("{MARK}/list"), json!({})).await;
    assert_eq!(listed.data()["totalCount"], json!(0), "nothing was given yet");
    at.admin.post("/exam/pc/online/mark/assign", to_end.clone()).await.data();
    let listed = marker.post(&format!("{MARK}/list"), json!({})).await;
    assert_eq!(listed.data()["list"][0]["sheetId"], sheet, "{}", listed.body);
    let paper = marker.get(&format!("{MARK}/open?sheetId={sheet}")).await.data().clone();
    let waiting: i64 = server
        .one(&format!("select id from school_1.answer_item where sheet_id = {sheet} and mark_state = 'pending'"))
        .await;
    let marks = |version: &Value| json!({ "sheetId": sheet, "version": version, "items": [{ "itemId": waiting, "score": 4.0 }] });
    let kept = marker.put(&format!("{MARK}/save"), marks(&paper["version"])).await.data().clone();
    let done = marker.put(&format!("{MARK}/submit"), marks(&kept["version"])).await.data().clone();
    assert_eq!((&done["finished"], &done["totalScore"]), (&json!(true), &json!(14.0)), "{done}");
    let told = at.admin.post("/exam/pc/online/mark/transfer", to_end.clone()).await.data().clone();
    assert_eq!(told["rows"], json!(2), "{told}");
    let value = "select (value * 10)::bigint from school_1.score_sheet_row where mark = 'normal'";
    assert_eq!(server.one::<i64>(value).await, 933, "14 of 15");
    // The same again is the same.
    at.admin.post("/exam/pc/online/mark/transfer", to_end).await.data();
    assert_eq!(server.one::<i64>("select count(*) from school_1.score_sheet_row").await, 2);
}

/// §2.7 scenarios 4 and 5: an older save changes nothing, and who leaves the page a fourth time is handed in.
#[tokio::test]
async fn saves_count_on_and_leaving_is_counted() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    let kept = save(&own, &sheet, 12, &[("1", letter("A"))]).await.data()["lastClientSeq"].clone();
    assert_eq!(kept, json!(12));
    assert_eq!(save(&own, &sheet, 12, &[("1", letter("A"))]).await.data()["lastClientSeq"], json!(12));
    assert_eq!(save(&own, &sheet, 11, &[("1", letter("B"))]).await.data()["lastClientSeq"], json!(12));
    let now = server.app.clock().now();
    let leave = async |n: i64, seconds: i32| {
        let event = json!({ "type": "leave_page", "at": now + TimeDelta::seconds(n), "seconds": seconds });
        let beat = json!({ "sheetId": sheet, "deviceId": "d1", "events": [event] });
        own.post(&format!("{OWN}/heartbeat"), beat).await
    };
    let state = async || -> String {
        server.one(&format!("select mark_state from school_1.answer_sheet where id = {sheet}")).await
    };
    assert_eq!(leave(1, 4).await.code(), 200, "a moment does not count");
    for n in 2..=4 {
        assert_eq!(leave(n, 6).await.code(), 200);
    }
    assert_eq!(state().await, "in_progress");
    leave(5, 6).await;
    assert_ne!(state().await, "in_progress");
    let forced = "select count(*) from school_1.exam_event where type = 'force_submit'";
    assert_eq!(server.one::<i64>(forced).await, 1);
}
