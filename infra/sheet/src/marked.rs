use std::collections::HashMap;
use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, Worksheet};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

use super::export::{Formats, put_text, save, serial, sheet_name};
use super::foreign::Table;
use super::source::{each_row, heading, plain};
use super::value::Value;
use super::{ERROR_HEADING, Limits, RowError, SheetError, WARNING_HEADING, is_added};

const ERROR_WIDTH: u8 = 48;
const WIDTH: u8 = 16;

/// Copies the sheet that was imported, with a first column that says what is wrong in each row, and with the wrong
/// cells in red; where there are warnings, a second column tells them. `title` is the template's; rows keep their
/// numbers. The copy is a temporary file in `folder`, and can be corrected and imported again.
pub async fn mark_rows(
    original: &Path,
    title: &str,
    errors: Vec<RowError>,
    warnings: Vec<RowError>,
    folder: &Path,
) -> Result<NamedTempFile, SheetError> {
    let (original, title, folder) = (original.to_path_buf(), title.to_owned(), folder.to_path_buf());
    let work = move || {
        let rows = |visit: &mut Visit<'_>| each_row(&original, &title, visit);
        copy(&title, &errors, &warnings, &folder, rows)
    };
    spawn_blocking(work).await.map_err(SheetError::failed)?
}

/// The same of a table of another maker, which becomes a workbook; `name` is the file's.
pub async fn mark_table(
    original: &Path,
    name: &str,
    title: &str,
    errors: Vec<RowError>,
    warnings: Vec<RowError>,
    folder: &Path,
) -> Result<NamedTempFile, SheetError> {
    let mut table = Table::open(original, name, Limits::default()).await?;
    let (title, folder) = (title.to_owned(), folder.to_path_buf());
    let work = move || {
        let rows = |visit: &mut Visit<'_>| {
            let headings = table.columns.iter().map(|name| Some(Value::Text(name.clone())));
            visit(1, &mut placed(headings))?;
            while let Some(batch) = table.blocking_next()? {
                for row in batch {
                    visit(row.number, &mut placed(row.into_cells()))?;
                }
            }
            Ok(())
        };
        copy(&title, &errors, &warnings, &folder, rows)
    };
    spawn_blocking(work).await.map_err(SheetError::failed)?
}

/// What is done with a row: its number, and its cells by column.
type Visit<'v> = dyn FnMut(u32, &mut Vec<(u32, Value)>) -> Result<(), SheetError> + 'v;

fn placed(cells: impl IntoIterator<Item = Option<Value>>) -> Vec<(u32, Value)> {
    (0..).zip(cells).filter_map(|(column, cell)| cell.map(|cell| (column, cell))).collect()
}

fn by_row(notes: &[RowError]) -> HashMap<u32, Vec<&RowError>> {
    let mut by_row: HashMap<u32, Vec<&RowError>> = HashMap::new();
    for note in notes {
        by_row.entry(note.row).or_default().push(note);
    }
    by_row
}

fn copy(
    title: &str,
    errors: &[RowError],
    warnings: &[RowError],
    folder: &Path,
    each: impl FnOnce(&mut Visit<'_>) -> Result<(), SheetError>,
) -> Result<NamedTempFile, SheetError> {
    let (wrong_rows, warned_rows) = (by_row(errors), by_row(warnings));
    // How many columns stand before the first of the original, whose columns close up.
    let added = if warnings.is_empty() { 1 } else { 2 };
    let place = |at: usize| u16::try_from(at + added).map_err(SheetError::failed);
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder)?;
    let pens = Pens::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(sheet_name(title))?.set_freeze_panes(1, 1)?.set_column_width(0, ERROR_WIDTH)?;
    if added > 1 {
        sheet.set_column_width(1, ERROR_WIDTH)?;
    }

    // Column and heading in the original, from the left; the columns of an earlier copy are left out.
    let mut headings: Vec<(u32, String)> = Vec::new();
    each(&mut |number, cells| {
        let row = number - 1;
        if number == 1 {
            headings = cells.iter().map(|(column, value)| (*column, heading(value))).collect();
            headings.retain(|(_, name)| !is_added(name));
            for at in 0..headings.len() {
                sheet.set_column_width(place(at)?, WIDTH)?;
            }
            sheet.write_string_with_format(0, 0, ERROR_HEADING, &pens.usual.heading)?;
            if added > 1 {
                sheet.write_string_with_format(0, 1, WARNING_HEADING, &pens.usual.heading)?;
            }
        }
        let wrong = wrong_rows.get(&number).map(Vec::as_slice).unwrap_or_default();
        for (column, notes) in [(0, wrong), (1, warned_rows.get(&number).map(Vec::as_slice).unwrap_or_default())] {
            if !notes.is_empty() {
                let told: Vec<String> = notes.iter().map(|note| told(note)).collect();
                put_text(sheet, row, column, &told.join("；"), if column == 0 { &pens.told } else { &pens.warned })?;
            }
        }
        let wrong: Vec<String> = wrong.iter().map(|error| plain(&error.column)).collect();
        // Empty wrong cells are red too, so the columns come from the headings and not from the cells.
        for (at, (column, name)) in headings.iter().enumerate() {
            let value = cells.iter().find(|(of, _)| of == column).map(|(_, value)| value);
            let (target, wrong) = (place(at)?, wrong.contains(name));
            match value {
                Some(value) if number == 1 => {
                    let text = value.text().unwrap_or_default();
                    put_text(sheet, row, target, &text, &pens.usual.heading)?;
                }
                Some(value) => pens.write(sheet, row, target, value, wrong)?,
                None if wrong => {
                    sheet.write_blank(row, target, &pens.red)?;
                }
                None => {}
            }
        }
        Ok(())
    })?;
    save(&mut workbook, folder)
}

fn told(note: &RowError) -> String {
    if note.column.is_empty() { note.message.clone() } else { format!("{}：{}", note.column, note.message) }
}

/// The formats of the copy.
struct Pens {
    usual: Formats,
    told: Format,
    warned: Format,
    red: Format,
    red_number: Format,
    red_date: Format,
}

impl Pens {
    fn new() -> Self {
        let red = |format: &str| {
            Format::new().set_num_format(format).set_background_color("#FFC7CE").set_font_color("#9C0006")
        };
        Self {
            usual: Formats::new(),
            told: Format::new().set_font_color("#D8000C"),
            warned: Format::new().set_font_color("#8A5A00"),
            red: red("@"),
            red_number: red("General"),
            red_date: red("yyyy-mm-dd"),
        }
    }

    fn write(
        &self,
        sheet: &mut Worksheet,
        row: u32,
        column: u16,
        value: &Value,
        wrong: bool,
    ) -> Result<(), SheetError> {
        match value {
            Value::Number(number) if wrong => sheet.write_number_with_format(row, column, *number, &self.red_number)?,
            Value::Number(number) => sheet.write_number(row, column, *number)?,
            Value::Time(time) => {
                let format = if wrong { &self.red_date } else { &self.usual.date };
                sheet.write_number_with_format(row, column, serial(*time), format)?
            }
            other => {
                let text = other.text().unwrap_or_default();
                let format = if wrong { &self.red } else { &self.usual.text };
                put_text(sheet, row, column, &text, format)?;
                sheet
            }
        };
        Ok(())
    }
}
