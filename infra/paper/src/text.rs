//! Where lines end: Chinese may be broken between any two characters but those that punctuation binds; words of other
//! scripts and numbers stay whole.

use crate::face::FACE;

/// What does not begin a line.
const CLOSING: &str = "，。、；：？！）】》」』〉〕］｝”’…—·％‰℃～々ー";
/// What does not end one.
const OPENING: &str = "（【《「『〈〔［｛“‘￥";
/// A width that arithmetic alone makes too large.
const TOLERANCE: f32 = 0.01;

/// A line of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextLine {
    pub(crate) text: String,
    /// Without its indent, in ems.
    pub(crate) width: f32,
    /// In ems.
    pub(crate) indent: f32,
    /// Whether a paragraph ends with it.
    pub(crate) last: bool,
}

/// The lines of a text in `room` ems; the first of each paragraph begins `indent` ems later.
pub(crate) fn lines(text: &str, room: f32, indent: f32) -> Vec<TextLine> {
    let text = clean(text);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = Filling { lines: &mut lines, text: String::new(), indent };
        for unit in units(paragraph) {
            let shown = FACE.width(unit.trim_end_matches(' '));
            if line.reached() + shown <= room + TOLERANCE {
                line.text.push_str(unit);
                continue;
            }
            line.end(false);
            if shown <= room + TOLERANCE {
                line.text.push_str(unit);
                continue;
            }
            // Longer than a line.
            for sign in unit.chars() {
                if line.reached() + FACE.glyph(sign).1 > room + TOLERANCE {
                    line.end(false);
                }
                line.text.push(sign);
            }
        }
        line.end(true);
    }
    lines
}

struct Filling<'l> {
    lines: &'l mut Vec<TextLine>,
    text: String,
    indent: f32,
}

impl Filling<'_> {
    fn reached(&self) -> f32 {
        self.indent + FACE.width(&self.text)
    }

    /// Ends the line, if there is anything in it or its paragraph is over.
    fn end(&mut self, last: bool) {
        if self.text.is_empty() && !last {
            return;
        }
        let text = std::mem::take(&mut self.text).trim_end_matches(' ').to_owned();
        self.lines.push(TextLine { width: FACE.width(&text), text, indent: self.indent, last });
        self.indent = 0.0;
    }
}

/// Without what cannot be seen: control signs, marks of direction, selectors of variants.
fn clean(text: &str) -> String {
    text.chars().filter_map(seen).collect()
}

fn seen(sign: char) -> Option<char> {
    match sign {
        '\t' => Some(' '),
        '\n' => Some('\n'),
        '\u{AD}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' => None,
        '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}' => None,
        sign if sign.is_control() => None,
        sign => Some(sign),
    }
}

/// A paragraph in the pieces that stay in one line, each with the spaces behind it.
fn units(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = paragraph;
    std::iter::from_fn(move || {
        let mut signs = rest.char_indices();
        let (_, mut before) = signs.next()?;
        let end = signs.find_map(|(at, sign)| {
            let ends = may_end(before, sign);
            before = sign;
            ends.then_some(at)
        });
        let unit;
        (unit, rest) = rest.split_at(end.unwrap_or(rest.len()));
        Some(unit)
    })
}

/// Whether a line may end between two signs.
fn may_end(before: char, after: char) -> bool {
    if after == ' ' || CLOSING.contains(after) || OPENING.contains(before) {
        return false;
    }
    before == ' ' || stand_apart(before, after)
}

/// Whether two signs belong to no common word, so that room may be left between them.
pub(crate) fn stand_apart(before: char, after: char) -> bool {
    // The first of the Han, Kana, Hangul and full-width blocks.
    const WIDE: char = '\u{2E80}';
    before >= WIDE || after >= WIDE
}

/// Between how many signs of a line room may be left.
pub(crate) fn gaps(line: &str) -> usize {
    line.chars().zip(line.chars().skip(1)).filter(|(before, after)| stand_apart(*before, *after)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, room: f32, expected: &[&str]) {
        let found: Vec<String> = lines(text, room, 0.0).into_iter().map(|line| line.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn chinese_breaks_between_characters() {
        check("信息核对与审查", 3.0, &["信息核", "对与审", "查"]);
    }

    #[test]
    fn punctuation_neither_begins_nor_ends_a_line_wrongly() {
        check("已核对，无误。", 3.0, &["已核", "对，无", "误。"]);
        check("本科（会计）班", 3.0, &["本科", "（会", "计）班"]);
        check("完……", 3.0, &["完……"]);
    }

    #[test]
    fn words_and_numbers_stay_whole_while_they_fit() {
        check("学号 20260001 有效", 5.0, &["学号", "20260001", "有效"]);
        check("学号202600012026", 3.0, &["学号", "20260", "00120", "26"]);
    }

    #[test]
    fn paragraphs_end_where_they_were_ended() {
        let found = lines("一二三四\n五", 3.0, 2.0);
        let found: Vec<_> = found.iter().map(|line| (line.text.as_str(), line.indent, line.last)).collect();
        assert_eq!(found, [("一", 2.0, false), ("二三四", 0.0, true), ("五", 2.0, true)]);
    }

    #[test]
    fn a_room_narrower_than_a_letter_takes_one_each() {
        check("自我鉴定", 0.5, &["自", "我", "鉴", "定"]);
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        check("张\u{202E}伟\u{FE00}\r\t!", 9.0, &["张伟 !"]);
    }
}
