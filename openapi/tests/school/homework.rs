//! Homework: the scenarios of part 03 B6 with their worked numbers, and the students' client of B10.

use chrono::Duration;
use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::{Cohort, cohort},
    fields,
    homework::{
        MARKING, OWN, TASKS, approved, html, letter, published, row_of, rows, save, short_answers, start, step, submit,
        task, task_item, with,
    },
    jobs::ended,
    openings::{SELECTION, opened, plan, selection_item, selection_of, semester},
    plans,
    questions::{RULE, bank, choices},
    rows::{majors, students},
    sheets::texts,
    students::{id_number, save as enter, student},
};
use poem::http::Method;
use serde_json::{Value, json};

/// A course that is taught to a class, with a bank of homework questions.
struct Scene<'s> {
    admin: Client<'s>,
    p: Cohort,
    class: i64,
    semester: i64,
    course: i64,
    opening: i64,
    bank: i64,
    choices: Vec<i64>,
    students: Vec<i64>,
}

impl Scene<'_> {
    fn place(&self) -> (i64, i64, i64) {
        (self.semester, self.course, self.opening)
    }
}

/// So many choices of 2 points, and so many students who have a client.
async fn scene<'s>(server: &'s Server, questions: usize, people: usize) -> Scene<'s> {
    seated(server, questions, people, 0).await
}

/// The same, with so many more students who have none.
async fn seated<'s>(server: &'s Server, questions: usize, people: usize, more: i64) -> Scene<'s> {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let semester = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": semester })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=people {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(enter(&admin, body).await);
    }
    kit::rows::students(server, &p, p.site, Some(class), 1, more).await;
    let opening = opened(&admin, semester, course).await;
    let bank = bank(&admin, course, "ZY", "homework").await;
    let choices = choices(&admin, bank, questions, None, "单选").await;
    Scene { admin, p, class, semester, course, opening, bank, choices, students }
}

/// The n-th student in their client.
async fn learner<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

/// The whole of what a student sees of a sheet that they began.
async fn begun(own: &Client<'_>, row: &Value, request: &str) -> Value {
    let answer = start(own, row, request).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    answer.data().clone()
}

/// Answers so many of the choices right, and hands the sheet in.
async fn answered(own: &Client<'_>, row: &Value, request: &str, right: usize, all: usize) -> Value {
    let sheet = begun(own, row, request).await["sheetId"].clone();
    let given: Vec<(String, Value)> =
        (1..=all).map(|n| (n.to_string(), letter(if n <= right { "A" } else { "B" }))).collect();
    let given: Vec<(&str, Value)> = given.iter().map(|(seq, answer)| (seq.as_str(), answer.clone())).collect();
    assert_eq!(save(own, &sheet, 1, &given).await.code(), 200);
    let answer = submit(own, &sheet, &format!("{request}-s")).await;
    assert_eq!(answer.code(), 200, "{}", answer.body);
    sheet
}

