//! 导出试题: as a workbook, or in the grammar of [`question_bank_rules::text_form`] with the pictures and audio in an archive (part 03 A7).

use std::collections::{BTreeSet, HashMap};

use infra::{
    Allowed, App, Body, Error, Result, Scope,
    access::Permission,
    files::{self, archive::Archive},
    jobs::{self, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    sheet::{Cell, Column},
    transfer::{self, Download, Export, Exported, ExportedAs, FileKind, Rows},
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Example, ParseFromJSON, ToJSON},
};
use question_bank_rules::{
    form::{QuestionOption, QuestionUpload, SubQuestion},
    text_form::as_words,
};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    ExportQuestions, ViewAnswers,
    select::{
        Question, QuestionFilter, QuestionsSeen, Whole, in_order, numbers, stored, stored_options, subs_of, wholes,
    },
    steps::listed,
    write::PLAYS,
};
use crate::{
    bank,
    enums::{BankUsage, BlankMatch, QuestionExportFormat, QuestionType},
    marking::QuestionAnswer,
    score::{shown, tenths},
    text::QuestionText,
};

const TEXT_KIND: &str = "question.export_text";
/// Questions that an export as text answers directly, and bytes of their pictures and audio: such an answer is in memory.
const DIRECT: usize = 2_000;
const DIRECT_BYTES: i64 = 50 << 20;

fn score(score: f64) -> Cell {
    Cell::Decimal(tenths(score), 1)
}

/// A value with two decimals: tenths of ten times the value are its hundredths.
fn hundredths(value: f64) -> Cell {
    Cell::Decimal(tenths(value * 10.0), 2)
}

macro_rules! columns {
    ($($answers:expr),*) => {
        &[
            Column { heading: "题号", width: 10, cell: |row: &Question| Cell::Int(row.id) },
            Column { heading: "课程", width: 24, cell: |row| Cell::Text(row.course_name.clone()) },
            Column { heading: "题库", width: 24, cell: |row| Cell::Text(row.bank_name.clone()) },
            Column { heading: "题型", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
            Column { heading: "题干", width: 60, cell: |row| Cell::Text(row.stem_text.clone()) },
            Column { heading: "小题数", width: 8, cell: |row| Cell::Int(row.sub_count) },
            $($answers,)*
            Column { heading: "章节", width: 28, cell: |row| Cell::text(row.chapter_title.clone()) },
            Column { heading: "知识点", width: 28, cell: |row| Cell::Text(row.knowledge_point_names.join("、")) },
            Column { heading: "难度", width: 8, cell: |row| Cell::Text(row.difficulty.zh().to_owned()) },
            Column { heading: "分值", width: 8, cell: |row| score(row.default_score) },
            Column { heading: "使用次数", width: 10, cell: |row| Cell::Int(row.used_count.into()) },
            Column { heading: "作答份数", width: 10, cell: |row| Cell::Int(row.answer_count.into()) },
            Column { heading: "得分率(%)", width: 10, cell: |row| row.score_rate.map_or(Cell::Empty, score) },
            Column { heading: "区分度", width: 10, cell: |row| row.discrimination.map_or(Cell::Empty, hundredths) },
            Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
            Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
            Column { heading: "修订号", width: 8, cell: |row| Cell::Int(row.revision.into()) },
        ]
    };
}

/// Without what only some may see.
pub(super) const COLUMNS: &[Column<Question>] = columns!();
const WITH_ANSWERS: &[Column<Question>] = columns!(
    Column { heading: "答案", width: 30, cell: |row| Cell::text(row.answer_text.clone()) },
    Column { heading: "解析", width: 40, cell: |row| Cell::text(row.analysis_text.clone()) }
);

/// The questions with their answers, for whoever may see those.
pub(super) struct Answered;
/// The same without them.
pub(super) struct Unanswered;

impl Export for Answered {
    type Filter = QuestionsSeen;
    type Row = Question;
    const KIND: &'static str = "question.export";
    type Permission = ExportQuestions;
    const TITLE: &'static str = "试题";
    const COLUMNS: &'static [Column<Question>] = WITH_ANSWERS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuestionsSeen,
        _scope: &Scope,
    ) -> Result<Rows<'c, Question>> {
        listed(connection, filter).await
    }
}

