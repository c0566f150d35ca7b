//! Supervision of whoever falls behind (part 05 C).

use chrono::Duration;
use kit::{
    Client, Server, clients,
    homework::{approved, published, short_answers, task},
    imports::undone,
    questions::bank,
    sheets::{import, row_errors, texts},
    supervision::{
        OWN, RULE, SUPERVISE, behind, call_up, called_up, case_of, day, item, manager, never_came, scan, signed_in,
        site_person, studied, supervised, with,
    },
};
use poem::http::Method;
use serde_json::{Value, json};

fn level(case: &Value) -> (&str, Vec<(&str, i64)>) {
    let tags = case["tags"].as_array().expect("tags").iter();
    let tags = tags.map(|tag| (tag["kind"].as_str().expect("a kind"), tag["count"].as_i64().expect("a count")));
    (case["level"].as_str().expect("a level"), tags.collect())
}

fn ids_of(list: &Value) -> Vec<i64> {
    let rows = list["list"].as_array().expect("rows").iter();
    rows.filter_map(|row| row["studentId"].as_i64()).collect()
}

/// 05 C4, C7-1: on the 14th day nobody; on the 50th, 04-20, yellow, orange and red; a week later 33.0 is enough and 32.0 is not.
#[tokio::test]
async fn who_falls_behind_has_the_level_of_the_worked_example() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    day(&server, &of, 14).await;
    let young = scan(&admin).await;
    assert_eq!((&young["students"], &young["opened"]), (&json!(8), &json!(0)), "the semester is young: {young}");
    day(&server, &of, 50).await;
    let dry = admin.post(&format!("{SUPERVISE}/scan"), json!({ "dryRun": true })).await.data().clone();
    let found = scan(&admin).await;
    for told in [&dry, &found] {
        assert_eq!((&told["yellow"], &told["orange"], &told["red"]), (&json!(1), &json!(1), &json!(1)), "{told}");
    }
    assert_eq!((&dry["opened"], &found["opened"], &found["done"]), (&json!(0), &json!(3), &json!(3)));
    let of_first = case_of(&admin, of.student(1)).await;
    assert_eq!(level(&of_first), ("yellow", vec![("video_lag", 1)]));
    assert_eq!(level(&case_of(&admin, of.student(2)).await), ("orange", vec![("video_lag", 1)]));
    let third = case_of(&admin, of.student(3)).await;
    assert_eq!(level(&third), ("red", vec![("silent", 1), ("video_lag", 1)]), "two kinds of orange");
    assert_eq!((&third["managerName"], &third["silentDays"]), (&json!("班主任1"), &json!(null)), "{third}");
    assert_eq!(case_of(&admin, of.student(4)).await, json!(null));
    let seen = admin.get(&format!("{SUPERVISE}/view?id={}", of_first["id"])).await.data().clone();
    let flag = &seen["flags"][0];
    assert_eq!((&flag["title"], &flag["value"], &flag["expected"]), (&json!("课程A1"), &json!(25.6), &json!(37.6)));
    assert_eq!((&seen["courses"][0]["progress"], &seen["logins"][0]["logins"]), (&json!(12.0), &json!(1)), "{seen}");
    let silent = admin.get(&format!("{SUPERVISE}/view?id={}", third["id"])).await.data().clone();
    let silent =
        silent["flags"].as_array().expect("flags").iter().find(|flag| flag["kind"] == json!("silent")).cloned();
    assert_eq!(silent.expect("a flag")["value"], json!(50.0));

    day(&server, &of, 57).await;
    studied(&server, &of, (1, of.openings[0]), "33.0").await;
    studied(&server, &of, (2, of.openings[0]), "32.0").await;
    scan(&admin).await;
    let cleared = case_of(&admin, of.student(1)).await;
    assert_eq!((&cleared["tags"], &cleared["status"]), (&json!([]), &json!("open")), "{cleared}");
    assert_eq!(level(&case_of(&admin, of.student(2)).await), ("yellow", vec![("video_lag", 1)]));
    // Three days without a flag relieve; a new flag opens the same case.
    server
        .run(&format!("update school_1.supervise_case set clear_since = clear_since - 3 where id = {}", cleared["id"]))
        .await;
    scan(&admin).await;
    assert_eq!(case_of(&admin, of.student(1)).await["status"], json!("relieved"));
    signed_in(&server, &of, 1, 20).await;
    scan(&admin).await;
    let again = case_of(&admin, of.student(1)).await;
    assert_eq!((&again["id"], &again["status"]), (&cleared["id"], &json!("open")));
    assert_eq!(level(&again), ("yellow", vec![("silent", 1)]));
}

/// 05 C7-2: equal facts change no row; while one scan goes on there is no other.
#[tokio::test]
async fn the_same_facts_change_nothing_and_one_scan_goes_on() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let rows = "select md5(string_agg(t, '|' order by t)) from (
                    select to_jsonb(c)::text as t from school_1.supervise_case c
                    union all select to_jsonb(f)::text from school_1.supervise_flag f) r";
    let before: String = server.one(rows).await;
    assert_eq!(scan(&admin).await["done"], json!(0));
    assert_eq!(server.one::<String>(rows).await, before);
    let path = format!("{SUPERVISE}/scan");
    let (one, other) = tokio::join!(admin.post(&path, json!({})), admin.post(&path, json!({})));
    for answer in [&one, &other] {
        // Where the first was through before the second began, both are.
        assert!(answer.code() == 200 || answer.refused() == (409, "扫描正在进行"), "{}", answer.body);
    }
    let now = server.app.clock().now();
    server
        .run(&format!(
            "insert into school_1.supervise_scan (started_at, beat_at, by_name) values ('{now}', '{now}', '某人')"
        ))
        .await;
    assert_eq!(admin.post(&path, json!({})).await.refused(), (409, "扫描正在进行"));
    for of_cases in [json!({ "level": "red" }), json!({ "uncontacted": true }), json!({ "arrears": true })] {
        let asked = admin.post(&path, json!({ "filter": of_cases })).await;
        assert_eq!(asked.code(), 422, "a scan finds its cases itself");
    }
    // One that was silent for some minutes died with its server, and is in nobody's way.
    server
        .run("update school_1.supervise_scan set beat_at = beat_at - interval '6 minutes' where ended_at is null")
        .await;
    let of_second = json!({ "filter": { "managerId": of.managers[1] } });
    assert_eq!(admin.post(&path, of_second).await.data()["students"], json!(2), "those of a manager's classes");
    server.run("update school_1.semester set closed_at = now()").await;
    assert_eq!(admin.post(&path, json!({})).await.refused(), (409, "没有进行中的当前学期，不能扫描"));
}