/// Scenarios 1 and 9: three openings of forty, one snapshot, two who publish at once.
#[tokio::test]
async fn a_homework_is_given_to_all_students_of_its_openings_once() {
    let server = Server::start().await;
    let scene = seated(&server, 2, 0, 40).await;
    let (admin, p) = (&scene.admin, &scene.p);
    majors(&server, p, 2).await;
    for (n, code) in [(1_i64, "M01"), (2, "M02")] {
        let major: i64 = server.one(&format!("select id from school_1.major where code = '{code}'")).await;
        let other = Cohort { grade: p.grade, level: p.level, national: p.national, major, site: p.site };
        plan(&server, &other, &[(scene.course, "compulsory", 1)]).await;
        let class = admin.post("/adult/pc/class/save", other.class(code)).await.id();
        students(&server, &other, p.site, Some(class), 100 * n, 40).await;
    }
    admin.post("/adult/pc/courseOpening/generate", json!({ "semesterId": scene.semester })).await.data();
    let openings: Vec<i64> = sqlx::query_scalar("select id from school_1.course_opening order by id")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("openings");
    assert_eq!(openings.len(), 3);
    for id in &openings[1..] {
        kit::openings::open(admin, *id).await;
    }
    admin.post("/adult/pc/courseOpening/sync", json!({ "ids": openings })).await.data();
    let paper = approved(admin, scene.course, &scene.choices, &[]).await;
    let targets: Vec<Value> = openings.iter().map(|id| json!({ "openingId": id })).collect();
    // Long since begun: the list says by the database's clock what is running.
    let since = server.app.clock().now() - Duration::days(1);
    let body = with(task(&server, scene.place(), paper, 600), json!({ "targets": targets, "startsAt": since }));
    let id = admin.post(&format!("{TASKS}/save"), body.clone()).await.id();
    let twice = admin.post(&format!("{TASKS}/save"), body).await;
    assert_eq!(fields(&twice), ["title: 该课程本学期已有同名作业"]);
    let item = json!({ "items": [task_item(admin, id).await] });
    let other = kit::cohort::registrar(&server).await;
    let path = format!("{TASKS}/publish");
    let (one, two) = tokio::join!(admin.put(&path, item.clone()), other.put(&path, item));
    let told = |answer: &kit::Answer| (answer.data()["done"].clone(), answer.data()["failed"][0]["msg"].clone());
    let refused = if one.data()["done"] == json!(1) { told(&two) } else { told(&one) };
    assert_eq!(refused, (json!(0), json!("作业已发布")), "{} {}", one.body, two.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.homework_student").await, 120);
    assert_eq!(server.one::<i64>("select count(*) from school_1.homework_snapshot").await, 1);
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_snapshot").await, 1);
    let seen = admin.get(&format!("{TASKS}/view?id={id}")).await.data().clone();
    assert_eq!(
        (&seen["studentCount"], &seen["phase"], &seen["totalScore"]),
        (&json!(120), &json!("running"), &json!(4.0))
    );
    let told: i64 = server
        .one("select jsonb_array_length(payload->'recipients')::bigint from school_1.event_outbox where name = 'homework_published'")
        .await;
    assert_eq!(told, 120, "each student is told once");
    let delete = admin.delete(&format!("/exam/pc/exam/info/delete?id={paper}")).await;
    assert!(delete.msg().contains("1个作业"), "{}", delete.body);
}

/// Scenario 2: what is under way when time runs out counts half a minute longer.
#[tokio::test]
async fn answers_count_until_half_a_minute_after_the_deadline() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 3).await;
    let paper = approved(&scene.admin, scene.course, &scene.choices, &[]).await;
    let body = with(task(&server, scene.place(), paper, 20), json!({ "durationMinutes": 60 }));
    let id = published(&scene.admin, body.clone()).await;
    let (first, second) = (learner(&server, 1).await, learner(&server, 2).await);
    let silent = learner(&server, 3).await;
    let one = begun(&first, &row_of(&scene.admin, id, scene.students[0]).await, "r-1").await;
    let two = begun(&second, &row_of(&scene.admin, id, scene.students[1]).await, "r-1").await;
    let shown = |at: &Value| chrono::DateTime::parse_from_rfc3339(at.as_str().expect("a time")).expect("a time");
    let micros = |at: &Value| shown(at).timestamp_micros();
    assert_eq!(micros(&one["deadlineAt"]), micros(&body["endsAt"]), "the end comes before the hour is over");
    assert_eq!(save(&second, &two["sheetId"], 1, &[("1", letter("A"))]).await.code(), 200);
    let three = begun(&silent, &row_of(&scene.admin, id, scene.students[2]).await, "r-1").await;
    assert_eq!(save(&silent, &three["sheetId"], 1, &[("1", letter("A"))]).await.code(), 200);
    server.app.clock().shift(shown(&body["endsAt"]) - *server.app.clock().now() + Duration::seconds(19));
    assert_eq!(save(&first, &one["sheetId"], 1, &[("1", letter("A"))]).await.code(), 200, "within the half minute");
    let sent = submit(&first, &one["sheetId"], "s-1").await;
    assert_eq!((sent.code(), &sent.data()["unanswered"]), (200, &json!(1)), "{}", sent.body);
    server.app.clock().shift(Duration::seconds(30));
    let late = submit(&second, &two["sheetId"], "s-1").await;
    assert_eq!(late.refused(), (409, "作答时间已结束"));
    let kind: String =
        server.one(&format!("select submit_kind from school_1.answer_sheet where id = {}", two["sheetId"])).await;
    assert_eq!(kind, "auto_time");
    let row = row_of(&scene.admin, id, scene.students[1]).await;
    assert_eq!((&row["state"], &row["finalRaw"]), (&json!("marked"), &json!(2.0)), "what was saved counts: {row}");
    let again = save(&second, &two["sheetId"], 2, &[("2", letter("A"))]).await;
    assert_eq!(again.refused(), (409, "作答时间已结束"));
    // Who lost the connection and never came back is handed in with what was saved (B10, scenario 4).
    server.when_due("homework.close", Duration::minutes(11)).await;
    let kind: String =
        server.one(&format!("select submit_kind from school_1.answer_sheet where id = {}", three["sheetId"])).await;
    assert_eq!(kind, "auto_time");
    let row = row_of(&scene.admin, id, scene.students[2]).await;
    assert_eq!((&row["state"], &row["finalRaw"]), (&json!("marked"), &json!(2.0)), "{row}");
    assert_eq!(scene.admin.get(&format!("{TASKS}/view?id={id}")).await.data()["status"], json!("closed"));
}

