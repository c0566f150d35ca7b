//! Homework of a demonstration school: of the courses that have papers one that goes on and one that is over, answered, marked,
//! given back, missed, with attempts and copied passages; and homework in every other state.

use chrono::{NaiveDate, TimeDelta};
use homework_rules::demo::answer;
use infra::{
    Error, Result, Scope, Tx,
    clock::{Moment, day_began},
};
use papers::snapshot::{EffectiveKey, effective_keys};
use poem_openapi::types::ToJSON;
use question_bank::{enums::QuestionType, question::QuestionUpload, text::QuestionText};
use serde_json::Value;

use crate::{
    enums::{
        AttemptScoring, HomeworkKind, HomeworkPaperMode, HomeworkPurpose, HomeworkStatus, HomeworkStudentState,
        SheetMarkState, ShowAnswer, SubmitKind,
    },
    homework::{
        HomeworkForm, HomeworkTargetForm,
        form::{form_of, insert},
        held,
        publish::{Recipient, frozen, give},
        steps::shut,
    },
    marking::similarity::{Search, compared, keep},
    sheet::{follow, held_task, remark, settle, settled_of, sheet, submit_sheet, task},
};

/// Students of a homework who answer it.
const ANSWERING: usize = 30;
/// Courses with homework.
const COURSES: i64 = 3;

/// A course that is taught, and its homework paper.
struct Taught {
    semester_id: i64,
    course_id: i64,
    course: String,
    paper_id: i64,
    chapter_id: Option<i64>,
    openings: Vec<i64>,
}

/// Makes homework of the openings that stand.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let courses = sqlx::query_as!(
        Taught,
        r#"select o.semester_id as "semester_id!", o.course_id as "course_id!", u.name as "course!", p.id as "paper_id!",
                  (select h.id from course_chapter h where h.course_id = o.course_id order by h.id limit 1) as chapter_id,
                  array_agg(o.id order by o.id) as "openings!"
           from course_opening o
           join course u on u.id = o.course_id
           join semester e on e.id = o.semester_id and e.closed_at is null
           join paper p on p.course_id = o.course_id and p.kind = 'homework' and p.status = 'approved'
           where o.status in ('opened', 'closed')
             and exists (select from course_selection c where c.opening_id = o.id and c.status in ('selected', 'completed'))
           group by o.semester_id, o.course_id, u.name, p.id
           order by max(e.starts_on) desc, o.course_id, p.id
           limit $1"#,
        COURSES
    )
    .fetch_all(&mut **tx)
    .await?;
    let now = day_began(today) + TimeDelta::hours(12);
    for (place, course) in courses.iter().enumerate() {
        let running = HomeworkForm {
            title: "第二次作业".to_owned(),
            starts_at: now - TimeDelta::days(20),
            ends_at: now + TimeDelta::days(10),
            late_until: Some(now + TimeDelta::days(17)),
            late_penalty: 10,
            max_attempts: Some(2),
            shuffle_options: true,
            mark_due_at: Some(now + TimeDelta::days(24)),
            ..of(course, now)
        };
        let id = given(tx, running).await?;
        answered(tx, id, now - TimeDelta::days(5)).await?;
        let over = HomeworkForm {
            title: "第一次作业".to_owned(),
            starts_at: now - TimeDelta::days(60),
            ends_at: now - TimeDelta::days(30),
            mark_due_at: Some(now - TimeDelta::days(16)),
            weight: Some(2.0),
            ..of(course, now)
        };
        let id = given(tx, over).await?;
        answered(tx, id, now - TimeDelta::days(35)).await?;
        let closed = held(tx, id).await?;
        shut(tx, &closed).await?;
        let search = Search { homework: id, threshold: 60, history: false, all: true };
        let app = tx.app().clone();
        let found = compared(&app, tx, search).await?;
        keep(tx, id, &found).await?;
        if place == 0 {
            others(tx, course, now).await?;
        }
    }
    Ok(())
}

