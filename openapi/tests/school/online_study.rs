//! Online study: the scenarios of part 03 B5 with their worked numbers, the players of students, questions and teachers.

use chrono::Duration;
use futures_util::future::join_all;
use infra::clock::day_ended;
use kit::{
    Client, Server,
    accounts::all_school_codes,
    clients::{self, entered, with_token},
    cohort::{Cohort, cohort},
    courses::{PERIOD, RECORD, chapter},
    fields,
    imports::taken_back,
    openings::{ALLOCATION, opened as open_course, plan, selection_of, semester},
    plans,
    sheets::{import, row_errors, texts},
    students::{id_number, save, student},
    study::{BEAT, TEACHING, beat, detail, material, opened, play, set, watch},
};
use poem::http::Method;
use serde_json::{Value, json};

const CHAPTERS: &str = "/user/client/course/chapters";
const QA: &str = "/user/client/study/qa";

/// A course that is taught to a class, with its videos.
struct Scene<'s> {
    admin: Client<'s>,
    teacher: i64,
    p: Cohort,
    course: i64,
    opening: i64,
    record: i64,
    periods: Vec<i64>,
    /// Of the students in their order.
    selections: Vec<i64>,
    students: Vec<i64>,
}

/// A compulsory course with videos of these lengths and weights, studied by so many students in a window of now.
async fn scene<'s>(server: &'s Server, videos: &[(i32, i32)], people: usize) -> Scene<'s> {
    let (admin, teacher) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let spring = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=people {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(save(&admin, body).await);
    }
    let (record, periods) = material(server, &admin, course, videos).await;
    let opening = open_course(&admin, spring, course).await;
    assert_eq!(set(server, &admin, opening, json!({})).await.code(), 200);
    let mut selections = Vec::new();
    for id in &students {
        selections.push(selection_of(&admin, *id, opening).await["id"].as_i64().expect("a number"));
    }
    Scene { admin, teacher, p, course, opening, record, periods, selections, students }
}

/// The n-th student in their client.
async fn learner<'s>(server: &'s Server, n: usize) -> Client<'s> {
    entered(server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
}

/// Scenarios 1, 2 and 4, and the worked course of three videos.
#[tokio::test]
async fn what_a_player_claims_is_counted_by_the_clock() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1), (600, 1), (600, 2)], 1).await;
    let own = learner(&server, 1).await;
    let selection = scene.selections[0];
    let ticket = opened(&own, selection, scene.periods[0]).await.data().clone();
    assert_eq!(
        (&ticket["beatSeconds"], &ticket["maxSpeed"], &ticket["position"]),
        (&json!(30), &json!(1.5), &json!(0))
    );
    assert_eq!(ticket["channel"], json!("polyv"));
    assert!(ticket["watermark"].as_str().is_some_and(|mark| mark.ends_with("2600000001")), "{ticket}");
    let session = ticket["playSessionId"].as_i64().expect("a session");
    server.app.clock().shift(Duration::seconds(30));
    let first = beat(&own, session, 1, &[[0, 300]]).await;
    let told = first.data();
    assert_eq!((&told["creditedSeconds"], &told["rejectedSeconds"]), (&json!(35), &json!(265)), "{told}");
    let again = own
        .unlooked(
            Method::POST,
            BEAT,
            Some(&json!({ "playSessionId": session, "seq": 1, "event": "play", "segments": [[0, 300]] })),
        )
        .await;
    assert_eq!(again.data(), first.data(), "sent again it counts once");
    server.app.clock().shift(Duration::seconds(30));
    let jumped = beat(&own, session, 2, &[[300, 330]]).await;
    assert_eq!(jumped.data()["creditedSeconds"], json!(0), "nobody jumps to what was not watched: {}", jumped.body);
    let seen = detail(&scene.admin, selection).await;
    assert_eq!((&seen["rejectedSeconds"], &seen["sessions"][0]["creditedSeconds"]), (&json!(295), &json!(35)));
    // The course: 100, 70.0, and 95 on a rule of 90, which is finished.
    watch(&server, &own, selection, scene.periods[0], 600).await;
    watch(&server, &own, selection, scene.periods[1], 420).await;
    let last = watch(&server, &own, selection, scene.periods[2], 570).await;
    assert_eq!(
        (&last["progress"], &last["finished"], &last["courseProgress"]),
        (&json!(95.0), &json!(true), &json!(92.5))
    );
    let seen = detail(&scene.admin, selection).await;
    assert_eq!(
        (&seen["progress"], &seen["finishedPeriods"], &seen["totalPeriods"]),
        (&json!(92.5), &json!(2), &json!(3))
    );
    let chosen = scene.admin.get(&format!("/adult/pc/adult/selection/view?id={selection}")).await;
    assert_eq!(chosen.data()["progress"], json!(92.5), "the roster tells it too");
    assert_eq!((&seen["periods"][1]["progress"], &seen["periods"][2]["progress"]), (&json!(70.0), &json!(95.0)));
    assert_eq!((&seen["loginDays"], seen["lastAt"].is_string()), (&json!(1), true));
    let shown = own.get(&format!("{CHAPTERS}?selectionId={selection}")).await.data().clone();
    let periods = &shown["chapters"][0]["periods"];
    assert_eq!((&periods[0]["finished"], &periods[1]["lastPosition"]), (&json!(true), &json!(420)), "{shown}");
    let mut tx = server.begin_in(1).await;
    assert_eq!(online_study::progress_of(&mut tx, selection).await, Ok(Some(92.5)));
    assert_eq!(online_study::required_progress_of(&mut tx, scene.opening).await, Ok(0));
    drop(tx);
    // What others read of it.
    let summary: (i64, i32, i32) = (
        server.one(&format!("select study_minutes from school_1.study_summary where selection_id = {selection}")).await,
        server.one(&format!("select video_done from school_1.study_summary where selection_id = {selection}")).await,
        server.one(&format!("select video_total from school_1.study_summary where selection_id = {selection}")).await,
    );
    assert_eq!(summary, ((35 + 600 + 420 + 570) / 60, 2, 3));
}

