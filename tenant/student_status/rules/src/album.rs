//! 照片批量导入: which pictures of an archive are wanted (02 §9.8).

use std::collections::{HashMap, HashSet};

use poem_openapi::Object;

use crate::archive::Entry;

/// 照片导入结果
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentPhotoAnswer {
    /// 图片总数
    pub total: i64,
    /// 已匹配
    pub matched: i64,
    /// 其中替换
    pub replaced: i64,
    /// 已有照片而跳过
    pub skipped: i64,
    /// 未匹配到人员的文件
    pub unmatched: Vec<String>,
    /// 不符合要求的图片
    pub invalid: Vec<InvalidStudentPhoto>,
    /// 任务编号
    /// 图片较多时作为任务处理，结果见任务
    pub job_id: Option<i64>,
}

/// A picture that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct InvalidStudentPhoto {
    /// 文件名
    pub name: String,
    /// 原因
    pub message: String,
}

/// Somebody whom a number names, and the picture that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub id: i64,
    pub photo: Option<i64>,
}

/// A picture to be kept.
#[derive(Debug)]
pub struct Planned {
    pub entry: Entry,
    pub person: Found,
}

/// Decides of every entry, before anything is unpacked, whether its picture is wanted.
pub fn sort(
    entries: Vec<Entry>,
    found: &HashMap<String, Found>,
    overwrite: bool,
) -> (StudentPhotoAnswer, Vec<Planned>) {
    let mut answer =
        StudentPhotoAnswer { total: i64::try_from(entries.len()).unwrap_or(i64::MAX), ..StudentPhotoAnswer::default() };
    let mut plan = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        let Some(number) = &entry.number else {
            answer.refuse(entry.name, "只支持jpg、jpeg、png格式的图片");
            continue;
        };
        match found.get(number) {
            None => answer.unmatched.push(entry.name),
            Some(person) if !seen.insert(person.id) => answer.refuse(entry.name, "同一学生有多张照片"),
            Some(person) if person.photo.is_some() && !overwrite => answer.skipped += 1,
            Some(person) => plan.push(Planned { person: *person, entry }),
        }
    }
    (answer, plan)
}

impl StudentPhotoAnswer {
    pub fn refuse(&mut self, name: String, message: impl Into<String>) {
        self.invalid.push(InvalidStudentPhoto { name, message: message.into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(index: usize, number: &str) -> Entry {
        Entry { index, name: format!("{number}.jpg"), number: Some(number.to_owned()) }
    }

    fn found() -> HashMap<String, Found> {
        let by = |number: &str, id, photo| (number.to_owned(), Found { id, photo });
        [by("A1", 1, None), by("11010519491231002X", 1, None), by("A2", 2, Some(9))].into()
    }

    #[test]
    fn entries_are_sorted_before_they_are_read() {
        let other = Entry { index: 4, name: "名单.xlsx".to_owned(), number: None };
        let entries = vec![entry(0, "A1"), entry(1, "11010519491231002X"), entry(2, "A2"), entry(3, "A3"), other];
        let (answer, plan) = sort(entries.clone(), &found(), false);
        assert_eq!((answer.total, answer.skipped), (5, 1));
        assert_eq!(answer.unmatched, ["A3.jpg"]);
        let invalid: Vec<(&str, &str)> =
            answer.invalid.iter().map(|photo| (photo.name.as_str(), photo.message.as_str())).collect();
        assert_eq!(
            invalid,
            [("11010519491231002X.jpg", "同一学生有多张照片"), ("名单.xlsx", "只支持jpg、jpeg、png格式的图片"),]
        );
        assert_eq!(plan.iter().map(|planned| planned.person.id).collect::<Vec<_>>(), [1]);
        let (answer, plan) = sort(entries, &found(), true);
        assert_eq!((answer.skipped, plan.len()), (0, 2));
    }

    #[test]
    fn every_file_is_told_once() {
        // 5,003 files: 4,990 right, 8 unmatched, 5 invalid (02 §9.12.8); here without the three that are too large.
        let mut known = HashMap::new();
        let mut entries = Vec::new();
        for n in 0..4993 {
            let number = format!("N{n}");
            known.insert(number.clone(), Found { id: n, photo: None });
            entries.push(entry(entries.len(), &number));
        }
        for n in 0..8 {
            entries.push(entry(entries.len(), &format!("X{n}")));
        }
        for _ in 0..2 {
            entries.push(entry(entries.len(), "N0"));
        }
        let (answer, plan) = sort(entries, &known, false);
        assert_eq!((answer.total, plan.len(), answer.unmatched.len(), answer.invalid.len()), (5003, 4993, 8, 2));
    }
}
