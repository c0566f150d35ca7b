//! Homework in the clients: students answer it, teachers mark it; a student's courses (part 03 B10).
//!
//! Neither keys nor analysis leave the server before the homework shows them. Nobody answers or marks for another.

mod answer;
mod courses;
mod result;
mod student;
mod teacher;

use infra::{Error, Result};
use poem_openapi::OpenApi;
use sqlx::PgConnection;
use student_status::enums::StudentStatus;

/// The operations of the clients.
pub(crate) fn api() -> impl OpenApi {
    (student::OwnTasks, answer::OwnAnswers, result::OwnResults, courses::OwnCourses, teacher::OwnMarking)
}

/// # Errors
/// 403 for whoever does not study now.
async fn studies(connection: &mut PgConnection, student: i64) -> Result<()> {
    let status = sqlx::query_scalar!(r#"select status as "status: StudentStatus" from student where id = $1"#, student)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)?;
    status.may_study()
}
