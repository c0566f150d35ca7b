//! dBASE and FoxPro tables, as the provincial authorities send them.
//!
//! ```text
//! 0 kind │ 4 records │ 8 length of the head │ 10 length of a record │ 32 fields of 32 bytes … 0D │ records … 1A
//! field: 0 name, NUL-padded │ 11 type │ 16 length │ 17 places      record: 20 alive or 2A deleted │ fields, padded
//! ```

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use encoding_rs::GB18030;

use super::{Sink, text};
use crate::SheetError;

struct Field {
    name: String,
    length: usize,
}

pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), SheetError> {
    let mut file = BufReader::new(File::open(path).map_err(SheetError::failed)?);
    let mut start = [0; 32];
    file.read_exact(&mut start).map_err(|_| SheetError::UnknownFormat)?;
    let records = u32::from_le_bytes([start[4], start[5], start[6], start[7]]);
    let head = usize::from(u16::from_le_bytes([start[8], start[9]]));
    let length = usize::from(u16::from_le_bytes([start[10], start[11]]));
    let mut rest = vec![0; head.checked_sub(32).ok_or(SheetError::UnknownFormat)?];
    file.read_exact(&mut rest).map_err(|_| SheetError::UnknownFormat)?;
    let fields = fields(&rest);
    if fields.is_empty() || fields.iter().map(|field| field.length).sum::<usize>() + 1 != length {
        return Err(SheetError::UnknownFormat);
    }
    sink.begin(fields.iter().map(|field| field.name.clone()).collect())?;
    let mut record = vec![0; length];
    for number in 1..=records {
        if file.read_exact(&mut record).is_err() {
            return Err(SheetError::Cut(number - 1, records));
        }
        if record[0] == b'*' {
            continue;
        }
        let mut cells = Vec::with_capacity(fields.len());
        let mut from = 1;
        for field in &fields {
            let bytes = &record[from..from + field.length];
            from += field.length;
            let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or(bytes);
            // GBK and GB2312 are parts of GB18030.
            cells.push(text(&GB18030.decode_without_bom_handling(bytes).0));
        }
        // Below the heading, as a spreadsheet shows it.
        sink.row(number + 1, cells)?;
    }
    Ok(())
}

fn fields(head: &[u8]) -> Vec<Field> {
    head.chunks_exact(32)
        .take_while(|field| field[0] != 0x0D)
        .map(|field| {
            let name = field[..11].split(|byte| *byte == 0).next().unwrap_or(&[]);
            // A text of FoxPro has the higher byte of its length in the place of the decimals.
            let higher = if field[11] == b'C' { usize::from(field[17]) * 256 } else { 0 };
            Field { name: crate::value::tidy(&GB18030.decode(name).0), length: usize::from(field[16]) + higher }
        })
        .collect()
}
