//! 短信 by 腾讯云: `SendSms` of 2021-01-11, signed with TC3-HMAC-SHA256. A template's number is `应用编号/模板编号`,
//! because the provider wants the application beside the template.

use infra::{App, Result, clock::Moment, migrate::hex};
use serde_json::{Value, json};
use settings::config::kinds::SmsConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, signed, sms_endpoints, unanswered};
use crate::enums::FailCode;

pub(super) const HOST: &str = "sms.tencentcloudapi.com";
/// Where nobody typed another.
const REGION: &str = "ap-guangzhou";

pub(super) struct TencentSms {
    key_id: String,
    secret: String,
    sign_name: String,
    receipts: Option<i64>,
    limits: Limits,
    region: String,
    address: String,
    client: reqwest::Client,
}

/// The header `Authorization` of a request (https://cloud.tencent.com/document/api/382/52072).
fn authorization(key_id: &str, secret: &str, host: &str, action: &str, body: &str, now: Moment) -> String {
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

impl TencentSms {
    pub(super) fn new(app: &App, config_id: i64, config: &SmsConfig) -> Result<Self> {
        Ok(Self {
            key_id: needed(config.key_id.as_ref(), "密钥编号")?,
            secret: needed(config.secret.as_ref(), "密钥")?,
            sign_name: needed(config.sign_name.as_ref(), "签名")?,
            receipts: config.receipt_secret.as_ref().map(|_| config_id),
            limits: Limits::of_sms(config),
            region: config.region.clone().unwrap_or_else(|| REGION.to_owned()),
            address: sms_endpoints(app).tencent.clone(),
            client: http()?,
        })
    }

    async fn send_one(&self, now: Moment, sms: &Outgoing) -> Outcome {
        let Some((code, values)) = &sms.template else {
            return Outcome::rejected(FailCode::TemplateMissing, "", "短信需要服务商模板");
        };
        let Some((application, template)) = code.split_once('/') else {
            return Outcome::rejected(FailCode::TemplateMissing, "", "腾讯云模板号应为“应用编号/模板编号”");
        };
        let parameters: Vec<&Value> = values.as_array().into_iter().flatten().map(|pair| &pair[1]).collect();
        let body = json!({
            "PhoneNumberSet": [format!("+86{}", sms.address)],
            "SmsSdkAppId": application,
            "TemplateId": template,
            "SignName": self.sign_name,
            "TemplateParamSet": parameters,
            "SessionContext": sms.delivery_id.to_string(),
        })
        .to_string();
        let sent = self
            .client
            .post(format!("{}/", self.address))
            .header("authorization", authorization(&self.key_id, &self.secret, HOST, "SendSms", &body, now))
            .header("content-type", "application/json; charset=utf-8")
            .header("x-tc-action", "SendSms")
            .header("x-tc-timestamp", now.timestamp())
            .header("x-tc-version", "2021-01-11")
            .header("x-tc-region", &self.region)
            .body(body)
            .send()
            .await;
        match sent {
            Err(error) => unanswered(&error),
            Ok(answer) => {
                answer.json::<Value>().await.map_or_else(|error| unanswered(&error), |answer| outcome(&answer))
            }
        }
    }
}

/// What an answer means.
fn outcome(answer: &Value) -> Outcome {
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

#[async_trait::async_trait]
impl Adapter for TencentSms {
    fn limits(&self) -> Limits {
        self.limits
    }

    async fn send(&self, now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        futures_util::future::join_all(batch.iter().map(|sms| self.send_one(now, sms))).await
    }

    fn receipts(&self) -> Option<i64> {
        self.receipts
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

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
