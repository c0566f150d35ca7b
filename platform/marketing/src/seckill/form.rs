//! How a seckill is written: its product is there and dearer, and nothing else of the product runs at the same time.

use infra::{Change, Edit, EnabledChange, Error, OnConstraint, Result, Tx, just_referred, unreferred};
use learners::right::Product;
use marketing_rules::seckill::{SeckillForm, checked, may_become};

use super::list::find;
use crate::product;

/// # Errors
/// 422 at the field; 409 for a product of which another seckill runs at the same time.
pub(super) async fn insert(tx: &mut Tx, form: SeckillForm) -> Result<(i64, Change)> {
    let form = checked(form)?;
    lock(tx).await?;
    is_cheaper(tx, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.seckill (activity_name, product_type, product_id, seckill_price, stock_total, per_limit, begins_at,
             ends_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.activity_name,
        form.product_type.as_str(),
        form.product_id,
        form.seckill_price,
        form.stock_total,
        form.per_limit,
        form.begins_at,
        form.ends_at,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    alone_in_time(tx, id).await?;
    let now = tx.app().clock().now();
    let after = find(tx, id, now).await?;
    Ok((id, Change::created("seckill", id, &after)))
}

/// # Errors
/// As [`insert`]; 409 for what may not change any more, and when somebody else changed it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<SeckillForm>) -> Result<Change> {
    let form = checked(edit.form)?;
    lock(tx).await?;
    let now = tx.app().clock().now();
    let before = find(tx, edit.id, now).await?;
    may_become(before.state, &before.typed(), &form)?;
    is_cheaper(tx, &form).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.seckill set activity_name = $3, product_type = $4, product_id = $5, seckill_price = $6, stock_total = $7,
                per_limit = $8, begins_at = $9, ends_at = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.activity_name,
        form.product_type.as_str(),
        form.product_id,
        form.seckill_price,
        form.stock_total,
        form.per_limit,
        form.begins_at,
        form.ends_at,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("seckill", edit.id).await);
    }
    alone_in_time(tx, edit.id).await?;
    let after = find(tx, edit.id, now).await?;
    Ok(Change::edited("seckill", edit.id, &before, &after))
}

/// # Errors
/// 409 for a product of which another seckill runs at the same time.
pub(super) async fn switch(tx: &mut Tx, wanted: &EnabledChange) -> Result<Change> {
    lock(tx).await?;
    let change = tx.set_enabled("seckill", wanted).await?;
    alone_in_time(tx, wanted.id).await?;
    Ok(change)
}

/// # Errors
/// 409 with the number of its orders.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let now = tx.app().clock().now();
    let before = find(tx, id, now).await?;
    unreferred(tx, "seckill", id).await?;
    sqlx::query!("delete from platform.seckill where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("seckill", id, &before))
}

/// Nobody else types periods until this transaction ends; two that are each alone could together overlap. Orders go on.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('seckill periods', 0))").execute(&mut **tx).await?;
    Ok(())
}

/// # Errors
/// 422 at `productId` for what there is not, at `seckillPrice` for what is no cheaper.
async fn is_cheaper(tx: &mut Tx, form: &SeckillForm) -> Result<()> {
    let product = Product { kind: form.product_type, id: form.product_id };
    let sold = product::find(tx, product).await?;
    let sold = sold.ok_or_else(|| Error::field("productId", "所选商品不存在，请重新选择"))?;
    if form.seckill_price >= sold.price_sale {
        return Err(Error::field("seckillPrice", "秒杀价必须低于商品的优惠价"));
    }
    Ok(())
}

/// # Errors
/// 409 when an enabled one of the same product runs at the same time.
async fn alone_in_time(tx: &mut Tx, id: i64) -> Result<()> {
    let overlaps = sqlx::query_scalar!(
        r#"select exists (
               select from platform.seckill a
               join platform.seckill b on b.product_type = a.product_type and b.product_id = a.product_id and b.id <> a.id
                                      and b.enabled and b.begins_at < a.ends_at and b.ends_at > a.begins_at
               where a.id = $1 and a.enabled) as "overlaps!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if overlaps { Err(Error::conflict("该商品在此时段已有秒杀活动")) } else { Ok(()) }
}
