//! The library of courses of a demonstration school: every course that the programmes name, once.

use std::collections::HashSet;

use majors::demo::COURSES;

/// Of each credit, within what the levels allow (03 A1).
const HOURS_PER_CREDIT: i32 = 18;

/// One line of the list.
pub struct Line {
    pub name: &'static str,
    pub type_kind: &'static str,
    pub kind: &'static str,
    pub credits: i32,
    pub exam_form: &'static str,
}

/// The first line of each name; programmes share courses.
pub fn lines() -> Vec<Line> {
    let mut seen = HashSet::new();
    COURSES
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<&'static str> = line.split(',').collect();
            let [_, _, _, _, name, type_kind, kind, credits, _, _, exam_form, ..] = fields.as_slice() else {
                return None;
            };
            let line = Line { name, type_kind, kind, credits: credits.parse().ok()?, exam_form };
            seen.insert(line.name).then_some(line)
        })
        .collect()
}

/// Lecture, online, practice and self-study hours of a course.
pub fn hours(line: &Line) -> [i32; 4] {
    let all = line.credits * HOURS_PER_CREDIT;
    if line.kind == "theory" {
        let (lecture, practice) = (all / 4, all / 6);
        let self_study = all / 6;
        [lecture, all - lecture - practice - self_study, practice, self_study]
    } else {
        [0, 0, all, 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_course_is_listed_once_and_its_hours_add_up() {
        let lines = lines();
        assert!(lines.len() > 300, "{}", lines.len());
        for line in &lines {
            assert_eq!(hours(line).iter().sum::<i32>(), line.credits * HOURS_PER_CREDIT, "{}", line.name);
            assert!((1..=30).contains(&line.credits), "{}", line.name);
        }
    }
}
