//! Exports and imports as operations (00 §4): the call answers with the file, or with what is wrong in each row; what is
//! too long for a call becomes a job.
//!
//! ```text
//! export   filter ─[Export::rows]→ cursor → workbook → the answer            ?job=true: → file of the job
//! import   workbook → rows ─[Import::rows]→ one transaction → ImportAnswer   above 2,000 rows: the same as a job
//! ```
//!
//! A kind of record says what its rows are ([`Export`], [`Import`] or the simpler [`RowImport`]); how files come and go
//! is here, once. Invariant: an import writes every row or none.

use std::{
    collections::HashMap,
    future::Future,
    path::{Path, PathBuf},
};

use futures_util::{TryStreamExt, stream::BoxStream};
use poem::{Body as HttpBody, IntoResponse, Response, http::header};
use poem_openapi::{
    ApiResponse, Multipart, Object,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::{ParseFromJSON, ToJSON, Type, multipart::Upload},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;

use crate::{
    App, Change, Envelope, Error, Reply, Result, Scope, Tx,
    access::{Allowed, MayWrite, Permission},
    body, files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    sheet::{Column, Limits, Reader, Row, RowError, SheetError, Template, Writer, cells, mark_errors},
};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// An import of so many rows is answered directly; a longer one becomes a job (00 §4).
const DIRECT_ROWS: usize = 2_000;

impl From<SheetError> for Error {
    fn from(error: SheetError) -> Self {
        match error {
            SheetError::Failed(cause) => Self::internal(cause),
            told => Self::field("file", told.to_string()),
        }
    }
}

/// Where workbooks lie while they are made or read.
async fn folder(app: &App) -> Result<PathBuf> {
    let folder = app.config().data.join("tmp");
    tokio::fs::create_dir_all(&folder).await.map_err(Error::internal)?;
    Ok(folder)
}

/// A workbook that the browser saves under a name.
#[derive(Debug)]
pub struct Attachment {
    name: String,
    file: NamedTempFile,
}

impl IntoResponse for Attachment {
    fn into_response(self) -> Response {
        let size = self.file.as_file().metadata().map(|known| known.len());
        // Opened anew: the writer's place is the end. The name goes with the value, the bytes with the last reader.
        let (size, file) = match (size, self.file.reopen()) {
            (Ok(size), Ok(file)) => (size, file),
            (Err(error), _) | (_, Err(error)) => {
                return poem::error::ResponseError::as_response(&Error::internal(error));
            }
        };
        Response::builder()
            .content_type(XLSX)
            .header(header::CONTENT_LENGTH, size)
            .header(header::CONTENT_DISPOSITION, store::attachment(&self.name))
            .body(HttpBody::from_async_read(tokio::fs::File::from_std(file)))
    }
}

/// The document's word for a file.
fn binary() -> MetaMediaType {
    MetaMediaType { content_type: XLSX, schema: poem_openapi::types::Binary::<Vec<u8>>::schema_ref() }
}

fn answers(description: &'static str, content: Vec<MetaMediaType>) -> MetaResponses {
    MetaResponses {
        responses: vec![MetaResponse { description, status: Some(200), status_range: None, content, headers: vec![] }],
    }
}

impl ApiResponse for Attachment {
    fn meta() -> MetaResponses {
        answers("工作簿", vec![binary()])
    }

    fn register(_registry: &mut Registry) {}
}

/// A job that was started.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct JobStarted {
    /// 任务编号
    pub job_id: i64,
}

/// The answer of an export: the file, or the job that will make it.
pub enum Exported {
    File(Attachment),
    Job(Reply<JobStarted>),
}

impl IntoResponse for Exported {
    fn into_response(self) -> Response {
        match self {
            Self::File(file) => file.into_response(),
            Self::Job(started) => started.into_response(),
        }
    }
}

impl ApiResponse for Exported {
    fn meta() -> MetaResponses {
        let job = MetaMediaType {
            content_type: "application/json; charset=utf-8",
            schema: Envelope::<JobStarted>::schema_ref(),
        };
        answers("工作簿；job=true 时为任务编号", vec![binary(), job])
    }

