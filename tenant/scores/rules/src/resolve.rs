//! Which rule counts for a student and a course: the one that names most (part 04 §5.1).

use crate::{enums::ScoreKind, params::Params};

/// What a rule names; none is all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scope4 {
    pub grade: Option<i64>,
    pub level: Option<i64>,
    pub major: Option<i64>,
    pub course: Option<i64>,
}

/// Where a rule is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    pub grade: i64,
    pub level: i64,
    pub major: i64,
    pub course: Option<i64>,
}

/// A rule that is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub id: i64,
    pub kind: ScoreKind,
    pub scope: Scope4,
    pub params: Params,
    pub version: i32,
}

/// How much a rule names: a course goes before all else, a major before a level, a level before a grade.
pub fn weight(s: &Scope4) -> u8 {
    let of = |named: Option<i64>, weight| if named.is_some() { weight } else { 0 };
    of(s.course, 8) + of(s.major, 4) + of(s.level, 2) + of(s.grade, 1)
}

/// Whether all that a rule names is there.
pub fn fits(s: &Scope4, place: Place) -> bool {
    s.grade.is_none_or(|id| id == place.grade)
        && s.level.is_none_or(|id| id == place.level)
        && s.major.is_none_or(|id| id == place.major)
        && s.course.is_none_or(|id| place.course == Some(id))
}

/// The rule of a place; no two can tie, for no two name the same.
pub fn winner(rules: &[Rule], place: Place) -> Option<&Rule> {
    rules.iter().filter(|rule| fits(&rule.scope, place)).max_by_key(|rule| weight(&rule.scope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::QuestionsParams;

    fn rule(id: i64, scope: Scope4) -> Rule {
        let params = Params::Questions(QuestionsParams { per_question: 1, per_answer: 1, cap: 100 });
        Rule { id, kind: ScoreKind::Questions, scope, params, version: 1 }
    }

    #[test]
    fn the_rule_that_names_most_counts() {
        let all = Scope4::default();
        let cohort = Scope4 { grade: Some(1), level: Some(2), major: Some(3), course: None };
        let course = Scope4 { course: Some(4), ..all };
        let grade_course = Scope4 { grade: Some(1), ..course };
        assert_eq!((weight(&cohort), weight(&course), weight(&grade_course)), (7, 8, 9));
        let place = Place { grade: 1, level: 2, major: 3, course: Some(4) };
        let rules = [rule(1, all), rule(2, cohort), rule(3, course)];
        assert_eq!(winner(&rules, place).map(|rule| rule.id), Some(3));
        let more = [rule(1, all), rule(3, course), rule(4, grade_course)];
        assert_eq!(winner(&more, place).map(|rule| rule.id), Some(4));
        assert_eq!(winner(&more, Place { grade: 9, ..place }).map(|rule| rule.id), Some(3));
        assert_eq!(winner(&rules, Place { course: Some(5), ..place }).map(|rule| rule.id), Some(2));
        assert_eq!(winner(&rules, Place { course: None, major: 9, ..place }).map(|rule| rule.id), Some(1));
    }
}
