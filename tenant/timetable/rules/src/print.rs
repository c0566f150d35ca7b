//! The sheet of a timetable on A4 across: a grid of days and lessons, and a list for what is on single days (part 03 B9).

use std::collections::BTreeMap;

use paper::{Cell, Paper, Row};

use crate::{
    entry::TimetableEntry,
    enums::{ArrangeMode, ResourceKind},
    period::LessonPeriod,
    weeks::{periods_zh, shown, weekday_zh},
};

/// Of the column of lessons and of each day.
const LESSON: u16 = 9;
const DAY: u16 = 13;
/// Widths of the columns of single days, as shares.
const DATES: [(&str, u16); 6] = [("日期", 16), ("节次", 12), ("课程", 30), ("教师", 12), ("教室", 16), ("班级", 34)];

/// What stands on the sheet.
#[derive(Debug)]
pub struct Printing {
    pub school: String,
    pub semester: String,
    pub kind: ResourceKind,
    pub name: String,
    pub periods: Vec<LessonPeriod>,
    pub entries: Vec<TimetableEntry>,
}

/// What repeats from week to week in one place of the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Repeated {
    weekday: i32,
    period_from: i32,
    period_to: i32,
    lines: Vec<String>,
    weeks: Vec<i32>,
}

impl Repeated {
    fn text(&self) -> String {
        let mut lines = self.lines.clone();
        lines.push(format!("{}周 {}", shown(&self.weeks), periods_zh(self.period_from, self.period_to)));
        lines.join("\n")
    }
}

/// The sessions by what repeats, in the order of days and lessons; moved ones stand in the week and the place where they are.
fn repeated(kind: ResourceKind, entries: &[TimetableEntry]) -> Vec<Repeated> {
    let mut found: BTreeMap<(i32, i32, i32, Vec<String>), Vec<i32>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.mode == ArrangeMode::Weekly) {
        let place = (entry.weekday, entry.period_from, entry.period_to, lines_of(kind, entry));
        found.entry(place).or_default().extend(entry.week_no);
    }
    let of = |((weekday, period_from, period_to, lines), mut weeks): ((i32, i32, i32, Vec<String>), Vec<i32>)| {
        weeks.sort_unstable();
        weeks.dedup();
        Repeated { weekday, period_from, period_to, lines, weeks }
    };
    found.into_iter().map(of).collect()
}

/// What a cell says of a lesson, but for whose timetable it is.
fn lines_of(kind: ResourceKind, entry: &TimetableEntry) -> Vec<String> {
    let mut lines = vec![entry.course_name.clone()];
    if kind != ResourceKind::Teacher {
        lines.push(entry.teacher_name.clone());
    }
    if kind != ResourceKind::Classroom {
        lines.push(entry.classroom_name.clone().unwrap_or_else(|| entry.kind.zh().to_owned()));
    }
    if kind != ResourceKind::Class {
        lines.push(entry.class_names.join("、"));
    }
    lines
}

pub fn sheet(printing: &Printing) -> Paper {
    let Printing { school, semester, kind, name, periods, entries } = printing;
    let mut sheet = Paper::landscape(format!("课表 {name}"), school.clone());
    sheet.heading(&format!("{}课表", kind.zh()));
    sheet.note(&format!("{}：{name}　学期：{semester}", kind.zh()));
    let weekly = repeated(*kind, entries);
    if !weekly.is_empty() {
        let head = std::iter::once(Cell::label(LESSON, "节次"));
        let head = Row::of(head.chain((1..=7).map(|day| Cell::label(DAY, weekday_zh(day))))).small();
        sheet.space(2.0).listing(&head, rows_of(periods, &weekly).iter().map(|period| lesson(period, &weekly)));
    }
    let dated: Vec<&TimetableEntry> = entries.iter().filter(|entry| entry.mode == ArrangeMode::Dates).collect();
    if !dated.is_empty() {
        let head = Row::of(DATES.iter().map(|(heading, share)| Cell::label(*share, *heading))).small();
        sheet.space(3.0).listing(&head, dated.into_iter().map(on_day));
    }
    sheet
}

/// The lessons of the grid: those that count, and behind them what a site has more of.
fn rows_of(periods: &[LessonPeriod], weekly: &[Repeated]) -> Vec<LessonPeriod> {
    let last = periods.iter().map(|period| period.no).chain(weekly.iter().map(|one| one.period_to)).max().unwrap_or(0);
    let of = |no: i32| {
        let known = periods.iter().find(|period| period.no == no).cloned();
        known.unwrap_or_else(|| LessonPeriod { no, starts_at: String::new(), ends_at: String::new() })
    };
    (1..=last).map(of).collect()
}