/// 05 C3: the night scans every school, tells managers of what is new, and closes what belongs to a semester that ended.
#[tokio::test]
async fn the_night_finds_them() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    server.when_due("supervise.scan", Duration::minutes(2)).await;
    assert_eq!(server.one::<i64>("select count(*) from school_1.supervise_case").await, 3);
    let told = "select count(*) from school_1.event_outbox where name = 'supervise_assigned'";
    assert_eq!(server.one::<i64>(told).await, 1, "three cases of a class are one message");
    let days: (i32, i32, i32) = (
        server.one("select sum(yellow)::integer from school_1.supervise_day").await,
        server.one("select sum(orange)::integer from school_1.supervise_day").await,
        server.one("select sum(red)::integer from school_1.supervise_day").await,
    );
    assert_eq!(days, (1, 1, 1));
    let case = case_of(&admin, of.student(1)).await["id"].clone();
    call_up(&admin, &case, "承诺本周补学").await.id();
    server.run("update school_1.semester set closed_at = now()").await;
    server.when_due("supervise.scan", Duration::minutes(2)).await;
    let trail: Vec<String> = server
        .one(&format!(
            "select array_agg(action || ' ' || coalesce(changes->0->>'before', '') order by id) from school_1.audit_log
             where entity_type = 'supervise_case' and entity_id = {case}"
        ))
        .await;
    assert_eq!(trail, ["insert ", "status open", "status following"], "what a scan does is told, too");
    let left = admin.post(&format!("{SUPERVISE}/list"), json!({ "semesterId": of.spring, "status": "closed" })).await;
    assert_eq!(left.data()["totalCount"], json!(3));
    assert_eq!(left.data()["list"][0]["closedReason"], json!("semester_end"));
}

/// 05 C7-3, C7-9: each student is told once, and who is not has a reason.
#[tokio::test]
async fn who_is_not_reminded_has_a_reason() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    never_came(&server, &of, 5).await;
    clients::inside(&server, &[of.student(1), of.student(3), of.student(5)]).await;
    scan(&admin).await;
    let muted = case_of(&admin, of.student(3)).await;
    let seen = admin.get(&format!("{SUPERVISE}/view?id={}", muted["id"])).await.data().clone();
    let mute = format!("{SUPERVISE}/mute");
    let first = &seen["flags"][0]["id"];
    let without = admin.put(&mute, json!({ "flagId": first, "muted": true })).await;
    assert_eq!(without.refused(), (422, "请填写忽略原因"));
    for flag in seen["flags"].as_array().expect("flags") {
        admin.put(&mute, json!({ "flagId": flag["id"], "muted": true, "reason": "已电话确认" })).await.data();
    }
    let asked = json!({ "channels": ["in_app"] });
    let look = admin.post(&format!("{SUPERVISE}/remind/preview"), asked.clone()).await.data().clone();
    assert_eq!((&look["students"], &look["sends"]), (&json!(4), &json!(2)), "{look}");
    assert_eq!(look["channels"], json!([{ "channel": "in_app", "reachable": 2 }]));
    let said = look["sampleText"].as_str().expect("a text");
    assert!(said.contains("《课程A1》学习进度12.0%，应达37.6%"), "{said}");

    let remind = format!("{SUPERVISE}/remind");
    let reasons = |told: &Value| {
        let failed = told["failed"].as_array().expect("rows").iter();
        let mut said: Vec<(String, String)> = failed
            .map(|row| {
                (
                    row["name"].as_str().unwrap_or_default().to_owned(),
                    row["msg"].as_str().unwrap_or_default().to_owned(),
                )
            })
            .collect();
        said.sort();
        said
    };
    let row = |name: &str, msg: &str| (name.to_owned(), msg.to_owned());
    let told = admin.post(&remind, asked.clone()).await.data().clone();
    assert_eq!(told["done"], json!(2), "{told}");
    assert_eq!(reasons(&told), [row("学生2", "无可用联系方式"), row("学生3", "该生没有预警")]);
    // An hour later everybody was told, but whoever fell behind since.
    server.run("update school_1.supervise_remind set reminded_at = reminded_at - interval '1 hour'").await;
    clients::inside(&server, &[of.student(7)]).await;
    never_came(&server, &of, 7).await;
    scan(&admin).await;
    let told = admin.post(&remind, asked.clone()).await.data().clone();
    assert_eq!(told["done"], json!(1), "{told}");
    assert_eq!(reasons(&told)[0], row("学生1", "24小时内已提醒"));
    assert_eq!(
        server.one::<i64>("select count(*) from school_1.event_outbox where name = 'supervise_reminder'").await,
        3
    );

    // Nobody is reminded of a case that was closed, whatever flags are left.
    server.run("update school_1.supervise_remind set reminded_at = reminded_at - interval '2 days'").await;
    let items = json!([item(&admin, of.student(1)).await]);
    let close = json!({ "items": items, "status": "closed", "reason": "已复课" });
    admin.put(&format!("{SUPERVISE}/changeStatus"), close).await.data();
    let closed = json!({ "ids": [items[0]["id"]], "channels": ["in_app"] });
    let told = admin.post(&remind, closed).await.data().clone();
    assert_eq!(reasons(&told), [row("学生1", "该生没有预警")]);
    server.run("update school_1.supervise_remind set reminded_at = reminded_at + interval '2 days'").await;

    let codes = ["adult:pc:supervise:remind", "adult:pc:supervise:list"];
    let narrow = server.staff_within(1, &codes, "named_classes", &[of.classes[0]]).await;
    let theirs = case_of(&admin, of.student(5)).await["id"].clone();
    let told = narrow.post(&remind, json!({ "ids": [theirs], "channels": ["in_app"] })).await.data().clone();
    assert_eq!((&told["done"], &told["failed"][0]["msg"]), (&json!(0), &json!("无权操作该数据")));
    assert_eq!(told["failed"][0]["name"], json!(""), "whose case it is they are not told");
    let own = narrow.post(&format!("{remind}/list"), json!({})).await.data().clone();
    assert_eq!(own["totalCount"], json!(1), "{own}");
    let reader = server.staff(1, &codes[1..]).await;
    assert_eq!(reader.post(&remind, asked.clone()).await.code(), 403);
    let stranger = server.staff(2, &codes).await;
    let told = stranger.post(&remind, json!({ "ids": [theirs] })).await.data().clone();
    assert_eq!(told["done"], json!(0), "{told}");
}

