//! Whether a question can be asked and marked as it was typed (part 03 A7).

use std::sync::LazyLock;

use infra::{Error, FieldError, Result};
use regex::Regex;

use crate::{
    enums::{BlankMatch, QuestionType},
    form::{QuestionForm, QuestionOption, QuestionUpload, SubQuestionForm},
    marking::{QuestionAnswer, decimal},
    score::{is_score, points, tenths},
    text::{QuestionText, loose},
};

/// Characters of a stem.
const STEM: usize = 20_000;
/// Of an option, an analysis and a reference text.
const OPTION: usize = 5_000;
const ANALYSIS: usize = 10_000;
/// Half a point, in tenths.
pub const LEAST: i64 = 5;
const MOST: i64 = 1_000;
const SUB_QUESTIONS: usize = 20;
/// Of one blank.
pub(crate) const ACCEPTED: usize = 20;
/// Characters of one of them.
const ACCEPTED_LENGTH: usize = 500;
pub(crate) const BLANKS: usize = 50;
const EXTENSIONS: usize = 20;

/// A question, or one within another, that is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub kind: QuestionType,
    pub stem: QuestionText,
    pub options: Vec<QuestionOption>,
    pub answer: Option<QuestionAnswer>,
    pub analysis: Option<QuestionText>,
    /// In tenths.
    pub score: i64,
    pub upload: Option<QuestionUpload>,
    pub allow_attachment: bool,
}

impl Part {
    /// The keys of the pictures of all its texts.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = self.stem.keys();
        keys.extend(self.options.iter().flat_map(|option| option.content.keys()));
        keys.extend(self.analysis.iter().flat_map(QuestionText::keys));
        let text = self.answer.as_ref().and_then(|answer| answer.text.as_ref());
        keys.extend(text.into_iter().flat_map(QuestionText::keys));
        keys
    }

    /// Whether whoever answered the other answered the same question.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.stem == other.stem
            && self.options == other.options
            && self.answer == other.answer
            && self.score == other.score
    }
}

/// A question with its sub-questions, each with its number where it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Complete {
    pub own: Part,
    pub subs: Vec<(Option<i64>, Part)>,
}

impl Complete {
    /// # Errors
    /// 422 with everything that is wrong, fields of a sub-question as `subQuestions[0].answer`.
    pub fn of(form: &QuestionForm) -> Result<Self> {
        let mut check = Check::default();
        let mut own = check.part(Typed {
            kind: form.kind,
            stem: &form.stem,
            options: &form.options,
            answer: form.answer.as_ref(),
            analysis: form.analysis.as_ref(),
            score: form.default_score,
            upload: form.upload.as_ref(),
            allow_attachment: form.allow_attachment,
        });
        let mut subs = Vec::new();
        if form.kind.is_parent() {
            check.count(form);
            for (place, sub) in form.sub_questions.iter().enumerate() {
                check.prefix = format!("subQuestions[{place}].");
                subs.push((sub.id, check.sub(sub)));
            }
            check.prefix.clear();
            own.score = subs.iter().map(|(_, part)| part.score).sum();
            if own.score > MOST {
                check.wrong("subQuestions", "各小题分值之和不能超过100分");
            }
        } else if !form.sub_questions.is_empty() {
            check.wrong("subQuestions", "只有综合题、听力题可以有小题");
        }
        if form.kind == QuestionType::Listening && form.media_key.is_none() {
            check.wrong("mediaKey", "听力题请上传音频");
        }
        check.done()?;
        Ok(Self { own, subs })
    }

    /// The keys of all pictures.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = self.own.keys();
        keys.extend(self.subs.iter().flat_map(|(_, part)| part.keys()));
        keys
    }
}

