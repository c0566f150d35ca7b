//! By channel, by hour and by reason of failure: of one message in its schema, and of a platform's message as its schools report
//! it (05 D5).

use std::collections::BTreeMap;

use infra::{Error, Result, Scope};
use poem_openapi::{Object, types::ParseFromJSON};
use scenes::enums::Channel;
use sqlx::PgConnection;

use super::{ChannelFigures, FailFigures, HourFigures};

/// What a school tells beside its counters.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct SchoolReport {
    /// 短信条数
    pub(super) segments: i64,
    /// 按渠道
    pub(super) by_channel: Vec<ChannelFigures>,
    /// 按小时
    pub(super) by_hour: Vec<HourFigures>,
    /// 失败原因
    pub(super) by_fail_code: Vec<FailFigures>,
}

impl SchoolReport {
    /// Of all deliveries of a school's message.
    pub(crate) async fn of(connection: &mut PgConnection, id: i64) -> Result<Self> {
        Self::within(connection, id, &Scope::whole_school()).await
    }

    /// Of the deliveries within a data scope.
    pub(super) async fn within(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Self> {
        let segments = sqlx::query_scalar!(
            r#"select coalesce(sum(segments) filter (where sent_at is not null), 0)::bigint as "segments!" from msg_delivery
               where msg_id = $1 and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))"#,
            id,
            scope.sites(),
            scope.classes()
        )
        .fetch_one(&mut *connection)
        .await?;
        Ok(Self {
            segments,
            by_channel: by_channel(connection, id, scope).await?,
            by_hour: by_hour(connection, id, scope).await?,
            by_fail_code: by_fail_code(connection, id, scope).await?,
        })
    }

    /// The sum of what the schools of a platform's message reported.
    pub(super) async fn sum(connection: &mut PgConnection, id: i64) -> Result<Self> {
        let reports = sqlx::query_scalar!(
            r#"select figures as "figures!" from platform.msg_school where msg_id = $1 and figures is not null order by school_id"#,
            id
        )
        .fetch_all(connection)
        .await?;
        let mut sum = Self::default();
        let mut hours: BTreeMap<_, (i64, i64)> = BTreeMap::new();
        for report in reports {
            let report = Self::parse_from_json(Some(report)).map_err(|error| Error::internal(error.into_message()))?;
            sum.segments += report.segments;
            for part in report.by_channel {
                match sum.by_channel.iter_mut().find(|known| known.channel == part.channel) {
                    Some(known) => known.add(&part),
                    None => sum.by_channel.push(part),
                }
            }
            for part in report.by_hour {
                let hour = hours.entry(part.hour).or_default();
                *hour = (hour.0 + part.sent, hour.1 + part.read);
            }
            for part in report.by_fail_code {
                match sum.by_fail_code.iter_mut().find(|known| known.code == part.code) {
                    Some(known) => known.count += part.count,
                    None => sum.by_fail_code.push(part),
                }
            }
        }
        let place = |channel: Channel| Channel::CHOICES.iter().position(|(_, known)| *known == channel);
        sum.by_channel.sort_by_key(|part| place(part.channel));
        sum.by_fail_code.sort_by_key(|part| (-part.count, part.code.as_str()));
        sum.by_hour = hours.into_iter().map(|(hour, (sent, read))| HourFigures { hour, sent, read }).collect();
        Ok(sum)
    }

    /// Receipts of short messages; none where no channel sends any.
    pub(super) fn delivered(&self) -> Option<i64> {
        self.by_channel.iter().filter_map(|part| part.delivered).reduce(|a, b| a + b)
    }
}

impl ChannelFigures {
    fn add(&mut self, other: &Self) {
        self.deliveries += other.deliveries;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.waiting += other.waiting;
        self.delivered = [self.delivered, other.delivered].into_iter().flatten().reduce(|a, b| a + b);
    }
}

async fn by_channel(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Vec<ChannelFigures>> {
    let rows = sqlx::query_as!(
        ChannelFigures,
        r#"select channel as "channel: _", count(*) as "deliveries!",
                  count(*) filter (where status in ('sent', 'delivered') or (status = 'recalled' and sent_at is not null)) as "succeeded!",
                  case when bool_or(channel = 'sms' and provider_msg_id is not null)
                       then count(*) filter (where status = 'delivered') end as delivered,
                  count(*) filter (where status = 'failed') as "failed!",
                  count(*) filter (where status in ('queued', 'delivering')) as "waiting!"
           from msg_delivery
           where msg_id = $1 and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
           group by channel order by array_position(array['in_app', 'sms', 'wechat', 'app_push', 'mail'], channel)"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn by_hour(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Vec<HourFigures>> {
    let rows = sqlx::query!(
        r#"select date_trunc('hour', at) as "hour!", count(*) filter (where kind = 'sent') as "sent!",
                  count(*) filter (where kind = 'read') as "read!"
           from msg_delivery d
           cross join lateral (values ('sent', d.sent_at), ('read', d.read_at)) as t (kind, at)
           where d.msg_id = $1 and at is not null and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
           group by 1 order by 1 limit 500"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let shown = rows.into_iter().map(|row| HourFigures { hour: row.hour, sent: row.sent, read: row.read }).collect();
    Ok(shown)
}

async fn by_fail_code(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Vec<FailFigures>> {
    let rows = sqlx::query_as!(
        FailFigures,
        r#"select fail_code as "code!: _", count(*) as "count!" from msg_delivery
           where msg_id = $1 and status = 'failed' and fail_code is not null
             and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
           group by fail_code order by 2 desc, 1"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
