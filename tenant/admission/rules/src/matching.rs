//! 匹配: who is whom, and what is taken over of a lead (02 §6.4-6).

use std::collections::{HashMap, HashSet};

use people::id_card::fold;
use recruitment::admitting::Lead;

use crate::{
    enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionStatus},
    person::{Person, is_broken},
};

/// Who is whom: each lead once, the same ID number before the same 考生号, people in their order.
pub fn chosen(people: &[&Person], leads: Vec<Lead>) -> HashMap<i64, Lead> {
    let mut by_card: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_examinee: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, lead) in leads.iter().enumerate() {
        by_card.entry(&lead.id_card_no).or_default().push(n);
        if let Some(no) = &lead.examinee_no {
            by_examinee.entry(no).or_default().push(n);
        }
    }
    let mut used = HashSet::new();
    let mut of: HashMap<i64, usize> = HashMap::new();
    let mut take = |person: &Person, among: Option<&Vec<usize>>, of: &mut HashMap<i64, usize>| {
        if let Some(n) = among.and_then(|among| among.iter().copied().find(|n| !used.contains(n))) {
            used.insert(n);
            of.insert(person.id, n);
        }
    };
    for person in people {
        take(person, by_card.get(&*person.id_card_no), &mut of);
    }
    for person in people {
        if !of.contains_key(&person.id) {
            take(person, by_examinee.get(&*fold(&person.examinee_no)), &mut of);
        }
    }
    of.into_iter().map(|(person, n)| (person, leads[n].clone())).collect()
}

/// What the lead says of the person: whether the names agree, and whether the majors do.
pub fn join(person: &mut Person, lead: &Lead) {
    let same = plain(&person.name) == plain(&lead.name);
    person.pre_registration_id = Some(lead.id);
    person.match_status = if same { AdmissionMatchStatus::Matched } else { AdmissionMatchStatus::Conflict };
    person.note(AdmissionIssue::NameDiffers, !same || is_broken(&person.name));
    person.note(AdmissionIssue::MajorDiffers, person.major_id != lead.major_id);
}

/// A name as it is compared: without spaces, and with one of the dots that stand between the names of a minority.
fn plain(name: &str) -> String {
    let dot = |sign: char| if matches!(sign, '·' | '•' | '・' | '．' | '.' | '‧' | '∙') { '·' } else { sign };
    name.chars().filter(|sign| !sign.is_whitespace()).map(dot).collect()
}

/// What is taken over of a lead: its phone, which is newer, and what the authority left empty.
pub fn taken_over(person: &mut Person, lead: &Lead) {
    person.phone = Some(lead.phone.clone());
    if person.address.is_none() {
        person.address.clone_from(&lead.address);
    }
    if person.postal_code.is_none() {
        person.postal_code.clone_from(&lead.postal_code);
    }
}

/// Whether the authority may overwrite a row, and why not.
pub fn overwritable(status: AdmissionStatus) -> Result<(), &'static str> {
    match status {
        AdmissionStatus::Imported | AdmissionStatus::Assigned | AdmissionStatus::Cancelled => Ok(()),
        AdmissionStatus::Audited => Err("该生已审核，不能覆盖"),
        AdmissionStatus::Rejected => Err("该生不予入学，不能覆盖"),
    }
}

#[cfg(test)]
mod tests {
    use people::id_card::IdCardType;

    use super::*;
    use crate::person::tests::person;

    fn lead(id: i64, name: &str, id_card_no: &str, examinee_no: Option<&str>) -> Lead {
        Lead {
            id,
            name: name.to_owned(),
            id_card_type: IdCardType::ResidentId,
            id_card_no: id_card_no.to_owned(),
            examinee_no: examinee_no.map(ToOwned::to_owned),
            phone: "15400000001".to_owned(),
            address: Some("某路1号".to_owned()),
            postal_code: None,
            major_id: 1,
            site_id: 7,
        }
    }

    #[test]
    fn the_number_of_the_card_goes_before_that_of_the_exam() {
        let (one, two) = (person(1, "张伟"), person(2, "李娜"));
        // The first lead has the card of the second person and the 考生号 of the first.
        let leads = vec![
            lead(11, "李娜", &two.id_card_no, Some(&one.examinee_no)),
            lead(12, "张伟", "429900199001010011", Some(&one.examinee_no)),
        ];
        let of = chosen(&[&one, &two], leads);
        assert_eq!((of[&1].id, of[&2].id), (12, 11));
    }

    #[test]
    fn a_lead_is_one_persons() {
        let (one, mut two) = (person(1, "张伟"), person(2, "李娜"));
        two.examinee_no.clone_from(&one.examinee_no);
        let of = chosen(&[&one, &two], vec![lead(11, "张伟", "429900199001010011", Some(&one.examinee_no))]);
        assert_eq!(of.len(), 1);
        assert_eq!(of[&1].id, 11);
    }

    #[test]
    fn names_are_compared_as_people_read_them() {
        let mut somebody = person(1, "买买提·吐尔逊");
        join(&mut somebody, &lead(11, "买买提 • 吐尔逊", "429900199001010011", None));
        assert_eq!((somebody.match_status, &somebody.issues[..]), (AdmissionMatchStatus::Matched, &[][..]));
        join(&mut somebody, &Lead { major_id: 2, ..lead(11, "买买提", "429900199001010011", None) });
        assert_eq!(somebody.match_status, AdmissionMatchStatus::Conflict);
        assert_eq!(somebody.issues, [AdmissionIssue::NameDiffers, AdmissionIssue::MajorDiffers]);
        taken_over(&mut somebody, &lead(11, "", "429900199001010011", None));
        assert_eq!((somebody.phone.as_deref(), somebody.address.as_deref()), (Some("15400000001"), Some("某路1号")));
    }

    #[test]
    fn the_authority_overwrites_who_is_not_decided() {
        use AdmissionStatus::{Assigned, Audited, Cancelled, Imported, Rejected};
        assert!([Imported, Assigned, Cancelled].into_iter().all(|status| overwritable(status).is_ok()));
        assert_eq!(overwritable(Audited), Err("该生已审核，不能覆盖"));
        assert_eq!(overwritable(Rejected), Err("该生不予入学，不能覆盖"));
    }
}
