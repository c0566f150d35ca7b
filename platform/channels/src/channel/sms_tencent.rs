//! 短信 by 腾讯云: `SendSms` of 2021-01-11, signed with TC3-HMAC-SHA256. A template's number is `应用编号/模板编号`,
//! because the provider wants the application beside the template.

use channel_rules::sms_tencent::{authorization, outcome};
use infra::{App, Result, clock::Moment};
use serde_json::{Value, json};
use settings::config::kinds::SmsConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, sms_endpoints, unanswered};
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