/// Scenario 3: a tenth less for who is late, nothing less for who was given longer.
#[tokio::test]
async fn who_is_late_loses_a_share_and_who_was_given_longer_does_not() {
    let server = Server::start().await;
    let scene = scene(&server, 5, 2).await;
    let paper = approved(&scene.admin, scene.course, &scene.choices, &[]).await;
    let now = server.app.clock().now();
    let more = json!({ "lateUntil": now + Duration::days(3), "latePenalty": 10 });
    let id = published(&scene.admin, with(task(&server, scene.place(), paper, 60), more)).await;
    let (late, eased) =
        (row_of(&scene.admin, id, scene.students[0]).await, row_of(&scene.admin, id, scene.students[1]).await);
    let longer = json!({ "id": id, "students": [
        { "homeworkStudentId": eased["id"], "extendedUntil": now + Duration::days(2) }] });
    assert_eq!(scene.admin.put(&format!("{TASKS}/extend"), longer).await.code(), 200);
    server.app.clock().shift(Duration::hours(5));
    answered(&learner(&server, 1).await, &late, "r-1", 5, 5).await;
    answered(&learner(&server, 2).await, &eased, "r-1", 5, 5).await;
    // The session from before is over.
    let admin = kit::cohort::registrar(&server).await;
    let late = row_of(&admin, id, scene.students[0]).await;
    assert_eq!(
        (&late["late"], &late["objectiveScore"], &late["penalty"], &late["finalRaw"], &late["finalScore"]),
        (&json!(true), &json!(10.0), &json!(1.0), &json!(9.0), &json!(90.0))
    );
    let eased = row_of(&admin, id, scene.students[1]).await;
    assert_eq!((&eased["late"], &eased["finalRaw"]), (&json!(false), &json!(10.0)));
    // Given longer afterwards, what was handed in before is not late either; nobody is given less than all have.
    let to = |until: Value| {
        json!({ "id": id, "students": [
        { "homeworkStudentId": late["id"], "extendedUntil": until }] })
    };
    let shorter = admin.put(&format!("{TASKS}/extend"), to(json!(now + Duration::minutes(30)))).await;
    assert_eq!(fields(&shorter), ["students: 延期时间应晚于作业的截止时间和当前时间"]);
    assert_eq!(admin.put(&format!("{TASKS}/extend"), to(json!(now + Duration::days(2)))).await.code(), 200);
    let after = row_of(&admin, id, scene.students[0]).await;
    assert_eq!(
        (&after["late"], &after["penalty"], &after["finalRaw"], &after["finalScore"]),
        (&json!(false), &json!(0.0), &json!(10.0), &json!(100.0))
    );
}

/// B10: of two that begin at once both get one sheet; what is begun beside the close is handed in with it.
#[tokio::test]
async fn two_that_begin_at_once_have_one_sheet() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 2).await;
    let paper = approved(&scene.admin, scene.course, &scene.choices, &[]).await;
    let body = with(task(&server, scene.place(), paper, 600), json!({ "maxAttempts": 2 }));
    let id = published(&scene.admin, body).await;
    let (own, other) = (learner(&server, 1).await, learner(&server, 2).await);
    let row = row_of(&scene.admin, id, scene.students[0]).await;
    let (one, two) = tokio::join!(start(&own, &row, "r-1"), start(&own, &row, "r-2"));
    assert_eq!((one.code(), two.code()), (200, 200), "{} {}", one.body, two.body);
    assert_eq!(one.data()["sheetId"], two.data()["sheetId"]);
    let row = row_of(&scene.admin, id, scene.students[1]).await;
    let (begun, closed) = tokio::join!(start(&other, &row, "r-1"), step(&scene.admin, "close", id));
    assert_eq!(closed.data()["done"], json!(1), "{}", closed.body);
    let open: i64 = server.one("select count(*) from school_1.answer_sheet where mark_state = 'in_progress'").await;
    assert_eq!(open, 0, "{}", begun.body);
    // What is closed is still marked and shown in another way, but ends when it ended.
    let form = scene.admin.get(&format!("{TASKS}/view?id={id}")).await.data()["form"].clone();
    let item = task_item(&scene.admin, id).await;
    let weighed = with(with(form.clone(), json!({ "weight": 3.0, "showAnswer": "never" })), item);
    assert_eq!(scene.admin.put(&format!("{TASKS}/edit"), weighed).await.code(), 200);
    let item = task_item(&scene.admin, id).await;
    let longer =
        json!({ "weight": 3.0, "showAnswer": "never", "endsAt": server.app.clock().now() + Duration::days(9) });
    let refused = scene.admin.put(&format!("{TASKS}/edit"), with(with(form, longer), item)).await;
    assert_eq!(refused.refused(), (409, "作业已截止，请先重新开放再修改时间"));
}

