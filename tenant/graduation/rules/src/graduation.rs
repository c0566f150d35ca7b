//! What is asked of whoever graduates: R01 to R13 (part 04 §9.2).

use serde_json::{Value, json};
use student_status_rules::enums::StudentStatus;

use crate::{
    enums::{GraduationBatchKind, GraduationRuleCode, RuleSeverity},
    facts::{BatchFacts, CourseResult, InternshipState, PhotoState, PlanFacts, PlanKind, StudentFacts},
    rules::{Rule, RuleSet, plain, shown},
};

/// What a rule said.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub code: &'static str,
    pub severity: RuleSeverity,
    pub waivable: bool,
    pub passed: bool,
    pub required: String,
    pub actual: String,
    /// Why it failed; empty when it did not.
    pub explanation: String,
    pub detail: Value,
}

/// How a rule went.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub required: String,
    pub actual: String,
    pub failed: Option<String>,
    pub detail: Value,
}

impl Said {
    pub fn of(required: impl Into<String>, actual: impl Into<String>, failed: Option<String>) -> Self {
        Self { required: required.into(), actual: actual.into(), failed, detail: json!({}) }
    }

    fn with(self, detail: Value) -> Self {
        Self { detail, ..self }
    }

    pub fn item(self, code: &'static str, rule: &Rule) -> Item {
        Item {
            code,
            severity: rule.severity,
            waivable: rule.waivable,
            passed: self.failed.is_none(),
            required: self.required,
            actual: self.actual,
            explanation: self.failed.unwrap_or_default(),
            detail: self.detail,
        }
    }
}

/// What each rule that counts for a student says, in their order.
pub fn audit(rules: &RuleSet, batch: &BatchFacts, student: &StudentFacts, plan: Option<&PlanFacts>) -> Vec<Item> {
    let mut items = Vec::new();
    for (_, code) in GraduationRuleCode::CHOICES {
        let Some(rule) = rules.at(code.as_str(), student.place) else { continue };
        if let Some(said) = said(*code, rule, batch, student, plan) {
            items.push(said.item(code.as_str(), rule));
        }
    }
    items
}

const NO_PLAN: &str = "该生的年级和专业没有生效的教学计划";

/// None where a rule asks nothing of this student.
fn said(
    code: GraduationRuleCode,
    rule: &Rule,
    batch: &BatchFacts,
    student: &StudentFacts,
    plan: Option<&PlanFacts>,
) -> Option<Said> {
    match code {
        GraduationRuleCode::Status => Some(status(batch, student)),
        GraduationRuleCode::Duration => Some(duration(rule, batch, student)),
        GraduationRuleCode::Credits => Some(plan.map_or_else(no_plan, |plan| credits(student, plan))),
        GraduationRuleCode::Compulsory => Some(plan.map_or_else(no_plan, |plan| compulsory(student, plan))),
        GraduationRuleCode::Elective => Some(plan.map_or_else(no_plan, |plan| elective(student, plan))),
        GraduationRuleCode::Internship => {
            plan.is_some_and(|plan| plan.has(PlanKind::Internship)).then(|| internship(student))
        }
        GraduationRuleCode::Thesis => plan.is_some_and(|plan| plan.has(PlanKind::Thesis)).then(|| thesis(student)),
        GraduationRuleCode::Fee => {
            let failed = student.arrears.then(|| "存在欠费".to_owned());
            Some(Said::of("无欠费", if student.arrears { "欠费" } else { "无" }, failed))
        }
        GraduationRuleCode::Discipline => Some(discipline(rule, student)),
        GraduationRuleCode::Information => {
            let failed = (!student.information_approved).then(|| "毕业登记表未审核通过".to_owned());
            let actual = if student.information_approved { "已通过" } else { "未通过" };
            Some(Said::of("已审核通过", actual, failed))
        }
        GraduationRuleCode::Photo => Some(photo(student)),
        GraduationRuleCode::PriorDiploma => student.second_stage.then(|| {
            let failed = (!student.prior_diploma).then(|| "前置学历清查未通过".to_owned());
            Said::of("已通过", if student.prior_diploma { "已通过" } else { "未通过" }, failed)
        }),
        GraduationRuleCode::ScoresSettled => {
            let failed = (!student.waiting.is_empty()).then(|| student.waiting.join("；"));
            Some(Said::of("无待办", format!("{}项", student.waiting.len()), failed))
        }
    }
}

