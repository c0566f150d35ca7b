//! Scores of the school: one of everything. The student is in a course of its own, so that nothing else ends with its score.

use kit::{
    files::paper,
    plans,
    scores::{ACHIEVEMENT, COMPONENT, CORRECTION, RULE, SHEET, batch},
};
use serde_json::{Value, json};

use super::{Life, id};

const OFFLINE: &str = "/adult/pc/score/offline";

pub(super) async fn live(life: &mut Life<'_>, student: i64) {
    let course = plans::course(&life.client, "CJ1", 3.0, 54, 36).await;
    let of =
        format!("select semester_id from school_1.course_selection where student_id = {student} order by id limit 1");
    let semester: i64 = life.server.one(&of).await;
    taught(life, semester, course, student).await;
    let round = batch(life.server, semester, "CJ-P1").await;
    rules(life, semester, course, student).await;
    let made = life.post(&format!("{SHEET}/generate"), json!({ "batchId": round, "courseIds": [course] })).await;
    assert_eq!(made["rows"], json!(1), "{made}");
    let sheet: i64 = life.server.one(&format!("select id from school_1.score_sheet where batch_id = {round}")).await;
    let score = parts(life, semester, student).await;
    sheets(life, sheet, student).await;
    corrected(life, score).await;
    read(life, semester, student, score).await;
    past(life, student).await;
}

/// An opened course of which the student is on the roster.
async fn taught(life: &Life<'_>, semester: i64, course: i64, student: i64) {
    life.server
        .run(&format!(
            "with made as (
                 insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                     online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                     created_by, updated_by)
                 select {semester}, 'extra', u.id, u.type_id, 'elective', 3, u.hours, u.lecture_hours, u.online_hours, u.practice_hours,
                        u.self_study_hours, 'check', u.assess_mode, 'offline', 'opened', now(), 0, 0
                 from school_1.course u where u.id = {course} returning id)
             insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, m.id, {semester}, {course}, y.class_id, 'admin', 'selected', now(), 0, 0
             from made m, school_1.student y where y.id = {student}"
        ))
        .await;
}

async fn rules(life: &mut Life<'_>, semester: i64, course: i64, student: i64) {
    let params = json!({ "perQuestion": 8, "perAnswer": 4, "cap": 100 });
    let form = json!({ "kind": "questions", "courseId": course, "params": params, "enabled": true });
    let made = id(&life.post(&format!("{RULE}/save"), form).await);
    life.post(&format!("{RULE}/list"), json!({ "kind": "questions" })).await;
    let seen = life.get(&format!("{RULE}/view?id={made}")).await;
    let edit = json!({ "id": made, "version": seen["version"], "kind": "questions", "courseId": course,
        "params": { "perQuestion": 10, "perAnswer": 5, "cap": 100 }, "enabled": true });
    life.put(&format!("{RULE}/edit"), edit).await;
    life.put(&format!("{RULE}/update/status"), json!({ "id": made, "enabled": false })).await;
    life.get(&format!("{RULE}/resolve?kind=total&studentId={student}&courseId={course}")).await;
    life.get(&format!("{RULE}/coverage?semesterId={semester}")).await;
    life.post(&format!("{RULE}/preview"), json!({ "kind": "questions", "values": { "asked": 6, "answered": 5 } }))
        .await;
    life.delete(&format!("{RULE}/delete?id={made}")).await;
}

