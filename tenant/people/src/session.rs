//! Sessions of the people of the clients: one a person, and beside it those of staff who signed in as the person
//! (01 §1.4.14–15). The table stands in the school; infra reads it to admit a request.

use infra::{
    Result, Tx,
    client_session::{TOPIC, person_key},
    clock::Moment,
    directory::School,
    http::RequestOrigin,
    token::{self, Act, Area, Claims},
};
use uuid::Uuid;

use crate::account::{Account, OwnerKind};

pub use infra::client_session::Ended;

/// Ends the sessions of a person, on every server when the transaction commits.
pub async fn end(tx: &mut Tx, kind: OwnerKind, person_id: i64, why: Ended) -> Result<u64> {
    let now = tx.app().clock().now();
    let ended = sqlx::query!(
        "update client_session set revoked_at = $3, revoke_reason = $4
         where kind = $1 and person_id = $2 and revoked_at is null and (actor_user_id is null or $4 <> 'replaced')",
        kind.as_str(),
        person_id,
        now,
        why.as_str()
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, person_key(kind.as_str(), person_id));
    Ok(ended.rows_affected())
}

/// A person's corrected name, in the sessions that go on: their audit rows tell it.
///
/// # Errors
/// Those of the database.
pub async fn rename(tx: &mut Tx, kind: OwnerKind, person_id: i64, name: &str) -> Result<()> {
    sqlx::query!(
        "update client_session set person_name = $3 where kind = $1 and person_id = $2 and revoked_at is null",
        kind.as_str(),
        person_id,
        name
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, person_key(kind.as_str(), person_id));
    Ok(())
}

/// Ends one session.
pub async fn end_one(tx: &mut Tx, jti: Uuid, why: Ended) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "update client_session set revoked_at = $2, revoke_reason = $3 where jti = $1 and revoked_at is null",
        jti,
        now,
        why.as_str()
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, jti);
    Ok(())
}

/// Who signs in as another, with which session and why.
#[derive(Debug, Clone)]
pub struct Acting<'a> {
    pub user_id: i64,
    pub name: &'a str,
    pub session: Uuid,
    pub reason: &'a str,
}

/// A session to be opened.
#[derive(Debug)]
pub struct NewSession<'a> {
    pub account: &'a Account,
    pub person_name: &'a str,
    pub acting: Option<Acting<'a>>,
    pub read_only: bool,
    pub expires_at: Moment,
}

/// A session that has begun.
#[derive(Debug, Clone)]
pub struct Opened {
    pub jti: Uuid,
    pub token: String,
}

/// Writes the session's row and signs its token. Somebody else's session never asks for a new password.
pub async fn open(
    tx: &mut Tx,
    school: &School,
    visit: &RequestOrigin,
    new: NewSession<'_>,
    now: Moment,
) -> Result<Opened> {
    let jti = tx.app().random().uuid();
    let account = new.account;
    let client = account.kind.client();
    sqlx::query!(
        "insert into client_session (jti, client, kind, person_id, account_id, login_name, person_name, actor_user_id, actor_name,
             actor_session, reason, read_only, must_change, ip, user_agent, issued_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)",
        jti,
        client,
        account.kind.as_str(),
        account.owner_id,
        account.id,
        account.login_name,
        new.person_name,
        new.acting.as_ref().map(|acting| acting.user_id),
        new.acting.as_ref().map(|acting| acting.name),
        new.acting.as_ref().map(|acting| acting.session),
        new.acting.as_ref().map(|acting| acting.reason),
        new.read_only,
        account.must_change && new.acting.is_none(),
        visit.ip,
        visit.user_agent,
        now,
        new.expires_at
    )
    .execute(&mut **tx)
    .await?;
    let claims = Claims {
        jti,
        sub: account.owner_id,
        client: Some(client.to_owned()),
        kind: account.kind.as_str().to_owned(),
        area: Area::School,
        school_id: Some(school.id),
        root: jti,
        act: new.acting.map(|acting| Act { sub: acting.user_id, name: acting.name.to_owned() }),
        ro: new.read_only,
        iat: now.timestamp(),
        exp: new.expires_at.timestamp(),
        v: 1,
    };
    Ok(Opened { jti, token: token::issue(tx.app().keys(), &claims)? })
}
