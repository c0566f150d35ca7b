//! What an order does with a coupon: it holds it, uses it up, or gives it back. The caller holds the learner's account.

use infra::{Change, Error, Result, Tx};
use learner_rules::enums::ProductType;
use learners::right::Product;
use marketing_rules::{
    coupon::{CouponScope, CouponType, Terms},
    money::hundredths,
};

use crate::product::Sold;

/// What a learner's coupon takes off a product.
///
/// # Errors
/// 422 at `couponUserId` for one that is not theirs, is used or locked, outside its time, or not for this product.
pub async fn terms(tx: &mut Tx, learner: i64, held: i64, (product, sold): (Product, &Sold)) -> Result<Terms> {
    let refused = |message: &str| Error::field("couponUserId", message);
    let now = tx.app().clock().now();
    let coupon = sqlx::query!(
        r#"select u.status, u.valid_from, u.valid_to, k.coupon_type as "coupon_type: CouponType", k.threshold, k.amount,
                  k.rate::float8 as "rate?", k.max_discount, k.scope_type as "scope_type: CouponScope",
                  k.scope_product_type as "scope_product_type: ProductType", k.scope_ids
           from platform.coupon_user u join platform.coupon k on k.id = u.coupon_id
           where u.id = $1 and u.learner_id = $2"#,
        held,
        learner
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| refused("该优惠券不存在，请重新选择"))?;
    match coupon.status.as_str() {
        "unused" if coupon.valid_to <= now => return Err(refused("该优惠券已过期")),
        "unused" if coupon.valid_from > now => return Err(refused("该优惠券尚未到可用时间")),
        "unused" => {}
        "expired" => return Err(refused("该优惠券已过期")),
        _ => return Err(refused("该优惠券已使用或被其他订单占用")),
    }
    let applies = match coupon.scope_type {
        CouponScope::All => true,
        CouponScope::Product => {
            coupon.scope_product_type == Some(product.kind) && coupon.scope_ids.contains(&product.id)
        }
        CouponScope::Category => match sold.category_id {
            None => false,
            Some(category) => lies_below(tx, category, &coupon.scope_ids).await?,
        },
    };
    if !applies {
        return Err(refused("该优惠券不适用于所选商品"));
    }
    Ok(Terms {
        kind: coupon.coupon_type,
        threshold: coupon.threshold,
        amount: coupon.amount,
        rate: coupon.rate.and_then(hundredths),
        max_discount: coupon.max_discount,
    })
}

/// Whether a category is one of these, or stands below one.
async fn lies_below(tx: &mut Tx, category: i64, above: &[i64]) -> Result<bool> {
    let lies = sqlx::query_scalar!(
        r#"with recursive up as (
               select c.id, c.parent_id from platform.online_category c where c.id = $1
               union all
               select p.id, p.parent_id from platform.online_category p join up on p.id = up.parent_id)
           select exists (select from up where up.id = any($2)) as "lies!""#,
        category,
        above
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(lies)
}

/// An order holds the coupon until it is paid or closed.
///
/// # Errors
/// 422 when another order was faster.
pub async fn lock(tx: &mut Tx, held: i64, order: i64) -> Result<Change> {
    let by = tx.by();
    let locked = sqlx::query!(
        "update platform.coupon_user set status = 'locked', order_id = $2, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1 and status = 'unused'",
        held,
        order,
        by
    )
    .execute(&mut **tx)
    .await?;
    if locked.rows_affected() == 0 {
        return Err(Error::field("couponUserId", "该优惠券已使用或被其他订单占用"));
    }
    Ok(Change::status("coupon_user", held, "status", "unused", "locked"))
}

/// The order is paid: the coupon is used up. One that went back when the order was closed is taken again if nobody used it since.
///
/// # Errors
/// Only internal ones.
pub async fn used(tx: &mut Tx, held: i64, order: i64) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let by = tx.by();
    let before = sqlx::query!(
        "select coupon_id, status from platform.coupon_user
         where id = $1 and (status = 'locked' and order_id = $2 or status in ('unused', 'expired')) for update",
        held,
        order
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(before) = before else { return Ok(Vec::new()) };
    sqlx::query!(
        "update platform.coupon_user set status = 'used', order_id = $2, used_at = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where id = $1",
        held,
        order,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("update platform.coupon set used_count = used_count + 1 where id = $1", before.coupon_id)
        .execute(&mut **tx)
        .await?;
    Ok(vec![Change::status("coupon_user", held, "status", before.status, "used")])
}

/// The order is closed: the coupon may be used again, if its time has not run out.
///
/// # Errors
/// Only internal ones.
pub async fn released(tx: &mut Tx, held: i64, order: i64) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let by = tx.by();
    let status = sqlx::query_scalar!(
        "update platform.coupon_user set status = case when valid_to <= $3 then 'expired' else 'unused' end, order_id = null,
                updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and order_id = $2 and status = 'locked' returning status",
        held,
        order,
        now,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(status.map(|status| Change::status("coupon_user", held, "status", "locked", status)).into_iter().collect())
}
