//! The OpenAPI document: what poem-openapi knows, and what it has no words for.
//!
//! - a field's doc comment becomes its `title` (the first line) and `description` (the rest);
//! - enumerations get `x-enum-labels`;
//! - an operation gets `x-permission`, `x-area` and `x-writes` from the name of its security scheme, `x-names-school` where
//!   an operator names the school that they mean, `x-many-schools` where the items of a step may name one each instead,
//!   `x-school-data` where there are none but a school's data, `x-whole-school` where who sees a part of it is refused;
//! - an answer is the envelope with code 200, or a [`REFUSAL`]; what every operation answers alike stands once, under
//!   `components.responses`;
//! - a choice of a selector has the fields of every type of options, and the call names the types ([`options`]);
//! - an export says which columns its sheet has (`x-columns`), and which code shows whole numbers (`x-whole`);
//! - an operation that edits a record says that it replaces it ([`REPLACES`]);
//! - a save says that it takes an `Idempotency-Key`.

use std::{collections::BTreeMap, sync::LazyLock};

use infra::{Referred, jobs::Headings};
use poem_openapi::{OpenApiService, registry::Registry, types::Type};
use serde_json::{Map, Value, json};

use crate::modules;

/// Where the calls are served.
pub const BASE: &str = "/admin/apis";

pub fn service() -> OpenApiService<impl poem_openapi::OpenApi, ()> {
    OpenApiService::new(modules::operations(), "成教云 Chengjiao", env!("CARGO_PKG_VERSION"))
        .description(
            "成人高等学历继续教育管理平台。所有应答均为 {code, msg, data}；需登录的接口在请求头 token 中携带令牌。",
        )
        .server(BASE)
}

/// The document as it is served, keys in order. Made once a process.
pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(make);
    &DOCUMENT
}

fn make() -> Value {
    let mut document: Value = serde_json::from_str(&service().spec()).unwrap_or_else(|error| {
        unreachable!("poem-openapi writes JSON: {error}");
    });
    options(&mut document);
    let (labels, own) = (labels(), own_labels());
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        // Answered instead of what an operation answers, so that no operation names it.
        let mut registry = Registry::new();
        Referred::register(&mut registry);
        schemas.extend(registry.schemas.into_iter().map(|(name, schema)| (name, json!(schema))));
        for (name, schema) in schemas.iter_mut() {
            describe(schema, &labels);
            if let Some(own) = own.get(name.as_str()).filter(|_| schema.get("enum").is_some()) {
                schema["x-enum-labels"] = Value::Object(own.clone());
            }
            if name.starts_with("Envelope_") {
                schema["properties"]["code"]["enum"] = json!([200]);
            }
        }
        schemas.insert(REFUSAL.to_owned(), refusal());
    }
    if let Some(paths) = document["paths"].as_object_mut() {
        for (path, operations) in paths.iter_mut() {
            for operation in operations.as_object_mut().into_iter().flat_map(|operations| operations.values_mut()) {
                audience(operation);
                may_refuse(operation);
                says_that_it_replaces(operation);
                chooses_columns(path, operation);
                if path.ends_with("/save") {
                    may_be_repeated(operation);
                }
            }
        }
    }
    share_responses(&mut document);
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
            "data": {
                "nullable": true, "title": "数据",
                "description": "422 时为各字段的错误；409 因已被引用时为引用该记录的数据；其余多为空",
                "anyOf": [{ "$ref": format!("#/components/schemas/{}", Referred::name()) }, {}],
            },
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

/// Of an operation that edits a record. 00 §4: the body is the whole record; what it does not name is emptied.
const REPLACES: &str = "整体替换：请求体未包含的可选字段将被清空。请先查询记录，在其基础上修改后连同 version 一并提交；经脱敏的字段原样传回即保持不变。";

/// A caller who sends only what changed would empty the rest (`PUT …/edit` with a version).
fn says_that_it_replaces(operation: &mut Value) {
    let edits = operation["operationId"].as_str().is_some_and(|id| id.starts_with("edit"));
    if !edits || operation.get("requestBody").is_none() {
        return;
    }
    let said = match operation["description"].as_str().map(str::trim).filter(|said| !said.is_empty()) {
        Some(said) => format!("{said}\n\n{REPLACES}"),
        None => REPLACES.to_owned(),
    };
    operation["description"] = json!(said);
    operation["x-replaces"] = json!(true);
}

/// Answers that every operation has in the same words stand once and are referred to.
fn share_responses(document: &mut Value) {
    let mut shared = Map::new();
    let operations = document["paths"].as_object_mut().into_iter().flatten().map(|(_, path)| path);
    for operation in operations.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
        for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
            if status != "200" && shared.entry(status.clone()).or_insert_with(|| response.clone()) == response {
                *response = json!({ "$ref": format!("#/components/responses/{status}") });
            }
        }
    }
    document["components"]["responses"] = Value::Object(shared);
}

/// What the modules offer to selectors: the types, what a superior is of each, and the fields of them all.
fn options(document: &mut Value) {
    let modules = modules::modules();
    let mut registry = Registry::new();
    let mut fields = Map::new();
    for further in modules.options().filter_map(|source| source.further) {
        let schema = further(&mut registry);
        fields.extend(schema.properties.into_iter().map(|(name, schema)| (name.to_owned(), json!(schema))));
    }
    if let Some(known) = document["components"]["schemas"]["OptionItem"]["properties"].as_object_mut() {
        known.extend(fields);
    }
    let kinds: Vec<&str> = modules.options().map(|source| source.kind).collect();
    let parents: Vec<&str> = modules.options().filter_map(|source| source.parent).collect();
    let told = [("type", kinds.join("、")), ("parentId", parents.join("，"))];
    let parameters = document["paths"]["/adult/pc/options/{type}"]["get"]["parameters"].as_array_mut();
    for parameter in parameters.into_iter().flatten() {
        if let Some((_, words)) = told.iter().find(|(name, _)| parameter["name"] == *name) {
            let label = parameter["description"].as_str().unwrap_or_default();
            parameter["description"] = json!(format!("{label}：{words}"));
        }
    }
}

