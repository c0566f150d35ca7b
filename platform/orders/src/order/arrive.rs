//! 到账: a payment came. What it pays is granted, it is split, and it counts once (01 §9.4).
//!
//! ```text
//! pending, the amount right → paid                closed, nothing owned → paid, late_paid
//! another amount → amount_mismatch, nothing else  the product owned by now, or paid already → goes back
//! ```

use infra::{Change, Result, Tx, clock::Moment, money::yuan};
use learner_rules::enums::ProductType;
use learners::{
    account,
    right::{self, Product},
    vip,
};
use lecturer_rules::account::Movement;
use lecturers::account::book;
use marketing::{coupon, seckill::stock};
use order_rules::{
    enums::{OrderAbnormal, OrderStatus, PaymentOutcome},
    split::{Shares, Split, split},
};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use serde_json::json;
use settings::pay_channel::PayType;

use super::{close::close, locked::LockedOrder, refund};

/// A payment as a provider or an operator tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Payment {
    pub(crate) channel_id: i64,
    pub(crate) pay_type: PayType,
    pub(crate) trade_no: String,
    /// 分.
    pub(crate) amount: i64,
    pub(crate) paid_at: Moment,
}

/// What came of a payment.
#[derive(Debug, Default)]
pub(crate) struct Arrived {
    pub(crate) changes: Vec<Change>,
    /// A refund that is to be asked of the provider once this is committed.
    pub(crate) refund: Option<i64>,
    /// It paid the order.
    pub(crate) paid: bool,
}

/// Takes a payment. One that was told already changes nothing.
///
/// # Errors
/// Only internal ones: what cannot be granted goes back.
pub(crate) async fn arrived(tx: &mut Tx, order: LockedOrder, payment: &Payment) -> Result<Arrived> {
    let now = tx.app().clock().now();
    if is_known(tx, &order, payment).await? {
        return Ok(Arrived::default());
    }
    let is_right = payment.amount == order.price_paid;
    let outcome = match order.order_status {
        OrderStatus::Pending | OrderStatus::Closed if !is_right => PaymentOutcome::AmountMismatch,
        OrderStatus::Pending | OrderStatus::Closed => {
            // Another order of theirs, or an operator, was faster.
            let owned = order.product_type != ProductType::Vip
                && right::holds(tx, order.learner_id, order.product(), now).await?;
            if owned { PaymentOutcome::Returned } else { PaymentOutcome::Paid }
        }
        OrderStatus::Paid | OrderStatus::Refunding | OrderStatus::Refunded => PaymentOutcome::Returned,
    };
    let by = tx.by();
    let known = sqlx::query_scalar!(
        "insert into platform.order_payment (order_id, channel_id, trade_no, pay_type, amount, paid_at, outcome, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         on conflict on constraint order_payment_taken do nothing returning id",
        order.id,
        payment.channel_id,
        payment.trade_no,
        payment.pay_type.as_str(),
        payment.amount,
        payment.paid_at,
        outcome.as_str(),
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(payment_id) = known else { return Ok(Arrived::default()) };
    let what = json!({ "orderId": order.id, "amount": payment.amount, "outcome": outcome.as_str() });
    let mut changes = vec![Change::event("order_payment", payment_id, "insert", what)];
    match outcome {
        PaymentOutcome::AmountMismatch => {
            let abnormal = OrderAbnormal::AmountMismatch;
            sqlx::query!(
                "update platform.order_info set abnormal = $2, updated_at = now(), updated_by = $3, version = version + 1
                 where id = $1",
                order.id,
                abnormal.as_str(),
                by
            )
            .execute(&mut **tx)
            .await?;
            let before = order.abnormal.as_str();
            changes.push(Change::status("order_info", order.id, "abnormal", before, abnormal.as_str()));
            Ok(Arrived { changes, ..Arrived::default() })
        }
        PaymentOutcome::Paid => {
            tell(tx, &order).await?;
            changes.extend(paid(tx, order, Some(payment), now).await?);
            Ok(Arrived { changes, paid: true, ..Arrived::default() })
        }
        PaymentOutcome::Returned => {
            let reason = match order.order_status {
                OrderStatus::Closed => "订单已关闭且已拥有该商品",
                OrderStatus::Pending => "已拥有该商品",
                OrderStatus::Paid | OrderStatus::Refunding | OrderStatus::Refunded => "重复支付",
            };
            // What it locked is free again.
            let order = if order.order_status == OrderStatus::Pending {
                changes.extend(close(tx, &order).await?);
                LockedOrder { order_status: OrderStatus::Closed, ..order }
            } else {
                order
            };
            let order = if order.order_status == OrderStatus::Closed {
                changes.push(goes_back(tx, &order, payment).await?);
                LockedOrder { order_status: OrderStatus::Refunding, ..order }
            } else {
                order
            };
            let (refund, change) = refund::begin(tx, &order, payment_id, payment.amount, reason).await?;
            changes.push(change);
            Ok(Arrived { changes, refund: Some(refund), ..Arrived::default() })
        }
    }
}

/// Whether it was noted already, at this channel or at another one of the same account: a provider's number is one payment.
async fn is_known(tx: &mut Tx, order: &LockedOrder, payment: &Payment) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.order_payment where order_id = $1 and pay_type = $2 and trade_no = $3) as "known!""#,
        order.id,
        payment.pay_type.as_str(),
        payment.trade_no
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(known)
}

