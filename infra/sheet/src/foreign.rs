//! Tables that others made: dbf, csv, xls and xlsx with columns of their own, read as they stand.
//!
//! Rows come in batches through a bounded channel, so a slow reader keeps no file in memory; an xls is read as a whole,
//! and has 65,536 rows at the most.

mod csv;
mod dbf;

use std::fs::File;
use std::io::{BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use calamine::{Data, DataRef, Reader as _, Xls, open_workbook};
use tokio::sync::{mpsc, oneshot};
use tokio::task::spawn_blocking;

use super::source::each_row;
use super::value::{Value, tidy};
use super::{Limits, SheetError, unpacked};

const BATCH: usize = 1_000;
const BATCHES_WAITING: usize = 2;

/// A table that is being read.
#[derive(Debug)]
pub struct Table {
    /// The names of the columns, without spaces around.
    pub columns: Vec<String>,
    batches: mpsc::Receiver<Result<Vec<ForeignRow>, SheetError>>,
}

/// A row with content.
#[derive(Debug, Clone)]
pub struct ForeignRow {
    /// The heading is row 1, also of a dbf, whose records a spreadsheet shows below it.
    pub number: u32,
    cells: Vec<Option<Value>>,
}

impl ForeignRow {
    /// The cell as text; none for an empty one.
    ///
    /// # Errors
    /// What a person is told of a cell that lost digits or is broken.
    pub fn text(&self, column: usize) -> Result<Option<String>, &'static str> {
        self.cells.get(column).and_then(Option::as_ref).map(Value::text).transpose()
    }

    /// Its cells, none behind the last that has content.
    pub(super) fn into_cells(self) -> Vec<Option<Value>> {
        self.cells
    }
}

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Dbf,
    Csv,
    Xls,
    Xlsx,
}

impl Table {
    /// Opens a file by its content; the name decides between those that have no mark.
    ///
    /// # Errors
    /// For the person who chose the file.
    pub async fn open(path: &Path, name: &str, limits: Limits) -> Result<Self, SheetError> {
        let (path, name) = (path.to_path_buf(), name.to_lowercase());
        let (sender, batches) = mpsc::channel(BATCHES_WAITING);
        let (begun, opened) = oneshot::channel();
        spawn_blocking(move || {
            let mut sink = Sink { begun: Some(begun), sender: &sender, batch: Vec::new(), rows: 0, limits, width: 0 };
            let outcome = format(&path, &name).and_then(|format| match format {
                Format::Dbf => dbf::read(&path, &mut sink),
                Format::Csv => csv::read(&path, &mut sink),
                Format::Xls => xls(&path, &mut sink),
                Format::Xlsx => unpacked::check(&path, limits).and_then(|()| {
                    each_row(&path, "", |number, cells| {
                        let width = cells.iter().map(|(column, _)| *column as usize + 1).max().unwrap_or(0);
                        let mut row = vec![None; width];
                        for (column, value) in cells.drain(..) {
                            row[column as usize] = Some(value);
                        }
                        sink.sheet_row(number, row)
                    })
                }),
            });
            sink.end(outcome);
        });
        let columns = opened.await.map_err(SheetError::failed)??;
        Ok(Self { columns, batches })
    }

    /// The same on a thread that may wait.
    pub(super) fn blocking_next(&mut self) -> Result<Option<Vec<ForeignRow>>, SheetError> {
        self.batches.blocking_recv().transpose()
    }

    /// The next rows, at most 1,000; none at the end.
    ///
    /// # Errors
    /// For a file that is broken further down.
    pub async fn next(&mut self) -> Result<Option<Vec<ForeignRow>>, SheetError> {
        self.batches.recv().await.transpose()
    }
}

/// Takes the rows from a reader of one format.
struct Sink<'s> {
    begun: Option<oneshot::Sender<Result<Vec<String>, SheetError>>>,
    sender: &'s mpsc::Sender<Result<Vec<ForeignRow>, SheetError>>,
    batch: Vec<ForeignRow>,
    rows: u32,
    limits: Limits,
    width: usize,
}

