//! Exports: from a filter to a workbook.

mod schools;

use std::{borrow::Cow, future::Future};

use futures_util::{FutureExt, TryStreamExt, future::BoxFuture, stream::BoxStream};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponses, Registry},
    types::{ParseFromJSON, ToJSON, Type},
};
use serde_json::json;
use sqlx::PgConnection;
use tempfile::NamedTempFile;

use super::{Attachment, answers, binary, folder, school_of};
use crate::{
    App, Envelope, Error, Reply, Result, Scope,
    access::{Allowed, Caller, Data, Permission, Realm},
    error::DISK_FULL,
    files,
    jobs::{self, Headings, JobKind, JobRun, JobStarted, NewJob, Outcome},
    reply,
    sheet::{Cell, Column, Writer},
};

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

/// A column that a school added.
pub struct OwnColumn<T> {
    pub heading: String,
    pub cell: Box<dyn Fn(&T) -> Cell + Send + Sync>,
}

/// Whose right to whole numbers opens fewer sites or classes than their export has rows of.
const NARROWER: &str = "您导出完整内容的权限只包含部分站点或班级，少于您导出的数据范围；请不选完整内容导出，或由权限包含全部范围的人员导出";

/// How wide a school's own column is, in characters of the default font.
const OWN_WIDTH: u8 = 16;

/// What the export of one kind of record is made of.
pub trait Export: 'static {
    /// The list's body; its page is not looked at.
    type Filter: ParseFromJSON + ToJSON + Send + Sync + 'static;
    type Row: Send + 'static;
    /// Of the job, for example `site.export`.
    const KIND: &'static str;
    /// Of the operation; the rows have its data scope.
    type Permission: Permission;
    /// The code that shows personal values whole.
    const PLAIN: Option<&'static str> = None;
    /// A further code that some rows ask for; what it opens is put into the filter.
    const FURTHER: Option<&'static str> = None;
    /// Names sheet and file, for example 站点.
    const TITLE: &'static str;
    const COLUMNS: &'static [Column<Self::Row>];
    /// Whether the rows are `platform`'s although a school asks.
    const OF_PLATFORM: bool = false;

    /// Columns that the school of the connection has behind those of the program, for a file of all columns. A file over
    /// schools has none: each would have others.
    fn own_columns(
        _app: &App,
        _connection: &mut PgConnection,
    ) -> impl Future<Output = Result<Vec<OwnColumn<Self::Row>>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// All rows that the filter names and the scope opens, in the list's order.
    fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
    ) -> impl Future<Output = Result<Rows<'c, Self::Row>>> + Send;

    /// Writes further sheets behind that of the rows, in a file of one school.
    fn sheets(
        _connection: &mut PgConnection,
        _filter: &Self::Filter,
        _scope: &Scope,
        _writer: &mut Writer,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Puts into the filter what [`Export::FURTHER`] opens; of whoever does not hold it that is nothing.
    fn open(_filter: &mut Self::Filter, _scope: Scope) {}

    /// Hides what only the holder of [`Export::PLAIN`] may see.
    fn mask(_row: &mut Self::Row) {}
}

/// The body of an `export` operation.
///
/// # Errors
/// 429 when all places for exports are taken, 999 when the file could not be made.
pub fn export<E: Export>(
    caller: &Allowed<E::Permission>,
    filter: E::Filter,
    as_job: Option<bool>,
) -> BoxFuture<'_, Result<Exported>> {
    exported::<E>(caller, filter, as_job).boxed()
}

