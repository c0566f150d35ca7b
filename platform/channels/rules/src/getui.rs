//! App推送 by 个推: what signs a request, and what an answer means.

use aws_lc_rs::digest;
use serde_json::Value;

use crate::{enums::FailCode, outcome::Outcome};

/// What signs a request for a token.
pub fn signature(app_key: &str, timestamp: &str, secret: &str) -> String {
    let digest = digest::digest(&digest::SHA256, format!("{app_key}{timestamp}{secret}").as_bytes());
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What an answer means.
pub fn outcome(answer: &Value) -> Outcome {
    let code = answer["code"].as_i64().unwrap_or(-1);
    if code == 0 {
        let task = answer["data"].as_object().and_then(|tasks| tasks.keys().next()).cloned();
        return Outcome::accepted(task);
    }
    let meaning = match code {
        // The alias is bound to no device.
        20001 | 20002 => FailCode::InvalidAddress,
        10002 | 10009 | 40001 => FailCode::RateLimited,
        10000 | 30000..=30999 => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code.to_string(), answer["msg"].as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_signs_a_request_is_the_digest_of_key_moment_and_secret() {
        let expected = "03ac674216f3e15c761ee1a5e255f067953623c8b388b4459e13f978d7c846f4";
        assert_eq!(signature("1", "23", "4"), expected);
    }

    #[test]
    fn answers_become_fail_codes() {
        let sent = json!({ "code": 0, "msg": "success", "data": { "RASL_1": { "cid": "successed_online" } } });
        assert_eq!(outcome(&sent), Outcome::accepted(Some("RASL_1".to_owned())));
        let refused = json!({ "code": 20001, "msg": "target user is invalid" });
        assert_eq!(outcome(&refused), Outcome::rejected(FailCode::InvalidAddress, "20001", "target user is invalid"));
        assert!(matches!(outcome(&json!({})), Outcome::Rejected { code: FailCode::ProviderRejected, .. }));
    }
}
