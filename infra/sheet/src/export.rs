use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use chrono::{NaiveDate, NaiveDateTime};
use clock::Moment;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};
use tempfile::NamedTempFile;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use super::SheetError;
use super::formula::{is_formula_like, told_apart};

/// Rows of data that fit below the heading of one sheet.
const ROWS_PER_SHEET: u32 = 1_048_575;
/// A paper's number in the format.
const A4: u8 = 9;
/// The longest text of a cell, in characters.
const LONGEST_TEXT: usize = 32_767;
/// Whole numbers from here on lose digits in a spreadsheet and are written as text.
const INEXACT: u64 = 1_000_000_000_000_000;
/// How many rows may wait for the writing thread.
const ROWS_WAITING: usize = 256;

/// What stands in one cell of an export.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Also for everything that consists of digits but is no quantity: phone, identity and student numbers.
    Text(String),
    Int(i64),
    /// A number in units of its last place: `Decimal(875, 1)` is 87.5.
    Decimal(i64, u8),
    Date(NaiveDate),
    /// Shown as China's time, whatever its offset.
    DateTime(Moment),
    /// Shown as 是 or 否.
    Bool(bool),
    Empty,
}

impl Cell {
    /// Text, or nothing.
    pub fn text(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Empty, |text| Self::Text(text.into()))
    }

    /// A date, or nothing.
    pub fn date(date: Option<NaiveDate>) -> Self {
        date.map_or(Self::Empty, Self::Date)
    }

    /// A number in units of its last place, or nothing.
    pub fn decimal(units: Option<i64>, places: u8) -> Self {
        units.map_or(Self::Empty, |units| Self::Decimal(units, places))
    }

    /// A moment, or nothing.
    pub fn time(at: Option<Moment>) -> Self {
        at.map_or(Self::Empty, Self::DateTime)
    }
}

/// One column of an export of `T`s.
#[derive(Debug, Clone, Copy)]
pub struct Column<T> {
    pub heading: &'static str,
    /// In characters of the default font; a Chinese character is about two.
    pub width: u8,
    pub cell: fn(&T) -> Cell,
}

/// The cells of one row.
pub fn cells<T>(columns: &[Column<T>], row: &T) -> Vec<Cell> {
    columns.iter().map(|column| (column.cell)(row)).collect()
}

/// An export that is being written. Dropped before [`finish`](Self::finish), it leaves nothing.
#[derive(Debug)]
pub struct Writer {
    rows: mpsc::Sender<Message>,
    thread: JoinHandle<Result<NamedTempFile, SheetError>>,
}

/// What stands above a column, and how wide it is.
type Headed = (Cow<'static, str>, u8);

#[derive(Debug)]
enum Message {
    Row(Vec<Cell>),
    Sheet { title: String, headings: Vec<Headed> },
    End,
}

impl Writer {
    /// Begins a workbook. Its temporary files lie in `folder`, which must be on a real disk; the title names the
    /// sheet.
    pub fn start<T>(folder: &Path, title: &str, columns: &[Column<T>]) -> Self {
        Self::headed(folder, title, columns.iter().map(|column| (column.heading, column.width)))
    }

    /// The same with headings and widths by themselves.
    pub fn headed<H: Into<Cow<'static, str>>>(
        folder: &Path,
        title: &str,
        headings: impl IntoIterator<Item = (H, u8)>,
    ) -> Self {
        let (folder, title, headings) = (folder.to_path_buf(), sheet_name(title), owned(headings));
        let (rows, waiting) = mpsc::channel(ROWS_WAITING);
        Self { rows, thread: spawn_blocking(move || write(&folder, &title, headings, waiting)) }
    }

    /// Adds a row, and waits while the disk is behind.
    pub async fn row(&mut self, cells: Vec<Cell>) -> Result<(), SheetError> {
        match self.rows.send(Message::Row(cells)).await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.failure().await),
        }
    }

    /// Ends the sheet and begins another, to which all further rows belong.
    pub async fn sheet<H: Into<Cow<'static, str>>>(
        &mut self,
        title: &str,
        headings: impl IntoIterator<Item = (H, u8)>,
    ) -> Result<(), SheetError> {
        let (title, headings) = (sheet_name(title), owned(headings));
        match self.rows.send(Message::Sheet { title, headings }).await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.failure().await),
        }
    }

    /// Packs the workbook; for a million rows that takes most of the time. The file disappears when it is dropped.
    pub async fn finish(mut self) -> Result<NamedTempFile, SheetError> {
        if self.rows.send(Message::End).await.is_err() {
            return Err(self.failure().await);
        }
        self.thread.await.map_err(SheetError::failed)?
    }

    /// Why the thread ended before it was told to.
    async fn failure(&mut self) -> SheetError {
        match (&mut self.thread).await {
            Ok(Err(error)) => error,
            Ok(Ok(_)) => SheetError::failed("the workbook was finished early"),
            Err(panic) => SheetError::failed(panic),
        }
    }
}

