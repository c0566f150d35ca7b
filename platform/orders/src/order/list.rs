//! How orders are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    mask,
    naming::typed,
    transfer::Rows,
};
use learner_rules::enums::ProductType;
use order_rules::enums::{OrderAbnormal, OrderSource, OrderStatus};
use poem_openapi::{Object, types::Example};
use settings::pay_channel::PayType;
use sqlx::PgConnection;

/// An order, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Order {
    /// 编号
    pub id: i64,
    /// 订单号
    pub order_no: String,
    /// 学员
    pub learner_id: i64,
    /// 用户
    pub nickname: Option<String>,
    /// 手机号
    /// 下单时的手机号
    pub phone: String,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 商品名称
    pub product_name: String,
    /// 讲师姓名
    pub lecturer_name: Option<String>,
    /// 原价(分)
    pub price_original: i64,
    /// 优惠价(分)
    pub price_sale: i64,
    /// 秒杀活动
    pub seckill_name: Option<String>,
    /// 会员优惠(分)
    pub vip_discount: i64,
    /// 优惠券
    pub coupon_name: Option<String>,
    /// 优惠券优惠(分)
    pub coupon_discount: i64,
    /// 优惠(分)
    /// 原价与实付之差
    pub discount: i64,
    /// 实付(分)
    /// 待支付的订单为应付
    pub price_paid: i64,
    /// 已退(分)
    pub refunded_amount: i64,
    /// 支付方式
    pub pay_type: Option<PayType>,
    /// 支付通道
    pub channel_name: Option<String>,
    /// 交易流水号
    pub trade_no: Option<String>,
    /// 订单状态
    pub order_status: OrderStatus,
    /// 来源
    pub source: OrderSource,
    /// 推广人
    pub promoter_name: Option<String>,
    /// 佣金(分)
    pub commission: i64,
    /// 讲师分成(分)
    pub lecturer_profit: i64,
    /// 平台收入(分)
    pub platform_profit: i64,
    /// 手续费(分)
    /// 由平台承担
    pub fee_amount: i64,
    /// 异常
    pub abnormal: OrderAbnormal,
    /// 后台备注
    pub remark_admin: Option<String>,
    /// 支付截止时间
    pub pay_before: Moment,
    /// 支付时间
    pub paid_at: Option<Moment>,
    /// 关闭时间
    pub closed_at: Option<Moment>,
    /// 结算时间
    pub settled_at: Option<Moment>,
    /// 下单时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Order {
    /// As lists show it; the whole number is one call for one order (05 E4).
    pub(super) fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OrderFilter {
    /// 订单号
    /// 从开头匹配
    #[oai(validator(pattern = "^[0-9]{0,18}$"))]
    pub order_no: Option<String>,
    /// 手机号
    /// 从开头匹配
    #[oai(validator(pattern = "^[0-9]{0,11}$"))]
    pub phone: Option<String>,
    /// 商品名称
    #[oai(validator(max_length = 60))]
    pub product_name: Option<String>,
    /// 商品类型
    pub product_type: Option<ProductType>,
    /// 订单状态
    pub order_status: Option<OrderStatus>,
    /// 支付方式
    pub pay_type: Option<PayType>,
    /// 来源
    pub source: Option<OrderSource>,
    /// 异常
    pub abnormal: Option<OrderAbnormal>,
    /// 学员
    pub learner_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 下单日期起
    pub created_from: Option<NaiveDate>,
    /// 下单日期止
    pub created_to: Option<NaiveDate>,
    /// 支付日期起
    pub paid_from: Option<NaiveDate>,
    /// 支付日期止
    pub paid_to: Option<NaiveDate>,
}

