//! Imports: from a workbook to rows, all or none.

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    path::Path,
};

use futures_util::{FutureExt, TryStreamExt, future::BoxFuture};
use poem_openapi::{Multipart, Object, types::multipart::Upload};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{
    Attachment, folder, school_of,
    undo::{self, Imported, Keeping},
};
use crate::{
    App, Change, Error, Reply, Result, Scope, Tx,
    access::{Allowed, Caller, Client, Clients, MayWrite, Mode, Permission},
    clock::Moment,
    files,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    migrate::hex,
    options::{Asked, OptionItem},
    params::{IntParam, Param},
    reply,
    sheet::{Limits, MOST_CODES, Reader, Row, RowError, Template, mark_rows, mark_table},
};

/// Rows of one import; a sheet has no more (00 §4).
const MAX_ROWS: IntParam = IntParam { code: "import.maxRows", default: 100_000, min: 1_000, max: 100_000 };

/// The parameters of imports.
pub const PARAMS: &[Param] = &[MAX_ROWS.entry("单次导入最多行数", "导入")];

/// What an import accepts now.
pub async fn limits(app: &App) -> Result<Limits> {
    let rows = u32::try_from(app.int(MAX_ROWS).await?).map_err(Error::internal)?;
    Ok(Limits { rows, ..Limits::default() })
}

/// An import of so many rows is answered directly; a longer one becomes a job (00 §4).
pub const DIRECT_ROWS: i64 = 2_000;

/// The multipart body of an `import` operation.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct ImportForm {
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
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
    /// 提醒
    /// 值得核对的内容，不影响导入
    pub warnings: Vec<RowError>,
    /// 差异
    /// 会新增或修改已有记录的导入，逐项说明与现有内容的不同
    pub differences: Vec<RowDifference>,
    /// 影响
    /// 按站点、专业等分别有多少行
    pub effect: Vec<EffectCount>,
    /// 新增行数
    /// 只有区分新增和修改的导入列出，下同
    #[oai(skip_serializing_if_is_none)]
    pub inserted: Option<i64>,
    /// 修改行数
    #[oai(skip_serializing_if_is_none)]
    pub updated: Option<i64>,
    /// 未变行数
    #[oai(skip_serializing_if_is_none)]
    pub unchanged: Option<i64>,
    /// 导入时间
    /// 写入的记录共有的创建时间，可用来查看这批记录
    pub entered_at: Option<Moment>,
    /// 错误文件编号
    /// 上传的表格，加上错误说明和提醒
    pub error_file_id: Option<i64>,
    /// 错误文件地址
    pub error_file_url: Option<String>,
    /// 任务编号
    pub job_id: Option<i64>,
    /// 文件摘要
    pub sha256: String,
}

/// The workbook of a call.
#[derive(Debug)]
pub struct SentSheet {
    /// As the person named it.
    pub name: String,
    file: NamedTempFile,
    /// Of the bytes, in hexadecimal.
    pub sha256: String,
    /// What the rows are, for the names of files.
    title: &'static str,
    /// A table of another maker.
    foreign: bool,
}

impl SentSheet {
    /// Takes the upload; `checked` is the digest that the check before answered.
    ///
    /// # Errors
    /// 422 when it is too large, 409 when it is not the file that was checked.
    pub async fn receive(app: &App, title: &'static str, upload: Upload, checked: Option<&str>) -> Result<Self> {
        let name = upload.file_name().map_or_else(|| format!("{title}导入.xlsx"), ToOwned::to_owned);
        let (file, sha256) = received(app, upload).await?;
        if checked.is_some_and(|checked| !checked.eq_ignore_ascii_case(&sha256)) {
            return Err(Error::conflict("文件与检查时的不同，请重新上传并检查"));
        }
        Ok(Self { name, file, sha256, title, foreign: false })
    }

