//! 更正答案: what may be the key of a question instead, and what an answer has by it (part 03 B7).

use infra::{Error, Result};
use papers::snapshot::{EffectiveKey, KeyCorrection};
use question_bank::{
    enums::{MultipleRule, QuestionType},
    marking::{GivenAnswer, Mark, QuestionAnswer, score_item},
    score::{is_score, shown, tenths},
};

use crate::shuffle::Shuffle;

/// The same with the letters of its key in their order, each once.
pub fn normal(mut correction: KeyCorrection) -> KeyCorrection {
    if let Some(letters) = correction.answer.as_mut().and_then(|answer| answer.letters.as_mut()) {
        letters.sort_unstable();
        letters.dedup();
    }
    correction
}

/// The question of a snapshot that is corrected.
pub struct Asked {
    pub snapshot: i64,
    pub seq: String,
    pub kind: QuestionType,
    pub full: i64,
    /// How many options and blanks it has.
    pub options: usize,
    pub blanks: usize,
}

/// # Errors
/// 422 for what corrects nothing, or cannot be the key of such a question.
pub fn check(asked: &Asked, correction: &KeyCorrection) -> Result<()> {
    let kind = asked.kind;
    if correction.full_score {
        return Ok(());
    }
    let objective = matches!(
        kind,
        QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse | QuestionType::FillBlank
    );
    if !objective {
        return Err(Error::field("fullScore", "主观题由教师评分，只能全部给分"));
    }
    let Some(answer) = &correction.answer else {
        return match correction.scheme {
            Some(_) if kind == QuestionType::MultipleChoice => Ok(()),
            _ => Err(Error::field("answer", "请填写新答案，或选择全部给分")),
        };
    };
    let nothing = Vec::new();
    let letters = answer.letters.as_ref().unwrap_or(&nothing);
    let plain = Shuffle::default().letters(&asked.seq, asked.options);
    let right = match kind {
        QuestionType::SingleChoice => letters.len() == 1,
        QuestionType::MultipleChoice => letters.len() >= 2,
        QuestionType::TrueFalse => answer.value.is_some(),
        _ => fills(answer, asked)?,
    };
    if right && letters.iter().all(|letter| plain.stored(letter).is_some()) {
        return Ok(());
    }
    Err(Error::field("answer", format!("新答案与{}不符，请检查", kind.zh())))
}

/// Whether a key fills the blanks of a question; they are worth what it is worth.
fn fills(answer: &QuestionAnswer, asked: &Asked) -> Result<bool> {
    let Some(blanks) = &answer.blanks else { return Ok(false) };
    if blanks.len() != asked.blanks || blanks.iter().any(|blank| blank.accept.iter().all(|text| text.trim().is_empty()))
    {
        return Ok(false);
    }
    let worth: i64 = blanks.iter().map(|blank| tenths(blank.score)).sum();
    let each = blanks.iter().all(|blank| is_score(blank.score, 0, asked.full));
    if each && worth == asked.full {
        return Ok(true);
    }
    Err(Error::field("answer", format!("各空分值之和应为{}", shown(asked.full))))
}

/// The key that counts after a correction.
pub fn corrected(former: Option<&EffectiveKey>, correction: &KeyCorrection) -> EffectiveKey {
    EffectiveKey {
        answer: correction.answer.clone().or_else(|| former.and_then(|key| key.answer.clone())),
        scheme: correction.scheme.or(former.map(|key| key.scheme)).unwrap_or(MultipleRule::AllOrNothing),
        full_score: correction.full_score,
    }
}

/// The score that an answer has by a key; none while a marker decides.
pub fn score_by(asked: &Asked, key: &EffectiveKey, given: Option<&GivenAnswer>) -> Option<i64> {
    if key.full_score {
        return Some(asked.full);
    }
    let nothing = QuestionAnswer::default();
    match score_item(asked.kind, key.answer.as_ref().unwrap_or(&nothing), given, asked.full, key.scheme) {
        Mark::Auto(score) => Some(score),
        Mark::Hint(_) | Mark::Marker => None,
    }
}

#[cfg(test)]
mod tests {
    use question_bank::{enums::BlankMatch, marking::AnswerBlank};