/// 05 C4: what is asked for outside of the hours waits for the morning.
#[tokio::test]
async fn nobody_is_reminded_at_night() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    clients::inside(&server, &[of.student(1)]).await;
    scan(&admin).await;
    // The hours are those in which it is not now.
    let now = server.app.clock().now();
    let (from, to) = (now + Duration::hours(2), now + Duration::hours(3));
    let hours = format!("{}-{}", from.format("%H:00"), to.format("%H:00"));
    kit::rows::setting(&server, "remindHours", &json!(hours)).await;
    let asked = json!({ "ids": [case_of(&admin, of.student(1)).await["id"]], "channels": ["in_app"] });
    let told = admin.post(&format!("{SUPERVISE}/remind"), asked).await.data().clone();
    let sent: infra::clock::Moment = told["sentAt"].as_str().expect("a moment").parse().expect("a moment");
    assert_eq!(
        (&told["done"], sent.format("%H:%M").to_string()),
        (&json!(1), from.format("%H:00").to_string()),
        "{told}"
    );
    assert!(sent > now);
    let waits: bool = server
        .one(&format!("select next_attempt_at = '{sent}' from school_1.event_outbox where name = 'supervise_reminder'"))
        .await;
    assert!(waits);
}

/// 05 C7-4: three courses and two homeworks are one message of five lines.
#[tokio::test]
async fn one_message_tells_of_everything() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 3).await;
    let bank = bank(&admin, of.courses[0], "ZY", "homework").await;
    let words = short_answers(&admin, bank, 1).await;
    let paper = approved(&admin, of.courses[0], &[], &words).await;
    for title in ["第一次作业", "第二次作业"] {
        let form = task(&server, (of.spring, of.courses[0], of.openings[0]), paper, 600);
        published(&admin, with(form, json!({ "title": title }))).await;
    }
    let now = server.app.clock().now();
    server
        .run(&format!(
            "update school_1.homework set starts_at = '{}', ends_at = '{}', late_until = '{}';
             update school_1.homework_student set state = 'submitted', submitted_at = '{now}'
             where selection_id not in (select id from school_1.course_selection where student_id = {})",
            now - Duration::days(3),
            now - Duration::hours(1),
            now + Duration::days(1),
            of.student(1)
        ))
        .await;
    for opening in of.openings.clone() {
        studied(&server, &of, (1, opening), "12.0").await;
    }
    clients::inside(&server, &[of.student(1)]).await;
    scan(&admin).await;
    let case = case_of(&admin, of.student(1)).await;
    assert_eq!(level(&case), ("orange", vec![("homework_overdue", 2), ("video_lag", 3)]), "{case}");
    assert_eq!((&case["overdue"], &case["averageProgress"]), (&json!(2), &json!(12.0)));
    assert_eq!(case["tags"][1], json!({ "kind": "video_lag", "count": 3, "value": 25.6 }));
    admin.post(&format!("{SUPERVISE}/remind"), json!({ "ids": [case["id"]], "channels": ["in_app"] })).await.data();
    let told: Vec<String> = server
        .one("select array_agg(payload->'variables'->>'lines') from school_1.event_outbox where name = 'supervise_reminder'")
        .await;
    assert_eq!(told.len(), 1, "one message a student");
    let lines: Vec<&str> = told[0].split('；').collect();
    assert_eq!((lines.len(), lines[4]), (5, "作业“第二次作业”已逾期"), "{lines:?}");
    let shown = admin.get(&format!("{SUPERVISE}/view?id={}", case["id"])).await.data()["reminders"][0].clone();
    assert_eq!((&shown["channels"], &shown["kinds"]), (&json!(["in_app"]), &json!(["homework_overdue", "video_lag"])));
    // One of the two that is acknowledged counts for the other no more.
    let seen = admin.get(&format!("{SUPERVISE}/view?id={}", case["id"])).await.data().clone();
    let flags = seen["flags"].as_array().expect("flags");
    let overdue = flags.iter().find(|flag| flag["kind"] == json!("homework_overdue")).expect("a flag");
    let mute = json!({ "flagId": overdue["id"], "muted": true, "reason": "已补交纸质作业" });
    admin.put(&format!("{SUPERVISE}/mute"), mute).await.data();
    scan(&admin).await;
    let case = case_of(&admin, of.student(1)).await;
    assert_eq!(level(&case), ("yellow", vec![("homework_overdue", 1), ("video_lag", 3)]), "{case}");
}

/// 05 C2: a class that gets another manager takes its cases along, but those that people handed over.
#[tokio::test]
async fn cases_follow_the_manager_of_the_class() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    let led_by =
        |manager: String| format!("update school_1.class set manager_id = {manager} where id = {}", of.classes[0]);
    server.run(&led_by("null".to_owned())).await;
    scan(&admin).await;
    let whose = async |n: usize| case_of(&admin, of.student(n)).await["managerName"].clone();
    assert_eq!(whose(1).await, json!(null));
    let items = json!([item(&admin, of.student(2)).await]);
    let hand = json!({ "items": items, "managerId": of.managers[0] });
    assert_eq!(admin.put(&format!("{SUPERVISE}/allocation"), hand).await.data()["done"], json!(1));
    server.run(&led_by(of.managers[1].to_string())).await;
    scan(&admin).await;
    assert_eq!((whose(1).await, whose(2).await), (json!("班主任2"), json!("班主任1")));
    server.run(&led_by(of.managers[0].to_string())).await;
    scan(&admin).await;
    assert_eq!(whose(1).await, json!("班主任1"));
    assert_eq!(scan(&admin).await["done"], json!(0), "and stay there");
}

/// 05 C7-5: who changes their class comes to its manager with everything that was written.
#[tokio::test]
async fn a_case_goes_along_to_another_class() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let case = case_of(&admin, of.student(3)).await;
    call_up(&admin, &case["id"], "承诺本周补学").await.id();
    let (first, second) = (manager(&server, 1).await, manager(&server, 2).await);
    let own = json!({ "live": true });
    assert_eq!(ids_of(first.post(&format!("{OWN}/list"), own.clone()).await.data()).len(), 3);
    server.run(&format!("update school_1.student set class_id = {} where id = {}", of.classes[1], of.student(3))).await;
    for after_a_scan in [false, true] {
        if after_a_scan {
            scan(&admin).await;
        }
        let left = ids_of(first.post(&format!("{OWN}/list"), own.clone()).await.data());
        assert!(!left.contains(&of.student(3)), "the former manager lists it no more: {left:?}");
        assert_eq!(ids_of(second.post(&format!("{OWN}/list"), own.clone()).await.data()), [of.student(3)]);
    }
    let seen = second.get(&format!("{OWN}/view?id={}", case["id"])).await.data().clone();
    assert_eq!((&seen["managerName"], &seen["contacts"][0]["content"]), (&json!("班主任2"), &json!("承诺本周补学")));
    assert_eq!(first.get(&format!("{OWN}/view?id={}", case["id"])).await.code(), 404);
}

