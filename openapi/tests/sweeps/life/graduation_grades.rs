//! Practical work and scores of theses: one of everything. The student is in a course of each kind of its own.

use kit::{files::paper, lessons::with, plans};
use serde_json::{Value, json};

use super::{Life, MARK, Upload};

const PRACTICE: &str = "/adult/pc/practice";
const GRADE: &str = "/adult/pc/graduation/score";

pub(super) async fn live(life: &mut Life<'_>, student: i64) {
    let of =
        format!("select semester_id from school_1.course_selection where student_id = {student} order by id limit 1");
    let semester: i64 = life.server.one(&of).await;
    let practice = taught(life, (semester, student), "BYK1", "internship").await;
    internships(life, practice, student).await;
    let waived = taught(life, (semester, student), "BYK2", "internship").await;
    let waive = json!({ "id": waived, "version": 0, "reason": format!("{MARK}在职人员"),
        "fileKey": paper(&life.client, "在职证明.pdf").await });
    life.put(&format!("{PRACTICE}/waive"), waive).await;
    let selection = taught(life, (semester, student), "BYK3", "thesis").await;
    life.server
        .run(&format!(
            "insert into school_1.thesis (plan_id, selection_id, student_id, title, stage, stage_status, created_by, updated_by)
             select min(p.id), {selection}, {student}, '{MARK}论文研究', 'defense', 'passed', 0, 0 from school_1.thesis_plan p"
        ))
        .await;
    grades(life, selection, student).await;
}

/// A course of a kind with the student on its roster: their selection.
async fn taught(life: &Life<'_>, (semester, student): (i64, i64), code: &str, kind: &str) -> i64 {
    let course = plans::course(&life.client, code, 6.0, 54, 36).await;
    life.server
        .one(&format!(
            "with changed as (update school_1.course set kind = '{kind}' where id = {course} returning id),
             made as (
                 insert into school_1.course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours,
                     online_hours, practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, opened_at,
                     created_by, updated_by)
                 select {semester}, 'extra', u.id, u.type_id, 'elective', 6, u.hours, u.lecture_hours, u.online_hours, u.practice_hours,
                        u.self_study_hours, 'check', u.assess_mode, 'offline', 'opened', now(), 0, 0
                 from school_1.course u where u.id = {course} returning id)
             insert into school_1.course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status,
                 selected_at, created_by, updated_by)
             select y.id, m.id, {semester}, {course}, y.class_id, 'admin', 'selected', now(), 0, 0
             from made m, school_1.student y where y.id = {student} returning id"
        ))
        .await
}

async fn who(life: &Life<'_>, student: i64) -> (String, String) {
    let of = |column: &str| format!("select {column} from school_1.student where id = {student}");
    (life.server.one(&of("student_no")).await, life.server.one(&of("name")).await)
}

async fn step(life: &mut Life<'_>, entity: &str, name: &str, selection: i64, more: Value) {
    let version = life.get(&format!("{entity}/view?id={selection}")).await["version"].clone();
    let body = with(json!({ "items": [{ "id": selection, "version": version }] }), more);
    let told = life.put(&format!("{entity}/{name}"), body).await;
    assert_eq!(told["done"], json!(1), "{name}: {told}");
}

async fn internships(life: &mut Life<'_>, selection: i64, student: i64) {
    let edit = json!({ "id": selection, "version": 0, "unit": format!("{MARK}电子公司"), "unitScore": 80.0, "teacherScore": 90.0 });
    life.put(&format!("{PRACTICE}/edit"), edit).await;
    life.post(&format!("{PRACTICE}/list"), json!({})).await;
    life.post(&format!("{PRACTICE}/export"), json!({})).await;
    life.get(&format!("{PRACTICE}/import/template")).await;
    let (number, name) = who(life, student).await;
    let headings = ["学号", "姓名", "单位评分", "教师评分"];
    life.import(&format!("{PRACTICE}/import"), &headings, &[&[&number, &name, "82", "91"]]).await;
    step(life, PRACTICE, "submit", selection, json!({})).await;
    step(life, PRACTICE, "reject", selection, json!({ "reason": "请补交鉴定" })).await;
    step(life, PRACTICE, "submit", selection, json!({})).await;
    // Nobody audits what they scored.
    life.server
        .run(&format!("update school_1.internship set given_by = '{{}}' where selection_id = {selection}"))
        .await;
    step(life, PRACTICE, "audit", selection, json!({})).await;
}

async fn grades(life: &mut Life<'_>, selection: i64, student: i64) {
    for part in ["Thesis", "Review", "Defense"] {
        let version = life.get(&format!("{GRADE}/view?id={selection}")).await["version"].clone();
        let entry = json!({ "id": selection, "version": version, "score": 80.0, "comment": format!("{MARK}评语") });
        life.put(&format!("{GRADE}/edit{part}"), entry).await;
    }
    life.post(&format!("{GRADE}/list"), json!({})).await;
    life.post(&format!("{GRADE}/export"), json!({})).await;
    life.get(&format!("{GRADE}/import/template?part=review")).await;
    let (number, name) = who(life, student).await;
    let upload = Upload {
        texts: vec![("part", "review".to_owned())],
        ..Upload::sheet(&["学号", "姓名", "成绩"], &[&[&number, &name, "82"]])
    };
    assert_eq!(life.upload(&format!("{GRADE}/import"), upload).await["errors"], json!([]));
    life.post(&format!("{GRADE}/compute"), json!({ "ids": [selection] })).await;
    let by_another = format!(
        "update school_1.graduation_score set submitted_by = 0, given_by = '{{}}' where selection_id = {selection}"
    );
    step(life, GRADE, "submit", selection, json!({})).await;
    step(life, GRADE, "reject", selection, json!({ "reason": "核对评阅表" })).await;
    step(life, GRADE, "submit", selection, json!({})).await;
    life.server.run(&by_another).await;
    step(life, GRADE, "review", selection, json!({})).await;
    step(life, GRADE, "publish", selection, json!({ "confirmExcellent": true })).await;
    step(life, GRADE, "lock", selection, json!({})).await;
    life.post(&format!("{GRADE}/print/grade"), json!({ "ids": [selection] })).await;
}
