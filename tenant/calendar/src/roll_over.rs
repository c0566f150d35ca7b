//! What a calendar is some years later: days by whole weeks, names by the years that stand in them; and what becomes of a row
//! of the roll-over.

use chrono::{Datelike, Days, NaiveDate};
use infra::{Part, enumeration};

enumeration! {
    /// 结转情况
    pub enum RollOverState = "rollOverState" {
        New = "new" "将新建",
        Exists = "exists" "已存在",
        Blocked = "blocked" "不能新建",
    }
}

pub const PART: Part = Part { enumerations: &[RollOverState::ENUMERATION], ..Part::NONE };

/// By how many days a calendar that begins on `first` moves to be the one of so many years later: as many whole weeks as
/// come nearest, so that a Monday stays a Monday.
pub(crate) fn moved_by(first: NaiveDate, years: i32) -> Option<Days> {
    let year = first.year() + years;
    // 29 February of a year that has none.
    let same_day = first.with_year(year).or_else(|| NaiveDate::from_ymd_opt(year, 2, 28))?;
    let weeks = ((same_day - first).num_days() + 3).div_euclid(7);
    u64::try_from(weeks * 7).ok().map(Days::new)
}

/// The name with every year in it so many years later; none when no year stands in it.
pub(crate) fn named_later(name: &str, years: i32) -> Option<String> {
    let mut later = String::with_capacity(name.len());
    let mut has_year = false;
    let mut rest = name;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, digits_on) = rest.split_at(start);
        let end = digits_on.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits_on.len());
        let (digits, after) = digits_on.split_at(end);
        later.push_str(before);
        match digits.parse::<i32>() {
            Ok(year) if digits.len() == 4 && (1900..2100).contains(&year) => {
                later.push_str(&(year + years).to_string());
                has_year = true;
            }
            _ => later.push_str(digits),
        }
        rest = after;
    }
    later.push_str(rest);
    has_year.then_some(later)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(first: &str, years: i32) -> String {
        let first: NaiveDate = first.parse().expect("a day");
        let moved = moved_by(first, years).and_then(|days| first.checked_add_days(days)).expect("a day");
        assert_eq!(moved.weekday(), first.weekday(), "{first}");
        moved.to_string()
    }

    #[test]
    fn a_calendar_keeps_its_weekdays() {
        assert_eq!(later("2026-03-02", 1), "2027-03-01");
        assert_eq!(later("2026-08-31", 1), "2027-08-30");
        assert_eq!(later("2027-03-01", 1), "2028-02-28");
        assert_eq!(later("2026-03-02", 5), "2031-03-03");
        assert_eq!(later("2028-02-29", 1), "2029-02-27");
    }

    #[test]
    fn years_in_a_name_move_on() {
        assert_eq!(named_later("2026级", 1).as_deref(), Some("2027级"));
        assert_eq!(named_later("2025-2026学年第二学期", 1).as_deref(), Some("2026-2027学年第二学期"));
        assert_eq!(named_later("2026年第12期20260301班", 2).as_deref(), Some("2028年第12期20260301班"));
        assert_eq!(named_later("春季新生1班", 1), None);
    }
}
