//! The content of a config on its way in and out: checked as its kind wants it, its secrets taken out and sealed
//! (01 §3.2.1).

use std::{borrow::Cow, collections::BTreeMap};

use infra::{App, Error, FieldError, Result, body};
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::{Map, Value, json};

use crate::kinds::{
    AliyunVideoConfig, BaijiayunConfig, ConfigKind, MailConfig, PolyvConfig, PushConfig, SmsConfig, StorageConfig,
    WebsiteConfig, WechatConfig,
};

/// A secret shorter than this would be known by the four characters that are shown.
const LEAST_FOR_TAIL: usize = 8;
const TAIL: usize = 4;

/// The content as it comes; which fields it has depends on the kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Content(pub Map<String, Value>);

/// What the document says of a type.
type Shown = (fn() -> MetaSchemaRef, fn(&mut Registry));

fn shown<T: Type>() -> Shown {
    (T::schema_ref, T::register)
}

fn kinds() -> [Shown; 9] {
    [
        shown::<WebsiteConfig>(),
        shown::<StorageConfig>(),
        shown::<PolyvConfig>(),
        shown::<BaijiayunConfig>(),
        shown::<AliyunVideoConfig>(),
        shown::<SmsConfig>(),
        shown::<WechatConfig>(),
        shown::<PushConfig>(),
        shown::<MailConfig>(),
    ]
}

impl Type for Content {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "config_content".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let one_of = kinds().iter().map(|(schema, _)| schema()).collect();
        MetaSchemaRef::Inline(Box::new(MetaSchema { one_of, ..MetaSchema::ANY }))
    }

    fn register(registry: &mut Registry) {
        for (_, register) in kinds() {
            register(registry);
        }
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for Content {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            Some(Value::Object(fields)) => Ok(Self(fields)),
            other => Err(ParseError::expected_type(other.unwrap_or_default())),
        }
    }
}

impl ToJSON for Content {
    fn to_json(&self) -> Option<Value> {
        Some(Value::Object(self.0.clone()))
    }
}

