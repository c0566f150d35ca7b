//! Selections: the scenarios of part 03 B4 with their worked numbers, the students' client, sheets and their undoing.

use chrono::Duration;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients::{self, entered},
    cohort::{Cohort, cohort, registrar},
    fields,
    files::paper,
    imports::taken_back,
    openings::{
        OPENING, SELECTION, generate, id_of, open, opened, plan, publish, rule, selection_item, selection_of,
        selections, semester,
    },
    plans,
    rows::{majors, students},
    sheets::{import, row_errors, texts},
    students::{id_number, save, student},
};
use poem::http::Method;
use serde_json::{Value, json};

const OWN: &str = "/user/client/selection";

/// The n-th student, with a class, in the register and in their client.
async fn student_in<'s>(server: &'s Server, admin: &Client<'_>, p: &Cohort, class: i64, n: usize) -> (i64, Client<'s>) {
    let mut body = student(p, n);
    body["classId"] = json!(class);
    let id = save(admin, body).await;
    let initial = format!("Aa@{}", &id_number(n)[12..]);
    (id, entered(server, &format!("26{n:08}"), &initial, "student").await)
}

async fn class(client: &Client<'_>, p: &Cohort, code: &str) -> i64 {
    client.post("/adult/pc/class/save", p.class(code)).await.id()
}

async fn submit(client: &Client<'_>, request: &str, openings: &[i64]) -> kit::Answer {
    client.post(&format!("{OWN}/submit"), json!({ "requestId": request, "openingIds": openings })).await
}

/// What a submit told of its only course.
fn message(answer: &kit::Answer) -> Value {
    answer.data()["results"][0]["message"].clone()
}

async fn number_of(server: &Server, student_no: &str) -> i64 {
    server.one(&format!("select id from school_1.student where student_no = '{student_no}'")).await
}

/// Scenario 1: fifty places, forty-nine taken, twenty who come at once.
#[tokio::test]
async fn the_last_place_is_taken_once() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let mut body = p.class("C1");
    body["capacity"] = json!(100);
    let class = admin.post("/adult/pc/class/save", body).await.id();
    let elective = plans::course(&admin, "X1", 2.0, 36, 8).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(elective, "elective", 1)]).await;
    students(&server, &p, p.site, Some(class), 101, 49).await;
    let opening = opened(&admin, spring, elective).await;
    rule(&server, &admin, spring, 20.0).await;
    let people: Vec<i64> = sqlx::query_scalar("select id from school_1.student order by id")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("students");
    let filled =
        admin.post(&format!("{SELECTION}/save"), json!({ "openingIds": [opening], "studentIds": people })).await;
    assert_eq!(filled.data()["created"], json!(49), "{}", filled.body);
    let seen = admin.get(&format!("{OPENING}/view?id={opening}")).await.data().clone();
    let edit = json!({ "id": opening, "version": seen["version"], "teachingMode": "online", "capacity": 50 });
    assert_eq!(admin.put(&format!("{OPENING}/edit"), edit).await.code(), 200);
    let mut learners = Vec::new();
    for n in 1..=20 {
        learners.push(student_in(&server, &admin, &p, class, n).await.1);
    }
    let wanted = [opening];
    let calls = learners.iter().map(|learner| submit(learner, "r-1", &wanted));
    let answers = futures_util::future::join_all(calls).await;
    let came_in = answers.iter().filter(|answer| answer.data()["created"] == json!(1)).count();
    let full = answers.iter().filter(|answer| message(answer) == json!("人数已满")).count();
    assert_eq!((came_in, full), (1, 19));
    assert_eq!(selections(&admin, json!({ "openingId": opening, "status": "selected" })).await.len(), 50);
}

