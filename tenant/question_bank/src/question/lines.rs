//! Questions as a file has them, with what they refer to in the bank.

use std::collections::HashMap;

use infra::{Change, Error, Result, Tx, sheet::RowError};
use question_bank_rules::{
    archive::Media,
    check::Complete,
    fingerprint::fingerprint,
    form::{QuestionForm, SubQuestionForm},
    lines::{Group, Reading},
    steps::first_status,
};

use super::{
    QUESTION_REVIEW,
    write::{NewQuestion, PLAYS, insert_marked},
};
use crate::{
    bank::{self, BankHead},
    enums::{QuestionDifficulty, QuestionSource, QuestionStatus, QuestionType},
};

/// Points of one question, as its form takes them.
const KNOWLEDGE: usize = 20;

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