/// Beats in quick succession, sessions begun again and again, and a server whose clock is behind: all together come five seconds
/// ahead of the clock, once.
#[tokio::test]
async fn nobody_runs_ahead_of_the_clock() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1), (600, 1)], 1).await;
    let own = learner(&server, 1).await;
    let selection = scene.selections[0];
    let begun = server.app.clock().now();
    let credited = |answer: &kit::Answer| answer.data()["creditedSeconds"].as_i64().expect("seconds");
    let mut all = 0;
    let mut session = play(&own, selection, scene.periods[0]).await;
    for seq in 1..=10 {
        let at = i32::try_from(all).expect("seconds");
        all += credited(&beat(&own, session, seq, &[[at, at + 5]]).await);
    }
    for _ in 0..5 {
        session = play(&own, selection, scene.periods[0]).await;
        let at = i32::try_from(all).expect("seconds");
        all += credited(&beat(&own, session, 1, &[[at, at + 5]]).await);
    }
    let passed = (server.app.clock().now() - begun).num_seconds();
    assert!(all >= 5 && all <= passed + 5, "{all} seconds in {passed}");
    // Half a minute, counted by a server that is twenty seconds before the one that takes the next beats.
    let from = server.app.clock().now();
    server.app.clock().shift(Duration::seconds(30));
    let at = i32::try_from(all).expect("seconds");
    let mut more = credited(&beat(&own, session, 2, &[[at, at + 60]]).await);
    server.app.clock().shift(Duration::seconds(-20));
    more += credited(&beat(&own, session, 3, &[[0, 60]]).await);
    session = play(&own, selection, scene.periods[1]).await;
    server.app.clock().shift(Duration::seconds(10));
    more += credited(&beat(&own, session, 1, &[[0, 60]]).await);
    server.app.clock().shift(Duration::seconds(10));
    let passed = (server.app.clock().now() - from).num_seconds();
    assert!(more >= 25 && more <= passed + 5, "{more} seconds in {passed}");
    // The same again in the trail of who watches.
    let kept: i64 = server.one("select sum(credited_seconds) from school_1.study_session").await;
    assert_eq!(kept, all + more);
}

/// Numbers that no player sends.
#[tokio::test]
async fn what_no_player_says_is_refused_or_counts_nothing() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1)], 1).await;
    let own = learner(&server, 1).await;
    let say = async |session: i64, seq: i64, more: Value| {
        let mut body = json!({ "playSessionId": session, "seq": seq, "event": "play", "segments": [] });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        own.post(BEAT, body).await
    };
    for wrong in [
        json!({ "speed": 0 }),
        json!({ "speed": -1 }),
        json!({ "speed": 1e300 }),
        json!({ "seq": 0 }),
        json!({ "position": -1 }),
        json!({ "segments": vec![[0, 1]; 201] }),
        json!({ "segments": [[0, 1, 2]] }),
    ] {
        let answer = say(1, 1, wrong.clone()).await;
        assert_eq!(answer.code(), 422, "{wrong} {}", answer.body);
    }
    let session = play(&own, scene.selections[0], scene.periods[0]).await;
    server.app.clock().shift(Duration::seconds(30));
    let wide =
        say(session, 1, json!({ "segments": [[i32::MIN, i32::MAX], [50, 20], [700, 900]], "pages": [1, 2] })).await;
    assert_eq!(wide.data()["creditedSeconds"], json!(35), "{}", wide.body);
    assert_eq!(wide.data()["rejectedSeconds"], json!(565));
    server.app.clock().shift(Duration::seconds(30));
    let fast = say(session, 3, json!({ "segments": [[35, 200]], "speed": 16 })).await;
    let told = fast.data().clone();
    assert!(told["creditedSeconds"].as_i64().is_some_and(|seconds| (45..=47).contains(&seconds)), "{told}");
    // One that comes late behind another gets the other's answer, and changes nothing.
    let late = say(session, 2, json!({ "segments": [[100, 130]] })).await;
    assert_eq!(late.data(), &told);
    server.app.clock().shift(Duration::seconds(10));
    let ended = say(session, 4, json!({ "event": "end" })).await;
    assert_eq!(ended.code(), 200, "{}", ended.body);
    assert_eq!(say(session, 4, json!({ "event": "end" })).await.data(), ended.data(), "its answer stays");
    assert_eq!(say(session, 5, json!({ "segments": [[0, 5]] })).await.refused(), (409, "会话已结束"));
    let spans: String = server.one("select watched::text from school_1.study_progress").await;
    assert!(spans.starts_with("{[0,8"), "{spans}");
    // Nobody fills the table of sessions.
    server
        .run(&format!(
            "insert into school_1.study_session (selection_id, student_id, period_id, sign_in, started_at, last_beat_at, ended_at,
                 end_reason)
             select selection_id, student_id, period_id, sign_in, started_at, last_beat_at, last_beat_at, 'closed'
             from school_1.study_session, generate_series(1, 499) where id = {session}"
        ))
        .await;
    let refused = opened(&own, scene.selections[0], scene.periods[0]).await;
    assert_eq!(refused.refused(), (429, "今日打开课时已达500次，请明天再学习"));
}

/// The time of a day begins anew at midnight in China, whatever the zone of the server.
#[tokio::test]
async fn a_day_of_study_ends_at_midnight() {
    let server = Server::start().await;
    let until_midnight = || {
        let now = server.app.clock().now();
        day_ended(server.app.clock().today()) - now
    };
    // Before anybody signs in, so that no session grows old on the way.
    let mut ahead = until_midnight() - Duration::minutes(30);
    if ahead < Duration::zero() {
        ahead += Duration::days(1);
    }
    server.app.clock().shift(ahead);
    let scene = scene(&server, &[(600, 1)], 1).await;
    assert_eq!(set(&server, &scene.admin, scene.opening, json!({ "dailyLimitMinutes": 1 })).await.code(), 200);
    let own = learner(&server, 1).await;
    let (selection, period) = (scene.selections[0], scene.periods[0]);
    server.app.clock().shift(until_midnight() - Duration::seconds(90));
    let session = play(&own, selection, period).await;
    server.app.clock().shift(Duration::seconds(70));
    assert_eq!(beat(&own, session, 1, &[[0, 70]]).await.data()["creditedSeconds"], json!(60));
    assert_eq!(opened(&own, selection, period).await.refused(), (409, "今日学习时长已达上限"));
    server.app.clock().shift(until_midnight() + Duration::seconds(1));
    let session = play(&own, selection, period).await;
    server.app.clock().shift(Duration::seconds(20));
    assert_eq!(beat(&own, session, 1, &[[60, 80]]).await.data()["creditedSeconds"], json!(20));
    let days: Vec<i32> = server.one("select array_agg(seconds order by day) from school_1.study_day").await;
    assert_eq!(days, [60, 20]);
    let counted: i32 = server.one("select login_days from school_1.study_course_progress").await;
    assert_eq!(counted, 2);
}

