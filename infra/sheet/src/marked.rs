use std::collections::HashMap;
use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, Worksheet};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

use super::export::{Formats, put_text, save, serial, sheet_name};
use super::source::{each_row, heading, plain};
use super::value::Value;
use super::{ERROR_HEADING, RowError, SheetError};

const ERROR_WIDTH: u8 = 48;
const WIDTH: u8 = 16;

/// Copies the sheet that was imported, with a first column that says what is wrong in each row, and with the wrong
/// cells in red. `title` is the template's; rows keep their numbers. The copy is a temporary file in `folder`, and can
/// be corrected and imported again.
pub async fn mark_errors(
    original: &Path,
    title: &str,
    errors: Vec<RowError>,
    folder: &Path,
) -> Result<NamedTempFile, SheetError> {
    let (original, title, folder) = (original.to_path_buf(), title.to_owned(), folder.to_path_buf());
    spawn_blocking(move || copy(&original, &title, &errors, &folder)).await.map_err(SheetError::failed)?
}

fn copy(original: &Path, title: &str, errors: &[RowError], folder: &Path) -> Result<NamedTempFile, SheetError> {
    let mut by_row: HashMap<u32, Vec<&RowError>> = HashMap::new();
    for error in errors {
        by_row.entry(error.row).or_default().push(error);
    }
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder)?;
    let pens = Pens::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(sheet_name(title))?.set_freeze_panes(1, 1)?.set_column_width(0, ERROR_WIDTH)?;

    // Column and heading in the original, from the left; the column of an earlier copy's errors is left out.
    let mut headings: Vec<(u32, String)> = Vec::new();
    each_row(original, title, |number, cells| {
        let row = number - 1;
        if number == 1 {
            headings = cells.iter().map(|(column, value)| (*column, heading(value))).collect();
            headings.retain(|(_, name)| name != ERROR_HEADING);
            for (column, _) in &headings {
                sheet.set_column_width(place(*column)?, WIDTH)?;
            }
            sheet.write_string_with_format(0, 0, ERROR_HEADING, &pens.usual.heading)?;
        }
        let wrong = by_row.get(&number).map(Vec::as_slice).unwrap_or_default();
        if !wrong.is_empty() {
            let told: Vec<String> = wrong.iter().map(|error| told(error)).collect();
            put_text(sheet, row, 0, &told.join("；"), &pens.told)?;
        }
        let wrong: Vec<String> = wrong.iter().map(|error| plain(&error.column)).collect();
        // Empty wrong cells are red too, so the columns come from the headings and not from the cells.
        for (column, name) in &headings {
            let value = cells.iter().find(|(at, _)| at == column).map(|(_, value)| value);
            let (target, wrong) = (place(*column)?, wrong.contains(name));
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

/// The column of the copy for a column of the original.
fn place(column: u32) -> Result<u16, SheetError> {
    u16::try_from(column + 1).map_err(SheetError::failed)
}

fn told(error: &RowError) -> String {
    if error.column.is_empty() { error.message.clone() } else { format!("{}：{}", error.column, error.message) }
}

/// The formats of the copy.
struct Pens {
    usual: Formats,
    told: Format,
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