    fn register(registry: &mut Registry) {
        Envelope::<JobStarted>::register(registry);
    }
}

/// Rows as they come from a cursor.
pub type Rows<'c, T> = BoxStream<'c, sqlx::Result<T>>;

/// What the export of one kind of record is made of.
pub trait Export: 'static {
    /// The list's body; its page is not looked at.
    type Filter: ParseFromJSON + ToJSON + Send + Sync + 'static;
    type Row: Send + 'static;
    /// Of the job, for example `site.export`.
    const KIND: &'static str;
    /// The code whose data scope the rows have.
    const CODE: &'static str;
    /// The code that shows personal values whole.
    const PLAIN: Option<&'static str> = None;
    /// Names sheet and file, for example 站点.
    const TITLE: &'static str;
    const COLUMNS: &'static [Column<Self::Row>];

    /// All rows that the filter names and the scope opens, in the list's order.
    fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
    ) -> impl Future<Output = Result<Rows<'c, Self::Row>>> + Send;

    /// Hides what only the holder of [`Export::PLAIN`] may see.
    fn mask(_row: &mut Self::Row) {}
}

/// The body of an `export` operation.
///
/// # Errors
/// 429 when all places for exports are taken, 999 when the file could not be made.
pub async fn export<E: Export, P: Permission>(
    caller: &Allowed<P>,
    filter: E::Filter,
    as_job: Option<bool>,
) -> Result<Exported> {
    let app = caller.app();
    if as_job == Some(true) {
        let job = NewJob {
            kind: E::KIND,
            target: caller.user_id().to_string(),
            title: format!("导出{}", E::TITLE),
            params: filter.to_json().unwrap_or_default(),
        };
        return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
    }
    let _place = app.export_place()?;
    let plain = E::PLAIN.is_some_and(|code| caller.holds(code));
    let mut tx = caller.read_long().await?;
    let (file, _) =
        fill::<E>(app, &mut tx, &filter, &caller.scope(), plain, None).await.map_err(|error| match error.code {
            500 => Error::new(999, "导出失败，请稍后再试").with_data(error.data),
            _ => error,
        })?;
    Ok(Exported::File(Attachment { name: file_name::<E>(app), file }))
}

/// The kind of job that `?job=true` starts.
pub const fn export_job<E: Export>() -> JobKind {
    JobKind { kind: E::KIND, run: |run| Box::pin(run_export::<E>(run)) }
}

async fn run_export<E: Export>(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let filter =
        E::Filter::parse_from_json(Some(run.params.clone())).map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope(E::CODE).await?;
    let plain = match E::PLAIN {
        Some(code) => run.scope(code).await.is_ok(),
        None => false,
    };
    let mut tx = run.read().await?;
    let (file, rows) = fill::<E>(app, &mut tx, &filter, &scope, plain, Some(&run)).await?;
    drop(tx);
    let kept = files::keep_result(app, school_of(&run), run.actor.id, &file_name::<E>(app), file.path()).await?;
    Ok(Outcome { message: format!("共导出{rows}行"), errors: Vec::new(), result_file: Some(kept) })
}

fn file_name<E: Export>(app: &App) -> String {
    format!("{}_{}.xlsx", E::TITLE, app.clock().now().format("%Y%m%d%H%M%S"))
}

fn school_of(run: &JobRun) -> Option<i64> {
    run.school.as_ref().map(|school| school.id)
}

async fn fill<E: Export>(
    app: &App,
    connection: &mut PgConnection,
    filter: &E::Filter,
    scope: &Scope,
    plain: bool,
    run: Option<&JobRun>,
) -> Result<(NamedTempFile, i64)> {
    let mut writer = Writer::start(&folder(app).await?, E::TITLE, E::COLUMNS);
    let mut rows = E::rows(app, connection, filter, scope).await?;
    let mut written = 0;
    while let Some(mut row) = rows.try_next().await? {
        if !plain {
            E::mask(&mut row);
        }
        writer.row(cells(E::COLUMNS, &row)).await?;
        written += 1;
        if let Some(run) = run
            && written % 5_000 == 0
        {
            run.progress("导出", written, 0).await?;
        }
    }
    Ok((writer.finish().await?, written))
}

