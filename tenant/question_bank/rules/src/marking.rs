//! 自动判分: what an answer is worth, for homework and examinations alike; these rules stand only here (part 03 A7).

use poem_openapi::Object;

use crate::{
    enums::{BlankMatch, MultipleRule, QuestionType},
    score::{part, tenths},
    text::{QuestionText, exact, loose},
};

/// A blank of a 填空题.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AnswerBlank {
    /// 可接受答案
    #[oai(validator(min_items = 1, max_items = 20))]
    pub accept: Vec<String>,
    /// 匹配方式
    #[oai(rename = "match")]
    pub matching: BlankMatch,
    /// 分值
    pub score: f64,
    /// 允许误差
    /// 数值匹配时填写
    #[oai(skip_serializing_if_is_none)]
    pub tolerance: Option<f64>,
}

/// A point that a marker looks for.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct AnswerPoint {
    /// 要点
    #[oai(validator(max_length = 500))]
    pub text: String,
    /// 分值
    pub score: f64,
}

/// The key of a question; which fields it has depends on the type.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuestionAnswer {
    /// 选项
    /// 单选题、多选题
    #[oai(skip_serializing_if_is_none, validator(max_items = 26))]
    pub letters: Option<Vec<String>>,
    /// 对错
    /// 判断题
    #[oai(skip_serializing_if_is_none)]
    pub value: Option<bool>,
    /// 各空
    /// 填空题
    #[oai(skip_serializing_if_is_none, validator(max_items = 50))]
    pub blanks: Option<Vec<AnswerBlank>>,
    /// 不分顺序
    /// 填空题
    #[oai(skip_serializing_if_is_none)]
    pub unordered: Option<bool>,
    /// 人工阅卷
    /// 填空题
    #[oai(skip_serializing_if_is_none)]
    pub manual: Option<bool>,
    /// 参考答案
    /// 简答题、论述题；附件题为评分标准
    #[oai(skip_serializing_if_is_none)]
    pub text: Option<QuestionText>,
    /// 得分要点
    /// 简答题、论述题
    #[oai(skip_serializing_if_is_none, validator(max_items = 50))]
    pub points: Option<Vec<AnswerPoint>>,
}

impl QuestionAnswer {
    /// Whether it says nothing of what is right.
    pub fn is_blank(&self) -> bool {
        let empty = |blank: &AnswerBlank| blank.accept.iter().all(|text| text.trim().is_empty());
        self.letters.as_ref().is_none_or(Vec::is_empty)
            && self.value.is_none()
            && self.blanks.as_ref().is_none_or(|blanks| blanks.iter().all(empty))
            && self.text.as_ref().is_none_or(QuestionText::is_blank)
            && self.points.as_ref().is_none_or(Vec::is_empty)
    }

    /// The key in one line, as lists and sheets have it.
    pub fn told(&self) -> String {
        if let Some(letters) = &self.letters {
            return letters.concat();
        }
        if let Some(value) = self.value {
            return if value { "对" } else { "错" }.to_owned();
        }
        if let Some(blanks) = &self.blanks {
            let blank = |blank: &AnswerBlank| blank.accept.join("|");
            return blanks.iter().map(blank).collect::<Vec<_>>().join(";;");
        }
        self.text.as_ref().map(QuestionText::plain).unwrap_or_default()
    }
}

/// What somebody answered, in original letters (B10).
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct GivenAnswer {
    /// 选项
    #[oai(skip_serializing_if_is_none)]
    pub letters: Option<Vec<String>>,
    /// 对错
    #[oai(skip_serializing_if_is_none)]
    pub value: Option<bool>,
    /// 各空
    #[oai(skip_serializing_if_is_none)]
    pub texts: Option<Vec<String>>,
    /// 文字
    #[oai(skip_serializing_if_is_none)]
    pub html: Option<QuestionText>,
    /// 附件
    #[oai(skip_serializing_if_is_none)]
    pub file_ids: Option<Vec<i64>>,
}

