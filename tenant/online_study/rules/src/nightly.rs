//! When what follows by itself does so (part 03 B5, C7).

use infra::schedule::When;

/// Progress after its periods or their rule changed.
pub const RECOUNTED: When = When::Every { minutes: 10 };

/// What went unnoticed by day, and sessions that are no longer kept.
pub const TIDIED: When = When::Daily { hour: 3, minute: 20 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_follows_within_ten_minutes() {
        assert_eq!(RECOUNTED, When::Every { minutes: 10 });
        assert_eq!(TIDIED, When::Daily { hour: 3, minute: 20 });
    }
}
