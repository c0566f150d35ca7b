//! The life of a described resource: what is the same for all of them.
//!
//! ```text
//! plan    prior state × configuration → what is to be; asks nobody
//! apply   made, changed or ended by the resource's own calls, then read once more
//! read    what the server has, with what only the state knows
//! import  the parts of a natural key; the read that follows finds the rest
//! ```
//! What the provider remembers beside a state (`private`): the key under which the record is made, so that a repeated
//! apply makes nothing twice, and the version that was read, so that nothing that somebody else changed meanwhile is
//! overwritten.

use async_trait::async_trait;
use serde_json::{Map, Value as Json};

use crate::{
    api::Api,
    failure::{Failure, Result},
    field::{Field, Place, attribute_of},
    protocol::{
        diagnostic::{Diagnostic, failed},
        provider::{Change, Outcome, Plan, State},
        schema::{Attribute, fitted},
        value::{Object, Value},
    },
};

/// A secret: it is typed, sent and forgotten; its number says when to send it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// Ends with `_wo`.
    pub attribute: &'static str,
    pub version: &'static str,
    /// Its name in calls.
    pub json: &'static str,
    /// A computed attribute that changes with it, if any.
    pub tail: Option<&'static str>,
}

/// What all resources say of themselves.
#[derive(Debug, Clone)]
pub struct Resource {
    /// As configurations name it.
    pub name: &'static str,
    pub says: &'static str,
    pub fields: Vec<Field>,
    pub secrets: Vec<Secret>,
    /// The attributes that an import id has, with `/` between them.
    pub import: &'static [&'static str],
    /// Attributes that never change, and why: persons and their data hang on them.
    pub frozen: &'static [(&'static str, &'static str)],
    /// Attributes whose change makes another record, as nothing hangs on this one.
    pub replaced: &'static [&'static str],
}

impl Resource {
    pub fn attributes(&self) -> Vec<Attribute> {
        self.fields.iter().map(|field| field.attribute.clone()).collect()
    }

    /// The attribute that goes into calls under this name.
    fn attribute_of(&self, json: &str) -> Option<String> {
        let secret = self.secrets.iter().find(|secret| secret.json == json);
        secret.map(|secret| secret.attribute.to_owned()).or_else(|| attribute_of(&self.fields, json))
    }

    fn told(&self, doing: &str, failure: Failure) -> Vec<Diagnostic> {
        failure.told(&format!("{doing} {}", self.name), |json| self.attribute_of(json))
    }
}

/// What the provider remembers beside a state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory(Map<String, Json>);

impl Memory {
    const KEY: &'static str = "key";
    const VERSION: &'static str = "version";

    pub fn of(private: &[u8]) -> Self {
        Self(serde_json::from_slice(private).unwrap_or_default())
    }

    fn bytes(&self) -> Vec<u8> {
        Json::Object(self.0.clone()).to_string().into_bytes()
    }

    /// Under which the record is made; a new one for each plan.
    fn with_key() -> Result<Self> {
        let key = crate::api::random_key()?;
        Ok(Self(Map::from_iter([(Self::KEY.to_owned(), Json::from(key))])))
    }

    pub fn key(&self) -> &str {
        self.0.get(Self::KEY).and_then(Json::as_str).unwrap_or_default()
    }

    /// The record's version when it was read.
    pub fn version(&self) -> Option<i64> {
        self.0.get(Self::VERSION)?.as_i64()
    }

    fn note(&mut self, version: Option<i64>) {
        if let Some(version) = version {
            self.0.insert(Self::VERSION.to_owned(), Json::from(version));
        }
    }
}

/// What a step is given: everything is known by then.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// Empty on creation.
    pub prior: &'a Object,
    pub planned: &'a Object,
    /// As typed: here are the secrets.
    pub config: &'a Object,
    pub memory: &'a Memory,
}

impl Given<'_> {
    /// A secret that is to be sent now: its number is another than before.
    pub fn secret(&self, secret: &Secret) -> Option<&str> {
        let typed = self.config.get(secret.attribute).and_then(Value::as_text)?;
        (self.prior.get(secret.version) != self.planned.get(secret.version)).then_some(typed)
    }

    /// Whether the attribute is to change.
    pub fn changes(&self, name: &str) -> bool {
        self.prior.get(name) != self.planned.get(name)
    }
}

/// What was made, even when a later step failed.
#[derive(Debug, Default)]
pub struct Made {
    /// What finds the record again.
    pub values: Object,
    pub told: Vec<Diagnostic>,
    /// The record is there, and not as it was to be. It is told as a warning: an error would make core replace it.
    pub failure: Option<Failure>,
}

