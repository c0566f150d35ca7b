//! Graduation: the scenarios of part 04 §9.5, and what goes with it.

use kit::{
    Server,
    cohort::registrar,
    files::paper,
    graduation::{BATCH, DEGREE, DISCIPLINE, EXTERNAL, RULE, USER, batch, confirm, graduates, item, rule, start},
    status_change::{ask, open_batch},
};
use poem::http::Method;
use serde_json::json;

/// §9.5 scenarios 1 and 6.
#[tokio::test]
async fn rules_tell_what_is_missing_and_one_is_waived() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    server.run(&format!("update school_1.student set fee_flag = 'arrears' where id = {second}")).await;
    at.audit(&admin).await;
    let seen = at.seen(&admin, first).await;
    assert_eq!(rule(&seen, "credits")["explanation"], json!("已获 76.0 学分，要求 80.0，差 4.0"), "{seen}");
    let refused = at.decide(&admin, first, "graduate").await;
    assert_eq!(refused["failed"][0]["msg"], json!("不符合毕业条件：总学分、必修课程"), "{refused}");
    let owing = at.seen(&admin, second).await;
    assert_eq!((&rule(&owing, "fee")["explanation"], &owing["auditResult"]), (&json!("存在欠费"), &json!("failed")));
    let waive = json!({ "id": owing["id"], "version": owing["version"], "ruleCode": "fee", "reason": "已办理缓交",
        "fileKey": paper(&admin, "缓交申请.pdf").await });
    admin.put(&format!("{USER}/waive"), waive).await.data();
    let waived = at.seen(&admin, second).await;
    assert_eq!((&waived["auditResult"], &rule(&waived, "fee")["waived"]), (&json!("passed"), &json!(true)), "{waived}");
    // Paid by now: it is plainly passed.
    server.run(&format!("update school_1.student set fee_flag = 'none' where id = {second}")).await;
    at.audit(&admin).await;
    let paid = at.seen(&admin, second).await;
    assert_eq!((&rule(&paid, "fee")["passed"], &rule(&paid, "fee")["waived"]), (&json!(true), &json!(false)), "{paid}");
    let credits = json!({ "id": paid["id"], "version": paid["version"], "ruleCode": "credits", "reason": "学分不足",
        "fileKey": "private/school_1/x.pdf" });
    assert_eq!(admin.put(&format!("{USER}/waive"), credits).await.code(), 409, "not of those that may be waived");
}

/// §9.5 scenarios 2, 4, 5 and 7; part 04 C4.
#[tokio::test]
async fn a_batch_is_confirmed_once_and_whole() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    let spring = batch(&admin, ("2028A", "2028年春季", "spring"), "regular").await;
    start(&admin, spring).await;
    let add = json!({ "batchId": spring, "studentIds": [first] });
    let taken = admin.post(&format!("{USER}/add"), add).await;
    assert_eq!(taken.data()["failed"][0]["msg"], json!("该生已在批次《2028年秋季》中"), "{}", taken.body);
    at.audit(&admin).await;
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    assert_eq!(confirm(&admin, at.batch).await.refused(), (409, "还有 1 名学生未终审"));
    assert_eq!(at.decide(&admin, first, "delay").await["done"], json!(1));
    // A score counted anew since.
    server.run(&format!("update school_1.course_score set counted_at = now() where student_id = {second}")).await;
    assert_eq!(at.seen(&admin, second).await["stale"], json!(true));
    assert_eq!(confirm(&admin, at.batch).await.refused(), (409, "有 1 名学生审核结果已过期"));
    let status: String = server.one(&format!("select status from school_1.student where id = {second}")).await;
    assert_eq!(status, "registered", "nothing changed");
    at.audit(&admin).await;
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    // In its decided batch nobody asks for a change of status.
    open_batch(&admin).await;
    let wanted = ask(&admin, second, "dropout", json!({ "reasonCode": "voluntary" })).await;
    assert!(wanted.body.to_string().contains("该生已进入毕业审核"), "{}", wanted.body);
    let body = item(&admin, at.batch).await;
    let path = format!("{BATCH}/confirm");
    let (one, other) = tokio::join!(admin.put(&path, body.clone()), admin.put(&path, body.clone()));
    let mut codes = [one.code(), other.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.body, other.body);
    let status: String = server.one(&format!("select status from school_1.student where id = {second}")).await;
    assert_eq!(status, "graduated");
    let locked: i64 = server
        .one(&format!("select count(*) from school_1.course_score where student_id = {second} and status = 'locked'"))
        .await;
    assert_eq!(locked, 4);
    let stays: String = server.one(&format!("select status from school_1.student where id = {first}")).await;
    assert_eq!(stays, "registered", "who is delayed studies on");
}

