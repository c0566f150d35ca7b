//! How the providers of videos want their calls signed, each as its own documentation says.

use std::collections::BTreeMap;

use aws_lc_rs::{digest, hmac};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::migrate::hex;
use md5::{Digest, Md5};

/// Parameters of a call in the order of their names.
pub type Parameters = BTreeMap<&'static str, String>;

/// `a=1&b=2`, unencoded.
fn joined<N: AsRef<str> + Ord>(parameters: &BTreeMap<N, String>) -> String {
    parameters.iter().map(|(name, value)| format!("{}={value}", name.as_ref())).collect::<Vec<_>>().join("&")
}

pub fn md5(text: &str) -> String {
    hex(&Md5::digest(text.as_bytes()))
}

/// 保利威: upper-case SHA-1 of the sorted parameters and the key. Parameters without a value do not count.
pub fn polyv(parameters: &Parameters, secret_key: &str) -> String {
    let text = joined(parameters) + secret_key;
    hex(digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()).as_ref()).to_uppercase()
}

/// 保利威, play tokens: upper-case MD5 of names and values without signs between, the key before and after.
pub fn polyv_token(parameters: &Parameters, secret_key: &str) -> String {
    let text: String = parameters.iter().map(|(name, value)| format!("{name}{value}")).collect();
    md5(&format!("{secret_key}{text}{secret_key}")).to_uppercase()
}

/// 百家云: MD5 of the sorted parameters with the key as the last one; of calls to them and of theirs to us.
pub fn baijiayun<N: AsRef<str> + Ord>(parameters: &BTreeMap<N, String>, partner_key: &str) -> String {
    md5(&format!("{}&partner_key={partner_key}", joined(parameters)))
}

/// 阿里云: HMAC-SHA-1 over the encoded query (RPC signature 1.0).
pub fn aliyun(parameters: &Parameters, secret: &str) -> String {
    let query: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", percent(name), percent(value))).collect();
    hmac_sha1(&format!("{secret}&"), &format!("GET&%2F&{}", percent(&query.join("&"))))
}

/// 阿里云 OSS: the signature of an address that uploads one object with a temporary key (signature version 1).
pub fn oss_upload(secret: &str, token: &str, content_type: &str, expires: i64, bucket: &str, object: &str) -> String {
    let text = format!("PUT\n\n{content_type}\n{expires}\n/{bucket}/{object}?security-token={token}");
    hmac_sha1(secret, &text)
}

fn hmac_sha1(key: &str, text: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, key.as_bytes());
    BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes()))
}

/// Percent-encodes everything but letters, digits and `-_.~`.
pub fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
        encoded
    })
}

/// Two signatures, compared without telling how much of them is right.
pub fn is_same(given: &str, expected: &str) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(
        given.to_ascii_lowercase().as_bytes(),
        expected.to_ascii_lowercase().as_bytes(),
    )
    .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the provider's own documentation of the signature.
    #[test]
    fn alis_signature_is_as_documented() {
        let parameters = BTreeMap::from([
            ("AccessKeyId", "testid".to_owned()),
            ("Action", "DescribeRegions".to_owned()),
            ("Format", "XML".to_owned()),
            ("SignatureMethod", "HMAC-SHA1".to_owned()),
            ("SignatureNonce", "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf".to_owned()),
            ("SignatureVersion", "1.0".to_owned()),
            ("Timestamp", "2016-02-23T12:46:24Z".to_owned()),
            ("Version", "2014-05-26".to_owned()),
        ]);
        assert_eq!(aliyun(&parameters, "testsecret"), "OLeaidS1JvxuMvnyHOwuJ+uX5qY=");
    }

    /// The worked examples of 保利威's documentation (`deleteKeyFrame`, `authplay-status`).
    #[test]
    fn polyvs_signature_is_as_documented() {
        let parameters = BTreeMap::from([
            ("ptime", "1476753635000".to_owned()),
            ("vid", "8f8482aaab8fe7ea12e3314a11a061fc_8".to_owned()),
        ]);
        assert_eq!(polyv(&parameters, "AiDQw1mAmi"), "B2E2D7AAB9DFCC8CBFE7EDC919B5F8F6F4E104BC");
        let short = BTreeMap::from([("ptime", "1".to_owned()), ("vid", "test1".to_owned())]);
        assert_eq!(polyv(&short, "test2"), "C2B1558D697EA3AF4ED2FC90152751860C1E2163");
    }

    #[test]
    fn signatures_are_compared_whatever_their_case() {
        assert!(is_same("ABCD", "abcd"));
        assert!(!is_same("abcd", "abce"));
        assert!(!is_same("", "abcd"));
    }
}