impl Made {
    /// With the number that the server gave.
    pub fn numbered(id: i64) -> Self {
        Self { values: Object::from([("id".to_owned(), Value::Text(id.to_string()))]), ..Self::default() }
    }

    #[must_use]
    pub fn then(mut self, outcome: Result<()>) -> Self {
        self.failure = outcome.err();
        self
    }
}

/// A record as it was read.
#[derive(Debug)]
pub struct Seen {
    pub values: Object,
    pub version: Option<i64>,
}

/// One kind of resource: its description, and the calls that are its own.
#[async_trait]
pub trait Kind: Send + Sync {
    fn resource(&self) -> &Resource;

    /// Beyond the rules of the fields.
    fn validate(&self, _config: &Object, _told: &mut Vec<Diagnostic>) {}

    /// Beyond the rules of all resources; `prior` is none on creation.
    fn plan(&self, _prior: Option<&Object>, _planned: &mut Object, _told: &mut Vec<Diagnostic>) {}

    /// Whether it may end.
    fn plan_end(&self, _prior: &Object, _told: &mut Vec<Diagnostic>) {}

    /// The record that `state` names, by its number or (after an import) by its natural key; none when it is gone.
    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>>;

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made>;

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>>;

    async fn delete(&self, api: &Api, prior: &Object, memory: &Memory) -> Result<Vec<Diagnostic>>;
}

/// What is told of a configuration before anything is planned.
pub fn validate(kind: &dyn Kind, config: &Object, write_only: bool) -> Vec<Diagnostic> {
    let (resource, mut told) = (kind.resource(), Vec::new());
    let nothing = Value::Null;
    let typed = |name: &str| config.get(name).unwrap_or(&nothing);
    for field in &resource.fields {
        field.check(typed(field.name()), &mut told);
        let is_off = |switch: &str| matches!(typed(switch), Value::Null | Value::Bool(false));
        if let Some(switch) = field.needs.filter(|switch| !typed(field.name()).is_null() && is_off(switch)) {
            let why = format!("`{switch}` is off, and without it the server drops it.");
            told.push(Diagnostic::error(format!("`{}` is not kept", field.name())).detail(why).at(field.name()));
        }
    }
    for secret in &resource.secrets {
        let (given, number) = (!typed(secret.attribute).is_null(), !typed(secret.version).is_null());
        if given && !write_only {
            let summary = format!("`{}` needs Terraform 1.11 or newer", secret.attribute);
            told.push(Diagnostic::error(summary).detail("Older ones would keep it in the state.").at(secret.attribute));
        } else if given && !number {
            let summary = format!("`{}` is missing", secret.version);
            let detail = format!("`{}` is sent when this number changes: begin with 1.", secret.attribute);
            told.push(Diagnostic::error(summary).detail(detail).at(secret.version));
        }
    }
    kind.validate(config, &mut told);
    told
}

/// What is to become of a resource.
pub fn plan(kind: &dyn Kind, change: Change) -> Plan {
    let mut told = Vec::new();
    let prior = (!change.prior.is_null()).then(|| change.prior.into_object());
    if change.next.is_null() {
        kind.plan_end(&prior.unwrap_or_default(), &mut told);
        return Plan { state: State { value: Value::Null, private: change.private }, replaces: Vec::new(), told };
    }
    let config = change.config.into_object();
    let mut planned = next(kind.resource(), prior.as_ref(), &config);
    let mut replaces = Vec::new();
    if let Some(prior) = &prior {
        fixed(kind.resource(), prior, &planned, &mut replaces, &mut told);
    }
    kind.plan(prior.as_ref(), &mut planned, &mut told);
    let memory = if prior.is_some() && replaces.is_empty() {
        Memory::of(&change.private)
    } else {
        Memory::with_key().unwrap_or_else(|failure| {
            told.extend(kind.resource().told("plan", failure));
            Memory::default()
        })
    };
    Plan { state: State { value: Value::Object(planned), private: memory.bytes() }, replaces, told }
}

