//! 首页 of both areas (01 §11, 05 A7).

use std::time::Instant;

use chrono::Duration;
use kit::{
    Answer, Client, Server,
    accounts::operator_with,
    cohort::{Cohort, cohort, registrar},
    corrections,
    pre_registrations::{batch, person},
    rows::manage,
    students::{self, ROLL, id_number},
};
use serde_json::{Value, json};

const PLATFORM: &str = "/data/pc/dashboard/platform";
const SCHOOL: &str = "/data/pc/dashboard/school";
const HOME: &str = "data:pc:dashboard:view";
const ACTIVE: [&str; 4] = ["pending_registration", "registered", "suspended", "expired"];

fn card<'a>(answer: &'a Answer, key: &str) -> &'a Value {
    let cards = answer.data()["cards"].as_array().expect("cards");
    cards.iter().find(|card| card["key"] == json!(key)).unwrap_or_else(|| panic!("no card {key}: {}", answer.body))
}

fn chart<'a>(answer: &'a Answer, key: &str) -> Vec<&'a Value> {
    let charts = answer.data()["charts"].as_array().expect("charts");
    let chart = charts.iter().find(|chart| chart["key"] == json!(key)).unwrap_or_else(|| panic!("no chart {key}"));
    chart["series"]
        .as_array()
        .expect("series")
        .iter()
        .flat_map(|series| series["points"].as_array().expect("points"))
        .collect()
}

fn keys(answer: &Answer, of: &str) -> Vec<String> {
    let rows = answer.data()[of].as_array().expect("a list");
    rows.iter().filter_map(|row| row["key"].as_str()).map(ToOwned::to_owned).collect()
}

async fn student(client: &Client<'_>, p: &Cohort, n: usize, site: i64, status: &str) {
    let body = json!({
        "name": "张晓梅", "idCardNo": id_number(n), "gradeId": p.grade, "levelId": p.level, "majorId": p.major,
        "studyForm": "non_full_time", "schoolingYears": 2.5, "siteId": site, "enrolledOn": "2026-03-01", "status": status,
        "source": "legacy",
    });
    let saved = client.post(&format!("{ROLL}/save"), body).await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
}

/// Three students at the first site, two at another; answers the other site.
async fn students(registrar: &Client<'_>, p: &Cohort) -> i64 {
    let other = registrar
        .post("/adult/pc/site/save", json!({ "code": "S7", "name": "城西站", "kind": "headquarter" }))
        .await
        .id();
    for (n, site, status) in [
        (1, p.site, "registered"),
        (2, p.site, "registered"),
        (3, p.site, "pending_registration"),
        (4, other, "registered"),
        (5, other, "graduated"),
    ] {
        student(registrar, p, n, site, status).await;
    }
    other
}

