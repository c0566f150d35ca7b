//! `demo study`: what the clients of some students and their teacher send stands in the lists of the console (part 03 B10).

use std::time::Duration;

use chrono::Days;
use kit::{
    Client, Server,
    clients::{self, HOST},
    cohort::cohort,
    homework::{MARKING, approved, published, rows, short_answers, task},
    lessons::{INSTRUCTION, allocate, published as arranged, room},
    openings::{ALLOCATION, id_of, open, opened, plan, rule, selections, semester},
    plans,
    questions::{bank, choices},
    students::{save, student},
    study::{TEACHING, detail, material},
};
use openapi::{
    demo::{PASSWORD, study::prepare},
    document,
};
use serde_json::{Value, json};
use simulator::{Act, Cast, Plan, Wanted};

const LEARNERS: usize = 4;
const WANTED: Wanted = Wanted { learners: LEARNERS, teachers: 2, seed: 7 };

/// A course that is studied, taught face to face and set homework, and an elective that is chosen now.
struct Scene<'s> {
    admin: Client<'s>,
    opening: i64,
    elective: i64,
    homework: i64,
    session: Value,
}

async fn scene(server: &Server) -> Scene<'_> {
    let (admin, teacher) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 36).await;
    let chosen = plans::course(&admin, "X1", 2.0, 36, 8).await;
    let spring = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    // Around today.
    server.run("update school_1.semester set starts_on = current_date - 40, ends_on = current_date + 40").await;
    plan(server, &p, &[(course, "compulsory", 1), (chosen, "elective", 1)]).await;
    for n in 1..=LEARNERS + 1 {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        save(&admin, body).await;
    }
    material(server, &admin, course, &[(600, 1)]).await;
    let opening = opened(&admin, spring, course).await;
    let elective = id_of(&admin, spring, chosen).await;
    open(&admin, elective).await;
    rule(server, &admin, spring, 20.0).await;
    allocate(&admin, opening, Some(class), teacher).await;
    let marker = json!({ "items": [{ "openingId": opening, "teacherId": teacher, "role": "marker" }] });
    assert_eq!(admin.post(&format!("{ALLOCATION}/save"), marker).await.code(), 200);
    let day = server.app.clock().today().checked_sub_days(Days::new(2)).expect("a day");
    let lesson = json!({
        "semesterId": spring, "courseId": course, "classes": [{ "classId": class, "openingId": opening }],
        "teacherId": teacher, "siteId": p.site, "classroomId": room(&admin, p.site, "301", 80).await, "kind": "lecture",
        "mode": "dates", "dates": [day], "periodFrom": 1, "periodTo": 4,
    });
    let session = arranged(&admin, lesson).await["meetings"][0]["id"].clone();
    let bank = bank(&admin, course, "ZY", "homework").await;
    let choices = choices(&admin, bank, 2, None, "单选").await;
    let words = short_answers(&admin, bank, 1).await;
    let paper = approved(&admin, course, &choices, &words).await;
    let homework = published(&admin, task(server, (spring, course, opening), paper, 600)).await;
    Scene { admin, opening, elective, homework, session }
}

async fn drawn(server: &Server) -> Cast {
    let mut tx = server.begin_in(1).await;
    simulator::cast(&mut tx, WANTED, server.app.clock().today()).await.expect("people")
}

async fn listed(client: &Client<'_>, path: &str, filter: Value) -> Vec<Value> {
    client.post(path, filter).await.data()["list"].as_array().expect("rows").clone()
}