/// What was typed of a question, whichever kind of form it stood in.
struct Typed<'t> {
    kind: QuestionType,
    stem: &'t QuestionText,
    options: &'t [QuestionOption],
    answer: Option<&'t QuestionAnswer>,
    analysis: Option<&'t QuestionText>,
    score: Option<f64>,
    upload: Option<&'t QuestionUpload>,
    allow_attachment: bool,
}

/// Blanks of a stem: three underscores or more.
fn blanks_of(stem: &QuestionText) -> usize {
    static BLANK: LazyLock<Regex> = LazyLock::new(|| Regex::new("_{3,}").expect("a fixed pattern is right"));
    BLANK.find_iter(&stem.plain()).count()
}

/// A to Z.
pub fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|place| *place < 26)
        .map(|place| char::from(b'A' + place).to_string())
        .unwrap_or_default()
}

#[derive(Default)]
struct Check {
    prefix: String,
    errors: Vec<FieldError>,
}

impl Check {
    fn wrong(&mut self, field: &str, message: impl Into<String>) {
        self.errors.push(FieldError { field: format!("{}{field}", self.prefix), message: message.into() });
    }

    fn done(self) -> Result<()> {
        if self.errors.is_empty() { Ok(()) } else { Err(Error::fields(self.errors)) }
    }

    fn length(&mut self, text: &QuestionText, field: &str, label: &str, most: usize) {
        if let Err(error) = text.at_most(field, label, most) {
            self.wrong(field, error.msg);
        }
    }

    fn count(&mut self, form: &QuestionForm) {
        if form.sub_questions.is_empty() || form.sub_questions.len() > SUB_QUESTIONS {
            self.wrong("subQuestions", format!("{}须有1至{SUB_QUESTIONS}个小题", form.kind.zh()));
        }
    }

    fn sub(&mut self, sub: &SubQuestionForm) -> Part {
        if sub.kind.is_parent() {
            self.wrong("type", format!("小题不能是{}", sub.kind.zh()));
        }
        self.part(Typed {
            kind: sub.kind,
            stem: &sub.stem,
            options: &sub.options,
            answer: sub.answer.as_ref(),
            analysis: sub.analysis.as_ref(),
            score: sub.default_score,
            upload: sub.upload.as_ref(),
            allow_attachment: sub.allow_attachment,
        })
    }

    fn part(&mut self, typed: Typed<'_>) -> Part {
        if typed.stem.is_blank() {
            self.wrong("stem", "题干不能为空");
        }
        self.length(typed.stem, "stem", "题干", STEM);
        let analysis = typed.analysis.filter(|text| !text.is_blank());
        if let Some(text) = analysis {
            self.length(text, "analysis", "解析", ANALYSIS);
        }
        let score = self.score(&typed);
        let options = if typed.kind.has_options() { typed.options.to_vec() } else { Vec::new() };
        if typed.kind.has_options() {
            self.options(&options);
        }
        let answer = self.answer(&typed, &options, score);
        let upload = typed.upload.filter(|_| matches!(typed.kind, QuestionType::FileUpload | QuestionType::Essay));
        if let Some(upload) = upload {
            self.upload(upload);
        } else if typed.kind == QuestionType::FileUpload {
            self.wrong("upload", "附件题请填写附件要求");
        }
        Part {
            kind: typed.kind,
            stem: typed.stem.clone(),
            options,
            answer,
            analysis: analysis.cloned(),
            score,
            upload: upload.cloned(),
            allow_attachment: typed.allow_attachment && typed.kind == QuestionType::Essay,
        }
    }

    /// In tenths; of a frame the sum of what stands in it.
    fn score(&mut self, typed: &Typed<'_>) -> i64 {
        if typed.kind.is_parent() {
            return 0;
        }
        match typed.score {
            None => self.wrong("defaultScore", "默认分值不能为空"),
            Some(score) if !is_score(score, LEAST, MOST) => {
                self.wrong("defaultScore", "默认分值应在0.5到100之间，最多一位小数");
            }
            Some(score) => return tenths(score),
        }
        0
    }

