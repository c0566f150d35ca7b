//! What changed, field by field, written in the transaction of the change (01 §6.1, 05 E1).

use std::borrow::Cow;

use poem_openapi::types::ToJSON;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::mask;

/// Who stands in the trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// platform, school, job …
    pub kind: String,
    pub id: i64,
    pub name: String,
    pub on_behalf_of: Option<String>,
    pub ip: String,
    pub trace_id: String,
}

impl Actor {
    /// The server itself, in what nobody asked for.
    pub fn system(trace_id: &str) -> Self {
        Self {
            kind: "job".to_owned(),
            id: 0,
            name: "系统".to_owned(),
            on_behalf_of: None,
            ip: String::new(),
            trace_id: trace_id.to_owned(),
        }
    }
}

/// The action of [`Change::nothing`]; no row of the trail has it.
const NOTHING: &str = "";

/// The record of one row's change; the only commit asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub(crate) entity: &'static str,
    pub(crate) id: i64,
    pub(crate) action: &'static str,
    pub(crate) fields: Value,
    pub(crate) batch: Option<Uuid>,
    /// The fields as they are, for what an import has to put back (see [`crate::transfer`]); nothing stores them unsealed. A new row
    /// has none: what is put back of it is that it goes.
    pub(crate) whole: Value,
}

impl Change {
    /// A new row, with its fields.
    pub fn created(entity: &'static str, id: i64, after: &impl ToJSON) -> Self {
        let fields = match json_of(after) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let rows = fields.iter().filter(|(name, value)| is_told(name) && !value.is_null());
        let rows = rows.map(|(name, value)| json!({ "field": name, "before": null, "after": redacted(name, value) }));
        let fields = Value::Array(rows.collect());
        Self { entity, id, action: "insert", fields, batch: None, whole: Value::Null }
    }

    /// An edited row; only fields that differ are kept.
    pub fn edited<T: ToJSON>(entity: &'static str, id: i64, before: &T, after: &T) -> Self {
        Self::of(entity, id, "update", &json_of(before), &json_of(after))
    }

    /// A row that is gone, with what it held.
    pub fn deleted(entity: &'static str, id: i64, before: &impl ToJSON) -> Self {
        Self::of(entity, id, "delete", &json_of(before), &Value::Null)
    }

    /// One field of a row: a status, a flag.
    pub fn status(
        entity: &'static str,
        id: i64,
        field: &str,
        before: impl Into<Value>,
        after: impl Into<Value>,
    ) -> Self {
        Self::of(entity, id, "status", &json!({ field: before.into() }), &json!({ field: after.into() }))
    }

    /// A step that is not told by fields (a password was set, a session ended), with what is worth keeping.
    pub fn event(entity: &'static str, id: i64, action: &'static str, what: Value) -> Self {
        Self::of(entity, id, action, &Value::Null, &what)
    }

    /// A step that found its row as it was to be: the trail keeps no row of it.
    pub fn nothing(entity: &'static str, id: i64) -> Self {
        Self { entity, id, action: NOTHING, fields: Value::Null, batch: None, whole: Value::Null }
    }

    /// Whether the step changed nothing.
    pub fn is_nothing(&self) -> bool {
        self.action == NOTHING
    }

    /// Keeps why a person did it, as a field `reason`.
    #[must_use]
    pub fn because(mut self, reason: Option<&str>) -> Self {
        if let (Some(reason), Value::Array(fields)) = (reason, &mut self.fields) {
            fields.push(json!({ "field": "reason", "before": null, "after": redacted("reason", &json!(reason)) }));
        }
        self
    }

    /// Marks rows of one import or one bulk step as belonging together.
    #[must_use]
    pub fn in_batch(mut self, batch: Uuid) -> Self {
        self.batch = Some(batch);
        self
    }

    /// Of which row.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// The row's number, of a record that was made before the row was written.
    #[must_use]
    pub fn numbered(mut self, id: i64) -> Self {
        self.id = id;
        self
    }

    /// The row came by an import.
    #[must_use]
    pub fn imported(mut self, batch: Uuid) -> Self {
        self.action = "import";
        self.in_batch(batch)
    }

    fn of(entity: &'static str, id: i64, action: &'static str, before: &Value, after: &Value) -> Self {
        let whole = differences(before, after);
        Self { entity, id, action, fields: kept(&whole), batch: None, whole }
    }
}

fn json_of(value: &impl ToJSON) -> Value {
    value.to_json().unwrap_or(Value::Null)
}

/// `[{field, before, after}]` of what differs.
fn differences(before: &Value, after: &Value) -> Value {
    let empty = Map::new();
    let (old, new) = (before.as_object().unwrap_or(&empty), after.as_object().unwrap_or(&empty));
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let rows = names
        .into_iter()
        .filter(|name| is_told(name))
        .filter_map(|name| {
            let (from, to) = (old.get(name).unwrap_or(&Value::Null), new.get(name).unwrap_or(&Value::Null));
            (from != to).then(|| json!({ "field": name, "before": from, "after": to }))
        })
        .collect();
    Value::Array(rows)
}

/// Whether a field says anything of the record.
fn is_told(name: &str) -> bool {
    !matches!(name, "version" | "updatedAt" | "createdAt" | "id")
}

