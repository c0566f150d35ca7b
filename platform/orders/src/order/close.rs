//! 关闭: an order that is not paid in its time, or is given up; what it locked is free again (01 §9.4).

use infra::{Change, Error, Result, Tx};
use marketing::{coupon, seckill::stock};
use order_rules::state::{OrderStep, may};

use super::locked::LockedOrder;

/// # Errors
/// 409 for an order that does not wait to be paid.
pub(crate) async fn close(tx: &mut Tx, order: &LockedOrder) -> Result<Vec<Change>> {
    may(OrderStep::Close, order.order_status).map_err(|why| Error::conflict(why.to_string()))?;
    let (now, by) = (tx.app().clock().now(), tx.by());
    sqlx::query!(
        "update platform.order_info set order_status = 'closed', closed_at = $2, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        order.id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes =
        vec![Change::status("order_info", order.id, "orderStatus", order.order_status.as_str(), "closed")];
    if let Some(held) = order.coupon_user_id {
        changes.extend(coupon::hold::released(tx, held, order.id).await?);
    }
    if let Some(seckill) = order.seckill_id {
        stock::unlock(tx, seckill).await?;
    }
    Ok(changes)
}
