//! 在线心跳: how long the people of a school look at their client (part 05 A1). A sign-in is taken over from its session at the first
//! beat, or when it is counted; whoever acts for somebody is not that person, and leaves no trace here.

use infra::{Body, Client, Entity, Part, Reply, Result, Tx, access::WritesUnlogged, clients, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use sqlx::types::Uuid;
use statistics_rules::presence::{Beat, beat};

use crate::roll_up::{Key, changed::OWNERS, login::take_over, mark};

pub const PART: Part = Part {
    entities: &[Entity { table: "client_login", name: "客户端登录", counted: "次客户端登录" }],
    ..Part::NONE
};

clients! {
    /// Everybody who has a client.
    pub AnyPerson = "student", "teacher", "site";
}

/// A beat of a client.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SessionBeat {
    /// 序号
    /// 每次加1；重发时不变
    #[oai(validator(minimum(value = "1")))]
    pub seq: i64,
    /// 页面可见
    pub visible: bool,
}

impl Example for SessionBeat {
    fn example() -> Self {
        Self { seq: 1, visible: true }
    }
}

/// The answer to a beat.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SessionBeaten {
    /// 服务器时间
    pub server_time: Moment,
    /// 未读消息数
    pub unread_msg: i64,
}

pub struct Sessions;

#[OpenApi(prefix_path = "/user/client/session", tag = "crate::Tag::Statistics")]
impl Sessions {
    /// 在线心跳
    /// 页面可见时每60秒一次；离开超过10分钟后，须重新登录才再计在线时长
    #[oai(path = "/beat", method = "post", operation_id = "beatSession")]
    async fn beat(
        &self,
        caller: Client<AnyPerson, WritesUnlogged>,
        Body(wanted): Body<SessionBeat>,
    ) -> Result<Reply<SessionBeaten>> {
        let now = caller.app.clock().now();
        let session = &caller.session;
        if session.acting.is_none() {
            let mut tx = caller.begin().await?;
            keep(&mut tx, session.jti, &wanted, now).await?;
            tx.commit_untracked("a beat of a client is counted, and is no record that somebody keeps").await?;
        }
        let mut tx = caller.read().await?;
        let unread_msg = sqlx::query_scalar!(
            r#"select count(*) as "count!" from msg_delivery
               where recipient_type = $1 and recipient_id = $2 and channel = 'in_app' and status = 'sent' and read_at is null"#,
            session.kind,
            session.person_id
        )
        .fetch_one(&mut *tx)
        .await?;
        Ok(reply(SessionBeaten { server_time: now, unread_msg }))
    }
}

/// What a beat needs of its sign-in.
struct SignIn {
    id: i64,
    at: Moment,
    last_beat_at: Option<Moment>,
    last_seq: i64,
    ended_at: Option<Moment>,
}

async fn sign_in(tx: &mut Tx, session: Uuid) -> Result<Option<SignIn>> {
    Ok(sqlx::query_as!(
        SignIn,
        "select id, at, last_beat_at, last_seq, ended_at from client_login where session = $1 for update",
        session
    )
    .fetch_optional(&mut **tx)
    .await?)
}

/// Counts a beat for the sign-in of its session; one that was counted changes nothing.
async fn keep(tx: &mut Tx, session: Uuid, wanted: &SessionBeat, now: Moment) -> Result<()> {
    let Some(opened) = sqlx::query!(
        "select kind, person_id, issued_at from client_session where jti = $1 and actor_user_id is null",
        session
    )
    .fetch_optional(&mut **tx)
    .await?
    else {
        return Ok(());
    };
    let Some((kind, number)) = OWNERS.into_iter().find(|(kind, _)| *kind == opened.kind) else {
        return Ok(());
    };
    let key = Key { k1: opened.person_id, k2: number, day: opened.issued_at.date_naive() };
    // First the key: whoever counts this day lets go of it before we write what they look at.
    mark(tx, "login", &[key]).await?;
    let mut found = sign_in(tx, session).await?;
    if found.is_none() {
        take_over(tx, kind, &[key]).await?;
        found = sign_in(tx, session).await?;
    }
    let Some(found) = found else {
        return Ok(());
    };
    if found.ended_at.is_some() || found.last_seq >= wanted.seq {
        return Ok(());
    }
    let last = found.last_beat_at.unwrap_or(found.at);
    let (seconds, ended_at) = match beat(last, now, wanted.visible) {
        Beat::Adds(seconds) => (seconds, None),
        Beat::Ends => (0, Some(last)),
    };
    sqlx::query!(
        "update client_login set last_seq = $2, active_seconds = active_seconds + $3,
                last_beat_at = case when $4::timestamptz is null then $5::timestamptz else last_beat_at end, ended_at = $4
         where id = $1",
        found.id,
        wanted.seq,
        seconds,
        ended_at as _,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
