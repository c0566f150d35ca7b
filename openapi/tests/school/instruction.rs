//! Face-to-face instruction: the scenarios of part 03 B8 with their worked numbers, sheets and their undoing, the teachers' client.

use chrono::Days;
use kit::{
    Answer, Client, Server,
    accounts::all_school_codes,
    clients,
    cohort::registrar,
    fields,
    imports::taken_back,
    lessons::{ARRANGE, INSTRUCTION, Lessons, allocate, attend, lessons, published, with},
    openings::publish,
    rows::{setting, students},
    sheets::{import, row_errors, texts},
};
use poem::http::Method;
use serde_json::{Value, json};

/// The scores of an opening, by the numbers of the students.
async fn scores(client: &Client<'_>, opening: i64) -> Vec<Value> {
    let listed = client.post(&format!("{INSTRUCTION}/list"), json!({ "openingId": opening, "pageSize": 500 })).await;
    let mut rows = listed.data()["list"].as_array().expect("scores").clone();
    rows.sort_by_key(|row| row["studentNo"].to_string());
    rows
}

fn selection(row: &Value) -> Value {
    row["selectionId"].clone()
}

async fn edit(client: &Client<'_>, row: &Value, performance: f64) -> Answer {
    let item = json!({ "selectionId": row["selectionId"], "performanceScore": performance, "version": row["version"] });
    client.put(&format!("{INSTRUCTION}/edit"), json!({ "items": [item] })).await
}

async fn step(client: &Client<'_>, name: &str, selections: &[Value], reason: Option<&str>) -> Answer {
    let mut body = json!({ "selectionIds": selections });
    if let Some(reason) = reason {
        body["reason"] = json!(reason);
    }
    client.put(&format!("{INSTRUCTION}/{name}"), body).await
}

/// Ten sessions that were held.
async fn ten_sessions(admin: &Client<'_>, taught: &Lessons) -> Vec<Value> {
    let view = published(admin, taught.form("1-10")).await;
    view["meetings"].as_array().expect("sessions").iter().map(|session| session["id"].clone()).collect()
}

/// Scenarios 1 and 6.
#[tokio::test]
async fn a_score_comes_of_attendance_and_performance() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let sessions = ten_sessions(&admin, &taught).await;
    let rows = scores(&admin, taught.opening).await;
    let (one, two) = (selection(&rows[0]), selection(&rows[1]));
    for (place, session) in sessions.iter().enumerate() {
        let result = match place {
            0..=6 => "present",
            7 => "late",
            8 => "leave",
            _ => "absent",
        };
        attend(&admin, session, &[(&one, result), (&two, "leave")]).await.data();
    }
    let rows = scores(&admin, taught.opening).await;
    let written = edit(&admin, &rows[0], 88.0).await.data()["items"][0].clone();
    assert_eq!((&written["attendanceScore"], &written["totalScore"]), (&json!(83.3), &json!(86.1)));
    edit(&admin, &rows[1], 88.0).await.data();
    let rows = scores(&admin, taught.opening).await;
    assert_eq!((&rows[0]["requiredSessions"], &rows[0]["attendedCount"]), (&json!(9), &json!(7.5)));
    assert_eq!((&rows[0]["attendanceRate"], &rows[0]["totalScore"]), (&json!(83.3), &json!(86.1)));
    assert_eq!(
        (&rows[1]["requiredSessions"], &rows[1]["attendanceScore"], &rows[1]["totalScore"]),
        (&json!(0), &json!(null), &json!(88.0))
    );
    // What the scores' part reads.
    let view = format!(
        "select rate::text || ' ' || required::text || ' ' || late::text from school_1.attendance_summary where selection_id = {one}"
    );
    assert_eq!(server.one::<String>(&view).await, "83.3 9 1");
    let total = |selection: &Value| {
        format!("select instruction_total::text from school_1.attendance_summary where selection_id = {selection}")
    };
    assert_eq!(server.one::<Option<String>>(&total(&one)).await, None, "not confirmed yet");
    assert_eq!(step(&admin, "submit", std::slice::from_ref(&one), None).await.data()["done"], json!(1));
    assert_eq!(step(&admin, "confirm", std::slice::from_ref(&one), None).await.data()["done"], json!(1));
    assert_eq!(server.one::<Option<String>>(&total(&one)).await, Some("86.1".to_owned()));
    // What was submitted keeps its attendance.
    let refused = attend(&admin, &sessions[0], &[(&one, "absent")]).await;
    assert_eq!(refused.refused(), (409, "“学生1”的面授成绩已确认，不能修改考勤"));
    // By other weights scores are counted when they are touched again.
    setting(&server, "instructionWeights", &json!({ "attendance": 0, "performance": 100 })).await;
    attend(&admin, &sessions[0], &[(&two, "present")]).await.data();
    assert_eq!(scores(&admin, taught.opening).await[1]["totalScore"], json!(88.0));
    assert_eq!(scores(&admin, taught.opening).await[0]["totalScore"], json!(86.1));
    // What somebody did is not taken away with the course (B2).
    let cancel = kit::openings::step(&admin, "cancel", taught.opening, json!({ "reason": "教师调整" })).await;
    assert_eq!(cancel.data()["failed"][0]["msg"], json!("该课程已有2条成绩，不能取消"), "{}", cancel.body);
}

