//! 参数: values that the operators set for the whole platform.

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number, unless_gone},
    entity::numbered,
    failure::Result,
    field::{Rule, field, id, seen, text_field},
    kind::{Given, Kind, Made, Memory, Resource, Seen},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Type, attribute},
        value::{Object, Value},
    },
};

const VIEW: &str = "/system/pc/sys/param/config/view";

/// A parameter. One that the server knows always exists: it is set, and at the end set back to its default.
pub struct Param(Resource);

impl Param {
    pub fn new() -> Self {
        let value =
            attribute("value", Type::Text, "The value as text (参数值); the server checks it against its type.");
        Self(Resource {
            name: "school_param",
            says: "A parameter of the platform (参数).",
            fields: vec![
                id(),
                text_field("code", "paramCode", "Its code (参数编码), module.name.")
                    .required()
                    .rule(Rule::Pattern(r"^[a-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+$", "It is module.name.")),
                field(value.required(), "paramValue").rule(Rule::Longest(500)),
                text_field("name", "paramName", "Name (名称); only of a parameter that is not built in.")
                    .or_computed()
                    .rule(Rule::Longest(60)),
                text_field("remark", "remark", "Remark (备注); only of a parameter that is not built in.")
                    .or_computed()
                    .rule(Rule::Longest(255)),
            ],
            secrets: Vec::new(),
            import: &["code"],
            frozen: &[],
            replaced: &["code"],
        })
    }

    async fn record(&self, api: &Api, state: &Object) -> Result<Option<Json>> {
        let code = state.get("code").and_then(Value::as_text).unwrap_or_default();
        unless_gone(api.send(Call::get(VIEW).with("code", code)).await)
    }

    async fn set(&self, api: &Api, record: &Json, version: i64, planned: &Object) -> Result<i64> {
        let id = number(record, "id")?;
        let text = |name: &str| planned.get(name).map_or(Json::Null, Value::json);
        let body = json!({
            "id": id, "version": version,
            "paramValue": text("value"), "paramName": text("name"), "remark": text("remark"),
        });
        api.send(Call::put("/system/pc/sys/param/config/edit", body)).await?;
        Ok(id)
    }
}

/// Whether a configured text is what the server made of it: it writes numbers and days in one way, "05" as 5.
fn means(known: &str, record: &Json) -> bool {
    let seen = record["paramValue"].as_str().unwrap_or_default();
    match record["paramType"].as_str() {
        Some("int") => known.parse::<i64>().is_ok_and(|known| seen.parse() == Ok(known)),
        Some("decimal") => known.parse::<f64>().is_ok_and(|known| seen.parse() == Ok(known)),
        Some("date") => day(known).is_some_and(|known| Some(known) == day(seen)),
        _ => false,
    }
}

/// Year, month and day of a text.
fn day(text: &str) -> Option<(i32, u32, u32)> {
    let mut parts = text.splitn(3, '-');
    let day = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(day)
}

#[async_trait]
impl Kind for Param {
    fn resource(&self) -> &Resource {
        &self.0
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let Some(record) = self.record(api, state).await? else { return Ok(None) };
        let mut values = seen(api, &self.0.fields, &record, state, None).await?;
        values.insert("id".to_owned(), Value::Text(number(&record, "id")?.to_string()));
        let known = state.get("value").and_then(Value::as_text).filter(|known| means(known, &record));
        if let Some(known) = known {
            values.insert("value".to_owned(), Value::Text(known.to_owned()));
        }
        Ok(Some(Seen { values, version: record["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        if let Some(record) = self.record(api, given.planned).await? {
            let version = number(&record, "version")?;
            return self.set(api, &record, version, given.planned).await.map(Made::numbered);
        }
        let text = |name: &str| given.planned.get(name).map_or(Json::Null, Value::json);
        let name = if text("name").is_null() { text("code") } else { text("name") };
        let body = json!({
            "paramCode": text("code"), "paramName": name, "paramValue": text("value"), "remark": text("remark"),
        });
        let call = Call::post("/system/pc/sys/param/config/save", body).under_key(given.memory.key());
        let id = number(&api.send(call).await?, "id")?;
        Ok(Made::numbered(id))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let record = api.send(Call::get(VIEW).with("id", numbered(given.prior)?)).await?;
        let version = given.memory.version().map_or_else(|| number(&record, "version"), Ok)?;
        self.set(api, &record, version, given.planned).await?;
        Ok(Vec::new())
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        let Some(record) = self.record(api, prior).await? else { return Ok(Vec::new()) };
        let id = number(&record, "id")?;
        let call = if record["builtIn"] == json!(true) {
            Call::step("/system/pc/sys/param/config/reset").with("id", id)
        } else {
            Call::delete("/system/pc/sys/param/config/delete").with("id", id)
        };
        api.send(call).await?;
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_same_however_it_is_written_and_a_text_only_as_it_is() {
        let says =
            |kind: &str, known: &str, seen: &str| means(known, &json!({ "paramType": kind, "paramValue": seen }));
        assert!(says("int", "05", "5") && !says("int", "05", "6"));
        assert!(says("decimal", "0.650", "0.65") && !says("decimal", "0.65", "0.66"));
        assert!(says("date", "2026-1-5", "2026-01-05") && !says("date", "2026-1-5", "2026-01-06"));
        assert!(!says("text", "05", "5"));
    }

    #[tokio::test]
    async fn a_number_with_a_zero_before_it_is_no_difference() {
        let record = json!({ "id": 3, "paramCode": "auth.lockFailures", "paramType": "int", "paramValue": "5",
            "paramName": "x", "version": 2 });
        let (api, served) = crate::api::answering(vec![("/param/config/view", record)]).await;
        let text = |text: &str| Value::Text(text.to_owned());
        let state = Object::from([("code".to_owned(), text("auth.lockFailures")), ("value".to_owned(), text("05"))]);
        let seen = Param::new().read(&api, &state).await.expect("an answer").expect("a parameter");
        assert_eq!(seen.values["value"], text("05"));
        served.await.expect("one call");
    }
}
