//! 线上试题表格: as those of the schools (03 A7), without what belongs to a course; into one category.

use infra::{
    App, Change, Error, Result, Scope, Tx,
    sheet::{Cell, Column, InputColumn, Row, RowError, Template},
    transfer::{Export, Finished, Import, Imported, Rows},
};
use question_bank_rules::{
    check::letter,
    enums::QuestionDifficulty,
    form::QuestionOption,
    lines::{Group, Line, options_of, scores_of, type_of, upload_of},
    marking::QuestionAnswer,
    text::QuestionText,
};
use quiz_rules::content::stored_as;
use sqlx::PgConnection;

use super::{
    ExportQuizProblems, ImportQuizProblems, QuizProblems,
    lines::{Intake, Taken},
    select::{ProblemRow, QuizProblemFilter, select},
    write::remove,
};

const TYPE: &str = "题型";
const STEM: &str = "题干";
const ANSWER: &str = "答案";
const ANALYSIS: &str = "解析";
const DIFFICULTY: &str = "难度";
const SCORE: &str = "分值";
const BLANK_SCORES: &str = "多空计分";
const NUMBER: &str = "大题编号";
const UPLOAD: &str = "附件要求";
const LETTERS: usize = 26;

/// An import into one category.
pub(super) struct QuizProblemSheet {
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

impl QuizProblemSheet {
    async fn put(&mut self, tx: &mut Tx, group: &Group, write: bool) -> Result<Option<Change>> {
        match self.intake.take(tx, group, write && self.errors.is_empty()).await? {
            Taken::Written(change) => Ok(Some(change)),
            Taken::Right => Ok(None),
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

impl Import for QuizProblemSheet {
    const KIND: &'static str = "quiz_problem.import";
    type Permission = ImportQuizProblems;

    const COUNTED: &'static [&'static str] = &[TYPE];

    fn template() -> Template {
        let types = ["单选题", "多选题", "判断题", "填空题", "简答题", "论述题", "综合题", "附件题"];
        let mut columns =
            vec![InputColumn::required(TYPE, "").one_of(types), InputColumn::required(STEM, "填空题用____标出空格")];
        columns
            .extend((0..LETTERS).map(|place| InputColumn::optional(option(place), "单选题、多选题，用不到的列留空")));
        columns.extend([
            InputColumn::optional(ANSWER, "单选 B；多选 ACD 或 A,C,D；判断 对或错；填空各空用;;分隔，同一空的多种答案用|分隔；其他填参考答案；综合题不填"),
            InputColumn::optional(ANALYSIS, ""),
            InputColumn::optional(DIFFICULTY, "不填为中").one_of(QuestionDifficulty::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::optional(SCORE, "0.5至100，最多一位小数"),
            InputColumn::optional(BLANK_SCORES, "填空题各空的分值，用分号分隔；不填时平均"),
            InputColumn::optional(NUMBER, "综合题填写一个编号，其后的小题填写相同的编号"),
            InputColumn::optional(UPLOAD, "附件题：扩展名;文件数;单个上限MB，如 docx,pdf;3;20"),
        ]);
        Template { title: "线上试题", columns }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let category = into.ok_or_else(|| Error::field("categoryId", "请选择分类"))?;
        Ok(Self { intake: Intake::start(tx, category).await?, open: None, errors: Vec::new() })
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

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let stem = sqlx::query_scalar!(
            r#"select left(stem_plain, 30) as "stem!" from platform.online_problem where id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(stem.unwrap_or_default())
    }
}

/// The options a line each.
fn options(row: &ProblemRow) -> Option<String> {
    let options: Vec<QuestionOption> = stored_as(row.options.clone()).ok()?;
    let line = |option: &QuestionOption| format!("{}. {}", option.letter, option.content.plain());
    let lines: Vec<String> = options.iter().map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn answer(row: &ProblemRow) -> Option<String> {
    let answer: QuestionAnswer = stored_as(row.answer.clone()?).ok()?;
    Some(answer.told())
}

impl Export for QuizProblems {
    type Filter = QuizProblemFilter;
    type Row = ProblemRow;
    const KIND: &'static str = "quiz_problem.export";
    type Permission = ExportQuizProblems;
    const TITLE: &'static str = "线上试题";
    const COLUMNS: &'static [Column<ProblemRow>] = &[
        Column { heading: "编号", width: 10, cell: |row| Cell::Int(row.id) },
        Column { heading: "分类", width: 16, cell: |row| Cell::Text(row.category_name.clone()) },
        Column { heading: TYPE, width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: STEM, width: 60, cell: |row| Cell::Text(row.stem_text.clone()) },
        Column { heading: "选项", width: 40, cell: |row| Cell::text(options(row)) },
        Column { heading: ANSWER, width: 24, cell: |row| Cell::text(answer(row)) },
        Column { heading: ANALYSIS, width: 40, cell: |row| Cell::text(row.analysis.as_ref().map(QuestionText::plain)) },
        Column {
            heading: DIFFICULTY,
            width: 8,
            cell: |row| Cell::Text(QuestionDifficulty::of(row.difficulty).zh().to_owned()),
        },
        Column { heading: SCORE, width: 8, cell: |row| Cell::Decimal(row.default_score, 1) },
        Column { heading: "小题数", width: 8, cell: |row| Cell::Int(row.sub_count.into()) },
        Column { heading: "引用试卷数", width: 12, cell: |row| Cell::Int(row.exam_count) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "创建时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizProblemFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, ProblemRow>> {
        Ok(select(connection, None, filter, None))
    }
}
