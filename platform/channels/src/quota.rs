//! 消息配额: how many segments a school may send in a month; what is beyond fails with code quota, and operators are warned
//! at four fifths (05 D2).

use chrono::{Datelike, NaiveDate};
use infra::{Allowed, Body, Change, Entity, Error, Part, Reply, Result, Saved, clock::Moment, permissions, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scenes::{
    enums::Channel,
    outbox::{Persons, notify},
    template::Values,
};
use serde_json::json;

use crate::workspace::Workspace;

permissions! {
    pages "/user/msg/scene/list";
    InPlatform Reads  ListQuotas = "user:pc:msg:quota" "消息配额";
    InPlatform Writes EditQuota  = "user:pc:msg:quota" "消息配额";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "msg_quota", name: "消息配额", counted: "个消息配额" }],
    ..Part::NONE
};

/// Segments of short messages a school has in a month unless operators set another number.
const DEFAULT_LIMIT: i64 = 20_000;

/// What a school has used this month.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Quota {
    /// 院校
    pub school_id: i64,
    /// 院校名称
    pub school_name: String,
    /// 渠道
    pub channel: Channel,
    /// 月份
    pub month: NaiveDate,
    /// 每月上限
    /// 0为不限
    pub monthly_limit: i64,
    /// 已用条数
    pub used: i64,
    /// 已提醒
    pub warned: bool,
}

/// A school's new limit, from this month on.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuotaForm {
    /// 院校
    pub school_id: i64,
    /// 每月上限
    /// 0为不限
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub monthly_limit: i64,
}

impl Example for QuotaForm {
    fn example() -> Self {
        Self { school_id: 1, monthly_limit: 50_000 }
    }
}

pub struct Quotas;

#[OpenApi(prefix_path = "/user/pc/msg/quota", tag = "crate::Tag::Channels")]
impl Quotas {
    /// 消息配额列表
    #[oai(path = "/list", method = "get", operation_id = "listQuotas")]
    async fn list(
        &self,
        caller: Allowed<ListQuotas>,
        /// 院校名称
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Vec<Quota>>> {
        let month = month_of(caller.app().clock().now())?;
        let mut tx = caller.read().await?;
        let rows = sqlx::query_as!(
            Quota,
            r#"select s.id as school_id, s.name as school_name, 'sms' as "channel!: Channel", $1::date as "month!",
                      coalesce(q.monthly_limit, l.monthly_limit, $2) as "monthly_limit!", coalesce(q.used, 0) as "used!",
                      q.warned_at is not null as "warned!"
               from platform.school s
               left join platform.msg_quota q on q.school_id = s.id and q.channel = 'sms' and q.month = $1
               left join lateral (select p.monthly_limit from platform.msg_quota p
                                  where p.school_id = s.id and p.channel = 'sms' and p.month < $1 order by p.month desc limit 1) l on true
               where s.deleted_at is null and s.status in ('trial', 'active') and ($3::text is null or strpos(s.name, $3) > 0)
               order by s.id"#,
            month,
            DEFAULT_LIMIT,
            keyword.0.filter(|text| !text.trim().is_empty())
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }

    /// 编辑消息配额
    #[oai(path = "/edit", method = "put", operation_id = "editQuota")]
    async fn edit(&self, caller: Allowed<EditQuota>, Body(form): Body<QuotaForm>) -> Result<Reply<Saved>> {
        let month = month_of(caller.app().clock().now())?;
        if caller.app().school(form.school_id).await?.is_none() {
            return Err(Error::field("schoolId", "院校不存在，请重新选择"));
        }
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let before = sqlx::query_scalar!(
            "select monthly_limit from platform.msg_quota where school_id = $1 and channel = 'sms' and month <= $2
             order by month desc limit 1",
            form.school_id,
            month
        )
        .fetch_optional(&mut *tx)
        .await?;
        let id = sqlx::query_scalar!(
            "insert into platform.msg_quota as q (school_id, channel, month, monthly_limit, created_by, updated_by)
             values ($1, 'sms', $2, $3, $4, $4)
             on conflict on constraint msg_quota_once do update
                 set monthly_limit = excluded.monthly_limit, warned_at = null, updated_at = now(), updated_by = excluded.updated_by,
                     version = q.version + 1
             returning id",
            form.school_id,
            month,
            form.monthly_limit,
            by
        )
        .fetch_one(&mut *tx)
        .await?;
        let before = before.unwrap_or(DEFAULT_LIMIT);
        let change = Change::status("msg_quota", id, "monthlyLimit", json!(before), json!(form.monthly_limit));
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

fn month_of(now: Moment) -> Result<NaiveDate> {
    now.date_naive().with_day(1).ok_or_else(|| Error::internal("every month has a first day"))
}

/// Which of these rows are beyond the school's quota; the others are counted as used. In their order.
pub async fn beyond(workspace: &Workspace, channel: Channel, wanted: Vec<(i64, i32)>, now: Moment) -> Result<Vec<i64>> {
    let Some(school) = workspace.school.as_ref() else { return Ok(Vec::new()) };
    let month = month_of(now)?;
    let mut tx = workspace.begin_in_platform().await?;
    let row = sqlx::query!(
        r#"insert into platform.msg_quota as q (school_id, channel, month, monthly_limit, created_by, updated_by)
           values ($1, $2, $3, coalesce((select p.monthly_limit from platform.msg_quota p
                                         where p.school_id = $1 and p.channel = $2 and p.month < $3
                                         order by p.month desc limit 1), $4), 0, 0)
           on conflict on constraint msg_quota_once do update set updated_at = now()
           returning id, monthly_limit, used, warned_at is not null as "warned!""#,
        school.id,
        channel.as_str(),
        month,
        DEFAULT_LIMIT
    )
    .fetch_one(&mut *tx)
    .await?;
    let mut used = row.used;
    let mut beyond = Vec::new();
    for (id, segments) in wanted {
        let after = used + i64::from(segments);
        if row.monthly_limit > 0 && after > row.monthly_limit {
            beyond.push(id);
        } else {
            used = after;
        }
    }
    let warn = row.monthly_limit > 0 && !row.warned && used * 5 >= row.monthly_limit * 4;
    sqlx::query!(
        "update platform.msg_quota set used = $2, warned_at = case when $3 then $4 else warned_at end where id = $1",
        row.id,
        used,
        warn,
        now
    )
    .execute(&mut *tx)
    .await?;
    if warn {
        let (used, limit) = (used.to_string(), row.monthly_limit.to_string());
        let values: Values =
            [("school", &*school.name), ("channel", channel.zh()), ("used", &*used), ("limit", &*limit)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        let key = format!("quota_warning:{}:{}:{month}:{limit}", school.id, channel.as_str());
        notify(&mut tx, "quota_warning", Persons::Holders("user:pc:msg:quota".to_owned()), values, Some(&key)).await?;
    }
    tx.commit_untracked("a counter of segments").await?;
    Ok(beyond)
}
