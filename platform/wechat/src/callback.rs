//! 公众号回调: what the provider tells of followers, and what they are answered (01 §9.9).
//!
//! ```text
//! GET   signature right → the text that was sent          what proves that the address is ours
//! POST  signature right ─(sealed: opened)→ told before? → nothing : follower kept, reply chosen → answered, sealed as it came
//! ```
//! With a key for sealed messages in the config only those are taken: what came unsealed is signed without its content. The answer
//! needs our own tables alone, and nothing is answered after four and a half seconds, for the provider waits five.

mod fan;

use std::time::Duration;

use infra::{App, Error, Public, Reads, Result, Tx, Writes};
use poem::Body as HttpBody;
use poem_openapi::{OpenApi, param::Query, payload::PlainText};
use settings::config::kinds::WechatConfig;
use wechat_rules::{
    message::{Answer, Incoming, Told, answered, enveloped, fields, incoming},
    sealed::Seal,
    signature,
};

use crate::{
    account::config,
    auto_reply::{greeting, met},
};

/// Messages are small.
const MOST_BYTES: usize = 64 << 10;
/// What the provider reads as: taken, nothing to answer.
const NOTHING: &str = "success";
const PATIENCE: Duration = Duration::from_millis(4_500);

/// How the provider signs a call.
struct Signed<'a> {
    timestamp: &'a str,
    nonce: &'a str,
    signature: &'a str,
}

impl<'a> Signed<'a> {
    /// # Errors
    /// 403 for a call without them.
    fn of(
        timestamp: &'a Query<Option<String>>,
        nonce: &'a Query<Option<String>>,
        signature: &'a Query<Option<String>>,
    ) -> Result<Self> {
        match (&timestamp.0, &nonce.0, &signature.0) {
            (Some(timestamp), Some(nonce), Some(signature)) => Ok(Self { timestamp, nonce, signature }),
            _ => Err(refused()),
        }
    }

    /// # Errors
    /// 403 unless it is signed with the token of the config, over `content` too where there is some.
    fn check(&self, config: &WechatConfig, content: Option<&str>) -> Result<()> {
        let token = config.token.as_deref().filter(|token| !token.is_empty()).ok_or_else(refused)?;
        let mut parts = vec![token, self.timestamp, self.nonce];
        parts.extend(content);
        if signature::is_right(self.signature, &parts) { Ok(()) } else { Err(refused()) }
    }
}

/// Who names no account of ours learns no more than who signs wrongly.
fn refused() -> Error {
    Error::new(403, "签名不正确")
}

pub struct GzhCallbacks;

#[OpenApi(tag = "crate::Tag::Wechat")]
impl GzhCallbacks {
    /// 公众号接入校验
    /// 在公众平台填写服务器地址时由微信调用，原样返回echostr
    #[oai(path = "/system/callback/gzh", method = "get", operation_id = "verifyGzhCallback")]
    async fn verify(
        &self,
        caller: Public<Reads>,
        /// 签名
        signature: Query<Option<String>>,
        /// 时间戳
        timestamp: Query<Option<String>>,
        /// 随机数
        nonce: Query<Option<String>>,
        /// 校验文本
        echostr: Query<Option<String>>,
    ) -> Result<PlainText<String>> {
        let signed = Signed::of(&timestamp, &nonce, &signature)?;
        let config = config(&caller.app).await?.ok_or_else(refused)?;
        signed.check(&config, None)?;
        Ok(PlainText(echostr.0.unwrap_or_default()))
    }

