//! App推送 by 个推: one notice to the alias of a person (REST API V2).

use channel_rules::getui::{outcome, signature};
use infra::{App, Result, clock::Moment};
use serde_json::{Value, json};
use settings::config::kinds::PushConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, unanswered};

pub(super) struct Getui {
    app: App,
    app_id: String,
    app_key: String,
    secret: String,
    client: reqwest::Client,
}

impl Getui {
    pub(super) fn new(app: &App, config: &PushConfig) -> Result<Self> {
        Ok(Self {
            app: app.clone(),
            app_id: needed(config.app_id.as_ref(), "应用编号")?,
            app_key: needed(config.app_key.as_ref(), "应用标识")?,
            secret: needed(config.master_secret.as_ref(), "主密钥")?,
            client: http()?,
        })
    }

    async fn ask(&self, path: &str, token: Option<&str>, body: &Value) -> Result<Value, Outcome> {
        let mut request = self.client.post(format!("https://restapi.getui.com/v2/{}{path}", self.app_id)).json(body);
        if let Some(token) = token {
            request = request.header("token", token);
        }
        let answer = request.send().await.map_err(|error| unanswered(&error))?;
        answer.json().await.map_err(|error| unanswered(&error))
    }

    /// A token serves a batch; the provider gives the same one again for a day.
    async fn token(&self, now: Moment) -> Result<String, Outcome> {
        let timestamp = now.timestamp_millis().to_string();
        let body = json!({
            "sign": signature(&self.app_key, &timestamp, &self.secret), "timestamp": timestamp, "appkey": self.app_key,
        });
        let answer = self.ask("/auth", None, &body).await?;
        answer["data"]["token"].as_str().map(ToOwned::to_owned).ok_or_else(|| outcome(&answer))
    }

    async fn send_one(&self, token: &str, push: &Outgoing) -> Outcome {
        let body = json!({
            // The provider takes 10 to 32 characters and refuses one it knows.
            "request_id": self.app.random().uuid().simple().to_string(),
            "audience": { "alias": [push.address] },
            "push_message": {
                "notification": { "title": push.title, "body": push.content, "click_type": "startapp" },
            },
        });
        match self.ask("/push/single/alias", Some(token), &body).await {
            Ok(answer) => outcome(&answer),
            Err(outcome) => outcome,
        }
    }
}

#[async_trait::async_trait]
impl Adapter for Getui {
    fn limits(&self) -> Limits {
        Limits { batch: 50, per_minute: 600 }
    }

    async fn send(&self, now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        match self.token(now).await {
            Ok(token) => futures_util::future::join_all(batch.iter().map(|push| self.send_one(&token, push))).await,
            Err(refused) => vec![refused; batch.len()],
        }
    }
}
