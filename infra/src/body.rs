//! The JSON body of a call, checked as a whole: every wrong field is told at once, in Chinese, by its label.
//!
//! The check walks the same schema that the document shows, so that the console, the document and the server cannot differ.
//! A field's label is the first line of its doc comment; a second line may say what a pattern wants.

use std::{
    any::{TypeId, type_name},
    collections::HashMap,
    ops::{Deref, DerefMut, RangeInclusive},
    sync::{Arc, LazyLock, RwLock},
};

use chrono::{DateTime, Datelike, NaiveDate};
use futures_util::FutureExt;
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry},
    types::ParseFromJSON,
};
use serde_json::Value;

use crate::error::{Error, FieldError, Result};

/// A checked body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body<T>(pub T);

impl<T> Deref for Body<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Body<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

const JSON: &str = "application/json";

impl<'a, T: ParseFromJSON + 'static> ApiExtractor<'a> for Body<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }],
            required: T::IS_REQUIRED,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        if !T::IS_REQUIRED && request.content_type().is_none() {
            return Ok(Self(T::parse_from_json(None).map_err(|_| Error::malformed())?));
        }
        if !request.content_type().unwrap_or_default().starts_with(JSON) {
            return Err(Error::malformed().into());
        }
        // Boxed, so that the proof that an operation's future is `Send` ends here.
        let bytes = body.take()?.into_bytes().boxed().await.map_err(|_| Error::malformed())?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| Error::malformed())?;
        Ok(Self(check(value)?))
    }
}

/// The value of type `T`, or everything that is wrong with it.
///
/// # Errors
/// 422 with all wrong fields; 400 for what no form can send: a field that does not exist, a list where an object belongs.
pub fn check<T: ParseFromJSON + 'static>(mut value: Value) -> Result<T> {
    let known = schemas::<T>();
    let mut errors = Vec::new();
    known.check(&known.root, &mut value, &At { path: String::new(), label: String::new(), hint: None }, &mut errors)?;
    if !errors.is_empty() {
        return Err(Error::fields(errors));
    }
    T::parse_from_json(Some(value)).map_err(|error| {
        tracing::debug!(error = %error.message(), "a body passed its schema but not its type");
        Error::malformed()
    })
}

struct Schemas {
    root: MetaSchemaRef,
    named: std::collections::BTreeMap<String, MetaSchema>,
}

/// The schemas of a type; registered once.
fn schemas<T: ParseFromJSON + 'static>() -> Arc<Schemas> {
    static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<Schemas>>>> = LazyLock::new(Default::default);
    if let Some(known) = KNOWN.read().expect("nothing panics while it holds the schemas").get(&TypeId::of::<T>()) {
        return Arc::clone(known);
    }
    let mut registry = Registry::new();
    T::register(&mut registry);
    tracing::trace!(body = type_name::<T>(), "schema registered");
    let fresh = Arc::new(Schemas { root: T::schema_ref(), named: registry.schemas });
    KNOWN.write().expect("nothing panics while it holds the schemas").insert(TypeId::of::<T>(), Arc::clone(&fresh));
    fresh
}

/// Where the check is, and how a person knows the place.
struct At {
    path: String,
    label: String,
    hint: Option<String>,
}

impl At {
    fn wrong(&self, message: impl std::fmt::Display) -> FieldError {
        FieldError { field: self.path.clone(), message: format!("{}{message}", self.label) }
    }

    fn inner(&self, name: &str, schema: &MetaSchema) -> Self {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        let mut lines = schema.description.unwrap_or(name).lines();
        let label = lines.next().unwrap_or(name).trim().to_owned();
        let hint = lines.map(str::trim).find(|line| !line.is_empty()).map(ToOwned::to_owned);
        Self { path, label, hint }
    }
}

/// Poem's merge keeps the limits of both and forgets what kind of value the second is.
fn joined(flat: MetaSchema, part: MetaSchema) -> MetaSchema {
    let MetaSchema { ty, format, ref properties, ref required, ref enum_items, ref any_of, ref one_of, .. } = part;
    let (properties, required) = (properties.clone(), required.clone());
    let (enum_items, any_of, one_of) = (enum_items.clone(), any_of.clone(), one_of.clone());
    let mut joined = flat.merge(part);
    if !ty.is_empty() {
        joined.ty = ty;
        joined.format = format;
    }
    joined.properties.extend(properties);
    joined.required.extend(required);
    joined.enum_items.extend(enum_items);
    joined.any_of.extend(any_of);
    joined.one_of.extend(one_of);
    joined
}

