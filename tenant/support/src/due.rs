//! When the job of every minute looks into a school: what is due there, and what its operators are told in numbers. A school without
//! anything due is never visited, so that a thousand quiet schools cost nothing.
//!
//! Whoever changes something says so before they commit: a look too many finds nothing, one too few would find it at night.

use chrono::Duration;
use infra::{App, Result, clock::Moment, tx};

/// Asks for a look at a moment to come; nothing for the platform, which is looked at every minute.
///
/// # Errors
/// Those of the database.
pub(crate) async fn note(app: &App, school: Option<i64>, at: Moment) -> Result<()> {
    let Some(school) = school else { return Ok(()) };
    let mut tx = tx::for_counters(app).await?;
    sqlx::query!(
        "insert into platform.support_due as d (school_id, look_at) values ($1, $2)
         on conflict (school_id) do update
         set look_at = case when d.look_at < excluded.look_at then d.look_at else excluded.look_at end",
        school,
        at
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("a pointer to records whose own changes are in the trail").await
}

/// Asks for a look soon, after the caller's own transaction: the numbers of questions changed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn changed(app: &App, school: Option<i64>) -> Result<()> {
    note(app, school, app.clock().now() + Duration::minutes(1)).await
}
