//! When the time of a batch has come.

use chrono::{Months, NaiveDate};
use infra::clock::{Moment, day_ended};

/// How long personal data stay after the end of a batch.
const KEPT: Months = Months::new(24);

/// The day in China from whose night on the batch is scrubbed: the day of its end, 24 calendar months later.
pub fn due_on(ends_at: Moment) -> NaiveDate {
    after(ends_at.date_naive())
}

fn after(ended_on: NaiveDate) -> NaiveDate {
    ended_on.checked_add_months(KEPT).unwrap_or(NaiveDate::MAX)
}

/// The batches that are due by the end of `day` are those that ended before this moment.
pub fn ended_before(day: NaiveDate) -> Moment {
    let mut last = day.checked_sub_months(KEPT).unwrap_or(NaiveDate::MIN);
    // Several days come due on one: the 28th and 29th of February two years ago.
    while let Some(next) = last.succ_opt().filter(|next| after(*next) <= day) {
        last = next;
    }
    day_ended(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn at(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    #[test]
    fn it_is_due_on_the_same_day_of_china_two_years_on() {
        assert_eq!(due_on(at("2024-09-10T18:00:00+08:00")), day("2026-09-10"));
        assert_eq!(due_on(at("2024-09-11T00:00:00+08:00")), day("2026-09-11"), "24:00 of the 10th");
        assert_eq!(due_on(at("2024-09-10T16:30:00Z")), day("2026-09-11"), "00:30 in China");
        assert_eq!(due_on(at("2024-02-29T12:00:00+08:00")), day("2026-02-28"));
    }

    #[test]
    fn a_batch_is_due_exactly_when_it_ended_before_the_moment() {
        let ends = [
            "2024-02-28T23:59:59+08:00",
            "2024-02-29T12:00:00+08:00",
            "2024-03-01T00:00:00+08:00",
            "2024-08-31T09:00:00+08:00",
            "2024-09-01T00:00:00+08:00",
        ];
        for text in ["2026-02-27", "2026-02-28", "2026-03-01", "2026-08-31", "2026-09-01", "2026-12-31"] {
            for end in ends {
                let due = due_on(at(end)) <= day(text);
                assert_eq!(at(end) < ended_before(day(text)), due, "ended {end}, on {text}");
            }
        }
    }
}
