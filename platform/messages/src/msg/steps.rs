//! 发送、取消定时、撤回、提醒未读: the steps of a message (01 §7.2).

use infra::{
    Allowed, App, Change, Error, Reply, Result, Saved, Tx,
    access::{MayWrite, Permission},
    clock::Moment,
    permissions, reply,
};
use poem_openapi::{OpenApi, param::Query};
use scenes::{html, outbox::TOPIC};
use serde_json::json;
use settings::sensitive;
use sqlx::PgConnection;

use super::{CancelMessage, Message, RecallMessage, SendMessage, find, meant};
use crate::{
    audience::{self, Chosen},
    enums::{MsgAudience, MsgStatus, SendMode},
    resolve,
};

permissions! {
    pages "/user/msg/checkStatistics", "/user/msg/list";
    HomeOrNamed Writes RemindUnread = "user:pc:msg:remind" "提醒未读";
}

/// The unread are reminded at most once in so many hours.
const REMIND_HOURS: i64 = 24;

pub struct Steps;

#[OpenApi(prefix_path = "/user/pc/msg", tag = "crate::Tag::Messages")]
impl Steps {
    /// 发送消息
    /// 立即发送的开始发送，定时发送的等待到发送时间
    #[oai(path = "/send", method = "post", operation_id = "sendMessage")]
    async fn send(
        &self,
        caller: Allowed<SendMessage>,
        /// 编号
        id: Query<i64>,
        /// 包含敏感词时仍然发送
        force: Query<Option<bool>>,
    ) -> Result<Reply<Saved>> {
        send(&caller, id.0, force.0 == Some(true)).await
    }

    /// 取消定时发送
    #[oai(path = "/cancel", method = "put", operation_id = "cancelMessage")]
    async fn cancel(
        &self,
        caller: Allowed<CancelMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        cancel(&caller, id.0).await
    }

    /// 撤回消息
    /// 未读的站内信消失，已发出的短信和邮件不能撤回
    #[oai(path = "/recall", method = "put", operation_id = "recallMessage")]
    async fn recall(
        &self,
        caller: Allowed<RecallMessage>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        recall_everywhere(&caller, id.0).await
    }

    /// 提醒未读
    #[oai(path = "/remind", method = "post", operation_id = "remindUnread")]
    async fn remind(
        &self,
        caller: Allowed<RemindUnread>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        if caller.school_id().is_none() {
            return Err(Error::field("schoolId", "请选择院校"));
        }
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let id = meant(&mut tx, &caller, id.0).await?;
        let message = lock(&mut tx, id).await?;
        if !matches!(message.status, MsgStatus::Sending | MsgStatus::Sent) {
            return Err(Error::conflict(format!("消息{}，不能提醒", message.status.zh())));
        }
        not_yet_today(&mut tx, id, now).await?;
        let scope = caller.scope();
        let unread = sqlx::query_scalar!(
            "select recipient_id from msg_delivery
             where msg_id = $1 and channel = 'in_app' and status = 'sent' and read_at is null and recipient_type = $4
               and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))",
            id,
            scope.sites(),
            scope.classes(),
            message.audience.person_kind().as_str()
        )
        .fetch_all(&mut *tx)
        .await?;
        if unread.is_empty() {
            return Err(Error::conflict("没有未读的接收人"));
        }
        let (by, name) = (tx.by(), tx.actor().name.clone());
        let made = sqlx::query!(
            r#"with kept as (
                   insert into msg_list (file_name, person_ids, created_by, updated_by) values ($2, $3, $4, $4) returning id)
               insert into msg (title, content, msg_type, channels, audience, list_id, jump_type, jump_target, status, remind_of,
                   sender_id, creator_name, created_by, updated_by)
               select left('提醒：' || m.title, 100), m.content, m.msg_type, array['in_app'],
                      case when m.audience in ('teachers', 'site_staff', 'class_managers') then m.audience else 'list' end, kept.id, m.jump_type,
                      m.jump_target, 'sending', m.id, $4, $5, $4, $4
               from msg m, kept where m.id = $1
               returning id, current_schema()::text as "place!""#,
            id,
            format!("“{}”的未读接收人", message.title),
            &unread,
            by,
            name
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.notice(TOPIC, made.place);
        let what = json!({ "remindOf": id, "persons": unread.len() });
        tx.commit(Change::event("msg", made.id, "insert", what)).await?;
        Ok(reply(Saved { id: made.id }))
    }
}

/// Begins to send, or waits for the time that was chosen.
///
/// # Errors
/// 409 unless it is a draft; 422 with sensitive words unless `force`, and without a recipient.
pub(super) async fn send<P: Permission>(caller: &Allowed<P>, id: i64, force: bool) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    let app = caller.app();
    let mut tx = caller.begin().await?;
    let message = lock(&mut tx, id).await?;
    if message.status != MsgStatus::Draft {
        return Err(Error::conflict(format!("消息{}，不能再次发送", message.status.zh())));
    }
    let words = words_in(app, &message).await?;
    if !words.is_empty() && !force {
        let told = format!("内容包含敏感词：{}，请修改；确认无误可以仍然发送", words.join("、"));
        return Err(Error::refused(told).with_data(json!({ "words": words })));
    }
    let next = match (message.send_mode, message.send_at) {
        (SendMode::Timed, Some(at)) if at > app.clock().now() => MsgStatus::Scheduled,
        (SendMode::Timed, _) => return Err(Error::conflict("发送时间已过，请修改发送时间后再发送")),
        (SendMode::Now, _) => MsgStatus::Sending,
    };
    if caller.session.school_id.is_some() {
        let listed = audience::listed(&mut tx, message.list_id).await?;
        let chosen = Chosen::of(message.audience, message.audience_filter.clone(), listed, caller.scope());
        if audience::count(&mut tx, &chosen).await? == 0 {
            return Err(resolve::no_recipient());
        }
    }
    let by = tx.by();
    let place = sqlx::query_scalar!(
        r#"update msg set status = $2, sender_id = $3, fail_reason = null, updated_at = now(), updated_by = $3, version = version + 1
           where id = $1 returning current_schema()::text as "place!""#,
        id,
        next.as_str(),
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.notice(TOPIC, place);
    let change = Change::status("msg", id, "status", "draft", next.as_str());
    let forced = (!words.is_empty()).then(|| format!("包含敏感词仍然发送：{}", words.join("、")));
    tx.commit(change.because(forced.as_deref())).await?;
    Ok(reply(Saved { id }))
}

