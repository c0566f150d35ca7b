//! What operators send to schools: each school gets a message of its own, made in its schema, resolved and sent there; the
//! schools report their figures back. People of a school are never read from outside it.
//!
//! ```text
//! platform.msg sending ──► msg_school waiting ──► school_n.msg (origin_id) ──► figures ──► msg_school, sums in platform.msg
//! ```

use std::sync::Arc;

use channels::workspace::Workspace;
use infra::{App, Change, Result, Tx, clock::Moment, directory::School};
use poem_openapi::types::ToJSON;
use scenes::outbox::TOPIC;
use serde_json::json;

use crate::msg::figures::school_report::SchoolReport;

/// Begins to send a platform's message: notes which schools shall have it, and commits.
pub(crate) async fn begin(workspace: &Workspace, mut tx: Tx, id: i64, status: &str, schools: &[i64]) -> Result<()> {
    let now = workspace.now();
    sqlx::query!(
        "insert into platform.msg_school (msg_id, school_id) select $1, id from unnest($2::bigint[]) as t (id)
         on conflict on constraint msg_school_key do nothing",
        id,
        schools
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update platform.msg set status = 'sending', resolved_at = $2, updated_at = now(), updated_by = 0, version = version + 1
         where id = $1",
        id,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.commit(Change::status("msg", id, "status", status, "sending")).await
}

/// Gives the schools their messages, one after the other; a crash in between repeats one of them without effect.
pub(crate) async fn pending(workspace: &Workspace) -> Result<()> {
    let mut tx = workspace.begin().await?;
    let waiting = sqlx::query!(
        "select s.msg_id, s.school_id from platform.msg_school s join platform.msg m on m.id = s.msg_id
         where s.handed_at is null and m.status = 'sending' order by s.msg_id, s.school_id limit 200"
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    for row in waiting {
        let reason = match open_school(&workspace.app, row.school_id).await? {
            Some(school) => {
                if !copy(workspace, row.msg_id, &school).await? {
                    continue;
                }
                None
            }
            None => Some("院校未开放，未发送"),
        };
        let now = workspace.now();
        let mut tx = workspace.begin().await?;
        sqlx::query!(
            "update platform.msg_school
             set handed_at = $3, fail_reason = $4,
                 status = case when status <> 'waiting' then status when $4::text is null then 'sending' else 'failed' end
             where msg_id = $1 and school_id = $2",
            row.msg_id,
            row.school_id,
            now,
            reason
        )
        .execute(&mut *tx)
        .await?;
        sum(&mut tx, row.msg_id, now).await?;
        tx.commit_untracked("a message was handed to a school, whose trail has it").await?;
    }
    Ok(())
}

async fn open_school(app: &App, id: i64) -> Result<Option<Arc<School>>> {
    let school = app.school(id).await?;
    Ok(school.filter(|school| school.is_open() && school.key().is_ok()))
}

/// The message of one school; none of what was recalled meanwhile.
async fn copy(workspace: &Workspace, id: i64, school: &School) -> Result<bool> {
    let mut platform = workspace.app.platform_read().await?;
    let msg = sqlx::query!(
        "select title, content, msg_type, channels, audience, jump_type, jump_target, top_until, creator_name
         from platform.msg where id = $1 and status = 'sending'",
        id
    )
    .fetch_optional(&mut *platform)
    .await?;
    drop(platform);
    let Some(msg) = msg else { return Ok(false) };
    let mut tx = workspace.begin_at(school).await?;
    let made = sqlx::query!(
        r#"insert into msg (title, content, msg_type, channels, audience, jump_type, jump_target, top_until, status, origin_id,
               creator_name, created_by, updated_by)
           values ($1, $2, $3, $4, $10, $5, $6, $7, 'sending', $8, $9, 0, 0)
           on conflict (origin_id) where origin_id is not null do nothing
           returning id, current_schema()::text as "place!""#,
        msg.title,
        msg.content,
        msg.msg_type,
        &msg.channels,
        msg.jump_type,
        msg.jump_target,
        msg.top_until,
        id,
        format!("平台 {}", msg.creator_name),
        msg.audience
    )
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(made) = made {
        tx.notice(TOPIC, made.place);
        tx.commit(Change::event("msg", made.id, "insert", json!({ "originId": id, "title": msg.title }))).await?;
    }
    Ok(true)
}

/// Tells the platform how its messages fare in this school.
pub(crate) async fn report(workspace: &Workspace, touched: &[i64]) -> Result<()> {
    let Some(school) = workspace.school_id().filter(|_| !touched.is_empty()) else { return Ok(()) };
    let mut tx = workspace.begin().await?;
    let parts = sqlx::query!(
        r#"select origin_id as "origin_id!", status, fail_reason, person_count, total_count, sent_count, failed_count, cancelled_count,
                  inbox_count, read_count, id
           from msg where id = any($1) and origin_id is not null"#,
        touched
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut figures = Vec::with_capacity(parts.len());
    for part in &parts {
        figures.push(SchoolReport::of(&mut tx, part.id).await?.to_json());
    }
    drop(tx);
    if parts.is_empty() {
        return Ok(());
    }
    let now = workspace.now();
    let mut tx = workspace.begin_in_platform().await?;
    for (part, figures) in parts.into_iter().zip(figures) {
        sqlx::query!(
            "update platform.msg_school set status = $3, fail_reason = $4, person_count = $5, total_count = $6, sent_count = $7,
                    failed_count = $8, cancelled_count = $9, inbox_count = $10, read_count = $11, figures = $12
             where msg_id = $1 and school_id = $2",
            part.origin_id,
            school,
            part.status,
            part.fail_reason,
            part.person_count,
            part.total_count,
            part.sent_count,
            part.failed_count,
            part.cancelled_count,
            part.inbox_count,
            part.read_count,
            figures
        )
        .execute(&mut *tx)
        .await?;
        sum(&mut tx, part.origin_id, now).await?;
    }
    tx.commit_untracked("counters of a message, from its schools").await
}

/// The platform's counters are the sums of its schools'; it ends when all of them have.
async fn sum(tx: &mut Tx, id: i64, now: Moment) -> Result<()> {
    sqlx::query!(
        "update platform.msg m
         set person_count = s.persons, total_count = s.total, sent_count = s.sent, failed_count = s.failed,
             cancelled_count = s.cancelled, inbox_count = s.inbox, read_count = s.read,
             status = case when m.status <> 'sending' or s.waiting > 0 then m.status
                           when s.sent = 0 then 'failed' else 'sent' end,
             fail_reason = case when m.status = 'sending' and s.waiting = 0 and s.sent = 0 then s.reason else m.fail_reason end,
             finished_at = case when m.status = 'sending' and s.waiting = 0 then $2 else m.finished_at end
         from (select coalesce(sum(person_count), 0)::bigint as persons, coalesce(sum(total_count), 0)::bigint as total,
                      coalesce(sum(sent_count), 0)::bigint as sent, coalesce(sum(failed_count), 0)::bigint as failed,
                      coalesce(sum(cancelled_count), 0)::bigint as cancelled, coalesce(sum(inbox_count), 0)::bigint as inbox,
                      coalesce(sum(read_count), 0)::bigint as read, min(fail_reason) as reason,
                      count(*) filter (where status in ('waiting', 'sending')) as waiting
               from platform.msg_school where msg_id = $1) s
         where m.id = $1",
        id,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
