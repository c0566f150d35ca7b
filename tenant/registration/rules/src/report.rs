//! 报到: what somebody who reports must have, and what the register takes from the admission (02 §7).

use infra::{clock::Moment, session::Rights};
use poem_openapi::Object;
use student_status_rules::{arrival::Arrival, form::StudentForm};

use crate::{arriving::Arriving, enums::RegistrationStatus};

/// At which sites somebody may have people report outside of the time for it: where they may change the status of
/// registrations, which is settled as the rows of a step are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Object)]
pub struct Late {
    everywhere: bool,
    sites: Vec<i64>,
}

impl Late {
    /// Of somebody with these rights, by the code of who may.
    pub fn of(rights: &Rights, code: &str) -> Self {
        rights.get(code).map_or_else(Self::default, |scope| Self {
            everywhere: scope.is_whole(),
            sites: scope.sites().map(<[i64]>::to_vec).unwrap_or_default(),
        })
    }

    fn sees(&self, site: i64) -> bool {
        self.everywhere || self.sites.contains(&site)
    }
}

/// # Errors
/// Why the person does not report now.
pub fn waits(person: &Arriving) -> Result<(), String> {
    if person.status == RegistrationStatus::Reported {
        return Err("该生已报到".to_owned());
    }
    person.only(&[RegistrationStatus::Pending], "报到")
}

/// What somebody who reports must have.
pub struct Rules {
    pub fee_required: bool,
    pub late: Late,
    pub now: Moment,
}

impl Rules {
    /// # Errors
    /// Why the person does not report.
    pub fn allow(&self, person: &Arriving, paper: &Paper) -> Result<(), String> {
        waits(person)?;
        if !paper.window.open {
            return Err("招生批次已结束，不能报到".to_owned());
        }
        if !self.late.sees(person.site_id) && !paper.window.holds(self.now) {
            return Err("不在报到时间内".to_owned());
        }
        if person.verified.is_none() {
            return Err("未核验身份，不能报到".to_owned());
        }
        if person.photo_id.is_none() && paper.admission_photo_id.is_none() {
            return Err("没有报到照片，也没有录取照片，请先上传照片".to_owned());
        }
        if self.fee_required && !person.fee_paid {
            return Err("未缴费，不能报到".to_owned());
        }
        Ok(())
    }
}

/// When a batch has people report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportWindow {
    pub open: bool,
    pub starts_at: Option<Moment>,
    /// Exclusive.
    pub ends_at: Option<Moment>,
}

impl ReportWindow {
    /// A batch without times has its people report while it is open.
    pub fn holds(self, now: Moment) -> bool {
        self.open && self.starts_at.is_none_or(|at| at <= now) && self.ends_at.is_none_or(|at| now < at)
    }
}

/// What a report takes from the admission and the batch.
pub struct Paper {
    pub registration_id: i64,
    pub admission_id: i64,
    pub window: ReportWindow,
    pub form: StudentForm,
    /// As the authority has it, or somebody who typed it.
    pub phone: Option<String>,
    pub postal_code: Option<String>,
    pub admission_photo_id: Option<i64>,
}

impl Paper {
    /// As the register takes them, with the picture that was taken here.
    pub fn arrival(&self, photo_id: Option<i64>) -> Arrival {
        let mut form = self.form.clone();
        form.free.phone = self.phone.clone().filter(|phone| is_mobile(phone));
        form.free.postal_code = self.postal_code.clone().filter(|code| is_digits(code, 6));
        Arrival {
            registration_id: self.registration_id,
            admission_id: self.admission_id,
            form,
            admission_photo_id: self.admission_photo_id,
            enrol_photo_id: photo_id,
        }
    }

    /// What the authority's file has and a student's file cannot have.
    pub fn warnings(&self) -> Vec<String> {
        let phone = self.phone.as_deref().filter(|phone| !is_mobile(phone));
        let postal_code = self.postal_code.as_deref().filter(|code| !is_digits(code, 6));
        let phone = phone.map(|_| "录取数据中的手机不是11位手机号，未带入学籍".to_owned());
        phone.into_iter().chain(postal_code.map(|_| "录取数据中的邮编不是6位数字，未带入学籍".to_owned())).collect()
    }
}

fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_mobile(text: &str) -> bool {
    is_digits(text, 11) && text.starts_with('1') && text.as_bytes().get(1).is_some_and(|digit| *digit >= b'3')
}

#[cfg(test)]
mod tests {
    use infra::{Scope, clock::day_began};
    use poem_openapi::types::Example;
    use student_status_rules::form::FreeFields;

    use super::*;
    use crate::arriving::tests::arriving;

    const CODE: &str = "adult:pc:registration:changeStatus";

    fn at(text: &str) -> Moment {
        day_began(text.parse().expect("a day"))
    }

    fn paper() -> Paper {
        Paper {
            registration_id: 1,
            admission_id: 1,
            window: ReportWindow { open: true, starts_at: Some(at("2026-02-20")), ends_at: Some(at("2026-03-11")) },
            form: StudentForm::example(),
            phone: Some("027-87654321".to_owned()),
            postal_code: Some("430000".to_owned()),
            admission_photo_id: None,
        }
    }

    fn told(person: &Arriving, now: &str, late: bool) -> String {
        let late = Late { everywhere: late, sites: Vec::new() };
        let rules = Rules { fee_required: true, late, now: at(now) };
        rules.allow(person, &paper()).err().unwrap_or_default()
    }

    #[test]
    fn who_reports_has_everything() {
        let person = arriving(RegistrationStatus::Pending);
        assert_eq!(told(&person, "2026-03-01", false), "");
        assert_eq!(told(&person, "2026-02-19", false), "不在报到时间内");
        assert_eq!(told(&person, "2026-03-11", false), "不在报到时间内");
        assert_eq!(told(&person, "2026-03-12", true), "");
        assert_eq!(told(&Arriving { fee_paid: false, ..person.clone() }, "2026-03-01", false), "未缴费，不能报到");
        assert_eq!(told(&Arriving { verified: None, ..person.clone() }, "2026-03-01", false), "未核验身份，不能报到");
        let unseen = Arriving { photo_id: None, ..person };
        assert_eq!(told(&unseen, "2026-03-01", false), "没有报到照片，也没有录取照片，请先上传照片");
        assert_eq!(told(&arriving(RegistrationStatus::Reported), "2026-03-01", true), "该生已报到");
        assert_eq!(
            told(&arriving(RegistrationStatus::Abandoned), "2026-03-01", true),
            "当前状态为放弃入学资格，不能报到"
        );
    }

    #[test]
    fn who_may_be_late_may_at_their_sites() {
        let sites = |sites: &[i64]| Scope::limited(sites.to_vec(), Vec::new());
        let rights = Rights::from([(CODE.to_owned(), sites(&[7]))]);
        assert!(Late::of(&rights, CODE).sees(7) && !Late::of(&rights, CODE).sees(8));
        assert!(!Late::of(&Rights::default(), CODE).sees(7));
        let rights = Rights::from([(CODE.to_owned(), Scope::whole_school())]);
        assert!(Late::of(&rights, CODE).sees(8));
    }

    #[test]
    fn a_closed_batch_has_nobody_report() {
        let window = ReportWindow { open: false, starts_at: None, ends_at: None };
        assert!(!window.holds(at("2026-03-01")) && ReportWindow { open: true, ..window }.holds(at("2026-03-01")));
        let rules =
            Rules { fee_required: false, late: Late { everywhere: true, sites: Vec::new() }, now: at("2026-03-01") };
        let over = Paper { window, ..paper() };
        let told = rules.allow(&arriving(RegistrationStatus::Pending), &over);
        assert_eq!(told, Err("招生批次已结束，不能报到".to_owned()));
    }

    #[test]
    fn a_file_has_mobiles_and_codes_alone() {
        let paper = paper();
        let FreeFields { phone, postal_code, .. } = paper.arrival(None).form.free;
        assert_eq!((phone, postal_code.as_deref()), (None, Some("430000")));
        assert_eq!(paper.warnings(), ["录取数据中的手机不是11位手机号，未带入学籍"]);
        assert!(is_mobile("13900000001") && !is_mobile("12900000001") && !is_mobile("1390000000"));
    }
}
