//! The account of a pay channel at its provider, with sealed secrets: as operators type it, as they see it, and as payments are made
//! by it.

use aws_lc_rs::{
    rsa::KeyPair,
    signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::{App, Error, FieldError, Result};
use poem_openapi::{
    Object,
    types::{Any, Example},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::{
    PayProvider,
    list::{PayChannel, find as find_channel},
};
use crate::config::{ConfigKind, content::Secrets, in_force, kinds::WebsiteConfig};

/// What is no secret of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(rename_all = "camelCase", default)]
#[oai(rename = "PayAccount", rename_all = "camelCase")]
pub(super) struct Account {
    /// 应用编号
    #[oai(validator(max_length = 60))]
    app_id: Option<String>,
    /// 商户号
    #[oai(validator(max_length = 60))]
    mch_id: Option<String>,
    /// 商户证书序列号
    #[oai(validator(max_length = 120))]
    mch_serial_no: Option<String>,
    /// 微信支付公钥
    #[oai(validator(max_length = 4000))]
    platform_public_key: Option<String>,
    /// 支付宝公钥
    #[oai(validator(max_length = 4000))]
    alipay_public_key: Option<String>,
    /// 支付后返回地址
    /// 以 http:// 或 https:// 开头
    #[oai(validator(max_length = 300, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    return_url: Option<String>,
}

/// What an operator types. A secret that is absent or null stays as it is; an empty text removes it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct PayChannelUniqueForm {
    /// 支付通道
    pub(super) channel_id: i64,
    #[oai(flatten)]
    pub(super) account: Account,
    /// 接口密钥
    /// 32位字母和数字
    #[oai(write_only, validator(pattern = "^([A-Za-z0-9]{32})?$"))]
    pub(super) api_v3_key: Option<String>,
    /// 商户私钥
    #[oai(write_only, validator(max_length = 8000))]
    pub(super) private_key: Option<String>,
    /// 版本
    /// 与查看时不同则拒绝保存
    pub(super) version: Option<i32>,
}

impl Example for PayChannelUniqueForm {
    fn example() -> Self {
        let account = Account {
            app_id: Some("wx0123456789abcdef".to_owned()),
            mch_id: Some("1900000109".to_owned()),
            ..Account::default()
        };
        Self { channel_id: 1, account, api_v3_key: None, private_key: None, version: None }
    }
}

/// An account as people see it: of a secret only whether it is set, and its end.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct PayChannelUnique {
    /// 支付通道
    channel_id: i64,
    /// 通道名称
    channel_name: String,
    /// 服务商
    provider: PayProvider,
    #[oai(flatten)]
    account: Account,
    /// 接口密钥
    api_v3_key: Option<String>,
    /// 接口密钥已设置
    api_v3_key_set: bool,
    /// 接口密钥尾号
    api_v3_key_tail: Option<String>,
    /// 商户私钥
    private_key: Option<String>,
    /// 商户私钥已设置
    private_key_set: bool,
    /// 通知地址
    /// 按平台站点的域名得出，未填域名时为空
    notify_url: Option<String>,
    /// 已配置
    configured: bool,
    /// 版本
    /// 尚未保存过时为空
    version: Option<i32>,
}

pub(super) const API_KEY: &str = "apiV3Key";
pub(super) const PRIVATE_KEY: &str = "privateKey";

impl PayProvider {
    /// What its account must have before it may be used: fields with their labels.
    pub(super) fn needed(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::WechatV3 => &[
                ("appId", "应用编号"),
                ("mchId", "商户号"),
                ("mchSerialNo", "商户证书序列号"),
                (API_KEY, "接口密钥"),
                (PRIVATE_KEY, "商户私钥"),
                ("platformPublicKey", "微信支付公钥"),
            ],
            Self::Alipay => &[("appId", "应用编号"), (PRIVATE_KEY, "商户私钥"), ("alipayPublicKey", "支付宝公钥")],
            Self::Offline | Self::Mock => &[],
        }
    }

    pub(super) fn is_configured(self, account: &Account, secrets: &Secrets) -> bool {
        let given = json!(account);
        let there = |field: &str| secrets.has(field) || given[field].is_string();
        self.needed().iter().all(|(field, _)| there(field))
    }
}

/// The bytes of a key, with or without the lines around it.
fn bytes_of(key: &str) -> Option<Vec<u8>> {
    let body: String = key.lines().filter(|line| !line.starts_with("-----")).flat_map(str::split_whitespace).collect();
    BASE64_STANDARD.decode(body).ok()
}

/// An RSA key in PKCS #8, or in PKCS #1 as 支付宝 gives to some.
fn is_private_key(key: &str) -> bool {
    bytes_of(key).is_some_and(|der| KeyPair::from_pkcs8(&der).is_ok() || KeyPair::from_der(&der).is_ok())
}

fn is_public_key(key: &str) -> bool {
    bytes_of(key).is_some_and(|der| ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, der).is_ok())
}