/// Scenarios 4 and 5.
#[tokio::test]
async fn a_homework_that_somebody_began_is_neither_withdrawn_nor_set_anew() {
    let server = Server::start().await;
    let scene = scene(&server, 3, 2).await;
    let admin = &scene.admin;
    let paper = approved(admin, scene.course, &scene.choices[..2], &[]).await;
    let other = approved(admin, scene.course, &scene.choices, &[]).await;
    let body = task(&server, scene.place(), paper, 600);
    let id = published(admin, body.clone()).await;
    let back = step(admin, "withdraw", id).await;
    assert_eq!(back.data()["done"], json!(1), "{}", back.body);
    assert_eq!(rows(admin, json!({ "homeworkId": id })).await.len(), 0);
    // Withdrawn it is set like a draft.
    let edit = with(with(body.clone(), json!({ "paperIds": [other] })), task_item(admin, id).await);
    assert_eq!(admin.put(&format!("{TASKS}/edit"), edit).await.code(), 200);
    assert_eq!(step(admin, "publish", id).await.data()["done"], json!(1));
    let own = learner(&server, 1).await;
    begun(&own, &row_of(admin, id, scene.students[0]).await, "r-1").await;
    let kept = step(admin, "withdraw", id).await;
    assert_eq!(kept.data()["failed"][0]["msg"], json!("已有1名学生开始作答，不能撤回"));
    let edit = with(body.clone(), task_item(admin, id).await);
    let refused = admin.put(&format!("{TASKS}/edit"), edit).await;
    assert_eq!(refused.refused(), (409, "作业已发布，只能延长时间或调整批阅设置"));
    let form = admin.get(&format!("{TASKS}/view?id={id}")).await.data()["form"].clone();
    let longer = with(
        with(form, json!({ "endsAt": server.app.clock().now() + Duration::days(9), "weight": 2.0 })),
        task_item(admin, id).await,
    );
    assert_eq!(admin.put(&format!("{TASKS}/edit"), longer).await.code(), 200);
    let gone = admin.delete(&format!("{TASKS}/delete?id={id}")).await;
    assert_eq!(gone.refused(), (409, "作业“第一次作业”已发布，只有草稿和已撤回的可以删除"));
    // Nobody cancels the course under it.
    let cancelled = kit::openings::step(admin, "cancel", scene.opening, json!({ "reason": "教师调整" })).await;
    assert_eq!(cancelled.data()["failed"][0]["msg"], json!("该课程已发布1个作业，不能取消"), "{}", cancelled.body);
    // Who no longer offers the course leaves its homework as it is (A5).
    let off = json!({ "id": scene.course, "enabled": false });
    assert_eq!(admin.put("/course/pc/collegeCurriculum/update/status", off).await.code(), 200);
    assert_eq!(admin.get(&format!("{TASKS}/view?id={id}")).await.data()["status"], json!("published"));
    assert_eq!(own.get(&format!("{OWN}/list")).await.data().as_array().map(Vec::len), Some(1));
}

/// Scenario 6: 80.0, missed and 90.0 with the weights 1, 1 and 2.
#[tokio::test]
async fn what_was_missed_counts_nothing_and_what_is_exempt_does_not_count() {
    let server = Server::start().await;
    let scene = scene(&server, 10, 1).await;
    let admin = &scene.admin;
    let paper = approved(admin, scene.course, &scene.choices, &[]).await;
    let own = learner(&server, 1).await;
    let mut homework = Vec::new();
    for (title, weight) in [("作业一", 1.0), ("作业二", 1.0), ("作业三", 2.0)] {
        let more = json!({ "title": title, "weight": weight });
        homework.push(published(admin, with(task(&server, scene.place(), paper, 600), more)).await);
    }
    for (place, right) in [(0, 8), (2, 9)] {
        let row = row_of(admin, homework[place], scene.students[0]).await;
        answered(&own, &row, &format!("r-{place}"), right, 10).await;
    }
    for id in &homework {
        assert_eq!(step(admin, "close", *id).await.data()["done"], json!(1));
    }
    let missed = row_of(admin, homework[1], scene.students[0]).await;
    assert_eq!(missed["state"], json!("missed"));
    let view = format!("{TASKS}/student/view?homeworkStudentId={}", missed["id"]);
    assert_eq!(admin.get(&view).await.data()["courseScore"], json!(65.0));
    // Another weight shows first whom it would move: (160 + 0 + 180) / 5.
    let weighed = admin.get(&format!("{TASKS}/weight/check?id={}&weight=2.0", homework[0])).await.data().clone();
    assert_eq!(weighed.as_array().map(Vec::len), Some(1), "{weighed}");
    assert_eq!((&weighed[0]["before"], &weighed[0]["after"]), (&json!(65.0), &json!(68.0)));
    assert_eq!(admin.get(&format!("{TASKS}/weight/check?id={}&weight=1.0", homework[0])).await.data(), &json!([]));
    assert_eq!(admin.get(&view).await.data()["courseScore"], json!(65.0), "a check changes nothing");
    let (score, gone): (Option<f64>, i64) = (
        server.one("select sum(score)::float8 from school_1.homework_result").await,
        server.one("select count(*) from school_1.homework_result where missed and score is null").await,
    );
    assert_eq!((score, gone), (Some(170.0), 1));
    // What homework says is a part of the score of the course: that is known to be out of date at once, and counted soon.
    let recompute = json!({ "kind": "homework", "semesterId": scene.semester });
    let job = admin.post("/adult/pc/score/component/recompute", recompute).await.data()["jobId"].clone();
    ended(admin, &job).await;
    let part = async || -> (bool, f64) {
        let of = "from school_1.course_score s join school_1.course_score_component k on k.course_score_id = s.id
            and k.kind = 'homework'";
        (server.one(&format!("select s.stale {of}")).await, server.one(&format!("select k.value::float8 {of}")).await)
    };
    assert_eq!(part().await, (false, 65.0));
    let exempt = json!({ "homeworkStudentIds": [missed["id"]], "reason": "因病住院" });
    assert_eq!(admin.put(&format!("{TASKS}/exempt"), exempt).await.data()["done"], json!(1));
    assert_eq!(admin.get(&view).await.data()["courseScore"], json!(86.7));
    assert_eq!(part().await, (true, 65.0));
    server.when_due("scores.follow", chrono::TimeDelta::minutes(11)).await;
    assert_eq!(part().await, (false, 86.7));
    // Opened again, who missed it may still do it.
    let late = row_of(admin, homework[0], scene.students[0]).await;
    assert_eq!(late["state"], json!("marked"));
    let again =
        with(task_item(admin, homework[1]).await, json!({ "endsAt": server.app.clock().now() + Duration::days(1) }));
    assert_eq!(admin.put(&format!("{TASKS}/reopen"), again).await.code(), 200);
    assert!(part().await.0, "what was closed counts no more");
    let sheet = admin.post(&format!("{TASKS}/student/export"), json!({ "homeworkId": homework[0] })).await;
    let told = texts(&sheet.bytes);
    assert_eq!(told[0][..5], ["学期", "课程", "作业", "学号", "姓名"].map(str::to_owned));
    assert!(told[1].contains(&"作业一".to_owned()), "{told:?}");
}