/// The secrets of one config by their fields. Not shown by `Debug`.
#[derive(Clone, Default, PartialEq)]
pub struct Secrets(BTreeMap<String, String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Secrets {
    pub fn seal(&self, app: &App) -> Result<Option<Vec<u8>>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let plain = serde_json::to_vec(&self.0).map_err(|error| Error::internal(error.to_string()))?;
        app.keys().seal(app.random(), &plain).map(Some)
    }

    pub fn unseal(app: &App, sealed: Option<&[u8]>) -> Result<Self> {
        let Some(sealed) = sealed else { return Ok(Self::default()) };
        let plain = app.keys().unseal(sealed)?;
        serde_json::from_slice(&plain).map(Self).map_err(|error| Error::internal(error.to_string()))
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// What was typed into a field: nothing leaves the secret as it was, `""` removes it.
    pub fn give(&mut self, field: &str, typed: Option<&str>) {
        match typed.map(str::trim) {
            None => None,
            Some("") => self.0.remove(field),
            Some(text) => self.0.insert(field.to_owned(), text.to_owned()),
        };
    }

    /// The fields whose secret differs.
    pub fn changed_since<'s>(&'s self, before: &'s Self) -> Vec<&'s str> {
        let mut fields: Vec<&str> = self
            .0
            .keys()
            .chain(before.0.keys())
            .filter(|field| self.0.get(*field) != before.0.get(*field))
            .map(String::as_str)
            .collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The end of a secret, by which people know which one it is.
    pub fn tail(&self, field: &str) -> Option<String> {
        let secret: Vec<char> = self.0.get(field)?.chars().collect();
        (secret.len() >= LEAST_FOR_TAIL).then(|| secret[secret.len() - TAIL..].iter().collect())
    }
}

/// The content of a kind, checked, and its secrets: a secret that is absent or null stays as it was, `""` removes it.
///
/// # Errors
/// 422 with all wrong fields, as `content.<field>`; those that an enabled config lacks too.
pub fn typed(
    kind: ConfigKind,
    Content(mut given): Content,
    mut secrets: Secrets,
    enabled: bool,
) -> Result<(Map<String, Value>, Secrets)> {
    for &secret in kind.secrets() {
        given.remove(&format!("{secret}Set"));
        given.remove(&format!("{secret}Tail"));
        secrets.give(secret, given.get(secret).and_then(Value::as_str));
    }
    let checked = checked(kind, Value::Object(given)).map_err(|error| within_content(&error))?;
    let mut content = match checked {
        Some(Value::Object(fields)) => fields,
        _ => return Err(Error::internal("a config's content is no object")),
    };
    content.retain(|field, value| !value.is_null() && !kind.secrets().contains(&field.as_str()));
    if enabled {
        let missing = missing(kind, &content, &secrets);
        if !missing.is_empty() {
            let errors = missing.iter().map(|(field, label)| FieldError {
                field: format!("content.{field}"),
                message: format!("{label}在启用时不能为空"),
            });
            return Err(Error::fields(errors.collect()));
        }
    }
    Ok((content, secrets))
}

/// What a config lacks to be enabled: fields with their labels.
pub fn missing(kind: ConfigKind, content: &Map<String, Value>, secrets: &Secrets) -> Vec<(&'static str, &'static str)> {
    let provider = content.get("provider").and_then(Value::as_str);
    let there = |field: &str| content.contains_key(field) || secrets.has(field);
    kind.needed(provider).iter().copied().filter(|(field, _)| !there(field)).collect()
}

fn checked(kind: ConfigKind, value: Value) -> Result<Option<Value>> {
    fn as_json<T: ParseFromJSON + ToJSON + 'static>(value: Value) -> Result<Option<Value>> {
        Ok(body::check::<T>(value)?.to_json())
    }
    match kind {
        ConfigKind::Website => as_json::<WebsiteConfig>(value),
        ConfigKind::Storage => as_json::<StorageConfig>(value),
        ConfigKind::VideoPolyv => as_json::<PolyvConfig>(value),
        ConfigKind::VideoBaijiayun => as_json::<BaijiayunConfig>(value),
        ConfigKind::VideoAliyun => as_json::<AliyunVideoConfig>(value),
        ConfigKind::Sms => as_json::<SmsConfig>(value),
        ConfigKind::WechatMp => as_json::<WechatConfig>(value),
        ConfigKind::AppPush => as_json::<PushConfig>(value),
        ConfigKind::Mail => as_json::<MailConfig>(value),
    }
}

fn within_content(error: &Error) -> Error {
    let Some(fields) = error.data.as_array().filter(|_| error.code == 422) else { return error.clone() };
    let text = |field: &Value, name: &str| field[name].as_str().unwrap_or_default().to_owned();
    Error::fields(
        fields
            .iter()
            .map(|field| FieldError {
                field: format!("content.{}", text(field, "field")),
                message: text(field, "message"),
            })
            .collect(),
    )
}

/// The content as people see it: of a secret only whether it is set, and its end.
pub fn for_people(kind: ConfigKind, mut content: Map<String, Value>, secrets: &Secrets) -> Map<String, Value> {
    for &secret in kind.secrets() {
        content.insert(secret.to_owned(), Value::Null);
        content.insert(format!("{secret}Set"), json!(secrets.has(secret)));
        content.insert(format!("{secret}Tail"), json!(secrets.tail(secret)));
    }
    content
}

/// The content as the server uses it, secrets in their places.
pub fn whole<T: ParseFromJSON + 'static>(mut content: Map<String, Value>, secrets: &Secrets) -> Result<T> {
    content.extend(secrets.0.iter().map(|(field, secret)| (field.clone(), json!(secret))));
    T::parse_from_json(Some(Value::Object(content))).map_err(|error| Error::internal(error.into_message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(value: Value) -> Content {
        Content(value.as_object().cloned().expect("an object"))
    }

    #[test]
    fn a_secret_is_kept_replaced_or_removed_and_only_its_end_is_shown() {
        let storage = |secret: Value| {
            content(json!({ "provider": "s3", "region": "cn-1", "bucket": "b", "keyId": "k", "secret": secret,
                "secretSet": true, "secretTail": "abcd" }))
        };
        let (plain, first) =
            typed(ConfigKind::Storage, storage(json!("s3cret-value-9876")), Secrets::default(), true).expect("right");
        assert!(!plain.contains_key("secret"));
        let (plain, kept) = typed(ConfigKind::Storage, storage(Value::Null), first.clone(), true).expect("right");
        assert_eq!(kept, first);
        let shown = for_people(ConfigKind::Storage, plain, &kept);
        assert_eq!((&shown["secret"], &shown["secretSet"]), (&Value::Null, &json!(true)));
        assert_eq!(shown["secretTail"], json!("9876"));
        assert_eq!(format!("{kept:?}"), r#"{"secret"}"#);
        let refused = typed(ConfigKind::Storage, storage(json!("")), first.clone(), true).expect_err("it is enabled");
        assert_eq!(refused.data[0]["field"], json!("content.secret"));
        let (_, removed) = typed(ConfigKind::Storage, storage(json!("")), first, false).expect("it is not enabled");
        assert!(!removed.has("secret"));
    }

    #[test]
    fn a_short_secret_shows_nothing() {
        let short = Secrets(BTreeMap::from([("secret".to_owned(), "abcd".to_owned())]));
        assert_eq!(short.tail("secret"), None);
    }

    #[test]
    fn wrong_fields_are_told_within_the_content() {
        let wrong = content(json!({ "host": "mail.example.cn", "port": 70_000, "from": "nobody" }));
        let refused = typed(ConfigKind::Mail, wrong, Secrets::default(), true).expect_err("two mistakes");
        let fields: Vec<&str> = (0..2).filter_map(|at| refused.data[at]["field"].as_str()).collect();
        assert_eq!(fields, ["content.port", "content.from"]);
    }
}
