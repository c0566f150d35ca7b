//! What an attribute holds: as msgpack on the wire, as JSON in a stored state.
//!
//! Core says of a value that is not known yet that it is an extension of msgpack; numbers come as integers, floats or,
//! when they fit neither, as text.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::pb::DynamicValue;

/// The attributes of an object, or the elements of a map, by name.
pub type Object = BTreeMap<String, Value>;

/// A value of any type. Lists and sets look alike, and so do objects and maps: the schema tells them apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    #[default]
    Null,
    /// It will be known when it has been applied.
    Unknown,
    Bool(bool),
    Integer(i64),
    Decimal(f64),
    Text(String),
    List(Vec<Self>),
    Object(Object),
}

/// Beyond it a float is no longer an exact integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Value {
    /// A number in its simplest form: 2.0 is 2.
    pub fn number(number: f64) -> Self {
        if number.fract() == 0.0 && number.abs() < EXACT {
            format!("{number:.0}").parse().map_or(Self::Decimal(number), Self::Integer)
        } else {
            Self::Decimal(number)
        }
    }

    /// Of text, or null.
    pub fn text(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(text.into()))
    }

    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Whether it or something within it is not known yet.
    pub fn has_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::List(items) => items.iter().any(Self::has_unknown),
            Self::Object(fields) => fields.values().any(Self::has_unknown),
            _ => false,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(yes) => Some(*yes),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub fn as_list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The texts of a list or set; what is none of them is left out.
    pub fn texts(&self) -> Vec<&str> {
        self.as_list().iter().filter_map(Self::as_text).collect()
    }

    /// Its object; empty for everything else.
    pub fn into_object(self) -> Object {
        match self {
            Self::Object(fields) => fields,
            _ => Object::new(),
        }
    }

    /// Of JSON: an answer of a server, a stored state.
    pub fn of_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(yes) => Self::Bool(*yes),
            Json::Number(number) => {
                number.as_i64().map_or_else(|| number.as_f64().map_or(Self::Null, Self::number), Self::Integer)
            }
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(items) => Self::List(items.iter().map(Self::of_json).collect()),
            Json::Object(fields) => {
                Self::Object(fields.iter().map(|(name, value)| (name.clone(), Self::of_json(value))).collect())
            }
        }
    }

    /// As JSON; what is unknown is null.
    pub fn json(&self) -> Json {
        match self {
            Self::Null | Self::Unknown => Json::Null,
            Self::Bool(yes) => Json::from(*yes),
            Self::Integer(number) => Json::from(*number),
            Self::Decimal(number) => Json::from(*number),
            Self::Text(text) => Json::from(text.as_str()),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Object(fields) => {
                Json::Object(fields.iter().map(|(name, value)| (name.clone(), value.json())).collect())
            }
        }
    }

    /// Of the wire; nothing there is null.
    ///
    /// # Errors
    /// A sentence, when it is neither msgpack nor JSON.
    pub fn decode(value: Option<&DynamicValue>) -> Result<Self, String> {
        let Some(value) = value else { return Ok(Self::Null) };
        if !value.json.is_empty() {
            return Self::of_json_text(&value.json);
        }
        if value.msgpack.is_empty() {
            return Ok(Self::Null);
        }
        rmpv::decode::read_value(&mut value.msgpack.as_slice())
            .map(Self::of_msgpack)
            .map_err(|error| format!("a value that is no msgpack: {error}"))
    }

    /// # Errors
    /// A sentence, when it is no JSON.
    pub fn of_json_text(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map(|json| Self::of_json(&json)).map_err(|error| format!("no JSON: {error}"))
    }

    /// For the wire.
    pub fn encode(&self) -> DynamicValue {
        let mut msgpack = Vec::new();
        // A vector takes everything.
        if let Err(error) = rmpv::encode::write_value(&mut msgpack, &self.to_msgpack()) {
            eprintln!("[WARN] a value could not be written: {error}");
        }
        DynamicValue { msgpack, json: Vec::new() }
    }

    fn of_msgpack(value: rmpv::Value) -> Self {
        match value {
            rmpv::Value::Nil => Self::Null,
            rmpv::Value::Boolean(yes) => Self::Bool(yes),
            rmpv::Value::Integer(number) => {
                number.as_i64().map_or_else(|| number.as_f64().map_or(Self::Null, Self::Decimal), Self::Integer)
            }
            rmpv::Value::F32(number) => Self::number(f64::from(number)),
            rmpv::Value::F64(number) => Self::number(number),
            rmpv::Value::String(text) => Self::text(text.as_str()),
            rmpv::Value::Binary(bytes) => Self::Text(String::from_utf8_lossy(&bytes).into_owned()),
            rmpv::Value::Array(items) => Self::List(items.into_iter().map(Self::of_msgpack).collect()),
            rmpv::Value::Map(pairs) => Self::Object(
                pairs
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.as_str()?.to_owned(), Self::of_msgpack(value))))
                    .collect(),
            ),
            // 0, or 12 with what is known of it.
            rmpv::Value::Ext(..) => Self::Unknown,
        }
    }

    fn to_msgpack(&self) -> rmpv::Value {
        match self {
            Self::Null => rmpv::Value::Nil,
            Self::Unknown => rmpv::Value::Ext(0, vec![0]),
            Self::Bool(yes) => rmpv::Value::from(*yes),
            Self::Integer(number) => rmpv::Value::from(*number),
            Self::Decimal(number) => rmpv::Value::from(*number),
            Self::Text(text) => rmpv::Value::from(text.as_str()),
            Self::List(items) => rmpv::Value::Array(items.iter().map(Self::to_msgpack).collect()),
            Self::Object(fields) => rmpv::Value::Map(
                fields.iter().map(|(name, value)| (rmpv::Value::from(name.as_str()), value.to_msgpack())).collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Numbers of one stream, so that a failure comes again.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % sides
        }

        fn value(&mut self, depth: u64) -> Value {
            match self.roll(if depth == 0 { 6 } else { 8 }) {
                0 => Value::Null,
                1 => Value::Unknown,
                2 => Value::Bool(self.roll(2) == 1),
                3 => Value::Integer(i64::MAX.wrapping_mul(i64::try_from(self.roll(1 << 31)).expect("small"))),
                4 => Value::number(f64::from(u32::try_from(self.roll(1 << 31)).expect("small")) / 8.0),
                5 => {
                    Value::Text("城东站\u{1F3EB}".chars().take(usize::try_from(self.roll(5)).expect("small")).collect())
                }
                6 => Value::List((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
                _ => Value::Object((0..self.roll(4)).map(|at| (format!("f{at}"), self.value(depth - 1))).collect()),
            }
        }
    }

    #[test]
    fn every_value_comes_back_from_the_wire_as_it_went() {
        let mut dice = Dice(20_261_103);
        for _ in 0..2000 {
            let value = dice.value(3);
            assert_eq!(Value::decode(Some(&value.encode())), Ok(value));
        }
    }

    #[test]
    fn the_unknown_is_the_extension_that_core_knows() {
        assert_eq!(Value::Unknown.encode().msgpack, [0xd4, 0, 0]);
        // One of which something is known: extension 12 with two bytes.
        let refined = DynamicValue { msgpack: vec![0xd5, 12, 0x81, 0x01], json: Vec::new() };
        assert_eq!(Value::decode(Some(&refined)), Ok(Value::Unknown));
    }

    #[test]
    fn numbers_take_their_simplest_form() {
        assert_eq!(Value::of_json(&json!(2.0)), Value::Integer(2));
        assert_eq!(Value::of_json(&json!(2.5)), Value::Decimal(2.5));
        assert_eq!(Value::number(-0.0), Value::Integer(0));
        assert_eq!(Value::Integer(2).json(), json!(2));
    }

    #[test]
    fn nothing_is_null_and_nonsense_is_told() {
        assert_eq!(Value::decode(None), Ok(Value::Null));
        assert!(Value::decode(Some(&DynamicValue { msgpack: vec![0x91], json: Vec::new() })).is_err());
        let state = DynamicValue { msgpack: Vec::new(), json: br#"{"a":[1,null]}"#.to_vec() };
        let expected = Object::from([("a".to_owned(), Value::List(vec![Value::Integer(1), Value::Null]))]);
        assert_eq!(Value::decode(Some(&state)), Ok(Value::Object(expected)));
    }
}