/// Whoever was given longer after the close and did not begin missed it all the same.
#[tokio::test]
async fn what_was_given_after_the_close_ends_too() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 1).await;
    let admin = &scene.admin;
    let paper = approved(admin, scene.course, &scene.choices, &[]).await;
    let id = published(admin, task(&server, scene.place(), paper, 10)).await;
    assert_eq!(step(admin, "close", id).await.data()["done"], json!(1));
    let row = row_of(admin, id, scene.students[0]).await;
    assert_eq!(row["state"], json!("missed"));
    let until = server.app.clock().now() + Duration::minutes(30);
    let longer = json!({ "id": id, "students": [{ "homeworkStudentId": row["id"], "extendedUntil": until }] });
    assert_eq!(admin.put(&format!("{TASKS}/extend"), longer).await.code(), 200);
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(row_of(admin, id, scene.students[0]).await["state"], json!("not_started"), "it is time still");
    server.app.clock().shift(Duration::minutes(30));
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(row_of(admin, id, scene.students[0]).await["state"], json!("missed"));
    let counted: i64 = server.one("select count(*) from school_1.homework_result where missed").await;
    assert_eq!(counted, 1, "the scores count it as missed");
}

/// Scenario 7, in small: courses without a paper are told, the others get their homework; many are a job.
#[tokio::test]
async fn homework_of_many_courses_is_set_at_once() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 1).await;
    let admin = &scene.admin;
    approved(admin, scene.course, &scene.choices, &[]).await;
    server
        .run(&format!(
            "insert into school_1.course (code, name, kind, type_id, credits, hours, lecture_hours, online_hours, practice_hours,
                 self_study_hours, exam_form, created_by, updated_by)
             select 'N' || n, '无卷课程' || n, kind, type_id, 2, 36, 36, 0, 0, 0, exam_form, 0, 0
             from school_1.course, generate_series(1, 21) n where id = {}",
            scene.course
        ))
        .await;
    server
        .run(
            "insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                 exam_form, teaching_mode, status, opened_at, created_by, updated_by)
             select s.id, 'extra', c.id, c.type_id, 'elective', 2, 36, 36, c.exam_form, 'offline', 'opened', now(), 0, 0
             from school_1.course c, school_1.semester s where c.code like 'N%' and s.code = '2026-1'",
        )
        .await;
    let bare: Vec<i64> = sqlx::query_scalar("select id from school_1.course where code like 'N%' order by id")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("courses");
    let now = server.app.clock().now();
    let batch = |courses: &[i64], dry_run: bool| {
        let items: Vec<Value> = courses.iter().map(|id| json!({ "courseId": id })).collect();
        json!({ "semesterId": scene.semester, "items": items, "titlePattern": "{课程名}作业{序号}", "publish": true,
            "dryRun": dry_run, "settings": { "startsAt": now, "endsAt": now + Duration::days(7) } })
    };
    let few = [scene.course, bare[0]];
    let path = format!("{TASKS}/batchSave");
    let checked = admin.post(&path, batch(&few, true)).await.data().clone();
    assert_eq!((&checked["created"], &checked["ready"]), (&json!(0), &json!(1)), "{checked}");
    assert_eq!(checked["rows"][1]["message"], json!("没有可用的试卷或组卷策略"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.homework").await, 0, "a check writes nothing");
    let made = admin.post(&path, batch(&few, false)).await.data().clone();
    assert_eq!((&made["created"], &made["rows"][0]["studentCount"]), (&json!(1), &json!(1)), "{made}");
    let title = made["rows"][0]["title"].as_str().expect("a title").to_owned();
    assert!(title.ends_with("作业1"), "{title}");
    let again = admin.post(&path, batch(&few[..1], false)).await.data().clone();
    assert!(again["rows"][0]["title"].as_str().expect("a title").ends_with("作业2"), "{again}");
    // Whoever publishes at another site alone publishes nothing here.
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let (batches, publishes): (&[&str], &[&str]) = (&["exam:pc:tasks:save"], &["exam:pc:tasks:publish"]);
    let clerk = server.staff_with_roles(1, &[(batches, "whole_school", &[]), (publishes, "named_sites", &[far])]).await;
    let refused = clerk.post(&path, batch(&few[..1], false)).await.data().clone();
    assert!(refused["created"] == json!(0) && refused["rows"][0]["message"].is_string(), "{refused}");
    let started = admin.post(&path, batch(&bare, false)).await.data().clone();
    let job = ended(admin, &started["jobId"]).await;
    assert_eq!(job["message"], json!("共21门课程，已布置0个作业，21门未布置"), "{job}");
    let courses = admin.post(&format!("{TASKS}/course/list"), json!({ "hasHomework": true })).await.data().clone();
    assert_eq!((&courses["totalCount"], &courses["list"][0]["homeworkCount"]), (&json!(1), &json!(2)), "{courses}");
}

/// Scenario 8: rosters are followed.
#[tokio::test]
async fn who_comes_onto_the_roster_gets_it_and_who_leaves_has_it_no_more() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 2).await;
    let admin = &scene.admin;
    let paper = approved(admin, scene.course, &scene.choices, &[]).await;
    let id = published(admin, task(&server, scene.place(), paper, 600)).await;
    let own = learner(&server, 2).await;
    begun(&own, &row_of(admin, id, scene.students[1]).await, "r-1").await;
    let mut body = student(&scene.p, 3);
    body["classId"] = json!(scene.class);
    let joined = enter(admin, body).await;
    admin.post("/adult/pc/courseOpening/sync", json!({ "ids": [scene.opening] })).await.data();
    let left = selection_of(admin, scene.students[1], scene.opening).await["id"].clone();
    let drop = json!({ "items": [selection_item(admin, &left).await], "reason": "本人申请" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), drop).await.data()["done"], json!(1));
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(row_of(admin, id, joined).await["state"], json!("not_started"));
    assert_eq!(row_of(admin, id, scene.students[1]).await["state"], json!("void"));
    let seen = admin.get(&format!("{TASKS}/view?id={id}")).await.data().clone();
    assert_eq!((&seen["studentCount"], &seen["dueCount"]), (&json!(3), &json!(2)), "who left owes nothing");
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'homework_published'").await;
    assert_eq!(told, 2);
    // Back in the course they go on where they were, with a new sheet.
    let again = json!({ "openingIds": [scene.opening], "studentIds": [scene.students[1]] });
    assert_eq!(admin.post(&format!("{SELECTION}/save"), again).await.data()["created"], json!(1));
    server.when_due("homework.close", Duration::minutes(11)).await;
    assert_eq!(row_of(admin, id, scene.students[1]).await["state"], json!("not_started"));
}

