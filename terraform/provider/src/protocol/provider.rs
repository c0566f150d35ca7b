//! The methods of the protocol, over values instead of messages.

use std::future::Future;

use prost::Message;

use super::{
    diagnostic::{self, Diagnostic},
    pb,
    server::{Status, UNIMPLEMENTED},
    value::Value,
};

/// Of what a configuration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Resource,
    Data,
    Ephemeral,
}

/// A state and what the provider remembers beside it; null when there is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    pub value: Value,
    pub private: Vec<u8>,
}

/// What is to become of a resource.
#[derive(Debug)]
pub struct Change {
    /// Null on creation.
    pub prior: Value,
    /// What core would plan (in a plan), or what was planned (in an apply); null for an end.
    pub next: Value,
    /// As it was typed; the only place where write-only values are.
    pub config: Value,
    pub private: Vec<u8>,
}

/// A plan.
#[derive(Debug, Default)]
pub struct Plan {
    pub state: State,
    /// Attributes whose change needs another object.
    pub replaces: Vec<String>,
    pub told: Vec<Diagnostic>,
}

/// A state after a step, and what is told of it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub state: State,
    pub told: Vec<Diagnostic>,
}

/// What an ephemeral resource answers, and by what it is closed.
#[derive(Debug, Default)]
pub struct Opened {
    pub result: Value,
    pub private: Vec<u8>,
    pub told: Vec<Diagnostic>,
}

/// A provider of resources, data sources and ephemeral resources.
pub trait Provider: Send + Sync + 'static {
    /// All schemas; the capabilities are added by the protocol.
    fn schemas(&self) -> pb::SchemaAnswer;

    /// `write_only` tells whether core knows write-only attributes.
    fn validate(&self, whose: Whose, type_name: &str, config: &Value, write_only: bool) -> Vec<Diagnostic>;

    fn configure(&self, terraform: &str, config: Value) -> impl Future<Output = Vec<Diagnostic>> + Send;

    /// A stored state in the shape of today's schema.
    ///
    /// # Errors
    /// What is told, when the type is unknown.
    fn upgrade(&self, type_name: &str, version: i64, stored: Value) -> Result<Value, Diagnostic>;

    fn read(&self, type_name: &str, state: State) -> impl Future<Output = Outcome> + Send;

    fn plan(&self, type_name: &str, change: Change) -> Plan;

    fn apply(&self, type_name: &str, change: Change) -> impl Future<Output = Outcome> + Send;

    /// The state from which a read finds the resource.
    fn import(&self, type_name: &str, id: &str) -> Outcome;

    fn read_data(&self, type_name: &str, config: Value) -> impl Future<Output = Outcome> + Send;

    fn open(&self, type_name: &str, config: Value) -> impl Future<Output = Opened> + Send;

    fn close(&self, type_name: &str, private: Vec<u8>) -> impl Future<Output = Vec<Diagnostic>> + Send;

    /// Somebody interrupted: what waits is to end soon, with its state.
    fn stop(&self);
}

/// The methods that [`dispatch`] answers.
const METHODS: [&str; 17] = [
    "GetMetadata",
    "GetProviderSchema",
    "ValidateProviderConfig",
    "ValidateResourceConfig",
    "ValidateDataResourceConfig",
    "ValidateEphemeralResourceConfig",
    "UpgradeResourceState",
    "ConfigureProvider",
    "ReadResource",
    "PlanResourceChange",
    "ApplyResourceChange",
    "ImportResourceState",
    "ReadDataSource",
    "OpenEphemeralResource",
    "CloseEphemeralResource",
    "StopProvider",
    "GetFunctions",
];

/// The method of a path, if it is answered here.
pub fn method_of(path: &str) -> Option<&'static str> {
    let name = path.strip_prefix("/tfplugin6.Provider/")?;
    METHODS.iter().copied().find(|method| *method == name)
}

