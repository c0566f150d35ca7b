//! An order that nobody else changes until the transaction ends.

use infra::{Error, Result, Tx, clock::Moment};
use learner_rules::enums::ProductType;
use learners::right::Product;
use order_rules::{
    enums::{OrderAbnormal, OrderStatus},
    split::Split,
};
use settings::pay_channel::PayType;

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct LockedOrder {
    pub(crate) id: i64,
    pub(crate) order_no: String,
    pub(crate) learner_id: i64,
    pub(crate) product_type: ProductType,
    pub(crate) product_id: i64,
    pub(crate) valid_days: Option<i32>,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) lecturer_learner_id: Option<i64>,
    pub(crate) seckill_id: Option<i64>,
    pub(crate) coupon_user_id: Option<i64>,
    pub(crate) price_paid: i64,
    pub(crate) refunded_amount: i64,
    pub(crate) pay_type: Option<PayType>,
    pub(crate) channel_id: Option<i64>,
    pub(crate) trade_no: Option<String>,
    pub(crate) order_status: OrderStatus,
    pub(crate) promoter_id: Option<i64>,
    /// In hundredths.
    pub(crate) promoter_share: Option<i64>,
    pub(crate) commission: i64,
    pub(crate) lecturer_profit: i64,
    pub(crate) platform_profit: i64,
    pub(crate) fee_amount: i64,
    pub(crate) pay_before: Moment,
    pub(crate) settled_at: Option<Moment>,
    pub(crate) abnormal: OrderAbnormal,
    pub(crate) version: i32,
}

impl LockedOrder {
    pub(crate) fn product(&self) -> Product {
        Product { kind: self.product_type, id: self.product_id }
    }

    /// How what was paid was split.
    pub(crate) fn parts(&self) -> Split {
        Split {
            commission: self.commission,
            lecturer: self.lecturer_profit,
            platform: self.platform_profit,
            fee: self.fee_amount,
        }
    }

    /// # Errors
    /// 409 when somebody changed the order since it was read.
    pub(crate) async fn is_as_read(&self, tx: &mut Tx, version: Option<i32>) -> Result<()> {
        match version {
            Some(read) if read != self.version => Err(tx.stale("order_info", self.id).await),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// 404 when there is none.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<LockedOrder> {
    let order = sqlx::query_as!(
        LockedOrder,
        r#"select id, order_no, learner_id, product_type as "product_type: _", product_id, valid_days, lecturer_id,
                  lecturer_learner_id, seckill_id, coupon_user_id, price_paid, refunded_amount, pay_type as "pay_type: _",
                  channel_id, trade_no, order_status as "order_status: _", promoter_id,
                  (promoter_ratio * 100)::bigint as "promoter_share?", commission, lecturer_profit, platform_profit, fee_amount,
                  pay_before, settled_at, abnormal as "abnormal: _", version
           from platform.order_info where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    order.ok_or_else(Error::not_found)
}

/// The number of an order by what people know it by; of one learner where one is named.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn numbered(connection: &mut sqlx::PgConnection, order_no: &str, learner: Option<i64>) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "select id from platform.order_info where order_no = $1 and ($2::bigint is null or learner_id = $2)",
        order_no,
        learner
    )
    .fetch_optional(connection)
    .await?;
    id.ok_or_else(Error::not_found)
}
