//! 考勤成绩: of the lessons that are taught face to face (part 04 §5.3).

use crate::{enums::AttendanceScoreSource, params::AttendanceParams, total::Component};

/// How somebody came, and what was confirmed of it; scores in tenths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attended {
    /// Lessons that were registered, leave not among them.
    pub sessions: i64,
    pub absent: i64,
    pub late: i64,
    pub leave: i64,
    /// 面授总成绩, confirmed.
    pub total: Option<i64>,
    /// 出勤成绩.
    pub score: Option<i64>,
}

/// What it comes to; what was imported goes before it and is not asked here.
pub fn value(p: &AttendanceParams, a: &Attended) -> Component {
    let registered = a.sessions + a.leave > 0;
    if p.source == AttendanceScoreSource::ImportOnly || (!registered && a.total.is_none()) {
        return Component::NotApplicable;
    }
    if registered && a.absent > 0 && a.absent * 100 >= i64::from(p.absence_fail_percent) * (a.sessions + a.leave) {
        return Component::Value(0);
    }
    match p.source {
        AttendanceScoreSource::InstructionTotal => a.total.map_or(Component::None, Component::Value),
        AttendanceScoreSource::InstructionAttendance => a.score.map_or(Component::None, Component::Value),
        AttendanceScoreSource::Deduct => {
            let lost = a.absent * i64::from(p.absent_deduct)
                + a.late * i64::from(p.late_deduct)
                + a.leave * i64::from(p.leave_deduct);
            let left = (i64::from(p.base) - lost).max(i64::from(p.floor));
            Component::Value((left * 10).clamp(0, 1_000))
        }
        AttendanceScoreSource::ImportOnly => Component::NotApplicable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(source: AttendanceScoreSource) -> AttendanceParams {
        AttendanceParams {
            source,
            base: 100,
            absent_deduct: 10,
            late_deduct: 3,
            leave_deduct: 2,
            floor: 0,
            absence_fail_percent: 33,
        }
    }

    #[test]
    fn what_was_missed_is_deducted() {
        let came = Attended { sessions: 17, absent: 2, late: 1, leave: 1, total: Some(861), score: Some(833) };
        assert_eq!(value(&rule(AttendanceScoreSource::Deduct), &came), Component::Value(750));
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionTotal), &came), Component::Value(861));
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionAttendance), &came), Component::Value(833));
        assert_eq!(value(&rule(AttendanceScoreSource::ImportOnly), &came), Component::NotApplicable);
    }

    #[test]
    fn who_missed_a_third_has_nothing() {
        let came = Attended { sessions: 100, absent: 33, total: Some(861), ..Attended::default() };
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionTotal), &came), Component::Value(0));
        let nearly = Attended { absent: 32, ..came };
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionTotal), &nearly), Component::Value(861));
    }

    #[test]
    fn without_lessons_it_is_not_applicable() {
        let none = Attended::default();
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionTotal), &none), Component::NotApplicable);
        let unconfirmed = Attended { sessions: 3, ..none };
        assert_eq!(value(&rule(AttendanceScoreSource::InstructionTotal), &unconfirmed), Component::None);
    }
}