/// Scenario 10, in small, and a bank that is too small for it.
#[tokio::test]
async fn each_student_gets_a_paper_that_the_rule_draws() {
    let server = Server::start().await;
    let scene = seated(&server, 12, 0, 30).await;
    let admin = &scene.admin;
    let rule = |name: &str, count: i64| {
        json!({ "name": name, "courseId": scene.course, "kind": "homework", "totalScore": 2.0 * count as f64, "items": [
            { "title": "一、单项选择题", "type": "single_choice", "count": count, "scoreEach": 2.0 }] })
    };
    let wide = admin.post(&format!("{RULE}/save"), rule("每人五题", 5)).await.id();
    let narrow = admin.post(&format!("{RULE}/save"), rule("每人十三题", 13)).await.id();
    let drawn = |rule: i64, title: &str| {
        with(
            task(&server, scene.place(), 0, 600),
            json!({ "title": title, "paperMode": "random_rule", "paperIds": [], "ruleId": rule }),
        )
    };
    let short = admin.post(&format!("{TASKS}/save"), drawn(narrow, "题量不足")).await.id();
    let refused = step(admin, "publish", short).await;
    let msg = refused.data()["failed"][0]["msg"].as_str().unwrap_or_default().to_owned();
    assert!(msg.contains("需要13题，可用12题"), "{}", refused.body);
    assert_eq!(server.one::<i64>("select count(*) from school_1.paper_snapshot").await, 0, "nothing was frozen");
    let id = published(admin, drawn(wide, "每人一卷")).await;
    let totals: i64 = server
        .one("select count(distinct p.total_score) from school_1.homework_student s join school_1.paper_snapshot p on p.id = s.snapshot_id")
        .await;
    assert_eq!(totals, 1);
    let papers: i64 = server
        .one(&format!("select count(distinct snapshot_id) from school_1.homework_student where homework_id = {id}"))
        .await;
    assert!(papers > 10, "{papers} different papers of 792 that there are");
}

