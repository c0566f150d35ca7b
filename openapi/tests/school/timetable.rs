//! The timetable: the scenarios of part 03 B9 with their worked numbers, its place among openings and examinations, the clients.

use chrono::TimeDelta;
use futures_util::future::join_all;
use infra::clock::day_began;
use kit::{
    Answer, Client, Server,
    accounts::all_school_codes,
    clients::{self, entered},
    cohort::{cohort, registrar},
    fields,
    imports::taken_back,
    jobs::ended,
    lessons::{ARRANGE, Lessons, allocate, attend, lessons, published, room, save, seen, teachers, with},
    openings::{ALLOCATION, OPENING, opened, plan, semester, step},
    plans,
    rows::students,
    sheets::{import, row_errors, texts_of},
    students::{id_number, student},
};
use poem::http::Method;
use serde_json::{Value, json};
use timetable::{
    enums::{OccupationSource, ResourceKind},
    occupation::{Occupation, occupy},
};

fn dates(view: &Value) -> Vec<String> {
    let meetings = view["meetings"].as_array().expect("meetings");
    meetings.iter().map(|meeting| meeting["date"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The sentence of a clash and how many there are.
fn clash(answer: &Answer) -> (&str, usize) {
    assert_eq!(answer.code(), 409, "{}", answer.body);
    (answer.msg(), answer.body["data"]["conflicts"].as_array().map_or(0, Vec::len))
}

async fn count(server: &Server, table: &str) -> i64 {
    server.one(&format!("select count(*) from school_1.{table}")).await
}

/// Scenarios 1 and 6.
#[tokio::test]
async fn weeks_become_days_but_for_holidays() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    server.run("update school_1.semester set holidays = '{2026-05-02}'").await;
    let saved = save(&admin, taught.form("1-16")).await;
    assert_eq!(saved.data()["sessions"], json!(15), "{}", saved.body);
    assert_eq!(saved.data()["skipped"], json!([{ "date": "2026-05-02", "reason": "停课" }]));
    // 15 times 4 lessons are more than the 36 hours of the course.
    assert_eq!(saved.data()["warnings"], json!(["班级“C1”已排60学时，超过应排的36学时"]));
    let view = seen(&admin, saved.id()).await;
    assert_eq!(dates(&view)[2], "2026-03-21");
    assert_eq!(view["meetings"][2]["startsAt"], json!("2026-03-21T08:00:00+08:00"));
    assert_eq!(view["meetings"][2]["endsAt"], json!("2026-03-21T11:40:00+08:00"));
    assert_eq!((&view["weeks"], &view["students"]), (&json!("1-16"), &json!(5)));
    assert_eq!((&view["classes"][0]["scheduled"], &view["classes"][0]["required"]), (&json!(60), &json!(36)));
    // Teacher, room and class of each session are taken.
    assert_eq!(count(&server, "resource_occupation").await, 45);
    let odd = save(&admin, with(taught.form("1-8,10-16双"), json!({ "weekday": 7 }))).await;
    assert_eq!(odd.data()["sessions"], json!(12), "{}", odd.body);
    let wrong = save(&admin, with(taught.form("9-8"), json!({ "weekday": null }))).await;
    assert_eq!(fields(&wrong), ["weekday: 请选择星期"]);
    let wrong = save(&admin, taught.form("9-8")).await;
    assert_eq!(fields(&wrong), ["weeks: 周次“9-8”无法识别，例如 1-8,10-16双"]);
    let dated = json!({ "mode": "dates", "weekday": null, "weeks": null, "dates": ["2026-08-01"], "periodFrom": 5, "periodTo": 8 });
    assert_eq!(fields(&save(&admin, with(taught.form("1"), dated)).await), ["dates: 2026-08-01不在学期内"]);
    // What a teacher has in the timetable stands beside what they are allocated (B3).
    let load = admin.post(&format!("{ALLOCATION}/workload/list"), json!({ "semesterId": taught.spring })).await;
    let row = &load.data()["list"][0];
    assert_eq!((&row["name"], &row["hours"], &row["scheduledHours"]), (&json!("教师1"), &json!(36), &json!(108)));
    // Scenario 10: no session may be left outside.
    let term = admin.get(&format!("/adult/pc/semester/view?id={}", taught.spring)).await.data().clone();
    let shorter = json!({ "id": taught.spring, "version": term["version"], "code": "2026-1", "startsOn": "2026-03-02",
        "endsOn": "2026-06-10", "holidays": [] });
    let refused = admin.put("/adult/pc/semester/edit", shorter).await;
    assert_eq!(refused.refused(), (409, "有3次排课在新的学期日期之外"));
}

/// Scenarios 2 and 3.
#[tokio::test]
async fn nobody_is_in_two_places() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let second = json!({ "classes": [{ "classId": taught.classes[1], "openingId": taught.opening }],
        "classroomId": taught.rooms[1], "periodFrom": 3, "periodTo": 6 });
    let forms = [taught.form("3"), with(taught.form("3"), second.clone())];
    let answers = join_all(forms.iter().map(|form| save(&admin, form.clone()))).await;
    let mut codes: Vec<i64> = answers.iter().map(Answer::code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
    let refused = answers.iter().find(|answer| answer.code() == 409).expect("one of them");
    let (told, conflicts) = clash(refused);
    assert!(
        told == "教师“教师1”2026-03-21 第1-4节已安排《课程A1》(301教室)"
            || told == "教师“教师1”2026-03-21 第3-6节已安排《课程A1》(302教室)",
        "{told}"
    );
    assert_eq!(conflicts, 1);
    assert_eq!(count(&server, "course_arrange").await, 1);
    // What follows at once is no clash: lessons 1 to 4 in week 4, 5 to 8 right behind them.
    assert_eq!(save(&admin, taught.form("4")).await.code(), 200);
    let behind = with(with(taught.form("4"), second), json!({ "periodFrom": 5, "periodTo": 8 }));
    assert_eq!(save(&admin, behind.clone()).await.code(), 200);
    // All that is in the way is told at once, and a check tells the same without a refusal.
    let whole = with(taught.form("4-5"), json!({ "periodTo": 8 }));
    let (_, conflicts) = clash(&save(&admin, whole.clone()).await);
    assert_eq!(conflicts, 4, "teacher twice, room and class once");
    let looked = admin.unlooked(Method::POST, &format!("{ARRANGE}/check"), Some(&whole)).await;
    assert_eq!(looked.data()["conflicts"].as_array().map(Vec::len), Some(4));
    assert_eq!(looked.data()["sessions"], json!(2));
    // A draft is no clash of its own.
    let id = save(&admin, taught.form("6")).await.id();
    let looked = admin.unlooked(Method::POST, &format!("{ARRANGE}/check?id={id}"), Some(&taught.form("6-7"))).await;
    assert_eq!(looked.data()["conflicts"], json!([]));
    let edit = with(taught.form("6-7"), json!({ "id": id, "version": 1 }));
    let edited = admin.put(&format!("{ARRANGE}/edit"), edit.clone()).await;
    assert_eq!(edited.data()["sessions"], json!(2), "{}", edited.body);
    assert_eq!(admin.put(&format!("{ARRANGE}/edit"), edit).await.code(), 409, "somebody edited it since");
    assert_eq!(admin.delete(&format!("{ARRANGE}/delete?id={id}")).await.code(), 200);
    assert_eq!(count(&server, &format!("course_arrange_session where arrange_id = {id}")).await, 0);
}

/// Scenario 4, and who may teach.
#[tokio::test]
async fn a_room_holds_all_and_its_teacher_is_allocated() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [45, 38]).await;
    let both = json!({ "classes": [
        { "classId": taught.classes[0], "openingId": taught.opening },
        { "classId": taught.classes[1], "openingId": taught.opening },
    ] });
    let both = with(taught.form("1-8"), both);
    assert_eq!(fields(&save(&admin, both.clone()).await), ["classroomId: 教室容量80，小于合班人数83"]);
    let over = save(&admin, with(both, json!({ "allowOverCapacity": true }))).await;
    assert_eq!(seen(&admin, over.id()).await["students"], json!(83));
    let stranger = with(taught.form("9"), json!({ "teacherId": taught.teachers[1] }));
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).filter(|code| !code.ends_with(":force")).collect();
    let clerk = server.staff(1, &codes).await;
    assert_eq!(fields(&save(&clerk, stranger.clone()).await), ["teacherId: 教师“教师2”不是班级“C1”的主讲或辅导教师"]);
    assert_eq!(save(&admin, stranger).await.code(), 200, "whoever may force it may");
    server.run(&format!("update school_1.teacher set status = 'left' where id = {}", taught.teachers[0])).await;
    let left = save(&admin, taught.form("10")).await;
    assert_eq!(fields(&left), ["teacherId: 教师“教师1”已离职或停用"]);
    let nowhere =
        save(&admin, with(taught.form("10"), json!({ "classroomId": null, "teacherId": taught.teachers[1] }))).await;
    assert_eq!(fields(&nowhere), ["classroomId: 请选择教室"]);
}

