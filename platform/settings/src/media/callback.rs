//! What the channels tell us: checked, and then asked for at the channel itself (01 §4.2.5).

use std::collections::BTreeMap;

use infra::{Error, Public, Reply, Result, Writes, reply};
use poem::{Body as HttpBody, Request};
use poem_openapi::{OpenApi, param::Path};
use serde_json::Value;

use super::{
    asset::owner_of,
    channel::{MediaChannel, Message, of_config, vid_of},
    refresh::refresh,
};

/// Where a channel sends its messages.
pub(super) fn address(scheme: &str, host: &str, channel: MediaChannel) -> String {
    format!("{scheme}://{host}/admin/apis/system/callback/upload/{}", channel.as_str())
}

/// Messages are small.
const MOST_BYTES: usize = 64 << 10;

pub struct Callbacks;

#[OpenApi(tag = "crate::Tag::Settings")]
impl Callbacks {
    /// 音视频通道回调
    #[oai(path = "/system/callback/upload/:channel", method = "post", operation_id = "receiveMediaMessage")]
    async fn receive(
        &self,
        caller: Public<Writes>,
        /// 通道
        channel: Path<String>,
        request: &Request,
        body: HttpBody,
    ) -> Result<Reply<bool>> {
        let app = &caller.app;
        let channel = MediaChannel::parse(&channel.0).filter(|known| *known != MediaChannel::Storage);
        let channel = channel.ok_or_else(Error::not_found)?;
        let message = read(request, &caller.visit.host, channel, body).await?;
        // Who asks for a video that is not ours learns no more than who signs wrongly.
        let refused = || Error::new(403, "签名不正确");
        let vid = vid_of(channel, &message).ok_or_else(refused)?;
        let owner = owner_of(app, channel, &vid).await?.ok_or_else(refused)?;
        let provider = of_config(app, channel, owner.config_id).await?;
        if !provider.is_theirs(&message, app.clock().now()) {
            return Err(refused());
        }
        refresh(app, &*provider, &vid, &owner).await?;
        Ok(reply(true))
    }
}

async fn read(request: &Request, host: &str, channel: MediaChannel, body: HttpBody) -> Result<Message> {
    let bytes = body.into_bytes_limit(MOST_BYTES).await.map_err(|_| Error::malformed())?;
    let mut fields: BTreeMap<String, String> =
        serde_urlencoded::from_str(request.uri().query().unwrap_or_default()).map_err(|_| Error::malformed())?;
    let kind = request.content_type().unwrap_or_default();
    let mut json = Value::Null;
    if kind.starts_with("application/json") {
        json = serde_json::from_slice(&bytes).map_err(|_| Error::malformed())?;
    } else if kind.starts_with("application/x-www-form-urlencoded") {
        let form: BTreeMap<String, String> = serde_urlencoded::from_bytes(&bytes).map_err(|_| Error::malformed())?;
        fields.extend(form);
    }
    let header = |name: &str| request.header(name).map(ToOwned::to_owned);
    Ok(Message {
        fields,
        body: json,
        timestamp: header("x-vod-timestamp"),
        signature: header("x-vod-signature"),
        // Behind a proxy that ends the encryption we see the other scheme than the channel does.
        addresses: ["https", "http"].map(|scheme| address(scheme, host, channel)).to_vec(),
    })
}
