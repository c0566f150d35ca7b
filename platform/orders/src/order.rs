//! 订单管理: orders as operators see them, and what they do with them (01 §9.4).
//!
//! ```text
//! save 手工开单 → pending ─offlinePay, queryPay→ paid ─refund→ …        pending ─close→ closed        edit: the remark alone
//! ```
//! An order is never deleted.

pub(crate) mod arrive;
pub(crate) mod close;
mod detail;
mod list;
pub(crate) mod locked;
pub(crate) mod open;
pub(crate) mod refund;
pub(crate) mod settle;
mod sheet;
mod step;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result, Saved, UnmaskedFields,
    params::IntParam,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use learners::right::Product;
use order_rules::enums::{OrderAbnormal, OrderSource, OrderStatus, PaymentOutcome, RefundStatus};
use poem_openapi::{OpenApi, param::Query};

pub use detail::{OrderDetail, OrderPayment, OrderRefund};
pub use list::{Order, OrderFilter, OrderSums};
pub use refund::{OrderRefundForm, OrderRefunded};
pub use step::{ManualOrder, OfflinePayment, OrderItem, OrderQueried, OrderRemark};

use list::{find, segments, select, sums};

permissions! {
    pages "/user/order/info/list";
    InPlatform Reads       ListOrders       = "user:pc:order:info:list" "订单列表";
    InPlatform Reads       ViewOrder        = "user:pc:order:info:view" "查看订单";
    InPlatform ReadsLogged ViewOrderPlain   = "user:pc:order:info:viewPlain" "查看订单完整信息";
    InPlatform Writes      SaveOrder        = "user:pc:order:info:save" "手工开单";
    InPlatform Writes      EditOrder        = "user:pc:order:info:edit" "订单备注";
    InPlatform Writes      PayOrderOffline  = "user:pc:order:info:offlinePay" "线下收款";
    InPlatform Writes      QueryOrderPay    = "user:pc:order:info:queryPay" "查询支付";
    InPlatform Writes      RefundOrder      = "user:pc:order:info:refund" "订单退款";
    InPlatform Writes      CloseOrder       = "user:pc:order:info:close" "关闭订单";
    InPlatform ReadsLogged ExportOrders     = "user:pc:order:info:export" "导出订单";
    InPlatform ReadsLogged ExportOrdersPlain = "user:pc:order:info:exportPlain" "导出订单完整信息";
    InPlatform Reads       ViewOrderSums    = "data:pc:order:stat:view" "订单金额统计";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        OrderStatus::ENUMERATION,
        OrderSource::ENUMERATION,
        OrderAbnormal::ENUMERATION,
        PaymentOutcome::ENUMERATION,
        RefundStatus::ENUMERATION,
    ],
    entities: &[
        Entity { table: "order_info", name: "订单", counted: "个订单" },
        Entity { table: "order_payment", name: "订单到账", counted: "笔到账" },
        Entity { table: "order_refund", name: "订单退款", counted: "笔退款" },
    ],
    jobs: &[export_job::<Orders>()],
    plain: &[PLAIN],
    histories: &[History { table: "order_info", code: "user:pc:order:info:view", scope: None }],
    ..Part::NONE
};

