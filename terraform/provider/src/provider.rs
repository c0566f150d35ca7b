//! The provider: its configuration, and who answers for which type.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use tokio::sync::watch;

use crate::{
    api::Api,
    data, ephemeral,
    kind::{self, Kind},
    protocol::{
        diagnostic::Diagnostic,
        pb,
        provider::{Change, Opened, Outcome, Plan, Provider, State, Whose},
        schema::{Attribute, Type, attribute, fitted, schema},
        value::{Object, Value},
    },
    resources,
};

const ENDPOINT: &str = "SCHOOL_ENDPOINT";
const TOKEN: &str = "SCHOOL_TOKEN";

/// All resources, data sources and ephemeral resources, and the server that they speak to.
pub struct SchoolProvider {
    kinds: BTreeMap<&'static str, Box<dyn Kind>>,
    /// None until it is configured, and while its configuration is not known.
    api: RwLock<Option<Arc<Api>>>,
    stop: watch::Sender<bool>,
}

impl Default for SchoolProvider {
    fn default() -> Self {
        Self::new()
    }
}

impl SchoolProvider {
    pub fn new() -> Self {
        let kinds = resources::all().into_iter().map(|kind| (kind.resource().name, kind)).collect();
        Self { kinds, api: RwLock::default(), stop: watch::channel(false).0 }
    }

    fn attributes() -> Vec<Attribute> {
        vec![
            attribute(
                "endpoint",
                Type::Text,
                "Address of the server, https://…; else the environment's SCHOOL_ENDPOINT.",
            ),
            attribute("token", Type::Text, "A machine token (机器令牌); else the environment's SCHOOL_TOKEN.")
                .sensitive(),
        ]
    }

    fn kind(&self, type_name: &str) -> Result<&dyn Kind, Diagnostic> {
        self.kinds
            .get(type_name)
            .map(|kind| &**kind)
            .ok_or_else(|| Diagnostic::error(format!("There is no resource {type_name}")))
    }

    /// The server, for what is kept in a state.
    fn managing(&self) -> Result<Arc<Api>, Diagnostic> {
        let api = self.api()?;
        if !api.is_session() {
            return Ok(api);
        }
        let why = "`token` of the provider is a person's session: it can read data and open tokens. A school out of a person's \
                   reach looks like one that is gone, and would be planned anew.";
        Err(Diagnostic::error("Resources are managed with a machine token (cjm_…)").detail(why))
    }

    fn api(&self) -> Result<Arc<Api>, Diagnostic> {
        let api = self.api.read().unwrap_or_else(PoisonError::into_inner).clone();
        api.ok_or_else(|| {
            let told = Diagnostic::error("The server is not known yet");
            told.detail("`endpoint` or `token` of the provider comes from what is still to be made: apply that first.")
        })
    }
}

/// A configured text, or the environment's; none while it is not known.
fn setting(config: &Object, name: &str, variable: Option<String>) -> Result<Option<String>, Diagnostic> {
    match config.get(name) {
        Some(Value::Unknown) => Ok(None),
        Some(Value::Text(text)) if !text.is_empty() => Ok(Some(text.clone())),
        _ => variable.filter(|text| !text.is_empty()).map(Some).ok_or_else(|| {
            let variable = if name == "token" { TOKEN } else { ENDPOINT };
            Diagnostic::error(format!("The provider has no `{name}`")).detail(format!("Or set {variable}.")).at(name)
        }),
    }
}

/// Whether a token would go over a network in the open.
fn is_open(endpoint: &str) -> bool {
    endpoint.strip_prefix("http://").is_some_and(|rest| {
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        !matches!(host, "localhost" | "127.0.0.1" | "[")
    })
}

fn alone(told: Diagnostic, state: State) -> Outcome {
    Outcome { state, told: vec![told] }
}