    /// The same of a table of another maker, with columns of its own.
    ///
    /// # Errors
    /// As [`SentSheet::receive`].
    pub async fn receive_table(app: &App, title: &'static str, upload: Upload, checked: Option<&str>) -> Result<Self> {
        Ok(Self { foreign: true, ..Self::receive(app, title, upload, checked).await? })
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Keeps a copy that says in each row what is wrong and what is worth a second look; its number and link, neither
    /// when nothing is.
    pub async fn marked(
        &self,
        caller: &Caller,
        errors: &[RowError],
        warnings: &[RowError],
    ) -> Result<(Option<i64>, Option<String>)> {
        let (app, school) = (caller.app(), caller.school_id());
        let original = Original { title: self.title, path: self.path(), foreign: self.foreign.then_some(&*self.name) };
        let id = keep_copy(app, school, caller.user_id(), original, errors, warnings).await?;
        let Some(id) = id else { return Ok((None, None)) };
        let address = files::address(app, &mut *app.platform_read().await?, id).await?;
        Ok((Some(id), address.map(|(url, _)| url)))
    }

    /// Notes in the call's row of the log which file came and how it went.
    pub fn noted(&self, caller: &Caller, total: i64, imported: i64, errors: usize) {
        let what =
            json!({ "file": self.name, "sha256": self.sha256, "total": total, "imported": imported, "errors": errors });
        caller.note("import", what);
    }
}

/// How many rows of an import have one value in one of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct EffectCount {
    /// 列名
    pub column: String,
    /// 内容
    pub value: String,
    /// 行数
    pub count: i64,
}

/// What a row would change of a record that is there, in one of its fields; without a column the record is new.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct RowDifference {
    /// 行号（表头为第 1 行）
    pub row: u32,
    /// 名称
    pub name: String,
    /// 列名（新增的记录为空）
    pub column: String,
    /// 现有内容
    pub before: String,
    /// 导入内容
    pub after: String,
}

/// The file of an import, and what was said beside it.
#[derive(Debug, Clone, Copy)]
pub struct SentFile<'f> {
    /// As the person named it.
    pub name: &'f str,
    /// Of the bytes, in hexadecimal.
    pub sha256: &'f str,
    pub path: &'f Path,
    pub headings: &'f [String],
    /// The record that was chosen beside it, where there is a choice.
    pub into: Option<i64>,
    /// What else was said beside it.
    pub more: &'f Value,
    pub school: Option<i64>,
    /// Nothing is written: nobody else needs to wait for the check.
    pub dry_run: bool,
}

/// How many rows of an import did what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    pub inserted: i64,
    pub updated: i64,
    pub unchanged: i64,
}

/// What an import says behind its last row, and what it wrote there.
#[derive(Debug, Default)]
pub struct Finished {
    /// Rows that are wrong beside others; with one of them nothing is imported.
    pub errors: Vec<RowError>,
    /// What is worth a second look.
    pub warnings: Vec<RowError>,
    pub changes: Vec<Change>,
}

