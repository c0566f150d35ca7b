//! The messages of the plugin protocol 6 that are spoken here, one line a field.
//!
//! Names and numbers are those of `tfplugin6.proto`; what is not listed here is skipped when it comes and never sent.

use std::collections::BTreeMap;

use prost::{Message, Oneof};

/// A message without a field.
#[derive(Clone, PartialEq, Message)]
pub struct Empty {}

/// A value, as msgpack or (older cores) as JSON.
#[derive(Clone, PartialEq, Message)]
pub struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub msgpack: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub json: Vec<u8>,
}

/// What a person is told.
#[derive(Clone, PartialEq, Message)]
pub struct Diagnostic {
    #[prost(int32, tag = "1")]
    pub severity: i32,
    #[prost(string, tag = "2")]
    pub summary: String,
    #[prost(string, tag = "3")]
    pub detail: String,
    #[prost(message, optional, tag = "4")]
    pub attribute: Option<AttributePath>,
}

/// Where in a configuration.
#[derive(Clone, PartialEq, Message)]
pub struct AttributePath {
    #[prost(message, repeated, tag = "1")]
    pub steps: Vec<Step>,
}

/// One step into a value.
#[derive(Clone, PartialEq, Message)]
pub struct Step {
    #[prost(oneof = "Selector", tags = "1, 2, 3")]
    pub selector: Option<Selector>,
}

/// By what a step chooses.
#[derive(Clone, PartialEq, Oneof)]
pub enum Selector {
    #[prost(string, tag = "1")]
    AttributeName(String),
    #[prost(string, tag = "2")]
    ElementKeyString(String),
    #[prost(int64, tag = "3")]
    ElementKeyInt(i64),
}

/// A stored state; it comes as JSON.
#[derive(Clone, PartialEq, Message)]
pub struct RawState {
    #[prost(bytes = "vec", tag = "1")]
    pub json: Vec<u8>,
}

/// A schema and its version.
#[derive(Clone, PartialEq, Message)]
pub struct Schema {
    #[prost(int64, tag = "1")]
    pub version: i64,
    #[prost(message, optional, tag = "2")]
    pub block: Option<Block>,
}

/// Attributes and nested blocks.
#[derive(Clone, PartialEq, Message)]
pub struct Block {
    #[prost(int64, tag = "1")]
    pub version: i64,
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<Attribute>,
    #[prost(message, repeated, tag = "3")]
    pub block_types: Vec<NestedBlock>,
    #[prost(string, tag = "4")]
    pub description: String,
}

/// One attribute: `kind` is a type in JSON, unless `nested_type` is there; never both.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub kind: Vec<u8>,
    #[prost(string, tag = "3")]
    pub description: String,
    #[prost(bool, tag = "4")]
    pub required: bool,
    #[prost(bool, tag = "5")]
    pub optional: bool,
    #[prost(bool, tag = "6")]
    pub computed: bool,
    #[prost(bool, tag = "7")]
    pub sensitive: bool,
    #[prost(bool, tag = "9")]
    pub deprecated: bool,
    #[prost(message, optional, tag = "10")]
    pub nested_type: Option<Object>,
    #[prost(bool, tag = "11")]
    pub write_only: bool,
}

/// Attributes within an attribute.
#[derive(Clone, PartialEq, Message)]
pub struct Object {
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<Attribute>,
    /// 1 single, 2 list, 3 set, 4 map.
    #[prost(int32, tag = "3")]
    pub nesting: i32,
}

/// A block within a block.
#[derive(Clone, PartialEq, Message)]
pub struct NestedBlock {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub block: Option<Block>,
    /// 1 single, 2 list, 3 set, 4 map, 5 group.
    #[prost(int32, tag = "3")]
    pub nesting: i32,
    #[prost(int64, tag = "4")]
    pub min_items: i64,
    #[prost(int64, tag = "5")]
    pub max_items: i64,
}

/// What the provider can do beyond the first version of the protocol.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct ServerCapabilities {
    #[prost(bool, tag = "1")]
    pub plan_destroy: bool,
    #[prost(bool, tag = "2")]
    pub get_provider_schema_optional: bool,
    #[prost(bool, tag = "3")]
    pub move_resource_state: bool,
    #[prost(bool, tag = "4")]
    pub generate_resource_config: bool,
}