fn no_plan() -> Said {
    Said::of("", "", Some(NO_PLAN.to_owned()))
}

fn status(batch: &BatchFacts, student: &StudentFacts) -> Said {
    let (fits, required) = match batch.kind {
        GraduationBatchKind::Regular => {
            (matches!(student.status, StudentStatus::Registered | StudentStatus::Expired), "在籍或超学制")
        }
        GraduationBatchKind::Conversion => (student.status == StudentStatus::Completed, "结业"),
    };
    let failed = (!fits).then(|| format!("当前学籍状态为{}", student.status.zh()));
    Said::of(required, student.status.zh(), failed)
}

fn duration(rule: &Rule, batch: &BatchFacts, student: &StudentFacts) -> Said {
    let required = format!("{}至{}", student.expected_on, student.longest_on);
    let days = u64::try_from(rule.whole("toleranceDays", 0)).unwrap_or(0);
    let earliest = student.expected_on.checked_sub_days(chrono::Days::new(days)).unwrap_or(student.expected_on);
    let conversion = batch.kind == GraduationBatchKind::Conversion;
    let failed = if batch.graduates_on < earliest {
        Some(format!("预计毕业日期为{}，未达到最低修业年限", student.expected_on))
    } else if batch.graduates_on > student.longest_on && !conversion {
        Some(format!("已超过最长学习期限{}", student.longest_on))
    } else {
        None
    };
    Said::of(required, batch.graduates_on.to_string(), failed)
}

fn credits(student: &StudentFacts, plan: &PlanFacts) -> Said {
    let lacking = plan.total - student.earned;
    let failed = (lacking > 0)
        .then(|| format!("已获 {} 学分，要求 {}，差 {}", shown(student.earned), shown(plan.total), shown(lacking)));
    Said::of(shown(plan.total), shown(student.earned), failed)
}

fn compulsory(student: &StudentFacts, plan: &PlanFacts) -> Said {
    let study: Vec<_> = plan.compulsory.iter().filter(|course| course.kind == PlanKind::Study).collect();
    let open: Vec<_> = study
        .iter()
        .filter(|course| !student.results.get(&course.course).is_some_and(|result| result.passed))
        .collect();
    let named: Vec<String> = open
        .iter()
        .map(|course| {
            let text = student.results.get(&course.course).map_or("未修", |result| result.text.as_str());
            format!("{}({text})", course.name)
        })
        .collect();
    let ids: Vec<i64> = open.iter().map(|course| course.course).collect();
    let failed = (!open.is_empty()).then(|| format!("未通过必修课 {} 门：{}", open.len(), named.join("、")));
    Said::of(format!("{}门", study.len()), format!("{}门", study.len() - open.len()), failed)
        .with(json!({ "courseIds": ids }))
}

fn elective(student: &StudentFacts, plan: &PlanFacts) -> Said {
    let mut failed = Vec::new();
    let (mut required, mut actual) = (Vec::new(), Vec::new());
    for group in &plan.groups {
        let passed: Vec<&CourseResult> = group
            .courses
            .iter()
            .filter_map(|course| student.results.get(course))
            .filter(|result| result.passed)
            .collect();
        let earned: i64 = passed.iter().map(|result| result.earned).sum();
        let count = i64::try_from(passed.len()).unwrap_or(i64::MAX);
        required.push(format!("{} {}", group.name, shown(group.min_credits)));
        actual.push(format!("{} {}", group.name, shown(earned)));
        if earned < group.min_credits {
            let (earned, asked) = (shown(earned), shown(group.min_credits));
            failed.push(format!("选修组《{}》已获 {earned} 学分，要求 {asked}", group.name));
        } else if let Some(least) = group.min_courses.filter(|least| count < *least) {
            failed.push(format!("选修组《{}》已通过 {count} 门，要求 {least} 门", group.name));
        }
    }
    Said::of(required.join("；"), actual.join("；"), (!failed.is_empty()).then(|| failed.join("；")))
}

