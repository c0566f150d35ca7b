//! 快照: what of a paper is frozen, and the keys that count for it by now (part 03 A8).

use std::collections::HashMap;

use poem_openapi::types::ToJSON;
use question_bank_rules::{
    enums::{MultipleRule, QuestionDifficulty, QuestionStatus},
    form::SubQuestion,
    marking::QuestionAnswer,
    score::{points, tenths},
};
use serde_json::Value;

use crate::content::{DetailSection, shares};

/// What counts for a question of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveKey {
    pub answer: Option<QuestionAnswer>,
    pub scheme: MultipleRule,
    /// Whatever was answered earns the whole score.
    pub full_score: bool,
}

/// Puts the keys that count in the place of those that were frozen, by the place of their question.
pub fn correct(sections: &mut [DetailSection], keys: &HashMap<String, EffectiveKey>) {
    for question in sections.iter_mut().flat_map(|section| &mut section.questions) {
        if let Some(key) = keys.get(&question.seq) {
            question.answer.clone_from(&key.answer);
        }
        for (place, sub) in (1..).zip(&mut question.sub_questions) {
            if let Some(key) = keys.get(&format!("{}.{place}", question.seq)) {
                sub.answer.clone_from(&key.answer);
            }
        }
    }
}

/// The content without what changes by being used, as it is kept.
pub fn kept(mut sections: Vec<DetailSection>) -> Vec<DetailSection> {
    for section in &mut sections {
        section.id = None;
        for question in &mut section.questions {
            question.used_count = 0;
            question.status = QuestionStatus::Enabled;
        }
    }
    sections
}

/// What makes two contents the same: what is asked, what is right and what it counts for, not where in the course it belongs or
/// how hard it is thought to be.
pub fn canonical(mut sections: Vec<DetailSection>) -> Vec<DetailSection> {
    for question in sections.iter_mut().flat_map(|section| &mut section.questions) {
        question.difficulty = QuestionDifficulty::Medium;
        (question.chapter_id, question.chapter_title) = (None, None);
        (question.knowledge_point_ids, question.knowledge_point_names) = (Vec::new(), Vec::new());
    }
    sections
}

/// A question of a snapshot as it is marked.
#[derive(Debug, Clone, PartialEq)]
pub struct Marked {
    pub seq: String,
    pub question_id: i64,
    pub whole_id: i64,
    pub revision: i32,
    pub kind: &'static str,
    pub score: i64,
    pub scheme: MultipleRule,
    pub answer: Option<Value>,
}

/// The key of a sub-question, its blanks with what they count for where the paper gives it another score than its own.
fn sub_key(sub: &SubQuestion, score: i64) -> Option<QuestionAnswer> {
    let mut answer = sub.answer.clone()?;
    let (blanks, _) = shares(sub.kind, Some(&answer), &[], score);
    for (blank, share) in answer.blanks.iter_mut().flatten().zip(blanks.into_iter().flatten()) {
        blank.score = points(share);
    }
    Some(answer)
}

