//! How many people of a major a site is granted. Whoever grants holds the majors, in the order of their numbers, until the
//! transaction ends: two who grant at once wait for each other, and the second sees what the first left.

use std::collections::HashMap;

use infra::Result;
use sqlx::PgConnection;

pub(super) use enrolment_rules::quota::{Held, over_capacity};

/// Holds these majors, with what all plans but this one were granted.
///
/// # Errors
/// Those of the database.
pub(super) async fn hold(
    connection: &mut PgConnection,
    majors: &[i64],
    but: Option<i64>,
) -> Result<HashMap<i64, Held>> {
    sqlx::query_scalar!("select id from enrollment_major where id = any($1) order by id for no key update", majors)
        .fetch_all(&mut *connection)
        .await?;
    // Read after they are held, so that what others granted until then is seen.
    let rows = sqlx::query!(
        r#"select e.id, m.name, e.enabled, e.quota,
                  (select coalesce(sum(n.quota_approved), 0) from site_enrollment_line n
                   where n.enrollment_major_id = e.id and ($2::bigint is null or n.site_enrollment_id <> $2)) as "granted!"
           from enrollment_major e join major m on m.id = e.major_id where e.id = any($1)"#,
        majors,
        but
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            (row.id, Held { name: row.name, enabled: row.enabled, quota: row.quota.into(), granted: row.granted })
        })
        .collect())
}
