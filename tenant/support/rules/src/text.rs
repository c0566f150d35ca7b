//! The texts of articles: words with marks, headings, lists, links and pictures.
//!
//! HTML that was cleaned when it came, so that what is stored may be shown as it is. Beside what every rich text may hold
//! ([`infra::RichText`]) an article has headings, from which its table of contents is made, and pictures: an `img` names the key of a
//! public picture of the store in `data-key` and no address, for a store may move; views tell the addresses beside the text.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::{Builder, UrlRelative};
use infra::{Error, Result};
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

/// What stays; of everything else only the words do, and of scripts and styles nothing.
const TAGS: [&str; 16] =
    ["p", "br", "b", "i", "u", "strong", "em", "sub", "sup", "ul", "ol", "li", "a", "h2", "h3", "img"];
const SCHEMES: [&str; 2] = ["http", "https"];
/// Characters of the HTML of one text.
const MOST: usize = 100_000;

/// Clean HTML of an article.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArticleText(String);

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern is right")
}

/// The key of a public picture of the store.
fn is_key(text: &str) -> bool {
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^public(-\d+)?/(platform|s\d+)/\d{6}/[a-z0-9]{32}\.(png|jpg|jpeg|gif)$"));
    KEY.is_match(text)
}

impl ArticleText {
    /// What is left of HTML that somebody sent.
    pub fn cleaned(html: &str) -> Self {
        static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
            let attributes: HashMap<&str, HashSet<&str>> = HashMap::from([
                ("a", HashSet::from(["href"])),
                ("img", HashSet::from(["data-key", "alt", "width"])),
                ("ol", HashSet::from(["start"])),
            ]);
            let mut builder = Builder::default();
            builder
                .tags(HashSet::from(TAGS))
                .generic_attributes(HashSet::new())
                .tag_attributes(attributes)
                .url_schemes(HashSet::from(SCHEMES))
                .url_relative(UrlRelative::Deny)
                .link_rel(Some("noopener noreferrer nofollow"))
                .attribute_filter(|_, attribute, value| match attribute {
                    "data-key" => is_key(value).then_some(Cow::Borrowed(value)),
                    "width" | "start" => {
                        let small = value.len() <= 4 && value.bytes().all(|byte| byte.is_ascii_digit());
                        small.then_some(Cow::Borrowed(value))
                    }
                    _ => Some(Cow::Borrowed(value)),
                });
            builder
        });
        // A picture without its file shows nothing.
        let clean = CLEANER.clean(html).to_string();
        let kept = picture().replace_all(&clean, |image: &Captures<'_>| {
            if key_of(&image[1]).is_some() { image[0].to_owned() } else { String::new() }
        });
        Self(kept.into_owned())
    }

    /// Plain words as a text: a paragraph a line.
    pub fn written(words: &str) -> Self {
        let lines = words.lines().map(str::trim).filter(|line| !str::is_empty(line));
        Self(lines.map(|line| format!("<p>{}</p>", escaped(line))).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The words, a line for each paragraph and heading.
    pub fn plain(&self) -> String {
        static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<(/?[a-z0-9]+)(?:[^>"]|"[^"]*")*>"#));
        let bare = TAG.replace_all(&self.0, |tag: &Captures<'_>| match &tag[1] {
            "br" | "/p" | "/li" | "/h2" | "/h3" => "\n",
            _ => "",
        });
        let lines: Vec<&str> = bare.lines().map(str::trim).filter(|line| !str::is_empty(line)).collect();
        unescaped(&lines.join("\n"))
    }

    /// The keys of its pictures, each once, in their order.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for image in picture().captures_iter(&self.0) {
            if let Some(key) = key_of(&image[1]).filter(|key| !keys.iter().any(|known| known == key)) {
                keys.push(key.to_owned());
            }
        }
        keys
    }

    /// Whether it has neither words nor a picture.
    pub fn is_blank(&self) -> bool {
        self.plain().trim().is_empty() && self.keys().is_empty()
    }

    /// # Errors
    /// 422 at the field of a text of more than 100,000 characters, or without words and pictures.
    pub fn check(&self, field: &str, label: &str) -> Result<()> {
        if self.is_blank() {
            return Err(Error::field(field, format!("{label}不能为空")));
        }
        if self.0.chars().count() > MOST {
            return Err(Error::field(field, format!("{label}不能超过{MOST}个字符，请删减或清除格式")));
        }
        Ok(())
    }
}

