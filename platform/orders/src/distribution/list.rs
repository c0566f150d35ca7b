//! How what promoters get is read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    mask,
    naming::typed,
    transfer::Rows,
};
use learner_rules::enums::ProductType;
use order_rules::enums::DistributionStatus;
use poem_openapi::Object;
use sqlx::PgConnection;

/// What a promoter gets of an order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Distribution {
    /// 编号
    pub id: i64,
    /// 订单
    pub order_id: i64,
    /// 订单号
    pub order_no: String,
    /// 推广人
    pub promoter_id: i64,
    /// 推广人昵称
    pub promoter_name: Option<String>,
    /// 推广人手机号
    pub promoter_phone: String,
    /// 购买人昵称
    pub buyer_name: Option<String>,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 商品名称
    pub product_name: String,
    /// 实付(分)
    pub price_paid: i64,
    /// 佣金比例
    pub ratio: f64,
    /// 佣金(分)
    pub amount: i64,
    /// 退款收回(分)
    pub reversed: i64,
    /// 状态
    pub status: DistributionStatus,
    /// 结算时间
    pub settled_at: Option<Moment>,
    /// 支付时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Distribution {
    /// As lists show it.
    pub(super) fn mask(&mut self) {
        self.promoter_phone = mask::phone(&self.promoter_phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct DistributionFilter {
    /// 订单号
    /// 从开头匹配
    #[oai(validator(pattern = "^[0-9]{0,18}$"))]
    pub order_no: Option<String>,
    /// 推广人手机号
    /// 从开头匹配
    #[oai(validator(pattern = "^[0-9]{0,11}$"))]
    pub promoter_phone: Option<String>,
    /// 推广人
    pub promoter_id: Option<i64>,
    /// 商品类型
    pub product_type: Option<ProductType>,
    /// 商品编号
    pub product_id: Option<i64>,
    /// 状态
    pub status: Option<DistributionStatus>,
    /// 支付日期起
    pub created_from: Option<NaiveDate>,
    /// 支付日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &DistributionFilter,
    page: Option<Paging>,
) -> Rows<'c, Distribution> {
    let rows = sqlx::query_as!(
        Distribution,
        r#"select d.id, d.order_id, o.order_no, d.promoter_id, p.nickname as promoter_name, p.phone as promoter_phone,
                  b.nickname as buyer_name, o.product_type as "product_type: _", o.product_id, o.product_name, o.price_paid,
                  d.ratio::float8 as "ratio!", d.amount, d.reversed, d.status as "status: _", o.settled_at, d.created_at, d.version
           from platform.distribution d
           join platform.order_info o on o.id = d.order_id
           join platform.user_ext p on p.id = d.promoter_id
           join platform.user_ext b on b.id = o.learner_id
           where ($1::bigint is null or d.id = $1)
             and ($2::text is null or starts_with(o.order_no, $2))
             and ($3::text is null or starts_with(p.phone, $3))
             and ($4::bigint is null or d.promoter_id = $4)
             and ($5::text is null or o.product_type = $5)
             and ($6::bigint is null or o.product_id = $6)
             and ($7::text is null or d.status = $7)
             and ($8::timestamptz is null or d.created_at >= $8)
             and ($9::timestamptz is null or d.created_at < $9)
           order by d.created_at desc, d.id desc limit $10 offset $11"#,
        only,
        typed(filter.order_no.as_deref()),
        typed(filter.promoter_phone.as_deref()),
        filter.promoter_id,
        filter.product_type.map(ProductType::as_str),
        filter.product_id,
        filter.status.map(DistributionStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &DistributionFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.distribution d
           join platform.order_info o on o.id = d.order_id
           join platform.user_ext p on p.id = d.promoter_id
           where ($1::text is null or starts_with(o.order_no, $1))
             and ($2::text is null or starts_with(p.phone, $2))
             and ($3::bigint is null or d.promoter_id = $3)
             and ($4::text is null or o.product_type = $4)
             and ($5::bigint is null or o.product_id = $5)
             and ($6::text is null or d.status = $6)
             and ($7::timestamptz is null or d.created_at >= $7)
             and ($8::timestamptz is null or d.created_at < $8)"#,
        typed(filter.order_no.as_deref()),
        typed(filter.promoter_phone.as_deref()),
        filter.promoter_id,
        filter.product_type.map(ProductType::as_str),
        filter.product_id,
        filter.status.map(DistributionStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Distribution> {
    let found = select(connection, Some(id), &DistributionFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
