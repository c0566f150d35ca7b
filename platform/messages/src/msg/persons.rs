//! 用户消息: what single persons of the platform were told, delivery by delivery (01 §7.4). Those of a school's people stand
//! in the school.

use channels::enums::FailCode;
use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, BulkResult, Change, Error, Ids, Page, Paged, Paging, Reply, Result, Saved, Scope,
    clock::{Moment, day_began, day_ended},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use scenes::enums::Channel;
use sqlx::PgConnection;

use super::failures::{again, shown_address};
use crate::enums::DeliveryStatus;

permissions! {
    pages "/user/msg/user/list";
    InPlatform Reads  ListPersonMessages   = "user:pc:msg:user:list" "用户消息列表";
    InPlatform Writes ResendPersonMessages = "user:pc:msg:user:resend" "重发用户消息";
    InPlatform Writes DeletePersonMessage  = "user:pc:msg:user:delete" "删除用户消息";
}

/// How far back the list goes when no day is chosen.
const DAYS: i64 = 30;

/// One message to one person by one channel.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PersonMessage {
    /// 编号
    pub id: i64,
    /// 消息标题
    pub title: String,
    /// 接收人
    pub recipient_name: String,
    /// 账号
    pub recipient_no: Option<String>,
    /// 渠道
    pub channel: Channel,
    /// 地址
    pub address: Option<String>,
    /// 状态
    pub status: DeliveryStatus,
    /// 失败原因
    pub fail_code: Option<FailCode>,
    /// 次数
    pub attempts: i32,
    /// 创建时间
    pub created_at: Moment,
    /// 发送时间
    pub sent_at: Option<Moment>,
    /// 阅读时间
    pub read_at: Option<Moment>,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PersonMessageFilter {
    /// 接收人或标题
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 渠道
    pub channel: Option<Channel>,
    /// 状态
    pub status: Option<DeliveryStatus>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
}

pub struct PersonMessages;

#[OpenApi(prefix_path = "/user/pc/msg/user", tag = "crate::Tag::Messages")]
impl PersonMessages {
    /// 用户消息列表
    /// 不选日期时为近30天
    #[oai(path = "/list", method = "post", operation_id = "listPersonMessages")]
    async fn list(
        &self,
        caller: Allowed<ListPersonMessages>,
        Body(asked): Body<Paged<PersonMessageFilter>>,
    ) -> Result<Reply<Page<PersonMessage>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let since = since(caller.app(), &filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, since).await?;
        let list = select(&mut tx, None, &filter, since, Some(paging)).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 重发用户消息
    #[oai(path = "/resend", method = "post", operation_id = "resendPersonMessages")]
    async fn resend(
        &self,
        caller: Allowed<ResendPersonMessages>,
        Body(wanted): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(again(caller.begin().await?, &wanted.ids, &Scope::whole_school()).await?))
    }

    /// 删除用户消息
    #[oai(path = "/delete", method = "delete", operation_id = "deletePersonMessage")]
    async fn delete(
        &self,
        caller: Allowed<DeletePersonMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let found = select(&mut tx, Some(id.0), &PersonMessageFilter::default(), None, None).await?;
        let before = found.into_iter().next().ok_or_else(Error::not_found)?;
        let gone =
            sqlx::query!("delete from msg_delivery where id = $1 and status not in ('queued', 'delivering')", id.0)
                .execute(&mut *tx)
                .await?;
        if gone.rows_affected() == 0 {
            return Err(Error::conflict(format!("消息{}，发送结束后才能删除", before.status.zh())));
        }
        tx.commit(Change::deleted("msg_delivery", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

/// The newest only, unless a day is chosen.
fn since(app: &App, filter: &PersonMessageFilter) -> Option<Moment> {
    match (filter.starts_on, filter.ends_on) {
        (None, None) => Some(app.clock().now() - chrono::Duration::days(DAYS)),
        (starts_on, _) => starts_on.map(day_began),
    }
}

struct Row {
    id: i64,
    title: String,
    recipient_name: String,
    recipient_no: Option<String>,
    channel: Channel,
    address: Option<String>,
    status: DeliveryStatus,
    fail_code: Option<FailCode>,
    attempts: i32,
    created_at: Moment,
    sent_at: Option<Moment>,
    read_at: Option<Moment>,
}

impl From<Row> for PersonMessage {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            title: row.title,
            recipient_name: row.recipient_name,
            recipient_no: row.recipient_no,
            channel: row.channel,
            address: shown_address(row.channel, row.address),
            status: row.status,
            fail_code: row.fail_code,
            attempts: row.attempts,
            created_at: row.created_at,
            sent_at: row.sent_at,
            read_at: row.read_at,
        }
    }
}

async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &PersonMessageFilter,
    since: Option<Moment>,
    page: Option<Paging>,
) -> Result<Vec<PersonMessage>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select d.id, coalesce(d.rendered_title, m.title) as "title!", d.recipient_name, d.recipient_no,
                  d.channel as "channel: _", d.address, d.status as "status: _", d.fail_code as "fail_code: _", d.attempts,
                  d.created_at, d.sent_at, d.read_at
           from msg_delivery d join msg m on m.id = d.msg_id
           where ($1::bigint is null or d.id = $1)
             and ($2::text is null or strpos(d.recipient_name, $2) > 0 or starts_with(d.recipient_no, $2)
                  or strpos(m.title, $2) > 0)
             and ($3::text is null or d.channel = $3)
             and ($4::text is null or d.status = $4)
             and ($5::timestamptz is null or d.created_at >= $5)
             and ($6::timestamptz is null or d.created_at < $6)
           order by d.created_at desc, d.id desc limit $7 offset $8"#,
        only,
        filter.keyword,
        filter.channel.map(Channel::as_str),
        filter.status.map(DeliveryStatus::as_str),
        since,
        filter.ends_on.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(PersonMessage::from).collect())
}

async fn count(connection: &mut PgConnection, filter: &PersonMessageFilter, since: Option<Moment>) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from msg_delivery d join msg m on m.id = d.msg_id
           where ($1::text is null or strpos(d.recipient_name, $1) > 0 or starts_with(d.recipient_no, $1)
                  or strpos(m.title, $1) > 0)
             and ($2::text is null or d.channel = $2)
             and ($3::text is null or d.status = $3)
             and ($4::timestamptz is null or d.created_at >= $4)
             and ($5::timestamptz is null or d.created_at < $5)"#,
        filter.keyword,
        filter.channel.map(Channel::as_str),
        filter.status.map(DeliveryStatus::as_str),
        since,
        filter.ends_on.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}