/// Scenario 2, and whose attendance is whose.
#[tokio::test]
async fn attendance_is_of_who_was_to_come() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let view = published(&admin, taught.form("1-2")).await;
    let sessions = view["meetings"].as_array().expect("sessions");
    let rows = scores(&admin, taught.opening).await;
    let (own, other) = (selection(&rows[0]), selection(&rows[2]));
    let stranger = attend(&admin, &sessions[0]["id"], &[(&own, "present"), (&other, "present")]).await;
    assert_eq!(fields(&stranger), ["items[1].selectionId: 该学生不在本次课的名单中"]);
    let twice = attend(&admin, &sessions[0]["id"], &[(&own, "present"), (&own, "late")]).await;
    assert_eq!(fields(&twice), ["items[1].selectionId: 该学生重复"]);
    let cancel = json!({ "sessionId": sessions[1]["id"], "version": sessions[1]["version"], "reason": "教师生病" });
    admin.put(&format!("{ARRANGE}/session/cancel"), cancel).await.data();
    let refused = attend(&admin, &sessions[1]["id"], &[(&own, "present")]).await;
    assert_eq!(refused.refused(), (409, "该次课已取消"));
    let draft = kit::lessons::save(&admin, taught.form("3")).await.id();
    let draft = kit::lessons::seen(&admin, draft).await["meetings"][0]["id"].clone();
    assert_eq!(attend(&admin, &draft, &[(&own, "present")]).await.refused(), (409, "排课还未发布，不能登记考勤"));
    attend(&admin, &sessions[0]["id"], &[(&own, "late")]).await.data();
    let roster =
        admin.get(&format!("{INSTRUCTION}/attendance/list?sessionId={}", sessions[0]["id"])).await.data().clone();
    assert_eq!((&roster["students"], &roster["registered"]), (&json!(2), &json!(1)));
    assert_eq!((&roster["rows"][0]["result"], &roster["rows"][0]["source"]), (&json!("late"), &json!("staff")));
    assert_eq!(roster["rows"][1]["result"], json!(null));
    // Who read it before somebody else registered is told so.
    let stale =
        json!({ "sessionId": sessions[0]["id"], "items": [{ "selectionId": own, "result": "present", "version": 0 }] });
    assert_eq!(admin.put(&format!("{INSTRUCTION}/attendance/save"), stale).await.code(), 409);
    let listed =
        admin.post(&format!("{INSTRUCTION}/attendance/session/list"), json!({ "semesterId": taught.spring })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "neither drafts nor what was cancelled");
}

