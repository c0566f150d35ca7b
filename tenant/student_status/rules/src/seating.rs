//! 手工分班: who may be moved into which class.

use classes::class::Seats;
use infra::Result;

use crate::{check::place_differs, division::seatable, enums::StudentStatus};

/// A student as the step finds them, locked.
#[derive(Debug)]
pub struct Found {
    pub id: i64,
    pub name: String,
    pub version: i32,
    pub status: StudentStatus,
    pub cohort: [i64; 4],
    pub site_id: i64,
    pub class_id: Option<i64>,
}

/// Why a student cannot be moved.
pub fn allow(student: &Found, class: Option<&Seats>) -> Result<(), String> {
    seatable(student.status)?;
    match class {
        Some(class) if student.class_id == Some(class.class_id) => Err("已在该班级".to_owned()),
        Some(class) => {
            let cohort = &class.cohort;
            let of_class = [cohort.grade_id, cohort.level_id, cohort.major_id, cohort.site_id];
            place_differs(student.cohort, of_class).map_or(Ok(()), Err)
        }
        None if student.class_id.is_none() => Err("该生没有班级".to_owned()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use classes::class::Cohort;

    use super::*;

    fn told(change: impl FnOnce(&mut Found), class: bool) -> String {
        let mut student = Found {
            id: 1,
            name: "张三".to_owned(),
            version: 1,
            status: StudentStatus::Registered,
            cohort: [1, 2, 3, 4],
            site_id: 4,
            class_id: None,
        };
        change(&mut student);
        let seats = Seats {
            class_id: 9,
            name: "1班".to_owned(),
            enabled: true,
            cohort: Cohort { grade_id: 1, level_id: 2, major_id: 3, site_id: 4 },
            capacity: 50,
            taken: 0,
        };
        allow(&student, class.then_some(&seats)).map_or_else(|why| why, |()| "可以".to_owned())
    }

    #[test]
    fn a_student_fits_his_class() {
        assert_eq!(told(|_| {}, true), "可以");
        assert_eq!(told(|student| student.cohort = [1, 2, 8, 9], true), "与班级的专业、站点不一致");
        assert_eq!(told(|student| student.class_id = Some(9), true), "已在该班级");
        assert_eq!(told(|student| student.class_id = Some(8), true), "可以");
        assert_eq!(told(|student| student.status = StudentStatus::Withdrawn, true), "当前学籍状态为退学，不能分班");
        assert_eq!(told(|_| {}, false), "该生没有班级");
        assert_eq!(told(|student| student.class_id = Some(8), false), "可以");
    }
}
