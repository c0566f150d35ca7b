//! Workbooks that are sent in, and what is read in those that come out.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use serde_json::Value;

use crate::{Answer, Client};

pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Uploads a filled-in sheet to the import of an entity.
pub async fn import(client: &Client<'_>, entity: &str, headings: &[&str], rows: &[&[&str]]) -> Answer {
    client.upload(&format!("{entity}/import"), "file", "导入.xlsx", XLSX, &sheet(headings, rows)).await
}

/// The wrong rows of an import or of its job, as `row column: message`.
pub fn row_errors(data: &Value) -> Vec<String> {
    let errors = data["errors"].as_array().expect("errors");
    errors
        .iter()
        .map(|e| {
            format!("{} {}: {}", e["row"], e["column"].as_str().unwrap_or(""), e["message"].as_str().unwrap_or(""))
        })
        .collect()
}

/// The texts of a workbook's first sheet, row by row.
pub fn texts(workbook: &[u8]) -> Vec<Vec<String>> {
    texts_of(workbook, 0)
}

/// The cells of the sheet at this place, from 0.
pub fn texts_of(workbook: &[u8], sheet: usize) -> Vec<Vec<String>> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(workbook)).expect("a workbook");
    let range = book.worksheet_range_at(sheet).expect("a sheet").expect("cells");
    let text = |cell: &Data| match cell {
        Data::Empty => String::new(),
        other => other.to_string(),
    };
    range.rows().map(|row| row.iter().map(text).collect()).collect()
}

/// A workbook with one sheet.
pub fn sheet(headings: &[&str], rows: &[&[&str]]) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (line, row) in std::iter::once(&headings).chain(rows).enumerate() {
        for (column, text) in row.iter().enumerate() {
            sheet.write_string(line as u32, column as u16, *text).expect("a cell");
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}
