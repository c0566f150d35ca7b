//! Sessions: one revocable row each; a school entry is a child of the operator's own (01 §1.1–1.4).

use chrono::Duration;
use infra::{
    App, Error, Part, Result, Tx,
    clock::Moment,
    http::RequestOrigin,
    params::{BoolParam, IntParam, Param},
    token::{self, Act, Area, Claims},
};
use uuid::Uuid;

pub const PART: Part = Part { params: &[PARAMS], ..Part::NONE };

/// Hours after which every session ends.
pub const ABSOLUTE_HOURS: IntParam = IntParam { code: "session.absoluteHours", default: 12, min: 1, max: 24 };
/// Whether a sign-in ends the account's other sessions.
pub const SINGLE: BoolParam = BoolParam { code: "session.single", default: true };
pub const PARAMS: &[Param] =
    &[ABSOLUTE_HOURS.entry("会话最长时长(小时)", "会话"), SINGLE.entry("同一账号只保留最近一次登录", "会话")];
/// Minutes of a school entry, and of each renewal.
pub const ENTRY_MINUTES: i64 = 30;

/// A session to be opened.
pub struct NewSession {
    pub user_id: i64,
    pub area: Area,
    pub school_id: Option<i64>,
    /// Root and parent of a school entry.
    pub below: Option<(Uuid, Uuid)>,
    pub act: Option<Act>,
    pub reason: Option<String>,
    pub read_only: bool,
    pub expires_at: Moment,
}

/// A session that has begun.
#[derive(Debug, Clone)]
pub struct Opened {
    pub jti: Uuid,
    pub token: String,
}

/// Writes the session's row and signs its token.
pub async fn open(tx: &mut Tx, visit: &RequestOrigin, new: NewSession, now: Moment) -> Result<Opened> {
    let jti = tx.app().random().uuid();
    let (root, parent) = new.below.map_or((jti, None), |(root, parent)| (root, Some(parent)));
    sqlx::query!(
        "insert into platform.sys_session (jti, root_jti, parent_jti, user_id, area, school_id, actor_user_id, reason, read_only,
             ip, user_agent, issued_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13)",
        jti,
        root,
        parent,
        new.user_id,
        new.area.as_str(),
        new.school_id,
        new.act.as_ref().map(|act| act.sub),
        new.reason,
        new.read_only,
        visit.ip,
        visit.user_agent,
        now,
        new.expires_at
    )
    .execute(&mut **tx)
    .await?;
    Ok(Opened { jti, token: sign(tx.app(), jti, root, &new, now)? })
}

fn sign(app: &App, jti: Uuid, root: Uuid, new: &NewSession, now: Moment) -> Result<String> {
    token::issue(
        app.keys(),
        &Claims {
            jti,
            sub: new.user_id,
            client: None,
            kind: "account".to_owned(),
            area: new.area,
            school_id: new.school_id,
            root,
            act: new.act.clone(),
            ro: new.read_only,
            iat: now.timestamp(),
            exp: new.expires_at.timestamp(),
            v: 1,
        },
    )
}

/// When a session that begins now must end.
pub async fn absolute_end(app: &App, now: Moment) -> Result<Moment> {
    Ok(now + Duration::hours(app.int(ABSOLUTE_HOURS).await?))
}

/// Ends sessions of an account with a reason; all of them, or all below a root.
pub async fn revoke(tx: &mut Tx, which: Which, reason: &str, now: Moment) -> Result<u64> {
    let (user_id, school_id, root, jti) = match which {
        Which::OfUser(user_id) => (Some(user_id), None, None, None),
        Which::OfUserAt(user_id, school_id) => (Some(user_id), Some(school_id), None, None),
        Which::Below(root) => (None, None, Some(root), None),
        Which::One(jti) => (None, None, None, Some(jti)),
    };
    let ended = sqlx::query!(
        "update platform.sys_session set revoked_at = $4, revoke_reason = $5
         where revoked_at is null and client is null
           and ($1::bigint is null or user_id = $1) and ($2::uuid is null or root_jti = $2) and ($3::uuid is null or jti = $3)
           and ($6::bigint is null or school_id = $6)",
        user_id,
        root,
        jti,
        now,
        reason,
        school_id
    )
    .execute(&mut **tx)
    .await?;
    match which {
        Which::OfUser(user_id) | Which::OfUserAt(user_id, _) => tx.notice("session", format!("u{user_id}")),
        Which::Below(root) => tx.notice("session", root),
        Which::One(jti) => tx.notice("session", jti),
    }
    Ok(ended.rows_affected())
}

/// Lets a session end later than it would.
pub async fn renew(tx: &mut Tx, jti: Uuid, end: Moment) -> Result<()> {
    sqlx::query!("update platform.sys_session set expires_at = $2 where jti = $1", jti, end).execute(&mut **tx).await?;
    tx.notice("session", jti);
    Ok(())
}

