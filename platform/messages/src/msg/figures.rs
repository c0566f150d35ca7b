//! 发送统计: what became of a message (05 D5). Rates are computed from sums; a denominator of zero gives none.

use channels::enums::FailCode;
use infra::{Allowed, Reply, Result, Scope, clock::Moment, permissions, reply, share::percent};
use poem_openapi::{Object, OpenApi, param::Query};
use scenes::enums::Channel;
use sqlx::PgConnection;

use school_report::SchoolReport;

use super::find;
use crate::enums::MsgStatus;

pub(crate) mod school_report;

permissions! {
    pages "/user/msg/statistics", "/user/msg/list";
    AtHome Reads MessageStatistics = "user:pc:msg:statistics" "消息发送统计";
}

/// The totals.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MessageTotals {
    /// 接收人数
    pub persons: i64,
    /// 投递数
    pub deliveries: i64,
    /// 成功
    pub succeeded: i64,
    /// 失败
    pub failed: i64,
    /// 送达
    /// 服务商回执已送达的短信；没有会送回执的渠道时为空
    pub delivered: Option<i64>,
    /// 已读
    pub read: i64,
    /// 到达率
    /// 成功÷(成功＋失败)
    pub arrival_rate: Option<f64>,
    /// 阅读率
    /// 已读÷站内信成功
    pub read_rate: Option<f64>,
    /// 短信条数
    pub segments: i64,
}

/// A channel's part.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChannelFigures {
    /// 渠道
    pub channel: Channel,
    /// 投递数
    pub deliveries: i64,
    /// 成功
    pub succeeded: i64,
    /// 送达
    /// 没有回执的渠道为空
    pub delivered: Option<i64>,
    /// 失败
    pub failed: i64,
    /// 待发送
    pub waiting: i64,
}

/// An hour's part.
#[derive(Debug, Clone, Object)]
pub struct HourFigures {
    /// 时间
    pub hour: Moment,
    /// 发送
    pub sent: i64,
    /// 阅读
    pub read: i64,
}

/// A class's part.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassFigures {
    /// 站点
    pub site_name: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 接收人数
    pub persons: i64,
    /// 成功
    pub succeeded: i64,
    /// 失败
    pub failed: i64,
    /// 已读
    pub read: i64,
}

/// A school's part of a platform's message.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolFigures {
    /// 院校编号
    pub school_id: i64,
    /// 院校
    pub school_name: String,
    /// 状态
    pub status: String,
    /// 失败说明
    pub fail_reason: Option<String>,
    /// 接收人数
    pub persons: i64,
    /// 成功
    pub succeeded: i64,
    /// 失败
    pub failed: i64,
    /// 已读
    pub read: i64,
}

/// A reason of failures.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FailFigures {
    /// 失败原因
    pub code: FailCode,
    /// 条数
    pub count: i64,
}

/// Everything of a message.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MessageFigures {
    /// 标题
    pub title: String,
    /// 状态
    pub status: MsgStatus,
    /// 统计时间
    pub computed_at: Moment,
    /// 合计
    pub total: MessageTotals,
    /// 按渠道
    pub by_channel: Vec<ChannelFigures>,
    /// 按小时
    pub by_hour: Vec<HourFigures>,
    /// 按班级
    pub by_class: Vec<ClassFigures>,
    /// 按院校
    pub by_school: Vec<SchoolFigures>,
    /// 失败原因
    pub by_fail_code: Vec<FailFigures>,
}

