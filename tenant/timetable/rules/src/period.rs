//! 节次: when the lessons of a day begin and end, and which count at a site (part 03 B9).

use std::collections::HashMap;

use chrono::{NaiveDate, NaiveTime};
use infra::{
    Error, FieldError, Result,
    clock::{Moment, china},
    setting::{
        Setting,
        kind::{Field, Kind},
    },
};
use poem_openapi::{Object, types::Example};
use serde_json::Value;

use crate::enums::PeriodSource;

/// Lessons of a day that there may be.
pub const MOST: i32 = 14;

const DEFAULT: &[&[&str]] = &[
    &["08:00", "08:45"],
    &["08:55", "09:40"],
    &["10:00", "10:45"],
    &["10:55", "11:40"],
    &["14:00", "14:45"],
    &["14:55", "15:40"],
    &["16:00", "16:45"],
    &["16:55", "17:40"],
    &["18:30", "19:15"],
    &["19:25", "20:10"],
    &["20:20", "21:05"],
    &["21:10", "21:55"],
];

/// Of sites without periods of their own in a school without any (01 §13).
pub const DEFAULT_PERIODS: Setting = Setting::new(
    "timetableDefaultPeriods",
    "默认节次",
    Kind::Rows {
        columns: &[Field::new("startsAt", "开始", Kind::Time), Field::new("endsAt", "结束", Kind::Time)],
        most: 14,
        default: DEFAULT,
        in_order: Some(("startsAt", "endsAt")),
    },
    "没有设置节次的站点使用，按时间先后",
);

/// When a lesson of a day is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub no: i32,
    pub starts_at: NaiveTime,
    pub ends_at: NaiveTime,
}

/// A time of a day in China.
pub fn moment(day: NaiveDate, time: NaiveTime) -> Moment {
    (day.and_time(time) - china()).and_utc().into()
}

/// From the beginning of the first to the end of the last of these lessons; none where the day has them not.
pub fn span(periods: &[Period], from: i32, to: i32) -> Option<(NaiveTime, NaiveTime)> {
    let of = |no: i32| periods.iter().find(|period| period.no == no);
    Some((of(from)?.starts_at, of(to)?.ends_at))
}

/// The periods of sites, and of whichever has none.
#[derive(Debug, Clone, Default)]
pub struct Periods {
    pub of_sites: HashMap<i64, Vec<Period>>,
    pub of_school: Vec<Period>,
    pub of_setting: Vec<Period>,
}

impl Periods {
    /// Those of the setting as it is until somebody sets it.
    #[cfg(test)]
    pub(crate) fn usual() -> Self {
        Self { of_setting: read(&DEFAULT_PERIODS.kind.default()), ..Self::default() }
    }

    /// Those that count at a site; of none, those of the school.
    pub fn of(&self, site: Option<i64>) -> (PeriodSource, &[Period]) {
        match site.and_then(|site| self.of_sites.get(&site)) {
            Some(own) => (PeriodSource::Site, own),
            None if self.of_school.is_empty() => (PeriodSource::Setting, &self.of_setting),
            None => (PeriodSource::School, &self.of_school),
        }
    }
}

fn time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

pub fn read(value: &Value) -> Vec<Period> {
    let rows = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let period = |(no, row): (i32, &Value)| {
        let (starts_at, ends_at) = (time(row["startsAt"].as_str()?)?, time(row["endsAt"].as_str()?)?);
        Some(Period { no, starts_at, ends_at })
    };
    (1..).zip(rows).filter_map(period).collect()
}

/// A lesson of a day, as typed and shown.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LessonPeriod {
    /// 节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub no: i32,
    /// 开始
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub starts_at: String,
    /// 结束
    #[oai(validator(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub ends_at: String,
}

impl Example for LessonPeriod {
    fn example() -> Self {
        Self { no: 1, starts_at: "08:00".to_owned(), ends_at: "08:45".to_owned() }
    }
}

impl LessonPeriod {
    pub fn of(period: &Period) -> Self {
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        Self { no: period.no, starts_at: text(period.starts_at), ends_at: text(period.ends_at) }
    }
}

