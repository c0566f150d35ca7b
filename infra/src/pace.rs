//! How often one caller may call: so many calls in a while, and as many at once after a pause. It is counted in this server alone, where a
//! count costs no statement; with several servers a caller whom they share has the pace of each.

use std::{collections::HashMap, sync::Mutex};

use crate::{
    app::App,
    error::{Error, Result},
};

/// Callers that are remembered before those who have all their calls again are forgotten.
const MOST: usize = 100_000;
/// Milliseconds after which everybody has all calls again: no pace is longer.
const LONGEST: i64 = 60_000;

/// So many calls in so many milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub calls: i64,
    pub millis: i64,
}

impl Pace {
    pub const fn per_second(calls: i64) -> Self {
        Self { calls, millis: 1_000 }
    }

    pub const fn per_minute(calls: i64) -> Self {
        Self { calls, millis: 60_000 }
    }
}

/// What a caller has left. A call costs the milliseconds of the pace; each millisecond gives back its calls.
#[derive(Debug, Clone, Copy)]
struct Left {
    amount: i64,
    at: i64,
}

impl Left {
    const fn all(pace: Pace, at: i64) -> Self {
        Self { amount: pace.calls.saturating_mul(pace.millis), at }
    }

    fn at(self, pace: Pace, now: i64) -> Self {
        let whole = Self::all(pace, now.max(self.at));
        let gained = (now - self.at).max(0).saturating_mul(pace.calls);
        Self { amount: self.amount.saturating_add(gained).min(whole.amount), at: whole.at }
    }

    /// What is left after one more call; none when there is not so much.
    fn after_one(self, pace: Pace, now: i64) -> Option<Self> {
        let left = self.at(pace, now);
        (left.amount >= pace.millis).then_some(Self { amount: left.amount - pace.millis, at: left.at })
    }
}

/// The callers of a kind by what names them.
#[derive(Debug)]
struct Callers {
    left: HashMap<(&'static str, String), Left>,
    /// With so many they are looked through, for those who can be forgotten.
    most: usize,
}

impl Default for Callers {
    fn default() -> Self {
        Self { left: HashMap::new(), most: MOST }
    }
}

#[derive(Debug, Default)]
struct Paces(Mutex<Callers>);

impl Paces {
    fn count(&self, kind: &'static str, caller: &str, pace: Pace, now: i64) -> bool {
        let mut known = self.0.lock().expect("counting does not panic");
        if known.left.len() >= known.most {
            known.left.retain(|_, left| now - left.at < LONGEST);
            // Where most of them were here lately, they are not looked through at each call.
            known.most = known.left.len().saturating_mul(2).max(MOST);
        }
        let key = (kind, caller.to_owned());
        let left = known.left.get(&key).copied().unwrap_or_else(|| Left::all(pace, now));
        let after = left.after_one(pace, now);
        if let Some(after) = after {
            known.left.insert(key, after);
        }
        after.is_some()
    }
}

impl App {
    /// Counts a call of `caller` among those of a kind, for example the number of a session among those of the clients.
    ///
    /// # Errors
    /// 429 when the caller is faster than the pace.
    pub fn in_pace(&self, kind: &'static str, caller: &str, pace: Pace) -> Result<()> {
        let paces = self.of_room(|_| Paces::default());
        if paces.count(kind, caller, pace, self.clock().now().timestamp_millis()) {
            Ok(())
        } else {
            Err(Error::too_many("操作过于频繁，请稍后再试"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_at_once_and_then_one_every_twentieth_of_a_second() {
        let (paces, pace) = (Paces::default(), Pace::per_second(20));
        let count = |caller: &str, now: i64| paces.count("client", caller, pace, now);
        assert_eq!((0..25).filter(|_| count("a", 1_000)).count(), 20);
        assert!(!count("a", 1_049) && count("a", 1_050) && !count("a", 1_050));
        assert!(count("b", 1_050), "others have their own");
        assert!(!count("a", 1_000), "a clock that goes back gives nothing");
        assert_eq!((0..25).filter(|_| count("a", 9_000)).count(), 20, "a pause gives no more than all");
    }

    #[test]
    fn a_minute_is_counted_like_a_second() {
        let (paces, pace) = (Paces::default(), Pace::per_minute(30));
        let count = |now: i64| paces.count("calendar", "a", pace, now);
        assert_eq!((0..31).filter(|_| count(0)).count(), 30);
        assert!(!count(1_999) && count(2_000));
    }

    #[test]
    fn who_was_not_here_lately_is_forgotten() {
        let (paces, pace) = (Paces::default(), Pace::per_second(20));
        for caller in 0..MOST {
            assert!(paces.count("client", &caller.to_string(), pace, 0));
        }
        assert!(paces.count("client", "another", pace, LONGEST));
        assert_eq!(paces.0.lock().expect("no panic").left.len(), 1);
    }

    #[test]
    fn callers_who_stay_are_not_looked_through_at_each_call() {
        let (paces, pace) = (Paces::default(), Pace::per_second(20));
        for caller in 0..=MOST {
            assert!(paces.count("client", &caller.to_string(), pace, 0));
        }
        let known = paces.0.lock().expect("no panic");
        assert_eq!((known.left.len(), known.most), (MOST + 1, 2 * MOST));
    }
}
