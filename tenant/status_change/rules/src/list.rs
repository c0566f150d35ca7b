//! Which changes a list shows (02 §10).

use crate::enums::{ChangeScope, ChangeStatus};

/// The statuses that tab and filter leave; none means all.
pub fn statuses(scope: Option<ChangeScope>, status: Option<&[ChangeStatus]>) -> Option<Vec<String>> {
    let shown = |status: &ChangeStatus| scope.is_none_or(|scope| scope.shows(*status));
    let words = |statuses: &mut dyn Iterator<Item = ChangeStatus>| {
        statuses.filter(shown).map(|status| status.as_str().to_owned()).collect::<Vec<_>>()
    };
    match (status, scope) {
        (None, None | Some(ChangeScope::All)) => None,
        (Some(wanted), _) => Some(words(&mut wanted.iter().copied())),
        (None, Some(_)) => Some(words(&mut ChangeStatus::CHOICES.iter().map(|(_, status)| *status))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_and_filter_leave_the_statuses_that_both_show() {
        let told = |scope, status: Option<Vec<ChangeStatus>>| statuses(scope, status.as_deref());
        assert_eq!(told(None, None), None);
        assert_eq!(told(Some(ChangeScope::All), None), None);
        let results = told(Some(ChangeScope::Results), None);
        assert_eq!(results, Some(["approved", "executed", "revoked"].map(str::to_owned).to_vec()));
        let both = told(Some(ChangeScope::Results), Some(vec![ChangeStatus::Draft, ChangeStatus::Revoked]));
        assert_eq!(both, Some(vec!["revoked".to_owned()]));
        assert_eq!(told(None, Some(vec![ChangeStatus::Draft])), Some(vec!["draft".to_owned()]));
    }
}