/// An order that costs nothing.
///
/// # Errors
/// Only internal ones.
pub(super) async fn free(tx: &mut Tx, order: LockedOrder) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    tell(tx, &order).await?;
    paid(tx, order, None, now).await
}

/// Tells the buyer that the order is paid.
async fn tell(tx: &mut Tx, order: &LockedOrder) -> Result<()> {
    let values =
        Values::from([("orderNo".to_owned(), order.order_no.clone()), ("amount".to_owned(), yuan(order.price_paid))]);
    let buyer = Persons::Recipients(vec![Person { kind: PersonKind::Learner, id: order.learner_id }]);
    notify(tx, "order_paid", buyer, values, Some(&format!("order_paid:{}", order.id))).await
}

/// The order of a payment that goes back as a whole: it bought nothing.
async fn goes_back(tx: &mut Tx, order: &LockedOrder, payment: &Payment) -> Result<Change> {
    let by = tx.by();
    sqlx::query!(
        "update platform.order_info
         set order_status = 'refunding', pay_type = $2, channel_id = $3, trade_no = $4, paid_at = $5, abnormal = 'late_paid',
             updated_at = now(), updated_by = $6, version = version + 1
         where id = $1",
        order.id,
        payment.pay_type.as_str(),
        payment.channel_id,
        payment.trade_no,
        payment.paid_at,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("order_info", order.id, "orderStatus", order.order_status.as_str(), "refunding"))
}

/// Who a payment is split among.
struct Sharing {
    shares: Shares,
    /// The lecturer's own account on the site.
    earner: Option<i64>,
}