fn picture() -> &'static Regex {
    static IMAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<img((?:[^>"]|"[^"]*")*)>"#));
    &IMAGE
}

fn key_of(attributes: &str) -> Option<&str> {
    let (_, rest) = attributes.split_once(" data-key=\"")?;
    rest.split_once('"').map(|(key, _)| key)
}

fn unescaped(text: &str) -> String {
    // The cleaner writes these and no other entities; the ampersand comes last so that nothing is undone twice.
    let text = text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Type for ArticleText {
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

impl ParseFromJSON for ArticleText {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::String(html) => Ok(Self::cleaned(&html)),
            other => Err(ParseError::expected_type(other)),
        }
    }
}

impl ToJSON for ArticleText {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }
}

impl sqlx::Type<Postgres> for ArticleText {
    fn type_info() -> PgTypeInfo {
        <str as sqlx::Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <str as sqlx::Type<Postgres>>::compatible(ty)
    }
}

/// What is stored was cleaned before.
impl<'r> Decode<'r, Postgres> for ArticleText {
    fn decode(value: PgValueRef<'r>) -> std::result::Result<Self, BoxDynError> {
        <String as Decode<Postgres>>::decode(value).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "public/platform/202611/0123456789abcdef0123456789abcdef.png";

    fn kept(html: &str) -> String {
        ArticleText::cleaned(html).0
    }

    /// 05 B8 scenario 7.
    #[test]
    fn handlers_scripts_and_odd_links_go() {
        assert_eq!(kept("<p>报名<img src=\"x\" onerror=\"alert(1)\">步骤</p>"), "<p>报名步骤</p>");
        assert_eq!(kept("<a href=\"javascript:x()\">看</a>"), "<a rel=\"noopener noreferrer nofollow\">看</a>");
        assert_eq!(kept("<script>x()</script><h1>大标题</h1><p style=\"color:red\">字</p>"), "大标题<p>字</p>");
        assert_eq!(kept(&format!("<img data-key=\"{KEY}\" onerror=\"x()\">")), format!("<img data-key=\"{KEY}\">"));
        assert_eq!(kept("<img data-key=\"private/s1/202611/0123456789abcdef0123456789abcdef.png\">"), "");
        assert_eq!(kept("<img data-key=\"../../etc/passwd.png\">"), "");
    }

    #[test]
    fn what_the_editor_writes_stays() {
        let written = format!(
            "<h2>如何缴费</h2><p>请在<strong>3月15日</strong>前缴费</p><ol start=\"2\"><li><p>登录</p></li></ol><p><img data-key=\"{KEY}\" alt=\"步骤\" width=\"400\"></p>"
        );
        let text = ArticleText::cleaned(&written);
        assert_eq!(text.as_str(), written);
        assert_eq!(ArticleText::cleaned(text.as_str()), text, "cleaning again changes nothing");
        assert_eq!(text.plain(), "如何缴费\n请在3月15日前缴费\n登录");
        assert_eq!(text.keys(), [KEY]);
    }

    #[test]
    fn a_text_has_words_or_a_picture() {
        for blank in ["", "<p> </p>", "<p><b></b></p><ul><li></li></ul>"] {
            let refused = ArticleText::cleaned(blank).check("content", "正文").expect_err("blank");
            assert_eq!((refused.code, refused.msg.as_ref()), (422, "正文不能为空"), "{blank}");
        }
        assert!(ArticleText::cleaned(&format!("<img data-key=\"{KEY}\">")).check("content", "正文").is_ok());
        let long = ArticleText::cleaned(&format!("<p>{}</p>", "长".repeat(MOST)));
        assert!(long.check("content", "正文").expect_err("too long").msg.starts_with("正文不能超过100000个字符"));
    }

    #[test]
    fn plain_words_become_paragraphs() {
        assert_eq!(ArticleText::written("若 a<b\n\n 则 c&d ").as_str(), "<p>若 a&lt;b</p><p>则 c&amp;d</p>");
        assert_eq!(ArticleText::written("若 a<b").plain(), "若 a<b");
    }

    #[test]
    fn it_comes_as_json_and_is_clean_then() {
        let html = ArticleText::parse_from_json(Some(Value::from("<p>好<script>x</script></p>"))).expect("a text");
        assert_eq!(html.to_json(), Some(Value::from("<p>好</p>")));
        assert!(ArticleText::parse_from_json(Some(Value::from(1))).is_err());
    }
}