/// What the import of one kind of record is made of. The value lives as long as one import.
pub trait Import: Sized + Send + 'static {
    /// Of the job, for example `student.import`.
    const KIND: &'static str;
    /// Of the operation; the rows must lie in its data scope.
    type Permission: Permission<Mode: MayWrite>;

    /// Headings by whose values the rows are counted before they are written: where they go.
    const COUNTED: &'static [&'static str] = &[];

    /// Whether the file is a table of another maker, with columns of its own, instead of the filled-in template.
    const FOREIGN: bool = false;

    fn template() -> Template;

    /// Headings under which a code of the school's own is typed, each with the type of options that tells them: the template
    /// lists them. A heading that the template lacks is left out.
    const CODES: &'static [(&'static str, &'static str)] = &[];

    /// The columns where a school adds some of its own to those of the template.
    fn sheet(_app: &App, _connection: &mut PgConnection) -> impl Future<Output = Result<Template>> + Send {
        async { Ok(Self::template()) }
    }

    /// Reads once what the rows refer to. `into` is the record that was chosen beside the file, where there is a choice.
    fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> impl Future<Output = Result<Self>> + Send;

    /// Looks at the file as a whole while its call is still answered, before a long one becomes a job.
    fn admit(_connection: &mut PgConnection, _sent: &SentFile<'_>) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Is told of the file, and of what was said beside it, before its rows come.
    fn begin(&mut self, _tx: &mut Tx, _sent: &SentFile<'_>) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Checks rows, notes in each what is wrong with it and what is worth a second look, and writes them when `write`.
    /// After the first wrong row of an import nothing needs to be written any more, because everything will be undone.
    fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> impl Future<Output = Result<Vec<Change>>> + Send;

    /// What can be said only behind the last row: sums over the file, numbers that run on through it. Called once, within
    /// the same transaction, also when rows were wrong; with `write` false nothing needs to be written any more.
    fn finish(&mut self, _tx: &mut Tx, _write: bool) -> impl Future<Output = Result<Finished>> + Send {
        async { Ok(Finished::default()) }
    }

    /// How many rows became new records, changed one, and changed nothing, where an import tells them apart.
    fn written(&self) -> Option<Written> {
        None
    }

    /// What became of the rows that were written, beside [`Import::COUNTED`].
    fn effect(&self) -> Vec<EffectCount> {
        Vec::new()
    }

    /// How the rows differ from what is there, for an import that may also change records.
    fn differences(self) -> Vec<RowDifference> {
        Vec::new()
    }

    /// Takes back what the import wrote of one record: a new one goes as the room's own `remove` lets it, a changed one holds
    /// again what it held. None where the record went together with another one of the same import.
    ///
    /// # Errors
    /// 404 for a record that is gone or lies outside `scope`; 409 with the room's own words where it has to stay.
    fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> impl Future<Output = Result<Option<Change>>> + Send;

    /// Holds at once what undoing these records will hold, in the room's order; each record would else hold its own in the order
    /// of the sheet. Asked once, before anything goes.
    fn hold(_tx: &mut Tx, _records: &[i64]) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Which of these `new` records have to stay for what lies outside the area of the import, as in the schools that took
    /// one, and why. Asked once, before anything goes.
    fn elsewhere(_run: &JobRun, _new: &[i64]) -> impl Future<Output = Result<HashMap<i64, String>>> + Send {
        async { Ok(HashMap::new()) }
    }

    /// What people call a record that has to stay.
    fn named(tx: &mut Tx, record: &Imported) -> impl Future<Output = Result<String>> + Send {
        undo::name_of(tx, record)
    }
}

/// The body of an `import` operation.
///
/// # Errors
/// 422 at `file` when it cannot be read as a whole. Wrong rows are no error but the answer.
pub fn import<I: Import>(
    caller: &Allowed<I::Permission>,
    form: ImportForm,
) -> BoxFuture<'_, Result<Reply<ImportAnswer>>> {
    import_into::<I>(caller, form, None)
}

/// The same into a record that is chosen beside the file.
///
/// # Errors
/// As [`import`], and what [`Import::start`] says of the record.
pub fn import_into<I: Import>(
    caller: &Allowed<I::Permission>,
    form: ImportForm,
    into: Option<i64>,
) -> BoxFuture<'_, Result<Reply<ImportAnswer>>> {
    imported::<I>(caller, form, into, Value::Null).boxed()
}

/// The same with more that was said beside the file, for [`Import::begin`].
///
/// # Errors
/// As [`import_into`], and what [`Import::admit`] says of the file.
pub fn import_with<I: Import>(
    caller: &Allowed<I::Permission>,
    form: ImportForm,
    into: Option<i64>,
    more: Value,
) -> BoxFuture<'_, Result<Reply<ImportAnswer>>> {
    imported::<I>(caller, form, into, more).boxed()
}

