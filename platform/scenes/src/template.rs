//! `{{name}}` in texts: which names stand there, what they become, how long a short message is (05 D3). No logic, no loops.

use std::{collections::BTreeMap, sync::LazyLock};

use infra::{Error, Result};
use poem_openapi::Object;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::enums::Channel;

/// A name that a scene gives values for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Object)]
pub struct Variable {
    /// 变量名
    /// 字母、数字和下划线，以字母开头
    #[oai(validator(max_length = 40, pattern = "^[A-Za-z][A-Za-z0-9_]*$"))]
    pub name: String,
    /// 变量说明
    #[oai(validator(max_length = 40))]
    pub label: String,
    /// 示例
    #[oai(validator(max_length = 100))]
    pub sample: String,
}

/// What every scene has: name, label and sample.
const COMMON: [(&str, &str, &str); 4] = [
    ("name", "姓名", "张晓梅"),
    ("school", "院校", "东湖示范学院"),
    ("date", "日期", "2026-03-01"),
    ("link", "链接", "/messages"),
];

/// Names that would carry what no message may (ID numbers, whole phone numbers, passwords), in small letters without
/// underscores.
const SENSITIVE: [&str; 8] =
    ["idcard", "idcardno", "idno", "identityno", "phone", "mobile", "password", "initialpassword"];

/// Whether a message may not carry a value of this name. `managerPhone` is an office's number and may be told.
pub fn is_sensitive(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    SENSITIVE.contains(&plain.as_str()) || plain.contains("password") || plain.contains("idcard")
}

/// The longest short message after rendering, in characters.
pub const SMS_MOST: usize = 500;
/// The longest value of a WeChat field, in characters.
const WECHAT_MOST: usize = 20;

/// Names with values.
pub type Values = BTreeMap<String, String>;

/// The samples of a scene, with those that every scene has.
pub fn samples(variables: &[Variable]) -> Values {
    let common = COMMON.iter().map(|(name, _, sample)| ((*name).to_owned(), (*sample).to_owned()));
    common.chain(variables.iter().map(|variable| (variable.name.clone(), variable.sample.clone()))).collect()
}

/// The names that a scene's templates may use.
pub fn known_names(variables: &[Variable]) -> Vec<String> {
    samples(variables).into_keys().collect()
}

fn placeholder() -> &'static Regex {
    static PLACEHOLDER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{\{([^{}]*)\}\}").expect("a fixed pattern is right"));
    &PLACEHOLDER
}

/// The names of a text in their order, each once.
pub fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in placeholder().captures_iter(text).map(|capture| capture[1].to_owned()) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// How a value enters a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    Html,
    Plain,
}

impl Escape {
    pub const fn of(channel: Channel) -> Self {
        match channel {
            Channel::InApp | Channel::Mail => Self::Html,
            Channel::Sms | Channel::Wechat | Channel::AppPush => Self::Plain,
        }
    }
}

/// The text with its values; a missing one is empty.
pub fn render(text: &str, values: &Values, escape: Escape) -> String {
    placeholder()
        .replace_all(text, |capture: &regex::Captures<'_>| {
            let value = values.get(&capture[1]).map_or("", String::as_str);
            match escape {
                Escape::Html => escaped(value),
                Escape::Plain => value.to_owned(),
            }
        })
        .into_owned()
}

/// Text as HTML shows it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How many segments a short message counts: 70 characters are one, longer ones are cut into 67 (05 D3).
pub fn segments(text: &str) -> i32 {
    let length = text.chars().count();
    let count = if length <= 70 { 1 } else { length.div_ceil(67) };
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The fields of a WeChat message: the provider's field → text.
///
/// # Errors
/// 422 at `content` when it is no map of texts.
pub fn wechat_fields(content: &str) -> Result<BTreeMap<String, String>> {
    serde_json::from_str(content)
        .map_err(|_| Error::field("content", "公众号模板的内容应为JSON对象，例如{\"thing1\":\"{{course}}\"}"))
}

/// The fields with their values, each at most twenty characters.
pub fn wechat_rendered(content: &str, values: &Values) -> Result<BTreeMap<String, String>> {
    let cut = |text: String| {
        if text.chars().count() <= WECHAT_MOST {
            return text;
        }
        text.chars().take(WECHAT_MOST - 1).chain(['…']).collect()
    };
    Ok(wechat_fields(content)?
        .into_iter()
        .map(|(field, text)| (field, cut(render(&text, values, Escape::Plain))))
        .collect())
}

/// What a template says to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub title: String,
    pub content: String,
    /// Of sms; else 0.
    pub segments: i32,
    /// What the provider's own template is filled with.
    pub values: Value,
}