/// What core can do.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct ClientCapabilities {
    #[prost(bool, tag = "1")]
    pub deferral_allowed: bool,
    #[prost(bool, tag = "2")]
    pub write_only_attributes_allowed: bool,
}

/// A type by its name.
#[derive(Clone, PartialEq, Message)]
pub struct TypeName {
    #[prost(string, tag = "1")]
    pub type_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct MetadataAnswer {
    #[prost(message, optional, tag = "1")]
    pub server_capabilities: Option<ServerCapabilities>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(message, repeated, tag = "3")]
    pub data_sources: Vec<TypeName>,
    #[prost(message, repeated, tag = "4")]
    pub resources: Vec<TypeName>,
    #[prost(message, repeated, tag = "6")]
    pub ephemeral_resources: Vec<TypeName>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SchemaAnswer {
    #[prost(message, optional, tag = "1")]
    pub provider: Option<Schema>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub resource_schemas: BTreeMap<String, Schema>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub data_source_schemas: BTreeMap<String, Schema>,
    #[prost(message, repeated, tag = "4")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(message, optional, tag = "6")]
    pub server_capabilities: Option<ServerCapabilities>,
    #[prost(btree_map = "string, message", tag = "8")]
    pub ephemeral_resource_schemas: BTreeMap<String, Schema>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ValidateProviderRequest {
    #[prost(message, optional, tag = "1")]
    pub config: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ValidateProviderAnswer {
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

/// Of a resource, a data source (without capabilities) or an ephemeral resource (likewise).
#[derive(Clone, PartialEq, Message)]
pub struct ValidateRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub config: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub client_capabilities: Option<ClientCapabilities>,
}

/// An answer that is nothing but what is told.
#[derive(Clone, PartialEq, Message)]
pub struct Told {
    #[prost(message, repeated, tag = "1")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct UpgradeRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(int64, tag = "2")]
    pub version: i64,
    #[prost(message, optional, tag = "3")]
    pub raw_state: Option<RawState>,
}

#[derive(Clone, PartialEq, Message)]
pub struct UpgradeAnswer {
    #[prost(message, optional, tag = "1")]
    pub upgraded_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ConfigureRequest {
    #[prost(string, tag = "1")]
    pub terraform_version: String,
    #[prost(message, optional, tag = "2")]
    pub config: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub current_state: Option<DynamicValue>,
    #[prost(bytes = "vec", tag = "3")]
    pub private: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadAnswer {
    #[prost(message, optional, tag = "1")]
    pub new_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(bytes = "vec", tag = "3")]
    pub private: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PlanRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub prior_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub proposed_new_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "4")]
    pub config: Option<DynamicValue>,
    #[prost(bytes = "vec", tag = "5")]
    pub prior_private: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PlanAnswer {
    #[prost(message, optional, tag = "1")]
    pub planned_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub requires_replace: Vec<AttributePath>,
    #[prost(bytes = "vec", tag = "3")]
    pub planned_private: Vec<u8>,
    #[prost(message, repeated, tag = "4")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ApplyRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub prior_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub planned_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "4")]
    pub config: Option<DynamicValue>,
    #[prost(bytes = "vec", tag = "5")]
    pub planned_private: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ApplyAnswer {
    #[prost(message, optional, tag = "1")]
    pub new_state: Option<DynamicValue>,
    #[prost(bytes = "vec", tag = "2")]
    pub private: Vec<u8>,
    #[prost(message, repeated, tag = "3")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ImportRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(string, tag = "2")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Imported {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub state: Option<DynamicValue>,
    #[prost(bytes = "vec", tag = "3")]
    pub private: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ImportAnswer {
    #[prost(message, repeated, tag = "1")]
    pub imported_resources: Vec<Imported>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadDataRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub config: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadDataAnswer {
    #[prost(message, optional, tag = "1")]
    pub state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Message)]
pub struct OpenRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub config: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct OpenAnswer {
    #[prost(message, repeated, tag = "1")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(message, optional, tag = "3")]
    pub result: Option<DynamicValue>,
    #[prost(bytes = "vec", optional, tag = "4")]
    pub private: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub struct CloseRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(bytes = "vec", optional, tag = "2")]
    pub private: Option<Vec<u8>>,
}

/// Why stopping failed; empty when it did not.
#[derive(Clone, PartialEq, Message)]
pub struct StopAnswer {
    #[prost(string, tag = "1")]
    pub error: String,
}
