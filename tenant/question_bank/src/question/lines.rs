//! Questions as a file has them, whether a sheet or a text: words by headings, several lines for a 综合题.

use std::collections::HashMap;

use infra::{Change, Error, Result, Tx, sheet::RowError};
use unicode_normalization::UnicodeNormalization;

use super::{
    QUESTION_REVIEW,
    fingerprint::fingerprint,
    form::{QuestionForm, QuestionOption, QuestionUpload, SubQuestionForm},
    media::{AUDIO, PICTURES},
    rules::{ACCEPTED, BLANKS, Complete, letter},
    write::{NewQuestion, PLAYS, first_status, insert_marked},
};
use crate::{
    bank::{self, BankHead},
    enums::{BlankMatch, QuestionDifficulty, QuestionSource, QuestionStatus, QuestionType},
    marking::{AnswerBlank, QuestionAnswer},
    score::{part, points},
    text::QuestionText,
};

/// What a question is worth whose file does not say it, in tenths.
const CHOICE: i64 = 20;
const BLANK: i64 = 10;
const WRITTEN: i64 = 100;
/// Points of one question, as its form takes them.
const KNOWLEDGE: usize = 20;
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
pub(super) fn type_of(word: &str) -> Option<QuestionType> {
    TYPES.iter().find(|(known, _)| *known == word.trim()).map(|(_, kind)| *kind)
}

