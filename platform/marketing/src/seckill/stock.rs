//! What orders do with a stock. Each is one statement with its condition, so however many order at once, sold and locked never exceed
//! the stock.

use infra::{Error, Result, Tx, clock::Moment};
use learners::right::Product;
use marketing_rules::seckill::SeckillState;

/// A seckill as a buyer finds it.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    /// 分.
    pub price: i64,
    pub per_limit: i32,
}

/// What a running seckill sells a product for.
///
/// # Errors
/// 422 at `seckillId` for one that is not of the product; 409 for one that does not run.
pub async fn offer(tx: &mut Tx, seckill: i64, product: Product, now: Moment) -> Result<Offer> {
    let found = sqlx::query!(
        "select seckill_price, per_limit, begins_at, ends_at, enabled from platform.seckill
         where id = $1 and product_type = $2 and product_id = $3",
        seckill,
        product.kind.as_str(),
        product.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("seckillId", "所选秒杀活动不存在，请刷新后重试"))?;
    match SeckillState::at(now, found.begins_at, found.ends_at) {
        _ if !found.enabled => Err(Error::conflict("秒杀活动已停用")),
        SeckillState::Waiting => Err(Error::conflict("秒杀活动尚未开始")),
        SeckillState::Ended => Err(Error::conflict("秒杀活动已结束")),
        SeckillState::Running => Ok(Offer { price: found.seckill_price, per_limit: found.per_limit }),
    }
}

/// Takes one of the stock for an order.
///
/// # Errors
/// 409 `已抢光`.
pub async fn lock(tx: &mut Tx, seckill: i64) -> Result<()> {
    let locked = sqlx::query!(
        "update platform.seckill set stock_locked = stock_locked + 1 where id = $1 and stock_sold + stock_locked < stock_total",
        seckill
    )
    .execute(&mut **tx)
    .await?;
    if locked.rows_affected() == 0 { Err(Error::conflict("已抢光")) } else { Ok(()) }
}

/// The order is closed: what it locked is free again.
///
/// # Errors
/// Only internal ones.
pub async fn unlock(tx: &mut Tx, seckill: i64) -> Result<()> {
    sqlx::query!(
        "update platform.seckill set stock_locked = stock_locked - 1 where id = $1 and stock_locked > 0",
        seckill
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The order is paid: what it locked is sold.
///
/// # Errors
/// Only internal ones.
pub async fn sold(tx: &mut Tx, seckill: i64) -> Result<()> {
    sqlx::query!(
        "update platform.seckill set stock_locked = stock_locked - 1, stock_sold = stock_sold + 1
         where id = $1 and stock_locked > 0",
        seckill
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An order that was closed is paid after all: it counts as sold while the stock lasts.
///
/// # Errors
/// Only internal ones.
pub async fn sold_late(tx: &mut Tx, seckill: i64) -> Result<()> {
    sqlx::query!(
        "update platform.seckill set stock_sold = stock_sold + 1 where id = $1 and stock_sold + stock_locked < stock_total",
        seckill
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