/// Scenarios 2 and 3, the time of selection, and who may select.
#[tokio::test]
async fn a_student_chooses_within_the_credits_of_the_semester() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let class = class(&admin, &p, "C1").await;
    let spring = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    let by_plan = plans::course(&admin, "K1", 16.0, 288, 60).await;
    let a = plans::course(&admin, "XA", 2.0, 36, 8).await;
    let b = plans::course(&admin, "XB", 3.0, 54, 8).await;
    plan(&server, &p, &[(by_plan, "compulsory", 1), (a, "elective", 1), (b, "elective", 1)]).await;
    let (id, own) = student_in(&server, &admin, &p, class, 1).await;
    let (_, other) = student_in(&server, &admin, &p, class, 2).await;
    for course in [by_plan, a, b] {
        opened(&admin, spring, course).await;
    }
    let (a, b) = (id_of(&admin, spring, a).await, id_of(&admin, spring, b).await);
    assert_eq!(message(&submit(&own, "r-0", &[a]).await), json!("不在选课时间内"));
    let rule = rule(&server, &admin, spring, 20.0).await;
    let offered = own.get(&format!("{OWN}/available")).await.data().clone();
    assert_eq!((&offered["selectedCredits"], &offered["maxCredits"]), (&json!(16.0), &json!(20.0)));
    let courses = offered["courses"].as_array().expect("courses").clone();
    assert_eq!(courses.len(), 2, "what is compulsory is not chosen");
    assert_eq!((&courses[0]["groupName"], &courses[0]["taken"]), (&json!("专业选修"), &json!(0)));
    let both = submit(&own, "r-1", &[a, b]).await.data().clone();
    assert_eq!((&both["created"], &both["results"][0]["status"]), (&json!(1), &json!("selected")));
    assert_eq!(both["results"][1]["message"], json!("超过本学期学分上限20.0"));
    let again = own
        .unlooked(Method::POST, &format!("{OWN}/submit"), Some(&json!({ "requestId": "r-1", "openingIds": [a, b] })))
        .await;
    assert_eq!(again.data()["results"], both["results"], "sent twice it selects once");
    assert_eq!(message(&submit(&own, "r-2", &[a]).await), json!("已选该课程"));
    let compulsory = selection_of(&admin, id, id_of(&admin, spring, by_plan).await).await;
    let leave = |request: &str, selection: &Value| json!({ "requestId": request, "selectionId": selection });
    let kept = own.post(&format!("{OWN}/drop"), leave("d-1", &compulsory["id"])).await;
    assert_eq!(kept.refused(), (409, "必修课程不能退选"));
    let chosen = selection_of(&admin, id, a).await;
    let foreign = other.post(&format!("{OWN}/drop"), leave("d-2", &chosen["id"])).await;
    assert_eq!(foreign.code(), 404, "another's selection is nobody's");
    let now = server.now();
    server
        .run(&format!("update school_1.selection_rule set drop_ends_at = {now} - interval '1 hour' where id = {rule}"))
        .await;
    let late = own.post(&format!("{OWN}/drop"), leave("d-3", &chosen["id"])).await;
    assert_eq!(late.refused(), (409, "已过退选时间"));
    server
        .run(&format!("update school_1.selection_rule set drop_ends_at = {now} + interval '1 day', need_audit = true where id = {rule}"))
        .await;
    assert_eq!(own.post(&format!("{OWN}/drop"), leave("d-4", &chosen["id"])).await.code(), 200);
    // Taken up again it is the same row, and waits for its audit.
    let waiting = submit(&own, "r-3", &[a]).await;
    assert_eq!(waiting.data()["results"][0]["status"], json!("pending"));
    let row = selection_of(&admin, id, a).await;
    assert_eq!((&row["id"], &row["attemptNo"]), (&chosen["id"], &json!(1)));
    let items = json!({ "items": [selection_item(&admin, &row["id"]).await] });
    assert_eq!(admin.put(&format!("{SELECTION}/audit"), items).await.data()["done"], json!(1));
    let twice = json!({ "items": [selection_item(&admin, &row["id"]).await] });
    let refused = admin.put(&format!("{SELECTION}/audit"), twice).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该选课为已选，只有待审核的可以审核"));
    assert_eq!(message(&submit(&other, "r-4", &[b]).await), json!(null));
    let waiting = selections(&admin, json!({ "status": "pending" })).await;
    let items = json!({ "items": [selection_item(&admin, &waiting[0]["id"]).await], "reason": "与必修课时间冲突" });
    assert_eq!(admin.put(&format!("{SELECTION}/reject"), items).await.data()["done"], json!(1));
    // Who is suspended looks and does not select.
    server.run(&format!("update school_1.student set status = 'suspended' where id = {id}")).await;
    assert_eq!(own.get(&format!("{OWN}/available?semesterId={spring}")).await.code(), 200);
    assert_eq!(submit(&own, "r-5", &[b]).await.refused(), (403, "当前学籍状态不能学习"));
    assert_eq!(admin.get(&format!("{OWN}/available")).await.code(), 403, "no token of the console");
}

/// What the school arranges, nobody takes or leaves by themselves: compulsory courses, and classes for those who repeat one.
#[tokio::test]
async fn what_the_school_arranges_is_neither_chosen_nor_left() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let class = class(&admin, &p, "C1").await;
    let spring = semester(&admin, "2026-1").await;
    let course = plans::course(&admin, "K1", 2.0, 36, 8).await;
    let repeated = plans::course(&admin, "R1", 2.0, 36, 8).await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    students(&server, &p, p.site, Some(class), 101, 1).await;
    let opening = opened(&admin, spring, course).await;
    let retake = json!({ "semesterId": spring, "kind": "retake", "courseId": repeated });
    let retake = admin.post(&format!("{OPENING}/save"), retake).await.id();
    open(&admin, retake).await;
    rule(&server, &admin, spring, 20.0).await;
    // Entered after the opening: on no roster yet.
    let (id, own) = student_in(&server, &admin, &p, class, 1).await;
    assert_eq!(message(&submit(&own, "r-1", &[opening]).await), json!("必修课程由学校安排，不能自选"));
    assert_eq!(message(&submit(&own, "r-2", &[retake]).await), json!("重修班由学校安排，不能自选"));
    let offered = own.get(&format!("{OWN}/available?semesterId={spring}")).await.data().clone();
    assert_eq!(offered["courses"], json!([]));
    // Even where a sheet or an older version wrote it as their own choice, it stays.
    server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, source, status, selected_at,
                 created_by, updated_by) values ({id}, {opening}, {spring}, {course}, 'self', 'selected', now(), 0, 0)"
        ))
        .await;
    let row = selection_of(&admin, id, opening).await;
    let kept = own.post(&format!("{OWN}/drop"), json!({ "requestId": "d-1", "selectionId": row["id"] })).await;
    assert_eq!(kept.refused(), (409, "必修课程不能退选"));
    // Whoever never took a course repeats none.
    let wanted = json!({ "items": [{ "studentId": id, "openingId": retake }] });
    let never = admin.post(&format!("{SELECTION}/retake"), wanted).await;
    assert_eq!(never.data()["refused"][0]["message"], json!("该学生没有修读过该课程，不能重修"));
}