impl Schemas {
    /// A reference, also one wrapped to carry a description, as one flat schema.
    fn resolve(&self, schema: &MetaSchemaRef) -> MetaSchema {
        match schema {
            MetaSchemaRef::Inline(inline) => inline
                .all_of
                .iter()
                .fold(MetaSchema { all_of: Vec::new(), ..(**inline).clone() }, |flat, part| {
                    joined(flat, self.resolve(part))
                })
                .described(inline.description),
            MetaSchemaRef::Reference(name) => self.named.get(name).cloned().unwrap_or(MetaSchema::ANY),
        }
    }

    fn check(&self, schema: &MetaSchemaRef, value: &mut Value, at: &At, errors: &mut Vec<FieldError>) -> Result<()> {
        let schema = self.resolve(schema);
        if !schema.any_of.is_empty() || !schema.one_of.is_empty() {
            check_free(value, at, errors);
            return Ok(());
        }
        match schema.ty {
            "object" => self.check_object(&schema, value, at, errors),
            "array" => self.check_array(&schema, value, at, errors),
            "string" => {
                check_text(&schema, value, at, errors);
                Ok(())
            }
            "integer" | "number" => {
                check_number(&schema, value, at, errors);
                Ok(())
            }
            "boolean" => {
                if !value.is_boolean() {
                    errors.push(at.wrong("应为是或否"));
                }
                Ok(())
            }
            _ => {
                check_free(value, at, errors);
                Ok(())
            }
        }
    }

    fn check_object(
        &self,
        schema: &MetaSchema,
        value: &mut Value,
        at: &At,
        errors: &mut Vec<FieldError>,
    ) -> Result<()> {
        if schema.properties.is_empty() {
            check_free(value, at, errors);
            return if value.is_object() { Ok(()) } else { Err(Error::malformed()) };
        }
        let Some(fields) = value.as_object_mut() else { return Err(Error::malformed()) };
        if let Some(unknown) = fields.keys().find(|name| !schema.properties.iter().any(|(known, _)| known == *name)) {
            tracing::debug!(field = %unknown, "a field that does not exist");
            return Err(Error::malformed());
        }
        for (name, property) in &schema.properties {
            let here = at.inner(name, &self.resolve(property));
            let required = schema.required.contains(name);
            let given = fields.get_mut(*name);
            match given {
                Some(given) => {
                    fold_text(given);
                    if given.is_null() || given.as_str().is_some_and(str::is_empty) {
                        if required {
                            errors.push(here.wrong("不能为空"));
                        } else {
                            fields.remove(*name);
                        }
                    } else {
                        self.check(property, given, &here, errors)?;
                    }
                }
                None if required => errors.push(here.wrong("不能为空")),
                None => {}
            }
        }
        Ok(())
    }

    fn check_array(&self, schema: &MetaSchema, value: &mut Value, at: &At, errors: &mut Vec<FieldError>) -> Result<()> {
        let Some(items) = value.as_array_mut() else { return Err(Error::malformed()) };
        if schema.min_items.is_some_and(|min| items.len() < min) {
            errors.push(at.wrong("至少选择一项"));
        }
        if let Some(max) = schema.max_items.filter(|max| items.len() > *max) {
            errors.push(at.wrong(format_args!("最多{max}项")));
            return Ok(());
        }
        if let Some(inner) = &schema.items {
            for (index, item) in items.iter_mut().enumerate() {
                let here = At { path: format!("{}[{index}]", at.path), label: at.label.clone(), hint: at.hint.clone() };
                self.check(inner, item, &here, errors)?;
            }
        } else {
            check_free(value, at, errors);
        }
        Ok(())
    }
}

trait Described {
    fn described(self, description: Option<&'static str>) -> Self;
}

impl Described for MetaSchema {
    fn described(self, description: Option<&'static str>) -> Self {
        Self { description: description.or(self.description), ..self }
    }
}

/// What a person typed is trimmed.
fn fold_text(value: &mut Value) {
    if let Value::String(text) = value {
        let trimmed = text.trim();
        if trimmed.len() != text.len() {
            *text = trimmed.to_owned();
        }
    }
}

/// PostgreSQL keeps every sign but this one. (Half a surrogate is no text for JSON already.)
const UNKEPT: char = '\0';
const HAS_UNKEPT: &str = "含有无法保存的字符，请删除后重新填写";

/// Days with which calendars, spreadsheets and the database all agree, and that somebody may have meant.
const YEARS: RangeInclusive<i32> = 1900..=2200;

/// What is wrong with a text that the schema says no more of than its format; nothing for most.
pub(crate) fn wrong_text(format: Option<&str>, text: &str) -> Option<&'static str> {
    if text.contains(UNKEPT) {
        return Some(HAS_UNKEPT);
    }
    let day = match format? {
        "date" | "naive-date" => NaiveDate::parse_from_str(text, "%Y-%m-%d").ok(),
        "date-time" => DateTime::parse_from_rfc3339(text).ok().map(|time| time.date_naive()),
        _ => return None,
    };
    match day {
        None => Some("不是有效的日期"),
        Some(day) if YEARS.contains(&day.year()) => None,
        Some(_) => Some("应在1900年至2200年之间"),
    }
}

