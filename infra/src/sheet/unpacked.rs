//! The guard against files that are small on the disk and endless when unpacked.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use zip::ZipArchive;

use super::{Limits, SheetError};

/// More parts than any workbook of ours or of a person has.
const MOST_PARTS: usize = 2_000;
/// Nothing that people type can be packed tighter than this, beyond the first megabytes.
const TIGHTEST: u64 = 100;
const TIGHTEST_FROM: u64 = 20 << 20;

/// Refuses a workbook that is too large, as its directory says, and then as it really is.
///
/// The directory can lie, so every part is unpacked once, into nothing, up to the limit. That costs about a second for
/// the largest file that passes.
pub(super) fn check(path: &Path, limits: Limits) -> Result<(), SheetError> {
    let file = File::open(path).map_err(SheetError::failed)?;
    let mut archive = ZipArchive::new(io::BufReader::new(file)).map_err(|_| SheetError::NotAWorkbook)?;
    if archive.len() > MOST_PARTS {
        return Err(SheetError::TooLarge);
    }
    let (mut packed, mut claimed) = (0_u64, 0_u64);
    for index in 0..archive.len() {
        let part = archive.by_index_raw(index).map_err(|_| SheetError::NotAWorkbook)?;
        packed = packed.saturating_add(part.compressed_size());
        claimed = claimed.saturating_add(part.size());
    }
    let tight = |unpacked: u64| unpacked > TIGHTEST_FROM && unpacked / packed.max(1) > TIGHTEST;
    if claimed > limits.unpacked || tight(claimed) {
        return Err(SheetError::TooLarge);
    }
    let mut unpacked = 0;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|_| SheetError::NotAWorkbook)?;
        let rest = limits.unpacked - unpacked;
        unpacked += io::copy(&mut part.take(rest + 1), &mut io::sink()).map_err(|_| SheetError::NotAWorkbook)?;
        if unpacked > limits.unpacked || tight(unpacked) {
            return Err(SheetError::TooLarge);
        }
    }
    Ok(())
}
