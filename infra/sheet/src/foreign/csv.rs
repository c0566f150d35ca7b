//! Comma-separated text in UTF-8, or in GB18030, which GBK is a part of.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};
use encoding_rs::{Encoding, GB18030, UTF_8};

use super::{Sink, text};
use crate::{SheetError, Value};

/// No sign of either encoding has a comma or a quote inside, so records are cut before they are decoded.
pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), SheetError> {
    let encoding = encoding(path)?;
    let mut number = 0;
    each(path, |record| {
        number += 1;
        sink.sheet_row(number, record.iter().map(|cell| value(encoding, cell)).collect())
    })
}

fn value(encoding: &'static Encoding, cell: &[u8]) -> Option<Value> {
    // The mark of UTF-8 goes with the decoding; so does what protects a text from being a formula.
    text(crate::formula::typed(&encoding.decode(cell).0))
}

/// UTF-8 when every record is.
fn encoding(path: &Path) -> Result<&'static Encoding, SheetError> {
    let mut utf8 = true;
    each(path, |record| {
        utf8 &= std::str::from_utf8(record.as_slice()).is_ok();
        Ok(())
    })?;
    Ok(if utf8 { UTF_8 } else { GB18030 })
}

fn each(path: &Path, mut visit: impl FnMut(&ByteRecord) -> Result<(), SheetError>) -> Result<(), SheetError> {
    let file = File::open(path).map_err(SheetError::failed)?;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(BufReader::new(file));
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(SheetError::failed)? {
        visit(&record)?;
    }
    Ok(())
}