/// Scenario 5, and times that are kept free.
#[tokio::test]
async fn an_examination_keeps_a_room_busy() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let day = day_began("2026-03-21".parse().expect("a day"));
    let mut tx = server.begin_in(1).await;
    timetable::hold(&mut tx).await.expect("held");
    let exam = Occupation {
        kind: ResourceKind::Classroom,
        resource_id: taught.rooms[0],
        starts_at: day + TimeDelta::hours(9),
        ends_at: day + TimeDelta::hours(11),
        source_id: Some(7),
        note: Some("《高等数学》期末考试".to_owned()),
    };
    occupy(&mut tx, OccupationSource::ExamSession, std::slice::from_ref(&exam)).await.expect("free");
    tx.commit_untracked("a room of an examination").await.expect("committed");
    let refused = save(&admin, taught.form("3")).await;
    assert_eq!(clash(&refused), ("教室“301教室”2026-03-21 09:00-11:00已安排《高等数学》期末考试", 1));
    let mut tx = server.begin_in(1).await;
    timetable::occupation::release(&mut tx, OccupationSource::ExamSession, &[7]).await.expect("free");
    tx.commit_untracked("the examination is off").await.expect("committed");
    // What somebody typed keeps busy too.
    let block = json!({ "kind": "teacher", "resourceId": taught.teachers[0], "startsAt": "2026-03-21T08:00:00+08:00",
        "endsAt": "2026-03-21T10:00:00+08:00", "note": "外出开会" });
    let made = admin.post(&format!("{ARRANGE}/block"), json!({ "items": [block] })).await;
    let id = made.data()["ids"][0].clone();
    let refused = save(&admin, taught.form("3")).await;
    assert_eq!(clash(&refused), ("教师“教师1”2026-03-21 08:00-10:00已安排外出开会", 1));
    let listed = admin.post(&format!("{ARRANGE}/block/list"), json!({ "kind": "teacher" })).await;
    assert_eq!(listed.data()["list"][0]["name"], json!("教师1"));
    let shown = admin
        .get(&format!("{ARRANGE}/timetable?kind=teacher&id={}&from=2026-03-16&to=2026-03-22", taught.teachers[0]))
        .await;
    assert_eq!(shown.data()["busy"][0]["note"], json!("外出开会"));
    assert_eq!(admin.delete(&format!("{ARRANGE}/block?ids={id}")).await.code(), 200);
    assert_eq!(admin.delete(&format!("{ARRANGE}/block?ids={id}")).await.code(), 404);
    assert_eq!(save(&admin, taught.form("3")).await.code(), 200);
    // And a session is in the way of an examination.
    let mut tx = server.begin_in(1).await;
    let error = occupy(&mut tx, OccupationSource::ExamSession, &[exam]).await.expect_err("taken");
    assert_eq!((error.code, &*error.msg), (409, "教室“301教室”2026-03-21 第1-4节已安排《课程A1》(301教室)"));
}

/// The one semester of the school, as if it lay far ahead: it begins on a Monday.
async fn far_ahead(server: &Server) {
    server.run("update school_1.semester set starts_on = '2090-03-06', ends_on = '2090-07-16'").await;
}

/// Forty classes of a course with a room and a teacher for each; of one no day is free.
async fn forty(server: &Server, admin: &Client<'_>) -> (i64, i64) {
    let p = cohort(admin).await;
    let course = plans::course(admin, "A1", 3.0, 54, 36).await;
    let spring = semester(admin, "2026-1").await;
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut classes = Vec::new();
    for n in 1..=40_i64 {
        let id = admin.post("/adult/pc/class/save", kit::lessons::called(&p, &format!("C{n:02}"))).await.id();
        students(server, &p, p.site, Some(id), n * 10, 2).await;
        classes.push(id);
    }
    let opening = opened(admin, spring, course).await;
    let staff = teachers(admin, 10).await;
    for (class, teacher) in classes.iter().zip(staff.iter().cycle()) {
        allocate(admin, opening, Some(*class), *teacher).await;
    }
    for n in 1..=12 {
        room(admin, p.site, &format!("3{n:02}"), 60).await;
    }
    far_ahead(server).await;
    let block = json!({ "kind": "class", "resourceId": classes[17], "startsAt": "2090-03-01T00:00:00+08:00",
        "endsAt": "2090-08-01T00:00:00+08:00", "note": "集中实习" });
    admin.post(&format!("{ARRANGE}/block"), json!({ "items": [block] })).await.data();
    (spring, opening)
}