/// Punishments, outside examinations and rules.
#[tokio::test]
async fn punishments_and_outside_examinations_are_kept() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let student = at.students[0];
    let today: String = server.one("select current_date::text").await;
    let form = json!({ "studentId": student, "type": "probation", "documentNo": "校发〔2026〕8号", "reason": "考试作弊",
        "decidedOn": today });
    let made = admin.post(&format!("{DISCIPLINE}/save"), form).await.id();
    let seen = admin.get(&format!("{DISCIPLINE}/view?id={made}")).await.data().clone();
    let release = json!({ "id": made, "version": seen["version"], "releasedOn": today, "reason": "考察期满" });
    admin.put(&format!("{DISCIPLINE}/release"), release.clone()).await.data();
    assert_eq!(admin.put(&format!("{DISCIPLINE}/release"), release).await.code(), 409);
    let exam = json!({ "studentId": student, "type": "cet4", "score": 430.0, "examDate": today, "passed": true });
    let own = admin.post(&format!("{EXTERNAL}/save"), exam).await.id();
    let listed = admin.post(&format!("{EXTERNAL}/list"), json!({ "type": "cet4" })).await;
    assert_eq!(listed.data()["list"][0]["id"], json!(own), "{}", listed.body);
    let again =
        json!({ "purpose": "graduation", "ruleCode": "fee", "severity": "must", "waivable": true, "enabled": true });
    assert_ne!(admin.post(&format!("{RULE}/save"), again).await.code(), 200, "one of a place");
}

/// §9.5 scenario 8.
#[tokio::test]
async fn who_completed_graduates_later() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let mut at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    at.audit(&admin).await;
    assert_eq!(at.decide(&admin, first, "complete").await["done"], json!(1));
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    confirm(&admin, at.batch).await.data();
    let status =
        async || -> String { server.one(&format!("select status from school_1.student where id = {first}")).await };
    assert_eq!(status().await, "completed");
    server
        .run(&format!(
            "insert into school_1.certificate (student_id, batch_id, kind, number, year, level_code, seq_no, holder, created_by, updated_by)
             values ({first}, {}, 'completion', '100865202806000001', 2028, '06', 1, '{{}}', 0, 0)",
            at.batch
        ))
        .await;
    // The last course is passed in a final make-up.
    server
        .run(&format!(
            "update school_1.course_score set total = 62, display_text = '62', passed = true, earned_credits = credits
             where student_id = {first} and passed = false"
        ))
        .await;
    let form = json!({ "code": "2029H", "name": "2029年换证", "year": 2029, "season": "autumn", "kind": "conversion",
        "graduatesOn": "2029-07-10", "certificateDate": "2029-07-10" });
    at.batch = admin.post(&format!("{BATCH}/save"), form).await.id();
    start(&admin, at.batch).await;
    let seen = at.seen(&admin, first).await;
    admin.post(&format!("{USER}/audit"), json!({ "ids": [seen["id"]] })).await.data();
    let decided = at.decide(&admin, first, "graduate").await;
    assert_eq!(decided["done"], json!(1), "{decided}");
    confirm(&admin, at.batch).await.data();
    assert_eq!(status().await, "graduated");
    let voided: String =
        server.one("select status from school_1.certificate where number = '100865202806000001'").await;
    assert_eq!(voided, "voided");
}

/// §10 scenario 6: of CET-4 420 points are five too few.
#[tokio::test]
async fn a_degree_asks_for_a_language() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let student = at.students[1];
    let today: String = server.one("select current_date::text").await;
    let exam = json!({ "studentId": student, "type": "cet4", "score": 420.0, "examDate": today, "passed": false });
    let exam = admin.post(&format!("{EXTERNAL}/save"), exam).await.id();
    let asked = json!({ "studentId": student, "batchId": at.batch });
    let degree = admin.post(&format!("{DEGREE}/save"), asked).await.id();
    let language = async || {
        let done = admin.post(&format!("{DEGREE}/audit"), json!({ "ids": [degree] })).await;
        assert_eq!(done.data()["done"], json!(1), "{}", done.body);
        let seen = admin.get(&format!("{DEGREE}/view?id={degree}")).await.data().clone();
        rule(&seen, "foreign_language").clone()
    };
    let failed = language().await;
    assert_eq!(
        (&failed["passed"], &failed["explanation"]),
        (&json!(false), &json!("大学英语四级 420，要求 425")),
        "{failed}"
    );
    server.run(&format!("update school_1.external_exam_score set score = 430, passed = true where id = {exam}")).await;
    assert_eq!(language().await["passed"], json!(true));
}

/// §10: a student sees how the audit went, and asks for a degree once.
#[tokio::test]
async fn students_see_their_own_graduation() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    at.audit(&admin).await;
    let tokens = kit::clients::inside(&server, &[at.students[1]]).await;
    let student = server.anonymous().with_token(Some(&tokens[0]));
    let seen = student.get("/user/client/graduation/view").await.data().clone();
    assert_eq!(seen["graduation"]["auditResult"], json!("passed"), "{seen}");
    let may = student.get("/exam/client/degree/view").await.data().clone();
    assert_eq!(may["mayApply"], json!(true), "{may}");
    let apply = async |request: &str| student.post("/exam/client/degree/apply", json!({ "requestId": request })).await;
    let made = apply("request-0001").await.data().clone();
    let sent = json!({ "requestId": "request-0001" });
    let again = student.unlooked(Method::POST, "/exam/client/degree/apply", Some(&sent)).await;
    assert_eq!(again.data(), &made, "the same call comes twice");
    assert_eq!(apply("request-0002").await.refused(), (409, "已有学位申请，不能重复申请"));
    let own = student.get("/exam/client/degree/view").await.data().clone();
    assert!(own["application"].is_object(), "{own}");
}
