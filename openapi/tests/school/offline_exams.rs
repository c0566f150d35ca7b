//! Examinations on paper: the scenarios of part 04 §4.7 that are of setups and make-ups.

use kit::{
    Server,
    accounts::all_school_codes,
    cohort::registrar,
    exam_seats::{CANDIDATE, SEAT, SETUP, batch, second, session},
    fields,
    lessons::lessons,
    sheets::{XLSX, sheet},
};
use poem::http::Method;
use serde_json::{Value, json};

/// §4.7 scenario 2, and the way to publication: nobody audits what they submitted, nobody is left without a seat.
#[tokio::test]
async fn a_setup_is_reviewed_by_another_person_and_published_with_its_seats() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let codes = all_school_codes();
    let other = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let at = lessons(&server, &admin, [15, 0]).await;
    let beside = second(&server, &admin, &at, "B1").await;
    let round = batch(&server, at.spring, "P1", "final").await;
    let slot = session(&server, &admin, round, ("09:00", "11:00")).await;
    let form = |course: i64, session: i64| json!({ "batchId": round, "courseId": course, "semesterId": at.spring, "sessionId": session, "classIds": [at.classes[0]] });
    server.run("update school_1.course_opening set assess_mode = 'open_book'").await;
    let made = admin.post(&format!("{SETUP}/save"), form(at.course, slot)).await.id();
    let seen = admin.get(&format!("{SETUP}/view?id={made}")).await.data().clone();
    let (round_of, mode_of) = (&seen["form"]["round"], &seen["form"]["assessMode"]);
    assert_eq!(
        (round_of, mode_of),
        (&json!("first"), &json!("open_book")),
        "what nobody said comes of batch and opening"
    );
    assert_eq!((&seen["clashCount"], &seen["seatsLeft"]), (&json!(0), &json!(-15)), "there is no room yet: {seen}");
    let listed = admin.post(&format!("{CANDIDATE}/list"), json!({ "setupId": made })).await;
    assert_eq!(listed.data()["totalCount"], json!(15), "{}", listed.body);
    let clash = admin.post(&format!("{SETUP}/save"), form(beside, slot)).await;
    assert_eq!(fields(&clash), ["sessionId: 与《课程A1》有 15 名学生时间冲突"]);
    // Another time of the same day is made on the way.
    let mut later = form(beside, slot);
    later.as_object_mut().expect("fields").remove("sessionId");
    later["date"] = json!(kit::exam_seats::day(&server, 10).await);
    later["startTime"] = json!("14:00");
    later["endTime"] = json!("16:00");
    let afternoon = admin.post(&format!("{SETUP}/save"), later).await.id();
    let seen = admin.get(&format!("{SETUP}/clash?setupId={afternoon}&sessionId={slot}")).await.data().clone();
    assert_eq!(seen["list"].as_array().map(Vec::len), Some(15), "{seen}");

    let item = async || {
        let seen = admin.get(&format!("{SETUP}/view?id={made}")).await.data().clone();
        json!({ "id": made, "version": seen["version"] })
    };
    let submitted = admin.put(&format!("{SETUP}/submit"), json!({ "items": [item().await] })).await;
    assert_eq!(submitted.data()["done"], json!(1), "{}", submitted.body);
    let audit = json!({ "items": [item().await], "pass": true });
    let own = admin.put(&format!("{SETUP}/audit"), audit.clone()).await;
    assert_eq!(own.data()["failed"][0]["msg"], json!("不能审核自己提交的考试安排"), "{}", own.body);
    assert_eq!(other.put(&format!("{SETUP}/audit"), audit).await.data()["done"], json!(1));
    let publish = json!({ "items": [item().await] });
    let waiting = admin.put(&format!("{SETUP}/publish"), publish).await;
    assert_eq!(waiting.data()["failed"][0]["msg"], json!("还有 15 名考生未编排座位"), "{}", waiting.body);
    kit::exam_seats::room(&admin, at.p.site, "401", (6, 5)).await;
    let seats = json!({ "batchId": round, "sessionIds": [slot] });
    assert_eq!(admin.post(&format!("{SEAT}/auto"), seats.clone()).await.data()["placed"], json!(15));

    // What was passed may be given back while it is not published; nobody keeps a seat.
    let back = json!({ "items": [item().await], "pass": false, "opinion": "场次时间调整" });
    let own = admin.put(&format!("{SETUP}/audit"), back.clone()).await;
    assert_eq!(own.data()["failed"][0]["msg"], json!("不能审核自己提交的考试安排"), "{}", own.body);
    assert_eq!(other.put(&format!("{SETUP}/audit"), back).await.data()["done"], json!(1));
    let given_back = admin.get(&format!("{SETUP}/view?id={made}")).await.data().clone();
    assert_eq!((&given_back["status"], &given_back["reviewOpinion"]), (&json!("draft"), &json!("场次时间调整")));
    let kept: i64 = server.one("select count(*) from school_1.offline_seat").await;
    assert_eq!(kept, 0, "seats of another session than the examination's");
    admin.put(&format!("{SETUP}/submit"), json!({ "items": [item().await] })).await.data();
    other.put(&format!("{SETUP}/audit"), json!({ "items": [item().await], "pass": true })).await.data();
    assert_eq!(admin.post(&format!("{SEAT}/auto"), seats).await.data()["placed"], json!(15));

    let publish = json!({ "items": [item().await] });
    let published = admin.put(&format!("{SETUP}/publish"), publish).await;
    assert_eq!(published.data()["done"], json!(1), "{}", published.body);
    let cancel = json!({ "id": made, "version": item().await["version"], "reason": "考点停电" });
    let moved = async |by: &str| {
        let to = format!(
            "update school_1.offline_session set starts_at = {by}, ends_at = {by} + interval '2 hours' where id = {slot}"
        );
        server.run(&to).await;
    };
    let now = server.now();
    moved(&format!("{now} + interval '23 hours'")).await;
    let close = admin.put(&format!("{SETUP}/withdraw"), item().await).await;
    assert_eq!(close.refused(), (409, "距开考不足24小时，不能撤回"));
    moved(&format!("{now} - interval '1 hour'")).await;
    let begun = admin.put(&format!("{SETUP}/cancel"), cancel.clone()).await;
    assert_eq!(begun.refused(), (409, "考试已开始，不能取消"));
    moved(&format!("{now} + interval '10 days'")).await;
    admin.put(&format!("{SETUP}/cancel"), cancel).await.data();
    let free: i64 = server.one("select count(*) from school_1.offline_seat").await;
    assert_eq!(free, 0, "a cancelled examination keeps no seats");
}

