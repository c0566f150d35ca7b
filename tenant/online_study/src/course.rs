//! A course as one student studies it: the selection with its student, and how its opening is studied: as it was set, else as it is
//! by default.

use chrono::NaiveDate;
use course_selection::enums::{OpeningStatus, SelectionStatus};
use infra::{Error, Result, clock::Moment};
use sqlx::PgConnection;
use student_status::enums::StudentStatus;

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Course {
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
    /// # Errors
    /// 404 when there is none, or it is not the student's.
    pub async fn of_student(connection: &mut PgConnection, selection: i64, student: i64) -> Result<Self> {
        let course = Self::of(connection, selection).await?;
        if course.student_id == student { Ok(course) } else { Err(Error::not_found()) }
    }

    /// # Errors
    /// 404 when there is no such selection.
    pub async fn of(connection: &mut PgConnection, selection: i64) -> Result<Self> {
        sqlx::query_as!(
            Course,
            r#"select c.id as "selection_id!", c.student_id as "student_id!", s.name as "student_name!", s.student_no,
                      s.status as "student_status!: _", c.status as "status!: _", o.status as "opening_status!: _",
                      c.course_id as "course_id!", u.name as "course_name!", c.semester_id as "semester_id!",
                      coalesce(n.course_record_id, r.id) as record_id,
                      coalesce(n.study_starts_at, e.starts_on::timestamp at time zone 'Asia/Shanghai') as "starts_at!",
                      coalesce(n.study_ends_at, (e.ends_on + 1)::timestamp at time zone 'Asia/Shanghai') as "ends_at!",
                      coalesce(n.finish_percent, 90) as "finish_percent!",
                      coalesce(n.max_speed, 1.5)::float8 as "max_speed!",
                      coalesce(n.allow_seek_unwatched, false) as "allow_seek_unwatched!",
                      coalesce(n.daily_limit_minutes, 0) as "daily_limit_minutes!",
                      coalesce(n.sequential, false) as "sequential!", coalesce(n.face_check, false) as "face_check!"
               from course_selection c
               join student s on s.id = c.student_id
               join course_opening o on o.id = c.opening_id
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               left join online_teaching n on n.id = o.id
               left join course_record r on r.course_id = o.course_id and r.is_default and r.status = 'published'
               where c.id = $1"#,
            selection
        )
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
    }

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
    fn left_of(&self, studied: i32) -> Option<i32> {
        (self.daily_limit_minutes > 0).then(|| (self.daily_limit_minutes * 60 - studied).max(0))
    }

    /// Seconds that may still be studied on a day; none without a limit.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn left_on(&self, connection: &mut PgConnection, day: NaiveDate) -> Result<Option<i32>> {
        if self.daily_limit_minutes == 0 {
            return Ok(None);
        }
        let studied = sqlx::query_scalar!(
            "select seconds from study_day where selection_id = $1 and day = $2",
            self.selection_id,
            day
        )
        .fetch_optional(connection)
        .await?;
        Ok(self.left_of(studied.unwrap_or(0)))
    }
}

/// Told when the day's time is used up.
pub(crate) fn day_is_full() -> Error {
    Error::conflict("今日学习时长已达上限")
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
