//! Which rule of a kind counts for whom: the one that names more of where they study, never several merged (part 05 C2).

use serde_json::Value;

use crate::{enums::SuperviseKind, level::Thresholds};

/// A rule that is switched on.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub id: i64,
    pub kind: SuperviseKind,
    pub grades: Vec<i64>,
    pub levels: Vec<i64>,
    pub sites: Vec<i64>,
    pub thresholds: Thresholds,
    pub grace_weeks: i32,
    pub params: Value,
}

/// Where a student studies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub grade: i64,
    pub level: i64,
    pub site: i64,
}

impl Rule {
    fn counts_at(&self, place: Place) -> bool {
        let in_ = |ids: &[i64], id: i64| ids.is_empty() || ids.contains(&id);
        in_(&self.grades, place.grade) && in_(&self.levels, place.level) && in_(&self.sites, place.site)
    }

    /// How many fields of its scope it names.
    fn names(&self) -> usize {
        [&self.grades, &self.levels, &self.sites].into_iter().filter(|ids| !ids.is_empty()).count()
    }

    /// A whole number of the parameters.
    pub fn whole(&self, name: &str) -> Option<i64> {
        self.params[name].as_i64()
    }
}

/// Of rules that name as much, the newer.
pub fn rule_of(rules: &[Rule], kind: SuperviseKind, place: Place) -> Option<&Rule> {
    rules.iter().filter(|rule| rule.kind == kind && rule.counts_at(place)).max_by_key(|rule| (rule.names(), rule.id))
}

/// What a kind may be told beside its thresholds: the name, the words, the usual value and the range.
pub const fn params_of(kind: SuperviseKind) -> &'static [(&'static str, &'static str, i64, (i64, i64))] {
    match kind {
        SuperviseKind::VideoLag => &[("clearBelow", "低于黄色阈值多少分解除", 5, (0, 50))],
        SuperviseKind::HomeworkDue => &[("days", "截止前天数", 3, (1, 30))],
        SuperviseKind::ExamAbsent => &[("days", "最近天数", 60, (1, 365))],
        SuperviseKind::HomeworkOverdue
        | SuperviseKind::ExamRisk
        | SuperviseKind::ScoreFailed
        | SuperviseKind::Silent
        | SuperviseKind::Fee
        | SuperviseKind::Information
        | SuperviseKind::StudyLimit
        | SuperviseKind::Manual => &[],
    }
}

/// The thresholds, parameters and weeks of grace that every school begins with.
pub fn usual(kind: SuperviseKind) -> Thresholds {
    let of = |yellow, orange, red| Thresholds { yellow, orange, red };
    match kind {
        SuperviseKind::VideoLag => of(Some(15), Some(30), Some(50)),
        SuperviseKind::HomeworkOverdue => of(Some(1), Some(2), Some(4)),
        SuperviseKind::HomeworkDue => of(Some(1), None, None),
        SuperviseKind::ExamRisk => of(Some(14), Some(7), Some(3)),
        SuperviseKind::ExamAbsent => of(Some(1), Some(2), Some(3)),
        SuperviseKind::ScoreFailed => of(Some(1), Some(3), Some(5)),
        SuperviseKind::Silent => of(Some(14), Some(30), Some(60)),
        SuperviseKind::Fee => of(None, Some(1), None),
        SuperviseKind::Information => of(Some(7), Some(3), None),
        SuperviseKind::StudyLimit => of(Some(12), Some(6), Some(3)),
        SuperviseKind::Manual => Thresholds::default(),
    }
}

/// Weeks of a semester in which no flag is raised, if nothing else is said.
pub const USUAL_GRACE: i32 = 3;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rule(id: i64, grades: &[i64], sites: &[i64]) -> Rule {
        Rule {
            id,
            kind: SuperviseKind::Silent,
            grades: grades.to_vec(),
            levels: Vec::new(),
            sites: sites.to_vec(),
            thresholds: usual(SuperviseKind::Silent),
            grace_weeks: 3,
            params: json!({}),
        }
    }

    #[test]
    fn the_rule_that_names_most_counts_alone() {
        let rules = [rule(1, &[], &[]), rule(2, &[10], &[]), rule(3, &[10], &[20]), rule(4, &[11], &[20])];
        let at =
            |grade, site| rule_of(&rules, SuperviseKind::Silent, Place { grade, level: 1, site }).map(|rule| rule.id);
        assert_eq!((at(10, 20), at(10, 21), at(12, 20)), (Some(3), Some(2), Some(1)));
        assert_eq!(rule_of(&rules, SuperviseKind::Fee, Place { grade: 10, level: 1, site: 20 }), None);
    }

    #[test]
    fn what_every_school_begins_with_grows_stricter() {
        for (_, kind) in SuperviseKind::CHOICES.iter().filter(|(_, kind)| *kind != SuperviseKind::Manual) {
            assert!(usual(*kind).grow(*kind), "{}", kind.zh());
        }
    }
}