/// Scenario 4: what both majors have open is taken along, the rest is left.
#[tokio::test]
async fn selections_follow_who_changes_their_major() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 1).await;
    let other: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    let other = Cohort { grade: p.grade, level: p.level, national: p.national, major: other, site: p.site };
    let english = plans::course(&admin, "YY", 4.0, 72, 20).await;
    let accounts = plans::course(&admin, "KJ1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(english, "compulsory", 1), (accounts, "compulsory", 1)]).await;
    plan(&server, &other, &[(english, "compulsory", 1)]).await;
    let (from, to) = (class(&admin, &p, "C1").await, class(&admin, &other, "M1").await);
    students(&server, &p, p.site, Some(from), 1, 2).await;
    students(&server, &other, p.site, Some(to), 11, 1).await;
    for course in [english, accounts] {
        opened(&admin, spring, course).await;
    }
    let all = sqlx::query_as::<_, (i64, i64, i64)>("select id, course_id, major_id from school_1.course_opening")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("openings");
    let of = |course: i64, major: i64| all.iter().find(|row| row.1 == course && row.2 == major).expect("an opening").0;
    let (old, own, new) = (of(english, p.major), of(accounts, p.major), of(english, other.major));
    let waiting: Vec<i64> = sqlx::query_scalar("select id from school_1.course_opening where status = 'draft'")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("openings");
    for id in waiting {
        open(&admin, id).await;
    }
    let id = number_of(&server, "2600000001").await;
    let before = selection_of(&admin, id, old).await;
    server
        .run(&format!("update school_1.student set major_id = {}, class_id = {to} where id = {id}", other.major))
        .await;
    let synced = admin.post(&format!("{OPENING}/sync"), json!({ "ids": [old, own, new] })).await.data().clone();
    assert_eq!((&synced["added"], &synced["dropped"], &synced["moved"]), (&json!(0), &json!(1), &json!(1)), "{synced}");
    let moved = selection_of(&admin, id, new).await;
    assert_eq!((&moved["id"], &moved["classId"], &moved["status"]), (&before["id"], &json!(to), &json!("selected")));
    let left = selection_of(&admin, id, own).await;
    let seen = admin.get(&format!("{SELECTION}/view?id={}", left["id"])).await.data().clone();
    assert_eq!((&seen["status"], &seen["dropReason"]), (&json!("dropped"), &json!("学籍异动")));
    // Who is suspended leaves the roster and comes back with the status; whom a clerk took out stays out.
    let second = number_of(&server, "2600000002").await;
    let by_hand = selection_of(&admin, second, own).await;
    let items = json!({ "items": [selection_item(&admin, &by_hand["id"]).await], "reason": "免考" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), items).await.data()["done"], json!(1));
    let status = async |word: &str| {
        server.run(&format!("update school_1.student set status = '{word}' where id = {second}")).await
    };
    let sync = async || admin.post(&format!("{OPENING}/sync"), json!({ "ids": [old, own] })).await.data().clone();
    status("suspended").await;
    assert_eq!(sync().await["dropped"], json!(1));
    let row = selection_of(&admin, second, old).await;
    let seen = admin.get(&format!("{SELECTION}/view?id={}", row["id"])).await.data().clone();
    assert_eq!((&seen["status"], &seen["dropReason"]), (&json!("dropped"), &json!("休学")));
    status("registered").await;
    assert_eq!(sync().await["added"], json!(1));
    assert_eq!(selection_of(&admin, second, old).await["status"], json!("selected"));
    assert_eq!(selection_of(&admin, second, own).await["status"], json!("dropped"));
    // By night, in every school.
    server.run(&format!("update school_1.student set class_id = null where id = {second}")).await;
    server.when_due("selection.sync", Duration::minutes(2)).await;
    server
        .wait_until(&format!(
            "select class_id is null from school_1.course_selection where student_id = {second} and opening_id = {old}"
        ))
        .await;
    // By day within minutes, by the history that each step leaves.
    status("suspended").await;
    let (now, today) = (server.now(), server.app.clock().today());
    server
        .run(&format!(
            "insert into school_1.student_status_change (student_id, kind, from_status, to_status, effective_on, created_at, created_by,
                 updated_by) values ({second}, 'suspension', 'registered', 'suspended', '{today}', {now}, 0, 0)"
        ))
        .await;
    server.when_due("selection.follow", Duration::minutes(2)).await;
    server
        .wait_until(&format!(
            "select status = 'dropped' from school_1.course_selection where student_id = {second} and opening_id = {old}"
        ))
        .await;
}

/// Whoever changes their major while a sync waits for the opening did not merely leave: nothing of their course is lost.
#[tokio::test]
async fn a_major_that_changes_during_a_sync_is_followed_by_the_next() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 1).await;
    let other: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    let other = Cohort { grade: p.grade, level: p.level, national: p.national, major: other, site: p.site };
    let english = plans::course(&admin, "YY", 4.0, 72, 20).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(english, "compulsory", 1)]).await;
    plan(&server, &other, &[(english, "compulsory", 1)]).await;
    let (from, to) = (class(&admin, &p, "C1").await, class(&admin, &other, "M1").await);
    students(&server, &p, p.site, Some(from), 1, 1).await;
    students(&server, &other, p.site, Some(to), 11, 1).await;
    generate(&admin, spring).await;
    let of_major = async |major: i64| {
        let opening = format!("select id from school_1.course_opening where major_id = {major}");
        let opening: i64 = server.one(&opening).await;
        open(&admin, opening).await;
        opening
    };
    let (old, new) = (of_major(p.major).await, of_major(other.major).await);
    let id = number_of(&server, "2600000001").await;
    let before = selection_of(&admin, id, old).await;
    let sync = async || admin.post(&format!("{OPENING}/sync"), json!({ "ids": [old] })).await.data().clone();
    let mut holding = server.begin_in(1).await;
    course_selection::opening::hold(&mut holding, &[old]).await.expect("held");
    let changed = async {
        let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                     where not l.granted and a.datname = current_database())";
        server.wait_until(waits).await;
        let moved = format!("update school_1.student set major_id = {}, class_id = {to} where id = {id}", other.major);
        server.run(&moved).await;
        drop(holding);
    };
    let (told, ()) = tokio::join!(sync(), changed);
    assert_eq!(told["failed"][0]["msg"], json!("学生的年级或专业刚有变动，请重新同步"), "{told}");
    assert_eq!(sync().await["moved"], json!(1));
    assert_eq!(selection_of(&admin, id, new).await["id"], before["id"]);
}