const CAPABILITIES: pb::ServerCapabilities = pb::ServerCapabilities {
    plan_destroy: true,
    get_provider_schema_optional: true,
    move_resource_state: false,
    generate_resource_config: false,
};

/// Answers one call.
///
/// # Errors
/// Unimplemented for a method that is not answered here; invalid when the message cannot be read.
pub async fn dispatch<P: Provider>(provider: &P, method: &str, message: &[u8]) -> Result<Vec<u8>, Status> {
    let answer = match method {
        "GetMetadata" => metadata(&provider.schemas()).encode_to_vec(),
        "GetProviderSchema" => {
            pb::SchemaAnswer { server_capabilities: Some(CAPABILITIES), ..provider.schemas() }.encode_to_vec()
        }
        "ValidateProviderConfig" => {
            read::<pb::ValidateProviderRequest>(message)?;
            pb::ValidateProviderAnswer::default().encode_to_vec()
        }
        "ValidateResourceConfig" => validate(provider, Whose::Resource, message)?,
        "ValidateDataResourceConfig" => validate(provider, Whose::Data, message)?,
        "ValidateEphemeralResourceConfig" => validate(provider, Whose::Ephemeral, message)?,
        "UpgradeResourceState" => upgrade(provider, &read(message)?)?,
        "ConfigureProvider" => {
            let asked: pb::ConfigureRequest = read(message)?;
            let told = provider.configure(&asked.terraform_version, value(asked.config.as_ref())?).await;
            pb::Told { diagnostics: diagnostic::messages(told) }.encode_to_vec()
        }
        "ReadResource" => {
            let asked: pb::ReadRequest = read(message)?;
            let state = State { value: value(asked.current_state.as_ref())?, private: asked.private };
            let outcome = provider.read(&asked.type_name, state).await;
            pb::ReadAnswer {
                new_state: Some(outcome.state.value.encode()),
                private: outcome.state.private,
                diagnostics: diagnostic::messages(outcome.told),
            }
            .encode_to_vec()
        }
        "PlanResourceChange" => plan(provider, read(message)?)?,
        "ApplyResourceChange" => {
            let asked: pb::ApplyRequest = read(message)?;
            let change = Change {
                prior: value(asked.prior_state.as_ref())?,
                next: value(asked.planned_state.as_ref())?,
                config: value(asked.config.as_ref())?,
                private: asked.planned_private,
            };
            let outcome = provider.apply(&asked.type_name, change).await;
            pb::ApplyAnswer {
                new_state: Some(outcome.state.value.encode()),
                private: outcome.state.private,
                diagnostics: diagnostic::messages(outcome.told),
            }
            .encode_to_vec()
        }
        "ImportResourceState" => import(provider, &read(message)?),
        "ReadDataSource" => {
            let asked: pb::ReadDataRequest = read(message)?;
            let outcome = provider.read_data(&asked.type_name, value(asked.config.as_ref())?).await;
            pb::ReadDataAnswer {
                state: Some(outcome.state.value.encode()),
                diagnostics: diagnostic::messages(outcome.told),
            }
            .encode_to_vec()
        }
        "OpenEphemeralResource" => {
            let asked: pb::OpenRequest = read(message)?;
            let opened = provider.open(&asked.type_name, value(asked.config.as_ref())?).await;
            pb::OpenAnswer {
                diagnostics: diagnostic::messages(opened.told),
                result: Some(opened.result.encode()),
                private: Some(opened.private),
            }
            .encode_to_vec()
        }
        "CloseEphemeralResource" => {
            let asked: pb::CloseRequest = read(message)?;
            let told = provider.close(&asked.type_name, asked.private.unwrap_or_default()).await;
            pb::Told { diagnostics: diagnostic::messages(told) }.encode_to_vec()
        }
        "StopProvider" => {
            provider.stop();
            pb::StopAnswer::default().encode_to_vec()
        }
        // There are none.
        "GetFunctions" => pb::Empty {}.encode_to_vec(),
        _ => return Err(Status::new(UNIMPLEMENTED, "unknown method")),
    };
    Ok(answer)
}

