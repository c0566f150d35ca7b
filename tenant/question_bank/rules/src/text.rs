//! The texts of questions: words with marks, tables, formulas and pictures, and how two of them are compared.
//!
//! HTML that was cleaned when it came. A formula is a `span` with its TeX in `data-tex`; a picture is an `img` that names the key of
//! its file in `data-key` and no address: addresses last some minutes, so views tell them beside the text.

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
use unicode_normalization::UnicodeNormalization;

/// What stays (part 03 A7), with what editors write for it; of everything else only the words do.
const TAGS: [&str; 19] = [
    "p", "br", "b", "strong", "i", "em", "u", "sub", "sup", "ul", "ol", "li", "img", "table", "tbody", "tr", "td",
    "th", "span",
];
/// Of one formula: whoever draws it goes as deep as it is nested.
const FORMULA_BYTES: usize = 2_000;
/// Bytes that a text may take for each character it may have.
const BYTES_A_CHARACTER: usize = 20;

/// Clean HTML of a question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QuestionText(String);

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern is right")
}

/// Where plain words name a picture.
fn place() -> &'static Regex {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{([^{}]+)\}\}"));
    &PLACE
}

/// The key of a file of the store.
fn is_key(text: &str) -> bool {
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^(public|private)(-\d+)?/(s\d+|platform)/\d{6}/[a-z0-9]{32}\.[a-z0-9]{1,8}$"));
    KEY.is_match(text)
}