/// The document as text: a line for each path and each schema, so that a difference names what changed.
pub fn text(document: &Value) -> String {
    let mut text = String::new();
    lines(document, 0, &mut text);
    text.push('\n');
    text
}

/// Objects are broken into lines down to the entries of `paths` and of each part of `components`.
fn lines(value: &Value, depth: usize, text: &mut String) {
    let Some(fields) = value.as_object().filter(|fields| depth < 3 && !fields.is_empty()) else {
        return text.push_str(&value.to_string());
    };
    text.push('{');
    for (n, (name, inner)) in fields.iter().enumerate() {
        text.push_str(if n == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(depth + 1));
        text.push_str(&format!("{}: ", Value::from(name.as_str())));
        // A path is whole in its line; `components` has one level more.
        lines(inner, if depth == 0 && name == "paths" { 2 } else { depth + 1 }, text);
    }
    text.push('\n');
    text.push_str(&" ".repeat(depth));
    text.push('}');
}

/// Chinese words of each enumeration, by the name of its schema: two may have the same words on the wire and mean others.
fn own_labels() -> BTreeMap<&'static str, Map<String, Value>> {
    let all = modules::modules();
    let named = all.enumerations().filter_map(|enumeration| Some((enumeration.schema?, enumeration.items)));
    named
        .map(|(schema, items)| (schema, items.iter().map(|(word, zh)| ((*word).to_owned(), json!(zh))).collect()))
        .collect()
}

/// The same by the set of words on the wire, for schemas that only repeat one.
fn labels() -> BTreeMap<Vec<String>, Map<String, Value>> {
    modules::modules()
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
        (_, "InSchool" | "WholeSchool" | "FromSchool" | "WholeFromSchool") => "school",
        (_, "InPlatform" | "FromOutside") => "platform",
        (_, "InClient") => "client",
        _ => "both",
    };
    if matches!(place, "EachSchool" | "ManySchools" | "FromOutside" | "HomeOrNamed") {
        names_school(operation, place);
    }
    if matches!(place, "WholeSchool" | "WholeAtHome" | "WholeFromSchool") {
        operation["x-whole-school"] = json!(true);
    }
    operation["x-permission"] = json!(code);
    operation["x-area"] = json!(area);
    operation["x-writes"] = json!(mode.starts_with("Writes"));
    operation["security"] = if code == "public" { json!([]) } else { json!([{ "token": [] }]) };
}

/// A save takes a key of the caller's own, so that a second one after a lost answer makes nothing twice (00 §8).
fn may_be_repeated(operation: &mut Value) {
    let key = json!({
        "name": "Idempotency-Key", "in": "header", "required": false, "deprecated": false, "explode": true,
        "description": "请求编号\n24小时内以同一编号重发同一保存，只保存一次，并得到第一次的应答",
        "schema": { "type": "string", "minLength": 1, "maxLength": 64 },
    });
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(key),
        None => operation["parameters"] = json!([key]),
    }
}

/// An export takes the columns of its file, and whether it shows whole numbers (05 E4).
fn chooses_columns(path: &str, operation: &mut Value) {
    let takes_job = operation["parameters"].as_array().is_some_and(|all| all.iter().any(|one| one["name"] == "job"));
    if !path.ends_with("/export") || !takes_job {
        return;
    }
    let code = operation["x-permission"].as_str().unwrap_or_default().to_owned();
    // Of several exports under one code that which the operation is called after.
    let known = modules::modules();
    let jobs = known.parts().flat_map(|part| part.jobs).filter(|job| job.code == Some(code.as_str()));
    let mut sheets: Vec<Headings> = jobs.filter_map(|job| job.headings).map(|headings| headings()).collect();
    let own = sheets.iter().position(|sheet| operation["summary"] == json!(format!("导出{}", sheet.title)));
    if sheets.is_empty() {
        return;
    }
    let sheet = sheets.swap_remove(own.unwrap_or_default());
    let text = |name: &str, description: &str| {
        json!({
            "name": name, "in": "query", "required": false, "deprecated": false, "explode": true,
            "description": description, "schema": { "type": "string" },
        })
    };
    let mut wishes = vec![text("columns", "列\n导出的列名，用英文逗号分隔，按所列顺序；不填为全部列")];
    if let Some(whole) = sheet.whole {
        operation["x-whole"] = json!(whole);
        wishes.push(json!({
            "name": "whole", "in": "query", "required": false, "deprecated": false, "explode": true,
            "description": "完整内容\n证件号、手机等不隐藏，须有相应权限并说明用途，记入日志", "schema": { "type": "boolean" },
        }));
        wishes.push(text("reason", "用途\n导出完整内容时填写，2至200个字符"));
    }
    operation["x-columns"] = json!(sheet.columns);
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters.extend(wishes);
    }
}

/// What an operator says beside the operation's own parameters (00 §3, 05 F).
fn names_school(operation: &mut Value, place: &str) {
    operation["x-names-school"] = json!(true);
    operation["x-school-data"] = json!(place != "HomeOrNamed");
    if matches!(place, "ManySchools" | "FromOutside") {
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