/// Scenario 7.
#[tokio::test]
async fn what_a_job_proposes_is_taken_over_as_drafts() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let (spring, opening) = forty(&server, &admin).await;
    let pending =
        admin.post(&format!("{ARRANGE}/pending/list"), json!({ "semesterId": spring, "unfinished": true })).await;
    assert_eq!(pending.data()["totalCount"], json!(40));
    let first = &pending.data()["list"][0];
    assert_eq!(
        (&first["scheduled"], &first["required"], &first["teacherName"]),
        (&json!(0), &json!(36), &json!("教师1"))
    );
    let wanted = json!({ "semesterId": spring, "weekdays": [6, 7], "seed": 1, "timeLimit": 10,
        "blocks": [{ "periodFrom": 1, "periodTo": 4 }, { "periodFrom": 5, "periodTo": 8 }] });
    let mut jobs = Vec::new();
    for _ in 0..2 {
        let begun = admin.post(&format!("{ARRANGE}/auto"), wanted.clone()).await.data()["jobId"].clone();
        let job = ended(&admin, &begun).await;
        assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("已排39门次，未排1门次")), "{job}");
        jobs.push(begun);
    }
    let proposal = admin.get(&format!("{ARRANGE}/auto/view?jobId={}", jobs[0])).await.data().clone();
    assert_eq!((&proposal["placedCourses"], &proposal["status"]), (&json!(39), &json!("open")));
    let unplaced = proposal["unplaced"].as_array().expect("courses");
    assert_eq!((unplaced.len(), &unplaced[0]["reason"]), (1, &json!("class_clash")));
    assert_eq!(unplaced[0]["classNames"], json!(["C18"]));
    assert_eq!(count(&server, "course_arrange").await, 0, "a proposal arranges nothing");
    // Of two who take it over at once one does.
    let accept = format!("{ARRANGE}/auto/accept");
    let mut both = join_all([(); 2].map(|()| admin.post(&accept, json!({ "jobId": jobs[0] })))).await;
    both.sort_by_key(Answer::code);
    assert_eq!(both[1].refused(), (409, "该方案已采用"));
    let accepted = &both[0];
    let ids = accepted.data()["ids"].as_array().expect("drafts").len();
    assert_eq!(count(&server, "course_arrange where status = 'draft'").await, i64::try_from(ids).expect("a number"));
    assert_eq!(count(&server, "course_arrange where status <> 'draft'").await, 0);
    // Nine half-days of four lessons each.
    let lessons = format!(
        "course_arrange_session s join school_1.course_arrange_class c on c.arrange_id = s.arrange_id where c.opening_id = {opening}"
    );
    assert_eq!(count(&server, &lessons).await, 39 * 9);
    let again = admin.post(&format!("{ARRANGE}/auto/accept"), json!({ "jobId": jobs[0] })).await;
    assert_eq!(again.refused(), (409, "该方案已采用"));
    // The world is not any more what the other proposal was made for.
    let late = admin.post(&format!("{ARRANGE}/auto/accept"), json!({ "jobId": jobs[1] })).await;
    assert!(clash(&late).1 > 0, "{}", late.body);
    let nothing =
        admin.post(&format!("{ARRANGE}/pending/list"), json!({ "semesterId": spring, "unfinished": true })).await;
    assert_eq!(nothing.data()["totalCount"], json!(1));
    assert_eq!(admin.get(&format!("{ARRANGE}/auto/view?jobId=0")).await.code(), 404);
    let no_days = admin.post(&format!("{ARRANGE}/auto"), with(wanted.clone(), json!({ "weekdays": [] }))).await;
    assert_eq!(fields(&no_days), ["weekdays: 请选择可用星期或可用日期"]);
    // What is over is neither proposed nor taken over.
    server.run("update school_1.semester set starts_on = '2026-03-02', ends_on = '2026-07-12'").await;
    let over = admin.post(&format!("{ARRANGE}/auto"), wanted).await;
    assert_eq!(fields(&over), ["weekdays: 可用日期都已经过去，请选择以后的日期"]);
    let behind = admin.post(&accept, json!({ "jobId": jobs[1] })).await;
    assert_eq!(behind.code(), 409, "{}", behind.body);
    assert!(behind.msg().contains("已经过去，请重新计算"), "{}", behind.msg());
}

/// Scenario 8, moves and cancellations, and who is told.
#[tokio::test]
async fn single_sessions_move_and_keep_their_attendance() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let draft = save(&admin, with(taught.form("12"), json!({ "weekday": 7 }))).await.id();
    let of_draft = seen(&admin, draft).await["meetings"][0].clone();
    let moved = |session: &Value, date: &str| {
        json!({ "sessionId": session["id"], "version": session["version"], "date": date, "periodFrom": 5, "periodTo": 8,
            "classroomId": taught.rooms[1], "teacherId": taught.teachers[0], "reason": "教师出差" })
    };
    let call = format!("{ARRANGE}/session/move");
    let waits = admin.put(&call, moved(&of_draft, "2026-05-30")).await;
    assert_eq!(waits.refused(), (409, "草稿还未发布，请直接编辑排课"));
    let view = published(&admin, taught.form("1-3")).await;
    let told = "event_outbox where name = 'timetable_published' and payload::text like '%2026年春季学期%'";
    assert_eq!(count(&server, told).await, 1);
    let sessions = view["meetings"].as_array().expect("sessions").clone();
    let published_now = json!({ "id": view["id"], "version": view["version"] });
    let edit = admin.put(&format!("{ARRANGE}/edit"), with(taught.form("1"), published_now)).await;
    assert_eq!(edit.refused(), (409, "“课程A1”已发布，不能编辑；已发布的请调课或取消"));
    let outside = admin.put(&call, moved(&sessions[0], "2026-08-01")).await;
    assert_eq!(fields(&outside), ["date: 2026-08-01不在学期内"]);
    let made = admin.put(&call, moved(&sessions[0], "2026-03-08")).await.id();
    let after = seen(&admin, view["id"].as_i64().expect("a number")).await;
    assert_eq!(dates(&after), ["2026-03-07", "2026-03-08", "2026-03-14", "2026-03-21"]);
    let new = &after["meetings"][1];
    assert_eq!(
        (&new["id"], &new["movedFromId"], &new["reason"]),
        (&json!(made), &sessions[0]["id"], &json!("教师出差"))
    );
    assert_eq!(after["meetings"][0]["status"], json!("cancelled"));
    assert_eq!(count(&server, "event_outbox where name = 'timetable_changed'").await, 0, "both lie behind");
    // The old time is free, the new one taken.
    assert_eq!(save(&admin, taught.form("1")).await.code(), 200);
    let (_, conflicts) = clash(&admin.put(&call, moved(&sessions[1], "2026-03-08")).await);
    assert_eq!(conflicts, 3);
    // Who came keeps a session where it is.
    let selection: i64 = server
        .one(&format!(
            "select min(id) from school_1.course_selection where opening_id = {} and class_id = {}",
            taught.opening, taught.classes[0]
        ))
        .await;
    attend(&admin, &sessions[1]["id"], &[(&json!(selection), "present")]).await.data();
    assert_eq!(admin.put(&call, moved(&sessions[1], "2026-03-15")).await.refused(), (409, "该次课已有考勤记录"));
    let cancel =
        |session: &Value| json!({ "sessionId": session["id"], "version": session["version"], "reason": "教师生病" });
    let refused = admin.put(&format!("{ARRANGE}/session/cancel"), cancel(&sessions[1])).await;
    assert_eq!(refused.refused(), (409, "该次课已有考勤记录"));
    assert_eq!(admin.put(&format!("{ARRANGE}/session/cancel"), cancel(&sessions[2])).await.code(), 200);
    let twice = admin.put(&format!("{ARRANGE}/session/cancel"), cancel(&sessions[2])).await;
    assert_eq!(twice.refused(), (409, "该次课已取消"));
    // Of what is cancelled as a whole the lessons that were held stay.
    let now = seen(&admin, view["id"].as_i64().expect("a number")).await;
    let whole = json!({ "id": view["id"], "version": now["version"], "reason": "课程停开" });
    assert_eq!(admin.put(&format!("{ARRANGE}/cancel"), whole.clone()).await.code(), 200);
    assert_eq!(admin.put(&format!("{ARRANGE}/cancel"), whole).await.refused(), (409, "“课程A1”已取消"));
    let held = format!("course_arrange_session where arrange_id = {} and status = 'scheduled'", view["id"]);
    assert_eq!(count(&server, &held).await, 2, "they lie in the past");
}

