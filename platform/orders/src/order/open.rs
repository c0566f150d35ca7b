//! 下单: an order with its price, what it locks, and who brought the buyer (01 §9.4, §9.11).

use chrono::TimeDelta;
use infra::{Change, Error, OnConstraint, Result, Tx, clock::Moment};
use learner_rules::enums::ProductType;
use learners::{
    account::{self, Account},
    right::{self, Product},
    share, vip,
};
use marketing::{
    chosen, coupon, money,
    product::{self, Sold},
    seckill::stock,
};
use order_rules::{
    enums::{OrderSource, PayTerminal},
    price::{Asked, Price, derived},
};
use serde_json::json;

use super::{
    CLOSE_MINUTES, SECKILL_MINUTES, arrive,
    locked::{LockedOrder, lock},
};

/// What a learner orders.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) learner: i64,
    pub(crate) product: Product,
    /// A row of `coupon_user`.
    pub(crate) coupon: Option<i64>,
    pub(crate) seckill: Option<i64>,
    pub(crate) share_code: Option<String>,
    pub(crate) terminal: PayTerminal,
}

/// Opens an order; one that costs nothing is paid at once.
///
/// # Errors
/// 409 for what is not on sale, is the learner's already, waits in another order of theirs, or is sold out; 422 at the field for a
/// product, a seckill or a coupon that cannot be ordered.
pub(crate) async fn create(tx: &mut Tx, wanted: Wanted) -> Result<(LockedOrder, Vec<Change>)> {
    let now = tx.app().clock().now();
    let buyer = account::lock(tx, wanted.learner).await?;
    let sold = product::find(tx, wanted.product).await?;
    let sold = sold.ok_or_else(|| Error::field("productId", "所选商品不存在，请刷新后重试"))?;
    if !sold.on_sale {
        return Err(Error::conflict("该商品已下架，不能购买"));
    }
    is_not_theirs(tx, &buyer, wanted.product, now).await?;
    let offer = match wanted.seckill {
        Some(seckill) => {
            let offer = stock::offer(tx, seckill, wanted.product, now).await?;
            within_limit(tx, seckill, buyer.id, offer.per_limit).await?;
            Some(offer)
        }
        None => None,
    };
    // Membership is not sold for less to members.
    let member_rate = match wanted.product.kind {
        ProductType::Vip => None,
        _ => vip::discount(tx, buyer.id, now).await?.and_then(money::hundredths),
    };
    let terms = match wanted.coupon {
        Some(held) => Some(coupon::hold::terms(tx, buyer.id, held, (wanted.product, &sold)).await?),
        None => None,
    };
    let asked = Asked {
        price_sale: sold.price_sale,
        seckill: offer.map(|offer| offer.price),
        member_rate,
        coupon: terms.as_ref(),
    };
    let price = derived(asked).map_err(|why| Error::field("couponUserId", why.to_string()))?;
    let minutes = if wanted.seckill.is_some() { SECKILL_MINUTES } else { tx.app().clone().int(CLOSE_MINUTES).await? };
    let promoter = brought_by(tx, &wanted, now).await?;
    let new = New {
        buyer: &buyer,
        product: wanted.product,
        sold: &sold,
        price,
        coupon: wanted.coupon,
        seckill: wanted.seckill,
        source: wanted.terminal.source(),
        terminal: Some(wanted.terminal),
        promoter,
        pay_before: now + TimeDelta::minutes(minutes),
    };
    let (order, mut changes) = insert(tx, &new, now).await?;
    if let Some(held) = wanted.coupon {
        changes.push(coupon::hold::lock(tx, held, order.id).await?);
    }
    // Last: everybody who wants the same waits for it.
    if let Some(seckill) = wanted.seckill {
        stock::lock(tx, seckill).await?;
    }
    free(tx, order, changes).await
}

/// 手工开单: at the price that an operator types. The product need not be on the shelf.
///
/// # Errors
/// As [`create`]; 409 for a learner who is switched off.
pub(crate) async fn by_hand(
    tx: &mut Tx,
    learner: i64,
    product: Product,
    to_pay: i64,
) -> Result<(LockedOrder, Vec<Change>)> {
    let now = tx.app().clock().now();
    let buyer = account::lock(tx, learner).await.map_err(|error| match error.code {
        404 => Error::field("learnerId", "所选学员不存在，请重新选择"),
        _ => error,
    })?;
    if !buyer.enabled {
        return Err(Error::conflict("该学员已停用，请先启用"));
    }
    let sold = product::find(tx, product).await?;
    let sold = sold.ok_or_else(|| Error::field("productId", "所选商品不存在，请重新选择"))?;
    is_not_theirs(tx, &buyer, product, now).await?;
    let minutes = tx.app().clone().int(CLOSE_MINUTES).await?;
    let new = New {
        buyer: &buyer,
        product,
        sold: &sold,
        price: Price { vip_discount: 0, coupon_discount: 0, to_pay },
        coupon: None,
        seckill: None,
        source: OrderSource::Manual,
        terminal: None,
        promoter: None,
        pay_before: now + TimeDelta::minutes(minutes),
    };
    let (order, changes) = insert(tx, &new, now).await?;
    free(tx, order, changes).await
}