/// Answers the score of the student.
async fn parts(life: &mut Life<'_>, semester: i64, student: i64) -> i64 {
    let recompute = json!({ "kind": "attendance", "semesterId": semester, "studentIds": [student] });
    let job = life.post(&format!("{COMPONENT}/recompute"), recompute).await["jobId"].clone();
    kit::jobs::ended(&life.client, &job).await;
    let of = "join school_1.course u on u.id = s.course_id and u.code = 'CJ1'";
    let score: i64 = life.server.one(&format!("select s.id from school_1.course_score s {of}")).await;
    let edit = json!({ "courseScoreId": score, "kind": "attendance", "value": 90.0, "reason": "纸质考勤" });
    let part = id(&life.put(&format!("{COMPONENT}/edit"), edit).await);
    life.delete(&format!("{COMPONENT}/delete?id={part}")).await;
    life.get(&format!("{COMPONENT}/import/template")).await;
    let who: (String, String) = (
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await,
        life.server.one(&format!("select name from school_1.student where id = {student}")).await,
    );
    let code: String = life.server.one(&format!("select code from school_1.semester where id = {semester}")).await;
    let headings = ["学号", "姓名", "课程编码", "学期编码", "成绩"];
    life.import(&format!("{COMPONENT}/import"), &headings, &[&[&who.0, &who.1, "CJ1", &code, "95"]]).await;
    life.post(&format!("{COMPONENT}/list"), json!({})).await;
    life.post(&format!("{COMPONENT}/export"), json!({})).await;
    score
}

async fn step(life: &mut Life<'_>, name: &str, sheet: i64, more: Value) {
    let seen = life.get(&format!("{SHEET}/view?id={sheet}")).await;
    let mut body = json!({ "items": [{ "id": sheet, "version": seen["version"] }] });
    for (field, value) in more.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    let told = life.put(&format!("{SHEET}/{name}"), body).await;
    assert_eq!(told["done"], json!(1), "{name}: {told}");
}

/// Another person did what was done last: nobody reviews what is their own.
async fn by_another(life: &Life<'_>, sheet: i64) {
    let of = format!(
        "update school_1.score_sheet set submitted_by = 0, first_reviewed_by = case when first_reviewed_by is not null then 0 end
         where id = {sheet}"
    );
    life.server.run(&of).await;
}

async fn sheets(life: &mut Life<'_>, sheet: i64, student: i64) {
    life.post(&format!("{SHEET}/list"), json!({})).await;
    life.post(&format!("{SHEET}/export"), json!({})).await;
    life.post(&format!("{SHEET}/progress"), json!({ "by": "site" })).await;
    let teacher: i64 = life.server.one("select min(id) from school_1.teacher").await;
    life.put(&format!("{SHEET}/assign"), json!({ "ids": [sheet], "teacherId": teacher })).await;
    let later = life.server.app.clock().now() + chrono::Duration::days(3);
    life.put(&format!("{SHEET}/extendEntry"), json!({ "ids": [sheet], "until": later, "reason": "教师出差" })).await;
    life.post(&format!("{SHEET}/remind"), json!({ "ids": [sheet] })).await;
    let row = life.get(&format!("{SHEET}/rows?sheetId={sheet}")).await["list"][0].clone();
    let typed = json!({ "rows": [{ "rowId": row["id"], "raw": 58.0, "version": row["version"] }] });
    assert_eq!(life.put(&format!("{SHEET}/enter"), typed).await["done"], json!(1));
    let who: (String, String) = (
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await,
        life.server.one(&format!("select name from school_1.student where id = {student}")).await,
    );
    let headings = ["登记表号", "课程编码", "学号", "姓名", "卷面成绩"];
    let no: String = life.server.one(&format!("select sheet_no from school_1.score_sheet where id = {sheet}")).await;
    for entity in [SHEET, OFFLINE] {
        life.get(&format!("{entity}/import/template")).await;
        life.import(&format!("{entity}/import"), &headings, &[&[&no, "CJ1", &who.0, &who.1, "59"]]).await;
    }
    life.post(&format!("{OFFLINE}/list"), json!({})).await;
    life.post(&format!("{OFFLINE}/export"), json!({})).await;
    life.post(&format!("{COMPONENT}/exam/list"), json!({})).await;
    life.post(&format!("{COMPONENT}/exam/export"), json!({})).await;
    life.get(&format!("{SHEET}/stat?sheetId={sheet}")).await;
    life.post(&format!("{SHEET}/print/registry"), json!({ "ids": [sheet] })).await;
    let signed = json!({ "id": sheet, "fileKeys": [paper(&life.client, "签字登记表.pdf").await],
        "version": life.get(&format!("{SHEET}/view?id={sheet}")).await["version"] });
    life.put(&format!("{SHEET}/scan"), signed).await;
    step(life, "submit", sheet, json!({})).await;
    by_another(life, sheet).await;
    step(life, "reject", sheet, json!({ "reason": "核对卷面" })).await;
    step(life, "submit", sheet, json!({})).await;
    by_another(life, sheet).await;
    step(life, "review", sheet, json!({})).await;
    by_another(life, sheet).await;
    step(life, "audit", sheet, json!({})).await;
    step(life, "publish", sheet, json!({})).await;
    step(life, "unpublish", sheet, json!({ "reason": "核对总评" })).await;
    step(life, "publish", sheet, json!({})).await;
    step(life, "lock", sheet, json!({})).await;
    let empty: i64 = life
        .server
        .one(&format!(
            "insert into school_1.score_sheet (sheet_no, batch_id, course_id, semester_id, class_id, round, source, created_by, updated_by)
             select sheet_no || '9', batch_id, course_id, semester_id, class_id, 'makeup', source, 0, 0
             from school_1.score_sheet where id = {sheet} returning id"
        ))
        .await;
    life.delete(&format!("{SHEET}/delete?id={empty}")).await;
}

