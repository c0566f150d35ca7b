//! The ways out of the house: one adapter a provider behind one trait; the core names none of them (05 D4).
//!
//! ```text
//! in_app                     the inbox: nothing leaves, sent at once
//! sms, wechat, app_push,     the school's enabled config, else the platform's, else `recorded`; a demonstration school
//! mail                       is always `recorded`
//! ```
//! `recorded` keeps what would have been sent, so that every screen works before a provider is bought.

mod getui;
mod push;
mod sms_aliyun;
mod sms_tencent;
mod smtp;
mod wechat;

use std::sync::Arc;

pub use channel_rules::outcome::Outcome;
use infra::{App, Error, Result, clock::Moment};
use poem_openapi::types::ParseFromJSON;
use scenes::enums::Channel;
use serde_json::Value;
use settings::config::{
    ConfigKind, chosen,
    kinds::{MailConfig, PushConfig, PushProvider, SmsConfig, SmsProvider, WechatConfig},
};

use crate::enums::FailCode;

/// One delivery as an adapter sees it.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Names the delivery to a provider that refuses repetitions; 0 is a template's trial.
    pub delivery_id: i64,
    /// Phone, mail address, openId or alias.
    pub address: String,
    pub title: String,
    /// HTML of mail, else plain text.
    pub content: String,
    /// The provider's own template and what fills it.
    pub template: Option<(String, Value)>,
}

/// How much an adapter takes at a time, and how fast.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub batch: i64,
    pub per_minute: i64,
}

impl Limits {
    /// Of a provider of short messages: as its account allows, where that was typed.
    fn of_sms(config: &SmsConfig) -> Self {
        const USUAL: i32 = 50;
        Self { batch: 50, per_minute: i64::from(config.per_second.unwrap_or(USUAL)) * 60 }
    }
}

/// A provider.
#[async_trait::async_trait]
pub trait Adapter: Send + Sync {
    fn limits(&self) -> Limits;

    /// One outcome for each, in their order.
    async fn send(&self, now: Moment, batch: &[Outgoing]) -> Vec<Outcome>;

    /// The config under whose secret the provider tells later what became of a message; none when it never does.
    fn receipts(&self) -> Option<i64> {
        None
    }
}

/// Where the providers of short messages answer. Only a test has others, and says so before the first call.
#[derive(Debug, Clone)]
pub struct SmsEndpoints {
    pub aliyun: String,
    pub tencent: String,
}

impl Default for SmsEndpoints {
    fn default() -> Self {
        Self { aliyun: format!("https://{}", sms_aliyun::HOST), tencent: format!("https://{}", sms_tencent::HOST) }
    }
}

fn sms_endpoints(app: &App) -> Arc<SmsEndpoints> {
    app.of_room(|_| SmsEndpoints::default())
}

/// How a channel leaves the house for one school now.
#[derive(Clone)]
pub enum Way {
    Inbox,
    Recorded,
    Provider(Arc<dyn Adapter>),
    /// Its config cannot be used: tried again later.
    Unusable,
}

/// The way of a channel for a school, or for the platform.
pub async fn way(app: &App, channel: Channel, school: Option<i64>, demo: bool) -> Result<Way> {
    if channel == Channel::InApp {
        return Ok(Way::Inbox);
    }
    if demo {
        return Ok(Way::Recorded);
    }
    let chosen = match channel {
        Channel::Mail => match config::<MailConfig>(app, ConfigKind::Mail, school).await? {
            None => None,
            Some(Err(error)) => Some(Err(error)),
            Some(Ok(config)) => {
                let adapter = smtp::Smtp::new(app, &config).await;
                Some(adapter.map(|adapter| Some(Arc::new(adapter) as Arc<dyn Adapter>)))
            }
        },
        Channel::Sms => numbered::<SmsConfig>(app, ConfigKind::Sms, school).await?.map(|known| {
            known.and_then(|(id, config)| match config.provider {
                SmsProvider::Recorded => Ok(None),
                SmsProvider::Aliyun => Ok(Some(Arc::new(sms_aliyun::AliyunSms::new(app, id, &config)?) as _)),
                SmsProvider::Tencent => Ok(Some(Arc::new(sms_tencent::TencentSms::new(app, id, &config)?) as _)),
            })
        }),
        Channel::Wechat => config::<WechatConfig>(app, ConfigKind::WechatMp, school)
            .await?
            .map(|known| known.and_then(|config| Ok(Some(Arc::new(wechat::WechatMp::new(app, &config)?) as _)))),
        Channel::AppPush => config::<PushConfig>(app, ConfigKind::AppPush, school).await?.map(|known| {
            known.and_then(|config| match config.provider {
                PushProvider::Recorded => Ok(None),
                PushProvider::Jiguang => Ok(Some(Arc::new(push::Jiguang::new(&config)?) as _)),
                PushProvider::Getui => Ok(Some(Arc::new(getui::Getui::new(app, &config)?) as _)),
            })
        }),
        Channel::InApp => None,
    };
    Ok(match chosen {
        None | Some(Ok(None)) => Way::Recorded,
        Some(Ok(Some(adapter))) => Way::Provider(adapter),
        Some(Err(error)) => {
            tracing::warn!(channel = channel.as_str(), %error, "a channel's config cannot be used");
            Way::Unusable
        }
    })
}

async fn config<T: ParseFromJSON + 'static>(
    app: &App,
    kind: ConfigKind,
    school: Option<i64>,
) -> Result<Option<Result<T>>> {
    let found = numbered(app, kind, school).await?;
    Ok(found.map(|known| known.map(|(_, config)| config)))
}

/// None when no config is in force; the inner error when it is there but wrong. A wrong config never stops the server.
async fn numbered<T: ParseFromJSON + 'static>(
    app: &App,
    kind: ConfigKind,
    school: Option<i64>,
) -> Result<Option<Result<(i64, T)>>> {
    match chosen::<T>(app, kind, school).await {
        Ok(found) => Ok(found.map(Ok)),
        // What a person could repair in the form; trouble with the database is ours.
        Err(error) if error.code != 500 => Ok(Some(Err(error))),
        Err(error) => Err(error),
    }
}

/// A config's field that must be there before the provider can be asked.
pub(crate) fn needed(value: Option<&String>, words: &str) -> Result<String> {
    value.cloned().ok_or_else(|| Error::conflict(format!("渠道配置缺少{words}")))
}

/// What a request that never was answered is called.
pub(crate) fn unanswered(error: &reqwest::Error) -> Outcome {
    // The address of the error may carry a secret, so it is not told.
    if error.is_timeout() {
        Outcome::rejected(FailCode::Timeout, "", "服务商没有在规定时间内应答")
    } else {
        Outcome::rejected(FailCode::ProviderBusy, "", "无法连接服务商")
    }
}

pub(crate) fn http() -> Result<reqwest::Client> {
    reqwest::Client::builder().timeout(std::time::Duration::from_secs(15)).build().map_err(Error::internal)
}
