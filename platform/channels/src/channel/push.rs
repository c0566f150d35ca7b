//! App推送 by 极光: one notice to the alias of a person.

use infra::{Result, clock::Moment};
use serde_json::{Value, json};
use settings::config::kinds::PushConfig;

use super::{Adapter, Limits, Outcome, Outgoing, http, needed, unanswered};
use crate::enums::FailCode;

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

fn outcome(answer: &Value) -> Outcome {
    let Some(code) = answer["error"]["code"].as_i64() else {
        return Outcome::accepted(answer["msg_id"].as_str().map(ToOwned::to_owned));
    };
    let meaning = match code {
        1011 => FailCode::InvalidAddress,
        2002 => FailCode::RateLimited,
        1000 | 1030 => FailCode::ProviderBusy,
        _ => FailCode::ProviderRejected,
    };
    Outcome::rejected(meaning, code.to_string(), answer["error"]["message"].as_str().unwrap_or_default())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_become_fail_codes() {
        assert_eq!(outcome(&json!({ "sendno": "0", "msg_id": "18" })), Outcome::accepted(Some("18".to_owned())));
        let refused = json!({ "error": { "code": 1011, "message": "cannot find user" } });
        assert_eq!(outcome(&refused), Outcome::rejected(FailCode::InvalidAddress, "1011", "cannot find user"));
    }
}
