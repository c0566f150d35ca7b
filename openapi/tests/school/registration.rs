//! Who comes, and who does not: from the audit of the admission to the file of the student (part 02 §6, §7).

use chrono::{Days, NaiveDate};
use kit::{
    Client, Server,
    admission::{ADMISSION, items, open_batch, row, seen, segments, taken},
    cohort::{Cohort, cohort, registrar},
    enrolment::{ENROLMENT, MAJORS, save_batch, save_major, turn},
    fields,
    files::paper,
    jobs::ended,
    registration::{REGISTRATION, audited, ready, registration, registrations, report},
    rows::setting,
    students::{ROLL, save, student},
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection};

const RULE: &str = "/adult/pc/studentRoll/studentNoRule";

/// `grade_year2 + level1(专升本=3) + major4 + site3 + seq4`: 2630412007 and the running number.
async fn worked_rule(server: &Server, admin: &Client<'_>, p: &Cohort) {
    server.run("update school_1.major set code = '412'; update school_1.site set code = '7'").await;
    let segments = json!([
        { "kind": "grade_year", "length": 2 },
        { "kind": "level", "length": 1, "values": [{ "key": p.level.to_string(), "code": "3" }] },
        { "kind": "major", "length": 4 }, { "kind": "site", "length": 3 }, { "kind": "seq", "length": 4 },
    ]);
    let rule = json!({ "name": "2026级", "gradeIds": [p.grade], "segments": segments, "sortBy": "examinee_no", "enabled": true });
    admin.post(&format!("{RULE}/save"), rule).await.id();
}

async fn turned(client: &Client<'_>, call: &str, row: &Value, more: Value) -> kit::Answer {
    let mut body = json!({ "id": row["id"], "version": row["version"] });
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    client.post(&format!("{REGISTRATION}/{call}"), body).await
}

async fn statuses(client: &Client<'_>, batch: i64) -> Vec<(String, i64)> {
    let list = client.post(&format!("{REGISTRATION}/list"), json!({ "batchId": batch })).await;
    let found = list.data()["segments"].as_array().expect("segments").clone();
    found
        .iter()
        .map(|one| (one["value"].as_str().expect("a word").to_owned(), one["count"].as_i64().expect("a count")))
        .filter(|(_, count)| *count > 0)
        .collect()
}

fn of(told: &[(&str, i64)]) -> Vec<(String, i64)> {
    told.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect()
}

async fn night(server: &Server) -> String {
    let operator = server.operator().await;
    let named = json!({ "name": "registration.ending" });
    let job = operator.post("/data/pc/druid/job/run", named).await.data()["jobId"].clone();
    let told = ended(&operator, &job).await;
    assert_eq!(told["state"], json!("done"), "{told}");
    told["message"].as_str().unwrap_or_default().to_owned()
}

/// Scenario 1 of §7, and the figures that follow.
#[tokio::test]
async fn a_hundred_and_thirty_one_report_together() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    worked_rule(&server, &admin, &p).await;
    audited(&admin, &p, batch, 0..131).await;
    ready(&server).await;
    let filter = json!({ "filter": { "batchId": batch }, "identityVerified": true, "verifyMethod": "manual" });
    let job = admin.post(&format!("{REGISTRATION}/batchReview"), filter).await.data()["jobId"].clone();
    let job = ended(&admin, &job).await;
    assert_eq!(job["message"], json!("共131条，成功131条，失败0条"), "{job}");
    let first: (String, String) = (
        server.one("select student_no from school_1.student where examinee_no = '05010000000000'").await,
        server.one("select student_no from school_1.student where examinee_no = '05010000000130'").await,
    );
    assert_eq!(first, ("26304120070001".to_owned(), "26304120070131".to_owned()));
    let sizes: Vec<i64> = server
        .one(
            "select array_agg(n order by seq) from (select c.seq, count(*) as n from school_1.student s
             join school_1.class c on c.id = s.class_id group by c.seq) x",
        )
        .await;
    assert_eq!(sizes, [44, 44, 43]);
    let out_of_order: i64 = server
        .one(
            "select count(*) from school_1.student s join school_1.student o on o.examinee_no > s.examinee_no
             and o.student_no < s.student_no",
        )
        .await;
    assert_eq!(out_of_order, 0, "numbers are in the order of 考生号");
    assert_eq!(statuses(&admin, batch).await, of(&[("reported", 131)]));
    let found =
        admin.post(&format!("{ROLL}/list"), json!({ "keyword": "26304120070023" })).await.data()["list"][0].clone();
    assert_eq!((&found["status"], &found["source"]), (&json!("pending_registration"), &json!("report")), "{found}");
    // Each has an account by their number, and the register says from where they come.
    let accounts: i64 =
        server.one("select count(*) from school_1.client_account where login_name like '2630412007%'").await;
    assert_eq!(accounts, 131);
    let linked: i64 = server
        .one(
            "select count(*) from school_1.student s join school_1.registration r on r.id = s.registration_id and r.student_id = s.id
             where s.admission_id = r.admission_id and s.admission_photo_id is not null",
        )
        .await;
    assert_eq!(linked, 131);
    assert_eq!(admin.get(&format!("{ENROLMENT}/view?id={batch}")).await.data()["reported"], json!(131));
    let major = admin.post(&format!("{MAJORS}/list"), json!({ "batchId": batch })).await.data()["list"][0].clone();
    assert_eq!((&major["admitted"], &major["reported"]), (&json!(131), &json!(131)));
    // The next one takes a free seat.
    audited(&admin, &p, batch, 200..201).await;
    ready(&server).await;
    let told = report(&admin, &registration(&admin, 200).await).await.data().clone();
    assert_eq!(told["studentNo"], json!("26304120070132"), "{told}");
    assert!(told["className"].as_str().expect("a class").ends_with("1班"), "{told}");
}

