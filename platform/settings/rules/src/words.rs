//! The lines of a text file of words (01 §3.2.8), and the words of the 新增 page.

use std::collections::{HashMap, HashSet};

use encoding_rs::GB18030;
use infra::{Error, Result, sheet::RowError};

use crate::lexicon::{WordAction, WordCategory, fold};

const MOST_LINES: usize = 200_000;
const LONGEST: usize = 50;
/// An answer shows no more; the file is put right line by line anyway.
const MOST_ERRORS: usize = 1_000;

/// Words that are not yet known to exist, each spelling once.
#[derive(Debug, Default)]
pub struct Fresh {
    seen: HashSet<String>,
    pub words: Vec<String>,
    pub normals: Vec<String>,
    pub categories: Vec<&'static str>,
    pub actions: Vec<&'static str>,
}

impl Fresh {
    pub fn add(&mut self, word: &str, category: WordCategory, action: WordAction) {
        let normal = fold(word);
        if self.seen.insert(normal.clone()) {
            self.words.push(word.to_owned());
            self.normals.push(normal);
            self.categories.push(category.as_str());
            self.actions.push(action.as_str());
        }
    }
}

/// A file that was read line by line.
#[derive(Debug, Default)]
pub struct Parsed {
    pub total: i64,
    pub fresh: Fresh,
    pub errors: Vec<RowError>,
}

/// The text of a file, UTF-8 or GB18030; none in another encoding.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        Err(_) => GB18030.decode_without_bom_handling_and_without_replacement(bytes).map(std::borrow::Cow::into_owned),
    }
}

/// # Errors
/// 422 at `file` when there are too many lines. Wrong lines are no error but part of the answer.
pub fn parse(text: &str) -> Result<Parsed> {
    let categories: HashMap<&str, WordCategory> = WordCategory::CHOICES.iter().copied().collect();
    let actions: HashMap<&str, WordAction> = WordAction::CHOICES.iter().copied().collect();
    let mut parsed = Parsed::default();
    for (at, line) in text.lines().enumerate() {
        if at >= MOST_LINES {
            return Err(Error::field("file", "一次最多导入20万行，请拆分后分批导入"));
        }
        parsed.total += 1;
        if line.trim().is_empty() {
            continue;
        }
        match word_of(line, &categories, &actions) {
            Ok((word, category, action)) => parsed.fresh.add(word, category, action),
            Err((column, message)) if parsed.errors.len() < MOST_ERRORS => parsed.errors.push(RowError {
                row: u32::try_from(at + 1).unwrap_or(u32::MAX),
                column: column.to_owned(),
                message,
            }),
            Err(_) => {}
        }
    }
    Ok(parsed)
}

/// `word[⇥category[⇥action]]`; what is left out is 其他 and 拒绝.
fn word_of<'l>(
    line: &'l str,
    categories: &HashMap<&str, WordCategory>,
    actions: &HashMap<&str, WordAction>,
) -> Result<(&'l str, WordCategory, WordAction), (&'static str, String)> {
    let mut fields = line.split('\t').map(str::trim);
    let word = fields.next().unwrap_or_default();
    if word.chars().count() > LONGEST {
        return Err(("敏感词", format!("敏感词不能超过{LONGEST}个字符")));
    }
    if word.contains(char::is_control) {
        return Err(("敏感词", "敏感词含有无法保存的字符".to_owned()));
    }
    if fold(word).is_empty() {
        return Err(("敏感词", "敏感词须包含文字或数字".to_owned()));
    }
    let category = match fields.next().unwrap_or_default() {
        "" => WordCategory::Other,
        name => *categories.get(name).ok_or_else(|| ("分类", format!("没有“{name}”这个分类")))?,
    };
    let action = match fields.next().unwrap_or_default() {
        "" => WordAction::Reject,
        name => *actions.get(name).ok_or_else(|| ("处理方式", format!("没有“{name}”这种处理方式")))?,
    };
    Ok((word, category, action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_category_and_action_in_chinese() {
        let parsed = parse("赌博\t广告\t替换\n\n代考\n赌 博\n").expect("few lines");
        assert_eq!(parsed.total, 4);
        assert_eq!(parsed.fresh.words, ["赌博", "代考"]);
        assert_eq!(parsed.fresh.categories, ["ad", "other"]);
        assert_eq!(parsed.fresh.actions, ["mask", "reject"]);
        assert!(parsed.errors.is_empty());
    }

    #[test]
    fn wrong_lines_are_told_by_their_number() {
        let long = "长".repeat(60);
        let parsed = parse(&format!("好\n{long}\n赌博\t杂项\n！！\n")).expect("few lines");
        let told: Vec<(u32, &str)> = parsed.errors.iter().map(|error| (error.row, error.message.as_str())).collect();
        assert_eq!(told, [(2, "敏感词不能超过50个字符"), (3, "没有“杂项”这个分类"), (4, "敏感词须包含文字或数字")]);
    }

    #[test]
    fn both_encodings_are_known() {
        assert_eq!(decode("\u{feff}赌博".as_bytes()).as_deref(), Some("赌博"));
        assert_eq!(decode(&[0xb6, 0xc4, 0xb2, 0xa9]).as_deref(), Some("赌博"));
        assert_eq!(decode(&[0xff, 0xff, 0xff]), None);
    }
}
