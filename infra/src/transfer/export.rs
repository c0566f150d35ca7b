//! Exports: from a filter to a workbook.

mod schools;

use std::future::Future;

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
    access::{Allowed, Data, Permission, Realm},
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
    /// Names sheet and file, for example 站点.
    const TITLE: &'static str;
    const COLUMNS: &'static [Column<Self::Row>];
    /// Whether the rows are `platform`'s although a school asks.
    const OF_PLATFORM: bool = false;

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
pub fn export<E: Export>(
    caller: &Allowed<E::Permission>,
    filter: E::Filter,
    as_job: Option<bool>,
) -> BoxFuture<'_, Result<Exported>> {
    exported::<E>(caller, filter, as_job).boxed()
}

async fn exported<E: Export>(
    caller: &Allowed<E::Permission>,
    filter: E::Filter,
    as_job: Option<bool>,
) -> Result<Exported> {
    let app = caller.app();
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
    let wanted = Wanted { filter: &filter, scope: &caller.scope(), columns: &columns, plain, run: None };
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
fn chosen<E: Export>(named: Option<&str>) -> Result<Vec<&'static Column<E::Row>>> {
    let Some(named) = named.map(str::trim).filter(|named| !named.is_empty()) else {
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

/// Whether the file shows whole numbers: asked for, with the right and a reason (05 E4).
fn shows_whole<E: Export>(caller: &Allowed<E::Permission>) -> Result<bool> {
    let wish = caller.export_wish();
    if wish.whole != Some(true) {
        return Ok(false);
    }
    let code = E::PLAIN.ok_or_else(|| Error::field("whole", "该列表没有隐藏的内容"))?;
    if !caller.holds(code) {
        return Err(Error::forbidden());
    }
    match wish.reason.as_deref().map(|reason| reason.trim().chars().count()) {
        Some(2..=200) => Ok(true),
        _ => Err(Error::field("reason", "请填写导出完整内容的用途，2至200个字符")),
    }
}

/// The kind of job that `?job=true` starts.
pub const fn export_job<E: Export>() -> JobKind {
    JobKind {
        kind: E::KIND,
        code: Some(E::Permission::CODE),
        run: |run| Box::pin(run_export::<E>(run)),
        headings: Some(|| Headings {
            columns: E::COLUMNS.iter().map(|column| column.heading).collect(),
            whole: E::PLAIN,
        }),
    }
}

async fn run_export<E: Export>(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let filter = E::Filter::parse_from_json(Some(run.params["filter"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope(E::Permission::CODE).await?;
    let columns = chosen::<E>(run.params["columns"].as_str())?;
    let plain = match E::PLAIN {
        Some(code) if run.params["whole"] == true => run.scope(code).await.is_ok(),
        _ => false,
    };
    if plain {
        run.show_whole();
    }
    let wanted = Wanted { filter: &filter, scope: &scope, columns: &columns, plain, run: Some(&run) };
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
    plain: bool,
    run: Option<&'w JobRun>,
}

impl<E: Export> Wanted<'_, E> {
    /// The cells of a row, as far as the caller may see them.
    fn cells(&self, mut row: E::Row) -> Vec<Cell> {
        if !self.plain {
            E::mask(&mut row);
        }
        self.columns.iter().map(|column| (column.cell)(&row)).collect()
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
    let mut writer = Writer::headed(&folder(app).await?, E::TITLE, wanted.headings().collect());
    let mut rows = E::rows(app, connection, wanted.filter, wanted.scope).await?;
    let mut written = 0;
    while let Some(row) = rows.try_next().await? {
        writer.row(wanted.cells(row)).await?;
        written += 1;
        wanted.progress(written).await?;
    }
    Ok((writer.finish().await?, written))
}
