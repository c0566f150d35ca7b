//! Examinations on the net: the scenarios of part 04 §5 and §6.

use chrono::TimeDelta;
use infra::clock::Moment;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients::{self, entered},
    cohort::cohort,
    exams::{CANDIDATE, OWN, batch, essay, exam, paper, published, save, start, submit},
    homework::{html, letter, short_answers, with},
    openings::{opened, plan, semester},
    plans,
    questions::{QUESTION, bank, choice, choices},
    students::{id_number, save as enter, student},
    teachers::{TEACHER, teacher},
};
use poem::http::Method;
use serde_json::{Value, json};

/// An examination of five choices that runs now, and the two who sit in it.
struct Scene<'s> {
    admin: Client<'s>,
    setup: i64,
    students: Vec<i64>,
}

async fn scene(server: &Server, words: usize) -> Scene<'_> {
    scene_of(server, Some(words), json!({})).await
}

/// Of five choices and so many short answers, or of one short answer with 20 points; more is said of the examination.
async fn scene_of(server: &Server, words: Option<usize>, more: Value) -> Scene<'_> {
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
    let bank = bank(&admin, course, "KS", "exam").await;
    let paper = match words {
        Some(words) => {
            let choices = choices(&admin, bank, 5, None, "单选").await;
            let words = short_answers(&admin, bank, words).await;
            paper(server, &admin, course, &choices, &words).await
        }
        None => essay(server, &admin, (course, bank), 20.0).await,
    };
    let batch = batch(server, &admin, semester, "2026F").await;
    let setup = published(&admin, with(exam(server, (batch, course, semester), paper, class, 60), more)).await;
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
    let sent = json!({ "setupId": at.setup, "deviceId": "d1", "requestId": "r1" });
    let again = own.unlooked(Method::POST, &format!("{OWN}/start"), Some(&sent)).await.data().clone();
    assert_eq!(begun["sheetId"], again["sheetId"], "{again}");
    assert!(!begun["paper"].to_string().contains("\"answer\":{\"letters\""), "answers are not told");
    let other = start(&own, at.setup, "d2", "r2").await;
    assert_eq!(other.msg(), "您已在其他设备上作答，请联系监考老师解除", "{}", other.body);
    let sheet = begun["sheetId"].clone();
    // It was refused, and is seen by who watches; a device counts once.
    let beat = json!({ "sheetId": sheet, "deviceId": "d2", "events": [] });
    assert_eq!(own.post(&format!("{OWN}/heartbeat"), beat).await.code(), 409);
    let watched =
        at.admin.get(&format!("/exam/pc/online/attempt/view?sheetId={sheet}")).await.data()["attempt"].clone();
    assert_eq!((&watched["riskScore"], &watched["riskLevel"]), (&json!(5), &json!("medium")), "{watched}");
    let events = at.admin.get(&format!("/exam/pc/online/attempt/events?sheetId={sheet}")).await;
    assert!(events.body.to_string().contains("multi_device"), "{}", events.body);
    for path in [format!("{OWN}/view?setupId={}", at.setup), format!("/exam/pc/online/setup/view?id={}", at.setup)] {
        let client = if path.starts_with(OWN) { &own } else { &at.admin };
        assert_eq!(client.get(&path).await.data()["passScore"], json!(60.0), "{path}");
    }
    saved(&own, &sheet, 1, 4).await;
    let handed = submit(&own, &sheet, "s1").await;
    assert_eq!(handed.code(), 200, "{}", handed.body);
    // The same again is the same answer.
    let sent = json!({ "sheetId": sheet, "requestId": "s1" });
    let again = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&sent)).await;
    assert_eq!(again.data()["submittedAt"], handed.data()["submittedAt"]);
    let score: i64 =
        server.one(&format!("select (total_score * 10)::bigint from school_1.answer_sheet where id = {sheet}")).await;
    assert_eq!(score, 80, "four of five at two points");
    let listed = at.admin.post("/exam/pc/online/attempt/list", json!({ "setupId": at.setup })).await;
    assert_eq!(listed.data()["totalCount"], json!(2), "who has not begun too: {}", listed.body);
}

