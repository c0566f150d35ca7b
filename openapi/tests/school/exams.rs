//! Batches, candidates, deferrals and violations: the scenarios of part 04 §1 to §3.

use kit::{
    Client, Server,
    clients::{self, entered},
    cohort::{Cohort, cohort},
    exams::{BATCH, CANDIDATE, ONLINE, batch, exam, item, paper, published, step},
    openings::{opened, plan, selection_of, semester},
    plans,
    questions::{bank, choices},
    students::{id_number, save as enter, student},
};
use poem::http::Method;
use serde_json::{Value, json};
use sqlx::Connection;

/// A course that is taught to a class of two, with a paper for its examination in an active batch.
struct Scene<'s> {
    admin: Client<'s>,
    p: Cohort,
    class: i64,
    semester: i64,
    course: i64,
    opening: i64,
    batch: i64,
    paper: i64,
    students: Vec<i64>,
}

async fn scene(server: &Server) -> Scene<'_> {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let class = admin.post("/adult/pc/class/save", p.class("C1")).await.id();
    let course = plans::course(&admin, "A1", 3.0, 54, 14).await;
    let semester = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": semester })).await.data();
    plan(server, &p, &[(course, "compulsory", 1)]).await;
    let mut students = Vec::new();
    for n in 1..=2 {
        let mut body = student(&p, n);
        body["classId"] = json!(class);
        students.push(enter(&admin, body).await);
    }
    let opening = opened(&admin, semester, course).await;
    let bank = bank(&admin, course, "KS", "exam").await;
    let choices = choices(&admin, bank, 5, None, "单选").await;
    let paper = paper(server, &admin, course, &choices, &[]).await;
    let batch = batch(server, &admin, semester, "2026F").await;
    Scene { admin, p, class, semester, course, opening, batch, paper, students }
}

impl Scene<'_> {
    fn exam(&self, server: &Server) -> Value {
        exam(server, (self.batch, self.course, self.semester), self.paper, self.class, 60)
    }

    async fn candidate(&self, setup: i64, student: i64) -> Value {
        let listed = self.admin.post(&format!("{CANDIDATE}/list"), json!({ "setupId": setup })).await;
        let rows = listed.data()["list"].as_array().expect("candidates").clone();
        rows.into_iter().find(|row| row["studentId"] == json!(student)).expect("a candidate")
    }
}

/// §1: a batch goes its way, and is not closed over examinations that run.
#[tokio::test]
async fn a_batch_goes_its_way() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let again = step(&at.admin, "update/status", at.batch, json!({ "status": "active" })).await;
    assert_eq!(again.refused(), (409, "批次进行中，不能启用"));
    // One without dates holds to the usual numbers and does not begin; with examinations in it it stays.
    let bare = json!({ "code": "2026X", "name": "未定日期的批次", "semesterId": at.semester, "kind": "final", "mode": "mixed" });
    let bare = at.admin.post(&format!("{BATCH}/save"), bare).await.id();
    let undated = step(&at.admin, "update/status", bare, json!({ "status": "active" })).await;
    assert_eq!(undated.refused(), (409, "请先设置考试日期和成绩录入时间"));
    let usual = at.admin.get(&format!("{BATCH}/view?id={bare}")).await.data().clone();
    let usual =
        ["reviewLevels", "autoLockDays", "roomCapacityDefault", "roomMinFill"].map(|field| usual[field].clone());
    assert_eq!(usual, [2, 15, 30, 10].map(|number| json!(number)));
    server
        .run(&format!(
            "insert into school_1.exam_setup (batch_id, mode, course_id, semester_id, name, round, assess_mode, created_by, updated_by)
             select {bare}, 'offline', {}, {}, '考试' || n, 'first', 'closed_book', 0, 0 from generate_series(1, 12) n",
            at.course, at.semester
        ))
        .await;
    let full = at.admin.delete(&format!("{BATCH}/delete?id={bare}")).await;
    assert_eq!(full.refused(), (409, "批次下有 12 个考试安排，不能删除"));
    let setup = published(&at.admin, at.exam(&server)).await;
    assert_eq!(step(&at.admin, "close", at.batch, json!({})).await.refused(), (409, "还有 1 个考试安排未结束"));
    let mut cancel = item(&at.admin, setup).await;
    cancel["reason"] = json!("改为线下");
    at.admin.put(&format!("{ONLINE}/cancel"), cancel).await.data();
    step(&at.admin, "close", at.batch, json!({})).await.data();
    let early = step(&at.admin, "archive", at.batch, json!({})).await;
    assert_eq!(early.refused(), (409, "结束满1天后才能归档"));
    step(&at.admin, "reopen", at.batch, json!({ "reason": "补充安排一门考试" })).await.data();
    let seen = at.admin.get(&format!("{BATCH}/view?id={}", at.batch)).await.data().clone();
    assert_eq!(seen["status"], json!("active"), "{seen}");
}