/// What the status took away comes back with it, of every source and as far as there are places; out of which a person took somebody,
/// they stay out, also when they come to it by another major.
#[tokio::test]
async fn what_a_status_took_away_comes_back_and_what_a_person_took_does_not() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    majors(&server, &p, 1).await;
    let other: i64 = server.one("select id from school_1.major where code = 'M01'").await;
    let other = Cohort { grade: p.grade, level: p.level, national: p.national, major: other, site: p.site };
    let elective = plans::course(&admin, "X1", 2.0, 36, 8).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(elective, "elective", 1)]).await;
    plan(&server, &other, &[(elective, "elective", 1)]).await;
    let (from, to) = (class(&admin, &p, "C1").await, class(&admin, &other, "M1").await);
    students(&server, &p, p.site, Some(from), 1, 2).await;
    students(&server, &other, p.site, Some(to), 11, 1).await;
    opened(&admin, spring, elective).await;
    let waiting: Vec<i64> = sqlx::query_scalar("select id from school_1.course_opening where status = 'draft'")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("openings");
    for id in waiting {
        open(&admin, id).await;
    }
    let opening = async |major: i64| -> i64 {
        server.one(&format!("select id from school_1.course_opening where major_id = {major}")).await
    };
    let (own, new) = (opening(p.major).await, opening(other.major).await);
    let (first, second) = (number_of(&server, "2600000001").await, number_of(&server, "2600000002").await);
    let add = async |opening: i64, source: &str, student: i64| {
        let body = json!({ "openingIds": [opening], "studentIds": [student], "source": source });
        admin.post(&format!("{SELECTION}/save"), body).await.data()["created"].clone()
    };
    for student in [first, second] {
        assert_eq!(add(own, "admin", student).await, json!(1));
    }
    let sync = async |id: i64| admin.post(&format!("{OPENING}/sync"), json!({ "ids": [id] })).await.data().clone();
    server.run(&format!("update school_1.student set status = 'suspended' where id in ({first}, {second})")).await;
    assert_eq!(sync(own).await["dropped"], json!(2));
    // One place is left: one comes back, the other waits for a place.
    server.run(&format!("update school_1.course_opening set capacity = 1 where id = {own}")).await;
    server.run(&format!("update school_1.student set status = 'registered' where id in ({first}, {second})")).await;
    assert_eq!(sync(own).await["added"], json!(1));
    server.run(&format!("update school_1.course_opening set capacity = null where id = {own}")).await;
    assert_eq!(sync(own).await["added"], json!(1));
    let back = selection_of(&admin, first, own).await;
    assert_eq!((&back["status"], &back["source"]), (&json!("selected"), &json!("admin")));
    assert_eq!(sync(own).await["added"], json!(0), "nothing is left to do");
    let stamped = format!("select version from school_1.course_selection where id = {}", back["id"]);
    let before: i32 = server.one(&stamped).await;
    sync(own).await;
    assert_eq!(server.one::<i32>(&stamped).await, before, "what stands as it should is not written");
    // A clerk took the student out of the other major's opening: changing to that major does not bring them in again.
    let items = json!({ "items": [selection_item(&admin, &back["id"]).await], "reason": "本人申请" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), items).await.data()["done"], json!(1));
    assert_eq!(add(new, "makeup_study", first).await, json!(1));
    let guest = selection_of(&admin, first, new).await;
    let items = json!({ "items": [selection_item(&admin, &guest["id"]).await], "reason": "误选" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), items).await.data()["done"], json!(1));
    assert_eq!(add(own, "admin", first).await, json!(1));
    server
        .run(&format!(
            "update school_1.course_selection set source = 'self' where student_id = {first} and opening_id = {own};
             update school_1.student set major_id = {}, class_id = {to} where id = {first}",
            other.major
        ))
        .await;
    assert_eq!(sync(own).await["dropped"], json!(1));
    assert_eq!(selection_of(&admin, first, new).await["status"], json!("dropped"));
    // Who changes their major and was never there goes along, and is told.
    server
        .run(&format!(
            "update school_1.course_selection set source = 'self' where student_id = {second} and opening_id = {own};
             update school_1.student set major_id = {}, class_id = {to} where id = {second}",
            other.major
        ))
        .await;
    assert_eq!(sync(own).await["moved"], json!(1));
    let told: i64 = server
        .one("select count(*) from school_1.event_outbox where name = 'selection_changed' and payload::text like '%转入现年级专业%'")
        .await;
    assert_eq!(told, 1);
}

/// Rosters on which somebody came by the plan keep nobody in the register who was entered by mistake (02 §7).
#[tokio::test]
async fn a_roster_does_not_keep_who_reported_by_mistake() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    class(&admin, &p, "C1").await;
    let (gone, kept) = (save(&admin, student(&p, 1)).await, save(&admin, student(&p, 2)).await);
    server.run("update school_1.student set status = 'pending_registration', register_result = 'none'").await;
    let opening = opened(&admin, spring, course).await;
    let scored = selection_of(&admin, kept, opening).await["id"].as_i64().expect("a number");
    publish(&server, scored, 800, true).await;
    let leave = async |id: i64| {
        let mut tx = server.begin_in(1).await;
        let scope = infra::Scope::whole_school();
        let change = student_status::student::arrival::depart(&mut tx, id, "误操作", &scope).await?;
        tx.commit(change).await
    };
    leave(gone).await.expect("off the roster and out of the register");
    assert_eq!(selections(&admin, json!({ "openingId": opening })).await.len(), 1);
    let refused = leave(kept).await.expect_err("with a score");
    assert_eq!((refused.code, &*refused.msg), (409, "学生已有1条选课，不能撤销报到"));
}

