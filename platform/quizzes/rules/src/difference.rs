//! In what a version of an exam differs from what is published, field by field, in the words that an auditor reads (01 §9.7, as §9.2).

use std::collections::HashMap;

use infra::{enumeration, money::yuan};
use poem_openapi::Object;

use crate::content::QuizContent;

enumeration! {
    /// 试卷变更项
    pub enum QuizField = "quizField" {
        ExamName = "exam_name" "试卷名称",
        Category = "category" "分类",
        Lecturer = "lecturer" "讲师",
        Cover = "cover" "封面",
        Price = "price" "价格",
        Duration = "duration" "考试时长",
        Scores = "scores" "总分和及格分",
        Attempts = "attempts" "考试次数",
        Sections = "sections" "试题",
    }
}

/// A field of a version, and what is published of it.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizDifference {
    /// 变更项
    pub field: QuizField,
    /// 变更项名称
    pub label: String,
    /// 已发布内容
    pub before: Option<String>,
    /// 待审内容
    pub after: Option<String>,
}

/// What the numbers in a content are called.
#[derive(Debug, Default)]
pub struct QuizNames {
    pub categories: HashMap<i64, String>,
    pub lecturers: HashMap<i64, String>,
    /// The beginnings of their stems.
    pub problems: HashMap<i64, String>,
}

/// The fields in which a content differs; all that have a value when there is none before.
pub fn differences(before: Option<&QuizContent>, after: &QuizContent, names: &QuizNames) -> Vec<QuizDifference> {
    changed(before, after)
        .into_iter()
        .map(|field| QuizDifference {
            field,
            label: field.zh().to_owned(),
            before: before.and_then(|content| names.told(field, content)),
            after: names.told(field, after),
        })
        .collect()
}

/// The same, the fields alone.
pub fn changed(before: Option<&QuizContent>, after: &QuizContent) -> Vec<QuizField> {
    let differs = |field: &QuizField| match before {
        Some(before) => !same(*field, before, after),
        None => has(*field, after),
    };
    QuizField::CHOICES.iter().map(|(_, field)| *field).filter(differs).collect()
}

fn has(field: QuizField, content: &QuizContent) -> bool {
    match field {
        QuizField::Category => content.category_id.is_some(),
        QuizField::Lecturer => content.lecturer_id.is_some(),
        QuizField::Cover => content.cover.is_some(),
        QuizField::Sections => !content.sections.is_empty(),
        QuizField::ExamName | QuizField::Price | QuizField::Duration | QuizField::Scores | QuizField::Attempts => true,
    }
}

fn same(field: QuizField, old: &QuizContent, new: &QuizContent) -> bool {
    match field {
        QuizField::ExamName => old.exam_name == new.exam_name,
        QuizField::Category => old.category_id == new.category_id,
        QuizField::Lecturer => old.lecturer_id == new.lecturer_id,
        QuizField::Cover => old.cover == new.cover,
        QuizField::Price => {
            (old.is_free, old.price_original, old.price_sale) == (new.is_free, new.price_original, new.price_sale)
        }
        QuizField::Duration => old.duration_minutes == new.duration_minutes,
        QuizField::Scores => (old.total_score, old.pass_score) == (new.total_score, new.pass_score),
        QuizField::Attempts => old.attempt_limit == new.attempt_limit,
        QuizField::Sections => old.sections == new.sections,
    }
}

impl QuizNames {
    fn told(&self, field: QuizField, content: &QuizContent) -> Option<String> {
        match field {
            QuizField::ExamName => Some(content.exam_name.clone()),
            QuizField::Category => content.category_id.map(|id| named(&self.categories, id)),
            QuizField::Lecturer => content.lecturer_id.map(|id| named(&self.lecturers, id)),
            QuizField::Cover => content.cover.clone(),
            QuizField::Price => Some(price(content)),
            QuizField::Duration => Some(format!("{}分钟", content.duration_minutes)),
            QuizField::Scores => Some(format!("总分{}，及格{}", content.total_score, content.pass_score)),
            QuizField::Attempts => Some(match content.attempt_limit {
                0 => "不限次数".to_owned(),
                limit => format!("{limit}次"),
            }),
            QuizField::Sections => self.outline(content),
        }
    }

    /// A line for each section, and below it one for each of its questions.
    fn outline(&self, content: &QuizContent) -> Option<String> {
        let mut lines = Vec::new();
        let mut number = 0;
        for section in &content.sections {
            lines.push(section.title.clone());
            for problem in &section.problems {
                number += 1;
                let stem = named(&self.problems, problem.problem_id);
                lines.push(format!("　{number}. {stem}（{}分）", problem.score));
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn named(names: &HashMap<i64, String>, id: i64) -> String {
    names.get(&id).cloned().unwrap_or_else(|| "已删除".to_owned())
}

fn price(content: &QuizContent) -> String {
    if content.is_free {
        "免费".to_owned()
    } else {
        format!("原价{}，优惠价{}", yuan(content.price_original), yuan(content.price_sale))
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::content::QuizProblemRef;

    #[test]
    fn only_what_differs_is_told() {
        let before = QuizContent::example();
        let mut after = QuizContent { total_score: 4.5, ..before.clone() };
        after.sections[0].problems.push(QuizProblemRef { problem_id: 2, score: 2.5 });
        let names = QuizNames {
            problems: HashMap::from([(1, "货币的职能".to_owned()), (2, "价值规律".to_owned())]),
            ..QuizNames::default()
        };
        let told: Vec<(QuizField, Option<String>)> =
            differences(Some(&before), &after, &names).into_iter().map(|each| (each.field, each.after)).collect();
        assert_eq!(
            told,
            [
                (QuizField::Scores, Some("总分4.5，及格1.2".to_owned())),
                (
                    QuizField::Sections,
                    Some("一、单项选择题\n　1. 货币的职能（2分）\n　2. 价值规律（2.5分）".to_owned())
                ),
            ]
        );
        assert!(changed(Some(&after), &after).is_empty());
    }

    #[test]
    fn a_first_version_is_all_new() {
        let fields = changed(None, &QuizContent::example());
        assert!(fields.contains(&QuizField::Sections) && !fields.contains(&QuizField::Cover), "{fields:?}");
    }
}