/// Of several attempts the record tells the one that counts.
#[tokio::test]
async fn the_attempt_that_counts_is_told() {
    let server = Server::start().await;
    let at = scene_of(&server, Some(0), json!({ "maxAttempts": 2, "attemptScoring": "highest" })).await;
    let own = learner(&server, 1).await;
    for (n, right) in [(1, 5), (2, 2)] {
        let sheet = start(&own, at.setup, "d1", &format!("r{n}")).await.data()["sheetId"].clone();
        saved(&own, &sheet, 1, right).await;
        submit(&own, &sheet, &format!("s{n}")).await.data();
    }
    let listed = at.admin.post("/adult/pc/exam/achievement/record/list", json!({ "setupId": at.setup })).await;
    let rows = listed.data()["list"].as_array().expect("rows").clone();
    let scores: Vec<&Value> = rows.iter().map(|row| &row["totalScore"]).filter(|score| !score.is_null()).collect();
    assert_eq!(scores, [&json!(10.0)], "{}", listed.body);
}

/// §2.7 scenarios 2 and 3: what comes within half a minute behind the deadline is kept; then the sheet is handed in as it is, also of whoever
/// never came back.
#[tokio::test]
async fn time_hands_in() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let (own, gone) = (learner(&server, 1).await, learner(&server, 2).await);
    let left = start(&gone, at.setup, "d2", "r1").await.data()["sheetId"].clone();
    saved(&gone, &left, 1, 3).await;
    // Whose account is switched off meanwhile is out, and keeps what was answered so far (02 §12.6, scenario 9).
    let accounts = at.admin.post("/user/pc/student/list", json!({})).await.data()["list"].clone();
    let account = accounts.as_array().expect("accounts").iter().find(|row| row["id"] == json!(at.students[1]));
    let version = account.expect("the account")["accountVersion"].clone();
    let off = json!({ "items": [{ "id": at.students[1], "version": version }], "enabled": false });
    assert_eq!(at.admin.put("/user/pc/student/update/status", off).await.data()["done"], json!(1));
    assert_eq!(save(&gone, &left, 2, &[("4", letter("A"))]).await.code(), 303);
    let begun = start(&own, at.setup, "d1", "r1").await.data().clone();
    let sheet = begun["sheetId"].clone();
    let deadline: Moment = begun["deadlineAt"].as_str().expect("a moment").parse().expect("a moment");
    let behind = |seconds: i64| {
        let now = server.app.clock().now();
        server.app.clock().shift(deadline + TimeDelta::seconds(seconds) - now);
    };
    behind(20);
    let kept = save(&own, &sheet, 41, &[("1", letter("A"))]).await.data().clone();
    assert_eq!((&kept["lastClientSeq"], &kept["remainingSeconds"]), (&json!(41), &json!(0)));
    behind(31);
    let late = save(&own, &sheet, 42, &[("2", letter("A"))]).await;
    assert_eq!(late.refused(), (409, "考试时间已到，答卷已自动提交"));
    server.when_due("exam.close", TimeDelta::minutes(2)).await;
    for (sheet, score) in [(&sheet, "2.0"), (&left, "6.0")] {
        let ended: String = server
            .one(&format!(
                "select submit_kind || ' ' || total_score::text from school_1.answer_sheet where id = {sheet}"
            ))
            .await;
        assert_eq!(ended, format!("auto_time {score}"));
    }
    assert_eq!(save(&own, &sheet, 43, &[("1", letter("A"))]).await.refused(), (409, "考试时间已到，答卷已自动提交"));
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
    let file = json!({ "sheetId": sheet, "fileName": "抓拍.jpg", "size": 20480 });
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
    assert_eq!(save(&own, &sheet, 2, &[("6", html("价值尺度"))]).await.code(), 200);
    submit(&own, &sheet, "s1").await.data();
    // With a sheet goes the key, which others still need not to know.
    let early = at.admin.get(&format!("/exam/pc/online/mark/next?setupId={}&sheetId={sheet}", at.setup)).await;
    assert_eq!(early.refused(), (409, "考试已发布，请在考试结束后办理"));
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let to_end = json!({ "setupId": at.setup });
    let early = at.admin.put("/exam/pc/online/mark/finish", to_end.clone()).await;
    assert_eq!(early.refused(), (409, "还有 1 份答卷未阅"));
    let early = at.admin.post("/exam/pc/online/mark/transfer", to_end.clone()).await;
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