/// Scenario 2: two hundred desks at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_report_at_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    worked_rule(&server, &admin, &p).await;
    audited(&admin, &p, batch, 0..200).await;
    ready(&server).await;
    let rows = registrations(&admin, json!({ "batchId": batch })).await;
    assert_eq!(rows.len(), 200);
    let desks = rows.chunks(20).map(|rows| async {
        let calls = rows.iter().map(|row| async {
            // Nothing has happened where a desk was asked to come again later.
            loop {
                let told = report(&admin, row).await;
                if told.code() != 429 {
                    return told;
                }
            }
        });
        futures_util::future::join_all(calls).await
    });
    for told in futures_util::future::join_all(desks).await.into_iter().flatten() {
        assert_eq!(told.code(), 200, "{}", told.body);
    }
    let numbers: Vec<String> =
        server.one("select array_agg(student_no order by student_no) from school_1.student").await;
    let wanted: Vec<String> = (1..=200).map(|n| format!("2630412007{n:04}")).collect();
    assert_eq!(numbers, wanted, "different, and without a gap");
}

/// Scenarios 3, 4, 5 and 8: what somebody who reports must have.
#[tokio::test]
async fn who_lacks_something_does_not_report() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 1..6).await;
    let one = registration(&admin, 1).await;
    let lacks = report(&admin, &one).await;
    assert_eq!(lacks.refused(), (409, "没有报到照片，也没有录取照片，请先上传照片"));
    ready(&server).await;
    server
        .run("update school_1.registration set fee_paid = false, fee_source = null where examinee_no like '%0001'")
        .await;
    let one = registration(&admin, 1).await;
    assert_eq!(report(&admin, &one).await.refused(), (409, "未缴费，不能报到"));
    setting(&server, "feeRequiredAtReport", &json!(false)).await;
    let unseen = turned(&admin, "report", &one, json!({ "identityVerified": false })).await;
    assert_eq!(unseen.refused(), (409, "未核验身份，不能报到"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 0, "nothing is half written");
    // Pressed twice.
    let (first, second) = tokio::join!(report(&admin, &one), report(&other, &one));
    let mut codes = [first.code(), second.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
    let refused = if first.code() == 409 { first } else { second };
    assert_eq!(refused.refused(), (409, "该生已报到"));
    assert_eq!(server.one::<i64>("select count(*) from school_1.student").await, 1);
    // Somebody who has not ended here begins nothing here, however soon they end.
    let mut studies = student(&p, 2);
    studies["examineeNo"] = json!("23429901150002");
    save(&admin, studies).await;
    server.run("update school_1.student set expected_graduation_on = '2026-01-10', enrolled_on = '2023-03-01' where source <> 'report'").await;
    let two = registration(&admin, 2).await;
    let told = report(&admin, &two).await;
    assert!(told.code() == 409 && told.msg().starts_with("该人员仍有在籍学籍（"), "{}", told.msg());
    // A day late, with the right to be late and without.
    let now = server.app.clock().now();
    let ends = |days: i64| (now + chrono::Duration::days(days)).to_rfc3339();
    server
        .run(&format!(
            "update school_1.enrollment_batch set report_starts_at = '{}', report_ends_at = '{}'",
            ends(-30),
            ends(-1)
        ))
        .await;
    let desk = server.staff(1, &["adult:pc:registration:audit", "adult:pc:registration:list"]).await;
    let three = registration(&admin, 3).await;
    assert_eq!(report(&desk, &three).await.refused(), (409, "不在报到时间内"));
    let body = json!({ "items": items(std::slice::from_ref(&three)), "identityVerified": true });
    let many = server.staff(1, &["adult:pc:registration:batchReview"]).await;
    let told = many.post(&format!("{REGISTRATION}/batchReview"), body.clone()).await;
    assert_eq!(told.data()["failed"][0]["msg"], json!("不在报到时间内"));
    assert_eq!(report(&admin, &three).await.code(), 200);
    // In a batch that is over nobody reports, whatever their rights.
    server.run("update school_1.enrollment_batch set status = 'closed'").await;
    let five = registration(&admin, 5).await;
    assert_eq!(report(&admin, &five).await.refused(), (409, "招生批次已结束，不能报到"));
    server.run("update school_1.enrollment_batch set status = 'open'").await;
    // Nobody of another site is seen, and nobody reports there.
    let far =
        admin.post("/adult/pc/site/save", json!({ "code": "FAR", "name": "远", "kind": "headquarter" })).await.id();
    let narrow = server
        .staff_within(
            1,
            &["adult:pc:registration:audit", "adult:pc:registration:batchReview", "adult:pc:registration:list"],
            "named_sites",
            &[far],
        )
        .await;
    let four = registration(&admin, 4).await;
    assert_eq!(report(&narrow, &four).await.code(), 404);
    let body = json!({ "items": items(std::slice::from_ref(&four)), "identityVerified": true });
    let told = narrow.post(&format!("{REGISTRATION}/batchReview"), body).await.data().clone();
    assert_eq!(told["failed"][0]["msg"], json!("无权操作该数据"));
    assert_eq!(narrow.post(&format!("{REGISTRATION}/list"), json!({})).await.data()["totalCount"], json!(0));
}

/// Scenario 6: a place is kept, goes on with the next batch, or is lost.
#[tokio::test]
async fn a_place_is_kept_until_its_day() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    // The batch begins as the test does, so that a year from its entry lies ahead.
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..5).await;
    ready(&server).await;
    let attachment = paper(&admin, "申请.pdf").await;
    let until = today + Days::new(100);
    let keep = |until: NaiveDate, attachment: &str| json!({ "reserveReason": "data_error", "reserveUntil": until, "reason": "姓名有误", "attachment": attachment });
    let one = registration(&admin, 1).await;
    let late = turned(&admin, "reserve", &one, keep(today + Days::new(800), &attachment)).await;
    assert!(fields(&late)[0].starts_with("reserveUntil: 保留期限不能晚于"), "{}", late.body);
    let early = turned(&admin, "reserve", &one, keep(today - Days::new(1), &attachment)).await;
    assert_eq!(fields(&early), ["reserveUntil: 保留期限不能早于今天"]);
    turned(&admin, "reserve", &one, keep(until, &attachment)).await.id();
    for n in [2, 3] {
        let row = registration(&admin, n).await;
        turned(&admin, "reserve", &row, keep(until, &paper(&admin, "申请.pdf").await)).await.id();
    }
    assert_eq!(statuses(&admin, batch).await, of(&[("pending", 1), ("reserved", 3)]));
    let kept = registration(&admin, 1).await;
    assert_eq!(report(&admin, &kept).await.refused(), (409, "当前状态为保留入学资格，不能报到"));
    let abandon = json!({ "items": items(std::slice::from_ref(&kept)), "reason": "不来了" });
    let told = admin.post(&format!("{REGISTRATION}/abandon"), abandon).await;
    assert_eq!(told.data()["failed"][0]["msg"], json!("当前状态为保留入学资格，不能办理放弃"));
    // The next batch of the next grade, which has another major of the level as well.
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    let next = Cohort { grade, ..p };
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2031, {grade}, id, 200, 280000, 'filed', '2026-11-02', 0, 0 from school_1.major where enabled"
        ))
        .await;
    let later = save_batch(&admin, &next, "2027-1").await;
    save_major(&admin, later, p.major, "101", 50).await;
    assert_eq!(turned(&admin, "resume", &kept, json!({ "batchId": later })).await.code(), 422, "a draft takes nobody");
    assert_eq!(turn(&admin, later, "open").await.code(), 200);
    server
        .run(&format!(
            "update school_1.enrollment_batch set enrolled_on = '{}' where id = {later}",
            today + Days::new(300)
        ))
        .await;
    let back = turned(&admin, "resume", &kept, json!({ "batchId": batch })).await.id();
    assert_eq!(json!(back), kept["id"], "the same batch: the same registration");
    let two = registration(&admin, 2).await;
    let moved = turned(&admin, "resume", &two, json!({ "batchId": later })).await.id();
    let new = registration(&admin, 2).await;
    assert_eq!(
        (&new["id"], &new["status"], &new["gradeName"]),
        (&json!(moved), &json!("pending"), &json!("2027级")),
        "{new}"
    );
    assert_eq!(new["feePaid"], json!(true), "what was paid goes along");
    assert_eq!(turned(&admin, "resume", &two, json!({})).await.code(), 409);
    let old = registrations(&admin, json!({ "batchId": batch, "status": "reserved" })).await;
    let gone = old.iter().find(|row| row["carriedOn"] == json!(true)).expect("the old one");
    let told = turned(&admin, "revoke", gone, json!({ "remark": "作弊" })).await;
    assert_eq!(told.refused(), (409, "已转入之后的批次，请在该批次办理"));
    let told = report(&admin, &new).await;
    assert_eq!(told.code(), 200, "{}", told.body);
    // The day after, the third has lost it; who went on has not.
    assert_eq!(night(&server).await, "已处理0条逾期未报到和保留到期的报到数据");
    server.app.clock().shift(chrono::Duration::days(101));
    let admin = registrar(&server).await;
    assert_eq!(night(&server).await, "已处理1条逾期未报到和保留到期的报到数据");
    let three = registration(&admin, 3).await;
    let why = json!("保留期限届满未恢复（姓名有误）");
    assert_eq!((&three["status"], &three["reason"]), (&json!("abandoned"), &why), "{three}");
}

