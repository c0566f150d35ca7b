//! The roster of one opening as a whole: whom opening it puts there, and whom its cancelling takes away (part 03 B2). Called by
//! the openings' module in its own transaction, with the opening held.

use futures_util::future::BoxFuture;
use infra::{Change, OnConstraint, Part, Result, Tx};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    admission::explain_constraint,
    enums::{SelectionSource, SelectionStatus},
    opening::Opening,
    tell,
};

pub const PART: Part = Part { leaving: Some(leaving), ..Part::NONE };

/// Puts every student of the opening's grade and major into it who is not in the course, has not passed it, and had nothing of
/// this opening yet. Of an elective nobody comes by itself.
///
/// # Errors
/// 409 when a student came into the course meanwhile by another opening; those of the database.
pub async fn enrol(tx: &mut Tx, opening: &Opening) -> Result<Vec<Change>> {
    let students = missing(tx, opening, None).await?;
    hold_people(tx, &students).await?;
    put(tx, opening, &students).await
}

/// Holds students in the order of their ids: whoever changes their selections holds them first.
pub(crate) async fn hold_people(connection: &mut PgConnection, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query_scalar!("select id from student where id = any($1) order by id for no key update", ids)
        .fetch_all(connection)
        .await?;
    Ok(())
}

/// Who is to come into a compulsory opening; `among` these where they are given.
pub(crate) async fn missing(
    connection: &mut PgConnection,
    opening: &Opening,
    among: Option<&[i64]>,
) -> Result<Vec<i64>> {
    if !opening.is_compulsory() {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_scalar!(
        "select s.id from student s
         where s.grade_id = $1 and s.major_id = $2 and s.status in ('registered', 'pending_registration')
           and ($5::bigint[] is null or s.id = any($5))
           and not exists (
               select from course_selection c
               where c.student_id = s.id and c.course_id = $4
                 and (c.status in ('pending', 'selected', 'exempted') or c.status = 'completed' and c.passed
                      or c.opening_id = $3))
         order by s.id",
        opening.grade_id,
        opening.major_id,
        opening.id,
        opening.course_id,
        among
    )
    .fetch_all(connection)
    .await?)
}

/// Puts those of these students into an opening who are still missing there; they and the opening are held.
pub(crate) async fn put(tx: &mut Tx, opening: &Opening, students: &[i64]) -> Result<Vec<Change>> {
    if students.is_empty() {
        return Ok(Vec::new());
    }
    // A statement of its own: what others selected until the students were held is seen.
    let new = missing(tx, opening, Some(students)).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    let made = sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, attempt_no, status,
             selected_at, created_by, updated_by)
         select s.id, o.id, o.semester_id, o.course_id, s.class_id, 'plan',
                1 + (select count(*) from course_selection c
                     where c.student_id = s.id and c.course_id = o.course_id and c.status not in ('dropped', 'exempted'))::integer,
                'selected', $3, $4, $4
         from course_opening o cross join student s
         where o.id = $1 and s.id = any($2)
         returning id, student_id, class_id, attempt_no",
        opening.id,
        &new,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let told: Vec<i64> = made.iter().map(|row| row.student_id).collect();
    tell(tx, &told, format!("增加《{}》", opening.course_name)).await?;
    let change = made.into_iter().map(|row| {
        let what = json!({
            "studentId": row.student_id, "openingId": opening.id, "classId": row.class_id,
            "source": SelectionSource::Plan.as_str(), "attemptNo": row.attempt_no,
            "status": SelectionStatus::Selected.as_str(),
        });
        Change::event("course_selection", row.id, "insert", what)
    });
    Ok(change.collect())
}

/// Takes everybody out of an opening that is cancelled.
///
/// # Errors
/// Those of the database.
pub async fn drop_of_opening(tx: &mut Tx, opening: &Opening, reason: &str) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let rows = sqlx::query!(
        r#"update course_selection c
           set status = 'dropped', dropped_at = $2, drop_reason = $3, updated_at = now(), updated_by = $4,
               version = c.version + 1
           from (select id, status from course_selection
                 where opening_id = $1 and status in ('pending', 'selected') order by id for update) before
           where c.id = before.id
           returning c.id, c.student_id, before.status as "before!""#,
        opening.id,
        now as _,
        reason,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let students: Vec<i64> = rows.iter().map(|row| row.student_id).collect();
    tell(tx, &students, format!("退选《{}》（{reason}）", opening.course_name)).await?;
    let to = SelectionStatus::Dropped.as_str();
    let change =
        |id, before: String| Change::status("course_selection", id, "status", before, to).because(Some(reason));
    Ok(rows.into_iter().map(|row| change(row.id, row.before)).collect())
}

/// Refuses whoever still waits for an audit in an opening that is closed.
///
/// # Errors
/// Those of the database.
pub async fn reject_pending(tx: &mut Tx, opening: &Opening) -> Result<Vec<Change>> {
    const CLOSED: &str = "课程已结课";
    let (by, now) = (tx.by(), tx.app().clock().now());
    let rows = sqlx::query!(
        "update course_selection c
         set status = 'dropped', dropped_at = $2, drop_reason = $3, audited_by = $4, audited_at = $2, updated_at = now(),
             updated_by = $4, version = c.version + 1
         from (select id from course_selection where opening_id = $1 and status = 'pending' order by id for update) before
         where c.id = before.id
         returning c.id, c.student_id",
        opening.id,
        now as _,
        CLOSED,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let students: Vec<i64> = rows.iter().map(|row| row.student_id).collect();
    tell(tx, &students, format!("《{}》审核未通过（{CLOSED}）", opening.course_name)).await?;
    let (from, to) = (SelectionStatus::Pending.as_str(), SelectionStatus::Dropped.as_str());
    let change = |id| Change::status("course_selection", id, "status", from, to).because(Some(CLOSED));
    Ok(rows.into_iter().map(|row| change(row.id)).collect())
}

/// Rosters on which somebody came by the plan alone, and on which nothing was learnt yet, keep nobody in the register who was
/// entered by mistake.
fn leaving<'a>(tx: &'a mut Tx, table: &'static str, id: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { if table == "student" { taken_off(tx, id).await } else { Ok(()) } })
}

async fn taken_off(tx: &mut Tx, student: i64) -> Result<()> {
    let gone = sqlx::query!(
        r#"delete from course_selection
           where student_id = $1 and source = 'plan' and status in ('pending', 'selected', 'dropped') and final_score is null
             and exempt_reason is null
             and not exists (select from course_score x where x.selection_id = course_selection.id)
           returning id, opening_id, status as "status: SelectionStatus""#,
        student
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: Vec<i64> = gone.iter().map(|row| row.id).collect();
    tx.forget_imported("course_selection", &ids).await?;
    let told = gone.into_iter().map(|row| {
        let what = json!({ "studentId": student, "openingId": row.opening_id, "status": row.status.as_str() });
        Change::event("course_selection", row.id, "delete", what)
    });
    let told: Vec<Change> = told.collect();
    tx.record(&told).await
}
