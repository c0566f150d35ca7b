//! A worksheet, read row by row.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Reader as _, Xlsx, XlsxError, open_workbook};

use super::SheetError;
use super::value::{Value, tidy};

/// Further columns than these are not looked at.
const MOST_COLUMNS: u32 = 256;

/// Reads the sheet of this name, or else the first, and shows every row that has content: its number, where the first
/// is 1, and its cells by column, where the first is 0. The visitor may take the cells.
pub(super) fn each_row(
    path: &Path,
    title: &str,
    mut visit: impl FnMut(u32, &mut Vec<(u32, Value)>) -> Result<(), SheetError>,
) -> Result<(), SheetError> {
    let mut workbook: Xlsx<BufReader<File>> = open_workbook(path).map_err(unreadable)?;
    let names = workbook.sheet_names();
    let name = names.iter().find(|name| *name == title).or(names.first()).cloned().ok_or(SheetError::NoHeadings)?;
    let mut reader = workbook.worksheet_cells_reader(&name).map_err(unreadable)?;

    let mut cells = Vec::new();
    let mut current = 0;
    while let Some(cell) = reader.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
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