/// The periods in their order.
///
/// # Errors
/// 422 where one does not follow the one before.
pub fn checked(periods: &[LessonPeriod]) -> Result<Vec<Period>> {
    let (mut wanted, mut errors): (Vec<Period>, Vec<FieldError>) = (Vec::new(), Vec::new());
    for (place, period) in periods.iter().enumerate() {
        let mut wrong = |field: &str, message: &str| {
            errors.push(FieldError { field: format!("periods[{place}].{field}"), message: message.to_owned() });
        };
        let next = wanted.last().map_or(1, |last| last.no + 1);
        if period.no != next || period.no > MOST {
            wrong("no", &format!("节次应从1起连续，这里应为{next}"));
            continue;
        }
        let (Some(starts_at), Some(ends_at)) = (time(&period.starts_at), time(&period.ends_at)) else {
            wrong("startsAt", "时间应为 HH:MM");
            continue;
        };
        if ends_at <= starts_at {
            wrong("endsAt", "结束时间应晚于开始时间");
        }
        if wanted.last().is_some_and(|last| last.ends_at > starts_at) {
            wrong("startsAt", "不能早于上一节的结束时间");
        }
        wanted.push(Period { no: period.no, starts_at, ends_at });
    }
    if errors.is_empty() { Ok(wanted) } else { Err(Error::fields(errors)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(lines: &[(i32, &str, &str)]) -> Vec<LessonPeriod> {
        let line = |(no, starts_at, ends_at): &(i32, &str, &str)| LessonPeriod {
            no: *no,
            starts_at: (*starts_at).to_owned(),
            ends_at: (*ends_at).to_owned(),
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_day_has_twelve_lessons_until_somebody_says_otherwise() {
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        let usual = Periods::usual().of_setting;
        let told: Vec<String> =
            usual.iter().map(|period| format!("{}–{}", text(period.starts_at), text(period.ends_at))).collect();
        let wanted = "08:00–08:45, 08:55–09:40, 10:00–10:45, 10:55–11:40, 14:00–14:45, 14:55–15:40, 16:00–16:45, \
                      16:55–17:40, 18:30–19:15, 19:25–20:10, 20:20–21:05, 21:10–21:55";
        assert_eq!(told.join(", "), wanted);
        assert_eq!(usual.iter().map(|period| period.no).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn lessons_follow_one_another() {
        assert!(checked(&typed(&[(1, "08:00", "08:45"), (2, "08:45", "09:30")])).is_ok());
        let wrong = checked(&typed(&[(1, "08:00", "08:45"), (2, "08:30", "08:20"), (4, "10:00", "10:45")]));
        let error = wrong.expect_err("three mistakes");
        let fields: Vec<&str> =
            error.data.as_array().expect("fields").iter().filter_map(|field| field["field"].as_str()).collect();
        assert_eq!(fields, ["periods[1].endsAt", "periods[1].startsAt", "periods[2].no"]);
    }

    #[test]
    fn a_span_goes_from_the_first_to_the_last() {
        let periods = checked(&typed(&[(1, "08:00", "08:45"), (2, "08:55", "09:40")])).expect("periods");
        let text = |time: NaiveTime| time.format("%H:%M").to_string();
        let (from, to) = span(&periods, 1, 2).expect("a span");
        assert_eq!((text(from), text(to)), ("08:00".to_owned(), "09:40".to_owned()));
        assert_eq!(span(&periods, 2, 3), None);
        let at = moment("2026-03-21".parse().expect("a day"), from);
        assert_eq!(at.to_rfc3339(), "2026-03-21T08:00:00+08:00");
    }

    #[test]
    fn a_site_has_its_own_or_those_of_the_school() {
        let of = |no: i32| vec![Period { no, starts_at: NaiveTime::MIN, ends_at: NaiveTime::MIN }];
        let mut periods = Periods { of_setting: of(3), ..Periods::default() };
        assert_eq!(periods.of(Some(7)), (PeriodSource::Setting, &of(3)[..]));
        periods.of_school = of(2);
        assert_eq!(periods.of(Some(7)), (PeriodSource::School, &of(2)[..]));
        periods.of_sites.insert(7, of(1));
        assert_eq!(periods.of(Some(7)), (PeriodSource::Site, &of(1)[..]));
        assert_eq!(periods.of(None), (PeriodSource::School, &of(2)[..]));
    }
}
