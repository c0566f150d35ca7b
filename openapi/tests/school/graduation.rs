//! Graduation: the scenarios of part 04 §9.5, and what goes with it.

use kit::{
    Client, Server,
    cohort::registrar,
    exams,
    files::{paper, written},
    graduation::{BATCH, DEGREE, DISCIPLINE, EXTERNAL, RULE, USER, batch, confirm, graduates, item, rule, start},
    lessons::{lessons, with},
    questions::{bank, choices},
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
    let course: String =
        server.one(&format!("select code || ' ' || name from school_1.course where id = {}", at.taught.course)).await;
    assert_eq!(rule(&seen, "compulsory")["courses"], json!([course]), "{seen}");
    assert_eq!(rule(&seen, "credits")["courses"], json!([]), "{seen}");
    let counted = admin.get(&format!("{BATCH}/view?id={}", at.batch)).await.data()["failedRules"].clone();
    let kept = |code: &str, name: &str| json!({ "ruleCode": code, "ruleName": name, "count": 1 });
    let all = [kept("credits", "总学分"), kept("compulsory", "必修课程"), kept("fee", "缴费")];
    assert_eq!(counted, json!(all), "in the order of the rules");
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
    let now = server.now();
    server.run(&format!("update school_1.course_score set counted_at = {now} where student_id = {second}")).await;
    assert_eq!(at.seen(&admin, second).await["stale"], json!(true));
    assert_eq!(confirm(&admin, at.batch).await.refused(), (409, "有 1 名学生审核结果已过期"));
    let status: String = server.one(&format!("select status from school_1.student where id = {second}")).await;
    assert_eq!(status, "registered", "nothing changed");
    at.audit(&admin).await;
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    let code =
        |code: &str| format!("update school_1.school_setting set value = '\"{code}\"' where key = 'nationalCode'");
    server.run(&code("1008")).await;
    assert_eq!(confirm(&admin, at.batch).await.refused(), (409, "请先在学校信息中填写院校代码（5位数字）"));
    server.run(&code("10086")).await;
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
    let today = server.app.clock().today().to_string();
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
    let grade: i64 = server.one("select min(grade_id) from school_1.student").await;
    let degree = json!({ "purpose": "degree", "ruleCode": "average", "gradeId": grade, "params": { "least": 65 },
        "severity": "must", "waivable": true });
    let refused = admin.post(&format!("{RULE}/save"), degree).await;
    assert_eq!(kit::fields(&refused), ["waivable: 学位条件不能豁免"]);
}