/// §1: who is on the roster is a candidate, and follows it.
#[tokio::test]
async fn candidates_follow_the_roster() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let setup = at.admin.post(&format!("{ONLINE}/save"), at.exam(&server)).await.id();
    let refresh = json!({ "setupId": setup });
    let first = at.admin.post(&format!("{CANDIDATE}/refresh"), refresh.clone()).await.data().clone();
    assert_eq!((&first["added"], &first["removed"]), (&json!(2), &json!(0)), "{first}");
    let again = at.admin.post(&format!("{CANDIDATE}/refresh"), refresh.clone()).await.data().clone();
    assert_eq!(again["added"], json!(0), "{again}");
    // Another one joins the class.
    let mut body = student(&at.p, 3);
    body["classId"] = json!(at.class);
    let third = enter(&at.admin, body).await;
    at.admin.post("/adult/pc/courseOpening/sync", json!({ "ids": [at.opening] })).await.data();
    assert_eq!(selection_of(&at.admin, third, at.opening).await["status"], json!("selected"));
    let publish = json!({ "items": [item(&at.admin, setup).await] });
    assert_eq!(at.admin.put(&format!("{ONLINE}/publish"), publish).await.data()["done"], json!(1));
    let more = at.admin.post(&format!("{CANDIDATE}/refresh"), refresh).await.data().clone();
    assert_eq!(more["added"], json!(1), "{more}");
    let told: String = server
        .one(
            "select string_agg(jsonb_array_length(payload->'recipients')::text, ' ' order by id)
             from school_1.event_outbox where name = 'exam_published'",
        )
        .await;
    assert_eq!(told, "2 1", "who comes later is told alone");
}

/// §2.1: an examination takes approved papers alone; before it is frozen, what is looked at of one keeps back what its own page does.
#[tokio::test]
async fn a_paper_keeps_its_questions_back() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let draft = kit::questions::paper(&at.admin, at.course, "exam", 10.0).await;
    let mut wanted = at.exam(&server);
    wanted["papers"] = json!([{ "slot": "A", "paperId": draft }]);
    let refused = at.admin.post(&format!("{ONLINE}/save"), wanted).await;
    assert_eq!(kit::fields(&refused), ["papers: 试卷“期末试卷”的状态为草稿，请选择已通过的试卷"]);
    let setup = at.admin.post(&format!("{ONLINE}/save"), at.exam(&server)).await.id();
    server.run("update school_1.question_bank set visibility = 'owner'").await;
    let codes = ["exam:pc:online:setup:view", "exam:pc:exam:problem:viewAnswer"];
    let other = server.staff(1, &codes).await;
    let path = format!("{ONLINE}/paper/preview?setupId={setup}&slot=A");
    let seen = async || other.get(&path).await.data().to_string();
    assert!(seen().await.contains("价值尺度"), "what passed is for all who may look at it");
    // It was taken back since.
    server.run(&format!("update school_1.paper set status = 'draft' where id = {}", at.paper)).await;
    let kept = seen().await;
    assert!(kept.contains("所在题库仅成员可见") && !kept.contains("价值尺度"), "{kept}");
}