/// 05 C7-6: nobody closes a red case of a student with whom nobody talked; what is new opens it again.
#[tokio::test]
async fn a_red_case_is_closed_after_a_contact_alone() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let change = format!("{SUPERVISE}/changeStatus");
    let closing = async |reason: Value| {
        let items = json!([item(&admin, of.student(3)).await]);
        admin.put(&change, json!({ "items": items, "status": "closed", "reason": reason })).await
    };
    assert_eq!(closing(Value::Null).await.refused(), (422, "请填写关闭原因"));
    assert_eq!(closing(json!("已复课")).await.refused(), (409, "红色预警须至少联系一次后才能关闭"));
    let case = case_of(&admin, of.student(3)).await;
    call_up(&admin, &case["id"], "承诺本周补学").await.id();
    assert_eq!(case_of(&admin, of.student(3)).await["status"], json!("following"));
    assert_eq!(closing(json!("已复课")).await.data()["done"], json!(1));
    scan(&admin).await;
    let closed = case_of(&admin, of.student(3)).await;
    assert_eq!((&closed["status"], &closed["closedReason"]), (&json!("closed"), &json!("no_need")), "nothing new");
    assert_eq!(call_up(&admin, &case["id"], "再次联系").await.refused(), (409, "案例已关闭，不能登记联系"));
    server.run(&format!("update school_1.student set fee_flag = 'arrears' where id = {}", of.student(3))).await;
    scan(&admin).await;
    let again = case_of(&admin, of.student(3)).await;
    assert_eq!((&again["id"], &again["status"]), (&case["id"], &json!("following")));
    assert!(level(&again).1.contains(&("fee", 1)), "{again}");
    // Several at once are told row by row; another version is refused.
    let stale = json!({ "items": [{ "id": again["id"], "version": 1 }], "status": "closed", "reason": "已复课" });
    assert_eq!(admin.put(&change, stale).await.code(), 409);
    let (one, two) = (item(&admin, of.student(1)).await, item(&admin, of.student(2)).await);
    let both = admin.put(&change, json!({ "items": [one, two], "status": "following" })).await;
    assert_eq!(both.data()["done"], json!(2));
    let reader = server.staff(1, &["adult:pc:supervise:list"]).await;
    assert_eq!(reader.put(&change, json!({ "items": [one], "status": "following" })).await.code(), 403);
}

/// 05 C7-7: of contacts at the same time both are kept, and the later counts.
#[tokio::test]
async fn contacts_at_once_are_both_kept() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let case = case_of(&admin, of.student(1)).await["id"].clone();
    let own = manager(&server, 1).await;
    let (form, path) = (called_up(&case, "班主任已联系"), format!("{OWN}/contact"));
    let (staff, managers) =
        tokio::join!(call_up(&admin, &case, "院校已联系"), own.post(&path, with(form, json!({ "requestId": "r-1" }))));
    let (staff, managers) = (staff.id(), managers.id());
    assert_ne!(staff, managers);
    let seen = admin.get(&format!("{SUPERVISE}/view?id={case}")).await.data().clone();
    let contacts = seen["contacts"].as_array().expect("contacts");
    assert_eq!((contacts.len(), &contacts[0]["contactedAt"]), (2, &seen["lastContactAt"]), "{seen}");
    let mut kinds: Vec<&str> = contacts.iter().filter_map(|row| row["byKind"].as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["class_manager", "staff"]);
    // A repetition writes nothing, so it leaves nothing in the trail.
    let form = with(called_up(&case, "班主任已联系"), json!({ "requestId": "r-1" }));
    let again = own.unlooked(Method::POST, &path, Some(&form)).await;
    assert_eq!(again.id(), managers, "sent twice it is written once");

    // Whoever wrote a record corrects it within a day; nobody else does.
    let edit = |id: i64| json!({ "id": id, "version": 1, "contactWay": "wechat", "contactResult": "reached", "content": "微信联系" });
    let path = format!("{SUPERVISE}/contact/edit");
    assert_eq!(admin.put(&path, edit(managers)).await.refused(), (403, "只能更正本人登记的联系记录"));
    admin.put(&path, edit(staff)).await.data();
    let before: i64 = server
        .one(&format!(
            "select count(*) from school_1.audit_log where entity_type = 'supervise_contact' and entity_id = {staff}"
        ))
        .await;
    assert_eq!(before, 2, "what was written and what it became");
    let unknown = with(called_up(&case, "未知方式"), json!({ "contactWay": "pigeon" }));
    assert_eq!(admin.post(&format!("{SUPERVISE}/contact"), unknown).await.code(), 422);
    server.run("update school_1.supervise_contact set created_at = created_at - interval '25 hours'").await;
    let late = with(edit(staff), json!({ "version": 2 }));
    assert_eq!(admin.put(&path, late).await.refused(), (409, "登记超过24小时，不能更正"));
    let narrow = server.staff_within(1, &["adult:pc:supervise:contact"], "named_sites", &[of.other_site]).await;
    assert_eq!(call_up(&narrow, &case, "越权联系").await.code(), 404);
}

