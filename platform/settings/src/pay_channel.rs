//! 支付通道: by whom the operators' site is paid, and the account there, with sealed secrets (01 §9.4).
//!
//! [`opened`] is what orders pay by: a secret leaves the server only towards its provider.

mod account;
mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, Page, Paged, Part,
    Reply, Result, Saved, enumeration, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use serde_json::json;
use sqlx::PgConnection;

use crate::config::content::Secrets;

pub use account::{PayAccount, opened};
pub use form::PayChannelForm;
pub use list::{PayChannel, PayChannelFilter};

use account::{API_KEY, PRIVATE_KEY, PayChannelUnique, PayChannelUniqueForm, find};
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
