//! The words of an attachment: of a document of a word processor, a plain text, a PDF. Of anything else, and of what cannot be
//! read, none.

use std::io::{Cursor, Read};

use encoding_rs::{GB18030, UTF_8};
use regex::Regex;

/// Bytes of an attachment that is looked at, and of the document in it.
pub const MOST: usize = 20 << 20;
const UNPACKED: u64 = 50 << 20;
/// Pages of a PDF that are read.
const PAGES: usize = 200;

/// Characters of a file that are compared.
const LONGEST: usize = 100_000;

/// The words of a file of this name, as many as are compared.
pub fn words(name: &str, bytes: &[u8]) -> Option<String> {
    let kind = name.rsplit_once('.').map(|(_, kind)| kind.to_lowercase())?;
    let words = match kind.as_str() {
        "docx" => document(bytes),
        "txt" => Some(plain(bytes)),
        "pdf" => pages(bytes),
        _ => None,
    }?;
    Some(words.chars().take(LONGEST).collect())
}

fn document(bytes: &[u8]) -> Option<String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut xml = String::new();
    archive.by_name("word/document.xml").ok()?.take(UNPACKED).read_to_string(&mut xml).ok()?;
    let tag = Regex::new(r"<[^>]*>").ok()?;
    let lines = xml.replace("</w:p>", "\n").replace("<w:br/>", "\n").replace("<w:tab/>", " ");
    let text = tag.replace_all(&lines, "");
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    Some(text.replace("&amp;", "&"))
}

fn plain(bytes: &[u8]) -> String {
    let (text, _, wrong) = UTF_8.decode(bytes);
    if !wrong {
        return text.into_owned();
    }
    GB18030.decode(bytes).0.into_owned()
}

fn pages(bytes: &[u8]) -> Option<String> {
    let document = lopdf::Document::load_mem(bytes).ok()?;
    let numbers: Vec<u32> = document.get_pages().keys().copied().take(PAGES).collect();
    document.extract_text(&numbers).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_document_tells_its_words() {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).expect("a file");
        let xml = "<w:document><w:p><w:t>价值尺度 &amp; 流通</w:t></w:p><w:p><w:t>手段</w:t></w:p></w:document>";
        writer.write_all(xml.as_bytes()).expect("written");
        let bytes = writer.finish().expect("an archive").into_inner();
        assert_eq!(words("作业.docx", &bytes).as_deref(), Some("价值尺度 & 流通\n手段\n"));
        assert_eq!(words("作业.docx", b"no archive"), None);
        assert_eq!(words("作业.zip", &bytes), None);
        let long = words("a.txt", "价".repeat(LONGEST + 1).as_bytes()).map(|words| words.chars().count());
        assert_eq!(long, Some(LONGEST));
    }

    #[test]
    fn a_text_is_read_in_either_encoding() {
        assert_eq!(words("a.txt", "价值".as_bytes()).as_deref(), Some("价值"));
        let (bytes, _, _) = GB18030.encode("价值尺度");
        assert_eq!(words("a.TXT", &bytes).as_deref(), Some("价值尺度"));
        assert_eq!(words("a.pdf", b"%PDF-1.4 broken"), None);
    }
}
