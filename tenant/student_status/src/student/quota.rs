//! 学生配额: how many registered and suspended students a school may have; none means any number (01 §5.3).

use infra::{Error, Result, Tx};

/// Makes sure that so many more may be registered. Two steps at once ask one after the other.
///
/// # Errors
/// 409 with the quota when there is no room for all of them.
pub(crate) async fn admit(tx: &mut Tx, coming: usize) -> Result<()> {
    if coming == 0 {
        return Ok(());
    }
    let here = sqlx::query_scalar!(r#"select current_schema()::text as "here!""#).fetch_one(&mut **tx).await?;
    let quota = sqlx::query_scalar!("select student_quota from platform.school where schema_name = $1", here)
        .fetch_optional(&mut *tx.app().platform_read().await?)
        .await?
        .flatten();
    let Some(quota) = quota else { return Ok(()) };
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('student_quota ' || $1, 0))", here)
        .execute(&mut **tx)
        .await?;
    let registered =
        sqlx::query_scalar!(r#"select count(*) as "count!" from student where status in ('registered', 'suspended')"#)
            .fetch_one(&mut **tx)
            .await?;
    if i64::try_from(coming).unwrap_or(i64::MAX).saturating_add(registered) > i64::from(quota) {
        return Err(Error::conflict(format!("在籍学生数已达上限{quota}")));
    }
    Ok(())
}
