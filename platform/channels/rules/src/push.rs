//! App推送 by 极光: what an answer means.

use serde_json::Value;

use crate::{enums::FailCode, outcome::Outcome};

/// What an answer means.
pub fn outcome(answer: &Value) -> Outcome {
    let Some(code) = answer["error"]["code"].as_i64() else {
        return Outcome::accepted(answer["msg_id"].as_str().map(ToOwned::to_owned));
    };
    let meaning = match code {
        1011 => FailCode::InvalidAddress,
        2002 => FailCode::RateLimited,
        1000 | 1030 => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code.to_string(), answer["error"]["message"].as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_become_fail_codes() {
        assert_eq!(outcome(&json!({ "sendno": "0", "msg_id": "18" })), Outcome::accepted(Some("18".to_owned())));
        let refused = json!({ "error": { "code": 1011, "message": "cannot find user" } });
        assert_eq!(outcome(&refused), Outcome::rejected(FailCode::InvalidAddress, "1011", "cannot find user"));
    }
}
