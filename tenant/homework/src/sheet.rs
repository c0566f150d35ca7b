//! 答卷: one attempt of a student at a homework, or of a candidate at an online examination (part 03 B6, 04 §2).
//!
//! ```text
//! start → in_progress ─[submit_sheet: the machine marks]→ submitted ─(every item is marked)→ marked
//! ```
//! Whoever changes a sheet holds the student's row of the homework first, then the sheet. What the row tells of its sheets is
//! written by [`follow`] alone.

pub mod answers;
mod exam;
pub(crate) mod paper;
pub(crate) mod questions;
pub(crate) mod results;
mod submit;

use std::collections::HashMap;

use homework_rules::times::{final_raw, of_hundred};
use infra::{Change, Entity, Error, History, Part, Result, Tx, clock::Moment};
use question_bank::score::{points, tenths};
use sqlx::PgConnection;

use crate::enums::{HomeworkStudentState, SheetMarkState};

pub use exam::{NewSheet, begin_exam, given, marked_by, noted, prolong, resume, scored, settled_of, void};
pub use homework_rules::{machine::Machine, task::Task};
pub use paper::{TaskPaper, TaskQuestion, TaskSection, TaskSubQuestion, task_paper};
pub use questions::questions_of;
pub(crate) use submit::{Replayed, replayed};
pub use submit::{Submitted, remark, settle, submit_sheet};

pub const PART: Part = Part {
    entities: &[
        Entity { table: "answer_sheet", name: "答卷", counted: "份答卷" },
        Entity { table: "answer_item", name: "答案", counted: "个答案" },
        Entity { table: "answer_file", name: "答案附件", counted: "个答案附件" },
        Entity { table: "answer_similarity", name: "相似答卷", counted: "条相似记录" },
        Entity { table: "sheet_return", name: "退回记录", counted: "条退回记录" },
    ],
    histories: &[History {
        table: "answer_sheet",
        code: "exam:pc:tasks:marking:view",
        // A sheet lies where its student is.
        scope: Some((
            "coalesce(
                (select y.site_id from homework_student s join course_selection c on c.id = s.selection_id
                 join student y on y.id = c.student_id where s.id = answer_sheet.homework_student_id),
                (select y.site_id from exam_candidate e join student y on y.id = e.student_id
                 where e.id = answer_sheet.exam_candidate_id))",
            Some(
                "coalesce(
                    (select y.class_id from homework_student s join course_selection c on c.id = s.selection_id
                     join student y on y.id = c.student_id where s.id = answer_sheet.homework_student_id),
                    (select y.class_id from exam_candidate e join student y on y.id = e.student_id
                     where e.id = answer_sheet.exam_candidate_id))",
            ),
        )),
    }],
    ..Part::NONE
};

/// The row, without holding it.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn task(connection: &mut PgConnection, id: i64) -> Result<Task> {
    sqlx::query_as!(
        Task,
        r#"select s.id, s.homework_id, s.selection_id, c.student_id, s.snapshot_id, s.state as "state: _", s.attempts_used,
                  s.extra_attempts, s.extended_until, s.redo_until, (s.final_raw * 10)::bigint as final_raw, s.submitted_at,
                  u.name as course_name, h.title, h.status as "status: _", h.starts_at, h.ends_at, h.late_until,
                  h.late_penalty, h.duration_minutes, h.max_attempts, h.min_interval_minutes,
                  h.attempt_scoring as "attempt_scoring: _", h.shuffle_questions, h.shuffle_options,
                  h.show_answer as "show_answer: _", h.required_progress::float8 as "required_progress!",
                  (h.total_score * 10)::bigint as "total!"
           from homework_student s
           join homework h on h.id = s.homework_id
           join course u on u.id = h.course_id
           join course_selection c on c.id = s.selection_id
           where s.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// The row, kept from others until the transaction ends.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn held_task(tx: &mut Tx, id: i64) -> Result<Task> {
    tx.lock("homework_student", id).await?;
    task(tx, id).await
}

/// A sheet as its steps know it.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub id: i64,
    pub homework_student_id: Option<i64>,
    pub exam_candidate_id: Option<i64>,
    pub attempt_no: i32,
    /// Done again because one was given back.
    pub redo: bool,
    pub snapshot_id: i64,
    pub seed: i64,
    pub started_at: Moment,
    pub deadline_at: Moment,
    pub submitted_at: Option<Moment>,
    pub mark_state: SheetMarkState,
    pub marker_id: Option<i64>,
    pub last_client_seq: i64,
    pub version: i32,
}

