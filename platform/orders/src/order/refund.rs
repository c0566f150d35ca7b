//! 退款: asked for, asked of the provider, ended (01 §9.4).
//!
//! ```text
//! ask or arrive ─begin→ processing ─[`provider_says`, outside of any transaction]─ended→ success │ failed
//! ```
//! A whole refund takes back what was bought; any takes back its part of what was split. The number of a refund is the same however often
//! the provider is asked, so nothing goes back twice.

use infra::{App, Change, Error, Result, Tx, money::yuan};
use learner_rules::enums::ProductType;
use learners::{account, right, vip};
use lecturer_rules::account::Movement;
use order_rules::{
    enums::{DistributionStatus, OrderStatus, PaymentOutcome, RefundStatus},
    split::{Back, may_refund, taken_back},
    state::{OrderStep, may},
};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use serde_json::json;

use super::{
    arrive::{booked, counted},
    locked::{LockedOrder, lock},
};
use crate::provider::{Provider, RefundEnd, RefundWanted};

/// `{id, amount, reason, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OrderRefundForm {
    /// 编号
    pub id: i64,
    /// 退款金额(分)
    #[oai(validator(minimum(value = "1"), maximum(value = "100000000")))]
    pub amount: i64,
    /// 退款原因
    #[oai(validator(min_length = 1, max_length = 80))]
    pub reason: String,
    /// 版本
    pub version: i32,
}

impl Example for OrderRefundForm {
    fn example() -> Self {
        Self { id: 1, amount: 5_000, reason: "学员申请退款".to_owned(), version: 1 }
    }
}

/// What became of a refund when it was asked for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderRefunded {
    /// 编号
    pub id: i64,
    /// 退款状态
    pub status: RefundStatus,
    /// 提醒
    /// 服务商拒绝退款的原因
    pub warnings: Vec<String>,
}

impl OrderRefunded {
    pub(super) fn of(id: i64, end: RefundEnd) -> Self {
        let (status, warnings) = match end {
            RefundEnd::Success(_) => (RefundStatus::Success, Vec::new()),
            RefundEnd::Processing => (RefundStatus::Processing, Vec::new()),
            RefundEnd::Failed(reason) => (RefundStatus::Failed, vec![reason]),
        };
        Self { id, status, warnings }
    }
}

/// An operator asks for a refund. Answers its number.
///
/// # Errors
/// 409 for an order that is not paid, or is being refunded; 422 at `amount` for more than is left.
pub(crate) async fn ask(tx: &mut Tx, form: &OrderRefundForm) -> Result<(i64, Vec<Change>)> {
    let order = lock(tx, form.id).await?;
    may(OrderStep::Refund, order.order_status).map_err(|why| Error::conflict(why.to_string()))?;
    order.is_as_read(tx, Some(form.version)).await?;
    may_refund(order.price_paid, order.refunded_amount, form.amount)
        .map_err(|why| Error::field("amount", why.to_string()))?;
    let payment = sqlx::query_scalar!(
        "select id from platform.order_payment where order_id = $1 and outcome in ('paid', 'returned')
         order by outcome = 'paid' desc, id limit 1",
        order.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("该订单没有付款，不能退款"))?;
    let by = tx.by();
    sqlx::query!(
        "update platform.order_info set order_status = 'refunding', updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        order.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let status = Change::status("order_info", order.id, "orderStatus", order.order_status.as_str(), "refunding");
    let (refund, change) = begin(tx, &order, payment, form.amount, form.reason.trim()).await?;
    Ok((refund, vec![status.because(Some(&form.reason)), change]))
}

/// Notes a refund that is to be asked of the provider. The caller holds the order.
///
/// # Errors
/// Only internal ones.
pub(crate) async fn begin(
    tx: &mut Tx,
    order: &LockedOrder,
    payment: i64,
    amount: i64,
    reason: &str,
) -> Result<(i64, Change)> {
    let by = tx.by();
    let row = sqlx::query!(
        "insert into platform.order_refund (order_id, payment_id, amount, reason, refund_no, operator_id, created_by, updated_by)
         select $1, $2, $3, $4, 'R' || $5::text || lpad((1 + count(*))::text, greatest(2, length((1 + count(*))::text)), '0'), $6, $6,
                $6
         from platform.order_refund where order_id = $1
         returning id, refund_no",
        order.id,
        payment,
        amount,
        reason,
        order.order_no,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "orderId": order.id, "amount": amount, "refundNo": row.refund_no, "reason": reason });
    Ok((row.id, Change::event("order_refund", row.id, "insert", what)))
}

