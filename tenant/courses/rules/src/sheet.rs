//! Sheets that update what is stored (part 03 A5).

use serde_json::Value;

/// Lays what was typed over what is stored.
pub fn laid_over(stored: Option<Value>, typed: Value) -> Value {
    match (stored, typed) {
        (Some(Value::Object(mut stored)), Value::Object(typed)) => {
            for (name, value) in typed {
                if !value.is_null() {
                    let below = stored.remove(&name).filter(Value::is_object);
                    stored.insert(name, laid_over(below, value));
                }
            }
            Value::Object(stored)
        }
        (_, typed) => typed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_cell_leaves_what_is_stored() {
        let stored = json!({ "organizationId": 3, "source": "shared", "textbook": { "name": "甲", "isbn": "1" } });
        let typed =
            json!({ "code": "A", "organizationId": null, "source": "own", "textbook": { "name": null, "isbn": "2" } });
        assert_eq!(
            laid_over(Some(stored), typed.clone()),
            json!({ "code": "A", "organizationId": 3, "source": "own", "textbook": { "name": "甲", "isbn": "2" } })
        );
        assert_eq!(laid_over(None, typed.clone()), typed);
    }
}