/// The multipart body of an `import` operation.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct ImportForm {
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
}

/// 导入结果
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ImportAnswer {
    /// 总行数
    pub total: i64,
    /// 已导入行数
    pub imported: i64,
    /// 错误
    pub errors: Vec<RowError>,
    /// 错误文件编号
    pub error_file_id: Option<i64>,
    /// 错误文件地址
    pub error_file_url: Option<String>,
    /// 任务编号
    pub job_id: Option<i64>,
}

/// What the import of one kind of record is made of. The value lives as long as one import.
pub trait Import: Sized + Send + 'static {
    /// Of the job, for example `student.import`.
    const KIND: &'static str;
    /// The code whose data scope the rows must lie in.
    const CODE: &'static str;

    fn template() -> Template;

    /// Reads once what the rows refer to.
    fn start(tx: &mut Tx, scope: Scope) -> impl Future<Output = Result<Self>> + Send;

    /// Checks rows, notes in each what is wrong with it, and writes them when `write`. After the first wrong row of an
    /// import nothing needs to be written any more, because everything will be undone.
    fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> impl Future<Output = Result<Vec<Change>>> + Send;
}

/// The body of an `import` operation.
///
/// # Errors
/// 422 at `file` when it cannot be read as a whole. Wrong rows are no error but the answer.
pub async fn import<I: Import, P: Permission>(caller: &Allowed<P>, form: ImportForm) -> Result<Reply<ImportAnswer>>
where
    P::Mode: MayWrite,
{
    let app = caller.app();
    let title = I::template().title;
    let dry_run = form.dry_run.unwrap_or(false);
    let file = received(app, form.file).await?;
    let school = caller.session.school_id;
    if is_long::<I>(file.path()).await? {
        let name = format!("{title}导入.xlsx");
        let kept = files::keep_result(app, school, caller.user_id(), &name, file.path()).await?;
        let job = NewJob {
            kind: I::KIND,
            target: String::new(),
            title: format!("导入{title}"),
            params: json!({ "file": kept, "dryRun": dry_run }),
        };
        let job_id = Some(jobs::start(caller.caller(), job).await?);
        return Ok(reply(ImportAnswer { job_id, ..ImportAnswer::default() }));
    }
    let checked = work::<I>(caller.begin_long().await?, file.path(), caller.scope(), dry_run, None).await?;
    let error_file_id = keep_errors::<I>(app, school, caller.user_id(), file.path(), &checked.errors).await?;
    let error_file_url = match error_file_id {
        Some(id) => files::address(app, &mut *app.platform_read().await?, id).await?.map(|(url, _)| url),
        None => None,
    };
    let Checked { total, imported, errors } = checked;
    Ok(reply(ImportAnswer { total, imported, errors, error_file_id, error_file_url, job_id: None }))
}

/// The body of an `import/template` operation.
pub async fn template<I: Import>(app: &App) -> Result<Attachment> {
    workbook(app, I::template()).await
}

/// The same with the caller's own values to choose from. The columns must be those of [`Import::template`].
pub async fn workbook(app: &App, template: Template) -> Result<Attachment> {
    let name = format!("{}导入模板.xlsx", template.title);
    Ok(Attachment { name, file: template.workbook(&folder(app).await?).await? })
}

/// The kind of job that a long import becomes.
pub const fn import_job<I: Import>() -> JobKind {
    JobKind { kind: I::KIND, run: |run| Box::pin(run_import::<I>(run)) }
}

async fn run_import<I: Import>(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let scope = run.scope(I::CODE).await?;
    let id = run.params["file"].as_i64().ok_or_else(|| Error::internal("the job names no file"))?;
    let dry_run = run.params["dryRun"].as_bool().unwrap_or(false);
    let file = kept(app, id).await?;
    let checked = work::<I>(run.begin().await?, file.path(), scope, dry_run, Some(&run)).await?;
    let result_file = keep_errors::<I>(app, school_of(&run), run.actor.id, file.path(), &checked.errors).await?;
    let mut outcome = checked.outcome(dry_run);
    outcome.result_file = result_file;
    Ok(outcome)
}

