//! How products with a part for promoters are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use learner_rules::enums::ProductType;
use poem_openapi::Object;
use sqlx::PgConnection;

/// A product with a part for promoters, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename = "ChosenProduct", rename_all = "camelCase")]
pub struct Chosen {
    /// 编号
    pub id: i64,
    /// 商品类型
    pub product_type: ProductType,
    /// 商品编号
    pub product_id: i64,
    /// 商品名称
    /// 商品已删除时为空
    pub product_name: Option<String>,
    /// 优惠价(分)
    pub price_sale: Option<i64>,
    /// 佣金比例
    pub ratio: f64,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 分享海报模板
    pub poster_template_id: Option<i64>,
    /// 分享海报模板名称
    pub poster_template_name: Option<String>,
    /// 推广订单数
    pub order_count: i64,
    /// 佣金合计(分)
    /// 已扣除退款收回的部分
    pub commission_total: i64,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename = "ChosenProductFilter", rename_all = "camelCase")]
pub struct ChosenFilter {
    /// 商品名称
    #[oai(validator(max_length = 60))]
    pub product_name: Option<String>,
    /// 商品类型
    pub product_type: Option<ProductType>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first. What was brought is that of all promoters of the product.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &ChosenFilter,
    page: Option<Paging>,
) -> Rows<'c, Chosen> {
    let rows = sqlx::query_as!(
        Chosen,
        r#"select h.id, h.product_type as "product_type: _", h.product_id,
                  coalesce(c.course_name, x.exam_name, v.set_name) as "product_name?",
                  coalesce(c.price_sale, x.price_sale, v.price) as "price_sale?", h.ratio::float8 as "ratio!", h.begins_at, h.ends_at,
                  h.poster_template_id, p.name as "poster_template_name?", d.orders as "order_count!",
                  d.commission as "commission_total!", h.enabled, h.created_at, h.version
           from platform.chosen h
           left join platform.online_course c on c.id = h.product_id and c.course_type = h.product_type
           left join platform.online_exam x on h.product_type = 'exam' and x.id = h.product_id
           left join platform.vip_set v on h.product_type = 'vip' and v.id = h.product_id
           left join platform.sharing_template p on p.id = h.poster_template_id
           cross join lateral (
               select count(*) as orders, coalesce(sum(r.amount - r.reversed), 0)::bigint as commission
               from platform.order_info o join platform.distribution r on r.order_id = o.id
               where o.product_type = h.product_type and o.product_id = h.product_id and o.promoter_id is not null) d
           where ($1::bigint is null or h.id = $1)
             and ($2::text is null or strpos(coalesce(c.course_name, x.exam_name, v.set_name), $2) > 0)
             and ($3::text is null or h.product_type = $3)
             and ($4::boolean is null or h.enabled = $4)
             and ($5::timestamptz is null or h.created_at >= $5)
             and ($6::timestamptz is null or h.created_at < $6)
           order by h.created_at desc, h.id desc limit $7 offset $8"#,
        only,
        filter.product_name,
        filter.product_type.map(ProductType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &ChosenFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.chosen h
           left join platform.online_course c on c.id = h.product_id and c.course_type = h.product_type
           left join platform.online_exam x on h.product_type = 'exam' and x.id = h.product_id
           left join platform.vip_set v on h.product_type = 'vip' and v.id = h.product_id
           where ($1::text is null or strpos(coalesce(c.course_name, x.exam_name, v.set_name), $1) > 0)
             and ($2::text is null or h.product_type = $2)
             and ($3::boolean is null or h.enabled = $3)
             and ($4::timestamptz is null or h.created_at >= $4)
             and ($5::timestamptz is null or h.created_at < $5)"#,
        filter.product_name,
        filter.product_type.map(ProductType::as_str),
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
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Chosen> {
    let found = select(connection, Some(id), &ChosenFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
