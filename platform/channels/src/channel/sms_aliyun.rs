//! 短信 by 阿里云: `SendSms` of 2017-05-25, signed with ACS3-HMAC-SHA256.

use channel_rules::{
    signed,
    sms_aliyun::{Asked, authorization, outcome},
};
use infra::{App, Result, clock::Moment, clock::Random};
use serde_json::{Map, Value};
use settings::config::kinds::SmsConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, sms_endpoints, unanswered};
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