const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "order_info",
    table: "platform.order_info",
    code: "user:pc:order:info:viewPlain",
    fields: &[("phone", "phone")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

/// Minutes in which an order is to be paid.
pub(crate) const CLOSE_MINUTES: IntParam = IntParam { code: "order.closeMinutes", default: 30, min: 5, max: 1_440 };
/// The same of a seckill, where others wait for the stock.
pub(crate) const SECKILL_MINUTES: i64 = 15;

pub struct Orders;

#[OpenApi(prefix_path = "/user/pc/order/info", tag = "crate::Tag::Orders")]
impl Orders {
    /// 订单列表
    #[oai(path = "/list", method = "post", operation_id = "listOrders")]
    async fn list(
        &self,
        caller: Allowed<ListOrders>,
        Body(asked): Body<Paged<OrderFilter>>,
    ) -> Result<Reply<Page<Order>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let mut list: Vec<Order> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(Order::mask);
        let state = filter.order_status.map(OrderStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看订单
    /// 附价格构成、到账、退款和分成
    #[oai(path = "/view", method = "get", operation_id = "viewOrder")]
    async fn view(
        &self,
        caller: Allowed<ViewOrder>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<OrderDetail>> {
        let mut tx = caller.read().await?;
        let mut order = find(&mut tx, id.0).await?;
        order.mask();
        let payments = detail::payments(&mut tx, id.0).await?;
        let refunds = detail::refunds(&mut tx, id.0).await?;
        Ok(reply(OrderDetail { order, payments, refunds }))
    }

    /// 手工开单
    /// 待学员支付或登记线下收款；实付为0时立即生效
    #[oai(path = "/save", method = "post", operation_id = "saveOrder")]
    async fn save(&self, caller: Allowed<SaveOrder>, Body(form): Body<ManualOrder>) -> Result<Reply<Saved>> {
        let product = Product { kind: form.product_type, id: form.product_id };
        let mut tx = caller.begin().await?;
        let (order, changes) = open::by_hand(&mut tx, form.learner_id, product, form.price_paid).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: order.id }))
    }

    /// 订单备注
    #[oai(path = "/edit", method = "put", operation_id = "editOrder")]
    async fn edit(&self, caller: Allowed<EditOrder>, Body(remark): Body<OrderRemark>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::remark(&mut tx, &remark).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: remark.id }))
    }

    /// 线下收款
    /// 已关闭的订单也可登记，记为关闭后到账
    #[oai(path = "/offlinePay", method = "put", operation_id = "payOrderOffline")]
    async fn pay_offline(
        &self,
        caller: Allowed<PayOrderOffline>,
        Body(payment): Body<OfflinePayment>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = step::pay_offline(&mut tx, &payment).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: payment.id }))
    }

    /// 查询支付
    /// 向支付服务商查询该订单是否已付款
    #[oai(path = "/queryPay", method = "post", operation_id = "queryOrderPay")]
    async fn query_pay(
        &self,
        caller: Allowed<QueryOrderPay>,
        Body(wanted): Body<OrderItem>,
    ) -> Result<Reply<OrderQueried>> {
        let app = caller.app();
        let told = step::ask_provider(app, wanted.id).await?;
        let Some(payment) = told else {
            let mut tx = caller.read().await?;
            let order = find(&mut tx, wanted.id).await?;
            return Ok(reply(OrderQueried { id: wanted.id, done: 0, order_status: order.order_status }));
        };
        let mut tx = caller.begin().await?;
        let order = locked::lock(&mut tx, wanted.id).await?;
        let arrived = arrive::arrived(&mut tx, order, &payment).await?;
        let done = i64::from(!arrived.changes.is_empty());
        if done > 0 {
            tx.commit_all(arrived.changes).await?;
        } else {
            drop(tx);
        }
        if let Some(refund) = arrived.refund {
            let end = refund::provider_says(app, refund).await?;
            let mut tx = caller.begin().await?;
            let changes = refund::ended(&mut tx, refund, &end).await?;
            tx.commit_all(changes).await?;
        }
        let mut tx = caller.read().await?;
        let order = find(&mut tx, wanted.id).await?;
        Ok(reply(OrderQueried { id: wanted.id, done, order_status: order.order_status }))
    }

    /// 订单退款
    /// 全额退款收回权益；服务商未立即给出结果时状态为退款中，拒绝时附原因
    #[oai(path = "/refund", method = "post", operation_id = "refundOrder")]
    async fn refund(
        &self,
        caller: Allowed<RefundOrder>,
        Body(form): Body<OrderRefundForm>,
    ) -> Result<Reply<OrderRefunded>> {
        let mut tx = caller.begin().await?;
        let (refund, changes) = refund::ask(&mut tx, &form).await?;
        tx.commit_all(changes).await?;
        let end = refund::provider_says(caller.app(), refund).await?;
        let mut tx = caller.begin().await?;
        let changes = refund::ended(&mut tx, refund, &end).await?;
        tx.commit_all(changes).await?;
        Ok(reply(OrderRefunded::of(form.id, end)))
    }

    /// 关闭订单
    #[oai(path = "/close", method = "put", operation_id = "closeOrder")]
    async fn close(&self, caller: Allowed<CloseOrder>, Body(wanted): Body<OrderItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let order = locked::lock(&mut tx, wanted.id).await?;
        order.is_as_read(&mut tx, wanted.version).await?;
        let changes = close::close(&mut tx, &order).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出订单
    #[oai(path = "/export", method = "post", operation_id = "exportOrders")]
    async fn export(
        &self,
        caller: Allowed<ExportOrders>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<OrderFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

pub struct OrderFigures;

#[OpenApi(tag = "crate::Tag::Orders")]
impl OrderFigures {
    /// 订单金额统计
    /// 符合条件的订单数、实付总额和退款总额
    #[oai(path = "/data/pc/order/stat/view", method = "post", operation_id = "viewOrderSums")]
    async fn view(&self, caller: Allowed<ViewOrderSums>, Body(filter): Body<OrderFilter>) -> Result<Reply<OrderSums>> {
        let mut tx = caller.read().await?;
        Ok(reply(sums(&mut tx, &filter).await?))
    }
}