/// Scenario 3, and a player that falls silent.
#[tokio::test]
async fn a_student_studies_in_one_place() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1), (600, 1)], 1).await;
    let first = learner(&server, 1).await;
    let selection = scene.selections[0];
    let one = play(&first, selection, scene.periods[0]).await;
    let second = with_token(&server, &clients::sign_in(&server, "2600000001", clients::OWN, "student").await);
    let two = play(&second, selection, scene.periods[1]).await;
    assert_eq!(beat(&first, one, 1, &[[0, 5]]).await.code(), 303, "who signs in elsewhere is signed out here");
    server.app.clock().shift(Duration::seconds(20));
    assert_eq!(beat(&second, two, 1, &[[0, 20]]).await.data()["creditedSeconds"], json!(20));
    // The same device goes on to another period.
    let next = play(&second, selection, scene.periods[0]).await;
    assert_eq!(beat(&second, two, 2, &[[20, 30]]).await.refused(), (409, "会话已结束"));
    server.app.clock().shift(Duration::seconds(121));
    assert_eq!(beat(&second, next, 1, &[[0, 30]]).await.refused(), (409, "会话已结束"));
    let reasons: Vec<String> = server.one("select array_agg(end_reason order by id) from school_1.study_session").await;
    assert_eq!(reasons, ["other_device", "other_period", "silent"]);
    // Twenty that open something at once leave one session that lives.
    let calls = (0..20).map(|n| opened(&second, selection, scene.periods[n % 2]));
    let answers = join_all(calls).await;
    assert!(answers.iter().all(|answer| matches!(answer.code(), 200 | 409)), "{:?}", answers[0].body);
    let live: i64 = server.one("select count(*) from school_1.study_session where ended_at is null").await;
    assert_eq!(live, 1);
}

/// Scenario 7 in small: beats of many at once, and many of one at once, lose nothing and count nothing twice.
#[tokio::test]
async fn beats_at_once_lose_nothing() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1)], 8).await;
    let mut players = Vec::new();
    for (n, selection) in (1..).zip(&scene.selections) {
        let own = learner(&server, n).await;
        let session = play(&own, *selection, scene.periods[0]).await;
        players.push((own, session));
    }
    for seq in 1..=5 {
        server.app.clock().shift(Duration::seconds(60));
        let from = (i32::try_from(seq).expect("a number") - 1) * 60;
        let calls =
            players.iter().map(|(own, session)| async move { beat(own, *session, seq, &[[from, from + 60]]).await });
        let answers = join_all(calls).await;
        assert!(answers.iter().all(|answer| answer.data()["creditedSeconds"] == json!(60)), "{}", answers[0].body);
    }
    let whole: i64 = server
        .one("select count(*) from school_1.study_course_progress where progress = 50.0 and study_seconds = 300")
        .await;
    assert_eq!(whole, 8);
    // One beat that comes ten times at once.
    server.app.clock().shift(Duration::seconds(60));
    let (own, session) = &players[0];
    let body = json!({ "playSessionId": session, "seq": 6, "event": "play", "segments": [[300, 360]] });
    let answers = join_all((0..10).map(|_| own.unlooked(Method::POST, BEAT, Some(&body)))).await;
    assert!(answers.iter().all(|answer| answer.data() == answers[0].data()), "{}", answers[0].body);
    let seconds: i32 =
        server.one(&format!("select credited_seconds from school_1.study_session where id = {session}")).await;
    assert_eq!(seconds, 360);
}

/// Scenario 8, whoever acts for a student, and whoever does not study now.
#[tokio::test]
async fn nobody_studies_for_another() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1)], 2).await;
    let (own, other) = (learner(&server, 1).await, learner(&server, 2).await);
    let session = play(&own, scene.selections[0], scene.periods[0]).await;
    assert_eq!(beat(&other, session, 1, &[[0, 5]]).await.code(), 404);
    assert_eq!(opened(&other, scene.selections[0], scene.periods[0]).await.code(), 404);
    assert_eq!(other.get(&format!("{CHAPTERS}?selectionId={}", scene.selections[0])).await.code(), 404);
    assert_eq!(other.get(&format!("{QA}/list?selectionId={}", scene.selections[0])).await.code(), 404);
    let why = "reason=%E6%A0%B8%E5%AF%B9%E8%AF%BE%E7%A8%8B";
    let refused = (403, "代登录只能查看，不能代为学习、作答或批阅");
    for codes in [
        vec!["user:pc:student:oneClickLogin"],
        vec!["user:pc:student:oneClickLogin", "user:pc:student:oneClickLogin:write"],
    ] {
        let staff = server.staff(1, &codes).await;
        let entry = staff.get(&format!("/user/pc/student/oneClickLogin?id={}&{why}", scene.students[0])).await;
        let inside = with_token(&server, &entry);
        assert_eq!(inside.get(&format!("{CHAPTERS}?selectionId={}", scene.selections[0])).await.code(), 200);
        assert_eq!(opened(&inside, scene.selections[0], scene.periods[0]).await.refused(), refused);
        assert_eq!(beat(&inside, session, 1, &[[0, 5]]).await.refused(), refused);
        let asked = json!({ "requestId": "q-1", "selectionId": scene.selections[0], "title": "问", "content": "问" });
        assert_eq!(inside.post(&format!("{QA}/save"), asked).await.refused(), refused);
    }
    assert_eq!(scene.admin.get(&format!("{CHAPTERS}?selectionId=1")).await.code(), 403, "staff are no students");
    // Each client has its own calls, and in them its own rows.
    let teacher = clients::signed_in(&server).await;
    assert_eq!(opened(&teacher, scene.selections[0], scene.periods[0]).await.code(), 403);
    assert_eq!(beat(&teacher, session, 1, &[[0, 5]]).await.code(), 403);
    let reply = json!({ "requestId": "r-1", "qaId": 1, "content": "答" });
    assert_eq!(own.post("/user/client/teacher/qa/reply", reply.clone()).await.code(), 403);
    assert_eq!(own.post(&format!("{QA}/reply"), reply).await.code(), 404);
    let asked = json!({ "requestId": "q-1", "selectionId": scene.selections[0], "title": "问", "content": "问" });
    assert_eq!(other.post(&format!("{QA}/save"), asked).await.code(), 404);
    server.run(&format!("update school_1.student set status = 'suspended' where id = {}", scene.students[0])).await;
    assert_eq!(own.get(&format!("{CHAPTERS}?selectionId={}", scene.selections[0])).await.code(), 200);
    assert_eq!(opened(&own, scene.selections[0], scene.periods[0]).await.refused(), (403, "当前学籍状态不能学习"));
    assert_eq!(beat(&own, session, 1, &[[0, 5]]).await.refused(), (403, "当前学籍状态不能学习"));
}