/// Scenario 7: taken back, the file is gone and its number is given to nobody.
#[tokio::test]
async fn a_report_is_taken_back() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    worked_rule(&server, &admin, &p).await;
    audited(&admin, &p, batch, 1..4).await;
    ready(&server).await;
    server.run("insert into school_1.student_no_counter (scope_key, last_no) values ('2630412007', 56)").await;
    let told = report(&admin, &registration(&admin, 1).await).await.data().clone();
    assert_eq!(told["studentNo"], json!("26304120070057"));
    let one = registration(&admin, 1).await;
    assert_eq!(fields(&turned(&admin, "undoReport", &one, json!({})).await), ["reason: 请填写原因"]);
    // The audit of the admission stands as long as they are here (§6, scenario 8).
    let admission = seen(&admin, batch, 1).await;
    let back =
        json!({ "id": admission["id"], "version": admission["version"], "result": "revoke", "remark": "重新审核" });
    assert_eq!(
        admin.post(&format!("{ADMISSION}/audit"), back.clone()).await.refused(),
        (409, "该生已报到，不能撤销审核")
    );
    turned(&admin, "undoReport", &one, json!({ "reason": "误操作" })).await.id();
    let left = async |table: &str| -> i64 { server.one(&format!("select count(*) from school_1.{table}")).await };
    assert_eq!((left("student").await, left("client_account").await, left("student_status_change").await), (0, 0, 0));
    let again = report(&admin, &registration(&admin, 1).await).await.data().clone();
    assert_eq!(again["studentNo"], json!("26304120070058"), "a number is never given twice");
    // What refers to the student holds them, and so does 学信网.
    let two = report(&admin, &registration(&admin, 2).await).await.data()["studentId"].clone();
    server.run(&format!("update school_1.student set register_result = 'exported' where id = {two}")).await;
    let held = turned(&admin, "undoReport", &registration(&admin, 2).await, json!({ "reason": "误操作" })).await;
    assert_eq!(held.refused(), (409, "该生学信网注册结果为已导出，不能撤销报到"));
    server
        .run(&format!(
            "update school_1.student set register_result = 'none' where id = {two};
             update school_1.student_information set status = 'submitted', submitted_at = now(), submitted_by = 'student'
             where student_id = {two} and kind = 'admission_information'"
        ))
        .await;
    let held = turned(&admin, "undoReport", &registration(&admin, 2).await, json!({ "reason": "误操作" })).await;
    assert_eq!(held.refused(), (409, "学生已有1条学生信息，不能撤销报到"));
    server
        .run(&format!(
            "update school_1.student_information set status = 'not_submitted', submitted_at = null, submitted_by = null
             where student_id = {two};
             insert into school_1.student_correction (student_id, kind, reason, changes, status, source, applicant_name, created_by,
                 updated_by)
             values ({two}, 'data_error', '姓名有误', '{{\"name\": {{}}}}', 'pending_school', 'back_office', '某人', 0, 0)"
        ))
        .await;
    let held = turned(&admin, "undoReport", &registration(&admin, 2).await, json!({ "reason": "误操作" })).await;
    assert_eq!(held.refused(), (409, "学生已有1条信息更正，不能撤销报到"));
    // The admission of who waits is audited no more, and again.
    let waiting = seen(&admin, batch, 3).await;
    let mut back = back;
    (back["id"], back["version"]) = (waiting["id"].clone(), waiting["version"].clone());
    admin.post(&format!("{ADMISSION}/audit"), back).await.id();
    assert_eq!(statuses(&admin, batch).await, of(&[("reported", 2)]));
    let waiting = seen(&admin, batch, 3).await;
    assert_eq!(waiting["status"], json!("assigned"));
    let pass = json!({ "id": waiting["id"], "version": waiting["version"], "result": "pass" });
    admin.post(&format!("{ADMISSION}/audit"), pass).await.id();
    assert_eq!(statuses(&admin, batch).await, of(&[("pending", 1), ("reported", 2)]));
}

