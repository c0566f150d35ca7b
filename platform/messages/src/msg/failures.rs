//! 失败记录: what did not arrive and why, and 重发 (05 D5). Without a message it shows the area's failures of thirty days.

use channels::enums::FailCode;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, App, Body, BulkFailure, BulkResult, Change, Ids, Page, Paged, Paging, Reply, Result, Scope, Tx,
    clock::{Moment, day_began, day_ended},
    mask, permissions, reply,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::{Object, OpenApi};
use scenes::{enums::Channel, outbox::TOPIC};
use serde_json::json;
use sqlx::PgConnection;

permissions! {
    pages "/user/msg/failureLog", "/user/msg/list";
    HomeOrNamed Reads  ListFailures = "user:pc:msg:failureLog" "消息失败记录";
    HomeOrNamed Writes Resend       = "user:pc:msg:resend" "重发消息";
}

/// How far back the list goes when no message is named.
const DAYS: i64 = 30;

/// A delivery that failed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Failure {
    /// 编号
    pub id: i64,
    /// 消息
    pub msg_id: i64,
    /// 消息标题
    pub title: String,
    /// 接收人
    pub recipient_name: String,
    /// 学号/账号
    pub recipient_no: Option<String>,
    /// 渠道
    pub channel: Channel,
    /// 地址
    pub address: Option<String>,
    /// 失败原因
    pub fail_code: Option<FailCode>,
    /// 服务商返回
    pub provider_status: Option<String>,
    /// 次数
    pub attempts: i32,
    /// 首次时间
    pub first_attempt_at: Option<Moment>,
    /// 最近时间
    pub last_attempt_at: Option<Moment>,
    /// 可重试
    pub retryable: bool,
    /// 可能重复
    pub maybe_twice: bool,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct FailureFilter {
    /// 消息
    pub id: Option<i64>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 失败原因
    pub fail_code: Option<FailCode>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
}

pub struct Failures;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Failures {
    /// 消息失败记录
    #[oai(path = "/failureLog", method = "post", operation_id = "listMessageFailures")]
    async fn list(
        &self,
        caller: Allowed<ListFailures>,
        Body(asked): Body<Paged<FailureFilter>>,
    ) -> Result<Reply<Page<Failure>>> {
        let (paging, mut filter) = (asked.paging()?, asked.filter);
        let since = since(caller.app(), &filter);
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        if let Some(id) = filter.id {
            filter.id = Some(super::meant(&mut tx, &caller, id).await?);
        }
        let total = count(&mut tx, &filter, since, &scope).await?;
        let list = select(&mut tx, &filter, since, &scope, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 重发消息
    /// 缺少联系方式的先补充，再重发
    #[oai(path = "/resend", method = "post", operation_id = "resendDeliveries")]
    async fn resend(&self, caller: Allowed<Resend>, Body(wanted): Body<Ids>) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        Ok(reply(again(caller.begin().await?, &wanted.ids, &scope).await?))
    }
}

/// Queues failed deliveries anew, their tries counted from the beginning; those without an address, and those of what was recalled, are
/// refused.
pub(super) async fn again(mut tx: Tx, ids: &[i64], scope: &Scope) -> Result<BulkResult> {
    let now = tx.app().clock().now();
    // Messages before their deliveries, as whoever recalls.
    sqlx::query_scalar!(
        "select id from msg where id in (select msg_id from msg_delivery where id = any($1)) order by id for update",
        ids
    )
    .fetch_all(&mut *tx)
    .await?;
    let rows = sqlx::query!(
        r#"select d.id, d.recipient_name, d.status, d.channel as "channel: Channel", d.fail_code as "fail_code: FailCode",
                  m.status = 'recalled' as "recalled!"
           from msg_delivery d join msg m on m.id = d.msg_id
           where d.id = any($1) and ($2::bigint[] is null or d.site_id = any($2) or d.class_id = any($3::bigint[]))
           order by d.id for update of d"#,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut failed = Vec::new();
    let mut queued = Vec::new();
    for id in ids {
        let Some(row) = rows.iter().find(|row| row.id == *id) else {
            failed.push(BulkFailure { id: *id, name: String::new(), msg: "记录不存在或已被删除".to_owned() });
            continue;
        };
        let refusal = match (row.status.as_str(), row.fail_code) {
            _ if row.recalled => Some("消息已撤回，不能重发".to_owned()),
            ("failed", Some(code)) if code.wants_address() => {
                Some(format!("请先补充接收人的{}", row.channel.address_words()))
            }
            ("failed", _) => None,
            _ => Some("只有失败的记录可以重发".to_owned()),
        };
        match refusal {
            Some(msg) => failed.push(BulkFailure { id: *id, name: row.recipient_name.clone(), msg }),
            None => queued.push(*id),
        }
    }
    if !queued.is_empty() {
        let place = sqlx::query_scalar!(
            r#"with again as (
                   update msg_delivery set status = 'queued', attempts = 0, fail_code = null, provider_status = null,
                          next_attempt_at = $2, expires_at = greatest(expires_at, $3)
                   where id = any($1) returning msg_id),
               counted as (select msg_id, count(*) as n from again group by msg_id order by msg_id)
               update msg m set failed_count = m.failed_count - c.n,
                      status = case when m.status in ('sent', 'failed') then 'sending' else m.status end
               from counted c where m.id = c.msg_id returning current_schema()::text as "place!""#,
            &queued,
            now,
            (now + chrono::Duration::days(7))
        )
        .fetch_all(&mut *tx)
        .await?;
        if let Some(place) = place.first() {
            tx.notice(TOPIC, place);
        }
    }
    let done = i64::try_from(queued.len()).unwrap_or(i64::MAX);
    let changes = queued.iter().map(|id| Change::event("msg_delivery", *id, "resend", json!({}))).collect();
    tx.commit_all(changes).await?;
    Ok(BulkResult { done, failed })
}

/// The newest failures only, unless a message is named.
fn since(app: &App, filter: &FailureFilter) -> Option<Moment> {
    let bound = app.clock().now() - chrono::Duration::days(DAYS);
    filter.id.is_none().then_some(bound)
}

pub(super) fn shown_address(channel: Channel, address: Option<String>) -> Option<String> {
    address.map(|address| match channel {
        Channel::Sms => mask::phone(&address),
        Channel::Mail => mask::email(&address),
        _ => address,
    })
}

struct Row {
    id: i64,
    msg_id: i64,
    title: String,
    recipient_name: String,
    recipient_no: Option<String>,
    channel: Channel,
    address: Option<String>,
    fail_code: Option<FailCode>,
    provider_status: Option<String>,
    attempts: i32,
    first_attempt_at: Option<Moment>,
    last_attempt_at: Option<Moment>,
    maybe_twice: bool,
}

impl From<Row> for Failure {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            msg_id: row.msg_id,
            title: row.title,
            recipient_name: row.recipient_name,
            recipient_no: row.recipient_no,
            channel: row.channel,
            address: shown_address(row.channel, row.address),
            fail_code: row.fail_code,
            provider_status: row.provider_status,
            attempts: row.attempts,
            first_attempt_at: row.first_attempt_at,
            last_attempt_at: row.last_attempt_at,
            retryable: row.fail_code.is_none_or(|code| !code.wants_address()),
            maybe_twice: row.maybe_twice,
        }
    }
}

