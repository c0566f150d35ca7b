//! Time and random numbers as arguments, so that tests can fix them (a lint forbids the usual sources elsewhere).

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicI64, Ordering},
};

mod hours;
mod moment;

use chrono::{FixedOffset, NaiveDate, NaiveTime, Utc};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use uuid::Uuid;

pub use hours::next_within;
pub use moment::Moment;

/// China has one time zone; everything that leaves the server carries this offset (00 §4).
pub fn china() -> FixedOffset {
    FixedOffset::east_opt(8 * 3600).expect("eight hours is a valid offset")
}

/// When a day begins in China.
pub fn day_began(day: NaiveDate) -> Moment {
    (day.and_time(NaiveTime::MIN) - china()).and_utc().into()
}

/// When a day is over in China.
pub fn day_ended(day: NaiveDate) -> Moment {
    day_began(day.succ_opt().unwrap_or(day))
}

/// The one source of time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// What a test added to the real time, in milliseconds.
    shift: Arc<AtomicI64>,
}

impl Clock {
    pub fn now(&self) -> Moment {
        #[allow(clippy::disallowed_methods, reason = "the clock is where time enters")]
        let real = Utc::now();
        (real + chrono::Duration::milliseconds(self.shift.load(Ordering::Relaxed))).into()
    }

    pub fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    /// Moves the clock; for tests that let minutes pass.
    pub fn shift(&self, by: chrono::Duration) {
        self.shift.fetch_add(by.num_milliseconds(), Ordering::Relaxed);
    }
}

/// The one source of random numbers: the operating system's, or a fixed seed in tests.
#[derive(Clone)]
pub struct Random {
    rng: Arc<Mutex<ChaCha20Rng>>,
}

impl Random {
    /// Seeded by the operating system.
    ///
    /// # Panics
    /// When the system has no random source; nothing secure can run then.
    pub fn system() -> Self {
        let mut seed = [0; 32];
        aws_lc_rs::rand::fill(&mut seed).expect("the operating system gives random numbers");
        Self::seeded(seed)
    }

    pub fn seeded(seed: [u8; 32]) -> Self {
        Self { rng: Arc::new(Mutex::new(ChaCha20Rng::from_seed(seed))) }
    }

    pub fn fill(&self, bytes: &mut [u8]) {
        self.rng.lock().expect("nothing panics while it holds the generator").fill_bytes(bytes);
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    pub fn uuid(&self) -> Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }

    /// `length` characters out of `alphabet`, each equally likely.
    pub fn text(&self, alphabet: &[u8], length: usize) -> String {
        let limit = 256 - 256 % alphabet.len();
        let mut out = String::with_capacity(length);
        while out.len() < length {
            let [byte] = self.bytes::<1>();
            if usize::from(byte) < limit {
                out.push(char::from(alphabet[usize::from(byte) % alphabet.len()]));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_day_in_china() {
        let day = NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day");
        assert_eq!(day_began(day).to_rfc3339(), "2026-03-01T00:00:00+08:00");
        assert_eq!(day_ended(day).to_rfc3339(), "2026-03-02T00:00:00+08:00");
    }
}