/// §2.1, §2.2 and §2.6: an examination is published ahead of its time, with a paper that fits and with somebody who may sit; it goes back as
/// long as nobody entered, and is cancelled and opened again until its scores were handed on.
#[tokio::test]
async fn an_examination_is_published_when_it_can_be_held() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let save = async |more: Value| {
        let wanted = kit::homework::with(at.exam(&server), more);
        at.admin.post(&format!("{ONLINE}/save"), wanted).await.id()
    };
    let publish = async |id: i64| {
        let items = json!({ "items": [item(&at.admin, id).await] });
        let told = at.admin.put(&format!("{ONLINE}/publish"), items).await.data().clone();
        told["failed"][0]["msg"].clone()
    };
    let refresh = async |id: i64| {
        at.admin.post(&format!("{CANDIDATE}/refresh"), json!({ "setupId": id })).await.data();
    };
    let setup = save(json!({ "minProgress": 60.0, "earliestSubmitMinutes": 30 })).await;
    assert_eq!(publish(setup).await, json!("没有符合条件的考生"));
    let studied = |student: i64, progress: &str| {
        format!(
            "insert into school_1.study_course_progress (id, opening_id, progress, study_seconds)
             select id, opening_id, {progress}, 60 from school_1.course_selection where student_id = {student}
             on conflict (id) do update set progress = excluded.progress"
        )
    };
    server.run(&studied(at.students[0], "60.0")).await;
    server.run(&studied(at.students[1], "42.0")).await;
    refresh(setup).await;
    let bank: i64 = server.one("select min(id) from school_1.question_bank").await;
    let essay = kit::exams::essay(&server, &at.admin, (at.course, bank), 20.0).await;
    server.run(&format!("update school_1.exam_setup_paper set paper_id = {essay} where setup_id = {setup}")).await;
    server.run(&format!("update school_1.exam_setup set marking_mode = 'auto' where id = {setup}")).await;
    assert_eq!(publish(setup).await, json!("试卷含主观题，不能选择全自动阅卷"));
    server.run(&format!("delete from school_1.exam_setup_paper where setup_id = {setup}")).await;
    assert_eq!(publish(setup).await, json!("请先选择试卷"));
    let paper =
        format!("insert into school_1.exam_setup_paper (setup_id, slot, paper_id) values ({setup}, 'A', {})", at.paper);
    server.run(&paper).await;
    assert_eq!(publish(setup).await, Value::Null);
    let late = save(json!({})).await;
    kit::exams::begin(&server);
    assert_eq!(publish(late).await, json!("考试开始时间已过"));

    let learner = async |n: usize| {
        entered(&server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
    };
    let (one, two) = (learner(1).await, learner(2).await);
    let refused = kit::exams::start(&two, setup, "d2", "request-0001").await;
    assert_eq!(refused.refused(), (409, "您没有参加本场考试的资格：学习进度 42.0%，要求 60%"));
    let withdraw = async || at.admin.put(&format!("{ONLINE}/withdraw"), item(&at.admin, setup).await).await;
    assert_eq!(withdraw().await.refused(), (409, "距开考不足10分钟，不能撤回"));
    let sheet = kit::exams::start(&one, setup, "d1", "request-0001").await.data()["sheetId"].clone();
    assert_eq!(withdraw().await.refused(), (409, "已有考生进入考试，不能撤回"));
    let early = kit::exams::submit(&one, &sheet, "request-0002").await;
    assert_eq!(early.refused(), (409, "开考 30 分钟后方可交卷"));
    server.app.clock().shift(chrono::Duration::minutes(30));
    kit::exams::submit(&one, &sheet, "request-0003").await.data();
    let again = kit::exams::start(&one, setup, "d1", "request-0004").await;
    assert_eq!(again.refused(), (409, "作答次数已用完"));
    let result = one.get(&format!("{}/result?sheetId={sheet}", kit::exams::OWN)).await;
    assert_eq!(result.refused(), (403, "暂未开放查看"));

    let done = "update school_1.exam_setup set marking_status = 'transferred' where id = ";
    server.run(&format!("{done}{setup}")).await;
    let said = async |more: Value| kit::homework::with(item(&at.admin, setup).await, more);
    let cancel = said(json!({ "reason": "试卷有误" })).await;
    assert_eq!(at.admin.put(&format!("{ONLINE}/cancel"), cancel).await.refused(), (409, "成绩已转入，不能取消"));
    let candidate = at.candidate(setup, at.students[0]).await["id"].clone();
    let ends = server.app.clock().now() + chrono::Duration::hours(3);
    let reopen = json!({ "endsAt": ends, "candidateIds": [candidate], "mode": "resume", "reason": "站点停电" });
    let reopen = at.admin.put(&format!("{ONLINE}/reopen"), said(reopen).await).await;
    assert_eq!(reopen.refused(), (409, "成绩已转入，不能重新开放"));
}