fn owned<H: Into<Cow<'static, str>>>(headings: impl IntoIterator<Item = (H, u8)>) -> Vec<Headed> {
    headings.into_iter().map(|(heading, width)| (heading.into(), width)).collect()
}

fn write(
    folder: &Path,
    title: &str,
    headings: Vec<Headed>,
    mut waiting: mpsc::Receiver<Message>,
) -> Result<NamedTempFile, SheetError> {
    let mut book = Book::new(folder, title, headings)?;
    loop {
        match waiting.blocking_recv() {
            Some(Message::Row(cells)) => book.row(&cells)?,
            Some(Message::Sheet { title, headings }) => book.another(&title, headings)?,
            Some(Message::End) => return book.save(),
            None => return Err(SheetError::failed("the export was abandoned")),
        }
    }
}

/// The workbook and where its next row goes.
struct Book {
    workbook: Workbook,
    folder: PathBuf,
    title: String,
    headings: Vec<Headed>,
    formats: Formats,
    sheets: usize,
    /// Sheets before those of the present title.
    former: usize,
    /// The next row's index in the current sheet; the heading is 0.
    next: u32,
}

impl Book {
    fn new(folder: &Path, title: &str, headings: Vec<Headed>) -> Result<Self, SheetError> {
        let mut workbook = Workbook::new();
        workbook.set_tempdir(folder)?;
        let (folder, title) = (folder.to_path_buf(), title.to_owned());
        let mut book =
            Self { workbook, folder, title, headings, formats: Formats::new(), sheets: 0, former: 0, next: 0 };
        book.begin_sheet()?;
        Ok(book)
    }

    fn row(&mut self, cells: &[Cell]) -> Result<(), SheetError> {
        if self.next > ROWS_PER_SHEET {
            self.end_sheet()?;
            self.begin_sheet()?;
        }
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        for (column, cell) in (0..).zip(cells) {
            put(sheet, self.next, column, cell, &self.formats)?;
        }
        self.next += 1;
        Ok(())
    }

    fn another(&mut self, title: &str, headings: Vec<Headed>) -> Result<(), SheetError> {
        self.end_sheet()?;
        self.former = self.sheets;
        title.clone_into(&mut self.title);
        self.headings = headings;
        self.begin_sheet()
    }

    /// Widths come before rows: a sheet of constant memory cannot go back.
    fn begin_sheet(&mut self) -> Result<(), SheetError> {
        self.sheets += 1;
        let sheet = self.workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(match self.sheets - self.former {
            1 => self.title.clone(),
            n => format!("{}({n})", self.title),
        })?;
        sheet.set_freeze_panes(1, 0)?;
        // On paper: A4 across, as wide as a page, the heading on each.
        sheet.set_paper_size(A4).set_landscape().set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
        for (column, (heading, width)) in (0..).zip(&self.headings) {
            sheet.set_column_width(column, *width)?;
            put_text(sheet, 0, column, heading, &self.formats.heading)?;
        }
        self.next = 1;
        Ok(())
    }

    fn end_sheet(&mut self) -> Result<(), SheetError> {
        if let Some(last) = self.headings.len().checked_sub(1) {
            let last = u16::try_from(last).map_err(SheetError::failed)?;
            let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
            sheet.autofilter(0, 0, self.next - 1, last)?;
        }
        Ok(())
    }

    fn save(mut self) -> Result<NamedTempFile, SheetError> {
        self.end_sheet()?;
        save(&mut self.workbook, &self.folder)
    }
}

