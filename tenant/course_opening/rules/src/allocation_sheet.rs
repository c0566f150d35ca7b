//! A sheet of allocations: which opening a row means, and what is taken already (part 03 B3).

use std::collections::{HashMap, HashSet};

use crate::{allocation::AllocationForm, enums::AllocationRole};

/// An opening that a row may mean.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub id: i64,
    pub semester_id: i64,
    pub grade_id: Option<i64>,
    pub major_id: Option<i64>,
}

/// A class that a row names.
#[derive(Debug, Clone)]
pub struct KnownClass {
    pub id: i64,
    pub name: String,
    pub enabled: bool,
    pub grade_id: i64,
    pub major_id: i64,
    pub site_id: i64,
}

/// Who has what: rows of the database, and those of the sheet so far.
#[derive(Debug, Default)]
pub struct Taken {
    pub lecturers: HashMap<(i64, Option<i64>), String>,
    pub rows: HashSet<(i64, Option<i64>, i64, AllocationRole)>,
}

impl Taken {
    /// Notes what a form asks for.
    ///
    /// # Errors
    /// Why the teacher cannot have it.
    pub fn take(&mut self, form: &AllocationForm, teacher: &str) -> Result<(), String> {
        let place = (form.opening_id, form.class_id);
        if form.role == AllocationRole::Lecturer {
            if let Some(name) = self.lecturers.get(&place) {
                return Err(lectures_already(form.class_id, name));
            }
            self.lecturers.insert(place, teacher.to_owned());
        }
        if self.rows.insert((form.opening_id, form.class_id, form.teacher_id, form.role)) {
            Ok(())
        } else {
            Err(TWICE.to_owned())
        }
    }
}

/// Of a class, or of all, that has a lecturer.
pub fn lectures_already(class: Option<i64>, name: &str) -> String {
    match class {
        Some(_) => format!("该班级已有主讲教师“{name}”"),
        None => format!("全部班级已有主讲教师“{name}”"),
    }
}

/// Of a teacher who has the same already.
pub const TWICE: &str = "该教师已有相同的任课安排";

/// The opening of a class: of its grade and major, else one for all, else one that somebody of it is in.
pub fn of_class(openings: &[Known], class: &KnownClass, rosters: &HashSet<(i64, i64)>) -> Option<Known> {
    let own = |known: &&Known| known.grade_id == Some(class.grade_id) && known.major_id == Some(class.major_id);
    let any = |known: &&Known| {
        known.grade_id.is_none_or(|id| id == class.grade_id) && known.major_id.is_none_or(|id| id == class.major_id)
    };
    let attended = |known: &&Known| rosters.contains(&(known.id, class.id));
    let found = openings.iter().find(own).or_else(|| openings.iter().find(any));
    found.or_else(|| openings.iter().find(attended)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_opening_of_its_grade_and_major() {
        let opening = |id, grade_id, major_id| Known { id, semester_id: 1, grade_id, major_id };
        let all = [opening(1, None, None), opening(2, Some(2), Some(3)), opening(3, Some(2), Some(4))];
        let class =
            |major_id| KnownClass { id: 9, name: "C9".to_owned(), enabled: true, grade_id: 2, major_id, site_id: 1 };
        let meant = |openings: &[Known], major, rosters: &[(i64, i64)]| {
            of_class(openings, &class(major), &rosters.iter().copied().collect()).map(|known| known.id)
        };
        assert_eq!(meant(&all, 3, &[]), Some(2));
        assert_eq!(meant(&all, 7, &[(3, 9)]), Some(1));
        assert_eq!(meant(&all[1..], 7, &[(2, 8)]), None);
        assert_eq!(meant(&all[1..], 7, &[(3, 9)]), Some(3), "somebody of the class repeats the course there");
    }

    #[test]
    fn rows_of_a_sheet_count_for_those_after_them() {
        let form = |class_id, teacher_id, role| AllocationForm {
            opening_id: 1,
            class_id,
            teacher_id,
            role,
            hours: None,
            remark: None,
        };
        let mut taken = Taken::default();
        assert_eq!(taken.take(&form(Some(9), 1, AllocationRole::Lecturer), "教师1"), Ok(()));
        assert_eq!(taken.take(&form(None, 2, AllocationRole::Lecturer), "教师2"), Ok(()));
        let second = taken.take(&form(Some(9), 2, AllocationRole::Lecturer), "教师2");
        assert_eq!(second, Err("该班级已有主讲教师“教师1”".to_owned()));
        assert_eq!(taken.take(&form(Some(9), 2, AllocationRole::Tutor), "教师2"), Ok(()));
        assert_eq!(taken.take(&form(Some(9), 2, AllocationRole::Tutor), "教师2"), Err(TWICE.to_owned()));
    }
}