/// Lessons ahead are told to students and teachers, and do not go into the past; what lies behind is put right or made up for.
#[tokio::test]
async fn what_lies_ahead_is_told_and_stays_ahead() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    server.run("update school_1.semester set starts_on = current_date - 40, ends_on = current_date + 40").await;
    let today = server.app.clock().today();
    let day = |ahead: i64| (today + TimeDelta::days(ahead)).to_string();
    let dates: Vec<String> = [-3, 5, 6].map(day).to_vec();
    let dated = json!({ "mode": "dates", "weekday": null, "weeks": null, "dates": dates });
    let view = published(&admin, with(taught.form("1"), dated)).await;
    let told = |name: &str, words: &str, teacher: i64| {
        format!(
            "event_outbox where name = '{name}' and payload::text like '%{words}%'
               and payload -> 'recipients' @> '[{{ \"kind\": \"teacher\", \"id\": {teacher} }}]'
               and payload -> 'recipients' @> '[{{ \"kind\": \"student\" }}]'"
        )
    };
    let [own, other] = [taught.teachers[0], taught.teachers[1]];
    assert_eq!(count(&server, &told("timetable_published", "2026年春季学期", own)).await, 1);
    let sessions = view["meetings"].as_array().expect("sessions").clone();
    let call = format!("{ARRANGE}/session/move");
    let moved = |session: &Value, ahead: i64, teacher: i64| {
        json!({ "sessionId": session["id"], "version": session["version"], "date": day(ahead), "periodFrom": 5, "periodTo": 8,
            "classroomId": taught.rooms[1], "teacherId": teacher, "reason": "教师出差" })
    };
    let back = admin.put(&call, moved(&sessions[1], -2, own)).await;
    assert_eq!(fields(&back), ["date: 还未上的课不能调到已经过去的时间"]);
    assert_eq!(admin.put(&call, moved(&sessions[1], 8, other)).await.code(), 200);
    for teacher in [own, other] {
        assert_eq!(
            count(&server, &told("timetable_changed", "教师教师2", teacher)).await,
            1,
            "who taught and who will"
        );
    }
    // It was held on another day: that is put right, and nobody needs to hear of it.
    let right = admin.put(&call, moved(&sessions[0], -2, own)).await.id();
    assert_eq!(count(&server, "event_outbox where name = 'timetable_changed'").await, 1);
    // It was not held at all, and is made up for.
    let held = json!({ "id": right, "version": 1 });
    assert_eq!(admin.put(&call, moved(&held, 9, own)).await.code(), 200);
    assert_eq!(count(&server, "event_outbox where name = 'timetable_changed'").await, 2);
    let cancel = json!({ "sessionId": sessions[2]["id"], "version": sessions[2]["version"], "reason": "教师生病" });
    assert_eq!(admin.put(&format!("{ARRANGE}/session/cancel"), cancel).await.code(), 200);
    assert_eq!(count(&server, &told("timetable_changed", "停课（教师生病）", own)).await, 1);
}

/// A lesson goes where another of the same teacher is, which makes room: both move together or neither does.
#[tokio::test]
async fn what_is_in_the_way_of_a_move_makes_room() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    far_ahead(&server).await;
    let first = published(&admin, taught.form("1")).await;
    let more = json!({ "classes": [{ "classId": taught.classes[1], "openingId": taught.opening }], "periodFrom": 5, "periodTo": 8,
        "classroomId": taught.rooms[1] });
    published(&admin, with(taught.form("1"), more)).await;
    let session = first["meetings"][0].clone();
    let to = json!({ "sessionId": session["id"], "date": "2090-03-11", "periodFrom": 5, "periodTo": 8 });
    let alone = json!({ "version": session["version"], "classroomId": taught.rooms[0], "teacherId": taught.teachers[0],
        "reason": "教师出差" });
    let refused = admin.put(&format!("{ARRANGE}/session/move"), with(to.clone(), alone)).await;
    assert_eq!(clash(&refused).1, 1, "the teacher is taken");
    let propose = format!("{ARRANGE}/session/repair");
    // What is in a room that was closed stays, and holds nobody else back.
    let room =
        |enabled: bool| format!("update school_1.classroom set enabled = {enabled} where id = {}", taught.rooms[1]);
    server.run(&room(false)).await;
    let none = (409, "没有只改动其他4次以内课次的办法，请选择其他时间");
    assert_eq!(admin.post(&propose, to.clone()).await.refused(), none);
    server.run(&room(true)).await;
    let proposed = admin.post(&propose, to.clone()).await;
    assert_eq!(proposed.code(), 200, "{}", proposed.body);
    let moves = proposed.data()["moves"].as_array().expect("moves").clone();
    let times: Vec<(&str, i64)> = moves
        .iter()
        .map(|one| (one["date"].as_str().expect("a day"), one["periodFrom"].as_i64().expect("a period")))
        .collect();
    assert_eq!(times, [("2090-03-11", 5), ("2090-03-11", 1)], "two moves: {moves:?}");
    assert_eq!(moves[0]["sessionId"], session["id"]);
    assert_eq!(count(&server, "course_arrange_session where status = 'cancelled'").await, 0, "nothing is moved yet");
    let wanted: Vec<Value> = moves
        .iter()
        .map(|one| {
            json!({ "sessionId": one["sessionId"], "version": one["version"], "date": one["date"],
                "periodFrom": one["periodFrom"], "periodTo": one["periodTo"], "classroomId": one["classroomId"],
                "teacherId": one["teacherId"], "reason": "教师出差" })
        })
        .collect();
    let all = format!("{ARRANGE}/session/moveAll");
    let twice = admin.put(&all, json!({ "moves": [wanted[0], wanted[0]] })).await;
    assert_eq!(fields(&twice), ["moves[1].sessionId: 课次重复，请合并为一条"]);
    // One that went stale holds back the other.
    let stale = [wanted[0].clone(), with(wanted[1].clone(), json!({ "version": 9 }))];
    assert_eq!(admin.put(&all, json!({ "moves": stale })).await.code(), 409);
    assert_eq!(count(&server, "course_arrange_session where status = 'cancelled'").await, 0);
    // Nobody of another school, and nobody who sees other classes.
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let stranger = server.staff(2, &codes).await;
    assert_eq!(stranger.post(&propose, to.clone()).await.code(), 404);
    assert_eq!(stranger.put(&all, json!({ "moves": wanted })).await.code(), 404);
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let elsewhere = server.staff_within(1, &codes, "named_sites", &[far]).await;
    assert_eq!(elsewhere.post(&propose, to.clone()).await.code(), 404);
    assert_eq!(elsewhere.put(&all, json!({ "moves": wanted })).await.code(), 404);
    let moved = admin.put(&all, json!({ "moves": wanted })).await;
    assert_eq!(moved.data()["ids"].as_array().map(Vec::len), Some(2), "{}", moved.body);
    let standing =
        "course_arrange_session where status = 'scheduled' and held_on = '2090-03-11' and moved_from_id is not null";
    assert_eq!(count(&server, standing).await, 2);
    assert_eq!(count(&server, "resource_occupation where kind = 'teacher'").await, 2);
    let none = json!({ "sessionId": session["id"], "date": "2090-03-18", "periodFrom": 1, "periodTo": 4 });
    assert_eq!(admin.post(&propose, none).await.code(), 409, "it does not take place any more");
    let short = json!({ "sessionId": moved.data()["ids"][0], "date": "2090-03-18", "periodFrom": 1, "periodTo": 2 });
    assert_eq!(fields(&admin.post(&propose, short).await), ["periodTo: 调课建议不改变课次的节数"]);
}

