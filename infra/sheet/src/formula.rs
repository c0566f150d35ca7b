//! Text that a spreadsheet may take for a formula: a name `=HYPERLINK(…)` that somebody typed must not run where somebody
//! else opens the export.
//!
//! ```text
//! workbook   =1+1   →   =1+1, marked as text        '=1+1   →   ''=1+1
//! CSV        =1+1   →   '=1+1                       '=1+1   →   ''=1+1
//! import     '=1+1  →   =1+1                        ''=1+1  →   '=1+1
//! ```
//! Both ways bring every text back as it was. The second apostrophe is for whoever really began a text with one.

use std::borrow::Cow;

/// Whether a cell that begins so may be taken for a formula.
pub fn is_formula_like(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

fn behind_apostrophes(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('\'');
    (rest.len() < text.len() && is_formula_like(rest)).then_some(rest)
}

/// The text for a workbook: it gets an apostrophe only when an import would take away one that belongs to it.
pub(super) fn told_apart(text: &str) -> Cow<'_, str> {
    match behind_apostrophes(text) {
        Some(_) => Cow::Owned(format!("'{text}")),
        None => Cow::Borrowed(text),
    }
}

/// The text for a CSV, which has no other mark than the apostrophe.
pub fn for_csv(text: &str) -> Cow<'_, str> {
    if is_formula_like(text) { Cow::Owned(format!("'{text}")) } else { told_apart(text) }
}

/// What was meant by the text of a cell.
pub(super) fn typed(text: &str) -> &str {
    if behind_apostrophes(text).is_some() { &text[1..] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_as_it_was() {
        for text in
            ["=1+1", "+86 138", "-", "@a", "\t=1", "\r=1", "＝1", "'=1", "''=1", "'a", "a=1", "1-1", "", "'", "张三"]
        {
            for written in [told_apart(text), for_csv(text)] {
                assert_eq!(typed(&written), text, "{written}");
            }
            assert!(!is_formula_like(&for_csv(text)), "{text}");
        }
    }
}