/// Configured values as they are configured, defaults, and what the server says where nobody does.
fn next(resource: &Resource, prior: Option<&Object>, config: &Object) -> Object {
    let mut planned: Object = resource
        .fields
        .iter()
        .map(|field| {
            let (name, attribute) = (field.name(), &field.attribute);
            let typed = config.get(name).unwrap_or(&Value::Null);
            let value = match (&attribute.default, prior) {
                _ if attribute.write_only => Value::Null,
                _ if !typed.is_null() => typed.clone(),
                (Some(default), _) => default.clone(),
                (None, None) if attribute.computed => Value::Unknown,
                (None, Some(prior)) if attribute.computed => prior.get(name).cloned().unwrap_or(Value::Unknown),
                (None, _) => Value::Null,
            };
            (name.to_owned(), value)
        })
        .collect();
    for secret in &resource.secrets {
        let before = prior.and_then(|prior| prior.get(secret.version));
        if let Some(tail) = secret.tail
            && before != planned.get(secret.version)
        {
            planned.insert(tail.to_owned(), Value::Unknown);
        }
    }
    planned
}

/// What must not change, and what makes another record.
fn fixed(
    resource: &Resource,
    prior: &Object,
    planned: &Object,
    replaces: &mut Vec<String>,
    told: &mut Vec<Diagnostic>,
) {
    for (name, why) in resource.frozen {
        // What is not known yet is looked at again when it is.
        if prior.get(*name) != planned.get(*name) && !planned.get(*name).is_some_and(Value::has_unknown) {
            let summary = format!("`{name}` of {} never changes", resource.name);
            told.push(Diagnostic::error(summary).detail(*why).at(name));
        }
    }
    let differs = |name: &&&str| prior.get(**name) != planned.get(**name);
    replaces.extend(resource.replaced.iter().filter(differs).map(|name| (*name).to_owned()));
}

/// What a plan could not see, as values were still unknown or are in no plan.
fn refused(kind: &dyn Kind, given: Given<'_>, is_new: bool) -> Vec<Diagnostic> {
    let (resource, mut told) = (kind.resource(), Vec::new());
    if !is_new {
        fixed(resource, given.prior, given.planned, &mut Vec::new(), &mut told);
        kind.plan(Some(given.prior), &mut given.planned.clone(), &mut told);
    }
    for secret in &resource.secrets {
        let number = given.planned.get(secret.version).filter(|number| !number.is_null());
        let is_typed = given.config.get(secret.attribute).is_some_and(|typed| !typed.is_null());
        if number.is_some() && given.changes(secret.version) && !is_typed {
            let told_here = Diagnostic::error(format!("`{}` is missing", secret.attribute));
            let why = format!("`{}` says that it is to be sent, and it is null.", secret.version);
            told.push(told_here.detail(why).at(secret.attribute));
        }
    }
    told.retain(|diagnostic| diagnostic.is_error);
    told
}

/// Does what was planned.
pub async fn apply(kind: &dyn Kind, api: &Api, change: Change) -> Outcome {
    let memory = Memory::of(&change.private);
    if change.next.is_null() {
        return end(kind, api, change, &memory).await;
    }
    let is_new = change.prior.is_null();
    let (prior, planned) = (change.prior.into_object(), change.next.into_object());
    let config = change.config.into_object();
    let given = Given { prior: &prior, planned: &planned, config: &config, memory: &memory };
    let resource = kind.resource();
    let told = refused(kind, given, is_new);
    if !told.is_empty() {
        let value = if is_new { Value::Null } else { Value::Object(prior) };
        return Outcome { state: State { value, private: change.private }, told };
    }
    if is_new {
        match kind.create(api, given).await {
            Ok(made) => {
                let mut told = made.told;
                let failed = made.failure.into_iter().flat_map(|failure| resource.told("create", failure));
                told.extend(failed.map(|told| told.softened("The record is there; the next plan shows what is left.")));
                let found = planned.into_iter().chain(made.values).collect();
                settled(kind, api, found, memory, told).await
            }
            Err(failure @ Failure::Unreachable(_)) => {
                let (found, told) = lost(kind, api, given, failure).await;
                match found {
                    Some(found) => settled(kind, api, found, memory, told).await,
                    None => Outcome { state: State { value: Value::Null, private: change.private }, told },
                }
            }
            Err(failure) => {
                let failure = exists(resource, &planned, failure);
                Outcome {
                    state: State { value: Value::Null, private: change.private },
                    told: resource.told("create", failure),
                }
            }
        }
    } else {
        match kind.update(api, given).await {
            Ok(told) => settled(kind, api, planned, memory, told).await,
            Err(failure) => {
                let told = resource.told("change", stale(failure));
                // Part of it may have been done.
                let state = match kind.read(api, &prior).await {
                    Ok(Some(seen)) => remembered(resource, seen, memory),
                    _ => State { value: Value::Object(prior), private: memory.bytes() },
                };
                Outcome { state, told }
            }
        }
    }
}

