//! Examinations of the school: batches, one of each on the net, its candidates, deferrals, violations, who marks.

use chrono::Duration;
use kit::{
    exams::{BATCH, CANDIDATE, ONLINE, exam, item, paper},
    homework::{short_answers, with},
    questions::{bank, choices},
};
use serde_json::{Value, json};

use super::{Life, MARK, id, online_exams::Place};

const DEFERRAL: &str = "/exam/pc/deferral";
const VIOLATION: &str = "/exam/pc/violation";
const MARKER: &str = "/offline/pc/offline/marker";

/// Answers what can be deleted at the end. The student is in a course that is taught.
pub(super) async fn live(life: &mut Life<'_>, student: i64) -> Vec<(&'static str, i64)> {
    let of = |column: &str| {
        format!(
            "select {column} from school_1.course_selection c
             join school_1.course_opening o on o.id = c.opening_id and o.status = 'opened'
             join school_1.student y on y.id = c.student_id and y.class_id is not null
             where c.student_id = {student} and c.status = 'selected' order by c.id limit 1"
        )
    };
    let semester: i64 = life.server.one(&of("c.semester_id")).await;
    let course: i64 = life.server.one(&of("c.course_id")).await;
    let class: i64 = life.server.one(&of("y.class_id")).await;
    let gone = batch(life, semester, "SWGONE").await;
    batches(life, semester).await;
    let batch = batch(life, semester, "SWBATCH").await;
    turned(life, batch, "update/status", json!({ "status": "active" })).await;
    let bank = bank(&life.client, course, "KSTK", "exam").await;
    let choices = choices(&life.client, bank, 1, None, "考试单选").await;
    let words = short_answers(&life.client, bank, 1).await;
    let paper = paper(life.server, &life.client, course, &choices, &words).await;
    // Far enough ahead for whoever asks to sit later.
    let begins = life.server.app.clock().now() + Duration::hours(2);
    let form = with(
        exam(life.server, (batch, course, semester), paper, class, 60),
        json!({ "name": format!("{MARK}线上考试"), "startsAt": begins, "endsAt": begins + Duration::minutes(70) }),
    );
    let setup = set(life, form).await;
    let candidate = candidates(life, setup, student).await;
    deferral(life, batch, course, student).await;
    violation(life, candidate).await;
    markers(life, setup).await;
    super::online_exams::live(life, &Place { semester, course, class, paper }, student).await;
    vec![(BATCH, gone)]
}

async fn batch(life: &mut Life<'_>, semester: i64, code: &str) -> i64 {
    let (today, now) = (life.server.app.clock().today(), life.server.app.clock().now());
    let form = json!({ "code": code, "name": format!("{MARK}批次{code}"), "semesterId": semester, "kind": "final", "mode": "mixed",
        "examStartsOn": today - Duration::days(1), "examEndsOn": today + Duration::days(30),
        "scoreEntryStartsAt": now - Duration::days(1), "scoreEntryEndsAt": now + Duration::days(40) });
    let made = id(&life.post(&format!("{BATCH}/save"), form.clone()).await);
    let seen = life.get(&format!("{BATCH}/view?id={made}")).await;
    let edit = with(form, json!({ "id": made, "version": seen["version"], "notice": format!("{MARK}须知") }));
    life.put(&format!("{BATCH}/edit"), edit).await;
    life.post(&format!("{BATCH}/list"), json!({})).await;
    life.post(&format!("{BATCH}/export"), json!({})).await;
    made
}

/// One that goes to its end, and two that never began.
async fn batches(life: &mut Life<'_>, semester: i64) {
    let one = batch(life, semester, "SWONE").await;
    life.delete(&format!("{BATCH}/delete?id={one}")).await;
    let two = batch(life, semester, "SWTWO").await;
    life.post(&format!("{BATCH}/batchDel"), json!({ "ids": [two] })).await;
    let over = batch(life, semester, "SWOVER").await;
    turned(life, over, "update/status", json!({ "status": "active" })).await;
    turned(life, over, "close", json!({})).await;
    turned(life, over, "reopen", json!({ "reason": format!("{MARK}补充一门考试") })).await;
    turned(life, over, "close", json!({})).await;
    life.server
        .run(&format!("update school_1.test_batch set closed_at = now() - interval '2 days' where id = {over}"))
        .await;
    turned(life, over, "archive", json!({})).await;
}

async fn turned(life: &mut Life<'_>, batch: i64, name: &str, more: Value) {
    let seen = life.get(&format!("{BATCH}/view?id={batch}")).await;
    life.put(&format!("{BATCH}/{name}"), with(json!({ "id": batch, "version": seen["version"] }), more)).await;
}

