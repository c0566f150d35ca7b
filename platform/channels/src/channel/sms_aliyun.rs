//! 短信 by 阿里云: `SendSms` of 2017-05-25, signed with ACS3-HMAC-SHA256.

use infra::{App, Result, clock::Moment, clock::Random, migrate::hex};
use serde_json::{Map, Value};
use settings::config::kinds::SmsConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, signed, sms_endpoints, unanswered};
use crate::enums::FailCode;

pub(super) const HOST: &str = "dysmsapi.aliyuncs.com";
const VERSION: &str = "2017-05-25";

pub(super) struct AliyunSms {
    key_id: String,
    secret: String,
    sign_name: String,
    receipts: Option<i64>,
    limits: Limits,
    address: String,
    random: Random,
    client: reqwest::Client,
}

/// A request of the provider's third signature version.
struct Asked<'a> {
    host: &'a str,
    action: &'a str,
    version: &'a str,
    /// Sorted by name, values encoded.
    query: &'a str,
    date: &'a str,
    nonce: &'a str,
}

/// The header `Authorization` of a request (https://help.aliyun.com/document_detail/2618360.html).
fn authorization(key_id: &str, secret: &str, asked: &Asked<'_>) -> String {
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

impl AliyunSms {
    pub(super) fn new(app: &App, config_id: i64, config: &SmsConfig) -> Result<Self> {
        Ok(Self {
            key_id: needed(config.key_id.as_ref(), "密钥编号")?,
            secret: needed(config.secret.as_ref(), "密钥")?,
            sign_name: needed(config.sign_name.as_ref(), "签名")?,
            receipts: config.receipt_secret.as_ref().map(|_| config_id),
            limits: Limits::of_sms(config),
            address: sms_endpoints(app).aliyun.clone(),
            random: app.random().clone(),
            client: http()?,
        })
    }

    async fn send_one(&self, now: Moment, sms: &Outgoing) -> Outcome {
        let Some((code, values)) = &sms.template else {
            return Outcome::rejected(FailCode::TemplateMissing, "", "短信需要服务商模板");
        };
        let parameters: Map<String, Value> = values
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|pair| Some((pair[0].as_str()?.to_owned(), pair[1].clone())))
            .collect();
        let query = [
            ("OutId", sms.delivery_id.to_string()),
            ("PhoneNumbers", sms.address.clone()),
            ("SignName", self.sign_name.clone()),
            ("TemplateCode", code.clone()),
            ("TemplateParam", Value::Object(parameters).to_string()),
        ]
        .map(|(name, value)| format!("{name}={}", signed::percent(&value)))
        .join("&");
        let date = now.to_utc().format("%Y-%m-%dT%H:%M:%SZ").to_string();
        let nonce = self.random.uuid().simple().to_string();
        let asked =
            Asked { host: HOST, action: "SendSms", version: VERSION, query: &query, date: &date, nonce: &nonce };
        let sent = self
            .client
            .post(format!("{}/?{query}", self.address))
            .header("authorization", authorization(&self.key_id, &self.secret, &asked))
            .header("x-acs-action", asked.action)
            .header("x-acs-version", asked.version)
            .header("x-acs-date", &date)
            .header("x-acs-signature-nonce", &nonce)
            .header("x-acs-content-sha256", signed::sha256(b""))
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

#[async_trait::async_trait]
impl Adapter for AliyunSms {
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
