//! The calendar of a school: seasons, semesters, grades and levels.
//!
//! Everything here is arithmetic on codes and dates (part 03 §0.3 and A1); nothing counts rows.
//! Years of schooling come in halves, so they are counted in half years, which are semesters: 2.5 years = 5.

use chrono::{Datelike, Days, NaiveDate};
use infra::enumeration;

enumeration! {
    /// 季节
    pub enum Season = "entrySeason" {
        Spring = "spring" "春季",
        Autumn = "autumn" "秋季",
    }
}

enumeration! {
    /// 起点层次
    pub enum EntryLevel = "entryLevel" {
        HighSchoolToAssociate = "high_school_to_associate" "高起专",
        AssociateToBachelor = "associate_to_bachelor" "专升本",
        HighSchoolToBachelor = "high_school_to_bachelor" "高起本",
    }
}

enumeration! {
    /// 培养层次
    pub enum NationalLevel = "nationalLevel" {
        Associate = "associate" "专科",
        Bachelor = "bachelor" "本科",
    }
}

impl EntryLevel {
    /// 培养层次, which must equal the level of a national major (part 03 A1, A3).
    pub fn national_level(self) -> NationalLevel {
        match self {
            EntryLevel::HighSchoolToAssociate => NationalLevel::Associate,
            EntryLevel::AssociateToBachelor | EntryLevel::HighSchoolToBachelor => NationalLevel::Bachelor,
        }
    }

    /// What a new level of this kind starts with (part 03 A1: 2.5/2.5/5.0 years, at most 5/5/8, 1600/1600/3000 hours).
    pub fn defaults(self) -> LevelDefaults {
        let (schooling_half_years, max_half_years, min_hours) = match self {
            EntryLevel::HighSchoolToAssociate | EntryLevel::AssociateToBachelor => (5, 10, 1600),
            EntryLevel::HighSchoolToBachelor => (10, 16, 3000),
        };
        LevelDefaults {
            schooling_half_years,
            max_half_years,
            min_hours,
            hours_per_credit_min: 16,
            hours_per_credit_max: 18,
            min_offline_ratio: 20,
        }
    }
}

/// The values a level takes when nobody says otherwise. Years are in halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelDefaults {
    pub schooling_half_years: i32,
    pub max_half_years: i32,
    pub min_hours: i32,
    pub hours_per_credit_min: i32,
    pub hours_per_credit_max: i32,
    pub min_offline_ratio: i32,
}

/// Turns years as they are typed and shown (2.5) into half years (5); anything but whole halves is refused.
///
/// Halves are exact in a binary float, so nothing is rounded here.
pub fn half_years(years: f64) -> Option<i32> {
    let halves = years * 2.0;
    (halves.fract() == 0.0 && (0.0..=200.0).contains(&halves)).then_some(halves as i32)
}

/// 学制 lies between 2.0 and 6.0 years (part 03 A1).
pub fn schooling_years_allowed(half_years: i32) -> bool {
    (4..=12).contains(&half_years)
}

/// A point of the school calendar: the semester, or the grade's entry, of a year and season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term {
    pub year: i32,
    pub season: Season,
}

impl Term {
    /// `year × 2 + (0 spring, 1 autumn)` (part 03 §0.3).
    pub fn ordinal(self) -> i32 {
        self.year * 2
            + match self.season {
                Season::Spring => 0,
                Season::Autumn => 1,
            }
    }

    /// The semester a code `2026-1` names: calendar year, then 1 for spring or 2 for autumn (part 03 A1).
    pub fn of_semester_code(code: &str) -> Option<Term> {
        let (year, season) = code.split_once('-')?;
        let season = match season {
            "1" => Season::Spring,
            "2" => Season::Autumn,
            _ => return None,
        };
        Some(Term { year: four_digits(year)?, season })
    }

