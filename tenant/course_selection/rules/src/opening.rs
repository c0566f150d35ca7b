//! Openings and rules of selection as selections know them (part 03 B2, B4).

use infra::{Error, Result, clock::Moment};
use teaching_plan_rules::enums::CourseNature;

use crate::enums::{OpeningKind, OpeningStatus};

/// An opening.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    pub id: i64,
    pub semester_id: i64,
    pub semester_name: String,
    /// A closed semester takes no more changes.
    pub semester_closed: bool,
    /// The semester's place on the calendar (part 03 §0.3).
    pub ordinal: i32,
    pub course_id: i64,
    pub course_name: String,
    pub kind: OpeningKind,
    pub status: OpeningStatus,
    pub nature: CourseNature,
    /// None: any.
    pub grade_id: Option<i64>,
    pub major_id: Option<i64>,
    /// In tenths.
    pub credits: i64,
    pub capacity: Option<i32>,
}

impl Opening {
    /// Whether its students come by their grade and major, not by choice: by the plan, or outside it where both are named.
    pub fn is_compulsory(&self) -> bool {
        self.kind != OpeningKind::Retake
            && self.nature == CourseNature::Compulsory
            && self.grade_id.is_some()
            && self.major_id.is_some()
    }

    /// Whether it is for this grade and major.
    pub fn is_for(&self, grade: i64, major: i64) -> bool {
        self.grade_id.is_none_or(|own| own == grade) && self.major_id.is_none_or(|own| own == major)
    }

    /// # Errors
    /// 409 when its semester is closed.
    pub fn in_open_semester(&self) -> Result<()> {
        if self.semester_closed {
            return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", self.semester_name)));
        }
        Ok(())
    }

    /// # Errors
    /// 409 when its semester is closed, and when it is not opened: what was closed keeps its roster.
    pub fn roster_may_change(&self) -> Result<()> {
        self.in_open_semester()?;
        if self.status == OpeningStatus::Opened {
            return Ok(());
        }
        Err(Error::conflict(format!("“{}”{}，名单不能再修改", self.course_name, self.status.zh())))
    }
}

/// 选课规则.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub id: i64,
    pub semester_id: i64,
    pub grade_id: Option<i64>,
    pub major_id: Option<i64>,
    pub term_no: Option<i32>,
    /// In tenths.
    pub min_credits: i64,
    pub max_credits: i64,
    pub select_starts_at: Moment,
    pub select_ends_at: Moment,
    pub drop_ends_at: Moment,
    pub need_audit: bool,
}

/// For whom a rule is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cohort {
    pub semester_id: i64,
    pub grade_id: i64,
    pub major_id: i64,
    /// Of the grade in the semester.
    pub term_no: i32,
}

/// The rule that counts for a cohort: major before grade before semester, of two alike the one that names the term.
pub fn rule_of(rules: &[Rule], cohort: Cohort) -> Option<&Rule> {
    let fits = |rule: &&Rule| {
        rule.semester_id == cohort.semester_id
            && rule.grade_id.is_none_or(|id| id == cohort.grade_id)
            && rule.major_id.is_none_or(|id| id == cohort.major_id)
            && rule.term_no.is_none_or(|no| no == cohort.term_no)
    };
    rules
        .iter()
        .filter(fits)
        .max_by_key(|rule| (rule.major_id.is_some(), rule.grade_id.is_some(), rule.term_no.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: i64, grade_id: Option<i64>, major_id: Option<i64>, term_no: Option<i32>) -> Rule {
        let at: Moment = infra::clock::day_began(chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap());
        Rule {
            id,
            semester_id: 1,
            grade_id,
            major_id,
            term_no,
            min_credits: 0,
            max_credits: 200,
            select_starts_at: at,
            select_ends_at: at,
            drop_ends_at: at,
            need_audit: false,
        }
    }

    #[test]
    fn the_most_specific_rule_counts() {
        let cohort = Cohort { semester_id: 1, grade_id: 2, major_id: 3, term_no: 1 };
        let found = |rules: &[Rule]| rule_of(rules, cohort).map(|rule| rule.id);
        assert_eq!(found(&[]), None);
        let all = [
            rule(1, None, None, None),
            rule(2, None, None, Some(1)),
            rule(3, Some(2), None, None),
            rule(4, None, Some(3), None),
            rule(5, Some(2), Some(3), None),
            rule(6, Some(9), Some(3), Some(1)),
        ];
        assert_eq!(found(&all[..1]), Some(1));
        assert_eq!(found(&all[..2]), Some(2));
        assert_eq!(found(&all[..3]), Some(3));
        assert_eq!(found(&all[..4]), Some(4));
        assert_eq!(found(&all), Some(5));
        assert_eq!(rule_of(&all, Cohort { semester_id: 7, ..cohort }), None);
    }
}
