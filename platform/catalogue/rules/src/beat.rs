//! What counts of a player's beat (01 §9.2).

/// Seconds from one beat to the next.
pub const EVERY: i64 = 30;

/// The seconds that count of those that a player says were watched since the learner's last beat, which was `since` real seconds ago:
/// at most twice as many, for who watches fast, and five more for what the way took. Beats that come sooner than half of [`EVERY`]
/// have no such five: sent at once they would add up to a lesson that nobody watched.
pub fn accepted(delta: i64, since: i64) -> i64 {
    let since = since.max(0);
    let on_the_way = if since * 2 < EVERY { 0 } else { 5 };
    delta.clamp(0, since * 2 + on_the_way)
}

/// Where a player can stand, in seconds: nowhere behind the end of its lesson, whatever it says.
pub fn reached(position: i64, duration: Option<i64>) -> i64 {
    position.clamp(0, duration.unwrap_or(i64::MAX).max(0))
}

/// Whether a lesson is finished: 95 % of it were both reached and watched. One of unknown length never is.
pub fn is_covered(watched: i64, position: i64, duration: Option<i64>) -> bool {
    duration.is_some_and(|seconds| seconds > 0 && watched.min(position) * 100 >= seconds * 95)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_counts_what_can_have_been_watched() {
        assert_eq!(accepted(600, 30), 65);
        assert_eq!(accepted(30, 30), 30);
        assert_eq!(accepted(60, 30), 60, "twice as fast");
        assert_eq!(accepted(-10, 30), 0);
        assert_eq!(accepted(10, -3), 0, "a clock that went back");
        assert_eq!((accepted(600, 0), accepted(600, 14), accepted(600, 15)), (0, 28, 35), "beats that come at once");
    }

    #[test]
    fn a_player_stands_within_its_lesson() {
        assert_eq!((reached(90, Some(100)), reached(9_999, Some(100)), reached(-5, Some(100))), (90, 100, 0));
        assert_eq!((reached(9_999, None), reached(-5, None), reached(7, Some(-1))), (9_999, 0, 0));
    }

    #[test]
    fn a_lesson_is_finished_when_it_was_watched() {
        assert!(is_covered(95, 100, Some(100)) && !is_covered(94, 100, Some(100)));
        assert!(!is_covered(10, 100, Some(100)), "who jumps to the end has not watched");
        assert!(!is_covered(100, 100, None) && !is_covered(0, 0, Some(0)));
    }
}
