//! Writing a dBASE table of text columns in GB18030, as national systems take it. Reading lies in [`super::foreign`].
//!
//! ```text
//! 0 kind │ 1 day │ 4 records │ 8 length of the head │ 10 length of a record │ 32 fields of 32 bytes … 0D │ records … 1A
//! field: 0 name, NUL-padded │ 11 type C │ 16 length      record: 20 alive │ fields, padded with blanks
//! ```

use std::io::Write;

use chrono::{Datelike, NaiveDate};
use encoding_rs::GB18030;

use crate::SheetError;

/// A column of text.
#[derive(Debug, Clone, Copy)]
pub struct DbfColumn {
    /// At most ten Latin letters.
    pub name: &'static str,
    /// In bytes of GB18030, in which a Chinese character is two or four.
    pub width: u8,
}

/// So many bytes a text takes.
pub fn width_of(text: &str) -> usize {
    GB18030.encode(text).0.len()
}

/// Writes a table whose values fit their columns.
///
/// # Errors
/// When the disk does not take it, or a value is wider than its column.
pub fn write(
    mut out: impl Write,
    day: NaiveDate,
    columns: &[DbfColumn],
    rows: &[Vec<String>],
) -> Result<(), SheetError> {
    let wrong = || SheetError::failed("the table does not fit its head");
    let record: usize = 1 + columns.iter().map(|column| usize::from(column.width)).sum::<usize>();
    let head = 32 + columns.len() * 32 + 1;
    let records = u32::try_from(rows.len()).map_err(SheetError::failed)?;
    let mut start = vec![0_u8; 32];
    start[0] = 0x03;
    start[1] = u8::try_from(day.year().rem_euclid(100)).map_err(SheetError::failed)?;
    start[2] = u8::try_from(day.month()).map_err(SheetError::failed)?;
    start[3] = u8::try_from(day.day()).map_err(SheetError::failed)?;
    start[4..8].copy_from_slice(&records.to_le_bytes());
    start[8..10].copy_from_slice(&u16::try_from(head).map_err(SheetError::failed)?.to_le_bytes());
    start[10..12].copy_from_slice(&u16::try_from(record).map_err(SheetError::failed)?.to_le_bytes());
    for column in columns {
        let mut field = [0_u8; 32];
        let name = column.name.as_bytes();
        field
            .get_mut(..name.len().min(10))
            .ok_or_else(wrong)?
            .copy_from_slice(name.get(..name.len().min(10)).ok_or_else(wrong)?);
        field[11] = b'C';
        field[16] = column.width;
        start.extend_from_slice(&field);
    }
    start.push(0x0D);
    out.write_all(&start).map_err(SheetError::failed)?;
    let mut line = Vec::with_capacity(record);
    for row in rows {
        line.clear();
        line.push(b' ');
        if row.len() != columns.len() {
            return Err(wrong());
        }
        for (column, text) in columns.iter().zip(row) {
            let bytes = GB18030.encode(text).0;
            let blanks = usize::from(column.width).checked_sub(bytes.len()).ok_or_else(wrong)?;
            line.extend_from_slice(&bytes);
            line.resize(line.len() + blanks, b' ');
        }
        out.write_all(&line).map_err(SheetError::failed)?;
    }
    out.write_all(&[0x1A]).map_err(SheetError::failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [DbfColumn; 2] = [DbfColumn { name: "XM", width: 8 }, DbfColumn { name: "XH", width: 4 }];

    fn table(rows: &[[&str; 2]]) -> Result<Vec<u8>, SheetError> {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(ToOwned::to_owned).to_vec()).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, "2026-03-20".parse().expect("a day"), &COLUMNS, &rows)?;
        Ok(bytes)
    }

    #[test]
    fn a_table_has_its_head_and_padded_records() {
        let bytes = table(&[["张三", "0001"], ["㐂", "2"]]).expect("a table");
        assert_eq!(bytes[..4], [0x03, 26, 3, 20]);
        assert_eq!(bytes[4..8], 2_u32.to_le_bytes());
        assert_eq!(bytes[8..12], [97, 0, 13, 0]);
        assert_eq!(&bytes[32..34], b"XM");
        assert_eq!(bytes[97..110], *b" \xD5\xC5\xC8\xFD    0001");
        assert_eq!(width_of("㐂"), 4, "a rare character takes four bytes");
        assert_eq!(bytes.last(), Some(&0x1A));
    }

    #[test]
    fn what_does_not_fit_is_not_cut() {
        assert!(table(&[["张三李四王", "1"]]).is_err());
    }
}
