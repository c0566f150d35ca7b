//! Weeks and dates: what `1-8,10-16双` means, and on which days of a semester it falls (part 03 B9). Nothing here asks the
//! database.

use chrono::{Datelike, Days, NaiveDate};

/// The last week that a semester can have (part 03 A1).
pub(crate) const LAST_WEEK: i32 = 30;

/// When a semester is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemesterDays {
    pub starts_on: NaiveDate,
    pub ends_on: NaiveDate,
    pub holidays: Vec<NaiveDate>,
}

/// Why a day of the weeks has no lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    #[error("停课")]
    Holiday,
    #[error("不在学期内")]
    Outside,
}

/// The days on which there are lessons, and those that are left out, each with why.
pub type Parted = (Vec<NaiveDate>, Vec<(NaiveDate, Skip)>);

impl SemesterDays {
    /// Monday of the first week.
    fn first_monday(&self) -> NaiveDate {
        let back = u64::from(self.starts_on.weekday().num_days_from_monday());
        self.starts_on.checked_sub_days(Days::new(back)).unwrap_or(self.starts_on)
    }

    /// The day `weekday` (Monday is 1) of a week.
    pub fn day(&self, week: i32, weekday: i32) -> Option<NaiveDate> {
        let days = u64::try_from(7 * (week - 1) + weekday - 1).ok()?;
        self.first_monday().checked_add_days(Days::new(days))
    }

    /// The week in which a day lies, from 1; none before the first.
    pub fn week_of(&self, day: NaiveDate) -> Option<i32> {
        let days = (day - self.first_monday()).num_days();
        (days >= 0).then(|| i32::try_from(days / 7 + 1).ok()).flatten()
    }

    /// Why there is no lesson on a day.
    pub fn skipped(&self, day: NaiveDate) -> Option<Skip> {
        if day < self.starts_on || day > self.ends_on {
            Some(Skip::Outside)
        } else if self.holidays.contains(&day) {
            Some(Skip::Holiday)
        } else {
            None
        }
    }

    /// The days of these weeks, with those that are left out and why.
    pub fn weekly(&self, weeks: &[i32], weekday: i32) -> Parted {
        self.parted(weeks.iter().filter_map(|week| self.day(*week, weekday)).collect())
    }

    /// Days in their order, each once, with those that are left out and why.
    pub fn parted(&self, mut days: Vec<NaiveDate>) -> Parted {
        days.sort_unstable();
        days.dedup();
        let (mut held, mut left_out) = (Vec::new(), Vec::new());
        for day in days {
            match self.skipped(day) {
                None => held.push(day),
                Some(why) => left_out.push((day, why)),
            }
        }
        (held, left_out)
    }
}

/// The number of a day in its week, Monday is 1.
pub fn weekday_of(day: NaiveDate) -> i32 {
    i32::try_from(day.weekday().number_from_monday()).unwrap_or(1)
}

/// A day of the week as people say it.
pub const fn weekday_zh(weekday: i32) -> &'static str {
    match weekday {
        1 => "星期一",
        2 => "星期二",
        3 => "星期三",
        4 => "星期四",
        5 => "星期五",
        6 => "星期六",
        _ => "星期日",
    }
}

/// `第1-4节`, or `第3节`.
pub fn periods_zh(from: i32, to: i32) -> String {
    if from == to { format!("第{from}节") } else { format!("第{from}-{to}节") }
}

/// The weeks that a text means: numbers and spans, with 单 or 双 for the odd or the even ones of a span.
///
/// # Errors
/// In words for the person who typed it.
pub fn parse(text: &str) -> Result<Vec<i32>, String> {
    let mut weeks = Vec::new();
    for part in text.split([',', '，', '、', ';', '；']).map(str::trim).filter(|part| !part.is_empty()) {
        weeks.extend(span(part).ok_or_else(|| format!("周次“{part}”无法识别，例如 1-8,10-16双"))?);
    }
    weeks.sort_unstable();
    weeks.dedup();
    if weeks.is_empty() {
        return Err("请填写周次，例如 1-8,10-16双".to_owned());
    }
    Ok(weeks)
}