/// Homework of a course as most are.
fn of(course: &Taught, now: Moment) -> HomeworkForm {
    HomeworkForm {
        semester_id: course.semester_id,
        course_id: course.course_id,
        title: format!("{}作业", course.course),
        purpose: HomeworkPurpose::Homework,
        chapter_id: None,
        kind: HomeworkKind::Paper,
        paper_mode: Some(HomeworkPaperMode::Fixed),
        paper_ids: vec![course.paper_id],
        rule_id: None,
        instruction: None,
        upload: None,
        total_score: None,
        pass_score: None,
        starts_at: now,
        ends_at: now + TimeDelta::days(14),
        late_until: None,
        late_penalty: 0,
        duration_minutes: None,
        max_attempts: Some(1),
        attempt_scoring: Some(AttemptScoring::Highest),
        min_interval_minutes: 0,
        shuffle_questions: false,
        shuffle_options: false,
        show_answer: Some(ShowAnswer::AfterClose),
        required_progress: Some(0.0),
        weight: Some(1.0),
        similarity_threshold: Some(60),
        mark_due_at: None,
        targets: course
            .openings
            .iter()
            .map(|opening| HomeworkTargetForm { opening_id: *opening, class_id: None })
            .collect(),
        markers: Vec::new(),
    }
}

/// A homework in each state that is left: a draft, one that was taken back, the test of a chapter, and one of files.
async fn others(tx: &mut Tx, course: &Taught, now: Moment) -> Result<()> {
    let scope = Scope::whole_school();
    let draft = HomeworkForm { title: "期末复习作业".to_owned(), ..of(course, now + TimeDelta::days(30)) };
    insert(tx, draft, &scope).await?;
    let back = HomeworkForm { title: "补充作业".to_owned(), ..of(course, now + TimeDelta::days(3)) };
    let (id, _) = insert(tx, back, &scope).await?;
    sqlx::query!("update homework set status = 'withdrawn', version = version + 1 where id = $1", id)
        .execute(&mut **tx)
        .await?;
    if let Some(chapter) = course.chapter_id {
        let test = HomeworkForm {
            title: "第一章测验".to_owned(),
            purpose: HomeworkPurpose::ChapterTest,
            chapter_id: Some(chapter),
            duration_minutes: Some(60),
            starts_at: now - TimeDelta::days(3),
            ends_at: now + TimeDelta::days(4),
            show_answer: Some(ShowAnswer::AfterMarked),
            ..of(course, now)
        };
        given(tx, test).await?;
    }
    let files = HomeworkForm {
        title: "实践报告".to_owned(),
        kind: HomeworkKind::Upload,
        paper_mode: None,
        paper_ids: Vec::new(),
        instruction: Some(QuestionText::cleaned("<p>结合本人岗位，写一份不少于1500字的实践报告。</p>")),
        upload: Some(QuestionUpload {
            extensions: vec!["docx".to_owned(), "pdf".to_owned()],
            max_files: 2,
            max_size_mb: 20,
        }),
        total_score: Some(100.0),
        starts_at: now - TimeDelta::days(1),
        ends_at: now + TimeDelta::days(20),
        ..of(course, now)
    };
    given(tx, files).await?;
    Ok(())
}