/// Scenario 5.
#[tokio::test]
async fn a_clerk_adds_many_and_is_told_who_does_not_come_in() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let spring = semester(&admin, "2026-1").await;
    let class = class(&admin, &p, "C1").await;
    students(&server, &p, p.site, Some(class), 1, 300).await;
    let (mut openings, mut courses) = (Vec::new(), Vec::new());
    for n in 1..=4 {
        let course = plans::course(&admin, &format!("X{n}"), 2.0, 36, 8).await;
        let body = json!({ "semesterId": spring, "kind": "extra", "courseId": course });
        let id = admin.post(&format!("{OPENING}/save"), body).await.id();
        open(&admin, id).await;
        openings.push(id);
        courses.push(course);
    }
    let people: Vec<i64> = sqlx::query_scalar("select id from school_1.student order by id")
        .fetch_all(&mut server.owner().await)
        .await
        .expect("students");
    let first = json!({ "openingIds": openings, "studentIds": people[..3] });
    assert_eq!(admin.post(&format!("{SELECTION}/save"), first).await.data()["created"], json!(12));
    let wanted =
        |dry_run: bool| json!({ "openingIds": openings, "classIds": [class], "reason": "补选", "dryRun": dry_run });
    let looked = admin.unlooked(Method::POST, &format!("{SELECTION}/save"), Some(&wanted(true))).await;
    let saved = admin.post(&format!("{SELECTION}/save"), wanted(false)).await;
    for answer in [&looked, &saved] {
        assert_eq!(answer.data()["created"], json!(1_188));
        let refused = answer.data()["refused"].as_array().expect("refused").clone();
        assert_eq!((refused.len(), &refused[0]["message"]), (12, &json!("已选该课程")));
    }
    assert_eq!(server.one::<i64>("select count(*) from school_1.course_selection").await, 1_200);
    let listed =
        admin.post(&format!("{SELECTION}/list"), json!({ "semesterId": spring, "courseId": courses[0] })).await;
    assert_eq!(listed.data()["totalCount"], json!(300));
    let last = admin.post(&format!("{SELECTION}/list"), json!({ "pageCurrent": 60, "pageSize": 20 })).await;
    assert_eq!(last.data()["list"].as_array().map(Vec::len), Some(20), "the last page");
    let figures = admin.post(&format!("{SELECTION}/stat/list"), json!({ "semesterId": spring })).await;
    assert_eq!(figures.data()["list"][0]["selected"], json!(300));
    for (body, told) in [
        (json!({ "openingIds": openings }), "studentIds: 请选择学生或班级"),
        (
            json!({ "openingIds": openings, "studentIds": [1], "classIds": [class] }),
            "classIds: 已选择学生，不能同时选择班级",
        ),
        (json!({ "openingIds": openings, "studentIds": [1], "source": "self" }), "source: 来源只能为补选、重修或补修"),
    ] {
        assert_eq!(fields(&admin.post(&format!("{SELECTION}/save"), body).await), [told]);
    }
    // Whoever sees another site reaches none of them.
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    assert_eq!(selections(&narrow, json!({})).await.len(), 0);
    let row = selections(&admin, json!({ "studentId": people[0] })).await[0].clone();
    assert_eq!(narrow.get(&format!("{SELECTION}/view?id={}", row["id"])).await.code(), 404);
    let items = json!({ "items": [selection_item(&admin, &row["id"]).await], "reason": "本人申请" });
    let refused = narrow.put(&format!("{SELECTION}/drop"), items).await.data().clone();
    assert_eq!((&refused["failed"][0]["msg"], &refused["failed"][0]["name"]), (&json!("无权操作该数据"), &json!("")));
    let added =
        narrow.post(&format!("{SELECTION}/save"), json!({ "openingIds": openings, "studentIds": [people[9]] })).await;
    assert_eq!(added.data()["refused"][0]["message"], json!("无权操作该数据"));
}