/// A session whose time was over without a word.
pub struct Expired {
    pub jti: Uuid,
    pub user_id: i64,
    pub school_id: Option<i64>,
    /// Of an operator who was in a school.
    pub entry: bool,
    pub ip: String,
    pub user_agent: String,
    pub login_name: String,
    pub real_name: String,
}

/// Ends the sessions that ran out after `since`, so many at most.
pub async fn expired(tx: &mut Tx, since: Moment, now: Moment, most: i64) -> Result<Vec<Expired>> {
    let over = sqlx::query_as!(
        Expired,
        r#"with over as (
               select jti from platform.sys_session
               where revoked_at is null and client is null and expires_at <= $1 and expires_at > $2
               order by expires_at limit $3 for update skip locked)
           update platform.sys_session s set revoked_at = s.expires_at, revoke_reason = 'expired'
           from over, platform.sys_user u where s.jti = over.jti and u.id = s.user_id
           returning s.jti, s.user_id, s.school_id, s.parent_jti is not null as "entry!", s.ip, s.user_agent, u.login_name,
                     u.real_name"#,
        now,
        since,
        most
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(over)
}

/// Which sessions end.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    OfUser(i64),
    /// Those of an account inside one school.
    OfUserAt(i64, i64),
    Below(Uuid),
    One(Uuid),
}

/// A row of the login log.
pub struct Event<'a> {
    pub user_id: Option<i64>,
    pub login_name: &'a str,
    pub real_name: Option<&'a str>,
    pub school_id: Option<i64>,
    pub event: &'a str,
    pub success: bool,
    /// A code of 05 E1 for a failure, the typed reason for an entry.
    pub reason: Option<&'a str>,
    pub session: Option<Uuid>,
}

pub async fn log(tx: &mut Tx, visit: &RequestOrigin, event: Event<'_>, now: Moment) -> Result<()> {
    let reason = event.reason.map(infra::mask::shapes);
    sqlx::query!(
        "insert into platform.login_log (at, user_id, login_name, real_name, school_id, event, success, reason, ip, user_agent, device,
             session_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        now,
        event.user_id,
        event.login_name,
        event.real_name,
        event.school_id,
        event.event,
        event.success,
        reason.as_deref(),
        visit.ip,
        visit.user_agent,
        visit.device(),
        event.session
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A row of the login log about a person of the clients, who has no account in the console.
pub struct ClientEvent<'a> {
    pub client: &'a str,
    pub kind: &'a str,
    pub person_id: Option<i64>,
    pub login_name: &'a str,
    pub person_name: Option<&'a str>,
    /// None for a customer of the operators' own site.
    pub school_id: Option<i64>,
    pub event: &'a str,
    pub success: bool,
    /// A code of 05 E1 for a failure, the typed reason for a one-click sign-in.
    pub reason: Option<&'a str>,
    pub session: Option<Uuid>,
}

pub async fn log_client(tx: &mut Tx, visit: &RequestOrigin, event: ClientEvent<'_>, now: Moment) -> Result<()> {
    let reason = event.reason.map(infra::mask::shapes);
    sqlx::query!(
        "insert into platform.login_log (at, client, kind, user_id, login_name, real_name, school_id, event, success, reason, ip,
             user_agent, device, session_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        now,
        event.client,
        event.kind,
        event.person_id,
        event.login_name,
        event.person_name,
        event.school_id,
        event.event,
        event.success,
        reason.as_deref(),
        visit.ip,
        visit.user_agent,
        visit.device(),
        event.session
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The session row that a token names, for the steps that move between platform and school.
pub async fn of_token(tx: &mut Tx, token: Option<&str>) -> Result<Option<(Claims, Row)>> {
    let Ok(claims) = token::read(tx.app().keys(), token) else { return Ok(None) };
    let row = sqlx::query_as!(
        Row,
        "select s.jti, s.root_jti, s.parent_jti, s.user_id, s.school_id, s.revoked_at, s.revoke_reason, s.expires_at, s.read_only,
                u.login_name, u.real_name
         from platform.sys_session s join platform.sys_user u on u.id = s.user_id
         where s.jti = $1 for update of s",
        claims.jti
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| (claims, row)))
}

/// A session with its account.
#[derive(Debug)]
pub struct Row {
    pub jti: Uuid,
    pub root_jti: Uuid,
    pub parent_jti: Option<Uuid>,
    pub user_id: i64,
    pub school_id: Option<i64>,
    pub revoked_at: Option<Moment>,
    pub revoke_reason: Option<String>,
    pub expires_at: Moment,
    pub read_only: bool,
    pub login_name: String,
    pub real_name: String,
}

/// A token for a session that exists already: renewed, or come back to.
pub fn sign_again(app: &App, claims: Claims, expires_at: Moment, now: Moment) -> Result<String> {
    token::issue(app.keys(), &Claims { iat: now.timestamp(), exp: expires_at.timestamp(), ..claims })
}

/// 302 for a session whose time is over.
pub fn over() -> Error {
    token::expired()
}
