//! 支付通道: by whom the operators' site is paid, and the account there, with sealed secrets (01 §9.4).
//!
//! [`opened`] is what orders pay by: a secret leaves the server only towards its provider.

mod form;
mod list;

use aws_lc_rs::{
    rsa::KeyPair,
    signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, FieldError, History, Ids, Page,
    Paged, Part, Reply, Result, Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
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

pub use form::PayChannelForm;
pub use list::{PayChannel, PayChannelFilter};

use list::{count, find as find_channel, select};

permissions! {
    pages "/user/pay/channel/list";
    InPlatform Reads       ListPayChannels        = "user:pc:pay:channel:list" "支付通道列表";
    InPlatform Reads       ViewPayChannel         = "user:pc:pay:channel:view" "查看支付通道";
    InPlatform Writes      SavePayChannel         = "user:pc:pay:channel:save" "新增支付通道";
    InPlatform Writes      EditPayChannel         = "user:pc:pay:channel:edit" "编辑支付通道";
    InPlatform Writes      DeletePayChannel       = "user:pc:pay:channel:delete" "删除支付通道";
    InPlatform Writes      DeletePayChannels      = "user:pc:pay:channel:batchDel" "批量删除支付通道";
    InPlatform Reads       ViewPayChannelUnique   = "user:pc:pay:channel:unique:view" "查看支付通道配置";
    InPlatform Writes      SavePayChannelUnique   = "user:pc:pay:channel:unique:save" "保存支付通道配置";
    InPlatform Writes      ChangePayChannelStatus = "user:pc:pay:channel:update:status" "启用停用支付通道";
    InPlatform ReadsLogged ExportPayChannels      = "user:pc:pay:channel:export" "导出支付通道";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[PayProvider::ENUMERATION, PayType::ENUMERATION],
    entities: &[
        Entity { table: "pay_channel", name: "支付通道", counted: "个支付通道" },
        Entity { table: "pay_channel_unique", name: "支付通道配置", counted: "个支付通道配置" },
    ],
    jobs: &[export_job::<PayChannels>()],
    histories: &[History { table: "pay_channel", code: "user:pc:pay:channel:view", scope: None }],
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

enumeration! {
    /// 支付方式
    pub enum PayType = "payType" {
        Wechat = "wechat" "微信支付",
        Alipay = "alipay" "支付宝",
        Offline = "offline" "线下收款",
        Free = "free" "免费",
    }
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
    async fn notify_url(&self, app: &App) -> Result<Option<String>> {
        let site = in_force::<WebsiteConfig>(app, ConfigKind::Website, None).await?;
        let code = &self.channel.channel_code;
        let domain = site.and_then(|site| site.domain);
        Ok(domain.map(|domain| format!("https://{domain}/admin/apis/user/callback/pay/{code}")))
    }

    async fn shown(self, app: &App) -> Result<PayChannelUnique> {
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

/// Payments of the mock are no money: it pays only where all data are invented (01 §9.11).
///
/// # Errors
/// Those of the database.
pub async fn may_mock(connection: &mut PgConnection) -> Result<bool> {
    let demonstration =
        sqlx::query_scalar!(r#"select exists (select from platform.demonstration) as "demonstration!""#)
            .fetch_one(connection)
            .await?;
    Ok(demonstration)
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
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看支付通道
    #[oai(path = "/view", method = "get", operation_id = "viewPayChannel")]
    async fn look(
        &self,
        caller: Allowed<ViewPayChannel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PayChannel>> {
        let mut tx = caller.read().await?;
        Ok(reply(find_channel(&mut tx, id.0).await?))
    }

    /// 新增支付通道
    #[oai(path = "/save", method = "post", operation_id = "savePayChannel")]
    async fn add(&self, caller: Allowed<SavePayChannel>, Body(form): Body<PayChannelForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑支付通道
    /// 通道编码和服务商不能修改
    #[oai(path = "/edit", method = "put", operation_id = "editPayChannel")]
    async fn edit(
        &self,
        caller: Allowed<EditPayChannel>,
        Body(edit): Body<Edit<PayChannelForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除支付通道
    /// 连同其配置
    #[oai(path = "/delete", method = "delete", operation_id = "deletePayChannel")]
    async fn delete(
        &self,
        caller: Allowed<DeletePayChannel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除支付通道
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePayChannels")]
    async fn delete_many(&self, caller: Allowed<DeletePayChannels>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "pay_channel", "channel_name");
        for id in ids.ids {
            let outcome = form::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出支付通道
    #[oai(path = "/export", method = "post", operation_id = "exportPayChannels")]
    async fn export(
        &self,
        caller: Allowed<ExportPayChannels>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PayChannelFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
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
        if wanted.enabled && known.channel.provider == PayProvider::Mock && !may_mock(&mut tx).await? {
            return Err(Error::conflict("模拟支付只能用于演示环境，正式环境不能启用"));
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
