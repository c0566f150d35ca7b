//! 短信 by 腾讯云: how a request is signed, and what an answer means.

use infra::{clock::Moment, migrate::hex};
use serde_json::Value;

use crate::{enums::FailCode, outcome::Outcome, signed};

/// The header `Authorization` of a request (<https://cloud.tencent.com/document/api/382/52072>).
pub fn authorization(key_id: &str, secret: &str, host: &str, action: &str, body: &str, now: Moment) -> String {
    let service = host.split('.').next().unwrap_or_default();
    let date = now.to_utc().format("%Y-%m-%d").to_string();
    let lower = action.to_lowercase();
    let headers = [("content-type", "application/json; charset=utf-8"), ("host", host), ("x-tc-action", &*lower)];
    let (request, names) = signed::canonical("POST", "", &headers, body);
    let scope = format!("{date}/{service}/tc3_request");
    let text = format!("TC3-HMAC-SHA256\n{}\n{scope}\n{}", now.timestamp(), signed::sha256(request.as_bytes()));
    let day = signed::mac(format!("TC3{secret}").as_bytes(), &date);
    let key = signed::mac(&signed::mac(&day, service), "tc3_request");
    let signature = hex(&signed::mac(&key, &text));
    format!("TC3-HMAC-SHA256 Credential={key_id}/{scope}, SignedHeaders={names}, Signature={signature}")
}

/// What an answer means.
pub fn outcome(answer: &Value) -> Outcome {
    let response = &answer["Response"];
    let (code, detail) = match response["Error"]["Code"].as_str() {
        Some(code) => (code, response["Error"]["Message"].as_str().unwrap_or_default()),
        None => {
            let status = &response["SendStatusSet"][0];
            (status["Code"].as_str().unwrap_or_default(), status["Message"].as_str().unwrap_or_default())
        }
    };
    if code == "Ok" {
        return Outcome::accepted(response["SendStatusSet"][0]["SerialNo"].as_str().map(ToOwned::to_owned));
    }
    let meaning = match code {
        code if code.starts_with("LimitExceeded") || code == "RequestLimitExceeded" => FailCode::RateLimited,
        "FailedOperation.PhoneNumberInBlacklist" => FailCode::Blacklisted,
        "FailedOperation.ContainSensitiveWord" => FailCode::ContentRejected,
        "FailedOperation.TemplateIncorrectOrUnapproved" | "FailedOperation.TemplateUnapprovedOrNotExist" => {
            FailCode::TemplateMissing
        }
        "InvalidParameterValue.IncorrectPhoneNumber" => FailCode::InvalidAddress,
        code if code.starts_with("InternalError") => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code, detail)
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use serde_json::json;

    use super::*;

    /// The provider's own worked example of signature version 3.
    #[test]
    fn the_documented_signature() {
        let body = r#"{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}"#;
        let now = infra::clock::china().timestamp_opt(1_551_113_065, 0).single().expect("a moment");
        let header = authorization(
            "AKID********************************",
            "********************************",
            "cvm.tencentcloudapi.com",
            "DescribeInstances",
            body,
            now.into(),
        );
        assert!(header.starts_with(
            "TC3-HMAC-SHA256 Credential=AKID********************************/2019-02-25/cvm/tc3_request, \
             SignedHeaders=content-type;host;x-tc-action, Signature="
        ));
        let headers = [
            ("content-type", "application/json; charset=utf-8"),
            ("host", "cvm.tencentcloudapi.com"),
            ("x-tc-action", "describeinstances"),
        ];
        let (request, _) = signed::canonical("POST", "", &headers, body);
        assert_eq!(
            signed::sha256(request.as_bytes()),
            "7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84"
        );
    }

    #[test]
    fn answers_become_fail_codes() {
        let refused = |code: &str| match outcome(&json!({ "Response": { "SendStatusSet": [{ "Code": code }] } })) {
            Outcome::Rejected { code, .. } => code,
            accepted => panic!("{accepted:?}"),
        };
        assert_eq!(refused("LimitExceeded.PhoneNumberDailyLimit"), FailCode::RateLimited);
        assert_eq!(refused("FailedOperation.PhoneNumberInBlacklist"), FailCode::Blacklisted);
        assert_eq!(refused("InvalidParameterValue.IncorrectPhoneNumber"), FailCode::InvalidAddress);
        let accepted = json!({ "Response": { "SendStatusSet": [{ "Code": "Ok", "SerialNo": "5000:1" }] } });
        assert_eq!(outcome(&accepted), Outcome::accepted(Some("5000:1".to_owned())));
        let failed = json!({ "Response": { "Error": { "Code": "AuthFailure.SignatureFailure", "Message": "bad" } } });
        assert_eq!(
            outcome(&failed),
            Outcome::rejected(FailCode::ProviderRejected, "AuthFailure.SignatureFailure", "bad")
        );
    }
}