/// Which class somebody attends, and whose students a class names, is a matter of the scope; who names their own class chooses none.
#[tokio::test]
async fn a_class_of_others_is_neither_given_nor_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let elsewhere = Cohort { grade: p.grade, level: p.level, national: p.national, major: p.major, site: far };
    let spring = semester(&admin, "2026-1").await;
    let autumn = semester(&admin, "2026-2").await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    let (near, theirs) = (class(&admin, &p, "C1").await, class(&admin, &elsewhere, "F1").await);
    let (off, other) = (class(&admin, &p, "C2").await, class(&admin, &p, "C3").await);
    server.run(&format!("update school_1.class set enabled = false where id = {off}")).await;
    students(&server, &p, p.site, Some(near), 1, 1).await;
    students(&server, &p, far, Some(theirs), 11, 1).await;
    let opening = opened(&admin, spring, course).await;
    let id = number_of(&server, "2600000001").await;
    let taken = selection_of(&admin, id, opening).await["id"].as_i64().expect("a number");
    publish(&server, taken, 455, false).await;
    let retake = json!({ "semesterId": autumn, "kind": "retake", "courseId": course });
    let retake = admin.post(&format!("{OPENING}/save"), retake).await.id();
    open(&admin, retake).await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[p.site]).await;
    let wanted = |class: i64| json!({ "items": [{ "studentId": id, "openingId": retake, "classId": class }] });
    for (class, told) in [(theirs, "无权操作该数据"), (off, "已停用"), (999_999, "无权操作该数据")] {
        let refused = narrow.post(&format!("{SELECTION}/retake"), wanted(class)).await;
        let message = refused.data()["refused"][0]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.ends_with(told), "{message}");
    }
    let by_class = json!({ "openingIds": [retake], "classIds": [theirs], "dryRun": true });
    let hidden = narrow.unlooked(Method::POST, &format!("{SELECTION}/save"), Some(&by_class)).await;
    assert_eq!(fields(&hidden), ["classIds: 所选班级没有在籍学生"], "as if it were empty");
    // Whose own class was named follows another class; whoever was put into one stays.
    let by_hand = format!("select class_by_hand from school_1.course_selection where opening_id = {retake}");
    assert_eq!(narrow.post(&format!("{SELECTION}/retake"), wanted(near)).await.data()["created"], json!(1));
    assert!(!server.one::<bool>(&by_hand).await);
    let row = selection_of(&admin, id, retake).await;
    let items = json!({ "items": [selection_item(&admin, &row["id"]).await], "reason": "改班" });
    assert_eq!(narrow.put(&format!("{SELECTION}/drop"), items).await.data()["done"], json!(1));
    assert_eq!(narrow.post(&format!("{SELECTION}/retake"), wanted(other)).await.data()["created"], json!(1));
    assert!(server.one::<bool>(&by_hand).await);
    // Neither 补选 nor a sheet does what another right guards.
    let without: Vec<&str> = codes.iter().copied().filter(|code| !code.ends_with("selection:retake")).collect();
    let clerk = server.staff(1, &without).await;
    let body = json!({ "openingIds": [retake], "studentIds": [id], "source": "retake" });
    assert_eq!(clerk.post(&format!("{SELECTION}/save"), body).await.code(), 403);
    let headings = ["学号", "学期编码", "课程代码", "来源", "上课班级编码", "备注"];
    let sheet = import(&clerk, SELECTION, &headings, &[&["2600000001", "2026-2", "A1", "重修", "", ""]]).await;
    assert_eq!(row_errors(sheet.data()), ["2 来源: 没有“重修选课”权限，来源不能选重修"]);
    // Whoever has that right at one site does it nowhere else, whichever way they go.
    let (most, further): (&[&str], &[&str]) = (&without, &["adult:pc:adult:selection:retake"]);
    let elsewhere = server.staff_with_roles(1, &[(most, "whole_school", &[]), (further, "named_sites", &[far])]).await;
    let body = json!({ "openingIds": [retake], "studentIds": [id], "source": "retake" });
    let refused = elsewhere.post(&format!("{SELECTION}/save"), body).await;
    assert_eq!(refused.data()["refused"][0]["message"], json!("无权操作该数据"));
    let sheet = import(&elsewhere, SELECTION, &headings, &[&["2600000001", "2026-2", "A1", "重修", "", ""]]).await;
    assert_eq!(row_errors(sheet.data()), ["2 学号: 无权操作该数据"]);
}

/// What was closed keeps its roster; only what still waits for its audit is refused.
#[tokio::test]
async fn a_closed_course_keeps_its_roster() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    let class = class(&admin, &p, "C1").await;
    students(&server, &p, p.site, Some(class), 1, 2).await;
    let opening = opened(&admin, spring, course).await;
    let rows = selections(&admin, json!({ "openingId": opening })).await;
    let (first, second) = (rows[0]["id"].clone(), rows[1]["id"].clone());
    server
        .run(&format!(
            "update school_1.course_selection set status = 'pending' where id = {second};
             update school_1.course_opening set status = 'closed', closed_at = now() where id = {opening}"
        ))
        .await;
    let step = async |name: &str, id: &Value, reason: Option<&str>| {
        let mut body = json!({ "items": [selection_item(&admin, id).await] });
        if let Some(reason) = reason {
            body["reason"] = json!(reason);
        }
        admin.put(&format!("{SELECTION}/{name}"), body).await.data().clone()
    };
    let closed = json!("“课程A1”已结课，名单不能再修改");
    assert_eq!(step("drop", &first, Some("本人申请")).await["failed"][0]["msg"], closed);
    assert_eq!(step("audit", &second, None).await["failed"][0]["msg"], closed);
    let key = paper(&admin, "证明.pdf").await;
    let version = selection_item(&admin, &first).await["version"].clone();
    let exempt = json!({ "id": first, "version": version, "reason": "自学考试已通过", "fileKey": key });
    let refused = admin.put(&format!("{SELECTION}/exempt"), exempt).await;
    assert_eq!(refused.refused(), (409, "“课程A1”已结课，名单不能再修改"));
    assert_eq!(step("reject", &second, Some("课程已结课")).await["done"], json!(1));
}

/// A learner's call that selected nothing is answered the same when it comes again, whatever became possible meanwhile; and several
/// changes of one student by one step are one message.
#[tokio::test]
async fn what_is_sent_twice_is_answered_once_and_what_belongs_together_is_told_together() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let p = cohort(&admin).await;
    let class = class(&admin, &p, "C1").await;
    let spring = semester(&admin, "2026-1").await;
    let (a, b) = (plans::course(&admin, "XA", 2.0, 36, 8).await, plans::course(&admin, "XB", 2.0, 36, 8).await);
    plan(&server, &p, &[(a, "elective", 1), (b, "elective", 1)]).await;
    let (id, own) = student_in(&server, &admin, &p, class, 1).await;
    let (a, b) = (opened(&admin, spring, a).await, opened(&admin, spring, b).await);
    assert_eq!(message(&submit(&own, "r-1", &[a]).await), json!("不在选课时间内"));
    rule(&server, &admin, spring, 20.0).await;
    let body = json!({ "requestId": "r-1", "openingIds": [a] });
    let again = own.unlooked(Method::POST, &format!("{OWN}/submit"), Some(&body)).await;
    assert_eq!(message(&again), json!("不在选课时间内"), "the first answer");
    assert_eq!(selections(&admin, json!({ "studentId": id })).await.len(), 0);
    let told = "select count(*) from school_1.event_outbox where name = 'selection_changed'";
    let before: i64 = server.one(told).await;
    let wanted = json!({ "openingIds": [a, b, 999_999], "studentIds": [id] });
    let key = ("Idempotency-Key", "once");
    let saved = admin.with_header(Method::POST, &format!("{SELECTION}/save"), key, &wanted).await;
    assert_eq!(saved.data()["created"], json!(2), "{}", saved.body);
    let again = admin.with_header(Method::POST, &format!("{SELECTION}/save"), key, &wanted).await;
    assert_eq!(again.data(), saved.data(), "the same key and body, the same answer");
    assert_eq!(server.one::<i64>(told).await, before + 1);
    let mut items = Vec::new();
    for row in selections(&admin, json!({ "studentId": id })).await {
        items.push(selection_item(&admin, &row["id"]).await);
    }
    let dropped = admin.put(&format!("{SELECTION}/drop"), json!({ "items": items, "reason": "本人申请" })).await;
    assert_eq!(dropped.data()["done"], json!(2));
    assert_eq!(server.one::<i64>(told).await, before + 2);
}

