//! What is sold on the site: courses of three kinds, exams and memberships.

use infra::Result;
use learners::right::Product;
use sqlx::PgConnection;

/// A product as it stands now.
#[derive(Debug, Clone)]
pub struct Sold {
    pub name: String,
    /// 分.
    pub price_original: i64,
    pub price_sale: i64,
    /// None for ever; of membership its set says so.
    pub valid_days: Option<i32>,
    /// Of courses and exams.
    pub lecturer_id: Option<i64>,
    pub category_id: Option<i64>,
    /// Whether the site shows it.
    pub on_sale: bool,
}

/// None for what there is not.
///
/// # Errors
/// Those of the database.
pub async fn find(connection: &mut PgConnection, product: Product) -> Result<Option<Sold>> {
    let sold = sqlx::query_as!(
        Sold,
        r#"select c.course_name as "name!", c.price_original as "price_original!", c.price_sale as "price_sale!", c.valid_days,
                  c.lecturer_id, c.category_id,
                  c.enabled and c.putaway = 'on' and c.published_revision_id is not null as "on_sale!"
           from platform.online_course c where c.id = $1 and c.course_type = $2
           union all
           select x.exam_name, x.price_original, x.price_sale, null::integer, x.lecturer_id, x.category_id,
                  x.enabled and x.putaway = 'on' and x.published_revision_id is not null
           from platform.online_exam x where x.id = $1 and $2 = 'exam'
           union all
           select s.set_name, s.price_original, s.price, null::integer, null::bigint, null::bigint, s.enabled
           from platform.vip_set s where s.id = $1 and $2 = 'vip'"#,
        product.id,
        product.kind.as_str()
    )
    .fetch_optional(connection)
    .await?;
    Ok(sold)
}
