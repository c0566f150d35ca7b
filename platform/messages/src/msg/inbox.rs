//! 站内信: what a person of a school, or a customer of the operators' site, finds in their client application (01 §7.5).
//! [`super::own`] is the same for the accounts of the console.

use infra::{
    Body, Change, Ids, Page, Paged, Reads, Reply, Result, Tx, Writes, access::Person, clients, clock::Moment, reply,
};
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use sqlx::PgConnection;

use crate::enums::{JumpType, MsgType};

clients! {
    /// Everybody who has an inbox.
    pub InboxOwner = "student", "teacher", "site", "learner";
}

/// A message in a person's inbox.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Letter {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 类型
    pub msg_type: MsgType,
    /// 跳转类型
    pub jump_type: JumpType,
    /// 跳转目标
    pub jump_target: Option<String>,
    /// 置顶
    pub top: bool,
    /// 发送时间
    pub sent_at: Option<Moment>,
    /// 阅读时间
    pub read_at: Option<Moment>,
    /// 已撤回
    /// 读过的消息撤回后仍在，只作标记
    pub recalled: bool,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LetterFilter {
    /// 仅未读
    pub unread: Option<bool>,
    /// 类型
    pub msg_type: Option<MsgType>,
}

/// How many wait to be read.
#[derive(Debug, Clone, Object)]
pub struct Unread {
    /// 未读条数
    pub count: i64,
}

/// How many became read.
#[derive(Debug, Clone, Object)]
pub struct MarkedRead {
    /// 标记条数
    pub done: i64,
}

struct Row {
    id: i64,
    title: String,
    content: String,
    msg_type: MsgType,
    jump_type: JumpType,
    jump_target: Option<String>,
    top: bool,
    sent_at: Option<Moment>,
    read_at: Option<Moment>,
    recalled: bool,
}

impl From<Row> for Letter {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            title: row.title,
            content: row.content,
            msg_type: row.msg_type,
            jump_type: row.jump_type,
            jump_target: row.jump_target,
            top: row.top,
            sent_at: row.sent_at,
            read_at: row.read_at,
            recalled: row.recalled,
        }
    }
}

pub struct Inbox;

#[OpenApi(prefix_path = "/user/client/msg", tag = "crate::Tag::Messages")]
impl Inbox {
    /// 我的消息列表
    /// 置顶的在前，其余新的在前
    #[oai(path = "/list", method = "post", operation_id = "listInbox")]
    async fn list(
        &self,
        caller: Person<InboxOwner, Reads>,
        Body(asked): Body<Paged<LetterFilter>>,
    ) -> Result<Reply<Page<Letter>>> {
        let owner = Owner { kind: &caller.session().kind, id: caller.session().person_id };
        let mut tx = caller.read().await?;
        Ok(reply(letters(&mut tx, owner, &asked, caller.app().clock().now()).await?))
    }

    /// 未读消息数
    #[oai(path = "/unread", method = "get", operation_id = "countUnread")]
    async fn unread(&self, caller: Person<InboxOwner, Reads>) -> Result<Reply<Unread>> {
        let mut tx = caller.read().await?;
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from msg_delivery
               where recipient_type = $1 and recipient_id = $2 and channel = 'in_app' and status = 'sent' and read_at is null"#,
            caller.session().kind,
            caller.session().person_id
        )
        .fetch_one(&mut *tx)
        .await?;
        Ok(reply(Unread { count }))
    }

    /// 标记消息已读
    /// 阅读时间只记第一次
    #[oai(path = "/read", method = "put", operation_id = "markRead")]
    async fn read(&self, caller: Person<InboxOwner, Writes>, Body(wanted): Body<Ids>) -> Result<Reply<MarkedRead>> {
        let owner = Owner { kind: &caller.session().kind, id: caller.session().person_id };
        Ok(reply(mark_read(caller.begin().await?, owner, Some(&wanted.ids)).await?))
    }
}

/// Whose inbox is meant, as deliveries name their recipients.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    pub(super) kind: &'a str,
    pub(super) id: i64,
}

/// A page of an inbox: what is on top first, the rest by age.
pub(super) async fn letters(
    connection: &mut PgConnection,
    owner: Owner<'_>,
    asked: &Paged<LetterFilter>,
    now: Moment,
) -> Result<Page<Letter>> {
    let (paging, filter) = (asked.paging()?, &asked.filter);
    let (unread, msg_type) = (filter.unread == Some(true), filter.msg_type.map(MsgType::as_str));
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from msg_delivery d join msg m on m.id = d.msg_id
           where d.recipient_type = $1 and d.recipient_id = $2 and d.channel = 'in_app' and d.status = 'sent'
             and (not $3 or d.read_at is null) and ($4::text is null or m.msg_type = $4)"#,
        owner.kind,
        owner.id,
        unread,
        msg_type
    )
    .fetch_one(&mut *connection)
    .await?;
    let list = sqlx::query_as!(
        Row,
        r#"select d.id, coalesce(d.rendered_title, m.title) as "title!", coalesce(d.rendered_content, m.content) as "content!",
                  m.msg_type as "msg_type: _", m.jump_type as "jump_type: _", m.jump_target,
                  coalesce(m.top_until > $5, false) as "top!", d.sent_at, d.read_at,
                  m.status = 'recalled' as "recalled!"
           from msg_delivery d join msg m on m.id = d.msg_id
           where d.recipient_type = $1 and d.recipient_id = $2 and d.channel = 'in_app' and d.status = 'sent'
             and (not $3 or d.read_at is null) and ($4::text is null or m.msg_type = $4)
           order by coalesce(m.top_until > $5, false) desc, d.created_at desc, d.id desc limit $6 offset $7"#,
        owner.kind,
        owner.id,
        unread,
        msg_type,
        now,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(paging.page(total, list.into_iter().map(Letter::from).collect()))
}

/// Marks unread letters of an inbox as read, these or all, and tells their messages.
pub(super) async fn mark_read(mut tx: Tx, owner: Owner<'_>, ids: Option<&[i64]>) -> Result<MarkedRead> {
    let now = tx.app().clock().now();
    let read = sqlx::query_scalar!(
        r#"with opened as (
               update msg_delivery set read_at = $4
               where ($1::bigint[] is null or id = any($1)) and recipient_type = $2 and recipient_id = $3
                 and channel = 'in_app' and status = 'sent' and read_at is null
               returning id, msg_id),
           counted as (select msg_id, count(*) as n from opened group by msg_id order by msg_id),
           told as (update msg m set read_count = m.read_count + c.n from counted c where m.id = c.msg_id returning m.id)
           select id as "id!" from opened"#,
        ids,
        owner.kind,
        owner.id,
        now
    )
    .fetch_all(&mut *tx)
    .await?;
    let done = i64::try_from(read.len()).unwrap_or(i64::MAX);
    let changes = read.into_iter().map(|id| Change::event("msg_delivery", id, "read", json!({}))).collect();
    tx.commit_all(changes).await?;
    Ok(MarkedRead { done })
}
