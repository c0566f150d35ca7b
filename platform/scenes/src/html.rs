//! HTML of messages: cleaned before it is kept, as text where a channel has no markup.

use std::{collections::HashSet, sync::LazyLock};

use ammonia::Builder;
use regex::Regex;

/// What a message may contain: text, lists, tables, links, pictures; no script, no style, no frame.
pub fn cleaned(html: &str) -> String {
    static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
        let mut builder = Builder::default();
        builder
            .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
            .link_rel(Some("noopener noreferrer nofollow"));
        builder
    });
    CLEANER.clean(html).to_string()
}

/// The words of a message, a line for each paragraph.
pub fn text_of(html: &str) -> String {
    static BREAKS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)<br\s*/?>|</(p|div|li|tr|h[1-6])\s*>").expect("a fixed pattern is right"));
    static TEXT: LazyLock<Builder<'static>> = LazyLock::new(Builder::empty);
    let broken = BREAKS.replace_all(html, "\n");
    let bare = TEXT.clean(&broken).to_string();
    let lines: Vec<&str> = bare.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let plain = lines.join("\n");
    // The cleaner writes these and no other entities; the ampersand comes last so that nothing is undone twice.
    plain.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_handlers_go_words_stay() {
        let kept = cleaned("<p onclick=\"x()\">请于<b>3月1日</b>前缴费<script>alert(1)</script></p>");
        assert_eq!(kept, "<p>请于<b>3月1日</b>前缴费</p>");
        assert_eq!(cleaned("<a href=\"javascript:x()\">看</a>"), "<a rel=\"noopener noreferrer nofollow\">看</a>");
    }

    #[test]
    fn paragraphs_become_lines() {
        assert_eq!(text_of("<p>各位同学：</p><p>A &lt; B &amp; C<br>见附件</p>"), "各位同学：\nA < B & C\n见附件");
    }
}
