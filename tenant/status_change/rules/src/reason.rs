//! 异动原因 of a sheet (02 §10).

use crate::enums::{ChangeReason, ChangeType};

/// The code of a reason that is written in words; of other words 其他.
pub fn reason_code(kind: ChangeType, words: &str) -> Option<ChangeReason> {
    let fits = |reason: &ChangeReason| match kind {
        ChangeType::Dropout => reason.of_withdrawal().is_some(),
        ChangeType::Suspension => reason.is_of_suspension(),
        _ => false,
    };
    let known = ChangeReason::CHOICES.iter().find(|(word, _)| *word == words).map(|(_, reason)| *reason);
    match kind {
        ChangeType::Dropout | ChangeType::Suspension => Some(known.filter(fits).unwrap_or(ChangeReason::Other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_in_words_has_its_code() {
        assert_eq!(reason_code(ChangeType::Dropout, "本人申请"), Some(ChangeReason::Voluntary));
        assert_eq!(reason_code(ChangeType::Dropout, "应征入伍"), Some(ChangeReason::Other));
        assert_eq!(reason_code(ChangeType::Suspension, "应征入伍"), Some(ChangeReason::Military));
        assert_eq!(reason_code(ChangeType::Suspension, "出国"), Some(ChangeReason::Other));
        assert_eq!(reason_code(ChangeType::ClassChange, "本人申请"), None);
    }
}