/// Who registers attendance and who moves the same session wait for each other.
#[tokio::test]
async fn a_session_is_attended_or_moved() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let view = published(&admin, taught.form("1-4")).await;
    let selection: i64 = server
        .one(&format!(
            "select min(id) from school_1.course_selection where opening_id = {} and class_id = {}",
            taught.opening, taught.classes[0]
        ))
        .await;
    let selection = json!(selection);
    let call = format!("{ARRANGE}/session/move");
    for (place, session) in view["meetings"].as_array().expect("sessions").iter().enumerate() {
        let wanted = json!({ "sessionId": session["id"], "version": 1, "date": format!("2026-04-{:02}", 13 + place),
            "periodFrom": 9, "periodTo": 12, "classroomId": taught.rooms[1], "teacherId": taught.teachers[0],
            "reason": "教师出差" });
        let came = [(&selection, "present")];
        let (attended, moved) = tokio::join!(attend(&admin, &session["id"], &came), admin.put(&call, wanted));
        match (attended.code(), moved.code()) {
            (200, 409) => assert_eq!(moved.msg(), "该次课已有考勤记录"),
            (409, 200) => assert_eq!(attended.msg(), "该次课已取消"),
            other => panic!("{other:?}: {} {}", attended.body, moved.body),
        }
    }
}

/// Scenario 9, and what a sheet wrote goes back.
#[tokio::test]
async fn a_sheet_is_written_whole_or_not_at_all() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let headings = [
        "学期编码",
        "课程代码",
        "班级编码",
        "教师工号",
        "站点编码",
        "教室",
        "类型",
        "周次",
        "日期",
        "星期",
        "开始节次",
        "结束节次",
    ];
    let row = |class: &'static str, room: &'static str, weeks: &'static str, from: &'static str, to: &'static str| {
        ["2026-1", "A1", class, "T101", "CD", room, "面授", weeks, "", "星期六", from, to]
    };
    let clashing =
        [row("C1", "301", "1-8", "1", "4"), row("C2", "302", "1-8", "5", "8"), row("C2", "301", "8-9", "1", "4")];
    let rows: Vec<&[&str]> = clashing.iter().map(|row| &row[..]).collect();
    let refused = import(&admin, ARRANGE, &headings, &rows).await;
    assert_eq!(row_errors(refused.data()), ["4 教师工号: 与第2行教师冲突", "4 教室: 与第2行教室冲突"]);
    assert_eq!(count(&server, "course_arrange").await, 0);
    let wrong = [["2026-1", "A1", "C9", "T101", "CD", "309", "面授", "x", "", "八", "0", "4"]];
    let rows_wrong: Vec<&[&str]> = wrong.iter().map(|row| &row[..]).collect();
    let refused = import(&admin, ARRANGE, &headings, &rows_wrong).await;
    let mut told = row_errors(refused.data());
    told.sort();
    assert_eq!(
        told,
        [
            "2 开始节次: 应为1到14",
            "2 教室: 该站点没有教室“309”",
            "2 星期: 应为1到7，或星期一到星期日",
            "2 班级编码: 编码“C9”不存在"
        ]
    );
    let dated = ["2026-1", "A1", "C1;C2", "T101", "CD", "302教室", "", "", "2026-05-09;2026-05-10", "", "9", "12"];
    let good: Vec<&[&str]> = vec![&clashing[0][..], &clashing[1][..], &dated[..]];
    let done = import(&admin, ARRANGE, &headings, &good).await;
    assert_eq!(done.data()["imported"], json!(3), "{}", done.body);
    assert_eq!(count(&server, "course_arrange_session").await, 18);
    let listed = admin.post(&format!("{ARRANGE}/list"), json!({ "semesterId": taught.spring })).await;
    assert_eq!(listed.data()["totalCount"], json!(3));
    let file = admin.post(&format!("{ARRANGE}/export"), json!({ "semesterId": taught.spring })).await;
    assert_eq!(texts_of(&file.bytes, 0).len(), 4);
    let of_class = texts_of(&file.bytes, 1);
    assert_eq!((of_class.len(), &of_class[1][3]), (11, &"第1-4节".to_owned()));
    // What stood before the sheet is named too.
    let again = import(&admin, ARRANGE, &headings, &[&clashing[0][..]]).await;
    assert_eq!(row_errors(again.data())[0], "2 教师工号: 教师2026-03-07 第1-4节已安排《课程A1》(301教室)");
    let (_, staying) = taken_back(&admin, "面授排课").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(count(&server, "course_arrange").await, 0);
    assert_eq!(count(&server, "resource_occupation").await, 0);
    // More than the hours of the course is told beside the row, as it is beside a form.
    let much = row("C1", "301", "1-16", "1", "4");
    let done = import(&admin, ARRANGE, &headings, &[&much[..]]).await;
    assert_eq!(done.data()["imported"], json!(1), "{}", done.body);
    let told = done.data()["warnings"].to_string();
    assert!(told.contains("超过应排的"), "{told}");
}

/// A class of the same course at another site.
async fn elsewhere(server: &Server, admin: &Client<'_>, taught: &Lessons) -> i64 {
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let mut other = taught.p.class("C9");
    other["siteId"] = json!(far);
    let other = admin.post("/adult/pc/class/save", other).await.id();
    students(server, &taught.p, far, Some(other), 301, 2).await;
    admin.post(&format!("{OPENING}/sync"), json!({ "ids": [taught.opening] })).await.data();
    other
}

