//! What a student refers to, and what the school has set of it.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::setting::{
    Setting,
    kind::{Field, Kind},
};
use serde_json::Value;
use term::Term;

use crate::{
    dates::{GraduateDates, MonthDay},
    enums::StudyForm,
};

pub const GRADUATE_DATES: Setting = Setting::object(
    "graduateDates",
    "毕业日期",
    &[
        Field::new("spring", "春季", Kind::MonthDay { default: "07-10" }),
        Field::new("autumn", "秋季", Kind::MonthDay { default: "01-10" }),
    ],
    None,
    "用于推算预计毕业日期，秋季为次年1月",
);

pub const GRADUATE_ACCOUNT_DAYS: Setting =
    Setting::int("graduateAccountDays", "学籍结束后账号保留(天)", (180, 0, 3650), "");

#[derive(Debug, Clone)]
pub struct GradeRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub entered: Term,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct LevelRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    /// The longest study, in half years.
    pub max_half_years: i32,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct MajorRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub level_id: i64,
    pub study_form: StudyForm,
    pub enabled: bool,
}

#[derive(Debug, Clone)]
pub struct SiteRef {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub status: String,
    /// 可容纳人数; 0 is any number.
    pub capacity: i32,
    /// Active students; counted only where there is a capacity.
    pub taken: i64,
    pub filing_expires_on: Option<NaiveDate>,
}

#[derive(Debug, Clone)]
pub struct ClassRef {
    pub id: i64,
    pub name: String,
    pub grade_id: i64,
    pub level_id: i64,
    pub major_id: i64,
    pub site_id: i64,
    pub enabled: bool,
}

/// A value of a dictionary.
#[derive(Debug, Clone)]
pub struct Word {
    pub value: String,
    pub label: String,
    pub enabled: bool,
}

/// Everything by its id (words by their value).
#[derive(Debug, Default)]
pub struct References {
    pub grades: HashMap<i64, GradeRef>,
    pub levels: HashMap<i64, LevelRef>,
    pub majors: HashMap<i64, MajorRef>,
    pub sites: HashMap<i64, SiteRef>,
    pub classes: HashMap<i64, ClassRef>,
    pub ethnicities: Vec<Word>,
    pub political: Vec<Word>,
    pub graduate_dates: GraduateDates,
    /// How long the account of somebody who left stays open.
    pub graduate_account_days: i64,
}

/// The two days of the setting; one that is none is the usual one.
pub fn graduate_dates(set: &Value) -> GraduateDates {
    let day = |name: &str| set[name].as_str().and_then(MonthDay::parse);
    let usual = GraduateDates::default();
    GraduateDates { spring: day("spring").unwrap_or(usual.spring), autumn: day("autumn").unwrap_or(usual.autumn) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_day_that_the_setting_lacks_is_the_usual_one() {
        let usual = GraduateDates::default();
        assert_eq!(graduate_dates(&GRADUATE_DATES.kind.default()), usual);
        assert_eq!(
            graduate_dates(&json!({ "spring": "06-30", "autumn": "31-12" })),
            GraduateDates { spring: MonthDay::parse("06-30").expect("a day"), ..usual }
        );
    }
}
