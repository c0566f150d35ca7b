use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use chrono::NaiveDate;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};

use super::foreign::{ForeignRow, Table};
use super::source::{each_row, heading, plain};
use super::template::Template;
use super::value::Value;
use super::{Limits, RowError, SheetError, is_added, unpacked};

/// How many rows are handed over at a time.
const BATCH: usize = 1_000;
/// How many batches may wait for the database.
const BATCHES_WAITING: usize = 2;
/// The message of a required cell that is empty.
const MISSING: &str = "不能为空";
/// How many options an error message names.
const OPTIONS_NAMED: usize = 20;

/// A workbook that a person has filled in, or a table of another maker, being read.
#[derive(Debug)]
pub struct Reader {
    columns: Arc<[Wanted]>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    FilledIn {
        batches: mpsc::Receiver<Result<Vec<Row>, SheetError>>,
        /// Asked once, at the end, whether the thread came to it or fell over.
        thread: Option<JoinHandle<()>>,
    },
    Foreign(Table),
}

impl Reader {
    /// Checks the file as a whole and its headings, in any order and with or without star, and begins to read.
    pub async fn open(path: &Path, template: &Template, limits: Limits) -> Result<Self, SheetError> {
        let path = path.to_path_buf();
        let columns: Arc<[Wanted]> =
            template.columns.iter().map(|column| (column.heading.clone(), column.required)).collect();
        let title = template.title;
        let (sender, batches) = mpsc::channel(BATCHES_WAITING);
        let (begun, opened) = oneshot::channel();
        let wanted = Arc::clone(&columns);
        let thread = spawn_blocking(move || read(&path, title, wanted, limits, begun, &sender));
        opened.await.map_err(SheetError::failed)??;
        Ok(Self { columns, source: Source::FilledIn { batches, thread: Some(thread) } })
    }

    /// Begins to read a table of another maker as it stands: its columns are those of the rows, and none is required.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub async fn foreign(path: &Path, name: &str, limits: Limits) -> Result<Self, SheetError> {
        let table = Table::open(path, name, limits).await?;
        let columns = table.columns.iter().map(|name| (Cow::Owned(name.clone()), false)).collect();
        Ok(Self { columns, source: Source::Foreign(table) })
    }

    /// The headings of the rows.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(heading, _)| heading.as_ref())
    }

    /// The next rows that have content, at most 1,000; none at the end of the sheet. After an error there are no more.
    pub async fn next(&mut self) -> Result<Option<Vec<Row>>, SheetError> {
        match &mut self.source {
            Source::FilledIn { batches, thread } => match batches.recv().await {
                Some(batch) => batch.map(Some),
                None => match thread.take() {
                    Some(thread) => thread.await.map(|()| None).map_err(SheetError::failed),
                    None => Ok(None),
                },
            },
            Source::Foreign(table) => {
                let of = |row: ForeignRow| Row::of_table(row, &self.columns);
                Ok(table.next().await?.map(|rows| rows.into_iter().map(of).collect()))
            }
        }
    }
}

/// A heading of the template, and whether its cells must be filled.
type Wanted = (Cow<'static, str>, bool);

fn read(
    path: &Path,
    title: &str,
    columns: Arc<[Wanted]>,
    limits: Limits,
    begun: oneshot::Sender<Result<(), SheetError>>,
    sender: &mpsc::Sender<Result<Vec<Row>, SheetError>>,
) {
    let mut begun = Some(begun);
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut batch = Vec::with_capacity(BATCH);
    let mut rows = 0;
    let mut outcome = unpacked::check(path, limits).and_then(|()| {
        each_row(path, title, |number, cells| {
            if begun.is_some() {
                places = places_of(number, cells, &columns)?;
                return begun.take().map_or(Ok(()), |begun| hand(begun.send(Ok(()))));
            }
            let mut row = Row::new(number, Arc::clone(&columns));
            for (column, value) in cells.drain(..) {
                if let Some(Some(place)) = places.get(column as usize) {
                    row.cells[*place] = Some(value);
                }
            }
            if row.cells.iter().all(Option::is_none) {
                return Ok(());
            }
            rows += 1;
            if rows > limits.rows {
                return Err(SheetError::TooManyRows(limits.rows));
            }
            batch.push(row);
            if batch.len() == BATCH {
                hand(sender.blocking_send(Ok(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)))))?;
            }
            Ok(())
        })
    });
    if outcome.is_ok() && begun.is_some() {
        outcome = Err(SheetError::NoHeadings);
    }
    // Whoever waits for the heading gets the error there, and otherwise with the rows. Nobody may wait any more.
    let told = match (outcome, begun) {
        (Err(error), Some(begun)) => begun.send(Err(error)).is_ok(),
        (Err(error), None) => sender.blocking_send(Err(error)).is_ok(),
        (Ok(()), _) => batch.is_empty() || sender.blocking_send(Ok(batch)).is_ok(),
    };
    if !told {
        tracing::debug!("an import was abandoned by its reader");
    }
}

