//! Whom a list over schools leaves out for a while, and how many such lists one operator has at once (05 F 6).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use chrono::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::LeftOut;
use crate::{Error, Result, clock::Moment};

/// Lists over schools that one operator has at once.
const LISTS_AT_ONCE: usize = 2;
/// Time-outs within [`WATCHED`] after which a school is left out for [`REST`].
const FAILURES: usize = 3;
const WATCHED: Duration = Duration::minutes(5);
const REST: Duration = Duration::minutes(1);

#[derive(Debug, Default)]
pub(super) struct Breaker {
    /// When a school did not answer in time: the last of these, and those within [`WATCHED`] before it.
    late: Mutex<HashMap<i64, Vec<Moment>>>,
    places: Mutex<HashMap<i64, Arc<Semaphore>>>,
}

impl Breaker {
    /// A place among the lists of one operator.
    ///
    /// # Errors
    /// 429 when both are taken.
    pub(super) fn enter(&self, user_id: i64) -> Result<OwnedSemaphorePermit> {
        let mut places = self.places.lock().expect("counting places does not panic");
        // Whoever has no list open is forgotten.
        places.retain(|_, place| place.available_permits() < LISTS_AT_ONCE);
        let place = places.entry(user_id).or_insert_with(|| Arc::new(Semaphore::new(LISTS_AT_ONCE)));
        Arc::clone(place).try_acquire_owned().map_err(|_| Error::too_many("正在查询多所院校的数据，请稍候再试"))
    }

    pub(super) fn is_open(&self, school: i64, now: Moment) -> bool {
        let late = self.late.lock().expect("noting time-outs does not panic");
        late.get(&school)
            .is_some_and(|times| times.len() >= FAILURES && times.last().is_some_and(|&last| now - last < REST))
    }

    pub(super) fn failed(&self, school: i64, reason: LeftOut, now: Moment) {
        if reason != LeftOut::Timeout {
            return;
        }
        let mut late = self.late.lock().expect("noting time-outs does not panic");
        let times = late.entry(school).or_default();
        times.retain(|&time| now - time < WATCHED);
        times.push(now);
    }

    pub(super) fn answered(&self, school: i64) {
        self.late.lock().expect("noting time-outs does not panic").remove(&school);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time").into()
    }

    #[test]
    fn three_time_outs_in_five_minutes_leave_a_school_out_for_one() {
        let breaker = Breaker::default();
        for time in [0, 60, 299] {
            assert!(!breaker.is_open(7, at(time)));
            breaker.failed(7, LeftOut::Timeout, at(time));
        }
        assert!(breaker.is_open(7, at(299)));
        assert!(breaker.is_open(7, at(358)));
        assert!(!breaker.is_open(7, at(359)));
        assert!(!breaker.is_open(8, at(299)));
        breaker.answered(7);
        assert!(!breaker.is_open(7, at(300)));
    }

    #[test]
    fn time_outs_far_apart_leave_nobody_out() {
        let breaker = Breaker::default();
        for time in [0, 200, 301] {
            breaker.failed(7, LeftOut::Timeout, at(time));
        }
        assert!(!breaker.is_open(7, at(302)));
        breaker.failed(7, LeftOut::Unavailable, at(303));
        assert!(!breaker.is_open(7, at(303)));
    }

    #[test]
    fn an_operator_has_two_lists_at_once() {
        let breaker = Breaker::default();
        let first = breaker.enter(1).expect("a place");
        let _second = breaker.enter(1).expect("a place");
        assert_eq!(breaker.enter(1).expect_err("a third").code, 429);
        assert!(breaker.enter(2).is_ok());
        drop(first);
        assert!(breaker.enter(1).is_ok());
    }
}