/// Whoever keeps a form holds its student first. Who takes the report back waits for the student, and holds no form by then.
#[tokio::test]
async fn a_student_is_held_before_their_forms() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    worked_rule(&server, &admin, &p).await;
    audited(&admin, &p, batch, 1..2).await;
    ready(&server).await;
    let student = report(&admin, &registration(&admin, 1).await).await.data()["studentId"].clone();
    let one = registration(&admin, 1).await;
    let mut desk = server.owner().await;
    let mut keeping = desk.begin().await.expect("a transaction");
    let hold = format!("select id from school_1.student where id = {student} for update");
    sqlx::query(AssertSqlSafe(hold)).execute(&mut *keeping).await.expect("the student");
    let kept = async {
        let waits = "select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                     where not l.granted and a.datname = current_database())";
        server.wait_until(waits).await;
        let forms =
            format!("select id from school_1.student_information where student_id = {student} for update nowait");
        let forms = sqlx::query(AssertSqlSafe(forms)).execute(&mut *keeping).await.expect("nobody holds a form");
        assert_eq!(forms.rows_affected(), 2);
        keeping.commit().await.expect("it is kept");
    };
    let (told, ()) = tokio::join!(turned(&admin, "undoReport", &one, json!({ "reason": "误操作" })), kept);
    told.id();
    let left: i64 = server.one("select count(*) from school_1.student_information").await;
    assert_eq!(left, 0);
}

