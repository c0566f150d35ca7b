//! Homework of the school and its marking: one of everything. Sheets are the students' own, so that they stand here as rows.

use chrono::Duration;
use kit::{
    homework::{MARKING, TASKS, approved, short_answers, task, task_item, with},
    questions::{bank, choices},
};
use serde_json::{Value, json};

use super::{Life, MARK, id};

const STUDENT: &str = "/exam/pc/tasks/student";
const COURSE: &str = "/exam/pc/tasks/course";

/// Answers what can be deleted at the end. The student is in a course that is taught.
pub(super) async fn live(life: &mut Life<'_>, student: i64) -> Vec<(&'static str, i64)> {
    let of = |column: &str| {
        format!(
            "select {column} from school_1.course_selection c
             join school_1.course_opening o on o.id = c.opening_id and o.status = 'opened'
             where c.student_id = {student} and c.status = 'selected' order by c.id limit 1"
        )
    };
    let place: (i64, i64, i64) = (
        life.server.one(&of("c.semester_id")).await,
        life.server.one(&of("c.course_id")).await,
        life.server.one(&of("c.opening_id")).await,
    );
    let bank = bank(&life.client, place.1, "ZYTK", "homework").await;
    let choices = choices(&life.client, bank, 1, None, "作业单选").await;
    let words = short_answers(&life.client, bank, 1).await;
    let paper = approved(&life.client, place.1, &choices, &words).await;
    let named = |title: &str| json!({ "title": format!("{MARK}{title}") });
    let own = with(task(life.server, place, paper, 600), named("第一次作业"));
    let homework = set(life, own).await;
    given(life, homework, student).await;
    marked(life, homework).await;
    alike(life, homework).await;
    let copied = ended(life, homework, place.0).await;
    let other = with(task(life.server, place, paper, 600), named("第二次作业"));
    let other = id(&life.post(&format!("{TASKS}/save"), other).await);
    step(life, "publish", other).await;
    let wanted =
        json!({ "homeworkStudentIds": [row(life, other, student).await], "reason": format!("{MARK}已有成绩") });
    assert_eq!(life.put(&format!("{TASKS}/exempt"), wanted).await["done"], json!(1));
    life.post(&format!("{TASKS}/batchDownload"), json!({ "id": other })).await;
    vec![(TASKS, copied), (TASKS, batch(life, place).await)]
}

/// A homework, set and changed.
async fn set(life: &mut Life<'_>, form: Value) -> i64 {
    let made = id(&life.post(&format!("{TASKS}/save"), form.clone()).await);
    let seen = life.get(&format!("{TASKS}/view?id={made}")).await;
    let edit = with(form, json!({ "id": made, "version": seen["version"], "weight": 2.0 }));
    life.put(&format!("{TASKS}/edit"), edit).await;
    life.post(&format!("{TASKS}/list"), json!({})).await;
    life.post(&format!("{TASKS}/export"), json!({})).await;
    life.post(&format!("{COURSE}/list"), json!({})).await;
    life.post(&format!("{COURSE}/export"), json!({})).await;
    step(life, "publish", made).await;
    life.get("/adult/pc/options/homework").await;
    made
}

async fn step(life: &mut Life<'_>, name: &str, homework: i64) {
    let items = json!({ "items": [task_item(&life.client, homework).await] });
    let told = life.put(&format!("{TASKS}/{name}"), items).await;
    assert_eq!(told["done"], json!(1), "{name}: {told}");
}

/// The row of a student.
async fn row(life: &Life<'_>, homework: i64, student: i64) -> i64 {
    life.server
        .one(&format!(
            "select s.id from school_1.homework_student s join school_1.course_selection c on c.id = s.selection_id
             where s.homework_id = {homework} and c.student_id = {student}"
        ))
        .await
}

/// What staff do while students work; the student hands in.
async fn given(life: &mut Life<'_>, homework: i64, student: i64) {
    let later = life.server.app.clock().now() + Duration::days(2);
    life.put(&format!("{TASKS}/extend"), json!({ "id": homework, "endsAt": later })).await;
    let own = row(life, homework, student).await;
    let more = json!({ "homeworkStudentId": own, "extendedUntil": later + Duration::days(1), "extraAttempts": 2 });
    life.put(&format!("{TASKS}/extend"), json!({ "id": homework, "students": [more] })).await;
    life.post(&format!("{TASKS}/remind"), json!({ "id": homework })).await;
    handed_in(life, own, 1).await;
    life.post(&format!("{STUDENT}/list"), json!({ "homeworkId": homework })).await;
    life.post(&format!("{STUDENT}/export"), json!({ "homeworkId": homework })).await;
    life.get(&format!("/exam/pc/tasks/weight/check?id={homework}&weight=2.0")).await;
    let seen = life.get(&format!("{STUDENT}/view?homeworkStudentId={own}")).await;
    assert_eq!(seen["sheets"].as_array().map(Vec::len), Some(1), "{seen}");
    life.get(&format!("{STUDENT}/why?homeworkStudentId={own}")).await;
}

