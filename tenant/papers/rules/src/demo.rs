//! What a paper of a demonstration school is made of.

use question_bank_rules::enums::QuestionType;

/// Title, type, count and score each, in tenths; a hundred points together.
pub const SECTIONS: [(&str, QuestionType, i64, i64); 5] = [
    ("一、单项选择题", QuestionType::SingleChoice, 20, 20),
    ("二、判断题", QuestionType::TrueFalse, 10, 10),
    ("三、填空题", QuestionType::FillBlank, 5, 20),
    ("四、简答题", QuestionType::ShortAnswer, 4, 50),
    ("五、综合题", QuestionType::CaseAnalysis, 2, 100),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_makes_a_hundred_points() {
        assert_eq!(SECTIONS.iter().map(|(_, _, count, score)| count * score).sum::<i64>(), 1_000);
    }
}