#[tokio::test]
async fn what_clients_send_stands_in_the_lists() {
    let server = Server::start().await;
    let scene = scene(&server).await;
    let admin = &scene.admin;
    let listening = server.listen().await;
    let cast = drawn(&server).await;
    assert_eq!((cast.learners.len(), cast.teachers.len(), cast.rosters.len()), (LEARNERS, 1, 1));
    assert_eq!(drawn(&server).await.learners, cast.learners, "the same seed draws the same people");
    let mut played = Plan {
        address: format!("{}{}", listening.address, document::BASE),
        password: PASSWORD,
        host: HOST.to_owned(),
        clock: server.app.clock().clone(),
        run: "story".to_owned(),
        seed: WANTED.seed,
        length: Duration::from_secs(10),
        beat: Some(Duration::from_secs(1)),
        speed: 1.0,
        at_once: 4,
        sign_ins: 6_000,
    };
    let report = simulator::run(&played, &cast).await.expect("it runs");
    let wanted = [
        (Act::Password, LEARNERS as u64 + 1),
        (Act::Select, LEARNERS as u64),
        (Act::Ask, 2),
        (Act::Start, 3),
        (Act::Save, 3),
        (Act::Submit, 3),
        (Act::Reply, 2),
        (Act::Mark, 3),
        (Act::Attend, 1),
    ];
    let sent: Vec<(Act, u64)> = wanted.iter().map(|(act, _)| (*act, report.accepted(*act))).collect();
    assert_eq!(sent, wanted, "{report}");
    assert!(report.accepted(Act::Beat) >= LEARNERS as u64, "{report}");
    assert_eq!(report.refusals(), 0, "{report}");

    let chosen =
        selections(admin, json!({ "openingId": scene.elective, "source": "self", "status": "selected" })).await;
    assert_eq!(chosen.len(), LEARNERS);
    let studied = listed(admin, &format!("{TEACHING}/progress/list"), json!({ "openingId": scene.opening })).await;
    let studied: Vec<&Value> = studied.iter().filter(|row| row["lastAt"].is_string()).collect();
    assert_eq!(studied.len(), LEARNERS, "whoever was not drawn did not study");
    let seen = detail(admin, studied[0]["id"].as_i64().expect("a number")).await;
    assert!(seen["sessions"][0]["creditedSeconds"].as_i64().is_some_and(|seconds| seconds > 0), "{seen}");
    let counted: i64 = server.one("select sum(seconds)::bigint from school_1.study_day").await;
    assert_eq!((report.credited_seconds, report.rejected_seconds), (counted, 0), "no more is claimed than was played");
    let asked = listed(admin, &format!("{TEACHING}/qa/list"), json!({ "openingId": scene.opening })).await;
    assert!(asked.len() == 2 && asked.iter().all(|row| row["answered"] == json!(true)), "{asked:?}");
    let work = rows(admin, json!({ "homeworkId": scene.homework })).await;
    let in_state = |state: &str| work.iter().filter(|row| row["state"] == json!(state)).count();
    assert_eq!((in_state("marked"), in_state("not_started")), (3, 2), "{work:?}");
    let marked = listed(admin, &format!("{MARKING}/list"), json!({ "tab": "marked" })).await;
    assert!(marked.len() == 3 && marked.iter().all(|row| row["markedByName"] == json!("陈立新")), "{marked:?}");
    let roster = admin.get(&format!("{INSTRUCTION}/attendance/list?sessionId={}", scene.session)).await;
    let came = roster.data()["rows"].as_array().expect("a roster");
    assert!(came.len() == LEARNERS + 1 && came.iter().all(|row| row["source"] == json!("teacher")), "{came:?}");

    // Another day they come back with the password that they chose, and find what they have left.
    let cast = drawn(&server).await;
    assert!(cast.learners.iter().chain(&cast.teachers).all(|person| person.initial.is_none()));
    played.run = "again".to_owned();
    played.length = Duration::from_secs(2);
    let again = simulator::run(&played, &cast).await.expect("it runs");
    assert_eq!((again.accepted(Act::SignIn), again.accepted(Act::Password)), (LEARNERS as u64 + 1, 0), "{again}");
    assert_eq!((again.accepted(Act::Select), again.accepted(Act::Start), again.refusals()), (0, 0, 0), "{again}");
    listening.close().await;
}

#[tokio::test]
async fn nobody_plays_in_a_school_of_customers() {
    let server = Server::start().await;
    let told = async |code: &str| prepare(&server.app, code, WANTED).await.map_err(|error| error.msg).err();
    assert_eq!(told("demo01").await.as_deref(), Some("本数据库不是为演示建立的，不能模拟学习"));
    server.run("insert into platform.demonstration (id) values (true)").await;
    assert_eq!(told("demo01").await.as_deref(), Some("院校demo01不是演示院校，不能写入或清除演示数据"));
    assert_eq!(told("demo09").await.as_deref(), Some("没有代码为demo09的演示院校"));
    server.run("update platform.school set demo = true, domain = null where id = 1").await;
    server.tell("school:1").await;
    assert_eq!(told("demo01").await.as_deref(), Some("院校demo01没有可以学习的学生，请先用 demo fill 写入演示数据"));
    let domain: String = server.one("select domain from platform.school where id = 1").await;
    assert_eq!(domain, "demo01.localhost", "there people of the clients sign in");
}