/// §9.1: a punishment stays with the violation that it follows from, and is no more edited when it has ended.
#[tokio::test]
async fn a_punishment_stays_with_its_violation() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let taught = lessons(&server, &admin, [1, 0]).await;
    let bank = bank(&admin, taught.course, "KS", "exam").await;
    let choices = choices(&admin, bank, 5, None, "单选").await;
    let asked = exams::paper(&server, &admin, taught.course, &choices, &[]).await;
    let batch = exams::batch(&server, &admin, taught.spring, "2026F").await;
    let of = (batch, taught.course, taught.spring);
    exams::published(&admin, exams::exam(&server, of, asked, taught.classes[0], 60)).await;
    let (candidate, student): (i64, i64) = (
        server.one("select id from school_1.exam_candidate").await,
        server.one("select student_id from school_1.exam_candidate").await,
    );
    let report = json!({ "candidateId": candidate, "level": "violation", "clause": "W1", "description": "携带手机进入考场",
        "source": "invigilator", "fileIds": [] });
    let violation = admin.post("/exam/pc/violation/save", report).await.id();
    server.run(&format!("update school_1.exam_violation set reported_by = 0 where id = {violation}")).await;
    let step = async |name: &str, more: serde_json::Value| {
        let seen = admin.get(&format!("/exam/pc/violation/view?id={violation}")).await.data().clone();
        let body = with(json!({ "id": violation, "version": seen["version"] }), more);
        admin.put(&format!("/exam/pc/violation/{name}"), body).await.data();
    };
    step("audit", json!({ "pass": true, "decision": "证据确凿", "penalty": "score_void" })).await;
    let today = server.app.clock().today();
    let form = json!({ "studentId": student, "type": "demerit", "documentNo": "校发〔2026〕9号", "reason": "考试违纪",
        "decidedOn": today, "violationId": violation });
    let made = admin.post(&format!("{DISCIPLINE}/save"), form.clone()).await.id();
    let seen = async || admin.get(&format!("{DISCIPLINE}/view?id={made}")).await.data().clone();
    let edit = async |more: serde_json::Value| {
        let body = with(form.clone(), json!({ "id": made, "version": seen().await["version"] }));
        admin.put(&format!("{DISCIPLINE}/edit"), with(body, more)).await
    };
    let cut = edit(json!({ "violationId": null })).await;
    assert_eq!(kit::fields(&cut), ["violationId: 该处分由考试违规引起，不能改为其他违规"]);
    assert_eq!(edit(json!({ "reason": "考试违规" })).await.code(), 200);
    let gone = admin.delete(&format!("{DISCIPLINE}/delete?id={made}")).await;
    assert_eq!(gone.refused(), (409, "该处分由考试违规引起，不能删除，可以解除"));
    let release = json!({ "id": made, "version": seen().await["version"], "releasedOn": today, "reason": "考察期满" });
    admin.put(&format!("{DISCIPLINE}/release"), release).await.data();
    assert_eq!(edit(json!({ "reason": "考试作弊" })).await.refused(), (409, "处分已解除，不能编辑"));
    // The violation is revoked: the trail tells what the punishment was before.
    step("revoke", json!({ "reason": "申诉成立" })).await;
    server.when_due("graduation.nightly", chrono::TimeDelta::minutes(2)).await;
    assert_eq!(seen().await["status"], json!("revoked"));
    let told: bool = server
        .one(&format!(
            "select changes::text like '%released%' from school_1.audit_log
             where entity_type = 'student_discipline' and entity_id = {made} order by id desc limit 1"
        ))
        .await;
    assert!(told, "from released, not from effective");
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
    let former = at.batch;
    let kept = async || -> String {
        server
            .one(&format!(
                "select a.batch_id || ' ' || a.status || ' ' || i.status from school_1.archive a
                 join school_1.archive_item i on i.archive_id = a.id and i.code = 'audit' where a.student_id = {first}"
            ))
            .await
    };
    server
        .run(&format!(
            "update school_1.archive_item i set status = 'waived', waive_reason = '纸质材料已存' from school_1.archive a
             where a.id = i.archive_id and a.student_id = {first} and i.code = 'audit'"
        ))
        .await;
    assert_eq!(kept().await, format!("{former} collecting waived"));
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
    let again = at.decide(&admin, first, "complete").await;
    assert_eq!(again["failed"][0]["msg"], json!("结业换毕业只能终审为毕业，或延期（仍为结业）"), "{again}");
    let decided = at.decide(&admin, first, "graduate").await;
    assert_eq!(decided["done"], json!(1), "{decided}");
    confirm(&admin, at.batch).await.data();
    assert_eq!(status().await, "graduated");
    // One archive a person: it goes on in the new batch, and what tells of the end is to be made anew.
    assert_eq!(kept().await, format!("{} collecting missing", at.batch));
    // What a later batch decided anew is not taken back in the former one.
    at.batch = former;
    // Nor is it numbered there again: of the former batch the other one alone waits.
    let look = json!({ "batchId": former, "preview": true });
    let seen = admin.unlooked(Method::POST, "/adult/pc/certificate/allocate", Some(&look)).await.data().clone();
    assert_eq!(seen["count"], json!(1), "{seen}");
    let report = admin.post(&format!("{BATCH}/registerExport"), json!({ "batchId": former })).await;
    assert_eq!(kit::sheets::texts(&report.bytes).len(), 2, "one head, and the other one alone");
    reports_hide_numbers(&server, &admin, former, second).await;
    let old = at.seen(&admin, first).await;
    let revoke = json!({ "id": old["id"], "version": old["version"], "reason": "重新核查", "certificateReturned": true,
        "fileKey": paper(&admin, "决定.pdf").await });
    let refused = admin.put(&format!("{USER}/revoke"), revoke).await;
    assert_eq!(refused.refused(), (409, "该生已在批次《2029年换证》中生效，请先撤销该批次的结论"));
    assert_eq!(status().await, "graduated");
    let voided: String =
        server.one("select status from school_1.certificate where number = '100865202806000001'").await;
    assert_eq!(voided, "voided");
}

