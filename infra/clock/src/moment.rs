//! Moments of China's one time zone.

use std::{
    borrow::Cow,
    fmt,
    ops::{Add, Deref, Sub},
    str::FromStr,
};

use chrono::{DateTime, FixedOffset, ParseError, TimeDelta, Utc};
use poem_openapi::{
    registry::MetaSchemaRef,
    types::{ParseFromJSON, ParseFromParameter, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{
    Decode, Encode, Postgres,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef},
};

use super::china;

type Inner = DateTime<FixedOffset>;

/// A moment with the product's offset: `+08:00` on the wire and in what people read, `timestamptz` in the database.
///
/// Whatever it is made from, it has this offset; `sqlx.toml` of each module makes it the type of every such column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Inner")]
pub struct Moment(Inner);

impl From<DateTime<Utc>> for Moment {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at.with_timezone(&china()))
    }
}

impl From<Inner> for Moment {
    fn from(at: Inner) -> Self {
        Self(at.with_timezone(&china()))
    }
}

/// 1970 began at eight o'clock here.
impl Default for Moment {
    fn default() -> Self {
        DateTime::UNIX_EPOCH.into()
    }
}

impl Deref for Moment {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Add<TimeDelta> for Moment {
    type Output = Self;

    fn add(self, span: TimeDelta) -> Self {
        Self(self.0 + span)
    }
}

impl Sub<TimeDelta> for Moment {
    type Output = Self;

    fn sub(self, span: TimeDelta) -> Self {
        Self(self.0 - span)
    }
}

impl Sub for Moment {
    type Output = TimeDelta;

    fn sub(self, earlier: Self) -> TimeDelta {
        self.0 - earlier.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Moment {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse::<Inner>().map(Self::from)
    }
}

impl Type for Moment {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        Inner::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        Inner::schema_ref()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for Moment {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        Inner::parse_from_json(value).map(Self::from).map_err(|error| error.propagate())
    }
}

impl ParseFromParameter for Moment {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Inner::parse_from_parameter(value).map(Self::from).map_err(|error| error.propagate())
    }
}

impl ToJSON for Moment {
    fn to_json(&self) -> Option<Value> {
        self.0.to_json()
    }
}

impl sqlx::Type<Postgres> for Moment {
    fn type_info() -> PgTypeInfo {
        <Inner as sqlx::Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Moment {
    fn array_type_info() -> PgTypeInfo {
        <Inner as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Moment {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <Inner as Encode<Postgres>>::encode_by_ref(&self.0, buffer)
    }
}

impl Decode<'_, Postgres> for Moment {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        <DateTime<Utc> as Decode<Postgres>>::decode(value).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_the_offset_of_china_whatever_it_is_made_from() {
        let typed: Moment = "2026-03-01T00:30:00Z".parse().expect("a moment");
        assert_eq!(typed.to_rfc3339(), "2026-03-01T08:30:00+08:00");
        let wire = Moment::parse_from_json(Some(Value::from("2026-03-01T00:30:00+00:00"))).expect("a moment");
        assert_eq!(wire, typed);
        assert_eq!(wire.to_json(), Some(Value::from("2026-03-01T08:30:00+08:00")));
        let kept: Moment = serde_json::from_str("\"2026-02-28T19:30:00-05:00\"").expect("a moment");
        assert_eq!(kept.date_naive().to_string(), "2026-03-01");
    }
}