/// §3: nobody decides a case that they reported; what is decided is done to the candidate, and taken back.
#[tokio::test]
async fn a_case_is_decided_by_somebody_else() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let setup = published(&at.admin, at.exam(&server)).await;
    let candidate = at.candidate(setup, at.students[0]).await["id"].clone();
    let report = json!({ "candidateId": candidate, "level": "violation", "clause": "W1", "description": "携带手机进入考场",
        "source": "invigilator", "fileIds": [] });
    let id = at.admin.post("/exam/pc/violation/save", report).await.id();
    let seen = at.admin.get(&format!("/exam/pc/violation/view?id={id}")).await.data().clone();
    let audit =
        json!({ "id": id, "version": seen["version"], "pass": true, "decision": "证据确凿", "penalty": "score_void" });
    let own = at.admin.put("/exam/pc/violation/audit", audit.clone()).await;
    assert_eq!(own.refused(), (409, "登记人不能认定"));
    server.run(&format!("update school_1.exam_violation set reported_by = 0 where id = {id}")).await;
    let decided = at.admin.put("/exam/pc/violation/audit", audit).await;
    assert_eq!(decided.code(), 200, "{}", decided.body);
    let seen = at.admin.get(&format!("/exam/pc/violation/view?id={id}")).await.data().clone();
    assert_eq!((&seen["status"], &seen["penalty"]), (&json!("confirmed"), &json!("score_void")), "{seen}");
    let back = json!({ "id": id, "version": seen["version"], "reason": "申诉成立" });
    assert_eq!(at.admin.put("/exam/pc/violation/revoke", back).await.code(), 200);
}

/// §3: a student asks to sit later and takes it back before the examination; nobody else does it for them.
#[tokio::test]
async fn a_student_asks_to_sit_later() {
    const OWN: &str = "/exam/client/deferral";
    let server = Server::start().await;
    let at = scene(&server).await;
    let begins = server.app.clock().now() + chrono::Duration::days(2);
    let mut wanted = at.exam(&server);
    wanted["startsAt"] = json!(begins);
    wanted["endsAt"] = json!(begins + chrono::Duration::minutes(70));
    let setup = published(&at.admin, wanted).await;
    let learner = async |n: usize| {
        entered(&server, &format!("26{n:08}"), &format!("Aa@{}", &id_number(n)[12..]), "student").await
    };
    let (one, two) = (learner(1).await, learner(2).await);
    // What was decided by hand before does not outlive the deferral.
    let chosen = at.candidate(setup, at.students[0]).await["id"].clone();
    let decided = json!({ "ids": [chosen], "eligible": true, "reason": "已补学" });
    at.admin.put(&format!("{CANDIDATE}/override"), decided).await.data();
    let ask = |request: &str| {
        json!({ "requestId": request, "batchId": at.batch, "courseId": at.course, "reasonType": "illness",
            "reason": "住院治疗", "fileIds": [] })
    };
    let id = one.post(&format!("{OWN}/save"), ask("request-0001")).await.id();
    let again = one.unlooked(Method::POST, &format!("{OWN}/save"), Some(&ask("request-0001"))).await;
    assert_eq!(again.id(), id, "the same call is one application");
    let seen = at.admin.get(&format!("/exam/pc/deferral/view?id={id}")).await.data().clone();
    let yes = json!({ "id": id, "version": seen["version"], "pass": true, "fileIds": [] });
    at.admin.put("/exam/pc/deferral/audit", yes).await.data();
    assert_eq!(at.candidate(setup, at.students[0]).await["eligibility"], json!("deferred"));
    assert_eq!(two.put(&format!("{OWN}/cancel"), json!({ "id": id })).await.code(), 404);
    one.put(&format!("{OWN}/cancel"), json!({ "id": id })).await.data();
    assert_eq!(at.candidate(setup, at.students[0]).await["eligibility"], json!("eligible"));
    let own = one.get(&format!("{OWN}/list")).await.data().clone();
    assert_eq!(own[0]["status"], json!("cancelled"), "{own}");
}

