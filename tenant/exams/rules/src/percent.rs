//! A score of a paper as one of a hundred (part 04 §2.3).

use question_bank::score::part;

/// In tenths, rounded half up: 63 of 75 are 84.0.
pub fn of_hundred(total: i64, paper_total: i64) -> i64 {
    if paper_total <= 0 { 0 } else { part(total, 1_000, paper_total).min(1_000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_three_of_seventy_five() {
        assert_eq!(of_hundred(630, 750), 840);
        assert_eq!(of_hundred(0, 750), 0);
        assert_eq!(of_hundred(335, 1_000), 335);
        assert_eq!(of_hundred(10, 0), 0);
    }
}
