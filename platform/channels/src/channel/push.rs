//! App推送 by 极光: one notice to the alias of a person.

use channel_rules::push::outcome;
use infra::{Result, clock::Moment};
use serde_json::{Value, json};
use settings::config::kinds::PushConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, unanswered};

pub(super) struct Jiguang {
    app_key: String,
    secret: String,
    client: reqwest::Client,
}

impl Jiguang {
    pub(super) fn new(config: &PushConfig) -> Result<Self> {
        Ok(Self {
            app_key: needed(config.app_key.as_ref(), "应用标识")?,
            secret: needed(config.master_secret.as_ref(), "主密钥")?,
            client: http()?,
        })
    }

    async fn send_one(&self, push: &Outgoing) -> Outcome {
        let body = json!({
            "platform": "all",
            "audience": { "alias": [push.address] },
            "notification": {
                "alert": push.content,
                "android": { "title": push.title },
                "ios": { "alert": { "title": push.title, "body": push.content } },
            },
        });
        let sent = self
            .client
            .post("https://api.jpush.cn/v3/push")
            .basic_auth(&self.app_key, Some(&self.secret))
            .json(&body)
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
impl Adapter for Jiguang {
    fn limits(&self) -> Limits {
        Limits { batch: 50, per_minute: 600 }
    }

    async fn send(&self, _now: Moment, batch: &[Outgoing]) -> Vec<Outcome> {
        futures_util::future::join_all(batch.iter().map(|push| self.send_one(push))).await
    }
}