/// Asks the provider; nothing is held meanwhile. What cannot be asked now goes on.
///
/// # Errors
/// Those of the database.
pub(crate) async fn provider_says(app: &App, refund: i64) -> Result<RefundEnd> {
    let mut tx = app.platform_read().await?;
    let wanted = sqlx::query!(
        "select o.order_no, p.trade_no, p.amount as total, p.channel_id, r.refund_no, r.amount, r.reason
         from platform.order_refund r
         join platform.order_info o on o.id = r.order_id
         join platform.order_payment p on p.id = r.payment_id
         where r.id = $1",
        refund
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let provider = Provider::of(app, &mut tx, wanted.channel_id).await?;
    drop(tx);
    let asked = RefundWanted {
        order_no: &wanted.order_no,
        trade_no: &wanted.trade_no,
        refund_no: &wanted.refund_no,
        amount: wanted.amount,
        total: wanted.total,
        reason: &wanted.reason,
    };
    Ok(provider.refund(app, asked).await)
}

/// Ends a refund as the provider said, and tells the buyer; one that has ended stays as it is.
///
/// # Errors
/// 409 when an account does not hold what is to be taken back, which only a broken one does not.
pub(crate) async fn ended(tx: &mut Tx, refund: i64, end: &RefundEnd) -> Result<Vec<Change>> {
    let changes = end_quietly(tx, refund, end).await?;
    if !changes.is_empty() && matches!(end, RefundEnd::Success(_)) {
        let told = sqlx::query!(
            "select o.order_no, o.learner_id, r.amount
             from platform.order_refund r join platform.order_info o on o.id = r.order_id where r.id = $1",
            refund
        )
        .fetch_one(&mut **tx)
        .await?;
        let values = Values::from([("orderNo".to_owned(), told.order_no), ("amount".to_owned(), yuan(told.amount))]);
        let buyer = Persons::Recipients(vec![Person { kind: PersonKind::Learner, id: told.learner_id }]);
        notify(tx, "order_refunded", buyer, values, Some(&format!("order_refunded:{refund}"))).await?;
    }
    Ok(changes)
}

/// As [`ended`], and nobody is told.
///
/// # Errors
/// As [`ended`].
pub(crate) async fn end_quietly(tx: &mut Tx, refund: i64, end: &RefundEnd) -> Result<Vec<Change>> {
    let (status, channel_refund_no, fail_reason) = match end {
        RefundEnd::Processing => return Ok(Vec::new()),
        RefundEnd::Success(number) => (RefundStatus::Success, number.as_deref(), None),
        RefundEnd::Failed(reason) => (RefundStatus::Failed, None, Some(reason.as_str())),
    };
    let known = sqlx::query_scalar!("select order_id from platform.order_refund where id = $1", refund)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let order = lock(tx, known).await?;
    let row = sqlx::query!(
        r#"select r.amount, r.status as "status: RefundStatus", p.outcome as "outcome: PaymentOutcome",
                  p.channel_id, p.trade_no
           from platform.order_refund r join platform.order_payment p on p.id = r.payment_id
           where r.id = $1 for update of r"#,
        refund
    )
    .fetch_one(&mut **tx)
    .await?;
    if row.status != RefundStatus::Processing {
        return Ok(Vec::new());
    }
    let succeeded = status == RefundStatus::Success;
    // Else a second payment of the order goes back, and the order is as it was.
    let is_the_orders =
        order.channel_id == Some(row.channel_id) && order.trade_no.as_deref() == Some(row.trade_no.as_str());
    let has_bought = is_the_orders && row.outcome == PaymentOutcome::Paid;
    let back = if succeeded && has_bought {
        taken_back(order.price_paid, order.parts(), order.refunded_amount, row.amount)
    } else {
        Back { platform: if succeeded { row.amount } else { 0 }, ..Back::default() }
    };
    let (now, by) = (tx.app().clock().now(), tx.by());
    sqlx::query!(
        "update platform.order_refund
         set status = $2, channel_refund_no = $3, fail_reason = $4, commission_back = $5, lecturer_back = $6, platform_back = $7,
             finished_at = $8, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1",
        refund,
        status.as_str(),
        channel_refund_no,
        fail_reason,
        back.commission,
        back.lecturer,
        back.platform,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes = vec![
        Change::status("order_refund", refund, "status", row.status.as_str(), status.as_str()).because(fail_reason),
    ];
    if is_the_orders {
        let refunded = order.refunded_amount + if succeeded { row.amount } else { 0 };
        let whole = refunded == order.price_paid;
        let stands = if whole { OrderStatus::Refunded } else { OrderStatus::Paid };
        sqlx::query!(
            "update platform.order_info set order_status = $2, refunded_amount = $3, updated_at = now(), updated_by = $4,
                    version = version + 1
             where id = $1",
            order.id,
            stands.as_str(),
            refunded,
            by
        )
        .execute(&mut **tx)
        .await?;
        let before = order.order_status.as_str();
        changes.push(Change::status("order_info", order.id, "orderStatus", before, stands.as_str()));
        if succeeded && has_bought {
            if whole {
                changes.extend(revoked(tx, &order).await?);
            }
            changes.extend(reversed(tx, &order, refund, back, whole).await?);
        }
    }
    Ok(changes)
}

/// What was bought is the learner's no more.
async fn revoked(tx: &mut Tx, order: &LockedOrder) -> Result<Vec<Change>> {
    let buyer = account::lock(tx, order.learner_id).await?;
    if order.product_type == ProductType::Vip {
        return vip::take_back(tx, buyer.id, order.id).await;
    }
    let gone = right::take_back(tx, order.id).await?;
    counted(tx, order.product(), -1).await?;
    Ok(gone)
}

/// The lecturer's and the promoter's part go back: of what is kept back still, or of what is theirs already, which may then be less than
/// nothing. Of somebody who is both it is one movement.
async fn reversed(tx: &mut Tx, order: &LockedOrder, refund: i64, back: Back, whole: bool) -> Result<Vec<Change>> {
    let mut parts: Vec<(i64, i64)> = Vec::new();
    let earner = order.lecturer_learner_id.map(|learner| (learner, back.lecturer));
    let promoter = order.promoter_id.map(|learner| (learner, back.commission));
    for (learner, amount) in [earner, promoter].into_iter().flatten().filter(|(_, amount)| *amount > 0) {
        match parts.iter_mut().find(|(known, _)| *known == learner) {
            Some((_, sum)) => *sum += amount,
            None => parts.push((learner, amount)),
        }
    }
    let settled = order.settled_at.is_some();
    let moves = parts.into_iter().map(|(learner, amount)| {
        let movement = if settled { Movement::ReverseAvailable(amount) } else { Movement::ReverseFrozen(amount) };
        (learner, movement, ("order_refund", refund))
    });
    booked(tx, moves.collect()).await?;
    if order.promoter_id.is_none() {
        return Ok(Vec::new());
    }
    let by = tx.by();
    let row = sqlx::query!(
        r#"update platform.distribution
           set reversed = reversed + $2, status = case when $3::boolean then 'cancelled' else status end, updated_at = now(),
               updated_by = $4, version = version + 1
           where order_id = $1 returning id, status as "status: DistributionStatus", reversed"#,
        order.id,
        back.commission,
        whole,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row
        .map(|row| {
            let what = json!({ "status": row.status.as_str(), "reversed": row.reversed, "orderId": order.id });
            Change::event("distribution", row.id, "update", what)
        })
        .into_iter()
        .collect())
}
