//! Levels and semesters of a demonstration school (05 G4).

use chrono::{Datelike, NaiveDate};

/// A level by the national defaults (03 A1).
pub struct Level {
    pub code: &'static str,
    pub name: &'static str,
    pub entry_level: &'static str,
    pub national_level: &'static str,
    pub schooling_years: f64,
    pub max_years: f64,
    pub min_hours: i32,
}

pub const LEVELS: [Level; 3] = [
    Level {
        code: "ZSB",
        name: "专升本",
        entry_level: "associate_to_bachelor",
        national_level: "bachelor",
        schooling_years: 2.5,
        max_years: 5.0,
        min_hours: 1600,
    },
    Level {
        code: "GQZ",
        name: "高起专",
        entry_level: "high_school_to_associate",
        national_level: "associate",
        schooling_years: 2.5,
        max_years: 5.0,
        min_hours: 1600,
    },
    Level {
        code: "GQB",
        name: "高起本",
        entry_level: "high_school_to_bachelor",
        national_level: "bachelor",
        schooling_years: 5.0,
        max_years: 8.0,
        min_hours: 3000,
    },
];

/// A semester by the calendar year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Semester {
    pub code: String,
    pub name: String,
    pub year: i32,
    pub season: &'static str,
    pub starts_on: NaiveDate,
    pub ends_on: NaiveDate,
}

/// From two before the oldest grade to one after `today`.
pub fn semesters(oldest_year: i32, today: NaiveDate) -> Vec<Semester> {
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or_default();
    let mut all = Vec::new();
    for year in oldest_year - 1..=today.year() + 1 {
        all.push(Semester {
            code: format!("{year}-1"),
            name: format!("{year}年春季学期"),
            year,
            season: "spring",
            starts_on: day(year, 3, 1),
            ends_on: day(year, 7, 12),
        });
        all.push(Semester {
            code: format!("{year}-2"),
            name: format!("{year}年秋季学期"),
            year,
            season: "autumn",
            starts_on: day(year, 9, 1),
            ends_on: day(year + 1, 1, 12),
        });
    }
    let after = all.iter().position(|semester| semester.starts_on > today).unwrap_or(all.len());
    all.truncate(after + 1);
    all
}

/// The semester that runs on a day, or the last that has begun.
pub fn current(semesters: &[Semester], today: NaiveDate) -> usize {
    semesters.iter().rposition(|semester| semester.starts_on <= today).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_semester_is_the_one_that_runs() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).expect("a day");
        let all = semesters(2024, today);
        assert_eq!(all[current(&all, today)].code, "2026-2");
        assert_eq!(all.last().map(|semester| semester.code.as_str()), Some("2027-1"));
        assert_eq!(all.first().map(|semester| semester.code.as_str()), Some("2023-1"));
    }
}