/// Makes a timed message a draft again.
///
/// # Errors
/// 409 unless it waits for its time.
pub(super) async fn cancel<P: Permission>(caller: &Allowed<P>, id: i64) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    let mut tx = caller.begin().await?;
    let message = lock(&mut tx, id).await?;
    if message.status != MsgStatus::Scheduled {
        return Err(Error::conflict(format!("消息{}，只能取消待发送的消息", message.status.zh())));
    }
    let by = tx.by();
    sqlx::query!(
        "update msg set status = 'draft', updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
        id,
        by
    )
    .execute(&mut *tx)
    .await?;
    tx.commit(Change::status("msg", id, "status", "scheduled", "draft")).await?;
    Ok(reply(Saved { id }))
}

/// Recalls a message, and its parts in the schools that it was handed to; of a recalled one those that were not reached.
///
/// # Errors
/// 409 unless it is being sent or was sent.
pub(super) async fn recall_everywhere<P: Permission>(caller: &Allowed<P>, id: i64) -> Result<Reply<Saved>>
where
    P::Mode: MayWrite,
{
    let app = caller.app();
    let mut tx = caller.begin().await?;
    let message = lock(&mut tx, id).await?;
    let platform = caller.session.school_id.is_none();
    // A school that could not be reached gets the recall when it is asked for again.
    let again = platform && message.status == MsgStatus::Recalled;
    if again {
        drop(tx);
    } else {
        recall(&mut tx, &message).await?;
        tx.commit(Change::status("msg", id, "status", message.status.as_str(), "recalled")).await?;
    }
    let mut parts = 0;
    if platform {
        for school_id in &message.school_ids {
            let Some(school) = app.school(*school_id).await?.filter(|school| school.key().is_ok()) else {
                continue;
            };
            let mut tx = caller.begin_in(&school).await?;
            let part = sqlx::query_scalar!("select id from msg where origin_id = $1 for update", id)
                .fetch_optional(&mut *tx)
                .await?;
            let Some(part) = part else { continue };
            let part = find(&mut tx, part).await?;
            if matches!(part.status, MsgStatus::Sending | MsgStatus::Sent) {
                recall(&mut tx, &part).await?;
                tx.commit(Change::status("msg", part.id, "status", part.status.as_str(), "recalled")).await?;
                parts += 1;
            }
        }
    }
    if again && parts == 0 {
        return Err(Error::conflict("消息已撤回"));
    }
    Ok(reply(Saved { id }))
}

/// The message, kept from changing until the step ends.
async fn lock(tx: &mut Tx, id: i64) -> Result<Message> {
    sqlx::query_scalar!("select id from msg where id = $1 for update", id).fetch_optional(&mut **tx).await?;
    find(tx, id).await
}

/// The words of the library in what a person wrote; scenes are the product's own.
async fn words_in(app: &App, message: &Message) -> Result<Vec<String>> {
    if message.audience == MsgAudience::Scene {
        return Ok(Vec::new());
    }
    let text = format!("{}\n{}", message.title, html::text_of(&message.content));
    sensitive::met(app, &text).await
}

/// What waits is cancelled; unread ones leave the inbox; counters of what was read stay (05 D8-9).
async fn recall(tx: &mut Tx, message: &Message) -> Result<()> {
    if !matches!(message.status, MsgStatus::Sending | MsgStatus::Sent) {
        return Err(Error::conflict(format!("消息{}，只能撤回发送中或已发送的消息", message.status.zh())));
    }
    let by = tx.by();
    sqlx::query!(
        "with called_back as (
             update msg_delivery set status = case when status = 'queued' then 'cancelled' else 'recalled' end
             where msg_id = $1 and (status = 'queued' or (channel = 'in_app' and status = 'sent' and read_at is null))
             returning status),
         counted as (select count(*) filter (where status = 'cancelled') as n from called_back)
         update msg set status = 'recalled', resolved_at = coalesce(resolved_at, now()),
                cancelled_count = cancelled_count + counted.n, updated_at = now(), updated_by = $2, version = version + 1
         from counted where id = $1",
        message.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn not_yet_today(connection: &mut PgConnection, id: i64, now: Moment) -> Result<()> {
    let since = now - chrono::Duration::hours(REMIND_HOURS);
    let recent = sqlx::query_scalar!(
        r#"select exists (select from msg where remind_of = $1 and created_at > $2) as "recent!""#,
        id,
        since
    )
    .fetch_one(connection)
    .await?;
    if recent { Err(Error::conflict("24小时内已提醒过，请稍后再试")) } else { Ok(()) }
}
