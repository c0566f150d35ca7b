//! 答疑成绩: of questions that were asked and answered (part 04 §5.3).

use crate::params::QuestionsParams;

/// In tenths.
pub fn value(p: &QuestionsParams, asked: i64, answered: i64) -> i64 {
    let points =
        asked.clamp(0, 100_000) * i64::from(p.per_question) + answered.clamp(0, 100_000) * i64::from(p.per_answer);
    points.min(i64::from(p.cap)) * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_count_up_to_the_cap() {
        let p = QuestionsParams { per_question: 10, per_answer: 5, cap: 100 };
        assert_eq!((value(&p, 6, 5), value(&p, 20, 5), value(&p, 0, 0)), (850, 1_000, 0));
    }
}