/// # Errors
/// 404 when there is none.
pub async fn sheet(connection: &mut PgConnection, id: i64) -> Result<Sheet> {
    sqlx::query_as!(
        Sheet,
        r#"select id, homework_student_id, exam_candidate_id, attempt_no, redo, snapshot_id, seed, started_at, deadline_at, submitted_at,
                  mark_state as "mark_state: _", marker_id, last_client_seq, version
           from answer_sheet where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// A sheet of a homework with its student's row, both held in the room's order.
///
/// # Errors
/// 404 when there is none, or none of a homework.
pub(crate) async fn held(tx: &mut Tx, id: i64) -> Result<(Task, Sheet)> {
    let of = sqlx::query_scalar!("select homework_student_id from answer_sheet where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .flatten()
        .ok_or_else(Error::not_found)?;
    let task = held_task(tx, of).await?;
    tx.lock("answer_sheet", id).await?;
    Ok((task, sheet(tx, id).await?))
}

/// What a row tells of its sheets.
struct Followed {
    state: HomeworkStudentState,
    attempts: i32,
    submitted_at: Option<Moment>,
    late: bool,
    similarity: Option<f64>,
    raw: Option<i64>,
}

/// Brings a student's row of a homework up to its sheets: state and hand-in of the newest one that is not void, the score over
/// those that are marked. Exempt and void rows keep their state. The row is held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn follow(tx: &mut Tx, task: &Task) -> Result<Option<Change>> {
    let sheets = sqlx::query!(
        r#"select attempt_no, mark_state as "mark_state: SheetMarkState", submitted_at, late,
                  similarity::float8 as similarity, (total_score * 10)::bigint as total
           from answer_sheet where homework_student_id = $1 and mark_state <> 'void' order by attempt_no"#,
        task.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let marked: Vec<(i32, i64)> = sheets
        .iter()
        .filter(|sheet| sheet.mark_state == SheetMarkState::Marked)
        .filter_map(|sheet| sheet.total.map(|total| (sheet.attempt_no, total)))
        .collect();
    let counted = sheets.iter().filter(|sheet| sheet.mark_state != SheetMarkState::Returned).count();
    let newest = sheets.last();
    let state = match (task.state, newest.map(|sheet| sheet.mark_state)) {
        (kept @ (HomeworkStudentState::Exempt | HomeworkStudentState::Void), _) => kept,
        (_, Some(SheetMarkState::InProgress)) => HomeworkStudentState::InProgress,
        (_, Some(SheetMarkState::Submitted)) => HomeworkStudentState::Submitted,
        (_, Some(SheetMarkState::Marked)) => HomeworkStudentState::Marked,
        (_, Some(SheetMarkState::Returned)) => HomeworkStudentState::Returned,
        (HomeworkStudentState::Missed, _) => HomeworkStudentState::Missed,
        (_, _) => HomeworkStudentState::NotStarted,
    };
    let followed = Followed {
        state,
        attempts: i32::try_from(counted).map_err(Error::internal)?,
        submitted_at: newest.and_then(|sheet| sheet.submitted_at),
        late: newest.is_some_and(|sheet| sheet.late),
        similarity: newest.and_then(|sheet| sheet.similarity),
        raw: final_raw(task.attempt_scoring, &marked),
    };
    write(tx, task, followed).await
}

async fn write(tx: &mut Tx, task: &Task, followed: Followed) -> Result<Option<Change>> {
    let by = tx.by();
    let score = followed.raw.map(|raw| points(of_hundred(raw, task.total)));
    sqlx::query!(
        "update homework_student
         set state = $2, attempts_used = $3, submitted_at = $4, late = $5, similarity = $6::float8::numeric,
             final_raw = $7::float8::numeric, final_score = $8::float8::numeric, updated_at = now(), updated_by = $9,
             version = version + 1
         where id = $1",
        task.id,
        followed.state.as_str(),
        followed.attempts,
        followed.submitted_at as _,
        followed.late,
        followed.similarity,
        followed.raw.map(points),
        score,
        by
    )
    .execute(&mut **tx)
    .await?;
    let over = |state: HomeworkStudentState| {
        use HomeworkStudentState::{Exempt, Marked, Missed, Void};
        (matches!(state, Marked | Missed | Exempt | Void), state == Missed)
    };
    if followed.raw != task.final_raw || over(followed.state) != over(task.state) {
        results::changed(tx, task.homework_id, Some(&[task.id])).await?;
    }
    if followed.raw != task.final_raw {
        let (before, after) = (task.final_raw.map(points), followed.raw.map(points));
        return Ok(Some(Change::status("homework_student", task.id, "finalRaw", before, after)));
    }
    let moved = followed.state != task.state;
    Ok(moved.then(|| {
        let (before, after) = (task.state.as_str(), followed.state.as_str());
        Change::status("homework_student", task.id, "state", before, after)
    }))
}

/// Which of these selections have a score that stands, so that nothing of their homework is marked anew: it is published or locked.
///
/// # Errors
/// Those of the database.
pub(crate) async fn achievement_locked(connection: &mut PgConnection, selections: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select c.id from course_selection c
         where c.id = any($1)
           and (c.status = 'completed'
                or exists (select from course_score s where s.selection_id = c.id and s.status = 'locked'))
         order by c.id",
        selections
    )
    .fetch_all(connection)
    .await?)
}

/// The scores of snapshots' questions, in tenths, by their numbers.
///
/// # Errors
/// Those of the database.
pub async fn scores_of(connection: &mut PgConnection, snapshot: i64) -> Result<HashMap<i64, i64>> {
    let rows =
        sqlx::query!(r#"select id, score::float8 as "score!" from snapshot_question where snapshot_id = $1"#, snapshot)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|row| (row.id, tenths(row.score))).collect())
}

/// Gives a sheet an item for each question of its snapshot.
pub(crate) async fn with_items(tx: &mut Tx, sheet: i64, snapshot: i64) -> Result<()> {
    sqlx::query!(
        "insert into answer_item (sheet_id, snapshot_question_id, seq)
         select $1, q.id, q.seq from snapshot_question q where q.snapshot_id = $2 order by q.id",
        sheet,
        snapshot
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