fn span(part: &str) -> Option<Vec<i32>> {
    let bare: String = part.chars().filter(|sign| !"周()（）第 ".contains(*sign)).collect();
    let (bare, wanted) = match (bare.strip_suffix('单'), bare.strip_suffix('双')) {
        (Some(odd), _) => (odd, Some(1)),
        (_, Some(even)) => (even, Some(0)),
        _ => (bare.as_str(), None),
    };
    let (from, to) = bare.split_once(['-', '—', '~', '至']).unwrap_or((bare, bare));
    let number = |text: &str| text.parse::<i32>().ok().filter(|week| (1..=LAST_WEEK).contains(week));
    let (from, to) = (number(from)?, number(to)?);
    let weeks: Vec<i32> = (from..=to).filter(|week| wanted.is_none_or(|rest| week % 2 == rest)).collect();
    (!weeks.is_empty()).then_some(weeks)
}

/// Weeks as people write them, the shortest way: what [`parse`] reads.
pub fn shown(weeks: &[i32]) -> String {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = weeks.get(at).copied() {
        let run = |step: i32| {
            let follow = weeks[at..].windows(2).take_while(|pair| pair[1] - pair[0] == step).count();
            (follow, weeks.get(at + follow).copied().unwrap_or(first))
        };
        let ((close, last), (apart, far)) = (run(1), run(2));
        let (behind, part) = if close > 0 {
            (close, format!("{first}-{last}"))
        } else if apart > 1 {
            (apart, format!("{first}-{far}{}", if first % 2 == 0 { '双' } else { '单' }))
        } else {
            (0, first.to_string())
        };
        parts.push(part);
        at += behind + 1;
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn spring() -> SemesterDays {
        SemesterDays { starts_on: day("2026-03-02"), ends_on: day("2026-07-12"), holidays: vec![day("2026-05-02")] }
    }

    #[test]
    fn weeks_are_read_as_people_write_them() {
        assert_eq!(parse("1-8,10-16双"), Ok(vec![1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]));
        assert_eq!(parse("第1周、3-7（单）"), Ok(vec![1, 3, 5, 7]));
        assert_eq!(parse("5，3，5"), Ok(vec![3, 5]));
        assert_eq!(parse("9-8"), Err("周次“9-8”无法识别，例如 1-8,10-16双".to_owned()));
        assert_eq!(parse("31"), Err("周次“31”无法识别，例如 1-8,10-16双".to_owned()));
        assert_eq!(parse(" "), Err("请填写周次，例如 1-8,10-16双".to_owned()));
    }

    #[test]
    fn weeks_are_written_the_shortest_way() {
        for text in ["1-8,10-16双", "1,3", "1-5单", "1-2", "7", "1-3,5-9单,12"] {
            assert_eq!(shown(&parse(text).expect("weeks")), text);
        }
        assert_eq!(shown(&[1, 2, 3, 4]), "1-4");
        assert_eq!(shown(&[]), "");
    }

    /// Scenario 1: the third week's Saturday.
    #[test]
    fn a_week_and_a_weekday_are_a_day() {
        assert_eq!(spring().day(3, 6), Some(day("2026-03-21")));
        assert_eq!(spring().week_of(day("2026-03-21")), Some(3));
        // A semester that begins on a Wednesday begins its first week on the Monday before.
        let late = SemesterDays { starts_on: day("2026-03-04"), ..spring() };
        assert_eq!(late.day(1, 1), Some(day("2026-03-02")));
        assert_eq!(late.weekly(&[1], 1), (vec![], vec![(day("2026-03-02"), Skip::Outside)]));
        assert_eq!(late.week_of(day("2026-03-01")), None);
    }

    /// Scenario 6: a holiday in sixteen Saturdays.
    #[test]
    fn a_holiday_is_left_out_and_told() {
        let weeks: Vec<i32> = (1..=16).collect();
        let (held, left_out) = spring().weekly(&weeks, 6);
        assert_eq!((held.len(), left_out), (15, vec![(day("2026-05-02"), Skip::Holiday)]));
    }

    #[test]
    fn days_stand_in_their_order_once() {
        let days = ["2026-03-08", "2026-03-07", "2026-03-08", "2026-08-01"].map(day).to_vec();
        let (held, left_out) = spring().parted(days);
        assert_eq!(held, [day("2026-03-07"), day("2026-03-08")]);
        assert_eq!(left_out, [(day("2026-08-01"), Skip::Outside)]);
    }

    #[test]
    fn days_and_periods_have_their_words() {
        assert_eq!((weekday_of(day("2026-03-21")), weekday_zh(6)), (6, "星期六"));
        assert_eq!((periods_zh(1, 4), periods_zh(3, 3)), ("第1-4节".to_owned(), "第3节".to_owned()));
    }
}
