//! The final score of a selection, as the scores' part publishes and takes it back in its own transaction (02 §16), and what of
//! scores the selections ask. Whoever publishes many holds their openings first ([`crate::opening::hold`]) and goes by the ids of the
//! selections.

use std::collections::HashSet;

use infra::{Change, Error, OnConstraint, Result, Tx};
use serde_json::json;
use sqlx::PgConnection;
use teaching_plan::credit::shown;

use crate::enums::{SelectionSource, SelectionStatus};

/// Ends a selection with its score, in tenths; a corrected score goes over the former one.
///
/// # Errors
/// 404 for no selection; 409 for one that nobody is in any more.
pub async fn complete_selection(tx: &mut Tx, id: i64, final_score: i64, passed: bool) -> Result<Change> {
    let before = stands(tx, id).await?;
    match before {
        SelectionStatus::Selected | SelectionStatus::Completed => {}
        SelectionStatus::Pending | SelectionStatus::Dropped | SelectionStatus::Exempted => {
            return Err(Error::conflict(format!("该学生的选课为{}，不能登记总评成绩", before.zh())));
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update course_selection
         set status = 'completed', final_score = $2::bigint / 10.0, passed = $3, updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        id,
        final_score,
        passed,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "finalScore": shown(final_score), "passed": passed });
    Ok(Change::event("course_selection", id, "complete", what))
}

/// Takes the score of a selection back.
///
/// # Errors
/// 404 for no selection; 409 for one without a score, and for who is in the course by another selection.
pub async fn reopen_selection(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = stands(tx, id).await?;
    if before != SelectionStatus::Completed {
        return Err(Error::conflict(format!("该学生的选课为{}，没有可撤回的总评成绩", before.zh())));
    }
    let by = tx.by();
    sqlx::query!(
        "update course_selection set status = 'selected', final_score = null, passed = null, updated_at = now(),
                updated_by = $2, version = version + 1
         where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_selection_active_taken")
            .then(|| Error::conflict("该学生已有该课程的其他选课，不能撤回总评成绩"))
    })?;
    let to = SelectionStatus::Selected.as_str();
    Ok(Change::status("course_selection", id, "status", before.as_str(), to))
}

/// A selection of a time before the school's first opening, completed as the old records say; its score follows by
/// [`complete_selection`]. The caller made or found the opening.
///
/// # Errors
/// Those of the database.
pub async fn complete_history(tx: &mut Tx, student: i64, opening: i64, attempt_no: i32) -> Result<(i64, Change)> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let id = sqlx::query_scalar!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, attempt_no, status,
             selected_at, passed, created_by, updated_by)
         select s.id, o.id, o.semester_id, o.course_id, s.class_id, $3, $4, 'completed', $5, false, $6, $6
         from course_opening o cross join student s where o.id = $1 and s.id = $2 returning id",
        opening,
        student,
        if attempt_no > 1 { SelectionSource::Retake.as_str() } else { SelectionSource::Plan.as_str() },
        attempt_no,
        now as _,
        by
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let what = json!({ "studentId": student, "openingId": opening, "attemptNo": attempt_no });
    Ok((id, Change::event("course_selection", id, "insert", what)))
}

/// Takes a selection away that [`complete_history`] made, as its sheet is undone; nothing refers to it any more.
///
/// # Errors
/// 404 for no selection; 409 where something refers to it.
pub async fn remove_history(tx: &mut Tx, id: i64) -> Result<Change> {
    let row = sqlx::query!(
        "select y.name, c.student_id, c.opening_id from course_selection c join student y on y.id = c.student_id where c.id = $1",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    tx.remove("course_selection", id, &row.name).await?;
    let what = json!({ "studentId": row.student_id, "openingId": row.opening_id });
    Ok(Change::event("course_selection", id, "delete", what))
}

/// Which of these selections have a score that was submitted, so that they can neither be dropped nor exempted: it is published, or
/// stands on a sheet that is past entering.
///
/// # Errors
/// Those of the database.
pub(crate) async fn submitted(connection: &mut PgConnection, selections: &[i64]) -> Result<HashSet<i64>> {
    let ids = sqlx::query_scalar!(
        "select c.id from course_selection c
         where c.id = any($1)
           and (c.status = 'completed' or exists (
                    select from course_score s
                    join score_sheet_row r on r.course_score_id = s.id and not r.excluded
                    join score_sheet h on h.id = r.sheet_id
                    where s.selection_id = c.id
                      and h.status in ('submitted', 'first_reviewed', 'reviewed', 'published', 'locked')))",
        selections
    )
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Where a selection stands, held; its opening before it, so that cancelling an opening and its scores do not pass each other.
async fn stands(tx: &mut Tx, id: i64) -> Result<SelectionStatus> {
    let opening = sqlx::query_scalar!(
        "select id from course_opening where id = (select opening_id from course_selection where id = $1) for share",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let row = sqlx::query!(
        r#"select status as "status: SelectionStatus", opening_id from course_selection where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if row.opening_id == opening {
        Ok(row.status)
    } else {
        Err(Error::conflict("该学生的选课刚转入其他开课，请重试"))
    }
}
