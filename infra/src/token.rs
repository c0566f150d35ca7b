//! The token of a session: signed, short, without names, roles or codes (01 §1.2).

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, errors::ErrorKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    clock::Moment,
    error::{Error, Result},
    keys::Keys,
};

/// Which half of the product a session is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    Platform,
    School,
}

impl Area {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::School => "school",
        }
    }
}

/// Who acts for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    pub sub: i64,
    pub name: String,
}

/// The claims, by the names that every part of the specification uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    pub jti: Uuid,
    pub sub: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub client: Option<String>,
    pub kind: String,
    pub area: Area,
    #[serde(rename = "schoolId", skip_serializing_if = "Option::is_none", default)]
    pub school_id: Option<i64>,
    pub root: Uuid,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub act: Option<Act>,
    pub ro: bool,
    pub iat: i64,
    pub exp: i64,
    pub v: u8,
}

/// # Errors
/// Internal, when the key cannot sign.
pub fn issue(keys: &Keys, claims: &Claims) -> Result<String> {
    let (kid, pkcs8) = keys.token_signing();
    let header = Header { kid: Some(kid), ..Header::new(Algorithm::EdDSA) };
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_ed_der(&pkcs8)).map_err(Error::internal)
}

/// The claims of a token whose signature is right and whose time has not come.
///
/// # Errors
/// 301 without or with a wrong token, 302 after its end.
pub fn verify(keys: &Keys, token: Option<&str>, now: Moment) -> Result<Claims> {
    let claims = read(keys, token)?;
    if claims.exp <= now.timestamp() {
        return Err(expired());
    }
    Ok(claims)
}

/// Like [`verify`], also after the token's end: a school entry that ran out may still lead back to the platform.
pub fn read(keys: &Keys, token: Option<&str>) -> Result<Claims> {
    let sign_in = || Error::new(301, "请先登录");
    let token = token.filter(|token| !token.is_empty()).ok_or_else(sign_in)?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    let key = DecodingKey::from_ed_der(&keys.token_public());
    match jsonwebtoken::decode::<Claims>(token, &key, &validation) {
        Ok(decoded) if decoded.claims.v == 1 => Ok(decoded.claims),
        Ok(_) => Err(sign_in()),
        Err(error) => {
            if !matches!(error.kind(), ErrorKind::InvalidToken | ErrorKind::InvalidSignature) {
                tracing::debug!(%error, "a token could not be read");
            }
            Err(sign_in())
        }
    }
}

pub fn expired() -> Error {
    Error::new(302, "登录已过期，请重新登录")
}
