//! 保留入学资格: until when a place is kept (02 §7).

use chrono::{Months, NaiveDate};

use crate::enums::ReserveReason;

/// So long is a place kept from the day of entry on.
const USUAL: Months = Months::new(12);
/// Of who serves in the army, until two years after they are discharged; when that is, nobody knows yet.
const MILITARY: Months = Months::new(12 * 10);

/// The last day on which a place is kept of who was to begin on a day.
pub fn last_day(entry: NaiveDate, reason: ReserveReason) -> NaiveDate {
    let months = if reason == ReserveReason::Military { MILITARY } else { USUAL };
    entry.checked_add_months(months).unwrap_or(entry)
}

/// A day by which a place is kept, in words.
pub fn day(on: NaiveDate) -> String {
    on.format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_kept_for_a_year() {
        let entry = "2026-03-01".parse().expect("a day");
        assert_eq!(day(last_day(entry, ReserveReason::DataError)), "2027-03-01");
        assert_eq!(day(last_day(entry, ReserveReason::Military)), "2036-03-01");
    }
}