/// 05 E4: whole numbers are asked for, with their reason, by whoever holds the code over their student.
async fn reports_hide_numbers(server: &Server, admin: &Client<'_>, batch: i64, student: i64) {
    let number: String = server.one(&format!("select id_card_no from school_1.student where id = {student}")).await;
    let path = format!("{BATCH}/registerExport");
    let asked = format!("{path}?whole=true&reason=%E5%AD%A6%E5%8E%86%E6%B3%A8%E5%86%8C");
    let shown = async |client: &Client<'_>, path: &str| {
        let sheet = kit::sheets::texts(&client.post(path, json!({ "batchId": batch })).await.bytes);
        assert_eq!(sheet.len(), 2, "{sheet:?}");
        sheet.iter().flatten().any(|cell| *cell == number)
    };
    assert!(!shown(admin, &path).await, "nobody asked for it");
    let without = admin.post(&format!("{path}?whole=true"), json!({ "batchId": batch })).await;
    assert_eq!(kit::fields(&without), ["reason: 请填写导出完整内容的用途，2至200个字符"]);
    assert!(shown(admin, &asked).await);
    let code = "adult:pc:graduate:batch:registerExport";
    let without = server.staff(1, &[code]).await;
    assert_eq!(without.post(&asked, json!({ "batchId": batch })).await.code(), 403);
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    let wide = server.account(1, &[code], "whole_school", &[]).await;
    let elsewhere = server.account(1, &["adult:pc:graduate:batch:exportPlain"], "named_sites", &[far]).await;
    server
        .run(&format!(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
             select u.id, r.id, 1, 0 from platform.sys_user u, platform.sys_role r
             where u.login_name = '{wide}' and r.role_name = '{elsewhere}'"
        ))
        .await;
    let narrow = server.signed_in(&wide, "schoolLogin").await;
    assert!(!shown(&narrow, &asked).await, "the code is over another site");
}

/// §10 scenario 6: of CET-4 420 points are five too few.
#[tokio::test]
async fn a_degree_asks_for_a_language() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let student = at.students[1];
    let today = server.app.clock().today().to_string();
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

