//! The OpenAPI document: what poem-openapi knows, and what it has no words for (ruling 4).
//!
//! - a field's doc comment becomes its `title` (the first line) and `description` (the rest);
//! - enumerations get `x-enum-labels`;
//! - an operation gets `x-permission`, `x-area` and `x-writes` from the name of its security scheme.

use std::collections::BTreeMap;

use poem_openapi::OpenApiService;
use serde_json::{Map, Value, json};

use crate::rooms;

/// Where the calls are served.
pub const BASE: &str = "/admin/apis";

pub fn service() -> OpenApiService<impl poem_openapi::OpenApi, ()> {
    OpenApiService::new(rooms::operations(), "成教云 Chengjiao", env!("CARGO_PKG_VERSION"))
        .description(
            "成人高等学历继续教育管理平台。所有应答均为 {code, msg, data}；需登录的接口在请求头 token 中携带令牌。",
        )
        .server(BASE)
}

/// The document as it is served and committed: keys in order, two blanks a level.
pub fn document() -> Value {
    let mut document: Value = serde_json::from_str(&service().spec()).unwrap_or_else(|error| {
        unreachable!("poem-openapi writes JSON: {error}");
    });
    let labels = labels();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for schema in schemas.values_mut() {
            describe(schema, &labels);
        }
    }
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
            audience(operation);
        }
    }
    document["components"]["securitySchemes"] =
        json!({ "token": { "type": "apiKey", "in": "header", "name": "token" } });
    document
}

/// Chinese words of each enumeration, by the set of its words on the wire.
fn labels() -> BTreeMap<Vec<String>, Map<String, Value>> {
    rooms::rooms()
        .enumerations()
        .map(|enumeration| {
            let words = enumeration.items.iter().map(|(word, _)| (*word).to_owned()).collect();
            let labels = enumeration.items.iter().map(|(word, zh)| ((*word).to_owned(), json!(zh))).collect();
            (words, labels)
        })
        .collect()
}

fn describe(schema: &mut Value, labels: &BTreeMap<Vec<String>, Map<String, Value>>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Array(words)) = fields.get("enum") {
                let words: Vec<String> = words.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
                if let Some(labels) = labels.get(&words) {
                    fields.insert("x-enum-labels".to_owned(), Value::Object(labels.clone()));
                }
            }
            let required: Vec<Value> = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            if let Some(Value::Object(properties)) = fields.get_mut("properties") {
                for (name, property) in properties {
                    title(property);
                    // What may be absent may be null, in answers and in bodies.
                    if !required.iter().any(|known| known == name) {
                        property["nullable"] = json!(true);
                    }
                }
            }
            for inner in fields.values_mut() {
                describe(inner, labels);
            }
        }
        Value::Array(items) => {
            for item in items {
                describe(item, labels);
            }
        }
        _ => {}
    }
}

/// The first line of a field's doc comment is its label.
fn title(property: &mut Value) {
    let Some(fields) = property.as_object_mut() else { return };
    let Some(Value::String(text)) = fields.remove("description") else { return };
    // A described reference carries its words twice: on itself and on the second half of `allOf`.
    if let Some(Value::Array(parts)) = fields.get_mut("allOf") {
        parts.retain(|part| part.get("$ref").is_some());
    }
    let (label, rest) = text.split_once('\n').unwrap_or((&text, ""));
    fields.insert("title".to_owned(), json!(label.trim()));
    if !rest.trim().is_empty() {
        fields.insert("description".to_owned(), json!(rest.trim()));
    }
}

/// `code|Place|Mode` of the security scheme, in the words of the document.
fn audience(operation: &mut Value) {
    let scheme =
        operation["security"][0].as_object().and_then(|scheme| scheme.keys().next().cloned()).unwrap_or_default();
    let mut parts = scheme.split('|');
    let (code, place, mode) =
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let area = match (code, place) {
        ("public", _) => "public",
        (_, "InSchool") => "school",
        (_, "InPlatform") => "platform",
        _ => "both",
    };
    operation["x-permission"] = json!(code);
    operation["x-area"] = json!(area);
    operation["x-writes"] = json!(mode.starts_with("Writes"));
    operation["security"] = if code == "public" { json!([]) } else { json!([{ "token": [] }]) };
}

/// Operation, path and code, one a line: a change of rights is a diff.
pub fn permission_table(document: &Value) -> String {
    let mut lines: Vec<String> = operations(document)
        .map(|(method, path, operation)| {
            let id = operation["operationId"].as_str().unwrap_or_default();
            let code = operation["x-permission"].as_str().unwrap_or_default();
            let area = operation["x-area"].as_str().unwrap_or_default();
            format!("{path}\t{method}\t{id}\t{code}\t{area}")
        })
        .collect();
    lines.sort();
    lines.join("\n") + "\n"
}

/// Method, path and operation of everything in the document.
pub fn operations(document: &Value) -> impl Iterator<Item = (String, &String, &Value)> {
    document["paths"].as_object().into_iter().flatten().flat_map(|(path, operations)| {
        operations
            .as_object()
            .into_iter()
            .flatten()
            .map(move |(method, operation)| (method.to_uppercase(), path, operation))
    })
}
