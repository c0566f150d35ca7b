//! How pay channels are read, and their sheet. They are not imported.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{PayChannels, PayProvider, PayType};

/// A way to be paid.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PayChannel {
    /// 编号
    pub id: i64,
    /// 通道编码
    pub channel_code: String,
    /// 通道名称
    pub channel_name: String,
    /// 服务商
    pub provider: PayProvider,
    /// 支付方式
    pub pay_type: PayType,
    /// 手续费率
    /// 0.006即0.6%
    pub fee_rate: f64,
    /// 图标
    pub logo: Option<String>,
    /// 已配置
    pub configured: bool,
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
pub struct PayChannelFilter {
    /// 通道名称
    #[oai(validator(max_length = 30))]
    pub channel_name: Option<String>,
    /// 服务商
    pub provider: Option<PayProvider>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// The oldest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &PayChannelFilter,
    page: Option<Paging>,
) -> Rows<'c, PayChannel> {
    let rows = sqlx::query_as!(
        PayChannel,
        r#"select id, channel_code, channel_name, provider as "provider: _", pay_type as "pay_type: _",
                  fee_rate::float8 as "fee_rate!", logo, configured, enabled, created_at, version
           from platform.pay_channel
           where ($1::bigint is null or id = $1)
             and ($2::text is null or strpos(channel_name, $2) > 0)
             and ($3::text is null or provider = $3)
             and ($4::boolean is null or enabled = $4)
             and ($5::timestamptz is null or created_at >= $5)
             and ($6::timestamptz is null or created_at < $6)
           order by id limit $7 offset $8"#,
        only,
        filter.channel_name,
        filter.provider.map(PayProvider::as_str),
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &PayChannelFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.pay_channel
           where ($1::text is null or strpos(channel_name, $1) > 0)
             and ($2::text is null or provider = $2)
             and ($3::boolean is null or enabled = $3)
             and ($4::timestamptz is null or created_at >= $4)
             and ($5::timestamptz is null or created_at < $5)"#,
        filter.channel_name,
        filter.provider.map(PayProvider::as_str),
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
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<PayChannel> {
    let found = select(connection, Some(id), &PayChannelFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

impl Export for PayChannels {
    type Filter = PayChannelFilter;
    type Row = PayChannel;
    const KIND: &'static str = "payChannel.export";
    type Permission = super::ExportPayChannels;
    const TITLE: &'static str = "支付通道";
    const COLUMNS: &'static [Column<PayChannel>] = &[
        Column { heading: "通道编码", width: 16, cell: |channel| Cell::Text(channel.channel_code.clone()) },
        Column { heading: "通道名称", width: 20, cell: |channel| Cell::Text(channel.channel_name.clone()) },
        Column { heading: "服务商", width: 14, cell: |channel| Cell::Text(channel.provider.zh().to_owned()) },
        Column { heading: "支付方式", width: 12, cell: |channel| Cell::Text(channel.pay_type.zh().to_owned()) },
        Column { heading: "手续费率", width: 10, cell: |channel| rate(channel.fee_rate) },
        Column { heading: "已配置", width: 8, cell: |channel| Cell::Bool(channel.configured) },
        Column { heading: "启用", width: 8, cell: |channel| Cell::Bool(channel.enabled) },
        Column { heading: "创建时间", width: 20, cell: |channel| Cell::DateTime(channel.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PayChannelFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, PayChannel>> {
        Ok(select(connection, None, filter, None))
    }
}

/// Four places.
fn rate(part: f64) -> Cell {
    Cell::Decimal((part * 10_000.0).round() as i64, 4)
}
