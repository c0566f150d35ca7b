//! Addresses of the local folder, which the server signs and checks itself.

use std::sync::Arc;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, FixedOffset};
use serde::Deserialize;

use crate::StoreError;

/// The query of a signed address: `PUT|GET {base}/admin/files/{key}?exp&type&size&sig`; for a download with `name`, for a
/// part of a large upload with `part` in place of `type`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LinkQuery {
    /// The last second at which the address works, as Unix time.
    pub exp: i64,
    #[serde(rename = "type")]
    pub content_type: Option<String>,
    /// In bytes.
    pub size: Option<u64>,
    /// The number of the part, from 1.
    pub part: Option<i32>,
    pub name: Option<String>,
    pub sig: String,
}

/// What a checked address allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// To store an object of exactly this size (in bytes) that was sent as exactly this type.
    Upload { size: u64, content_type: String },
    /// To store one part of exactly this size (in bytes).
    Part { number: i32, size: u64 },
    /// To read the object as a file of this name.
    Download { file_name: String },
}

/// Makes and checks the addresses.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    base_url: String,
    secret: Arc<hmac::Key>,
}

impl Links {
    pub(crate) fn new(base_url: &str, secret: &[u8]) -> Self {
        Self { base_url: base_url.to_owned(), secret: Arc::new(hmac::Key::new(hmac::HMAC_SHA256, secret)) }
    }

    pub(crate) fn upload(&self, key: &str, size: u64, content_type: &str, until: DateTime<FixedOffset>) -> String {
        let exp = until.timestamp();
        let grant = Grant::Upload { size, content_type: content_type.to_owned() };
        let sig = URL_SAFE_NO_PAD.encode(hmac::sign(&self.secret, &signed_text("PUT", key, exp, &grant)));
        let content_type = percent(content_type);
        format!("{}/admin/files/{key}?exp={exp}&type={content_type}&size={size}&sig={sig}", self.base_url)
    }

    pub(crate) fn part(&self, key: &str, number: i32, size: u64, until: DateTime<FixedOffset>) -> String {
        let exp = until.timestamp();
        let grant = Grant::Part { number, size };
        let sig = URL_SAFE_NO_PAD.encode(hmac::sign(&self.secret, &signed_text("PUT", key, exp, &grant)));
        format!("{}/admin/files/{key}?exp={exp}&part={number}&size={size}&sig={sig}", self.base_url)
    }

    pub(crate) fn download(&self, key: &str, file_name: &str, until: DateTime<FixedOffset>) -> String {
        let exp = until.timestamp();
        let grant = Grant::Download { file_name: file_name.to_owned() };
        let sig = URL_SAFE_NO_PAD.encode(hmac::sign(&self.secret, &signed_text("GET", key, exp, &grant)));
        format!("{}/admin/files/{key}?exp={exp}&name={}&sig={sig}", self.base_url, percent(file_name))
    }

    /// The signature is checked before the time, so that a stranger learns nothing from the difference.
    pub(crate) fn verify(
        &self,
        method: &str,
        key: &str,
        query: &LinkQuery,
        now: DateTime<FixedOffset>,
    ) -> Result<Grant, StoreError> {
        let grant = match (method, query) {
            ("PUT", LinkQuery { size: Some(size), content_type: Some(content_type), part: None, name: None, .. }) => {
                Grant::Upload { size: *size, content_type: content_type.clone() }
            }
            ("PUT", LinkQuery { size: Some(size), content_type: None, part: Some(number), name: None, .. }) => {
                Grant::Part { number: *number, size: *size }
            }
            ("GET", LinkQuery { name: Some(name), size: None, content_type: None, part: None, .. }) => {
                Grant::Download { file_name: name.clone() }
            }
            _ => return Err(StoreError::BadLink),
        };
        let sig = URL_SAFE_NO_PAD.decode(&query.sig).map_err(|_| StoreError::BadLink)?;
        hmac::verify(&self.secret, &signed_text(method, key, query.exp, &grant), &sig)
            .map_err(|_| StoreError::BadLink)?;
        if now.timestamp() > query.exp { Err(StoreError::Expired) } else { Ok(grant) }
    }
}

/// The signed fields, each after its length, so that no two addresses share a text.
fn signed_text(method: &str, key: &str, exp: i64, grant: &Grant) -> Vec<u8> {
    let (part, size, content_type, name) = match grant {
        Grant::Upload { size, content_type } => (String::new(), size.to_string(), content_type.as_str(), ""),
        Grant::Part { number, size } => (number.to_string(), size.to_string(), "", ""),
        Grant::Download { file_name } => (String::new(), String::new(), "", file_name.as_str()),
    };
    [method, key, &exp.to_string(), &part, &size, content_type, name]
        .map(|field| format!("{}:{field}", field.len()))
        .concat()
        .into_bytes()
}

/// The header `Content-Disposition` that makes a browser save a file under this name.
pub fn attachment(file_name: &str) -> String {
    format!("attachment; filename*=UTF-8''{}", percent(file_name))
}

/// Percent-encodes everything but letters, digits and `-_.~`.
fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