/// Sets a homework and gives it to everybody of its openings; nobody is told.
async fn given(tx: &mut Tx, form: HomeworkForm) -> Result<i64> {
    let (id, _) = insert(tx, form, &Scope::whole_school()).await?;
    let homework = held(tx, id).await?;
    let form = form_of(tx, id).await?;
    let to = sqlx::query_as!(
        Recipient,
        r#"select c.id as "selection_id!", c.student_id as "student_id!"
           from homework_target t
           join course_selection c on c.opening_id = t.opening_id and c.status in ('selected', 'completed')
           where t.homework_id = $1 order by c.id"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let snapshots = frozen(tx, &homework, &form).await?;
    give(tx, id, &form, (1, &snapshots), &to).await?;
    sqlx::query!(
        "update homework set status = $2, published_at = starts_at, rule_seed = 1, version = version + 1 where id = $1",
        id,
        HomeworkStatus::Published.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(id)
}

/// Lets the first students of a homework answer it, each as far as their place says.
async fn answered(tx: &mut Tx, homework: i64, at: Moment) -> Result<()> {
    let rows = sqlx::query!(
        "select id, snapshot_id from homework_student where homework_id = $1 order by id limit $2",
        homework,
        i64::try_from(ANSWERING).map_err(Error::internal)?
    )
    .fetch_all(&mut **tx)
    .await?;
    for (place, row) in rows.iter().enumerate() {
        let keys = effective_keys(tx, row.snapshot_id).await?;
        match place % 15 {
            7 => exempted(tx, row.id).await?,
            8 => void(tx, row.id).await?,
            9 => {
                begun(tx, row.id, (place, 1), at, &keys).await?;
            }
            of => {
                let sheet = begun(tx, row.id, (place, 1), at, &keys).await?;
                submit_sheet(tx, sheet, SubmitKind::Student).await?;
                handed_in(tx, sheet, at).await?;
                if of % 3 != 0 {
                    marked(tx, sheet, at + TimeDelta::days(1), &keys).await?;
                }
                match of {
                    4 => given_back(tx, sheet, at + TimeDelta::days(20)).await?,
                    5 => {
                        let again = begun(tx, row.id, (place + 1, 2), at + TimeDelta::hours(3), &keys).await?;
                        submit_sheet(tx, again, SubmitKind::Student).await?;
                        handed_in(tx, again, at + TimeDelta::hours(4)).await?;
                        marked(tx, again, at + TimeDelta::days(1), &keys).await?;
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// A sheet with its answers. Two in three answers are right; every tenth student copies the words of another.
async fn begun(
    tx: &mut Tx,
    row: i64,
    (place, attempt): (usize, i32),
    at: Moment,
    keys: &std::collections::HashMap<String, EffectiveKey>,
) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into answer_sheet (homework_student_id, attempt_no, snapshot_id, seed, started_at, deadline_at, ip, device,
             last_client_seq, created_by, updated_by)
         select s.id, $2, s.snapshot_id, s.id, $3, greatest(coalesce(h.late_until, h.ends_at), $3), '10.0.0.1', 'pc', 1, 0, 0
         from homework_student s join homework h on h.id = s.homework_id where s.id = $1 returning id",
        row,
        attempt,
        at as _
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into answer_item (sheet_id, snapshot_question_id, seq)
         select $1, q.id, q.seq from answer_sheet a join snapshot_question q on q.snapshot_id = a.snapshot_id
         where a.id = $1 order by q.id",
        id
    )
    .execute(&mut **tx)
    .await?;
    answers(tx, id, place, at, keys).await?;
    let task = held_task(tx, row).await?;
    follow(tx, &task).await?;
    Ok(id)
}

/// The answers of a sheet, saved at once.
async fn answers(
    tx: &mut Tx,
    id: i64,
    place: usize,
    at: Moment,
    keys: &std::collections::HashMap<String, EffectiveKey>,
) -> Result<()> {
    let items = sqlx::query!(
        r#"select i.id, i.seq, q.type as "kind: QuestionType" from answer_item i
           join snapshot_question q on q.id = i.snapshot_question_id where i.sheet_id = $1 order by i.id"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut ids, mut answers) = (Vec::new(), Vec::new());
    for (number, item) in items.into_iter().enumerate() {
        let given = answer(item.kind, keys.get(&item.seq), place, number);
        if let Some(answer) = given.and_then(|given| given.to_json()) {
            ids.push(item.id);
            answers.push(answer);
        }
    }
    sqlx::query!(
        "update answer_item i set answer = m.answer, saved_at = $3, client_seq = 1
         from unnest($1::bigint[], $2::jsonb[]) as m (id, answer) where i.id = m.id",
        &ids,
        &answers as &[Value],
        at as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A sheet of an examination that was begun, as somebody answered it since; handed in where it is told when.
///
/// # Errors
/// Only internal ones.
pub async fn sat(
    tx: &mut Tx,
    id: i64,
    place: usize,
    (from, until): (Moment, Moment),
    ended: Option<Moment>,
) -> Result<()> {
    let snapshot = sheet(tx, id).await?.snapshot_id;
    let keys = effective_keys(tx, snapshot).await?;
    answers(tx, id, place, from, &keys).await?;
    sqlx::query!(
        "update answer_sheet set started_at = $2, deadline_at = $3, last_client_seq = 1 where id = $1",
        id,
        from as _,
        until as _
    )
    .execute(&mut **tx)
    .await?;
    if let Some(at) = ended {
        submit_sheet(tx, id, SubmitKind::Student).await?;
        sqlx::query!("update answer_sheet set submitted_at = $2 where id = $1", id, at as _).execute(&mut **tx).await?;
    }
    Ok(())
}

/// A sheet of an examination, marked by whom it was given to.
///
/// # Errors
/// Only internal ones.
pub async fn marked_exam(tx: &mut Tx, id: i64, at: Moment) -> Result<()> {
    given_marks(tx, id, at).await?;
    let whole = sheet(tx, id).await?;
    settled_of(tx, &whole).await?;
    marked_then(tx, id, at).await
}

/// The sheet was handed in then, not now.
async fn handed_in(tx: &mut Tx, id: i64, at: Moment) -> Result<()> {
    sqlx::query!("update answer_sheet set submitted_at = $2, late = false where id = $1", id, at as _)
        .execute(&mut **tx)
        .await?;
    let of = sheet(tx, id).await?.homework_student_id.ok_or_else(Error::not_found)?;
    let task = task(tx, of).await?;
    follow(tx, &task).await?;
    Ok(())
}

/// A marker gives four fifths for what a machine cannot mark.
async fn given_marks(tx: &mut Tx, id: i64, at: Moment) -> Result<()> {
    sqlx::query!(
        "update answer_item i
         set score = round(q.score * 1.6) / 2, mark_state = 'marked', comment = '要点基本完整，注意结合实例。',
             marked_by_teacher_id = a.marker_id, marked_at = $2
         from snapshot_question q, answer_sheet a
         where q.id = i.snapshot_question_id and a.id = i.sheet_id and i.sheet_id = $1 and i.mark_state = 'pending'",
        id,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn marked_then(tx: &mut Tx, id: i64, at: Moment) -> Result<()> {
    sqlx::query!(
        "update answer_sheet a
         set marked_at = $2, marked_by_name = (select t.name from teacher t where t.id = a.marker_id) where a.id = $1",
        id,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn marked(
    tx: &mut Tx,
    id: i64,
    at: Moment,
    keys: &std::collections::HashMap<String, EffectiveKey>,
) -> Result<()> {
    given_marks(tx, id, at).await?;
    let whole = sheet(tx, id).await?;
    let of = whole.homework_student_id.ok_or_else(Error::not_found)?;
    let before = task(tx, of).await?;
    let machine = remark(tx, &whole, keys).await?;
    settle(tx, Some(&before), &whole, machine).await?;
    marked_then(tx, id, at).await?;
    follow(tx, &before).await?;
    Ok(())
}

/// A sheet that waits to be done again.
async fn given_back(tx: &mut Tx, id: i64, until: Moment) -> Result<()> {
    let state = sheet(tx, id).await?.mark_state;
    sqlx::query!(
        "insert into sheet_return (sheet_id, reason, redo_until, from_state, created_by, updated_by)
         values ($1, '请补充计算过程和依据', $2, $3, 0, 0)",
        id,
        until as _,
        if state == SheetMarkState::Marked { "marked" } else { "submitted" }
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("update answer_sheet set mark_state = 'returned', version = version + 1 where id = $1", id)
        .execute(&mut **tx)
        .await?;
    let of = sheet(tx, id).await?.homework_student_id.ok_or_else(Error::not_found)?;
    sqlx::query!("update homework_student set redo_until = $2 where id = $1", of, until as _)
        .execute(&mut **tx)
        .await?;
    let task = task(tx, of).await?;
    follow(tx, &task).await?;
    Ok(())
}

async fn exempted(tx: &mut Tx, row: i64) -> Result<()> {
    sqlx::query!(
        "update homework_student set state = $2, exempt_reason = '因病住院，经学院同意' where id = $1",
        row,
        HomeworkStudentState::Exempt.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn void(tx: &mut Tx, row: i64) -> Result<()> {
    // Of somebody who is still in the course: it stays void, for there is nothing that it was before.
    sqlx::query!("update homework_student set state = $2 where id = $1", row, HomeworkStudentState::Void.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