async fn corrected(life: &mut Life<'_>, score: i64) {
    let form = json!({ "courseScoreId": score, "target": "exam", "newValue": 62.0, "reasonType": "marking_error",
        "reason": "合分错误", "fileKeys": [paper(&life.client, "复核.pdf").await] });
    let made = id(&life.post(&format!("{CORRECTION}/save"), form).await);
    life.post(&format!("{CORRECTION}/list"), json!({})).await;
    let seen = life.get(&format!("{CORRECTION}/view?id={made}")).await;
    life.server.run(&format!("update school_1.score_correction set applied_by = 0 where id = {made}")).await;
    life.put(&format!("{CORRECTION}/audit"), json!({ "id": made, "pass": true, "version": seen["version"] })).await;
}

async fn read(life: &mut Life<'_>, semester: i64, student: i64, score: i64) {
    for dimension in ["student", "score"] {
        life.post(&format!("{ACHIEVEMENT}/list"), json!({ "dimension": dimension })).await;
    }
    life.post(&format!("{ACHIEVEMENT}/export"), json!({})).await;
    life.post(&format!("{ACHIEVEMENT}/site/export"), json!({ "semesterId": semester })).await;
    life.get(&format!("{ACHIEVEMENT}/view?studentId={student}")).await;
    life.get(&format!("{ACHIEVEMENT}/explain?courseScoreId={score}")).await;
    life.post(&format!("{ACHIEVEMENT}/stat"), json!({ "semesterId": semester, "dimension": "course" })).await;
    life.post(&format!("{ACHIEVEMENT}/print/transcript"), json!({ "studentIds": [student] })).await;
}

/// A course of a time before the school opened its first one.
async fn past(life: &mut Life<'_>, student: i64) {
    life.server
        .run(
            "insert into school_1.semester (code, name, year, season, starts_on, ends_on, created_by, updated_by)
             values ('1999-1', '1999年春', 1999, 'spring', '1999-03-01', '1999-07-10', 0, 0)",
        )
        .await;
    life.get(&format!("{ACHIEVEMENT}/import/template")).await;
    let who: (String, String) = (
        life.server.one(&format!("select student_no from school_1.student where id = {student}")).await,
        life.server.one(&format!("select name from school_1.student where id = {student}")).await,
    );
    let headings = ["学号", "姓名", "课程编码", "学期编码", "学分", "性质", "总评"];
    let row: [&str; 7] = [&who.0, &who.1, "CJ1", "1999-1", "3", "任选", "71"];
    life.import(&format!("{ACHIEVEMENT}/import"), &headings, &[&row]).await;
}