/// Scenarios 6 and 7.
#[tokio::test]
async fn a_score_ends_a_selection_and_a_course_is_repeated_beside_it() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    let autumn = semester(&admin, "2026-2").await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    let class = class(&admin, &p, "C1").await;
    students(&server, &p, p.site, Some(class), 1, 2).await;
    let opening = opened(&admin, spring, course).await;
    let id = number_of(&server, "2600000001").await;
    let first = selection_of(&admin, id, opening).await;
    let own = first["id"].as_i64().expect("a number");
    publish(&server, own, 455, false).await;
    let items = json!({ "items": [selection_item(&admin, &first["id"]).await], "reason": "本人申请" });
    let refused = admin.put(&format!("{SELECTION}/drop"), items).await;
    assert_eq!(refused.data()["failed"][0]["msg"], json!("该课程成绩已提交，不能退选"));
    let key = paper(&admin, "证明.pdf").await;
    let exempt = async |selection: &Value, version: Value| {
        let body = json!({ "id": selection, "version": version, "reason": "自学考试已通过同名课程", "fileKey": key });
        admin.put(&format!("{SELECTION}/exempt"), body).await
    };
    let version = selection_item(&admin, &first["id"]).await["version"].clone();
    assert_eq!(exempt(&first["id"], version).await.refused(), (409, "该课程成绩已提交，不能免修"));
    let failed = async || selections(&admin, json!({ "courseId": course, "failed": true })).await;
    let listed = failed().await;
    assert_eq!((listed.len(), &listed[0]["id"]), (1, &first["id"]), "who did not pass, and nobody else");
    let retake = json!({ "semesterId": autumn, "kind": "retake", "courseId": course });
    let retake = admin.post(&format!("{OPENING}/save"), retake).await.id();
    let wanted = json!({ "items": [{ "studentId": id, "openingId": retake }] });
    let early = admin.post(&format!("{SELECTION}/retake"), wanted.clone()).await;
    assert_eq!(early.data()["refused"][0]["message"], json!("课程未开课"));
    open(&admin, retake).await;
    assert_eq!(admin.post(&format!("{SELECTION}/retake"), wanted).await.data()["created"], json!(1));
    let second = selection_of(&admin, id, retake).await;
    assert_eq!((&second["attemptNo"], &second["source"]), (&json!(2), &json!("retake")));
    let kept = selection_of(&admin, id, opening).await;
    assert_eq!((&kept["finalScore"], &kept["passed"], &kept["attemptNo"]), (&json!(45.5), &json!(false), &json!(1)));
    assert_eq!(selections(&admin, json!({ "repeated": true })).await.len(), 1);
    assert_eq!(failed().await.len(), 0, "who takes it again is not asked to once more");
    // Taken back the score is gone and the student is in the course again, unless another row of it stands.
    let mut tx = server.begin_in(1).await;
    let busy = course_selection::score::reopen_selection(&mut tx, own).await.expect_err("in the course twice");
    assert_eq!(busy.code, 409, "{busy}");
    drop(tx);
    // Who need not take it proves it.
    let other = number_of(&server, "2600000002").await;
    let row = selection_of(&admin, other, opening).await;
    assert_eq!(exempt(&row["id"], json!(99)).await.code(), 409, "a stale version");
    let version = selection_item(&admin, &row["id"]).await["version"].clone();
    assert_eq!(exempt(&row["id"], version).await.id(), row["id"].as_i64().expect("a number"));
    let seen = admin.get(&format!("{SELECTION}/view?id={}", row["id"])).await.data().clone();
    assert_eq!((&seen["status"], &seen["exemptFileName"]), (&json!("exempted"), &json!("证明.pdf")));
    let again = json!({ "openingIds": [retake], "studentIds": [other] });
    let passed = admin.post(&format!("{SELECTION}/save"), again).await;
    assert_eq!(passed.data()["refused"][0]["message"], json!("该课程已通过"));
}