/// An examination on the net, set, changed and published.
async fn set(life: &mut Life<'_>, form: Value) -> i64 {
    let made = id(&life.post(&format!("{ONLINE}/save"), form.clone()).await);
    let edit = with(with(form, item(&life.client, made).await), json!({ "remark": format!("{MARK}备注") }));
    life.put(&format!("{ONLINE}/edit"), edit).await;
    life.post(&format!("{ONLINE}/list"), json!({})).await;
    life.post(&format!("{ONLINE}/export"), json!({})).await;
    life.get(&format!("{ONLINE}/view?id={made}")).await;
    life.post(&format!("{CANDIDATE}/refresh"), json!({ "setupId": made })).await;
    let items = json!({ "items": [item(&life.client, made).await] });
    assert_eq!(life.put(&format!("{ONLINE}/publish"), items).await["done"], json!(1));
    made
}

async fn candidates(life: &mut Life<'_>, setup: i64, student: i64) -> i64 {
    life.post(&format!("{CANDIDATE}/list"), json!({ "setupId": setup })).await;
    life.post(&format!("{CANDIDATE}/export"), json!({ "setupId": setup })).await;
    let candidate: i64 = life
        .server
        .one(&format!("select id from school_1.exam_candidate where setup_id = {setup} and student_id = {student}"))
        .await;
    let more = json!({ "ids": [candidate], "minutes": 10, "reason": format!("{MARK}网络中断") });
    life.put(&format!("{CANDIDATE}/extend"), more).await;
    candidate
}

async fn deferral(life: &mut Life<'_>, batch: i64, course: i64, student: i64) {
    let form = json!({ "batchId": batch, "courseId": course, "studentId": student, "reasonType": "illness",
        "reason": format!("{MARK}住院治疗"), "fileIds": [] });
    let made = id(&life.post(&format!("{DEFERRAL}/save"), form.clone()).await);
    life.post(&format!("{DEFERRAL}/list"), json!({})).await;
    life.post(&format!("{DEFERRAL}/export"), json!({})).await;
    let seen = life.get(&format!("{DEFERRAL}/view?id={made}")).await;
    let no = json!({ "id": made, "version": seen["version"], "pass": false, "opinion": format!("{MARK}材料不全"), "fileIds": [] });
    life.put(&format!("{DEFERRAL}/audit"), no).await;
    let again = life.client.post(&format!("{DEFERRAL}/save"), form).await.id();
    let back = json!({ "id": again, "version": 1, "reason": format!("{MARK}本人要求参加考试") });
    life.put(&format!("{DEFERRAL}/revoke"), back).await;
}

async fn violation(life: &mut Life<'_>, candidate: i64) {
    let form = json!({ "candidateId": candidate, "level": "violation", "clause": "W1", "description": format!("{MARK}携带手机"),
        "source": "invigilator", "fileIds": [] });
    let made = id(&life.post(&format!("{VIOLATION}/save"), form).await);
    life.post(&format!("{VIOLATION}/list"), json!({})).await;
    life.post(&format!("{VIOLATION}/export"), json!({})).await;
    // Nobody decides what they reported.
    life.server.run(&format!("update school_1.exam_violation set reported_by = 0 where id = {made}")).await;
    let seen = life.get(&format!("{VIOLATION}/view?id={made}")).await;
    let yes = json!({ "id": made, "version": seen["version"], "pass": true, "decision": format!("{MARK}证据确凿"), "penalty": "score_void" });
    life.put(&format!("{VIOLATION}/audit"), yes).await;
    let seen = life.get(&format!("{VIOLATION}/view?id={made}")).await;
    let back = json!({ "id": made, "version": seen["version"], "reason": format!("{MARK}申诉成立") });
    life.put(&format!("{VIOLATION}/revoke"), back).await;
}

async fn markers(life: &mut Life<'_>, setup: i64) {
    let teachers: (i64, i64) = (
        life.server.one("select min(id) from school_1.teacher").await,
        life.server.one("select max(id) from school_1.teacher").await,
    );
    let markers: Vec<Value> = [teachers.0, teachers.1].iter().map(|teacher| json!({ "teacherId": teacher })).collect();
    life.post(&format!("{MARKER}/assign"), json!({ "setupId": setup, "markers": markers })).await;
    life.post(&format!("{MARKER}/remind"), json!({ "setupIds": [setup] })).await;
    life.get(&format!("{MARKER}/view?setupId={setup}")).await;
    life.post(&format!("{MARKER}/list"), json!({})).await;
    life.post(&format!("{MARKER}/export"), json!({})).await;
    let last = format!("select max(id) from school_1.exam_marker where setup_id = {setup}");
    let marker: i64 = life.server.one(&last).await;
    life.delete(&format!("{MARKER}/delete?id={marker}")).await;
    life.post(&format!("{MARKER}/auto"), json!({ "setupIds": [setup] })).await;
    life.post("/exam/pc/online/attempt/list", json!({ "setupId": setup })).await;
    life.post("/exam/pc/online/mark/list", json!({ "batchId": null })).await;
}
