//! A student's row of a homework (part 03 B6).

use infra::clock::Moment;

use crate::{
    enums::{AttemptScoring, HomeworkStatus, HomeworkStudentState, ShowAnswer},
    shuffle::Shuffle,
    times::{Window, grace},
};

/// A student's row of a homework with what of the homework decides over its sheets.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: i64,
    pub homework_id: i64,
    pub selection_id: i64,
    pub student_id: i64,
    pub snapshot_id: i64,
    pub state: HomeworkStudentState,
    pub attempts_used: i32,
    pub extra_attempts: i32,
    pub extended_until: Option<Moment>,
    pub redo_until: Option<Moment>,
    /// In tenths.
    pub final_raw: Option<i64>,
    pub submitted_at: Option<Moment>,
    pub course_name: String,
    pub title: String,
    pub status: HomeworkStatus,
    pub starts_at: Moment,
    pub ends_at: Moment,
    pub late_until: Option<Moment>,
    pub late_penalty: i32,
    pub duration_minutes: Option<i32>,
    pub max_attempts: i32,
    pub min_interval_minutes: i32,
    pub attempt_scoring: AttemptScoring,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub show_answer: ShowAnswer,
    pub required_progress: f64,
    /// In tenths.
    pub total: i64,
}

impl Task {
    /// The time of an attempt; of one that is done again, because one was given back, until when that may be.
    pub fn window(&self, redo: bool) -> Window {
        Window {
            ends_at: self.ends_at,
            late_until: self.late_until,
            extended_until: self.extended_until,
            redo_until: self.redo_until.filter(|_| redo),
        }
    }

    /// Whether a sheet waits to be done again, or is done again now.
    pub fn again(&self, now: Moment) -> bool {
        matches!(self.state, HomeworkStudentState::Returned | HomeworkStudentState::InProgress)
            && self.redo_until.is_some_and(|until| now <= until + grace())
    }

    /// Whether the student hands nothing in any more, unless a sheet is given back: the homework is closed, and they were not
    /// given longer, or used it.
    pub fn over(&self, now: Moment) -> bool {
        let longer = self.attempts_left() > 0 && self.extended_until.is_some_and(|until| now <= until + grace());
        self.status == HomeworkStatus::Closed && self.state != HomeworkStudentState::InProgress && !longer
    }

    /// Whether an attempt is open, or the student may still begin one.
    pub fn more(&self, now: Moment) -> bool {
        self.state == HomeworkStudentState::InProgress || (self.attempts_left() > 0 && !self.over(now))
    }

    /// How a sheet with this seed is shown.
    pub fn shuffle(&self, seed: i64) -> Shuffle {
        Shuffle { questions: self.shuffle_questions, options: self.shuffle_options, seed }
    }

    /// Attempts that are left.
    pub fn attempts_left(&self) -> i32 {
        (self.max_attempts + self.extra_attempts - self.attempts_used).max(0)
    }
}