/// A receiver that is gone ends the reading; nobody sees this error.
fn hand<E>(sent: Result<(), E>) -> Result<(), SheetError> {
    sent.map_err(|_| SheetError::failed("nobody reads the import"))
}

/// For every column of the sheet the column of the template that its heading names.
fn places_of(number: u32, cells: &[(u32, Value)], columns: &[Wanted]) -> Result<Vec<Option<usize>>, SheetError> {
    if number != 1 {
        return Err(SheetError::NoHeadings);
    }
    let mut places = Vec::new();
    let (mut unknown, mut repeated) = (Vec::new(), Vec::new());
    for (column, value) in cells {
        let name = heading(value);
        let place = columns.iter().position(|(wanted, _)| plain(wanted) == name);
        match place {
            Some(place) if places.contains(&Some(place)) => repeated.push(name),
            Some(place) => {
                places.resize(*column as usize, None);
                places.push(Some(place));
            }
            None if is_added(&name) => {}
            None => unknown.push(name),
        }
    }
    let absent = |place: &usize| !places.contains(&Some(*place)) && columns[*place].1;
    let missing: Vec<&str> = (0..columns.len()).filter(absent).map(|place| columns[place].0.as_ref()).collect();
    if !unknown.is_empty() {
        return Err(SheetError::UnknownHeadings(unknown.join("、")));
    }
    if !repeated.is_empty() {
        return Err(SheetError::RepeatedHeadings(repeated.join("、")));
    }
    if !missing.is_empty() {
        return Err(SheetError::MissingHeadings(missing.join("、")));
    }
    Ok(places)
}

/// One row that a person has typed.
///
/// A getter takes the heading of a column of the template. It answers none for an empty cell and for one that cannot be
/// understood; the latter, and an empty cell of a required column, are recorded and found in [`errors`](Self::errors).
#[derive(Debug, Clone)]
pub struct Row {
    number: u32,
    columns: Arc<[Wanted]>,
    cells: Vec<Option<Value>>,
    errors: Vec<RowError>,
    warnings: Vec<RowError>,
}

impl Row {
    fn new(number: u32, columns: Arc<[Wanted]>) -> Self {
        Self { number, cells: vec![None; columns.len()], columns, errors: Vec::new(), warnings: Vec::new() }
    }

    fn of_table(row: ForeignRow, columns: &Arc<[Wanted]>) -> Self {
        let mut own = Self::new(row.number, Arc::clone(columns));
        for (cell, value) in own.cells.iter_mut().zip(row.into_cells()) {
            *cell = value;
        }
        own
    }

    /// The row's number in the sheet; the heading is row 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// What was wrong so far.
    pub fn errors(&self) -> &[RowError] {
        &self.errors
    }

    /// The same, to keep them.
    pub fn into_errors(self) -> Vec<RowError> {
        self.errors
    }

    /// What was worth a second look so far; it is told once.
    pub fn take_warnings(&mut self) -> Vec<RowError> {
        std::mem::take(&mut self.warnings)
    }

