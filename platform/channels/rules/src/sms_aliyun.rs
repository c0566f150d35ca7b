//! 短信 by 阿里云: how a request is signed, and what an answer means.

use infra::migrate::hex;
use serde_json::Value;

use crate::{enums::FailCode, outcome::Outcome, signed};

/// A request of the provider's third signature version.
pub struct Asked<'a> {
    pub host: &'a str,
    pub action: &'a str,
    pub version: &'a str,
    /// Sorted by name, values encoded.
    pub query: &'a str,
    pub date: &'a str,
    pub nonce: &'a str,
}

/// The header `Authorization` of a request (<https://help.aliyun.com/document_detail/2618360.html>).
pub fn authorization(key_id: &str, secret: &str, asked: &Asked<'_>) -> String {
    let empty = signed::sha256(b"");
    let headers = [
        ("host", asked.host),
        ("x-acs-action", asked.action),
        ("x-acs-content-sha256", &*empty),
        ("x-acs-date", asked.date),
        ("x-acs-signature-nonce", asked.nonce),
        ("x-acs-version", asked.version),
    ];
    let (request, names) = signed::canonical("POST", asked.query, &headers, "");
    let text = format!("ACS3-HMAC-SHA256\n{}", signed::sha256(request.as_bytes()));
    let signature = hex(&signed::mac(secret.as_bytes(), &text));
    format!("ACS3-HMAC-SHA256 Credential={key_id},SignedHeaders={names},Signature={signature}")
}

/// What an answer means.
pub fn outcome(answer: &Value) -> Outcome {
    let code = answer["Code"].as_str().unwrap_or_default();
    if code == "OK" {
        return Outcome::accepted(answer["BizId"].as_str().map(ToOwned::to_owned));
    }
    let meaning = match code {
        "isv.BUSINESS_LIMIT_CONTROL" | "isv.DAY_LIMIT_CONTROL" | "Throttling" | "Throttling.User" => {
            FailCode::RateLimited
        }
        "isv.MOBILE_NUMBER_ILLEGAL" => FailCode::InvalidAddress,
        "isv.BLACK_KEY_CONTROL_LIMIT" => FailCode::ContentRejected,
        "isv.SMS_TEMPLATE_ILLEGAL" | "isv.TEMPLATE_MISSING_PARAMETERS" => FailCode::TemplateMissing,
        "isp.SYSTEM_ERROR" | "ServiceUnavailable" | "InternalError" => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code, answer["Message"].as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The provider's own worked example of signature version 3.
    #[test]
    fn the_documented_signature() {
        let asked = Asked {
            host: "ecs.cn-shanghai.aliyuncs.com",
            action: "RunInstances",
            version: "2014-05-26",
            query: "ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai",
            date: "2023-10-26T10:22:32Z",
            nonce: "3156853299f313e23d1673dc12e1703d",
        };
        assert_eq!(
            authorization("YourAccessKeyId", "YourAccessKeySecret", &asked),
            "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;\
             x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
        );
    }

    #[test]
    fn answers_become_fail_codes() {
        assert_eq!(outcome(&json!({ "Code": "OK", "BizId": "9^0" })), Outcome::accepted(Some("9^0".to_owned())));
        let refused = |code: &str| match outcome(&json!({ "Code": code })) {
            Outcome::Rejected { code, .. } => code,
            accepted => panic!("{accepted:?}"),
        };
        assert_eq!(refused("isv.BUSINESS_LIMIT_CONTROL"), FailCode::RateLimited);
        assert_eq!(refused("isv.MOBILE_NUMBER_ILLEGAL"), FailCode::InvalidAddress);
        assert_eq!(refused("isp.SYSTEM_ERROR"), FailCode::ProviderBusy);
        assert_eq!(refused("isv.AMOUNT_NOT_ENOUGH"), FailCode::ProviderRejected);
    }
}