/// Part 03 B3: lessons that classes have together go over when all of these have the new lecturer, by whoever sees them all.
#[tokio::test]
async fn lessons_go_over_with_all_their_classes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let other = elsewhere(&server, &admin, &taught).await;
    far_ahead(&server).await;
    let [old, new] = [taught.teachers[0], taught.teachers[1]];
    let of_all: i64 = server.one("select id from school_1.course_allocation where class_id is null").await;
    let of_first = allocate(&admin, taught.opening, Some(taught.classes[0]), old).await;
    let both = json!({ "classes": [
        { "classId": taught.classes[0], "openingId": taught.opening }, { "classId": other, "openingId": taught.opening },
    ], "assistantTeacherIds": [new] });
    let shared = published(&admin, with(taught.form("1-2"), both)).await["id"].as_i64().expect("a number");
    let change = |id: i64, version: i64, class: Option<i64>| {
        json!({ "id": id, "version": version, "openingId": taught.opening, "classId": class, "teacherId": new,
            "role": "lecturer", "hours": 36 })
    };
    let edit = format!("{ALLOCATION}/edit");
    // The other class still has the old one.
    let first = change(of_first, 1, Some(taught.classes[0]));
    assert_eq!(admin.put(&edit, first).await.code(), 200);
    assert_eq!(seen(&admin, shared).await["meetings"][0]["teacherName"], json!("教师1"));
    // Back, then the rest: the last who changes must see all classes of the lessons.
    let undone = with(change(of_first, 2, Some(taught.classes[0])), json!({ "teacherId": old }));
    assert_eq!(admin.put(&edit, undone).await.code(), 200);
    assert_eq!(admin.put(&edit, change(of_all, 1, None)).await.code(), 200);
    assert_eq!(seen(&admin, shared).await["meetings"][0]["teacherName"], json!("教师1"));
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[taught.p.site]).await;
    let last = change(of_first, 3, Some(taught.classes[0]));
    let refused = narrow.put(&edit, last.clone()).await;
    assert_eq!(refused.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    assert_eq!(admin.put(&edit, last).await.code(), 200);
    let now = seen(&admin, shared).await;
    assert_eq!((&now["teacherName"], &now["meetings"][1]["teacherName"]), (&json!("教师2"), &json!("教师2")));
    // Who helped lectures now: each lesson keeps one teacher busy, its room and two classes.
    assert_eq!(now["assistants"], json!([]));
    assert_eq!(count(&server, "resource_occupation where kind = 'teacher'").await, 2);
    assert_eq!(count(&server, &format!("resource_occupation where resource_id = {old} and kind = 'teacher'")).await, 0);
    let told = "event_outbox where name = 'timetable_changed' and payload::text like '%以后的课改由教师2上%'";
    assert_eq!(count(&server, told).await, 1);
}

/// An arrangement lies where its classes are.
#[tokio::test]
async fn a_site_arranges_its_own_classes() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let other = elsewhere(&server, &admin, &taught).await;
    let of_far = json!({ "classes": [{ "classId": other, "openingId": taught.opening }] });
    let theirs = save(&admin, with(taught.form("1"), of_far.clone())).await.id();
    let both = json!({ "classes": [
        { "classId": taught.classes[0], "openingId": taught.opening }, { "classId": other, "openingId": taught.opening },
    ] });
    let shared = save(&admin, with(taught.form("2"), both)).await.id();
    let own = save(&admin, taught.form("3")).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[taught.p.site]).await;
    let listed = narrow.post(&format!("{ARRANGE}/list"), json!({})).await;
    let ids: Vec<i64> =
        listed.data()["list"].as_array().expect("rows").iter().filter_map(|row| row["id"].as_i64()).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert!(ids.contains(&own) && ids.contains(&shared));
    let seen_shared = seen(&narrow, shared).await;
    assert_eq!((seen_shared["classes"].as_array().map(Vec::len), &seen_shared["students"]), (Some(1), &json!(5)));
    assert_eq!(narrow.get(&format!("{ARRANGE}/view?id={theirs}")).await.code(), 404);
    assert_eq!(narrow.delete(&format!("{ARRANGE}/delete?id={theirs}")).await.code(), 404);
    let refused = narrow.delete(&format!("{ARRANGE}/delete?id={shared}")).await;
    assert_eq!(refused.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    let items = json!({ "items": [{ "id": theirs, "version": 1 }, { "id": shared, "version": 1 }, { "id": own, "version": 1 }] });
    let done = narrow.put(&format!("{ARRANGE}/publish"), items).await.data().clone();
    assert_eq!((&done["done"], done["failed"].as_array().map(Vec::len)), (&json!(1), Some(2)));
    let elsewhere = save(&narrow, with(taught.form("4"), of_far)).await;
    assert_eq!(fields(&elsewhere), ["classes[0].classId: 无权操作该数据"]);
    let week = |kind: &str, id: i64| format!("{ARRANGE}/timetable?kind={kind}&id={id}&from=2026-03-02&to=2026-03-22");
    assert_eq!(narrow.get(&week("class", other)).await.code(), 404);
    let teacher = narrow.get(&week("teacher", taught.teachers[0])).await.data()["entries"].clone();
    assert_eq!(teacher.as_array().map(Vec::len), Some(2), "lessons of the other site are not shown");
    let block = json!({ "items": [{ "kind": "class", "resourceId": other, "startsAt": "2026-04-01T08:00:00+08:00",
        "endsAt": "2026-04-01T10:00:00+08:00" }] });
    assert_eq!(fields(&narrow.post(&format!("{ARRANGE}/block"), block).await), ["items[0].resourceId: 无权操作该数据"]);
    let auto = json!({ "semesterId": taught.spring, "items": [{ "classId": other, "openingId": taught.opening }],
        "weekdays": [6], "blocks": [{ "periodFrom": 1, "periodTo": 4 }] });
    assert_eq!(narrow.post(&format!("{ARRANGE}/auto"), auto).await.code(), 403);
    let pending = narrow.post(&format!("{ARRANGE}/pending/list"), json!({})).await;
    assert_eq!(pending.data()["totalCount"], json!(2));
    // The lessons of the school are the whole school's.
    let periods = json!({ "version": 0, "periods": [{ "no": 1, "startsAt": "09:00", "endsAt": "09:45" }] });
    let refused = narrow.put(&format!("{ARRANGE}/period/save"), periods).await;
    assert_eq!(refused.refused(), (403, "学校的节次请由数据范围为全校的人员设置"));
}

#[tokio::test]
async fn a_site_has_lessons_of_its_own() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let site = taught.p.site;
    let of = |site: i64| format!("{ARRANGE}/period/list?siteId={site}");
    let usual = admin.get(&of(site)).await.data().clone();
    assert_eq!((&usual["source"], usual["periods"].as_array().map(Vec::len)), (&json!("setting"), Some(12)));
    let period = |no: i32, from: &str, to: &str| json!({ "no": no, "startsAt": from, "endsAt": to });
    let wanted = |version: i32, periods: Value| json!({ "siteId": site, "version": version, "periods": periods });
    let call = format!("{ARRANGE}/period/save");
    let wrong = json!([period(1, "08:00", "08:45"), period(2, "08:30", "09:30")]);
    assert_eq!(fields(&admin.put(&call, wanted(0, wrong)).await), ["periods[1].startsAt: 不能早于上一节的结束时间"]);
    let own = json!([period(1, "19:00", "19:45"), period(2, "19:55", "20:40")]);
    assert_eq!(admin.put(&call, wanted(0, own.clone())).await.code(), 200);
    assert_eq!(admin.put(&call, wanted(0, own)).await.code(), 409, "somebody saved since");
    let now = admin.get(&of(site)).await.data().clone();
    assert_eq!((&now["source"], &now["version"]), (&json!("site"), &json!(1)));
    let evening = save(&admin, with(taught.form("1"), json!({ "periodTo": 2 }))).await.id();
    assert_eq!(seen(&admin, evening).await["meetings"][0]["startsAt"], json!("2026-03-07T19:00:00+08:00"));
    assert_eq!(fields(&save(&admin, taught.form("2")).await), ["periodTo: 该站点的节次表只有2节"]);
    assert_eq!(admin.put(&call, wanted(1, json!([]))).await.code(), 200);
    assert_eq!(admin.get(&of(site)).await.data()["source"], json!("setting"));
}

