//! Resources that are one record of the server: saved, edited as a whole, viewed by number or natural key, deleted.

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number, unless_gone},
    failure::{Failure, Result},
    field::{Place, body, differs, seen, within},
    kind::{Given, Kind, Made, Memory, Resource, Seen},
    protocol::{
        diagnostic::Diagnostic,
        value::{Object, Value},
    },
};

/// How the one field that no form has is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// `{id, enabled}`.
    Enabled(&'static str),
    /// `{id, status, version, reason}`; what is closed comes back as suspended first.
    Status(&'static str),
}

/// A record and its calls.
#[derive(Debug, Clone)]
pub struct Entity {
    pub resource: Resource,
    /// Whether the calls go into the school that `school_code` names.
    pub of_school: bool,
    pub view: &'static str,
    pub save: &'static str,
    pub edit: &'static str,
    pub delete: &'static str,
    /// The name of the number in the record, in `view` and in `edit`.
    pub number: &'static str,
    /// The name of the number in `delete`, which differs for what is deleted by several.
    pub delete_by: &'static str,
    /// The attributes of the natural key, and their names in `view`.
    pub keys: &'static [(&'static str, &'static str)],
    pub step: Option<Step>,
}

/// The school in which a record is.
///
/// # Errors
/// When the school is not there, or not the token's.
pub async fn school_of(api: &Api, state: &Object) -> Result<Option<i64>> {
    match state.get("school_code").and_then(Value::as_text) {
        Some(code) => Ok(Some(api.school(code).await?)),
        None => Ok(None),
    }
}

/// The number in the state, if it is known.
pub fn number_in(state: &Object) -> Option<&str> {
    state.get("id").and_then(Value::as_text)
}

impl Entity {
    async fn school(&self, api: &Api, state: &Object) -> Result<Option<i64>> {
        if self.of_school { school_of(api, state).await } else { Ok(None) }
    }

    async fn record(&self, api: &Api, state: &Object, school: Option<i64>) -> Result<Option<Json>> {
        let mut call = Call::get(self.view).within(school);
        match number_in(state) {
            Some(id) => call = call.with(self.number, id),
            None => {
                for (attribute, name) in self.keys {
                    let value = state.get(*attribute).and_then(Value::as_text).unwrap_or_default();
                    call = call.with(name, value);
                }
            }
        }
        unless_gone(api.send(call).await)
    }

    /// The field that a step changes.
    fn stepped(&self) -> Option<&'static str> {
        self.resource.fields.iter().find(|field| field.place == Place::Step).map(|field| field.name())
    }

    async fn step(&self, api: &Api, id: i64, wanted: &Value, school: Option<i64>) -> Result<()> {
        let call = match self.step {
            None => return Ok(()),
            Some(Step::Enabled(path)) => Call::put(path, json!({ "id": id, "enabled": wanted.json() })),
            Some(Step::Status(path)) => {
                let record = api.send(Call::get(self.view).with(self.number, id).within(school)).await?;
                let version = number(&record, "version")?;
                Call::put(path, status_form(id, wanted, version))
            }
        };
        api.send(call.within(school)).await.map(|_| ())
    }
}

/// A change of a status; the server wants a reason for some of them and keeps it for all.
fn status_form(id: i64, wanted: &Value, version: i64) -> Json {
    let reason = format!("Terraform: status = {}", wanted.as_text().unwrap_or_default());
    json!({ "id": id, "status": wanted.json(), "version": version, "reason": reason })
}

#[async_trait]
impl Kind for Entity {
    fn resource(&self) -> &Resource {
        &self.resource
    }

    fn plan(&self, prior: Option<&Object>, planned: &mut Object, told: &mut Vec<Diagnostic>) {
        let Some(Step::Status(_)) = self.step else { return };
        let status = |state: &Object| state.get("status").and_then(Value::as_text).map(ToOwned::to_owned);
        if prior.and_then(status).as_deref() == Some("closed") && status(&*planned).as_deref() == Some("active") {
            let why = "Apply `suspended` first, then `active`.";
            told.push(Diagnostic::error("What is closed comes back as suspended").detail(why).at("status"));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let school = self.school(api, state).await?;
        let Some(record) = self.record(api, state, school).await? else { return Ok(None) };
        let mut values = seen(api, &self.resource.fields, &record, state, school).await?;
        values.insert("id".to_owned(), Value::Text(number(&record, self.number)?.to_string()));
        Ok(Some(Seen { values, version: record["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        let school = self.school(api, given.planned).await?;
        let form = body(api, &self.resource.fields, given.planned, school, true).await?;
        let call = Call::post(self.save, Json::Object(form)).within(school).under_key(given.memory.key());
        let answer = api.send(call).await?;
        let id = number(&answer, "id")?;
        let mut made = Made::numbered(id);
        made.told.extend(warnings(&answer));
        let Some(name) = self.stepped() else { return Ok(made) };
        let wanted = &given.planned[name];
        let field = self.resource.fields.iter().find(|field| field.name() == name);
        if field.and_then(|field| field.attribute.default.as_ref()) == Some(wanted) {
            return Ok(made);
        }
        Ok(made.then(self.step(api, id, wanted, school).await))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let school = self.school(api, given.planned).await?;
        let id = numbered(given.prior)?;
        let mut told = Vec::new();
        if differs(&self.resource.fields, Place::Form, given.prior, given.planned) {
            let version = match given.memory.version() {
                Some(version) => version,
                None => number(&api.send(Call::get(self.view).with(self.number, id).within(school)).await?, "version")?,
            };
            let mut form = body(api, &self.resource.fields, given.planned, school, false).await?;
            form.insert(self.number.to_owned(), json!(id));
            form.insert("version".to_owned(), json!(version));
            let answer = api.send(Call::put(self.edit, Json::Object(form)).within(school)).await?;
            told.extend(warnings(&answer));
        }
        if let Some(name) = self.stepped()
            && given.changes(name)
        {
            self.step(api, id, &given.planned[name], school).await?;
        }
        Ok(told)
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        let school = self.school(api, prior).await?;
        let answer = api.send(Call::delete(self.delete).with(self.delete_by, numbered(prior)?).within(school)).await?;
        // Where several are deleted at once, each is refused by itself.
        match within(&answer, "failed").get(0) {
            None => Ok(Vec::new()),
            Some(failed) => {
                let msg = failed["msg"].as_str().unwrap_or_default().to_owned();
                Err(Failure::Refused(crate::failure::Refusal { code: 409, msg, ..Default::default() }))
            }
        }
    }
}

/// What the server found worth a second look.
fn warnings(answer: &Json) -> impl Iterator<Item = Diagnostic> {
    let texts = answer["warnings"].as_array().into_iter().flatten().filter_map(Json::as_str);
    texts.map(|text| Diagnostic::warning("Saved, with a remark of the server").detail(text))
}

/// The number in a state of which it must be known.
///
/// # Errors
/// When it is not: the state was not written by this provider.
pub fn numbered(state: &Object) -> Result<i64> {
    number_in(state)
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| Failure::Told(Diagnostic::error("The state has no number of the record")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_status_says_why() {
        let form = status_form(3, &Value::Text("suspended".to_owned()), 7);
        assert_eq!(form["reason"], json!("Terraform: status = suspended"));
        assert_eq!((&form["id"], &form["version"]), (&json!(3), &json!(7)));
    }
}
