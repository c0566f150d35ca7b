//! How coupons are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use learner_rules::enums::ProductType;
use marketing_rules::{
    coupon::{CouponScope, CouponType, CouponValidity, Terms, TypedCoupon},
    money::hundredths,
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A coupon, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Coupon {
    /// 编号
    pub id: i64,
    /// 名称
    pub coupon_name: String,
    /// 类型
    pub coupon_type: CouponType,
    /// 使用门槛(分)
    /// 0为无门槛
    pub threshold: i64,
    /// 优惠金额(分)
    pub amount: Option<i64>,
    /// 折扣
    pub rate: Option<f64>,
    /// 最多优惠(分)
    pub max_discount: Option<i64>,
    /// 适用范围
    pub scope_type: CouponScope,
    /// 适用商品类型
    pub scope_product_type: Option<ProductType>,
    /// 适用的分类或商品
    pub scope_ids: Vec<i64>,
    /// 适用的分类或商品名称
    pub scope_names: Vec<String>,
    /// 发放总量
    pub total_count: i32,
    /// 已领取
    pub received_count: i32,
    /// 已使用
    pub used_count: i32,
    /// 每人限领
    pub per_limit: i32,
    /// 领取开始时间
    pub receive_begins_at: Moment,
    /// 领取截止时间
    pub receive_ends_at: Moment,
    /// 有效期类型
    pub valid_type: CouponValidity,
    /// 有效期开始
    pub valid_from: Option<Moment>,
    /// 有效期结束
    pub valid_to: Option<Moment>,
    /// 有效天数
    pub valid_days: Option<i32>,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Coupon {
    pub(super) fn terms(&self) -> Terms {
        Terms {
            kind: self.coupon_type,
            threshold: self.threshold,
            amount: self.amount,
            rate: self.rate.and_then(hundredths),
            max_discount: self.max_discount,
        }
    }

    /// As it would have been typed.
    pub(super) fn typed(&self) -> TypedCoupon {
        TypedCoupon {
            coupon_name: self.coupon_name.clone(),
            terms: self.terms(),
            rate: self.rate,
            scope_type: self.scope_type,
            scope_product_type: self.scope_product_type,
            scope_ids: self.scope_ids.clone(),
            total_count: self.total_count,
            per_limit: self.per_limit,
            receive_begins_at: self.receive_begins_at,
            receive_ends_at: self.receive_ends_at,
            valid_type: self.valid_type,
            valid_from: self.valid_from,
            valid_to: self.valid_to,
            valid_days: self.valid_days,
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CouponFilter {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub coupon_name: Option<String>,
    /// 类型
    pub coupon_type: Option<CouponType>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CouponFilter,
    page: Option<Paging>,
) -> Rows<'c, Coupon> {
    let rows = sqlx::query_as!(
        Coupon,
        r#"select k.id, k.coupon_name, k.coupon_type as "coupon_type: _", k.threshold, k.amount, k.rate::float8 as "rate?",
                  k.max_discount, k.scope_type as "scope_type: _", k.scope_product_type as "scope_product_type: _", k.scope_ids,
                  array(select coalesce(g.category_name, c.course_name, x.exam_name, v.set_name, '编号' || s.id)
                        from unnest(k.scope_ids) with ordinality as s (id, place)
                        left join platform.online_category g on k.scope_type = 'category' and g.id = s.id
                        left join platform.online_course c on c.id = s.id and c.course_type = k.scope_product_type
                        left join platform.online_exam x on k.scope_product_type = 'exam' and x.id = s.id
                        left join platform.vip_set v on k.scope_product_type = 'vip' and v.id = s.id
                        order by s.place) as "scope_names!",
                  k.total_count, k.received_count, k.used_count, k.per_limit, k.receive_begins_at, k.receive_ends_at,
                  k.valid_type as "valid_type: _", k.valid_from, k.valid_to, k.valid_days, k.enabled, k.created_at, k.version
           from platform.coupon k
           where ($1::bigint is null or k.id = $1)
             and ($2::text is null or strpos(k.coupon_name, $2) > 0)
             and ($3::text is null or k.coupon_type = $3)
             and ($4::boolean is null or k.enabled = $4)
             and ($5::timestamptz is null or k.created_at >= $5)
             and ($6::timestamptz is null or k.created_at < $6)
           order by k.created_at desc, k.id desc limit $7 offset $8"#,
        only,
        filter.coupon_name,
        filter.coupon_type.map(CouponType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CouponFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.coupon k
           where ($1::text is null or strpos(k.coupon_name, $1) > 0)
             and ($2::text is null or k.coupon_type = $2)
             and ($3::boolean is null or k.enabled = $3)
             and ($4::timestamptz is null or k.created_at >= $4)
             and ($5::timestamptz is null or k.created_at < $5)"#,
        filter.coupon_name,
        filter.coupon_type.map(CouponType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Coupon> {
    let found = select(connection, Some(id), &CouponFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
