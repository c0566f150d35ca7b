//! Which papers an archive holds, and what it lacks (part 04 §11).

use crate::enums::{ArchiveItemCode, ArchiveItemOrigin, ArchiveItemStatus, ArchiveStatus};

/// What the student's plan has, and whether a certificate belongs to the decision.
#[derive(Debug, Clone, Copy, Default)]
pub struct HasParts {
    pub thesis: bool,
    pub internship: bool,
    pub certificate: bool,
}

/// The papers that apply, in their order: each with where it comes from and whether it is needed.
pub fn of(has: HasParts) -> Vec<(ArchiveItemCode, ArchiveItemOrigin, bool)> {
    use ArchiveItemCode::{
        Admission, Audit, Certificate, Cover, Identity, Internship, Registration, Rewards, Roll, Thesis, ThesisForms,
        Transcript,
    };
    use ArchiveItemOrigin::{Generated, Upload};
    let all = [
        (Cover, Generated, true, true),
        (Admission, Generated, true, true),
        (Roll, Generated, true, true),
        (Transcript, Generated, true, true),
        (Registration, Generated, true, true),
        (Audit, Generated, true, true),
        (Thesis, Upload, true, has.thesis),
        (ThesisForms, Generated, true, has.thesis),
        (Internship, Upload, true, has.internship),
        (Rewards, Generated, false, true),
        (Identity, Upload, true, true),
        (Certificate, Generated, true, has.certificate),
    ];
    all.into_iter().filter(|(.., applies)| *applies).map(|(code, origin, needed, _)| (code, origin, needed)).collect()
}

/// How many of the needed papers are there, of how many, and what the archive is by that.
pub fn standing(items: &[(bool, ArchiveItemStatus)]) -> (usize, usize, ArchiveStatus) {
    let needed = items.iter().filter(|(needed, _)| *needed).count();
    let ready = items.iter().filter(|(needed, status)| *needed && *status != ArchiveItemStatus::Missing).count();
    let status = if ready == needed { ArchiveStatus::Complete } else { ArchiveStatus::Collecting };
    (ready, needed, status)
}

/// What is lacking, for a person: `缺少：论文归档稿`.
pub fn lacking(items: &[(ArchiveItemCode, bool, ArchiveItemStatus)]) -> Option<String> {
    let missing: Vec<&str> = items
        .iter()
        .filter(|(_, needed, status)| *needed && *status == ArchiveItemStatus::Missing)
        .map(|(code, ..)| code.zh())
        .collect();
    (!missing.is_empty()).then(|| format!("缺少：{}", missing.join("、")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_applies_follows_the_plan() {
        let plain = of(HasParts::default());
        assert_eq!(plain.len(), 8);
        assert!(plain.iter().all(|(code, ..)| *code != ArchiveItemCode::Thesis));
        let all = of(HasParts { thesis: true, internship: true, certificate: true });
        assert_eq!(all.len(), 12);
        assert_eq!(all.iter().filter(|(.., needed)| !needed).count(), 1);
    }

    #[test]
    fn what_is_lacking_is_told() {
        use ArchiveItemStatus::{Missing, Ready, Waived};
        let items = [
            (ArchiveItemCode::Cover, true, Ready),
            (ArchiveItemCode::Thesis, true, Missing),
            (ArchiveItemCode::Rewards, false, Missing),
        ];
        assert_eq!(lacking(&items).as_deref(), Some("缺少：论文归档稿"));
        assert_eq!(lacking(&items[..1]), None);
        assert_eq!(standing(&[(true, Ready), (true, Missing)]), (1, 2, ArchiveStatus::Collecting));
        assert_eq!(standing(&[(true, Ready), (true, Waived), (false, Missing)]), (2, 2, ArchiveStatus::Complete));
    }
}
