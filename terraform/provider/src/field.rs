//! Fields of a resource: which attribute stands for what in the server's records and calls.

use std::{future::Future, pin::Pin};

use regex::Regex;
use serde_json::{Map, Value as Json, json};

use crate::{
    api::{Api, Call, number, text},
    failure::{Failure, Result},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Attribute, Nesting, Type, attribute},
        value::{Object, Value},
    },
};

/// In which calls a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In `save`, `edit` and the record.
    Form,
    /// In `save` and the record.
    Born,
    /// In the record; changed by a step of its own.
    Step,
    /// Only in the state: where the record is, how the provider treats it.
    Local,
}

/// How the value in the record and the one in the configuration belong together.
#[derive(Debug, Clone, PartialEq)]
pub enum Codec {
    Plain,
    /// Several fields of the record as one attribute.
    Group(Vec<Field>),
    /// The record has a number; people say the code of what it is the number of.
    Code {
        view: &'static str,
        of_school: bool,
    },
    /// A national major: its number in the call, its code in the record.
    NationalMajor,
}

/// What a value must be, so that the server takes it as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// A pattern, and what it means.
    Pattern(&'static str, &'static str),
    OneOf(&'static [&'static str]),
    Between(i64, i64),
    Longest(usize),
    /// A name: at most so many characters, its words with one blank between them.
    Name(usize),
}

impl Rule {
    /// A day.
    pub fn date() -> Self {
        Self::Pattern(r"^\d{4}-\d{2}-\d{2}$", "It is a date, YYYY-MM-DD.")
    }
}

/// One field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub attribute: Attribute,
    /// Its name in the record; dots lead inwards.
    pub json: &'static str,
    pub place: Place,
    pub codec: Codec,
    pub rule: Option<Rule>,
    /// Whether the server shows it with a mask, behind which the known one may stand.
    pub is_masked: bool,
    /// A switch without which the server drops it.
    pub needs: Option<&'static str>,
}

/// A text of the form.
pub fn text_field(name: &'static str, json: &'static str, says: &'static str) -> Field {
    field(attribute(name, Type::Text, says), json)
}

/// A number of the form.
pub fn number_field(name: &'static str, json: &'static str, says: &'static str) -> Field {
    field(attribute(name, Type::Number, says), json)
}

/// Yes or no, with what it is when nobody says.
pub fn switch(name: &'static str, json: &'static str, default: bool, says: &'static str) -> Field {
    field(attribute(name, Type::Bool, says).default(Value::Bool(default)), json)
}

pub fn field(attribute: Attribute, json: &'static str) -> Field {
    Field { attribute, json, place: Place::Form, codec: Codec::Plain, rule: None, is_masked: false, needs: None }
}

/// Several fields of the record as one attribute; null when the record has none of them.
pub fn group(name: &'static str, says: &'static str, fields: Vec<Field>) -> Field {
    let attributes = fields.iter().map(|field| field.attribute.clone()).collect();
    Field { codec: Codec::Group(fields), ..field(attribute(name, Type::Nested(Nesting::Single, attributes), says), "") }
}

/// Only in the state.
pub fn local(attribute: Attribute) -> Field {
    Field { place: Place::Local, ..field(attribute, "") }
}

/// The number of the record, as text.
pub fn id() -> Field {
    local(attribute("id", Type::Text, "The server's number of the record.").read_only())
}

/// The school in which the record is.
pub fn school_code() -> Field {
    local(attribute("school_code", Type::Text, "Code of the school (院校代码).").required())
}

impl Field {
    #[must_use]
    pub fn required(mut self) -> Self {
        self.attribute = self.attribute.required();
        self
    }

    #[must_use]
    pub fn default(mut self, value: Value) -> Self {
        self.attribute = self.attribute.default(value);
        self
    }

