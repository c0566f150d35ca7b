//! Lessons as a calendar in the words of RFC 5545: lines of at most 75 octets that go on behind a blank, commas and semicolons that are kept
//! from meaning something, times in UTC so that no zone need be described.

use chrono::NaiveDate;
use infra::clock::{Moment, day_began};

use crate::{
    entry::TimetableEntry,
    enums::{ArrangeStatus, SessionStatus},
};

/// Octets of a line without its end.
const LINE: usize = 75;
/// How often programs are to look again.
const AGAIN: &str = "PT1H";

/// The calendar of somebody. What is cancelled stands in it as cancelled, so that programs take it away.
///
/// It is stamped with the beginning of `today`: the same lessons are the same text all day.
pub fn calendar(name: &str, school: &str, today: NaiveDate, lessons: &[TimetableEntry]) -> String {
    let mut text = Lines::default();
    text.plain("BEGIN", "VCALENDAR");
    text.plain("VERSION", "2.0");
    text.plain("PRODID", "-//Chengjiao//Timetable//ZH");
    text.plain("CALSCALE", "GREGORIAN");
    text.plain("METHOD", "PUBLISH");
    text.words("X-WR-CALNAME", name);
    text.plain("REFRESH-INTERVAL;VALUE=DURATION", AGAIN);
    text.plain("X-PUBLISHED-TTL", AGAIN);
    let stamp = utc(day_began(today));
    for lesson in lessons {
        text.plain("BEGIN", "VEVENT");
        text.words("UID", &format!("session-{}@{school}.chengjiao", lesson.session_id));
        text.plain("DTSTAMP", &stamp);
        text.plain("SEQUENCE", &(lesson.version - 1).max(0).to_string());
        text.plain("DTSTART", &utc(lesson.starts_at));
        text.plain("DTEND", &utc(lesson.ends_at));
        text.words("SUMMARY", &lesson.course_name);
        text.words("LOCATION", &place(lesson));
        text.words("DESCRIPTION", &about(lesson));
        let stands = lesson.session_status == SessionStatus::Scheduled && lesson.status != ArrangeStatus::Cancelled;
        text.plain("STATUS", if stands { "CONFIRMED" } else { "CANCELLED" });
        text.plain("END", "VEVENT");
    }
    text.plain("END", "VCALENDAR");
    text.0
}

fn place(lesson: &TimetableEntry) -> String {
    match &lesson.classroom_name {
        Some(room) => format!("{} {room}", lesson.site_name),
        None => lesson.kind.zh().to_owned(),
    }
}

fn about(lesson: &TimetableEntry) -> String {
    let TimetableEntry { kind, teacher_name, class_names, period_from, period_to, .. } = lesson;
    format!("{} 第{period_from}-{period_to}节\n教师：{teacher_name}\n班级：{}", kind.zh(), class_names.join("、"))
}

fn utc(at: Moment) -> String {
    at.to_utc().format("%Y%m%dT%H%M%SZ").to_string()
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    /// A text of people.
    fn words(&mut self, name: &str, words: &str) {
        let mut escaped = String::with_capacity(words.len());
        for sign in words.chars() {
            match sign {
                '\\' | ';' | ',' => escaped.extend(['\\', sign]),
                '\n' => escaped.push_str("\\n"),
                other if other.is_control() => {}
                other => escaped.push(other),
            }
        }
        self.plain(name, &escaped);
    }

    /// A line, folded between characters.
    fn plain(&mut self, name: &str, value: &str) {
        let mut room = LINE;
        for sign in name.chars().chain(":".chars()).chain(value.chars()) {
            if sign.len_utf8() > room {
                self.0.push_str("\r\n ");
                room = LINE - 1;
            }
            self.0.push(sign);
            room -= sign.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::{ArrangeKind, ArrangeMode};

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn lesson() -> TimetableEntry {
        TimetableEntry {
            session_id: 7,
            arrange_id: 1,
            semester_id: 1,
            date: day("2026-03-21"),
            weekday: 6,
            week_no: Some(3),
            period_from: 1,
            period_to: 4,
            starts_at: "2026-03-21T08:00:00+08:00".parse().expect("a moment"),
            ends_at: "2026-03-21T11:40:00+08:00".parse().expect("a moment"),
            course_code: "A1".to_owned(),
            course_name: "管理学; 原理, 一".to_owned(),
            kind: ArrangeKind::Lecture,
            mode: ArrangeMode::Weekly,
            teacher_id: 1,
            teacher_name: "陈立新".to_owned(),
            site_id: 1,
            site_name: "城东教学点".to_owned(),
            classroom_id: Some(1),
            classroom_name: Some("301".to_owned()),
            class_names: vec!["2026级专升本会计学城东1班".to_owned(), "2026级专升本会计学城东2班".to_owned()],
            status: ArrangeStatus::Published,
            session_status: SessionStatus::Scheduled,
            moved_from_id: None,
            attended: false,
            version: 2,
        }
    }

    #[test]
    fn lessons_are_events_in_folded_lines() {
        let text = calendar("陈立新的课表", "demo01", day("2026-03-01"), &[lesson()]);
        for line in text.split("\r\n") {
            assert!(line.len() <= LINE, "{} octets: {line}", line.len());
        }
        assert!(text.ends_with("END:VCALENDAR\r\n") && !text.replace("\r\n", "").contains('\n'), "{text}");
        let unfolded = text.replace("\r\n ", "");
        for line in [
            "X-WR-CALNAME:陈立新的课表",
            "UID:session-7@demo01.chengjiao",
            "DTSTAMP:20260228T160000Z",
            "SEQUENCE:1",
            "DTSTART:20260321T000000Z",
            "DTEND:20260321T034000Z",
            "SUMMARY:管理学\\; 原理\\, 一",
            "LOCATION:城东教学点 301",
            "DESCRIPTION:面授 第1-4节\\n教师：陈立新\\n班级：2026级专升本会计学城东1班、2026级专升本会计学城东2班",
            "STATUS:CONFIRMED",
        ] {
            assert!(unfolded.split("\r\n").any(|other| other == line), "{line}\n{unfolded}");
        }
    }

    #[test]
    fn what_is_called_off_says_so() {
        let called_off = TimetableEntry { session_status: SessionStatus::Cancelled, ..lesson() };
        let of_arrange = TimetableEntry { status: ArrangeStatus::Cancelled, ..lesson() };
        for lesson in [called_off, of_arrange] {
            assert!(calendar("课表", "demo01", day("2026-03-01"), &[lesson]).contains("STATUS:CANCELLED\r\n"));
        }
    }
}