/// What is marked of a paper: of a frame its sub-questions, as `7.2`.
pub fn marked(sections: &[DetailSection]) -> Vec<Marked> {
    let mut all = Vec::new();
    for section in sections {
        for question in &section.questions {
            if !question.kind.is_parent() {
                all.push(Marked {
                    seq: question.seq.clone(),
                    question_id: question.question_id,
                    whole_id: question.question_id,
                    revision: question.revision,
                    kind: question.kind.as_str(),
                    score: tenths(question.score),
                    scheme: section.multiple_rule,
                    answer: question.key().and_then(|key| key.to_json()),
                });
                continue;
            }
            for ((place, sub), score) in (1..).zip(&question.sub_questions).zip(question.sub_tenths()) {
                all.push(Marked {
                    seq: format!("{}.{place}", question.seq),
                    question_id: sub.id,
                    whole_id: question.question_id,
                    revision: sub.revision,
                    kind: sub.kind.as_str(),
                    score,
                    scheme: section.multiple_rule,
                    answer: sub_key(sub, score).and_then(|key| key.to_json()),
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use question_bank_rules::{
        enums::{BlankMatch, QuestionType},
        marking::AnswerBlank,
        text::QuestionText,
    };

    use super::*;
    use crate::content::DetailQuestion;

    #[test]
    fn sub_questions_are_marked_by_their_place() {
        let sub = |id: i64| SubQuestion {
            id,
            sub_no: 1,
            kind: QuestionType::TrueFalse,
            stem: QuestionText::cleaned("对吗"),
            options: Vec::new(),
            answer: Some(QuestionAnswer { value: Some(true), ..QuestionAnswer::default() }),
            analysis: None,
            default_score: 3.0,
            upload: None,
            allow_attachment: false,
            revision: 1,
        };
        let question = DetailQuestion {
            question_id: 1,
            seq: "7".to_owned(),
            kind: QuestionType::CaseAnalysis,
            stem: QuestionText::cleaned("材料"),
            options: Vec::new(),
            answer: None,
            analysis: None,
            difficulty: QuestionDifficulty::Medium,
            chapter_id: None,
            chapter_title: None,
            knowledge_point_ids: Vec::new(),
            knowledge_point_names: Vec::new(),
            score: 10.0,
            blank_scores: None,
            sub_scores: None,
            status: QuestionStatus::Disabled,
            used_count: 9,
            revision: 2,
            media_key: None,
            play_limit: None,
            upload: None,
            allow_attachment: false,
            sub_questions: vec![sub(2), sub(3), sub(4)],
        };
        let section = DetailSection {
            id: Some(1),
            title: "七、综合题".to_owned(),
            instruction: None,
            kind: None,
            default_score: None,
            multiple_rule: MultipleRule::AllOrNothing,
            questions: vec![question],
        };
        let whole = std::slice::from_ref(&section);
        let told: Vec<(String, i64)> = marked(whole).into_iter().map(|one| (one.seq, one.score)).collect();
        assert_eq!(told, [("7.1".to_owned(), 35), ("7.2".to_owned(), 35), ("7.3".to_owned(), 30)]);
        assert!(marked(whole).iter().all(|one| one.whole_id == 1), "they all stand in one question");
        let mut filled = sub(5);
        filled.kind = QuestionType::FillBlank;
        let blank = |score: f64| AnswerBlank {
            accept: vec!["甲".to_owned()],
            matching: BlankMatch::Loose,
            score,
            tolerance: None,
        };
        filled.answer =
            Some(QuestionAnswer { blanks: Some(vec![blank(1.5), blank(1.5)]), ..QuestionAnswer::default() });
        let key = sub_key(&filled, 40).expect("a key");
        let scores: Vec<f64> = key.blanks.into_iter().flatten().map(|blank| blank.score).collect();
        assert_eq!(scores, [2.0, 2.0], "its blanks are worth what the paper gives it");
        let mut used = section.clone();
        used.questions[0].used_count = 10;
        used.questions[0].difficulty = QuestionDifficulty::Hard;
        used.questions[0].chapter_title = Some("改名的章节".to_owned());
        used.questions[0].knowledge_point_names = vec!["改名的知识点".to_owned()];
        let same = |section: &DetailSection| canonical(kept(vec![section.clone()])).to_json();
        assert_eq!(same(&used), same(&section), "neither being used nor where it belongs makes another content");
        used.questions[0].score = 9.0;
        assert_ne!(same(&used), same(&section));
        let mut sections = vec![section];
        let answer = Some(QuestionAnswer { value: Some(false), ..QuestionAnswer::default() });
        let key = EffectiveKey { answer: answer.clone(), scheme: MultipleRule::AllOrNothing, full_score: false };
        correct(&mut sections, &HashMap::from([("7.2".to_owned(), key)]));
        let subs = &sections[0].questions[0].sub_questions;
        assert_eq!(subs[1].answer, answer, "the last correction is what is printed");
        assert_ne!(subs[0].answer, answer);
    }
}
