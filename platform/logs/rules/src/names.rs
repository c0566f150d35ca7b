//! How the fields of the trail are called: the words that the document has for them, of which forms, lists and exports are
//! made too (05 E1).

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, OnceLock},
};

use infra::App;
use serde_json::Value;

/// What the document says of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Meaning {
    label: String,
    /// Chinese words of an enumeration.
    words: BTreeMap<String, String>,
}

/// The fields of the document's records, looked for when somebody first reads the trail.
#[derive(Debug, Default)]
pub struct FieldNames {
    document: Option<&'static Value>,
    fields: OnceLock<Fields>,
}

#[derive(Debug, Default)]
struct Fields {
    /// By record and field.
    exact: HashMap<String, HashMap<String, Meaning>>,
    /// By field: what most records call it.
    usual: HashMap<String, Meaning>,
}

impl FieldNames {
    /// The leaf gives the document once, when the server starts.
    pub fn learn(app: &App, document: &'static Value) {
        app.of_room(|_| Self { document: Some(document), fields: OnceLock::new() });
    }

    /// What the server was told of its document.
    pub fn known(app: &App) -> Arc<Self> {
        app.of_room(|_| Self::default())
    }

    fn meaning(&self, table: &str, field: &str) -> Option<&Meaning> {
        let fields = self.fields.get_or_init(|| self.document.map_or_else(Fields::default, Fields::of));
        let own = fields.exact.get(&record_of(table)).and_then(|known| known.get(field));
        own.or_else(|| fields.usual.get(field))
    }

    /// The Chinese name of a field of a table's record.
    pub fn label(&self, table: &str, field: &str) -> Option<&str> {
        self.meaning(table, field).map(|meaning| meaning.label.as_str())
    }

    /// A value as people read it; none where there was none.
    pub fn written(&self, table: &str, field: &str, value: &Value) -> Option<String> {
        match value {
            Value::Null => None,
            Value::Bool(yes) => Some(if *yes { "是" } else { "否" }.to_owned()),
            Value::String(text) => {
                let word = self.meaning(table, field).and_then(|meaning| meaning.words.get(text));
                Some(word.unwrap_or(text).clone())
            }
            other => Some(other.to_string()),
        }
    }
}

impl Fields {
    fn of(document: &Value) -> Self {
        let mut exact: HashMap<String, HashMap<String, Meaning>> = HashMap::new();
        let mut counted: HashMap<String, BTreeMap<Meaning, usize>> = HashMap::new();
        let schemas = &document["components"]["schemas"];
        for (record, schema) in schemas.as_object().into_iter().flatten() {
            let own = properties(schemas, schema);
            for (field, meaning) in &own {
                *counted.entry(field.clone()).or_default().entry(meaning.clone()).or_default() += 1;
            }
            exact.insert(record.clone(), own);
        }
        // A record that is only looked at with more beside it is in the document under the name of its view alone.
        let views: Vec<(String, HashMap<String, Meaning>)> = exact
            .iter()
            .filter_map(|(view, fields)| Some((view.strip_suffix("View")?.to_owned(), fields.clone())))
            .filter(|(record, _)| !exact.contains_key(record))
            .collect();
        exact.extend(views);
        let usual = counted
            .into_iter()
            .filter_map(|(field, meanings)| {
                let (meaning, _) = meanings.into_iter().max_by_key(|(_, count)| *count)?;
                Some((field, meaning))
            })
            .collect();
        Self { exact, usual }
    }
}

/// The record of a table: `school_major` is `SchoolMajor` in the document.
fn record_of(table: &str) -> String {
    table
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        })
        .collect()
}

fn properties(schemas: &Value, schema: &Value) -> HashMap<String, Meaning> {
    let own = schema["properties"].as_object().into_iter().flatten().filter_map(|(field, property)| {
        let label = property["title"].as_str().filter(|label| !label.is_empty())?.to_owned();
        Some((field.clone(), Meaning { label, words: words(schemas, property) }))
    });
    // A flattened part stands beside the own fields.
    let parts = schema["allOf"].as_array().into_iter().flatten();
    parts.flat_map(|part| properties(schemas, followed(schemas, part))).chain(own).collect()
}

fn followed<'d>(schemas: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str().and_then(|address| address.rsplit('/').next()) {
        Some(name) => &schemas[name],
        None => schema,
    }
}

/// The words of an enumeration, or of a list of them.
fn words(schemas: &Value, property: &Value) -> BTreeMap<String, String> {
    let referred = if property["allOf"][0].is_object() { &property["allOf"][0] } else { property };
    let element = if referred["items"].is_object() { &referred["items"] } else { referred };
    let labels = followed(schemas, element)["x-enum-labels"].as_object();
    labels.into_iter().flatten().filter_map(|(word, zh)| Some((word.clone(), zh.as_str()?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_called_as_its_record_calls_it_or_as_most_do() {
        let document = json!({ "components": { "schemas": {
            "Student": { "properties": {
                "name": { "title": "姓名" },
                "status": { "title": "学籍状态", "allOf": [{ "$ref": "#/components/schemas/StudentStatus" }] },
            } },
            "ClassView": { "properties": { "name": { "title": "班级名称" } } },
            "StudentStatus": { "enum": ["registered"], "x-enum-labels": { "registered": "在籍" } },
            "Site": { "properties": { "name": { "title": "名称" }, "open": { "title": "开放" } } },
            "Grade": { "properties": { "name": { "title": "名称" } } },
        } } });
        let names = FieldNames { document: Some(Box::leak(Box::new(document))), fields: OnceLock::new() };
        assert_eq!(names.label("student", "name"), Some("姓名"));
        assert_eq!(names.label("sys_role", "name"), Some("名称"));
        assert_eq!(names.label("student", "unheardOf"), None);
        assert_eq!(names.label("class", "name"), Some("班级名称"));
        assert_eq!(names.written("student", "status", &json!("registered")).as_deref(), Some("在籍"));
        assert_eq!(names.written("student", "name", &json!("registered")).as_deref(), Some("registered"));
        assert_eq!(names.written("site", "open", &json!(true)).as_deref(), Some("是"));
        assert_eq!(names.written("site", "open", &Value::Null), None);
    }
}