/// §4.7 scenario 7.
#[tokio::test]
async fn make_ups_end_with_their_chances() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    server
        .run(
            "update school_1.score_rule set params = params || '{\"makeupLimit\": 2, \"finalMakeupLimit\": 1}'
             where kind = 'final_exam'",
        )
        .await;
    server
        .run(
            "insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, status, published_at, created_by, updated_by)
             select id, student_id, course_id, semester_id, 1, class_id, 3, 'compulsory', 45, 'normal', '45', false, 'published', now(), 0, 0
             from school_1.course_selection",
        )
        .await;
    // The first student used two make-ups, the second none.
    server
        .run(
            "insert into school_1.exam_score (course_score_id, round, round_no, value, source, published, created_by, updated_by)
             select (select min(id) from school_1.course_score), 'makeup', n, 50, 'offline_entry', true, 0, 0
             from generate_series(1, 2) n",
        )
        .await;
    let (makeup, last) =
        (batch(&server, at.spring, "P2", "makeup").await, batch(&server, at.spring, "P3", "final_makeup").await);
    let list = async |batch: i64| {
        let listed = admin.post(&format!("{SETUP}/makeup/candidates"), json!({ "batchId": batch })).await;
        listed.data()["list"].as_array().expect("rows").clone()
    };
    let open = list(makeup).await;
    assert_eq!((open.len(), &open[0]["left"], &open[0]["kind"]), (1, &json!(2), &json!("failed")), "{open:?}");
    assert_eq!(list(last).await.len(), 2);
    let all: Vec<i64> = vec![
        server.one("select min(selection_id) from school_1.course_score").await,
        server.one("select max(selection_id) from school_1.course_score").await,
    ];
    let wanted = |setup: Value| {
        json!({ "batchId": makeup, "mode": "offline",
            "rows": [{ "courseId": at.course, "semesterId": at.spring, "selectionIds": all, "setupId": setup }] })
    };
    let made = admin.post(&format!("{SETUP}/makeup"), wanted(Value::Null)).await.data()["rows"][0].clone();
    assert_eq!((&made["added"], &made["skipped"][0]["why"]), (&json!(1), &json!("没有剩余的补考次数")), "{made}");
    // Nobody is added, so nothing is in the trail.
    let wanted = wanted(made["setupId"].clone());
    let again = admin.unlooked(Method::POST, &format!("{SETUP}/makeup"), Some(&wanted)).await.data()["rows"][0].clone();
    let told: Vec<&Value> = again["skipped"].as_array().expect("rows").iter().map(|row| &row["why"]).collect();
    assert_eq!((&again["added"], told.contains(&&json!("本批次已安排"))), (&json!(0), true), "{again}");

    // On the net an examination says when it is open.
    let net = batch(&server, at.spring, "P4", "makeup").await;
    server.run(&format!("update school_1.test_batch set mode = 'mixed' where id = {net}")).await;
    let day = kit::exam_seats::day(&server, 10).await;
    let on_the_net = |minutes: Value| {
        json!({ "batchId": net, "mode": "online",
            "rows": [{ "courseId": at.course, "semesterId": at.spring, "selectionIds": [open[0]["selectionId"]],
                "startsAt": format!("{day}T09:00:00+08:00"), "endsAt": format!("{day}T12:00:00+08:00"),
                "durationMinutes": minutes }] })
    };
    let untimed = on_the_net(Value::Null);
    let untimed =
        admin.unlooked(Method::POST, &format!("{SETUP}/makeup"), Some(&untimed)).await.data()["rows"][0].clone();
    let why = untimed["why"].as_str().expect("a reason");
    assert!(why.contains("请填写时长"), "{untimed}");
    let made = admin.post(&format!("{SETUP}/makeup"), on_the_net(json!(90))).await.data()["rows"][0].clone();
    assert_eq!((&made["added"], &made["why"]), (&json!(1), &Value::Null), "{made}");
    let seen = admin.get(&format!("/exam/pc/online/setup/view?id={}", made["setupId"])).await.data().clone();
    assert_eq!((&seen["durationMinutes"], &seen["round"]), (&json!(90), &json!("makeup")), "{seen}");

    // Of the batch in whose sheet somebody failed.
    let origin = batch(&server, at.spring, "P5", "final").await;
    server
        .run(&format!(
            "with sheet as (
                 insert into school_1.score_sheet (sheet_no, batch_id, course_id, semester_id, round, source, created_by, updated_by)
                 values ('P-1', {origin}, {}, {}, 'first', 'offline', 0, 0) returning id)
             insert into school_1.score_sheet_row (sheet_id, course_score_id, row_round, created_by, updated_by)
             select sheet.id, (select min(id) from school_1.course_score), 'first', 0, 0 from sheet",
            at.course, at.spring
        ))
        .await;
    let wanted = json!({ "batchId": last, "originBatchId": origin });
    let failed = admin.post(&format!("{SETUP}/makeup/candidates"), wanted).await.data().clone();
    let first: i64 = server.one("select selection_id from school_1.course_score order by id limit 1").await;
    assert_eq!((&failed["totalCount"], &failed["list"][0]["selectionId"]), (&json!(1), &json!(first)), "{failed}");
    // Whoever completed may still try before the years of conversion are over, and before graduation alone.
    let completed = async |years: i32| {
        server
            .run(&format!(
                "update school_1.student set status = 'completed', ended_on = current_date - make_interval(years => {years})
                 where id = (select student_id from school_1.course_score order by id desc limit 1)"
            ))
            .await;
        (list(makeup).await.len(), list(last).await.len())
    };
    assert_eq!(completed(1).await, (0, 2));
    assert_eq!(completed(3).await, (0, 1));
}