#[tokio::test]
async fn a_figure_equals_the_total_of_the_list_behind_it() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    let other = students(&registrar, &p).await;
    let home = registrar.get(SCHOOL).await;
    let total = |answer: &Answer| answer.data()["totalCount"].clone();
    assert_eq!(card(&home, "activeStudents")["value"], json!(4));
    let list = registrar.post(&format!("{ROLL}/list"), json!({ "status": ACTIVE })).await;
    assert_eq!(card(&home, "activeStudents")["value"], total(&list));
    assert!(
        card(&home, "activeStudents")["link"]
            .as_str()
            .is_some_and(|link| link.ends_with("?status=pending_registration,registered,suspended,expired"))
    );
    for (key, scope) in [("registeredStudents", "registered"), ("pendingStudents", "pending_registration")] {
        let list = registrar.post(&format!("{ROLL}/list"), json!({ "scope": scope })).await;
        assert_eq!(card(&home, key)["value"], total(&list), "{key}");
    }
    assert_eq!(card(&home, "sites")["value"], total(&registrar.post("/adult/pc/site/list", json!({})).await));
    assert_eq!(card(&home, "classes")["value"], total(&registrar.post("/adult/pc/class/list", json!({})).await));
    let by_site = chart(&home, "studentsBySite");
    assert_eq!(by_site.iter().map(|point| point["value"].as_i64().expect("a number")).collect::<Vec<_>>(), [3, 1]);
    let list = registrar.post(&format!("{ROLL}/list"), json!({ "status": ACTIVE, "siteId": other })).await;
    assert_eq!(by_site[1]["value"], total(&list));
    let by_status = chart(&home, "studentsByStatus");
    let named: Vec<(&str, i64)> = by_status
        .iter()
        .map(|point| (point["name"].as_str().unwrap_or(""), point["value"].as_i64().unwrap_or(0)))
        .collect();
    assert_eq!(named, [("待注册", 1), ("在籍", 3), ("毕业", 1)]);
    let today = server.app.clock().today();
    let admin = server.staff(1, &[HOME, "data:pc:user:log:login:list"]).await;
    let list = admin
        .post(
            "/data/pc/user/log/login/list",
            json!({ "event": "login", "result": "succeeded", "startsOn": today, "endsOn": today }),
        )
        .await;
    server.app.clock().shift(Duration::minutes(6));
    let later = admin.get(SCHOOL).await;
    assert_eq!(card(&later, "signInsToday")["value"], total(&list));
    // A line for the school's people, its students, its teachers and the people of its sites.
    let lines = chart(&later, "signIns");
    assert_eq!(lines.len(), 4 * 30);
    // Every day of the last thirty has a point, also one on which nobody came.
    let day = |ago: i64| json!((today - Duration::days(ago)).to_string());
    assert_eq!((&lines[0]["name"], &lines[29]["name"]), (&day(29), &day(0)));
    assert_eq!(lines[29]["value"], card(&later, "signedInToday")["value"]);
    assert!(lines[..29].iter().all(|point| point["value"] == json!(0)));
}

#[tokio::test]
async fn a_person_of_one_site_sees_its_numbers_alone() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    let other = students(&registrar, &p).await;
    let narrow = server
        .staff_within(1, &[HOME, "adult:pc:studentRoll:list", "adult:pc:site:list"], "named_sites", &[other])
        .await;
    let home = narrow.get(SCHOOL).await;
    assert_eq!(card(&home, "activeStudents")["value"], json!(1));
    assert_eq!(card(&home, "sites")["value"], json!(1));
    assert_eq!(chart(&home, "studentsBySite").len(), 1);
    assert!(!home.body.to_string().contains("城东站"), "{}", home.body);
    // Who sees a part of the school sees nobody's sign-ins.
    assert!(!keys(&home, "cards").contains(&"signInsToday".to_owned()));
    let list = narrow.post(&format!("{ROLL}/list"), json!({ "status": ACTIVE })).await;
    assert_eq!(list.data()["totalCount"], json!(1));
    // Whose list is of one site is told of it alone, although the page is of the whole school.
    let (page, lists): (&[&str], &[&str]) = (&[HOME, "adult:pc:site:list"], &["adult:pc:studentRoll:list"]);
    let mixed = server.staff_with_roles(1, &[(page, "whole_school", &[]), (lists, "named_sites", &[other])]).await;
    let home = mixed.get(SCHOOL).await;
    assert_eq!(card(&home, "activeStudents")["value"], json!(1));
    assert_eq!(card(&home, "sites")["value"], json!(2));
    // Remembered figures are of the same reach, never of another's.
    assert_eq!(card(&registrar.get(SCHOOL).await, "activeStudents")["value"], json!(4));
}

