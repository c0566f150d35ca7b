//! How long callers wait for their connection, in this server, for the monitor.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Mutex,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// So many of the newest waits are looked at.
const REMEMBERED: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Waits {
    waiting: AtomicI64,
    timeouts: AtomicU64,
    recent: Mutex<VecDeque<Duration>>,
    schools: Mutex<HashMap<i64, Minute>>,
}

/// Transactions of a school in the running minute and in the one before.
#[derive(Debug, Clone, Copy)]
struct Minute {
    since: Instant,
    now: i64,
    before: i64,
}

/// Figures of this server since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitFigures {
    /// Callers that wait for a connection now.
    pub waiting: i64,
    /// 95 of 100 of the newest waits were shorter; with the opening statement.
    pub p95: Duration,
    pub timeouts: u64,
}

/// A caller that waits; one whose request was dropped waits no more.
pub(super) struct Waiting<'w> {
    waits: &'w Waits,
    since: Instant,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.waits.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Waiting<'_> {
    pub(super) fn connected(self) {
        let mut recent = self.waits.recent.lock().expect("no look at the waits panics");
        if recent.len() == REMEMBERED {
            recent.pop_front();
        }
        recent.push_back(self.since.elapsed());
    }

    pub(super) fn timed_out(self) {
        self.waits.timeouts.fetch_add(1, Ordering::Relaxed);
    }
}

impl Waits {
    pub(super) fn begin(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting { waits: self, since: Instant::now() }
    }

    pub(super) fn figures(&self) -> WaitFigures {
        let mut sorted: Vec<Duration> =
            self.recent.lock().expect("no look at the waits panics").iter().copied().collect();
        sorted.sort_unstable();
        WaitFigures {
            waiting: self.waiting.load(Ordering::Relaxed),
            p95: sorted.get(sorted.len() * 95 / 100).copied().unwrap_or_default(),
            timeouts: self.timeouts.load(Ordering::Relaxed),
        }
    }

    pub(super) fn count(&self, school: i64) {
        let now = Instant::now();
        let mut schools = self.schools.lock().expect("no count panics");
        let minute = schools.entry(school).or_insert(Minute { since: now, now: 0, before: 0 });
        *minute = minute.at(now);
        minute.now += 1;
    }

    pub(super) fn per_minute(&self, school: i64) -> i64 {
        let schools = self.schools.lock().expect("no count panics");
        schools.get(&school).map_or(0, |minute| {
            let minute = minute.at(Instant::now());
            minute.now.max(minute.before)
        })
    }
}

impl Minute {
    fn at(self, now: Instant) -> Self {
        match now.duration_since(self.since).as_secs() {
            0..60 => self,
            60..120 => Self { since: self.since + Duration::from_secs(60), now: 0, before: self.now },
            _ => Self { since: now, now: 0, before: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_request_waits_no_more() {
        let waits = Waits::default();
        let first = waits.begin();
        drop(waits.begin());
        assert_eq!(waits.figures().waiting, 1);
        first.connected();
        assert_eq!(waits.figures().waiting, 0);
        waits.begin().timed_out();
        assert_eq!(waits.figures().timeouts, 1);
    }

    #[test]
    fn a_minute_passes_and_the_count_is_the_former_ones() {
        let since = Instant::now();
        let minute = Minute { since, now: 7, before: 3 };
        assert_eq!(minute.at(since + Duration::from_secs(59)).now, 7);
        let next = minute.at(since + Duration::from_secs(61));
        assert_eq!((next.now, next.before), (0, 7));
        assert_eq!(minute.at(since + Duration::from_secs(200)).before, 0);
    }
}