/// §4.1: nobody is put into two examinations at once, by hand or by a sheet.
#[tokio::test]
async fn nobody_is_added_to_two_examinations_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = kit::exam_seats::seated(&server, &admin, 2, &[(6, 5)]).await;
    let other = second(&server, &admin, &at.taught, "B1").await;
    let slot = session(&server, &admin, at.batch, ("10:00", "12:00")).await;
    let beside = kit::exam_seats::setup(&server, at.batch, (other, at.taught.spring), slot).await;
    let seen = admin.get(&format!("{SETUP}/view?id={beside}")).await.data().clone();
    assert_eq!((&seen["clashCount"], &seen["seatsLeft"]), (&json!(2), &json!(26)), "four sit in 30 seats: {seen}");
    server.run(&format!("delete from school_1.exam_candidate where setup_id = {beside}")).await;
    let own: i64 =
        server.one(&format!("select min(id) from school_1.course_selection where course_id = {other}")).await;
    let who: String = server
        .one(&format!("select y.name from school_1.student y join school_1.course_selection c on c.student_id = y.id where c.id = {own}"))
        .await;
    let number: String = server
        .one(&format!("select y.student_no from school_1.student y join school_1.course_selection c on c.student_id = y.id where c.id = {own}"))
        .await;
    let clashes = format!("“{who}”与《课程A1》时间冲突");
    let wanted = json!({ "setupId": beside, "selectionIds": [own], "reason": "补报名" });
    let added = admin.post(&format!("{CANDIDATE}/add"), wanted.clone()).await;
    assert_eq!(added.refused(), (409, clashes.as_str()));
    let book = sheet(&["学号", "姓名", "课程编码"], &[&[&number, &who, "B1"]]);
    let path = format!("{CANDIDATE}/import");
    let sent = admin.upload_with(&path, &[("setupId", &beside.to_string())], "file", "考生.xlsx", XLSX, &book).await;
    let told = kit::sheets::row_errors(sent.data());
    assert!(told.iter().any(|error| error.contains("时间冲突")), "{}", sent.body);
    // Behind the other one there is time.
    server
        .run(&format!(
            "update school_1.offline_session set starts_at = starts_at + interval '3 hours', ends_at = ends_at + interval '3 hours'
             where id = {slot}"
        ))
        .await;
    server
        .run(&format!("update school_1.exam_setup set status = 'published', published_at = now() where id = {beside}"))
        .await;
    assert_eq!(admin.post(&format!("{CANDIDATE}/add"), wanted).await.data()["done"], json!(1));
    let told: i64 = server.one("select count(*) from school_1.event_outbox where name = 'exam_published'").await;
    assert_eq!(told, 1, "it was published before");
}

