//! What a provider tells of a channel on which lessons are given live (01 §9.2). Asked with the keys of the video config; nobody
//! waits for it in a transaction.

use infra::{App, Error, Result};
use serde_json::{Value, json};

use super::{
    channel::{MediaChannel, asked, client, endpoints, number, refused, text},
    sign::{self, Parameters},
};
use crate::config::{
    ConfigKind, chosen,
    kinds::{BaijiayunConfig, PolyvConfig},
};

/// The most that a channel of ours may be watched by.
const MOST_VIEWERS: i64 = 100_000;

/// A channel as its provider has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldChannel {
    pub name: String,
    /// None where everybody may watch.
    pub max_viewers: Option<i32>,
    /// Whether it is on air; none where the provider does not say.
    pub on_air: Option<bool>,
}

/// # Errors
/// 409 without an enabled config or without the keys of its live calls, where the provider is not reached, and where it knows no such
/// channel.
pub async fn told_channel(app: &App, provider: MediaChannel, channel_no: &str) -> Result<ToldChannel> {
    match provider {
        MediaChannel::Polyv => of_polyv(app, channel_no).await,
        MediaChannel::Baijiayun => of_baijiayun(app, channel_no).await,
        MediaChannel::Storage | MediaChannel::Aliyun => Err(Error::internal("no provider of live channels")),
    }
}

/// Signed as its play tokens are, with the keys of the live application.
async fn of_polyv(app: &App, channel_no: &str) -> Result<ToldChannel> {
    let config: Option<(i64, PolyvConfig)> = chosen(app, ConfigKind::VideoPolyv, None).await?;
    let (_, config) = config.ok_or_else(|| Error::conflict("未启用保利威，请先在系统配置中设置"))?;
    let (Some(application), Some(secret)) = (config.live_app_id, config.live_app_secret) else {
        return Err(Error::conflict("请先在系统配置的保利威中填写直播应用编号和直播应用密钥"));
    };
    let mut parameters = Parameters::from([
        ("appId", application),
        ("channelId", channel_no.to_owned()),
        ("timestamp", app.clock().now().timestamp_millis().to_string()),
    ]);
    let signature = sign::polyv_token(&parameters, &secret);
    parameters.insert("sign", signature);
    let address = format!("{}/live/v3/channel/basic/get", endpoints(app).polyv_api);
    let answer = asked(client()?.get(address).query(&parameters)).await?;
    if number(&answer["code"]) != Some(200) {
        return Err(refused(&answer["message"]));
    }
    let told = &answer["data"];
    let limited = told["maxViewerRestrict"] == json!("Y");
    Ok(ToldChannel {
        name: text(told, "name")?,
        max_viewers: limited.then(|| viewers(&told["maxViewer"])).flatten(),
        on_air: told["watchStatus"].as_str().map(|status| status == "live"),
    })
}

async fn of_baijiayun(app: &App, channel_no: &str) -> Result<ToldChannel> {
    let config: Option<(i64, BaijiayunConfig)> = chosen(app, ConfigKind::VideoBaijiayun, None).await?;
    let (_, config) = config.ok_or_else(|| Error::conflict("未启用百家云，请先在系统配置中设置"))?;
    let mut parameters = Parameters::from([
        ("partner_id", config.partner_id),
        ("room_id", channel_no.to_owned()),
        ("timestamp", app.clock().now().timestamp().to_string()),
    ]);
    let signature = sign::baijiayun(&parameters, config.partner_key.as_deref().unwrap_or_default());
    parameters.insert("sign", signature);
    let usual = format!("https://{}.at.baijiayun.com", config.private_domain);
    let api = endpoints(app).baijiayun.unwrap_or(usual);
    let answer = asked(client()?.post(format!("{api}/openapi/room/info")).form(&parameters)).await?;
    if number(&answer["code"]) != Some(0) {
        return Err(refused(&answer["msg"]));
    }
    let told = &answer["data"];
    Ok(ToldChannel { name: text(told, "title")?, max_viewers: viewers(&told["max_users"]), on_air: None })
}

/// None for what stands for everybody: 0, or more than we write.
fn viewers(told: &Value) -> Option<i32> {
    number(told).filter(|most| (1..=MOST_VIEWERS).contains(most)).and_then(|most| i32::try_from(most).ok())
}
