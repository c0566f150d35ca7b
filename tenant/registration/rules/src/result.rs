//! 导入报到结果: what of a row is compared and read, and at which sites a desk is (02 §7).

use infra::Scope;
use people::id_card::{IdCardType, fold, normalise};

use crate::enums::ReserveReason;

/// Whether who reports at the desk of one scope does so at every site of the other.
pub fn covers(desk: &Scope, other: &Scope) -> bool {
    desk.is_whole() || other.sites().is_some_and(|sites| sites.iter().all(|site| desk.sees(Some(*site), None)))
}

/// Whether a number that somebody wrote is the one that is stored.
pub fn is_same(stored: &str, written: &str) -> bool {
    stored == fold(written) || stored == normalise(IdCardType::ResidentId, written)
}

/// Which reason the words are, where they are those of one.
pub fn reason_of(words: &str) -> ReserveReason {
    let known = ReserveReason::CHOICES.iter().find(|(word, _)| *word == words);
    known.map_or(ReserveReason::Other, |(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_compared_as_it_is_stored() {
        assert!(is_same("11010519491231002X", "11010519491231002x"));
        assert!(is_same("11010519491231002X", "110105491231002"));
        assert!(is_same("E12345678", "e12345678"));
        assert!(!is_same("11010519491231002X", "110105194912310020"));
    }

    #[test]
    fn a_desk_is_where_the_sheet_is() {
        let of = |sites: &[i64]| Scope::limited(sites.to_vec(), Vec::new());
        assert!(covers(&Scope::whole_school(), &Scope::whole_school()) && covers(&of(&[1, 2]), &of(&[2])));
        assert!(!covers(&of(&[1]), &of(&[1, 2])) && !covers(&of(&[1]), &Scope::whole_school()));
    }

    #[test]
    fn words_are_a_reason() {
        assert_eq!(reason_of("应征入伍"), ReserveReason::Military);
        assert_eq!(reason_of("家中有事"), ReserveReason::Other);
    }
}
