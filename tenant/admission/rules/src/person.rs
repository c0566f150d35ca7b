//! Somebody who was admitted, as matching and assignment know them.

use crate::enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionStatus};

/// A row that is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Person {
    pub id: i64,
    pub version: i32,
    pub batch_id: i64,
    pub grade_id: i64,
    pub name: String,
    pub id_card_no: String,
    pub examinee_no: String,
    pub phone: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    /// Of the batch, and of the school.
    pub enrollment_major_id: i64,
    pub major_id: i64,
    pub total_score: Option<i32>,
    pub pre_registration_id: Option<i64>,
    pub match_status: AdmissionMatchStatus,
    pub issues: Vec<AdmissionIssue>,
    pub site_id: Option<i64>,
    pub status: AdmissionStatus,
}

impl Person {
    /// Says or takes back one problem; they stand in the order in which people read them.
    pub fn note(&mut self, issue: AdmissionIssue, there: bool) {
        self.issues.retain(|known| *known != issue);
        if there {
            self.issues.push(issue);
            let place = |issue: &AdmissionIssue| AdmissionIssue::CHOICES.iter().position(|(_, known)| known == issue);
            self.issues.sort_by_key(place);
        }
    }

    /// Takes the lead away; the name is compared with nobody's any more.
    pub fn unlink(&mut self) {
        self.pre_registration_id = None;
        self.match_status = AdmissionMatchStatus::Unmatched;
        self.note(AdmissionIssue::MajorDiffers, false);
        self.note(AdmissionIssue::NameDiffers, is_broken(&self.name));
    }

    /// Of which nobody has decided yet.
    pub fn is_open(&self) -> bool {
        matches!(self.status, AdmissionStatus::Imported | AdmissionStatus::Assigned)
    }
}

/// Whether a sign of the name was lost on its way (02 §14.1).
pub fn is_broken(name: &str) -> bool {
    name.contains(['?', '？', '\u{FFFD}'])
}

/// The order in which places are taken: the best score first, then by 考生号 (02 §6, scenario 9).
pub fn before(one: &Person, other: &Person) -> std::cmp::Ordering {
    other.total_score.cmp(&one.total_score).then_with(|| one.examinee_no.cmp(&other.examinee_no))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn person(id: i64, name: &str) -> Person {
        Person {
            id,
            version: 1,
            batch_id: 1,
            grade_id: 1,
            name: name.to_owned(),
            id_card_no: format!("4299001996031502{id:02}"),
            examinee_no: format!("0501230000{id:04}"),
            phone: None,
            address: None,
            postal_code: None,
            enrollment_major_id: 1,
            major_id: 1,
            total_score: None,
            pre_registration_id: None,
            match_status: AdmissionMatchStatus::Unmatched,
            issues: Vec::new(),
            site_id: None,
            status: AdmissionStatus::Imported,
        }
    }

    #[test]
    fn the_best_score_comes_first() {
        let of = |id, score| Person { total_score: score, ..person(id, "张伟") };
        let mut people = [of(1, None), of(3, Some(3005)), of(2, Some(3005)), of(4, Some(3010))];
        people.sort_by(before);
        assert_eq!(people.map(|person| person.id), [4, 2, 3, 1]);
    }

    #[test]
    fn a_name_with_a_lost_sign_is_no_name() {
        assert!(is_broken("张?") && is_broken("张？？") && !is_broken("张㐂"));
        let mut somebody = person(1, "张?");
        somebody.note(AdmissionIssue::OverQuota, true);
        somebody.unlink();
        assert_eq!(somebody.issues, [AdmissionIssue::NameDiffers, AdmissionIssue::OverQuota]);
    }
}
