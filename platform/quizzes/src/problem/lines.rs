//! Questions as a sheet has them, put into a category.

use std::collections::HashMap;

use infra::{Change, Error, Result, Tx, sheet::RowError};
use question_bank_rules::{
    enums::QuestionSource,
    fingerprint::fingerprint,
    form::SubQuestionForm,
    lines::{Group, Reading},
};
use quiz_rules::problem::QuizProblemForm;

use super::write::{category_is_there, insert_marked};

/// What a sheet is read into.
pub(super) struct Intake {
    category: i64,
    /// Fingerprints that the category, or an earlier line, has.
    marks: HashMap<Vec<u8>, Known>,
}

#[derive(Debug, Clone, Copy)]
enum Known {
    Stored(i64),
    Line(u32),
}

/// What became of a question of a sheet.
pub(super) enum Taken {
    Written(Change),
    /// Right, but nothing is to be written.
    Right,
    Wrong(Vec<RowError>),
}

impl Intake {
    /// # Errors
    /// 422 at `categoryId` for what is no category of questions, or one that is switched off.
    pub(super) async fn start(tx: &mut Tx, category: i64) -> Result<Self> {
        category_is_there(tx, category, None).await?;
        let marks =
            sqlx::query!("select id, fingerprint from platform.online_problem where category_id = $1", category)
                .fetch_all(&mut **tx)
                .await?;
        let marks = marks.into_iter().map(|row| (row.fingerprint, Known::Stored(row.id))).collect();
        Ok(Self { category, marks })
    }

    /// Checks one question of a sheet and writes it when `write`.
    ///
    /// # Errors
    /// Internal ones; what is wrong with the question is in the answer.
    pub(super) async fn take(&mut self, tx: &mut Tx, group: &Group, write: bool) -> Result<Taken> {
        let form = match form_of(self.category, group) {
            Ok(form) => form,
            Err(errors) => return Ok(Taken::Wrong(errors)),
        };
        let right = match form.checked() {
            Ok(right) => right,
            Err(error) => return Ok(Taken::Wrong(told(&error, group))),
        };
        // A sheet brings no files.
        let mark = fingerprint(&right.whole.own, None, &HashMap::new());
        if let Some(known) = self.marks.get(&mark).copied() {
            let message = match known {
                Known::Stored(id) => format!("与该分类第{id}题重复"),
                Known::Line(row) => format!("与第{row}行重复"),
            };
            return Ok(Taken::Wrong(vec![RowError { row: group.head.row, column: "题干".to_owned(), message }]));
        }
        self.marks.insert(mark.clone(), Known::Line(group.head.row));
        if !write {
            return Ok(Taken::Right);
        }
        let (_, change) = insert_marked(tx, &form, &right, QuestionSource::Import, &mark).await?;
        Ok(Taken::Written(change))
    }
}

fn form_of(category_id: i64, group: &Group) -> std::result::Result<QuizProblemForm, Vec<RowError>> {
    let pictures = HashMap::new();
    let head = &group.head;
    let mut reading = Reading { line: head, pictures: &pictures, errors: Vec::new() };
    reading.missing();
    let answer = reading.answer();
    let mut form = QuizProblemForm {
        category_id,
        kind: head.kind,
        stem: reading.text(&head.stem),
        options: reading.options(),
        default_score: reading.score(answer.as_ref()),
        answer,
        analysis: head.analysis.as_deref().map(|text| reading.text(text)),
        difficulty: head.difficulty,
        media_key: None,
        play_limit: None,
        upload: head.upload.clone(),
        allow_attachment: false,
        sub_questions: Vec::new(),
        copied_from: None,
        enabled: true,
    };
    let mut errors = reading.errors;
    for line in &group.subs {
        let mut reading = Reading { line, pictures: &pictures, errors: Vec::new() };
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

/// The refusal of a form at the lines and headings of the sheet.
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
                "mediaKey" | "type" => "题型",
                "subQuestions" => "大题编号",
                name if name.starts_with("upload") => "附件要求",
                _ => "",
            };
            let message = field["message"].as_str().unwrap_or_default().to_owned();
            RowError { row, column: column.to_owned(), message }
        })
        .collect()
}