impl GivenAnswer {
    /// Whether nothing was answered.
    pub fn is_blank(&self) -> bool {
        self.letters.as_ref().is_none_or(Vec::is_empty)
            && self.value.is_none()
            && self.texts.as_ref().is_none_or(|texts| texts.iter().all(|text| text.trim().is_empty()))
            && self.html.as_ref().is_none_or(QuestionText::is_blank)
            && self.file_ids.as_ref().is_none_or(Vec::is_empty)
    }
}

/// What the machine says of an answer, in tenths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The score.
    Auto(i64),
    /// A marker decides; what the machine would have given.
    Hint(i64),
    /// A marker decides.
    Marker,
}

/// Marks one answer to a question that is worth `full` tenths. Nothing answered is worth nothing, whatever the type.
pub fn score_item(
    kind: QuestionType,
    key: &QuestionAnswer,
    given: Option<&GivenAnswer>,
    full: i64,
    scheme: MultipleRule,
) -> Mark {
    let Some(given) = given.filter(|given| !given.is_blank()) else { return Mark::Auto(0) };
    let whole = |right: bool| Mark::Auto(if right { full } else { 0 });
    let empty = Vec::new();
    let letters = (key.letters.as_ref().unwrap_or(&empty), given.letters.as_ref().unwrap_or(&empty));
    match kind {
        QuestionType::SingleChoice => whole(letters.0 == letters.1),
        QuestionType::MultipleChoice => Mark::Auto(chosen(letters.0, letters.1, full, scheme)),
        QuestionType::TrueFalse => whole(given.value.is_some() && key.value == given.value),
        QuestionType::FillBlank => {
            // Blanks that add up to more than the question is worth earn no more than that.
            let score = filled(key, given.texts.as_deref().unwrap_or_default()).min(full);
            if key.manual == Some(true) { Mark::Hint(score) } else { Mark::Auto(score) }
        }
        QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload => Mark::Marker,
        // Their sub-questions are what is marked.
        QuestionType::CaseAnalysis | QuestionType::Listening => Mark::Auto(0),
    }
}

fn chosen(right: &[String], given: &[String], full: i64, scheme: MultipleRule) -> i64 {
    let mut given: Vec<&String> = given.iter().collect();
    given.sort_unstable();
    given.dedup();
    if given.is_empty() || given.iter().any(|letter| !right.contains(letter)) {
        return 0;
    }
    let (chosen, all) = (given.len() as i64, right.len() as i64);
    match scheme {
        _ if chosen == all => full,
        MultipleRule::AllOrNothing => 0,
        MultipleRule::PartialHalf => part(full, 1, 2),
        MultipleRule::PartialRatio => part(full, chosen, all),
    }
}

/// Each blank earns its score; without order an answer counts for one blank, whichever lets the sum be the highest.
fn filled(key: &QuestionAnswer, given: &[String]) -> i64 {
    let empty = Vec::new();
    let blanks = key.blanks.as_ref().unwrap_or(&empty);
    if key.unordered != Some(true) {
        let earned = blanks.iter().zip(given).filter(|(blank, text)| is_right(blank, text));
        return earned.map(|(blank, _)| tenths(blank.score)).sum();
    }
    // Blanks by their worth, each matched along a path that keeps those before it matched: greedy is best here.
    let mut order: Vec<usize> = (0..blanks.len()).collect();
    order.sort_by_key(|blank| std::cmp::Reverse(tenths(blanks[*blank].score)));
    let mut taken: Vec<Option<usize>> = vec![None; given.len()];
    let mut score = 0;
    for blank in order {
        if matched(blank, blanks, given, &mut taken, &mut vec![false; given.len()]) {
            score += tenths(blanks[blank].score);
        }
    }
    score
}

fn matched(
    blank: usize,
    blanks: &[AnswerBlank],
    given: &[String],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for text in 0..given.len() {
        if seen[text] || !is_right(&blanks[blank], &given[text]) {
            continue;
        }
        seen[text] = true;
        let free = match taken[text] {
            None => true,
            Some(other) => matched(other, blanks, given, taken, seen),
        };
        if free {
            taken[text] = Some(blank);
            return true;
        }
    }
    false
}