    #[must_use]
    pub fn or_computed(mut self) -> Self {
        self.attribute = self.attribute.or_computed();
        self
    }

    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.attribute = self.attribute.read_only();
        self
    }

    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    #[must_use]
    pub fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    #[must_use]
    pub fn masked(mut self) -> Self {
        self.is_masked = true;
        self
    }

    /// Kept only while this switch of the same resource is on.
    #[must_use]
    pub fn needs(mut self, switch: &'static str) -> Self {
        self.needs = Some(switch);
        self
    }

    pub fn name(&self) -> &'static str {
        self.attribute.name
    }

    /// Sees that a configured value is in the form that the server keeps, or every plan would differ from it.
    pub fn check(&self, value: &Value, told: &mut Vec<Diagnostic>) {
        let told_here =
            |what: &str| Diagnostic::error(format!("`{}` is not right", self.name())).detail(what).at(self.name());
        if let (Codec::Group(fields), Value::Object(within)) = (&self.codec, value) {
            for field in fields {
                let mut found = Vec::new();
                field.check(within.get(field.name()).unwrap_or(&Value::Null), &mut found);
                told.extend(found.into_iter().map(|mut diagnostic| {
                    diagnostic.path.insert(0, crate::protocol::diagnostic::Step::Attribute(self.name().to_owned()));
                    diagnostic
                }));
            }
            return;
        }
        if let Value::Text(text) = value
            && !self.attribute.write_only
        {
            if text.is_empty() {
                told.push(told_here("An empty text is kept as none: leave it out, or write null."));
                return;
            }
            if text.trim() != text {
                told.push(told_here("The server cuts blanks at the ends off: write it without them."));
                return;
            }
        }
        match (&self.rule, value) {
            (Some(Rule::Pattern(pattern, means)), Value::Text(text))
                if !Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)) =>
            {
                told.push(told_here(means));
            }
            (Some(Rule::OneOf(known)), Value::Text(text)) if !known.contains(&text.as_str()) => {
                told.push(told_here(&format!("It is one of {}.", known.join(", "))));
            }
            (Some(Rule::Between(least, most)), Value::Integer(number)) if !(least..=most).contains(&number) => {
                told.push(told_here(&format!("It is from {least} to {most}.")));
            }
            (Some(Rule::Between(..)), Value::Decimal(_)) => told.push(told_here("It is a whole number.")),
            (Some(Rule::Name(_)), Value::Text(text)) if tidy(text) != *text => {
                told.push(told_here("The server keeps one plain blank between words: write it so."));
            }
            (Some(Rule::Longest(most) | Rule::Name(most)), Value::Text(text)) if text.chars().count() > *most => {
                told.push(told_here(&format!("It has at most {most} characters.")));
            }
            _ => {}
        }
    }
}

/// A name as the server keeps it.
fn tidy(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in a record under a dotted name.
pub fn within<'a>(record: &'a Json, name: &str) -> &'a Json {
    name.split('.').fold(record, |at, step| &at[step])
}

