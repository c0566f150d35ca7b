//! What students of a demonstration school answer.

use papers::snapshot::EffectiveKey;
use question_bank::{
    enums::QuestionType,
    marking::{AnswerBlank, GivenAnswer},
    text::QuestionText,
};

/// What students write; no two of them the same.
const SENTENCES: [&str; 6] = [
    "货币在商品交换中首先执行价值尺度的职能，它使各种商品的价值能够在量上互相比较。",
    "流通手段要求现实的货币，在买卖分离之后，交换的链条可能在任何一个环节上中断。",
    "从教材第三章的案例可以看出，企业在核算成本时必须区分固定费用与变动费用。",
    "我在单位从事出纳工作，日常付款也要按照权责发生制来判断费用所属的期间。",
    "综上所述，理论的结论应当放到具体的业务当中去检验，不能只停留在概念上。",
    "反过来看，如果只强调形式上的合规，而不问经济业务的实质，报表就会失去意义。",
];

/// What the student at this place answers to the question of this number; no answer that needs a file.
pub fn answer(kind: QuestionType, key: Option<&EffectiveKey>, place: usize, number: usize) -> Option<GivenAnswer> {
    let right = !(place * 7 + number * 5).is_multiple_of(3);
    let key = key.and_then(|key| key.answer.as_ref());
    match kind {
        QuestionType::SingleChoice | QuestionType::MultipleChoice => {
            let letters = key.and_then(|key| key.letters.clone()).filter(|_| right);
            let letters = Some(letters.unwrap_or_else(|| vec!["A".to_owned()]));
            Some(GivenAnswer { letters, ..GivenAnswer::default() })
        }
        QuestionType::TrueFalse => {
            let value = key.and_then(|key| key.value).map(|value| value == right);
            Some(GivenAnswer { value, ..GivenAnswer::default() })
        }
        QuestionType::FillBlank => {
            let word = |blank: &AnswerBlank| {
                if right { blank.accept.first().cloned().unwrap_or_default() } else { "不清楚".to_owned() }
            };
            let texts = key.and_then(|key| key.blanks.as_ref()).map(|blanks| blanks.iter().map(word).collect());
            Some(GivenAnswer { texts, ..GivenAnswer::default() })
        }
        QuestionType::ShortAnswer | QuestionType::Essay => {
            // Whoever copies says what the first of all said.
            let by = if place % 10 == 3 { 0 } else { place };
            let said = (0..4).map(|at| SENTENCES[(by * 5 + by / 6 + number + at * (1 + by % 5)) % SENTENCES.len()]);
            let html = said.map(|sentence| format!("<p>{sentence}</p>")).collect::<String>();
            let own = format!("{html}<p>以上是第{}组同学讨论后整理的意见。</p>", by + 1);
            Some(GivenAnswer { html: Some(QuestionText::cleaned(&own)), ..GivenAnswer::default() })
        }
        QuestionType::CaseAnalysis | QuestionType::Listening | QuestionType::FileUpload => None,
    }
}

#[cfg(test)]
mod tests {
    use question_bank::{enums::MultipleRule, marking::QuestionAnswer};

    use super::*;

    #[test]
    fn whoever_copies_says_the_same() {
        let words = |place| {
            let given = answer(QuestionType::Essay, None, place, 4).expect("an answer");
            given.html.expect("words").plain()
        };
        assert_eq!(words(3), words(0));
        assert_ne!(words(1), words(0));
        assert!(words(5).chars().count() > 50);
    }

    #[test]
    fn some_answers_are_right() {
        let answer_of = QuestionAnswer { letters: Some(vec!["C".to_owned()]), ..QuestionAnswer::default() };
        let key = EffectiveKey { answer: Some(answer_of), scheme: MultipleRule::AllOrNothing, full_score: false };
        let told = |place| answer(QuestionType::SingleChoice, Some(&key), place, 0).and_then(|given| given.letters);
        assert_eq!(told(1), Some(vec!["C".to_owned()]));
        assert_eq!(told(0), Some(vec!["A".to_owned()]));
    }
}
