//! Exports and imports as operations (00 §4): the call answers with the file, or with what is wrong in each row; what is
//! too long for a call becomes a job.
//!
//! ```text
//! export   filter ─[Export::rows]→ cursor → workbook → the answer            ?job=true: → file of the job
//! import   workbook → rows ─[Import::rows]→ … ─[Import::finish]→ one transaction → ImportAnswer   above 2,000 rows: the same as a job
//! ```
//!
//! A kind of record says what its rows are ([`Export`], [`Import`] or the simpler [`RowImport`]); how files come and go
//! is here, once. Invariant: an import writes every row or none, and can be undone for 30 days ([`Import::undo`]).

mod by_row;
mod download;
mod export;
mod import;
pub(crate) mod undo;

use std::path::PathBuf;

use poem::{Body as HttpBody, IntoResponse, Response, http::header};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};
use tempfile::NamedTempFile;

use crate::{
    App, Error, Result, files,
    jobs::JobRun,
    module::Part,
    sheet::{Cell, Column, SheetError, Writer, cells},
};

pub use by_row::{ByRow, RowImport, refuse};
pub use download::{Download, ExportedAs, Feed, FileKind, Known, Printed};
pub use export::{Export, Exported, OwnColumn, Rows, export, export_job, whole_of};
pub use import::{
    DIRECT_ROWS, EffectCount, Finished, Import, ImportAnswer, ImportForm, RowDifference, SentFile, SentSheet, Written,
    import, import_into, import_job, import_once, import_with, keep_marked, kept, limits, template, workbook,
};
pub use undo::{Imported, Parts, Undo, keep, undo_job, undone};

pub const PART: Part = Part { params: &[import::PARAMS], ..Part::NONE };

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

impl From<SheetError> for Error {
    fn from(error: SheetError) -> Self {
        match error {
            SheetError::Failed(cause) if store::is_full(cause.as_ref()) => Self::disk_full(cause),
            SheetError::Failed(cause) => Self::internal(cause),
            told => Self::field("file", told.to_string()),
        }
    }
}

/// Where workbooks lie while they are made or read.
pub async fn folder(app: &App) -> Result<PathBuf> {
    let folder = app.config().data.join("tmp");
    tokio::fs::create_dir_all(&folder).await.map_err(Error::of_disk)?;
    Ok(folder)
}

/// A workbook that the browser saves under a name.
#[derive(Debug)]
pub struct Attachment {
    name: String,
    file: NamedTempFile,
}

impl Attachment {
    /// A workbook of rows that are in memory already; few of them.
    pub async fn of<T>(app: &App, title: &str, columns: &[Column<T>], rows: &[T]) -> Result<Self> {
        let mut writer = Writer::start(&folder(app).await?, title, columns);
        for row in rows {
            writer.row(cells(columns, row)).await?;
        }
        Ok(Self { name: format!("{title}.xlsx"), file: writer.finish().await? })
    }

    /// The same with columns that a school chose.
    pub async fn headed(app: &App, title: &str, headings: Vec<(String, u8)>, rows: Vec<Vec<Cell>>) -> Result<Self> {
        let mut writer = Writer::headed(&folder(app).await?, title, headings);
        for row in rows {
            writer.row(row).await?;
        }
        Ok(Self { name: format!("{title}.xlsx"), file: writer.finish().await? })
    }

    /// A workbook that was written already.
    pub fn written(name: String, file: NamedTempFile) -> Self {
        Self { name, file }
    }

    /// Keeps it as the result of a job, for whoever started that.
    pub async fn keep(&self, app: &App, school: Option<i64>, starter: i64) -> Result<i64> {
        files::keep_result(app, school, starter, &self.name, self.file.path()).await
    }
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

fn school_of(run: &JobRun) -> Option<i64> {
    run.school.as_ref().map(|school| school.id)
}
