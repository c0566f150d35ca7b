//! Examinations on paper: one of everything, around the seats of [`super::exam_seats`].

use kit::{
    cohort::Cohort,
    exam_seats::{CANDIDATE, SETUP, batch, session},
    exams,
    questions::{bank, choices},
    rows::students,
};
use serde_json::{Value, json};

use super::{Life, MARK, Upload, exam_seats::Sitting, id};

/// People who sit beside the student: the numbers of the first and of the second.
const BESIDE: [&str; 2] = ["2600008001", "2600008002"];

/// A setup that is approved, with its candidates.
pub(super) async fn approved(life: &mut Life<'_>, sitting: &Sitting, student: i64) {
    beside(life, sitting, student).await;
    let paper = paper(life, sitting.course).await;
    let form = json!({ "batchId": sitting.batch, "courseId": sitting.course, "semesterId": sitting.semester,
        "name": format!("{MARK}期末考试"), "sessionId": sitting.session, "classIds": [sitting.class], "maxAbsence": 100.0,
        "papers": [{ "slot": "A", "paperId": paper }] });
    let made = id(&life.post(&format!("{SETUP}/save"), form.clone()).await);
    life.post(&format!("{SETUP}/list"), json!({})).await;
    let seen = life.get(&format!("{SETUP}/view?id={made}")).await;
    let mut edit = form;
    edit["id"] = json!(made);
    edit["version"] = seen["version"].clone();
    edit["remark"] = json!("携带计算器");
    life.put(&format!("{SETUP}/edit"), edit).await;
    life.post(&format!("{SETUP}/export"), json!({})).await;
    life.get(&format!("{SETUP}/clash?setupId={made}&sessionId={}", sitting.session)).await;
    candidates(life, made).await;
    step(life, "submit", made, json!({})).await;
    life.server.run(&format!("update school_1.exam_setup set submitted_by = 0 where id = {made}")).await;
    step(life, "audit", made, json!({ "pass": true })).await;
    drafts(life, sitting).await;
}

/// The rest of its way, when everybody has a seat.
pub(super) async fn ended(life: &mut Life<'_>, sitting: &Sitting) {
    let made: i64 = life
        .server
        .one(&format!("select id from school_1.exam_setup where session_id = {} and mode = 'offline'", sitting.session))
        .await;
    life.post(&format!("{SETUP}/print/paper"), json!({ "setupId": made, "slot": "A" })).await;
    step(life, "publish", made, json!({})).await;
    let version = version(life, made).await;
    life.put(&format!("{SETUP}/withdraw"), json!({ "id": made, "version": version })).await;
    step(life, "publish", made, json!({})).await;
    makeups(life, sitting).await;
    let version = self::version(life, made).await;
    let cancel = json!({ "id": made, "version": version, "reason": format!("{MARK}考点停电") });
    life.put(&format!("{SETUP}/cancel"), cancel).await;
}

async fn beside(life: &Life<'_>, sitting: &Sitting, student: i64) {
    let of = |column: &str| format!("select {column} from school_1.student where id = {student}");
    let p = Cohort {
        grade: life.server.one(&of("grade_id")).await,
        level: life.server.one(&of("level_id")).await,
        national: 0,
        major: life.server.one(&of("major_id")).await,
        site: life.server.one(&of("site_id")).await,
    };
    students(life.server, &p, p.site, Some(sitting.class), 8001, 2).await;
    life.server
        .run(&format!(
            "insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, c.opening_id, c.semester_id, c.course_id, y.class_id, 'admin', 'selected', now(), 0, 0
             from school_1.student y, school_1.course_selection c
             where y.student_no in ('{}', '{}') and c.student_id = {student} and c.course_id = {} and c.semester_id = {}
               and c.status = 'selected'",
            BESIDE[0], BESIDE[1], sitting.course, sitting.semester
        ))
        .await;
}

async fn paper(life: &Life<'_>, course: i64) -> i64 {
    let bank = bank(&life.client, course, "KSJK", "exam").await;
    let choices = choices(&life.client, bank, 1, None, "考试单选").await;
    exams::paper(life.server, &life.client, course, &choices, &[]).await
}

async fn version(life: &Life<'_>, setup: i64) -> Value {
    let version: i32 = life.server.one(&format!("select version from school_1.exam_setup where id = {setup}")).await;
    json!(version)
}

async fn step(life: &mut Life<'_>, name: &str, setup: i64, more: Value) {
    let mut body = json!({ "items": [{ "id": setup, "version": version(life, setup).await }] });
    for (field, value) in more.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    let told = life.put(&format!("{SETUP}/{name}"), body).await;
    assert_eq!(told["done"], json!(1), "{name}: {told}");
}

