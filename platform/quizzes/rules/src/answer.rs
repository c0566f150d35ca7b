//! What a learner answers, checked against the paper of their attempt.

use std::collections::HashSet;

use infra::{Error, Result};
use poem_openapi::Object;
use question_bank_rules::{enums::QuestionType, marking::GivenAnswer};

use crate::paper::{Item, QuizPaperSection, items};

/// Characters of one blank, and of a written answer.
const LONGEST_BLANK: usize = 500;
const LONGEST_TEXT: usize = 20_000;

/// An answer to a question, or to a part of one.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizAnswer {
    /// 题号
    #[oai(validator(max_length = 10))]
    pub seq: String,
    /// 答案
    pub answer: GivenAnswer,
}

/// The answers with what their questions take, and nothing else.
///
/// # Errors
/// 422 at `answers` for a question that the paper does not have, and for what cannot be an answer to it.
pub fn checked(paper: &[QuizPaperSection], given: Vec<QuizAnswer>) -> Result<Vec<QuizAnswer>> {
    let items = items(paper);
    let mut seen = HashSet::new();
    let mut answers = Vec::with_capacity(given.len());
    for QuizAnswer { seq, answer } in given {
        let told = |why: String| Error::field("answers", format!("第{seq}题：{why}"));
        let item = items.iter().find(|item| item.seq == seq);
        let item = item.ok_or_else(|| told("试卷中没有这道题".to_owned()))?;
        if !seen.insert(seq.clone()) {
            return Err(told("重复提交了答案".to_owned()));
        }
        let answer = fitted(item, answer).map_err(told)?;
        answers.push(QuizAnswer { seq, answer });
    }
    Ok(answers)
}

fn fitted(item: &Item<'_>, given: GivenAnswer) -> Result<GivenAnswer, String> {
    if given.file_ids.as_ref().is_some_and(|files| !files.is_empty()) {
        return Err("不能上传附件".to_owned());
    }
    let mut answer = GivenAnswer::default();
    match item.kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice => {
            let mut letters = given.letters.unwrap_or_default();
            letters.sort_unstable();
            letters.dedup();
            if item.kind == QuestionType::SingleChoice && letters.len() > 1 {
                return Err("单选题只能选一项".to_owned());
            }
            if let Some(letter) =
                letters.iter().find(|letter| item.options.iter().all(|known| known.letter != **letter))
            {
                return Err(format!("没有选项{letter}"));
            }
            answer.letters = Some(letters);
        }
        QuestionType::TrueFalse => answer.value = given.value,
        QuestionType::FillBlank => {
            let texts = given.texts.unwrap_or_default();
            if texts.len() > item.blanks() {
                return Err(format!("共{}个空", item.blanks()));
            }
            if texts.iter().any(|text| text.chars().count() > LONGEST_BLANK) {
                return Err(format!("每空不能超过{LONGEST_BLANK}个字符"));
            }
            answer.texts = Some(texts);
        }
        QuestionType::ShortAnswer | QuestionType::Essay => {
            if let Some(html) = given.html {
                html.at_most("answers", "答案", LONGEST_TEXT).map_err(|error| error.msg.into_owned())?;
                if !html.keys().is_empty() {
                    return Err("答案中不能插入图片".to_owned());
                }
                answer.html = Some(html);
            }
        }
        QuestionType::FileUpload | QuestionType::CaseAnalysis | QuestionType::Listening => {}
    }
    Ok(answer)
}

/// The answers that are kept, with those that came now in the place of their former ones.
pub fn merged(kept: Vec<QuizAnswer>, given: Vec<QuizAnswer>) -> Vec<QuizAnswer> {
    let mut answers: Vec<QuizAnswer> =
        kept.into_iter().filter(|old| given.iter().all(|new| new.seq != old.seq)).collect();
    answers.extend(given);
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tests::paper;

    fn letters(seq: &str, letters: &str) -> QuizAnswer {
        let letters = Some(letters.chars().map(String::from).collect());
        QuizAnswer { seq: seq.to_owned(), answer: GivenAnswer { letters, ..GivenAnswer::default() } }
    }

    #[test]
    fn only_what_is_asked_is_answered() {
        let told = |given: Vec<QuizAnswer>| match checked(&paper(), given) {
            Ok(_) => String::new(),
            Err(error) => error.data[0]["message"].as_str().unwrap_or_default().to_owned(),
        };
        assert_eq!(told(vec![letters("1", "B")]), "");
        assert_eq!(told(vec![letters("9", "B")]), "第9题：试卷中没有这道题");
        assert_eq!(told(vec![letters("1", "AB")]), "第1题：单选题只能选一项");
        assert_eq!(told(vec![letters("1", "Z")]), "第1题：没有选项Z");
        assert_eq!(told(vec![letters("1", "A"), letters("1", "B")]), "第1题：重复提交了答案");
        let texts = Some(vec!["甲".to_owned(); 3]);
        let blanks = QuizAnswer { seq: "2".to_owned(), answer: GivenAnswer { texts, ..GivenAnswer::default() } };
        assert_eq!(told(vec![blanks]), "第2题：共2个空");
        let file_ids = Some(vec![1]);
        let file = QuizAnswer { seq: "3".to_owned(), answer: GivenAnswer { file_ids, ..GivenAnswer::default() } };
        assert_eq!(told(vec![file]), "第3题：不能上传附件");
    }

    #[test]
    fn a_later_answer_takes_the_place_of_the_former() {
        let kept = merged(vec![letters("1", "A"), letters("2", "B")], vec![letters("1", "C")]);
        assert_eq!(kept, [letters("2", "B"), letters("1", "C")]);
    }
}