async fn exported<E: Export>(
    caller: &Allowed<E::Permission>,
    mut filter: E::Filter,
    as_job: Option<bool>,
) -> Result<Exported> {
    let app = caller.app();
    if let Some(code) = E::FURTHER {
        E::open(&mut filter, caller.rights().get(code).cloned().unwrap_or_default());
    }
    let columns = chosen::<E>(caller.export_wish().columns.as_deref())?;
    let plain = shows_whole::<E>(caller)?;
    let over_schools = <E::Permission as Permission>::Realm::DATA == Data::School && caller.school_id().is_none();
    if as_job == Some(true) {
        let job = NewJob {
            kind: E::KIND,
            target: caller.user_id().to_string(),
            title: format!("导出{}", E::TITLE),
            params: json!({
                "filter": filter.to_json(), "overSchools": over_schools, "whole": plain,
                "columns": caller.export_wish().columns, "reason": caller.export_wish().reason,
            }),
        };
        // The job's own row says whether the file shows anything whole.
        caller.masked();
        return Ok(Exported::Job(reply(JobStarted { job_id: jobs::start(caller.caller(), job).await? })));
    }
    let _place = app.export_place()?;
    if !plain {
        caller.masked();
    }
    let own = named(caller.export_wish().columns.as_deref()).is_none();
    let wanted = Wanted { filter: &filter, scope: &caller.scope(), columns: &columns, own, plain, run: None };
    let filled = if over_schools {
        schools::fill::<E>(app, caller.user_id(), wanted).await.map(|(file, rows, _)| (file, rows))
    } else {
        fill::<E>(app, &mut *caller.read_long().await?, wanted).await
    };
    let (file, rows) = filled.map_err(|error| match error.code {
        500 if error.msg != DISK_FULL => Error::new(999, "导出失败，请稍后再试").with_data(error.data),
        _ => error,
    })?;
    let name = file_name::<E>(app);
    let bytes = file.as_file().metadata().map_err(Error::internal)?.len();
    let reason = caller.export_wish().reason.as_deref().filter(|_| plain);
    caller.note("export", json!({ "rows": rows, "file": name, "bytes": bytes, "plain": plain, "reason": reason }));
    Ok(Exported::File(Attachment { name, file }))
}

/// The columns of the file: those that are named, in their order, or all.
fn chosen<E: Export>(wish: Option<&str>) -> Result<Vec<&'static Column<E::Row>>> {
    let Some(named) = named(wish) else {
        return Ok(E::COLUMNS.iter().collect());
    };
    let mut columns: Vec<&'static Column<E::Row>> = Vec::new();
    for heading in named.split(',').map(str::trim) {
        let column = E::COLUMNS.iter().find(|column| column.heading == heading);
        let column = column.ok_or_else(|| Error::field("columns", format!("没有名为“{heading}”的列，请重新选择")))?;
        if !columns.iter().any(|other| other.heading == heading) {
            columns.push(column);
        }
    }
    Ok(columns)
}

/// The headings that somebody asked for; none is all.
fn named(wish: Option<&str>) -> Option<&str> {
    wish.map(str::trim).filter(|wish| !wish.is_empty())
}

/// Whether the file shows whole numbers: asked for, with the right over all of its rows and a reason (05 E4).
///
/// # Errors
/// 403 without the right, and where it opens less than the rows of the file; 422 without a reason.
fn shows_whole<E: Export>(caller: &Allowed<E::Permission>) -> Result<bool> {
    let wish = caller.export_wish();
    if wish.whole != Some(true) {
        return Ok(false);
    }
    let code = E::PLAIN.ok_or_else(|| Error::field("whole", "该列表没有隐藏的内容"))?;
    let plain = may_show_whole(caller, code, wish.reason.as_deref())?;
    if plain.covers(&caller.scope()) { Ok(true) } else { Err(Error::new(403, NARROWER)) }
}

/// # Errors
/// 403 without the code, 422 without a reason.
fn may_show_whole<'c>(caller: &'c Caller, code: &str, reason: Option<&str>) -> Result<&'c Scope> {
    let scope = caller.rights().get(code).ok_or_else(Error::forbidden)?;
    match reason.map(|reason| reason.trim().chars().count()) {
        Some(2..=200) => Ok(scope),
        _ => Err(Error::field("reason", "请填写导出完整内容的用途，2至200个字符")),
    }
}

/// Of a file whose columns a school chooses, which is no [`Export`]: whose numbers it shows whole, and nobody's as long as that is not
/// asked for (05 E4).
///
/// # Errors
/// 403 without the code, 422 without a reason.
pub fn whole_of(caller: &Caller, code: &str, whole: Option<bool>, reason: Option<&str>) -> Result<Scope> {
    if whole == Some(true) {
        return may_show_whole(caller, code, reason).cloned();
    }
    caller.masked();
    Ok(Scope::limited(Vec::new(), Vec::new()))
}