/// Who comes to register what was just taught finds it first, and what is still to come behind all of it.
#[tokio::test]
async fn lessons_stand_in_the_order_in_which_they_are_registered() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let view = published(&admin, taught.form("1-4")).await;
    let meetings = view["meetings"].as_array().expect("sessions");
    let ids: Vec<Value> = meetings.iter().map(|meeting| meeting["id"].clone()).collect();
    server
        .run(&format!(
            "update school_1.course_arrange_session
             set held_on = held_on + interval '90 years', starts_at = starts_at + interval '90 years',
                 ends_at = ends_at + interval '90 years'
             where id in ({}, {})",
            ids[2], ids[3]
        ))
        .await;
    let listed = admin.post(&format!("{INSTRUCTION}/attendance/session/list"), json!({})).await.data()["list"].clone();
    let order: Vec<Value> = listed.as_array().expect("sessions").iter().map(|session| session["id"].clone()).collect();
    assert_eq!(order, [ids[1].clone(), ids[0].clone(), ids[2].clone(), ids[3].clone()]);
}

/// Scenarios 3, 4 and 8, and the way back.
#[tokio::test]
async fn a_class_is_submitted_whole_and_confirmed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [50, 1]).await;
    let rows = scores(&admin, taught.opening).await;
    let class: Vec<&Value> = rows.iter().filter(|row| row["className"] == json!("C1")).collect();
    assert_eq!(class.len(), 50);
    let items: Vec<Value> = class[..48]
        .iter()
        .map(|row| json!({ "selectionId": row["selectionId"], "performanceScore": 80.0, "version": 0 }))
        .collect();
    admin.put(&format!("{INSTRUCTION}/edit"), json!({ "items": items })).await.data();
    let all: Vec<Value> = class.iter().map(|row| selection(row)).collect();
    let missing = step(&admin, "submit", &all, None).await;
    assert_eq!(missing.refused(), (422, "还有2名学生未录入表现成绩"));
    // Two clerks at one row: the second read it before the first saved.
    assert_eq!(edit(&admin, class[48], 70.0).await.code(), 200);
    let late = edit(&admin, class[48], 71.0).await;
    assert_eq!(late.code(), 409, "{}", late.body);
    edit(&admin, class[49], 72.5).await.data();
    let item = json!({ "selectionId": class[49]["selectionId"], "performanceScore": 72.5, "version": 1 });
    let twice = admin.put(&format!("{INSTRUCTION}/edit"), json!({ "items": [item, item] })).await;
    assert_eq!(fields(&twice), ["items[1].selectionId: 该学生重复"]);
    let wrong = edit(&admin, &with(class[0].clone(), json!({ "version": 1 })), 100.5).await;
    assert_eq!(fields(&wrong), ["items[0].performanceScore: 应在0到100之间，最多一位小数"]);
    assert_eq!(step(&admin, "submit", &all, None).await.data()["done"], json!(50));
    let rows = scores(&admin, taught.opening).await;
    assert_eq!(edit(&admin, &rows[0], 90.0).await.refused(), (409, "已提交的成绩不能修改，请先退回"));
    let back = step(&admin, "return", &all[..1], Some("请核对表现成绩")).await;
    assert_eq!(back.data()["done"], json!(1));
    let rows = scores(&admin, taught.opening).await;
    assert_eq!((&rows[0]["status"], &rows[0]["returnReason"]), (&json!("draft"), &json!("请核对表现成绩")));
    assert_eq!(edit(&admin, &rows[0], 90.0).await.code(), 200);
    step(&admin, "submit", &all[..1], None).await.data();
    // Scenario 7: whoever may not confirm does not.
    let codes = all_school_codes();
    let codes: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| !code.ends_with("offlineInstruction:confirm")).collect();
    let site = server.staff_within(1, &codes, "named_sites", &[taught.p.site]).await;
    assert_eq!(step(&site, "confirm", &all, None).await.code(), 403);
    let recompute = json!({ "kind": "attendance", "semesterId": taught.spring });
    let job = admin.post("/adult/pc/score/component/recompute", recompute).await.data()["jobId"].clone();
    kit::jobs::ended(&admin, &job).await;
    let stale = "select count(*) from school_1.course_score where stale";
    assert_eq!(server.one::<i64>(stale).await, 0);
    assert_eq!(step(&admin, "confirm", &all, None).await.data()["done"], json!(50));
    assert_eq!(server.one::<i64>(stale).await, 50, "what was confirmed counts for the course");
    let rows = scores(&admin, taught.opening).await;
    assert_eq!(edit(&admin, &rows[0], 60.0).await.refused(), (409, "已确认的成绩不能修改"));
    let revoked = step(&admin, "revoke", &all[..1], Some("表现成绩有误")).await;
    assert_eq!(revoked.data()["done"], json!(1));
    // With the final score published it stays.
    publish(&server, all[1].as_i64().expect("a number"), 801, true).await;
    let locked = step(&admin, "revoke", &all[1..2], Some("表现成绩有误")).await.data().clone();
    assert_eq!(locked["failed"][0]["msg"], json!("成绩已锁定，不能撤销确认"));
    let file = admin.post(&format!("{INSTRUCTION}/export"), json!({ "openingId": taught.opening })).await;
    assert_eq!(texts(&file.bytes).len(), 52);
    let print = format!("{INSTRUCTION}/print?openingId={}&classId={}", taught.opening, taught.classes[0]);
    assert!(admin.bare(Method::GET, &print).await.bytes.starts_with(b"%PDF"));
    let nobody = format!("{INSTRUCTION}/print?openingId={}&classId=0", taught.opening);
    assert_eq!(admin.get(&nobody).await.refused(), (404, "该班级没有这门课程的名单"));
}