    /// The code of the semester, `2026-1`.
    pub fn semester_code(self) -> String {
        let number = match self.season {
            Season::Spring => 1,
            Season::Autumn => 2,
        };
        format!("{:04}-{number}", self.year)
    }

    /// The name a semester takes when none is typed: `2026年春季学期`.
    pub fn semester_name(self) -> String {
        format!("{}年{}学期", self.year, self.season.zh())
    }

    /// The day on which a grade that enters now counts as entered: 1 March or 1 September.
    pub fn entry_on(self) -> Option<NaiveDate> {
        let month = match self.season {
            Season::Spring => 3,
            Season::Autumn => 9,
        };
        NaiveDate::from_ymd_opt(self.year, month, 1)
    }
}

/// Which term of its study a grade is in during a semester: 1 in the first (part 03 §0.3).
///
/// A number below 1 or above the level's term count matches no course of a plan.
pub fn term_no(semester: Term, grade: Term) -> i32 {
    semester.ordinal() - grade.ordinal() + 1
}

/// The entry year that a grade code carries: four digits, and a capital letter for a second intake (part 03 A1).
pub fn grade_entry_year(code: &str) -> Option<i32> {
    let (year, letter) = code.split_at_checked(4)?;
    let letter_allowed = match letter.as_bytes() {
        [] => true,
        [letter] => letter.is_ascii_uppercase(),
        _ => false,
    };
    if letter_allowed { four_digits(year) } else { None }
}

/// The season a grade enters in when none is typed: the adult entrance examination is in October, so spring.
pub const DEFAULT_ENTRY_SEASON: Season = Season::Spring;

/// The name a grade takes when none is typed: `2026级`.
pub fn grade_name(code: &str) -> String {
    format!("{code}级")
}

/// 周数: the days of the semester in weeks, rounded up (part 03 A1).
pub fn week_count(starts_on: NaiveDate, ends_on: NaiveDate) -> i64 {
    let days = (ends_on - starts_on).num_days() + 1;
    (days + 6).div_euclid(7)
}

/// 周次 of a day, or none outside the semester. Week 1 begins on the Monday of the first day's week (part 03 A1).
pub fn week_no(starts_on: NaiveDate, ends_on: NaiveDate, day: NaiveDate) -> Option<i64> {
    if day < starts_on || day > ends_on {
        return None;
    }
    let monday = starts_on.checked_sub_days(Days::new(u64::from(starts_on.weekday().num_days_from_monday())))?;
    Some((day - monday).num_days() / 7 + 1)
}

