//! 会员: the months that somebody has, bought or granted, and what a member pays (01 §9.6).

use infra::{Change, Entity, Error, Part, Result, Tx, clock::Moment};
use learner_rules::vip::extended;
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::account::Account;

pub const PART: Part =
    Part { entities: &[Entity { table: "user_vip", name: "会员记录", counted: "条会员记录" }], ..Part::NONE };

/// A span of membership.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Membership {
    /// 编号
    pub id: i64,
    /// 会员设置
    pub set_name: String,
    /// 会员折扣
    pub discount_rate: f64,
    /// 开始
    pub from_at: Moment,
    /// 结束
    pub to_at: Moment,
    /// 后台开通
    /// 没有订单
    pub granted: bool,
    /// 开通时间
    pub created_at: Moment,
}

/// Newest end first.
pub(crate) async fn memberships(connection: &mut PgConnection, learner: i64) -> Result<Vec<Membership>> {
    let all = sqlx::query_as!(
        Membership,
        r#"select v.id, s.set_name, s.discount_rate::float8 as "discount_rate!", v.from_at, v.to_at,
                  v.order_id is null as "granted!", v.created_at
           from platform.user_vip v join platform.vip_set s on s.id = v.vip_set_id
           where v.learner_id = $1 order by v.to_at desc, v.id desc"#,
        learner
    )
    .fetch_all(connection)
    .await?;
    Ok(all)
}

/// What of a price a member pays now: the rate of the set of the latest purchase that runs; none for who is no member.
///
/// # Errors
/// Those of the database.
pub async fn discount(connection: &mut PgConnection, learner: i64, now: Moment) -> Result<Option<f64>> {
    let rate = sqlx::query_scalar!(
        r#"select s.discount_rate::float8 as "rate!"
           from platform.user_vip v join platform.vip_set s on s.id = v.vip_set_id
           where v.learner_id = $1 and v.from_at <= $2 and v.to_at > $2
           order by v.from_at desc, v.id desc limit 1"#,
        learner,
        now
    )
    .fetch_optional(connection)
    .await?;
    Ok(rate)
}

/// Adds the months of a set behind what runs, or from now on; `order` is what they were bought with, none for a grant. The caller holds
/// the account.
///
/// # Errors
/// 422 at `vipSetId` for a set that is gone or switched off.
pub async fn add_months(tx: &mut Tx, account: &Account, vip_set: i64, order: Option<i64>) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let by = tx.by();
    // Held, so that nobody deletes or changes it meanwhile.
    let set = sqlx::query!("select months, enabled from platform.vip_set where id = $1 for share", vip_set)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("vipSetId", "所选会员设置不存在，请重新选择"))?;
    if !set.enabled && order.is_none() {
        return Err(Error::field("vipSetId", "所选会员设置已停用，请重新选择"));
    }
    let runs_until = sqlx::query_scalar!("select vip_expires_at from platform.user_ext where id = $1", account.id)
        .fetch_one(&mut **tx)
        .await?;
    let months = u32::try_from(set.months).map_err(Error::internal)?;
    let (from, to) =
        extended(now, runs_until, months).ok_or_else(|| Error::field("vipSetId", "会员期限过长，不能再开通"))?;
    let id = sqlx::query_scalar!(
        "insert into platform.user_vip (learner_id, vip_set_id, order_id, from_at, to_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $6) returning id",
        account.id,
        vip_set,
        order,
        from,
        to,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.user_ext set vip_expires_at = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        account.id,
        to,
        by
    )
    .execute(&mut **tx)
    .await?;
    let told = |at: Option<Moment>| at.map(|at| at.to_rfc3339());
    let span = serde_json::json!({ "learnerId": account.id, "vipSetId": vip_set, "orderId": order,
        "fromAt": from.to_rfc3339(), "toAt": to.to_rfc3339() });
    Ok(vec![
        Change::status("user_ext", account.id, "vipExpiresAt", told(runs_until), told(Some(to))),
        Change::event("user_vip", id, "insert", span),
    ])
}

/// Takes back the months that were bought with an order, as far as they lie ahead; what stands behind them moves up. The caller holds
/// the account.
///
/// # Errors
/// Only internal ones.
pub async fn take_back(tx: &mut Tx, learner: i64, order: i64) -> Result<Vec<Change>> {
    let now = tx.app().clock().now();
    let by = tx.by();
    let bought = sqlx::query!("select id, from_at, to_at from platform.user_vip where order_id = $1 for update", order)
        .fetch_optional(&mut **tx)
        .await?;
    let Some(bought) = bought.filter(|span| span.to_at > now) else { return Ok(Vec::new()) };
    let cut = bought.from_at.max(now);
    let is_gone = cut == bought.from_at;
    if is_gone {
        sqlx::query!("delete from platform.user_vip where id = $1", bought.id).execute(&mut **tx).await?;
    } else {
        sqlx::query!(
            "update platform.user_vip set to_at = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            bought.id,
            cut,
            by
        )
        .execute(&mut **tx)
        .await?;
    }
    sqlx::query!(
        "update platform.user_vip
         set from_at = from_at - ($3::timestamptz - $4::timestamptz), to_at = to_at - ($3::timestamptz - $4::timestamptz),
             updated_at = now(), updated_by = $5, version = version + 1
         where learner_id = $1 and id <> $2 and from_at >= $3",
        learner,
        bought.id,
        bought.to_at as _,
        cut as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let before = sqlx::query_scalar!("select vip_expires_at from platform.user_ext where id = $1", learner)
        .fetch_one(&mut **tx)
        .await?;
    let after = sqlx::query_scalar!(
        "update platform.user_ext e
         set vip_expires_at = (select max(v.to_at) from platform.user_vip v where v.learner_id = e.id), updated_at = now(),
             updated_by = $2, version = version + 1
         where id = $1 returning vip_expires_at",
        learner,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let told = |at: Option<Moment>| at.map(|at| at.to_rfc3339());
    let taken = if is_gone {
        Change::event("user_vip", bought.id, "delete", serde_json::json!({ "learnerId": learner, "orderId": order }))
    } else {
        let what = serde_json::json!({ "learnerId": learner, "orderId": order, "toAt": cut.to_rfc3339() });
        Change::event("user_vip", bought.id, "update", what)
    };
    Ok(vec![taken, Change::status("user_ext", learner, "vipExpiresAt", told(before), told(after))])
}