/// §9.3, §10: a graduation that is taken back takes its degree along; a delay has nothing to take back; a void degree certificate gets
/// another number.
#[tokio::test]
async fn a_graduation_is_taken_back_with_its_degree() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    server
        .run(
            "update school_1.graduation_rule set enabled = false where purpose = 'degree';
             insert into school_1.school_setting (key, value, created_by, updated_by) values ('degreeUnitCode', '\"10086\"', 0, 0)",
        )
        .await;
    at.audit(&admin).await;
    assert_eq!(at.decide(&admin, first, "delay").await["done"], json!(1));
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    confirm(&admin, at.batch).await.data();
    admin.post("/adult/pc/certificate/allocate", json!({ "batchId": at.batch, "preview": false })).await.data();
    let revoke = async |student: i64| {
        let seen = at.seen(&admin, student).await;
        let body = json!({ "id": seen["id"], "version": seen["version"], "reason": "学术不端",
            "certificateReturned": false, "fileKey": paper(&admin, "决定.pdf").await });
        admin.put(&format!("{USER}/revoke"), body).await
    };
    assert_eq!(revoke(first).await.refused(), (409, "延期没有改变学籍，不需要撤销"));
    let degree = admin.post(&format!("{DEGREE}/save"), json!({ "studentId": second, "batchId": at.batch })).await.id();
    let audit = async || admin.post(&format!("{DEGREE}/audit"), json!({ "ids": [degree] })).await.data().clone();
    let seen = async || admin.get(&format!("{DEGREE}/view?id={degree}")).await.data().clone();
    let step = async |name: &str, more: serde_json::Value| {
        let row = seen().await;
        let mut body = json!({ "items": [{ "id": degree, "version": row["version"] }] });
        body.as_object_mut().expect("a body").extend(more.as_object().expect("fields").clone());
        admin.put(&format!("{DEGREE}/{name}"), body).await.data().clone()
    };
    let today = server.app.clock().today().to_string();
    let approve = json!({ "decision": "approved", "committeeDate": today, "committeeNo": "2028-1" });
    audit().await;
    // A score counted anew since.
    let now = server.now();
    server.run(&format!("update school_1.course_score set counted_at = {now} where student_id = {second}")).await;
    let stale = step("decide", approve.clone()).await;
    assert_eq!(stale["failed"][0]["msg"], json!("审核结果已过期，请重新审核"), "{stale}");
    audit().await;
    assert_eq!(step("decide", approve).await["done"], json!(1));
    assert_eq!(step("award", json!({})).await["done"], json!(1));
    assert_eq!(seen().await["certificateNo"], json!("C1008642028000001"));
    let number: String = server.one(&format!("select id_card_no from school_1.student where id = {second}")).await;
    for (asked, whole) in [("", false), ("?whole=true&reason=%E5%AD%A6%E4%BD%8D%E4%B8%8A%E6%8A%A5", true)] {
        let sheet = admin.post(&format!("{DEGREE}/export{asked}"), json!({ "batchId": at.batch })).await;
        let cells = kit::sheets::texts(&sheet.bytes);
        assert_eq!(cells.iter().flatten().any(|cell| *cell == number), whole, "{cells:?}");
    }
    let certificates = admin.post("/adult/pc/certificate/list", json!({ "kind": "degree" })).await;
    let certificate = &certificates.data()["list"][0];
    let void = json!({ "id": certificate["id"], "version": certificate["version"], "reason": "打印错误" });
    admin.put("/adult/pc/certificate/void", void).await.data();
    assert_eq!(step("award", json!({})).await["done"], json!(1));
    assert_eq!(seen().await["certificateNo"], json!("C1008642028000002"));
    revoke(second).await.data();
    let gone = seen().await;
    assert_eq!((&gone["status"], &gone["certificateNo"]), (&json!("refused"), &json!(null)), "{gone}");
    let live: i64 = server.one("select count(*) from school_1.certificate where status <> 'voided'").await;
    assert_eq!(live, 0);
    let status: String = server.one(&format!("select status from school_1.student where id = {second}")).await;
    assert_eq!(status, "registered");
    // Of who left the batch no archive is asked for.
    admin.put(&format!("{BATCH}/register"), item(&admin, at.batch).await).await.data();
    admin.put(&format!("{BATCH}/archive"), item(&admin, at.batch).await).await.data();
}

