//! 历史成绩: courses that were taken before the school opened its first one here (02 §16 `import_history`). Called by the scores'
//! part in its own transaction.

use course_selection::score;
use infra::{Change, Error, OnConstraint, Result, Tx};
use serde_json::json;
use teaching_plan::enums::CourseNature;

/// A course that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenBefore {
    pub student_id: i64,
    pub course_id: i64,
    pub semester_id: i64,
    /// In tenths.
    pub credits: i64,
    pub nature: CourseNature,
    pub attempt_no: i32,
}

/// The selection of a course that was taken before, completed; its opening, closed and never opened, is made where there is none.
///
/// # Errors
/// 404 for no student, course or semester; 409 for a semester that is not before the first one with an opening of its own, for one
/// in which the course waits to be opened for all, and for who has the course of the semester already.
pub async fn import_history(tx: &mut Tx, taken: &TakenBefore) -> Result<(i64, Vec<Change>)> {
    let early = sqlx::query_scalar!(
        r#"select e.starts_on < coalesce(
               (select min(f.starts_on) from course_opening o join semester f on f.id = o.semester_id
                where o.opened_at is not null), 'infinity'::date) as "early!"
           from semester e where e.id = $1"#,
        taken.semester_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if !early {
        return Err(Error::conflict("历史成绩只能登记到首次开课以前的学期"));
    }
    let mut changes = Vec::new();
    let opening = match existing(tx, taken).await? {
        Some(opening) => opening,
        None => {
            let opening = make(tx, taken).await?;
            let what = json!({ "semesterId": taken.semester_id, "courseId": taken.course_id });
            changes.push(Change::event("course_opening", opening, "insert", what));
            opening
        }
    };
    let known = sqlx::query_scalar!(
        r#"select exists (select from course_selection where student_id = $1 and opening_id = $2) as "known!""#,
        taken.student_id,
        opening
    )
    .fetch_one(&mut **tx)
    .await?;
    if known {
        return Err(Error::conflict("该学生在该学期已有该课程的历史记录"));
    }
    let (id, change) = score::complete_history(tx, taken.student_id, opening, taken.attempt_no).await?;
    changes.push(change);
    Ok((id, changes))
}

async fn existing(tx: &mut Tx, taken: &TakenBefore) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from course_opening
         where semester_id = $1 and course_id = $2 and kind = 'extra' and grade_id is null and major_id is null
           and status = 'closed'",
        taken.semester_id,
        taken.course_id
    )
    .fetch_optional(&mut **tx)
    .await?)
}

async fn make(tx: &mut Tx, taken: &TakenBefore) -> Result<i64> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query_scalar!(
        "insert into course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours, online_hours,
             practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, status, closed_at, remark, created_by,
             updated_by)
         select $1, 'extra', u.id, u.type_id, $3, $4::bigint / 10.0, u.hours, u.lecture_hours, u.online_hours, u.practice_hours,
                u.self_study_hours, u.exam_form, u.assess_mode, 'offline', 'closed', $5, '历史成绩', $6, $6
         from course u where u.id = $2 returning id",
        taken.semester_id,
        taken.course_id,
        taken.nature.as_str(),
        taken.credits,
        now as _,
        by
    )
    .fetch_optional(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "course_opening_taken")
            .then(|| Error::conflict("该学期已有该课程待开课的计划外开课，请先删除再登记历史成绩"))
    })?
    .ok_or_else(Error::not_found)
}