/// Scenario 5, and what sheets wrote goes back.
#[tokio::test]
async fn sheets_are_written_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [8, 1]).await;
    let headings = ["学号", "学期编码", "课程代码", "出勤成绩", "表现成绩"];
    let numbers: Vec<String> = (1..=8).map(|n| format!("26{n:08}")).collect();
    let line = |n: usize, attendance: &'static str, performance: &'static str| {
        [numbers[n].clone(), "2026-1".to_owned(), "A1".to_owned(), attendance.to_owned(), performance.to_owned()]
    };
    let mut rows: Vec<[String; 5]> = (0..8).map(|n| line(n, "90.5", "88")).collect();
    rows[6][4] = "101".to_owned();
    let sent = |rows: &[[String; 5]]| -> Vec<Vec<String>> { rows.iter().map(|row| row.to_vec()).collect() };
    async fn import_all(admin: &Client<'_>, headings: &[&str], rows: &[Vec<String>]) -> Answer {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        import(admin, INSTRUCTION, headings, &rows).await
    }
    let refused = import_all(&admin, &headings, &sent(&rows)).await;
    assert_eq!(row_errors(refused.data()), ["8 表现成绩: 应在0到100之间，最多一位小数"]);
    assert_eq!(server.one::<i64>("select count(*) from school_1.instruction_score").await, 0);
    rows[6][4] = "88".to_owned();
    let twice = [rows[0].clone(), rows[0].clone()];
    let refused = import_all(&admin, &headings, &sent(&twice)).await;
    assert_eq!(row_errors(refused.data()), ["3 学号: 该学生的这门课程与前面的行重复"]);
    let done = import_all(&admin, &headings, &sent(&rows)).await;
    assert_eq!(done.data()["imported"], json!(8), "{}", done.body);
    let row = scores(&admin, taught.opening).await[0].clone();
    // 90.5 × 0.4 + 88.0 × 0.6 = 89.0
    assert_eq!((&row["attendanceScore"], &row["totalScore"]), (&json!(90.5), &json!(89.0)));
    let (_, staying) = taken_back(&admin, "面授成绩").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(server.one::<i64>("select count(*) from school_1.instruction_score").await, 0);
    // With sessions attendance is counted, not typed.
    published(&admin, taught.form("1-2")).await;
    let refused = import_all(&admin, &headings, &sent(&rows[..1])).await;
    assert_eq!(row_errors(refused.data()), ["2 出勤成绩: 该课程已有课次，出勤成绩由考勤计算，请留空"]);
    let attendance = ["学号", "课程代码", "上课日期", "开始节次", "结果"];
    let sheet = format!("{INSTRUCTION}/attendance");
    let wrong = import(
        &admin,
        &sheet,
        &attendance,
        &[&[&numbers[0], "A1", "2026-03-07", "1", "出勤"], &[&numbers[1], "A1", "2026-03-08", "1", "迟到"]],
    )
    .await;
    assert_eq!(row_errors(wrong.data()), ["3 上课日期: 该学生这门课程在该日期和节次没有课"]);
    let twice = import(
        &admin,
        &sheet,
        &attendance,
        &[&[&numbers[0], "A1", "2026-03-07", "1", "出勤"], &[&numbers[0], "A1", "2026-03-07", "1", "迟到"]],
    )
    .await;
    assert_eq!(row_errors(twice.data()), ["3 学号: 该学生这次课的考勤与前面的行重复"]);
    let done = import(
        &admin,
        &sheet,
        &attendance,
        &[&[&numbers[0], "A1", "2026-03-07", "1", "出勤"], &[&numbers[1], "A1", "2026-03-07", "1", "迟到"]],
    )
    .await;
    assert_eq!(done.data()["imported"], json!(2), "{}", done.body);
    let rows = scores(&admin, taught.opening).await;
    assert_eq!((&rows[0]["attendanceScore"], &rows[1]["attendanceScore"]), (&json!(100.0), &json!(50.0)));
    let (_, staying) = taken_back(&admin, "面授考勤").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(server.one::<i64>("select count(*) from school_1.instruction_attendance").await, 0);
    assert_eq!(scores(&admin, taught.opening).await[0]["requiredSessions"], json!(0));
}

