//! Closed sets with program logic: the word on the wire, the Chinese word, the text in the database, in one place.

/// A closed set as `enum/list/{type}` serves it.
#[derive(Debug, Clone, Copy)]
pub struct Enumeration {
    /// The `{type}` of the call, for example `siteKind`.
    pub name: &'static str,
    /// Word on the wire and Chinese word, in the order of the definition.
    pub items: &'static [(&'static str, &'static str)],
    /// Under which name the document has it; none of what no call takes or answers as such.
    pub schema: Option<&'static str>,
}

/// What every enumeration has.
pub trait Word {
    /// The word on the wire.
    fn word(&self) -> &'static str;
}

/// Defines an enumeration: its Rust type, its words on the wire and in the database, its Chinese words.
///
/// ```text
/// enumeration! {
///     /// 站点类型
///     pub enum SiteKind = "siteKind" {
///         Headquarter = "headquarter" "校本部",
///     }
/// }
/// ```
#[macro_export]
macro_rules! enumeration {
    ($(#[$meta:meta])* pub enum $name:ident = $type:literal { $($variant:ident = $word:literal $zh:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ::poem_openapi::Enum)]
        pub enum $name { $(#[oai(rename = $word)] $variant),+ }

        impl $name {
            pub const ENUMERATION: $crate::enumeration::Enumeration =
                $crate::enumeration::Enumeration {
                    name: $type,
                    items: &[$(($word, $zh)),+],
                    schema: Some(stringify!($name)),
                };
            /// Chinese word and value, for sheets.
            pub const CHOICES: &'static [(&'static str, Self)] = &[$(($zh, Self::$variant)),+];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The word a person reads.
            pub const fn zh(self) -> &'static str {
                match self { $(Self::$variant => $zh),+ }
            }

            /// From the word on the wire.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl $crate::enumeration::Word for $name {
            fn word(&self) -> &'static str {
                self.as_str()
            }
        }

        impl ::sqlx::Type<::sqlx::Postgres> for $name {
            fn type_info() -> ::sqlx::postgres::PgTypeInfo { <str as ::sqlx::Type<::sqlx::Postgres>>::type_info() }
            fn compatible(ty: &::sqlx::postgres::PgTypeInfo) -> bool {
                <str as ::sqlx::Type<::sqlx::Postgres>>::compatible(ty)
            }
        }

        impl ::sqlx::postgres::PgHasArrayType for $name {
            fn array_type_info() -> ::sqlx::postgres::PgTypeInfo {
                <&str as ::sqlx::postgres::PgHasArrayType>::array_type_info()
            }
        }

        impl<'q> ::sqlx::Encode<'q, ::sqlx::Postgres> for $name {
            fn encode_by_ref(
                &self,
                buffer: &mut ::sqlx::postgres::PgArgumentBuffer,
            ) -> ::std::result::Result<::sqlx::encode::IsNull, ::sqlx::error::BoxDynError> {
                <&str as ::sqlx::Encode<::sqlx::Postgres>>::encode(self.as_str(), buffer)
            }
        }

        impl<'r> ::sqlx::Decode<'r, ::sqlx::Postgres> for $name {
            fn decode(
                value: ::sqlx::postgres::PgValueRef<'r>,
            ) -> ::std::result::Result<Self, ::sqlx::error::BoxDynError> {
                let word = <&str as ::sqlx::Decode<::sqlx::Postgres>>::decode(value)?;
                Self::parse(word).ok_or_else(|| format!("{word:?} is no {}", $type).into())
            }
        }
    };
}