impl QuestionText {
    /// What is left of HTML that somebody sent.
    pub fn cleaned(html: &str) -> Self {
        static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
            let attributes: HashMap<&str, HashSet<&str>> = HashMap::from([
                ("img", HashSet::from(["data-key", "alt", "width", "height"])),
                ("span", HashSet::from(["data-tex"])),
                ("td", HashSet::from(["colspan", "rowspan"])),
                ("th", HashSet::from(["colspan", "rowspan"])),
                ("ol", HashSet::from(["start"])),
            ]);
            let mut builder = Builder::default();
            builder
                .tags(HashSet::from(TAGS))
                .generic_attributes(HashSet::new())
                .tag_attributes(attributes)
                .url_schemes(HashSet::new())
                .url_relative(UrlRelative::Deny)
                .link_rel(None)
                .attribute_filter(|_, attribute, value| match attribute {
                    "data-key" => is_key(value).then_some(Cow::Borrowed(value)),
                    "data-tex" => (value.len() <= FORMULA_BYTES).then_some(Cow::Borrowed(value)),
                    "width" | "height" | "colspan" | "rowspan" | "start" => {
                        let small = value.len() <= 4 && value.bytes().all(|byte| byte.is_ascii_digit());
                        small.then_some(Cow::Borrowed(value))
                    }
                    _ => Some(Cow::Borrowed(value)),
                });
            builder
        });
        // A picture without its file shows nothing.
        static BARE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<img(?:[^>"]|"[^"]*")*>"#));
        let clean = CLEANER.clean(html).to_string();
        let kept = BARE.replace_all(&clean, |image: &Captures<'_>| {
            if image[0].contains(" data-key=\"") { image[0].to_owned() } else { String::new() }
        });
        Self(kept.into_owned())
    }

    /// Plain words as a text: a paragraph a line; `{{name}}` becomes the picture of that name where there is one.
    pub fn written(words: &str, pictures: &HashMap<String, String>) -> Self {
        let lines = words.lines().map(str::trim).filter(|line| !str::is_empty(line)).map(|line| {
            let safe = escaped(line);
            let line =
                place().replace_all(&safe, |place: &Captures<'_>| match pictures.get(&unescaped(place[1].trim())) {
                    Some(key) => format!("<img data-key=\"{key}\">"),
                    None => place[0].to_owned(),
                });
            format!("<p>{line}</p>")
        });
        Self(lines.collect())
    }

    /// The names in plain words for which [`Self::written`] looks for a picture.
    pub fn named(words: &str) -> Vec<String> {
        place().captures_iter(words).map(|place| place[1].trim().to_owned()).collect()
    }

    /// What was cleaned when it came, as it is stored.
    pub fn stored(html: String) -> Self {
        Self(html)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The words, a line for each paragraph; of a formula its TeX, of what is raised or lowered `10^2`, `a_(12)`.
    pub fn plain(&self) -> String {
        self.told(|_| String::new())
    }

    /// The same with something for each picture, by its key.
    pub fn told(&self, picture: impl Fn(&str) -> String) -> String {
        static FORMULA: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?s)<span data-tex="([^"]*)">.*?</span>"#));
        static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<(/?[a-z]+)((?:[^>"]|"[^"]*")*)>"#));
        let bare = FORMULA.replace_all(&self.0, |formula: &Captures<'_>| format!("${}$", &formula[1]));
        let mut text = String::with_capacity(bare.len());
        let mut marks: Vec<(char, usize)> = Vec::new();
        let mut read = 0;
        for tag in TAG.captures_iter(&bare) {
            let Some(whole) = tag.get(0) else { continue };
            text.push_str(&bare[read..whole.start()]);
            read = whole.end();
            match &tag[1] {
                "br" | "/p" | "/li" | "/tr" => text.push('\n'),
                "/td" | "/th" => text.push(' '),
                "img" => text.push_str(&key_of(&tag[2]).map(&picture).unwrap_or_default()),
                "sup" => marks.push(('^', text.len())),
                "sub" => marks.push(('_', text.len())),
                "/sup" | "/sub" => {
                    if let Some((sign, from)) = marks.pop() {
                        mark(&mut text, sign, from);
                    }
                }
                _ => {}
            }
        }
        text.push_str(&bare[read..]);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !str::is_empty(line)).collect();
        unescaped(&lines.join("\n"))
    }

    /// The keys of its pictures, in their order.
    pub fn keys(&self) -> Vec<String> {
        static IMAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<img((?:[^>"]|"[^"]*")*)>"#));
        IMAGE.captures_iter(&self.0).filter_map(|image| key_of(&image[1]).map(ToOwned::to_owned)).collect()
    }

    /// Whether it has neither words nor a picture.
    pub fn is_blank(&self) -> bool {
        self.plain().trim().is_empty() && self.keys().is_empty()
    }

    /// # Errors
    /// 422 at the field of a text with more characters, or with far more marks than text.
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

fn key_of(attributes: &str) -> Option<&str> {
    let (_, rest) = attributes.split_once("data-key=\"")?;
    rest.split_once('"').map(|(key, _)| key)
}

/// Writes what stands from there on as raised or lowered, so that 10² is not read as 102; several signs in brackets.
fn mark(text: &mut String, sign: char, from: usize) {
    let words = text.split_off(from);
    match unescaped(words.trim()).chars().count() {
        0 => text.push_str(&words),
        1 => {
            text.push(sign);
            text.push_str(words.trim());
        }
        _ => {
            text.push(sign);
            text.push('(');
            text.push_str(words.trim());
            text.push(')');
        }
    }
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Type for QuestionText {
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

impl ParseFromJSON for QuestionText {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::String(html) => Ok(Self::cleaned(&html)),
            other => Err(ParseError::expected_type(other)),
        }
    }
}

impl ToJSON for QuestionText {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }
}

impl sqlx::Type<Postgres> for QuestionText {
    fn type_info() -> PgTypeInfo {
        <str as sqlx::Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <str as sqlx::Type<Postgres>>::compatible(ty)
    }
}

/// What is stored was cleaned before.
impl<'r> Decode<'r, Postgres> for QuestionText {
    fn decode(value: PgValueRef<'r>) -> std::result::Result<Self, BoxDynError> {
        <String as Decode<Postgres>>::decode(value).map(Self)
    }
}

const fn is_cjk(sign: char) -> bool {
    matches!(sign, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// A Chinese sign of punctuation as the half-width one; NFKC has done it for those that are only wide.
const fn half_width(sign: char) -> char {
    match sign {
        '。' => '.',
        '、' => ',',
        '“' | '”' | '「' | '」' => '"',
        '‘' | '’' => '\'',
        '【' | '〔' => '[',
        '】' | '〕' => ']',
        '《' | '〈' => '<',
        '》' | '〉' => '>',
        '—' | '–' | '－' => '-',
        other => other,
    }
}

/// An answer as `loose` compares it: NFKC, trimmed, blanks folded and none between Chinese characters, half-width punctuation,
/// small letters (part 03 A7).
pub fn loose(text: &str) -> String {
    let signs: String = text.nfkc().map(half_width).collect();
    let words: Vec<&str> = signs.split_whitespace().collect();
    let mut folded = String::with_capacity(signs.len());
    for word in words {
        let meets = |before: Option<char>, after: Option<char>| before.is_some_and(is_cjk) && after.is_some_and(is_cjk);
        if !folded.is_empty() && !meets(folded.chars().next_back(), word.chars().next()) {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded.to_lowercase()
}

/// An answer as `exact` compares it: NFKC and trimmed.
pub fn exact(text: &str) -> String {
    text.nfkc().collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "private/s1/202611/0123456789abcdef0123456789abcdef.png";

    #[test]
    fn a_script_goes_and_what_a_question_needs_stays() {
        let stem = QuestionText::cleaned("<p>货币<script>alert(1)</script>的职能</p>");
        assert_eq!(stem.as_str(), "<p>货币的职能</p>");
        let written = format!(
            "<p>求<span data-tex=\"x^2\">x²</span></p><p><img data-key=\"{KEY}\" width=\"200\"></p><table><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table>"
        );
        let kept = QuestionText::cleaned(&written);
        assert_eq!(kept.as_str(), written);
        assert_eq!(kept.plain(), "求$x^2$\n甲 乙");
        assert_eq!(kept.keys(), [KEY]);
        assert_eq!(QuestionText::cleaned("<img src=\"https://e.com/x.png\" onerror=\"x()\">").as_str(), "");
        assert_eq!(QuestionText::cleaned("<img data-key=\"../../etc\">").as_str(), "");
        assert!(!QuestionText::cleaned(&format!("<img data-key=\"{KEY}\">")).is_blank());
        assert!(QuestionText::cleaned("<p> <b></b></p>").is_blank());
    }

    #[test]
    fn what_is_raised_or_lowered_is_not_read_as_digits() {
        let plain = |html: &str| QuestionText::cleaned(html).plain();
        assert_eq!(plain("<p>10<sup>2</sup>与102</p>"), "10^2与102");
        assert_eq!(plain("x<sup>n+1</sup>、a<sub>12</sub>、H<sub>2</sub>O"), "x^(n+1)、a_(12)、H_2O");
        assert_eq!(plain("2<sup>a<sub>i</sub></sup>"), "2^(a_i)");
        assert_eq!(plain("a<sup>&lt;</sup><sub> </sub>b<sup></sup>"), "a^< b");
        assert_ne!(loose(&plain("10<sup>2</sup>")), loose("102"));
    }

    #[test]
    fn words_become_paragraphs_and_names_pictures() {
        let pictures = HashMap::from([("media/a.png".to_owned(), KEY.to_owned())]);
        let text = QuestionText::written("若 a<b\n见{{media/a.png}}和{{没有}}", &pictures);
        assert_eq!(text.as_str(), format!("<p>若 a&lt;b</p><p>见<img data-key=\"{KEY}\">和{{{{没有}}}}</p>"));
        assert_eq!(text.told(|_| "{{1.png}}".to_owned()), "若 a<b\n见{{1.png}}和{{没有}}");
        assert_eq!(QuestionText::cleaned(text.as_str()), text, "cleaning again changes nothing");
        assert_eq!(QuestionText::named("见{{ media/a.png }}和{{没有}}"), ["media/a.png", "没有"]);
        let pictures = HashMap::from([("media/a&b.png".to_owned(), KEY.to_owned())]);
        assert_eq!(QuestionText::written("{{media/a&b.png}}", &pictures).keys(), [KEY]);
    }

    #[test]
    fn answers_are_compared_as_people_mean_them() {
        assert_eq!(loose(" ３．１５ "), "3.15");
        assert_eq!(loose("价值 尺度"), "价值尺度");
        assert_eq!(loose("New   York，北 京。"), "new york,北京.");
        assert_eq!(exact(" Ａbc  d "), "Abc  d");
    }
}