/// 05 C7-8: whoever left counts no more, is reminded no more, and who comes back is found again.
#[tokio::test]
async fn who_left_is_supervised_no_more() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    clients::inside(&server, &[of.student(3)]).await;
    scan(&admin).await;
    let rate = async || {
        let stat = admin.post(&format!("{SUPERVISE}/stat"), json!({ "by": "class" })).await.data().clone();
        let row = stat["rows"].as_array().expect("rows").iter().find(|row| row["name"] == json!("K1")).cloned();
        let row = row.expect("the class");
        (row["students"].clone(), row["count"].clone(), row["flaggedRate"].clone())
    };
    assert_eq!(rate().await, (json!(4), json!(3), json!(75.0)));
    let case = case_of(&admin, of.student(3)).await;
    let today = server.app.clock().today();
    let leaves = |status: &str| {
        format!(
            "update school_1.student set status = '{status}', status_reason = 'voluntary', ended_on = '{today}' where id = {}",
            of.student(3)
        )
    };
    server.run(&leaves("withdrawn")).await;
    let remind = json!({ "ids": [case["id"]], "channels": ["in_app"] });
    let told = admin.post(&format!("{SUPERVISE}/remind"), remind.clone()).await.data().clone();
    assert_eq!((&told["done"], &told["failed"][0]["msg"]), (&json!(0), &json!("该生没有预警")), "even before the scan");
    scan(&admin).await;
    let closed = case_of(&admin, of.student(3)).await;
    assert_eq!((&closed["status"], &closed["closedReason"]), (&json!("closed"), &json!("withdrawn")));
    assert_eq!(rate().await, (json!(3), json!(2), json!(66.7)));
    let watch = json!({ "studentId": of.student(3), "level": "red", "content": "人工关注" });
    let refused = admin.post(&format!("{SUPERVISE}/save"), watch).await;
    assert_eq!(refused.refused(), (409, "该生不在读，不能新增督学案例"));
    server
        .run(&format!(
            "update school_1.student set status = 'registered', status_reason = null, ended_on = null where id = {}",
            of.student(3)
        ))
        .await;
    scan(&admin).await;
    let back = case_of(&admin, of.student(3)).await;
    assert_eq!((&back["id"], &back["status"], &back["closedReason"]), (&case["id"], &json!("open"), &json!(null)));
}

/// 05 C7-10: a sheet of contacts is written as a whole or not at all, and taken back.
#[tokio::test]
async fn contacts_come_by_sheet_all_or_none() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    // The cases began three days ago.
    server.run("update school_1.supervise_case set first_flagged_at = first_flagged_at - interval '3 days'").await;
    let began = server.app.clock().today() - Duration::days(3);
    let at = (server.app.clock().now() - Duration::hours(2)).format("%Y-%m-%d %H:%M").to_string();
    let row = |n: usize, name: &str| {
        [
            format!("26{n:08}"),
            name.to_owned(),
            at.clone(),
            "电话".to_owned(),
            "已联系上".to_owned(),
            "工作繁忙".to_owned(),
            "约定周末补学".to_owned(),
        ]
    };
    let headings = ["学号", "姓名", "联系时间", "方式", "结果", "原因", "内容"];
    let upload = async |rows: &[[String; 7]]| {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        import(&admin, SUPERVISE, &headings, &rows).await
    };
    let told = upload(&[row(1, "学生1"), row(999, "学生999"), row(2, "学生3"), row(4, "学生4")]).await.data().clone();
    assert_eq!(told["imported"], json!(0), "{told}");
    let wrong = ["3 学号: 学号不存在", "4 姓名: 姓名与学号不符", "5 学号: 该生本学期没有督学案例"];
    assert_eq!(row_errors(&told), wrong);
    assert_eq!(server.one::<i64>("select count(*) from school_1.supervise_contact").await, 0);
    let mut early = row(1, "学生1");
    early[2] = format!("{} 19:30", began - Duration::days(1));
    let told = upload(&[early]).await.data().clone();
    assert_eq!(row_errors(&told), [format!("2 联系时间: 联系时间不能早于案例开始的日期{began}")]);
    let told = upload(&[row(1, "学生1"), row(2, "学生2")]).await.data().clone();
    assert_eq!(told["imported"], json!(2), "{told}");
    let case = case_of(&admin, of.student(1)).await;
    assert_eq!((&case["status"], &case["contactResult"]), (&json!("following"), &json!("已联系上")), "{case}");
    let file = admin.post(&format!("{SUPERVISE}/contact/export"), json!({ "lagReason": "busy_work" })).await;
    assert_eq!(texts(&file.bytes).len(), 3);
    let job = undone(&admin, false).await;
    assert_eq!(job["state"], json!("done"), "{job}");
    assert_eq!(server.one::<i64>("select count(*) from school_1.supervise_contact").await, 0);
    let case = case_of(&admin, of.student(1)).await;
    assert_eq!((&case["status"], &case["lastContactAt"]), (&json!("following"), &json!(null)));
}

/// 05 C7-11: the levels of a rule grow stricter; the narrower rule counts; each kind goes back to what it was.
#[tokio::test]
async fn rules_grow_stricter() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    let form = |kind: &str, yellow: i64, orange: i64| json!({ "kind": kind, "yellow": yellow, "orange": orange });
    let save = format!("{RULE}/save");
    let refused = admin.post(&save, form("video_lag", 30, 20)).await;
    assert_eq!(refused.refused(), (422, "三级阈值须依次加严"));
    assert_eq!(
        admin.post(&save, form("study_limit", 3, 6)).await.code(),
        422,
        "of months that are left less is stricter"
    );
    let taken = admin.post(&save, form("silent", 5, 10)).await;
    assert_eq!(taken.refused(), (409, "该类型在这个范围已有启用的规则"));
    let unknown = with(form("silent", 5, 10), json!({ "siteIds": [999] }));
    assert_eq!(admin.post(&save, unknown).await.code(), 422);
    let manual = admin.post(&save, form("manual", 5, 10)).await;
    assert_eq!(manual.refused(), (422, "人工关注没有规则"));
    let params =
        with(form("silent", 5, 10), json!({ "siteIds": [of.other_site], "params": [{ "key": "days", "value": 3 }] }));
    assert_eq!(admin.post(&save, params).await.code(), 422);

    // At the other site five days of silence are enough.
    let own = with(form("silent", 5, 10), json!({ "siteIds": [of.other_site] }));
    let own = admin.post(&save, own).await.id();
    signed_in(&server, &of, 4, 6).await;
    signed_in(&server, &of, 7, 6).await;
    scan(&admin).await;
    assert_eq!(case_of(&admin, of.student(4)).await, json!(null));
    assert_eq!(level(&case_of(&admin, of.student(7)).await), ("yellow", vec![("silent", 1)]));
    let here = server.staff_within(1, &["adult:pc:supervise:list"], "named_sites", &[of.p.site]).await;
    let seen = here.get(&format!("{RULE}/list")).await.data().clone();
    assert!(seen.as_array().is_some_and(|rules| rules.iter().all(|rule| rule["id"] != json!(own))), "{seen}");
    let rule = admin.get(&format!("{RULE}/list")).await.data().as_array().expect("rules").clone();
    assert_eq!(rule.len(), 11, "one of each kind, and its own of a site");
    let of_site = rule.iter().find(|rule| rule["id"] == json!(own)).expect("the rule");
    assert_eq!(of_site["scopeName"], json!("城西教学点"));
    let edit = with(form("silent", 7, 14), json!({ "id": own, "version": 1, "siteIds": [of.other_site] }));
    admin.put(&format!("{RULE}/edit"), edit.clone()).await.data();
    assert_eq!(admin.put(&format!("{RULE}/edit"), edit).await.code(), 409, "somebody else changed it");
    scan(&admin).await;
    assert_eq!(case_of(&admin, of.student(7)).await["tags"], json!([]));
    let left = admin.post(&format!("{RULE}/reset"), json!({ "kind": "silent" })).await.data().clone();
    assert_eq!(left.as_array().map(Vec::len), Some(10), "{left}");
    let narrow = server.staff_within(1, &["adult:pc:supervise:rule"], "named_sites", &[of.p.site]).await;
    assert_eq!(narrow.post(&save, form("silent", 5, 10)).await.code(), 403);
    let renewed =
        left.as_array().expect("rules").iter().find(|rule| rule["kind"] == json!("silent")).expect("its rule");
    let stranger = server.staff(2, &["adult:pc:supervise:rule"]).await;
    assert_eq!(
        stranger.delete(&format!("{RULE}/delete?id={}", renewed["id"])).await.code(),
        404,
        "no rule of that school"
    );
}