/// §9.5 scenario 3: whoever holds the codes for a site sees, counts, examines and decides its people alone.
#[tokio::test]
async fn a_site_examines_its_own_graduates() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    let far = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter" });
    let far = admin.post("/adult/pc/site/save", far).await.id();
    server.run(&format!("update school_1.student set site_id = {far}, class_id = null where id = {second}")).await;
    let codes = [
        "adult:pc:graduate:batch:view",
        "adult:pc:graduate:batch:audit",
        "adult:pc:graduate:user:list",
        "adult:pc:graduate:user:view",
        "adult:pc:graduate:user:siteCheck",
        "adult:pc:graduate:user:decide",
        "adult:pc:graduate:user:export",
        "adult:pc:graduate:user:print",
    ];
    let narrow = server.staff_within(1, &codes, "named_sites", &[far]).await;
    let job = narrow.post(&format!("{BATCH}/audit"), json!({ "batchId": at.batch })).await.data()["jobId"].clone();
    kit::jobs::ended(&narrow, &job).await;
    let other = at.seen(&admin, first).await;
    assert_eq!((&other["auditResult"], &other["items"]), (&json!("pending"), &json!([])), "beyond the scope");
    assert_eq!(at.seen(&admin, second).await["auditResult"], json!("passed"));
    let counted = narrow.get(&format!("{BATCH}/view?id={}", at.batch)).await.data().clone();
    assert_eq!(
        (&counted["total"], &counted["passed"], &counted["failed"]),
        (&json!(1), &json!(1), &json!(0)),
        "{counted}"
    );
    assert_eq!(counted["failedRules"], json!([]), "the other one's lie beyond the scope");
    assert_eq!(narrow.get(&format!("{USER}/view?id={}", other["id"])).await.code(), 404);
    let all = narrow
        .put(
            &format!("{USER}/siteCheck"),
            json!({ "opinion": "agree", "items": [
        { "id": other["id"], "version": other["version"] },
        { "id": at.seen(&narrow, second).await["id"], "version": at.seen(&narrow, second).await["version"] }] }),
        )
        .await;
    assert_eq!((&all.data()["done"], &all.data()["failed"][0]["id"]), (&json!(1), &other["id"]), "{}", all.body);
    let printed = narrow.post(&format!("{USER}/print/form"), json!({ "ids": [other["id"]] })).await;
    assert_eq!(printed.refused(), (999, "没有可打印的毕业生"));
    let sheet = kit::sheets::texts(&narrow.post(&format!("{USER}/export"), json!({ "batchId": at.batch })).await.bytes);
    assert_eq!(sheet.len(), 2, "one head and one graduate: {sheet:?}");
}

/// §9.1: sites say what they think within the days of the batch.
#[tokio::test]
async fn sites_look_within_the_days_of_the_batch() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let check = async || {
        let seen = at.seen(&admin, at.students[1]).await;
        let body = json!({ "opinion": "agree", "items": [{ "id": seen["id"], "version": seen["version"] }] });
        admin.put(&format!("{USER}/siteCheck"), body).await.data().clone()
    };
    for (from, to, told) in [(3, 9, "站点初审自"), (-9, -3, "站点初审已于")] {
        server
            .run(&format!(
                "update school_1.graduation_batch set audit_starts_on = current_date + {from}, audit_ends_on = current_date + {to}"
            ))
            .await;
        let refused = check().await;
        assert!(refused["failed"][0]["msg"].as_str().expect("a reason").starts_with(told), "{refused}");
    }
    server.run("update school_1.graduation_batch set audit_ends_on = current_date + 3").await;
    assert_eq!(check().await["done"], json!(1));
}

/// §9.4: 毕业资格审核表 says the weighted average and the credits, before the confirmation as they are and then as they were.
#[tokio::test]
async fn the_audit_form_says_credits_and_average() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let at = graduates(&server, &admin).await;
    let [first, second] = at.students;
    let printed = async || {
        let id = at.seen(&admin, first).await["id"].clone();
        written(&admin.post(&format!("{USER}/print/form"), json!({ "ids": [id] })).await.bytes)
    };
    at.audit(&admin).await;
    let before = printed().await;
    // 76 credits with 80 and 10 with 45.
    for figure in ["75.9", "76.0", "80.0"] {
        assert!(before.contains(figure), "{figure} in {before}");
    }
    assert_eq!(at.decide(&admin, first, "complete").await["done"], json!(1));
    assert_eq!(at.decide(&admin, second, "graduate").await["done"], json!(1));
    confirm(&admin, at.batch).await.data();
    server.run(&format!("update school_1.course_score set total = 90 where student_id = {first}")).await;
    assert!(printed().await.contains("75.9"), "as it was confirmed");
}