#[tokio::test]
async fn with_the_home_code_alone_there_is_no_open_work() {
    let server = Server::start().await;
    let bare = server.staff(1, &[HOME]).await;
    let home = bare.get(SCHOOL).await;
    assert_eq!(keys(&home, "todos"), Vec::<String>::new());
    assert!(!keys(&home, "cards").contains(&"activeStudents".to_owned()), "figures are whose list they are");
    assert!(!keys(&home, "charts").contains(&"studentsByMajor".to_owned()));
    let clerk = server.staff(1, &[HOME, "adult:pc:studentRoll:list"]).await;
    assert_eq!(keys(&clerk.get(SCHOOL).await, "todos"), ["pendingStudents"]);
    assert_eq!(server.staff(1, &[]).await.get(SCHOOL).await.code(), 403);
    let bare = operator_with(&server, "homebody", &[HOME]).await;
    let home = bare.get(PLATFORM).await;
    assert_eq!(keys(&home, "todos"), Vec::<String>::new());
    assert_eq!(
        keys(&home, "cards"),
        [
            "activeSchools",
            "trialSchools",
            "suspendedSchools",
            "signedInToday",
            "signInsToday",
            "ordersToday",
            "paidToday"
        ]
    );
    let todos = keys(&server.operator().await.get(PLATFORM).await, "todos");
    assert_eq!(
        todos,
        [
            "expiringSchools",
            "expiredSchools",
            "failedSchools",
            "pausedChannels",
            "failedJobs",
            "waitingStaffQuestions",
            "plainViewsBeyond",
            "pendingCourses",
            "pendingLiveCourses",
            "pendingResources",
            "pendingExams",
            "pendingLecturers",
            "pendingExtracts",
            "unpaidExtracts",
            "refundingOrders",
            "pendingCertificates",
            "pendingBlogs",
            "pendingQuestions",
            "pendingComments"
        ]
    );
}

/// 05 D5: a channel that was left alone is work for the operators of its school, once however often.
#[tokio::test]
async fn open_work_counts_channels_that_were_paused() {
    let server = Server::start().await;
    server
        .run(
            "insert into platform.event_outbox (kind, name, payload, dedupe_key, status, occurred_at, next_attempt_at)
             select 'message', 'channel_paused', '{}', 'channel_paused:' || school || ':sms:' || hour, 'done',
                    now() - make_interval(hours => hour), now()
             from (values (1, 1), (1, 2), (2, 3), (0, 4), (2, 25)) t (school, hour)",
        )
        .await;
    let paused = async |client: &Client<'_>| {
        let home = client.get(PLATFORM).await;
        let todos = home.data()["todos"].as_array().expect("todos").clone();
        todos.into_iter().find(|todo| todo["key"] == json!("pausedChannels")).expect("the work")["count"].clone()
    };
    assert_eq!(paused(&server.operator().await).await, json!(3));
    let narrow = operator_with(&server, "narrow", &[HOME, "user:pc:msg:failureLog"]).await;
    manage(&server, "narrow", &[2]).await;
    assert_eq!(paused(&narrow).await, json!(1));
}

