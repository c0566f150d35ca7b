//! Questions as a file has them, whether a sheet or a text: words by headings, several lines for a 综合题.

use std::collections::HashMap;

use infra::sheet::RowError;
use unicode_normalization::UnicodeNormalization;

use crate::{
    check::{ACCEPTED, BLANKS, letter},
    enums::{BlankMatch, QuestionDifficulty, QuestionType},
    form::{QuestionOption, QuestionUpload},
    marking::{AnswerBlank, QuestionAnswer},
    score::{part, points},
    text::QuestionText,
};

/// What the texts of a question show, and what a 听力题 plays (part 03 A7).
pub const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "gif"];
pub const AUDIO: [&str; 2] = ["mp3", "m4a"];

/// What a question is worth whose file does not say it, in tenths.
const CHOICE: i64 = 20;
const BLANK: i64 = 10;
const WRITTEN: i64 = 100;
/// Parts of a cell that are looked at: more than any field takes, so that what is too long is refused and not unfolded.
const PARTS: usize = 100;

/// The words of the types, as files have them.
const TYPES: [(&str, QuestionType); 11] = [
    ("单选题", QuestionType::SingleChoice),
    ("多选题", QuestionType::MultipleChoice),
    ("判断题", QuestionType::TrueFalse),
    ("填空题", QuestionType::FillBlank),
    ("简答题", QuestionType::ShortAnswer),
    ("论述题", QuestionType::Essay),
    ("综合题", QuestionType::CaseAnalysis),
    ("案例题", QuestionType::CaseAnalysis),
    ("综合题/案例题", QuestionType::CaseAnalysis),
    ("听力题", QuestionType::Listening),
    ("附件题", QuestionType::FileUpload),
];

/// The type of a word.
pub fn type_of(word: &str) -> Option<QuestionType> {
    TYPES.iter().find(|(known, _)| *known == word.trim()).map(|(_, kind)| *kind)
}

/// A question, or one within another, as it stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Where it begins.
    pub row: u32,
    pub kind: QuestionType,
    pub stem: String,
    /// Letters and contents.
    pub options: Vec<(String, String)>,
    pub answer: Option<String>,
    pub analysis: Option<String>,
    pub difficulty: Option<QuestionDifficulty>,
    pub chapter: Option<String>,
    pub section: Option<String>,
    pub knowledge: Vec<String>,
    /// In tenths.
    pub score: Option<i64>,
    pub blank_scores: Option<Vec<i64>>,
    pub upload: Option<QuestionUpload>,
    pub audio: Option<String>,
}

impl Line {
    pub fn new(row: u32, kind: QuestionType) -> Self {
        Self {
            row,
            kind,
            stem: String::new(),
            options: Vec::new(),
            answer: None,
            analysis: None,
            difficulty: None,
            chapter: None,
            section: None,
            knowledge: Vec::new(),
            score: None,
            blank_scores: None,
            upload: None,
            audio: None,
        }
    }
}

/// A question with what stands in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub head: Line,
    pub subs: Vec<Line>,
}

impl Group {
    pub fn rows(&self) -> i64 {
        i64::try_from(self.subs.len() + 1).unwrap_or(i64::MAX)
    }
}

/// `docx,pdf;3;20`: extensions, files, megabytes.
pub fn upload_of(text: &str) -> Option<QuestionUpload> {
    let text: String = text.nfkc().collect();
    let mut parts = text.split(';').map(str::trim);
    let extensions = parts.next()?.split([',', '、', ' ']).map(str::trim).filter(|word| !word.is_empty());
    let plain = |word: &str| word.trim_start_matches('.').to_lowercase();
    let extensions: Vec<String> = extensions.map(plain).take(PARTS).collect();
    let number = |part: Option<&str>, usual: i32| match part {
        None | Some("") => Some(usual),
        Some(text) => text.parse().ok(),
    };
    let (max_files, max_size_mb) = (number(parts.next(), 1)?, number(parts.next(), 20)?);
    let right = !extensions.is_empty() && (1..=9).contains(&max_files) && (1..=200).contains(&max_size_mb);
    right.then_some(QuestionUpload { extensions, max_files, max_size_mb })
}

/// Words between semicolons.
pub fn words_of(text: &str) -> Vec<String> {
    let words = text.split([';', '；']).map(str::trim).filter(|word| !word.is_empty());
    words.map(ToOwned::to_owned).take(PARTS).collect()
}