    /// Records that a cell is wrong for a reason that only the caller knows. An empty heading means the whole row.
    pub fn refuse(&mut self, heading: &str, message: impl Into<String>) {
        let error = RowError { row: self.number, column: heading.to_owned(), message: message.into() };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// Records that a cell is worth a second look; the row is imported all the same. An empty heading means the whole row.
    pub fn warn(&mut self, heading: &str, message: impl Into<String>) {
        self.warnings.push(RowError { row: self.number, column: heading.to_owned(), message: message.into() });
    }

    /// The same as [`refuse`](Self::refuse) for what a check of the whole row says of one cell: a cell that is wrong
    /// already is not told twice.
    pub fn refuse_once(&mut self, heading: &str, message: impl Into<String>) {
        if heading.is_empty() || !self.errors.iter().any(|known| known.column == heading) {
            self.refuse(heading, message);
        }
    }

    /// Text that must be there. When it is not, the text is empty and the error recorded, required column or not.
    pub fn required(&mut self, heading: &str) -> String {
        let errors = self.errors.len();
        let text = self.text(heading).unwrap_or_default();
        if text.is_empty() && self.errors.len() == errors {
            self.refuse(heading, MISSING);
        }
        text
    }

    /// Text without spaces around; full-width digits and letters are ordinary ones. A number is written out.
    pub fn text(&mut self, heading: &str) -> Option<String> {
        self.get(heading, |value| value.text().map_err(str::to_owned))
    }

    /// The same without a word about what is wrong with it; nothing in a column that the sheet does not have.
    pub fn peek(&self, heading: &str) -> Option<String> {
        self.cell(heading).and_then(|value| value.text().ok())
    }

    fn cell(&self, heading: &str) -> Option<&Value> {
        let place = self.columns.iter().position(|(name, _)| *name == heading)?;
        self.cells[place].as_ref()
    }

    /// Whether the cell is a number of a workbook: leading zeros are lost in it.
    pub fn is_number(&self, heading: &str) -> bool {
        matches!(self.cell(heading), Some(Value::Number(_)))
    }

    /// Every column with a heading, and its cell as text; empty where there is none, or nothing that can be read.
    pub fn texts(&self) -> impl Iterator<Item = (&str, String)> {
        let text = |cell: &Option<Value>| cell.as_ref().and_then(|value| value.text().ok()).unwrap_or_default();
        let named = self.columns.iter().zip(&self.cells).filter(|((heading, _), _)| !heading.is_empty());
        named.map(move |((heading, _), cell)| (heading.as_ref(), text(cell)))
    }

    /// A calendar day, in whatever usual form it was written.
    pub fn date(&mut self, heading: &str) -> Option<NaiveDate> {
        self.get(heading, |value| value.date().map_err(str::to_owned))
    }

    /// The same without a word about what is wrong with it.
    pub fn peek_date(&self, heading: &str) -> Option<NaiveDate> {
        self.cell(heading)?.date().ok()
    }

    /// A number in units of its last place: with one place, 87.5 is 875.
    pub fn decimal(&mut self, heading: &str, places: u8) -> Option<i64> {
        self.get(heading, |value| value.decimal(places))
    }

    /// The same without a word about what is wrong with it.
    pub fn peek_decimal(&self, heading: &str, places: u8) -> Option<i64> {
        self.cell(heading)?.decimal(places).ok()
    }

    /// A whole number.
    pub fn integer(&mut self, heading: &str) -> Option<i64> {
        self.decimal(heading, 0)
    }

    /// One of some words, as what it means.
    pub fn one_of<T: Copy>(&mut self, heading: &str, options: &[(&str, T)]) -> Option<T> {
        self.get(heading, |value| {
            let text = value.text()?;
            options.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning).ok_or_else(|| {
                let words: Vec<&str> = options.iter().map(|(word, _)| *word).take(OPTIONS_NAMED).collect();
                let more = if options.len() > OPTIONS_NAMED { "等" } else { "" };
                format!("“{text}”不在可选范围内，请填写：{}{more}", words.join("、"))
            })
        })
    }

    fn get<T>(&mut self, heading: &str, read: impl FnOnce(&Value) -> Result<T, String>) -> Option<T> {
        let place = self.columns.iter().position(|(name, _)| *name == heading);
        debug_assert!(place.is_some(), "the template has no column {heading}");
        let place = place?;
        let outcome = match &self.cells[place] {
            Some(value) => read(value),
            None if self.columns[place].1 => Err(MISSING.to_owned()),
            None => return None,
        };
        outcome.map_err(|message| self.refuse(heading, message)).ok()
    }
}