async fn imported<I: Import>(
    caller: &Allowed<I::Permission>,
    form: ImportForm,
    into: Option<i64>,
    more: Value,
) -> Result<Reply<ImportAnswer>> {
    let app = caller.app();
    let title = I::template().title;
    let dry_run = form.dry_run.unwrap_or(false);
    let checked = form.sha256.as_deref();
    let sent = if I::FOREIGN {
        SentSheet::receive_table(app, title, form.file, checked).await?
    } else {
        SentSheet::receive(app, title, form.file, checked).await?
    };
    let school = caller.school_id();
    let file = Kept { path: sent.path(), name: &sent.name, sha256: &sent.sha256 };
    let total = {
        let mut read = caller.read().await?;
        let mut reader = opened::<I>(app, &mut read, &file).await?;
        let headings: Vec<String> = reader.headings().map(ToOwned::to_owned).collect();
        let aim = Aim { scope: caller.scope(), into, dry_run, more: &more, school };
        I::admit(&mut read, &file.told(&headings, &aim)).await?;
        drop(read);
        count(&mut reader).await?
    };
    if total > DIRECT_ROWS {
        let kept = files::keep_result(app, school, caller.user_id(), &sent.name, sent.path()).await?;
        let SentSheet { name, sha256, .. } = sent;
        let job = NewJob {
            kind: I::KIND,
            target: String::new(),
            title: format!("导入{title}"),
            params: json!({
                "file": kept, "fileName": name, "sha256": sha256, "dryRun": dry_run, "total": total, "into": into,
                "more": more,
            }),
        };
        let job_id = Some(jobs::start(caller.caller(), job).await?);
        return Ok(reply(ImportAnswer { job_id, sha256, ..ImportAnswer::default() }));
    }
    let aim = Aim { scope: caller.scope(), into, dry_run, more: &more, school };
    let checked = work::<I>(caller.begin_long().await?, &file, aim, None).await?;
    let (error_file_id, error_file_url) = sent.marked(caller, &checked.errors, &checked.warnings).await?;
    let Checked { total, imported, written, errors, warnings, differences, effect, entered_at } = checked;
    sent.noted(caller, total, imported, errors.len());
    Ok(reply(ImportAnswer {
        total,
        imported,
        errors,
        warnings,
        differences,
        inserted: written.map(|written| written.inserted),
        updated: written.map(|written| written.updated),
        unchanged: written.map(|written| written.unchanged),
        effect,
        entered_at,
        error_file_id,
        error_file_url,
        job_id: None,
        sha256: sent.sha256,
    }))
}

/// The same for somebody in a client, within `scope`: done once within 24 hours however often it is sent under this number of
/// the call. Jobs are the console's, so a sheet has no more rows than are answered directly.
///
/// # Errors
/// As [`import_into`]; 422 at `file` for a longer sheet, 409 when the number was used for something else.
pub fn import_once<'c, I: Import, K: Clients, M: Mode + MayWrite>(
    client: &'c Client<K, M>,
    form: ImportForm,
    request_id: &'c str,
    scope: Scope,
    into: Option<i64>,
) -> BoxFuture<'c, Result<Reply<ImportAnswer>>> {
    imported_once::<I, K, M>(client, form, request_id, scope, into).boxed()
}

