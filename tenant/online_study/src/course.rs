//! The course of a student is read: how its opening is studied as it was set, else as it is by default.

use chrono::NaiveDate;
use infra::{Error, Result};
use online_study_rules::course::Course;
use sqlx::PgConnection;

/// A course of this student.
///
/// # Errors
/// 404 when there is none, or it is not the student's.
pub(crate) async fn course_of_student(connection: &mut PgConnection, selection: i64, student: i64) -> Result<Course> {
    let course = course_of(connection, selection).await?;
    if course.student_id == student { Ok(course) } else { Err(Error::not_found()) }
}

/// A course, whoever studies it.
///
/// # Errors
/// 404 when there is no such selection.
pub(crate) async fn course_of(connection: &mut PgConnection, selection: i64) -> Result<Course> {
    sqlx::query_as!(
        Course,
        r#"select c.id as "selection_id!", c.student_id as "student_id!", s.name as "student_name!", s.student_no,
                  s.status as "student_status!: _", c.status as "status!: _", o.status as "opening_status!: _",
                  c.course_id as "course_id!", u.name as "course_name!", c.semester_id as "semester_id!",
                  coalesce(n.course_record_id, r.id) as record_id,
                  coalesce(n.study_starts_at, e.starts_on::timestamp at time zone 'Asia/Shanghai') as "starts_at!",
                  coalesce(n.study_ends_at, (e.ends_on + 1)::timestamp at time zone 'Asia/Shanghai') as "ends_at!",
                  coalesce(n.finish_percent, 90) as "finish_percent!",
                  coalesce(n.max_speed, 1.5)::float8 as "max_speed!",
                  coalesce(n.allow_seek_unwatched, false) as "allow_seek_unwatched!",
                  coalesce(n.daily_limit_minutes, 0) as "daily_limit_minutes!",
                  coalesce(n.sequential, false) as "sequential!", coalesce(n.face_check, false) as "face_check!"
           from course_selection c
           join student s on s.id = c.student_id
           join course_opening o on o.id = c.opening_id
           join semester e on e.id = o.semester_id
           join course u on u.id = o.course_id
           left join online_teaching n on n.id = o.id
           left join course_record r on r.course_id = o.course_id and r.is_default and r.status = 'published'
           where c.id = $1"#,
        selection
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// Seconds that may still be studied on a day; none without a limit.
///
/// # Errors
/// Those of the database.
pub(crate) async fn left_on(course: &Course, connection: &mut PgConnection, day: NaiveDate) -> Result<Option<i32>> {
    if course.daily_limit_minutes == 0 {
        return Ok(None);
    }
    let studied = sqlx::query_scalar!(
        "select seconds from study_day where selection_id = $1 and day = $2",
        course.selection_id,
        day
    )
    .fetch_optional(connection)
    .await?;
    Ok(course.left_of(studied.unwrap_or(0)))
}

/// Told when the day's time is used up.
pub(crate) fn day_is_full() -> Error {
    Error::conflict("今日学习时长已达上限")
}
