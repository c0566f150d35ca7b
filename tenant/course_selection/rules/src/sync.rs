//! 同步名单: what becomes of a selection as its student stands now (part 03 B4).

use std::collections::HashMap;

use poem_openapi::Object;
use student_status_rules::enums::StudentStatus;

use crate::{
    enums::{OpeningKind, SelectionSource, SelectionStatus},
    opening::Opening,
};

/// Told of those who left the opening's grade and major.
pub const MOVED_AWAY: &str = "学籍异动";

/// How many selections a sync changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Object)]
pub struct Synced {
    /// 新增
    pub added: i64,
    /// 退选
    pub dropped: i64,
    /// 转入其他开课或班级
    pub moved: i64,
}

impl Synced {
    /// All of them.
    pub fn all(self) -> i64 {
        self.added + self.dropped + self.moved
    }
}

impl std::ops::AddAssign for Synced {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.dropped += other.dropped;
        self.moved += other.moved;
    }
}

/// A selection with how its student stands now.
pub struct Line {
    pub id: i64,
    pub student_id: i64,
    pub class_id: Option<i64>,
    pub class_by_hand: bool,
    pub source: SelectionSource,
    pub status: SelectionStatus,
    pub student_status: StudentStatus,
    pub grade_id: i64,
    pub major_id: i64,
    pub own_class_id: Option<i64>,
}

/// What becomes of a selection.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    Stays,
    /// Why it goes.
    Goes(String),
    /// To the opening of the same course for the student's grade and major.
    Moves(i64),
    /// The class follows the student.
    Follows,
}

impl Line {
    /// `others` are the opened openings of the same course in the semester.
    pub fn fate(&self, opening: &Opening, others: &[&Opening]) -> Fate {
        if matches!(
            self.student_status,
            StudentStatus::Suspended | StudentStatus::Withdrawn | StudentStatus::TransferredOut
        ) {
            return Fate::Goes(self.student_status.zh().to_owned());
        }
        let belongs = !self.source.asks_cohort() || opening.is_for(self.grade_id, self.major_id);
        if !belongs {
            let own = |other: &&&Opening| {
                other.kind == OpeningKind::Plan
                    && other.grade_id == Some(self.grade_id)
                    && other.major_id == Some(self.major_id)
            };
            return match others.iter().find(own) {
                Some(other) => Fate::Moves(other.id),
                None => Fate::Goes(MOVED_AWAY.to_owned()),
            };
        }
        if !self.class_by_hand && self.class_id != self.own_class_id { Fate::Follows } else { Fate::Stays }
    }
}

/// Places that are left in openings with a limit. What is compulsory takes all its students.
pub struct Places(pub HashMap<i64, i64>);

impl Places {
    /// Takes a place, if there is one.
    pub fn take(&mut self, opening: i64) -> bool {
        match self.0.get_mut(&opening) {
            None => true,
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use teaching_plan_rules::enums::CourseNature;

    use super::*;
    use crate::enums::OpeningStatus;

    fn opening(id: i64, major: i64) -> Opening {
        Opening {
            id,
            semester_id: 1,
            semester_name: "2026年春季学期".to_owned(),
            semester_closed: false,
            ordinal: 4052,
            course_id: 7,
            course_name: "大学英语(一)".to_owned(),
            kind: OpeningKind::Plan,
            status: OpeningStatus::Opened,
            nature: CourseNature::Compulsory,
            grade_id: Some(2),
            major_id: Some(major),
            credits: 40,
            capacity: None,
        }
    }

    fn line() -> Line {
        Line {
            id: 1,
            student_id: 1,
            class_id: Some(5),
            class_by_hand: false,
            source: SelectionSource::Plan,
            status: SelectionStatus::Selected,
            student_status: StudentStatus::Registered,
            grade_id: 2,
            major_id: 3,
            own_class_id: Some(5),
        }
    }

    #[test]
    fn places_are_taken_until_none_is_left() {
        let mut places = Places(HashMap::from([(1, 1), (2, -3)]));
        assert!(places.take(1));
        assert!(!places.take(1));
        assert!(!places.take(2), "more came than there are places");
        assert!(places.take(3), "as many as come");
    }

    #[test]
    fn a_selection_follows_its_student() {
        let (own, other) = (opening(10, 3), opening(11, 4));
        let others = [&other];
        let fate = |line: Line| line.fate(&own, &others);
        assert_eq!(fate(line()), Fate::Stays);
        for (status, why) in [
            (StudentStatus::Suspended, "休学"),
            (StudentStatus::Withdrawn, "退学"),
            (StudentStatus::TransferredOut, "转出"),
        ] {
            assert_eq!(fate(Line { student_status: status, ..line() }), Fate::Goes(why.to_owned()));
        }
        assert_eq!(fate(Line { major_id: 4, ..line() }), Fate::Moves(11));
        assert_eq!(fate(Line { major_id: 9, ..line() }), Fate::Goes("学籍异动".to_owned()));
        assert_eq!(fate(Line { grade_id: 1, ..line() }), Fate::Goes("学籍异动".to_owned()));
        // Whoever repeats it was never of the grade.
        assert_eq!(fate(Line { grade_id: 1, source: SelectionSource::Retake, ..line() }), Fate::Stays);
        assert_eq!(fate(Line { own_class_id: Some(6), ..line() }), Fate::Follows);
        assert_eq!(fate(Line { own_class_id: Some(6), class_by_hand: true, ..line() }), Fate::Stays);
        assert_eq!(fate(Line { own_class_id: None, ..line() }), Fate::Follows);
    }
}