/// A row of the grid: what begins with the lesson, and a sign for what goes on.
fn lesson(period: &LessonPeriod, weekly: &[Repeated]) -> Row {
    let of_day = |day: i32| {
        let here =
            weekly.iter().filter(|one| one.weekday == day && (one.period_from..=one.period_to).contains(&period.no));
        let texts: Vec<String> =
            here.map(|one| if one.period_from == period.no { one.text() } else { "〃".to_owned() }).collect();
        Cell::value(DAY, texts.join("\n"))
    };
    let label = Cell::label(LESSON, format!("{}\n{}", period.no, period.starts_at).trim_end().to_owned());
    Row::of(std::iter::once(label).chain((1..=7).map(of_day))).small()
}

fn on_day(entry: &TimetableEntry) -> Row {
    let words = [
        format!("{} {}", entry.date, weekday_zh(entry.weekday)),
        periods_zh(entry.period_from, entry.period_to),
        entry.course_name.clone(),
        entry.teacher_name.clone(),
        entry.classroom_name.clone().unwrap_or_else(|| entry.kind.zh().to_owned()),
        entry.class_names.join("、"),
    ];
    Row::of(DATES.iter().zip(words).map(|((_, share), word)| Cell::value(*share, word))).small()
}

#[cfg(test)]
mod tests {
    use infra::clock::day_began;

    use super::*;
    use crate::{
        enums::{ArrangeKind, ArrangeStatus, SessionStatus},
        weeks::weekday_of,
    };

    fn entry(date: &str, week: i32) -> TimetableEntry {
        let date: chrono::NaiveDate = date.parse().expect("a day");
        TimetableEntry {
            session_id: 1,
            arrange_id: 1,
            semester_id: 1,
            date,
            weekday: weekday_of(date),
            week_no: Some(week),
            period_from: 1,
            period_to: 4,
            starts_at: day_began(date),
            ends_at: day_began(date),
            course_code: "A1".to_owned(),
            course_name: "管理学".to_owned(),
            kind: ArrangeKind::Lecture,
            mode: ArrangeMode::Weekly,
            teacher_id: 1,
            teacher_name: "张三".to_owned(),
            site_id: 1,
            site_name: "城东站".to_owned(),
            classroom_id: Some(1),
            classroom_name: Some("301教室".to_owned()),
            class_names: vec!["会计1班".to_owned()],
            status: ArrangeStatus::Published,
            session_status: SessionStatus::Scheduled,
            moved_from_id: None,
            attended: false,
            version: 1,
        }
    }

    #[test]
    fn what_repeats_stands_in_one_place_with_its_weeks() {
        let entries = [entry("2026-03-07", 1), entry("2026-03-14", 2), entry("2026-03-22", 3)];
        let found = repeated(ResourceKind::Class, &entries);
        let texts: Vec<String> = found.iter().map(Repeated::text).collect();
        assert_eq!(texts, ["管理学\n张三\n301教室\n1-2周 第1-4节", "管理学\n张三\n301教室\n3周 第1-4节"]);
        assert_eq!(repeated(ResourceKind::Teacher, &entries)[0].lines, ["管理学", "301教室", "会计1班"]);
    }

    /// A teacher comes to a site that has more lessons in a day than the school.
    #[test]
    fn no_lesson_falls_off_the_grid() {
        let periods = [LessonPeriod { no: 1, starts_at: "08:00".to_owned(), ends_at: "08:45".to_owned() }];
        let weekly = repeated(ResourceKind::Teacher, &[entry("2026-03-07", 1)]);
        let rows: Vec<(i32, String)> =
            rows_of(&periods, &weekly).into_iter().map(|row| (row.no, row.starts_at)).collect();
        let empty = String::new;
        assert_eq!(rows, [(1, "08:00".to_owned()), (2, empty()), (3, empty()), (4, empty())]);
    }

    #[test]
    fn a_sheet_is_a_pdf() {
        let printing = Printing {
            school: "东湖学院".to_owned(),
            semester: "2026年春季学期".to_owned(),
            kind: ResourceKind::Class,
            name: "会计1班".to_owned(),
            periods: vec![LessonPeriod { no: 1, starts_at: "08:00".to_owned(), ends_at: "08:45".to_owned() }],
            entries: vec![
                entry("2026-03-07", 1),
                TimetableEntry { mode: ArrangeMode::Dates, ..entry("2026-03-08", 1) },
            ],
        };
        let bytes = sheet(&printing).finish().expect("a paper");
        assert!(bytes.starts_with(b"%PDF"));
    }
}
