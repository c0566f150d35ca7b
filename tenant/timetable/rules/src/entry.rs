//! A session in a timetable, and the days that one call shows.

use chrono::NaiveDate;
use infra::{Error, Result, clock::Moment};
use poem_openapi::Object;

use crate::enums::{ArrangeKind, ArrangeMode, ArrangeStatus, SessionStatus};

/// Days that one call shows: a semester and some.
const MOST_DAYS: i64 = 31 * 7;

/// A session in a timetable.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct TimetableEntry {
    /// 课次编号
    pub session_id: i64,
    /// 排课编号
    pub arrange_id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 日期
    pub date: NaiveDate,
    /// 星期
    pub weekday: i32,
    /// 周次
    pub week_no: Option<i32>,
    /// 开始节次
    pub period_from: i32,
    /// 结束节次
    pub period_to: i32,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 上课类型
    pub kind: ArrangeKind,
    /// 排课方式
    pub mode: ArrangeMode,
    /// 教师编号
    pub teacher_id: i64,
    /// 教师
    pub teacher_name: String,
    /// 站点编号
    /// 上课所在的站点，节次为该站点的
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 教室编号
    pub classroom_id: Option<i64>,
    /// 教室
    pub classroom_name: Option<String>,
    /// 班级
    pub class_names: Vec<String>,
    /// 排课状态
    pub status: ArrangeStatus,
    /// 课次状态
    pub session_status: SessionStatus,
    /// 由哪次课调来
    pub moved_from_id: Option<i64>,
    /// 已登记考勤
    pub attended: bool,
    /// 版本
    /// 课次的版本
    pub version: i32,
}

/// # Errors
/// 422 for days in the wrong order, or too many.
pub fn checked_span(from: NaiveDate, to: NaiveDate) -> Result<()> {
    if to < from {
        return Err(Error::field("to", "结束日期不能早于开始日期"));
    }
    if (to - from).num_days() >= MOST_DAYS {
        return Err(Error::field("to", format!("一次最多查看{MOST_DAYS}天")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semester_is_shown_at_once_and_no_more() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let told = |from: &str, to: &str| checked_span(day(from), day(to)).map_err(|error| error.msg);
        assert_eq!(told("2026-03-02", "2026-07-12"), Ok(()));
        assert_eq!(told("2026-03-02", "2026-03-01"), Err("结束日期不能早于开始日期".into()));
        assert_eq!(told("2026-01-01", "2026-12-31"), Err("一次最多查看217天".into()));
    }
}