/// What was brought and paid is there again when a decision is taken back and made anew; who went on from a batch stands in it
/// again when they leave the later one.
#[tokio::test]
async fn what_is_taken_back_is_not_lost() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let today = server.app.clock().today();
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{today}'")).await;
    audited(&admin, &p, batch, 1..3).await;
    let one = registration(&admin, 1).await;
    let fee = json!({
        "items": items(std::slice::from_ref(&one)), "feePaid": true, "paidAmount": 280_000, "paidAt": today, "tradeNo": "T1",
    });
    assert_eq!(admin.put(&format!("{REGISTRATION}/fee"), fee).await.data()["done"], json!(1));
    let paid = admin.delete(&format!("{REGISTRATION}/delete?id={}", one["id"])).await;
    assert_eq!(paid.refused(), (409, "已缴费，不能删除，请先取消缴费标记"));
    for result in ["revoke", "pass"] {
        let row = seen(&admin, batch, 1).await;
        let body = json!({ "id": row["id"], "version": row["version"], "result": result, "remark": "重新审核" });
        admin.post(&format!("{ADMISSION}/audit"), body).await.id();
        let view = admin.get(&format!("{ADMISSION}/view?id={}", row["id"])).await.data().clone();
        assert_eq!(view["auditedAt"].is_null(), result == "revoke", "{view}");
    }
    let again = registration(&admin, 1).await;
    assert_eq!((&again["id"], &again["feePaid"]), (&one["id"], &json!(true)), "{again}");

    // Kept, gone on with the next batch, and back.
    let grade = admin.post("/adult/pc/grade/save", json!({ "code": "2027" })).await.id();
    server
        .run(&format!(
            "insert into school_1.forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filed_on,
                 created_by, updated_by)
             select 2031, {grade}, id, 200, 280000, 'filed', '2026-11-02', 0, 0 from school_1.major where enabled"
        ))
        .await;
    let later = save_batch(&admin, &Cohort { grade, ..p }, "2027-1").await;
    save_major(&admin, later, p.major, "101", 50).await;
    assert_eq!(turn(&admin, later, "open").await.code(), 200);
    let entry = today + Days::new(300);
    server.run(&format!("update school_1.enrollment_batch set enrolled_on = '{entry}' where id = {later}")).await;
    let keep = json!({
        "reserveReason": "work", "reserveUntil": today + Days::new(100), "attachment": paper(&admin, "申请.pdf").await,
    });
    turned(&admin, "reserve", &registration(&admin, 2).await, keep).await.id();
    let new = turned(&admin, "resume", &registration(&admin, 2).await, json!({ "batchId": later })).await.id();
    let row = seen(&admin, batch, 2).await;
    let revoke = json!({ "id": row["id"], "version": row["version"], "result": "revoke", "remark": "重新审核" });
    let refused = admin.post(&format!("{ADMISSION}/audit"), revoke).await;
    assert_eq!(refused.refused(), (409, "该生已转入之后的批次，请先删除该批次的报到数据再撤销审核"));
    assert_eq!(admin.delete(&format!("{REGISTRATION}/delete?id={new}")).await.code(), 200);
    let old = registration(&admin, 2).await;
    assert_eq!((&old["status"], &old["carriedOn"]), (&json!("reserved"), &json!(false)), "{old}");
    // Out of the bin they have gone on again.
    let bin = admin.post("/adult/pc/registrationDeleted/list", json!({})).await.data()["list"][0].clone();
    let back = json!({ "items": items(std::slice::from_ref(&bin)) });
    let told = admin.post("/adult/pc/registrationDeleted/recover", back).await;
    assert_eq!(told.data()["done"], json!(1), "{}", told.body);
    assert_eq!(registration(&admin, 2).await["id"], json!(new));
    let told: i64 = server
        .one(&format!(
            "select count(*) from school_1.audit_log where entity_type = 'registration' and entity_id = {} and action = 'status'
             and changes::text like '%carriedOn%'",
            old["id"]
        ))
        .await;
    assert_eq!(told, 2, "back, and gone on again");
}

