//! 学生配额: how many registered and suspended students a school may have; none means any number (01 §5.3).

use infra::{Error, Result, Tx};

/// How many more may still be registered in this transaction.
#[derive(Debug, Clone, Copy)]
pub struct Seats {
    quota: i32,
    free: i64,
}

impl Seats {
    /// # Errors
    /// 409 with the quota when so many do not fit.
    pub(crate) fn take(&mut self, coming: i64) -> Result<()> {
        if coming > self.free {
            return Err(Error::conflict(format!("在籍学生数已达上限{}", self.quota)));
        }
        self.free -= coming;
        Ok(())
    }
}

/// The seats that are left, kept from others until the transaction ends; none where there is no quota.
pub(crate) async fn free_seats(tx: &mut Tx) -> Result<Option<Seats>> {
    let here = sqlx::query_scalar!(r#"select current_schema()::text as "here!""#).fetch_one(&mut **tx).await?;
    let quota = sqlx::query_scalar!("select student_quota from platform.school where schema_name = $1", here)
        .fetch_optional(&mut *tx.app().platform_read().await?)
        .await?
        .flatten();
    let Some(quota) = quota else { return Ok(None) };
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('student_quota ' || $1, 0))", here)
        .execute(&mut **tx)
        .await?;
    let registered =
        sqlx::query_scalar!(r#"select count(*) as "count!" from student where status in ('registered', 'suspended')"#)
            .fetch_one(&mut **tx)
            .await?;
    Ok(Some(Seats { quota, free: i64::from(quota) - registered }))
}

/// Makes sure that so many more may be registered. Two steps at once ask one after the other.
///
/// # Errors
/// 409 with the quota when there are not seats for all of them.
pub(crate) async fn admit(tx: &mut Tx, coming: usize) -> Result<()> {
    if coming == 0 {
        return Ok(());
    }
    match free_seats(tx).await? {
        Some(mut seats) => seats.take(i64::try_from(coming).unwrap_or(i64::MAX)),
        None => Ok(()),
    }
}