fn read<M: Message + Default>(message: &[u8]) -> Result<M, Status> {
    M::decode(message).map_err(|error| Status::invalid(error.to_string()))
}

fn value(value: Option<&pb::DynamicValue>) -> Result<Value, Status> {
    Value::decode(value).map_err(Status::invalid)
}

fn metadata(schemas: &pb::SchemaAnswer) -> pb::MetadataAnswer {
    let names = |schemas: &std::collections::BTreeMap<String, pb::Schema>| {
        schemas.keys().map(|name| pb::TypeName { type_name: name.clone() }).collect()
    };
    pb::MetadataAnswer {
        server_capabilities: Some(CAPABILITIES),
        diagnostics: Vec::new(),
        data_sources: names(&schemas.data_source_schemas),
        resources: names(&schemas.resource_schemas),
        ephemeral_resources: names(&schemas.ephemeral_resource_schemas),
    }
}

fn validate<P: Provider>(provider: &P, whose: Whose, message: &[u8]) -> Result<Vec<u8>, Status> {
    let asked: pb::ValidateRequest = read(message)?;
    let knows = asked.client_capabilities.is_some_and(|capabilities| capabilities.write_only_attributes_allowed);
    let told = provider.validate(whose, &asked.type_name, &value(asked.config.as_ref())?, knows);
    Ok(pb::Told { diagnostics: diagnostic::messages(told) }.encode_to_vec())
}

fn upgrade<P: Provider>(provider: &P, asked: &pb::UpgradeRequest) -> Result<Vec<u8>, Status> {
    let stored = asked.raw_state.as_ref().map_or(&[][..], |raw| &raw.json);
    let stored = Value::of_json_text(stored).map_err(Status::invalid)?;
    let answer = match provider.upgrade(&asked.type_name, asked.version, stored) {
        Ok(state) => pb::UpgradeAnswer { upgraded_state: Some(state.encode()), diagnostics: Vec::new() },
        Err(told) => pb::UpgradeAnswer { upgraded_state: None, diagnostics: vec![told.into()] },
    };
    Ok(answer.encode_to_vec())
}

fn plan<P: Provider>(provider: &P, asked: pb::PlanRequest) -> Result<Vec<u8>, Status> {
    let change = Change {
        prior: value(asked.prior_state.as_ref())?,
        next: value(asked.proposed_new_state.as_ref())?,
        config: value(asked.config.as_ref())?,
        private: asked.prior_private,
    };
    let plan = provider.plan(&asked.type_name, change);
    let replaces = |name: String| diagnostic::path(vec![diagnostic::Step::Attribute(name)]);
    Ok(pb::PlanAnswer {
        planned_state: Some(plan.state.value.encode()),
        requires_replace: plan.replaces.into_iter().map(replaces).collect(),
        planned_private: plan.state.private,
        diagnostics: diagnostic::messages(plan.told),
    }
    .encode_to_vec())
}

fn import<P: Provider>(provider: &P, asked: &pb::ImportRequest) -> Vec<u8> {
    let outcome = provider.import(&asked.type_name, &asked.id);
    let imported_resources = if outcome.state.value.is_null() {
        Vec::new()
    } else {
        vec![pb::Imported {
            type_name: asked.type_name.clone(),
            state: Some(outcome.state.value.encode()),
            private: outcome.state.private,
        }]
    };
    pb::ImportAnswer { imported_resources, diagnostics: diagnostic::messages(outcome.told) }.encode_to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_methods_that_are_answered_are_taken() {
        assert_eq!(method_of("/tfplugin6.Provider/PlanResourceChange"), Some("PlanResourceChange"));
        assert_eq!(method_of("/tfplugin6.Provider/InvokeAction"), None);
        assert_eq!(method_of("/plugin.GRPCBroker/StartStream"), None);
    }
}
