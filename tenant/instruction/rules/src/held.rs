//! A score that is changed: what it is judged by (part 03 B8).

use course_selection_rules::enums::SelectionStatus;
use infra::{Error, Result};
use poem_openapi::Object;

use crate::{enums::InstructionScoreStatus, rule::Attended};

/// What people put into a score, as the trail keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreContent {
    /// 选课编号
    pub selection_id: i64,
    /// 出勤成绩
    /// 没有课次时录入的
    pub attendance_score: Option<f64>,
    /// 表现成绩
    pub performance_score: Option<f64>,
}

/// A selection with its score, kept from others until the transaction ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub selection_id: i64,
    pub student_name: String,
    pub opening_id: i64,
    pub class_id: Option<i64>,
    pub course_name: String,
    pub selection_status: SelectionStatus,
    /// The score of the course is locked.
    pub score_locked: bool,
    pub face_to_face: bool,
    pub semester_name: String,
    pub semester_closed: bool,
    /// None as long as nothing was registered.
    pub score_id: Option<i64>,
    pub status: InstructionScoreStatus,
    pub version: i32,
    /// In tenths.
    pub performance: Option<i64>,
    /// In tenths; typed where there were no sessions.
    pub typed: Option<i64>,
    pub attended: Attended,
    /// Sessions of the class that are not cancelled.
    pub sessions: i64,
}

impl Held {
    /// Whether the score may change at all.
    ///
    /// # Errors
    /// 409 in a closed semester, for a course that is taught on the net alone, and for who is not on the roster any more.
    pub fn may_change(&self) -> Result<()> {
        if self.semester_closed {
            return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", self.semester_name)));
        }
        if !self.face_to_face {
            return Err(Error::conflict(format!("“{}”不是面授或混合教学的课程", self.course_name)));
        }
        match self.selection_status {
            SelectionStatus::Selected | SelectionStatus::Completed => Ok(()),
            SelectionStatus::Pending | SelectionStatus::Dropped | SelectionStatus::Exempted => Err(Error::conflict(
                format!("“{}”的选课为{}，不能登记面授成绩", self.student_name, self.selection_status.zh()),
            )),
        }
    }

    /// Whether it is still typed.
    ///
    /// # Errors
    /// 409 for what was submitted or confirmed.
    pub fn is_draft(&self) -> Result<()> {
        match self.status {
            InstructionScoreStatus::Draft => Ok(()),
            InstructionScoreStatus::Submitted => Err(Error::conflict("已提交的成绩不能修改，请先退回")),
            InstructionScoreStatus::Confirmed => Err(Error::conflict("已确认的成绩不能修改")),
        }
    }

    /// Whether the final score of the selection stands, so that what it was made of does not change any more.
    pub fn is_locked(&self) -> bool {
        self.selection_status == SelectionStatus::Completed || self.score_locked
    }

    /// What people put into it.
    pub fn content(&self) -> ScoreContent {
        ScoreContent {
            selection_id: self.selection_id,
            attendance_score: self.typed.map(points),
            performance_score: self.performance.map(points),
        }
    }
}

/// Tenths as a number.
pub fn points(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

/// A typed score in tenths; none beyond 0–100, or with more than one place.
pub fn in_tenths(score: f64) -> Option<i64> {
    let tenths = (score * 10.0).round();
    let fits = (0.0..=1000.0).contains(&tenths) && (score * 10.0 - tenths).abs() < 1e-6;
    fits.then_some(tenths as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_one_place() {
        assert_eq!((in_tenths(88.0), in_tenths(0.0), in_tenths(100.0)), (Some(880), Some(0), Some(1000)));
        assert_eq!((in_tenths(86.1), in_tenths(33.3)), (Some(861), Some(333)));
        assert_eq!(
            (in_tenths(88.05), in_tenths(101.0), in_tenths(-0.1), in_tenths(f64::NAN)),
            (None, None, None, None)
        );
        assert!((points(861) - 86.1).abs() < 1e-9);
    }

    fn held(status: InstructionScoreStatus, selection_status: SelectionStatus) -> Held {
        Held {
            selection_id: 1,
            student_name: "王芳".to_owned(),
            opening_id: 1,
            class_id: Some(1),
            course_name: "管理学".to_owned(),
            selection_status,
            score_locked: false,
            face_to_face: true,
            semester_name: "2026年春季学期".to_owned(),
            semester_closed: false,
            score_id: Some(1),
            status,
            version: 1,
            performance: None,
            typed: None,
            attended: Attended::default(),
            sessions: 0,
        }
    }

    #[test]
    fn what_went_on_does_not_change() {
        use InstructionScoreStatus::{Confirmed, Draft, Submitted};
        let told = |status| held(status, SelectionStatus::Selected).is_draft().map_err(|error| error.msg);
        assert_eq!(told(Draft), Ok(()));
        assert_eq!(told(Submitted), Err("已提交的成绩不能修改，请先退回".into()));
        assert_eq!(told(Confirmed), Err("已确认的成绩不能修改".into()));
        assert!(held(Confirmed, SelectionStatus::Completed).is_locked());
        let left = held(Draft, SelectionStatus::Dropped).may_change().map_err(|error| error.msg);
        assert_eq!(left, Err("“王芳”的选课为已退选，不能登记面授成绩".into()));
        let online = Held { face_to_face: false, ..held(Draft, SelectionStatus::Selected) };
        assert_eq!(online.may_change().map_err(|error| error.msg), Err("“管理学”不是面授或混合教学的课程".into()));
    }
}
