//! How memberships that are sold are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::VipSet;

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct VipSetFilter {
    /// 名称
    #[oai(validator(max_length = 20))]
    pub set_name: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// In their order.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &VipSetFilter,
    page: Option<Paging>,
    now: Moment,
) -> Rows<'c, VipSet> {
    let rows = sqlx::query_as!(
        VipSet,
        r#"select s.id, s.set_name, s.months, s.price_original, s.price, s.discount_rate::float8 as "discount_rate!",
                  s.benefits,
                  (select count(distinct v.learner_id) from platform.user_vip v
                   where v.vip_set_id = s.id and v.from_at <= $6 and v.to_at > $6) as "member_count!",
                  s.sort, s.enabled, s.created_at, s.version
           from platform.vip_set s
           where ($1::bigint is null or s.id = $1)
             and ($2::text is null or strpos(s.set_name, $2) > 0)
             and ($3::boolean is null or s.enabled = $3)
             and ($4::timestamptz is null or s.created_at >= $4)
             and ($5::timestamptz is null or s.created_at < $5)
           order by s.sort, s.id desc limit $7 offset $8"#,
        only,
        filter.set_name,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        now,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &VipSetFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.vip_set s
           where ($1::text is null or strpos(s.set_name, $1) > 0)
             and ($2::boolean is null or s.enabled = $2)
             and ($3::timestamptz is null or s.created_at >= $3)
             and ($4::timestamptz is null or s.created_at < $4)"#,
        filter.set_name,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64, now: Moment) -> Result<VipSet> {
    let found = select(connection, Some(id), &VipSetFilter::default(), None, now).try_next().await?;
    found.ok_or_else(Error::not_found)
}