/// The window, the time of a day, the order of periods, and what is no period of the course.
#[tokio::test]
async fn a_course_is_studied_as_it_is_set() {
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1), (100, 1)], 1).await;
    let own = learner(&server, 1).await;
    let (selection, admin) = (scene.selections[0], &scene.admin);
    let rule = json!({ "sequential": true, "dailyLimitMinutes": 2, "finishPercent": 80, "requiredProgress": 60 });
    assert_eq!(set(&server, admin, scene.opening, rule).await.code(), 200);
    assert_eq!(opened(&own, selection, scene.periods[1]).await.refused(), (409, "请先完成前面的课时"));
    let shown = own.get(&format!("{CHAPTERS}?selectionId={selection}")).await.data().clone();
    let locked = |n: usize| shown["chapters"][0]["periods"][n]["locked"].clone();
    assert_eq!((locked(0), locked(1)), (json!(false), json!(true)));
    let session = play(&own, selection, scene.periods[0]).await;
    server.app.clock().shift(Duration::seconds(80));
    let done = beat(&own, session, 1, &[[0, 80]]).await.data().clone();
    assert_eq!((&done["finished"], &done["courseProgress"]), (&json!(true), &json!(50.0)));
    // Of the two minutes of a day forty seconds are left.
    let session = play(&own, selection, scene.periods[1]).await;
    server.app.clock().shift(Duration::seconds(60));
    let counted = beat(&own, session, 1, &[[0, 60]]).await.data().clone();
    assert_eq!((&counted["creditedSeconds"], &counted["rejectedSeconds"]), (&json!(40), &json!(20)), "{counted}");
    server.app.clock().shift(Duration::seconds(10));
    assert_eq!(beat(&own, session, 2, &[[40, 50]]).await.refused(), (409, "今日学习时长已达上限"));
    assert_eq!(opened(&own, selection, scene.periods[1]).await.refused(), (409, "今日学习时长已达上限"));
    assert_eq!(opened(&own, selection, scene.periods[1] + 99).await.code(), 404);
    let day = |days: i64| server.app.clock().now() + Duration::days(days);
    let over = json!({ "studyStartsAt": day(-3), "studyEndsAt": day(-1), "dailyLimitMinutes": 0 });
    assert_eq!(set(&server, admin, scene.opening, over).await.code(), 200);
    assert_eq!(opened(&own, selection, scene.periods[0]).await.refused(), (409, "不在学习时间内"));
    let mut tx = server.begin_in(1).await;
    assert_eq!(online_study::required_progress_of(&mut tx, scene.opening).await, Ok(0), "an edit replaces");
    drop(tx);
    // Who left the course sees nothing of it.
    server
        .run(&format!(
            "update school_1.course_selection set status = 'dropped', dropped_at = now() where id = {selection}"
        ))
        .await;
    let gone = own.get(&format!("{CHAPTERS}?selectionId={selection}")).await;
    assert_eq!(gone.refused(), (409, "该课程的选课为已退选，不能学习"));
}