    fn options(&mut self, options: &[QuestionOption]) {
        if options.len() < 2 {
            return self.wrong("options", "请至少填写两个选项");
        }
        if options.len() > 26 {
            return self.wrong("options", "选项最多26个(A–Z)");
        }
        if options.iter().enumerate().any(|(place, option)| option.letter != letter(place)) {
            return self.wrong("options", "选项必须从A开始连续编号");
        }
        for option in options {
            self.length(&option.content, "options", &format!("选项{}", option.letter), OPTION);
        }
        if let Some(blank) = options.iter().find(|option| option.content.is_blank()) {
            return self.wrong("options", format!("选项{}不能为空", blank.letter));
        }
        let told: Vec<String> = options.iter().map(|option| loose(&option.content.told(ToOwned::to_owned))).collect();
        for (later, text) in told.iter().enumerate() {
            if let Some(first) = told[..later].iter().position(|known| known == text) {
                return self.wrong("options", format!("选项{}与{}内容相同", letter(first), letter(later)));
            }
        }
    }

    /// The key with what its type has, and nothing else.
    fn answer(&mut self, typed: &Typed<'_>, options: &[QuestionOption], score: i64) -> Option<QuestionAnswer> {
        if typed.kind.is_parent() {
            return None;
        }
        let empty = QuestionAnswer::default();
        let answer = typed.answer.unwrap_or(&empty);
        match typed.kind {
            QuestionType::SingleChoice | QuestionType::MultipleChoice => {
                Some(self.letters(typed.kind, answer, options))
            }
            QuestionType::TrueFalse => {
                if answer.value.is_none() {
                    self.wrong("answer", "请选择对或错");
                }
                Some(QuestionAnswer { value: answer.value, ..QuestionAnswer::default() })
            }
            QuestionType::FillBlank => Some(self.blanks(typed.stem, answer, score)),
            QuestionType::ShortAnswer | QuestionType::Essay | QuestionType::FileUpload => {
                Some(self.reference(typed.kind, answer))
            }
            QuestionType::CaseAnalysis | QuestionType::Listening => None,
        }
    }

    fn letters(&mut self, kind: QuestionType, answer: &QuestionAnswer, options: &[QuestionOption]) -> QuestionAnswer {
        let mut letters = answer.letters.clone().unwrap_or_default();
        letters.sort_unstable();
        letters.dedup();
        let stray = letters.iter().find(|letter| !options.iter().any(|option| option.letter == **letter)).cloned();
        if let Some(stray) = stray {
            self.wrong("answer", format!("答案{stray}不在选项中"));
        } else if kind == QuestionType::SingleChoice && letters.len() != 1 {
            self.wrong("answer", "单选题须有且只有一个答案");
        } else if kind == QuestionType::MultipleChoice && letters.len() < 2 {
            self.wrong("answer", "多选题至少有两个答案");
        }
        QuestionAnswer { letters: Some(letters), ..QuestionAnswer::default() }
    }