/// A question, or one within another, as it stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
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
    pub(super) fn new(row: u32, kind: QuestionType) -> Self {
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
pub(super) struct Group {
    pub head: Line,
    pub subs: Vec<Line>,
}

impl Group {
    pub(super) fn rows(&self) -> i64 {
        i64::try_from(self.subs.len() + 1).unwrap_or(i64::MAX)
    }
}

/// `docx,pdf;3;20`: extensions, files, megabytes.
pub(super) fn upload_of(text: &str) -> Option<QuestionUpload> {
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
pub(super) fn words_of(text: &str) -> Vec<String> {
    let words = text.split([';', '；']).map(str::trim).filter(|word| !word.is_empty());
    words.map(ToOwned::to_owned).take(PARTS).collect()
}

/// Scores between semicolons, in tenths.
pub(super) fn scores_of(text: &str) -> Option<Vec<i64>> {
    words_of(text).iter().map(|word| tenths_of(word)).collect()
}

/// A score of a file, in tenths.
pub(super) fn tenths_of(text: &str) -> Option<i64> {
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
struct Reading<'r> {
    line: &'r Line,
    pictures: &'r HashMap<String, String>,
    errors: Vec<RowError>,
}

impl Reading<'_> {
    fn wrong(&mut self, column: &str, message: impl Into<String>) {
        self.errors.push(RowError { row: self.line.row, column: column.to_owned(), message: message.into() });
    }

    /// Refuses names of files that did not come with the text: they would be read as words.
    fn missing(&mut self) {
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

    fn text(&self, words: &str) -> QuestionText {
        QuestionText::written(words, self.pictures)
    }

    fn options(&self) -> Vec<QuestionOption> {
        let option = |(letter, content): &(String, String)| QuestionOption {
            letter: letter.clone(),
            content: self.text(content),
        };
        self.line.options.iter().map(option).collect()
    }

    fn score(&self, answer: Option<&QuestionAnswer>) -> Option<f64> {
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

    fn answer(&mut self) -> Option<QuestionAnswer> {
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

/// What a file is read into: the bank, and what its questions refer to.
pub(super) struct Intake {
    bank: BankHead,
    chapters: HashMap<(String, Option<String>), i64>,
    points: HashMap<String, i64>,
    /// Fingerprints that the bank, or an earlier line, has.
    marks: HashMap<Vec<u8>, Known>,
    status: QuestionStatus,
    pub skip_duplicates: bool,
    /// In lines.
    pub written: i64,
    pub skipped: i64,
}

#[derive(Debug, Clone, Copy)]
enum Known {
    Stored(i64),
    Line(u32),
}

/// What became of a question of a file.
pub(super) enum Taken {
    Written(Change),
    Skipped,
    /// Right, but nothing is to be written.
    Right,
    Wrong(Vec<RowError>),
}

impl Intake {
    /// # Errors
    /// 422 at `bankId` as [`bank::chosen`].
    pub(super) async fn start(tx: &mut Tx, bank: i64) -> Result<Self> {
        let bank = bank::chosen(tx, bank).await?;
        let review = QUESTION_REVIEW.is_on(tx).await?;
        let chapters = sqlx::query!(
            r#"select h.id, h.title, p.title as "above?" from course_chapter h left join course_chapter p on p.id = h.parent_id
               where h.course_id = $1"#,
            bank.course_id
        )
        .fetch_all(&mut **tx)
        .await?;
        let chapters = chapters.into_iter().map(|row| match row.above {
            Some(above) => ((above, Some(row.title)), row.id),
            None => ((row.title, None), row.id),
        });
        let points = sqlx::query!("select id, name from knowledge_point where course_id = $1", bank.course_id)
            .fetch_all(&mut **tx)
            .await?;
        let marks =
            sqlx::query!("select id, fingerprint from question where bank_id = $1 and parent_id is null", bank.id)
                .fetch_all(&mut **tx)
                .await?;
        Ok(Self {
            chapters: chapters.collect(),
            points: points.into_iter().map(|row| (row.name, row.id)).collect(),
            marks: marks.into_iter().map(|row| (row.fingerprint, Known::Stored(row.id))).collect(),
            status: first_status(false, review),
            bank,
            skip_duplicates: false,
            written: 0,
            skipped: 0,
        })
    }

    /// The question as a form; `chapter` is the heading under which a chapter is named.
    fn form(
        &self,
        group: &Group,
        pictures: &HashMap<String, String>,
        chapter: &str,
    ) -> std::result::Result<QuestionForm, Vec<RowError>> {
        let mut reading = Reading { line: &group.head, pictures, errors: Vec::new() };
        reading.missing();
        let head = &group.head;
        let answer = reading.answer();
        let default_score = reading.score(answer.as_ref());
        let chapter_id = match (&head.chapter, &head.section) {
            (None, None) => None,
            (None, Some(_)) => {
                reading.wrong(chapter, "填写了节时请填写章");
                None
            }
            (Some(above), section) => {
                let found = self.chapters.get(&(above.clone(), section.clone())).copied();
                if found.is_none() {
                    let place = section.as_ref().map_or_else(|| above.clone(), |section| format!("{above}/{section}"));
                    reading.wrong(chapter, format!("本课程没有章节“{place}”，请先新增"));
                }
                found
            }
        };
        let mut knowledge = Vec::new();
        for name in head.knowledge.iter().take(KNOWLEDGE) {
            match self.points.get(name) {
                Some(id) => knowledge.push(*id),
                None => reading.wrong("知识点", format!("本课程没有知识点“{name}”，请先新增")),
            }
        }
        if head.knowledge.len() > KNOWLEDGE {
            reading.wrong("知识点", format!("知识点最多{KNOWLEDGE}个"));
        }
        let media_key = match &head.audio {
            Some(name) => {
                let key = pictures.get(name).cloned();
                if key.is_none() {
                    reading.wrong("音频", format!("压缩包中没有文件“{name}”"));
                }
                key
            }
            None => None,
        };
        let mut form = QuestionForm {
            bank_id: self.bank.id,
            kind: head.kind,
            stem: reading.text(&head.stem),
            options: reading.options(),
            answer,
            analysis: head.analysis.as_deref().map(|text| reading.text(text)),
            chapter_id,
            knowledge_point_ids: knowledge,
            difficulty: head.difficulty,
            default_score,
            media_key,
            play_limit: None,
            upload: head.upload.clone(),
            allow_attachment: false,
            sub_questions: Vec::new(),
            draft: None,
            copied_from: None,
        };
        let mut errors = reading.errors;
        for line in &group.subs {
            let mut reading = Reading { line, pictures, errors: Vec::new() };
            reading.missing();
            let answer = reading.answer();
            form.sub_questions.push(SubQuestionForm {
                id: None,
                kind: line.kind,
                stem: reading.text(&line.stem),
                options: reading.options(),
                default_score: reading.score(answer.as_ref()),
                answer,
                analysis: line.analysis.as_deref().map(|text| reading.text(text)),
                upload: line.upload.clone(),
                allow_attachment: false,
            });
            errors.extend(reading.errors);
        }
        if errors.is_empty() { Ok(form) } else { Err(errors) }
    }

    /// Checks one question of a file and writes it when `write`.
    ///
    /// # Errors
    /// Internal ones; what is wrong with the question is in the answer.
    pub(super) async fn take(
        &mut self,
        tx: &mut Tx,
        group: &Group,
        media: &Media,
        chapter: &str,
        write: bool,
    ) -> Result<Taken> {
        let form = match self.form(group, &media.keys, chapter) {
            Ok(form) => form,
            Err(errors) => return Ok(Taken::Wrong(errors)),
        };
        let whole = match Complete::of(&form) {
            Ok(whole) => whole,
            Err(error) => return Ok(Taken::Wrong(told(&error, group))),
        };
        let mark = fingerprint(&whole.own, form.media_key.as_deref(), &media.digests);
        if let Some(known) = self.marks.get(&mark).copied() {
            if self.skip_duplicates {
                self.skipped += group.rows();
                return Ok(Taken::Skipped);
            }
            let message = match known {
                Known::Stored(id) => format!("与题库第{id}题重复"),
                Known::Line(row) => format!("与第{row}行重复"),
            };
            return Ok(Taken::Wrong(vec![RowError { row: group.head.row, column: "题干".to_owned(), message }]));
        }
        self.marks.insert(mark.clone(), Known::Line(group.head.row));
        self.written += group.rows();
        if !write {
            return Ok(Taken::Right);
        }
        let listening = form.kind == QuestionType::Listening;
        let mut knowledge = form.knowledge_point_ids;
        knowledge.sort_unstable();
        knowledge.dedup();
        let new = NewQuestion {
            bank: self.bank.clone(),
            whole,
            chapter_id: form.chapter_id,
            knowledge,
            difficulty: form.difficulty.unwrap_or(QuestionDifficulty::Medium),
            audio: form.media_key.filter(|_| listening),
            play_limit: listening.then_some(PLAYS),
            source: QuestionSource::Import,
            status: self.status,
        };
        let (_, change) = insert_marked(tx, &new, &mark).await?;
        Ok(Taken::Written(change))
    }
}

/// The files that came with a text: keys by their names, digests by their keys.
#[derive(Debug, Default)]
pub(super) struct Media {
    pub keys: HashMap<String, String>,
    pub digests: HashMap<String, String>,
}

/// The refusal of a form at the lines and headings of the file.
fn told(error: &Error, group: &Group) -> Vec<RowError> {
    let fields = error.data.as_array().into_iter().flatten();
    fields
        .map(|field| {
            let name = field["field"].as_str().unwrap_or_default();
            let (row, name) = match name.strip_prefix("subQuestions[").and_then(|rest| rest.split_once("].")) {
                Some((place, inner)) => {
                    let sub = place.parse::<usize>().ok().and_then(|place| group.subs.get(place));
                    (sub.map_or(group.head.row, |sub| sub.row), inner)
                }
                None => (group.head.row, name),
            };
            let column = match name {
                "stem" => "题干",
                "options" => "选项",
                "answer" => "答案",
                "analysis" => "解析",
                "defaultScore" => "分值",
                "mediaKey" => "音频",
                "type" => "题型",
                "subQuestions" => "小题",
                name if name.starts_with("upload") => "附件要求",
                _ => "",
            };
            let message = field["message"].as_str().unwrap_or_default().to_owned();
            RowError { row, column: column.to_owned(), message }
        })
        .collect()
}

/// Options of a sheet: the cells from A on, without those that are empty behind the last.
pub(super) fn options_of(cells: Vec<Option<String>>) -> Vec<(String, String)> {
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