/// 05 C2, E1: somebody of a site hears of no other site by a rule, nor by its trail; a scope of which nothing is left says so.
#[tokio::test]
async fn a_rule_tells_nothing_of_other_sites() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    let form = json!({ "kind": "silent", "yellow": 5, "orange": 10, "siteIds": [of.p.site, of.other_site] });
    let rule = admin.post(&format!("{RULE}/save"), form).await.id();
    let shown = async |client: &Client<'_>| {
        let rules = client.get(&format!("{RULE}/list")).await.data().clone();
        rules.as_array().expect("rules").iter().find(|one| one["id"] == json!(rule)).cloned().expect("the rule")
    };
    assert_eq!(shown(&admin).await["siteIds"].as_array().map(Vec::len), Some(2));
    let here = server.staff_within(1, &["adult:pc:supervise:list"], "named_sites", &[of.p.site]).await;
    let seen = shown(&here).await;
    assert_eq!((&seen["siteIds"], &seen["scopeName"]), (&json!([of.p.site]), &json!("城东教学点")));

    let (path, trail) = ("/data/pc/sys/log/record", json!({ "entityType": "supervise_rule", "entityId": rule }));
    assert_eq!(admin.post(path, trail.clone()).await.data()["totalCount"], json!(1));
    assert_eq!(here.post(path, trail.clone()).await.code(), 403);
    let keeper = server.staff_within(1, &["adult:pc:supervise:rule"], "named_sites", &[of.p.site]).await;
    assert_eq!(keeper.post(path, trail).await.code(), 404, "rules are the whole school's");

    server
        .run(&format!(
            "update school_1.supervise_rule set site_ids = '{{}}', grade_ids = '{{999999}}' where id = {rule}"
        ))
        .await;
    assert_eq!(shown(&admin).await["scopeName"], json!("（范围已删除）"));
}

/// 05 C2, C3: what was written of a closed case stays; a word that is offered no more stays where it stands.
#[tokio::test]
async fn a_closed_case_stays_as_it_is() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let case = case_of(&admin, of.student(1)).await["id"].clone();
    let contact = call_up(&admin, &case, "承诺本周补学").await.id();
    server
        .run("update platform.dict_data set enabled = false where dict_type = 'contact_way' and dict_value = 'phone'")
        .await;
    let edit = format!("{SUPERVISE}/contact/edit");
    let corrected = |version: i64, way: &str| json!({ "id": contact, "version": version, "contactWay": way, "contactResult": "promised", "content": "承诺周末补学" });
    admin.put(&edit, corrected(1, "phone")).await.data();
    assert_eq!(admin.put(&edit, corrected(2, "pigeon")).await.code(), 422);
    assert_eq!(call_up(&admin, &case, "再次联系").await.code(), 422, "what is new is said in words that are offered");

    let items = json!([item(&admin, of.student(1)).await]);
    let close = json!({ "items": items, "status": "closed", "reason": "已复课" });
    admin.put(&format!("{SUPERVISE}/changeStatus"), close).await.data();
    let refused = admin.put(&edit, corrected(2, "phone")).await;
    assert_eq!(refused.refused(), (409, "案例已关闭，不能更正联系记录"));
    let seen = admin.get(&format!("{SUPERVISE}/view?id={case}")).await.data().clone();
    let mute = json!({ "flagId": seen["flags"][0]["id"], "muted": true, "reason": "已电话确认" });
    let refused = admin.put(&format!("{SUPERVISE}/mute"), mute).await;
    assert_eq!(refused.refused(), (409, "案例已关闭，不能忽略或取消忽略预警"));
}

/// 01 §13, 05 C3: a school says whether scans open cases, and whether managers hear of new ones, those that people open among them.
#[tokio::test]
async fn a_school_says_whether_cases_open_and_managers_hear() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    kit::rows::setting(&server, "autoCase", &json!(false)).await;
    assert_eq!(scan(&admin).await["opened"], json!(0));
    let told = async || {
        server.one::<i64>("select count(*) from school_1.event_outbox where name = 'supervise_assigned'").await
    };
    let watch = async |n: usize| {
        let form = json!({ "studentId": of.student(n), "level": "orange", "content": "家中有变故" });
        admin.post(&format!("{SUPERVISE}/save"), form).await.id()
    };
    assert_eq!(watch(4).await, watch(4).await);
    assert_eq!(told().await, 1, "of a case that goes on nobody hears again");
    kit::rows::setting(&server, "notifyClassManager", &json!(false)).await;
    watch(5).await;
    server.run("delete from school_1.school_setting where key = 'autoCase'").await;
    assert_eq!(scan(&admin).await["opened"], json!(3));
    assert_eq!(told().await, 1);
}

