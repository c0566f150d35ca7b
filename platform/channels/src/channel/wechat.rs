//! 公众号: template messages.

use channel_rules::wechat::outcome;
use infra::{App, Result, clock::Moment};
use serde_json::{Map, Value, json};
use settings::config::kinds::WechatConfig;

use super::{Adapter, Limits, Outcome, Outgoing};
use crate::{enums::FailCode, wechat::OfficialAccount};

pub(super) struct WechatMp(OfficialAccount);

impl WechatMp {
    pub(super) fn new(app: &App, config: &WechatConfig) -> Result<Self> {
        Ok(Self(OfficialAccount::new(app, config)?))
    }

    async fn send_one(&self, now: Moment, message: &Outgoing) -> Outcome {
        let Some((code, fields)) = &message.template else {
            return Outcome::rejected(FailCode::TemplateMissing, "", "公众号消息需要服务商模板");
        };
        let data: Map<String, Value> = fields
            .as_object()
            .into_iter()
            .flatten()
            .map(|(field, text)| (field.clone(), json!({ "value": text })))
            .collect();
        let body = json!({
            "touser": message.address,
            "template_id": code,
            "client_msg_id": message.delivery_id.to_string(),
            "data": data,
        });
        match self.0.post(now, "message/template/send", &body).await {
            Ok(answer) => outcome(&answer),
            Err(refused) => refused,
        }
    }
}

#[async_trait::async_trait]
impl Adapter for WechatMp {
    fn limits(&self) -> Limits {
        Limits { batch: 50, per_minute: 3_000 }
    }

    async fn send(&self, now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        // Asked for once, before all of them would.
        match self.0.token(now).await {
            Err(refused) => vec![refused; batch.len()],
            Ok(_) => futures_util::future::join_all(batch.iter().map(|message| self.send_one(now, message))).await,
        }
    }
}