/// # Errors
/// 409 `您已购买该商品`. Membership is bought month upon month.
async fn is_not_theirs(tx: &mut Tx, buyer: &Account, product: Product, now: Moment) -> Result<()> {
    if product.kind != ProductType::Vip && right::holds(tx, buyer.id, product, now).await? {
        return Err(Error::conflict("您已购买该商品"));
    }
    Ok(())
}

/// # Errors
/// 409 for who has ordered as many of a seckill as one person may.
async fn within_limit(tx: &mut Tx, seckill: i64, learner: i64, limit: i32) -> Result<()> {
    let has = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.order_info
           where seckill_id = $1 and learner_id = $2 and order_status <> 'closed'"#,
        seckill,
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    if has >= i64::from(limit) {
        Err(Error::conflict(format!("该秒杀商品每人限购{limit}份")))
    } else {
        Ok(())
    }
}

/// Who brought the buyer, and their part in hundredths. A code that is not good is no hindrance to buy; nobody is their own promoter.
async fn brought_by(tx: &mut Tx, wanted: &Wanted, now: Moment) -> Result<Option<(i64, i64)>> {
    let Some(code) = &wanted.share_code else { return Ok(None) };
    let promoter = share::promoter(tx.app(), code, now.date_naive()).filter(|promoter| *promoter != wanted.learner);
    let Some(promoter) = promoter else { return Ok(None) };
    let stands = sqlx::query_scalar!(
        r#"select exists (select from platform.user_ext where id = $1 and enabled) as "stands!""#,
        promoter
    )
    .fetch_one(&mut **tx)
    .await?;
    if !stands {
        return Ok(None);
    }
    Ok(chosen::ratio(tx, wanted.product, now).await?.map(|ratio| (promoter, ratio)))
}

/// An order that is about to be written.
struct New<'n> {
    buyer: &'n Account,
    product: Product,
    sold: &'n Sold,
    price: Price,
    coupon: Option<i64>,
    seckill: Option<i64>,
    source: OrderSource,
    terminal: Option<PayTerminal>,
    promoter: Option<(i64, i64)>,
    pay_before: Moment,
}

/// Numbers of orders that are tried before somebody is told to try again.
const TRIES: usize = 5;

async fn insert(tx: &mut Tx, new: &New<'_>, now: Moment) -> Result<(LockedOrder, Vec<Change>)> {
    let by = tx.by();
    for _ in 0..TRIES {
        let digits = tx.app().random().text(b"0123456789", 10);
        let order_no = format!("{}{digits}", now.format("%Y%m%d"));
        let id = sqlx::query_scalar!(
            "insert into platform.order_info (order_no, learner_id, phone, product_type, product_id, product_name, valid_days,
                 lecturer_id, price_original, price_sale, seckill_id, vip_discount, coupon_user_id, coupon_discount, price_paid,
                 source, terminal, promoter_id, promoter_ratio, pay_before, created_at, updated_at, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::bigint / 100.0, $20, $21,
                     $21, $22, $22)
             on conflict on constraint order_info_no_taken do nothing returning id",
            order_no,
            new.buyer.id,
            new.buyer.phone,
            new.product.kind.as_str(),
            new.product.id,
            new.sold.name,
            new.sold.valid_days,
            new.sold.lecturer_id,
            new.sold.price_original,
            new.sold.price_sale,
            new.seckill,
            new.price.vip_discount,
            new.coupon,
            new.price.coupon_discount,
            new.price.to_pay,
            new.source.as_str(),
            new.terminal.map(PayTerminal::as_str),
            new.promoter.map(|(promoter, _)| promoter),
            new.promoter.map(|(_, share)| share),
            new.pay_before,
            now,
            by
        )
        .fetch_optional(&mut **tx)
        .await
        .on_constraint(|constraint| {
            (constraint == "order_info_pending_once")
                .then(|| Error::conflict("您有该商品的待支付订单，请先支付或取消"))
        })?;
        let Some(id) = id else { continue };
        let what = json!({ "orderNo": order_no, "learnerId": new.buyer.id, "productType": new.product.kind.as_str(),
            "productName": new.sold.name, "pricePaid": new.price.to_pay, "source": new.source.as_str() });
        let order = lock(tx, id).await?;
        return Ok((order, vec![Change::event("order_info", id, "insert", what)]));
    }
    Err(Error::conflict("系统繁忙，请稍后再试"))
}

/// What costs nothing is paid at once.
async fn free(tx: &mut Tx, order: LockedOrder, mut changes: Vec<Change>) -> Result<(LockedOrder, Vec<Change>)> {
    if order.price_paid > 0 {
        return Ok((order, changes));
    }
    let id = order.id;
    changes.extend(arrive::free(tx, order).await?);
    Ok((lock(tx, id).await?, changes))
}
