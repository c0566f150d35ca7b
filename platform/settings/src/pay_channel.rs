//! 支付通道: by whom the operators' site is paid, and the account there, with sealed secrets (01 §9.4).

use aws_lc_rs::{
    rsa::KeyPair,
    signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::{
    Allowed, App, Body, Change, EnabledChange, Entity, Error, FieldError, Page, Paged, Part, Reply, Result, Saved,
    enumeration, permissions, reply,
};
use poem_openapi::{
    Object, OpenApi,
    param::Query,
    types::{Any, Example},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use crate::config::{ConfigKind, content::Secrets, in_force, kinds::WebsiteConfig};

permissions! {
    pages "/user/pay/channel/list";
    InPlatform Reads  ListPayChannels        = "user:pc:pay:channel:list" "支付通道列表";
    InPlatform Reads  ViewPayChannelUnique   = "user:pc:pay:channel:unique:view" "查看支付通道配置";
    InPlatform Writes SavePayChannelUnique   = "user:pc:pay:channel:unique:save" "保存支付通道配置";
    InPlatform Writes ChangePayChannelStatus = "user:pc:pay:channel:update:status" "启用停用支付通道";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[PayProvider::ENUMERATION],
    entities: &[
        Entity { table: "pay_channel", name: "支付通道", counted: "个支付通道" },
        Entity { table: "pay_channel_unique", name: "支付通道配置", counted: "个支付通道配置" },
    ],
    ..Part::NONE
};

enumeration! {
    /// 支付服务商
    pub enum PayProvider = "payProvider" {
        WechatV3 = "wechat_v3" "微信支付",
        Alipay = "alipay" "支付宝",
        Offline = "offline" "线下收款",
        Mock = "mock" "模拟支付",
    }
}

/// A way to be paid.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
struct PayChannel {
    /// 编号
    id: i64,
    /// 通道编码
    channel_code: String,
    /// 通道名称
    channel_name: String,
    /// 服务商
    provider: PayProvider,
    /// 已配置
    configured: bool,
    /// 启用
    enabled: bool,
    /// 版本
    version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
struct PayChannelFilter {
    /// 服务商
    provider: Option<PayProvider>,
    /// 启用
    enabled: Option<bool>,
}

/// What is no secret of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(rename_all = "camelCase", default)]
#[oai(rename = "PayAccount", rename_all = "camelCase")]
struct Account {
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
struct PayChannelUniqueForm {
    /// 支付通道
    channel_id: i64,
    #[oai(flatten)]
    account: Account,
    /// 接口密钥
    /// 32位字母和数字
    #[oai(write_only, validator(pattern = "^([A-Za-z0-9]{32})?$"))]
    api_v3_key: Option<String>,
    /// 商户私钥
    #[oai(write_only, validator(max_length = 8000))]
    private_key: Option<String>,
    /// 版本
    /// 与查看时不同则拒绝保存
    version: Option<i32>,
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
struct PayChannelUnique {
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

const API_KEY: &str = "apiV3Key";
const PRIVATE_KEY: &str = "privateKey";

impl PayProvider {
    /// What its account must have before it may be used: fields with their labels.
    fn needed(self) -> &'static [(&'static str, &'static str)] {
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

    fn is_configured(self, account: &Account, secrets: &Secrets) -> bool {
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
    fn check(&self) -> Result<()> {
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
struct Known {
    channel: PayChannel,
    account: Account,
    secrets: Secrets,
    id: Option<i64>,
    version: Option<i32>,
}

impl Known {
    async fn shown(self, app: &App) -> Result<PayChannelUnique> {
        let site = in_force::<WebsiteConfig>(app, ConfigKind::Website, None).await?;
        let code = &self.channel.channel_code;
        let notify_url = site
            .and_then(|site| site.domain)
            .map(|domain| format!("https://{domain}/admin/apis/user/callback/pay/{code}"));
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
    fn for_trail(&self, before: &Secrets) -> Any<Value> {
        Any(json!({
            "channelId": self.channel.id,
            "account": self.account,
            "keysChanged": self.secrets.changed_since(before),
        }))
    }
}

/// One channel, or the first that is enabled.
async fn find(app: &App, connection: &mut PgConnection, id: Option<i64>) -> Result<Option<Known>> {
    let row = sqlx::query!(
        r#"select c.id, c.channel_code, c.channel_name, c.provider as "provider: PayProvider", c.configured, c.enabled, c.version,
                  u.content as "content?: Json<Account>", u.secrets, u.id as "account_id?", u.version as "account_version?"
           from platform.pay_channel c left join platform.pay_channel_unique u on u.channel_id = c.id
           where ($1::bigint is null and c.enabled) or c.id = $1
           order by c.id limit 1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let channel = PayChannel {
        id: row.id,
        channel_code: row.channel_code,
        channel_name: row.channel_name,
        provider: row.provider,
        configured: row.configured,
        enabled: row.enabled,
        version: row.version,
    };
    Ok(Some(Known {
        channel,
        account: row.content.map(|content| content.0).unwrap_or_default(),
        secrets: Secrets::unseal(app, row.secrets.as_deref())?,
        id: row.account_id,
        version: row.account_version,
    }))
}

pub struct PayChannels;

#[OpenApi(prefix_path = "/user/pc/pay/channel", tag = "crate::Tag::Settings")]
impl PayChannels {
    /// 支付通道列表
    #[oai(path = "/list", method = "post", operation_id = "listPayChannels")]
    async fn list(
        &self,
        caller: Allowed<ListPayChannels>,
        Body(asked): Body<Paged<PayChannelFilter>>,
    ) -> Result<Reply<Page<PayChannel>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let provider = filter.provider.map(PayProvider::as_str);
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.pay_channel
               where ($1::text is null or provider = $1) and ($2::boolean is null or enabled = $2)"#,
            provider,
            filter.enabled
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = sqlx::query_as!(
            PayChannel,
            r#"select id, channel_code, channel_name, provider as "provider: _", configured, enabled, version
               from platform.pay_channel
               where ($1::text is null or provider = $1) and ($2::boolean is null or enabled = $2)
               order by id limit $3 offset $4"#,
            provider,
            filter.enabled,
            paging.limit(),
            paging.offset()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 启用停用支付通道
    #[oai(path = "/update/status", method = "put", operation_id = "changePayChannelStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePayChannelStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        tx.lock("pay_channel", wanted.id).await?;
        let known = find(caller.app(), &mut tx, Some(wanted.id)).await?.ok_or_else(Error::not_found)?;
        if wanted.enabled && !known.channel.configured {
            return Err(Error::conflict("请先完成通道配置"));
        }
        let change = tx.set_enabled("pay_channel", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 查看支付通道配置
    #[oai(path = "/unique/view", method = "get", operation_id = "viewPayChannelUnique")]
    async fn view(
        &self,
        caller: Allowed<ViewPayChannelUnique>,
        /// 支付通道
        /// 不填时为第一个启用的通道，没有启用的通道时为空
        #[oai(name = "channelId")]
        channel_id: Query<Option<i64>>,
    ) -> Result<Reply<Option<PayChannelUnique>>> {
        let known = find(caller.app(), &mut *caller.read().await?, channel_id.0).await?;
        match known {
            Some(known) => Ok(reply(Some(known.shown(caller.app()).await?))),
            None if channel_id.0.is_some() => Err(Error::not_found()),
            None => Ok(reply(None)),
        }
    }

    /// 保存支付通道配置
    #[oai(path = "/unique/save", method = "post", operation_id = "savePayChannelUnique")]
    async fn save(
        &self,
        caller: Allowed<SavePayChannelUnique>,
        Body(form): Body<PayChannelUniqueForm>,
    ) -> Result<Reply<Saved>> {
        form.check()?;
        let app = caller.app();
        let mut tx = caller.begin().await?;
        tx.lock("pay_channel", form.channel_id).await?;
        let before = find(app, &mut tx, Some(form.channel_id))
            .await?
            .ok_or_else(|| Error::field("channelId", "支付通道不存在，请重新选择"))?;
        let mut secrets = before.secrets.clone();
        secrets.give(API_KEY, form.api_v3_key.as_deref());
        secrets.give(PRIVATE_KEY, form.private_key.as_deref());
        let provider = before.channel.provider;
        let configured = provider.is_configured(&form.account, &secrets);
        if before.channel.enabled && !configured {
            return Err(Error::conflict("通道已启用，配置必须完整，请补全或先停用通道"));
        }
        let by = tx.by();
        let kept = sqlx::query_scalar!(
            "insert into platform.pay_channel_unique as u (channel_id, content, secrets, created_by, updated_by)
             values ($1, $2, $3, $4, $4)
             on conflict on constraint pay_channel_unique_once do update
                set content = excluded.content, secrets = excluded.secrets, updated_at = now(), updated_by = excluded.updated_by,
                    version = u.version + 1
                where $5::integer is null or u.version = $5
             returning id",
            form.channel_id,
            json!(form.account),
            secrets.seal(app)?,
            by,
            form.version
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(id) = kept else { return Err(tx.stale("pay_channel_unique", before.id.unwrap_or_default()).await) };
        sqlx::query!(
            "update platform.pay_channel set configured = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1 and configured is distinct from $2",
            form.channel_id,
            configured,
            by
        )
        .execute(&mut *tx)
        .await?;
        let after = find(app, &mut tx, Some(form.channel_id)).await?.ok_or_else(Error::not_found)?;
        let change = match before.version {
            None => Change::created("pay_channel_unique", id, &after.for_trail(&Secrets::default())),
            Some(_) => Change::edited(
                "pay_channel_unique",
                id,
                &before.for_trail(&before.secrets),
                &after.for_trail(&before.secrets),
            ),
        };
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}