/// 05 D6: what somebody adds to a reminder is screened; it is sent in spite of a word by whoever may send messages.
#[tokio::test]
async fn a_sensitive_word_in_a_reminder_is_warned_of() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    clients::inside(&server, &[of.student(1)]).await;
    scan(&admin).await;
    let word = json!({ "words": ["代考"], "category": "other", "action": "mask" });
    server.operator().await.post("/system/pc/sys/sensitive/word/library/save", word).await.data();
    let remind = format!("{SUPERVISE}/remind");
    let case = case_of(&admin, of.student(1)).await["id"].clone();
    let asked = json!({ "ids": [case], "channels": ["in_app"], "text": "切勿代-考" });
    let forced = with(asked.clone(), json!({ "force": true }));
    let refused = admin.post(&remind, asked).await;
    assert_eq!(refused.refused(), (422, "附言包含敏感词：代考，请修改；确认无误可以仍然发送"));
    assert_eq!(refused.body["data"]["words"], json!(["代考"]));
    let clerk = server.staff(1, &["adult:pc:supervise:remind"]).await;
    let refused = clerk.post(&remind, forced.clone()).await;
    assert_eq!(refused.refused(), (403, "附言包含敏感词：代考，仍然发送需要发送消息的权限"));
    let (reminds, sends): (&[&str], &[&str]) = (&["adult:pc:supervise:remind"], &["user:pc:msg:send"]);
    let partly =
        server.staff_with_roles(1, &[(reminds, "whole_school", &[]), (sends, "named_sites", &[999_999])]).await;
    let refused = partly.post(&remind, forced.clone()).await;
    assert!(refused.code() == 403 && refused.msg().contains("只包含部分站点或班级"), "{}", refused.body);
    assert_eq!(admin.post(&remind, forced).await.data()["done"], json!(1));
}

/// 05 C3: staff watch somebody, and let it be; the case follows.
#[tokio::test]
async fn somebody_is_watched_by_hand() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    let watch = json!({ "studentId": of.student(4), "level": "red", "content": "家中有变故" });
    let case = admin.post(&format!("{SUPERVISE}/save"), watch.clone()).await.id();
    assert_eq!(level(&case_of(&admin, of.student(4)).await), ("red", vec![("manual", 1)]));
    scan(&admin).await;
    assert_eq!(level(&case_of(&admin, of.student(4)).await), ("red", vec![("manual", 1)]), "a scan leaves it");
    let milder = with(watch.clone(), json!({ "level": "yellow", "content": "情况好转" }));
    assert_eq!(admin.post(&format!("{SUPERVISE}/save"), milder).await.id(), case, "flags join the case");
    assert_eq!(case_of(&admin, of.student(4)).await["level"], json!("yellow"));
    let seen = admin.get(&format!("{SUPERVISE}/view?id={case}")).await.data().clone();
    let mute = json!({ "flagId": seen["flags"][0]["id"], "muted": true, "reason": "不再需要" });
    admin.put(&format!("{SUPERVISE}/mute"), mute).await.data();
    assert_eq!(case_of(&admin, of.student(4)).await["tags"], json!([]));
    let shown = admin.get(&format!("{SUPERVISE}/view?id={case}")).await.data()["flags"][0].clone();
    assert_eq!((&shown["muted"], &shown["muteReason"]), (&json!(true), &json!("不再需要")));
    let narrow = server.staff_within(1, &["adult:pc:supervise:save"], "named_sites", &[of.other_site]).await;
    assert_eq!(narrow.post(&format!("{SUPERVISE}/save"), watch).await.refused(), (404, "无权操作该数据"));
}

/// 05 C3: a case is handed to a manager of the student's site alone, and stays theirs.
#[tokio::test]
async fn a_case_is_handed_over_within_its_site() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    scan(&admin).await;
    let hand = format!("{SUPERVISE}/allocation");
    let to = async |n: usize| {
        let items = json!([item(&admin, of.student(1)).await]);
        admin.put(&hand, json!({ "items": items, "managerId": of.managers[n], "remark": "休产假" })).await
    };
    let refused = to(2).await.data().clone();
    assert_eq!((&refused["done"], &refused["failed"][0]["msg"]), (&json!(0), &json!("该班主任不负责此站点")));
    assert_eq!(to(1).await.data()["done"], json!(1));
    scan(&admin).await;
    let case = case_of(&admin, of.student(1)).await;
    assert_eq!(case["managerName"], json!("班主任2"), "a scan leaves it there");
    let seen = admin.get(&format!("{SUPERVISE}/view?id={}", case["id"])).await.data().clone();
    assert_eq!(
        (&seen["transfers"][0]["fromName"], &seen["transfers"][0]["remark"]),
        (&json!("班主任1"), &json!("休产假"))
    );
    let own = manager(&server, 2).await;
    assert_eq!(ids_of(own.post(&format!("{OWN}/list"), json!({})).await.data()), [of.student(1)]);
    server.run(&format!("update school_1.class_manager set status = 'left' where id = {}", of.managers[0])).await;
    assert_eq!(to(0).await.refused(), (422, "请选择在职的班主任"));
}

/// 05 C5: the cards, and figures by class, manager, kind, day and reason; somebody of one site is told of it alone.
#[tokio::test]
async fn figures_tell_how_many_fall_behind() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    never_came(&server, &of, 7).await;
    server.when_due("supervise.scan", Duration::minutes(2)).await;
    let case = case_of(&admin, of.student(3)).await["id"].clone();
    let form = with(
        called_up(&case, "承诺补学"),
        json!({ "lagReason": "busy_work", "nextContactOn": server.app.clock().today() }),
    );
    admin.post(&format!("{SUPERVISE}/contact"), form).await.id();
    let cards = admin.post(&format!("{SUPERVISE}/summary"), json!({})).await.data().clone();
    let shown = ["students", "red", "orange", "yellow", "opened", "relieved", "due", "contactRate"];
    let cards: Vec<&Value> = shown.iter().map(|key| &cards[*key]).collect();
    assert_eq!(json!(cards), json!([8, 2, 1, 1, 4, 0, 1, 25.0]));
    let by = async |by: &str| admin.post(&format!("{SUPERVISE}/stat"), json!({ "by": by })).await.data().clone();
    let classes = by("class").await;
    let rows = classes["rows"].as_array().expect("rows").clone();
    let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
    assert_eq!(json!(names), json!(["K1", "K2", "K3"]));
    assert_eq!((&rows[0]["contactRate"], &rows[2]["flaggedRate"]), (&json!(33.3), &json!(50.0)));
    let managers = by("manager").await["rows"].clone();
    assert_eq!(
        (&managers[0]["name"], &managers[0]["classes"], &managers[0]["contacts"]),
        (&json!("班主任1"), &json!(1), &json!(1))
    );
    let kinds = by("kind").await["rows"].clone();
    assert_eq!((&kinds[0]["name"], &kinds[0]["count"]), (&json!("视频落后"), &json!(4)));
    let reasons = by("reason").await["rows"].clone();
    assert_eq!((&reasons[0]["name"], &reasons[0]["count"]), (&json!("工作繁忙"), &json!(1)));
    let days = by("day").await;
    assert_eq!((&days["rows"][0]["red"], &days["effect"]["reminded"]), (&json!(2), &json!(0)), "{days}");
    let asked = json!({ "by": "day", "filter": { "level": "red" } });
    let refused = admin.post(&format!("{SUPERVISE}/stat"), asked).await;
    assert_eq!(refused.code(), 422, "of a day classes are kept, not cases");
    let by_form = async |form: &str| {
        let list =
            admin.post(&format!("{SUPERVISE}/list"), json!({ "studyForm": form, "pageSize": 2 })).await.data().clone();
        (list["totalCount"].clone(), list["list"].as_array().map(Vec::len))
    };
    let form: String = server.one("select min(study_form) from school_1.student").await;
    assert_eq!(by_form(form.as_str()).await, (json!(4), Some(2)));
    assert_eq!(by_form("full_time").await, (json!(0), Some(0)));
    let sheet = texts(&admin.post(&format!("{SUPERVISE}/export"), json!({ "uncontacted": false })).await.bytes);
    assert!(sheet[0].contains(&"联系结果".to_owned()) && sheet[1].contains(&"承诺补学".to_owned()), "{sheet:?}");
    let codes = ["adult:pc:supervise:list", "adult:pc:supervise:view", "adult:pc:supervise:export"];
    let narrow = server.staff_within(1, &codes, "named_sites", &[of.other_site]).await;
    let own = narrow.post(&format!("{SUPERVISE}/summary"), json!({})).await.data().clone();
    assert_eq!((&own["students"], &own["red"]), (&json!(2), &json!(1)));
    assert_eq!(
        ids_of(narrow.post(&format!("{SUPERVISE}/list"), json!({ "live": true })).await.data()),
        [of.student(7)]
    );
    let sheet = narrow.post(&format!("{SUPERVISE}/export"), json!({})).await;
    assert_eq!(texts(&sheet.bytes).len(), 2, "a heading and one student");
    assert_eq!(narrow.get(&format!("{SUPERVISE}/view?id={case}")).await.code(), 404);
}