async fn imported_once<I: Import, K: Clients, M: Mode + MayWrite>(
    client: &Client<K, M>,
    form: ImportForm,
    request_id: &str,
    scope: Scope,
    into: Option<i64>,
) -> Result<Reply<ImportAnswer>> {
    let app = &client.app;
    let dry_run = form.dry_run.unwrap_or(false);
    let sent = SentSheet::receive(app, I::template().title, form.file, form.sha256.as_deref()).await?;
    let file = Kept { path: sent.path(), name: &sent.name, sha256: &sent.sha256 };
    let (more, school) = (Value::Null, Some(client.school.id));
    let aim = Aim { scope, into, dry_run, more: &more, school };
    let total = {
        let mut read = client.read().await?;
        let mut reader = opened::<I>(app, &mut read, &file).await?;
        let headings: Vec<String> = reader.headings().map(ToOwned::to_owned).collect();
        I::admit(&mut read, &file.told(&headings, &aim)).await?;
        drop(read);
        count(&mut reader).await?
    };
    if total > DIRECT_ROWS {
        return Err(Error::field("file", format!("一次最多导入{DIRECT_ROWS}行，请分成几个文件导入")));
    }
    if dry_run {
        let mut tx = client.begin().await?;
        let (checked, _) = tried::<I>(&mut tx, &file, aim, None).await?;
        drop(tx);
        return Ok(reply(told_to_client(client, &sent, checked).await?));
    }
    let mut once = client.begin_once(request_id, &json!({ "into": into, "sha256": sent.sha256 })).await?;
    let (checked, mut changes) = tried::<I>(&mut once, &file, aim, None).await?;
    let last = if checked.errors.is_empty() { changes.pop() } else { None };
    let Some(last) = last else {
        drop(once);
        return Ok(reply(told_to_client(client, &sent, checked).await?));
    };
    once.record(&changes).await?;
    let answer = told_to_client(client, &sent, checked).await?;
    once.commit(last, answer).await
}

/// What an import of a client answers; the marked copy of its sheet is nobody's account.
async fn told_to_client<K: Clients, M: Mode>(
    client: &Client<K, M>,
    sent: &SentSheet,
    checked: Checked,
) -> Result<ImportAnswer> {
    let Checked { total, imported, written, errors, warnings, differences, effect, entered_at } = checked;
    let original = Original { title: sent.title, path: sent.path(), foreign: None };
    let error_file_id = keep_copy(&client.app, Some(client.school.id), 0, original, &errors, &warnings).await?;
    let error_file_url = match error_file_id {
        Some(id) => files::address(&client.app, &mut *client.platform().await?, id).await?.map(|(url, _)| url),
        None => None,
    };
    Ok(ImportAnswer {
        total,
        imported,
        errors,
        warnings,
        differences,
        inserted: written.map(|written| written.inserted),
        updated: written.map(|written| written.updated),
        unchanged: written.map(|written| written.unchanged),
        effect,
        entered_at,
        error_file_id,
        error_file_url,
        job_id: None,
        sha256: sent.sha256.clone(),
    })
}

/// The body of an `import/template` operation: the columns, and the school's own codes within the caller's scope.
pub fn template<I: Import, P: Permission>(caller: &Allowed<P>) -> BoxFuture<'_, Result<Attachment>> {
    async move {
        let mut template = I::template();
        offer(caller, I::CODES, &mut template).await?;
        workbook(caller.app(), template).await
    }
    .boxed()
}

/// Lists the codes that columns of a template take.
async fn offer<P: Permission>(
    caller: &Allowed<P>,
    codes: &[(&'static str, &'static str)],
    template: &mut Template,
) -> Result<()> {
    if codes.is_empty() || caller.school_id().is_none() {
        return Ok(());
    }
    let asked = Asked {
        keyword: None,
        parent_id: None,
        only_enabled: true,
        scope: caller.scope(),
        user_id: caller.user_id(),
        school_id: caller.school_id(),
        most: i64::try_from(MOST_CODES).map_err(Error::internal)?,
    };
    let mut tx = caller.read().await?;
    for column in &mut template.columns {
        let Some((_, kind)) = codes.iter().find(|(heading, _)| *heading == column.heading) else { continue };
        let source = caller.app().modules().options().find(|source| source.kind == *kind);
        let source = source.ok_or_else(|| Error::internal(format!("{kind} is no type of options")))?;
        let found = source.choices(caller, &mut tx, &asked).await?;
        column.codes = found.into_iter().map(OptionItem::typed).collect();
    }
    Ok(())
}

/// The same with the caller's own values to choose from. The columns must be those of [`Import::sheet`].
pub fn workbook(app: &App, template: Template) -> BoxFuture<'_, Result<Attachment>> {
    async move {
        let name = format!("{}导入模板.xlsx", template.title);
        Ok(Attachment { name, file: template.workbook(&folder(app).await?).await? })
    }
    .boxed()
}