/// §1 scenarios 1, 3, 4 and 5: codes are given once, what was read counts, sheets are published before the end, which is final.
#[tokio::test]
async fn a_batch_ends_behind_its_sheets() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let seen = at.admin.get(&format!("{BATCH}/view?id={}", at.batch)).await.data().clone();
    let form = json!({ "code": "2026F", "name": "又一批次", "semesterId": at.semester, "kind": "final", "mode": "mixed",
        "examStartsOn": seen["examStartsOn"], "examEndsOn": seen["examEndsOn"],
        "scoreEntryStartsAt": seen["scoreEntryStartsAt"], "scoreEntryEndsAt": seen["scoreEntryEndsAt"] });
    let twice = at.admin.post(&format!("{BATCH}/save"), form.clone()).await;
    assert_eq!(kit::fields(&twice), ["code: 批次编码已存在"]);
    let edit = kit::homework::with(form, json!({ "id": at.batch, "version": seen["version"], "name": "期末批次" }));
    at.admin.put(&format!("{BATCH}/edit"), edit.clone()).await.data();
    assert_eq!(at.admin.put(&format!("{BATCH}/edit"), edit).await.code(), 409, "somebody saved meanwhile");
    // Of six sheets three are submitted, and nothing changes.
    server
        .run(&format!(
            "insert into school_1.score_sheet (sheet_no, batch_id, course_id, semester_id, class_id, round, source, status, submitted_at,
                 reviewed_at, published_at, created_by, updated_by)
             select 'P-' || row_number() over (), {}, {}, {}, c.id, r.name, 'offline',
                    case when c.id is null then 'published' else 'submitted' end, now(), now(), now(), 0, 0
             from unnest(array['first', 'makeup', 'final_makeup']) as r (name), unnest(array[{}, null]::bigint[]) as c (id)",
            at.batch, at.course, at.semester, at.class
        ))
        .await;
    assert_eq!(step(&at.admin, "close", at.batch, json!({})).await.refused(), (409, "还有 3 张成绩登记表未发布"));
    let stands: String = server
        .one(&format!(
            "select status || ' ' || (select count(*) from school_1.score_sheet where status = 'locked') from school_1.test_batch
             where id = {}",
            at.batch
        ))
        .await;
    assert_eq!(stands, "active 0");
    server.run("delete from school_1.score_sheet").await;
    step(&at.admin, "close", at.batch, json!({})).await.data();
    server.run("update school_1.test_batch set closed_at = now() - interval '2 days'").await;
    step(&at.admin, "archive", at.batch, json!({})).await.data();
    let late = step(&at.admin, "reopen", at.batch, json!({ "reason": "补充安排一门考试" })).await;
    assert_eq!(late.refused(), (409, "已归档的批次不能重新打开"));
}

