//! A list stands in the order of every column that it names (00 §4), and holds the same rows in it.

use std::collections::BTreeSet;

use kit::Client;
use openapi::document;
use serde_json::{Value, json};

/// Lists by their path, each with the columns that it can be ordered by.
fn ordered_lists(document: &Value) -> Vec<(String, Vec<String>)> {
    let schemas = &document["components"]["schemas"];
    let named = |reference: &Value| {
        let name = reference.as_str().and_then(|text| text.rsplit('/').next()).unwrap_or_default().to_owned();
        schemas[&name].clone()
    };
    let mut found = Vec::new();
    for (_, path, operation) in document::operations(document) {
        let body = named(&operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]);
        let parts = body["allOf"].as_array().into_iter().flatten().chain([&body]);
        for field in parts.map(|part| &part["properties"]["sortField"]).filter(|field| field.is_object()) {
            let words = named(if field["$ref"].is_null() { &field["allOf"][0]["$ref"] } else { &field["$ref"] });
            let words = words["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
            found.push((path.to_owned(), words.map(ToOwned::to_owned).collect()));
        }
    }
    found
}

/// What the rows have in the column, equal neighbours once, rows without a value left out.
fn values(rows: &[Value], field: &str) -> Vec<Value> {
    let mut values: Vec<Value> = rows.iter().map(|row| row[field].clone()).filter(|value| !value.is_null()).collect();
    values.dedup();
    values
}

pub(super) async fn of_every_column(admin: &Client<'_>) {
    let lists = ordered_lists(document::document());
    assert!(lists.len() >= 8, "{lists:?}");
    let mut told_apart = 0;
    for (path, fields) in lists {
        let read = async |body: Value| admin.post(&path, body).await.data()["list"].as_array().expect("rows").clone();
        let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].to_string()).collect::<BTreeSet<_>>();
        let all = read(json!({ "pageSize": 500 })).await;
        for field in fields {
            let asked = |order: &str| json!({ "pageSize": 500, "sortField": field, "sortOrder": order });
            let (up, down) = (read(asked("asc")).await, read(asked("desc")).await);
            assert_eq!((ids(&up), ids(&down)), (ids(&all), ids(&all)), "{path} {field}");
            let (up, mut down) = (values(&up, &field), values(&down, &field));
            down.reverse();
            assert_eq!(up, down, "{path} {field}");
            assert_eq!(
                up.len(),
                up.iter().map(Value::to_string).collect::<BTreeSet<_>>().len(),
                "{path} {field}: {up:?}"
            );
            let numbers: Vec<f64> = up.iter().filter_map(Value::as_f64).collect();
            assert!(numbers.is_sorted(), "{path} {field}: {numbers:?}");
            told_apart += usize::from(up.len() > 1);
            // A page is cut out of the same order.
            let first = read(json!({ "pageSize": 1, "sortField": field, "sortOrder": "asc" })).await;
            assert_eq!(values(&first, &field).first(), up.first().filter(|_| !first.is_empty()), "{path} {field}");
        }
    }
    assert!(told_apart >= 10, "only {told_apart} columns have two values to be put in order");
}
