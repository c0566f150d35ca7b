//! 支付规则: by which channel an amount is paid on a terminal (01 §9.4).
//!
//! The choice: rules that are enabled, of the terminal and the way of paying, whose amounts hold this one, whose channel is enabled and
//! configured; the smallest priority.

mod form;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, Error, History, Ids, Page, Paged, Part, Reply,
    Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use order_rules::enums::PayTerminal;
use poem_openapi::{OpenApi, param::Query};
use settings::pay_channel::{PayProvider, PayType};
use sqlx::PgConnection;

pub use form::PayRuleForm;
pub use list::{PayRule, PayRuleFilter};

use list::{count, find, select};

permissions! {
    pages "/user/pay/rule/list";
    InPlatform Reads       ListPayRules        = "user:pc:pay:rule:list" "支付规则列表";
    InPlatform Reads       ViewPayRule         = "user:pc:pay:rule:view" "查看支付规则";
    InPlatform Writes      SavePayRule         = "user:pc:pay:rule:save" "新增支付规则";
    InPlatform Writes      EditPayRule         = "user:pc:pay:rule:edit" "编辑支付规则";
    InPlatform Writes      DeletePayRule       = "user:pc:pay:rule:delete" "删除支付规则";
    InPlatform Writes      DeletePayRules      = "user:pc:pay:rule:batchDel" "批量删除支付规则";
    InPlatform Writes      ChangePayRuleStatus = "user:pc:pay:rule:update:status" "启用停用支付规则";
    InPlatform ReadsLogged ExportPayRules      = "user:pc:pay:rule:export" "导出支付规则";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[PayTerminal::ENUMERATION],
    entities: &[Entity { table: "pay_rule", name: "支付规则", counted: "条支付规则" }],
    jobs: &[export_job::<PayRules>()],
    histories: &[History { table: "pay_rule", code: "user:pc:pay:rule:view", scope: None }],
    ..Part::NONE
};

/// A channel that was chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChosenChannel {
    pub(crate) id: i64,
    pub(crate) provider: PayProvider,
}

/// The channel for an amount. The mock is one only where all data are invented.
///
/// # Errors
/// 409 `暂无可用的支付方式`.
pub(crate) async fn choose(
    connection: &mut PgConnection,
    terminal: PayTerminal,
    pay_type: PayType,
    amount: i64,
) -> Result<ChosenChannel> {
    let chosen = sqlx::query_as!(
        ChosenChannel,
        r#"select h.id, h.provider as "provider: _"
           from platform.pay_rule r join platform.pay_channel h on h.id = r.channel_id
           where r.enabled and r.terminal = $1 and r.pay_type = $2 and r.min_amount <= $3
             and (r.max_amount is null or r.max_amount >= $3) and h.enabled and h.configured
             and (h.provider <> 'mock' or exists (select from platform.demonstration))
           order by r.priority limit 1"#,
        terminal.as_str(),
        pay_type.as_str(),
        amount
    )
    .fetch_optional(connection)
    .await?;
    chosen.ok_or_else(|| Error::conflict("暂无可用的支付方式"))
}

pub struct PayRules;

#[OpenApi(prefix_path = "/user/pc/pay/rule", tag = "crate::Tag::Orders")]
impl PayRules {
    /// 支付规则列表
    #[oai(path = "/list", method = "post", operation_id = "listPayRules")]
    async fn list(
        &self,
        caller: Allowed<ListPayRules>,
        Body(asked): Body<Paged<PayRuleFilter>>,
    ) -> Result<Reply<Page<PayRule>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看支付规则
    #[oai(path = "/view", method = "get", operation_id = "viewPayRule")]
    async fn view(
        &self,
        caller: Allowed<ViewPayRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PayRule>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增支付规则
    #[oai(path = "/save", method = "post", operation_id = "savePayRule")]
    async fn save(&self, caller: Allowed<SavePayRule>, Body(form): Body<PayRuleForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑支付规则
    #[oai(path = "/edit", method = "put", operation_id = "editPayRule")]
    async fn edit(&self, caller: Allowed<EditPayRule>, Body(edit): Body<Edit<PayRuleForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除支付规则
    #[oai(path = "/delete", method = "delete", operation_id = "deletePayRule")]
    async fn delete(
        &self,
        caller: Allowed<DeletePayRule>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除支付规则
    #[oai(path = "/batchDel", method = "post", operation_id = "deletePayRules")]
    async fn delete_many(&self, caller: Allowed<DeletePayRules>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "pay_rule", "'编号' || id");
        for id in ids.ids {
            let outcome = form::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用支付规则
    #[oai(path = "/update/status", method = "put", operation_id = "changePayRuleStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePayRuleStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("pay_rule", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出支付规则
    #[oai(path = "/export", method = "post", operation_id = "exportPayRules")]
    async fn export(
        &self,
        caller: Allowed<ExportPayRules>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PayRuleFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
