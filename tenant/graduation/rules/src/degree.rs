//! What is asked of whoever gets a degree: D01 to D08 (part 04 §10).

use chrono::Months;

use crate::{
    enums::DegreeRuleCode,
    facts::DegreeFacts,
    graduation::{Item, Said},
    rules::{Rule, RuleSet, plain, shown},
};

/// What each rule that counts for a student says, in their order.
pub fn audit(rules: &RuleSet, student: &DegreeFacts) -> Vec<Item> {
    let mut items = Vec::new();
    for (_, code) in DegreeRuleCode::CHOICES {
        if let Some(rule) = rules.at(code.as_str(), student.place) {
            items.push(said(*code, rule, student).item(code.as_str(), rule));
        }
    }
    items
}

fn said(code: DegreeRuleCode, rule: &Rule, student: &DegreeFacts) -> Said {
    match code {
        DegreeRuleCode::Graduated => graduated(student),
        DegreeRuleCode::Average => least("加权平均分", rule.tenths("least", 700), student.average),
        DegreeRuleCode::DegreeCourses => degree_courses(rule, student),
        DegreeRuleCode::ForeignLanguage => foreign_language(rule, student),
        DegreeRuleCode::Thesis => least("毕业总评", rule.tenths("least", 700), student.thesis),
        DegreeRuleCode::Integrity => integrity(student),
        DegreeRuleCode::Within => within(rule, student),
        DegreeRuleCode::Failures => {
            let most = rule.whole("most", 99);
            let failed = (student.first_failed > most)
                .then(|| format!("初次考试不及格 {} 门，超过 {most} 门", student.first_failed));
            Said::of(format!("不超过{most}门"), format!("{}门", student.first_failed), failed)
        }
    }
}

fn graduated(student: &DegreeFacts) -> Said {
    let (actual, failed) = if !student.bachelor {
        ("非本科", Some("只有本科层次可以申请学士学位"))
    } else if student.graduated_on.is_some() {
        ("已毕业", None)
    } else if student.graduation_decided {
        ("已终审为毕业", None)
    } else {
        ("未毕业", Some("尚未取得毕业资格"))
    };
    Said::of("本科毕业", actual, failed.map(ToOwned::to_owned))
}

fn least(what: &str, asked: i64, found: Option<i64>) -> Said {
    let required = format!("≥{}", plain(asked));
    match found {
        None => Said::of(required, "无", Some(format!("没有{what}"))),
        Some(found) => {
            let failed = (found < asked).then(|| format!("{what} {}，要求 {}", shown(found), plain(asked)));
            Said::of(required, shown(found), failed)
        }
    }
}

fn degree_courses(rule: &Rule, student: &DegreeFacts) -> Said {
    let (each, mean) = (rule.tenths("eachLeast", 600), rule.tenths("meanLeast", 700));
    let required = format!("每门≥{}，平均≥{}", plain(each), plain(mean));
    let courses = &student.degree_courses;
    if courses.is_empty() {
        return Said::of(required, "无学位课程", None);
    }
    let low: Vec<String> = courses
        .iter()
        .filter(|(_, total)| total.is_none_or(|total| total < each))
        .map(|(name, total)| format!("{name}({})", total.map_or_else(|| "无成绩".to_owned(), plain)))
        .collect();
    let sum: i64 = courses.iter().filter_map(|(_, total)| *total).sum();
    let count = i64::try_from(courses.len()).unwrap_or(i64::MAX);
    // Half up, once.
    let found = (2 * sum + count) / (2 * count);
    let failed = if !low.is_empty() {
        Some(format!("学位课程低于 {}：{}", plain(each), low.join("、")))
    } else if found < mean {
        Some(format!("学位课程平均 {}，要求 {}", shown(found), plain(mean)))
    } else {
        None
    };
    Said::of(required, shown(found), failed)
}

fn foreign_language(rule: &Rule, student: &DegreeFacts) -> Said {
    let accepted = rule.accepted();
    let required: Vec<String> = accepted
        .iter()
        .map(|(kind, least)| {
            least.map_or_else(|| kind.zh().to_owned(), |least| format!("{}≥{}", kind.zh(), plain(least)))
        })
        .collect();
    let fits = |exam: &&crate::facts::OutsideExam| {
        accepted.iter().any(|(kind, least)| {
            *kind == exam.kind && least.map_or(exam.passed, |least| exam.score.is_some_and(|score| score >= least))
        })
    };
    let told = |exam: &crate::facts::OutsideExam| {
        let score = exam.score.map_or_else(|| if exam.passed { "合格" } else { "不合格" }.to_owned(), plain);
        format!("{} {score}", exam.kind.zh())
    };
    if let Some(exam) = student.exams.iter().find(fits) {
        return Said::of(required.join("、"), told(exam), None);
    }
    // The one that came nearest among those that count at all.
    let tried = student.exams.iter().filter(|exam| accepted.iter().any(|(kind, _)| *kind == exam.kind));
    let Some(best) = tried.max_by_key(|exam| exam.score) else {
        return Said::of(required.join("、"), "无", Some("没有学位外语或认可的外语成绩".to_owned()));
    };
    let asked = accepted.iter().find(|(kind, _)| *kind == best.kind).and_then(|(_, least)| *least);
    let failed = match asked {
        Some(least) => format!("{}，要求 {}", told(best), plain(least)),
        None => told(best),
    };
    Said::of(required.join("、"), told(best), Some(failed))
}