/// The longest semester, in weeks (part 03 A1).
pub const LONGEST_SEMESTER_WEEKS: i64 = 30;

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn four_digits(text: &str) -> Option<i32> {
    if text.len() == 4 && all_digits(text) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn semester(code: &str) -> Term {
        Term::of_semester_code(code).unwrap()
    }

    fn spring(year: i32) -> Term {
        Term { year, season: Season::Spring }
    }

    fn autumn(year: i32) -> Term {
        Term { year, season: Season::Autumn }
    }

    #[test]
    fn terms_are_counted_by_ordinals() {
        assert_eq!(semester("2028-1").ordinal(), 4056);
        assert_eq!(spring(2026).ordinal(), 4052);
        assert_eq!(term_no(semester("2026-1"), spring(2026)), 1);
        assert_eq!(term_no(semester("2026-2"), spring(2026)), 2);
        assert_eq!(term_no(semester("2028-1"), spring(2026)), 5);
        assert_eq!(autumn(2025).ordinal(), 4051);
        assert_eq!(term_no(semester("2026-1"), autumn(2025)), 2);
        assert_eq!(term_no(semester("2027-2"), spring(2026)), 4);
        assert_eq!(term_no(semester("2025-2"), spring(2026)), 0);
    }

    #[test]
    fn a_semester_code_gives_its_name() {
        assert_eq!(semester("2026-1"), spring(2026));
        assert_eq!(semester("2026-1").semester_name(), "2026年春季学期");
        assert_eq!(semester("2025-2").semester_name(), "2025年秋季学期");
        assert_eq!(autumn(2025).semester_code(), "2025-2");
        for wrong in ["2026", "2026-3", "26-1", "2026-1 ", "２０２６-1", "", "-1"] {
            assert_eq!(Term::of_semester_code(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_grade_code_gives_its_year_and_name() {
        assert_eq!(grade_entry_year("2026"), Some(2026));
        assert_eq!(grade_entry_year("2026A"), Some(2026));
        assert_eq!(grade_name("2024"), "2024级");
        assert_eq!(DEFAULT_ENTRY_SEASON, Season::Spring);
        for wrong in ["2026a", "2026AB", "202", "20 26", "二〇二六", "２０２６", ""] {
            assert_eq!(grade_entry_year(wrong), None, "{wrong}");
        }
        assert_eq!(spring(2026).entry_on(), Some(day("2026-03-01")));
        assert_eq!(autumn(2026).entry_on(), Some(day("2026-09-01")));
    }

    #[test]
    fn weeks_begin_on_monday() {
        let (starts, ends) = (day("2026-03-02"), day("2026-07-12"));
        assert_eq!(week_count(starts, ends), 19);
        assert_eq!(week_no(starts, ends, day("2026-03-02")), Some(1));
        assert_eq!(week_no(starts, ends, day("2026-03-08")), Some(1));
        assert_eq!(week_no(starts, ends, day("2026-03-09")), Some(2));
        assert_eq!(week_no(starts, ends, day("2026-07-12")), Some(19));
        assert_eq!(week_no(starts, ends, day("2026-03-01")), None);
        assert_eq!(week_no(starts, ends, day("2026-07-13")), None);
        // A semester that starts on Wednesday 2026-03-04: the next Monday is week 2.
        assert_eq!(week_no(day("2026-03-04"), ends, day("2026-03-04")), Some(1));
        assert_eq!(week_no(day("2026-03-04"), ends, day("2026-03-09")), Some(2));
        assert_eq!(week_count(day("2026-03-01"), day("2026-03-08")), 2);
        assert_eq!(week_count(day("2026-03-02"), day("2026-03-08")), 1);
    }

    #[test]
    fn levels_start_with_the_national_values() {
        let years = |level: EntryLevel| {
            let d = level.defaults();
            (d.schooling_half_years, d.max_half_years, d.min_hours)
        };
        assert_eq!(years(EntryLevel::HighSchoolToAssociate), (5, 10, 1600));
        assert_eq!(years(EntryLevel::AssociateToBachelor), (5, 10, 1600));
        assert_eq!(years(EntryLevel::HighSchoolToBachelor), (10, 16, 3000));
        let d = EntryLevel::AssociateToBachelor.defaults();
        assert_eq!((d.hours_per_credit_min, d.hours_per_credit_max, d.min_offline_ratio), (16, 18, 20));
        assert_eq!(EntryLevel::HighSchoolToAssociate.national_level(), NationalLevel::Associate);
        assert_eq!(EntryLevel::AssociateToBachelor.national_level(), NationalLevel::Bachelor);
        assert_eq!(EntryLevel::HighSchoolToBachelor.national_level(), NationalLevel::Bachelor);
        assert_eq!(EntryLevel::parse("associate_to_bachelor"), Some(EntryLevel::AssociateToBachelor));
    }

    #[test]
    fn years_come_in_halves() {
        assert_eq!(half_years(2.5), Some(5));
        assert_eq!(half_years(8.0), Some(16));
        assert_eq!(half_years(2.4), None);
        assert_eq!(half_years(f64::NAN), None);
        assert_eq!(half_years(-1.0), None);
        assert!(schooling_years_allowed(4) && schooling_years_allowed(12));
        assert!(!schooling_years_allowed(3) && !schooling_years_allowed(13));
    }
}
