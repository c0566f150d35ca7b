//! A section of a rule, and what it lacks (part 03 A8).

use poem_openapi::Object;
use question_bank_rules::enums::{MultipleRule, QuestionDifficulty, QuestionType};

use crate::draw::Reach;

/// A section of what a rule draws.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PaperRuleItem {
    /// 顺序
    pub sort_no: i32,
    /// 大题标题
    pub title: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题库
    pub bank_ids: Vec<i64>,
    /// 章节
    pub chapter_ids: Vec<i64>,
    /// 知识点
    pub knowledge_point_ids: Vec<i64>,
    /// 难度
    pub difficulties: Vec<QuestionDifficulty>,
    /// 题数
    pub count: i32,
    /// 每题分值
    pub score_each: f64,
    /// 多选题计分
    pub multiple_rule: MultipleRule,
}

/// `第1项 单选题·第3章·中：需要5题，可用3题`.
pub fn short(item: &PaperRuleItem, label: &str, reach: Reach) -> Option<String> {
    (reach.reachable < reach.need)
        .then(|| format!("第{}项 {label}：需要{}题，可用{}题", item.sort_no, reach.need, reach.reachable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_names_its_item() {
        let item = PaperRuleItem {
            sort_no: 1,
            title: "一、单项选择题".to_owned(),
            kind: QuestionType::SingleChoice,
            bank_ids: Vec::new(),
            chapter_ids: Vec::new(),
            knowledge_point_ids: Vec::new(),
            difficulties: vec![QuestionDifficulty::Medium],
            count: 5,
            score_each: 2.0,
            multiple_rule: MultipleRule::AllOrNothing,
        };
        assert_eq!(
            short(&item, "单选题·第3章·中", Reach { need: 5, reachable: 3 }).as_deref(),
            Some("第1项 单选题·第3章·中：需要5题，可用3题")
        );
        assert_eq!(short(&item, "单选题", Reach { need: 5, reachable: 5 }), None);
    }
}