/// B10: one sheet at a time, answers in the order in which they were given, no key before it is shown.
#[tokio::test]
async fn a_student_answers_in_their_client() {
    let server = Server::start().await;
    let scene = scene(&server, 3, 2).await;
    let admin = &scene.admin;
    let paper = approved(admin, scene.course, &scene.choices, &[]).await;
    let more = json!({ "maxAttempts": 2, "shuffleOptions": true, "shuffleQuestions": true });
    let id = published(admin, with(task(&server, scene.place(), paper, 600), more)).await;
    let own = learner(&server, 1).await;
    let listed = own.get(&format!("{OWN}/list")).await.data().clone();
    assert_eq!((&listed[0]["attemptsLeft"], &listed[0]["state"]), (&json!(2), &json!("not_started")), "{listed}");
    let course = own.get("/user/client/course/list").await.data().clone();
    assert_eq!((&course[0]["homeworkTodo"], &course[0]["progress"]), (&json!(1), &json!(0.0)), "{course}");
    let row = row_of(admin, id, scene.students[0]).await;
    let first = begun(&own, &row, "r-1").await;
    let second = begun(&own, &row, "r-2").await;
    assert_eq!(first["sheetId"], second["sheetId"], "one sheet at a time");
    let text = first["paper"].to_string();
    assert!(!text.contains("\"answer\"") && !text.contains("\"analysis\""), "{text}");
    let sheet = first["sheetId"].clone();
    // The letter that is shown is stored as the question has it.
    let question = &first["paper"]["sections"][0]["questions"][0];
    let (seq, shown) = (question["seq"].as_str().expect("a place"), question["options"][1]["content"].clone());
    assert_eq!(save(&own, &sheet, 14, &[(seq, letter("B"))]).await.data()["lastClientSeq"], json!(14));
    let stored: String = server
        .one(&format!(
            "select answer->'letters'->>0 from school_1.answer_item where sheet_id = {sheet} and seq = '{seq}'"
        ))
        .await;
    let expected = if shown == json!("价值尺度") { "A" } else { "B" };
    assert_eq!(stored, expected);
    let delayed = save(&own, &sheet, 13, &[(seq, letter("A"))]).await;
    assert_eq!(delayed.data()["lastClientSeq"], json!(14), "{}", delayed.body);
    let kept: String = server
        .one(&format!(
            "select answer->'letters'->>0 from school_1.answer_item where sheet_id = {sheet} and seq = '{seq}'"
        ))
        .await;
    assert_eq!(kept, expected, "what came late is ignored");
    let resumed = begun(&own, &row, "r-3").await;
    assert_eq!(resumed["savedAnswers"][0]["answer"], letter("B"), "{resumed}");
    let wrong = save(&own, &sheet, 15, &[("99", letter("A"))]).await;
    assert_eq!(fields(&wrong), ["items: 没有第99题"]);
    let other = learner(&server, 2).await;
    assert_eq!(save(&other, &sheet, 16, &[(seq, letter("A"))]).await.code(), 404, "another's sheet");
    assert_eq!(submit(&other, &sheet, "x-2").await.code(), 404);
    assert_eq!(start(&other, &row, "x-3").await.code(), 404, "another's homework");
    assert_eq!(other.get(&format!("{OWN}/result?sheetId={sheet}")).await.code(), 404);
    let file = json!({ "sheetId": sheet, "seq": seq, "fileName": "a.docx", "size": 9 });
    assert_eq!(other.post(&format!("{OWN}/uploadTicket"), file).await.code(), 404);
    // Staff who look for a student do nothing for them (scenario 8).
    let staff = ["user:pc:student:oneClickLogin", "user:pc:student:oneClickLogin:write"];
    let staff = server.staff(1, &staff).await;
    let entry =
        format!("/user/pc/student/oneClickLogin?id={}&reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B", scene.students[0]);
    let inside = clients::with_token(&server, &staff.get(&entry).await);
    assert_eq!(inside.get(&format!("{OWN}/list")).await.code(), 200);
    let refused = (403, "代登录只能查看，不能代为学习、作答或批阅");
    assert_eq!(start(&inside, &row, "i-1").await.refused(), refused);
    assert_eq!(save(&inside, &sheet, 17, &[(seq, letter("A"))]).await.refused(), refused);
    assert_eq!(submit(&inside, &sheet, "i-2").await.refused(), refused);
    let sent = submit(&own, &sheet, "s-1").await;
    assert_eq!(
        (&sent.data()["state"], &sent.data()["objectiveScore"]),
        (&json!("marked"), &json!(null)),
        "{}",
        sent.body
    );
    let again = own
        .unlooked(Method::POST, &format!("{OWN}/submit"), Some(&json!({ "sheetId": sheet, "requestId": "s-1" })))
        .await;
    assert_eq!(again.data(), sent.data(), "sent twice it is handed in once");
    // Whoever marks sees the letters of the question, however they were shown (B7, scenario 10).
    let marked = admin.get(&format!("{MARKING}/view?sheetId={sheet}")).await.data().clone();
    let item = marked["items"].as_array().expect("items").iter().find(|item| item["seq"] == json!(seq));
    assert_eq!(item.expect("the question")["answer"]["letters"], json!([expected]), "{marked}");
    assert_eq!(save(&own, &sheet, 17, &[(seq, letter("A"))]).await.refused(), (409, "已提交"));
    assert_eq!(own.get(&format!("{OWN}/result?sheetId={sheet}")).await.refused(), (403, "暂未开放查看"));
    assert_eq!(own.get(&format!("{OWN}/list")).await.data()[0]["finalRaw"], json!(null));
    // The second attempt, then none.
    answered(&own, &row, "r-4", 3, 3).await;
    assert_eq!(start(&own, &row, "r-5").await.refused(), (409, "次数已用完"));
    assert_eq!(step(admin, "close", id).await.data()["done"], json!(1));
    let result = own.get(&format!("{OWN}/result?sheetId={sheet}")).await.data().clone();
    assert_eq!((&result["answerVisible"], &result["items"][0]["reference"]["letters"]), (&json!(true), &json!(["A"])));
    // Whoever is suspended looks and does not begin; nobody comes with another's token.
    server.run(&format!("update school_1.student set status = 'suspended' where id = {}", scene.students[1])).await;
    assert_eq!(other.get(&format!("{OWN}/list")).await.code(), 200);
    let body = json!({ "homeworkStudentId": row_of(admin, id, scene.students[1]).await["id"], "requestId": "x-1" });
    let refused = other.post(&format!("{OWN}/start"), body.clone()).await;
    assert_eq!(refused.refused(), (403, "当前学籍状态不能学习"));
    assert_eq!(other.post(&format!("{TASKS}/list"), json!({})).await.code(), 403);
    assert_eq!(admin.post(&format!("{OWN}/start"), body.clone()).await.code(), 403);
    let teacher = clients::signed_in(&server).await;
    assert_eq!(teacher.post(&format!("{OWN}/start"), body).await.code(), 403);
}

