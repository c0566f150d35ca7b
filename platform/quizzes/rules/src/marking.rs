//! What the answers of an attempt earn: by the engine of part 03 A7 where a machine can say it, by a marker else.

use infra::{Error, Result};
use poem_openapi::Object;
use question_bank_rules::{
    enums::{MultipleRule, QuestionType},
    marking::{Mark, score_item},
    score::{is_score, points, tenths},
};

use crate::{
    answer::QuizAnswer,
    paper::{QuizPaperSection, items},
};

/// What one answer earned.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizMark {
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 满分
    pub full_score: f64,
    /// 机器阅卷
    pub objective: bool,
    /// 得分
    /// 待批改时为空
    pub score: Option<f64>,
    /// 参考得分
    /// 须人工确认的填空题，按答案应得的分
    pub hint: Option<f64>,
    /// 评语
    pub comment: Option<String>,
}

/// What a marker gives.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizMarkItem {
    /// 题号
    #[oai(validator(max_length = 10))]
    pub seq: String,
    /// 得分
    pub score: f64,
    /// 评语
    #[oai(validator(max_length = 1000))]
    pub comment: Option<String>,
}

/// What an attempt comes to, in tenths; nothing of the whole while an answer waits for its marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    pub objective: i64,
    pub subjective: Option<i64>,
    pub total: Option<i64>,
}

impl Outcome {
    /// Whether so much was reached; none while it is open.
    pub fn passed(&self, pass: i64) -> Option<bool> {
        self.total.map(|total| total >= pass)
    }
}

/// Marks every answer. Several right letters are all or nothing, as no paper of the site says otherwise.
pub fn mark(paper: &[QuizPaperSection], answers: &[QuizAnswer]) -> Vec<QuizMark> {
    let marked = items(paper).into_iter().map(|item| {
        let given = answers.iter().find(|answer| answer.seq == item.seq).map(|answer| &answer.answer);
        let nothing = question_bank_rules::marking::QuestionAnswer::default();
        let key = item.key.unwrap_or(&nothing);
        let (score, hint) = match score_item(item.kind, key, given, item.full, MultipleRule::AllOrNothing) {
            Mark::Auto(score) => (Some(score), None),
            Mark::Hint(score) => (None, Some(score)),
            Mark::Marker => (None, None),
        };
        QuizMark {
            seq: item.seq.to_owned(),
            kind: item.kind,
            full_score: points(item.full),
            objective: item.is_objective(),
            score: score.map(points),
            hint: hint.map(points),
            comment: None,
        }
    });
    marked.collect()
}

/// The marks with what a marker gave; what was given before and is not named now stays.
///
/// # Errors
/// 422 at `items` for what no marker decides, a score that the question cannot have, and while an answer has none: `第{seq}题未给分`.
pub fn by_marker(mut marks: Vec<QuizMark>, given: Vec<QuizMarkItem>) -> Result<Vec<QuizMark>> {
    for QuizMarkItem { seq, score, comment } in given {
        let told = |why: String| Error::field("items", format!("第{seq}题{why}"));
        let mark = marks.iter_mut().find(|mark| mark.seq == seq);
        let mark = mark.ok_or_else(|| told("不在试卷中".to_owned()))?;
        if mark.objective {
            return Err(told("由系统阅卷，不能修改得分".to_owned()));
        }
        if !is_score(score, 0, tenths(mark.full_score)) {
            return Err(told(format!("的得分应在0到{}之间，最多一位小数", mark.full_score)));
        }
        mark.score = Some(score);
        mark.comment = comment.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    match marks.iter().find(|mark| mark.score.is_none()) {
        Some(open) => Err(Error::field("items", format!("第{}题未给分", open.seq))),
        None => Ok(marks),
    }
}

pub fn outcome(marks: &[QuizMark]) -> Outcome {
    let sum = |objective: bool| {
        let scores = marks.iter().filter(|mark| mark.objective == objective).map(|mark| mark.score.map(tenths));
        scores.sum::<Option<i64>>()
    };
    let objective = sum(true).unwrap_or_default();
    let subjective = sum(false);
    Outcome { objective, subjective, total: subjective.map(|subjective| objective + subjective) }
}

#[cfg(test)]
mod tests {
    use question_bank_rules::{marking::GivenAnswer, text::QuestionText};

    use super::*;
    use crate::paper::tests::paper;

    fn answers(letter: &str, blanks: [&str; 2], essay: &str) -> Vec<QuizAnswer> {
        let given = |seq: &str, answer: GivenAnswer| QuizAnswer { seq: seq.to_owned(), answer };
        let texts = Some(blanks.map(ToOwned::to_owned).to_vec());
        vec![
            given("1", GivenAnswer { letters: Some(vec![letter.to_owned()]), ..GivenAnswer::default() }),
            given("2", GivenAnswer { texts, ..GivenAnswer::default() }),
            given("3", GivenAnswer { html: Some(QuestionText::cleaned(essay)), ..GivenAnswer::default() }),
        ]
    }

    #[test]
    fn a_machine_marks_what_it_can() {
        let marks = mark(&paper(), &answers("B", ["秘密甲", "别的"], "<p>一篇</p>"));
        assert_eq!(marks.iter().map(|mark| mark.score).collect::<Vec<_>>(), [Some(2.0), Some(1.5), None]);
        assert_eq!(outcome(&marks), Outcome { objective: 35, subjective: None, total: None });
        let given =
            |score: f64| QuizMarkItem { seq: "3".to_owned(), score, comment: Some(" 条理清楚 ".to_owned()) };
        let done = by_marker(marks.clone(), vec![given(4.5)]).expect("marked");
        let whole = outcome(&done);
        assert_eq!(whole, Outcome { objective: 35, subjective: Some(45), total: Some(80) });
        assert_eq!((whole.passed(80), whole.passed(81)), (Some(true), Some(false)));
        assert_eq!(done[2].comment.as_deref(), Some("条理清楚"));
        let told = |given: Vec<QuizMarkItem>| match by_marker(marks.clone(), given) {
            Ok(_) => String::new(),
            Err(error) => error.data[0]["message"].as_str().unwrap_or_default().to_owned(),
        };
        assert_eq!(told(Vec::new()), "第3题未给分");
        assert_eq!(told(vec![given(5.1)]), "第3题的得分应在0到5之间，最多一位小数");
        let first = QuizMarkItem { seq: "1".to_owned(), score: 2.0, comment: None };
        assert_eq!(told(vec![first]), "第1题由系统阅卷，不能修改得分");
    }

    #[test]
    fn nothing_answered_needs_no_marker() {
        let marks = mark(&paper(), &[]);
        assert_eq!(outcome(&marks), Outcome { objective: 0, subjective: Some(0), total: Some(0) });
    }
}