impl Example for OrderFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// What the orders of a filter come to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OrderSums {
    /// 订单数
    pub orders: i64,
    /// 实付总额(分)
    pub paid: i64,
    /// 退款总额(分)
    pub refunded: i64,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &OrderFilter,
    page: Option<Paging>,
) -> Rows<'c, Order> {
    let rows = sqlx::query_as!(
        Order,
        r#"select o.id, o.order_no, o.learner_id, e.nickname, o.phone, o.product_type as "product_type: _", o.product_id,
                  o.product_name,
                  (select l.lecturer_name from platform.lecturer l where l.id = o.lecturer_id) as "lecturer_name?",
                  o.price_original, o.price_sale,
                  (select s.activity_name from platform.seckill s where s.id = o.seckill_id) as "seckill_name?", o.vip_discount,
                  (select k.coupon_name from platform.coupon_user u join platform.coupon k on k.id = u.coupon_id
                   where u.id = o.coupon_user_id) as "coupon_name?",
                  o.coupon_discount, greatest(o.price_original - o.price_paid, 0) as "discount!", o.price_paid,
                  o.refunded_amount, o.pay_type as "pay_type: _",
                  (select h.channel_name from platform.pay_channel h where h.id = o.channel_id) as "channel_name?", o.trade_no,
                  o.order_status as "order_status: _", o.source as "source: _",
                  (select coalesce(p.nickname, '学员' || p.id) from platform.user_ext p where p.id = o.promoter_id)
                      as "promoter_name?",
                  o.commission, o.lecturer_profit, o.platform_profit, o.fee_amount, o.abnormal as "abnormal: _", o.remark_admin,
                  o.pay_before, o.paid_at, o.closed_at, o.settled_at, o.created_at, o.version
           from platform.order_info o join platform.user_ext e on e.id = o.learner_id
           where ($1::bigint is null or o.id = $1)
             and ($2::text is null or starts_with(o.order_no, $2))
             and ($3::text is null or starts_with(o.phone, $3))
             and ($4::text is null or strpos(o.product_name, $4) > 0)
             and ($5::text is null or o.product_type = $5)
             and ($6::text is null or o.order_status = $6)
             and ($7::text is null or o.pay_type = $7)
             and ($8::text is null or o.source = $8)
             and ($9::text is null or o.abnormal = $9)
             and ($10::bigint is null or o.learner_id = $10)
             and ($11::bigint is null or o.lecturer_id = $11)
             and ($12::timestamptz is null or o.created_at >= $12)
             and ($13::timestamptz is null or o.created_at < $13)
             and ($14::timestamptz is null or o.paid_at >= $14)
             and ($15::timestamptz is null or o.paid_at < $15)
           order by o.created_at desc, o.id desc limit $16 offset $17"#,
        only,
        typed(filter.order_no.as_deref()),
        typed(filter.phone.as_deref()),
        typed(filter.product_name.as_deref()),
        filter.product_type.map(ProductType::as_str),
        filter.order_status.map(OrderStatus::as_str),
        filter.pay_type.map(PayType::as_str),
        filter.source.map(OrderSource::as_str),
        filter.abnormal.map(OrderAbnormal::as_str),
        filter.learner_id,
        filter.lecturer_id,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.paid_from.map(day_began),
        filter.paid_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many orders are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &OrderFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select o.order_status as "value!", count(*) as "count!" from platform.order_info o
           where ($1::text is null or starts_with(o.order_no, $1))
             and ($2::text is null or starts_with(o.phone, $2))
             and ($3::text is null or strpos(o.product_name, $3) > 0)
             and ($4::text is null or o.product_type = $4)
             and ($5::text is null or o.pay_type = $5)
             and ($6::text is null or o.source = $6)
             and ($7::text is null or o.abnormal = $7)
             and ($8::bigint is null or o.learner_id = $8)
             and ($9::bigint is null or o.lecturer_id = $9)
             and ($10::timestamptz is null or o.created_at >= $10)
             and ($11::timestamptz is null or o.created_at < $11)
             and ($12::timestamptz is null or o.paid_at >= $12)
             and ($13::timestamptz is null or o.paid_at < $13)
           group by o.order_status order by o.order_status"#,
        typed(filter.order_no.as_deref()),
        typed(filter.phone.as_deref()),
        typed(filter.product_name.as_deref()),
        filter.product_type.map(ProductType::as_str),
        filter.pay_type.map(PayType::as_str),
        filter.source.map(OrderSource::as_str),
        filter.abnormal.map(OrderAbnormal::as_str),
        filter.learner_id,
        filter.lecturer_id,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.paid_from.map(day_began),
        filter.paid_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

/// What was paid is that of orders that were paid, also when all of it went back.
pub(super) async fn sums(connection: &mut PgConnection, filter: &OrderFilter) -> Result<OrderSums> {
    let sums = sqlx::query_as!(
        OrderSums,
        r#"select count(*) as "orders!",
                  coalesce(sum(o.price_paid) filter (where o.order_status in ('paid', 'refunding', 'refunded')), 0)::bigint
                      as "paid!",
                  coalesce(sum(o.refunded_amount), 0)::bigint as "refunded!"
           from platform.order_info o
           where ($1::text is null or starts_with(o.order_no, $1))
             and ($2::text is null or starts_with(o.phone, $2))
             and ($3::text is null or strpos(o.product_name, $3) > 0)
             and ($4::text is null or o.product_type = $4)
             and ($5::text is null or o.order_status = $5)
             and ($6::text is null or o.pay_type = $6)
             and ($7::text is null or o.source = $7)
             and ($8::text is null or o.abnormal = $8)
             and ($9::bigint is null or o.learner_id = $9)
             and ($10::bigint is null or o.lecturer_id = $10)
             and ($11::timestamptz is null or o.created_at >= $11)
             and ($12::timestamptz is null or o.created_at < $12)
             and ($13::timestamptz is null or o.paid_at >= $13)
             and ($14::timestamptz is null or o.paid_at < $14)"#,
        typed(filter.order_no.as_deref()),
        typed(filter.phone.as_deref()),
        typed(filter.product_name.as_deref()),
        filter.product_type.map(ProductType::as_str),
        filter.order_status.map(OrderStatus::as_str),
        filter.pay_type.map(PayType::as_str),
        filter.source.map(OrderSource::as_str),
        filter.abnormal.map(OrderAbnormal::as_str),
        filter.learner_id,
        filter.lecturer_id,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        filter.paid_from.map(day_began),
        filter.paid_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(sums)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Order> {
    let found = select(connection, Some(id), &OrderFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