/// §4.3: sessions are found for those too whose candidates are too many to be listed at once; who comes to the list later is compared
/// when it is submitted.
#[tokio::test]
async fn whoever_is_not_listed_yet_sits_once_at_a_time() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    let other = second(&server, &admin, &at, "B1").await;
    kit::exam_seats::room(&admin, at.p.site, "401", (6, 5)).await;
    let round = batch(&server, at.spring, "P1", "final").await;
    let early = session(&server, &admin, round, ("09:00", "11:00")).await;
    session(&server, &admin, round, ("14:00", "16:00")).await;
    let mut setups = Vec::new();
    for course in [at.course, other] {
        let form =
            json!({ "batchId": round, "courseId": course, "semesterId": at.spring, "classIds": [at.classes[0]] });
        setups.push(admin.post(&format!("{SETUP}/save"), form).await.id());
    }
    let seen = admin.get(&format!("{SETUP}/view?id={}", setups[0])).await.data().clone();
    let items = json!({ "items": [{ "id": setups[0], "version": seen["version"] }] });
    let nowhere = admin.put(&format!("{SETUP}/submit"), items).await;
    assert_eq!(nowhere.data()["failed"][0]["msg"], json!("请先选择考试场次"), "{}", nowhere.body);
    // Without classes they are where their candidates are.
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let narrow = server.staff_within(1, &["offline:pc:offline:setup:autoSession"], "named_sites", &[far]).await;
    server.run("delete from school_1.exam_setup_class").await;
    let nothing = narrow.post(&format!("{SETUP}/autoSession"), json!({ "batchId": round, "preview": true })).await;
    assert_eq!(nothing.refused(), (409, "没有需要安排场次的草稿"));
    server
        .run(&format!(
            "insert into school_1.exam_setup_class (setup_id, class_id) select id, {} from school_1.exam_setup;
             delete from school_1.exam_candidate",
            at.classes[0]
        ))
        .await;
    let told = admin.post(&format!("{SETUP}/autoSession"), json!({ "batchId": round })).await.data().clone();
    let placed = told["placed"].as_array().expect("rows");
    assert_eq!((placed.len(), placed[0]["sessionId"] == placed[1]["sessionId"]), (2, false), "{told}");
    server.run(&format!("update school_1.exam_setup set session_id = {early}")).await;
    let mut why = Vec::new();
    for id in setups {
        let seen = admin.get(&format!("{SETUP}/view?id={id}")).await.data().clone();
        let items = json!({ "items": [{ "id": id, "version": seen["version"] }] });
        why.push(admin.put(&format!("{SETUP}/submit"), items).await.data()["failed"][0]["msg"].clone());
    }
    assert_eq!(why, [Value::Null, json!("与《课程A1》有 2 名学生时间冲突")]);
}