/// 01 §11: who waits to be audited, and 05 E4: who wanted to see more personal values than a day allows.
#[tokio::test]
async fn open_work_counts_applicants_and_those_who_looked_too_often() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    let batch = batch(&registrar, &p, "2026-Q", true).await;
    for n in 1..=2 {
        let saved = registrar.post("/adult/pc/preRegistration/save", person(&p, batch, n)).await;
        assert_eq!(saved.code(), 200, "{}", saved.body);
    }
    let registered = students::save(&registrar, students::student(&p, 9)).await;
    let asked = corrections::correction(registered, "changed_by_police", json!({ "name": "李四" }));
    registrar.post(&format!("{}/save", corrections::CORRECTION), asked).await.id();
    server
        .run("update school_1.pre_registration set status = 'approved' where id = (select min(id) from school_1.pre_registration)")
        .await;
    server
        .run(
            "with sent as (
                 insert into school_1.msg (title, content, msg_type, channels, audience, scene_code, status, creator_name, created_by,
                     updated_by)
                 select 'M' || n, '<p>x</p>', 'system', '{in_app}', 'scene', 'import_finished', 'sent', '系统', 0, 0
                 from generate_series(1, 6) n returning id)
             insert into school_1.msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, channel, status,
                 next_attempt_at, expires_at, created_at, sent_at)
             select s.id, 'account', u.id, u.real_name, 'in_app', 'sent', now(), now(), now(), now()
             from sent s, platform.sys_user u where u.id = (select max(id) from platform.sys_user)",
        )
        .await;
    // Two looks are refused to one of the school, another's at another school are not its business.
    let look = json!({ "entity": "student", "id": 1, "field": "phone" });
    let curious = server.staff(1, &["adult:pc:studentRoll:viewPlain"]).await;
    let elsewhere = server.staff(2, &["adult:pc:studentRoll:viewPlain"]).await;
    let today = server.app.clock().today();
    server
        .run(&format!(
            "insert into platform.plain_view_count (user_id, day, seen) select id, date '{today}', 200 from platform.sys_user"
        ))
        .await;
    for client in [&curious, &curious, &elsewhere] {
        assert_eq!(client.post("/system/pc/plain/view", look.clone()).await.code(), 429);
    }
    server
        .wait_until(
            "select count(*) = 3 from platform.sys_log where path = '/system/pc/plain/view' and result_code = 429",
        )
        .await;
    let home = registrar.get(SCHOOL).await;
    let titles: Vec<&str> = home.data()["notices"]
        .as_array()
        .expect("notices")
        .iter()
        .filter_map(|notice| notice["title"].as_str())
        .collect();
    assert_eq!(titles, ["M6", "M5", "M4", "M3", "M2"], "the newest five of one's own");
    let count = |key: &str| {
        let todos = home.data()["todos"].as_array().expect("todos").clone();
        todos.into_iter().find(|todo| todo["key"] == json!(key)).unwrap_or_else(|| panic!("{}", home.body))["count"]
            .clone()
    };
    let list = registrar.post("/adult/pc/preRegistration/list", json!({ "status": "pending" })).await;
    assert_eq!((count("pendingApplicants"), &list.data()["totalCount"]), (json!(1), &json!(1)));
    assert_eq!(count("plainViewsBeyond"), json!(1));
    let list = registrar.post("/adult/pc/correction/list", json!({ "status": "pending_school" })).await;
    assert_eq!((count("pendingCorrections"), &list.data()["totalCount"]), (json!(1), &json!(1)));
    let list = registrar.post("/adult/pc/preRegistration/list", json!({ "batchId": batch })).await;
    assert_eq!(card(&home, "applicants")["value"], list.data()["totalCount"]);
}

/// Writes the roll-up as the job does, and waits for it.
async fn rolled_up(server: &Server, operator: &Client<'_>) {
    let started = operator.post("/data/pc/druid/job/run", json!({ "name": "overview.rollup" })).await;
    let id = started.data()["jobId"].as_i64().expect("a job");
    server.wait_until(&format!("select state = 'done' from platform.job where id = {id}")).await;
}