/// Packs a workbook to a temporary file in the folder.
pub(super) fn save(workbook: &mut Workbook, folder: &Path) -> Result<NamedTempFile, SheetError> {
    let mut file = tempfile::Builder::new().suffix(".xlsx").tempfile_in(folder).map_err(SheetError::failed)?;
    workbook.save_to_writer(file.as_file_mut())?;
    Ok(file)
}

/// The formats of cells by kind.
pub(super) struct Formats {
    pub(super) heading: Format,
    pub(super) text: Format,
    pub(super) date: Format,
    pub(super) date_time: Format,
    /// Whole numbers, and numbers with one to four places.
    numbers: [Format; 5],
}

impl Formats {
    pub(super) fn new() -> Self {
        let number = |format: &str| Format::new().set_num_format(format);
        Self {
            heading: Format::new().set_bold().set_align(FormatAlign::Center).set_background_color("#E8F3FF"),
            text: number("@"),
            date: number("yyyy-mm-dd"),
            date_time: number("yyyy-mm-dd hh:mm:ss"),
            numbers: ["0", "0.0", "0.00", "0.000", "0.0000"].map(number),
        }
    }
}

fn put(sheet: &mut Worksheet, row: u32, column: u16, cell: &Cell, formats: &Formats) -> Result<(), XlsxError> {
    match cell {
        Cell::Text(text) => {
            put_text(sheet, row, column, text, &formats.text)?;
            sheet
        }
        Cell::Int(number) if number.unsigned_abs() >= INEXACT => {
            sheet.write_string_with_format(row, column, number.to_string(), &formats.text)?
        }
        Cell::Int(number) => sheet.write_number(row, column, *number as f64)?,
        Cell::Decimal(units, places) => {
            let number = *units as f64 / 10_f64.powi(i32::from(*places));
            let format = usize::from(*places).min(formats.numbers.len() - 1);
            sheet.write_number_with_format(row, column, number, &formats.numbers[format])?
        }
        Cell::Date(date) => {
            sheet.write_number_with_format(row, column, serial(date.and_time(Default::default())), &formats.date)?
        }
        Cell::DateTime(time) => {
            sheet.write_number_with_format(row, column, serial(time.naive_local()), &formats.date_time)?
        }
        Cell::Bool(yes) => sheet.write_string(row, column, if *yes { "是" } else { "否" })?,
        Cell::Empty => sheet,
    };
    Ok(())
}

/// Days since the spreadsheet's day zero.
pub(super) fn serial(time: NaiveDateTime) -> f64 {
    const UNIX_EPOCH: f64 = 25_569.0;
    UNIX_EPOCH + time.and_utc().timestamp() as f64 / 86_400.0
}

/// The text, cut to what a cell can hold.
pub(super) fn fitting(text: &str) -> &str {
    text.char_indices().nth(LONGEST_TEXT).map_or(text, |(end, _)| &text[..end])
}

/// A name that a sheet may have: without `[]:*?/\'`, and short enough for a number behind it.
pub(super) fn sheet_name(title: &str) -> String {
    let name: String = title.chars().filter(|sign| !"[]:*?/\\'".contains(*sign)).take(26).collect();
    if name.is_empty() { "Sheet".to_owned() } else { name }
}

impl From<XlsxError> for SheetError {
    fn from(error: XlsxError) -> Self {
        match error {
            // It names what caused the cause, and not the full disk itself.
            XlsxError::IoError(cause) => Self::failed(cause),
            other => Self::failed(other),
        }
    }
}

/// Writes a text. One that a spreadsheet may take for a formula is marked as text, as by somebody who types an apostrophe
/// before it: the mark outlives an edit of the cell.
///
/// All writers of text come through here; [`super::formula::typed`] is what an import makes of it again.
pub(super) fn put_text(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    text: &str,
    format: &Format,
) -> Result<(), XlsxError> {
    let text = told_apart(text);
    let text = fitting(&text);
    if is_formula_like(text) {
        sheet.write_string_with_format(row, column, text, &format.clone().set_quote_prefix())?;
    } else {
        sheet.write_string_with_format(row, column, text, format)?;
    }
    Ok(())
}