async fn candidates(life: &mut Life<'_>, setup: i64) {
    life.post(&format!("{CANDIDATE}/refresh"), json!({ "setupId": setup })).await;
    life.post(&format!("{CANDIDATE}/list"), json!({ "setupId": setup })).await;
    life.post(&format!("{CANDIDATE}/export"), json!({ "setupId": setup })).await;
    let of = |number: &str, column: &str| {
        format!(
            "select c.{column} from school_1.exam_candidate c join school_1.student y on y.id = c.student_id
             where c.setup_id = {setup} and y.student_no = '{number}'"
        )
    };
    let first: i64 = life.server.one(&of(BESIDE[0], "id")).await;
    let second: i64 = life.server.one(&of(BESIDE[1], "id")).await;
    let selection: i64 = life.server.one(&of(BESIDE[1], "selection_id")).await;
    life.put(&format!("{CANDIDATE}/extend"), json!({ "ids": [first], "minutes": 15, "reason": "视力残疾" })).await;
    let decide = json!({ "ids": [first], "eligible": true, "reason": "已补学" });
    life.put(&format!("{CANDIDATE}/override"), decide).await;
    let remove = json!({ "ids": [second], "reason": "重复报名" });
    assert_eq!(life.put(&format!("{CANDIDATE}/remove"), remove).await["done"], json!(1));
    let add = json!({ "setupId": setup, "selectionIds": [selection], "reason": "补报名" });
    life.post(&format!("{CANDIDATE}/add"), add).await;
    let second: i64 = life.server.one(&of(BESIDE[1], "id")).await;
    let again = json!({ "ids": [second], "reason": "重复报名" });
    assert_eq!(life.put(&format!("{CANDIDATE}/remove"), again).await["done"], json!(1));
    life.get(&format!("{CANDIDATE}/import/template")).await;
    let code: String = life
        .server
        .one(&format!(
            "select u.code from school_1.course u join school_1.exam_setup s on s.course_id = u.id where s.id = {setup}"
        ))
        .await;
    let upload = Upload {
        texts: vec![("setupId", setup.to_string())],
        ..Upload::sheet(&["学号", "姓名", "课程编码"], &[&[BESIDE[1], "学生8002", &code]])
    };
    assert_eq!(life.upload(&format!("{CANDIDATE}/import"), upload).await["errors"], json!([]));
}

/// Drafts of another batch, which are deleted again.
async fn drafts(life: &mut Life<'_>, sitting: &Sitting) {
    let other = batch(life.server, sitting.semester, "KW-2", "final").await;
    session(life.server, &life.client, other, ("14:00", "16:00")).await;
    let row = json!({ "courseId": sitting.course, "semesterId": sitting.semester, "classIds": [sitting.class] });
    let wanted = json!({ "batchId": other, "rows": [row] });
    let made = life.post(&format!("{SETUP}/saveBatch"), wanted.clone()).await;
    let placed = life.post(&format!("{SETUP}/autoSession"), json!({ "batchId": other, "preview": false })).await;
    assert_eq!(placed["unplaced"], json!([]), "{placed}");
    life.delete(&format!("{SETUP}/delete?id={}", made["ids"][0])).await;
    let again = life.client.post(&format!("{SETUP}/saveBatch"), wanted).await.data().clone();
    life.post(&format!("{SETUP}/batchDel"), json!({ "ids": again["ids"] })).await;
}

async fn makeups(life: &mut Life<'_>, sitting: &Sitting) {
    let round = batch(life.server, sitting.semester, "KW-3", "makeup").await;
    let selection: i64 = life
        .server
        .one(&format!(
            "insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, class_id, credits, nature,
                 total, mark, display_text, passed, status, published_at, created_by, updated_by)
             select c.id, c.student_id, c.course_id, c.semester_id, 1, c.class_id, 3, 'elective', 45, 'normal', '45', false, 'published',
                    now(), 0, 0
             from school_1.course_selection c join school_1.student y on y.id = c.student_id
             where y.student_no = '{}' and c.course_id = {}
             on conflict (selection_id) do update
             set total = 45, mark = 'normal', display_text = '45', passed = false, status = 'published', published_at = now()
             returning selection_id",
            BESIDE[0], sitting.course
        ))
        .await;
    life.post(&format!("{SETUP}/makeup/candidates"), json!({ "batchId": round })).await;
    life.post(&format!("{SETUP}/makeup/export"), json!({ "batchId": round })).await;
    let row = json!({ "courseId": sitting.course, "semesterId": sitting.semester, "selectionIds": [selection] });
    let made =
        life.post(&format!("{SETUP}/makeup"), json!({ "batchId": round, "mode": "offline", "rows": [row] })).await;
    assert_eq!(made["rows"][0]["added"], json!(1), "{made}");
}