/// Writes under a dotted name.
pub fn put(body: &mut Map<String, Json>, name: &str, value: Json) {
    match name.split_once('.') {
        None => {
            body.insert(name.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = body.entry(first).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// The fields of a call, from a configuration that is known.
///
/// # Errors
/// When what a code means cannot be found.
pub async fn body(
    api: &Api,
    fields: &[Field],
    values: &Object,
    school: Option<i64>,
    born: bool,
) -> Result<Map<String, Json>> {
    let mut body = Map::new();
    fill(api, fields, values, school, born, &mut body).await?;
    Ok(body)
}

/// Boxed, as groups are filled by it too.
fn fill<'a>(
    api: &'a Api,
    fields: &'a [Field],
    values: &'a Object,
    school: Option<i64>,
    born: bool,
    body: &'a mut Map<String, Json>,
) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
    Box::pin(async move {
        for field in fields.iter().filter(|field| field.place == Place::Form || (born && field.place == Place::Born)) {
            let value = values.get(field.name()).unwrap_or(&Value::Null);
            match &field.codec {
                Codec::Plain => put(body, field.json, value.json()),
                Codec::Group(within) => {
                    let none = Object::new();
                    fill(api, within, value.as_object().unwrap_or(&none), school, born, body).await?;
                }
                Codec::Code { view, of_school } => {
                    let id = match value.as_text() {
                        None => Json::Null,
                        Some(code) => json!(number_of(api, field, view, school.filter(|_| *of_school), code).await?),
                    };
                    put(body, field.json, id);
                }
                Codec::NationalMajor => {
                    let code = value.as_text().unwrap_or_default();
                    put(body, "nationalMajorId", json!(national_major(api, field, code).await?));
                }
            }
        }
        Ok(())
    })
}

/// The number of the record with this code.
async fn number_of(api: &Api, field: &Field, view: &'static str, school: Option<i64>, code: &str) -> Result<i64> {
    match api.send(Call::get(view).with("code", code).within(school)).await {
        Ok(record) => number(&record, "id"),
        Err(failure) if failure.is_gone() => Err(unknown(field, code)),
        Err(failure) => Err(failure),
    }
}

fn unknown(field: &Field, code: &str) -> Failure {
    let told = Diagnostic::error(format!("`{}` names what is not there", field.name()));
    Failure::Told(told.detail(format!("There is no record with the code {code}.")).at(field.name()))
}

/// The enabled one of the latest catalogue.
async fn national_major(api: &Api, field: &Field, code: &str) -> Result<i64> {
    let filter = json!({ "keyword": code, "enabled": true, "pageSize": 100 });
    let page = api.send(Call::list("/adult/pc/nationalMajor/list", filter)).await?;
    let known = page["list"].as_array().into_iter().flatten().filter(|major| major["code"] == *code);
    let latest = known.max_by_key(|major| major["year"].as_i64()).ok_or_else(|| unknown(field, code))?;
    number(latest, "id")
}

/// The attributes of a record. `prior` is the state as it was: what is only there stays, and what the record shows
/// masked stays when it is the same behind its mask.
///
/// # Errors
/// When the code of something that the record refers to cannot be had.
pub async fn seen(api: &Api, fields: &[Field], record: &Json, prior: &Object, school: Option<i64>) -> Result<Object> {
    let mut values = Object::new();
    for field in fields {
        let before = prior.get(field.name()).unwrap_or(&Value::Null);
        let value = match (&field.codec, field.place) {
            (_, Place::Local) => kept(field, before),
            (Codec::Plain, _) => plain(field, within(record, field.json), before),
            (Codec::Group(fields), _) => group_of(fields, record, before),
            (Codec::NationalMajor, _) => Value::text(record["nationalCode"].as_str()),
            (Codec::Code { view, of_school }, _) => match within(record, field.json).as_i64() {
                None => Value::Null,
                Some(id) => {
                    let call = Call::get(view).with("id", id).within(school.filter(|_| *of_school));
                    Value::text(Some(text(&api.send(call).await?, "code")?))
                }
            },
        };
        values.insert(field.name().to_owned(), value);
    }
    Ok(values)
}

/// What only the state knows; after an import it is what it would be without a configuration.
fn kept(field: &Field, before: &Value) -> Value {
    match (&field.attribute.default, before) {
        (Some(default), Value::Null) => default.clone(),
        _ => before.clone(),
    }
}

fn plain(field: &Field, json: &Json, before: &Value) -> Value {
    if field.attribute.write_only {
        return Value::Null;
    }
    match (Value::of_json(json), &field.attribute.default) {
        (Value::Null, Some(default)) => default.clone(),
        (Value::Text(text), None) if text.is_empty() => Value::Null,
        // The same as nothing, unless somebody wrote an empty one.
        (Value::List(items), None) if items.is_empty() && before.is_null() => Value::Null,
        (seen, _) if field.is_masked => unmasked(before, seen),
        (seen, _) => seen,
    }
}

fn group_of(fields: &[Field], record: &Json, before: &Value) -> Value {
    let none = Object::new();
    let prior = before.as_object().unwrap_or(&none);
    let values: Object = fields
        .iter()
        .map(|field| {
            let before = prior.get(field.name()).unwrap_or(&Value::Null);
            (field.name().to_owned(), plain(field, within(record, field.json), before))
        })
        .collect();
    if before.is_null() && values.values().all(Value::is_null) { Value::Null } else { Value::Object(values) }
}

/// A phone that the server shows as 138****5678 is the one we know, when what stands before and after the mask fits.
fn unmasked(before: &Value, seen: Value) -> Value {
    let (Some(known), Some(masked)) = (before.as_text(), seen.as_text()) else { return seen };
    let (Some(first), Some(last)) = (masked.find('*'), masked.rfind('*')) else { return seen };
    let (head, tail) = (&masked[..first], &masked[last + 1..]);
    let fits = known.len() >= head.len() + tail.len() && known.starts_with(head) && known.ends_with(tail);
    if fits { before.clone() } else { seen }
}

/// The attribute that goes into calls under this name; nested ones with their group before them.
pub fn attribute_of(fields: &[Field], json: &str) -> Option<String> {
    fields.iter().find_map(|field| match &field.codec {
        Codec::Group(within) => attribute_of(within, json).map(|inner| format!("{}.{inner}", field.name())),
        _ => (!field.json.is_empty() && field.json == json).then(|| field.name().to_owned()),
    })
}

/// Whether one of the fields in such calls differs.
pub fn differs(fields: &[Field], place: Place, prior: &Object, planned: &Object) -> bool {
    fields.iter().any(|field| field.place == place && prior.get(field.name()) != planned.get(field.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Vec<Field> {
        vec![
            text_field("code", "code", "")
                .required()
                .rule(Rule::Pattern("^[0-9a-z]{2,20}$", "2 to 20 of 0-9 and a-z.")),
            text_field("phone", "phone", ""),
            switch("enabled", "enabled", true, ""),
            group("contact", "", vec![text_field("name", "contactName", ""), text_field("phone", "contactPhone", "")]),
            text_field("title", "content.title", ""),
        ]
    }

    fn told(name: &str, value: Value) -> Vec<String> {
        let mut told = Vec::new();
        let fields = fields();
        fields.iter().find(|field| field.name() == name).expect("a field").check(&value, &mut told);
        told.into_iter().map(|each| format!("{:?} {}", each.path, each.detail)).collect()
    }

    #[test]
    fn what_the_server_would_change_is_refused_before() {
        assert_eq!(told("code", Value::Text("10589".to_owned())), Vec::<String>::new());
        assert_eq!(told("code", Value::Text("X".to_owned())), [r#"[Attribute("code")] 2 to 20 of 0-9 and a-z."#]);
        assert!(told("phone", Value::Text(" 1".to_owned()))[0].contains("blanks"));
        assert!(told("phone", Value::Text(String::new()))[0].contains("empty"));
        assert!(told("code", Value::Unknown).is_empty());
        let contact = Object::from([("name".to_owned(), Value::Text("李 ".to_owned()))]);
        let name = text_field("name", "name", "").rule(Rule::Name(4));
        let of_name = |text: &str| {
            let mut told = Vec::new();
            name.check(&Value::Text(text.to_owned()), &mut told);
            told.into_iter().map(|each| each.detail).collect::<Vec<_>>()
        };
        assert!(of_name("甲 乙").is_empty());
        // Two blanks, and a wide one.
        for wrong in ["甲  乙", "甲\u{3000}乙"] {
            assert_eq!(of_name(wrong), ["The server keeps one plain blank between words: write it so."]);
        }
        assert_eq!(of_name("甲乙丙丁戊"), ["It has at most 4 characters."]);
        assert!(told("contact", Value::Object(contact))[0].starts_with(r#"[Attribute("contact"), Attribute("name")]"#));
    }

    #[test]
    fn names_lead_inwards_in_both_directions() {
        let mut body = Map::new();
        put(&mut body, "content.title", json!("成教云"));
        put(&mut body, "content.icp", Json::Null);
        assert_eq!(Json::Object(body.clone()), json!({ "content": { "title": "成教云", "icp": null } }));
        assert_eq!(within(&Json::Object(body), "content.title"), "成教云");
        assert_eq!(attribute_of(&fields(), "contactPhone"), Some("contact.phone".to_owned()));
        assert_eq!(attribute_of(&fields(), "content.title"), Some("title".to_owned()));
        assert_eq!(attribute_of(&fields(), "moon"), None);
    }

    #[test]
    fn a_masked_phone_is_the_known_one_only_where_it_fits() {
        let known = Value::Text("13812345678".to_owned());
        let masked = |text: &str| unmasked(&known, Value::Text(text.to_owned()));
        assert_eq!(masked("138****5678"), known);
        assert_eq!(masked("139****5678"), Value::Text("139****5678".to_owned()));
        assert_eq!(masked("13900000000"), Value::Text("13900000000".to_owned()));
        assert_eq!(
            unmasked(&Value::Null, Value::Text("138****5678".to_owned())),
            Value::Text("138****5678".to_owned())
        );
    }

    #[test]
    fn an_asterisk_hides_no_change_of_what_the_server_shows_whole() {
        let known = Value::Text("**重要** 甲".to_owned());
        let seen = json!("*被他人改过* 甲");
        assert_eq!(plain(&text_field("remark", "remark", ""), &seen, &known).as_text(), Some("*被他人改过* 甲"));
        let phone = text_field("phone", "phone", "").masked();
        let known = Value::Text("13812345678".to_owned());
        assert_eq!(plain(&phone, &json!("138****5678"), &known), known);
    }

    #[test]
    fn a_group_without_a_value_is_null_until_somebody_configured_it() {
        let fields = fields();
        let Codec::Group(contact) = &fields[3].codec else { panic!("a group") };
        let record = json!({ "contactName": null, "contactPhone": null });
        assert_eq!(group_of(contact, &record, &Value::Null), Value::Null);
        let configured = Value::Object(Object::from([("name".to_owned(), Value::Null)]));
        assert!(group_of(contact, &record, &configured).as_object().is_some());
        let record = json!({ "contactName": "李", "contactPhone": null });
        assert_eq!(group_of(contact, &record, &Value::Null).json(), json!({ "name": "李", "phone": null }));
    }
}
