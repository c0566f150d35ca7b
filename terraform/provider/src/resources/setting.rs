//! 院校设置: one setting of a school, or of those that are opened from now on.
//!
//! A group of settings has one version. Several settings of it are changed beside each other here, so that the version
//! of the plan tells nothing: the value is compared instead, and a group that somebody else just saved is read once
//! more.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value as Json, json};

use crate::{
    api::{Api, Call, number},
    entity::school_of,
    failure::{Failure, Refusal, Result},
    field::{Rule, id, local, text_field},
    kind::{Given, Kind, Made, Memory, Resource, Seen},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Type, attribute},
        value::{Object, Value},
    },
};

const GROUPS: &[&str] = &[
    "basic",
    "brand",
    "domain",
    "help_center",
    "params",
    "school_info",
    "recruitment",
    "teaching",
    "examination",
    "statistics",
    "support",
];
/// How often a group is read again because somebody saved it meanwhile.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Settings that are as good as a password, as everybody's first one follows from them: they stand in no state.
const SECRET: &[&str] = &["initialPassword"];
/// Groups that are columns of the school itself.
const OF_SCHOOL: &[&str] = &["basic", "brand", "domain", "help_center"];

pub struct Setting(Resource);

/// A setting as it stands.
struct Item {
    version: i64,
    school: Option<i64>,
    value: Json,
    default: Json,
}

impl Setting {
    pub fn new() -> Self {
        let school =
            attribute("school_code", Type::Text, "Code of the school; without it, the default of new schools.");
        Self(Resource {
            name: "school_setting",
            says: "One setting of a school (院校设置), or its default for schools that are opened from now on.",
            fields: vec![
                id(),
                local(school),
                local(attribute("group", Type::Text, "The tab on which it stands.").required())
                    .rule(Rule::OneOf(GROUPS)),
                local(attribute("key", Type::Text, "Its key in the group.").required()),
                text_field("value", "", "The value: text as it is, everything else in JSON.").required(),
            ],
            secrets: Vec::new(),
            import: &["school_code", "group", "key"],
            frozen: &[],
            replaced: &["school_code", "group", "key"],
        })
    }

    async fn item(&self, api: &Api, state: &Object) -> Result<Option<Item>> {
        let school = school_of(api, state).await?;
        let text = |name: &str| state.get(name).and_then(Value::as_text).unwrap_or_default();
        let mut call = Call::get("/system/pc/sys/school/setting/view").with("group", text("group"));
        if let Some(school) = school {
            call = call.with("id", school);
        }
        let group = api.send(call).await?;
        let version = number(&group, "version")?;
        let mut items = group["items"].as_array().into_iter().flatten();
        let found = items.find(|item| item["key"] == *text("key"));
        Ok(found.map(|item| Item {
            version,
            school,
            value: item["value"].clone(),
            default: item["defaultValue"].clone(),
        }))
    }

    /// Sets the value, or with null goes back to the default, unless it is another than `expected`.
    async fn set(&self, api: &Api, state: &Object, wanted: Option<&str>, expected: Option<&str>) -> Result<()> {
        let text = |name: &str| state.get(name).and_then(Value::as_text).unwrap_or_default();
        let mut tried = 0;
        loop {
            tried += 1;
            let Some(item) = self.item(api, state).await? else {
                if wanted.is_none() {
                    return Ok(());
                }
                let told = Diagnostic::error(format!("The group {} has no setting {}", text("group"), text("key")));
                return Err(Failure::Told(told.at("key")));
            };
            if let Some(expected) = expected
                && !is_same(expected, &item.value)
            {
                let told = Diagnostic::error("The setting changed since the plan; plan again");
                return Err(Failure::Told(told.detail(format!("It is {} now.", shown(&item.value))).at("value")));
            }
            let value = wanted.map_or(Json::Null, |wanted| typed(wanted, &item));
            let value = Map::from_iter([(text("key").to_owned(), value)]);
            let body = json!({ "id": item.school, "group": text("group"), "version": item.version, "value": value });
            let failure = match api.send(Call::put("/system/pc/sys/school/setting/edit", body)).await {
                Ok(_) => return Ok(()),
                Err(failure) => failure,
            };
            if !is_stale(&failure) || tried == TRIES || !api.pause(PAUSE).await {
                return Err(at_value(failure, text("key")));
            }
        }
    }
}

/// Whether the group was saved between our look at it and our save.
fn is_stale(failure: &Failure) -> bool {
    matches!(failure, Failure::Refused(Refusal { code: 409, msg, .. }) if msg.contains("刷新后重试"))
}

/// The server names the setting; in a configuration it is the value.
fn at_value(failure: Failure, key: &str) -> Failure {
    match failure {
        Failure::Refused(refusal) => match refusal.fields.iter().find(|(field, _)| field == key) {
            Some((_, message)) => {
                let told = Diagnostic::error("The setting refuses this value").detail(message.as_str());
                Failure::Told(told.at("value"))
            }
            None => Failure::Refused(refusal),
        },
        other => other,
    }
}

/// A text is itself, everything else is JSON.
fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Whether a configured text means this value; blanks and the order of keys do not count.
fn is_same(text: &str, value: &Json) -> bool {
    match value {
        Json::String(known) => known == text,
        _ => serde_json::from_str::<Json>(text).is_ok_and(|typed| Value::of_json(&typed) == Value::of_json(value)),
    }
}