async fn sharing(tx: &mut Tx, order: &LockedOrder, channel: Option<i64>) -> Result<Sharing> {
    let lecturer = sqlx::query!(
        r#"select learner_id, (lecturer_proportion * 10000)::bigint as "proportion!" from platform.lecturer where id = $1"#,
        order.lecturer_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let fee = sqlx::query_scalar!(
        r#"select (fee_rate * 10000)::bigint as "rate!" from platform.pay_channel where id = $1"#,
        channel
    )
    .fetch_optional(&mut **tx)
    .await?;
    let shares = Shares {
        promoter: order.promoter_share.unwrap_or_default(),
        lecturer: lecturer.as_ref().map_or(0, |lecturer| lecturer.proportion),
        fee: fee.unwrap_or_default(),
    };
    Ok(Sharing { shares, earner: lecturer.and_then(|lecturer| lecturer.learner_id) })
}

/// The order is paid, by a payment or because it costs nothing: grants and splits.
///
/// # Errors
/// Only internal ones.
pub(crate) async fn paid(
    tx: &mut Tx,
    order: LockedOrder,
    payment: Option<&Payment>,
    now: Moment,
) -> Result<Vec<Change>> {
    let late = order.order_status == OrderStatus::Closed;
    let Sharing { shares, earner } = sharing(tx, &order, payment.map(|payment| payment.channel_id)).await?;
    let parts = split(order.price_paid, shares);
    let by = tx.by();
    sqlx::query!(
        "update platform.order_info
         set order_status = 'paid', pay_type = $2, channel_id = $3, trade_no = $4, paid_at = $5, commission = $6,
             lecturer_profit = $7, platform_profit = $8, fee_amount = $9, lecturer_learner_id = $10,
             abnormal = case when $11::boolean then 'late_paid' else 'none' end, updated_at = now(), updated_by = $12,
             version = version + 1
         where id = $1",
        order.id,
        payment.map_or(PayType::Free, |payment| payment.pay_type).as_str(),
        payment.map(|payment| payment.channel_id),
        payment.map(|payment| payment.trade_no.as_str()),
        payment.map_or(now, |payment| payment.paid_at),
        parts.commission,
        parts.lecturer,
        parts.platform,
        parts.fee,
        earner,
        late,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes = vec![Change::status("order_info", order.id, "orderStatus", order.order_status.as_str(), "paid")];
    changes.extend(granted(tx, &order).await?);
    if let Some(held) = order.coupon_user_id {
        changes.extend(coupon::hold::used(tx, held, order.id).await?);
    }
    if let Some(seckill) = order.seckill_id {
        if late {
            stock::sold_late(tx, seckill).await?;
        } else {
            stock::sold(tx, seckill).await?;
        }
    }
    changes.extend(distributed(tx, &order, parts, earner).await?);
    Ok(changes)
}

/// What was bought is the learner's.
async fn granted(tx: &mut Tx, order: &LockedOrder) -> Result<Vec<Change>> {
    let buyer = account::lock(tx, order.learner_id).await?;
    if order.product_type == ProductType::Vip {
        return vip::add_months(tx, &buyer, order.product_id, Some(order.id)).await;
    }
    let right = right::buy(tx, buyer.id, order.product(), order.id, order.valid_days).await?;
    counted(tx, order.product(), 1).await?;
    Ok(vec![right])
}

/// So many more bought a product; fewer after a whole refund.
pub(super) async fn counted(tx: &mut Tx, product: Product, more: i64) -> Result<()> {
    match product.kind {
        ProductType::Record | ProductType::Live | ProductType::Resource => {
            catalogue::course::bought(tx, product.id, more).await
        }
        ProductType::Exam => quizzes::exam::bought(tx, product.id, more).await,
        ProductType::Vip => Ok(()),
    }
}

/// What the lecturer and the promoter get, kept back until it is settled.
async fn distributed(tx: &mut Tx, order: &LockedOrder, parts: Split, earner: Option<i64>) -> Result<Vec<Change>> {
    let mut moves = Vec::new();
    let mut changes = Vec::new();
    if let Some(earner) = earner.filter(|_| parts.lecturer > 0) {
        moves.push((earner, Movement::Income(parts.lecturer), ("order_info", order.id)));
    }
    if let (Some(promoter), Some(share)) = (order.promoter_id, order.promoter_share) {
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.distribution (order_id, promoter_id, ratio, amount, created_by, updated_by)
             values ($1, $2, $3::bigint / 100.0, $4, $5, $5) returning id",
            order.id,
            promoter,
            share,
            parts.commission,
            by
        )
        .fetch_one(&mut **tx)
        .await?;
        let what = json!({ "orderId": order.id, "promoterId": promoter, "amount": parts.commission });
        changes.push(Change::event("distribution", id, "insert", what));
        if parts.commission > 0 {
            moves.push((promoter, Movement::Commission(parts.commission), ("distribution", id)));
        }
    }
    booked(tx, moves).await?;
    Ok(changes)
}

/// Books in the order of the accounts, so that two payments do not wait for each other crosswise.
pub(super) async fn booked(tx: &mut Tx, mut moves: Vec<(i64, Movement, (&'static str, i64))>) -> Result<()> {
    moves.sort_by_key(|(learner, ..)| *learner);
    for (learner, movement, of) in moves {
        book(tx, learner, movement, of).await?;
    }
    Ok(())
}