#[tokio::test]
async fn the_operators_page_adds_up_schools_without_the_suspended_one() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    students(&registrar, &p).await;
    let operator = server.operator().await;
    rolled_up(&server, &operator).await;
    let home = operator.get(PLATFORM).await;
    assert_eq!(card(&home, "activeStudents")["value"], json!(4));
    assert!(home.data()["dataUntil"].is_string());
    assert_eq!(chart(&home, "studentsBySchool").len(), 2);
    let list = operator.post("/system/pc/sys/school/list", json!({ "status": "trial" })).await;
    assert_eq!(card(&home, "trialSchools")["value"], list.data()["totalCount"]);
    let list = operator.post("/system/pc/sys/school/list", json!({ "expiry": "within_30_days" })).await;
    let todo = &home.data()["todos"][0];
    assert_eq!((&todo["key"], &todo["count"]), (&json!("expiringSchools"), &list.data()["totalCount"]));
    server.run("update platform.school set status = 'suspended' where id = 1").await;
    server.app.clock().shift(Duration::minutes(6));
    let operator = server.operator().await;
    let home = operator.get(PLATFORM).await;
    assert_eq!(card(&home, "activeStudents")["value"], json!(0));
    assert_eq!(card(&home, "suspendedSchools")["value"], json!(1));
    assert_eq!(chart(&home, "studentsBySchool").len(), 1);
    // An operator of listed schools sees those.
    manage(&server, "operator", &[1]).await;
    let home = operator.get(PLATFORM).await;
    assert_eq!(
        (&card(&home, "suspendedSchools")["value"], &card(&home, "trialSchools")["value"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn figures_are_remembered_and_computed_anew_once_a_minute() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    let first = registrar.get(SCHOOL).await;
    assert_eq!(card(&first, "activeStudents")["value"], json!(0));
    student(&registrar, &p, 1, p.site, "registered").await;
    let same = registrar.get(SCHOOL).await;
    assert_eq!(
        (&same.data()["computedAt"], &card(&same, "activeStudents")["value"]),
        (&first.data()["computedAt"], &json!(0))
    );
    let early = registrar.get(&format!("{SCHOOL}?refresh=true")).await;
    assert_eq!(early.refused(), (429, "数据刚刚更新过，请稍后再试"));
    server.app.clock().shift(Duration::seconds(61));
    let fresh = registrar.get(&format!("{SCHOOL}?refresh=true")).await;
    assert_eq!(card(&fresh, "activeStudents")["value"], json!(1));
    student(&registrar, &p, 2, p.site, "registered").await;
    server.app.clock().shift(Duration::minutes(5));
    assert_eq!(card(&registrar.get(SCHOOL).await, "activeStudents")["value"], json!(2));
}

#[tokio::test]
async fn the_semester_tells_its_week() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    assert_eq!(registrar.get(SCHOOL).await.data()["calendar"], json!(null));
    let today = server.app.clock().today();
    let monday = today - Duration::days(i64::from(chrono::Datelike::weekday(&today).num_days_from_monday()));
    let (from, to) = (monday - Duration::weeks(2), monday + Duration::weeks(14) - Duration::days(1));
    let saved =
        registrar.post("/adult/pc/semester/save", json!({ "code": "2026-1", "startsOn": from, "endsOn": to })).await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
    assert_eq!(registrar.put("/adult/pc/semester/setCurrent", json!({ "id": saved.id() })).await.code(), 200);
    server.app.clock().shift(Duration::minutes(5));
    let calendar = &registrar.get(SCHOOL).await.data()["calendar"].clone();
    let semester = &calendar["semester"];
    assert_eq!((&semester["week"], &semester["weeks"]), (&json!(3), &json!(16)), "{calendar}");
    assert_eq!(calendar["deadlines"], json!([]), "nothing ends soon");
    let p = cohort(&registrar).await;
    batch(&registrar, &p, "YB-1", false).await;
    let soon = server.app.clock().now() + Duration::days(3);
    server.run(&format!("update school_1.pre_registration_batch set ends_at = '{}'", soon.to_rfc3339())).await;
    // Of examinations those that begin within two weeks are told.
    for (code, name, days) in [("E1", "期末考试", 10), ("E2", "补考", 15)] {
        let begins = today + Duration::days(days);
        server
            .run(&format!(
                "insert into school_1.test_batch (code, name, semester_id, kind, mode, exam_starts_on, exam_ends_on,
                     score_entry_starts_at, score_entry_ends_at, ticket_prefix, status, created_by, updated_by)
                 select '{code}', '{name}', id, 'final', 'mixed', '{begins}', '{begins}', now(), now() + interval '40 days',
                        '2601{days}', 'active', 0, 0
                 from school_1.semester where current"
            ))
            .await;
    }
    server.app.clock().shift(Duration::minutes(5));
    let home = registrar.get(SCHOOL).await;
    let soon = home.data()["calendar"]["deadlines"].as_array().expect("deadlines").clone();
    let titles: Vec<&Value> = soon.iter().map(|told| &told["title"]).collect();
    assert_eq!(titles, [&json!("批次YB-1：预报名截止"), &json!("期末考试：考试开始")]);
    assert_eq!(card(&home, "signInsToday")["compare"], json!(0), "nobody came yesterday");
}

