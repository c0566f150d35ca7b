//! 试题表格: one line a question; a 综合题 or 听力题 gives a number that the lines of its sub-questions repeat (part 03 A7).

use infra::{
    Change, Error, Result, Scope, Tx,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{Finished, Import, Imported, SentFile, Written},
};
use question_bank_rules::{
    archive::Media,
    check::letter,
    lines::{Group, Line, options_of, scores_of, type_of, upload_of, words_of},
};

use super::{
    ImportQuestions,
    lines::{Intake, Taken},
    write::remove,
};
use crate::enums::QuestionDifficulty;

const TYPE: &str = "题型";
const STEM: &str = "题干";
const ANSWER: &str = "答案";
const ANALYSIS: &str = "解析";
const DIFFICULTY: &str = "难度";
const CHAPTER: &str = "章标题";
const SECTION: &str = "节标题";
const KNOWLEDGE: &str = "知识点";
const SCORE: &str = "分值";
const BLANK_SCORES: &str = "多空计分";
const NUMBER: &str = "大题编号";
const UPLOAD: &str = "附件要求";
const LETTERS: usize = 26;

/// An import into one bank.
pub(super) struct QuestionSheet {
    intake: Intake,
    /// A frame whose sub-questions may still come.
    open: Option<(String, Group)>,
    errors: Vec<RowError>,
}

fn option(place: usize) -> String {
    format!("选项{}", letter(place))
}

/// A line of the sheet; what is wrong with its cells is noted in the row.
fn line(row: &mut Row) -> Option<Line> {
    let word = row.required(TYPE);
    let kind = type_of(&word);
    if kind.is_none() && !word.is_empty() {
        row.refuse(TYPE, format!("题型“{word}”不存在"));
    }
    let stem = row.required(STEM);
    let cells = (0..LETTERS).map(|place| row.text(&option(place))).collect();
    let mut line = Line::new(row.number(), kind?);
    line.stem = stem;
    line.options = options_of(cells);
    line.answer = row.text(ANSWER);
    line.analysis = row.text(ANALYSIS);
    line.difficulty = row.one_of(DIFFICULTY, QuestionDifficulty::CHOICES);
    line.chapter = row.text(CHAPTER);
    line.section = row.text(SECTION);
    line.knowledge = row.text(KNOWLEDGE).map(|text| words_of(&text)).unwrap_or_default();
    line.score = row.decimal(SCORE, 1);
    if let Some(text) = row.text(BLANK_SCORES) {
        line.blank_scores = scores_of(&text);
        if line.blank_scores.is_none() {
            row.refuse(BLANK_SCORES, "请填写各空的分值，用分号分隔，如 1;1");
        }
    }
    if let Some(text) = row.text(UPLOAD) {
        line.upload = upload_of(&text);
        if line.upload.is_none() {
            row.refuse(UPLOAD, "请按 扩展名;文件数;单个上限MB 填写，如 docx,pdf;3;20");
        }
    }
    Some(line)
}

impl QuestionSheet {
    async fn put(&mut self, tx: &mut Tx, group: &Group, write: bool) -> Result<Option<Change>> {
        match self.intake.take(tx, group, &Media::default(), CHAPTER, write && self.errors.is_empty()).await? {
            Taken::Written(change) => Ok(Some(change)),
            Taken::Skipped | Taken::Right => Ok(None),
            Taken::Wrong(errors) => {
                self.errors.extend(errors);
                Ok(None)
            }
        }
    }

    /// Puts the frame that was open; nothing more stands in it.
    async fn close(&mut self, tx: &mut Tx, write: bool) -> Result<Option<Change>> {
        match self.open.take() {
            Some((_, group)) => self.put(tx, &group, write).await,
            None => Ok(None),
        }
    }
}

impl Import for QuestionSheet {
    const KIND: &'static str = "question.import";
    type Permission = ImportQuestions;

