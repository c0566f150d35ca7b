//! 结算: so many days after the payment, what was kept back is the lecturer's and the promoter's (01 §9.4).

use infra::{Change, Result, Tx};
use lecturer_rules::account::Movement;
use order_rules::enums::OrderStatus;

use super::{arrive::booked, locked::LockedOrder};

/// Settles an order with what refunds left of its parts; one that is not paid, or is settled, stays as it is. The caller holds it.
///
/// # Errors
/// 409 when an account does not hold what was kept back, which only a broken one does not.
pub(crate) async fn settle(tx: &mut Tx, order: &LockedOrder) -> Result<Vec<Change>> {
    if order.order_status != OrderStatus::Paid || order.settled_at.is_some() {
        return Ok(Vec::new());
    }
    let back = sqlx::query!(
        r#"select coalesce(sum(commission_back), 0)::bigint as "commission!", coalesce(sum(lecturer_back), 0)::bigint as "lecturer!"
           from platform.order_refund where order_id = $1 and status = 'success'"#,
        order.id
    )
    .fetch_one(&mut **tx)
    .await?;
    let (now, by) = (tx.app().clock().now(), tx.by());
    sqlx::query!(
        "update platform.order_info set settled_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        order.id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let distribution = sqlx::query_scalar!(
        "update platform.distribution set status = 'settled', updated_at = now(), updated_by = $2, version = version + 1
         where order_id = $1 and status = 'frozen' returning id",
        order.id,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    let mut moves = Vec::new();
    let lecturers = order.lecturer_profit - back.lecturer;
    if let Some(earner) = order.lecturer_learner_id.filter(|_| lecturers > 0) {
        moves.push((earner, Movement::Settle(lecturers), ("order_info", order.id)));
    }
    let promoters = order.commission - back.commission;
    if let (Some(promoter), Some(id)) = (order.promoter_id.filter(|_| promoters > 0), distribution) {
        moves.push((promoter, Movement::Settle(promoters), ("distribution", id)));
    }
    booked(tx, moves).await?;
    let mut changes = vec![Change::status("order_info", order.id, "settledAt", None::<String>, Some(now.to_rfc3339()))];
    changes.extend(distribution.map(|id| Change::status("distribution", id, "status", "frozen", "settled")));
    Ok(changes)
}
