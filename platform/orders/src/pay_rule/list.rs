//! How pay rules are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use order_rules::enums::PayTerminal;
use poem_openapi::Object;
use settings::pay_channel::PayType;
use sqlx::PgConnection;

/// A pay rule, as stored and shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PayRule {
    /// 编号
    pub id: i64,
    /// 终端
    pub terminal: PayTerminal,
    /// 支付方式
    pub pay_type: PayType,
    /// 支付通道
    pub channel_id: i64,
    /// 支付通道名称
    pub channel_name: String,
    /// 通道可用
    /// 已启用并完成配置
    pub channel_usable: bool,
    /// 最低金额(分)
    pub min_amount: i64,
    /// 最高金额(分)
    /// 为空不限
    pub max_amount: Option<i64>,
    /// 优先级
    /// 数字小的优先
    pub priority: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PayRuleFilter {
    /// 终端
    pub terminal: Option<PayTerminal>,
    /// 支付方式
    pub pay_type: Option<PayType>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// By terminal and way of paying, each in the order in which they are tried.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &PayRuleFilter,
    page: Option<Paging>,
) -> Rows<'c, PayRule> {
    let rows = sqlx::query_as!(
        PayRule,
        r#"select r.id, r.terminal as "terminal: _", r.pay_type as "pay_type: _", r.channel_id, h.channel_name,
                  h.enabled and h.configured as "channel_usable!", r.min_amount, r.max_amount, r.priority, r.enabled, r.created_at,
                  r.version
           from platform.pay_rule r join platform.pay_channel h on h.id = r.channel_id
           where ($1::bigint is null or r.id = $1)
             and ($2::text is null or r.terminal = $2)
             and ($3::text is null or r.pay_type = $3)
             and ($4::boolean is null or r.enabled = $4)
             and ($5::timestamptz is null or r.created_at >= $5)
             and ($6::timestamptz is null or r.created_at < $6)
           order by r.terminal, r.pay_type, r.priority, r.id limit $7 offset $8"#,
        only,
        filter.terminal.map(PayTerminal::as_str),
        filter.pay_type.map(PayType::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &PayRuleFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.pay_rule r
           where ($1::text is null or r.terminal = $1)
             and ($2::text is null or r.pay_type = $2)
             and ($3::boolean is null or r.enabled = $3)
             and ($4::timestamptz is null or r.created_at >= $4)
             and ($5::timestamptz is null or r.created_at < $5)"#,
        filter.terminal.map(PayTerminal::as_str),
        filter.pay_type.map(PayType::as_str),
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
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<PayRule> {
    let found = select(connection, Some(id), &PayRuleFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
