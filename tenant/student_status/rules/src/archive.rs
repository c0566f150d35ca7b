//! The zip that photos come in: checked as a whole before anything is unpacked, and read one picture at a time.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use zip::ZipArchive;

const MOST_PACKED: u64 = 1 << 30;
const MOST_ENTRIES: usize = 20_000;
const MOST_UNPACKED: u64 = 4 << 30;
const TIGHTEST: u64 = 100;

/// A file of the archive that may be a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub index: usize,
    /// Without the folders it lay in.
    pub name: String,
    /// The number that names the student, in upper case; none when the extension is not that of a picture.
    pub number: Option<String>,
}

pub type Archive = ZipArchive<BufReader<File>>;

/// Opens an archive and lists what may be pictures.
///
/// # Errors
/// Why the archive is refused as a whole.
pub fn open(path: &Path) -> Result<(Archive, Vec<Entry>), &'static str> {
    let unreadable = |_| "不是有效的zip文件";
    let file = File::open(path).map_err(|_| unreadable(()))?;
    let packed = file.metadata().map_err(|_| unreadable(()))?.len();
    if packed > MOST_PACKED {
        return Err("超过1GB");
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| unreadable(()))?;
    if archive.len() > MOST_ENTRIES {
        return Err("文件超过20000个");
    }
    let mut entries = Vec::new();
    let mut unpacked = 0_u64;
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|_| unreadable(()))?;
        if file.encrypted() {
            return Err("已加密");
        }
        unpacked = unpacked.saturating_add(file.size());
        if unpacked > MOST_UNPACKED {
            return Err("解压后超过4GB");
        }
        if let Some(entry) = entry(index, file.name_raw(), file.is_dir()) {
            entries.push(entry);
        }
    }
    // A few small files are packed as tightly as they like.
    if unpacked > 1 << 20 && unpacked / packed.max(1) > TIGHTEST {
        return Err("压缩比超过100");
    }
    Ok((archive, entries))
}

/// The file of a raw name; folders, hidden files and what a Mac adds are none.
fn entry(index: usize, raw: &[u8], is_dir: bool) -> Option<Entry> {
    let path = String::from_utf8_lossy(raw);
    let mut parts = path.split(['/', '\\']);
    let name = parts.next_back()?;
    if is_dir || name.is_empty() || name.starts_with('.') || parts.any(|folder| folder == "__MACOSX") {
        return None;
    }
    let number = name.rsplit_once('.').and_then(|(number, extension)| {
        let picture = ["jpg", "jpeg", "png"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        picture.then(|| number.trim().to_uppercase())
    });
    Some(Entry { index, name: name.to_owned(), number })
}

/// Unpacks a file up to `most` bytes and one more, whatever the directory says of its size.
pub fn unpack(archive: &mut Archive, index: usize, most: usize) -> Option<Vec<u8>> {
    let file = archive.by_index(index).ok()?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    fn packed(files: usize, bytes: &[u8]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for n in 0..files {
            writer.start_file(format!("{n}.jpg"), SimpleFileOptions::default()).expect("an entry");
            writer.write_all(bytes).expect("its bytes");
        }
        writer.finish().expect("an archive").into_inner()
    }

    /// How many files these bytes have, or why they are refused.
    fn opened(name: &str, bytes: &[u8]) -> Result<usize, &'static str> {
        let path = std::env::temp_dir().join(format!("student_status_rules-{}-{name}.zip", std::process::id()));
        std::fs::write(&path, bytes).expect("a file");
        let outcome = open(&path).map(|(_, entries)| entries.len());
        std::fs::remove_file(&path).expect("the same file");
        outcome
    }

    /// 02 §9.8: what an archive may be.
    #[test]
    fn an_archive_is_refused_as_a_whole() {
        let mut one = packed(1, b"a picture");
        assert_eq!(opened("one", &one), Ok(1));
        assert_eq!(opened("none", b"no archive"), Err("不是有效的zip文件"));
        assert_eq!(opened("many", &packed(20_000, b"")), Ok(20_000));
        assert_eq!(opened("more", &packed(20_001, b"")), Err("文件超过20000个"));
        // Two megabytes of nothing take some two thousand bytes.
        assert_eq!(opened("tight", &packed(1, &vec![0_u8; 2 << 20])), Err("压缩比超过100"));
        // An entry says that it is encrypted in the first bit of its flags, and so does the directory of it.
        one[6] |= 1;
        let directory = one.windows(4).position(|word| word == b"PK\x01\x02").expect("the directory");
        one[directory + 8] |= 1;
        assert_eq!(opened("locked", &one), Err("已加密"));
    }

    fn found(raw: &str) -> Option<(String, Option<String>)> {
        entry(0, raw.as_bytes(), raw.ends_with('/')).map(|entry| (entry.name, entry.number))
    }

    #[test]
    fn only_the_basename_counts() {
        let number = |raw| found(raw).and_then(|(_, number)| number);
        assert_eq!(number("../../26420101150001.jpg").as_deref(), Some("26420101150001"));
        assert_eq!(number("照片\\一班\\11010519491231002x.JPEG").as_deref(), Some("11010519491231002X"));
        assert_eq!(number("/etc/26304120070023.Png").as_deref(), Some("26304120070023"));
        assert_eq!(found("../../x.jpg"), Some(("x.jpg".to_owned(), Some("X".to_owned()))));
        assert_eq!(found("名单.xlsx"), Some(("名单.xlsx".to_owned(), None)));
        assert_eq!(found("Thumbs"), Some(("Thumbs".to_owned(), None)));
    }

    #[test]
    fn folders_and_hidden_files_are_ignored() {
        for ignored in ["一班/", "__MACOSX/._26420101150001.jpg", "__MACOSX/x.jpg", "a/.DS_Store", ".jpg", ""] {
            assert_eq!(found(ignored), None, "{ignored}");
        }
    }
}