pub struct Statistics;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Statistics {
    /// 消息发送统计
    #[oai(path = "/statistics", method = "get", operation_id = "viewMessageStatistics")]
    async fn statistics(
        &self,
        caller: Allowed<MessageStatistics>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<MessageFigures>> {
        let now = caller.app().clock().now();
        let inside = caller.session.school_id.is_some();
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let message = find(&mut tx, id.0).await?;
        let shared = !message.school_ids.is_empty();
        let told = if shared {
            SchoolReport::sum(&mut tx, id.0).await?
        } else {
            SchoolReport::within(&mut tx, id.0, &scope).await?
        };
        let total =
            if shared { of_schools(&mut tx, id.0, &told).await? } else { totals(&mut tx, id.0, &scope).await? };
        Ok(reply(MessageFigures {
            title: message.title,
            status: message.status,
            computed_at: now,
            total,
            by_channel: told.by_channel,
            by_hour: told.by_hour,
            by_class: if inside { by_class(&mut tx, id.0, &scope).await? } else { Vec::new() },
            by_school: if shared { by_school(&mut tx, id.0).await? } else { Vec::new() },
            by_fail_code: told.by_fail_code,
        }))
    }
}

async fn totals(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<MessageTotals> {
    let row = sqlx::query!(
        r#"select count(distinct (recipient_type, recipient_id)) as "persons!", count(*) as "deliveries!",
                  count(*) filter (where status in ('sent', 'delivered') or (status = 'recalled' and sent_at is not null)) as "succeeded!",
                  count(*) filter (where status = 'failed') as "failed!",
                  case when bool_or(channel = 'sms' and provider_msg_id is not null)
                       then count(*) filter (where status = 'delivered') end as delivered,
                  count(read_at) as "read!",
                  count(*) filter (where channel = 'in_app' and sent_at is not null) as "inbox!",
                  coalesce(sum(segments) filter (where sent_at is not null), 0)::bigint as "segments!"
           from msg_delivery
           where msg_id = $1 and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    Ok(MessageTotals {
        persons: row.persons,
        deliveries: row.deliveries,
        succeeded: row.succeeded,
        failed: row.failed,
        delivered: row.delivered,
        read: row.read,
        arrival_rate: percent(row.succeeded, row.succeeded + row.failed),
        read_rate: percent(row.read, row.inbox),
        segments: row.segments,
    })
}

/// The sums that the schools reported.
async fn of_schools(connection: &mut PgConnection, id: i64, told: &SchoolReport) -> Result<MessageTotals> {
    let row = sqlx::query!(
        "select person_count, total_count, sent_count, failed_count, inbox_count, read_count from msg where id = $1",
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(MessageTotals {
        persons: row.person_count,
        deliveries: row.total_count,
        succeeded: row.sent_count,
        failed: row.failed_count,
        delivered: told.delivered(),
        read: row.read_count,
        arrival_rate: percent(row.sent_count, row.sent_count + row.failed_count),
        read_rate: percent(row.read_count, row.inbox_count),
        segments: told.segments,
    })
}

async fn by_class(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Vec<ClassFigures>> {
    let rows = sqlx::query_as!(
        ClassFigures,
        r#"select t.name as "site_name?", c.name as "class_name?", d.persons as "persons!", d.succeeded as "succeeded!",
                  d.failed as "failed!", d.read as "read!"
           from (select site_id, class_id, count(distinct recipient_id) as persons,
                        count(*) filter (where status in ('sent', 'delivered') or (status = 'recalled' and sent_at is not null)) as succeeded,
                        count(*) filter (where status = 'failed') as failed, count(read_at) as read
                 from msg_delivery
                 where msg_id = $1 and recipient_type = 'student'
                   and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
                 group by site_id, class_id) d
           left join site t on t.id = d.site_id left join class c on c.id = d.class_id
           order by t.name nulls last, c.name nulls last limit 1000"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn by_school(connection: &mut PgConnection, id: i64) -> Result<Vec<SchoolFigures>> {
    let rows = sqlx::query!(
        "select s.id, s.name, p.status, p.fail_reason, p.person_count, p.sent_count, p.failed_count, p.read_count
         from platform.msg_school p join platform.school s on s.id = p.school_id where p.msg_id = $1 order by s.id",
        id
    )
    .fetch_all(connection)
    .await?;
    let words = |status: &str| match MsgStatus::parse(status) {
        Some(status) => status.zh().to_owned(),
        None => "等待院校".to_owned(),
    };
    let shown = rows
        .into_iter()
        .map(|row| SchoolFigures {
            school_id: row.id,
            school_name: row.name,
            status: words(&row.status),
            fail_reason: row.fail_reason,
            persons: row.person_count,
            succeeded: row.sent_count,
            failed: row.failed_count,
            read: row.read_count,
        })
        .collect();
    Ok(shown)
}