/// Part 03 B2: what becomes of lessons when their opening ends; they lie far ahead.
#[tokio::test]
async fn an_opening_ends_with_its_lessons() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let later = semester(&admin, "2090-1").await;
    let extra = json!({ "semesterId": later, "kind": "extra", "courseId": taught.course, "gradeId": taught.p.grade,
        "majorId": taught.p.major, "nature": "compulsory", "teachingMode": "offline" });
    server.run("update school_1.course_selection set status = 'dropped', dropped_at = now()").await;
    let opening = admin.post(&format!("{OPENING}/save"), extra).await.id();
    assert_eq!(step(&admin, "open", opening, json!({})).await.data()["done"], json!(1));
    let lecturer = allocate(&admin, opening, None, taught.teachers[0]).await;
    let of_later = json!({ "semesterId": later, "classes": [{ "classId": taught.classes[0], "openingId": opening }] });
    let view = published(&admin, with(taught.form("1-3"), of_later.clone())).await;
    let close = step(&admin, "close", opening, json!({})).await.data().clone();
    assert_eq!(close["failed"][0]["msg"], json!("该课程还有3次未上的面授课，不能结课"));
    // Scenario 4 of B3: the new lecturer has something else at two of the times.
    let busy = with(
        with(taught.form("2-3"), of_later),
        json!({ "teacherId": taught.teachers[1],
        "classes": [{ "classId": taught.classes[1], "openingId": opening }], "classroomId": taught.rooms[1] }),
    );
    let other = save(&admin, busy).await.id();
    let change = |version: i64| {
        json!({ "id": lecturer, "version": version, "openingId": opening, "teacherId": taught.teachers[1], "role": "lecturer",
            "hours": 36 })
    };
    let refused = admin.put(&format!("{ALLOCATION}/edit"), change(1)).await;
    assert_eq!(clash(&refused).1, 2);
    let stands = admin.get(&format!("{ALLOCATION}/view?id={lecturer}")).await.data().clone();
    assert_eq!(stands["teacherId"], json!(taught.teachers[0]), "nothing is changed");
    assert_eq!(admin.delete(&format!("{ARRANGE}/delete?id={other}")).await.code(), 200);
    assert_eq!(admin.put(&format!("{ALLOCATION}/edit"), change(1)).await.code(), 200);
    let id = view["id"].as_i64().expect("a number");
    let now = seen(&admin, id).await;
    assert_eq!((&now["teacherName"], &now["meetings"][0]["teacherName"]), (&json!("教师2"), &json!("教师2")));
    let cancelled = step(&admin, "cancel", opening, json!({ "reason": "选课人数不足" })).await;
    assert_eq!(cancelled.data()["done"], json!(1), "{}", cancelled.body);
    let after = seen(&admin, id).await;
    assert_eq!((&after["status"], &after["sessions"]), (&json!("cancelled"), &json!(0)));
    assert_eq!(count(&server, "resource_occupation").await, 0);
    let told = "event_outbox where name = 'timetable_changed' and payload::text like '%开课取消%'";
    assert_eq!(count(&server, told).await, 1);
}

/// Part 03 B10: students and teachers see what is published of their own, and nothing else.
#[tokio::test]
async fn the_clients_show_their_own_lessons() {
    let server = Server::start().await;
    let (admin, t001) = clients::school(&server).await;
    let taught = lessons(&server, &admin, [0, 3]).await;
    let mut body = student(&taught.p, 1);
    body["classId"] = json!(taught.classes[0]);
    kit::students::save(&admin, body).await;
    admin.post(&format!("{OPENING}/sync"), json!({ "ids": [taught.opening] })).await.data();
    allocate(&admin, taught.opening, Some(taught.classes[0]), t001).await;
    let own = json!({ "teacherId": t001 });
    published(&admin, with(taught.form("1-2"), own.clone())).await;
    save(&admin, with(taught.form("3"), own)).await.data();
    let of_others = json!({ "classes": [{ "classId": taught.classes[1], "openingId": taught.opening }], "weekday": 7 });
    published(&admin, with(taught.form("1"), of_others)).await;
    let initial = format!("Aa@{}", &id_number(1)[12..]);
    let learner = entered(&server, "2600000001", &initial, "student").await;
    let teacher = clients::signed_in(&server).await;
    let span = "from=2026-03-02&to=2026-03-31";
    for (client, path) in [(&learner, "/user/client/timetable/list"), (&teacher, "/user/client/teacher/timetable/list")]
    {
        let shown = client.get(&format!("{path}?{span}")).await.data().clone();
        let days: Vec<&str> = shown["sessions"]
            .as_array()
            .expect("sessions")
            .iter()
            .filter_map(|session| session["date"].as_str())
            .collect();
        assert_eq!(days, ["2026-03-07", "2026-03-14"], "{path}: drafts and lessons of others are not shown");
        assert!(shown["serverTime"].is_string());
    }
    assert_eq!(learner.get(&format!("/user/client/teacher/timetable/list?{span}")).await.code(), 403);
    let long = learner.get("/user/client/timetable/list?from=2026-01-01&to=2026-12-31").await;
    assert_eq!(fields(&long), ["to: 一次最多查看217天"]);
}