/// §1 scenario 2: the dates of a batch hold what is set in it.
#[tokio::test]
async fn the_dates_of_a_batch_hold_what_is_set() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let day = server.app.clock().today() + chrono::Duration::days(3);
    let mut wanted = at.exam(&server);
    wanted["startsAt"] = json!(format!("{day}T09:00:00+08:00"));
    wanted["endsAt"] = json!(format!("{day}T11:00:00+08:00"));
    at.admin.post(&format!("{ONLINE}/save"), wanted).await.data();
    let seen = at.admin.get(&format!("{BATCH}/view?id={}", at.batch)).await.data().clone();
    let edit = json!({ "id": at.batch, "version": seen["version"], "code": "2026F", "name": seen["name"],
        "semesterId": at.semester, "kind": "final", "mode": "mixed", "examStartsOn": seen["examStartsOn"],
        "examEndsOn": day - chrono::Duration::days(1), "scoreEntryStartsAt": seen["scoreEntryStartsAt"],
        "scoreEntryEndsAt": seen["scoreEntryEndsAt"] });
    let refused = kit::fields(&at.admin.put(&format!("{BATCH}/edit"), edit).await);
    let told = format!("examEndsOn: 已有考试安排在 {day}，结束日期不能早于该日");
    assert!(refused.contains(&told), "{refused:?}");
}

/// §3 scenario 1: once the examination began nobody asks to sit later, neither the student nor staff for them.
#[tokio::test]
async fn a_deferral_is_asked_for_before_the_beginning() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let setup = published(&at.admin, at.exam(&server)).await;
    let wanted = json!({ "studentId": at.students[0], "batchId": at.batch, "courseId": at.course, "reasonType": "illness",
        "reason": "住院治疗", "fileIds": [] });
    let refused = at.admin.post("/exam/pc/deferral/save", wanted).await;
    assert_eq!(refused.refused(), (409, "考试已开始，不能申请缓考"));
    let own = entered(&server, "2600000001", &format!("Aa@{}", &id_number(1)[12..]), "student").await;
    let wanted = json!({ "requestId": "request-0001", "batchId": at.batch, "courseId": at.course, "reasonType": "illness",
        "reason": "住院治疗", "fileIds": [] });
    let refused = own.post("/exam/client/deferral/save", wanted).await;
    assert_eq!(refused.refused(), (409, "考试已开始，不能申请缓考"));
    // What was applied for in time is approved later by whoever may, with a proof, and within seven days.
    server
        .run(&format!(
            "insert into school_1.exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, status,
                 created_by, updated_by)
             select c.student_id, {}, c.course_id, c.id, 'illness', '住院治疗', 'staff', 'applied', 0, 0
             from school_1.course_selection c order by c.student_id",
            at.batch
        ))
        .await;
    let approve = async |client: &Client<'_>, student: i64, files: Value| {
        let id: i64 = server.one(&format!("select id from school_1.exam_deferral where student_id = {student}")).await;
        client.put("/exam/pc/deferral/audit", json!({ "id": id, "version": 1, "pass": true, "fileIds": files })).await
    };
    let narrow = server.staff(1, &["exam:pc:deferral:audit"]).await;
    let refused = approve(&narrow, at.students[0], json!([])).await;
    assert_eq!(refused.refused(), (409, "考试已开始，不能批准缓考"));
    // Who may do so late at another site may not here.
    let (audits, late): (&[&str], &[&str]) = (&["exam:pc:deferral:audit"], &["exam:pc:deferral:auditLate"]);
    let far: &[i64] = &[at.p.site + 1000];
    let elsewhere = server.staff_with_roles(1, &[(audits, "whole_school", &[]), (late, "named_sites", far)]).await;
    let refused = approve(&elsewhere, at.students[0], json!([])).await;
    assert_eq!(refused.refused(), (409, "考试已开始，不能批准缓考"));
    let bare = approve(&at.admin, at.students[0], json!([])).await;
    assert_eq!(kit::fields(&bare), ["fileIds: 考试开始后批准缓考须上传证明材料"]);
    let proof = kit::files::paper(&at.admin, "住院证明.pdf").await;
    let proof: i64 = server.one(&format!("select id from school_1.file_object where key = '{proof}'")).await;
    approve(&at.admin, at.students[0], json!([proof])).await.data();
    assert_eq!(at.candidate(setup, at.students[0]).await["eligibility"], json!("deferred"));
    let now = server.now();
    server
        .run(&format!(
            "update school_1.exam_setup set starts_at = {now} - interval '8 days', ends_at = {now} - interval '7 days'"
        ))
        .await;
    let refused = approve(&at.admin, at.students[1], json!([])).await;
    assert_eq!(refused.refused(), (409, "考试开始已超过7天，不能批准缓考"));
}