/// Files of an answer: by the rule of the question, the student's own, packed for whoever marks.
#[tokio::test]
async fn files_are_handed_in_and_packed() {
    let server = Server::start().await;
    let scene = scene(&server, 0, 2).await;
    let admin = &scene.admin;
    let body = with(
        task(&server, scene.place(), 0, 600),
        json!({
        "kind": "upload", "paperMode": null, "paperIds": [], "totalScore": 100.0, "instruction": "<p>写一份实践报告</p>",
        "upload": { "extensions": ["docx", "txt"], "maxFiles": 1, "maxSizeMb": 1 } }),
    );
    let id = published(admin, body).await;
    let own = learner(&server, 1).await;
    let sheet = begun(&own, &row_of(admin, id, scene.students[0]).await, "r-1").await["sheetId"].clone();
    let ticket = |name: &str, size: i64| json!({ "sheetId": sheet, "seq": "1", "fileName": name, "size": size });
    let path = format!("{OWN}/uploadTicket");
    assert_eq!(fields(&own.post(&path, ticket("a.exe", 9)).await), ["fileName: 不支持该文件格式，可上传：docx、txt"]);
    assert_eq!(fields(&own.post(&path, ticket("a.docx", 2 << 20)).await), ["size: 文件大小不能超过1MB"]);
    let given = own.post(&path, ticket("报告.txt", 6)).await.data().clone();
    let file = given["fileId"].clone();
    let early = save(&own, &sheet, 1, &[("1", json!({ "fileIds": [file] }))]).await;
    assert_eq!(early.code(), 422, "it was not sent yet: {}", early.body);
    kit::files::sent(&own, &given, "报告".as_bytes()).await;
    assert_eq!(save(&own, &sheet, 2, &[("1", json!({ "fileIds": [file, file] }))]).await.code(), 200, "once");
    let more = own.post(&path, ticket("更多.txt", 6)).await;
    assert_eq!(fields(&more), ["fileName: 最多上传1个附件，请先移除已有的附件并保存"]);
    let many = save(&own, &sheet, 3, &[("1", json!({ "fileIds": [file, 999_999] }))]).await;
    assert_eq!(fields(&many), ["items: 第1题：最多上传1个附件"]);
    let other = learner(&server, 2).await;
    let theirs = begun(&other, &row_of(admin, id, scene.students[1]).await, "r-1").await["sheetId"].clone();
    let stolen = save(&other, &theirs, 1, &[("1", json!({ "fileIds": [file] }))]).await;
    assert_eq!(fields(&stolen), ["items: 第1题：附件不存在，请重新上传"]);
    assert_eq!(submit(&own, &sheet, "s-1").await.data()["state"], json!("submitted"));
    let started = admin.post(&format!("{TASKS}/batchDownload"), json!({ "id": id })).await.data().clone();
    let job = ended(admin, &started["jobId"]).await;
    assert_eq!(job["message"], json!("共1个附件"), "{job}");
}

/// Study of the course comes first where it is asked for.
#[tokio::test]
async fn whoever_did_not_study_enough_does_not_begin() {
    let server = Server::start().await;
    let scene = scene(&server, 2, 1).await;
    let paper =
        approved(&scene.admin, scene.course, &scene.choices, &short_answers(&scene.admin, scene.bank, 1).await).await;
    let more = json!({ "requiredProgress": 60.0 });
    let id = published(&scene.admin, with(task(&server, scene.place(), paper, 600), more)).await;
    let own = learner(&server, 1).await;
    let row = row_of(&scene.admin, id, scene.students[0]).await;
    assert_eq!(start(&own, &row, "r-1").await.refused(), (409, "学习进度未达60%"));
    let selection = selection_of(&scene.admin, scene.students[0], scene.opening).await["id"].clone();
    server
        .run(&format!(
            "insert into school_1.study_course_progress (id, opening_id, progress) values ({selection}, {}, 60.0)",
            scene.opening
        ))
        .await;
    let sheet = begun(&own, &row, "r-2").await["sheetId"].clone();
    assert_eq!(save(&own, &sheet, 1, &[("3", html("价值尺度是货币的职能"))]).await.code(), 200);
    assert_eq!(submit(&own, &sheet, "s-1").await.data()["state"], json!("submitted"), "somebody has to mark it");
    let told = scene.admin.post(&format!("{TASKS}/remind"), json!({ "id": id })).await;
    assert_eq!(told.data()["told"], json!(0), "everybody handed it in");
}