impl Export for Unanswered {
    type Filter = QuestionsSeen;
    type Row = Question;
    const KIND: &'static str = "question.export_unanswered";
    type Permission = ExportQuestions;
    const TITLE: &'static str = "试题";
    const COLUMNS: &'static [Column<Question>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuestionsSeen,
        _scope: &Scope,
    ) -> Result<Rows<'c, Question>> {
        listed(connection, filter).await
    }
}

/// What is exported, and as what.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionExport {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 导出格式
    /// 不填为表格；文本须选择题库
    pub format: Option<QuestionExportFormat>,
    #[oai(flatten)]
    pub filter: QuestionFilter,
}

impl Example for QuestionExport {
    fn example() -> Self {
        Self { format: Some(QuestionExportFormat::Xlsx), ..Self::default() }
    }
}

pub(super) const TEXT_JOB: JobKind = JobKind {
    kind: TEXT_KIND,
    code: Some(<ExportQuestions as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

pub struct QuestionExports;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionExports {
    /// 导出试题
    /// 无权查看考试题库的答案时，不含答案和解析
    #[oai(path = "/export", method = "post", operation_id = "exportQuestions")]
    async fn export(
        &self,
        caller: Allowed<ExportQuestions>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<QuestionExport>,
    ) -> Result<ExportedAs> {
        let may_see = caller.holds(<ViewAnswers as Permission>::CODE);
        let seen = QuestionsSeen { filter: asked.filter, viewer: Some(caller.user_id()), hides: !may_see };
        if asked.format != Some(QuestionExportFormat::Text) {
            let exported = if may_see || homework_alone(&caller, &seen).await? {
                transfer::export::<Answered>(&caller, seen, job.0).await?
            } else {
                transfer::export::<Unanswered>(&caller, seen, job.0).await?
            };
            return Ok(ExportedAs::Workbook(exported));
        }
        let id = seen.filter.bank_id.ok_or_else(|| Error::field("bankId", "导出文本请选择题库"))?;
        let mut tx = caller.read_long().await?;
        let bank = bank::seen(&mut tx, id, caller.user_id()).await?.ok_or_else(Error::not_found)?;
        let ids = numbers(&mut tx, &seen).await?;
        if job.0 == Some(true) || ids.len() > DIRECT || bytes_of(&mut tx, &ids).await? > DIRECT_BYTES {
            drop(tx);
            let job = NewJob {
                kind: TEXT_KIND,
                target: caller.user_id().to_string(),
                title: format!("导出试题文本（{}）", bank.name),
                params: json!({ "filter": seen.to_json() }),
            };
            let job_id = jobs::start(caller.caller(), job).await?;
            return Ok(ExportedAs::Workbook(Exported::Job(reply(JobStarted { job_id }))));
        }
        let _place = caller.app().export_place()?;
        let written = written(&mut tx, &ids, may_see).await?;
        drop(tx);
        caller.note("export", json!({ "rows": ids.len(), "file": bank.name }));
        let name = format!("{}_{}", bank.name, caller.app().clock().now().format("%Y%m%d%H%M%S"));
        if written.keys.is_empty() {
            let file = Download { name: format!("{name}.txt"), kind: FileKind::Text, bytes: written.text.into_bytes() };
            return Ok(ExportedAs::File(file));
        }
        let packed = packed(caller.app(), written).await?;
        let bytes = tokio::fs::read(packed.path()).await.map_err(Error::of_disk)?;
        Ok(ExportedAs::File(Download { name: format!("{name}.zip"), kind: FileKind::Zip, bytes }))
    }
}

/// Whether the list shows one bank whose answers everybody may see, but for those of what a paper of an examination holds.
async fn homework_alone(caller: &Allowed<ExportQuestions>, seen: &QuestionsSeen) -> Result<bool> {
    let (Some(id), Some(_)) = (seen.filter.bank_id, caller.school_id()) else { return Ok(false) };
    let bank = bank::seen(&mut *caller.read().await?, id, caller.user_id()).await?;
    Ok(bank.is_some_and(|bank| bank.usage != BankUsage::Exam))
}

async fn work(run: JobRun) -> Result<Outcome> {
    run.scope(<ExportQuestions as Permission>::CODE).await?;
    let may_see = run.scope(<ViewAnswers as Permission>::CODE).await.is_ok();
    let seen = QuestionsSeen::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let seen = QuestionsSeen { viewer: Some(run.actor.id), ..seen };
    let mut tx = run.read().await?;
    let ids = numbers(&mut tx, &seen).await?;
    run.progress("导出", 0, i64::try_from(ids.len()).unwrap_or(i64::MAX)).await?;
    let written = written(&mut tx, &ids, may_see).await?;
    drop(tx);
    let packed = packed(run.app(), written).await?;
    let name = format!("试题文本_{}.zip", run.app().clock().now().format("%Y%m%d%H%M%S"));
    let school = run.school.as_ref().map(|school| school.id);
    let file = files::keep_result(run.app(), school, run.actor.id, &name, packed.path()).await?;
    let message = format!("共导出{}题", ids.len());
    Ok(Outcome { message, result_file: Some(file), ..Outcome::default() })
}

/// Bytes of the pictures and audio of these questions.
async fn bytes_of(connection: &mut PgConnection, ids: &[i64]) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select coalesce(sum(f.size), 0)::bigint as "bytes!" from file_object f
           where f.id in (select m.file_id from question_media m where m.question_id = any($1)
                          union select q.media_file_id from question q where q.id = any($1) and q.media_file_id is not null)"#,
        ids
    )
    .fetch_one(connection)
    .await?)
}

