//! 公众号: template messages. The access token is the provider's stable one, which every server gets the same, so that no
//! server invalidates another's; each remembers it until five minutes before its end.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use channel_rules::wechat::{outcome, refusal};
use infra::{App, Result, clock::Moment};
use serde_json::{Map, Value, json};
use settings::config::kinds::WechatConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, unanswered};
use crate::enums::FailCode;

const BASE: &str = "https://api.weixin.qq.com/cgi-bin";

/// Tokens with their ends, by application.
#[derive(Default)]
struct Tokens(Mutex<HashMap<String, (String, Moment)>>);

pub(super) struct WechatMp {
    app_id: String,
    secret: String,
    tokens: Arc<Tokens>,
    client: reqwest::Client,
}

impl WechatMp {
    pub(super) fn new(app: &App, config: &WechatConfig) -> Result<Self> {
        Ok(Self {
            app_id: config.app_id.clone(),
            secret: needed(config.app_secret.as_ref(), "应用密钥")?,
            tokens: app.of_room(|_| Tokens::default()),
            client: http()?,
        })
    }

    async fn token(&self, now: Moment) -> Result<String, Outcome> {
        let known = self.tokens.0.lock().expect("nothing panics while it holds the tokens").get(&self.app_id).cloned();
        if let Some((token, until)) = known
            && until > now
        {
            return Ok(token);
        }
        let asked = json!({ "grant_type": "client_credential", "appid": self.app_id, "secret": self.secret });
        let answer: Value = self
            .client
            .post(format!("{BASE}/stable_token"))
            .json(&asked)
            .send()
            .await
            .map_err(|error| unanswered(&error))?
            .json()
            .await
            .map_err(|error| unanswered(&error))?;
        let Some(token) = answer["access_token"].as_str() else { return Err(refusal(&answer)) };
        let seconds = answer["expires_in"].as_i64().unwrap_or(0) - 300;
        let until = now + chrono::Duration::seconds(seconds);
        self.tokens
            .0
            .lock()
            .expect("nothing panics while it holds the tokens")
            .insert(self.app_id.clone(), (token.to_owned(), until));
        Ok(token.to_owned())
    }

    async fn send_one(&self, token: &str, message: &Outgoing) -> Outcome {
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
        let sent = self
            .client
            .post(format!("{BASE}/message/template/send"))
            .query(&[("access_token", token)])
            .json(&body)
            .send();
        match sent.await {
            Err(error) => unanswered(&error),
            Ok(answer) => {
                answer.json::<Value>().await.map_or_else(|error| unanswered(&error), |answer| outcome(&answer))
            }
        }
    }
}

#[async_trait::async_trait]
impl Adapter for WechatMp {
    fn limits(&self) -> Limits {
        Limits { batch: 50, per_minute: 3_000 }
    }

    async fn send(&self, now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        match self.token(now).await {
            Err(refused) => vec![refused; batch.len()],
            Ok(token) => {
                futures_util::future::join_all(batch.iter().map(|message| self.send_one(&token, message))).await
            }
        }
    }
}
