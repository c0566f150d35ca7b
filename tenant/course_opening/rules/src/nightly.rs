//! When openings end with their semester (part 03 B2).

use infra::schedule::When;

/// After the rosters were brought up to their students.
pub const WHEN: When = When::Daily { hour: 2, minute: 30 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_after_the_rosters() {
        assert_eq!(WHEN, When::Daily { hour: 2, minute: 30 });
    }
}
