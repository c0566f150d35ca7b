//! 领取记录: who has a coupon, and what became of it.

use infra::{Paging, Result, clock::Moment, mask, naming::typed};
use marketing_rules::{
    coupon::{CouponType, CouponUserStatus, Terms},
    money::hundredths,
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A coupon in somebody's hands.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HeldCoupon {
    /// 编号
    pub id: i64,
    /// 优惠券
    pub coupon_id: i64,
    /// 优惠券名称
    pub coupon_name: String,
    /// 优惠内容
    pub words: String,
    /// 学员
    pub learner_id: i64,
    /// 学员昵称
    pub nickname: Option<String>,
    /// 手机号
    pub phone: String,
    /// 状态
    pub status: CouponUserStatus,
    /// 后台发放
    pub granted: bool,
    /// 有效期开始
    pub valid_from: Moment,
    /// 有效期结束
    pub valid_to: Moment,
    /// 订单号
    pub order_no: Option<String>,
    /// 使用时间
    pub used_at: Option<Moment>,
    /// 领取时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct HeldCouponFilter {
    /// 优惠券
    pub coupon_id: Option<i64>,
    /// 学员
    pub learner_id: Option<i64>,
    /// 手机号
    /// 从开头匹配
    #[oai(validator(pattern = "^[0-9]{0,11}$"))]
    pub phone: Option<String>,
    /// 状态
    pub status: Option<CouponUserStatus>,
}

/// The newest first. What its time has run out of counts as expired before anybody noted it.
pub(super) async fn select(
    connection: &mut PgConnection,
    filter: &HeldCouponFilter,
    page: Paging,
    now: Moment,
) -> Result<Vec<HeldCoupon>> {
    let rows = sqlx::query!(
        r#"select u.id, u.coupon_id, k.coupon_name, k.coupon_type as "coupon_type: CouponType", k.threshold, k.amount,
                  k.rate::float8 as "rate?", k.max_discount, u.learner_id, e.nickname, e.phone,
                  case when u.status = 'unused' and u.valid_to <= $5 then 'expired' else u.status end
                      as "status!: CouponUserStatus",
                  u.granted, u.valid_from, u.valid_to,
                  (select o.order_no from platform.order_info o where o.id = u.order_id) as "order_no?", u.used_at, u.created_at
           from platform.coupon_user u
           join platform.coupon k on k.id = u.coupon_id
           join platform.user_ext e on e.id = u.learner_id
           where ($1::bigint is null or u.coupon_id = $1)
             and ($2::bigint is null or u.learner_id = $2)
             and ($3::text is null or starts_with(e.phone, $3))
             and ($4::text is null or case when u.status = 'unused' and u.valid_to <= $5 then 'expired' else u.status end = $4)
           order by u.id desc limit $6 offset $7"#,
        filter.coupon_id,
        filter.learner_id,
        typed(filter.phone.as_deref()),
        filter.status.map(CouponUserStatus::as_str),
        now,
        page.limit(),
        page.offset()
    )
    .fetch_all(connection)
    .await?;
    let shown = rows.into_iter().map(|row| {
        let terms = Terms {
            kind: row.coupon_type,
            threshold: row.threshold,
            amount: row.amount,
            rate: row.rate.and_then(hundredths),
            max_discount: row.max_discount,
        };
        HeldCoupon {
            id: row.id,
            coupon_id: row.coupon_id,
            coupon_name: row.coupon_name,
            words: terms.words(),
            learner_id: row.learner_id,
            nickname: row.nickname,
            phone: mask::phone(&row.phone),
            status: row.status,
            granted: row.granted,
            valid_from: row.valid_from,
            valid_to: row.valid_to,
            order_no: row.order_no,
            used_at: row.used_at,
            created_at: row.created_at,
        }
    });
    Ok(shown.collect())
}

pub(super) async fn count(connection: &mut PgConnection, filter: &HeldCouponFilter, now: Moment) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.coupon_user u join platform.user_ext e on e.id = u.learner_id
           where ($1::bigint is null or u.coupon_id = $1)
             and ($2::bigint is null or u.learner_id = $2)
             and ($3::text is null or starts_with(e.phone, $3))
             and ($4::text is null or case when u.status = 'unused' and u.valid_to <= $5 then 'expired' else u.status end = $4)"#,
        filter.coupon_id,
        filter.learner_id,
        typed(filter.phone.as_deref()),
        filter.status.map(CouponUserStatus::as_str),
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}
