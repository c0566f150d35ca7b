//! When the job of every minute looks into a school: what is due there, and what its operators are told in numbers. A school without
//! anything due is never visited, so that a thousand quiet schools cost nothing.
//!
//! Whoever changes something says so once it is committed, and a look takes the mark away before it reads: so it sees the change, or
//! leaves the mark. What a crash between the two forgets is found at night.

use chrono::Duration;
use infra::{App, Result, clock::Moment, tx};

/// Why a look that is asked for has no trail.
pub(crate) const POINTER: &str = "a pointer to records whose own changes are in the trail";

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
    tx.commit_untracked(POINTER).await
}

/// Asks for a look soon: the numbers of questions changed.
///
/// # Errors
/// Those of the database.
pub(crate) async fn changed(app: &App, school: Option<i64>) -> Result<()> {
    note(app, school, app.clock().now() + Duration::minutes(1)).await
}
