//! 测试连接: tries what a config names, as the server would use it (01 §3.2.5).

use std::time::Duration;

use bytes::Bytes;
use infra::{Allowed, App, Error, Result, mask, outbound};
use lettre::{
    Message,
    message::{Mailbox, header::ContentType},
};
use serde::Deserialize;
use store::{S3Settings, Store, StoreError};
use tokio::time::timeout;

use super::{
    TestConfig,
    content::whole,
    kinds::{ConfigKind, MailConfig, SmsConfig, SmsProvider, StorageConfig, StorageProvider, WechatConfig},
    post::Post,
    record::Opened,
    video,
};

/// Longer nobody waits for a trial.
const PATIENCE: Duration = Duration::from_secs(15);

/// What worked, in words.
///
/// # Errors
/// 409 with what did not work and what to check.
pub(super) async fn tried(caller: &Allowed<TestConfig>, config: &Opened) -> Result<String> {
    let (content, secrets) = (config.content.clone(), &config.secrets);
    let trial = async {
        match config.row.config_kind {
            ConfigKind::Storage => storage(caller.app(), whole(content, secrets)?).await,
            ConfigKind::Sms => sms(caller, whole(content, secrets)?).await,
            ConfigKind::WechatMp => wechat(whole(content, secrets)?).await,
            ConfigKind::Mail => mail(caller, whole(content, secrets)?).await,
            kind if kind.is_video() => {
                video::verified(caller.app(), kind, content, secrets).await?.map_err(Error::conflict)?;
                Ok("视频云凭据有效".to_owned())
            }
            kind => Err(Error::conflict(format!("{}没有可以测试的连接", kind.zh()))),
        }
    };
    timeout(PATIENCE, trial).await.unwrap_or_else(|_| Err(outbound::unreachable_server()))
}

fn store_of(app: &App, config: &StorageConfig) -> Result<Store> {
    if config.provider == StorageProvider::Local {
        return Ok(Store::local(&app.config().data.join("files"), "", b"a trial signs no address")?);
    }
    app.config().outbound.targets.storage(S3Settings {
        endpoint: config.endpoint.clone(),
        region: config.region.clone().unwrap_or_default(),
        bucket: config.bucket.clone().unwrap_or_default(),
        access_key: config.key_id.clone().unwrap_or_default(),
        secret_key: config.secret.clone().unwrap_or_default(),
        path_style: config.force_path_style || config.provider == StorageProvider::Minio,
    })
}

/// Writes, looks at and removes a probe.
async fn storage(app: &App, config: StorageConfig) -> Result<String> {
    let store = store_of(app, &config)?;
    let name = app.random().text(b"abcdefghijklmnopqrstuvwxyz0123456789", 32);
    let key = match &config.directory {
        Some(directory) => format!("{directory}/probe/{name}.txt"),
        None => format!("probe/{name}.txt"),
    };
    let failed = |step: &str| {
        let step = step.to_owned();
        move |error: StoreError| {
            tracing::warn!(%error, step, "the trial of a storage failed");
            Error::conflict(format!("{step}失败，请检查服务地址、区域、存储桶和密钥"))
        }
    };
    store.put(&key, "text/plain", Bytes::from_static(b"probe")).await.map_err(failed("写入"))?;
    let head = store.head(&key).await.map_err(failed("读取"))?;
    store.delete(&key).await.map_err(failed("删除"))?;
    match head {
        Some(head) if head.size == 5 => Ok("写入、读取、删除均正常".to_owned()),
        _ => Err(Error::conflict("写入的文件读不到，请检查存储桶和权限")),
    }
}

async fn sms(caller: &Allowed<TestConfig>, config: SmsConfig) -> Result<String> {
    let mut tx = caller.read().await?;
    let phone = sqlx::query_scalar!("select phone from platform.sys_user where id = $1", caller.user_id())
        .fetch_one(&mut *tx)
        .await?
        .ok_or_else(|| Error::conflict("您的账号没有手机号，请先在账号资料中补充"))?;
    match config.provider {
        // Nothing is kept of a trial: what would have been sent stands in 发件记录 only for messages.
        SmsProvider::Recorded => {
            Ok(format!("此配置只记录、不发送：发给{}等号码的短信只写入发件记录", mask::phone(&phone)))
        }
        SmsProvider::Aliyun | SmsProvider::Tencent => {
            Err(Error::conflict("服务商按模板发送短信，请在消息模板中用“测试发送”向自己的手机发送"))
        }
    }
}

#[derive(Deserialize)]
struct WechatAnswer {
    access_token: Option<String>,
    errcode: Option<i64>,
}

async fn wechat(config: WechatConfig) -> Result<String> {
    let answer = reqwest::Client::new()
        .get("https://api.weixin.qq.com/cgi-bin/token")
        .query(&[
            ("grant_type", "client_credential"),
            ("appid", &config.app_id),
            ("secret", config.app_secret.as_deref().unwrap_or_default()),
        ])
        .send()
        .await
        // The address of the error carries the secret, so it is not told or logged.
        .map_err(|_| Error::conflict("无法连接公众号服务器，请检查网络"))?
        .json::<WechatAnswer>()
        .await
        .map_err(|_| Error::conflict("公众号服务器的应答无法识别，请稍后再试"))?;
    match (answer.access_token, answer.errcode) {
        (Some(_), _) => Ok("已取得公众号访问令牌".to_owned()),
        (None, Some(40164)) => Err(Error::conflict("服务器地址不在公众号的 IP 白名单中（40164）")),
        (None, Some(40001 | 40125)) => Err(Error::conflict("应用密钥不正确（40125）")),
        (None, Some(40013)) => Err(Error::conflict("应用编号不正确（40013）")),
        (None, code) => Err(Error::conflict(format!("公众号拒绝了请求（{}）", code.unwrap_or_default()))),
    }
}

/// Shakes hands, signs in and sends a letter to the operator's own address. A server that did not speak to us is told of in
/// one sentence: a trial does not say which ports of a machine are open.
async fn mail(caller: &Allowed<TestConfig>, config: MailConfig) -> Result<String> {
    let mut tx = caller.read().await?;
    let address = sqlx::query_scalar!("select email from platform.sys_user where id = $1", caller.user_id())
        .fetch_one(&mut *tx)
        .await?
        .ok_or_else(|| Error::conflict("您的账号没有邮箱，请先在账号资料中补充"))?;
    drop(tx);
    let to: Mailbox = address.parse().map_err(|_| Error::conflict("您账号的邮箱格式不正确，请先在账号资料中修改"))?;
    let post = Post::open(caller.app(), &config).await?;
    let letter = Message::builder()
        .from(post.from.clone())
        .to(to)
        .subject("成教云测试邮件")
        .header(ContentType::TEXT_PLAIN)
        .body("收到这封邮件，说明系统配置中的邮件服务器可以使用。".to_owned())
        .map_err(Error::internal)?;
    match post.send(letter).await {
        Ok(()) => Ok(format!("已向{}发送测试邮件，请查收", mask::email(&address))),
        Err(error) => {
            tracing::info!(%error, host = config.host, "the trial of a mail server failed");
            Err(match error.status().map(|code| code.to_string()) {
                Some(code) if matches!(code.as_str(), "530" | "534" | "535" | "538") => {
                    Error::conflict(format!("邮件服务器拒绝登录（{code}），请检查账号和密码"))
                }
                Some(code) => Error::conflict(format!("邮件服务器拒绝了测试邮件（{code}），请检查发件地址和账号")),
                None => outbound::unreachable_server(),
            })
        }
    }
}