fn integrity(student: &DegreeFacts) -> Said {
    let worst = student.disciplines.iter().find(|kind| kind.bars_degree());
    let (actual, failed) = match (student.cheated, worst) {
        (true, _) => ("有考试作弊".to_owned(), Some("有考试作弊记录".to_owned())),
        (false, Some(kind)) => (kind.zh().to_owned(), Some(format!("受过{}处分", kind.zh()))),
        (false, None) => ("无".to_owned(), None),
    };
    Said::of("无作弊、无记过及以上处分", actual, failed)
}

fn within(rule: &Rule, student: &DegreeFacts) -> Said {
    let months = rule.whole("months", 12);
    let required = format!("毕业后{months}个月内");
    let last =
        student.graduated_on.and_then(|on| on.checked_add_months(Months::new(u32::try_from(months).unwrap_or(0))));
    match last {
        Some(last) if student.applied_on > last => {
            Said::of(required, student.applied_on.to_string(), Some(format!("申请期限至{last}，已超过")))
        }
        _ => Said::of(required, student.applied_on.to_string(), None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        enums::{DisciplineType, ExternalExamType},
        facts::OutsideExam,
        graduation::tests::{day, rule},
        rules::Place,
    };

    fn rules() -> RuleSet {
        let accepted = json!({ "accepted": [{ "type": "degree_english", "least": null }, { "type": "cet4", "least": 425 },
            { "type": "pets3", "least": null }] });
        RuleSet {
            rules: vec![
                rule("graduated", json!({})),
                rule("average", json!({ "least": 70 })),
                rule("degree_courses", json!({ "eachLeast": 60, "meanLeast": 70 })),
                rule("foreign_language", accepted),
                rule("thesis", json!({ "least": 70 })),
                rule("integrity", json!({})),
                rule("within", json!({ "months": 12 })),
                rule("failures", json!({ "most": 99 })),
            ],
        }
    }

    fn student() -> DegreeFacts {
        let course = |name: &str, total| (name.to_owned(), Some(total));
        DegreeFacts {
            student: 1,
            place: Place { grade: 1, level: 1, major: 1 },
            bachelor: true,
            graduated_on: Some(day("2028-07-10")),
            graduation_decided: false,
            average: Some(731),
            degree_courses: vec![course("甲", 720), course("乙", 680), course("丙", 750)],
            exams: vec![OutsideExam { kind: ExternalExamType::Cet4, score: Some(4300), passed: true }],
            thesis: Some(760),
            cheated: false,
            disciplines: vec![DisciplineType::Warning],
            applied_on: day("2028-09-01"),
            first_failed: 2,
        }
    }

    fn failed(student: &DegreeFacts) -> Vec<(&'static str, String)> {
        let items = audit(&rules(), student);
        items.into_iter().filter(|item| !item.passed).map(|item| (item.code, item.explanation)).collect()
    }

    /// Part 04 §10, worked.
    #[test]
    fn who_is_good_enough_qualifies() {
        assert!(failed(&student()).is_empty(), "{:?}", failed(&student()));
        let mean = audit(&rules(), &student()).into_iter().find(|item| item.code == "degree_courses");
        assert_eq!(mean.map(|item| item.actual), Some("71.7".to_owned()));
    }

    /// Scenario 6.
    #[test]
    fn five_points_are_lacking() {
        let mut student = student();
        student.exams[0].score = Some(4200);
        assert_eq!(failed(&student), [("foreign_language", "大学英语四级 420，要求 425".to_owned())]);
        student.exams.clear();
        assert_eq!(failed(&student)[0].1, "没有学位外语或认可的外语成绩");
    }

    #[test]
    fn each_reason_has_its_sentence() {
        let mut student = student();
        student.average = Some(699);
        student.degree_courses[1].1 = Some(590);
        student.thesis = None;
        student.disciplines = vec![DisciplineType::Demerit];
        student.applied_on = day("2029-07-11");
        let told: Vec<String> = failed(&student).into_iter().map(|(_, why)| why).collect();
        assert_eq!(
            told,
            [
                "加权平均分 69.9，要求 70",
                "学位课程低于 60：乙(59)",
                "没有毕业总评",
                "受过记过处分",
                "申请期限至2029-07-10，已超过"
            ]
        );
    }
}
