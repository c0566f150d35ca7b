//! What whoever makes openings of a plan asks for (03 B2): the version in effect stays in effect until they are written.

use infra::{Result, Tx};

/// Holds plans against other versions until the transaction ends, in the order of their numbers, and answers those that are still
/// in effect.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub async fn hold(tx: &mut Tx, plans: &[i64]) -> Result<Vec<i64>> {
    let held = sqlx::query_scalar!(
        "select id from teaching_plan where id = any($1) and status = 'effective' order by id for share",
        plans
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(held)
}

/// Whether the version that is in effect for a grade and major has a course in a term. It is held.
///
/// # Errors
/// As [`hold`].
pub async fn has(tx: &mut Tx, (grade, major): (i64, i64), course: i64, term_no: i32) -> Result<bool> {
    let plan = sqlx::query_scalar!(
        "select id from teaching_plan where grade_id = $1 and major_id = $2 and status = 'effective' for share",
        grade,
        major
    )
    .fetch_optional(&mut **tx)
    .await?;
    let found = sqlx::query_scalar!(
        r#"select exists (select from plan_course where plan_id = $1 and course_id = $2 and term_no = $3) as "found!""#,
        plan,
        course,
        term_no
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(found)
}
