//! 消息事件: [`notify`] writes what happened into the transaction of the business; the dispatcher makes messages of it after
//! the commit (01 §6.4, 05 D2). A rolled-back change leaves no event, a repeated one with the same key none either.

use std::sync::Arc;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Entity, Error, Ids, Page, Paged, Paging, Part, Reply, Result, Tx,
    clock::{Moment, day_began, day_ended},
    directory::School,
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::enums::{Channel, OutboxStatus, SkipReason, words_of};

/// Under this topic a transaction says that its place has work; the key is the place's schema.
pub const TOPIC: &str = "messages";

permissions! {
    pages "/user/msg/scene/list";
    InPlatform Reads  ListEvents  = "user:pc:msg:outbox" "消息事件";
    InPlatform Writes RetryEvents = "user:pc:msg:outbox" "消息事件";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "event_outbox", name: "消息事件", counted: "个消息事件" }],
    ..Part::NONE
};

/// Whom an event is told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonKind {
    /// A row of `student`.
    Student,
    /// A row of `teacher`.
    Teacher,
    /// A row of `site_staff`.
    SiteStaff,
    /// A row of `class_manager`.
    ClassManager,
    /// An account of the back-office.
    Account,
    /// A row of `pre_registration`: somebody without any account, who has no inbox.
    PreRegistration,
    /// A row of `admission`: somebody who is a student only after they report, and has no inbox before.
    Admission,
    /// A row of `user_ext`: a customer of the operators' site.
    Learner,
}

impl PersonKind {
    pub const ALL: [Self; 8] = [
        Self::Student,
        Self::Teacher,
        Self::SiteStaff,
        Self::ClassManager,
        Self::Account,
        Self::PreRegistration,
        Self::Admission,
        Self::Learner,
    ];

    /// As deliveries name it, and `client_account.owner_kind` where there is one.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Teacher => "teacher",
            Self::SiteStaff => "site_staff",
            Self::ClassManager => "class_manager",
            Self::Account => "account",
            Self::PreRegistration => "pre_registration",
            Self::Admission => "admission",
            Self::Learner => "learner",
        }
    }

    /// Whether such people sign in to a client of the school.
    pub fn has_client(self) -> bool {
        !matches!(self, Self::Account | Self::PreRegistration | Self::Admission | Self::Learner)
    }

    /// Whether such people have an inbox of any kind; the others are told by short message and mail alone.
    pub fn has_inbox(self) -> bool {
        !matches!(self, Self::PreRegistration | Self::Admission)
    }
}

/// A person by kind and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub kind: PersonKind,
    pub id: i64,
}

/// The persons of an event: named, or found when it is dispatched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persons {
    Recipients(Vec<Person>),
    /// The operators who hold a permission code; only of events in `platform`.
    Holders(String),
}

/// What stands in the payload of a message event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    #[serde(flatten)]
    pub persons: Persons,
    pub variables: crate::template::Values,
    /// The channels that somebody chose; of those that are off none is used. Empty: all that are on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<String>,
}

/// How an event is told where somebody said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Telling {
    /// Of those that are on; empty: all of them.
    pub channels: Vec<Channel>,
    /// Not before this moment; none: at once.
    pub not_before: Option<Moment>,
}

/// Tells persons of a scene when the caller's transaction commits: inbox, short message and so on, as scene, switches and
/// templates decide. `dedupe_key` makes a repetition of the same event harmless (`score_published:sheet:812`).
///
/// 02 §16; every module sends messages only through this.
pub async fn notify(
    tx: &mut Tx,
    scene: &str,
    persons: Persons,
    variables: crate::template::Values,
    dedupe_key: Option<&str>,
) -> Result<()> {
    notify_so(tx, scene, persons, variables, (dedupe_key, &Telling::default())).await
}

