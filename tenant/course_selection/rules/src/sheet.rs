//! Which opening a row of a sheet means (part 03 B4).

use crate::enums::{OpeningKind, SelectionSource};

/// An opening that a row may mean.
pub struct Candidate {
    pub id: i64,
    pub kind: OpeningKind,
    pub grade_id: Option<i64>,
    pub major_id: Option<i64>,
}

/// Which of the openings of a course a student goes to: a class for those who repeat it where they repeat it, else that of their
/// own grade and major, else one for all, else any.
pub fn meant(candidates: &[Candidate], source: SelectionSource, grade: i64, major: i64) -> Option<i64> {
    let place = |candidate: &Candidate| {
        let fits = candidate.grade_id.is_none_or(|id| id == grade) && candidate.major_id.is_none_or(|id| id == major);
        match candidate.kind {
            OpeningKind::Retake if source == SelectionSource::Retake => 0,
            OpeningKind::Plan if fits => 1,
            OpeningKind::Extra if fits => 2,
            OpeningKind::Plan | OpeningKind::Extra => 3,
            OpeningKind::Retake => 4,
        }
    };
    candidates.iter().min_by_key(|candidate| (place(candidate), candidate.id)).map(|candidate| candidate.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opening_follows_from_the_student() {
        let opening = |id, kind, grade_id, major_id| Candidate { id, kind, grade_id, major_id };
        let all = [
            opening(1, OpeningKind::Plan, Some(9), Some(9)),
            opening(2, OpeningKind::Plan, Some(2), Some(3)),
            opening(3, OpeningKind::Extra, None, None),
            opening(4, OpeningKind::Retake, None, None),
        ];
        assert_eq!(meant(&all, SelectionSource::Admin, 2, 3), Some(2));
        assert_eq!(meant(&all, SelectionSource::Retake, 2, 3), Some(4));
        assert_eq!(meant(&all, SelectionSource::Own, 5, 6), Some(3));
        assert_eq!(meant(&all[..1], SelectionSource::MakeupStudy, 5, 6), Some(1));
        assert_eq!(meant(&[], SelectionSource::Admin, 2, 3), None);
    }
}