/// A name or a number that somebody took by hand holds nobody up.
#[tokio::test]
async fn what_is_taken_by_hand_holds_nobody_up() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    worked_rule(&server, &admin, &p).await;
    audited(&admin, &p, batch, 1..3).await;
    ready(&server).await;
    // The first number is how a teacher signs in, and another class has the name of the first one.
    server
        .run(
            "insert into school_1.client_account (owner_kind, owner_id, login_name, created_by, updated_by)
             values ('teacher', 1, '26304120070001', 0, 0)",
        )
        .await;
    let told = report(&admin, &registration(&admin, 1).await).await.data().clone();
    assert_eq!(told["studentNo"], json!("26304120070002"), "{told}");
    let name = told["className"].as_str().expect("a class").to_owned();
    server
        .run(&format!(
            "update school_1.class set capacity = 1; update school_1.class_counter set last_seq = 1;
             insert into school_1.class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, created_by,
                 updated_by)
             select 'HAND', replace('{name}', '1班', '2班'), grade_id, level_id, major_id, site_id, 9, 1, '', 0, 0
             from school_1.class limit 1;
             update school_1.class set enabled = false where code = 'HAND'"
        ))
        .await;
    let told = report(&admin, &registration(&admin, 2).await).await.data().clone();
    assert_eq!((&told["studentNo"], &told["className"]), (&json!("26304120070003"), &Value::Null), "{told}");
    assert!(told["warnings"][0].as_str().expect("a warning").starts_with("未分班："), "{told}");
}

/// Who does not come: given up, late, let in again, struck off; and the end of the batch (§4, scenario 5).
#[tokio::test]
async fn who_does_not_come_is_told_apart() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    audited(&admin, &p, batch, 0..44).await;
    taken(&admin, &p, batch, &[row(50), row(51)]).await;
    ready(&server).await;
    let four = registrations(&admin, json!({ "batchId": batch })).await[..4].to_vec();
    let abandon = json!({ "items": items(&four[..1]), "reason": "工作变动" });
    assert_eq!(admin.post(&format!("{REGISTRATION}/abandon"), abandon).await.data()["done"], json!(1));
    let revoke = turned(&admin, "revoke", &four[1], json!({ "remark": "冒名顶替" })).await;
    assert_eq!(json!(revoke.id()), four[1]["id"]);
    let stale = turned(&admin, "revoke", &four[1], json!({ "remark": "冒名顶替" })).await;
    assert!(stale.code() == 409 && stale.msg().starts_with("数据已被"), "{}", stale.msg());
    assert_eq!(report(&admin, &four[2]).await.code(), 200);
    assert_eq!(report(&admin, &four[3]).await.code(), 200);
    let now = server.app.clock().now();
    let at = |hours: i64| (now + chrono::Duration::hours(hours)).to_rfc3339();
    server
        .run(&format!(
            "update school_1.enrollment_batch set report_starts_at = '{}', report_ends_at = '{}'",
            at(-100),
            at(1)
        ))
        .await;
    assert_eq!(turn(&admin, batch, "closed").await.refused(), (409, "尚有2条录取数据未审核"));
    assert_eq!(night(&server).await, "已处理0条逾期未报到和保留到期的报到数据");
    server.app.clock().shift(chrono::Duration::hours(2));
    let admin = registrar(&server).await;
    assert_eq!(night(&server).await, "已处理40条逾期未报到和保留到期的报到数据");
    assert_eq!(
        statuses(&admin, batch).await,
        of(&[("reported", 2), ("abandoned", 1), ("no_show", 40), ("revoked", 1)])
    );
    // Somebody comes after all, and the next night leaves them.
    let late = registrations(&admin, json!({ "batchId": batch, "status": "no_show" })).await;
    turned(&admin, "reinstate", &late[0], json!({})).await.id();
    assert_eq!(night(&server).await, "已处理0条逾期未报到和保留到期的报到数据");
    // The two who were never assigned are not taken; then the batch ends, and with it who waits.
    for n in [50, 51] {
        let one = seen(&admin, batch, n).await;
        let reject = json!({ "id": one["id"], "version": one["version"], "result": "reject", "remark": "资格不符" });
        admin.post(&format!("{ADMISSION}/audit"), reject).await.id();
    }
    assert_eq!(turn(&admin, batch, "closed").await.code(), 200);
    assert_eq!(
        statuses(&admin, batch).await,
        of(&[("reported", 2), ("abandoned", 1), ("no_show", 40), ("revoked", 1)])
    );
    let late = registrations(&admin, json!({ "batchId": batch, "status": "no_show" })).await;
    let shut = turned(&admin, "reinstate", &late[0], json!({})).await;
    assert_eq!(shut.refused(), (409, "招生批次“2026-1招生”已结束，不能补报到"));
}

