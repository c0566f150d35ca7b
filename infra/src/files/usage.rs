//! 存储配额: how much of its storage a school has filled, and whether a further file has room (01 §5.1, storageQuotaGb).
//!
//! A school may have a million files, so their sizes are added up once a night ([`count`]); later files have greater numbers
//! and are added to that figure when it is asked for. A counter that every upload changes would be as exact, but each upload
//! would wait for the transactions of all others, and an import of photos keeps its own open for minutes.
//!
//! Counted is what stands in `file_object` of the school, stored or announced. Videos in the channels of other providers,
//! and results of jobs, which are the platform's and go after a week, are not.

use sqlx::PgConnection;

use crate::{App, Error, Result};

/// Bytes of a GB, as quotas and disks count them.
const GB: i64 = 1 << 30;

/// Bytes of all files of the transaction's school.
pub async fn used(connection: &mut PgConnection) -> Result<i64> {
    let night = sqlx::query!("select counted_to, bytes from file_usage").fetch_optional(&mut *connection).await?;
    let (counted_to, bytes) = night.map_or((0, 0), |night| (night.counted_to, night.bytes));
    let since = sqlx::query_scalar!(
        r#"select coalesce(sum(size), 0)::bigint as "since!" from file_object where id > $1"#,
        counted_to
    )
    .fetch_one(connection)
    .await?;
    Ok(bytes + since)
}

/// Adds up what there is and writes it down.
pub(super) async fn count(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "insert into file_usage (counted_to, bytes)
         select coalesce(max(id), 0), coalesce(sum(size), 0)::bigint from file_object
         on conflict (one) do update set counted_to = excluded.counted_to, bytes = excluded.bytes,
             counted_at = excluded.counted_at"
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether a file of this size still has room where the transaction is; the platform's own files always have.
///
/// # Errors
/// 409 when it would go beyond the school's quota.
pub(super) async fn room_for(
    app: &App,
    connection: &mut PgConnection,
    school_id: Option<i64>,
    size: i64,
) -> Result<()> {
    let Some(id) = school_id else { return Ok(()) };
    let Some(quota) = app.school(id).await?.and_then(|school| school.storage_quota_gb) else { return Ok(()) };
    let used = used(connection).await?;
    if fits(used, size, quota) { Ok(()) } else { Err(refusal(used, quota)) }
}

/// A quota may be filled to its last byte.
fn fits(used: i64, size: i64, quota: i32) -> bool {
    used.saturating_add(size) <= i64::from(quota) * GB
}

fn refusal(used: i64, quota: i32) -> Error {
    Error::conflict(format!("存储空间不足（已用{}GB，共{quota}GB），请联系平台扩容", in_gb(used)))
}

/// Bytes in tenths of a GB, rounded half up; what is not nothing is never shown as nothing.
pub fn tenths_of_gb(bytes: i64) -> i64 {
    ((bytes * 10 + GB / 2) / GB).max(i64::from(bytes > 0))
}

/// Bytes in GB with one place: `1.5`.
pub fn in_gb(bytes: i64) -> String {
    let tenths = tenths_of_gb(bytes);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_filled_to_its_last_byte() {
        assert!(fits(GB - 5, 5, 1));
        assert!(!fits(GB - 5, 6, 1));
        assert!(!fits(GB, 1, 1));
        assert!(!fits(GB, i64::MAX, 1), "nothing overflows");
    }

    #[test]
    fn bytes_are_read_in_gb() {
        assert_eq!([0, 1, GB / 20, GB * 3 / 2, GB * 40].map(in_gb), ["0.0", "0.1", "0.1", "1.5", "40.0"]);
    }

    #[test]
    fn a_refusal_says_how_much_there_is() {
        assert_eq!(refusal(800 << 20, 1).msg, "存储空间不足（已用0.8GB，共1GB），请联系平台扩容");
    }
}
