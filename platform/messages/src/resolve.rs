//! From a message to its deliveries: due ones become sending, those that are sending get their recipients (01 §7.2, §7.3).

use channels::workspace::Workspace;
use infra::{
    Change, Error, Result, Scope, Tx,
    clock::{self, Moment, day_began},
    token::Area,
};
use scenes::{html, template};
use serde_json::Value;

use crate::{
    audience::{self, Chosen, Sending},
    enums::{MsgAudience, MsgType},
    handover, sender,
};

/// The code whose data scope decides who is reached.
const SEND: &str = "user:pc:msg:send";
/// Messages of one visit.
const AT_ONCE: usize = 5;
/// A notice is of no use later.
const LIVES_DAYS: i64 = 7;
/// What advertising by short message or push must say at its end (01 §7.3-3).
const UNSUBSCRIBE: &str = "拒收请回复R";
const MARKETING_HOURS: &str = "msg.marketingHours";

pub(crate) async fn messages(workspace: &Workspace) -> Result<bool> {
    for _ in 0..AT_ONCE {
        if !next(workspace).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Msg {
    id: i64,
    title: String,
    content: String,
    msg_type: MsgType,
    channels: Vec<String>,
    audience: MsgAudience,
    audience_filter: Value,
    list_id: Option<i64>,
    school_ids: Vec<i64>,
    status: String,
    origin_id: Option<i64>,
    sender_id: Option<i64>,
}

/// Takes one message; false when none is due. Another server's message is skipped over.
async fn next(workspace: &Workspace) -> Result<bool> {
    let now = workspace.now();
    let mut tx = workspace.begin().await?;
    let found = sqlx::query_as!(
        Msg,
        r#"select id, title, content, msg_type as "msg_type: _", channels, audience as "audience: _", audience_filter, list_id,
                  school_ids, status, origin_id, sender_id
           from msg
           where (status = 'scheduled' and send_at <= $1) or (status = 'sending' and resolved_at is null)
           order by id limit 1 for update skip locked"#,
        now
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(msg) = found else { return Ok(false) };
    if workspace.school.is_none() {
        handover::begin(workspace, tx, msg.id, &msg.status, &msg.school_ids).await?;
        return Ok(true);
    }
    match resolved(workspace, &mut tx, &msg, now).await {
        Ok(persons) => {
            let change = Change::status("msg", msg.id, "status", msg.status.clone(), "sending");
            tracing::debug!(msg = msg.id, persons, "recipients resolved");
            sender::close(&mut tx, &[msg.id], now).await?;
            tx.commit(change).await?;
        }
        Err(error) if error.code != 500 => {
            sqlx::query!(
                "update msg set status = 'failed', fail_reason = $2, resolved_at = $3, finished_at = $3, updated_at = now(),
                        updated_by = 0, version = version + 1
                 where id = $1",
                msg.id,
                error.msg.as_ref(),
                now
            )
            .execute(&mut *tx)
            .await?;
            tx.commit(Change::status("msg", msg.id, "status", msg.status.clone(), "failed").because(Some(&error.msg)))
                .await?;
        }
        Err(error) => return Err(error),
    }
    handover::report(workspace, &[msg.id]).await?;
    Ok(true)
}

/// Writes the deliveries of a school's message.
///
/// # Errors
/// 422 when nobody is meant any more, 403 when the sender lost the right meanwhile.
async fn resolved(workspace: &Workspace, tx: &mut Tx, msg: &Msg, now: Moment) -> Result<i64> {
    let scope = scope_of(workspace, msg).await?;
    let filter = audience::filter_of(msg.audience_filter.clone())?;
    let listed = audience::listed(&mut *tx, msg.list_id).await?;
    let chosen = Chosen::of(msg.audience, filter, listed, scope);
    let marketing = msg.msg_type == MsgType::Marketing;
    let hours = workspace.app.param_text_in(&mut *tx, MARKETING_HOURS).await?;
    let text = html::text_of(&msg.content);
    let advertised = format!("{text} {UNSUBSCRIBE}");
    let school_id = workspace.school_id().ok_or_else(|| Error::internal("recipients are a school's"))?;
    let sending = Sending {
        msg_id: msg.id,
        channels: msg.channels.clone(),
        marketing,
        priority: if marketing { 9 } else { 5 },
        title: msg.title.clone(),
        segments: template::segments(if marketing { &advertised } else { &text }),
        text,
        advertised,
        school_id,
        now,
        marketing_from: clock::next_within(&hours, now),
        day_began: day_began(now.date_naive()),
        expires_at: (now + chrono::Duration::days(LIVES_DAYS)),
    };
    let resolved = audience::resolve(tx, &chosen, &sending).await?;
    if resolved.persons == 0 {
        return Err(no_recipient());
    }
    sqlx::query!(
        "update msg set status = 'sending', resolved_at = $2, person_count = $3, total_count = $4, failed_count = $5,
                updated_at = now(), updated_by = 0, version = version + 1
         where id = $1",
        msg.id,
        now,
        resolved.persons,
        resolved.total,
        resolved.failed
    )
    .execute(&mut **tx)
    .await?;
    Ok(resolved.persons)
}

pub(crate) fn no_recipient() -> Error {
    Error::refused("没有符合条件的接收人")
}

/// The rows that the sender may reach at this moment. What operators send to a school reaches the whole school.
async fn scope_of(workspace: &Workspace, msg: &Msg) -> Result<Scope> {
    if msg.origin_id.is_some() {
        return Ok(Scope::whole_school());
    }
    let sender = msg.sender_id.ok_or_else(|| Error::internal("a message without sender"))?;
    let rights = workspace.app.rights(sender, Area::School, workspace.school_id()).await?;
    rights.get(SEND).cloned().ok_or_else(|| Error::new(403, "发送人已没有发送消息的权限"))
}