/// What is typed wrong, of another course, read by two people at once, or of an opening that is not taught.
#[tokio::test]
async fn how_a_course_is_studied_is_set_by_whoever_sees_all_of_it() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1)], 1).await;
    let admin = &scene.admin;
    let day = |days: i64| server.app.clock().now() + Duration::days(days);
    let wrong = set(&server, admin, scene.opening, json!({ "studyEndsAt": day(-2) })).await;
    assert_eq!(fields(&wrong), ["studyEndsAt: 学习结束时间应晚于开始时间"]);
    let wrong = set(&server, admin, scene.opening, json!({ "maxSpeed": 1.25 })).await;
    assert_eq!(fields(&wrong), ["maxSpeed: 最高倍速最多一位小数"]);
    let other = plans::course(admin, "B1", 3.0, 54, 14).await;
    let (foreign, _) = material(&server, admin, other, &[(60, 1)]).await;
    let wrong = set(&server, admin, scene.opening, json!({ "courseRecordId": foreign })).await;
    assert_eq!(fields(&wrong), ["courseRecordId: 所选课程资源不属于该课程，请重新选择"]);
    let copy = admin.post(&format!("{RECORD}/copy"), json!({ "id": scene.record })).await.id();
    let wrong = set(&server, admin, scene.opening, json!({ "courseRecordId": copy })).await;
    assert_eq!(fields(&wrong), ["courseRecordId: “录播”未上架，请先上架"]);
    // Two who read the same: the second is told.
    let seen = admin.get(&format!("{TEACHING}/view?id={}", scene.opening)).await.data().clone();
    let edit = json!({ "id": scene.opening, "version": seen["version"], "finishPercent": 95 });
    assert_eq!(admin.put(&format!("{TEACHING}/edit"), edit.clone()).await.code(), 200);
    assert_eq!(admin.put(&format!("{TEACHING}/edit"), edit).await.code(), 409);
    // Many at once; what is left out stays.
    let all = json!({ "openingIds": [scene.opening, scene.opening + 999], "requiredProgress": 60 });
    let done = admin.put(&format!("{TEACHING}/batchEdit"), all).await.data().clone();
    assert_eq!((&done["done"], &done["failed"][0]["msg"]), (&json!(1), &json!("无权操作该数据")), "{done}");
    let seen = admin.get(&format!("{TEACHING}/view?id={}", scene.opening)).await.data().clone();
    assert_eq!((&seen["finishPercent"], &seen["requiredProgress"]), (&json!(95), &json!(60)));
    assert_eq!(
        (&seen["resource"], &seen["studentCount"], &seen["recordId"]),
        (&json!("ready"), &json!(1), &json!(scene.record))
    );
    let nothing = admin.put(&format!("{TEACHING}/batchEdit"), json!({ "openingIds": [scene.opening] })).await;
    assert_eq!(nothing.refused(), (422, "请至少填写一项要修改的内容"));
    let listed = admin.post(&format!("{TEACHING}/list"), json!({ "resource": "ready" })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
    let sheet = texts(&admin.post(&format!("{TEACHING}/export"), json!({})).await.bytes);
    assert_eq!((sheet[1][2].as_str(), sheet[1][6].as_str()), ("课程A1", "录播"), "{sheet:?}");
    // What a course is taught with stays on the shelf, and what somebody studied stays.
    let off = json!({ "id": scene.record, "status": "off_shelf" });
    let refused = admin.put(&format!("{RECORD}/update/status"), off).await;
    assert_eq!(refused.refused(), (409, "1个在开课程正在使用该资源"));
    let uses = admin.get(&format!("{RECORD}/uses?id={}", scene.record)).await.data().clone();
    assert_eq!(
        (&uses[0]["openingId"], &uses[0]["statusName"], &uses[0]["byDefault"], &uses[1]),
        (&json!(scene.opening), &json!("已开课"), &json!(true), &json!(null))
    );
    assert_eq!(*admin.get(&format!("{RECORD}/uses?id={copy}")).await.data(), json!([]));
    let own = learner(&server, 1).await;
    assert_eq!(set(&server, admin, scene.opening, json!({})).await.code(), 200);
    watch(&server, &own, scene.selections[0], scene.periods[0], 100).await;
    let refused = admin.delete(&format!("{PERIOD}/delete?id={}", scene.periods[0])).await;
    assert_eq!(refused.refused(), (409, "已有1名学生学习该课时，请改为停用"));
    // Somebody of another site sees nothing of it.
    let other = json!({ "code": "XQ", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[other]).await;
    assert_eq!(narrow.post(&format!("{TEACHING}/list"), json!({})).await.data()["totalCount"], json!(0));
    assert_eq!(narrow.get(&format!("{TEACHING}/view?id={}", scene.opening)).await.code(), 404);
    // Whoever sees a part of it sets nothing.
    let second = json!({ "code": "C2", "gradeId": scene.p.grade, "levelId": scene.p.level, "majorId": scene.p.major, "siteId": other });
    admin.post("/adult/pc/class/save", second).await.id();
    let edit = json!({ "id": scene.opening, "version": 1, "finishPercent": 60 });
    let refused = narrow.put(&format!("{TEACHING}/edit"), edit).await;
    assert_eq!(refused.refused(), (403, "该记录包含您管辖范围以外的班级，不能修改"));
    server.run("update school_1.semester set closed_at = now()").await;
    let refused = set(&server, admin, scene.opening, json!({})).await;
    assert_eq!(refused.refused(), (409, "学期“2026年春季学期”已关闭，不能修改"));
}

/// Scenario 5, and material that is replaced by a shorter one.
#[tokio::test]
async fn progress_follows_its_periods_and_what_is_finished_stays() {
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1), (100, 1), (600, 1)], 2).await;
    let (done, on_the_way) = (learner(&server, 1).await, learner(&server, 2).await);
    for (period, seconds) in scene.periods.iter().zip([100, 100, 600]) {
        watch(&server, &done, scene.selections[0], *period, seconds).await;
    }
    watch(&server, &on_the_way, scene.selections[1], scene.periods[0], 100).await;
    watch(&server, &on_the_way, scene.selections[1], scene.periods[2], 300).await;
    let progress = async |n: usize| detail(&scene.admin, scene.selections[n]).await["progress"].clone();
    assert_eq!((progress(0).await, progress(1).await), (json!(100.0), json!(50.0)));
    let off = json!({ "id": scene.periods[1], "enabled": false });
    assert_eq!(scene.admin.put(&format!("{PERIOD}/update/status"), off).await.code(), 200);
    server.when_due("study.recompute", Duration::minutes(2)).await;
    let is = |n: usize, wanted: &str| {
        format!("select progress = {wanted} from school_1.study_course_progress where id = {}", scene.selections[n])
    };
    server.wait_until(&is(1, "75.0")).await;
    assert_eq!(progress(0).await, json!(100.0));
    // 300 of 600 seconds, then of 400.
    server
        .run(&format!("update school_1.course_period set duration_seconds = 400 where id = {}", scene.periods[2]))
        .await;
    server.when_due("study.recompute", Duration::minutes(2)).await;
    server.wait_until(&is(1, "87.5")).await;
    let seen = detail(&scene.admin, scene.selections[1]).await;
    assert_eq!(seen["periods"][1]["progress"], json!(75.0), "{seen}");
    // A period more: whoever was done stays so.
    server.run(&format!("update school_1.course_period set enabled = true where id = {}", scene.periods[1])).await;
    server.when_due("study.recompute", Duration::minutes(2)).await;
    server.wait_until(&is(1, "58.3")).await;
    assert_eq!(progress(0).await, json!(100.0));
    // Of a share of 70 % the long one is finished.
    assert_eq!(set(&server, &scene.admin, scene.opening, json!({ "finishPercent": 70 })).await.code(), 200);
    server.when_due("study.recompute", Duration::minutes(2)).await;
    server.wait_until(&is(1, "66.7")).await;
    // Of what is left once the one that they lack is gone, they have all (A6).
    let off = json!({ "id": scene.periods[1], "enabled": false });
    assert_eq!(scene.admin.put(&format!("{PERIOD}/update/status"), off).await.code(), 200);
    server.when_due("study.recompute", Duration::minutes(2)).await;
    server.wait_until(&is(1, "100.0")).await;
    assert_eq!(progress(1).await, json!(100.0));
}