fn select<'c>(
    connection: &'c mut PgConnection,
    filter: &FailureFilter,
    since: Option<Moment>,
    scope: &Scope,
    page: Option<Paging>,
) -> Rows<'c, Failure> {
    let rows = sqlx::query_as!(
        Row,
        r#"select d.id, d.msg_id, m.title, d.recipient_name, d.recipient_no, d.channel as "channel: _", d.address,
                  d.fail_code as "fail_code: _",
                  (select nullif(concat_ws(' ', a.provider_code, a.detail), '') from msg_attempt a
                   where a.delivery_id = d.id order by a.no desc, a.id desc limit 1) as provider_status,
                  d.attempts, d.first_attempt_at,
                  (select max(a.at) from msg_attempt a where a.delivery_id = d.id) as last_attempt_at, d.maybe_twice
           from msg_delivery d join msg m on m.id = d.msg_id
           where d.status = 'failed'
             and ($1::bigint is null or d.msg_id = $1)
             and ($2::text is null or d.channel = $2)
             and ($3::text is null or d.fail_code = $3)
             and ($4::timestamptz is null or d.created_at >= $4)
             and ($5::timestamptz is null or d.created_at >= $5)
             and ($6::timestamptz is null or d.created_at < $6)
             and ($7::bigint[] is null or d.site_id = any($7) or d.class_id = any($8::bigint[]))
           order by d.created_at desc, d.id desc limit $9 offset $10"#,
        filter.id,
        filter.channel.map(Channel::as_str),
        filter.fail_code.map(FailCode::as_str),
        since,
        filter.starts_on.map(day_began),
        filter.ends_on.map(day_ended),
        scope.sites() as Option<&[i64]>,
        scope.classes() as Option<&[i64]>,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(Failure::from))
}

async fn count(
    connection: &mut PgConnection,
    filter: &FailureFilter,
    since: Option<Moment>,
    scope: &Scope,
) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from msg_delivery d
           where d.status = 'failed'
             and ($1::bigint is null or d.msg_id = $1)
             and ($2::text is null or d.channel = $2)
             and ($3::text is null or d.fail_code = $3)
             and ($4::timestamptz is null or d.created_at >= $4)
             and ($5::timestamptz is null or d.created_at >= $5)
             and ($6::timestamptz is null or d.created_at < $6)
             and ($7::bigint[] is null or d.site_id = any($7) or d.class_id = any($8::bigint[]))"#,
        filter.id,
        filter.channel.map(Channel::as_str),
        filter.fail_code.map(FailCode::as_str),
        since,
        filter.starts_on.map(day_began),
        filter.ends_on.map(day_ended),
        scope.sites() as Option<&[i64]>,
        scope.classes() as Option<&[i64]>
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

impl Export for Failures {
    type Filter = FailureFilter;
    type Row = Failure;
    const KIND: &'static str = "msg.failures.export";
    type Permission = crate::msg::readers::ExportMessages;
    const TITLE: &'static str = "消息失败记录";
    const COLUMNS: &'static [Column<Failure>] = &[
        Column { heading: "消息标题", width: 30, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "接收人", width: 12, cell: |row| Cell::Text(row.recipient_name.clone()) },
        Column { heading: "学号/账号", width: 18, cell: |row| Cell::text(row.recipient_no.clone()) },
        Column { heading: "渠道", width: 10, cell: |row| Cell::Text(row.channel.zh().to_owned()) },
        Column { heading: "地址", width: 20, cell: |row| Cell::text(row.address.clone()) },
        Column { heading: "失败原因", width: 14, cell: |row| Cell::text(row.fail_code.map(FailCode::zh)) },
        Column { heading: "服务商返回", width: 30, cell: |row| Cell::text(row.provider_status.clone()) },
        Column { heading: "次数", width: 8, cell: |row| Cell::Int(i64::from(row.attempts)) },
        Column { heading: "首次时间", width: 20, cell: |row| Cell::time(row.first_attempt_at) },
        Column { heading: "最近时间", width: 20, cell: |row| Cell::time(row.last_attempt_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &FailureFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Failure>> {
        Ok(select(connection, filter, since(app, filter), scope, None))
    }
}