/// A value of which the document says nothing.
fn check_free(value: &Value, at: &At, errors: &mut Vec<FieldError>) {
    if has_unkept(value) {
        errors.push(at.wrong(HAS_UNKEPT));
    }
}

fn has_unkept(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(UNKEPT),
        Value::Array(items) => items.iter().any(has_unkept),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains(UNKEPT) || has_unkept(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn check_text(schema: &MetaSchema, value: &Value, at: &At, errors: &mut Vec<FieldError>) {
    let Some(text) = value.as_str() else {
        errors.push(at.wrong("格式不正确"));
        return;
    };
    if text.contains(UNKEPT) {
        errors.push(at.wrong(HAS_UNKEPT));
        return;
    }
    if !schema.enum_items.is_empty() && !schema.enum_items.contains(value) {
        errors.push(at.wrong("取值无效，请重新选择"));
        return;
    }
    let length = text.chars().count();
    let (min, max) = (schema.min_length.unwrap_or(0), schema.max_length.unwrap_or(usize::MAX));
    if length < min || length > max {
        errors.push(match (schema.min_length.filter(|min| *min > 1), schema.max_length) {
            (Some(min), Some(max)) => at.wrong(format_args!("长度应为{min}至{max}个字符")),
            (Some(min), None) => at.wrong(format_args!("至少{min}个字符")),
            _ => at.wrong(format_args!("不能超过{max}个字符")),
        });
        return;
    }
    if let Some(pattern) = &schema.pattern
        && !matches(pattern, text)
    {
        errors.push(match &at.hint {
            Some(hint) => at.wrong(format_args!("格式不正确：{hint}")),
            None => at.wrong("格式不正确"),
        });
        return;
    }
    if let Some(wrong) = wrong_text(schema.format, text) {
        errors.push(at.wrong(wrong));
    }
}

fn check_number(schema: &MetaSchema, value: &Value, at: &At, errors: &mut Vec<FieldError>) {
    let Some(number) = value.as_f64() else {
        errors.push(at.wrong("应为数字"));
        return;
    };
    if schema.ty == "integer" && !(value.is_i64() || value.is_u64()) {
        errors.push(at.wrong("应为整数"));
        return;
    }
    let fits = match schema.format {
        Some("int32") => value.as_i64().is_some_and(|n| i32::try_from(n).is_ok()),
        Some("int16") => value.as_i64().is_some_and(|n| i16::try_from(n).is_ok()),
        Some("int64") => value.is_i64(),
        Some("uint32") => value.as_u64().is_some_and(|n| u32::try_from(n).is_ok()),
        _ => true,
    };
    let (min, max) = (schema.minimum, schema.maximum);
    if !fits || min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
        errors.push(match (min, max) {
            (Some(min), Some(max)) => at.wrong(format_args!("取值应在{min}到{max}之间")),
            (Some(min), None) => at.wrong(format_args!("不能小于{min}")),
            (None, Some(max)) => at.wrong(format_args!("不能大于{max}")),
            (None, None) => at.wrong("超出范围"),
        });
        return;
    }
    if let Some(step) = schema.multiple_of {
        let times = number / step;
        if (times - times.round()).abs() > 1e-9 {
            errors.push(at.wrong(format_args!("应为{step}的倍数")));
        }
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    static PATTERNS: LazyLock<RwLock<HashMap<String, regex::Regex>>> = LazyLock::new(Default::default);
    if let Some(known) = PATTERNS.read().expect("nothing panics while it holds the patterns").get(pattern) {
        return known.is_match(text);
    }
    match regex::Regex::new(pattern) {
        Ok(fresh) => {
            let right = fresh.is_match(text);
            PATTERNS.write().expect("nothing panics while it holds the patterns").insert(pattern.to_owned(), fresh);
            right
        }
        Err(error) => {
            tracing::error!(pattern, %error, "a field's pattern is no regular expression");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::{Object, types::Any};
    use serde_json::json;

    use super::*;

    #[derive(Debug, Object)]
    #[oai(rename_all = "camelCase")]
    struct Form {
        /// 站点编码
        /// 只能使用字母、数字、下划线和短横线
        #[oai(validator(max_length = 32, pattern = "^[A-Za-z0-9_-]+$"))]
        code: String,
        /// 容量
        #[oai(validator(minimum(value = "0"), maximum(value = "500")))]
        capacity: i32,
        /// 备注
        remark: Option<String>,
        /// 学制
        #[oai(validator(multiple_of = 0.5))]
        years: Option<f64>,
        /// 开始日期
        starts_on: Option<NaiveDate>,
        /// 开始时间
        starts_at: Option<crate::clock::Moment>,
        /// 上级
        parent: Option<i64>,
        /// 其他
        extra: Option<Any<Value>>,
        /// 标签
        tags: Option<std::collections::BTreeMap<String, String>>,
    }

    fn told(value: Value) -> (i32, String) {
        match check::<Form>(value) {
            Ok(_) => (200, String::new()),
            Err(error) => {
                let fields: Vec<String> = error
                    .data
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|field| {
                        format!(
                            "{}: {}",
                            field["field"].as_str().unwrap_or_default(),
                            field["message"].as_str().unwrap_or_default()
                        )
                    })
                    .collect();
                (error.code, fields.join(" | "))
            }
        }
    }

    #[test]
    fn every_wrong_field_is_told_at_once_by_its_label() {
        assert_eq!(
            told(json!({ "code": "城东", "capacity": 501, "years": 2.3 })),
            (422, "code: 站点编码格式不正确：只能使用字母、数字、下划线和短横线 | capacity: 容量取值应在0到500之间 | years: 学制应为0.5的倍数".to_owned())
        );
        assert_eq!(told(json!({ "code": "  " })), (422, "code: 站点编码不能为空 | capacity: 容量不能为空".to_owned()));
        assert_eq!(told(json!({ "code": "a", "capacity": "many" })), (422, "capacity: 容量应为数字".to_owned()));
    }

    #[test]
    fn what_no_form_sends_is_malformed() {
        assert_eq!(told(json!({ "code": "a", "capacity": 1, "schoolId": 2 })).0, 400);
        assert_eq!(told(json!([])).0, 400);
    }

    #[test]
    fn what_the_database_cannot_keep_is_told_at_its_field() {
        let sent = |field: &str, value: Value| {
            let mut body = json!({ "code": "a", "capacity": 1 });
            body[field] = value;
            told(body)
        };
        for (field, value, wrong) in [
            ("remark", json!("a\u{0}b"), "remark: 备注含有无法保存的字符，请删除后重新填写"),
            ("code", json!("\u{0}"), "code: 站点编码含有无法保存的字符，请删除后重新填写"),
            ("extra", json!({ "a": [{ "b": "\u{0}" }] }), "extra: 其他含有无法保存的字符，请删除后重新填写"),
            ("extra", json!({ "\u{0}": 1 }), "extra: 其他含有无法保存的字符，请删除后重新填写"),
            ("tags", json!({ "a": "\u{0}" }), "tags: 标签含有无法保存的字符，请删除后重新填写"),
            ("tags", json!({ "\u{0}": "a" }), "tags: 标签含有无法保存的字符，请删除后重新填写"),
            ("startsOn", json!("-5000-01-01"), "startsOn: 开始日期应在1900年至2200年之间"),
            ("startsOn", json!("+262000-01-01"), "startsOn: 开始日期应在1900年至2200年之间"),
            ("startsOn", json!("2026-02-30"), "startsOn: 开始日期不是有效的日期"),
            ("startsAt", json!("0001-01-01T00:00:00Z"), "startsAt: 开始时间应在1900年至2200年之间"),
            ("startsAt", json!("morgen"), "startsAt: 开始时间不是有效的日期"),
            ("parent", json!(u64::MAX), "parent: 上级超出范围"),
        ] {
            assert_eq!(sent(field, value), (422, wrong.to_owned()));
        }
        for (field, value) in [
            ("remark", json!("a\u{1}\u{ffff}😀")),
            ("startsOn", json!("1900-01-01")),
            ("startsAt", json!("2200-12-31T23:59:59.999999999+14:00")),
            ("parent", json!(i64::MIN)),
        ] {
            assert_eq!(sent(field, value).0, 200, "{field}");
        }
        // Half a surrogate does not come so far.
        assert!(serde_json::from_str::<Value>(r#"{ "code": "\ud800" }"#).is_err());
    }

    #[test]
    fn text_is_trimmed_and_blank_optional_text_is_absent() {
        let form: Form = check(json!({ "code": " S1 ", "capacity": 0, "remark": " " })).expect("right");
        assert_eq!((form.code.as_str(), form.capacity, form.remark, form.years), ("S1", 0, None, None));
    }
}