    const COUNTED: &'static [&'static str] = &[TYPE];

    fn template() -> Template {
        let types = ["单选题", "多选题", "判断题", "填空题", "简答题", "论述题", "综合题", "听力题", "附件题"];
        let mut columns =
            vec![InputColumn::required(TYPE, "").one_of(types), InputColumn::required(STEM, "填空题用____标出空格")];
        columns
            .extend((0..LETTERS).map(|place| InputColumn::optional(option(place), "单选题、多选题，用不到的列留空")));
        columns.extend([
            InputColumn::optional(ANSWER, "单选 B；多选 ACD 或 A,C,D；判断 对或错；填空各空用;;分隔，同一空的多种答案用|分隔；其他填参考答案；综合题、听力题不填"),
            InputColumn::optional(ANALYSIS, ""),
            InputColumn::optional(DIFFICULTY, "不填为中").one_of(QuestionDifficulty::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::optional(CHAPTER, "本课程已有的章"),
            InputColumn::optional(SECTION, "该章下已有的节"),
            InputColumn::optional(KNOWLEDGE, "本课程已有的知识点，多个用分号分隔"),
            InputColumn::optional(SCORE, "0.5至100，最多一位小数"),
            InputColumn::optional(BLANK_SCORES, "填空题各空的分值，用分号分隔；不填时平均"),
            InputColumn::optional(NUMBER, "综合题、听力题填写一个编号，其后的小题填写相同的编号"),
            InputColumn::optional(UPLOAD, "附件题：扩展名;文件数;单个上限MB，如 docx,pdf;3;20"),
        ]);
        Template { title: "试题", columns }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let bank = into.ok_or_else(|| Error::field("bankId", "请选择题库"))?;
        Ok(Self { intake: Intake::start(tx, bank).await?, open: None, errors: Vec::new() })
    }

    async fn begin(&mut self, _tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        self.intake.skip_duplicates = sent.more["skipDuplicates"].as_bool().unwrap_or(false);
        Ok(())
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        let mut right = true;
        for row in rows {
            let number = row.text(NUMBER);
            let Some(line) = line(row) else {
                right = false;
                continue;
            };
            if !row.errors().is_empty() {
                right = false;
                continue;
            }
            let write = write && right;
            if line.kind.is_parent() {
                changes.extend(self.close(tx, write).await?);
                let Some(number) = number else {
                    row.refuse(NUMBER, format!("{}请填写大题编号", line.kind.zh()));
                    right = false;
                    continue;
                };
                self.open = Some((number, Group { head: line, subs: Vec::new() }));
                continue;
            }
            let inside = self.open.as_mut().filter(|(open, _)| number.as_ref() == Some(open));
            if let Some((_, group)) = inside {
                group.subs.push(line);
            } else if let Some(number) = number {
                row.refuse(NUMBER, format!("编号为“{number}”的大题应在前面，且其小题连续"));
                right = false;
            } else {
                changes.extend(self.close(tx, write).await?);
                changes.extend(self.put(tx, &Group { head: line, subs: Vec::new() }, write).await?);
            }
        }
        Ok(changes)
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let changes = self.close(tx, write).await?.into_iter().collect();
        Ok(Finished { errors: std::mem::take(&mut self.errors), warnings: Vec::new(), changes })
    }

    fn written(&self) -> Option<Written> {
        Some(Written { inserted: self.intake.written, updated: 0, unchanged: self.intake.skipped })
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        named(tx, record.id).await
    }
}

/// The beginning of a question's stem; nothing of one whose bank is kept to others.
pub(super) async fn named(tx: &mut Tx, id: i64) -> Result<String> {
    let by = tx.by();
    let stem = sqlx::query_scalar!(
        r#"select left(q.stem_plain, 30) as "stem!" from question q join question_bank b on b.id = q.bank_id
           where q.id = $1
             and (b.visibility = 'school' or b.created_by = $2
                  or exists (select from question_bank_member m where m.bank_id = b.id and m.account_id = $2))"#,
        id,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(stem.unwrap_or_default())
}
