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
/// The list of a workbook's texts is read as a whole, so it may not have more XML tags than this: about two million
/// texts, which is what 100,000 rows of 20 columns can hold.
const MOST_TAGS: usize = 10_000_000;
/// The attribute that says how many texts there are. The reader reserves memory for as many unseen, and running out of
/// it would end the whole server.
const COUNT: &[u8] = b"uniqueCount";
/// The longest number that the attribute may have, in digits.
const COUNT_DIGITS: usize = 7;

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
        let name = part.name().map_err(|_| SheetError::NotAWorkbook)?;
        let holds_texts = name.to_ascii_lowercase().ends_with("sharedstrings.xml");
        let mut part = part.take(limits.unpacked - unpacked + 1);
        unpacked += if holds_texts {
            check_texts(&mut part)?
        } else {
            io::copy(&mut part, &mut io::sink()).map_err(|_| SheetError::NotAWorkbook)?
        };
        if unpacked > limits.unpacked || tight(unpacked) {
            return Err(SheetError::TooLarge);
        }
    }
    Ok(())
}

/// Reads the list of texts to its end, and refuses one that would take much more memory than its size.
fn check_texts(part: &mut impl Read) -> Result<u64, SheetError> {
    /// What is kept of the former chunk, so that an attribute on the border is seen whole.
    const OVERLAP: usize = 32;
    let mut buffer = vec![0; 64 << 10];
    let (mut kept, mut size, mut tags) = (0, 0, 0);
    loop {
        let read = part.read(&mut buffer[kept..]).map_err(|_| SheetError::NotAWorkbook)?;
        let fresh = &buffer[kept..kept + read];
        tags += fresh.iter().filter(|byte| **byte == b'<').count();
        // A zero byte is another encoding, in which the attribute would look different.
        if tags > MOST_TAGS || fresh.contains(&0) {
            return Err(SheetError::TooLarge);
        }
        size += read as u64;
        let end = kept + read;
        // At the end of the list everything is looked at; before, only what surely is followed by enough bytes.
        let seen = if read == 0 { end } else { end.saturating_sub(OVERLAP) };
        let named = |at: &usize| buffer[*at] == COUNT[0] && buffer[*at..end].starts_with(COUNT);
        if (0..seen).filter(named).any(|at| !is_modest(&buffer[at + COUNT.len()..end])) {
            return Err(SheetError::TooLarge);
        }
        if read == 0 {
            return Ok(size);
        }
        buffer.copy_within(seen..end, 0);
        kept = end - seen;
    }
}

/// Whether what follows the attribute's name is `="` and a number of few digits.
fn is_modest(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b"=\"").or_else(|| rest.strip_prefix(b"='")) else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits <= COUNT_DIGITS && matches!(rest.get(digits), Some(b'"' | b'\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a few bytes at a time, so that borders fall everywhere.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(3).min(self.0.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn a_boast_about_the_number_of_texts_is_refused() {
        for modest in ["", r#"<sst count="9" uniqueCount="2000000"><si><t>a</t></si></sst>"#, "<sst uniqueCount='7'/>"]
        {
            assert_eq!(check_texts(&mut Slow(modest.as_bytes())).unwrap(), modest.len() as u64);
        }
        for boast in [
            r#"<sst uniqueCount="1000000000000"/>"#,
            r#"<sst uniqueCount = "1000000000000"/>"#,
            r#"<sst uniqueCount="+100000000000"/>"#,
            r#"<sst><!-- --> <sst uniqueCount="99999999"#,
            "<\0s\0s\0t\0",
        ] {
            assert!(check_texts(&mut Slow(boast.as_bytes())).is_err(), "{boast}");
        }
        assert!(check_texts(&mut "<si/>".repeat(MOST_TAGS + 1).as_bytes()).is_err());
    }
}