/// Scores between semicolons, in tenths.
pub fn scores_of(text: &str) -> Option<Vec<i64>> {
    words_of(text).iter().map(|word| tenths_of(word)).collect()
}

/// A score of a file, in tenths.
pub(crate) fn tenths_of(text: &str) -> Option<i64> {
    let text: String = text.trim().trim_end_matches('分').nfkc().collect();
    let score: f64 = text.trim().parse().ok()?;
    crate::score::is_score(score, 1, 1_000).then(|| crate::score::tenths(score))
}

/// Right or wrong, in the ways that people write it.
fn truth_of(text: &str) -> Option<bool> {
    match text.nfkc().collect::<String>().trim().to_uppercase().as_str() {
        "对" | "正确" | "√" | "T" | "TRUE" | "是" | "Y" => Some(true),
        "错" | "错误" | "×" | "X" | "F" | "FALSE" | "否" | "N" => Some(false),
        _ => None,
    }
}

/// Whether words in double braces name a file beside the text, and are not just words.
fn is_media(name: &str) -> bool {
    let kind = name.rsplit_once('.').map(|(_, kind)| kind.to_lowercase()).unwrap_or_default();
    name.starts_with("media/") || PICTURES.contains(&kind.as_str()) || AUDIO.contains(&kind.as_str())
}

/// A line as a form, with the pictures of its file by their names.
pub struct Reading<'r> {
    pub line: &'r Line,
    pub pictures: &'r HashMap<String, String>,
    pub errors: Vec<RowError>,
}

impl Reading<'_> {
    pub fn wrong(&mut self, column: &str, message: impl Into<String>) {
        self.errors.push(RowError { row: self.line.row, column: column.to_owned(), message: message.into() });
    }

    /// Refuses names of files that did not come with the text: they would be read as words.
    pub fn missing(&mut self) {
        let line = self.line;
        let own = [("题干", Some(&line.stem)), ("答案", line.answer.as_ref()), ("解析", line.analysis.as_ref())];
        let own = own.into_iter().filter_map(|(column, words)| Some((column, words?)));
        let texts = own.chain(line.options.iter().map(|(_, content)| ("选项", content)));
        let named =
            texts.flat_map(|(column, words)| QuestionText::named(words).into_iter().map(move |name| (column, name)));
        let missing: Vec<(&str, String)> =
            named.filter(|(_, name)| is_media(name) && !self.pictures.contains_key(name)).collect();
        for (column, name) in missing {
            self.wrong(column, format!("压缩包中没有文件“{name}”"));
        }
    }

    /// Words of the file as a text, with its pictures.
    pub fn text(&self, words: &str) -> QuestionText {
        QuestionText::written(words, self.pictures)
    }

    pub fn options(&self) -> Vec<QuestionOption> {
        let option = |(letter, content): &(String, String)| QuestionOption {
            letter: letter.clone(),
            content: self.text(content),
        };
        self.line.options.iter().map(option).collect()
    }

    /// What the question is worth.
    pub fn score(&self, answer: Option<&QuestionAnswer>) -> Option<f64> {
        let blanks = answer.and_then(|answer| answer.blanks.as_ref());
        let usual = match self.line.kind {
            QuestionType::SingleChoice | QuestionType::MultipleChoice | QuestionType::TrueFalse => CHOICE,
            QuestionType::FillBlank => {
                blanks.into_iter().flatten().map(|blank| crate::score::tenths(blank.score)).sum::<i64>().max(BLANK)
            }
            _ => WRITTEN,
        };
        (!self.line.kind.is_parent()).then(|| points(self.line.score.unwrap_or(usual)))
    }

    /// The key, as its type has it.
    pub fn answer(&mut self) -> Option<QuestionAnswer> {
        if self.line.kind.is_parent() {
            return None;
        }
        let typed = self.line.answer.clone().filter(|text| !text.trim().is_empty());
        let Some(typed) = typed else {
            if self.line.kind != QuestionType::FileUpload {
                self.wrong("答案", "不能为空");
            }
            return None;
        };
        match self.line.kind {
            QuestionType::SingleChoice | QuestionType::MultipleChoice => {
                let signs = typed.nfkc().flat_map(char::to_uppercase);
                let letters: Vec<String> = signs
                    .filter(|sign| !matches!(sign, ',' | '、' | ';' | '/') && !sign.is_whitespace())
                    .map(String::from)
                    .take(PARTS)
                    .collect();
                Some(QuestionAnswer { letters: Some(letters), ..QuestionAnswer::default() })
            }
            QuestionType::TrueFalse => {
                let value = truth_of(&typed);
                if value.is_none() {
                    self.wrong("答案", "判断题的答案请填写对或错");
                }
                Some(QuestionAnswer { value, ..QuestionAnswer::default() })
            }
            QuestionType::FillBlank => Some(self.blanks(&typed)),
            _ => Some(QuestionAnswer { text: Some(self.text(&typed)), ..QuestionAnswer::default() }),
        }
    }

    fn blanks(&mut self, typed: &str) -> QuestionAnswer {
        let accepted: Vec<Vec<String>> = typed
            .split(";;")
            .map(|blank| {
                let texts = blank.split('|').map(|text| text.trim().to_owned()).filter(|text| !str::is_empty(text));
                texts.take(ACCEPTED + 1).collect()
            })
            .take(BLANKS + 1)
            .collect();
        let count = i64::try_from(accepted.len()).unwrap_or(1).max(1);
        let scores = match &self.line.blank_scores {
            Some(scores) if scores.len() != accepted.len() => {
                self.wrong("多空计分", format!("答案有{}个空，分值有{}个", accepted.len(), scores.len()));
                Vec::new()
            }
            Some(scores) => scores.clone(),
            None => {
                let whole = self.line.score.unwrap_or(BLANK * count);
                let each = part(whole, 1, count).max(1);
                let mut scores = vec![each; accepted.len()];
                if let Some(last) = scores.last_mut() {
                    *last = whole - each * (count - 1);
                }
                scores
            }
        };
        let blanks = accepted.into_iter().enumerate().map(|(place, accept)| AnswerBlank {
            accept,
            matching: BlankMatch::Loose,
            score: points(scores.get(place).copied().unwrap_or(BLANK)),
            tolerance: None,
        });
        QuestionAnswer { blanks: Some(blanks.collect()), ..QuestionAnswer::default() }
    }
}