/// The answers to a creation were lost, and with them whether it was done: one look by the natural key. What is there as it
/// was planned is taken for what was made, and told; a secret cannot be seen, so that with one nothing is.
async fn lost(kind: &dyn Kind, api: &Api, given: Given<'_>, failure: Failure) -> (Option<Object>, Vec<Diagnostic>) {
    let (resource, mut told) = (kind.resource(), kind.resource().told("create", failure));
    let sought: Object = given.planned.iter().filter(|(_, value)| !value.has_unknown()).map(clone_of).collect();
    let Ok(Some(seen)) = kind.read(api, &sought).await else { return (None, told) };
    let is_as_planned = |field: &Field| {
        let wanted = given.planned.get(field.name()).unwrap_or(&Value::Null);
        wanted.has_unknown() || seen.values.get(field.name()).unwrap_or(&Value::Null) == wanted
    };
    let formed = |field: &&Field| matches!(field.place, Place::Form | Place::Born);
    let has_secret = resource.secrets.iter().any(|secret| given.secret(secret).is_some());
    if !has_secret && resource.fields.iter().filter(formed).all(is_as_planned) {
        let found = given.planned.iter().map(clone_of);
        let id = seen.values.get("id").cloned().unwrap_or_default();
        let next = "Its answer was lost; it is there as planned, and taken for what was made.";
        return (
            Some(found.chain([("id".to_owned(), id)]).collect()),
            told.into_iter().map(|told| told.softened(next)).collect(),
        );
    }
    let command = import_command(resource, given.planned);
    let next = format!("There is one now, which may be what was made. If it is to be managed here: {command}");
    if let Some(first) = told.first_mut() {
        first.detail = format!("{}\n{next}", first.detail);
    }
    (None, told)
}

fn clone_of((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

async fn end(kind: &dyn Kind, api: &Api, change: Change, memory: &Memory) -> Outcome {
    let prior = change.prior.into_object();
    match kind.delete(api, &prior, memory).await {
        Ok(told) => Outcome { state: State::default(), told },
        Err(failure) if failure.is_gone() => Outcome::default(),
        Err(failure) => Outcome {
            state: State { value: Value::Object(prior), private: change.private },
            told: kind.resource().told("end", failure),
        },
    }
}

/// What was planned, with what the server made of the rest.
async fn settled(kind: &dyn Kind, api: &Api, planned: Object, mut memory: Memory, told: Vec<Diagnostic>) -> Outcome {
    let resource = kind.resource();
    let mut told = told;
    let seen = match kind.read(api, &planned).await {
        Ok(Some(seen)) => seen,
        // It was written: an error would make core replace what is new.
        Ok(None) => {
            told.push(Diagnostic::warning(format!("{} is gone right after it was written", resource.name)));
            Seen { values: Object::new(), version: None }
        }
        Err(failure) => {
            let failed = resource.told("read", failure).into_iter();
            told.extend(failed.map(|told| told.softened("It was written; the next plan reads it again.")));
            Seen { values: Object::new(), version: None }
        }
    };
    memory.note(seen.version);
    // An error leaves what is there, not what was to be there; beside a warning core takes nothing but what was planned.
    let as_planned = !failed(&told) || seen.values.is_empty();
    let value = resource
        .fields
        .iter()
        .map(|field| {
            let (wanted, real) = (planned.get(field.name()), seen.values.get(field.name()));
            let value = match wanted {
                Some(wanted) if as_planned && !wanted.has_unknown() => wanted.clone(),
                _ => real.cloned().unwrap_or_default(),
            };
            (field.name().to_owned(), value)
        })
        .collect();
    Outcome { state: State { value: Value::Object(value), private: memory.bytes() }, told }
}

fn remembered(resource: &Resource, seen: Seen, mut memory: Memory) -> State {
    memory.note(seen.version);
    State { value: Value::Object(fitted(seen.values, &resource.attributes())), private: memory.bytes() }
}

/// The command that brings a record into a state.
pub fn import_command(resource: &Resource, planned: &Object) -> String {
    let part = |name: &&str| match planned.get(*name).and_then(Value::as_text) {
        Some(part) => part.to_owned(),
        None if *name == "school_code" => PLATFORM.to_owned(),
        None => format!("<{name}>"),
    };
    let parts: Vec<String> = resource.import.iter().map(part).collect();
    format!("terraform import {}.<name> '{}'", resource.name, parts.join("/"))
}

/// A record that is there already is not taken over: another configuration may have made it. Of what names a record the
/// server refuses nothing but that it is taken, as its form was looked at in the plan.
fn exists(resource: &Resource, planned: &Object, failure: Failure) -> Failure {
    let Failure::Refused(mut refusal) = failure else { return failure };
    let command = import_command(resource, planned);
    for (field, message) in &mut refusal.fields {
        let attribute = resource.attribute_of(field);
        if attribute.is_some_and(|attribute| resource.import.contains(&attribute.as_str())) {
            *message = format!("{message}. If it is there and to be managed here: {command}");
        }
    }
    // Cipher texts differ each time, so that a repeated apply with a password is another request under the same key.
    if refusal.code == 409 && refusal.msg.contains("请求编号已被使用") {
        let told = Diagnostic::error("This plan was applied before; plan again");
        return Failure::Told(told.detail(refusal.msg));
    }
    Failure::Refused(refusal)
}

/// Somebody changed the record since it was read.
fn stale(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) if refusal.code == 409 && refusal.msg.contains("刷新后重试") => {
            let told = Diagnostic::error("The record changed since the plan; plan again").detail(refusal.msg);
            Failure::Told(told)
        }
        other => other,
    }
}

