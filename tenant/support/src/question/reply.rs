//! 回复 and 关闭 by those whose duty it is (part 05 B3).

use chrono::Duration;
use infra::{Change, Error, Result, Tx, access::Caller, clock::Moment};
use poem_openapi::{Object, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use settings::sensitive;
use sqlx::PgConnection;
use support_rules::{
    enums::{SupportAskerKind, SupportQuestionStatus},
    question::may_be_replied,
};

use super::{Held, Reach};
use crate::{due, files};

/// A notice that did not leave for so long says nothing new.
const TOLD_DAYS: i64 = 7;

/// What is told the asker.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpReplying {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 内容
    /// 只关闭时可以不填
    #[oai(default, validator(max_length = 1000))]
    pub content: String,
    /// 附件编号
    #[oai(default, validator(max_items = 4))]
    pub file_ids: Vec<i64>,
    /// 同时关闭
    #[oai(default)]
    pub close: bool,
}

impl Example for HelpReplying {
    fn example() -> Self {
        Self {
            id: 1, version: 1, content: "请在考试前一周登录打印。".to_owned(), file_ids: Vec::new(), close: false
        }
    }
}

/// What is worth a second look in a reply of staff; nothing of it is refused (D6).
///
/// # Errors
/// Those of the database.
pub(crate) async fn warnings(caller: &Caller, form: &HelpReplying) -> Result<Vec<String>> {
    Ok(sensitive::warning(caller, "回复", &form.content).await?.into_iter().collect())
}

/// A reply that its asker is to hear of.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    question: i64,
    /// Where the asker works; none for a school's own people.
    pub school_id: Option<i64>,
    asker_kind: SupportAskerKind,
    asker_id: i64,
    title: String,
    reply: i64,
}

/// Replies to a question of a school's people, and tells the asker; or closes it without a word.
///
/// # Errors
/// 404 for a question that is not theirs to see; 409 for one that is closed, or that somebody changed since it was read; 422 without
/// content and close.
pub(crate) async fn to_people(caller: &Caller, mut tx: Tx, reach: &Reach, form: HelpReplying) -> Result<i64> {
    let (change, told) = reply(&mut tx, reach, &form).await?;
    if let Some(told) = told {
        told.tell(&mut tx).await?;
    }
    tx.commit(change).await?;
    due::changed(caller.app(), caller.session.school_id).await?;
    Ok(form.id)
}

/// The same of a question of a school's staff, in `platform`. The outbox of the asker's school is beyond this transaction: what is to
/// be told there is noted in it, and the job of every minute tells it.
///
/// # Errors
/// As [`to_people`].
pub(crate) async fn to_staff(mut tx: Tx, reach: &Reach, form: HelpReplying) -> Result<i64> {
    let (change, told) = reply(&mut tx, reach, &form).await?;
    if let Some(told) = told {
        sqlx::query!("update platform.support_reply set untold = true where id = $1", told.reply)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit(change).await?;
    Ok(form.id)
}

async fn reply(tx: &mut Tx, reach: &Reach, form: &HelpReplying) -> Result<(Change, Option<Told>)> {
    let content = form.content.trim();
    if content.is_empty() && !(form.close && form.file_ids.is_empty()) {
        return Err(Error::field("content", "请填写回复内容"));
    }
    let before = reach.held(tx, form.id).await?;
    if before.version != form.version {
        return Err(tx.stale("support_question", form.id).await);
    }
    may_be_replied(before.status).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    files::keep(tx, ("support_question", form.id), &form.file_ids, files::PAPERS, &[]).await?;
    let now = tx.app().clock().now();
    let told = if content.is_empty() { None } else { Some(said(tx, &before, form, content, now).await?) };
    let status = if form.close { SupportQuestionStatus::Closed } else { SupportQuestionStatus::Replied };
    let by = tx.by();
    sqlx::query!(
        "update support_question set status = $2, pending_review = false,
                replied_at = case when $3 then $4 else replied_at end,
                closed_at = case when $2 = 'closed' then $4 end, updated_at = now(), updated_by = $5, version = version + 1
         where id = $1",
        form.id,
        status.as_str(),
        told.is_some(),
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "content": content, "fileIds": form.file_ids, "status": status.as_str() });
    Ok((Change::event("support_question", form.id, "reply", what), told))
}

async fn said(tx: &mut Tx, before: &Held, form: &HelpReplying, content: &str, now: Moment) -> Result<Told> {
    let (by, name) = (tx.by(), tx.actor().name.clone());
    let reply = sqlx::query_scalar!(
        "insert into support_reply (question_id, from_asker, by_id, by_name, content, file_ids, created_at)
         values ($1, false, $2, $3, $4, $5, $6) returning id",
        form.id,
        by,
        name,
        content,
        &form.file_ids,
        now
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(Told {
        question: form.id,
        school_id: before.school_id,
        asker_kind: before.asker_kind,
        asker_id: before.asker_id,
        title: before.title.clone(),
        reply,
    })
}

/// The replies to schools' staff of which these are still to hear, the oldest first. A week later nobody is told any more (D5).
///
/// # Errors
/// Those of the database.
pub(crate) async fn untold(platform: &mut PgConnection, now: Moment) -> Result<Vec<Told>> {
    let rows = sqlx::query_as!(
        Told,
        r#"select q.id as question, q.school_id, q.asker_kind as "asker_kind: _", q.asker_id, q.title, r.id as reply
           from platform.support_reply r join platform.support_question q on q.id = r.question_id
           where r.untold and r.created_at > $1 order by r.created_at, r.id"#,
        now - Duration::days(TOLD_DAYS)
    )
    .fetch_all(platform)
    .await?;
    Ok(rows)
}

impl Told {
    /// Says that the asker was told; `tx` is `platform`'s.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn done(&self, mut tx: Tx) -> Result<()> {
        sqlx::query!("update platform.support_reply set untold = false where id = $1", self.reply)
            .execute(&mut *tx)
            .await?;
        tx.commit_untracked("whether an event was brought to its outbox").await
    }

    /// Tells the asker when the transaction, in their school, commits.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn tell(&self, tx: &mut Tx) -> Result<()> {
        let (kind, link) = match self.asker_kind {
            SupportAskerKind::Student => (PersonKind::Student, "/support/question"),
            SupportAskerKind::Teacher => (PersonKind::Teacher, "/support/question"),
            SupportAskerKind::SiteStaff => (PersonKind::SiteStaff, "/support/question"),
            SupportAskerKind::ClassManager => (PersonKind::ClassManager, "/support/question"),
            SupportAskerKind::SchoolStaff => (PersonKind::Account, "/schoolSupport"),
        };
        let values = [("title", self.title.clone()), ("link", format!("{link}?question={}", self.question))];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        let person = Person { kind, id: self.asker_id };
        let once = format!("support_replied:{}:{}", self.asker_kind.as_str(), self.reply);
        notify(tx, "support_replied", Persons::Recipients(vec![person]), values, Some(&once)).await
    }
}
