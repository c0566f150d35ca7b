//! What is worth a second look when a student is entered or comes to another site; nothing of it is refused.

use chrono::NaiveDate;
use infra::FieldError;
use people::id_card;

use crate::{
    new_student::NewStudent,
    references::{References, SiteRef},
};

/// 学信网 takes student numbers of this many characters (02 §9.1).
const CHSI_WIDTH: usize = 15;

/// The age at entry (02 §0.3.2), the width of the number (02 §9.1), and what [`of_site`] says of who goes on studying.
pub fn warnings(new: &NewStudent, known: &References, today: NaiveDate) -> Vec<FieldError> {
    let mut warnings = of_person(new);
    if new.status.is_active()
        && let Some(site) = known.sites.get(&new.site_id)
    {
        warnings.extend(of_site(site, today));
    }
    warnings
}

/// Those that hold wherever the student goes.
pub fn of_person(new: &NewStudent) -> Vec<FieldError> {
    let mut warnings = Vec::new();
    // Who is too young was refused by the check.
    if let Some(Ok(Some(age))) = new.birthday.map(|birthday| id_card::age_at_entry(birthday, new.enrolled_on)) {
        warnings.push(at("idCardNo", age.to_string()));
    }
    warnings.extend(new.student_no.as_deref().and_then(too_wide).map(|message| at("studentNo", message)));
    warnings
}

/// A number that 学信网 does not take.
pub fn too_wide(number: &str) -> Option<String> {
    (number.len() > CHSI_WIDTH).then(|| format!("学号超过{CHSI_WIDTH}位，学信网只接收{CHSI_WIDTH}位，请核对"))
}

/// One more student at a site that is full, or whose filing has expired (03 A2).
pub fn of_site(site: &SiteRef, today: NaiveDate) -> Vec<FieldError> {
    [full(site), filing_expired(site, today)].into_iter().flatten().collect()
}

pub fn full(site: &SiteRef) -> Option<FieldError> {
    let SiteRef { name, capacity, taken, .. } = site;
    let is_full = *capacity > 0 && taken + 1 > i64::from(*capacity);
    is_full.then(|| at("siteId", format!("站点“{name}”可容纳{capacity}人，已有{taken}人，请核对")))
}

pub fn filing_expired(site: &SiteRef, today: NaiveDate) -> Option<FieldError> {
    let expired_on = site.filing_expires_on.filter(|day| *day < today)?;
    Some(at("siteId", format!("站点“{}”的备案已于{expired_on}过期，请核对", site.name)))
}

fn at(field: &str, message: String) -> FieldError {
    FieldError { field: field.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use super::{super::check::tests::graduate, *};
    use crate::enums::StudentStatus;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn told(change: impl FnOnce(&mut NewStudent, &mut SiteRef)) -> Vec<String> {
        let mut new = NewStudent { status: StudentStatus::Registered, ..graduate("2024-07-10") };
        let mut site = SiteRef {
            id: new.site_id,
            code: "CD".to_owned(),
            name: "城东".to_owned(),
            status: "active".to_owned(),
            capacity: 50,
            taken: 49,
            filing_expires_on: Some(day("2026-05-20")),
        };
        change(&mut new, &mut site);
        let known = References { sites: [(site.id, site)].into(), ..References::default() };
        warnings(&new, &known, day("2026-05-20"))
            .into_iter()
            .map(|warning| format!("{}: {}", warning.field, warning.message))
            .collect()
    }

    #[test]
    fn a_site_is_full_with_the_one_beyond_its_capacity() {
        assert_eq!(told(|_, _| {}), Vec::<String>::new());
        assert_eq!(told(|_, site| site.taken = 50), ["siteId: 站点“城东”可容纳50人，已有50人，请核对"]);
        assert_eq!(told(|_, site| (site.capacity, site.taken) = (0, 9_000)), Vec::<String>::new());
        let ended = |new: &mut NewStudent, site: &mut SiteRef| {
            (new.status, site.taken, site.filing_expires_on) = (StudentStatus::Graduated, 50, Some(day("2020-01-01")));
        };
        assert_eq!(told(ended), Vec::<String>::new(), "who has ended takes no place");
    }

    #[test]
    fn a_filing_holds_on_its_last_day() {
        let expired = |_: &mut NewStudent, site: &mut SiteRef| site.filing_expires_on = Some(day("2026-05-19"));
        assert_eq!(told(expired), ["siteId: 站点“城东”的备案已于2026-05-19过期，请核对"]);
    }

    #[test]
    fn ages_and_long_numbers_are_told() {
        let born = |birthday: &str| {
            let birthday = day(birthday);
            told(move |new, _| (new.birthday, new.enrolled_on) = (Some(birthday), day("2026-03-01")))
        };
        assert_eq!(born("2009-03-02"), ["idCardNo: 入学时未满17周岁，请核对"]);
        assert_eq!(born("2009-03-01"), Vec::<String>::new());
        assert_eq!(born("1955-03-01"), ["idCardNo: 入学时超过70周岁，请核对"]);
        assert_eq!(told(|new, _| new.birthday = None), Vec::<String>::new());
        let numbered = |number: &str| told(|new, _| new.student_no = Some(number.to_owned()));
        assert_eq!(numbered("263041200700231"), Vec::<String>::new());
        assert_eq!(numbered("2630412007002311"), ["studentNo: 学号超过15位，学信网只接收15位，请核对"]);
    }
}
