//! What a correction changes, as it is stored (part 02 §9.6).

use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::{Map, Value, json};
use student_status_rules::key_fields::KeyFields;

/// What differs, as it is stored: `{field: {from, to}}`.
pub fn changes(before: &KeyFields, after: &KeyFields) -> Value {
    let (from, to) = (before.to_json().unwrap_or_default(), after.to_json().unwrap_or_default());
    let fields = to.as_object().into_iter().flatten();
    Value::Object(fields.map(|(name, to)| (name.clone(), json!({ "from": from[name], "to": to }))).collect())
}

/// One side of [`changes`].
///
/// # Errors
/// When it was not written by [`changes`].
pub fn side(changes: &Value, which: &str) -> Result<KeyFields, sqlx::Error> {
    let fields = changes.as_object().into_iter().flatten();
    let values: Map<String, Value> = fields.map(|(name, change)| (name.clone(), change[which].clone())).collect();
    KeyFields::parse_from_json(Some(Value::Object(values)))
        .map_err(|error| sqlx::Error::Decode(error.into_message().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_come_back() {
        let before = KeyFields { name: Some("张三".to_owned()), ..KeyFields::default() };
        let after =
            KeyFields { name: Some("李四".to_owned()), ethnicity: Some("02".to_owned()), ..KeyFields::default() };
        let stored = changes(&before, &after);
        assert_eq!(
            stored,
            json!({ "name": { "from": "张三", "to": "李四" }, "ethnicity": { "from": null, "to": "02" } })
        );
        assert_eq!(side(&stored, "from").expect("fields"), before);
        assert_eq!(side(&stored, "to").expect("fields"), after);
    }
}