/// §1: in a batch that is over nobody asks for a deferral and nothing is opened again; in an archived one no case is decided.
#[tokio::test]
async fn a_batch_that_is_over_takes_no_cases() {
    let server = Server::start().await;
    let at = scene(&server).await;
    let deferral = |student: i64| {
        json!({ "studentId": student, "batchId": at.batch, "courseId": at.course, "reasonType": "illness",
            "reason": "住院治疗", "fileIds": [] })
    };
    let setup = published(&at.admin, at.exam(&server)).await;
    let candidate = at.candidate(setup, at.students[0]).await["id"].clone();
    let report = json!({ "candidateId": candidate, "level": "violation", "clause": "W1", "description": "携带手机进入考场",
        "source": "invigilator", "fileIds": [] });
    let case = at.admin.post("/exam/pc/violation/save", report.clone()).await.id();
    let now = server.now();
    server
        .run(&format!(
            "update school_1.exam_setup set starts_at = {now} + interval '1 hour', ends_at = {now} + interval '2 hours'"
        ))
        .await;
    let asked = at.admin.post("/exam/pc/deferral/save", deferral(at.students[1])).await.id();
    server
        .run(&format!(
            "update school_1.exam_setup set status = 'closed', closed_at = now(), marking_status = 'done' where id = {setup}"
        ))
        .await;
    server.run("update school_1.test_batch set status = 'closed', closed_at = now()").await;
    let late = at.admin.post("/exam/pc/deferral/save", deferral(at.students[0])).await;
    assert_eq!(late.refused(), (409, "批次已结束，不能申请缓考"));
    let mut again = item(&at.admin, setup).await;
    again["endsAt"] = json!(server.app.clock().now() + chrono::Duration::hours(3));
    again["candidateIds"] = json!([candidate]);
    again["mode"] = json!("new_attempt");
    again["reason"] = json!("站点停电");
    let refused = at.admin.put(&format!("{ONLINE}/reopen"), again).await;
    assert_eq!(refused.refused(), (409, "批次已结束，不能修改考试安排"));
    server.run("update school_1.test_batch set status = 'archived', archived_at = now()").await;
    let refused = at.admin.post("/exam/pc/violation/save", report).await;
    assert_eq!(refused.refused(), (409, "批次已归档，不能登记违规"));
    server.run("update school_1.exam_violation set reported_by = 0").await;
    let seen = at.admin.get(&format!("/exam/pc/violation/view?id={case}")).await.data().clone();
    let audit = json!({ "id": case, "version": seen["version"], "pass": true, "decision": "证据确凿", "penalty": "score_void" });
    assert_eq!(at.admin.put("/exam/pc/violation/audit", audit).await.refused(), (409, "批次已归档，不能处理违规"));
    let seen = at.admin.get(&format!("/exam/pc/deferral/view?id={asked}")).await.data().clone();
    let audit = json!({ "id": asked, "version": seen["version"], "pass": false, "opinion": "证明不足", "fileIds": [] });
    let refused = at.admin.put("/exam/pc/deferral/audit", audit).await;
    assert_eq!(refused.refused(), (409, "批次已归档，不能处理缓考申请"));
}

