//! Orders of the demonstration: three months of one course and one membership, in every state that a list must show (05 G).

use chrono::TimeDelta;
use infra::{Change, Result, Tx, clock::Moment};
use learner_rules::enums::ProductType;
use learners::right::Product;
use marketing::product;
use serde_json::json;
use settings::{demo::mock_channel, pay_channel::PayType};
use sqlx::PgConnection;

use crate::{
    order::{
        arrive::{Payment, paid},
        locked::lock,
        refund::{begin, end_quietly},
        settle::settle,
    },
    provider::RefundEnd,
};

/// So many orders.
pub const ORDERS: usize = 96;
/// In so many days.
const DAYS: i64 = 90;
/// Days after which an order of the demonstration is settled.
const SETTLED: i64 = 7;

/// What the orders are of.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    /// Recorded, on the shelf.
    pub course: i64,
    pub vip_set: i64,
    /// Who buy, one order each.
    pub learners: &'s [i64],
    /// Who brought every sixth of them.
    pub promoter: i64,
}

/// What [`fill`] made: rows by table, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, Vec<i64>)>,
    pub changes: Vec<Change>,
}

/// By what the orders are paid.
struct Till {
    channel: i64,
    pay_type: PayType,
}

/// Does nothing where there are orders; the caller commits. Nobody is told of them.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, site: Site<'_>, now: Moment) -> Result<Made> {
    let known = sqlx::query_scalar!(r#"select exists (select from platform.order_info) as "known!""#)
        .fetch_one(&mut **tx)
        .await?;
    if known {
        return Ok(Made::default());
    }
    let mut rows = Vec::new();
    let till = till(tx, &mut rows).await?;
    // Some may use the course already, without an order.
    let buyers = sqlx::query_scalar!(
        r#"select e.id from platform.user_ext e
           where e.id = any($1) and e.enabled and e.id <> $2
             and not exists (select from platform.learner_right r where r.learner_id = e.id)
             and not exists (select from platform.lecturer l where l.learner_id = e.id)
           order by e.id limit $3"#,
        site.learners,
        site.promoter,
        ORDERS as i64
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut orders, mut changes) = (Vec::with_capacity(buyers.len()), Vec::new());
    for (place, learner) in (0..).zip(buyers) {
        let (order, made) = one(tx, (place, learner), &site, &till, now).await?;
        orders.push(order);
        changes.extend(made);
    }
    let first = orders.first().map(|id| Change::event("order_info", *id, "insert", json!({ "orders": orders.len() })));
    changes.extend(first);
    rows.push(("order_info", orders));
    Ok(Made { rows, changes })
}

