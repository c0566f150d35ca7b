//! When changes take effect (02 §10).

use infra::schedule::When;

/// Behind midnight, when the day of a change has begun.
pub const WHEN: When = When::Daily { hour: 0, minute: 10 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_ten_past_midnight() {
        assert_eq!(WHEN, When::Daily { hour: 0, minute: 10 });
    }
}