fn internship(student: &StudentFacts) -> Said {
    let (actual, failed) = match student.internship {
        InternshipState::Passed => ("已通过".to_owned(), None),
        InternshipState::Missing => ("无".to_owned(), Some("未提交实习报告".to_owned())),
        InternshipState::Waiting => ("待审核".to_owned(), Some("实习成绩未审核".to_owned())),
        InternshipState::Failed(score) => (plain(score), Some(format!("实习成绩 {}，不及格", plain(score)))),
    };
    Said::of("通过", actual, failed)
}

fn thesis(student: &StudentFacts) -> Said {
    match &student.thesis {
        None => Said::of("通过", "无", Some("毕业成绩未发布".to_owned())),
        Some(result) => {
            let failed = (!result.passed).then(|| format!("毕业总评 {}，不及格", plain(result.total)));
            Said::of("通过", plain(result.total), failed)
        }
    }
}

fn discipline(rule: &Rule, student: &StudentFacts) -> Said {
    let blocking = rule.block_types();
    let found: Vec<String> = student
        .disciplines
        .iter()
        .filter(|(kind, _)| blocking.contains(kind))
        .map(|(kind, on)| format!("{}未解除（{on}）", kind.zh()))
        .collect();
    let actual = if found.is_empty() { "无".to_owned() } else { format!("{}项", found.len()) };
    Said::of("无未解除的处分", actual, (!found.is_empty()).then(|| found.join("；")))
}