    use super::*;

    fn key(letter: &str) -> QuestionAnswer {
        QuestionAnswer { letters: Some(vec![letter.to_owned()]), ..QuestionAnswer::default() }
    }

    fn asked(kind: QuestionType) -> Asked {
        Asked { snapshot: 1, seq: "3".to_owned(), kind, full: 20, options: 4, blanks: 2 }
    }

    fn correction(answer: Option<QuestionAnswer>, full_score: bool) -> KeyCorrection {
        KeyCorrection { answer, scheme: None, full_score, reason: "答案有误".to_owned() }
    }

    #[test]
    fn two_points_from_b_to_c() {
        let asked = asked(QuestionType::SingleChoice);
        let former = EffectiveKey { answer: Some(key("B")), scheme: MultipleRule::AllOrNothing, full_score: false };
        let after = corrected(Some(&former), &correction(Some(key("C")), false));
        let given = |letter: &str| GivenAnswer { letters: Some(vec![letter.to_owned()]), ..GivenAnswer::default() };
        let moved = |letter: &str| {
            let score = |key: &EffectiveKey| score_by(&asked, key, Some(&given(letter))).unwrap_or(0);
            score(&after) - score(&former)
        };
        assert_eq!((moved("B"), moved("C"), moved("A")), (-20, 20, 0));
        let all = corrected(Some(&former), &correction(None, true));
        assert_eq!(score_by(&asked, &all, None), Some(20), "whoever answered nothing gets it too");
    }

    #[test]
    fn a_key_is_one_of_its_question() {
        let told = |kind, correction: &KeyCorrection| {
            check(&asked(kind), correction).err().map(|error| error.msg.into_owned())
        };
        assert_eq!(told(QuestionType::SingleChoice, &correction(Some(key("C")), false)), None);
        assert_eq!(
            told(QuestionType::TrueFalse, &correction(Some(key("C")), false)).as_deref(),
            Some("新答案与判断题不符，请检查")
        );
        assert_eq!(
            told(QuestionType::Essay, &correction(None, false)).as_deref(),
            Some("主观题由教师评分，只能全部给分")
        );
        assert_eq!(told(QuestionType::Essay, &correction(None, true)), None);
        assert_eq!(
            told(QuestionType::SingleChoice, &correction(None, false)).as_deref(),
            Some("请填写新答案，或选择全部给分")
        );
        let outside = correction(Some(key("E")), false);
        assert_eq!(told(QuestionType::SingleChoice, &outside).as_deref(), Some("新答案与单选题不符，请检查"));
        let twice = KeyCorrection {
            answer: Some(QuestionAnswer {
                letters: Some(vec!["B".to_owned(), "B".to_owned()]),
                ..QuestionAnswer::default()
            }),
            ..outside
        };
        let told_of = told(QuestionType::MultipleChoice, &normal(twice));
        assert_eq!(told_of.as_deref(), Some("新答案与多选题不符，请检查"), "one letter is no key of several");
    }

    #[test]
    fn a_key_fills_all_blanks_and_is_worth_the_question() {
        let blank = |text: &str, score: f64| AnswerBlank {
            accept: vec![text.to_owned()],
            matching: BlankMatch::Loose,
            score,
            tolerance: None,
        };
        let told = |blanks: Vec<AnswerBlank>| {
            let answer = QuestionAnswer { blanks: Some(blanks), ..QuestionAnswer::default() };
            let correction = correction(Some(answer), false);
            check(&asked(QuestionType::FillBlank), &correction).err().map(|error| error.msg.into_owned())
        };
        assert_eq!(told(vec![blank("甲", 1.0), blank("乙", 1.0)]), None);
        assert_eq!(told(vec![blank("甲", 2.0)]).as_deref(), Some("新答案与填空题不符，请检查"));
        assert_eq!(told(vec![blank("甲", 1.0), blank(" ", 1.0)]).as_deref(), Some("新答案与填空题不符，请检查"));
        assert_eq!(told(vec![blank("甲", 1.0), blank("乙", 1.5)]).as_deref(), Some("各空分值之和应为2.0"));
    }
}