/// A sheet whose choice the machine marked and whose words wait for a marker.
async fn handed_in(life: &Life<'_>, row: i64, attempt: i64) {
    life.server
        .run(&format!(
            "with sheet as (
                 insert into school_1.answer_sheet (homework_student_id, attempt_no, snapshot_id, started_at, deadline_at,
                     submitted_at, submit_kind, objective_score, mark_state, created_by, updated_by)
                 select id, {attempt}, snapshot_id, now() - interval '1 hour', now() + interval '1 hour', now(), 'student', 2,
                        'submitted', 0, 0
                 from school_1.homework_student where id = {row} returning id, snapshot_id)
             insert into school_1.answer_item (sheet_id, snapshot_question_id, seq, answer, auto_score, score, mark_state)
             select s.id, q.id, q.seq,
                    case when q.type = 'short_answer' then '{{\"html\": \"<p>{MARK}价值尺度</p>\"}}' else '{{\"letters\": [\"A\"]}}' end::jsonb,
                    case when q.type <> 'short_answer' then 2 end, case when q.type <> 'short_answer' then 2 end,
                    case when q.type = 'short_answer' then 'pending' else 'auto' end
             from sheet s join school_1.snapshot_question q on q.snapshot_id = s.snapshot_id"
        ))
        .await;
    life.server
        .run(&format!(
            "update school_1.homework_student set state = 'submitted', attempts_used = {attempt}, submitted_at = now() where id = {row}"
        ))
        .await;
}

/// The newest sheet.
async fn newest(life: &Life<'_>) -> i64 {
    life.server.one("select max(id) from school_1.answer_sheet").await
}

async fn marked(life: &mut Life<'_>, homework: i64) {
    let sheet = newest(life).await;
    let teacher: i64 = life.server.one("select id from school_1.teacher where work_no = 'T9'").await;
    let assign = json!({ "homeworkId": homework, "mode": "average", "markers": [{ "teacherId": teacher }] });
    assert_eq!(life.put(&format!("{MARKING}/assign"), assign).await["done"], json!(1));
    let remind = json!({ "homeworkId": homework, "teacherIds": [teacher] });
    assert_eq!(life.post(&format!("{MARKING}/remind"), remind).await["told"], json!(1));
    life.post(&format!("{MARKING}/progress/list"), json!({})).await;
    life.post(&format!("{MARKING}/list"), json!({ "tab": "pending" })).await;
    life.post(&format!("{MARKING}/export"), json!({})).await;
    life.get(&format!("{MARKING}/view?sheetId={sheet}")).await;
    for name in ["save", "submit"] {
        let paper = life.get(&format!("{MARKING}/open?sheetId={sheet}")).await;
        let words = paper["items"].as_array().expect("items").iter().find(|item| item["type"] == json!("short_answer"));
        let words = words.expect("a short answer");
        let mark = json!({ "itemId": words["itemId"], "score": 4.5, "comment": format!("{MARK}要点完整") });
        let marks = json!({ "sheetId": sheet, "version": paper["version"], "items": [mark] });
        life.put(&format!("{MARKING}/{name}"), marks).await;
        if name == "save" {
            life.put(&format!("{MARKING}/release"), json!({ "sheetId": sheet })).await;
        }
    }
    let question: i64 = life
        .server
        .one(&format!(
            "select snapshot_question_id from school_1.answer_item where sheet_id = {sheet} and mark_state = 'auto'"
        ))
        .await;
    let correction = json!({ "snapshotQuestionId": question, "answer": { "letters": ["B"] }, "reason": format!("{MARK}答案有误"),
        "dryRun": false });
    let told = life.post(&format!("{MARKING}/rejudge"), correction).await;
    assert_eq!(told["done"], json!(1), "{told}");
    let until = life.server.app.clock().now() + Duration::days(1);
    let back = json!({ "sheetIds": [sheet], "reason": format!("{MARK}请补充"), "redoUntil": until });
    assert_eq!(life.put(&format!("{MARKING}/return"), back).await["done"], json!(1));
}

/// Two sheets that are alike.
async fn alike(life: &mut Life<'_>, homework: i64) {
    let first = newest(life).await;
    let row: i64 =
        life.server.one(&format!("select homework_student_id from school_1.answer_sheet where id = {first}")).await;
    handed_in(life, row, 2).await;
    let second = newest(life).await;
    let pair: i64 = life
        .server
        .one(&format!(
            "insert into school_1.answer_similarity (sheet_a, sheet_b, seq_a, seq_b, percent, created_by, updated_by)
             values ({first}, {second}, '2', '2', 87.5, 0, 0) returning id"
        ))
        .await;
    life.post(&format!("{MARKING}/similarity/list"), json!({})).await;
    let verdict = json!({ "id": pair, "verdict": "confirmed", "note": format!("{MARK}段落相同") });
    life.put(&format!("{MARKING}/similarity/verdict"), verdict).await;
    life.post(&format!("{MARKING}/similarity"), json!({ "homeworkId": homework, "threshold": 60 })).await;
}

/// Closed, open again, copied; the copy.
async fn ended(life: &mut Life<'_>, homework: i64, semester: i64) -> i64 {
    step(life, "close", homework).await;
    let until = life.server.app.clock().now() + Duration::days(3);
    let again = with(task_item(&life.client, homework).await, json!({ "endsAt": until }));
    life.put(&format!("{TASKS}/reopen"), again).await;
    id(&life.post(&format!("{TASKS}/copy"), json!({ "id": homework, "semesterId": semester })).await)
}

/// One of a batch, given and taken back.
async fn batch(life: &mut Life<'_>, place: (i64, i64, i64)) -> i64 {
    let now = life.server.app.clock().now();
    let wanted = json!({ "semesterId": place.0, "items": [{ "courseId": place.1, "openingIds": [place.2] }],
        "titlePattern": format!("{MARK}{{课程名}}批量{{序号}}"), "settings": { "startsAt": now, "endsAt": now + Duration::days(7) } });
    let told = life.post(&format!("{TASKS}/batchSave"), wanted).await;
    assert_eq!(told["created"], json!(1), "{told}");
    let made = told["rows"][0]["homeworkId"].as_i64().expect("a number");
    step(life, "publish", made).await;
    step(life, "withdraw", made).await;
    made
}