/// §2.1: what the paper of an examination comes to is kept when it is submitted; scores are converted by it.
#[tokio::test]
async fn a_score_is_of_its_own_paper() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = lessons(&server, &admin, [2, 0]).await;
    let bank = kit::questions::bank(&admin, at.course, "KS", "exam").await;
    let paper = kit::exams::essay(&server, &admin, (at.course, bank), 50.0).await;
    let round = batch(&server, at.spring, "P1", "final").await;
    let slot = session(&server, &admin, round, ("09:00", "11:00")).await;
    let form = json!({ "batchId": round, "courseId": at.course, "semesterId": at.spring, "sessionId": slot,
        "classIds": [at.classes[0]], "papers": [{ "slot": "A", "paperId": paper }] });
    let setup = admin.post(&format!("{SETUP}/save"), form).await.id();
    let seen = admin.get(&format!("{SETUP}/view?id={setup}")).await.data().clone();
    let items = json!({ "items": [{ "id": setup, "version": seen["version"] }] });
    let submitted = admin.put(&format!("{SETUP}/submit"), items).await;
    assert_eq!(submitted.data()["done"], json!(1), "{}", submitted.body);
    let kept: i64 = server.one("select snapshot_id from school_1.exam_setup_paper").await;
    // It is printed as it was frozen, although it went out of use since.
    server.run(&format!("update school_1.paper set status = 'disabled' where id = {paper}")).await;
    let print = json!({ "setupId": setup, "slot": "A" });
    let drawn = admin.post(&format!("{SETUP}/print/paper"), print).await;
    assert!(drawn.bytes.starts_with(b"%PDF"), "{}", drawn.body);
    assert_eq!(server.one::<i64>("select snapshot_id from school_1.exam_setup_paper").await, kept);
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'published', published_at = now() where id = {setup};
             update school_1.offline_session
             set starts_at = now() - interval '28 hours', ends_at = now() - interval '26 hours' where id = {slot};
             update school_1.test_batch set score_entry_starts_at = now() - interval '2 days' where id = {round}"
        ))
        .await;
    server.when_due("exam.offline_close", chrono::TimeDelta::minutes(11)).await;
    server.wait_until("select exists (select from school_1.exam_setup where status = 'closed')").await;
    let sheet: i64 = server.one("select id from school_1.score_sheet").await;
    let rows = kit::scores::rows(&admin, sheet).await;
    assert_ne!(kit::scores::enter(&admin, &rows[0], Some(60.0)).await.code(), 200, "more than the paper has");
    kit::scores::enter(&admin, &rows[0], Some(45.0)).await.data();
    let value = "select (value * 10)::bigint from school_1.score_sheet_row where value is not null";
    assert_eq!(server.one::<i64>(value).await, 900, "45 of 50");
}

