//! How seckills are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use learner_rules::enums::ProductType;
use marketing_rules::seckill::{SeckillForm, SeckillState};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A seckill, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Seckill {
    /// 编号
    pub id: i64,
    /// 活动名称
    pub activity_name: String,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 商品名称
    /// 商品已删除时为空
    pub product_name: Option<String>,
    /// 优惠价(分)
    pub price_sale: Option<i64>,
    /// 秒杀价(分)
    pub seckill_price: i64,
    /// 库存
    pub stock_total: i32,
    /// 已售
    pub stock_sold: i32,
    /// 占用
    /// 已下单、尚未付款
    pub stock_locked: i32,
    /// 每人限购
    pub per_limit: i32,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 活动状态
    pub state: SeckillState,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Seckill {
    /// As it would have been typed.
    pub(super) fn typed(&self) -> SeckillForm {
        SeckillForm {
            activity_name: self.activity_name.clone(),
            product_type: self.product_type,
            product_id: self.product_id,
            seckill_price: self.seckill_price,
            stock_total: self.stock_total,
            per_limit: Some(self.per_limit),
            begins_at: self.begins_at,
            ends_at: self.ends_at,
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SeckillFilter {
    /// 活动名称
    #[oai(validator(max_length = 30))]
    pub activity_name: Option<String>,
    /// 商品类型
    pub product_type: Option<ProductType>,
    /// 活动状态
    pub state: Option<SeckillState>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// Those that begin last first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &SeckillFilter,
    page: Option<Paging>,
    now: Moment,
) -> Rows<'c, Seckill> {
    let rows = sqlx::query_as!(
        Seckill,
        r#"select s.id, s.activity_name, s.product_type as "product_type: _", s.product_id,
                  coalesce(c.course_name, x.exam_name, v.set_name) as "product_name?",
                  coalesce(c.price_sale, x.price_sale, v.price) as "price_sale?",
                  s.seckill_price, s.stock_total, s.stock_sold, s.stock_locked, s.per_limit, s.begins_at, s.ends_at,
                  case when $2::timestamptz < s.begins_at then 'waiting' when $2 < s.ends_at then 'running' else 'ended' end
                      as "state!: _",
                  s.enabled, s.created_at, s.version
           from platform.seckill s
           left join platform.online_course c on c.id = s.product_id and c.course_type = s.product_type
           left join platform.online_exam x on s.product_type = 'exam' and x.id = s.product_id
           left join platform.vip_set v on s.product_type = 'vip' and v.id = s.product_id
           where ($1::bigint is null or s.id = $1)
             and ($3::text is null or strpos(s.activity_name, $3) > 0)
             and ($4::text is null or s.product_type = $4)
             and ($5::text is null or case $5 when 'waiting' then s.begins_at > $2
                                              when 'running' then s.begins_at <= $2 and s.ends_at > $2 else s.ends_at <= $2 end)
             and ($6::boolean is null or s.enabled = $6)
             and ($7::timestamptz is null or s.created_at >= $7)
             and ($8::timestamptz is null or s.created_at < $8)
           order by s.begins_at desc, s.id desc limit $9 offset $10"#,
        only,
        now as _,
        filter.activity_name,
        filter.product_type.map(ProductType::as_str),
        filter.state.map(SeckillState::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &SeckillFilter, now: Moment) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.seckill s
           where ($1::text is null or strpos(s.activity_name, $1) > 0)
             and ($2::text is null or s.product_type = $2)
             and ($3::text is null or case $3 when 'waiting' then s.begins_at > $7::timestamptz
                                              when 'running' then s.begins_at <= $7 and s.ends_at > $7 else s.ends_at <= $7 end)
             and ($4::boolean is null or s.enabled = $4)
             and ($5::timestamptz is null or s.created_at >= $5)
             and ($6::timestamptz is null or s.created_at < $6)"#,
        filter.activity_name,
        filter.product_type.map(ProductType::as_str),
        filter.state.map(SeckillState::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        now as _
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64, now: Moment) -> Result<Seckill> {
    let found = select(connection, Some(id), &SeckillFilter::default(), None, now).try_next().await?;
    found.ok_or_else(Error::not_found)
}
