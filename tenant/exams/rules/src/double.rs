//! 双评: what two marks of an answer come to (part 04 §2.3). Scores are tenths.

use question_bank::score::part;

/// What they come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreed {
    Score(i64),
    /// They differ too much: a third one decides.
    Arbitrate,
}

/// The mean, as long as they differ by no more than so many percent of the answer's score.
pub fn agreed(a: i64, b: i64, full: i64, percent: i64) -> Agreed {
    if (a - b).abs() * 100 <= percent * full { Agreed::Score(part(a + b, 1, 2)) } else { Agreed::Arbitrate }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_of_twenty_are_fifteen_percent() {
        assert_eq!(agreed(120, 140, 200, 15), Agreed::Score(130));
        assert_eq!(agreed(120, 150, 200, 15), Agreed::Score(135));
        assert_eq!(agreed(100, 160, 200, 15), Agreed::Arbitrate);
        assert_eq!(agreed(120, 125, 200, 15), Agreed::Score(123), "half up");
    }
}