/// The mock where it may pay, else what came by hand.
async fn till(tx: &mut Tx, rows: &mut Vec<(&'static str, Vec<i64>)>) -> Result<Till> {
    let Some(channel) = mock_channel(tx).await? else {
        let channel =
            sqlx::query_scalar!("select id from platform.pay_channel where provider = 'offline' order by id limit 1")
                .fetch_one(&mut **tx)
                .await?;
        return Ok(Till { channel, pay_type: PayType::Offline });
    };
    let rules = sqlx::query_scalar!(
        "insert into platform.pay_rule (terminal, pay_type, channel_id, priority, created_by, updated_by)
         select t, 'wechat', $1, 1, 0, 0 from unnest(array['pc', 'h5', 'app', 'mini_program', 'wechat_browser']) as t
         on conflict do nothing returning id",
        channel
    )
    .fetch_all(&mut **tx)
    .await?;
    rows.push(("pay_channel", vec![channel]));
    rows.push(("pay_rule", rules));
    Ok(Till { channel, pay_type: PayType::Wechat })
}

/// Of twelve orders one waits, two were closed, one came back as a whole and one in part; the others were paid.
async fn one(
    tx: &mut Tx,
    (place, learner): (i64, i64),
    site: &Site<'_>,
    till: &Till,
    now: Moment,
) -> Result<(i64, Vec<Change>)> {
    let turn = place % 12;
    let bought = match place % 8 {
        7 => Product { kind: ProductType::Vip, id: site.vip_set },
        _ => Product { kind: ProductType::Record, id: site.course },
    };
    let sold = product::find(tx, bought).await?.ok_or_else(infra::Error::not_found)?;
    let made = match turn {
        0 => now,
        _ => now - TimeDelta::days(1 + (place * 37) % DAYS) - TimeDelta::minutes((place * 61) % 600),
    };
    let closed = matches!(turn, 1 | 2).then(|| made + TimeDelta::minutes(30));
    let promoted = bought.kind == ProductType::Record && place % 6 == 5;
    let id = sqlx::query_scalar!(
        "insert into platform.order_info (order_no, learner_id, phone, product_type, product_id, product_name, valid_days,
             lecturer_id, price_original, price_sale, price_paid, source, terminal, promoter_id, promoter_ratio, order_status,
             closed_at, abnormal, pay_before, created_at, updated_at, created_by, updated_by)
         select $1, e.id, e.phone, $3, $4, $5, $6, $7, $8, $9, $9, s.source, s.source, $10,
                case when $10::bigint is not null then 0.10 end, case when $11::timestamptz is null then 'pending' else 'closed' end,
                $11, case when $12::bigint = 24 then 'amount_mismatch' else 'none' end, $13::timestamptz + interval '30 minutes', $13,
                $13, 0, 0
         from platform.user_ext e
         cross join lateral (
             select (array['pc', 'h5', 'app', 'mini_program'])[1 + $12::bigint % 4] as source) s
         where e.id = $2
         returning id",
        format!("{}{:010}", made.format("%Y%m%d"), 9_000_000_000 + place),
        learner,
        bought.kind.as_str(),
        bought.id,
        sold.name,
        sold.valid_days,
        sold.lecturer_id,
        sold.price_original,
        sold.price_sale,
        promoted.then_some(site.promoter),
        closed as _,
        place,
        made as _
    )
    .fetch_one(&mut **tx)
    .await?;
    if turn < 3 {
        return Ok((id, Vec::new()));
    }
    let payment = Payment {
        channel_id: till.channel,
        pay_type: till.pay_type,
        trade_no: format!("DEMO{id}"),
        amount: sold.price_sale,
        paid_at: made + TimeDelta::minutes(3),
    };
    let number = sqlx::query_scalar!(
        "insert into platform.order_payment (order_id, channel_id, trade_no, pay_type, amount, paid_at, outcome, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, 'paid', 0, 0) returning id",
        id,
        payment.channel_id,
        payment.trade_no,
        payment.pay_type.as_str(),
        payment.amount,
        payment.paid_at
    )
    .fetch_one(&mut **tx)
    .await?;
    let order = lock(tx, id).await?;
    let mut changes = paid(tx, order, Some(&payment), now).await?;
    let back = match turn {
        3 => payment.amount,
        4 => payment.amount / 4,
        _ => 0,
    };
    if back > 0 {
        let order = lock(tx, id).await?;
        let (refund, asked) = begin(tx, &order, number, back, "学员申请退款").await?;
        changes.push(asked);
        changes.extend(end_quietly(tx, refund, &RefundEnd::Success(None)).await?);
    }
    if payment.paid_at + TimeDelta::days(SETTLED) <= now {
        let order = lock(tx, id).await?;
        changes.extend(settle(tx, &order).await?);
    }
    Ok((id, changes))
}

/// Removes them with what came of them; [`learners::demo::forget_orders`] comes before.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, orders: &[i64], rules: &[i64]) -> Result<()> {
    sqlx::query!("delete from platform.distribution where order_id = any($1)", orders).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.order_refund where order_id = any($1)", orders).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.order_payment where order_id = any($1)", orders).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.order_info o where id = any($1)
           and not exists (select from platform.coupon_user u where u.order_id = o.id)",
        orders
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.pay_rule where id = any($1)", rules).execute(&mut **tx).await?;
    Ok(())
}

/// Orders by what `verify` looks for.
pub struct Stands {
    pub orders: i64,
    pub paid: i64,
    pub closed: i64,
    pub refunded: i64,
    pub promoted: i64,
}

/// # Errors
/// Those of the database.
pub async fn stands(connection: &mut PgConnection) -> Result<Stands> {
    let stands = sqlx::query_as!(
        Stands,
        r#"select count(*) as "orders!", count(*) filter (where order_status = 'paid') as "paid!",
                  count(*) filter (where order_status = 'closed') as "closed!",
                  count(*) filter (where order_status = 'refunded') as "refunded!",
                  count(*) filter (where promoter_id is not null) as "promoted!"
           from platform.order_info"#
    )
    .fetch_one(connection)
    .await?;
    Ok(stands)
}
