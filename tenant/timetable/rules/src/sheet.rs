//! What the rows of one sheet keep busy, and how people name the days of the week in it (part 03 B9).

use std::collections::{BTreeMap, HashMap};

use infra::clock::Moment;

use crate::{enums::ResourceKind, occupation::Occupation, weeks::weekday_zh};

/// Who and what the rows of the sheet so far keep busy, with the number of the row. Nothing in it overlaps.
#[derive(Debug, Default)]
pub struct Taken(HashMap<(ResourceKind, i64), BTreeMap<Moment, (Moment, u32)>>);

impl Taken {
    /// Notes what a row takes.
    pub fn put(&mut self, taken: &Occupation, row: u32) {
        let times = self.0.entry((taken.kind, taken.resource_id)).or_default();
        times.insert(taken.starts_at, (taken.ends_at, row));
    }

    /// The row that is in the way of it.
    pub fn row(&self, wanted: &Occupation) -> Option<u32> {
        let times = self.0.get(&(wanted.kind, wanted.resource_id))?;
        let (_, (until, row)) = times.range(..wanted.ends_at).next_back()?;
        (*until > wanted.starts_at).then_some(*row)
    }
}

/// The day of the week that a cell means, Monday is 1.
pub fn weekday_named(text: &str) -> Option<i32> {
    let text = text.replace("周", "星期").replace("星期天", "星期日");
    (1..=7).find(|day| {
        let name = weekday_zh(*day);
        text == day.to_string() || text == name || Some(text.as_str()) == name.strip_prefix("星期")
    })
}

#[cfg(test)]
mod tests {
    use infra::clock::day_began;

    use super::*;

    #[test]
    fn days_of_the_week_have_many_names() {
        assert_eq!(
            ["6", "星期六", "周六", "六", "周日", "星期天"].map(weekday_named),
            [Some(6), Some(6), Some(6), Some(6), Some(7), Some(7)]
        );
        assert_eq!(weekday_named("八"), None);
    }

    /// Scenario 9: the later row names the earlier one; what follows at once is no clash.
    #[test]
    fn a_clash_names_the_row() {
        let at = |hour: i64| day_began("2026-03-21".parse().expect("a day")) + chrono::TimeDelta::hours(hour);
        let wanted = |from: i64, until: i64| Occupation {
            kind: ResourceKind::Classroom,
            resource_id: 7,
            starts_at: at(from),
            ends_at: at(until),
            source_id: None,
            note: None,
        };
        let mut taken = Taken::default();
        taken.put(&wanted(8, 12), 5);
        taken.put(&wanted(18, 20), 9);
        assert_eq!((taken.row(&wanted(11, 13)), taken.row(&wanted(7, 20))), (Some(5), Some(9)));
        assert_eq!(taken.row(&wanted(9, 10)), Some(5));
        assert_eq!((taken.row(&wanted(12, 18)), taken.row(&wanted(20, 21))), (None, None));
    }
}
