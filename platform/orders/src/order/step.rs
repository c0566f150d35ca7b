//! 手工开单, 线下收款, 查询支付 and 备注: what operators type of an order.

use infra::{App, Change, Error, Result, Tx, clock::Moment};
use learner_rules::enums::ProductType;
use order_rules::{
    enums::{OrderStatus, PaymentOutcome},
    state::{OrderStep, may},
};
use poem_openapi::{Object, types::Example};
use settings::pay_channel::PayType;

use super::{
    arrive::{Payment, arrived},
    locked::lock,
};
use crate::provider::Provider;

/// `{learnerId, product, pricePaid}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ManualOrder {
    /// 学员
    pub learner_id: i64,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 实付(分)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub price_paid: i64,
}

impl Example for ManualOrder {
    fn example() -> Self {
        Self { learner_id: 1, product_type: ProductType::Record, product_id: 1, price_paid: 9_900 }
    }
}

/// `{id, remarkAdmin, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OrderRemark {
    /// 编号
    pub id: i64,
    /// 后台备注
    #[oai(validator(max_length = 500))]
    pub remark_admin: Option<String>,
    /// 版本
    pub version: i32,
}

impl Example for OrderRemark {
    fn example() -> Self {
        Self { id: 1, remark_admin: Some("已电话核实".to_owned()), version: 1 }
    }
}

/// `{id, tradeNo, paidAt, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OfflinePayment {
    /// 编号
    pub id: i64,
    /// 交易流水号
    #[oai(validator(min_length = 1, max_length = 64))]
    pub trade_no: String,
    /// 收款时间
    pub paid_at: Moment,
    /// 版本
    pub version: Option<i32>,
}

impl Example for OfflinePayment {
    fn example() -> Self {
        Self { id: 1, trade_no: "202705010001".to_owned(), paid_at: Moment::default(), version: None }
    }
}

/// An order, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OrderItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for OrderItem {
    fn example() -> Self {
        Self { id: 1, version: None }
    }
}

/// What the provider knew.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderQueried {
    /// 编号
    pub id: i64,
    /// 新到账笔数
    pub done: i64,
    /// 订单状态
    pub order_status: OrderStatus,
}

/// # Errors
/// 409 when somebody else changed the order.
pub(super) async fn remark(tx: &mut Tx, remark: &OrderRemark) -> Result<Change> {
    let typed = remark.remark_admin.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let before =
        sqlx::query_scalar!("select remark_admin from platform.order_info where id = $1 for update", remark.id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.order_info set remark_admin = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and version = $2",
        remark.id,
        remark.version,
        typed,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("order_info", remark.id).await);
    }
    Ok(Change::status("order_info", remark.id, "remarkAdmin", before, typed))
}

/// What came by bank or in cash, as an operator notes it.
///
/// # Errors
/// 422 for a time that is to come, and for a number that is registered already; 409 for an order that is paid, for a learner who has the
/// product by now, and without a channel for it.
pub(super) async fn pay_offline(tx: &mut Tx, payment: &OfflinePayment) -> Result<Vec<Change>> {
    if payment.paid_at > tx.app().clock().now() {
        return Err(Error::field("paidAt", "收款时间不能晚于现在"));
    }
    let trade_no = payment.trade_no.trim();
    if trade_no.is_empty() {
        return Err(Error::field("tradeNo", "请填写交易流水号"));
    }
    let order = lock(tx, payment.id).await?;
    may(OrderStep::PayOffline, order.order_status).map_err(|why| Error::conflict(why.to_string()))?;
    order.is_as_read(tx, payment.version).await?;
    let channel = sqlx::query_scalar!(
        "select id from platform.pay_channel where provider = 'offline' order by enabled desc, id limit 1"
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("没有线下收款通道，请先在“支付通道”中新增"))?;
    let came = Payment {
        channel_id: channel,
        pay_type: PayType::Offline,
        trade_no: trade_no.to_owned(),
        amount: order.price_paid,
        paid_at: payment.paid_at,
    };
    let arrived = arrived(tx, order, &came).await?;
    if arrived.changes.is_empty() {
        return Err(Error::field("tradeNo", "该交易流水号已登记，请核对"));
    }
    // Nothing is noted of money that would have to go back by hand.
    if !arrived.paid {
        return Err(Error::conflict("学员已拥有该商品，不能登记收款，请将款项退还学员"));
    }
    Ok(arrived.changes)
}

/// What the provider of an order's channel knows of it; none while it is not paid.
///
/// # Errors
/// 409 for an order that nobody began to pay, and as of [`Provider::query`].
pub(super) async fn ask_provider(app: &App, id: i64) -> Result<Option<Payment>> {
    let mut tx = app.platform_read().await?;
    let order = sqlx::query!(
        r#"select o.order_no, o.channel_id, o.order_status as "order_status: OrderStatus", h.pay_type as "pay_type?: PayType",
                  exists (select from platform.order_payment p where p.order_id = o.id and p.outcome = $2) as "paid!"
           from platform.order_info o left join platform.pay_channel h on h.id = o.channel_id
           where o.id = $1"#,
        id,
        PaymentOutcome::Paid.as_str()
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if order.paid {
        return Err(Error::conflict(format!("订单{}，无需查询", order.order_status.zh())));
    }
    let (channel, pay_type) =
        order.channel_id.zip(order.pay_type).ok_or_else(|| Error::conflict("学员尚未发起支付，无需查询"))?;
    let provider = Provider::of(app, &mut tx, channel).await?;
    drop(tx);
    let told = provider.query(app, &order.order_no).await?;
    Ok(told.map(|told| Payment {
        channel_id: channel,
        pay_type,
        trade_no: told.trade_no,
        amount: told.amount,
        paid_at: told.paid_at,
    }))
}
