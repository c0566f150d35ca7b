//! What follows of the rules: whether somebody fits, what is suggested, and what may be decided (part 04 §9.2, §9.3).

use std::collections::HashSet;

use crate::{
    enums::{GraduationAuditResult, GraduationBatchKind, GraduationDecision, RulePurpose, RuleSeverity},
    facts::{BatchFacts, PlanFacts, StudentFacts},
    graduation::Item,
    rules::{label, name},
};

/// Only these failed: the courses are what lacks.
const OF_COURSES: [&str; 5] = ["credits", "compulsory", "elective", "internship", "thesis"];

/// The codes that keep somebody from graduating.
pub fn failed<'i>(items: &'i [Item], waived: &HashSet<String>) -> Vec<&'i str> {
    items
        .iter()
        .filter(|item| item.severity == RuleSeverity::Must && !item.passed && !waived.contains(item.code))
        .map(|item| item.code)
        .collect()
}

pub fn result(items: &[Item], waived: &HashSet<String>) -> GraduationAuditResult {
    if failed(items, waived).is_empty() { GraduationAuditResult::Passed } else { GraduationAuditResult::Failed }
}

/// Whoever earned less than a third and may not study longer leaves without a certificate; whoever lacks courses alone completes.
/// Whoever completed before and does not graduate now stays as they are.
pub fn suggestion(
    items: &[Item],
    waived: &HashSet<String>,
    batch: &BatchFacts,
    student: &StudentFacts,
    plan: Option<&PlanFacts>,
) -> GraduationDecision {
    let failed = failed(items, waived);
    if failed.is_empty() {
        return GraduationDecision::Graduate;
    }
    if batch.kind == GraduationBatchKind::Conversion {
        return GraduationDecision::Delay;
    }
    let over = batch.graduates_on >= student.longest_on;
    if over && plan.is_some_and(|plan| student.earned * 3 < plan.total) {
        return GraduationDecision::Incomplete;
    }
    let reached = batch.graduates_on >= student.expected_on;
    if reached && failed.iter().all(|code| OF_COURSES.contains(code)) {
        return GraduationDecision::Complete;
    }
    GraduationDecision::Delay
}

/// The names of failed rules in a sentence: 总学分、必修课程.
pub fn names(codes: &[&str]) -> String {
    let named: Vec<&str> = codes.iter().map(|code| label(RulePurpose::Graduation, code).map_or(*code, name)).collect();
    named.join("、")
}

/// Whether a decision may be taken.
///
/// # Errors
/// The sentence of the refusal.
pub fn may(
    kind: GraduationBatchKind,
    decision: GraduationDecision,
    result: GraduationAuditResult,
    stale: bool,
    failed: &[&str],
) -> Result<(), String> {
    match (decision, result) {
        (GraduationDecision::None, _) => Err("请选择终审结论".to_owned()),
        (GraduationDecision::Complete | GraduationDecision::Incomplete, _)
            if kind == GraduationBatchKind::Conversion =>
        {
            Err("结业换毕业只能终审为毕业，或延期（仍为结业）".to_owned())
        }
        (_, GraduationAuditResult::Pending) => Err("请先进行毕业审核".to_owned()),
        (GraduationDecision::Graduate, _) if stale => Err("审核结果已过期，请重新审核".to_owned()),
        (GraduationDecision::Graduate, GraduationAuditResult::Failed) => {
            Err(format!("不符合毕业条件：{}", names(failed)))
        }
        (
            GraduationDecision::Graduate
            | GraduationDecision::Complete
            | GraduationDecision::Delay
            | GraduationDecision::Incomplete,
            GraduationAuditResult::Passed | GraduationAuditResult::Failed,
        ) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graduation::{
        audit,
        tests::{batch, day, defaults, plan, student},
    };

    fn suggested(student: &StudentFacts, on: &str, waived: &[&str]) -> GraduationDecision {
        let waived: HashSet<String> = waived.iter().map(|code| (*code).to_owned()).collect();
        let items = audit(&defaults(), &batch(on), student, Some(&plan()));
        suggestion(&items, &waived, &batch(on), student, Some(&plan()))
    }

    #[test]
    fn what_lacks_says_what_is_suggested() {
        let mut lacking = student();
        assert_eq!(suggested(&lacking, "2028-07-10", &[]), GraduationDecision::Complete);
        assert_eq!(suggested(&lacking, "2028-01-10", &[]), GraduationDecision::Delay);
        lacking.arrears = true;
        assert_eq!(suggested(&lacking, "2028-07-10", &[]), GraduationDecision::Delay);
        assert_eq!(suggested(&lacking, "2028-07-10", &["fee"]), GraduationDecision::Complete);
        lacking.earned = 260;
        lacking.longest_on = day("2028-07-10");
        assert_eq!(suggested(&lacking, "2028-07-10", &[]), GraduationDecision::Incomplete);
        let all = ["credits", "compulsory"];
        assert_eq!(suggested(&student(), "2028-07-10", &all), GraduationDecision::Graduate);
        let later = BatchFacts { kind: GraduationBatchKind::Conversion, ..batch("2028-07-10") };
        let items = audit(&defaults(), &later, &student(), Some(&plan()));
        let told = suggestion(&items, &HashSet::new(), &later, &student(), Some(&plan()));
        assert_eq!(told, GraduationDecision::Delay);
    }

    /// Scenarios 1 and 2.
    #[test]
    fn nobody_graduates_against_the_rules() {
        let items = audit(&defaults(), &batch("2028-07-10"), &student(), Some(&plan()));
        let failed = failed(&items, &HashSet::new());
        let regular = GraduationBatchKind::Regular;
        let graduate = |result, stale| may(regular, GraduationDecision::Graduate, result, stale, &failed);
        assert_eq!(graduate(GraduationAuditResult::Failed, false), Err("不符合毕业条件：总学分、必修课程".to_owned()));
        assert_eq!(graduate(GraduationAuditResult::Passed, true), Err("审核结果已过期，请重新审核".to_owned()));
        assert_eq!(graduate(GraduationAuditResult::Passed, false), Ok(()));
        let complete = |kind| may(kind, GraduationDecision::Complete, GraduationAuditResult::Failed, true, &failed);
        assert_eq!(complete(regular), Ok(()));
        assert!(may(regular, GraduationDecision::Delay, GraduationAuditResult::Pending, false, &[]).is_err());
        // Who completed already does not complete again.
        assert!(complete(GraduationBatchKind::Conversion).is_err());
    }
}
