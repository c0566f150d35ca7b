//! How a coupon is written, and when its receipt ends.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, just_referred, unreferred};
use learner_rules::enums::ProductType;
use marketing_rules::coupon::{CouponForm, CouponScope, TypedCoupon, checked, may_become};

use super::{CouponItem, list::find};

/// # Errors
/// 422 at the field, also for a category or a product that is not there.
pub(super) async fn insert(tx: &mut Tx, form: CouponForm) -> Result<(i64, Change)> {
    let coupon = checked(form)?;
    applies_to_something(tx, &coupon).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.coupon (coupon_name, coupon_type, threshold, amount, rate, max_discount, scope_type,
             scope_product_type, scope_ids, total_count, per_limit, receive_begins_at, receive_ends_at, valid_type, valid_from,
             valid_to, valid_days, created_by, updated_by)
         values ($1, $2, $3, $4, $5::float8::numeric, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
         returning id",
        coupon.coupon_name,
        coupon.terms.kind.as_str(),
        coupon.terms.threshold,
        coupon.terms.amount,
        coupon.rate,
        coupon.terms.max_discount,
        coupon.scope_type.as_str(),
        coupon.scope_product_type.map(ProductType::as_str),
        &coupon.scope_ids,
        coupon.total_count,
        coupon.per_limit,
        coupon.receive_begins_at,
        coupon.receive_ends_at,
        coupon.valid_type.as_str(),
        coupon.valid_from,
        coupon.valid_to,
        coupon.valid_days,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let after = find(tx, id).await?;
    Ok((id, Change::created("coupon", id, &after)))
}

/// # Errors
/// As [`insert`], and 409 when its terms change after somebody received it, or somebody else changed it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<CouponForm>) -> Result<Change> {
    let coupon = checked(edit.form)?;
    // Nobody receives one meanwhile.
    tx.lock("coupon", edit.id).await?;
    let before = find(tx, edit.id).await?;
    may_become(&before.typed(), &coupon, before.received_count)?;
    applies_to_something(tx, &coupon).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.coupon set coupon_name = $3, coupon_type = $4, threshold = $5, amount = $6, rate = $7::float8::numeric,
                max_discount = $8, scope_type = $9, scope_product_type = $10, scope_ids = $11, total_count = $12, per_limit = $13,
                receive_begins_at = $14, receive_ends_at = $15, valid_type = $16, valid_from = $17, valid_to = $18,
                valid_days = $19, updated_at = now(), updated_by = $20, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        coupon.coupon_name,
        coupon.terms.kind.as_str(),
        coupon.terms.threshold,
        coupon.terms.amount,
        coupon.rate,
        coupon.terms.max_discount,
        coupon.scope_type.as_str(),
        coupon.scope_product_type.map(ProductType::as_str),
        &coupon.scope_ids,
        coupon.total_count,
        coupon.per_limit,
        coupon.receive_begins_at,
        coupon.receive_ends_at,
        coupon.valid_type.as_str(),
        coupon.valid_from,
        coupon.valid_to,
        coupon.valid_days,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("coupon", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("coupon", edit.id, &before, &after))
}

/// # Errors
/// 409 with the number of those who received it.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    unreferred(tx, "coupon", id).await?;
    sqlx::query!("delete from platform.coupon where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("coupon", id, &before))
}

/// Ends the receipt now.
///
/// # Errors
/// 409 for one whose receipt has not begun, or is over.
pub(super) async fn stop(tx: &mut Tx, wanted: &CouponItem) -> Result<Change> {
    let now = tx.app().clock().now();
    tx.lock("coupon", wanted.id).await?;
    let before = find(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("coupon", wanted.id).await);
    }
    if before.receive_ends_at <= now {
        return Err(Error::conflict("该优惠券的领取已截止"));
    }
    if before.receive_begins_at >= now {
        return Err(Error::conflict("该优惠券尚未开始领取，请直接停用"));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.coupon set receive_ends_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        wanted.id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let told = |at: infra::clock::Moment| at.to_rfc3339();
    Ok(Change::status("coupon", wanted.id, "receiveEndsAt", told(before.receive_ends_at), told(now)))
}

/// # Errors
/// 422 at `scopeIds` when one of them is not there.
async fn applies_to_something(tx: &mut Tx, coupon: &TypedCoupon) -> Result<()> {
    let known = match coupon.scope_type {
        CouponScope::All => return Ok(()),
        CouponScope::Category => {
            sqlx::query_scalar!(
                r#"select count(*) as "count!" from platform.online_category
                   where id = any($1) and category_type in ('record', 'live', 'resource', 'exam')"#,
                &coupon.scope_ids
            )
            .fetch_one(&mut **tx)
            .await?
        }
        CouponScope::Product => {
            sqlx::query_scalar!(
                r#"select (select count(*) from platform.online_course where id = any($1) and course_type = $2)
                        + (select count(*) from platform.online_exam where id = any($1) and $2 = 'exam')
                        + (select count(*) from platform.vip_set where id = any($1) and $2 = 'vip') as "count!""#,
                &coupon.scope_ids,
                coupon.scope_product_type.map(ProductType::as_str)
            )
            .fetch_one(&mut **tx)
            .await?
        }
    };
    let all = i64::try_from(coupon.scope_ids.len()).map_err(Error::internal)?;
    if known == all {
        Ok(())
    } else {
        Err(Error::field("scopeIds", "所选的分类或商品不存在，请重新选择"))
    }
}
