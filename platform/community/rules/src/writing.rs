//! What learners write: how long it may be, what a reprint names, what stands in a list of it.

use infra::{Error, Result, RichText, naming::tidy};

use crate::enums::ArticleType;

/// Characters of a blog or a question, marks not counted.
pub const MOST: usize = 20_000;
/// Characters of a comment.
const COMMENT: usize = 500;
/// Characters of an answer.
const ANSWER: usize = 2_000;
/// Characters of a summary that nobody typed.
const SUMMARY: usize = 100;

/// # Errors
/// 422 at `title`, which is not blank.
pub fn titled(title: &str) -> Result<String> {
    let title = tidy(title);
    if title.is_empty() { Err(Error::field("title", "请填写标题")) } else { Ok(title) }
}

/// # Errors
/// 422 at `content` for a text without words, with too many of them, or all marks.
pub fn written(content: &RichText) -> Result<()> {
    if content.is_blank() {
        return Err(Error::field("content", "请填写内容"));
    }
    content.at_most("content", "内容", MOST)
}

/// A comment or an answer without blanks around it.
///
/// # Errors
/// 422 at `content` for an empty or too long text.
pub fn said(content: &str, answers: bool) -> Result<&str> {
    let (what, most) = if answers { ("回答", ANSWER) } else { ("评论", COMMENT) };
    let content = content.trim();
    if content.is_empty() || content.chars().count() > most {
        return Err(Error::field("content", format!("{what}应为1至{most}个字")));
    }
    Ok(content)
}

/// Where a reprint comes from; what is one's own has no source.
///
/// # Errors
/// 422 at `sourceUrl` for a reprint without one.
pub fn source(kind: ArticleType, url: Option<String>) -> Result<Option<String>> {
    match (kind, url) {
        (ArticleType::Original, _) => Ok(None),
        (ArticleType::Reprint, Some(url)) => Ok(Some(url)),
        (ArticleType::Reprint, None) => Err(Error::field("sourceUrl", "转载的文章请填写原文链接")),
    }
}

/// What was typed, or how the content begins.
pub fn summary(typed: Option<String>, content: &RichText) -> String {
    match typed.filter(|text| !text.trim().is_empty()) {
        Some(text) => tidy(&text),
        None => tidy(&content.plain()).chars().take(SUMMARY).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code<T>(outcome: Result<T>) -> Option<i32> {
        outcome.err().map(|error| error.code)
    }

    #[test]
    fn a_reprint_names_its_source() {
        let url = || Some("https://example.com/a".to_owned());
        assert_eq!(source(ArticleType::Original, url()), Ok(None));
        assert_eq!(source(ArticleType::Reprint, url()), Ok(url()));
        assert_eq!(code(source(ArticleType::Reprint, None)), Some(422));
    }

    #[test]
    fn a_text_has_words_and_an_end() {
        assert_eq!(code(written(&RichText::cleaned("<p> </p>"))), Some(422));
        assert_eq!(code(written(&RichText::cleaned("<p>学</p>"))), None);
        assert_eq!(code(written(&RichText::cleaned(&format!("<p>{}</p>", "学".repeat(MOST + 1))))), Some(422));
        assert_eq!(code(titled("  ")), Some(422));
        assert_eq!(titled(" 备考  心得 "), Ok("备考 心得".to_owned()));
        assert_eq!(said(" 好 ", false), Ok("好"));
        assert_eq!(code(said(&"学".repeat(501), false)), Some(422));
        assert_eq!(code(said(&"学".repeat(501), true)), None);
        assert_eq!(code(said(" ", true)), Some(422));
    }

    #[test]
    fn a_summary_that_nobody_typed_is_how_the_text_begins() {
        let content = RichText::cleaned(&format!("<p>{}</p>", "学".repeat(120)));
        assert_eq!(summary(None, &content).chars().count(), 100);
        assert_eq!(summary(Some(" 要点 ".to_owned()), &content), "要点");
    }
}
