//! What is looked up for the rules of a course.

pub(super) use course_rules::course::{Density, exam_form_of, hours_of, textbook_of, warnings};
use infra::Result;
use sqlx::PgConnection;

use super::Course;

/// Hours per credit where the school has no level that says otherwise (03 A1).
const USUAL_HOURS_PER_CREDIT: (i32, i32) = (16, 18);

pub(super) async fn density_limits(connection: &mut PgConnection) -> Result<Density> {
    let limits = sqlx::query!(
        "select min(hours_per_credit_min) as least, max(hours_per_credit_max) as most from level where enabled"
    )
    .fetch_one(connection)
    .await?;
    let (least, most) = USUAL_HOURS_PER_CREDIT;
    Ok((limits.least.unwrap_or(least), limits.most.unwrap_or(most)))
}

/// Codes of other courses with the name, of which a person is told ten.
pub(super) async fn namesakes(connection: &mut PgConnection, course: &Course) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!(
        "select code from course where name = $1 and id <> $2 order by code limit 10",
        course.name,
        course.id
    )
    .fetch_all(connection)
    .await?)
}
