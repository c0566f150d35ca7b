//! How requests to cloud providers are signed: HMAC-SHA256 over a canonical form of the request.

use aws_lc_rs::{digest, hmac};
use infra::migrate::hex;

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

/// HMAC-SHA256, raw.
pub fn mac(key: &[u8], message: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message.as_bytes()).as_ref().to_vec()
}

/// A request in the form that both providers sign: method, path, query, headers with their names, digest of the body.
pub fn canonical(method: &str, query: &str, headers: &[(&str, &str)], body: &str) -> (String, String) {
    let lines: String = headers.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
    let names = headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
    (format!("{method}\n/\n{query}\n{lines}\n{names}\n{}", sha256(body.as_bytes())), names)
}

/// As RFC 3986 writes a value in a query.
pub fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