impl PayChannelUniqueForm {
    pub(super) fn check(&self) -> Result<()> {
        let wrong = |field: &str, message: &str| FieldError { field: field.to_owned(), message: message.to_owned() };
        let is_wrong =
            |key: Option<&String>, right: fn(&str) -> bool| key.is_some_and(|key| !key.is_empty() && !right(key));
        let mut errors = Vec::new();
        if is_wrong(self.private_key.as_ref(), is_private_key) {
            errors.push(wrong(PRIVATE_KEY, "私钥格式错误"));
        }
        if is_wrong(self.account.platform_public_key.as_ref(), is_public_key) {
            errors.push(wrong("platformPublicKey", "公钥格式错误"));
        }
        if is_wrong(self.account.alipay_public_key.as_ref(), is_public_key) {
            errors.push(wrong("alipayPublicKey", "公钥格式错误"));
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
    }
}

/// A channel with its account as they stand, secrets in hand.
pub(super) struct Known {
    pub(super) channel: PayChannel,
    account: Account,
    pub(super) secrets: Secrets,
    pub(super) id: Option<i64>,
    pub(super) version: Option<i32>,
}

impl Known {
    async fn notify_url(&self, app: &App) -> Result<Option<String>> {
        let site = in_force::<WebsiteConfig>(app, ConfigKind::Website, None).await?;
        let code = &self.channel.channel_code;
        let domain = site.and_then(|site| site.domain);
        Ok(domain.map(|domain| format!("https://{domain}/admin/apis/user/callback/pay/{code}")))
    }

    pub(super) async fn shown(self, app: &App) -> Result<PayChannelUnique> {
        let notify_url = self.notify_url(app).await?;
        Ok(PayChannelUnique {
            channel_id: self.channel.id,
            channel_name: self.channel.channel_name,
            provider: self.channel.provider,
            account: self.account,
            api_v3_key: None,
            api_v3_key_set: self.secrets.has(API_KEY),
            api_v3_key_tail: self.secrets.tail(API_KEY),
            private_key: None,
            private_key_set: self.secrets.has(PRIVATE_KEY),
            notify_url,
            configured: self.channel.configured,
            version: self.version,
        })
    }

    /// What the trail keeps: no secret, only which of them changed.
    pub(super) fn for_trail(&self, before: &Secrets) -> Any<Value> {
        Any(json!({
            "channelId": self.channel.id,
            "account": self.account,
            "keysChanged": self.secrets.changed_since(before),
        }))
    }
}

/// One channel, or the first that is enabled.
pub(super) async fn find(app: &App, connection: &mut PgConnection, id: Option<i64>) -> Result<Option<Known>> {
    let id = sqlx::query_scalar!(
        "select id from platform.pay_channel where ($1::bigint is null and enabled) or id = $1 order by id limit 1",
        id
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(id) = id else { return Ok(None) };
    let channel = find_channel(connection, id).await?;
    let kept = sqlx::query!(
        r#"select id, content as "content: Json<Account>", secrets, version
           from platform.pay_channel_unique where channel_id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    let Some(kept) = kept else {
        return Ok(Some(Known {
            channel,
            account: Account::default(),
            secrets: Secrets::default(),
            id: None,
            version: None,
        }));
    };
    Ok(Some(Known {
        channel,
        account: kept.content.0,
        secrets: Secrets::unseal(app, kept.secrets.as_deref())?,
        id: Some(kept.id),
        version: Some(kept.version),
    }))
}

/// A channel with all that is needed to speak to its provider. Not shown by `Debug`.
pub struct PayAccount {
    pub provider: PayProvider,
    pub app_id: String,
    pub mch_id: String,
    pub mch_serial_no: String,
    pub api_v3_key: String,
    pub private_key: String,
    /// 微信支付公钥 or 支付宝公钥.
    pub public_key: String,
    /// Where the provider tells of payments; none before the site has a domain.
    pub notify_url: Option<String>,
    pub return_url: Option<String>,
}

/// A channel by its number, whether it is enabled or not: what was begun with it may end.
///
/// # Errors
/// Those of the database; of a secret that was sealed with another key.
pub async fn opened(app: &App, connection: &mut PgConnection, channel: i64) -> Result<Option<PayAccount>> {
    let Some(known) = find(app, connection, Some(channel)).await? else { return Ok(None) };
    let notify_url = known.notify_url(app).await?;
    let secret = |field: &str| known.secrets.get(field).unwrap_or_default().to_owned();
    let account = &known.account;
    let public_key = match known.channel.provider {
        PayProvider::Alipay => &account.alipay_public_key,
        PayProvider::WechatV3 | PayProvider::Offline | PayProvider::Mock => &account.platform_public_key,
    };
    Ok(Some(PayAccount {
        provider: known.channel.provider,
        app_id: account.app_id.clone().unwrap_or_default(),
        mch_id: account.mch_id.clone().unwrap_or_default(),
        mch_serial_no: account.mch_serial_no.clone().unwrap_or_default(),
        api_v3_key: secret(API_KEY),
        private_key: secret(PRIVATE_KEY),
        public_key: public_key.clone().unwrap_or_default(),
        notify_url,
        return_url: account.return_url.clone(),
    }))
}