#[tokio::test]
async fn a_site_scores_its_own_students() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    students(&server, &taught.p, far, None, 301, 1).await;
    admin.post("/adult/pc/courseOpening/sync", json!({ "ids": [taught.opening] })).await.data();
    let rows = scores(&admin, taught.opening).await;
    assert_eq!(rows.len(), 4);
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[taught.p.site]).await;
    assert_eq!(scores(&narrow, taught.opening).await.len(), 3);
    let theirs = rows.iter().find(|row| row["siteName"] == json!("城西教学点")).expect("the other site's");
    assert_eq!(edit(&narrow, theirs, 80.0).await.code(), 404);
    edit(&admin, theirs, 80.0).await.data();
    let done = step(&narrow, "submit", &[selection(theirs)], None).await.data().clone();
    assert_eq!((&done["done"], &done["failed"][0]["msg"]), (&json!(0), &json!("无权操作该数据")));
    assert_eq!(done["failed"][0]["name"], json!(""), "nor a name");
    let headings = ["学号", "学期编码", "课程代码", "出勤成绩", "表现成绩"];
    let sheet = import(&narrow, INSTRUCTION, &headings, &[&["2600000301", "2026-1", "A1", "", "80"]]).await;
    assert_eq!(row_errors(sheet.data()), ["2 学号: 无权操作该数据"]);
    // A course on the net alone has no scores of this kind.
    server
        .run(&format!("update school_1.course_opening set teaching_mode = 'online' where id = {}", taught.opening))
        .await;
    assert_eq!(scores(&admin, taught.opening).await.len(), 0);
    let refused = edit(&admin, &rows[0], 80.0).await;
    assert_eq!(refused.refused(), (409, "“课程A1”不是面授或混合教学的课程"));
    server.run("update school_1.course_opening set teaching_mode = 'blended'").await;
    server.run("update school_1.semester set closed_at = now()").await;
    let closed = edit(&admin, &rows[0], 80.0).await;
    assert_eq!(closed.refused(), (409, "学期“2026年春季学期”已关闭，不能修改"));
}