/// §4.2: a day behind its end an examination is closed, and its sheet waits with who did not come.
#[tokio::test]
async fn what_is_over_makes_its_sheets() {
    const MARKER: &str = "/offline/pc/offline/marker";
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = kit::exam_seats::seated(&server, &admin, 3, &[(6, 5)]).await;
    at.auto(&admin, json!({})).await;
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'published', published_at = now() where id = {}",
            at.setup
        ))
        .await;
    server
        .run(&format!(
            "update school_1.offline_session set starts_at = now() - interval '28 hours', ends_at = now() - interval '26 hours'
             where id = {}",
            at.session
        ))
        .await;
    server
        .run("update school_1.exam_candidate set attendance = 'absent' where id = (select min(id) from school_1.exam_candidate)")
        .await;
    let teacher = at.taught.teachers[1];
    let wanted = |marker: Value| json!({ "setupId": at.setup, "markers": [marker] });
    let stranger = wanted(json!({ "teacherId": teacher, "scope": "by_class", "classIds": [at.taught.classes[1]] }));
    let refused = admin.post(&format!("{MARKER}/assign"), stranger).await;
    assert_eq!(fields(&refused), ["markers: 所选班级没有参加该考试，请重新选择"]);
    let of = wanted(json!({ "teacherId": teacher, "scope": "by_class", "classIds": [at.taught.classes[0]] }));
    admin.post(&format!("{MARKER}/assign"), of).await.data();
    server.when_due("exam.offline_close", chrono::TimeDelta::minutes(11)).await;
    server.wait_until("select exists (select from school_1.exam_setup where status = 'closed')").await;
    let rows: i64 = server.one("select count(*) from school_1.score_sheet_row").await;
    let absent: i64 =
        server.one("select count(*) from school_1.score_sheet_row where mark = 'absent' and mark_fixed").await;
    assert_eq!((rows, absent), (3, 1));

    // Whoever marks enters: so far they are with it.
    let progress = async || {
        let seen = admin.get(&format!("{MARKER}/view?setupId={}", at.setup)).await.data().clone();
        seen["markers"][0].clone()
    };
    let before = progress().await;
    assert_eq!(
        (&before["assigned"], &before["done"], &before["status"]),
        (&json!(2), &json!(0), &json!("assigned")),
        "{before}"
    );
    server
        .run(&format!(
            "update school_1.test_batch set score_entry_starts_at = now() - interval '2 days' where id = {}",
            at.batch
        ))
        .await;
    let sheet: i64 = server.one("select id from school_1.score_sheet").await;
    let rows = kit::scores::rows(&admin, sheet).await;
    let open = rows.iter().find(|row| row["mark"].is_null()).expect("a row");
    kit::scores::enter(&admin, open, Some(80.0)).await.data();
    let now = progress().await;
    assert_eq!((&now["done"], &now["status"]), (&json!(1), &json!("working")), "{now}");
    let listed = admin.post(&format!("{MARKER}/list"), json!({ "status": "working" })).await;
    assert_eq!(listed.data()["totalCount"], json!(1), "{}", listed.body);
    let kept = admin.delete(&format!("{MARKER}/delete?id={}", now["id"])).await;
    assert_eq!(kept.refused(), (409, "该教师已阅 1 份，不能移除"));

    // §3: a case that is taken back leaves absent who did not come.
    let gone: i64 = server.one("select id from school_1.exam_candidate where attendance = 'absent'").await;
    let marked = format!("select mark || ' ' || mark_fixed from school_1.score_sheet_row where candidate_id = {gone}");
    let report = json!({ "candidateId": gone, "level": "violation", "clause": "W1", "description": "携带手机进入考场",
        "source": "invigilator", "fileIds": [] });
    let case = admin.post("/exam/pc/violation/save", report).await.id();
    server.run("update school_1.exam_violation set reported_by = 0").await;
    let read = async || admin.get(&format!("/exam/pc/violation/view?id={case}")).await.data()["version"].clone();
    let audit =
        json!({ "id": case, "version": read().await, "pass": true, "decision": "证据确凿", "penalty": "score_void" });
    admin.put("/exam/pc/violation/audit", audit).await.data();
    assert_eq!(server.one::<String>(&marked).await, "violation true");
    let back = json!({ "id": case, "version": read().await, "reason": "申诉成立" });
    admin.put("/exam/pc/violation/revoke", back).await.data();
    assert_eq!(server.one::<String>(&marked).await, "absent true");
}