/// §6, scenarios 4 to 6: who passes the audit, who does not, and once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admission_is_audited_once() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let other = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    server.run("update school_1.enrollment_batch set enrolled_on = '2026-03-01'").await;
    let mut wrong = row(1);
    let last = if wrong[4].ends_with('0') { "1" } else { "0" };
    wrong[4].pop();
    wrong[4].push_str(last);
    let mut studies = student(&p, 2);
    studies["examineeNo"] = json!("23429901150002");
    save(&admin, studies).await;
    server.run("update school_1.student set expected_graduation_on = '2026-01-10', enrolled_on = '2023-03-01'").await;
    taken(&admin, &p, batch, &[wrong, row(2), row(3), row(4)]).await;
    let audit = async |client: &Client<'_>, n: usize, more: Value| {
        let row = seen(client, batch, n).await;
        let mut body = json!({ "id": row["id"], "version": row["version"], "result": "pass" });
        for (field, value) in more.as_object().expect("fields") {
            body[field] = value.clone();
        }
        client.post(&format!("{ADMISSION}/audit"), body).await
    };
    assert_eq!(audit(&admin, 3, json!({})).await.refused(), (409, "尚未分配站点，不能审核通过"));
    let all = admin.post(&format!("{ADMISSION}/list"), json!({ "batchId": batch })).await.data()["list"].clone();
    let body = json!({ "items": items(all.as_array().expect("rows")), "siteId": p.site });
    assert_eq!(admin.post(&format!("{ADMISSION}/allocation"), body).await.data()["done"], json!(4));
    assert_eq!(audit(&admin, 1, json!({})).await.refused(), (409, "证件号校验未通过，请先更正"));
    let asked = audit(&admin, 2, json!({})).await;
    assert!(asked.code() == 409 && asked.msg().ends_with("预计2026-01-10毕业，请确认后通过"), "{}", asked.msg());
    assert_eq!(asked.body["data"]["confirm"], json!("confirmDuplicate"), "{}", asked.body);
    audit(&admin, 2, json!({ "confirmDuplicate": true })).await.id();
    // Two at once.
    let row = seen(&admin, batch, 3).await;
    let body = json!({ "id": row["id"], "version": row["version"], "result": "pass" });
    let call = format!("{ADMISSION}/audit");
    let (one, two) = tokio::join!(admin.post(&call, body.clone()), other.post(&call, body));
    let mut codes = [one.code(), two.code()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409]);
    let of_three = format!("select count(*) from school_1.registration where admission_id = {}", row["id"]);
    assert_eq!(server.one::<i64>(&of_three).await, 1);
    // Rejected with a reason, and taken back to where they were.
    assert_eq!(fields(&audit(&admin, 4, json!({ "result": "reject" })).await), ["remark: 请填写原因"]);
    audit(&admin, 4, json!({ "result": "reject", "remark": "前置学历不符" })).await.id();
    assert_eq!(
        segments(&admin, json!({ "batchId": batch, "scope": "audit" })).await,
        of(&[("assigned", 1), ("audited", 2), ("rejected", 1)])
    );
    audit(&admin, 4, json!({ "result": "revoke", "remark": "材料已补" })).await.id();
    let back = seen(&admin, batch, 4).await;
    assert_eq!((&back["status"], &back["siteName"]), (&json!("assigned"), &json!("城东教学点")), "{back}");
    let narrow = server.staff(1, &["adult:pc:admission:list", "adult:pc:admission:edit"]).await;
    assert_eq!(audit(&narrow, 4, json!({})).await.code(), 403);
    // A phone that is mended at the admission is the one that is called.
    let three = seen(&admin, batch, 3).await;
    let edit = json!({ "id": three["id"], "version": three["version"], "phone": "13900000009" });
    assert_eq!(admin.put(&format!("{ADMISSION}/edit"), edit).await.code(), 200);
    assert_eq!(registration(&admin, 3).await["phone"], json!("139****0009"));
}