    fn blanks(&mut self, stem: &QuestionText, answer: &QuestionAnswer, score: i64) -> QuestionAnswer {
        let blanks = answer.blanks.clone().unwrap_or_default();
        let wanted = blanks_of(stem);
        if wanted == 0 {
            self.wrong("stem", "填空题的题干请用____标出空格");
        } else if wanted != blanks.len() {
            self.wrong("answer", format!("题干有{wanted}个空，答案有{}个", blanks.len()));
        }
        // What a form could not hold is never stored, whichever way it comes: it could not be read again.
        if blanks.len() > BLANKS {
            self.wrong("answer", format!("填空题最多{BLANKS}个空"));
        }
        for (place, blank) in (1..).zip(blanks.iter().take(BLANKS)) {
            if blank.accept.iter().all(|text| text.trim().is_empty()) {
                self.wrong("answer", format!("第{place}空没有答案"));
            }
            if blank.accept.len() > ACCEPTED {
                self.wrong("answer", format!("第{place}空的可接受答案最多{ACCEPTED}个"));
            }
            if blank.accept.iter().any(|text| text.chars().count() > ACCEPTED_LENGTH) {
                self.wrong("answer", format!("第{place}空的答案不能超过{ACCEPTED_LENGTH}个字符"));
            }
            let odd = |text: &String| decimal(text).is_none();
            if blank.matching == BlankMatch::Number && blank.accept.iter().any(odd) {
                self.wrong("answer", format!("第{place}空的答案不是数值"));
            }
            // One that cannot be compared with would make every answer wrong.
            let far = |off: f64| !(0.0..=1e9).contains(&off) || decimal(&off.to_string()).is_none();
            if blank.tolerance.is_some_and(far) {
                self.wrong("answer", format!("第{place}空的允许误差不正确，应为0或正数，最多12位小数"));
            }
            if !is_score(blank.score, 1, MOST) {
                self.wrong("answer", format!("第{place}空的分值应在0.1到100之间，最多一位小数"));
            }
        }
        let sum: i64 = blanks.iter().map(|blank| tenths(blank.score)).sum();
        if score > 0 && wanted == blanks.len() && sum != score {
            self.wrong("answer", format!("各空分值之和{}应等于默认分值{}", points(sum), points(score)));
        }
        QuestionAnswer {
            blanks: Some(blanks),
            unordered: Some(answer.unordered == Some(true)),
            manual: Some(answer.manual == Some(true)),
            ..QuestionAnswer::default()
        }
    }

    fn reference(&mut self, kind: QuestionType, answer: &QuestionAnswer) -> QuestionAnswer {
        let text = answer.text.clone().filter(|text| !text.is_blank());
        match &text {
            Some(text) => self.length(text, "answer", "参考答案", ANALYSIS),
            None if kind != QuestionType::FileUpload => self.wrong("answer", "参考答案不能为空"),
            None => {}
        }
        let points = answer.points.clone().filter(|points| !points.is_empty() && kind != QuestionType::FileUpload);
        for (place, point) in (1..).zip(points.iter().flatten()) {
            if !is_score(point.score, 1, MOST) {
                self.wrong("answer", format!("第{place}个要点的分值应在0.1到100之间，最多一位小数"));
            }
        }
        QuestionAnswer { text, points, ..QuestionAnswer::default() }
    }

