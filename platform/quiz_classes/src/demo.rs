//! A class of the demonstration: learners who are in it, one who waits, and an exam that it takes.

use chrono::TimeDelta;
use infra::{Change, Result, Tx};
use quiz_rules::enums::QuizClassVerify;

use crate::{
    arrangement::{self, QuizArrangementForm},
    class::{self, QuizClassForm},
    join::join,
    member,
};

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The caller commits, and has made the lecturer and the exam. All but the last of the learners are let in, the first is removed again.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, lecturer: i64, exam: i64, learners: &[i64]) -> Result<Made> {
    let mut made = Made::default();
    let now = tx.app().clock().now();
    let today = now.date_naive();
    let form = QuizClassForm {
        grade_name: "学位英语冲刺班".to_owned(),
        lecturer_id: Some(lecturer),
        max_members: 200,
        verify: QuizClassVerify::Audit,
        starts_on: today,
        ends_on: today + TimeDelta::days(90),
        enabled: true,
    };
    let (grade, change) = class::insert(tx, form).await?;
    made.rows.push(("exam_grade_info", grade));
    made.changes.push(change);
    let code = sqlx::query_scalar!("select invite_code from platform.exam_grade_info where id = $1", grade)
        .fetch_one(&mut **tx)
        .await?;
    for (place, learner) in learners.iter().enumerate() {
        let (_, change) = join(tx, *learner, &code).await?;
        let id = change.id();
        made.changes.push(change);
        if place + 1 < learners.len() {
            made.changes.push(member::admit(tx, id).await?);
        }
        if place == 0 {
            made.changes.push(member::remove(tx, id).await?);
        }
    }
    let form =
        QuizArrangementForm { grade_id: grade, exam_id: exam, opens_at: now, closes_at: now + TimeDelta::days(30) };
    let (_, change) = arrangement::insert(tx, form).await?;
    made.changes.push(change);
    Ok(made)
}

/// Takes these exams from every class, and all from these classes, before the exams go.
///
/// # Errors
/// Only internal ones.
pub async fn take_off(tx: &mut Tx, classes: &[i64], exams: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.exam_grade_exam where grade_id = any($1) or exam_id = any($2)", classes, exams)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Removes these classes with their members; one in which somebody took another exam stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, classes: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.exam_grade_member where grade_id = any($1)", classes).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.exam_grade_info g where id = any($1)
           and not exists (select from platform.online_exam_record r where r.grade_id = g.id)",
        classes
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