/// 01 §12, scene admission_result: who passes is told by short message, one by one or together; who is rejected is not.
#[tokio::test]
async fn who_passes_the_audit_is_told() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, _) = open_batch(&server, &admin, &p, 200).await;
    let operator = server.operator().await;
    let found = operator.post("/user/pc/psd/info/list", json!({ "keyword": "admission_result" })).await;
    let sms = json!({
        "sceneId": found.data()["list"][0]["id"], "channel": "sms", "title": "录取", "providerTemplateCode": "SMS_1",
        "content": "{{name}}，您已被{{level}}{{major}}专业录取。",
    });
    operator.post("/user/pc/psd/list/conf/save", sms).await.id();
    taken(&admin, &p, batch, &[row(1), row(2), row(3), row(4)]).await;
    server.run("update school_1.admission set phone = '154' || substr(examinee_no, 7, 8)").await;
    let all = admin.post(&format!("{ADMISSION}/list"), json!({ "batchId": batch })).await.data()["list"].clone();
    let body = json!({ "items": items(all.as_array().expect("rows")), "siteId": p.site });
    assert_eq!(admin.post(&format!("{ADMISSION}/allocation"), body).await.data()["done"], json!(4));
    for (n, result) in [(1, "pass"), (2, "reject")] {
        let row = seen(&admin, batch, n).await;
        let body = json!({ "id": row["id"], "version": row["version"], "result": result, "remark": "材料审核" });
        admin.post(&format!("{ADMISSION}/audit"), body).await.id();
    }
    let rest = [seen(&admin, batch, 3).await, seen(&admin, batch, 4).await];
    let body = json!({ "items": items(&rest), "result": "pass" });
    assert_eq!(admin.post(&format!("{ADMISSION}/batchReview"), body).await.data()["done"], json!(2));
    server.wait_until("select not exists (select from school_1.event_outbox where status = 'pending')").await;
    let told: Vec<String> = server
        .one(
            "select array_agg(concat_ws('|', recipient_type, channel, address, rendered_content) order by address)
             from school_1.msg_delivery",
        )
        .await;
    assert_eq!(
        told,
        [
            "admission|sms|15400000001|张晓梅，您已被专升本会计学专业录取。",
            "admission|sms|15400000003|张晓梅，您已被专升本会计学专业录取。",
            "admission|sms|15400000004|张晓梅，您已被专升本会计学专业录取。",
        ]
    );
}

/// §6, scenario 7: three thousand by filter, of whom 59 do not pass.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_thousand_are_audited_by_a_job() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let p = cohort(&admin).await;
    let (batch, major) = open_batch(&server, &admin, &p, 9_999).await;
    kit::admission::granted(&admin, batch, p.site, major, 9_999).await;
    let rows: Vec<Vec<String>> = (0..3_000).map(row).collect();
    let maps = kit::admission::levels(&p).to_string();
    let sent =
        kit::admission::take(&admin, batch, &[("valueMaps", &maps)], "LQK.dbf", &kit::admission::dbf(&rows)).await;
    ended(&admin, &sent.data()["jobId"]).await;
    let all = json!({ "filter": { "batchId": batch, "status": "imported" }, "siteId": p.site });
    let job = admin.post(&format!("{ADMISSION}/allocation"), all).await.data()["jobId"].clone();
    assert_eq!(ended(&admin, &job).await["message"], json!("共3000条，成功3000条，失败0条"));
    server
        .run(
            "update school_1.admission set issues = array['id_checksum']
             where examinee_no in (select examinee_no from school_1.admission order by examinee_no limit 59)",
        )
        .await;
    let body = json!({ "filter": { "batchId": batch, "scope": "audit", "status": "assigned" }, "result": "pass" });
    let job = admin.post(&format!("{ADMISSION}/batchReview"), body).await.data()["jobId"].clone();
    let job = ended(&admin, &job).await;
    assert_eq!(job["message"], json!("共3000条，成功2941条，失败59条"), "{job}");
    assert_eq!(statuses(&admin, batch).await, of(&[("pending", 2_941)]));
}
