//! Attributes as a provider describes them, and the messages of their schemas.

use super::{
    pb,
    value::{Object, Value},
};

/// What an attribute holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Text,
    Number,
    Bool,
    TextSet,
    TextList,
    Nested(Nesting, Vec<Attribute>),
}

/// How attributes nest within one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    Single,
    List,
    Map,
}

/// One attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub name: &'static str,
    /// What it is, in a sentence for the documentation.
    pub says: &'static str,
    pub kind: Type,
    pub required: bool,
    /// The provider fills it when nobody configures it.
    pub computed: bool,
    /// Whether a configuration may have it at all.
    pub settable: bool,
    pub sensitive: bool,
    /// It reaches the provider in `apply` and is kept nowhere.
    pub write_only: bool,
    /// What it is when it is not configured; it then is computed too.
    pub default: Option<Value>,
}

/// An attribute that a configuration may leave out.
pub fn attribute(name: &'static str, kind: Type, says: &'static str) -> Attribute {
    Attribute {
        name,
        says,
        kind,
        required: false,
        computed: false,
        settable: true,
        sensitive: false,
        write_only: false,
        default: None,
    }
}

impl Attribute {
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Of the server, and of nobody else.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.computed = true;
        self.settable = false;
        self
    }

    /// Of the server, unless it is configured.
    #[must_use]
    pub fn or_computed(mut self) -> Self {
        self.computed = true;
        self
    }

    #[must_use]
    pub fn default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self.computed = true;
        self
    }

    #[must_use]
    pub fn write_only(mut self) -> Self {
        self.write_only = true;
        self.sensitive = true;
        self
    }

    #[must_use]
    pub fn sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    fn message(&self) -> pb::Attribute {
        let (kind, nested_type) = match &self.kind {
            Type::Text => (r#""string""#, None),
            Type::Number => (r#""number""#, None),
            Type::Bool => (r#""bool""#, None),
            Type::TextSet => (r#"["set","string"]"#, None),
            Type::TextList => (r#"["list","string"]"#, None),
            Type::Nested(nesting, attributes) => {
                let nesting = match nesting {
                    Nesting::Single => 1,
                    Nesting::List => 2,
                    Nesting::Map => 4,
                };
                let attributes = attributes.iter().map(Self::message).collect();
                ("", Some(pb::Object { attributes, nesting }))
            }
        };
        pb::Attribute {
            name: self.name.to_owned(),
            kind: kind.as_bytes().to_vec(),
            description: self.says.to_owned(),
            required: self.required,
            optional: self.settable && !self.required,
            computed: self.computed,
            sensitive: self.sensitive,
            deprecated: false,
            nested_type,
            write_only: self.write_only,
        }
    }
}

/// The message of a schema in its first version.
pub fn schema(says: &str, attributes: &[Attribute]) -> pb::Schema {
    let block = pb::Block {
        version: 0,
        attributes: attributes.iter().map(Attribute::message).collect(),
        block_types: Vec::new(),
        description: says.to_owned(),
    };
    pb::Schema { version: 0, block: Some(block) }
}

/// An object with all attributes of the schema and no others: what is missing is null, what is gone is dropped.
pub fn fitted(mut stored: Object, attributes: &[Attribute]) -> Object {
    attributes
        .iter()
        .map(|attribute| {
            let value = stored.remove(attribute.name).unwrap_or_default();
            (attribute.name.to_owned(), fitted_value(value, attribute))
        })
        .collect()
}

fn fitted_value(value: Value, attribute: &Attribute) -> Value {
    let Type::Nested(nesting, attributes) = &attribute.kind else { return value };
    match (nesting, value) {
        (Nesting::Single, Value::Object(fields)) => Value::Object(fitted(fields, attributes)),
        (Nesting::Map, Value::Object(elements)) => {
            let each = |(key, value): (String, Value)| (key, Value::Object(fitted(value.into_object(), attributes)));
            Value::Object(elements.into_iter().map(each).collect())
        }
        (Nesting::List, Value::List(items)) => {
            let each = |item: Value| Value::Object(fitted(item.into_object(), attributes));
            Value::List(items.into_iter().map(each).collect())
        }
        (_, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn attributes() -> Vec<Attribute> {
        vec![
            attribute("code", Type::Text, "").required(),
            attribute("secret_wo", Type::Text, "").write_only(),
            attribute("contact", Type::Nested(Nesting::Single, vec![attribute("name", Type::Text, "")]), ""),
            attribute("count", Type::Number, "").read_only(),
        ]
    }

    #[test]
    fn a_nested_attribute_has_no_type_beside_it() {
        let block = schema("a thing", &attributes()).block.expect("a block");
        let [code, secret, contact, count] = &block.attributes[..] else { panic!("four attributes") };
        assert_eq!((code.kind.as_slice(), code.required, code.optional), (br#""string""#.as_slice(), true, false));
        assert!(secret.write_only && secret.sensitive && secret.optional);
        assert!(contact.kind.is_empty() && contact.nested_type.as_ref().is_some_and(|nested| nested.nesting == 1));
        assert!(count.computed && !count.optional && !count.required);
    }

    #[test]
    fn an_old_state_is_brought_into_the_shape_of_today() {
        let old = Value::of_json(&json!({ "code": "S1", "gone": 1, "contact": { "name": "李", "fax": "1" } }));
        let expected = json!({ "code": "S1", "secret_wo": null, "contact": { "name": "李" }, "count": null });
        assert_eq!(Value::Object(fitted(old.into_object(), &attributes())).json(), expected);
    }
}