/// How an import went.
#[derive(Debug, Default)]
struct Checked {
    total: i64,
    imported: i64,
    errors: Vec<RowError>,
}

impl Checked {
    fn outcome(&self, dry_run: bool) -> Outcome {
        let mut wrong: Vec<u32> = self.errors.iter().map(|error| error.row).collect();
        wrong.sort_unstable();
        wrong.dedup();
        let message = match (wrong.len(), dry_run) {
            (0, false) => format!("共{}行，已导入{}行", self.total, self.imported),
            (0, true) => format!("共{}行，检查通过", self.total),
            (wrong, _) => format!("共{}行，{wrong}行有误，未导入任何数据", self.total),
        };
        Outcome {
            message,
            errors: self.errors.iter().take(1_000).map(|error| json!(error)).collect(),
            result_file: None,
        }
    }
}

/// Checks and writes all rows; what was written is undone unless every row was right.
async fn work<I: Import>(
    mut tx: Tx,
    path: &Path,
    scope: Scope,
    dry_run: bool,
    run: Option<&JobRun>,
) -> Result<Checked> {
    let mut reader = Reader::open(path, &I::template(), Limits::default()).await?;
    let batch = tx.app().random().uuid();
    let mut import = I::start(&mut tx, scope).await?;
    let mut checked = Checked::default();
    let mut last = Vec::new();
    while let Some(mut rows) = reader.next().await? {
        checked.total += i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let write = !dry_run && checked.errors.is_empty();
        let changes = import.rows(&mut tx, &mut rows, write).await?;
        checked.errors.extend(rows.into_iter().flat_map(Row::into_errors));
        if write && checked.errors.is_empty() {
            tx.record(&last).await?;
            last = changes.into_iter().map(|change| change.imported(batch)).collect();
        }
        if let Some(run) = run {
            run.progress("检查并写入", checked.total, 0).await?;
        }
    }
    if checked.total == 0 {
        return Err(Error::field("file", "文件中没有可导入的数据"));
    }
    if dry_run || !checked.errors.is_empty() {
        return Ok(checked);
    }
    checked.imported = checked.total;
    if let Some(run) = run {
        run.mark_done(&mut tx, &checked.outcome(false)).await?;
    }
    tx.commit_all(last).await?;
    Ok(checked)
}

/// Whether the sheet has more rows than are answered directly. Also refuses what is no filled-in template.
async fn is_long<I: Import>(path: &Path) -> Result<bool> {
    let mut reader = Reader::open(path, &I::template(), Limits::default()).await?;
    let mut rows = 0;
    while let Some(batch) = reader.next().await? {
        rows += batch.len();
        if rows > DIRECT_ROWS {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn received(app: &App, upload: Upload) -> Result<NamedTempFile> {
    let most = app.config().limits.upload_bytes;
    if upload.size() > most {
        return Err(Error::field("file", "上传的文件过大"));
    }
    let file = tempfile::Builder::new().suffix(".xlsx").tempfile_in(folder(app).await?).map_err(Error::internal)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::internal)?);
    tokio::io::copy(&mut upload.into_async_read(), &mut target).await.map_err(Error::internal)?;
    target.flush().await.map_err(Error::internal)?;
    Ok(file)
}

/// The file that the call left for its job, out of the store.
async fn kept(app: &App, id: i64) -> Result<NamedTempFile> {
    let mut tx = app.platform_read().await?;
    let key = sqlx::query_scalar!("select key from platform.file_object where id = $1", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::new(404, "文件不存在或已被删除"))?;
    drop(tx);
    let file = tempfile::Builder::new().suffix(".xlsx").tempfile_in(folder(app).await?).map_err(Error::internal)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::internal)?);
    let mut chunks = app.store().get(&key).await?.chunks;
    while let Some(chunk) = chunks.try_next().await? {
        target.write_all(&chunk).await.map_err(Error::internal)?;
    }
    target.flush().await.map_err(Error::internal)?;
    Ok(file)
}