    fn upload(&mut self, upload: &QuestionUpload) {
        let plain = |extension: &String| {
            (1..=8).contains(&extension.len())
                && extension.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        if upload.extensions.is_empty() || !upload.extensions.iter().all(plain) {
            self.wrong("upload.extensions", "请填写允许的扩展名，如 docx、pdf");
        } else if upload.extensions.len() > EXTENSIONS {
            self.wrong("upload.extensions", format!("允许的扩展名最多{EXTENSIONS}个"));
        }
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::Example;

    use super::*;
    use crate::marking::AnswerBlank;

    fn told(form: &QuestionForm) -> Vec<String> {
        let wrong = match Complete::of(form) {
            Ok(_) => return Vec::new(),
            Err(error) => error,
        };
        let line = |field: &serde_json::Value| {
            format!("{}: {}", field["field"].as_str().unwrap_or(""), field["message"].as_str().unwrap_or(""))
        };
        wrong.data.as_array().into_iter().flatten().map(line).collect()
    }

    fn choice(options: &[&str], key: &[&str], kind: QuestionType) -> QuestionForm {
        let option = |(place, text): (usize, &&str)| QuestionOption {
            letter: letter(place),
            content: QuestionText::cleaned(text),
        };
        QuestionForm {
            kind,
            options: options.iter().enumerate().map(option).collect(),
            answer: Some(QuestionAnswer {
                letters: Some(key.iter().map(|letter| (*letter).to_owned()).collect()),
                ..QuestionAnswer::default()
            }),
            ..QuestionForm::example()
        }
    }

    #[test]
    fn options_are_lettered_from_a_and_differ() {
        use QuestionType::{MultipleChoice, SingleChoice};
        assert_eq!(told(&choice(&["甲", "乙"], &["A"], SingleChoice)), [""; 0]);
        assert_eq!(told(&choice(&["甲", "乙", "<p>甲 </p>"], &["A"], SingleChoice)), ["options: 选项A与C内容相同"]);
        let many: Vec<String> = (0..27).map(|n| format!("第{n}项")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(told(&choice(&many, &["A"], SingleChoice)), ["options: 选项最多26个(A–Z)"]);
        let mut gap = choice(&["甲", "乙", "丙"], &["A"], SingleChoice);
        gap.options.remove(1);
        assert_eq!(told(&gap), ["options: 选项必须从A开始连续编号"]);
        assert_eq!(told(&choice(&["甲", "乙"], &["A", "B"], SingleChoice)), ["answer: 单选题须有且只有一个答案"]);
        assert_eq!(told(&choice(&["甲", "乙"], &["C"], SingleChoice)), ["answer: 答案C不在选项中"]);
        assert_eq!(told(&choice(&["甲", "乙"], &["A"], MultipleChoice)), ["answer: 多选题至少有两个答案"]);
    }

    #[test]
    fn every_blank_has_its_answer_and_its_share() {
        let blank = |score: f64| AnswerBlank {
            accept: vec!["价值尺度".to_owned()],
            matching: BlankMatch::Loose,
            score,
            tolerance: None,
        };
        let form = |stem: &str, scores: &[f64]| QuestionForm {
            kind: QuestionType::FillBlank,
            stem: QuestionText::cleaned(stem),
            options: Vec::new(),
            answer: Some(QuestionAnswer {
                blanks: Some(scores.iter().map(|score| blank(*score)).collect()),
                ..QuestionAnswer::default()
            }),
            default_score: Some(2.0),
            ..QuestionForm::example()
        };
        assert_eq!(told(&form("职能是____和____。", &[1.0, 1.0])), [""; 0]);
        assert_eq!(told(&form("____、____和___。", &[1.0, 1.0])), ["answer: 题干有3个空，答案有2个"]);
        assert_eq!(told(&form("____和____", &[1.0, 0.5])), ["answer: 各空分值之和1.5应等于默认分值2"]);
        let off = |tolerance: f64| {
            let mut form = form("圆周率是____", &[2.0]);
            let blanks = form.answer.as_mut().and_then(|answer| answer.blanks.as_mut()).expect("a blank");
            blanks[0].tolerance = Some(tolerance);
            told(&form)
        };
        assert_eq!(off(0.01), [""; 0]);
        assert_eq!(off(1e-13), ["answer: 第1空的允许误差不正确，应为0或正数，最多12位小数"]);
    }

    #[test]
    fn a_frame_is_worth_its_parts() {
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
        let form = |kind, subs| QuestionForm {
            kind,
            options: Vec::new(),
            answer: None,
            default_score: None,
            sub_questions: subs,
            ..QuestionForm::example()
        };
        let whole = Complete::of(&form(QuestionType::CaseAnalysis, vec![sub(3.0), sub(2.5)])).expect("right");
        assert_eq!(whole.own.score, 55);
        assert_eq!(told(&form(QuestionType::CaseAnalysis, Vec::new())), ["subQuestions: 综合题须有1至20个小题"]);
        assert_eq!(told(&form(QuestionType::Listening, vec![sub(1.0)])), ["mediaKey: 听力题请上传音频"]);
        let mut wrong = sub(1.0);
        wrong.answer = None;
        assert_eq!(
            told(&form(QuestionType::CaseAnalysis, vec![sub(1.0), wrong])),
            ["subQuestions[1].answer: 请选择对或错"]
        );
    }
}
