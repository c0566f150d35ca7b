//! The OpenAPI document: what poem-openapi knows, and what it has no words for (ruling 4).
//!
//! - a field's doc comment becomes its `title` (the first line) and `description` (the rest);
//! - enumerations get `x-enum-labels`;
//! - an operation gets `x-permission`, `x-area` and `x-writes` from the name of its security scheme, `x-names-school` where
//!   an operator names the school that he means, `x-many-schools` where the items of a step may name one each instead,
//!   `x-school-data` where there are none but a school's data;
//! - an answer is the envelope with code 200, or a [`REFUSAL`].

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
        for (name, schema) in schemas.iter_mut() {
            describe(schema, &labels);
            if name.starts_with("Envelope_") {
                schema["properties"]["code"]["enum"] = json!([200]);
            }
        }
        schemas.insert(REFUSAL.to_owned(), refusal());
    }
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
            audience(operation);
            may_refuse(operation);
        }
    }
    document["components"]["securitySchemes"] =
        json!({ "token": { "type": "apiKey", "in": "header", "name": "token" } });
    document
}

/// The schema of what is answered instead, also with HTTP status 200 (00 §4).
const REFUSAL: &str = "Refusal";

fn refusal() -> Value {
    json!({
        "type": "object",
        "required": ["code", "msg", "data"],
        "properties": {
            "code": {
                "type": "integer", "format": "int32", "not": { "enum": [200] }, "title": "结果码",
                "description": "301、302、303 需重新登录；400 请求有误；403 没有权限；404 记录不存在；409 状态冲突；422 填写有误；429 过于频繁；500 系统错误；999 导出失败",
            },
            "msg": { "type": "string", "title": "提示", "description": "说明原因和处理办法，可直接显示" },
            "data": { "nullable": true, "title": "数据", "description": "422 时为各字段的错误，其余多为空" },
        },
    })
}

fn may_refuse(operation: &mut Value) {
    let refusal = json!({ "$ref": format!("#/components/schemas/{REFUSAL}") });
    let Some(content) = operation["responses"]["200"]["content"].as_object_mut() else { return };
    match content.iter_mut().find(|(kind, _)| kind.starts_with("application/json")) {
        Some((_, media)) => media["schema"] = json!({ "oneOf": [media["schema"], refusal] }),
        None => {
            content.insert("application/json; charset=utf-8".to_owned(), json!({ "schema": refusal }));
        }
    }
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
        (_, "InClient") => "client",
        _ => "both",
    };
    if matches!(place, "EachSchool" | "ManySchools" | "HomeOrNamed") {
        names_school(operation, place);
    }
    operation["x-permission"] = json!(code);
    operation["x-area"] = json!(area);
    operation["x-writes"] = json!(mode.starts_with("Writes"));
    operation["security"] = if code == "public" { json!([]) } else { json!([{ "token": [] }]) };
}

/// What an operator says beside the operation's own parameters (00 §3, 05 F).
fn names_school(operation: &mut Value, place: &str) {
    operation["x-names-school"] = json!(true);
    operation["x-school-data"] = json!(place != "HomeOrNamed");
    if place == "ManySchools" {
        operation["x-many-schools"] = json!(true);
    }
    let mut named = vec![json!({
        "name": "schoolId", "in": "query", "required": false, "deprecated": false, "explode": true,
        "description": "院校编号\n平台人员用以指明院校；在院校内不得传",
        "schema": { "type": "integer", "format": "int64" },
    })];
    let answer = operation["responses"]["200"]["content"].to_string();
    if answer.contains("/Envelope_SchoolPage_") {
        named.push(json!({
            "name": "asOf", "in": "query", "required": false, "deprecated": false, "explode": true,
            "description": "截至时间\n未指明院校时，第一页应答中的asOf，查询后续页时原样传回",
            "schema": { "type": "string", "format": "date-time" },
        }));
    }
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.extend(named),
        None => operation["parameters"] = json!(named),
    }
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
