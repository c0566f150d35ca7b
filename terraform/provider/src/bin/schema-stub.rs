//! A provider that only has schemas: it serves the file `<its own name>.json`, so that modules can be validated
//! without the real provider. It configures nothing, reads nothing and makes nothing.

use std::{path::PathBuf, process::ExitCode};

use provider::protocol::{
    diagnostic::Diagnostic,
    handshake, pb,
    provider::{Change, Opened, Outcome, Plan, Provider, State, Whose},
    value::Value,
};
use serde_json::{Map, Value as Json};

fn main() -> ExitCode {
    let path = std::env::current_exe().map(|path| PathBuf::from(format!("{}.json", path.display())));
    let read = path.map_err(|error| error.to_string()).and_then(|path| {
        let text = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))
    });
    match read {
        Ok(schemas) => handshake::main("schema-stub", || Stub(schemas)),
        Err(why) => {
            eprintln!("schema-stub: {why}");
            ExitCode::FAILURE
        }
    }
}

/// `{provider, resource_schemas, data_source_schemas}` in the shape of `terraform providers schema -json`.
struct Stub(Json);

fn refusal() -> Vec<Diagnostic> {
    vec![Diagnostic::error("schema-only stub").detail("It proves names, types and wiring; it does nothing.")]
}

fn refused() -> Outcome {
    Outcome { state: State::default(), told: refusal() }
}

fn yes(json: &Json, name: &str) -> bool {
    json[name] == true
}

fn nesting(mode: &Json) -> i32 {
    match mode.as_str() {
        Some("single") => 1,
        Some("list") => 2,
        Some("set") => 3,
        Some("map") => 4,
        Some("group") => 5,
        _ => 0,
    }
}

fn entries(json: &Json) -> impl Iterator<Item = (&String, &Json)> {
    json.as_object().into_iter().flatten()
}

fn attribute(name: &str, json: &Json) -> pb::Attribute {
    let nested = &json["nested_type"];
    let nested_type = nested.is_object().then(|| pb::Object {
        attributes: entries(&nested["attributes"]).map(|(name, json)| attribute(name, json)).collect(),
        nesting: nesting(&nested["nesting_mode"]),
    });
    pb::Attribute {
        name: name.to_owned(),
        kind: if nested_type.is_some() { Vec::new() } else { json["type"].to_string().into_bytes() },
        required: yes(json, "required"),
        optional: yes(json, "optional"),
        computed: yes(json, "computed"),
        sensitive: yes(json, "sensitive"),
        write_only: yes(json, "write_only"),
        nested_type,
        ..pb::Attribute::default()
    }
}

fn block(json: &Json) -> pb::Block {
    pb::Block {
        attributes: entries(&json["attributes"]).map(|(name, json)| attribute(name, json)).collect(),
        block_types: entries(&json["block_types"])
            .map(|(name, json)| pb::NestedBlock {
                type_name: name.clone(),
                block: Some(block(&json["block"])),
                nesting: nesting(&json["nesting_mode"]),
                min_items: json["min_items"].as_i64().unwrap_or_default(),
                max_items: json["max_items"].as_i64().unwrap_or_default(),
            })
            .collect(),
        ..pb::Block::default()
    }
}

fn schema(json: &Json) -> pb::Schema {
    pb::Schema { version: json["version"].as_i64().unwrap_or_default(), block: Some(block(&json["block"])) }
}

impl Provider for Stub {
    fn schemas(&self) -> pb::SchemaAnswer {
        let empty = Json::Object(Map::new());
        let all = |name: &str| entries(&self.0[name]).map(|(name, json)| (name.clone(), schema(json))).collect();
        pb::SchemaAnswer {
            provider: Some(schema(self.0.get("provider").unwrap_or(&empty))),
            resource_schemas: all("resource_schemas"),
            data_source_schemas: all("data_source_schemas"),
            ..pb::SchemaAnswer::default()
        }
    }

    fn validate(&self, _whose: Whose, _type_name: &str, _config: &Value, _write_only: bool) -> Vec<Diagnostic> {
        Vec::new()
    }

    async fn configure(&self, _terraform: &str, _config: Value) -> Vec<Diagnostic> {
        refusal()
    }

    fn upgrade(&self, _type_name: &str, _version: i64, stored: Value) -> Result<Value, Diagnostic> {
        Ok(stored)
    }

    async fn read(&self, _type_name: &str, _state: State) -> Outcome {
        refused()
    }

    fn plan(&self, _type_name: &str, _change: Change) -> Plan {
        Plan { told: refusal(), ..Plan::default() }
    }

    async fn apply(&self, _type_name: &str, _change: Change) -> Outcome {
        refused()
    }

    fn import(&self, _type_name: &str, _id: &str) -> Outcome {
        refused()
    }

    async fn read_data(&self, _type_name: &str, _config: Value) -> Outcome {
        refused()
    }

    async fn open(&self, _type_name: &str, _config: Value) -> Opened {
        Opened { told: refusal(), ..Opened::default() }
    }

    async fn close(&self, _type_name: &str, _private: Vec<u8>) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn stop(&self) {}
}
