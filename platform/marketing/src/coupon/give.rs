//! 领取 and 发放: how a coupon comes into somebody's hands.

use infra::{Change, Error, Result, Tx, clock::Moment};
use learners::account;
use marketing_rules::coupon::validity;
use poem_openapi::{Object, types::Example};
use serde_json::json;

/// 发放优惠券: to whom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CouponGrant {
    /// 优惠券
    pub id: i64,
    /// 学员
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub learner_ids: Vec<i64>,
}

impl Example for CouponGrant {
    fn example() -> Self {
        Self { id: 1, learner_ids: vec![1] }
    }
}

impl CouponGrant {
    /// Everybody once.
    pub(super) fn each(&self) -> Vec<i64> {
        let mut learners = self.learner_ids.clone();
        learners.sort_unstable();
        learners.dedup();
        learners
    }
}

/// Holds learners in the order of their numbers and before any coupon, so that nobody waits for each other crosswise.
///
/// # Errors
/// Those of the database.
pub(super) async fn hold(tx: &mut Tx, learners: &[i64]) -> Result<()> {
    sqlx::query_scalar!("select id from platform.user_ext where id = any($1) order by id for no key update", learners)
        .fetch_all(&mut **tx)
        .await?;
    Ok(())
}

/// One of a coupon for a learner, who asks for it themself.
///
/// # Errors
/// 409 for a coupon that cannot be received now: switched off, outside its time, all given, the learner's own limit, or over.
pub async fn receive(tx: &mut Tx, learner: i64, coupon: i64) -> Result<(i64, Change)> {
    // Always the learner before the coupon: so do orders.
    account::lock(tx, learner).await?;
    let now = tx.app().clock().now();
    let counted = sqlx::query!(
        "update platform.coupon set received_count = received_count + 1
         where id = $1 and enabled and receive_begins_at <= $2 and receive_ends_at > $2 and received_count < total_count
         returning per_limit, valid_from, valid_to, valid_days",
        coupon,
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(counted) = counted else { return Err(not_received(tx, coupon, now).await?) };
    let term = ((counted.valid_from, counted.valid_to), counted.valid_days);
    give(tx, (coupon, learner), counted.per_limit, term, false).await
}

/// One of a coupon for a learner, from an operator: also outside of the time in which it is received.
///
/// # Errors
/// 404 for a learner that there is not; 409 for one who is switched off or has their number, for a coupon that is switched off, all
/// given, or over.
pub(super) async fn grant(tx: &mut Tx, coupon: i64, learner: i64) -> Result<Change> {
    let account = account::lock(tx, learner).await?;
    if !account.enabled {
        return Err(Error::conflict("该学员已停用"));
    }
    let counted = sqlx::query!(
        "update platform.coupon set received_count = received_count + 1
         where id = $1 and enabled and received_count < total_count
         returning per_limit, valid_from, valid_to, valid_days",
        coupon
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(counted) = counted else { return Err(not_given(tx, coupon).await?) };
    let term = ((counted.valid_from, counted.valid_to), counted.valid_days);
    let (_, change) = give(tx, (coupon, learner), counted.per_limit, term, true).await?;
    Ok(change)
}

type Term = ((Option<Moment>, Option<Moment>), Option<i32>);

/// The caller counted it, and so holds the coupon.
async fn give(
    tx: &mut Tx,
    (coupon, learner): (i64, i64),
    per_limit: i32,
    (span, days): Term,
    granted: bool,
) -> Result<(i64, Change)> {
    let now = tx.app().clock().now();
    let (from, to) = validity(now, span, days).ok_or_else(|| Error::conflict("该优惠券的有效期已过"))?;
    let has = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.coupon_user where coupon_id = $1 and learner_id = $2"#,
        coupon,
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    if has >= i64::from(per_limit) {
        return Err(Error::conflict(format!("每人限领{per_limit}张")));
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.coupon_user (coupon_id, learner_id, granted, valid_from, valid_to, created_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        coupon,
        learner,
        granted,
        from,
        to,
        now,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "couponId": coupon, "learnerId": learner, "granted": granted });
    Ok((id, Change::event("coupon_user", id, "insert", what)))
}

/// Why a learner does not receive one.
async fn not_received(tx: &mut Tx, coupon: i64, now: Moment) -> Result<Error> {
    let known =
        sqlx::query!("select enabled, receive_begins_at, receive_ends_at from platform.coupon where id = $1", coupon)
            .fetch_optional(&mut **tx)
            .await?;
    Ok(match known {
        None => Error::not_found(),
        Some(known) if !known.enabled || known.receive_ends_at <= now => Error::conflict("该优惠券已停止领取"),
        Some(known) if known.receive_begins_at > now => Error::conflict("该优惠券尚未开始领取"),
        Some(_) => Error::conflict("该优惠券已领完"),
    })
}

/// Why an operator cannot give one.
pub(super) async fn not_given(tx: &mut Tx, coupon: i64) -> Result<Error> {
    let known = sqlx::query!(
        "select enabled, total_count - received_count as \"left!\" from platform.coupon where id = $1",
        coupon
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(match known {
        None => Error::not_found(),
        Some(known) if !known.enabled => Error::conflict("该优惠券已停用，不能发放"),
        Some(known) => Error::conflict(format!("该优惠券仅剩{}张，请增加发放总量", known.left)),
    })
}