/// The kind of job that a long import becomes.
pub const fn import_job<I: Import>() -> JobKind {
    JobKind {
        kind: I::KIND,
        code: Some(I::Permission::CODE),
        run: |run| Box::pin(run_import::<I>(run)),
        headings: None,
    }
}

async fn run_import<I: Import>(run: JobRun) -> Result<Outcome> {
    if let Some(outcome) = undo::undone::<I>(&run).await? {
        return Ok(outcome);
    }
    let app = run.app();
    let scope = run.scope(I::Permission::CODE).await?;
    let id = run.params["file"].as_i64().ok_or_else(|| Error::internal("the job names no file"))?;
    let dry_run = run.params["dryRun"].as_bool().unwrap_or(false);
    let into = run.params["into"].as_i64();
    let stored = kept(app, id).await?;
    let name = run.params["fileName"].as_str().unwrap_or_default();
    let file = Kept { path: stored.path(), name, sha256: run.params["sha256"].as_str().unwrap_or_default() };
    let school = school_of(&run);
    let aim = Aim { scope, into, dry_run, more: &run.params["more"], school };
    let checked = work::<I>(run.begin().await?, &file, aim, Some(&run)).await?;
    let (errors, warnings) = (&checked.errors, &checked.warnings);
    let original = Original { title: I::template().title, path: file.path, foreign: I::FOREIGN.then_some(name) };
    let result_file = keep_copy(app, school, run.actor.id, original, errors, warnings).await?;
    let mut outcome = checked.outcome(dry_run);
    outcome.result_file = result_file;
    Ok(outcome)
}

/// How an import went.
#[derive(Debug, Default)]
struct Checked {
    total: i64,
    imported: i64,
    written: Option<Written>,
    errors: Vec<RowError>,
    warnings: Vec<RowError>,
    differences: Vec<RowDifference>,
    effect: Vec<EffectCount>,
    entered_at: Option<Moment>,
}

impl Checked {
    fn outcome(&self, dry_run: bool) -> Outcome {
        let mut message = match (rows_of(&self.errors), dry_run) {
            (0, false) => match self.written {
                None => format!("共{}行，已导入{}行", self.total, self.imported),
                Some(Written { inserted, updated, unchanged }) => {
                    format!("共{}行，新增{inserted}行，修改{updated}行，未变{unchanged}行", self.total)
                }
            },
            (0, true) => format!("共{}行，检查通过", self.total),
            (wrong, _) => format!("共{}行，{wrong}行有误，未导入任何数据", self.total),
        };
        if self.written.is_some() && self.errors.is_empty() {
            for EffectCount { column, value, count } in &self.effect {
                message.push_str(&format!("，{column}{value}{count}行"));
            }
        }
        let warned = rows_of(&self.warnings);
        if warned > 0 {
            message.push_str(&format!("，{warned}行请核对"));
        }
        let told = |notes: &[RowError]| notes.iter().take(1_000).map(|note| json!(note)).collect();
        Outcome { message, errors: told(&self.errors), warnings: told(&self.warnings), result_file: None, cut: None }
    }
}

/// How many rows the notes are of.
fn rows_of(notes: &[RowError]) -> usize {
    let mut rows: Vec<u32> = notes.iter().map(|note| note.row).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len()
}

/// Where the rows go, and whether they stay there.
struct Aim<'a> {
    scope: Scope,
    into: Option<i64>,
    dry_run: bool,
    more: &'a Value,
    school: Option<i64>,
}

/// The file of an import, where its rows are read.
struct Kept<'f> {
    path: &'f Path,
    name: &'f str,
    sha256: &'f str,
}

impl<'f> Kept<'f> {
    fn told(&self, headings: &'f [String], aim: &Aim<'f>) -> SentFile<'f> {
        let Self { path, name, sha256 } = *self;
        let Aim { into, dry_run, more, school, .. } = *aim;
        SentFile { name, sha256, path, headings, into, more, school, dry_run }
    }
}