/// A marker whose sheets go to another has none any more. Nobody marks a class that does not sit.
#[tokio::test]
async fn a_marker_who_hands_on_counts_nothing() {
    const MARKER: &str = "/offline/pc/offline/marker";
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    saved(&own, &sheet, 1, 5).await;
    save(&own, &sheet, 2, &[("6", html("价值尺度"))]).await.data();
    submit(&own, &sheet, "s1").await.data();
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let one: i64 = server.one("select id from school_1.teacher where work_no = 'T001'").await;
    let (other, _) = marker(&server, &at.admin, 2).await;
    let stranger = json!({ "setupId": at.setup,
        "markers": [{ "teacherId": one, "scope": "by_class", "classIds": [999_999] }] });
    let refused = at.admin.post(&format!("{MARKER}/assign"), stranger).await;
    assert_eq!(kit::fields(&refused), ["markers: 所选班级没有参加该考试，请重新选择"]);
    let given = async |markers: Value| {
        at.admin.post(&format!("{MARKER}/assign"), json!({ "setupId": at.setup, "markers": markers })).await.data();
        at.admin.post("/exam/pc/online/mark/assign", json!({ "setupId": at.setup })).await.data();
        let seen = at.admin.get(&format!("{MARKER}/view?setupId={}", at.setup)).await.data().clone();
        let rows = seen["markers"].as_array().expect("markers").clone();
        rows.iter().map(|row| (row["teacherId"].clone(), row["assigned"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(given(json!([{ "teacherId": one }])).await, [(json!(one), json!(1))]);
    let both = given(json!([{ "teacherId": one, "arbiter": true }, { "teacherId": other }])).await;
    assert_eq!(both, [(json!(one), json!(0)), (json!(other), json!(1))]);
}

/// Whoever was only warned keeps the score. Each sheet of a candidate is listed, also what was voided.
#[tokio::test]
async fn who_was_warned_keeps_the_score() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let own = learner(&server, 1).await;
    let first = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    let discard = json!({ "sheetIds": [first], "reason": "网络中断" });
    let done = at.admin.put("/exam/pc/online/attempt/void", discard).await;
    assert_eq!(done.data()["done"], json!(1), "{}", done.body);
    let second = start(&own, at.setup, "d1", "r2").await.data()["sheetId"].clone();
    saved(&own, &second, 1, 5).await;
    submit(&own, &second, "s2").await.data();
    let listed = at.admin.post("/exam/pc/online/attempt/list", json!({ "setupId": at.setup })).await.data().clone();
    let rows = listed["list"].as_array().expect("rows").clone();
    let told: Vec<(&Value, &Value)> = rows.iter().map(|row| (&row["sheetId"], &row["markState"])).collect();
    let expected = [(&second, &json!("marked")), (&first, &json!("void")), (&Value::Null, &Value::Null)];
    assert_eq!((listed["totalCount"].as_i64(), told.as_slice()), (Some(3), expected.as_slice()), "{listed}");
    assert_eq!((&rows[0]["candidateId"], &rows[0]["id"]), (&rows[1]["candidateId"], &second), "{listed}");
    let waiting = json!({ "setupId": at.setup, "entered": false });
    let waiting = at.admin.post("/exam/pc/online/attempt/list", waiting).await.data().clone();
    assert_eq!(waiting["list"][0]["studentId"], json!(at.students[1]), "{waiting}");
    let seen = at.admin.get(&format!("/exam/pc/online/attempt/view?sheetId={first}")).await.data().clone();
    assert_eq!((&seen["attempt"]["markState"], &seen["attempt"]["attemptNo"]), (&json!("void"), &json!(1)), "{seen}");

    let report = json!({ "candidateId": rows[0]["candidateId"], "level": "violation", "clause": "W10",
        "description": "切换页面两次", "source": "online_monitor", "fileIds": [] });
    let case = at.admin.post("/exam/pc/violation/save", report).await.id();
    server.run("update school_1.exam_violation set reported_by = 0").await;
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let transfer = async || at.admin.post("/exam/pc/online/mark/transfer", json!({ "setupId": at.setup })).await;
    assert_eq!(transfer().await.refused(), (409, "还有 1 条违规未处理"));
    let version = at.admin.get(&format!("/exam/pc/violation/view?id={case}")).await.data()["version"].clone();
    let audit =
        json!({ "id": case, "version": version, "pass": true, "decision": "予以警告", "penalty": "discipline" });
    at.admin.put("/exam/pc/violation/audit", audit).await.data();
    transfer().await.data();
    let kept: String = server
        .one(&format!(
            "select mark || ' ' || mark_fixed from school_1.score_sheet_row where candidate_id = {}",
            rows[0]["candidateId"]
        ))
        .await;
    assert_eq!(kept, "normal false");
    // What is voided after that is handed in again, as a corrected key is.
    let discard = json!({ "sheetIds": [second], "reason": "冒名作答" });
    assert_eq!(at.admin.put("/exam/pc/online/attempt/void", discard).await.data()["done"], json!(1));
    let standing: String =
        server.one(&format!("select marking_status from school_1.exam_setup where id = {}", at.setup)).await;
    assert_eq!(standing, "done");
    transfer().await.data();
    let kept: String = server
        .one(&format!("select mark from school_1.score_sheet_row where candidate_id = {}", rows[0]["candidateId"]))
        .await;
    assert_eq!(kept, "absent");
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
    // 05 E3: two years after the batch was closed it is forgotten.
    let kept = async |months: i32| -> i64 {
        let now = server.now();
        server
            .run(&format!(
                "update school_1.exam_event set received_at = {now} - interval '3 years';
                 update school_1.test_batch set status = 'closed', closed_at = {now} - interval '{months} months'"
            ))
            .await;
        server.when_due("exam.pictures", TimeDelta::minutes(2)).await;
        server.one(forced).await
    };
    assert_eq!(kept(23).await, 1);
    assert_eq!(kept(25).await, 0);
}

/// §2.7 scenario 1: what was frozen stays while its bank changes; keys are for those who may see keys.
#[tokio::test]
async fn what_was_frozen_stays() {
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    let path = format!("/exam/pc/online/setup/paper/preview?setupId={}&slot=A", at.setup);
    let before = at.admin.get(&path).await.data().clone();
    let question: i64 = server.one("select question_id from school_1.snapshot_question where seq = '1'").await;
    let bank: i64 = server.one(&format!("select bank_id from school_1.question where id = {question}")).await;
    let seen = at.admin.get(&format!("{QUESTION}/view?id={question}")).await.data().clone();
    let edit = with(choice(bank, "改过的题干", 2.0), json!({ "id": question, "version": seen["version"] }));
    assert_eq!(at.admin.put(&format!("{QUESTION}/edit"), edit).await.code(), 200);
    let after = at.admin.get(&path).await.data().clone();
    assert!(before["sha256"].is_string(), "{before}");
    assert_eq!(before["sha256"], after["sha256"]);
    let own = learner(&server, 1).await;
    let begun = start(&own, at.setup, "d1", "r1").await.data().clone();
    let file = format!("/exam/pc/online/attempt/view?sheetId={}", begun["sheetId"]);
    let marked = at.admin.get(&file).await.data().clone();
    for shown in [&after, &begun["paper"], &marked["items"]] {
        assert!(!shown.to_string().contains("改过的题干"), "{shown}");
    }
    // Who watches, and may not see keys, sees none as long as others answer.
    let codes = all_school_codes();
    let codes: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| *code != "exam:pc:exam:problem:viewAnswer").collect();
    let watcher = server.staff(1, &codes).await;
    let plain = watcher.get(&path).await.data().clone();
    assert!(before.to_string().contains("\"letters\"") && !plain.to_string().contains("\"letters\""), "{plain}");
    let watched = watcher.get(&file).await.data().clone();
    let keys = watched["items"].as_array().expect("items").iter().filter(|item| !item["reference"].is_null()).count();
    assert_eq!(keys, 0, "{watched}");
}

/// §2.7 scenario 7: a key is corrected, sheets are marked anew, and the scores follow with the next transfer, until they are submitted.
#[tokio::test]
async fn a_corrected_key_moves_the_scores() {
    const MARK: &str = "/exam/pc/online/mark";
    let server = Server::start().await;
    let at = scene(&server, 0).await;
    for (n, first) in [(1, "A"), (2, "B")] {
        let own = learner(&server, n).await;
        let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
        let given = given(5);
        let mut items: Vec<(&str, Value)> = given.iter().map(|(seq, answer)| (seq.as_str(), answer.clone())).collect();
        items[0].1 = letter(first);
        assert_eq!(save(&own, &sheet, 1, &items).await.code(), 200);
        submit(&own, &sheet, "s1").await.data();
    }
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let setup = json!({ "setupId": at.setup });
    let transferred = async || {
        assert_eq!(at.admin.post(&format!("{MARK}/transfer"), setup.clone()).await.data()["rows"], json!(2));
        let mut scores = Vec::new();
        for student in &at.students {
            let value: i64 = server
                .one(&format!(
                    "select (r.raw * 10)::bigint from school_1.score_sheet_row r
                     join school_1.course_score s on s.id = r.course_score_id where s.student_id = {student}"
                ))
                .await;
            scores.push(value);
        }
        scores
    };
    assert_eq!(transferred().await, [100, 80]);
    let question: i64 = server.one("select id from school_1.snapshot_question where seq = '1'").await;
    let key = |letter: &str| json!({ "snapshotQuestionId": question, "answer": { "letters": [letter] }, "reason": "答案有误" });
    let told = at.admin.post(&format!("{MARK}/rejudge"), key("B")).await.data().clone();
    assert_eq!((&told["done"], &told["up"], &told["down"]), (&json!(2), &json!(1), &json!(1)), "{told}");
    assert_eq!(transferred().await, [80, 100], "2.0 up, 2.0 down");
    server
        .run(
            "update school_1.score_sheet set status = 'submitted', submitted_by = 0, submitted_by_kind = 'account',
                 submitted_by_name = '', submitted_at = now()",
        )
        .await;
    let late = at.admin.post(&format!("{MARK}/rejudge"), key("A")).await;
    assert_eq!(late.refused(), (409, "成绩已提交审核，请先退回成绩登记表"));
}

/// Somebody of the school who is this teacher, too.
async fn marker<'s>(server: &'s Server, admin: &Client<'_>, n: i64) -> (i64, Client<'s>) {
    let organization: i64 = server.one("select min(id) from school_1.organization").await;
    let mut body = teacher(organization, n);
    for field in ["idCardType", "idCardNo"] {
        body.as_object_mut().expect("fields").remove(field);
    }
    let id = admin.post(&format!("{TEACHER}/save"), body).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let name = server.account(1, &codes, "whole_school", &[]).await;
    server
        .run(&format!(
            "update platform.sys_user_school set teacher_id = {id}
             where school_id = 1 and user_id = (select id from platform.sys_user where login_name = '{name}')"
        ))
        .await;
    (id, server.signed_in(&name, "schoolLogin").await)
}

/// §2.7 scenario 10: of 20 points two give 10 and 16; a third one decides. Who did not come stays absent.
#[tokio::test]
async fn two_who_differ_ask_a_third() {
    const MARK: &str = "/exam/pc/online/mark";
    let server = Server::start().await;
    let at = scene_of(&server, None, json!({ "markingMode": "double", "markDiffPercent": 15 })).await;
    let own = learner(&server, 1).await;
    let sheet = start(&own, at.setup, "d1", "r1").await.data()["sheetId"].clone();
    assert_eq!(save(&own, &sheet, 1, &[("1", html("价值尺度"))]).await.code(), 200);
    submit(&own, &sheet, "s1").await.data();
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let missing: i64 =
        server.one(&format!("select id from school_1.exam_candidate where student_id = {}", at.students[1])).await;
    let gone = json!({ "ids": [missing], "reason": "没有参加" });
    let kept = at.admin.put(&format!("{CANDIDATE}/remove"), gone).await.data().clone();
    assert_eq!(kept["failed"][0]["msg"], json!("考试已结束，不能移除考生"), "{kept}");
    let mut people = Vec::new();
    for n in 2..=4 {
        people.push(marker(&server, &at.admin, n).await);
    }
    let markers: Vec<Value> = people
        .iter()
        .enumerate()
        .map(|(place, (teacher, _))| json!({ "teacherId": teacher, "arbiter": place == 2 }))
        .collect();
    let wanted = json!({ "setupId": at.setup, "markers": markers });
    at.admin.post("/offline/pc/offline/marker/assign", wanted).await.data();
    let setup = json!({ "setupId": at.setup });
    at.admin.post(&format!("{MARK}/assign"), setup.clone()).await.data();
    let gives = async |place: usize, score: f64| {
        let client = &people[place].1;
        let next = client.get(&format!("{MARK}/next?setupId={}", at.setup)).await.data().clone();
        assert_eq!(next["items"].as_array().map(Vec::len), Some(1), "{next}");
        let marks = json!({ "sheetId": sheet, "version": next["version"],
            "items": [{ "itemId": next["items"][0]["itemId"], "score": score }] });
        client.put(&format!("{MARK}/save"), marks).await.data().clone()
    };
    gives(0, 10.0).await;
    let second = gives(1, 16.0).await;
    assert_eq!((&second["finished"], &second["arbitration"]), (&json!(false), &json!(1)), "{second}");
    let early = at.admin.put(&format!("{MARK}/finish"), setup.clone()).await;
    assert_eq!(early.refused(), (409, "还有 1 题待仲裁"));
    let third = gives(2, 15.0).await;
    assert_eq!((&third["finished"], &third["totalScore"]), (&json!(true), &json!(15.0)), "{third}");
    assert_eq!(at.admin.put(&format!("{MARK}/finish"), setup).await.code(), 200);
}

/// §2.3: how many sheets are left counts those that the marker may reach.
#[tokio::test]
async fn what_is_left_to_mark_lies_within_reach() {
    let server = Server::start().await;
    let at = scene(&server, 1).await;
    for n in 1..=2 {
        let own = learner(&server, n).await;
        let sheet = start(&own, at.setup, &format!("d{n}"), &format!("r{n}")).await.data()["sheetId"].clone();
        assert_eq!(save(&own, &sheet, 1, &[("6", html("价值尺度"))]).await.code(), 200);
        submit(&own, &sheet, &format!("s{n}")).await.data();
    }
    let item = kit::exams::item(&at.admin, at.setup).await;
    at.admin.put("/exam/pc/online/setup/close", item).await.data();
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = at.admin.post("/adult/pc/site/save", far).await.id();
    let teacher: i64 = server.one("select id from school_1.teacher where work_no = 'T001'").await;
    let markers = json!({ "setupId": at.setup, "markers": [{ "teacherId": teacher }] });
    at.admin.post("/offline/pc/offline/marker/assign", markers).await.data();
    at.admin.post("/exam/pc/online/mark/assign", json!({ "setupId": at.setup })).await.data();
    server
        .run(&format!("update school_1.student set site_id = {far}, class_id = null where id = {}", at.students[1]))
        .await;
    let next = format!("/exam/pc/online/mark/next?setupId={}", at.setup);
    let codes = ["exam:pc:online:mark:next", "offline:pc:offline:marker:list", "exam:pc:online:setup:list"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    for (client, sheets, classes) in [(&narrow, 1, 0), (&at.admin, 2, 1)] {
        let marked = client.post("/offline/pc/offline/marker/list", json!({})).await.data()["list"][0].clone();
        assert_eq!(marked["assigned"], json!(sheets), "{marked}");
        let listed = client.post("/exam/pc/online/setup/list", json!({})).await.data()["list"][0].clone();
        assert_eq!(listed["classCount"], json!(classes), "{listed}");
    }
    let own = narrow.get(&next).await.data().clone();
    assert_eq!(own["left"], json!(0), "of its own site none: {own}");
    let other = at.admin.get(&next).await.data().clone();
    assert_eq!(other["left"], json!(1), "{other}");
}