/// Scenario 6, what a sheet may say, and its undoing.
#[tokio::test]
async fn progress_from_elsewhere_never_lowers_and_goes_back() {
    const HEADINGS: [&str; 6] = ["学号", "课程代码", "学期编码", "课程进度(%)", "学习时长(分钟)", "完成日期"];
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1), (600, 1), (600, 2)], 2).await;
    let own = learner(&server, 1).await;
    watch(&server, &own, scene.selections[0], scene.periods[0], 600).await;
    watch(&server, &own, scene.selections[0], scene.periods[1], 420).await;
    watch(&server, &own, scene.selections[0], scene.periods[2], 570).await;
    let admin = &scene.admin;
    let yesterday = (server.app.clock().today() - Duration::days(1)).to_string();
    let rows: [&[&str]; 2] =
        [&["2600000001", "A1", "2026-1", "80", "600", ""], &["2600000002", "A1", "2026-1", "40.5", "90", ""]];
    let told = import(admin, TEACHING, &HEADINGS, &rows).await.data().clone();
    assert_eq!((&told["imported"], &told["errors"]), (&json!(2), &json!([])), "{told}");
    let progress = async |n: usize| {
        let seen = detail(admin, scene.selections[n]).await;
        (seen["progress"].clone(), seen["importedProgress"].clone())
    };
    assert_eq!(progress(0).await, (json!(92.5), json!(80.0)));
    assert_eq!(progress(1).await, (json!(40.5), json!(40.5)));
    let lower: [&[&str]; 1] = [&["2600000002", "A1", "2026-1", "30", "", ""]];
    assert_eq!(import(admin, TEACHING, &HEADINGS, &lower).await.data()["imported"], json!(1));
    assert_eq!(progress(1).await.0, json!(40.5));
    let wrong: [&[&str]; 6] = [
        &["2600000001", "A1", "2026-1", "101", "", ""],
        &["2600000009", "A1", "2026-1", "80", "", ""],
        &["2600000002", "ZZ", "2026-1", "80", "", ""],
        &["2600000002", "A1", "2026-1", "80", "", &yesterday],
        &["2600000002", "A1", "2026-1", "", "", ""],
        &["2600000001", "A1", "2026-1", "50", "", ""],
    ];
    let told = import(admin, TEACHING, &HEADINGS, &wrong).await;
    let errors = row_errors(told.data());
    assert_eq!(errors.len(), 6, "{errors:?}");
    assert_eq!(errors[0], "2 课程进度(%): 应在0到100之间");
    assert_eq!(errors[1], "3 学号: 没有该学号的学生");
    assert_eq!(errors[2], "4 课程代码: 编码“ZZ”不存在");
    assert_eq!(errors[3], "5 完成日期: 进度为100时才能填写完成日期");
    assert_eq!(errors[5], "7 课程代码: 与第2行是同一名学生的同一门课程");
    // The newest goes back.
    let whole: [&[&str]; 1] = [&["2600000002", "A1", "2026-1", "100", "", &yesterday]];
    assert_eq!(import(admin, TEACHING, &HEADINGS, &whole).await.data()["imported"], json!(1));
    let seen = detail(admin, scene.selections[1]).await;
    assert_eq!(seen["progress"], json!(100.0));
    assert!(seen["finishedAt"].is_string(), "{seen}");
    let (message, stays) = taken_back(admin, "学习进度").await;
    assert!(stays.is_empty(), "{message} {stays:?}");
    let seen = detail(admin, scene.selections[1]).await;
    assert_eq!((&seen["progress"], &seen["finishedAt"]), (&json!(40.5), &Value::Null));
}

/// What a student finished themselves stays when an import goes; a reminder is no change of it; nothing comes into a closed semester.
#[tokio::test]
async fn an_import_takes_nothing_of_the_students_own_with_it() {
    const HEADINGS: [&str; 4] = ["学号", "课程代码", "学期编码", "课程进度(%)"];
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1), (100, 1)], 2).await;
    let (first, second) = (learner(&server, 1).await, learner(&server, 2).await);
    for period in &scene.periods {
        watch(&server, &first, scene.selections[0], *period, 100).await;
    }
    watch(&server, &second, scene.selections[1], scene.periods[0], 100).await;
    let admin = &scene.admin;
    let finished = detail(admin, scene.selections[0]).await["finishedAt"].clone();
    assert!(finished.is_string());
    let rows: [&[&str]; 2] = [&["2600000001", "A1", "2026-1", "100"], &["2600000002", "A1", "2026-1", "70"]];
    assert_eq!(import(admin, TEACHING, &HEADINGS, &rows).await.data()["imported"], json!(2));
    assert_eq!(detail(admin, scene.selections[1]).await["progress"], json!(70.0));
    let told = admin.post(&format!("{TEACHING}/remind"), json!({ "selectionIds": [scene.selections[1]] })).await;
    assert_eq!(told.data()["done"], json!(1), "{}", told.body);
    assert!(detail(admin, scene.selections[1]).await["remindedAt"].is_string());
    let (message, stays) = taken_back(admin, "学习进度").await;
    assert!(stays.is_empty(), "{message} {stays:?}");
    let seen = detail(admin, scene.selections[0]).await;
    assert_eq!((&seen["progress"], &seen["finishedAt"]), (&json!(100.0), &finished));
    assert_eq!(detail(admin, scene.selections[1]).await["progress"], json!(50.0));
    // What the course was studied with is off the shelf once it is over: what was counted stays, and nothing lowers it.
    server.run(&format!("update school_1.course_record set status = 'off_shelf' where id = {}", scene.record)).await;
    let less: [&[&str]; 1] = [&["2600000002", "A1", "2026-1", "30"]];
    assert_eq!(import(admin, TEACHING, &HEADINGS, &less).await.data()["imported"], json!(1));
    assert_eq!(detail(admin, scene.selections[1]).await["progress"], json!(50.0));
    // Whoever sees the site of others is told nothing of these students.
    let other = json!({ "code": "XQ", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    let narrow = server.staff_within(1, &["adult:pc:onlineTeaching:import"], "named_sites", &[other]).await;
    let unknown: [&[&str]; 1] = [&["2600000002", "ZZ", "2026-1", "30"]];
    let errors = row_errors(import(&narrow, TEACHING, &HEADINGS, &unknown).await.data());
    assert!(errors.contains(&"2 学号: 无权操作该数据".to_owned()), "{errors:?}");
    server.run("update school_1.semester set closed_at = now()").await;
    let errors = row_errors(import(admin, TEACHING, &HEADINGS, &less).await.data());
    assert_eq!(errors, ["2 学期编码: 学期“2026年春季学期”已关闭，不能修改"]);
}

/// What a student studied is taken back with a reason; sessions stay.
#[tokio::test]
async fn what_was_studied_is_taken_back_with_a_reason() {
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1), (100, 1)], 1).await;
    let own = learner(&server, 1).await;
    let (selection, admin) = (scene.selections[0], &scene.admin);
    for period in &scene.periods {
        watch(&server, &own, selection, *period, 100).await;
    }
    let live = play(&own, selection, scene.periods[0]).await;
    let reset = async |more: Value| {
        let mut body = json!({ "selectionId": selection, "reason": "他人代学" });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        admin.put(&format!("{TEACHING}/reset"), body).await
    };
    assert_eq!(reset(json!({ "reason": "" })).await.code(), 422);
    assert_eq!(reset(json!({ "periodIds": [scene.periods[0]] })).await.code(), 200);
    assert_eq!(beat(&own, live, 1, &[[0, 5]]).await.refused(), (409, "会话已结束"));
    let seen = detail(admin, selection).await;
    assert_eq!(
        (&seen["progress"], &seen["finishedAt"], &seen["studyMinutes"]),
        (&json!(50.0), &Value::Null, &json!(3))
    );
    assert_eq!(reset(json!({ "periodIds": [scene.periods[0]] })).await.refused(), (409, "没有可重置的学习记录"));
    assert_eq!(reset(json!({})).await.code(), 200);
    let seen = detail(admin, selection).await;
    assert_eq!((&seen["progress"], &seen["studyMinutes"], &seen["loginDays"]), (&json!(0.0), &json!(0), &json!(0)));
    assert_eq!(seen["sessions"].as_array().map(Vec::len), Some(3), "the sessions stay");
    let told: String = server
        .one("select changes::text from school_1.audit_log where entity_type = 'study_course_progress' and action = 'reset' order by id desc limit 1")
        .await;
    assert!(told.contains("他人代学") && told.contains("50"), "{told}");
}

