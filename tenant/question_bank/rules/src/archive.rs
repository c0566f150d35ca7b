//! 导入文本试题: a text, or an archive with the text and its pictures and audio (part 03 A7).

use std::{
    collections::{HashMap, HashSet},
    io::Read,
    path::{Path, PathBuf},
};

use encoding_rs::GB18030;
use infra::{Error, Result, migrate::hex};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::text_form::{Parsed, parse};
/// Extensions of files in an archive, with the types under which they are stored.
const MEDIA: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
];
/// Bytes of one file, of an archive unpacked, of a text.
const FILE_BYTES: u64 = 20 << 20;
const ARCHIVE_BYTES: u64 = 500 << 20;
const TEXT_BYTES: u64 = 20 << 20;
const FILES: usize = 10_000;

/// The files that came with a text: keys by their names, digests by their keys.
#[derive(Debug, Default)]
pub struct Media {
    pub keys: HashMap<String, String>,
    pub digests: HashMap<String, String>,
}

/// A file of an archive.
pub struct Packed {
    pub name: String,
    pub path: PathBuf,
    pub content_type: &'static str,
    pub sha256: String,
}

/// A text with the files beside it; they lie in a folder that goes with it.
pub struct Opened {
    pub parsed: Parsed,
    pub files: Vec<Packed>,
    _folder: Option<TempDir>,
}

impl Opened {
    /// The files as they would be stored: what a check needs to know of them.
    pub fn supposed(&self) -> Media {
        let mut media = Media::default();
        for file in &self.files {
            let mark = hex(&Sha256::digest(file.name.as_bytes()));
            let extension = file.name.rsplit('.').next().unwrap_or("bin").to_lowercase();
            let key = format!("private/s0/000000/{}.{extension}", &mark[..32]);
            media.digests.insert(key.clone(), file.sha256.clone());
            media.keys.insert(file.name.clone(), key);
        }
        media
    }
}

/// A text, or an archive that is unpacked within `folder`.
///
/// # Errors
/// 422 at `file` for what is neither, or too large.
pub fn read(path: &Path, folder: &Path) -> Result<Opened> {
    let mut file = std::fs::File::open(path).map_err(Error::of_disk)?;
    let mut head = [0; 4];
    let begun = file.read(&mut head).map_err(Error::of_disk)?;
    if begun == 4 && head == *b"PK\x03\x04" {
        return unpacked(path, folder);
    }
    if file.metadata().map_err(Error::of_disk)?.len() > TEXT_BYTES {
        return Err(Error::field("file", "文本不能超过20MB，请拆分后分批导入"));
    }
    let bytes = std::fs::read(path).map_err(Error::of_disk)?;
    Ok(Opened { parsed: parse(&decoded(&bytes)?), files: Vec::new(), _folder: None })
}

/// UTF-8, or else GB18030.
fn decoded(bytes: &[u8]) -> Result<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            let (text, _, broken) = GB18030.decode(bytes);
            if broken {
                return Err(Error::field("file", "无法识别文件的编码，请保存为UTF-8后重新上传"));
            }
            text.into_owned()
        }
    };
    if text.contains('\0') {
        return Err(Error::field("file", "文件不是文本，请上传 .txt 或 .zip 文件"));
    }
    Ok(text)
}

