//! 快照: the questions of an exam as an attempt keeps them, with their keys; and the same without any key, as learners read them.
//! What learners read has no field that could hold a key.

use std::collections::HashMap;

use poem_openapi::Object;
use question_bank_rules::{
    enums::QuestionType,
    form::{QuestionOption, SubQuestionForm},
    marking::QuestionAnswer,
    score::{distributed, points, tenths},
    text::QuestionText,
};

use crate::content::QuizSection;

/// A question as it stands in its category.
#[derive(Debug, Clone)]
pub struct StoredProblem {
    pub id: i64,
    pub kind: QuestionType,
    pub stem: QuestionText,
    pub options: Vec<QuestionOption>,
    pub answer: Option<QuestionAnswer>,
    pub analysis: Option<QuestionText>,
    pub media_key: Option<String>,
    pub play_limit: Option<i32>,
    pub subs: Vec<SubQuestionForm>,
}

/// A question within a 综合题 or 听力题.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizPart {
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 分值
    pub score: f64,
}

/// A question of an attempt with its key.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizQuestion {
    /// 试题
    pub problem_id: i64,
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 答案
    pub answer: Option<QuestionAnswer>,
    /// 解析
    pub analysis: Option<QuestionText>,
    /// 分值
    pub score: f64,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    /// 0为不限
    pub play_limit: Option<i32>,
    /// 小题
    pub parts: Vec<QuizPart>,
}

/// A section of an attempt with its keys.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct QuizPaperSection {
    /// 大题标题
    pub title: String,
    /// 试题
    pub questions: Vec<QuizQuestion>,
}

/// A question within another, as learners read it.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct AskedPart {
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 空数
    pub blanks: i32,
    /// 分值
    pub score: f64,
}

/// A question as learners read it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AskedQuestion {
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 题干
    pub stem: QuestionText,
    /// 选项
    pub options: Vec<QuestionOption>,
    /// 空数
    pub blanks: i32,
    /// 分值
    pub score: f64,
    /// 音频
    pub media_key: Option<String>,
    /// 播放次数
    /// 0为不限
    pub play_limit: Option<i32>,
    /// 小题
    pub parts: Vec<AskedPart>,
}

/// A section as learners read it.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct AskedSection {
    /// 大题标题
    pub title: String,
    /// 试题
    pub questions: Vec<AskedQuestion>,
}

/// What is answered and marked: a question, or each part of one that has parts.
#[derive(Debug, Clone, Copy)]
pub struct Item<'p> {
    pub seq: &'p str,
    pub kind: QuestionType,
    pub options: &'p [QuestionOption],
    pub key: Option<&'p QuestionAnswer>,
    /// In tenths.
    pub full: i64,
}

impl Item<'_> {
    /// Whether a machine marks it.
    pub fn is_objective(&self) -> bool {
        match self.kind {
            QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse => true,
            QuestionType::FillBlank => self.key.is_none_or(|key| key.manual != Some(true)),
            QuestionType::ShortAnswer
            | QuestionType::Essay
            | QuestionType::FileUpload
            | QuestionType::CaseAnalysis
            | QuestionType::Listening => false,
        }
    }

    pub fn blanks(&self) -> usize {
        self.key.and_then(|key| key.blanks.as_ref()).map_or(0, Vec::len)
    }
}

/// The questions of these sections as an attempt keeps them, numbered through; one that is gone is left out.
pub fn frozen(sections: &[QuizSection], problems: &HashMap<i64, StoredProblem>) -> Vec<QuizPaperSection> {
    let mut number = 0;
    let mut paper = Vec::with_capacity(sections.len());
    for section in sections {
        let mut questions = Vec::with_capacity(section.problems.len());
        for asked in &section.problems {
            let Some(problem) = problems.get(&asked.problem_id) else { continue };
            number += 1;
            questions.push(question(problem, number, tenths(asked.score)));
        }
        paper.push(QuizPaperSection { title: section.title.clone(), questions });
    }
    paper
}

