//! Lock-out after wrong passwords: when one more locks (01 §1.4.5).

use chrono::Duration;
use infra::clock::Moment;

const FAILURE_WINDOW_MINUTES: i64 = 15;

/// What stands of an account's failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failures {
    pub count: i32,
    pub since: Option<Moment>,
    pub locked_until: Option<Moment>,
}

impl Failures {
    /// One more, or the first again when a lock or the window is over; the last that is allowed locks at once.
    #[must_use]
    pub fn with_one_more(self, now: Moment, most: i64, lock_minutes: i64) -> Self {
        let window = now - Duration::minutes(FAILURE_WINDOW_MINUTES);
        let (count, since) = match self.since {
            Some(since) if self.locked_until.is_none() && since >= window => (self.count + 1, since),
            _ => (1, now),
        };
        let is_last = i64::from(count) >= most;
        Self { count, since: Some(since), locked_until: is_last.then(|| now + Duration::minutes(lock_minutes)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_try_locks_and_the_first_after_a_lock_or_the_window_counts_anew() {
        let now = Moment::default() + Duration::days(20_000);
        let stood = |count, minutes_ago, locked: Option<i64>| Failures {
            count,
            since: Some(now - Duration::minutes(minutes_ago)),
            locked_until: locked.map(|minutes| now + Duration::minutes(minutes)),
        };
        let none = Failures { count: 0, since: None, locked_until: None };
        let told = |before: Failures| {
            let after = before.with_one_more(now, 5, 15);
            (after.count, after.since, after.locked_until)
        };
        let lock = Some(now + Duration::minutes(15));
        assert_eq!(told(none), (1, Some(now), None));
        assert_eq!(told(stood(3, 14, None)), (4, Some(now - Duration::minutes(14)), None));
        assert_eq!(told(stood(4, 15, None)), (5, Some(now - Duration::minutes(15)), lock));
        assert_eq!(told(stood(4, 16, None)), (1, Some(now), None));
        assert_eq!(told(stood(5, 14, Some(-1))), (1, Some(now), None));
    }
}