/// The same as the trail keeps it: secrets and personal data redacted.
fn kept(differences: &Value) -> Value {
    let rows = differences.as_array().into_iter().flatten().map(|row| {
        let name = row["field"].as_str().unwrap_or_default();
        json!({ "field": name, "before": redacted(name, &row["before"]), "after": redacted(name, &row["after"]) })
    });
    Value::Array(rows.collect())
}

/// What stands for a value that nobody reads.
const HIDDEN: &str = "***";

/// Words in the names of fields that open something.
const SECRETS: [&str; 13] = [
    "password",
    "passwd",
    "secret",
    "token",
    "signature",
    "cipher",
    "credential",
    "aeskey",
    "apikey",
    "v3key",
    "accesskey",
    "partnerkey",
    "privatekey",
];

type Mask = fn(&str) -> String;

/// Ends of the names of fields that hold personal data, in lower case, and how each kind is masked (05 E4).
const PERSONAL: [(&[&str], Mask); 5] = [
    (&["idcardno", "idcard", "idno", "idnumber"], mask::id_card),
    (&["phone", "mobile", "telephone", "tel"], mask::phone),
    (&["bankcardno", "bankcard", "cardno", "bankaccount"], mask::bank_card),
    (&["email", "mail"], mask::email),
    (&["address", "hukouplace"], mask::address),
];

fn personal(lower: &str) -> Option<Mask> {
    PERSONAL.iter().find(|(ends, _)| ends.iter().any(|end| lower.ends_with(end))).map(|(_, mask)| *mask)
}

/// What may stand in a log of the value of a field with this name (01 §6.1): secrets by their name, personal data by
/// their field, and by their shape in every other field, for people look for others by their numbers.
pub fn redacted(name: &str, value: &Value) -> Value {
    if value.is_null() {
        return Value::Null;
    }
    let lower = name.to_lowercase().replace(['_', '-'], "");
    if SECRETS.iter().any(|word| lower.contains(word)) {
        return json!(HIDDEN);
    }
    match value {
        Value::String(text) => json!(match personal(&lower) {
            // A value of another shape than its field's is not shown whole either.
            Some(mask) => mask::shapes(&mask(text)).into_owned(),
            None => mask::shapes(text).into_owned(),
        }),
        Value::Number(number) => {
            let text = number.to_string();
            match (personal(&lower), mask::shapes(&text)) {
                (Some(mask), _) => json!(mask(&text)),
                (None, Cow::Owned(masked)) => json!(masked),
                (None, Cow::Borrowed(_)) => value.clone(),
            }
        }
        Value::Object(fields) => {
            let shown = |name: &String| mask::shapes(name).into_owned();
            Value::Object(fields.iter().map(|(name, value)| (shown(name), redacted(name, value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| redacted(name, item)).collect()),
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_kept_and_personal_data_are_masked() {
        let before = json!({ "id": 1, "name": "城东站", "phone": "13800000001", "version": 1, "idCardNo": null });
        let after = json!({ "id": 1, "name": "城东站", "phone": "13900000002", "version": 2, "idCardNo": null });
        assert_eq!(
            kept(&differences(&before, &after)),
            json!([{ "field": "phone", "before": "138****0001", "after": "139****0002" }])
        );
    }

    #[test]
    fn a_new_row_tells_what_it_holds() {
        #[derive(poem_openapi::Object)]
        struct Site {
            id: i64,
            name: String,
            phone: Option<String>,
            remark: Option<String>,
        }
        let site = Site { id: 3, name: "城东站".to_owned(), phone: Some("13900000002".to_owned()), remark: None };
        let change = Change::created("site", 0, &site).numbered(3);
        let told = kept(&differences(&Value::Null, &json_of(&site)));
        assert_eq!((change.id, &change.fields), (3, &told), "as of any other change");
        assert_eq!(told[1]["after"], json!("139****0002"));
    }

    #[test]
    fn a_number_of_a_person_is_masked_in_every_field() {
        let sent = json!({
            "keyword": "110101199011279026",
            "guardianIdNo": "E12345678",
            "remark": ["张三，电话13800138000", { "x": "zhang@example.com" }],
            "home_phone": "87654321",
            "13800138000": 13_800_138_000_i64,
            "phone": 87_654_321,
            "bytes": 20_480,
            "enabled": true,
        });
        assert_eq!(
            redacted("", &sent),
            json!({
                "keyword": "110***********9026",
                "guardianIdNo": "E1***78",
                "remark": ["张三，电话138****8000", { "x": "z***@example.com" }],
                "home_phone": "8765****",
                "138****8000": "138****8000",
                "phone": "8765****",
                "bytes": 20_480,
                "enabled": true,
            })
        );
    }

    #[test]
    fn a_reason_is_redacted_too() {
        let change = Change::status("site", 1, "enabled", true, false).because(Some("13800138000 来电"));
        assert_eq!(change.fields[1]["after"], json!("138****8000 来电"));
    }

    #[test]
    fn secrets_never_reach_the_trail() {
        assert_eq!(redacted("loginPassword", &json!("x")), json!("***"));
        assert_eq!(
            redacted("value", &json!({ "secret": "x", "region": "cn" })),
            json!({ "secret": "***", "region": "cn" })
        );
    }
}