/// What the server has.
pub async fn read(kind: &dyn Kind, api: &Api, state: State) -> Outcome {
    let resource = kind.resource();
    let known = state.value.into_object();
    // What was in a school that is deleted is gone with it.
    if let Some(code) = known.get("school_code").and_then(Value::as_text)
        && matches!(api.school(code).await, Err(failure) if failure.is_gone())
    {
        return Outcome::default();
    }
    match kind.read(api, &known).await {
        Ok(None) => Outcome::default(),
        Ok(Some(seen)) => Outcome { state: remembered(resource, seen, Memory::of(&state.private)), told: Vec::new() },
        Err(failure) => Outcome {
            state: State { value: Value::Object(known), private: state.private },
            told: resource.told("read", failure),
        },
    }
}

/// In ids of records that are in no school.
pub const PLATFORM: &str = "platform";

/// The state from which a read finds the record.
pub fn import(kind: &dyn Kind, id: &str) -> Outcome {
    let resource = kind.resource();
    // The last part may have slashes of its own.
    let parts: Vec<&str> = id.splitn(resource.import.len(), '/').collect();
    if parts.len() != resource.import.len() || parts.iter().any(|part| part.is_empty()) {
        let told = Diagnostic::error(format!("`{id}` is no id of {}", resource.name));
        let told = told.detail(format!("It is {}.", resource.import.join("/")));
        return Outcome { state: State::default(), told: vec![told] };
    }
    let parts = resource.import.iter().zip(parts).map(|(name, part)| {
        let is_platform = *name == "school_code" && part == PLATFORM;
        ((*name).to_owned(), if is_platform { Value::Null } else { Value::Text(part.to_owned()) })
    });
    let value = Value::Object(fitted(parts.collect(), &resource.attributes()));
    Outcome { state: State { value, private: Memory::default().bytes() }, told: Vec::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        field::{Rule, id, school_code, switch, text_field},
        protocol::schema::{Type, attribute},
    };

    struct Thing(Resource);

    fn thing() -> Thing {
        let write_only = attribute("secret_wo", Type::Text, "").write_only();
        Thing(Resource {
            name: "school_thing",
            says: "",
            fields: vec![
                id(),
                school_code(),
                text_field("code", "code", "").required().rule(Rule::Longest(5)),
                text_field("remark", "remark", ""),
                switch("enabled", "enabled", true, ""),
                crate::field::local(write_only),
                crate::field::local(attribute("secret_wo_version", Type::Number, "")),
                text_field("secret_tail", "secretTail", "").read_only(),
            ],
            secrets: vec![Secret {
                attribute: "secret_wo",
                version: "secret_wo_version",
                json: "secret",
                tail: Some("secret_tail"),
            }],
            import: &["school_code", "code"],
            frozen: &[("school_code", "Persons are in it.")],
            replaced: &["code"],
        })
    }

    #[async_trait]
    impl Kind for Thing {
        fn resource(&self) -> &Resource {
            &self.0
        }

        async fn read(&self, _api: &Api, _state: &Object) -> Result<Option<Seen>> {
            Ok(None)
        }

        async fn create(&self, _api: &Api, _given: Given<'_>) -> Result<Made> {
            Ok(Made::numbered(1))
        }

        async fn update(&self, _api: &Api, _given: Given<'_>) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }

        async fn delete(&self, _api: &Api, _prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }
    }

    fn object(json: &Json) -> Value {
        Value::Object(fitted(Value::of_json(json).into_object(), &thing().0.attributes()))
    }

    fn planned(prior: &Json, config: &Json) -> Plan {
        let prior_value = if prior.is_null() { Value::Null } else { object(prior) };
        let private = br#"{"version":3}"#.to_vec();
        plan(&thing(), Change { prior: prior_value, next: object(config), config: object(config), private })
    }

    fn stands() -> Json {
        json!({
            "id": "7", "school_code": "10589", "code": "A", "enabled": true,
            "secret_wo_version": 1, "secret_tail": "9876",
        })
    }

    #[test]
    fn a_new_record_has_what_is_configured_defaults_and_what_is_to_come() {
        let config = json!({ "school_code": "10589", "code": "A", "secret_wo": "s3cret", "secret_wo_version": 1 });
        let plan = planned(&Json::Null, &config);
        let value = plan.state.value.into_object();
        assert_eq!(
            (&value["id"], &value["enabled"], &value["remark"]),
            (&Value::Unknown, &Value::Bool(true), &Value::Null)
        );
        assert_eq!((&value["secret_wo"], &value["secret_tail"]), (&Value::Null, &Value::Unknown));
        let memory = Memory::of(&plan.state.private);
        assert_eq!((memory.key().len(), memory.version()), (32, None));
        let again = planned(&Json::Null, &config);
        assert_ne!(Memory::of(&again.state.private).key(), memory.key());
    }

    #[test]
    fn a_plan_without_a_difference_is_what_stands() {
        let config = json!({ "school_code": "10589", "code": "A", "secret_wo": "s3cret", "secret_wo_version": 1 });
        let plan = planned(&stands(), &config);
        assert_eq!(plan.state.value, object(&stands()));
        assert_eq!((plan.replaces.len(), plan.told.len()), (0, 0));
        assert_eq!(Memory::of(&plan.state.private).version(), Some(3));
    }

    #[test]
    fn only_what_changes_is_unknown() {
        let config = json!({
            "school_code": "10589", "code": "A", "enabled": false, "secret_wo": "new", "secret_wo_version": 2,
        });
        let value = planned(&stands(), &config).state.value.into_object();
        assert_eq!((&value["id"], &value["secret_tail"]), (&Value::Text("7".to_owned()), &Value::Unknown));
        assert_eq!(value["enabled"], Value::Bool(false));
        assert_eq!(value["secret_wo"], Value::Null);
    }

    #[test]
    fn what_persons_hang_on_never_changes_and_another_key_is_another_record() {
        let moved = planned(&stands(), &json!({ "school_code": "10590", "code": "A", "secret_wo_version": 1 }));
        assert_eq!(
            moved.told,
            [Diagnostic::error("`school_code` of school_thing never changes")
                .detail("Persons are in it.")
                .at("school_code")]
        );
        assert!(moved.replaces.is_empty());
        let renamed = planned(&stands(), &json!({ "school_code": "10589", "code": "B", "secret_wo_version": 1 }));
        assert_eq!((renamed.replaces.as_slice(), renamed.told.len()), (&["code".to_owned()][..], 0));
        assert_eq!(Memory::of(&renamed.state.private).key().len(), 32);
    }

    #[test]
    fn a_secret_needs_its_number_and_a_terraform_that_forgets_it() {
        let secret = |config: Json, knows| validate(&thing(), &object(&config).into_object(), knows);
        let config = json!({ "school_code": "1", "code": "A", "secret_wo": "s" });
        assert_eq!(secret(config.clone(), true)[0].summary, "`secret_wo_version` is missing");
        assert_eq!(secret(config, false)[0].summary, "`secret_wo` needs Terraform 1.11 or newer");
        assert!(secret(json!({ "school_code": "1", "code": "A" }), false).is_empty());
        assert_eq!(
            secret(json!({ "school_code": "1", "code": "ABCDEF" }), true)[0].detail,
            "It has at most 5 characters."
        );
    }

    #[test]
    fn an_import_names_the_natural_key() {
        let state = import(&thing(), "10589/S1/2").state;
        let value = state.value.into_object();
        assert_eq!(
            (&value["school_code"], &value["code"]),
            (&Value::Text("10589".to_owned()), &Value::Text("S1/2".to_owned()))
        );
        assert_eq!(import(&thing(), "platform/S1").state.value.into_object()["school_code"], Value::Null);
        for wrong in ["10589", "/S1", ""] {
            assert_eq!(import(&thing(), wrong).told[0].detail, "It is school_code/code.");
        }
    }

    #[test]
    fn a_secret_is_sent_only_when_its_number_changes() {
        let thing = thing();
        let secret = &thing.0.secrets[0];
        let (prior, config) = (object(&stands()).into_object(), object(&json!({ "secret_wo": "s" })).into_object());
        let memory = Memory::default();
        let mut planned = prior.clone();
        let given = Given { prior: &prior, planned: &planned.clone(), config: &config, memory: &memory };
        assert_eq!(given.secret(secret), None);
        planned.insert("secret_wo_version".to_owned(), Value::Integer(2));
        let given = Given { prior: &prior, planned: &planned, config: &config, memory: &memory };
        assert_eq!(given.secret(secret), Some("s"));
    }

    #[test]
    fn what_exists_is_to_be_imported_and_what_changed_to_be_planned_again() {
        let taken = Failure::Refused(crate::failure::Refusal {
            code: 422,
            fields: vec![("code".to_owned(), "编码已存在".to_owned())],
            ..Default::default()
        });
        let planned = object(&json!({ "school_code": "10589", "code": "A" })).into_object();
        let told = thing().0.told("create", exists(&thing().0, &planned, taken));
        assert!(told[0].detail.ends_with("terraform import school_thing.<name> '10589/A'"), "{told:?}");
        assert_eq!(told[0].path.len(), 1);
        let platforms = object(&json!({ "code": "A" })).into_object();
        assert!(import_command(&thing().0, &platforms).ends_with("'platform/A'"));
        // Of a school the server says it with 409.
        let school = Failure::Refused(crate::failure::Refusal {
            code: 409,
            fields: vec![("code".to_owned(), "院校代码已存在".to_owned())],
            ..Default::default()
        });
        let told = thing().0.told("create", exists(&thing().0, &planned, school));
        assert!(told[0].path.len() == 1 && told[0].detail.contains("terraform import"), "{told:?}");
        let twice = Failure::Refused(crate::failure::Refusal {
            code: 409,
            msg: "请求编号已被使用".to_owned(),
            ..Default::default()
        });
        assert!(
            matches!(exists(&thing().0, &planned, twice), Failure::Told(told) if told.summary.contains("plan again"))
        );
        // Another field than those of the key says something else.
        let wrong = Failure::Refused(crate::failure::Refusal {
            code: 422,
            fields: vec![("remark".to_owned(), "已存在".to_owned())],
            ..Default::default()
        });
        assert!(!thing().0.told("create", exists(&thing().0, &planned, wrong))[0].detail.contains("import"));
        let changed = Failure::Refused(crate::failure::Refusal {
            code: 409,
            msg: "数据已被李老师修改，请刷新后重试".to_owned(),
            ..Default::default()
        });
        assert!(matches!(stale(changed), Failure::Told(told) if told.summary.contains("plan again")));
    }

    fn nowhere() -> Api {
        let (_, stop) = tokio::sync::watch::channel(true);
        Api::new("http://127.0.0.1:9", String::new(), "t", stop).expect("an address")
    }

    /// A record that is made, whose next step fails, and that cannot be read afterwards.
    struct Lame(Thing);

    #[async_trait]
    impl Kind for Lame {
        fn resource(&self) -> &Resource {
            &self.0.0
        }

        async fn read(&self, _api: &Api, _state: &Object) -> Result<Option<Seen>> {
            Err(Failure::Unreachable("it restarts".to_owned()))
        }

        async fn create(&self, _api: &Api, _given: Given<'_>) -> Result<Made> {
            Ok(Made::numbered(7).then(Err(Failure::Unreachable("it restarts".to_owned()))))
        }

        async fn update(&self, _api: &Api, _given: Given<'_>) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }

        async fn delete(&self, _api: &Api, _prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }
    }

    #[tokio::test]
    async fn what_was_made_is_not_tainted_by_what_comes_after() {
        let config = json!({ "school_code": "10589", "code": "A" });
        let plan = planned(&Json::Null, &config);
        let (next, private) = (plan.state.value, plan.state.private);
        let change = Change { prior: Value::Null, next, config: object(&config), private };
        let outcome = apply(&Lame(thing()), &nowhere(), change).await;
        assert_eq!((outcome.told.len(), failed(&outcome.told)), (2, false), "{:?}", outcome.told);
        let state = outcome.state.value.into_object();
        // As planned, or core says that the result is not what was planned.
        assert_eq!((&state["id"], &state["code"]), (&Value::Text("7".to_owned()), &Value::Text("A".to_owned())));
        assert_eq!(state["secret_tail"], Value::Null);
    }

    /// A record that may be there after all answers to its making were lost.
    struct Silent(Thing, Option<Object>);

    #[async_trait]
    impl Kind for Silent {
        fn resource(&self) -> &Resource {
            &self.0.0
        }

        async fn read(&self, _api: &Api, state: &Object) -> Result<Option<Seen>> {
            assert!(state.get("id").is_none_or(|id| !id.has_unknown()), "it is looked for by its natural key");
            Ok(self.1.clone().map(|values| Seen { values, version: Some(4) }))
        }

        async fn create(&self, _api: &Api, _given: Given<'_>) -> Result<Made> {
            Err(Failure::Unreachable("the connection ended".to_owned()))
        }

        async fn update(&self, _api: &Api, _given: Given<'_>) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }

        async fn delete(&self, _api: &Api, _prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
            Ok(Vec::new())
        }
    }

    #[tokio::test]
    async fn after_lost_answers_one_look_tells_whether_it_was_made() {
        let made = async |config: Json, there: Option<Json>| {
            let plan = planned(&Json::Null, &config);
            let (next, private) = (plan.state.value, plan.state.private);
            let change = Change { prior: Value::Null, next, config: object(&config), private };
            let there = there.map(|there| object(&there).into_object());
            apply(&Silent(thing(), there), &nowhere(), change).await
        };
        let config = json!({ "school_code": "10589", "code": "A", "remark": "甲" });
        let stands =
            |remark: &str| json!({ "id": "7", "school_code": "10589", "code": "A", "remark": remark, "enabled": true });
        let outcome = made(config.clone(), Some(stands("甲"))).await;
        assert!(!failed(&outcome.told) && outcome.told.len() == 1, "{:?}", outcome.told);
        let state = outcome.state.value.into_object();
        assert_eq!(
            (&state["id"], Memory::of(&outcome.state.private).version()),
            (&Value::Text("7".to_owned()), Some(4))
        );
        let others = made(config.clone(), Some(stands("乙"))).await;
        assert!(failed(&others.told) && others.state.value.is_null());
        assert!(others.told[0].detail.ends_with("terraform import school_thing.<name> '10589/A'"), "{:?}", others.told);
        let nothing = made(config.clone(), None).await;
        assert!(failed(&nothing.told) && !nothing.told[0].detail.contains("import"));
        // Whether the secret is this one cannot be seen.
        let mut with_secret = config;
        with_secret["secret_wo"] = json!("s3cret");
        with_secret["secret_wo_version"] = json!(1);
        assert!(failed(&made(with_secret, Some(stands("甲"))).await.told));
    }

    #[tokio::test]
    async fn a_number_without_its_secret_sends_nothing_and_is_not_noted() {
        let mut next = stands();
        next["secret_wo_version"] = json!(2);
        let change = |typed: Option<&str>| {
            let mut config = object(&next).into_object();
            config.insert("secret_wo".to_owned(), Value::text(typed));
            Change { prior: object(&stands()), next: object(&next), config: Value::Object(config), private: Vec::new() }
        };
        let outcome = apply(&thing(), &nowhere(), change(None)).await;
        assert_eq!(outcome.told[0].path, Diagnostic::error("").at("secret_wo").path);
        assert_eq!(outcome.state.value, object(&stands()));
        assert!(!failed(&apply(&thing(), &nowhere(), change(Some("n3w"))).await.told));
    }

    #[tokio::test]
    async fn what_never_changes_is_looked_at_again_when_it_is_known() {
        let moved = |code: Value| {
            let mut state = object(&stands()).into_object();
            state.insert("school_code".to_owned(), code);
            let next = Value::Object(state);
            Change { prior: object(&stands()), next: next.clone(), config: next, private: Vec::new() }
        };
        assert!(plan(&thing(), moved(Value::Unknown)).told.is_empty());
        let outcome = apply(&thing(), &nowhere(), moved(Value::Text("10590".to_owned()))).await;
        assert_eq!(outcome.told[0].summary, "`school_code` of school_thing never changes");
        assert_eq!(outcome.state.value, object(&stands()));
    }
}
