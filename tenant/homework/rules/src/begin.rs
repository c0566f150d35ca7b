//! Whether a student may begin an attempt (part 03 B10).

use infra::clock::Moment;

use crate::{
    enums::{HomeworkStatus, HomeworkStudentState},
    task::Task,
};

/// Why a homework cannot be begun.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("作业未开始")]
    NotBegun,
    #[error("作业已截止")]
    Over,
    #[error("该作业{0}，不能作答")]
    NotAsked(&'static str),
    #[error("次数已用完")]
    UsedUp,
    #[error("距上次提交不足{0}分钟")]
    TooSoon(i32),
    #[error("学习进度未达{0}%")]
    Behind(String),
}

/// Whether a student may begin an attempt now; `progress` is how far their study of the course is.
pub fn may_begin(task: &Task, progress: f64, now: Moment) -> Result<(), Refusal> {
    match task.state {
        HomeworkStudentState::Exempt => return Err(Refusal::NotAsked("已免做")),
        HomeworkStudentState::Void => return Err(Refusal::NotAsked("已作废")),
        _ => {}
    }
    if now < task.starts_at {
        return Err(Refusal::NotBegun);
    }
    // What was given back may be done again, whether or not the homework is closed.
    let again = task.state == HomeworkStudentState::Returned && task.redo_until.is_some_and(|until| now <= until);
    let eased = task.state != HomeworkStudentState::Missed && task.extended_until.is_some_and(|until| now <= until);
    if task.state == HomeworkStudentState::Returned && !again {
        // It counts again as it did, as soon as that is seen.
        return Err(Refusal::Over);
    }
    let window = task.window(again);
    if !again && (task.status == HomeworkStatus::Closed && !eased || now > window.hard_end()) {
        return Err(Refusal::Over);
    }
    if again {
        return Ok(());
    }
    if task.attempts_left() == 0 {
        return Err(Refusal::UsedUp);
    }
    let since = task.submitted_at.map(|at| now - at);
    if since.is_some_and(|since| since.num_minutes() < i64::from(task.min_interval_minutes)) {
        return Err(Refusal::TooSoon(task.min_interval_minutes));
    }
    if progress < task.required_progress {
        return Err(Refusal::Behind(format!("{}", task.required_progress)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, TimeDelta};
    use infra::clock::day_began;

    use super::*;
    use crate::enums::{AttemptScoring, ShowAnswer};

    fn at(hour: i64) -> Moment {
        day_began(NaiveDate::from_ymd_opt(2026, 4, 1).expect("a day")) + TimeDelta::hours(hour)
    }

    fn task() -> Task {
        Task {
            id: 1,
            homework_id: 1,
            selection_id: 1,
            student_id: 1,
            snapshot_id: 1,
            state: HomeworkStudentState::NotStarted,
            attempts_used: 0,
            extra_attempts: 0,
            extended_until: None,
            redo_until: None,
            final_raw: None,
            submitted_at: None,
            course_name: "会计学原理".to_owned(),
            title: "第一次作业".to_owned(),
            status: HomeworkStatus::Published,
            starts_at: at(8),
            ends_at: at(22),
            late_until: None,
            late_penalty: 0,
            duration_minutes: None,
            max_attempts: 1,
            min_interval_minutes: 0,
            attempt_scoring: AttemptScoring::Highest,
            shuffle_questions: false,
            shuffle_options: false,
            show_answer: ShowAnswer::AfterClose,
            required_progress: 0.0,
            total: 1_000,
        }
    }

    #[test]
    fn a_homework_is_begun_within_its_time() {
        let told = |task: &Task, now| may_begin(task, 0.0, now).map_err(|why| why.to_string());
        assert_eq!(told(&task(), at(9)), Ok(()));
        assert_eq!(told(&task(), at(7)), Err("作业未开始".to_owned()));
        assert_eq!(told(&task(), at(23)), Err("作业已截止".to_owned()));
        let late = Task { late_until: Some(at(24)), ..task() };
        assert_eq!(told(&late, at(23)), Ok(()));
        let eased = Task { extended_until: Some(at(30)), ..task() };
        assert_eq!(told(&eased, at(29)), Ok(()));
        let closed = Task { status: HomeworkStatus::Closed, ..task() };
        assert_eq!(told(&closed, at(9)), Err("作业已截止".to_owned()));
        let opened = Task { status: HomeworkStatus::Closed, ..eased };
        assert_eq!(told(&opened, at(29)), Ok(()), "given longer after it was closed");
    }

    #[test]
    fn a_sheet_that_was_given_back_is_done_again_on_a_closed_homework() {
        let back = Task {
            state: HomeworkStudentState::Returned,
            status: HomeworkStatus::Closed,
            redo_until: Some(at(70)),
            attempts_used: 1,
            ..task()
        };
        assert_eq!(may_begin(&back, 0.0, at(60)), Ok(()));
        assert_eq!(may_begin(&back, 0.0, at(71)), Err(Refusal::Over));
        let redone = Task { state: HomeworkStudentState::Marked, ..back };
        assert_eq!(may_begin(&redone, 0.0, at(60)), Err(Refusal::Over), "only once");
    }

    #[test]
    fn attempts_intervals_and_study_are_asked() {
        let told = |task: &Task, progress| may_begin(task, progress, at(10)).map_err(|why| why.to_string());
        assert_eq!(told(&Task { attempts_used: 1, ..task() }, 0.0), Err("次数已用完".to_owned()));
        assert_eq!(told(&Task { attempts_used: 1, extra_attempts: 1, ..task() }, 0.0), Ok(()));
        let soon =
            Task { attempts_used: 1, max_attempts: 3, min_interval_minutes: 90, submitted_at: Some(at(9)), ..task() };
        assert_eq!(told(&soon, 0.0), Err("距上次提交不足90分钟".to_owned()));
        let behind = Task { required_progress: 60.0, ..task() };
        assert_eq!(told(&behind, 59.9), Err("学习进度未达60%".to_owned()));
        assert_eq!(told(&behind, 60.0), Ok(()));
    }
}
