//! 自动分配导师: each goes to who has the least, as far as their quota, their own major first.

use std::collections::HashMap;

/// A thesis without an adviser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topicless {
    pub thesis: i64,
    pub major: i64,
}

/// An adviser; no majors are all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    pub teacher: i64,
    pub majors: Vec<i64>,
    pub has: i64,
    pub quota: i64,
}

/// Who advises which thesis; those for whom nobody has room are missing.
pub fn even(students: &[Topicless], advisers: &[Load]) -> HashMap<i64, i64> {
    let mut left: Vec<Load> = advisers.to_vec();
    let mut sorted: Vec<&Topicless> = students.iter().collect();
    sorted.sort_by_key(|one| (one.major, one.thesis));
    let mut given = HashMap::new();
    for student in sorted {
        let fits = |load: &&mut Load| {
            load.has < load.quota && (load.majors.is_empty() || load.majors.contains(&student.major))
        };
        let own = |load: &Load| load.majors.is_empty();
        let found = left.iter_mut().filter(fits).min_by_key(|load| (own(load), load.has, load.teacher));
        if let Some(load) = found {
            load.has += 1;
            given.insert(student.thesis, load.teacher);
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_even_within_a_major() {
        let student = |thesis, major| Topicless { thesis, major };
        let adviser = |teacher, majors: &[i64], has, quota| Load { teacher, majors: majors.to_vec(), has, quota };
        let students: Vec<Topicless> = (1..=6).map(|id| student(id, 1)).collect();
        let given = even(&students, &[adviser(10, &[1], 0, 20), adviser(11, &[1], 0, 20), adviser(12, &[2], 0, 20)]);
        let of = |teacher| given.values().filter(|own| **own == teacher).count();
        assert_eq!((of(10), of(11), of(12)), (3, 3, 0));
        assert_eq!(even(&students, &[adviser(10, &[], 19, 20)]).len(), 1);
    }
}