/// §3: only a score that is made behind the application ends it. Whose time is over makes up for it before graduation alone.
#[tokio::test]
async fn a_deferral_is_made_up_for_later() {
    let server = Server::start().await;
    let at = scene(&server).await;
    server
        .run(&format!(
            "insert into school_1.exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, status,
                 reviewed_at, created_by, updated_by)
             select c.student_id, {}, c.course_id, c.id, 'illness', '住院治疗', 'staff', 'approved', now(), 0, 0
             from school_1.course_selection c where c.student_id = {}",
            at.batch, at.students[0]
        ))
        .await;
    server.run(&format!("update school_1.student set status = 'expired' where id = {}", at.students[0])).await;
    let mut listed = Vec::new();
    for (code, kind) in [("M1", "makeup"), ("M2", "final_makeup")] {
        let round = kit::exam_seats::batch(&server, at.semester, code, kind).await;
        let wanted = json!({ "batchId": round, "courseId": at.course, "semesterId": at.semester });
        let setup = at.admin.post("/offline/pc/offline/setup/save", wanted).await.id();
        let seen = at.admin.get(&format!("/offline/pc/offline/setup/view?id={setup}")).await.data().clone();
        assert_eq!(seen["round"], json!(kind), "the round is the batch's: {seen}");
        listed.push(seen["candidateCount"].clone());
    }
    assert_eq!(listed, [json!(0), json!(1)]);

    server
        .run(&format!(
            "with score as (
                 insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits,
                     nature, status, created_by, updated_by)
                 select id, student_id, course_id, semester_id, 1, class_id, 3, 'compulsory', 'computing', 0, 0
                 from school_1.course_selection where student_id = {} returning id)
             insert into school_1.exam_score (course_score_id, round, round_no, value, source, published, created_at, created_by, updated_by)
             select id, 'deferred', 1, 70, 'offline_entry', true, now() - interval '1 day', 0, 0 from score",
            at.students[0]
        ))
        .await;
    let follow = async || {
        server.when_due("exam.follow", chrono::TimeDelta::minutes(11)).await;
        server.one::<String>("select status from school_1.exam_deferral").await
    };
    assert_eq!(follow().await, "approved", "an older score ends no application");
    server.run("update school_1.exam_score set created_at = now() + interval '1 hour'").await;
    assert_eq!(follow().await, "used");
}

/// §2.7 scenario 8: a student sits once for a course in a batch.
#[tokio::test]
async fn a_student_sits_once_for_a_course() {
    let server = Server::start().await;
    let at = scene(&server).await;
    published(&at.admin, at.exam(&server)).await;
    let other = at.admin.post(&format!("{ONLINE}/save"), at.exam(&server)).await.id();
    let selection = selection_of(&at.admin, at.students[0], at.opening).await["id"].clone();
    let add = json!({ "setupId": other, "selectionIds": [selection], "reason": "补报名" });
    let refused = at.admin.post(&format!("{CANDIDATE}/add"), add).await;
    assert_eq!(refused.code(), 409, "{}", refused.body);
    assert!(refused.msg().contains("该生已在本批次该课程的其他考试中"), "{}", refused.body);
}

/// §2.7 scenario 9: many are listed by a job; whoever starts it a second time is told at once that it goes on.
#[tokio::test]
async fn many_candidates_are_listed_by_a_job() {
    let server = Server::start().await;
    let at = scene(&server).await;
    kit::rows::students(&server, &at.p, at.p.site, Some(at.class), 1_001, 2_100).await;
    server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, {}, {}, {}, y.class_id, 'admin', 'selected', now(), 0, 0 from school_1.student y
             where not exists (select from school_1.course_selection c where c.student_id = y.id)",
            at.opening, at.semester, at.course
        ))
        .await;
    let setup = at.admin.post(&format!("{ONLINE}/save"), at.exam(&server)).await.id();
    let mut holder = server.owner().await;
    let mut lock = holder.begin().await.expect("a transaction");
    sqlx::query("select id from school_1.student order by id desc limit 1 for update")
        .execute(&mut *lock)
        .await
        .expect("a lock");
    let path = format!("{CANDIDATE}/refresh");
    let started = at.admin.post(&path, json!({ "setupId": setup })).await.data()["jobId"].clone();
    let again = at.admin.post(&path, json!({ "setupId": setup })).await;
    assert_eq!(again.refused(), (409, "该任务正在进行中，请稍后再试"));
    lock.rollback().await.expect("the lock goes");
    let job = kit::jobs::ended(&at.admin, &started).await;
    assert_eq!((&job["state"], &job["message"]), (&json!("done"), &json!("新增2102名，更新0名，移除0名")), "{job}");
}