/// A calendar program reads somebody's lessons under an address that is renewed and taken back, and that tells nothing else.
#[tokio::test]
async fn a_calendar_program_reads_ones_lessons() {
    let server = Server::start().await;
    let (admin, t001) = clients::school(&server).await;
    let taught = lessons(&server, &admin, [0, 3]).await;
    let mut body = student(&taught.p, 1);
    body["classId"] = json!(taught.classes[0]);
    let learner_id = kit::students::save(&admin, body).await;
    admin.post(&format!("{OPENING}/sync"), json!({ "ids": [taught.opening] })).await.data();
    allocate(&admin, taught.opening, Some(taught.classes[0]), t001).await;
    let own = json!({ "teacherId": t001 });
    published(&admin, with(taught.form("1-3"), own.clone())).await;
    save(&admin, with(taught.form("4"), own)).await.data();
    // Of the three that are published one was too long ago, one was called off, one lies ahead; the fourth is a draft.
    server
        .run(
            "update school_1.course_arrange_session
             set held_on = current_date + (array[-40, -5, 5, 6])[(id - (select min(id) from school_1.course_arrange_session))::int + 1]",
        )
        .await;
    server
        .run(
            "update school_1.course_arrange_session
             set starts_at = held_on + time '08:00', ends_at = held_on + time '11:40',
                 status = case when held_on < current_date and held_on > current_date - 30 then 'cancelled' else status end,
                 reason = case when held_on < current_date and held_on > current_date - 30 then '教师生病' else reason end",
        )
        .await;
    let initial = format!("Aa@{}", &id_number(1)[12..]);
    let learner = entered(&server, "2600000001", &initial, "student").await;
    let teacher = clients::signed_in(&server).await;
    let feed = "/user/client/timetable/feed";
    let stranger = server.anonymous();
    let mut addresses = Vec::new();
    for client in [&learner, &teacher] {
        assert_eq!(client.get(feed).await.data()["active"], json!(false));
        let address = client.bare(Method::POST, feed).await.data()["address"].as_str().expect("an address").to_owned();
        assert_eq!(client.get(feed).await.data()["active"], json!(true));
        let read = stranger.bare(Method::GET, &address).await;
        let text = String::from_utf8(read.bytes.clone()).expect("text").replace("\r\n ", "");
        let count = |line: &str| text.split("\r\n").filter(|other| *other == line).count();
        assert_eq!((count("BEGIN:VEVENT"), count("STATUS:CONFIRMED"), count("STATUS:CANCELLED")), (2, 1, 1), "{text}");
        assert!(text.contains("SUMMARY:课程A1") && text.contains("LOCATION:城东教学点 301"), "{text}");
        // Nothing of the person but the name.
        assert!(!text.contains(&id_number(1)), "{text}");
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &read.bytes);
        let tag: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let known = ("If-None-Match", &*format!("\"{tag}\""));
        let again = stranger.with_header(Method::GET, &address, known, &json!({})).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0));
        addresses.push(address);
    }
    let gone = (404, "订阅地址已失效，请重新生成");
    let other_school = addresses[0].replace("school=1", "school=2");
    assert_eq!(stranger.get(&other_school).await.refused(), gone, "a key opens its own school alone");
    assert_eq!(stranger.get(&addresses[0].replace("key=", "key=x")).await.refused(), gone);
    let plain: i64 = server
        .one(&format!(
            "select count(*) from school_1.timetable_feed where position(convert_to('{}', 'UTF8') in key_hash) > 0",
            addresses[0].rsplit('=').next().expect("a key")
        ))
        .await;
    assert_eq!(plain, 0);
    // Renewed, the former opens nothing; taken back, none does.
    let renewed = learner.bare(Method::POST, feed).await.data()["address"].as_str().expect("an address").to_owned();
    assert_eq!(stranger.get(&addresses[0]).await.refused(), gone);
    assert_eq!(stranger.bare(Method::GET, &renewed).await.status, 200);
    assert_eq!(learner.bare(Method::DELETE, feed).await.code(), 200);
    assert_eq!(stranger.get(&renewed).await.refused(), gone);
    assert_eq!(learner.bare(Method::DELETE, feed).await.code(), 404);
    // The school gives and takes that of a teacher; who left has none.
    let renew = format!("{ARRANGE}/feed/renew");
    let of_school = admin.post(&renew, json!({ "teacherId": t001 })).await.data()["address"].clone();
    let of_school = of_school.as_str().expect("an address");
    assert_eq!(stranger.get(&addresses[1]).await.refused(), gone);
    server.run(&format!("update school_1.teacher set status = 'left' where id = {t001}")).await;
    assert_eq!(stranger.get(of_school).await.refused(), gone);
    assert_eq!(admin.post(&renew, json!({ "teacherId": t001 })).await.code(), 409);
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[taught.p.site]).await;
    assert_eq!(narrow.post(&renew, json!({ "teacherId": taught.teachers[0] })).await.code(), 403);
    // So does a student who is in the register no more, and a program that reads without a pause.
    let last = learner.bare(Method::POST, feed).await.data()["address"].as_str().expect("an address").to_owned();
    let mut told = Vec::new();
    for _ in 0..40 {
        told.push(stranger.bare(Method::GET, &last).await.code());
    }
    assert!(told.contains(&429), "{told:?}");
    server.app.clock().shift(TimeDelta::minutes(2));
    server
        .run(&format!(
            "update school_1.student set status = 'withdrawn', status_reason = 'voluntary' where id = {learner_id}"
        ))
        .await;
    assert_eq!(stranger.get(&last).await.refused(), gone);
}

#[tokio::test]
async fn a_timetable_is_shown_and_printed() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let print = |kind: &str, id: i64| format!("{ARRANGE}/print?kind={kind}&id={id}&semesterId={}", taught.spring);
    let nothing = admin.get(&print("class", taught.classes[0])).await;
    assert_eq!(nothing.refused(), (404, "该学期还没有已发布的课"));
    published(&admin, taught.form("1-8")).await;
    let dated = json!({ "mode": "dates", "weekday": null, "weeks": null, "dates": ["2026-06-13", "2026-06-14"],
        "kind": "exam_review" });
    published(&admin, with(taught.form("1"), dated)).await;
    for (kind, id) in [("class", taught.classes[0]), ("teacher", taught.teachers[0]), ("classroom", taught.rooms[0])] {
        let printed = admin.bare(Method::GET, &print(kind, id)).await;
        assert!(printed.bytes.starts_with(b"%PDF"), "{}", printed.body);
        let shown = admin.get(&format!("{ARRANGE}/timetable?kind={kind}&id={id}&from=2026-03-02&to=2026-07-12")).await;
        assert_eq!(shown.data()["entries"].as_array().map(Vec::len), Some(10), "{kind}");
    }
    let first = admin
        .get(&format!("{ARRANGE}/timetable?kind=class&id={}&from=2026-03-02&to=2026-03-08", taught.classes[0]))
        .await;
    let entry = &first.data()["entries"][0];
    assert_eq!((&entry["weekday"], &entry["weekNo"], &entry["classNames"]), (&json!(6), &json!(1), &json!(["C1"])));
    // 考前辅导 is beside the hours of the course.
    let view = admin.post(&format!("{ARRANGE}/list"), json!({ "kind": "exam_review" })).await;
    assert_eq!(view.data()["list"][0]["classes"][0]["scheduled"], json!(32));
}

/// Who sits in another class for one course is told to whoever arranges, and hinders nothing.
#[tokio::test]
async fn students_of_two_classes_are_a_warning() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [5, 3]).await;
    let Lessons { p, spring, classes, .. } = &taught;
    let other = plans::course(&admin, "B1", 3.0, 54, 36).await;
    let extra = json!({ "semesterId": spring, "kind": "retake", "courseId": other, "teachingMode": "offline" });
    let retake = admin.post(&format!("{OPENING}/save"), extra).await.id();
    assert_eq!(step(&admin, "open", retake, json!({})).await.data()["done"], json!(1));
    allocate(&admin, retake, None, taught.teachers[1]).await;
    server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, class_by_hand, source,
                 status, selected_at, created_by, updated_by)
             select s.id, o.id, o.semester_id, o.course_id, {}, true, 'retake', 'selected', now(), 0, 0
             from school_1.student s, school_1.course_opening o where s.student_no = '2600000001' and o.id = {retake}",
            classes[1]
        ))
        .await;
    save(&admin, taught.form("1")).await.data();
    let beside = with(
        taught.form("1"),
        json!({ "courseId": other, "classes": [{ "classId": classes[1], "openingId": retake }],
            "teacherId": taught.teachers[1], "siteId": p.site, "classroomId": taught.rooms[1] }),
    );
    let saved = save(&admin, beside).await;
    assert_eq!(saved.data()["warnings"], json!(["学生“学生1”2026-03-07另有《课程A1》"]), "{}", saved.body);
}
