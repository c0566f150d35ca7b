//! Marketing of the demonstration: coupons that were received, a seckill that runs, a product with a part for promoters (05 G).

use chrono::TimeDelta;
use infra::{Change, Result, Tx, clock::Moment};
use serde_json::json;

/// What [`fill`] made: rows by table, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, Vec<i64>)>,
    pub changes: Vec<Change>,
}

/// Learners who received the first coupon.
const HOLDERS: usize = 40;

/// For a recorded course that is on the shelf. Does nothing where there are coupons; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, course: i64, learners: &[i64], now: Moment) -> Result<Made> {
    let known =
        sqlx::query_scalar!(r#"select exists (select from platform.coupon) as "known!""#).fetch_one(&mut **tx).await?;
    if known {
        return Ok(Made::default());
    }
    let holders = &learners[..learners.len().min(HOLDERS)];
    let received = i32::try_from(holders.len()).unwrap_or_default();
    let (begins, ends) = (now - TimeDelta::days(10), now + TimeDelta::days(20));
    let coupons = sqlx::query_scalar!(
        "insert into platform.coupon (coupon_name, coupon_type, threshold, amount, rate, max_discount, scope_type, scope_product_type,
             scope_ids, total_count, per_limit, receive_begins_at, receive_ends_at, valid_type, valid_days, received_count,
             created_by, updated_by)
         values ('满150减20', 'full_reduction', 15000, 2000, null, null, 'all', null, '{}', 500, 1, $2, $3, 'days', 30, $4, 0, 0),
                ('九折券', 'discount', 0, null, 0.90, 1500, 'product', 'record', array[$1::bigint], 200, 1, $2, $3, 'days', 15, 0, 0, 0),
                ('新人立减5元', 'direct', 0, 500, null, null, 'all', null, '{}', 1000, 1, $2, $2::timestamptz + interval '5 days', 'days', 7,
                 0, 0, 0)
         returning id",
        course,
        begins as _,
        ends as _,
        received
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = sqlx::query_scalar!(
        "insert into platform.coupon_user (coupon_id, learner_id, granted, valid_from, valid_to, created_at, updated_at, created_by,
             updated_by)
         select $1, l.id, l.place % 4 = 0, $3::timestamptz + make_interval(hours => l.place::integer),
                $3::timestamptz + make_interval(days => 30, hours => l.place::integer),
                $3::timestamptz + make_interval(hours => l.place::integer), $3, 0, 0
         from unnest($2::bigint[]) with ordinality as l (id, place)
         returning id",
        coupons.first().copied(),
        holders,
        begins as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let seckill = sqlx::query_scalar!(
        "insert into platform.seckill (activity_name, product_type, product_id, seckill_price, stock_total, begins_at, ends_at, created_by,
             updated_by)
         values ('限时秒杀', 'record', $1, 9900, 100, $2, $3, 0, 0) returning id",
        course,
        begins,
        ends
    )
    .fetch_one(&mut **tx)
    .await?;
    let chosen = sqlx::query_scalar!(
        "insert into platform.chosen (product_type, product_id, ratio, begins_at, ends_at, created_by, updated_by)
         values ('record', $1, 0.10, $2, $3, 0, 0) returning id",
        course,
        begins,
        ends
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut changes: Vec<Change> =
        coupons.iter().map(|id| Change::event("coupon", *id, "insert", json!({ "received": received }))).collect();
    changes.push(Change::event("seckill", seckill, "insert", json!({ "activityName": "限时秒杀" })));
    changes.push(Change::event("chosen", chosen, "insert", json!({ "productId": course })));
    let rows = vec![("coupon", coupons), ("coupon_user", held), ("seckill", vec![seckill]), ("chosen", vec![chosen])];
    Ok(Made { rows, changes })
}

/// Rows of the demonstration.
pub struct Rows {
    pub coupons: Vec<i64>,
    pub held: Vec<i64>,
    pub seckills: Vec<i64>,
    pub chosen: Vec<i64>,
}

/// Removes them; what somebody received, ordered or holds by now stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, rows: &Rows) -> Result<()> {
    sqlx::query!("delete from platform.coupon_user where id = any($1) and order_id is null", &rows.held)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from platform.coupon k where id = any($1)
           and not exists (select from platform.coupon_user u where u.coupon_id = k.id)",
        &rows.coupons
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.seckill s where id = any($1)
           and not exists (select from platform.order_info o where o.seckill_id = s.id)",
        &rows.seckills
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.chosen where id = any($1)", &rows.chosen).execute(&mut **tx).await?;
    Ok(())
}