fn unpacked(path: &Path, folder: &Path) -> Result<Opened> {
    let odd = || Error::field("file", "压缩包无法打开，请重新压缩后上传");
    let file = std::fs::File::open(path).map_err(Error::of_disk)?;
    let mut archive = zip::ZipArchive::new(file).map_err(|_| odd())?;
    if archive.len() > FILES {
        return Err(Error::field("file", format!("压缩包中的文件不能超过{FILES}个")));
    }
    let place = tempfile::tempdir_in(folder).map_err(Error::of_disk)?;
    let (mut text, mut files, mut sum) = (None, Vec::new(), 0_u64);
    for number in 0..archive.len() {
        let entry = archive.by_index(number).map_err(|_| odd())?;
        let name = entry.name().map_err(|_| odd())?.replace('\\', "/");
        // What systems add by themselves.
        let own = name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        if entry.is_dir() || own {
            continue;
        }
        let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let most = if extension == "txt" { TEXT_BYTES } else { FILE_BYTES };
        let mut bytes = Vec::new();
        entry.take(most + 1).read_to_end(&mut bytes).map_err(|_| odd())?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        sum += size;
        if size > most {
            return Err(Error::field("file", format!("“{name}”超过20MB")));
        }
        if sum > ARCHIVE_BYTES {
            return Err(Error::field("file", "压缩包解压后不能超过500MB，请分批导入"));
        }
        if extension == "txt" {
            if text.replace(decoded(&bytes)?).is_some() {
                return Err(Error::field("file", "压缩包中只能有一个文本文件"));
            }
            continue;
        }
        let Some((_, content_type)) = MEDIA.iter().find(|(known, _)| *known == extension) else {
            return Err(Error::field("file", format!("不支持“{name}”，只能包含文本和 png、jpg、gif、mp3、m4a 文件")));
        };
        let path = place.path().join(number.to_string());
        std::fs::write(&path, &bytes).map_err(Error::of_disk)?;
        files.push(Packed { name, path, content_type, sha256: hex(&Sha256::digest(&bytes)) });
    }
    let text = text.ok_or_else(|| Error::field("file", "压缩包中没有文本文件"))?;
    let parsed = parse(&text);
    let wanted = named_in(&parsed, &text);
    files.retain(|file| wanted.contains(&file.name));
    Ok(Opened { parsed, files, _folder: Some(place) })
}

/// The files that a text names, so that nothing else is stored.
fn named_in(parsed: &Parsed, text: &str) -> HashSet<String> {
    let places =
        text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(name, _)| name.trim().to_owned()));
    let audio = parsed.groups.iter().filter_map(|group| group.head.audio.clone());
    places.chain(audio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_in_either_encoding() {
        assert_eq!(decoded("货币".as_bytes()).expect("UTF-8"), "货币");
        let (bytes, _, _) = GB18030.encode("货币");
        assert_eq!(decoded(&bytes).expect("GB18030"), "货币");
        assert!(decoded(b"a\0b").is_err());
    }

    fn archive(entries: &[(&str, &[u8])]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut writer = zip::ZipWriter::new(file.reopen().expect("the same file"));
        for (name, bytes) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            std::io::Write::write_all(&mut writer, bytes).expect("its bytes");
        }
        writer.finish().expect("an archive");
        file
    }

    #[test]
    fn an_archive_neither_swells_nor_leaves_its_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let read = |entries: &[(&str, &[u8])]| unpacked(archive(entries).path(), place.path());
        let refused = |entries: &[(&str, &[u8])]| match read(entries) {
            Ok(_) => String::new(),
            Err(error) => error.msg.into_owned(),
        };
        let text = "[判断题] 对吗{{../a.png}}\n【答案】对".as_bytes();
        // Nothing of it is large before it is unpacked.
        let large = vec![0; usize::try_from(FILE_BYTES).expect("a size") + 1];
        assert_eq!(refused(&[("a.txt", text), ("a.png", &large)]), "“a.png”超过20MB");
        assert!(refused(&[("a.txt", text), ("a.exe", b"MZ")]).starts_with("不支持“a.exe”"));
        assert_eq!(refused(&[("a.txt", text), ("b.txt", text)]), "压缩包中只能有一个文本文件");
        assert_eq!(refused(&[("media/a.png", b"1")]), "压缩包中没有文本文件");
        let kept = read(&[("a.txt", text), ("../a.png", b"1"), ("unnamed.png", b"2")]);
        let files = kept.map(|opened| opened.files).unwrap_or_default();
        assert_eq!(files.len(), 1, "only what the text names");
        assert!(files[0].path.starts_with(place.path()), "{:?}", files[0].path);
    }

    #[test]
    fn only_what_a_text_names_is_kept() {
        let text =
            "[听力题] 听录音{{media/a.png}}\n【音频】media/x.mp3\n【小题】[判断题] 对吗\n【答案】对\n【大题结束】";
        let mut names: Vec<String> = named_in(&parse(text), text).into_iter().collect();
        names.sort_unstable();
        assert_eq!(names, ["media/a.png", "media/x.mp3"]);
    }
}