fn question(problem: &StoredProblem, number: i32, score: i64) -> QuizQuestion {
    let own: Vec<i64> = problem.subs.iter().map(|sub| sub.default_score.map_or(0, tenths)).collect();
    let shares = if own.iter().sum::<i64>() == score { own } else { distributed(score, &own) };
    let parts = (1..).zip(&problem.subs).zip(shares).map(|((place, sub), share)| QuizPart {
        seq: format!("{number}.{place}"),
        kind: sub.kind,
        stem: sub.stem.clone(),
        options: sub.options.clone(),
        answer: key(sub.answer.as_ref(), share),
        analysis: sub.analysis.clone(),
        score: points(share),
    });
    QuizQuestion {
        problem_id: problem.id,
        seq: number.to_string(),
        kind: problem.kind,
        stem: problem.stem.clone(),
        options: problem.options.clone(),
        answer: key(problem.answer.as_ref(), score),
        analysis: problem.analysis.clone(),
        score: points(score),
        media_key: problem.media_key.clone(),
        play_limit: problem.play_limit,
        parts: parts.collect(),
    }
}

/// The key of a question that is worth so much, its blanks in the proportion of their own scores.
fn key(answer: Option<&QuestionAnswer>, score: i64) -> Option<QuestionAnswer> {
    let mut answer = answer?.clone();
    if let Some(blanks) = &mut answer.blanks {
        let own: Vec<i64> = blanks.iter().map(|blank| tenths(blank.score)).collect();
        if own.iter().sum::<i64>() != score {
            for (blank, share) in blanks.iter_mut().zip(distributed(score, &own)) {
                blank.score = points(share);
            }
        }
    }
    Some(answer)
}

/// Everything that is answered, in the order of the paper.
pub fn items(paper: &[QuizPaperSection]) -> Vec<Item<'_>> {
    let mut all = Vec::new();
    for question in paper.iter().flat_map(|section| &section.questions) {
        if !question.kind.is_parent() {
            all.push(Item {
                seq: &question.seq,
                kind: question.kind,
                options: &question.options,
                key: question.answer.as_ref(),
                full: tenths(question.score),
            });
        }
        all.extend(question.parts.iter().map(|part| Item {
            seq: &part.seq,
            kind: part.kind,
            options: &part.options,
            key: part.answer.as_ref(),
            full: tenths(part.score),
        }));
    }
    all
}