/// The kind of job that `?job=true` starts.
pub const fn export_job<E: Export>() -> JobKind {
    JobKind {
        kind: E::KIND,
        code: Some(E::Permission::CODE),
        run: |run| Box::pin(run_export::<E>(run)),
        headings: Some(|| Headings {
            title: E::TITLE,
            columns: E::COLUMNS.iter().map(|column| column.heading).collect(),
            whole: E::PLAIN,
        }),
    }
}

async fn run_export<E: Export>(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let mut filter = E::Filter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    // As of now: the code may have been taken away meanwhile.
    if let Some(code) = E::FURTHER {
        E::open(&mut filter, run.scope(code).await.unwrap_or_default());
    }
    let scope = run.scope(E::Permission::CODE).await?;
    let columns = chosen::<E>(run.params["columns"].as_str())?;
    let plain = match E::PLAIN {
        Some(code) if run.params["whole"] == true => run.scope(code).await.is_ok_and(|plain| plain.covers(&scope)),
        _ => false,
    };
    if plain {
        run.show_whole();
    }
    let own = named(run.params["columns"].as_str()).is_none();
    let wanted = Wanted { filter: &filter, scope: &scope, columns: &columns, own, plain, run: Some(&run) };
    let (file, rows, missing) = if run.params["overSchools"] == true {
        schools::fill::<E>(app, run.actor.id, wanted).await?
    } else {
        let mut tx = if E::OF_PLATFORM { run.read_platform().await? } else { run.read().await? };
        let (file, rows) = fill::<E>(app, &mut tx, wanted).await?;
        (file, rows, 0)
    };
    let kept = files::keep_result(app, school_of(&run), run.actor.id, &file_name::<E>(app), file.path()).await?;
    let message = match missing {
        0 => format!("共导出{rows}行"),
        _ => format!("部分完成：共导出{rows}行，{missing}所院校未完成，见最后一张工作表"),
    };
    Ok(Outcome { message, result_file: Some(kept), ..Outcome::default() })
}

fn file_name<E: Export>(app: &App) -> String {
    format!("{}_{}.xlsx", E::TITLE, app.clock().now().format("%Y%m%d%H%M%S"))
}

/// What is to stand in the file, and the job that tells how far it is.
struct Wanted<'w, E: Export> {
    filter: &'w E::Filter,
    scope: &'w Scope,
    columns: &'w [&'static Column<E::Row>],
    /// Also the school's own: whoever chose columns chose among those of the program.
    own: bool,
    plain: bool,
    run: Option<&'w JobRun>,
}

impl<E: Export> Wanted<'_, E> {
    /// The cells of a row, as far as the caller may see them.
    fn cells(&self, mut row: E::Row, own: &[OwnColumn<E::Row>]) -> Vec<Cell> {
        if !self.plain {
            E::mask(&mut row);
        }
        let cells = self.columns.iter().map(|column| (column.cell)(&row));
        cells.chain(own.iter().map(|column| (column.cell)(&row))).collect()
    }

    fn headings(&self) -> impl Iterator<Item = (&'static str, u8)> {
        self.columns.iter().map(|column| (column.heading, column.width))
    }

    /// Tells the job how many rows are written, now and then.
    async fn progress(&self, written: i64) -> Result<()> {
        match self.run {
            Some(run) if written % 5_000 == 0 => run.progress("导出", written, 0).await,
            _ => Ok(()),
        }
    }
}

async fn fill<E: Export>(
    app: &App,
    connection: &mut PgConnection,
    wanted: Wanted<'_, E>,
) -> Result<(NamedTempFile, i64)> {
    let folder = folder(app).await?;
    let own = if wanted.own { E::own_columns(app, connection).await? } else { Vec::new() };
    let headings = wanted.headings().map(|(heading, width)| (Cow::Borrowed(heading), width));
    let headings = headings.chain(own.iter().map(|column| (Cow::Owned(column.heading.clone()), OWN_WIDTH)));
    let mut writer = Writer::headed(&folder, E::TITLE, headings);
    let mut rows = E::rows(app, connection, wanted.filter, wanted.scope).await?;
    let mut written = 0;
    while let Some(row) = rows.try_next().await? {
        writer.row(wanted.cells(row, &own)).await?;
        written += 1;
        wanted.progress(written).await?;
    }
    drop(rows);
    E::sheets(connection, wanted.filter, wanted.scope, &mut writer).await?;
    Ok((writer.finish().await?, written))
}
