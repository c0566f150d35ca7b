//! The course whose chapters or knowledge points are looked at or changed.

use infra::{Error, Result, Tx};
use sqlx::PgConnection;

/// # Errors
/// 404 when there is no such course.
pub(crate) async fn known(connection: &mut PgConnection, id: i64) -> Result<()> {
    let known = sqlx::query_scalar!("select id from course where id = $1", id).fetch_optional(connection).await?;
    known.map(|_| ()).ok_or_else(Error::not_found)
}

/// Nobody else changes what hangs on the course until this transaction ends.
///
/// # Errors
/// 422 at `courseId` when there is no such course.
pub(crate) async fn hold(tx: &mut Tx, course: i64) -> Result<()> {
    let known =
        sqlx::query_scalar!("select id from course where id = $1 for update", course).fetch_optional(&mut **tx).await?;
    known.map(|_| ()).ok_or_else(|| Error::field("courseId", "课程不存在或已被删除"))
}