/// A text with the files that it names.
#[derive(Debug, Default)]
struct Text {
    text: String,
    keys: BTreeSet<String>,
}

async fn packed(app: &App, text: Text) -> Result<tempfile::NamedTempFile> {
    let archive = Archive::start(app).await?;
    archive.add_bytes("试题.txt".to_owned(), text.text.into_bytes()).await?;
    for key in &text.keys {
        archive.add(app, || file_of(key), key).await?;
    }
    archive.finish().await
}

/// Where the archive has the file of a key.
fn file_of(key: &str) -> String {
    format!("media/{}", key.rsplit('/').next().unwrap_or(key))
}

/// Questions that are read at once.
const AT_ONCE: usize = 500;

async fn written(connection: &mut PgConnection, ids: &[i64], may_see: bool) -> Result<Text> {
    let mut text = Text::default();
    let mut place = 0;
    for ids in ids.chunks(AT_ONCE) {
        let mut wholes = wholes(connection, ids).await?;
        let mut subs: HashMap<i64, Vec<SubQuestion>> = HashMap::new();
        for (parent, sub) in subs_of(connection, ids).await? {
            subs.entry(parent).or_default().push(sub);
        }
        for own in in_order(connection, ids).await? {
            let Some(whole) = wholes.remove(&own.id) else { continue };
            place += 1;
            let subs = subs.remove(&own.id).unwrap_or_default();
            question(&mut text, place, &own, whole, &subs, may_see || !own.secret)?;
        }
    }
    Ok(text)
}

