//! The pages of all types, `docs/`: made of their descriptions, which Terraform itself shows too.

use std::fmt::Write;

use crate::{
    data::{self, Described},
    document::is_current,
    ephemeral,
    protocol::schema::{Attribute, Nesting, Type},
    protocol::value::Value,
    resources,
};

const HEAD: &str = "<!-- Made of the descriptions in src by its tests: UPDATE_EXPECT=1 cargo test --package terraform-provider-school -->\n";

fn type_of(attribute: &Attribute) -> &'static str {
    match &attribute.kind {
        Type::Text => "text",
        Type::Number => "number",
        Type::Bool => "bool",
        Type::TextSet => "set of texts",
        Type::TextList => "list of texts",
        Type::Nested(Nesting::Single, _) => "object",
        Type::Nested(Nesting::List, _) => "list of objects",
        Type::Nested(Nesting::Map, _) => "map of objects",
    }
}

fn given(attribute: &Attribute) -> String {
    let mut words = Vec::new();
    match &attribute.default {
        Some(Value::Text(text)) => words.push(format!("optional, `\"{text}\"`")),
        Some(Value::List(_)) => words.push("optional, none".to_owned()),
        Some(default) => words.push(format!("optional, `{}`", default.json())),
        None if attribute.required => words.push("required".to_owned()),
        None if !attribute.settable => words.push("answered".to_owned()),
        None if attribute.computed => words.push("optional, else the server's".to_owned()),
        None => words.push("optional".to_owned()),
    }
    if attribute.write_only {
        words.push("write-only".to_owned());
    } else if attribute.sensitive {
        words.push("sensitive".to_owned());
    }
    words.join(", ")
}

fn rows(page: &mut String, attributes: &[Attribute], before: &str) {
    for attribute in attributes {
        let name = format!("{before}{}", attribute.name);
        let says = attribute.says.replace('|', "\\|");
        writeln!(page, "| `{name}` | {} | {} | {says} |", type_of(attribute), given(attribute)).expect("a text");
        if let Type::Nested(nesting, within) = &attribute.kind {
            let into = if matches!(nesting, Nesting::Single) { "." } else { "[*]." };
            rows(page, within, &format!("{name}{into}"));
        }
    }
}

fn section(page: &mut String, name: &str, says: &str, attributes: &[Attribute]) {
    writeln!(page, "\n## {name}\n\n{says}\n\n| attribute | type | | |\n|---|---|---|---|").expect("a text");
    rows(page, attributes, "");
}

#[test]
fn the_page_of_resources_is_current() {
    let mut page = format!("{HEAD}# Resources\n");
    for kind in resources::all() {
        let resource = kind.resource();
        section(&mut page, resource.name, resource.says, &resource.attributes());
        let parts = resource.import.iter().map(|part| format!("<{part}>")).collect::<Vec<_>>().join("/");
        writeln!(page, "\nImport: `terraform import {}.NAME '{parts}'`", resource.name).expect("a text");
        for (name, why) in resource.frozen {
            writeln!(page, "`{name}` never changes. {why}").expect("a text");
        }
        if !resource.replaced.is_empty() {
            let names = resource.replaced.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            writeln!(page, "Another {names} makes another one.").expect("a text");
        }
    }
    is_current("resources.md", &page);
}

fn page(title: &str, all: Vec<Described>) -> String {
    let mut page = format!("{HEAD}# {title}\n");
    for each in all {
        section(&mut page, each.name, each.says, &each.attributes);
    }
    page
}

#[test]
fn the_pages_of_what_is_only_read_are_current() {
    is_current("data_sources.md", &page("Data sources", data::all()));
    is_current("ephemeral_resources.md", &page("Ephemeral resources", ephemeral::all()));
}