impl Provider for SchoolProvider {
    fn schemas(&self) -> pb::SchemaAnswer {
        let described = |all: Vec<data::Described>| {
            all.into_iter().map(|each| (each.name.to_owned(), schema(each.says, &each.attributes))).collect()
        };
        let resource = |kind: &dyn Kind| schema(kind.resource().says, &kind.resource().attributes());
        pb::SchemaAnswer {
            provider: Some(schema("Schools of an operator (成教云).", &Self::attributes())),
            resource_schemas: self.kinds.iter().map(|(name, kind)| ((*name).to_owned(), resource(&**kind))).collect(),
            data_source_schemas: described(data::all()),
            ephemeral_resource_schemas: described(ephemeral::all()),
            ..pb::SchemaAnswer::default()
        }
    }

    fn validate(&self, whose: Whose, type_name: &str, config: &Value, write_only: bool) -> Vec<Diagnostic> {
        match (whose, self.kind(type_name)) {
            (Whose::Resource, Ok(kind)) => {
                config.as_object().map_or_else(Vec::new, |config| kind::validate(kind, config, write_only))
            }
            (Whose::Resource, Err(told)) => vec![told],
            _ => Vec::new(),
        }
    }

    async fn configure(&self, terraform: &str, config: Value) -> Vec<Diagnostic> {
        let config = config.into_object();
        let endpoint = setting(&config, "endpoint", std::env::var(ENDPOINT).ok());
        let token = setting(&config, "token", std::env::var(TOKEN).ok());
        let (endpoint, token) = match (endpoint, token) {
            (Ok(Some(endpoint)), Ok(Some(token))) => (endpoint, token),
            (endpoint, token) => return [endpoint.err(), token.err()].into_iter().flatten().collect(),
        };
        let agent = format!("terraform-provider-school/{} Terraform/{terraform}", env!("CARGO_PKG_VERSION"));
        match Api::new(&endpoint, token, &agent, self.stop.subscribe()) {
            Ok(api) => {
                *self.api.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(api));
                let told = Diagnostic::warning("The token travels in the open").detail("Use https://.").at("endpoint");
                if is_open(&endpoint) { vec![told] } else { Vec::new() }
            }
            Err(why) => vec![Diagnostic::error("`endpoint` is no address of a server").detail(why).at("endpoint")],
        }
    }

    fn upgrade(&self, type_name: &str, _version: i64, stored: Value) -> Result<Value, Diagnostic> {
        let attributes = self.kind(type_name)?.resource().attributes();
        Ok(match stored {
            Value::Object(stored) => Value::Object(fitted(stored, &attributes)),
            _ => Value::Null,
        })
    }

    async fn read(&self, type_name: &str, state: State) -> Outcome {
        match (self.kind(type_name), self.managing()) {
            (Ok(kind), Ok(api)) => kind::read(kind, &api, state).await,
            (Err(told), _) | (_, Err(told)) => alone(told, state),
        }
    }

    fn plan(&self, type_name: &str, change: Change) -> Plan {
        match self.kind(type_name) {
            Ok(kind) => kind::plan(kind, change),
            Err(told) => Plan { told: vec![told], ..Plan::default() },
        }
    }

    async fn apply(&self, type_name: &str, change: Change) -> Outcome {
        match (self.kind(type_name), self.managing()) {
            (Ok(kind), Ok(api)) => kind::apply(kind, &api, change).await,
            (Err(told), _) | (_, Err(told)) => alone(told, State { value: change.prior, private: change.private }),
        }
    }

    fn import(&self, type_name: &str, id: &str) -> Outcome {
        match self.kind(type_name) {
            Ok(kind) => kind::import(kind, id),
            Err(told) => alone(told, State::default()),
        }
    }

    async fn read_data(&self, type_name: &str, config: Value) -> Outcome {
        let api = match self.api() {
            Ok(api) => api,
            Err(told) => return alone(told, State::default()),
        };
        match data::read(&api, type_name, config.into_object()).await {
            Ok(value) => {
                Outcome { state: State { value: Value::Object(value), private: Vec::new() }, told: Vec::new() }
            }
            Err(failure) => {
                let told = failure.told(&format!("read {type_name}"), |_| None);
                Outcome { state: State::default(), told }
            }
        }
    }

    async fn open(&self, type_name: &str, config: Value) -> Opened {
        let told = match self.api() {
            Err(told) => vec![told],
            Ok(api) => match ephemeral::open(&api, type_name, config.into_object()).await {
                Ok((result, private)) => return Opened { result: Value::Object(result), private, told: Vec::new() },
                Err(failure) => failure.told(&format!("open {type_name}"), |_| None),
            },
        };
        Opened { told, ..Opened::default() }
    }

    async fn close(&self, type_name: &str, private: Vec<u8>) -> Vec<Diagnostic> {
        let outcome = match self.api() {
            Err(told) => return vec![told],
            Ok(api) => ephemeral::close(&api, &private).await,
        };
        match outcome {
            Ok(()) => Vec::new(),
            Err(failure) => failure.told(&format!("close {type_name}"), |_| None),
        }
    }

    fn stop(&self) {
        self.stop.send_replace(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_and_what_is_unknown_waits() {
        let config = |value| Object::from([("token".to_owned(), value)]);
        assert_eq!(setting(&config(Value::Unknown), "token", None), Ok(None));
        assert_eq!(setting(&config(Value::Null), "token", Some("cjm_x".to_owned())), Ok(Some("cjm_x".to_owned())));
        let told = setting(&config(Value::Null), "token", None).expect_err("it is nowhere");
        assert_eq!(
            (told.summary.as_str(), told.detail.as_str()),
            ("The provider has no `token`", "Or set SCHOOL_TOKEN.")
        );
    }

    #[test]
    fn only_this_machine_is_called_in_the_open() {
        assert!(is_open("http://school.example.cn") && is_open("http://10.0.0.1:8080/"));
        assert!(!is_open("https://school.example.cn") && !is_open("http://127.0.0.1:8080"));
    }

    #[tokio::test]
    async fn a_provider_that_is_not_known_yet_plans_and_does_nothing_else() {
        let provider = SchoolProvider::new();
        let unknown = Value::Object(Object::from([
            ("endpoint".to_owned(), Value::Unknown),
            ("token".to_owned(), Value::Text("cjm_x".to_owned())),
        ]));
        assert_eq!(provider.configure("1.11.4", unknown).await, Vec::new());
        let told = provider.read_data("school", Value::Null).await.told;
        assert_eq!(told[0].summary, "The server is not known yet");
        let config = Value::Object(Object::from([("code".to_owned(), Value::Text("10589".to_owned()))]));
        let change = Change { prior: Value::Null, next: config.clone(), config, private: Vec::new() };
        assert!(provider.plan("school", change).told.is_empty());
    }

    #[tokio::test]
    async fn a_persons_session_reads_and_manages_nothing() {
        let provider = SchoolProvider::new();
        let text = |text: &str| Value::Text(text.to_owned());
        let config = |token: &str| {
            let endpoint = ("endpoint".to_owned(), text("http://127.0.0.1:9"));
            Value::Object(Object::from([endpoint, ("token".to_owned(), text(token))]))
        };
        assert!(provider.configure("1.11.4", config("eyJhbGciOi")).await.is_empty());
        let state =
            State { value: Value::Object(Object::from([("code".to_owned(), text("10589"))])), private: Vec::new() };
        let read = provider.read("school", state.clone()).await;
        assert_eq!(read.told[0].summary, "Resources are managed with a machine token (cjm_…)");
        // What it was stays in the state.
        assert_eq!(read.state, state);
        let change = Change { prior: Value::Null, next: state.value.clone(), config: state.value, private: Vec::new() };
        assert!(provider.apply("school", change).await.told[0].is_error);
        // A data source asks the server, which is not there.
        provider.stop();
        assert!(provider.read_data("school_health", config("x")).await.told[0].summary.contains("cannot be reached"));
    }

    #[test]
    fn schemas_have_every_type() {
        let schemas = SchoolProvider::new().schemas();
        assert_eq!(schemas.resource_schemas.len(), 20);
        assert_eq!((schemas.data_source_schemas.len(), schemas.ephemeral_resource_schemas.len()), (7, 2));
    }

    #[test]
    fn an_unknown_type_is_told() {
        assert_eq!(
            SchoolProvider::new().import("school_moon", "1").told[0].summary,
            "There is no resource school_moon"
        );
    }
}
