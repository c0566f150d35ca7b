//! A course as one student studies it: the selection with its student, and how its opening is studied (part 03 B5).

use course_selection_rules::enums::{OpeningStatus, SelectionStatus};
use infra::{Error, Result, clock::Moment};
use student_status_rules::enums::StudentStatus;

/// A course as one student studies it.
#[derive(Debug, Clone)]
pub struct Course {
    pub selection_id: i64,
    pub student_id: i64,
    pub student_name: String,
    pub student_no: Option<String>,
    pub student_status: StudentStatus,
    pub status: SelectionStatus,
    pub opening_status: OpeningStatus,
    pub course_id: i64,
    pub course_name: String,
    pub semester_id: i64,
    /// None: nothing to study.
    pub record_id: Option<i64>,
    pub starts_at: Moment,
    pub ends_at: Moment,
    pub finish_percent: i32,
    pub max_speed: f64,
    pub allow_seek_unwatched: bool,
    /// 0: none.
    pub daily_limit_minutes: i32,
    pub sequential: bool,
    pub face_check: bool,
}

impl Course {
    /// Whether the student studies at all.
    ///
    /// # Errors
    /// 403 for whoever does not study now.
    pub fn may_study(&self) -> Result<()> {
        self.student_status.may_study()
    }

    /// # Errors
    /// 409 for a course that the student is not in.
    pub fn is_taken(&self) -> Result<()> {
        match self.status {
            SelectionStatus::Selected | SelectionStatus::Completed => Ok(()),
            other => Err(Error::conflict(format!("该课程的选课为{}，不能学习", other.zh()))),
        }
    }

    /// Whether what is done now counts.
    ///
    /// # Errors
    /// 409 for a course that has its score, an opening that is not taught, and outside of its window.
    pub fn counts_at(&self, now: Moment) -> Result<()> {
        self.is_taken()?;
        if self.status == SelectionStatus::Completed {
            return Err(Error::conflict("该课程已有总评成绩，不再记录学习"));
        }
        if self.opening_status != OpeningStatus::Opened || now < self.starts_at || now >= self.ends_at {
            return Err(Error::conflict("不在学习时间内"));
        }
        Ok(())
    }

    /// Seconds of a day of which so many were studied that are left; none without a limit.
    pub fn left_of(&self, studied: i32) -> Option<i32> {
        (self.daily_limit_minutes > 0).then(|| (self.daily_limit_minutes * 60 - studied).max(0))
    }
}

#[cfg(test)]
impl Course {
    /// A course of a hundred days, of which an hour a day is studied.
    pub fn of_a_hundred_days() -> Self {
        let starts = Moment::default();
        Self {
            selection_id: 1,
            student_id: 1,
            student_name: "张三".to_owned(),
            student_no: None,
            student_status: StudentStatus::Registered,
            status: SelectionStatus::Selected,
            opening_status: OpeningStatus::Opened,
            course_id: 1,
            course_name: "大学英语(一)".to_owned(),
            semester_id: 1,
            record_id: Some(1),
            starts_at: starts,
            ends_at: starts + chrono::Duration::days(100),
            finish_percent: 90,
            max_speed: 1.5,
            allow_seek_unwatched: false,
            daily_limit_minutes: 60,
            sequential: false,
            face_check: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;

    #[test]
    fn a_course_counts_in_its_window() {
        let course = Course::of_a_hundred_days();
        let during = course.starts_at + Duration::days(1);
        assert!(course.counts_at(during).is_ok());
        let told = |course: &Course, at| course.counts_at(at).map_err(|error| error.msg.into_owned());
        assert_eq!(told(&course, course.ends_at), Err("不在学习时间内".to_owned()));
        let closed = Course { opening_status: OpeningStatus::Closed, ..course.clone() };
        assert_eq!(told(&closed, during), Err("不在学习时间内".to_owned()));
        let dropped = Course { status: SelectionStatus::Dropped, ..course.clone() };
        assert_eq!(told(&dropped, during), Err("该课程的选课为已退选，不能学习".to_owned()));
        let away = Course { student_status: StudentStatus::Suspended, ..course.clone() };
        assert_eq!(away.may_study().map_err(|error| error.code), Err(403));
        assert_eq!((course.left_of(3_000), course.left_of(4_000)), (Some(600), Some(0)));
        let free = Course { daily_limit_minutes: 0, ..course };
        assert_eq!(free.left_of(90_000), None);
    }
}
