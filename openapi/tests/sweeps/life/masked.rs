//! 05 E4: a personal value leaves masked, in every list, view and export, for whoever holds no `…Plain`. By the kind of the
//! field: a new list is inside by default, as far as the life fills its fields.

use std::collections::BTreeSet;

use kit::Client;
use openapi::document;
use serde_json::{Value, json};

use super::{Life, Sent, opened, send};

/// Words in the label of a field whose value is a person's.
const KINDS: [&str; 9] = ["证件号", "身份证号", "手机", "电话", "座机", "银行卡", "邮箱", "地址", "户籍地"];
/// Labels with such a word that are no person's.
const NO_PERSONS: [&str; 6] = ["IP", "网址", "照片地址", "附件地址", "材料地址", "发件地址"];

/// Of these the life has values, so that the sweep looks at something.
const FILLED: [(&str, &str); 9] = [
    ("listSites", "phone"),
    ("listStudents", "idCardNo"),
    ("viewStudent", "phone"),
    ("listPreRegistrations", "phone"),
    ("exportStudents", "证件号"),
    ("listAdmissionInformations", "idCardNo"),
    ("viewAdmissionInformation", "address"),
    ("exportGraduationInformations", "证件号"),
    ("downloadAdmissionCommitments", "手机"),
];

fn is_personal(label: &str) -> bool {
    KINDS.iter().any(|kind| label.contains(kind))
        && !NO_PERSONS.iter().any(|word| label.contains(word))
        && !label.contains('或')
}

/// Names of the personal fields of the document: texts with such a label that are no address to open.
fn personal_fields() -> BTreeSet<String> {
    let schemas = &document::document()["components"]["schemas"];
    let mut names = BTreeSet::new();
    for schema in schemas.as_object().expect("schemas").values() {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let label = field["title"].as_str().unwrap_or_default();
            let is_text = field["type"] == json!("string") && !field["format"].is_string() && !field["enum"].is_array();
            // Where a machine is reached is no person's address.
            let is_machines = ["url", "ip"].iter().any(|end| name.to_lowercase().ends_with(end));
            if is_text && is_personal(label) && !is_machines {
                names.insert(name.clone());
            }
        }
    }
    assert!(["idCardNo", "phone", "email", "address"].iter().all(|name| names.contains(*name)), "{names:?}");
    names
}

/// Personal values of an answer, by the name of their field.
fn values<'v>(value: &'v Value, names: &BTreeSet<String>, found: &mut Vec<(&'v str, &'v str)>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                match inner {
                    Value::String(text) if names.contains(name) && !text.is_empty() => found.push((name, text)),
                    inner => values(inner, names, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| values(item, names, found)),
        _ => {}
    }
}

/// The same of a sheet, by its headings.
fn cells(rows: &[Vec<String>]) -> Vec<(&str, &str)> {
    let Some((head, lines)) = rows.split_first() else { return Vec::new() };
    let personal: Vec<(usize, &str)> = head
        .iter()
        .enumerate()
        .map(|(n, heading)| (n, heading.as_str()))
        .filter(|(_, heading)| is_personal(heading))
        .collect();
    lines
        .iter()
        .flat_map(|line| personal.iter().filter_map(|(n, heading)| Some((*heading, line.get(*n)?.as_str()))))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// Repeats every call that reads as somebody who may open nothing whole.
pub(super) async fn for_whom_nothing_is_open(life: &Life<'_>, client: &Client<'_>) {
    let names = personal_fields();
    let (mut open, mut seen, mut repeated) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for call in life.calls.iter().filter(|call| !call.writes && !call.operation.contains("Template")) {
        if !repeated.insert(format!("{} {:?}", call.path, call.sent)) {
            continue;
        }
        let answer = send(client, &call.method, &call.path, &call.sent).await;
        let (_, sheets) = opened(&answer.bytes);
        let mut found: Vec<(&str, &str)> = sheets.iter().flat_map(|rows| cells(rows)).collect();
        values(&answer.body, &names, &mut found);
        for (name, text) in found {
            seen.insert((call.operation.clone(), name.to_owned()));
            // What was typed as a filter is no answer.
            let typed = matches!(&call.sent, Sent::Json(body) if body.to_string().contains(text));
            if !text.contains('*') && !typed {
                open.insert(format!("{}.{name} = {text}", call.operation));
            }
        }
    }
    assert!(open.is_empty(), "these are shown whole:\n{}", open.into_iter().collect::<Vec<_>>().join("\n"));
    // What a life does not fill proves nothing; these it must.
    for (list, field) in FILLED {
        assert!(seen.contains(&(list.to_owned(), field.to_owned())), "no value of {list}.{field} came");
    }
}
