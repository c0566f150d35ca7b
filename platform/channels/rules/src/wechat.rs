//! 公众号: what an answer means.

use serde_json::Value;

use crate::{enums::FailCode, outcome::Outcome};

/// What an answer means.
pub fn outcome(answer: &Value) -> Outcome {
    if answer["errcode"].as_i64() == Some(0) {
        return Outcome::accepted(answer["msgid"].as_i64().map(|id| id.to_string()));
    }
    refusal(answer)
}

/// Whether the provider did what was asked: its answers to some calls have no code then.
pub fn is_taken(answer: &Value) -> bool {
    answer["errcode"].as_i64().unwrap_or_default() == 0
}

/// Whether it refused only because the access token is over.
pub fn token_is_over(answer: &Value) -> bool {
    matches!(answer["errcode"].as_i64(), Some(40001 | 40014 | 42001))
}

/// What an answer means that is no success.
pub fn refusal(answer: &Value) -> Outcome {
    let code = answer["errcode"].as_i64().unwrap_or_default();
    let meaning = match code {
        40003 | 43004 => FailCode::NoOpenid,
        40037 => FailCode::TemplateMissing,
        45009 | 45047 => FailCode::RateLimited,
        43019 | 43101 => FailCode::Blacklisted,
        -1 => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code.to_string(), answer["errmsg"].as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_become_fail_codes() {
        assert_eq!(outcome(&json!({ "errcode": 0, "msgid": 12 })), Outcome::accepted(Some("12".to_owned())));
        let refused = |code: i64| match outcome(&json!({ "errcode": code, "errmsg": "x" })) {
            Outcome::Rejected { code, .. } => code,
            accepted => panic!("{accepted:?}"),
        };
        assert_eq!(refused(43004), FailCode::NoOpenid);
        assert_eq!(refused(40037), FailCode::TemplateMissing);
        assert_eq!(refused(-1), FailCode::ProviderBusy);
        assert_eq!(refused(40001), FailCode::ProviderRejected);
    }

    #[test]
    fn what_was_done_is_told_from_what_was_not() {
        assert!(is_taken(&json!({ "errcode": 0, "errmsg": "ok" })) && is_taken(&json!({ "media_id": "m1" })));
        assert!(!is_taken(&json!({ "errcode": 40018 })));
        assert!(token_is_over(&json!({ "errcode": 42001 })) && !token_is_over(&json!({ "errcode": 40018 })));
    }
}
