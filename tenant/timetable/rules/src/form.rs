//! What is typed of an arrangement (part 03 B9).

use std::collections::BTreeSet;

use chrono::NaiveDate;
use poem_openapi::{Object, types::Example};

use crate::{
    enums::{ArrangeKind, ArrangeMode},
    judge::Meeting,
    occupation::{Occupation, of_meeting},
};

/// A class, by the opening of the course that it takes part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArrangeClass {
    /// 班级
    pub class_id: i64,
    /// 开课
    pub opening_id: i64,
}

impl Example for ArrangeClass {
    fn example() -> Self {
        Self { class_id: 1, opening_id: 1 }
    }
}

/// What is typed.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArrangeForm {
    /// 学期
    pub semester_id: i64,
    /// 课程
    pub course_id: i64,
    /// 班级
    /// 多个班级为合班
    #[oai(validator(min_items = 1, max_items = 50))]
    pub classes: Vec<ArrangeClass>,
    /// 任课教师
    pub teacher_id: i64,
    /// 助教
    #[oai(default, validator(max_items = 10))]
    pub assistant_teacher_ids: Vec<i64>,
    /// 站点
    pub site_id: i64,
    /// 教室
    /// 直播可以不选
    pub classroom_id: Option<i64>,
    /// 上课类型
    pub kind: ArrangeKind,
    /// 排课方式
    pub mode: ArrangeMode,
    /// 星期
    /// 1为星期一
    #[oai(validator(minimum(value = "1"), maximum(value = "7")))]
    pub weekday: Option<i32>,
    /// 周次
    /// 例如 1-8,10-16双
    #[oai(validator(max_length = 100))]
    pub weeks: Option<String>,
    /// 上课日期
    #[oai(default, validator(max_items = 60))]
    pub dates: Vec<NaiveDate>,
    /// 开始节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_from: i32,
    /// 结束节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_to: i32,
    /// 允许超出教室容量
    #[oai(default)]
    pub allow_over_capacity: bool,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ArrangeForm {
    fn example() -> Self {
        Self {
            semester_id: 1,
            course_id: 1,
            classes: vec![ArrangeClass::example()],
            teacher_id: 1,
            assistant_teacher_ids: Vec::new(),
            site_id: 1,
            classroom_id: Some(1),
            kind: ArrangeKind::Lecture,
            mode: ArrangeMode::Weekly,
            weekday: Some(6),
            weeks: Some("1-8".to_owned()),
            dates: Vec::new(),
            period_from: 1,
            period_to: 4,
            allow_over_capacity: false,
            remark: None,
        }
    }
}

impl ArrangeForm {
    /// The openings that take part, each once.
    pub fn openings(&self) -> Vec<i64> {
        let ids: BTreeSet<i64> = self.classes.iter().map(|item| item.opening_id).collect();
        ids.into_iter().collect()
    }

    /// Who teaches and who helps.
    pub fn teachers(&self) -> Vec<i64> {
        std::iter::once(self.teacher_id).chain(self.assistant_teacher_ids.iter().copied()).collect()
    }

    /// The classes that take part.
    pub fn class_ids(&self) -> Vec<i64> {
        self.classes.iter().map(|item| item.class_id).collect()
    }

    /// What its meetings would keep busy; of none that is written yet.
    pub fn occupations(&self, meetings: &[Meeting]) -> Vec<Occupation> {
        let (teachers, classes) = (self.teachers(), self.class_ids());
        let of = |meeting: &Meeting| {
            of_meeting((&teachers, self.classroom_id, &classes), (meeting.starts_at, meeting.ends_at), 0)
        };
        meetings.iter().flat_map(of).collect()
    }
}