/// What a school knows of the time before its first opening.
#[tokio::test]
async fn what_was_taken_before_the_first_opening_is_history() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let earlier = semester(&admin, "2025-2").await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(course, "compulsory", 1)]).await;
    class(&admin, &p, "C1").await;
    students(&server, &p, p.site, None, 1, 2).await;
    let people = [number_of(&server, "2600000001").await, number_of(&server, "2600000002").await];
    let taken = |student_id: i64, semester_id: i64| course_opening::history::TakenBefore {
        student_id,
        course_id: course,
        semester_id,
        credits: 30,
        nature: teaching_plan::enums::CourseNature::Compulsory,
        attempt_no: 1,
    };
    // A course that waits to be opened for all there is none of the past.
    let draft = json!({ "semesterId": earlier, "kind": "extra", "courseId": course });
    let draft = admin.post(&format!("{OPENING}/save"), draft).await.id();
    let mut tx = server.begin_in(1).await;
    let taken_there = course_opening::history::import_history(&mut tx, &taken(people[0], earlier)).await;
    assert_eq!(taken_there.expect_err("a draft").code, 409);
    drop(tx);
    assert_eq!(admin.delete(&format!("{OPENING}/delete?id={draft}")).await.id(), draft);
    for student in people {
        let mut tx = server.begin_in(1).await;
        let (_, changes) =
            course_opening::history::import_history(&mut tx, &taken(student, earlier)).await.expect("history");
        tx.commit_all(changes).await.expect("committed");
    }
    let made: i64 = server.one("select count(*) from school_1.course_opening where status = 'closed'").await;
    assert_eq!(made, 1, "both stand in one opening");
    let row = selections(&admin, json!({ "studentId": people[0] })).await[0].clone();
    assert_eq!((&row["status"], &row["semesterId"]), (&json!("completed"), &json!(earlier)));
    opened(&admin, spring, course).await;
    let mut tx = server.begin_in(1).await;
    let late = course_opening::history::import_history(&mut tx, &taken(people[0], spring)).await.expect_err("too late");
    assert_eq!((late.code, &*late.msg), (409, "历史成绩只能登记到首次开课以前的学期"));
}

/// Scenarios 8 and 9, and what a sheet wrote goes back.
#[tokio::test]
async fn sheets_come_and_go_whole() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let elective = plans::course(&admin, "X1", 2.0, 36, 8).await;
    let spring = semester(&admin, "2026-1").await;
    plan(&server, &p, &[(course, "compulsory", 1), (elective, "elective", 1)]).await;
    let class = class(&admin, &p, "C1").await;
    for n in 1..=2 {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        save(&admin, body).await;
    }
    for course in [course, elective] {
        opened(&admin, spring, course).await;
    }
    let headings = ["学号", "学期编码", "课程代码", "来源", "上课班级编码", "备注"];
    let row = |n: usize, course: &str| -> Vec<String> {
        let number = format!("26{n:08}");
        [&number, "2026-1", course, "补选", "C1", "导入"].map(ToOwned::to_owned).to_vec()
    };
    let rows = [row(1, "X1"), row(2, "X1"), row(1, "X1"), row(9, "X1"), row(1, "A1")];
    let send = async |rows: &[Vec<String>]| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        import(&admin, SELECTION, &headings, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>()).await
    };
    let wrong = send(&rows).await;
    assert_eq!(
        row_errors(wrong.data()),
        ["4 课程代码: 与第2行是同一名学生的同一门课程", "5 学号: 没有该学号的学生", "6 课程代码: 已选该课程",]
    );
    assert_eq!(selections(&admin, json!({ "source": "admin" })).await.len(), 0, "all or nothing");
    let done = send(&rows[..2]).await;
    assert_eq!(done.data()["imported"], json!(2), "{}", done.body);
    assert_eq!(selections(&admin, json!({ "source": "admin" })).await.len(), 2);
    let (_, staying) = taken_back(&admin, "选课").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(selections(&admin, json!({ "source": "admin" })).await.len(), 0);
    // What was taken up again by a sheet stands afterwards as it stood.
    let first = number_of(&server, "2600000001").await;
    let elective = id_of(&admin, spring, elective).await;
    let add = json!({ "openingIds": [elective], "studentIds": [first], "source": "makeup_study", "reason": "原先" });
    assert_eq!(admin.post(&format!("{SELECTION}/save"), add).await.data()["created"], json!(1));
    let row = selection_of(&admin, first, elective).await;
    let items = json!({ "items": [selection_item(&admin, &row["id"]).await], "reason": "本人申请" });
    assert_eq!(admin.put(&format!("{SELECTION}/drop"), items).await.data()["done"], json!(1));
    server.run(&format!("update school_1.course_selection set dropped_by_sync = true where id = {}", row["id"])).await;
    let stands = format!(
        "select concat_ws(' ', source, status, drop_reason, dropped_by_sync, dropped_at, remark)
         from school_1.course_selection where id = {}",
        row["id"]
    );
    let before: String = server.one(&stands).await;
    assert_eq!(send(&rows[..1]).await.data()["imported"], json!(1));
    assert_ne!(server.one::<String>(&stands).await, before);
    let (_, staying) = taken_back(&admin, "选课").await;
    assert_eq!(staying, Vec::<String>::new());
    assert_eq!(server.one::<String>(&stands).await, before);
    // Numbers are masked, whole for whoever may see them and says why.
    let number = id_number(1);
    let file =
        admin.post(&format!("{SELECTION}/export"), json!({ "keyword": "2600000001", "openingId": elective })).await;
    let cells = texts(&file.bytes);
    assert_eq!((cells.len(), &cells[1][0]), (2, &"2600000001".to_owned()));
    assert!(cells[1][2].contains('*') && cells[1][2] != number, "{:?}", cells[1]);
    let whole = format!("{SELECTION}/export?whole=true&reason=%E6%A0%B8%E5%AF%B9%E5%90%8D%E5%8D%95");
    let file = admin.post(&whole, json!({ "keyword": "2600000001", "openingId": elective })).await;
    assert_eq!(texts(&file.bytes)[1][2], number);
    let codes = all_school_codes();
    let without: Vec<&str> = codes.iter().map(String::as_str).filter(|code| !code.ends_with("exportPlain")).collect();
    let clerk = server.staff(1, &without).await;
    assert_eq!(clerk.post(&whole, json!({})).await.code(), 403);
    // A number is found in small letters and wide signs, as it is where students are searched.
    server.run("update school_1.student set student_no = 'ZB26000002' where student_no = '2600000002'").await;
    let small = import(&admin, SELECTION, &headings, &[&["ｚb26000002", "2026-1", "X1", "补选", "", ""]]).await;
    assert_eq!(small.data()["imported"], json!(1), "{}", small.body);
}