/// Lists, figures and reminders of the students that somebody sees.
#[tokio::test]
async fn a_site_sees_and_reminds_its_own() {
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1)], 3).await;
    let own = learner(&server, 1).await;
    watch(&server, &own, scene.selections[0], scene.periods[0], 100).await;
    let admin = &scene.admin;
    let other = json!({ "code": "XQ", "name": "城西教学点", "kind": "headquarter" });
    let other = admin.post("/adult/pc/site/save", other).await.id();
    server
        .run(&format!(
            "update school_1.student set site_id = {other}, class_id = null where id = {}",
            scene.students[2]
        ))
        .await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let narrow = server.staff_within(1, &codes, "named_sites", &[scene.p.site]).await;
    let list = async |client: &Client<'_>, filter: Value| {
        client.post(&format!("{TEACHING}/progress/list"), filter).await.data()["totalCount"].clone()
    };
    assert_eq!((list(admin, json!({})).await, list(&narrow, json!({})).await), (json!(3), json!(2)));
    assert_eq!(list(&narrow, json!({ "progressFrom": 100.0 })).await, json!(1));
    assert_eq!(list(&narrow, json!({ "progressTo": 99.9 })).await, json!(1));
    assert_eq!(list(&narrow, json!({ "lastBefore": server.app.clock().now() - Duration::hours(1) })).await, json!(1));
    assert_eq!(list(admin, json!({ "progressFrom": 0.0 })).await, json!(3), "also those who did not begin");
    assert_eq!(list(admin, json!({ "keyword": "2600000001" })).await, json!(1));
    assert_eq!(
        (list(admin, json!({ "siteText": "城西" })).await, list(admin, json!({ "gradeText": "2026" })).await),
        (json!(1), json!(3))
    );
    let class: i64 = server.one("select id from school_1.class where code = 'C1'").await;
    let of_class = server.staff_within(1, &codes, "named_classes", &[class]).await;
    assert_eq!(list(&of_class, json!({})).await, json!(2));
    let stat = narrow.post(&format!("{TEACHING}/progress/stat"), json!({})).await.data().clone();
    assert_eq!((&stat["bins"][0]["count"], &stat["bins"][9]["count"]), (&json!(1), &json!(1)), "{stat}");
    assert_eq!((stat["days"].as_array().map(Vec::len), &stat["days"][29]["learners"]), (Some(30), &json!(1)));
    let sheet = texts(&narrow.post(&format!("{TEACHING}/progress/export"), json!({})).await.bytes);
    assert_eq!(sheet.len(), 3, "{sheet:?}");
    let beyond = narrow.get(&format!("{TEACHING}/progress/view?selectionId={}", scene.selections[2])).await;
    assert_eq!(beyond.code(), 404);
    let told =
        narrow.post(&format!("{TEACHING}/remind"), json!({ "selectionIds": scene.selections })).await.data().clone();
    let mut why: Vec<&str> =
        told["failed"].as_array().expect("rows").iter().filter_map(|row| row["msg"].as_str()).collect();
    why.sort_unstable();
    assert_eq!((&told["done"], why), (&json!(1), vec!["无权操作该数据", "该学生已完成学习，无需督促"]), "{told}");
    let again = admin.post(&format!("{TEACHING}/remind"), json!({ "selectionIds": [scene.selections[1]] })).await;
    assert_eq!(again.data()["failed"][0]["msg"], json!("今日已督促过该学生学习该课程"));
    let messages: i64 = server
        .one("select count(*) from school_1.event_outbox where name = 'study_remind' and payload::text like '%课程A1%'")
        .await;
    assert_eq!(messages, 1);
    let reset = json!({ "selectionId": scene.selections[2], "reason": "他人代学" });
    assert_eq!(narrow.put(&format!("{TEACHING}/reset"), reset).await.code(), 404);
}

