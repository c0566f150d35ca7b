//! 沿用上学期任课: where an allocation of the former semester goes (part 03 B3).

use crate::enums::AllocationRole;

/// An allocation of the former semester, with where it goes.
pub struct Source {
    pub course_name: String,
    pub class_id: Option<i64>,
    pub class_name: Option<String>,
    pub teacher_id: i64,
    pub teacher_name: String,
    pub role: AllocationRole,
    pub hours: Option<i32>,
    pub remark: Option<String>,
    /// Opening and class.
    pub targets: Vec<(i64, Option<i64>)>,
}

impl Source {
    /// Whose class has the course again stays with it, and goes to no other class of the site.
    pub fn prefer_own(&mut self) {
        let Some(own) = self.class_id else { return };
        if self.targets.iter().any(|(_, class)| *class == Some(own)) {
            self.targets.retain(|(_, class)| *class == Some(own));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_has_the_course_again_keeps_its_teacher_alone() {
        let source = |targets: &[(i64, Option<i64>)]| Source {
            course_name: String::new(),
            class_id: Some(7),
            class_name: None,
            teacher_id: 1,
            teacher_name: String::new(),
            role: AllocationRole::Lecturer,
            hours: None,
            remark: None,
            targets: targets.to_vec(),
        };
        let mut again = source(&[(1, Some(7)), (1, Some(8)), (2, Some(9))]);
        again.prefer_own();
        assert_eq!(again.targets, [(1, Some(7))]);
        let mut next = source(&[(1, Some(8)), (2, Some(9))]);
        next.prefer_own();
        assert_eq!(next.targets, [(1, Some(8)), (2, Some(9))]);
    }
}