/// A template's title and content in a channel, with values.
pub fn rendered(channel: Channel, title: &str, content: &str, values: &Values) -> Result<Rendered> {
    let escape = Escape::of(channel);
    let (text, filled) = match channel {
        Channel::Wechat => {
            let fields = wechat_rendered(content, values)?;
            let lines: Vec<&str> = fields.values().map(String::as_str).collect();
            (lines.join("\n"), serde_json::json!(fields))
        }
        Channel::Sms => {
            let in_order: Vec<[String; 2]> = names(content)
                .into_iter()
                .map(|name| {
                    let value = values.get(&name).cloned().unwrap_or_default();
                    [name, value]
                })
                .collect();
            (render(content, values, escape), serde_json::json!(in_order))
        }
        _ => (render(content, values, escape), Value::Null),
    };
    Ok(Rendered {
        title: render(title, values, Escape::Plain),
        segments: if channel == Channel::Sms { segments(&text) } else { 0 },
        content: text,
        values: filled,
    })
}

/// Whether a template may be kept: every name known, none sensitive, not too long with the samples.
///
/// # Errors
/// 422 with the first name that may not stand there.
pub fn check(channel: Channel, title: &str, content: &str, variables: &[Variable]) -> Result<()> {
    let known = known_names(variables);
    for (field, text) in [("title", title), ("content", content)] {
        for name in names(text) {
            if is_sensitive(&name) {
                return Err(Error::field(field, format!("模板不能包含敏感变量：{name}")));
            }
            if !known.contains(&name) {
                return Err(Error::field(field, format!("模板包含未定义变量：{name}")));
            }
        }
    }
    let shown = rendered(channel, title, content, &samples(variables))?;
    if channel == Channel::Sms && shown.content.chars().count() > SMS_MOST {
        return Err(Error::field("content", format!("短信按示例填充后不能超过{SMS_MOST}个字符")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> Vec<Variable> {
        vec![Variable { name: "course".to_owned(), label: "课程".to_owned(), sample: "会计学原理".to_owned() }]
    }

    fn values(pairs: &[(&str, &str)]) -> Values {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// 05 D3: 70 → 1, 71 → 2, 134 → 2, 135 → 3.
    #[test]
    fn segments_of_the_worked_lengths() {
        let count = |length: usize| segments(&"字".repeat(length));
        assert_eq!([70, 71, 134, 135].map(count), [1, 2, 2, 3]);
    }

    #[test]
    fn a_value_is_escaped_in_html_and_plain_in_a_short_message() {
        let given = values(&[("course", "C<1>&\"2\"")]);
        assert_eq!(render("《{{course}}》", &given, Escape::Html), "《C&lt;1&gt;&amp;&quot;2&quot;》");
        assert_eq!(render("《{{course}}》{{none}}", &given, Escape::Plain), "《C<1>&\"2\"》");
    }

    #[test]
    fn unknown_and_sensitive_names_are_refused() {
        let told =
            |content: &str| check(Channel::InApp, "通知", content, &course()).map_err(|error| error.msg.into_owned());
        assert_eq!(told("{{name}}：{{course}} {{link}}"), Ok(()));
        assert_eq!(told("{{stuName}}"), Err("模板包含未定义变量：stuName".to_owned()));
        assert_eq!(told("{{idCardNo}}"), Err("模板不能包含敏感变量：idCardNo".to_owned()));
        assert_eq!(told("{{id_card_no}}"), Err("模板不能包含敏感变量：id_card_no".to_owned()));
        assert_eq!(told("{{newPassword}}"), Err("模板不能包含敏感变量：newPassword".to_owned()));
        assert_eq!(told("{{a b}}"), Err("模板包含未定义变量：a b".to_owned()));
    }

    #[test]
    fn a_short_message_is_measured_with_its_samples() {
        let long = format!("{}{{{{course}}}}", "字".repeat(496));
        assert!(check(Channel::Sms, "通知", &long, &course()).is_err());
        assert!(check(Channel::Sms, "通知", &"字".repeat(500), &course()).is_ok());
    }

    #[test]
    fn wechat_fields_are_cut_at_twenty_characters() {
        let shown = rendered(
            Channel::Wechat,
            "通知",
            r#"{"thing1":"{{course}}"}"#,
            &values(&[("course", "一二三四五六七八九十一二三四五六七八九十一")]),
        )
        .expect("a map");
        assert_eq!(shown.content, "一二三四五六七八九十一二三四五六七八九…");
        assert!(rendered(Channel::Wechat, "通知", "not a map", &Values::new()).is_err());
    }

    #[test]
    fn parameters_of_a_short_message_come_in_the_templates_order() {
        let shown =
            rendered(Channel::Sms, "", "{{b}}、{{a}}、{{b}}", &values(&[("a", "1"), ("b", "2")])).expect("rendered");
        assert_eq!(shown.values, serde_json::json!([["b", "2"], ["a", "1"]]));
    }
}