/// People are recruited before a school has its first semester, and after the last one is over.
#[tokio::test]
async fn what_ends_soon_is_told_outside_semesters() {
    let server = Server::start().await;
    let registrar = registrar(&server).await;
    let p = cohort(&registrar).await;
    batch(&registrar, &p, "YB-1", false).await;
    let soon = server.app.clock().now() + Duration::days(3);
    server.run(&format!("update school_1.pre_registration_batch set ends_at = '{}'", soon.to_rfc3339())).await;
    let first = registrar.get(SCHOOL).await.data()["calendar"].clone();
    assert_eq!(first["semester"], json!(null));
    assert_eq!(first["deadlines"][0]["title"], json!("批次YB-1：预报名截止"), "{first}");
    let today = server.app.clock().today();
    let over =
        json!({ "code": "2026-1", "startsOn": today - Duration::weeks(20), "endsOn": today - Duration::weeks(2) });
    let saved = registrar.post("/adult/pc/semester/save", over).await;
    assert_eq!(saved.code(), 200, "{}", saved.body);
    server.app.clock().shift(Duration::minutes(5));
    let between = registrar.get(SCHOOL).await.data()["calendar"].clone();
    assert_eq!(between["semester"]["week"], json!(null), "it is the current one still: {between}");
    assert_eq!(between["deadlines"], first["deadlines"]);
}

#[tokio::test]
async fn a_person_chooses_up_to_eight_pages_of_his_own_menu() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let choose = |paths: Value| json!({ "paths": paths });
    let put = "/data/pc/dashboard/shortcut";
    let foreign = operator.put(put, choose(json!(["/schoolPC/basicData/site"]))).await;
    assert_eq!(foreign.refused(), (422, "快捷入口只能选择自己菜单中的页面"));
    let nine: Vec<String> = (0..9).map(|n| format!("/x{n}")).collect();
    assert_eq!(operator.put(put, choose(json!(nine))).await.code(), 422);
    let chosen = operator.put(put, choose(json!(["/sys/user/list", "/sys/school/list", "/sys/user/list"]))).await;
    let paths =
        |answer: &Value| answer.as_array().expect("a list").iter().map(|row| row["path"].clone()).collect::<Vec<_>>();
    assert_eq!(paths(chosen.data()), [json!("/sys/user/list"), json!("/sys/school/list")]);
    assert_eq!(
        paths(&operator.get(PLATFORM).await.data()["shortcuts"]),
        [json!("/sys/user/list"), json!("/sys/school/list")]
    );
    // Each area has its own, and a page that was taken away is left out.
    let inside = server.operator_in(1).await;
    assert_eq!(inside.get(SCHOOL).await.data()["shortcuts"], json!([]));
    server.run("update platform.sys_menu set enabled = false where path = '/sys/user/list'").await;
    let outside = server.operator().await;
    assert_eq!(paths(&outside.get(PLATFORM).await.data()["shortcuts"]), [json!("/sys/school/list")]);
}

/// 01 §11: 12 schools, 200,000 students, below 2 s and without a walk over the schools.
#[tokio::test]
async fn twelve_schools_are_added_up_at_once() {
    let server = Server::start().await;
    server
        .run(
            "insert into platform.school (code, name, status, schema_name, db_role, provision_state, expires_on, initials, created_by, updated_by)
             select 'x' || n, '汇总学院' || n, 'active', 'school_' || (100 + n), 'none', 'ready', '2030-01-01', 'hzxy', 0, 0
             from generate_series(1, 10) n",
        )
        .await;
    server
        .run(
            r#"insert into platform.overview_school (school_id, active_students, students_by_status, students_by_level, computed_at)
               select id, 20000, '{"registered": 19000, "pending_registration": 1000}', '{"专升本": 20000}', now()
               from platform.school where code like 'x%'"#,
        )
        .await;
    let operator = server.operator().await;
    let began = Instant::now();
    let home = operator.get(PLATFORM).await;
    let took = began.elapsed();
    assert_eq!(card(&home, "activeStudents")["value"], json!(200_000));
    assert_eq!(chart(&home, "studentsBySchool").len(), 10);
    assert!(took.as_secs_f64() < 2.0, "{took:?}");
}
