//! A worksheet, read row by row.

use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use calamine::{Reader as _, Xlsx, XlsxError, open_workbook};

use super::SheetError;
use super::value::{Value, tidy};

/// Further columns than these are not looked at.
const MOST_COLUMNS: u32 = 256;
/// No spreadsheet has more rows.
const MOST_ROWS: u32 = 1_048_576;

/// Reads the sheet of this name, or else the first, and shows every row that has content: its number, where the first
/// is 1, and its cells by column, where the first is 0. The visitor may take the cells.
pub(super) fn each_row(
    path: &Path,
    title: &str,
    mut visit: impl FnMut(u32, &mut Vec<(u32, Value)>) -> Result<(), SheetError>,
) -> Result<(), SheetError> {
    let mut workbook: Xlsx<BufReader<File>> = read(|| open_workbook(path))?;
    let names = workbook.sheet_names();
    let name = names.iter().find(|name| *name == title).or(names.first()).cloned().ok_or(SheetError::NoHeadings)?;
    let mut reader = read(|| workbook.worksheet_cells_reader(&name))?;

    let mut cells = Vec::new();
    let mut current = 0;
    while let Some(cell) = read(|| reader.next_cell())? {
        let (row, column) = cell.get_position();
        if row >= MOST_ROWS {
            return Err(SheetError::NotAWorkbook);
        }
        if row != current {
            if !cells.is_empty() {
                visit(current + 1, &mut cells)?;
            }
            cells.clear();
            current = row;
        }
        if column < MOST_COLUMNS
            && let Some(value) = Value::from_cell(cell.get_value())
        {
            cells.push((column, value));
        }
    }
    if !cells.is_empty() {
        visit(current + 1, &mut cells)?;
    }
    Ok(())
}

/// A step of the reader. It counts rows and columns as the file names them, and panics where they are beyond its numbers:
/// such a file was made by no spreadsheet, and is refused as any other broken one.
fn read<T>(step: impl FnOnce() -> Result<T, XlsxError>) -> Result<T, SheetError> {
    // What the step has touched is dropped with the refusal.
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(outcome) => outcome.map_err(unreadable),
        Err(_) => {
            tracing::info!("an uploaded workbook ended its reader");
            Err(SheetError::NotAWorkbook)
        }
    }
}

/// The heading in a cell, as it is compared. A cell that is no text has none.
pub(super) fn heading(value: &Value) -> String {
    plain(&value.text().unwrap_or_default())
}

/// A heading without star and spaces.
pub(super) fn plain(heading: &str) -> String {
    tidy(heading).replace(['*', '＊', ' '], "")
}

fn unreadable(error: XlsxError) -> SheetError {
    match error {
        XlsxError::Io(error) if error.kind() != std::io::ErrorKind::InvalidData => SheetError::failed(error),
        error => {
            tracing::info!(%error, "an uploaded workbook cannot be read");
            SheetError::NotAWorkbook
        }
    }
}