/// Refuses what is no filled-in template, or no table at all, and what has too many rows.
async fn opened<I: Import>(app: &App, connection: &mut PgConnection, file: &Kept<'_>) -> Result<Reader> {
    let limits = limits(app).await?;
    if I::FOREIGN {
        return Ok(Reader::foreign(file.path, file.name, limits).await?);
    }
    Ok(Reader::open(file.path, &I::sheet(app, connection).await?, limits).await?)
}

/// Checks and writes all rows; what was written is undone unless every row was right.
async fn work<I: Import>(mut tx: Tx, file: &Kept<'_>, aim: Aim<'_>, run: Option<&JobRun>) -> Result<Checked> {
    let dry_run = aim.dry_run;
    let (checked, changes) = tried::<I>(&mut tx, file, aim, run).await?;
    if dry_run || !checked.errors.is_empty() {
        return Ok(checked);
    }
    if let Some(run) = run {
        run.mark_done(&mut tx, &checked.outcome(false)).await?;
    }
    tx.commit_all(changes).await?;
    Ok(checked)
}

/// The same up to its end: where every row was right, the records that are still to be written with the commit.
async fn tried<I: Import>(
    tx: &mut Tx,
    file: &Kept<'_>,
    aim: Aim<'_>,
    run: Option<&JobRun>,
) -> Result<(Checked, Vec<Change>)> {
    let app = tx.app().clone();
    let mut reader = opened::<I>(&app, tx, file).await?;
    let headings: Vec<String> = reader.headings().map(ToOwned::to_owned).collect();
    let batch = app.random().uuid();
    tx.all_in_batch(batch);
    let sent = file.told(&headings, &aim);
    let Aim { scope, into, dry_run, .. } = aim;
    let mut import = I::start(tx, scope, into).await?;
    import.begin(tx, &sent).await?;
    let mut checked = Checked::default();
    let mut counted: BTreeMap<(String, String), i64> = BTreeMap::new();
    let mut last = Vec::new();
    let mut keeping = match dry_run {
        true => None,
        false => Some(Keeping::begin(tx, I::KIND, I::template().title, file.name, batch).await?),
    };
    while let Some(mut rows) = reader.next().await? {
        checked.total += i64::try_from(rows.len()).unwrap_or(i64::MAX);
        for row in &rows {
            for heading in I::COUNTED {
                let value = row.peek(heading).unwrap_or_default();
                *counted.entry(((*heading).to_owned(), value)).or_default() += 1;
            }
        }
        let write = !dry_run && checked.errors.is_empty();
        let changes = import.rows(tx, &mut rows, write).await?;
        checked.warnings.extend(rows.iter_mut().flat_map(Row::take_warnings));
        checked.errors.extend(rows.into_iter().flat_map(Row::into_errors));
        if write && checked.errors.is_empty() {
            tx.record(&last).await?;
            if let Some(keeping) = &mut keeping {
                keeping.keep(tx, &changes).await?;
            }
            last = changes.into_iter().map(|change| change.imported(batch)).collect();
        }
        if let Some(run) = run {
            run.progress("检查并写入", checked.total, run.params["total"].as_i64().unwrap_or(0)).await?;
        }
    }
    if checked.total == 0 {
        return Err(Error::field("file", "文件中没有可导入的数据"));
    }
    let finished = import.finish(tx, !dry_run && checked.errors.is_empty()).await?;
    if let Some(keeping) = &mut keeping
        && checked.errors.is_empty()
    {
        keeping.keep(tx, &finished.changes).await?;
    }
    last.extend(finished.changes.into_iter().map(|change| change.imported(batch)));
    checked.errors.extend(finished.errors);
    checked.warnings.extend(finished.warnings);
    checked.errors.sort_by_key(|error| error.row);
    checked.warnings.sort_by_key(|warning| warning.row);
    checked.written = import.written();
    checked.effect = counted.into_iter().map(|((column, value), count)| EffectCount { column, value, count }).collect();
    checked.effect.extend(import.effect());
    checked.differences = import.differences();
    if dry_run || !checked.errors.is_empty() {
        return Ok((checked, Vec::new()));
    }
    checked.imported = checked.total;
    if let Some(keeping) = keeping {
        keeping.end(tx, checked.total).await?;
    }
    checked.entered_at = Some(sqlx::query_scalar(r#"select now()"#).fetch_one(&mut **tx).await?);
    Ok((checked, last))
}

/// How many rows the sheet has.
async fn count(reader: &mut Reader) -> Result<i64> {
    let mut rows = 0;
    while let Some(batch) = reader.next().await? {
        rows += batch.len();
    }
    i64::try_from(rows).map_err(Error::internal)
}

/// The upload as a file, with the digest of its bytes.
async fn received(app: &App, upload: Upload) -> Result<(NamedTempFile, String)> {
    let most = app.config().limits.upload_bytes;
    if upload.size() > most {
        return Err(Error::field("file", "上传的文件过大"));
    }
    let file = tempfile::Builder::new().suffix(".xlsx").tempfile_in(folder(app).await?).map_err(Error::of_disk)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::of_disk)?);
    let mut source = upload.into_async_read();
    let mut digest = Sha256::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let read = source.read(&mut chunk).await.map_err(Error::internal)?;
        if read == 0 {
            break;
        }
        digest.update(&chunk[..read]);
        target.write_all(&chunk[..read]).await.map_err(Error::of_disk)?;
    }
    target.flush().await.map_err(Error::of_disk)?;
    Ok((file, hex(&digest.finalize())))
}

