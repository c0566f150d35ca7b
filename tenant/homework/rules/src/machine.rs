//! What the machine says of the answers of a sheet (part 03 B6, B7).

use papers::snapshot::EffectiveKey;
use question_bank::{
    enums::{MultipleRule, QuestionType},
    marking::{GivenAnswer, Mark, QuestionAnswer, score_item},
};

use crate::enums::ItemMarkState;

/// An answer as the machine looks at it.
pub struct Line {
    pub id: i64,
    pub seq: String,
    pub kind: QuestionType,
    pub full: i64,
    pub given: Option<GivenAnswer>,
    /// By now.
    pub score: Option<i64>,
    pub state: ItemMarkState,
    pub auto: Option<i64>,
}

/// What the machine says of one answer.
pub fn marked(line: &Line, key: Option<&EffectiveKey>) -> Mark {
    if key.is_some_and(|key| key.full_score) {
        return Mark::Auto(line.full);
    }
    let nothing = QuestionAnswer::default();
    let answer = key.and_then(|key| key.answer.as_ref()).unwrap_or(&nothing);
    let scheme = key.map_or(MultipleRule::AllOrNothing, |key| key.scheme);
    score_item(line.kind, answer, line.given.as_ref(), line.full, scheme)
}

/// What became of an answer by the machine's word; a mark of a person stays.
pub fn decided(line: &Line, mark: Mark) -> (Option<i64>, Option<i64>, ItemMarkState) {
    match mark {
        Mark::Auto(score) => (Some(score), Some(score), ItemMarkState::Auto),
        Mark::Hint(score) if line.state == ItemMarkState::Marked => (Some(score), line.score, ItemMarkState::Marked),
        Mark::Hint(score) => (Some(score), None, ItemMarkState::Pending),
        Mark::Marker if line.state == ItemMarkState::Marked => (None, line.score, ItemMarkState::Marked),
        Mark::Marker => (None, None, ItemMarkState::Pending),
    }
}

/// What the machine's marking of a sheet came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    pub objective: i64,
    pub subjective: i64,
    pub pending: usize,
    pub unanswered: usize,
}

/// What the machine's marking of these answers came to.
pub fn came_to<'l>(lines: impl Iterator<Item = (&'l Line, Option<i64>, ItemMarkState)>) -> Machine {
    let mut machine = Machine { objective: 0, subjective: 0, pending: 0, unanswered: 0 };
    for (line, score, state) in lines {
        match state {
            ItemMarkState::Auto => machine.objective += score.unwrap_or(0),
            ItemMarkState::Marked => machine.subjective += score.unwrap_or(0),
            ItemMarkState::Pending => machine.pending += 1,
        }
        machine.unanswered += usize::from(line.given.as_ref().is_none_or(GivenAnswer::is_blank));
    }
    machine
}

#[cfg(test)]
mod tests {
    use question_bank::text::QuestionText;

    use super::*;

    fn line(kind: QuestionType, given: Option<GivenAnswer>) -> Line {
        let state = ItemMarkState::Pending;
        Line { id: 1, seq: "1".to_owned(), kind, full: 20, given, score: None, state, auto: None }
    }

    fn key(letter: &str, full_score: bool) -> EffectiveKey {
        let answer = QuestionAnswer { letters: Some(vec![letter.to_owned()]), ..QuestionAnswer::default() };
        EffectiveKey { answer: Some(answer), scheme: MultipleRule::AllOrNothing, full_score }
    }

    fn choice(letter: &str) -> Option<GivenAnswer> {
        Some(GivenAnswer { letters: Some(vec![letter.to_owned()]), ..GivenAnswer::default() })
    }

    #[test]
    fn a_corrected_key_marks_anew() {
        let given = line(QuestionType::SingleChoice, choice("B"));
        assert_eq!(marked(&given, Some(&key("B", false))), Mark::Auto(20));
        assert_eq!(marked(&given, Some(&key("C", false))), Mark::Auto(0));
        assert_eq!(marked(&given, Some(&key("C", true))), Mark::Auto(20), "whatever was answered");
        assert_eq!(marked(&line(QuestionType::SingleChoice, None), Some(&key("C", true))), Mark::Auto(20));
    }

    #[test]
    fn a_mark_of_a_person_stays() {
        let html = Some(QuestionText::cleaned("<p>一篇</p>"));
        let given = Some(GivenAnswer { html, ..GivenAnswer::default() });
        let mut essay = line(QuestionType::Essay, given);
        assert_eq!(decided(&essay, Mark::Marker), (None, None, ItemMarkState::Pending));
        (essay.score, essay.state) = (Some(15), ItemMarkState::Marked);
        assert_eq!(decided(&essay, Mark::Marker), (None, Some(15), ItemMarkState::Marked));
        let machine = came_to([(&essay, Some(15), ItemMarkState::Marked)].into_iter());
        assert_eq!(machine, Machine { objective: 0, subjective: 15, pending: 0, unanswered: 0 });
    }

    #[test]
    fn what_was_not_answered_is_marked_at_once() {
        let essay = line(QuestionType::Essay, None);
        assert_eq!(marked(&essay, None), Mark::Auto(0));
        let machine = came_to([(&essay, Some(0), ItemMarkState::Auto)].into_iter());
        assert_eq!((machine.pending, machine.unanswered), (0, 1));
    }
}
