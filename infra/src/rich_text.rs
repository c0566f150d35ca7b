//! Text with a few marks, as people write it in the console's editor.
//!
//! It is HTML that was cleaned when it came, so that what is stored may be shown as it is. [`TAGS`] is the whole of what it
//! can hold; the console's editor and view know the same tags. Where there is no markup (sheets, searches) stands its
//! [plain](RichText::plain) text.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::{Builder, UrlRelative};
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use regex::{Captures, Regex};
use serde_json::Value;
use sqlx::{
    Decode, Postgres,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

use crate::{Error, Result};

/// What stays; of everything else only the words do, and of scripts and styles nothing.
const TAGS: [&str; 13] = ["p", "br", "b", "i", "u", "strong", "em", "sub", "sup", "ul", "ol", "li", "a"];
/// The attributes that stay, by tag. Links lead to the web and nowhere else.
const ATTRIBUTES: [(&str, &str); 2] = [("a", "href"), ("ol", "start")];
const SCHEMES: [&str; 2] = ["http", "https"];
/// Bytes that a text may take for each character it may have; beyond them it is all markup.
const BYTES_A_CHARACTER: usize = 20;

/// Clean HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RichText(String);

impl RichText {
    /// What is left of HTML that somebody sent.
    pub fn cleaned(html: &str) -> Self {
        static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
            let attributes = ATTRIBUTES.map(|(tag, attribute)| (tag, HashSet::from([attribute])));
            let mut builder = Builder::default();
            builder
                .tags(HashSet::from(TAGS))
                .generic_attributes(HashSet::new())
                .tag_attributes(HashMap::from(attributes))
                .url_schemes(HashSet::from(SCHEMES))
                .url_relative(UrlRelative::Deny)
                .link_rel(Some("noopener noreferrer nofollow"));
            builder
        });
        Self(CLEANER.clean(html).to_string())
    }

    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The words, a line for each paragraph.
    pub fn plain(&self) -> String {
        static TAG: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r#"<(/?[a-z]+)(?:[^>"]|"[^"]*")*>"#).expect("a fixed pattern is right"));
        let bare = TAG.replace_all(&self.0, |tag: &Captures<'_>| match &tag[1] {
            "br" | "/p" | "/li" => "\n",
            _ => "",
        });
        // Named, because `Type` has an `is_empty` of its own.
        let lines: Vec<&str> = bare.lines().map(str::trim).filter(|line| !str::is_empty(line)).collect();
        // The cleaner writes these and no other entities; the ampersand comes last so that nothing is undone twice.
        let text = lines.join("\n").replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
        text.replace("&quot;", "\"").replace("&amp;", "&")
    }

    /// Whether it has no words.
    pub fn is_blank(&self) -> bool {
        self.plain().trim().is_empty()
    }

    /// # Errors
    /// 422 at the field of a text with more characters, marks not counted, or with far more marks than text.
    pub fn at_most(&self, field: &str, label: &str, most: usize) -> Result<()> {
        if self.plain().chars().count() > most {
            return Err(Error::field(field, format!("{label}不能超过{most}个字符")));
        }
        if self.0.len() > BYTES_A_CHARACTER * most {
            return Err(Error::field(field, format!("{label}的格式过多，请清除格式后重新排版")));
        }
        Ok(())
    }
}

impl Type for RichText {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "string_html".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "html")))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(self.as_raw_value().into_iter())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ParseFromJSON for RichText {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::String(html) => Ok(Self::cleaned(&html)),
            other => Err(ParseError::expected_type(other)),
        }
    }
}

impl ToJSON for RichText {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }
}

impl sqlx::Type<Postgres> for RichText {
    fn type_info() -> PgTypeInfo {
        <str as sqlx::Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <str as sqlx::Type<Postgres>>::compatible(ty)
    }
}

/// What is stored was cleaned before.
impl<'r> Decode<'r, Postgres> for RichText {
    fn decode(value: PgValueRef<'r>) -> std::result::Result<Self, BoxDynError> {
        <String as Decode<Postgres>>::decode(value).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(html: &str) -> String {
        RichText::cleaned(html).0
    }

    #[test]
    fn what_the_editor_writes_stays() {
        let written =
            "<p>本课<strong>重点</strong>：<u>极限</u>、x<sup>2</sup></p><ol start=\"3\"><li><p>导数</p></li></ol>";
        assert_eq!(kept(written), written);
        let link = "<p><a href=\"https://example.com/?a=1&amp;b=2\">大纲</a></p>";
        let rel = "<p><a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener noreferrer nofollow\">大纲</a></p>";
        assert_eq!(kept(link), rel);
        assert_eq!(kept(rel), rel, "cleaning again changes nothing");
    }

    #[test]
    fn scripts_handlers_styles_and_odd_links_go() {
        assert_eq!(
            kept("<p onclick=\"x()\" style=\"color:red\">请看<script>alert(1)</script>大纲</p>"),
            "<p>请看大纲</p>"
        );
        assert_eq!(kept("<a href=\"javascript:x()\">看</a>"), "<a rel=\"noopener noreferrer nofollow\">看</a>");
        assert_eq!(kept("<a href=\"/admin\">看</a>"), "<a rel=\"noopener noreferrer nofollow\">看</a>");
        assert_eq!(kept("<h1>标题</h1><img src=\"x\" onerror=\"x()\"><iframe src=\"//x\"></iframe>"), "标题");
        assert_eq!(kept("<svg><style><img src=x onerror=x()></style></svg>"), "");
    }

    #[test]
    fn words_are_read_without_markup() {
        let text = RichText::cleaned(
            "<p>A &lt; B &amp; C<br>见<a href=\"https://e.com/?x=>\">附件</a></p><ul><li>甲</li></ul>",
        );
        assert_eq!(text.plain(), "A < B & C\n见附件\n甲");
        assert_eq!(RichText::cleaned("<ul><li><p>语音</p></li></ul><a>大纲</a>").plain(), "语音\n大纲");
        assert_eq!(RichText::cleaned("<p>&amp;lt;</p>").plain(), "&lt;", "nothing is undone twice");
        assert!(RichText::cleaned("<p> </p><ul><li></li></ul>").is_blank());
        assert!(!text.is_blank());
    }

    #[test]
    fn marks_do_not_count_but_have_an_end() {
        let bold = RichText::cleaned("<p><strong>四个汉字</strong></p>");
        assert!(bold.at_most("introduction", "简介", 4).is_ok());
        let told = bold.at_most("introduction", "简介", 3).expect_err("one too many");
        assert_eq!((told.code, told.data[0]["message"].as_str()), (422, Some("简介不能超过3个字符")));
        let marks = RichText::cleaned(&format!("<p>{}字</p>", "<b></b>".repeat(100)));
        assert_eq!(marks.at_most("introduction", "简介", 4).expect_err("all markup").code, 422);
    }

    #[test]
    fn it_comes_as_json_and_is_clean_then() {
        let html = RichText::parse_from_json(Some(Value::from("<p>好<script>x</script></p>"))).expect("a text");
        assert_eq!(html.to_json(), Some(Value::from("<p>好</p>")));
        assert!(RichText::parse_from_json(Some(Value::from(1))).is_err());
    }
}