/// The same by some channels alone, or not before a moment.
///
/// # Errors
/// Those of the database.
pub async fn notify_so(
    tx: &mut Tx,
    scene: &str,
    persons: Persons,
    variables: crate::template::Values,
    (dedupe_key, telling): (Option<&str>, &Telling),
) -> Result<()> {
    let now = tx.app().clock().now();
    let payload = json!(Payload { persons, variables, channels: words_of(&telling.channels) });
    let place = sqlx::query_scalar!(
        r#"insert into event_outbox (kind, name, payload, dedupe_key, occurred_at, next_attempt_at)
           values ('message', $1, $2, $3, $4, $5)
           on conflict (dedupe_key) where dedupe_key is not null do nothing
           returning current_schema()::text as "place!""#,
        scene,
        payload,
        dedupe_key,
        now,
        telling.not_before.filter(|from| *from > now).unwrap_or(now)
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(place) = place {
        tx.notice(TOPIC, place);
    }
    Ok(())
}

/// An event that waits to be told.
pub struct Event {
    pub id: i64,
    pub scene: String,
    pub payload: Value,
    /// Attempts that failed so far.
    pub attempts: i32,
    pub occurred_at: Moment,
}

/// The next event that is due, kept from other servers until the transaction ends.
pub async fn take(tx: &mut Tx, now: Moment) -> Result<Option<Event>> {
    let event = sqlx::query_as!(
        Event,
        "select id, name as scene, payload, attempts, occurred_at from event_outbox
         where status = 'pending' and kind = 'message' and next_attempt_at <= $1
         order by id limit 1 for update skip locked",
        now
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(event)
}

/// An event that was told, or skipped for a reason.
pub async fn ended(tx: &mut Tx, id: i64, skipped: Option<SkipReason>, now: Moment) -> Result<()> {
    sqlx::query!(
        "update event_outbox set status = $2, skip_reason = $3, attempts = attempts + 1, processed_at = $4 where id = $1",
        id,
        if skipped.is_some() { "skipped" } else { "done" },
        skipped.map(SkipReason::as_str),
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An event whose telling failed: due again at a moment, or failed for good.
pub async fn put_off(tx: &mut Tx, id: i64, until: Option<Moment>, now: Moment) -> Result<()> {
    let status = if until.is_some() { "pending" } else { "failed" };
    sqlx::query!(
        "update event_outbox set attempts = attempts + 1, status = $2, next_attempt_at = $3,
                processed_at = case when $2 = 'failed' then $4::timestamptz end
         where id = $1 and status = 'pending'",
        id,
        status,
        until.unwrap_or(now),
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes events that ended before `done` or failed before `failed`, so many at most; answers how many went.
pub async fn sweep(tx: &mut Tx, done: Moment, failed: Moment, most: i64) -> Result<u64> {
    let events = sqlx::query!(
        "delete from event_outbox where id in (
             select id from event_outbox
             where occurred_at < $1 and (status in ('done', 'skipped') or status = 'failed' and occurred_at < $2)
             order by occurred_at limit $3)",
        done,
        failed,
        most
    )
    .execute(&mut **tx)
    .await?;
    Ok(events.rows_affected())
}

/// Takes away the events that name these persons. Events that are done stay a month: a look at all of them is short.
pub async fn forget(tx: &mut Tx, kind: PersonKind, ids: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from event_outbox e
         where e.kind = 'message'
           and exists (select from jsonb_array_elements(e.payload -> 'recipients') r
                       where r ->> 'kind' = $1 and (r ->> 'id')::bigint = any($2))",
        kind.as_str(),
        ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An event and what became of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OutboxEvent {
    /// 编号
    pub id: i64,
    /// 场景编码
    pub scene_code: String,
    /// 去重键
    pub dedupe_key: Option<String>,
    /// 接收人数
    pub person_count: i64,
    /// 事件状态
    pub status: OutboxStatus,
    /// 跳过原因
    pub skip_reason: Option<SkipReason>,
    /// 次数
    pub attempts: i32,
    /// 发生时间
    pub occurred_at: Moment,
    /// 处理时间
    pub processed_at: Option<Moment>,
}

/// What a list asks for. Without a school it shows the platform's own events.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OutboxFilter {
    /// 院校
    pub school_id: Option<i64>,
    /// 事件状态
    pub status: Option<OutboxStatus>,
    /// 场景编码
    #[oai(validator(max_length = 50))]
    pub scene_code: Option<String>,
    /// 开始日期
    pub starts_on: Option<NaiveDate>,
    /// 结束日期
    pub ends_on: Option<NaiveDate>,
}

/// Which events are tried again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OutboxRetry {
    /// 院校
    pub school_id: Option<i64>,
    #[oai(flatten)]
    pub ids: Ids,
}

impl Example for OutboxRetry {
    fn example() -> Self {
        Self { school_id: None, ids: Ids { ids: vec![1] } }
    }
}

pub struct Outbox;

#[OpenApi(prefix_path = "/user/pc/msg/outbox", tag = "crate::Tag::Scenes")]
impl Outbox {
    /// 消息事件列表
    #[oai(path = "/list", method = "post", operation_id = "listOutboxEvents")]
    async fn list(
        &self,
        caller: Allowed<ListEvents>,
        Body(asked): Body<Paged<OutboxFilter>>,
    ) -> Result<Reply<Page<OutboxEvent>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = match filter.school_id {
            Some(id) => caller.look_into(&*school(caller.app(), id).await?).await?,
            None => caller.read().await?,
        };
        Ok(reply(page(&mut tx, &filter, paging).await?))
    }

    /// 重试消息事件
    #[oai(path = "/retry", method = "put", operation_id = "retryOutboxEvents")]
    async fn retry(&self, caller: Allowed<RetryEvents>, Body(wanted): Body<OutboxRetry>) -> Result<Reply<BulkResult>> {
        let mut tx = match wanted.school_id {
            Some(id) => caller.begin_in(&*school(caller.app(), id).await?).await?,
            None => caller.begin().await?,
        };
        let ids = wanted.ids.ids;
        let now = caller.app().clock().now();
        let again = sqlx::query!(
            r#"update event_outbox set status = 'pending', skip_reason = null, attempts = 0, next_attempt_at = $2, processed_at = null
               where id = any($1) and kind = 'message' and status in ('failed', 'skipped')
               returning id, name, current_schema()::text as "place!""#,
            &ids,
            now
        )
        .fetch_all(&mut *tx)
        .await?;
        let left: Vec<i64> = ids.iter().copied().filter(|id| again.iter().all(|row| row.id != *id)).collect();
        let known =
            sqlx::query!(r#"select id, name from event_outbox where id = any($1)"#, &left).fetch_all(&mut *tx).await?;
        let failed = left
            .into_iter()
            .map(|id| match known.iter().find(|row| row.id == id) {
                Some(row) => {
                    BulkFailure {
                        id, name: row.name.clone(), msg: "只有失败或已跳过的事件可以重试".to_owned()
                    }
                }
                None => BulkFailure { id, name: String::new(), msg: "记录不存在或已被删除".to_owned() },
            })
            .collect();
        if let Some(row) = again.first() {
            tx.notice(TOPIC, &row.place);
        }
        let done = i64::try_from(again.len()).unwrap_or(i64::MAX);
        let changes = again
            .iter()
            .map(|row| Change::event("event_outbox", row.id, "retry", json!({ "scene": row.name })))
            .collect();
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed }))
    }
}

async fn school(app: &infra::App, id: i64) -> Result<Arc<School>> {
    app.school(id).await?.ok_or_else(|| Error::field("schoolId", "院校不存在，请重新选择"))
}

async fn page(connection: &mut PgConnection, filter: &OutboxFilter, paging: Paging) -> Result<Page<OutboxEvent>> {
    let (status, scene) = (filter.status.map(OutboxStatus::as_str), filter.scene_code.as_deref());
    let (from, to) = (filter.starts_on.map(day_began), filter.ends_on.map(day_ended));
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from event_outbox e
           where e.kind = 'message' and ($1::text is null or e.status = $1) and ($2::text is null or e.name = $2)
             and ($3::timestamptz is null or e.occurred_at >= $3) and ($4::timestamptz is null or e.occurred_at < $4)"#,
        status,
        scene,
        from,
        to
    )
    .fetch_one(&mut *connection)
    .await?;
    let rows = sqlx::query!(
        r#"select e.id, e.name, e.dedupe_key, coalesce(jsonb_array_length(e.payload -> 'recipients'), 0)::bigint as "person_count!",
                  e.status as "status: OutboxStatus", e.skip_reason as "skip_reason: SkipReason", e.attempts, e.occurred_at,
                  e.processed_at
           from event_outbox e
           where e.kind = 'message' and ($1::text is null or e.status = $1) and ($2::text is null or e.name = $2)
             and ($3::timestamptz is null or e.occurred_at >= $3) and ($4::timestamptz is null or e.occurred_at < $4)
           order by e.occurred_at desc, e.id desc limit $5 offset $6"#,
        status,
        scene,
        from,
        to,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    let list = rows
        .into_iter()
        .map(|row| OutboxEvent {
            id: row.id,
            scene_code: row.name,
            dedupe_key: row.dedupe_key,
            person_count: row.person_count,
            status: row.status,
            skip_reason: row.skip_reason,
            attempts: row.attempts,
            occurred_at: row.occurred_at,
            processed_at: row.processed_at,
        })
        .collect();
    Ok(paging.page(total, list))
}