impl Sink<'_> {
    fn begin(&mut self, columns: Vec<String>) -> Result<(), SheetError> {
        let mut seen = std::collections::HashSet::new();
        if columns.iter().all(String::is_empty) {
            return Err(SheetError::NoHeadings);
        }
        if let Some(twice) = columns.iter().find(|name| !name.is_empty() && !seen.insert(name.to_uppercase())) {
            return Err(SheetError::RepeatedHeadings(twice.clone()));
        }
        self.width = columns.len();
        match self.begun.take() {
            Some(begun) => begun.send(Ok(columns)).map_err(|_| abandoned()),
            None => Ok(()),
        }
    }

    /// A row of a file whose first row is the heading.
    fn sheet_row(&mut self, number: u32, row: Vec<Option<Value>>) -> Result<(), SheetError> {
        if self.begun.is_none() {
            return self.row(number, row);
        }
        let name = |cell: Option<Value>| cell.and_then(|value| value.text().ok()).unwrap_or_default();
        self.begin(row.into_iter().map(name).collect())
    }

    fn row(&mut self, number: u32, mut cells: Vec<Option<Value>>) -> Result<(), SheetError> {
        if cells.iter().all(Option::is_none) {
            return Ok(());
        }
        self.rows += 1;
        if self.rows > self.limits.rows {
            return Err(SheetError::TooManyRows(self.limits.rows));
        }
        cells.truncate(self.width);
        self.batch.push(ForeignRow { number, cells });
        if self.batch.len() == BATCH {
            let full = std::mem::take(&mut self.batch);
            self.sender.blocking_send(Ok(full)).map_err(|_| abandoned())?;
        }
        Ok(())
    }

    /// Whoever waits for the columns gets an error there, and otherwise with the rows.
    fn end(self, outcome: Result<(), SheetError>) {
        let outcome = if outcome.is_ok() && self.begun.is_some() { Err(SheetError::NoHeadings) } else { outcome };
        let told = match (outcome, self.begun) {
            (Err(error), Some(begun)) => begun.send(Err(error)).is_ok(),
            (Err(error), None) => self.sender.blocking_send(Err(error)).is_ok(),
            (Ok(()), _) => self.batch.is_empty() || self.sender.blocking_send(Ok(self.batch)).is_ok(),
        };
        if !told {
            tracing::debug!("a foreign table was abandoned by its reader");
        }
    }
}

/// A receiver that is gone ends the reading; nobody sees this error.
fn abandoned() -> SheetError {
    SheetError::failed("nobody reads the table")
}

fn format(path: &Path, name: &str) -> Result<Format, SheetError> {
    let mut head = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read(&mut head)).map_err(SheetError::failed)?;
    let head = &head[..read];
    if head.starts_with(b"PK") {
        return Ok(Format::Xlsx);
    }
    if head.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Ok(Format::Xls);
    }
    if name.ends_with(".csv") {
        return Ok(Format::Csv);
    }
    // dBASE III to 5, FoxPro, with and without memo.
    let is_table = |kind: &u8| matches!(kind, 0x02..=0x05 | 0x30..=0x32 | 0x83 | 0x8B | 0xF5);
    if name.ends_with(".dbf") && head.first().is_some_and(is_table) {
        return Ok(Format::Dbf);
    }
    Err(SheetError::UnknownFormat)
}

fn text(text: &str) -> Option<Value> {
    let text = tidy(text);
    (!text.is_empty()).then_some(Value::Text(text))
}

fn xls(path: &Path, sink: &mut Sink<'_>) -> Result<(), SheetError> {
    // The reader panics over files that no spreadsheet made.
    let range = catch_unwind(AssertUnwindSafe(|| {
        let mut workbook: Xls<BufReader<File>> = open_workbook(path).map_err(|_| SheetError::NotAWorkbook)?;
        workbook.worksheet_range_at(0).ok_or(SheetError::NoHeadings)?.map_err(|_| SheetError::NotAWorkbook)
    }))
    .map_err(|_| SheetError::NotAWorkbook)??;
    let above = range.start().map_or(0, |(row, _)| row);
    for (row, number) in range.rows().zip(above + 1..) {
        sink.sheet_row(number, row.iter().map(|cell| Value::from_cell(&borrowed(cell))).collect())?;
    }
    Ok(())
}

fn borrowed(cell: &Data) -> DataRef<'_> {
    match cell {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(yes) => DataRef::Bool(*yes),
        Data::DateTime(time) => DataRef::DateTime(*time),
        Data::DateTimeIso(text) | Data::DurationIso(text) => DataRef::SharedString(text),
        Data::Error(error) => DataRef::Error(error.clone()),
        _ => DataRef::Empty,
    }
}

#[cfg(test)]
mod tests;
