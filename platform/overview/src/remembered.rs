//! Figures are remembered for five minutes, and computed anew at most once a minute by who asks for it (01 §11).

use std::{future::Future, sync::Arc, time::Duration};

use infra::{App, Error, Result, clock::Moment};
use moka::future::Cache;

use crate::figures::Figures;

const MINUTES: i64 = 5;
/// A person may ask for new figures when those shown are so old.
const REFRESHED_AFTER_SECONDS: i64 = 60;
/// Pages that are remembered; each is some kilobytes.
const MOST: u64 = 2000;

/// Whose figures they are: everybody with the same reach sees the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Whose {
    /// Of an operator's schools (none: all), at the time of the roll-up, with or without those for demonstration.
    Operators(Option<Vec<i64>>, Option<Moment>, Option<bool>),
    /// Of a school, of these sites and classes (none: the whole school).
    School(i64, Option<(Vec<i64>, Vec<i64>)>),
}

struct Remembered(Cache<Whose, Arc<Figures>>);

impl Remembered {
    fn new() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MOST)
                .time_to_live(Duration::from_secs(2 * 60 * MINUTES.unsigned_abs()))
                .build(),
        )
    }
}

/// The remembered figures, else what `compute` gives.
///
/// # Errors
/// 429 when somebody asks for new ones within a minute.
pub(crate) async fn figures(
    app: &App,
    whose: Whose,
    refresh: bool,
    compute: impl Future<Output = Result<Figures>>,
) -> Result<Arc<Figures>> {
    let cache = &app.of_room(|_| Remembered::new()).0;
    if let Some(known) = cache.get(&whose).await {
        let age = app.clock().now() - known.computed_at;
        if refresh && age < chrono::Duration::seconds(REFRESHED_AFTER_SECONDS) {
            return Err(Error::too_many("数据刚刚更新过，请稍后再试"));
        }
        if !refresh && age < chrono::Duration::minutes(MINUTES) {
            return Ok(known);
        }
    }
    let fresh = Arc::new(compute.await?);
    cache.insert(whose, Arc::clone(&fresh)).await;
    Ok(fresh)
}