/// What of a question the text does not have, so that whoever imports it knows what to fill in.
#[derive(Debug, Default)]
struct LeftOut(BTreeSet<&'static str>);

impl LeftOut {
    fn when(&mut self, left: bool, what: &'static str) {
        if left {
            self.0.insert(what);
        }
    }

    fn text(&mut self, text: &QuestionText) {
        self.when(text.as_str().contains("data-tex="), "公式");
        self.when(text.as_str().contains("<table"), "表格");
    }

    fn answer(&mut self, answer: &QuestionAnswer) {
        for blank in answer.blanks.iter().flatten() {
            self.when(blank.matching != BlankMatch::Loose, "匹配方式");
            self.when(blank.tolerance.is_some_and(|off| off > 0.0), "允许误差");
            let odd = |text: &String| text.contains('|') || text.contains(";;");
            self.when(blank.accept.iter().any(odd), "含“|”或“;;”的答案");
        }
        self.when(answer.unordered == Some(true), "不分顺序");
        self.when(answer.manual == Some(true), "人工阅卷");
        self.when(answer.points.as_ref().is_some_and(|points| !points.is_empty()), "得分要点");
        answer.text.iter().for_each(|text| self.text(text));
    }
}

impl Text {
    fn of(&mut self, text: &QuestionText) -> String {
        self.keys.extend(text.keys());
        as_words(&text.told(|key| format!("{{{{{}}}}}", file_of(key))))
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn tag(&mut self, tag: &str, value: &str) {
        if !value.is_empty() {
            self.line(&format!("【{tag}】{value}"));
        }
    }

    fn options(&mut self, options: &[QuestionOption], left: &mut LeftOut) {
        for option in options {
            left.text(&option.content);
            let content = self.of(&option.content);
            self.line(&format!("{}. {content}", option.letter));
        }
    }

    fn answer(
        &mut self,
        kind: QuestionType,
        answer: Option<&QuestionAnswer>,
        analysis: Option<&QuestionText>,
        left: &mut LeftOut,
    ) {
        if let Some(answer) = answer {
            left.answer(answer);
            let told = match &answer.text {
                Some(text) => self.of(text),
                None => answer.told(),
            };
            self.tag("答案", &told);
            if kind == QuestionType::FillBlank {
                let scores = answer.blanks.iter().flatten().map(|blank| shown(tenths(blank.score)));
                let scores: Vec<String> = scores.collect();
                self.tag("多空计分", &scores.join(";"));
            }
        }
        if let Some(analysis) = analysis {
            left.text(analysis);
            let told = self.of(analysis);
            self.tag("解析", &told);
        }
    }

    fn upload(&mut self, upload: Option<&QuestionUpload>) {
        if let Some(upload) = upload {
            let told = format!("{};{};{}", upload.extensions.join(","), upload.max_files, upload.max_size_mb);
            self.tag("附件要求", &told);
        }
    }
}

fn question(
    text: &mut Text,
    place: usize,
    own: &Question,
    whole: Whole,
    subs: &[SubQuestion],
    shows: bool,
) -> Result<()> {
    let mut left = LeftOut::default();
    left.text(&whole.stem);
    let stem = text.of(&whole.stem);
    text.line(&format!("{place}. [{}] {stem}", own.kind.zh()));
    text.options(&stored_options(whole.options.0)?, &mut left);
    if let Some(key) = &whole.media_key {
        text.keys.insert(key.clone());
        text.tag("音频", &file_of(key));
        left.when(whole.play_limit != Some(PLAYS), "播放次数");
    }
    if shows {
        text.answer(own.kind, own.answer.as_ref(), whole.analysis.as_ref(), &mut left);
    }
    text.tag("难度", own.difficulty.zh());
    text.tag("章节", &own.chapter_title.as_deref().unwrap_or_default().replace(" / ", "/"));
    text.tag("知识点", &own.knowledge_point_names.join(";"));
    if !own.kind.is_parent() {
        text.tag("分值", &shown(tenths(own.default_score)));
    }
    let upload: Option<QuestionUpload> = whole.upload.map(|upload| stored(upload.0)).transpose()?;
    text.upload(upload.as_ref());
    left.when(whole.allow_attachment, "允许附件");
    for sub in subs {
        part(text, sub, shows, &mut left);
    }
    if own.kind.is_parent() {
        text.line("【大题结束】");
    }
    if !left.0.is_empty() {
        let left: Vec<&str> = left.0.into_iter().collect();
        text.line(&format!("# 第{place}题有文本不能表示的内容，导入后请补充：{}", left.join("、")));
    }
    text.line("");
    Ok(())
}

fn part(text: &mut Text, sub: &SubQuestion, shows: bool, left: &mut LeftOut) {
    left.text(&sub.stem);
    let stem = text.of(&sub.stem);
    text.line(&format!("【小题】[{}] {stem}", sub.kind.zh()));
    text.options(&sub.options, left);
    if shows {
        text.answer(sub.kind, sub.answer.as_ref(), sub.analysis.as_ref(), left);
    }
    text.tag("分值", &shown(tenths(sub.default_score)));
    text.upload(sub.upload.as_ref());
    left.when(sub.allow_attachment, "允许附件");
}