/// Options of a sheet: the cells from A on, without those that are empty behind the last.
pub fn options_of(cells: Vec<Option<String>>) -> Vec<(String, String)> {
    let last = cells.iter().rposition(Option::is_some).map_or(0, |place| place + 1);
    let filled = cells.into_iter().take(last).enumerate().filter_map(|(place, cell)| Some((letter(place), cell?)));
    filled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_did_not_come_is_not_read_as_words() {
        let mut line = Line::new(7, QuestionType::SingleChoice);
        "见{{media/a.png}}和{{name}}".clone_into(&mut line.stem);
        line.options = vec![("A".to_owned(), "{{media/b.png}}".to_owned()), ("B".to_owned(), "{{c.JPG}}".to_owned())];
        let pictures = HashMap::from([("media/b.png".to_owned(), "key".to_owned())]);
        let mut reading = Reading { line: &line, pictures: &pictures, errors: Vec::new() };
        reading.missing();
        let told: Vec<String> =
            reading.errors.iter().map(|error| format!("{} {}", error.column, error.message)).collect();
        assert_eq!(told, ["题干 压缩包中没有文件“media/a.png”", "选项 压缩包中没有文件“c.JPG”"]);
    }

    #[test]
    fn words_of_a_file_are_understood() {
        assert_eq!(type_of("案例题"), Some(QuestionType::CaseAnalysis));
        assert_eq!(type_of("选择题"), None);
        for (text, value) in
            [("√", Some(true)), ("正确", Some(true)), ("×", Some(false)), ("Ｆ", Some(false)), ("?", None)]
        {
            assert_eq!(truth_of(text), value, "{text}");
        }
        assert_eq!(scores_of("1;1.5；2分"), Some(vec![10, 15, 20]));
        assert_eq!(tenths_of("2.55"), None);
        let upload = upload_of("docx，pdf；3；20").expect("a requirement");
        assert_eq!(
            (upload.extensions, upload.max_files, upload.max_size_mb),
            (vec!["docx".to_owned(), "pdf".to_owned()], 3, 20)
        );
        assert_eq!(upload_of("docx;0;20"), None);
        assert_eq!(
            options_of(vec![Some("甲".to_owned()), None, Some("丙".to_owned()), None]),
            [("A".to_owned(), "甲".to_owned()), ("C".to_owned(), "丙".to_owned())],
            "a gap stays one, and is refused"
        );
    }
}