/// The file that the call left for its job, out of the store.
pub async fn kept(app: &App, id: i64) -> Result<NamedTempFile> {
    let mut tx = app.platform_read().await?;
    let key = sqlx::query_scalar!("select key from platform.file_object where id = $1", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::new(404, "文件不存在或已被删除"))?;
    drop(tx);
    let file = tempfile::Builder::new().suffix(".xlsx").tempfile_in(folder(app).await?).map_err(Error::of_disk)?;
    let mut target = tokio::fs::File::from_std(file.reopen().map_err(Error::of_disk)?);
    let gone = || Error::new(404, "文件不存在或已被删除");
    let mut chunks = files::open(app, &key).await?.ok_or_else(gone)?.chunks;
    while let Some(chunk) = chunks.try_next().await? {
        target.write_all(&chunk).await.map_err(Error::of_disk)?;
    }
    target.flush().await.map_err(Error::of_disk)?;
    Ok(file)
}

/// Keeps a copy of the sheet that says in each row what is wrong and what is worth a second look; none when nothing is.
pub async fn keep_marked(
    app: &App,
    school: Option<i64>,
    uploader: i64,
    title: &str,
    original: &Path,
    errors: &[RowError],
    warnings: &[RowError],
) -> Result<Option<i64>> {
    keep_copy(app, school, uploader, Original { title, path: original, foreign: None }, errors, warnings).await
}

/// A file of which a marked copy is made.
struct Original<'f> {
    title: &'f str,
    path: &'f Path,
    /// The file's own name, of a table of another maker.
    foreign: Option<&'f str>,
}

async fn keep_copy(
    app: &App,
    school: Option<i64>,
    uploader: i64,
    original: Original<'_>,
    errors: &[RowError],
    warnings: &[RowError],
) -> Result<Option<i64>> {
    let Original { title, path, foreign } = original;
    let what = match (errors, warnings) {
        ([], []) => return Ok(None),
        ([], _) => "提醒",
        _ => "错误",
    };
    let (errors, warnings, folder) = (errors.to_vec(), warnings.to_vec(), folder(app).await?);
    let marked = match foreign {
        Some(name) => mark_table(path, name, title, errors, warnings, &folder).await?,
        None => mark_rows(path, title, errors, warnings, &folder).await?,
    };
    Ok(Some(files::keep_result(app, school, uploader, &format!("{title}导入{what}.xlsx"), marked.path()).await?))
}