/// 05 C5: the sheet on which a manager writes down whom they called; whole numbers are another right.
#[tokio::test]
async fn whom_to_call_is_printed() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    let print = format!("{SUPERVISE}/print/sheet");
    assert_eq!(admin.post(&print, json!({})).await.refused(), (999, "没有需要联系的学生"));
    behind(&server, &of).await;
    scan(&admin).await;
    let paper = admin.post(&print, json!({})).await;
    assert!(paper.bytes.starts_with(b"%PDF"), "{}", paper.body);
    let clerk = server.staff(1, &["adult:pc:supervise:export"]).await;
    assert!(clerk.post(&print, json!({})).await.bytes.starts_with(b"%PDF"));
    let ticked = json!({ "ids": [case_of(&admin, of.student(1)).await["id"]] });
    assert!(clerk.post(&print, ticked).await.bytes.starts_with(b"%PDF"));
    assert_eq!(clerk.post(&print, json!({ "ids": [999_999] })).await.refused(), (999, "没有需要联系的学生"));
    let whole = json!({ "whole": true, "reason": "班主任打电话" });
    assert_eq!(clerk.post(&print, whole.clone()).await.code(), 403);
    assert_eq!(admin.post(&print, json!({ "whole": true })).await.code(), 422, "what for has to be said");
    assert!(admin.post(&print, whole).await.bytes.starts_with(b"%PDF"));
}

/// 05 C4, C6: a class manager sees, calls and reminds their own students, and reads numbers one by one; every reading leaves a row.
#[tokio::test]
async fn a_class_manager_looks_after_their_own() {
    let server = Server::start().await;
    let (admin, of) = supervised(&server, 1).await;
    behind(&server, &of).await;
    never_came(&server, &of, 5).await;
    clients::inside(&server, &[of.student(1), of.student(5)]).await;
    scan(&admin).await;
    let own = manager(&server, 1).await;
    let (mine, theirs) =
        (case_of(&admin, of.student(1)).await["id"].clone(), case_of(&admin, of.student(5)).await["id"].clone());
    let listed = own.post(&format!("{OWN}/list"), json!({ "managerId": of.managers[1] })).await.data().clone();
    assert_eq!(ids_of(&listed).len(), 3, "their own, whatever they ask for: {listed}");
    assert_eq!(own.get(&format!("{OWN}/view?id={theirs}")).await.code(), 404);
    let contact = with(called_up(&theirs, "不是我的学生"), json!({ "requestId": "r-1" }));
    assert_eq!(own.post(&format!("{OWN}/contact"), contact).await.code(), 404);
    let remind = json!({ "requestId": "r-2", "ids": [mine, theirs], "channels": ["in_app"] });
    let told = own.post(&format!("{OWN}/remind"), remind).await.data().clone();
    assert_eq!((&told["done"], &told["failed"][0]["msg"]), (&json!(1), &json!("无权操作该数据")), "{told}");

    let phone = |student: i64| format!("{OWN}/phone?studentId={student}");
    let whole = own.get(&phone(of.student(4))).await.data().clone();
    assert_eq!(whole["phone"], json!("15400000004"), "of every student of the class");
    assert_eq!(own.get(&phone(of.student(5))).await.code(), 404);
    let read: i64 = server.one("select count(*) from school_1.audit_log where action = 'phone'").await;
    assert_eq!(read, 1);
    server.run("update school_1.supervise_phone_view set seen = 100").await;
    assert_eq!(own.get(&phone(of.student(4))).await.refused(), (429, "今日查看学生电话已达100次，请明天再试"));

    let site = site_person(&server, &admin, of.p.site).await;
    assert_eq!(ids_of(site.post(&format!("{OWN}/list"), json!({})).await.data()).len(), 4, "the site's");
    let contact = with(called_up(&theirs, "站点已转告"), json!({ "requestId": "r-3" }));
    site.post(&format!("{OWN}/contact"), contact).await.id();
    let seen = site.get(&format!("{OWN}/view?id={theirs}")).await.data().clone();
    assert_eq!(seen["contacts"][0]["byKind"], json!("site_staff"));
    let forbidden = json!({ "requestId": "r-4", "ids": [mine] });
    assert_eq!(site.post(&format!("{OWN}/remind"), forbidden).await.code(), 403, "a site reminds nobody");
    assert_eq!(site.get(&phone(of.student(4))).await.code(), 403);
    let teacher = clients::signed_in(&server).await;
    assert_eq!(teacher.post(&format!("{OWN}/list"), json!({})).await.code(), 403, "a teacher who leads no class");
    let tokens = clients::inside(&server, &[of.student(2)]).await;
    let student = server.anonymous().with_token(Some(&tokens[0]));
    assert_eq!(student.unlooked(Method::POST, &format!("{OWN}/list"), Some(&json!({}))).await.code(), 403);
}