/// In the type of what stands there, or of the default.
fn typed(text: &str, item: &Item) -> Json {
    if item.value.is_string() || (item.value.is_null() && item.default.is_string()) {
        return Json::from(text);
    }
    serde_json::from_str(text).unwrap_or_else(|_| Json::from(text))
}

#[async_trait]
impl Kind for Setting {
    fn resource(&self) -> &Resource {
        &self.0
    }

    fn validate(&self, config: &Object, told: &mut Vec<Diagnostic>) {
        let text = |name: &str| config.get(name).and_then(Value::as_text).unwrap_or_default();
        if SECRET.contains(&text("key")) {
            let why = "It would stand in plan and state for everybody who reads them: set it in the console.";
            told.push(Diagnostic::error(format!("`{}` is a secret", text("key"))).detail(why).at("key"));
        }
        let is_of_school = config.get("school_code").is_some_and(|code| !code.is_null());
        if is_of_school && OF_SCHOOL.contains(&text("group")) {
            let why = "Each would set back what the other has set: it is an argument of `school`.";
            told.push(Diagnostic::error("The resource `school` has this setting").detail(why).at("group"));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        // Neither by way of an import.
        let key = state.get("key").and_then(Value::as_text).unwrap_or_default();
        if SECRET.contains(&key) {
            let told = Diagnostic::error(format!("`{key}` is a secret")).at("key");
            return Err(Failure::Told(
                told.detail("It stands in no state: set it in the console, and terraform state rm."),
            ));
        }
        let Some(item) = self.item(api, state).await? else { return Ok(None) };
        let known = state.get("value").and_then(Value::as_text);
        let mut values = state.clone();
        let value =
            known.filter(|known| is_same(known, &item.value)).map_or_else(|| shown(&item.value), ToOwned::to_owned);
        values.insert("value".to_owned(), Value::Text(value));
        let school = state.get("school_code").and_then(Value::as_text).unwrap_or(crate::kind::PLATFORM);
        let part = |name: &str| state.get(name).and_then(Value::as_text).unwrap_or_default();
        values.insert("id".to_owned(), Value::Text(format!("{school}/{}/{}", part("group"), part("key"))));
        Ok(Some(Seen { values, version: None }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        self.set(api, given.planned, given.planned["value"].as_text(), None).await?;
        Ok(Made::default())
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let (wanted, expected) = (given.planned["value"].as_text(), given.prior["value"].as_text());
        self.set(api, given.planned, wanted, expected).await?;
        Ok(Vec::new())
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        self.set(api, prior, None, None).await?;
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(value: Json, default: Json) -> Item {
        Item { version: 1, school: None, value, default }
    }

    fn told(school: Value, group: &str, key: &str) -> Vec<Diagnostic> {
        let text = |text: &str| Value::Text(text.to_owned());
        let config = [("school_code", school), ("group", text(group)), ("key", text(key)), ("value", text("x"))];
        let mut told = Vec::new();
        Setting::new().validate(&config.map(|(name, value)| (name.to_owned(), value)).into(), &mut told);
        told
    }

    #[test]
    fn a_setting_that_is_a_secret_comes_into_no_state() {
        let code = Value::Text("10589".to_owned());
        for group in ["params", "basic"] {
            assert_eq!(told(Value::Null, group, "initialPassword")[0].path, Diagnostic::error("").at("key").path);
        }
        assert!(told(code, "school_info", "printHeader").is_empty());
    }

    #[tokio::test]
    async fn an_import_brings_no_secret_either() {
        let (api, served) = crate::api::answering(Vec::new()).await;
        let state = Object::from([("key".to_owned(), Value::Text("initialPassword".to_owned()))]);
        assert!(matches!(Setting::new().read(&api, &state).await, Err(Failure::Told(_))));
        assert!(served.await.expect("no call").is_empty());
    }

    #[test]
    fn what_the_school_has_is_not_set_a_second_time() {
        let code = || Value::Text("10589".to_owned());
        assert_eq!(told(code(), "brand", "title")[0].path, Diagnostic::error("").at("group").path);
        assert!(told(Value::Null, "brand", "title").is_empty());
    }

    #[test]
    fn a_value_is_sent_in_the_type_that_stands_there() {
        assert_eq!(typed("45", &item(json!(40), json!(40))), json!(45));
        assert_eq!(typed("0898", &item(json!("0571"), json!(""))), json!("0898"));
        assert_eq!(typed("0898", &item(Json::Null, json!(""))), json!("0898"));
        assert_eq!(typed("true", &item(json!(false), json!(false))), json!(true));
        assert_eq!(typed(r#"{"a":1}"#, &item(Json::Null, Json::Null)), json!({ "a": 1 }));
    }

    #[test]
    fn a_configured_text_is_the_same_however_it_is_written() {
        assert!(is_same(r#"{ "b": 2.0, "a": 1 }"#, &json!({ "a": 1, "b": 2 })));
        assert!(is_same("45", &json!(45)) && !is_same("45", &json!(46)) && !is_same("x", &json!(1)));
        assert!(is_same("45", &json!("45")));
        assert_eq!((shown(&json!("甲")), shown(&json!(4.5))), ("甲".to_owned(), "4.5".to_owned()));
    }
}
