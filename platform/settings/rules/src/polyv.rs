//! What 保利威 writes as text.

use base64::{Engine, prelude::BASE64_STANDARD};
use infra::clock::Moment;
use serde_json::Value;

/// `HH:MM:SS` in seconds.
pub fn seconds(text: &str) -> Option<i32> {
    text.split(':').try_fold(0_i32, |sum, part| Some(sum.checked_mul(60)? + part.parse::<i32>().ok()?))
}

/// When a signed form of the store ends, as its policy says.
pub fn end_of(policy: &str, now: Moment) -> Moment {
    let told = || {
        let bytes = BASE64_STANDARD.decode(policy).ok()?;
        let policy: Value = serde_json::from_slice(&bytes).ok()?;
        policy["expiration"].as_str()?.parse().ok()
    };
    told().unwrap_or(now + chrono::Duration::minutes(15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_in_seconds() {
        assert_eq!(seconds("00:03:12"), Some(192));
        assert_eq!(seconds("01:00:00"), Some(3600));
        assert_eq!(seconds("x"), None);
    }

    #[test]
    fn a_forms_end_stands_in_its_policy() {
        let now: Moment = "2026-11-22T10:00:00+08:00".parse().expect("a time");
        let policy = BASE64_STANDARD.encode(r#"{"expiration":"2026-11-22T03:00:00.000Z","conditions":[]}"#);
        assert_eq!(end_of(&policy, now).to_rfc3339(), "2026-11-22T11:00:00+08:00");
        assert_eq!(end_of("?", now).to_rfc3339(), "2026-11-22T10:15:00+08:00");
    }
}