/// Part 02 §9.5: nobody is taken out of the class in which they have scores of the current semester.
#[tokio::test]
async fn who_has_scores_stays_in_their_class() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    let rows = scores(&admin, taught.opening).await;
    edit(&admin, &rows[0], 88.0).await.data();
    let items: String = server
        .one(&format!(
            "select json_agg(json_build_object('id', id, 'version', version) order by student_no)::text
             from school_1.student where class_id = {}",
            taught.classes[0]
        ))
        .await;
    let items: Value = serde_json::from_str(&items).expect("items");
    let out = async |items: Value| {
        admin.put("/user/pc/student/divide", json!({ "items": items, "classId": null })).await.data().clone()
    };
    let told = out(items.clone()).await;
    let kept = json!([{ "id": items[0]["id"], "name": "学生1", "msg": "本学期在该班已有成绩，不能移出班级" }]);
    assert_eq!((&told["done"], &told["failed"]), (&json!(1), &kept), "{told}");
    // Those of a semester that is over keep nobody.
    server.run("update school_1.semester set current = false").await;
    assert_eq!(out(json!([items[0]])).await["done"], json!(1));
}

/// Part 03 B10: a teacher registers who came to their own sessions, for seven days.
#[tokio::test]
async fn a_teacher_registers_for_seven_days() {
    let server = Server::start().await;
    let (admin, t001) = clients::school(&server).await;
    let taught = lessons(&server, &admin, [2, 1]).await;
    // A semester around today.
    server.run("update school_1.semester set starts_on = current_date - 40, ends_on = current_date + 40").await;
    allocate(&admin, taught.opening, Some(taught.classes[0]), t001).await;
    let today = server.app.clock().today();
    let day = |back: u64| today.checked_sub_days(Days::new(back)).expect("a day").to_string();
    let on = |date: String, teacher: i64| json!({ "mode": "dates", "weekday": null, "weeks": null, "dates": [date], "teacherId": teacher });
    let fresh = published(&admin, with(taught.form("1"), on(day(2), t001))).await["meetings"][0]["id"].clone();
    let old = published(&admin, with(taught.form("1"), on(day(9), t001))).await["meetings"][0]["id"].clone();
    let others = json!({ "classes": [{ "classId": taught.classes[1], "openingId": taught.opening }] });
    let others = with(with(taught.form("1"), on(day(3), taught.teachers[0])), others);
    let others = published(&admin, others).await["meetings"][0]["id"].clone();
    let rows = scores(&admin, taught.opening).await;
    let teacher = clients::signed_in(&server).await;
    let call = "/user/client/teacher/instruction/attendance";
    let came = |session: &Value| json!({ "sessionId": session, "items": [{ "selectionId": selection(&rows[0]), "result": "present" }] });
    assert_eq!(teacher.post(call, came(&fresh)).await.code(), 200);
    let source = "select source from school_1.instruction_attendance";
    assert_eq!(server.one::<String>(source).await, "teacher");
    let late = teacher.post(call, came(&old)).await;
    assert_eq!(late.refused(), (409, "只能在上课后7天内登记考勤，请联系教务人员"));
    assert_eq!(teacher.post(call, came(&others)).await.code(), 404, "another's session is none");
    let off = json!({ "sessionId": others, "version": 1, "reason": "教师生病" });
    admin.put(&format!("{ARRANGE}/session/cancel"), off).await.data();
    assert_eq!(teacher.post(call, came(&others)).await.code(), 404, "nor is told how it stands");
    assert_eq!(attend(&admin, &old, &[(&selection(&rows[0]), "absent")]).await.code(), 200, "staff go on");
    assert_eq!(admin.post(call, came(&fresh)).await.code(), 403);
}