fn photo(student: &StudentFacts) -> Said {
    let (actual, failed) = match (student.has_photo, student.photo) {
        (false, _) => ("无照片", Some("缺少学历照片")),
        (true, PhotoState::Same) => ("一致", None),
        (true, PhotoState::Different) => ("不一致", Some("三照比对不一致")),
        (true, PhotoState::NotCompared) => ("未比对", Some("三照比对未完成")),
    };
    Said::of("有照片且比对一致", actual, failed.map(ToOwned::to_owned))
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::{
        enums::DisciplineType,
        facts::{PlannedCourse, PlannedGroup},
        rules::Place,
    };

    pub(crate) fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    pub(crate) fn rule(code: &str, params: Value) -> Rule {
        Rule {
            id: 1,
            code: code.to_owned(),
            grade: None,
            level: None,
            major: None,
            severity: RuleSeverity::Must,
            waivable: matches!(code, "fee" | "information" | "prior_diploma"),
            params,
        }
    }

    pub(crate) fn defaults() -> RuleSet {
        let params = |code: &str| match code {
            "duration" => json!({ "toleranceDays": 0 }),
            "discipline" => json!({ "blockTypes": ["probation", "expulsion"] }),
            _ => json!({}),
        };
        let rules = GraduationRuleCode::CHOICES.iter().map(|(_, code)| rule(code.as_str(), params(code.as_str())));
        RuleSet { rules: rules.collect() }
    }

    pub(crate) fn batch(on: &str) -> BatchFacts {
        BatchFacts { kind: GraduationBatchKind::Regular, graduates_on: day(on) }
    }

    /// 24 compulsory courses of three credits, and a group of which eight are asked.
    pub(crate) fn plan() -> PlanFacts {
        let course = |course: i64, name: &str| PlannedCourse {
            course,
            name: name.to_owned(),
            kind: PlanKind::Study,
            degree: false,
        };
        let mut compulsory = vec![course(1, "高等数学"), course(2, "审计学")];
        compulsory.extend((3..=24).map(|n| course(n, &format!("课程{n}"))));
        let group = PlannedGroup {
            name: "专业拓展".to_owned(),
            min_credits: 80,
            min_courses: None,
            courses: (101..=110).collect(),
        };
        PlanFacts { total: 800, compulsory, groups: vec![group] }
    }

    pub(crate) fn student() -> StudentFacts {
        let result = |passed, text: &str, earned| CourseResult { passed, text: text.to_owned(), earned, total: None };
        let mut results: HashMap<i64, CourseResult> = (3..=24).map(|n| (n, result(true, "70", 30))).collect();
        results.insert(1, result(false, "48", 0));
        results.insert(2, result(false, "缺考", 0));
        results.extend((101..=105).map(|n| (n, result(true, "80", 20))));
        StudentFacts {
            student: 1,
            place: Place { grade: 1, level: 1, major: 1 },
            status: StudentStatus::Registered,
            expected_on: day("2028-07-10"),
            longest_on: day("2031-02-28"),
            second_stage: true,
            earned: 760,
            results,
            internship: InternshipState::Missing,
            thesis: None,
            arrears: false,
            disciplines: Vec::new(),
            information_approved: true,
            has_photo: true,
            photo: PhotoState::Same,
            prior_diploma: true,
            waiting: Vec::new(),
        }
    }

    use std::collections::HashMap;

    fn item(student: &StudentFacts, on: &str, code: &str) -> (bool, String) {
        let items = audit(&defaults(), &batch(on), student, Some(&plan()));
        let item = items.into_iter().find(|item| item.code == code).expect("the rule");
        (item.passed, item.explanation)
    }

    /// Part 04 §9.2, worked: 66.0 + 10.0 of 80.
    #[test]
    fn credits_and_courses_are_told_apart() {
        let student = student();
        let told = |code: &str| item(&student, "2028-07-10", code);
        assert_eq!(told("credits"), (false, "已获 76.0 学分，要求 80.0，差 4.0".to_owned()));
        assert_eq!(told("compulsory"), (false, "未通过必修课 2 门：高等数学(48)、审计学(缺考)".to_owned()));
        assert_eq!(told("elective"), (true, String::new()));
    }

    #[test]
    fn a_group_asks_for_its_credits() {
        let mut student = student();
        student.results.retain(|course, _| *course < 103);
        assert_eq!(
            item(&student, "2028-07-10", "elective"),
            (false, "选修组《专业拓展》已获 4.0 学分，要求 8.0".to_owned())
        );
    }

    /// Part 04 §9.2, worked: R02.
    #[test]
    fn nobody_graduates_too_early_or_too_late() {
        let student = student();
        let told = |on: &str| item(&student, on, "duration");
        assert_eq!(told("2028-07-10"), (true, String::new()));
        assert_eq!(told("2028-01-10"), (false, "预计毕业日期为2028-07-10，未达到最低修业年限".to_owned()));
        assert_eq!(told("2031-07-10"), (false, "已超过最长学习期限2031-02-28".to_owned()));
    }

    #[test]
    fn each_reason_has_its_sentence() {
        let mut student = student();
        student.status = StudentStatus::Suspended;
        student.arrears = true;
        student.disciplines =
            vec![(DisciplineType::Probation, day("2025-11-03")), (DisciplineType::Warning, day("2025-11-03"))];
        student.information_approved = false;
        student.has_photo = false;
        student.prior_diploma = false;
        student.waiting = vec!["《财务管理》成绩未发布".to_owned()];
        let told = |code: &str| item(&student, "2028-07-10", code).1;
        assert_eq!(told("status"), "当前学籍状态为休学");
        assert_eq!(told("fee"), "存在欠费");
        assert_eq!(told("discipline"), "留校察看未解除（2025-11-03）");
        assert_eq!(told("information"), "毕业登记表未审核通过");
        assert_eq!(told("photo"), "缺少学历照片");
        assert_eq!(told("prior_diploma"), "前置学历清查未通过");
        assert_eq!(told("scores_settled"), "《财务管理》成绩未发布");
    }

    #[test]
    fn thesis_and_internship_are_asked_where_the_plan_has_them() {
        let mut plan = plan();
        let mut student = student();
        let codes = |plan: &PlanFacts, student: &StudentFacts| -> Vec<(&'static str, String)> {
            let items = audit(&defaults(), &batch("2028-07-10"), student, Some(plan));
            let asked = items.into_iter().filter(|item| matches!(item.code, "internship" | "thesis"));
            asked.map(|item| (item.code, item.explanation)).collect()
        };
        assert!(codes(&plan, &student).is_empty());
        let course = |course, kind| PlannedCourse { course, name: "实践".to_owned(), kind, degree: false };
        plan.compulsory.extend([course(201, PlanKind::Internship), course(202, PlanKind::Thesis)]);
        student.thesis = Some(crate::facts::ThesisResult { total: 550, passed: false });
        assert_eq!(
            codes(&plan, &student),
            [("internship", "未提交实习报告".to_owned()), ("thesis", "毕业总评 55，不及格".to_owned())]
        );
        student.internship = InternshipState::Passed;
        student.thesis = Some(crate::facts::ThesisResult { total: 760, passed: true });
        assert!(codes(&plan, &student).iter().all(|(_, why)| why.is_empty()));
    }
}