fn blanks(answer: Option<&QuestionAnswer>) -> i32 {
    let count = answer.and_then(|key| key.blanks.as_ref()).map_or(0, Vec::len);
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The paper as learners read it: nothing of what is right.
pub fn asked(paper: &[QuizPaperSection]) -> Vec<AskedSection> {
    let part = |part: &QuizPart| AskedPart {
        seq: part.seq.clone(),
        kind: part.kind,
        stem: part.stem.clone(),
        options: part.options.clone(),
        blanks: blanks(part.answer.as_ref()),
        score: part.score,
    };
    let question = |question: &QuizQuestion| AskedQuestion {
        seq: question.seq.clone(),
        kind: question.kind,
        stem: question.stem.clone(),
        options: question.options.clone(),
        blanks: blanks(question.answer.as_ref()),
        score: question.score,
        media_key: question.media_key.clone(),
        play_limit: question.play_limit,
        parts: question.parts.iter().map(part).collect(),
    };
    let section = |section: &QuizPaperSection| AskedSection {
        title: section.title.clone(),
        questions: section.questions.iter().map(question).collect(),
    };
    paper.iter().map(section).collect()
}

/// The keys of the pictures and audio that are asked; with `answers` those of keys and analyses too.
pub fn files(paper: &[QuizPaperSection], answers: bool) -> Vec<String> {
    let mut keys = Vec::new();
    let mut add = |text: &QuestionText| keys.extend(text.keys());
    for question in paper.iter().flat_map(|section| &section.questions) {
        add(&question.stem);
        question.options.iter().for_each(|option| add(&option.content));
        if answers {
            question.analysis.iter().for_each(&mut add);
            question.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
        }
        for part in &question.parts {
            add(&part.stem);
            part.options.iter().for_each(|option| add(&option.content));
            if answers {
                part.analysis.iter().for_each(&mut add);
                part.answer.iter().filter_map(|answer| answer.text.as_ref()).for_each(&mut add);
            }
        }
    }
    let audio = paper.iter().flat_map(|section| &section.questions).filter_map(|question| question.media_key.clone());
    keys.extend(audio);
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
pub(crate) mod tests {
    use poem_openapi::types::ToJSON;
    use question_bank_rules::{enums::BlankMatch, marking::AnswerBlank};

    use super::*;
    use crate::content::{QuizProblemRef, stored_as};

    pub(crate) fn problem(id: i64, kind: QuestionType, answer: QuestionAnswer) -> StoredProblem {
        StoredProblem {
            id,
            kind,
            stem: QuestionText::cleaned("题干"),
            options: ["A", "B", "C"]
                .map(|letter| QuestionOption { letter: letter.to_owned(), content: QuestionText::cleaned(letter) })
                .into_iter()
                .filter(|_| kind.has_options())
                .collect(),
            answer: Some(answer),
            analysis: Some(QuestionText::cleaned("秘密的解析")),
            media_key: None,
            play_limit: None,
            subs: Vec::new(),
        }
    }

    pub(crate) fn letters(letters: &str) -> QuestionAnswer {
        QuestionAnswer { letters: Some(letters.chars().map(String::from).collect()), ..QuestionAnswer::default() }
    }

    pub(crate) fn blanks_of(texts: &[&str]) -> QuestionAnswer {
        let blank = |text: &&str| AnswerBlank {
            accept: vec![(*text).to_owned()],
            matching: BlankMatch::Loose,
            score: 1.0,
            tolerance: None,
        };
        QuestionAnswer { blanks: Some(texts.iter().map(blank).collect()), ..QuestionAnswer::default() }
    }

    /// A choice of 2 points, two blanks of 3 in all, an essay of 5.
    pub(crate) fn paper() -> Vec<QuizPaperSection> {
        let essay =
            QuestionAnswer { text: Some(QuestionText::cleaned("秘密的参考答案")), ..QuestionAnswer::default() };
        let problems = [
            problem(1, QuestionType::SingleChoice, letters("B")),
            problem(2, QuestionType::FillBlank, blanks_of(&["秘密甲", "秘密乙"])),
            problem(3, QuestionType::Essay, essay),
        ];
        let sections = [
            QuizSection { title: "一".to_owned(), problems: vec![QuizProblemRef { problem_id: 1, score: 2.0 }] },
            QuizSection {
                title: "二".to_owned(),
                problems: vec![
                    QuizProblemRef { problem_id: 2, score: 3.0 },
                    QuizProblemRef { problem_id: 3, score: 5.0 },
                    QuizProblemRef { problem_id: 99, score: 1.0 },
                ],
            },
        ];
        frozen(&sections, &problems.into_iter().map(|problem| (problem.id, problem)).collect())
    }

    #[test]
    fn a_paper_is_numbered_through_and_shares_what_it_gives() {
        let paper = paper();
        let told: Vec<(&str, i64)> = items(&paper).iter().map(|item| (item.seq, item.full)).collect();
        assert_eq!(told, [("1", 20), ("2", 30), ("3", 50)]);
        let blanks = paper[1].questions[0].answer.clone().and_then(|answer| answer.blanks).expect("blanks");
        assert_eq!(blanks.iter().map(|blank| blank.score).collect::<Vec<_>>(), [1.5, 1.5]);
        assert_eq!(stored_as::<Vec<QuizPaperSection>>(paper.to_json().expect("kept")), Ok(paper));
    }

    #[test]
    fn learners_read_nothing_of_what_is_right() {
        let paper = paper();
        let shown = asked(&paper).to_json().expect("shown").to_string();
        assert!(!shown.contains("秘密") && !shown.contains("answer") && !shown.contains("analysis"), "{shown}");
        assert_eq!(asked(&paper)[1].questions[0].blanks, 2);
    }

    #[test]
    fn parts_are_worth_what_their_question_is() {
        let sub = |score: f64| SubQuestionForm {
            id: None,
            kind: QuestionType::TrueFalse,
            stem: QuestionText::cleaned("对吗"),
            options: Vec::new(),
            answer: Some(QuestionAnswer { value: Some(true), ..QuestionAnswer::default() }),
            analysis: None,
            default_score: Some(score),
            upload: None,
            allow_attachment: false,
        };
        let mut case = problem(7, QuestionType::CaseAnalysis, QuestionAnswer::default());
        case.answer = None;
        case.subs = vec![sub(3.0), sub(3.0), sub(3.0)];
        let sections =
            [QuizSection { title: "一".to_owned(), problems: vec![QuizProblemRef { problem_id: 7, score: 10.0 }] }];
        let paper = frozen(&sections, &HashMap::from([(7, case)]));
        let told: Vec<(&str, i64)> = items(&paper).iter().map(|item| (item.seq, item.full)).collect();
        assert_eq!(told, [("1.1", 35), ("1.2", 35), ("1.3", 30)]);
    }
}