/// Keeps a copy of the sheet with a column that says what is wrong; none when nothing is.
async fn keep_errors<I: Import>(
    app: &App,
    school: Option<i64>,
    uploader: i64,
    original: &Path,
    errors: &[RowError],
) -> Result<Option<i64>> {
    if errors.is_empty() {
        return Ok(None);
    }
    let title = I::template().title;
    let marked = mark_errors(original, title, errors.to_vec(), &folder(app).await?).await?;
    Ok(Some(files::keep_result(app, school, uploader, &format!("{title}导入错误.xlsx"), marked.path()).await?))
}

/// An import whose every row goes the way of `save`: the form is checked as its body would be, then inserted by the same
/// function. For sheets of some thousand rows; [`ByRow`] makes it an [`Import`].
pub trait RowImport: Sized + Send + 'static {
    /// The body of `save`.
    type Form: ParseFromJSON + Send + 'static;
    const KIND: &'static str;
    const CODE: &'static str;
    /// Fields of the form and the headings under which they are typed.
    const COLUMNS: &'static [(&'static str, &'static str)];
    /// Headings whose values may occur once in a file, each with the word that the message uses.
    const ONCE: &'static [(&'static str, &'static str)];

    fn template() -> Template;

    /// Reads once what the rows refer to.
    fn start(tx: &mut Tx, scope: Scope) -> impl Future<Output = Result<Self>> + Send;

    /// The row as the body of `save`; a reference by code that does not exist is refused on the row.
    fn form(&self, row: &mut Row) -> Value;

    /// What `save` does with a checked body.
    fn insert(&mut self, tx: &mut Tx, form: Self::Form) -> impl Future<Output = Result<Change>> + Send;
}

/// A [`RowImport`] at work.
pub struct ByRow<R> {
    inner: R,
    seen: HashMap<(&'static str, String), u32>,
}

impl<R: RowImport> ByRow<R> {
    /// The later of two rows with the same value is wrong.
    fn refuse_repeated(&mut self, row: &mut Row) {
        for (heading, word) in R::ONCE {
            let Some(text) = row.text(heading) else { continue };
            let first = *self.seen.entry((heading, text.to_lowercase())).or_insert(row.number());
            if first != row.number() {
                row.refuse(heading, format!("与第{first}行{word}重复"));
            }
        }
    }
}

impl<R: RowImport> Import for ByRow<R> {
    const KIND: &'static str = R::KIND;
    const CODE: &'static str = R::CODE;

    fn template() -> Template {
        R::template()
    }

    async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        Ok(Self { inner: R::start(tx, scope).await?, seen: HashMap::new() })
    }

    /// Inserting is the check, so it is done also in a dry run and after the first wrong row; all of it is undone then.
    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let value = self.inner.form(row);
            self.refuse_repeated(row);
            let form = match body::check::<R::Form>(value) {
                Ok(form) => form,
                Err(error) => {
                    refuse(row, R::COLUMNS, &error);
                    continue;
                }
            };
            if !row.errors().is_empty() {
                continue;
            }
            tx.savepoint().await?;
            match self.inner.insert(tx, form).await {
                Ok(change) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, R::COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }
}

/// Notes the refusal of a form in the cells of its fields; a cell that is wrong already is not told twice.
fn refuse(row: &mut Row, columns: &[(&'static str, &'static str)], error: &Error) {
    let fields = error.data.as_array().filter(|_| error.code == 422);
    let Some(fields) = fields else { return row.refuse("", error.msg.to_string()) };
    for field in fields {
        let name = field["field"].as_str().unwrap_or_default();
        let heading = columns.iter().find(|(known, _)| *known == name).map_or("", |(_, heading)| heading);
        if !row.errors().iter().any(|known| !heading.is_empty() && known.column == heading) {
            row.refuse(heading, field["message"].as_str().unwrap_or_default());
        }
    }
}