    /// 公众号消息回调
    /// 由微信调用，应答XML或success
    #[oai(path = "/system/callback/gzh", method = "post", operation_id = "receiveGzhMessage")]
    async fn receive(
        &self,
        caller: Public<Writes>,
        /// 签名
        signature: Query<Option<String>>,
        /// 时间戳
        timestamp: Query<Option<String>>,
        /// 随机数
        nonce: Query<Option<String>>,
        /// 消息签名
        /// 加密消息的签名
        msg_signature: Query<Option<String>>,
        /// 加密方式
        /// 消息内容也说明是否加密
        #[oai(name = "encrypt_type")]
        _encrypt_type: Query<Option<String>>,
        /// 发送者
        /// 以消息内容为准
        #[oai(name = "openid")]
        _openid: Query<Option<String>>,
        body: HttpBody,
    ) -> Result<PlainText<String>> {
        let app = &caller.app;
        let config = config(app).await?.ok_or_else(refused)?;
        let bytes = body.into_bytes_limit(MOST_BYTES).await.map_err(|_| Error::malformed())?;
        let text = String::from_utf8(bytes.to_vec()).map_err(|_| Error::malformed())?;
        let seal = match config.encoding_aes_key.as_deref() {
            None => None,
            Some(key) => Some(Seal::of(key).map_err(Error::internal)?),
        };
        let message = match &seal {
            None => {
                Signed::of(&timestamp, &nonce, &signature)?.check(&config, None)?;
                text
            }
            Some(seal) => {
                let envelope = fields(&text).ok_or_else(Error::malformed)?;
                let sealed = envelope.get("Encrypt").ok_or_else(refused)?;
                Signed::of(&timestamp, &nonce, &msg_signature)?.check(&config, Some(sealed))?;
                seal.open(sealed, &config.app_id).map_err(|_| refused())?
            }
        };
        let message = fields(&message).as_ref().and_then(incoming).ok_or_else(Error::malformed)?;
        // 原始编号: what another account of the same keys was told is not this one's.
        if config.original_id.as_deref().is_some_and(|own| !own.is_empty() && own != message.to) {
            return Err(Error::new(403, "消息不属于已配置的公众号，请核对原始编号"));
        }
        let at = app.clock().now().timestamp();
        let answer = match tokio::time::timeout(PATIENCE, handle(&caller, &message)).await {
            Ok(answer) => answer?,
            Err(_) => {
                tracing::warn!("a message of the official account was not answered in time");
                None
            }
        };
        let Some(answer) = answer else { return Ok(PlainText(NOTHING.to_owned())) };
        let plain = answered(&message, &answer, at);
        Ok(PlainText(match &seal {
            None => plain,
            Some(seal) => sealed(app, &config, seal, &plain, at)?,
        }))
    }
}

/// An answer in its envelope.
fn sealed(app: &App, config: &WechatConfig, seal: &Seal, plain: &str, at: i64) -> Result<String> {
    let sealed = seal.close(plain, &config.app_id, app.random().bytes::<16>()).map_err(Error::internal)?;
    let (at, nonce) = (at.to_string(), app.random().text(b"0123456789", 10));
    let token = config.token.as_deref().unwrap_or_default();
    let signature = signature::of(&[token, &at, &nonce, &sealed]);
    Ok(enveloped(&sealed, &signature, &at, &nonce))
}

/// Keeps what was told and finds the answer; none for what was told before and for what nothing answers.
async fn handle(caller: &Public<Writes>, message: &Incoming) -> Result<Option<Answer>> {
    let now = caller.app.clock().now();
    let mut tx = caller.begin().await?;
    sqlx::query!(
        "delete from platform.gzh_callback where key in (
             select key from platform.gzh_callback where received_at < $1 order by received_at limit 100 for update skip locked)",
        now - chrono::Duration::days(1)
    )
    .execute(&mut *tx)
    .await?;
    let fresh = sqlx::query_scalar!(
        "insert into platform.gzh_callback (key, received_at) values ($1, $2)
         on conflict on constraint gzh_callback_key do nothing returning key",
        message.key,
        now
    )
    .fetch_optional(&mut *tx)
    .await?;
    if fresh.is_none() {
        return Ok(None);
    }
    let answer = answer(&mut tx, message).await?;
    tx.commit_untracked("what the provider told, so that its repetition is known").await?;
    Ok(answer)
}

async fn answer(tx: &mut Tx, message: &Incoming) -> Result<Option<Answer>> {
    match &message.told {
        Told::Subscribed => {
            fan::follows(tx, &message.from).await?;
            greeting(tx).await
        }
        Told::Left => {
            fan::leaves(tx, &message.from).await?;
            Ok(None)
        }
        Told::Said(words) => met(tx, Some(words)).await,
        Told::Sent => met(tx, None).await,
        Told::Other => Ok(None),
    }
}