fn is_right(blank: &AnswerBlank, text: &str) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    blank.accept.iter().any(|accepted| match blank.matching {
        BlankMatch::Loose => loose(accepted) == loose(text),
        BlankMatch::Exact => exact(accepted) == exact(text),
        BlankMatch::Number => {
            let off = blank.tolerance.map_or(Some(0), |tolerance| decimal(&tolerance.to_string()));
            match (decimal(accepted), decimal(text), off) {
                (Some(wanted), Some(typed), Some(off)) => (wanted - typed).abs() <= off,
                _ => false,
            }
        }
    })
}

/// Decimal places that a number in an answer may have.
const PLACES: usize = 12;

/// A decimal number as people type it, in units of its twelfth place; none for anything else.
pub fn decimal(text: &str) -> Option<i128> {
    let text = loose(text).replace(['，', ','], "");
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let odd = whole.is_empty() && fraction.is_empty() || whole.len() > 20 || fraction.len() > PLACES;
    if odd || !numeric(whole) || !numeric(fraction) {
        return None;
    }
    format!("{whole}{fraction:0<PLACES$}").parse::<i128>().ok().map(|units| sign * units)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(letters: &str) -> Vec<String> {
        letters.chars().map(String::from).collect()
    }

    fn choice(key: &str, given: &str, scheme: MultipleRule) -> Mark {
        let key = QuestionAnswer { letters: Some(letters(key)), ..QuestionAnswer::default() };
        let given = GivenAnswer { letters: Some(letters(given)), ..GivenAnswer::default() };
        score_item(QuestionType::MultipleChoice, &key, Some(&given), 50, scheme)
    }

    #[test]
    fn five_points_for_abd() {
        use MultipleRule::{AllOrNothing, PartialHalf, PartialRatio};
        for scheme in [AllOrNothing, PartialHalf, PartialRatio] {
            assert_eq!(choice("ABD", "ABD", scheme), Mark::Auto(50));
            assert_eq!(choice("ABD", "DBA", scheme), Mark::Auto(50), "in any order");
            assert_eq!(choice("ABD", "ABC", scheme), Mark::Auto(0));
            assert_eq!(choice("ABD", "", scheme), Mark::Auto(0));
        }
        assert_eq!(choice("ABD", "AB", AllOrNothing), Mark::Auto(0));
        assert_eq!(choice("ABD", "AB", PartialHalf), Mark::Auto(25));
        assert_eq!(choice("ABD", "AB", PartialRatio), Mark::Auto(33));
        assert_eq!(choice("ABD", "AD", PartialRatio), Mark::Auto(33));
        assert_eq!(choice("ABD", "AC", PartialRatio), Mark::Auto(0));
    }

    fn blank(accept: &[&str], matching: BlankMatch, tolerance: Option<f64>) -> AnswerBlank {
        AnswerBlank { accept: accept.iter().map(|text| (*text).to_owned()).collect(), matching, score: 1.0, tolerance }
    }

    fn fill(blanks: Vec<AnswerBlank>, unordered: bool, given: &[&str]) -> Mark {
        let key = QuestionAnswer { blanks: Some(blanks), unordered: Some(unordered), ..QuestionAnswer::default() };
        let texts = given.iter().map(|text| (*text).to_owned()).collect();
        let given = GivenAnswer { texts: Some(texts), ..GivenAnswer::default() };
        score_item(QuestionType::FillBlank, &key, Some(&given), 20, MultipleRule::AllOrNothing)
    }

    #[test]
    fn blanks_without_order_are_matched_as_well_as_they_can_be() {
        let cities =
            || vec![blank(&["北京", "首都"], BlankMatch::Loose, None), blank(&["上海"], BlankMatch::Loose, None)];
        assert_eq!(fill(cities(), true, &["上海", "首都"]), Mark::Auto(20));
        assert_eq!(fill(cities(), true, &["上海", "上海"]), Mark::Auto(10));
        assert_eq!(fill(cities(), false, &["上海", "首都"]), Mark::Auto(0));
        assert_eq!(fill(cities(), false, &["北 京", "上海"]), Mark::Auto(20));
        // The first answer fits both blanks, the second only the first.
        let greedy = || vec![blank(&["甲", "乙"], BlankMatch::Loose, None), blank(&["甲"], BlankMatch::Loose, None)];
        assert_eq!(fill(greedy(), true, &["甲", "乙"]), Mark::Auto(20));
    }

    #[test]
    fn blanks_earn_no_more_than_their_question() {
        let blanks = (0..4).map(|_| blank(&["甲"], BlankMatch::Loose, None)).collect();
        let key = QuestionAnswer { blanks: Some(blanks), ..QuestionAnswer::default() };
        let given = GivenAnswer { texts: Some(vec!["甲".to_owned(); 4]), ..GivenAnswer::default() };
        let marked = score_item(QuestionType::FillBlank, &key, Some(&given), 3, MultipleRule::AllOrNothing);
        assert_eq!(marked, Mark::Auto(3));
    }

    #[test]
    fn numbers_are_right_within_their_tolerance() {
        let pi = || vec![blank(&["3.14"], BlankMatch::Number, Some(0.01))];
        assert_eq!(fill(pi(), false, &["３．１５"]), Mark::Auto(10));
        assert_eq!(fill(pi(), false, &["3.16"]), Mark::Auto(0));
        assert_eq!(fill(pi(), false, &["约3.14"]), Mark::Auto(0));
        assert_eq!(fill(vec![blank(&["1000"], BlankMatch::Number, None)], false, &["1,000.0"]), Mark::Auto(10));
        assert_eq!((decimal("-0.5"), decimal("1e3"), decimal(".")), (Some(-500_000_000_000), None, None));
    }

    #[test]
    fn nothing_answered_is_marked_by_the_machine() {
        let key = QuestionAnswer::default();
        let marked =
            |given: Option<&GivenAnswer>| score_item(QuestionType::Essay, &key, given, 100, MultipleRule::AllOrNothing);
        assert_eq!(marked(None), Mark::Auto(0));
        assert_eq!(marked(Some(&GivenAnswer::default())), Mark::Auto(0));
        let html = Some(QuestionText::cleaned("<p>一篇</p>"));
        assert_eq!(marked(Some(&GivenAnswer { html, ..GivenAnswer::default() })), Mark::Marker);
    }

    #[test]
    fn a_blank_that_is_read_by_people_is_only_hinted_at() {
        let blanks = Some(vec![blank(&["甲"], BlankMatch::Loose, None)]);
        let key = QuestionAnswer { blanks, manual: Some(true), ..QuestionAnswer::default() };
        let given = GivenAnswer { texts: Some(vec!["甲".to_owned()]), ..GivenAnswer::default() };
        assert_eq!(
            score_item(QuestionType::FillBlank, &key, Some(&given), 10, MultipleRule::AllOrNothing),
            Mark::Hint(10)
        );
    }

    #[test]
    fn right_or_wrong_and_one_letter() {
        let key = QuestionAnswer { value: Some(true), ..QuestionAnswer::default() };
        let given = GivenAnswer { value: Some(false), ..GivenAnswer::default() };
        let scheme = MultipleRule::AllOrNothing;
        assert_eq!(score_item(QuestionType::TrueFalse, &key, Some(&given), 20, scheme), Mark::Auto(0));
        let key = QuestionAnswer { letters: Some(letters("B")), ..QuestionAnswer::default() };
        let given = GivenAnswer { letters: Some(letters("B")), ..GivenAnswer::default() };
        assert_eq!(score_item(QuestionType::SingleChoice, &key, Some(&given), 20, scheme), Mark::Auto(20));
    }
}