/// Asked by a student, answered by a fellow student, a teacher of the class and staff; hidden, marked, and counted for others.
#[tokio::test]
async fn questions_are_asked_and_answered() {
    let server = Server::start().await;
    let scene = scene(&server, &[(100, 1)], 2).await;
    let admin = &scene.admin;
    let (own, fellow) = (learner(&server, 1).await, learner(&server, 2).await);
    let chapter = chapter(admin, scene.course, None, "第二章").await;
    let ask = |request: &str, title: &str| {
        json!({ "requestId": request, "selectionId": scene.selections[0], "chapterId": chapter, "title": title,
            "content": "按月复利时如何换算？" })
    };
    let first = own.post(&format!("{QA}/save"), ask("q-1", "复利")).await.id();
    let again = own.unlooked(Method::POST, &format!("{QA}/save"), Some(&ask("q-1", "复利"))).await;
    assert_eq!(again.id(), first, "sent twice it is asked once");
    let mut elsewhere = ask("q-2", "复利");
    elsewhere["chapterId"] = json!(chapter + 99);
    assert_eq!(
        fields(&own.post(&format!("{QA}/save"), elsewhere).await),
        ["chapterId: 所选章节不属于该课程，请重新选择"]
    );
    let seen = async |client: &Client<'_>, n: usize| {
        client.get(&format!("{QA}/list?selectionId={}", scene.selections[n])).await.data()["list"].clone()
    };
    let shown = seen(&fellow, 1).await;
    assert_eq!(
        (&shown[0]["title"], &shown[0]["own"], &shown[0]["chapterTitle"]),
        (&json!("复利"), &json!(false), &json!("第二章"))
    );
    let reply = |request: &str, content: &str| json!({ "requestId": request, "qaId": first, "content": content });
    assert_eq!(fellow.post(&format!("{QA}/reply"), reply("r-1", "见例题")).await.code(), 200);
    // A teacher of the class, once they are one.
    let teacher = clients::signed_in(&server).await;
    let answer = "/user/client/teacher/qa/reply";
    assert_eq!(teacher.post(answer, reply("t-1", "月利率是年利率的十二分之一")).await.code(), 404);
    let allocation =
        json!({ "items": [{ "openingId": scene.opening, "teacherId": scene.teacher, "role": "lecturer" }] });
    assert_eq!(admin.post(&format!("{ALLOCATION}/save"), allocation).await.code(), 200);
    let courses = teacher.get("/user/client/teacher/course/list").await.data().clone();
    assert_eq!(
        (&courses[0]["courseCode"], &courses[0]["classes"][0]["studentCount"]),
        (&json!("A1"), &json!(2)),
        "{courses}"
    );
    assert_eq!(courses[0]["waitingQuestions"][0]["qaId"], json!(first));
    assert_eq!(teacher.post(answer, reply("t-2", "月利率是年利率的十二分之一")).await.code(), 200);
    let courses = teacher.get("/user/client/teacher/course/list").await.data().clone();
    assert_eq!(courses[0]["waitingQuestions"], json!([]));
    assert_eq!(
        admin.put(&format!("{TEACHING}/qa/reply"), json!({ "id": first, "content": "已答复" })).await.code(),
        200
    );
    let shown = seen(&own, 0).await;
    let kinds: Vec<&str> =
        shown[0]["replies"].as_array().expect("answers").iter().filter_map(|r| r["byKind"].as_str()).collect();
    assert_eq!(kinds, ["student", "teacher", "staff"]);
    let listed = admin.post(&format!("{TEACHING}/qa/list"), json!({ "answered": true })).await.data()["list"].clone();
    assert_eq!((&listed[0]["answered"], &listed[0]["studentNo"]), (&json!(true), &json!("2600000001")));
    let summary = async |n: usize, column: &str| -> i64 {
        server
            .one(&format!("select {column} from school_1.qa_summary where selection_id = {}", scene.selections[n]))
            .await
    };
    assert_eq!((summary(0, "asked").await, summary(1, "answered").await), (1, 1));
    let marks =
        |version: i64, hidden: bool| json!({ "id": first, "version": version, "excellent": true, "hidden": hidden });
    assert_eq!(admin.put(&format!("{TEACHING}/qa/edit"), marks(1, false)).await.code(), 200);
    assert_eq!(summary(0, "excellent").await, 1);
    assert_eq!(admin.put(&format!("{TEACHING}/qa/edit"), marks(1, true)).await.code(), 409);
    assert_eq!(admin.put(&format!("{TEACHING}/qa/edit"), marks(2, true)).await.code(), 200);
    assert_eq!(seen(&fellow, 1).await, json!([]), "a hidden question is its student's alone");
    assert_eq!(seen(&own, 0).await.as_array().map(Vec::len), Some(1));
    assert_eq!(fellow.post(&format!("{QA}/reply"), reply("r-2", "见例题")).await.code(), 404);
    assert_eq!((summary(0, "asked").await, summary(1, "answered").await), (0, 0));
    // Words that are not shown.
    let operator = server.operator().await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "reject" });
    operator.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let refused = own.post(&format!("{QA}/save"), ask("q-3", "有人代考吗")).await;
    assert_eq!(refused.refused(), (422, "内容包含敏感词，请修改后提交"));
    // Nobody buries the questions of the others, nor a question under answers.
    server
        .run(&format!(
            "insert into school_1.course_qa (selection_id, title, content, created_at, created_by, updated_by)
             select {}, '问', '问', '{}', 0, 0 from generate_series(1, 50)",
            scene.selections[0],
            server.app.clock().now().to_rfc3339()
        ))
        .await;
    let refused = own.post(&format!("{QA}/save"), ask("q-4", "复利")).await;
    assert_eq!(refused.refused(), (429, "今日在该课程已提问50次，请明天再提问"));
    let last: i64 = server.one("select max(id) from school_1.course_qa").await;
    server
        .run(&format!(
            "insert into school_1.course_qa_reply (qa_id, by_kind, by_id, by_name, content, created_at)
             select {last}, 'student', 1, '某', '答', now() from generate_series(1, 200)"
        ))
        .await;
    let more = json!({ "requestId": "r-3", "qaId": last, "content": "答" });
    assert_eq!(fellow.post(&format!("{QA}/reply"), more).await.refused(), (409, "该提问已有200条同学回答，不能再回答"));
    let listed = admin.post(&format!("{TEACHING}/qa/list"), json!({ "classText": "C1", "courseText": "A1" })).await;
    assert_eq!(listed.data()["totalCount"], json!(51), "{}", listed.body);
}

/// Sessions are kept for two years; what fell silent by night is ended.
#[tokio::test]
async fn sessions_are_kept_for_two_years() {
    let server = Server::start().await;
    let scene = scene(&server, &[(600, 1)], 1).await;
    let own = learner(&server, 1).await;
    watch(&server, &own, scene.selections[0], scene.periods[0], 100).await;
    play(&own, scene.selections[0], scene.periods[0]).await;
    server
        .run(
            "update school_1.study_session set started_at = started_at - interval '25 months' where ended_at is not null;
             update school_1.study_session set last_beat_at = last_beat_at - interval '5 minutes' where ended_at is null",
        )
        .await;
    server.when_due("study.keep", Duration::minutes(2)).await;
    server.wait_until("select count(*) = 1 and bool_and(end_reason = 'silent') from school_1.study_session").await;
    let kept: i64 = server.one("select count(*) from school_1.study_progress").await;
    assert_eq!(kept, 1, "progress stays");
}
