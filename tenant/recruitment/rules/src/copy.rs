//! What the next cohort's batch takes over.

use chrono::Months;
use infra::clock::Moment;

/// A major as the source offers it.
pub struct Source {
    pub id: i64,
    pub name: String,
    pub enabled: bool,
    pub level_enabled: bool,
    pub every_site: bool,
    /// Sites named for it that still recruit.
    pub open_sites: i64,
}

/// Why a major is left out; none when it is copied.
pub fn left_out(source: &Source) -> Option<&'static str> {
    if !source.enabled {
        Some("专业已停用")
    } else if !source.level_enabled {
        Some("层次已停用")
    } else if !source.every_site && source.open_sites == 0 {
        Some("所设站点均已停止招生")
    } else {
        None
    }
}

/// The same time of the year, so many years on.
pub fn moved(at: Moment, years: i32) -> Moment {
    let months = Months::new(years.unsigned_abs() * 12);
    let moved = if years < 0 { at.checked_sub_months(months) } else { at.checked_add_months(months) };
    moved.map_or(at, Moment::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_could_choose_is_left_out() {
        let told = |enabled, level_enabled, every_site, open_sites| {
            left_out(&Source { id: 1, name: String::new(), enabled, level_enabled, every_site, open_sites })
        };
        assert_eq!(told(true, true, true, 0), None);
        assert_eq!(told(true, true, false, 1), None);
        assert_eq!(told(true, true, false, 0), Some("所设站点均已停止招生"));
        assert_eq!(told(false, true, true, 0), Some("专业已停用"));
        assert_eq!(told(true, false, true, 0), Some("层次已停用"));
    }

    #[test]
    fn times_move_with_the_year_of_entry() {
        let at = |text: &str| text.parse::<Moment>().expect("a moment");
        assert_eq!(moved(at("2025-08-31T16:00:00Z"), 1).to_rfc3339(), "2026-09-01T00:00:00+08:00");
        assert_eq!(moved(at("2025-08-31T16:00:00Z"), 0).to_rfc3339(), "2025-09-01T00:00:00+08:00");
        assert_eq!(moved(at("2025-08-31T16:00:00Z"), -2).to_rfc3339(), "2023-09-01T00:00:00+08:00");
    }
}
