//! Who and what is to be busy when, and what is in the way of it (part 03 B9).

use std::collections::BTreeSet;

use chrono::NaiveDate;
use infra::{Error, clock::Moment};
use poem_openapi::Object;
use serde_json::json;

use crate::enums::{OccupationSource, ResourceKind};

/// Somebody or something that is to be busy: half-open, from `starts_at` until `ends_at`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupation {
    pub kind: ResourceKind,
    pub resource_id: i64,
    pub starts_at: Moment,
    pub ends_at: Moment,
    /// What keeps it busy: of a session or an examination its number, else none.
    pub source_id: Option<i64>,
    /// Told to whoever wants the same: the name of an examination.
    pub note: Option<String>,
}

/// What is in the way of what is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Conflict {
    /// 资源类型
    pub kind: ResourceKind,
    /// 资源名称
    pub name: String,
    /// 日期
    pub date: NaiveDate,
    /// 节次
    pub periods: String,
    /// 已有安排
    pub with: String,
    /// 占用来源
    pub source: OccupationSource,
}

impl Conflict {
    /// As a sentence: `教师“张三”2026-03-21 第1-4节已安排《管理学》(301教室)`.
    pub fn told(&self) -> String {
        format!("{}“{}”{}", self.kind.zh(), self.name, self.when())
    }

    /// The same behind whoever or whatever is meant: `2026-03-21 第1-4节已安排《管理学》(301教室)`.
    pub fn when(&self) -> String {
        format!("{} {}已安排{}", self.date, self.periods, self.with)
    }
}

/// 409 that names all that is in the way; the first is the sentence.
pub fn refuse(conflicts: &[Conflict]) -> Error {
    let told = conflicts.first().map_or_else(|| "时间冲突，请重新选择时间".to_owned(), Conflict::told);
    let lines: Vec<serde_json::Value> = conflicts
        .iter()
        .map(|conflict| {
            json!({
                "kind": conflict.kind.as_str(), "name": conflict.name, "date": conflict.date,
                "periods": conflict.periods, "with": conflict.with, "source": conflict.source.as_str(),
            })
        })
        .collect();
    Error::conflict(told).with_data(json!({ "conflicts": lines }))
}

/// Who and what one meeting keeps busy, each once.
pub fn of_meeting(
    (teachers, classroom, classes): (&[i64], Option<i64>, &[i64]),
    (starts_at, ends_at): (Moment, Moment),
    session: i64,
) -> impl Iterator<Item = Occupation> {
    let teachers: BTreeSet<i64> = teachers.iter().copied().collect();
    let classes: BTreeSet<i64> = classes.iter().copied().collect();
    let teachers = teachers.into_iter().map(|id| (ResourceKind::Teacher, id));
    let rooms = classroom.into_iter().map(|id| (ResourceKind::Classroom, id));
    let classes = classes.into_iter().map(|id| (ResourceKind::Class, id));
    teachers.chain(rooms).chain(classes).map(move |(kind, resource_id)| Occupation {
        kind,
        resource_id,
        starts_at,
        ends_at,
        source_id: Some(session),
        note: None,
    })
}

#[cfg(test)]
mod tests {
    use infra::clock::day_began;

    use super::*;

    fn conflict(kind: ResourceKind, with: &str) -> Conflict {
        Conflict {
            kind,
            name: "张三".to_owned(),
            date: "2026-03-21".parse().expect("a day"),
            periods: "第1-4节".to_owned(),
            with: with.to_owned(),
            source: OccupationSource::Session,
        }
    }

    #[test]
    fn a_clash_names_its_holder() {
        let told = refuse(&[conflict(ResourceKind::Teacher, "《管理学》(301教室)")]);
        assert_eq!((told.code, &*told.msg), (409, "教师“张三”2026-03-21 第1-4节已安排《管理学》(301教室)"));
        assert_eq!(told.data["conflicts"][0]["date"], json!("2026-03-21"));
    }

    #[test]
    fn a_meeting_takes_everybody_once() {
        let at = day_began("2026-03-21".parse().expect("a day"));
        let taken: Vec<(ResourceKind, i64)> =
            of_meeting((&[3, 3, 2], Some(7), &[5]), (at, at), 1).map(|taken| (taken.kind, taken.resource_id)).collect();
        let (teacher, room, class) = (ResourceKind::Teacher, ResourceKind::Classroom, ResourceKind::Class);
        assert_eq!(taken, [(teacher, 2), (teacher, 3), (room, 7), (class, 5)]);
    }
}
