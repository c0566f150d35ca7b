//! Sessions of learners: one a person (01 §1.4.15). infra reads the rows to admit a request.

use accounts::session::{ClientEvent, log_client};
use infra::{
    Customer, Result, Tx,
    access::{Clients, MayWrite, Mode},
    client_session::{TOPIC, person_key},
    clock::Moment,
    http::RequestOrigin,
    token::{self, Area, Claims},
};
use uuid::Uuid;

use crate::account::{Account, KIND};

pub use infra::client_session::Ended;

/// Ends the sessions of a learner, on every server when the transaction commits.
///
/// # Errors
/// Those of the database.
pub async fn end(tx: &mut Tx, learner: i64, why: Ended) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "update platform.customer_session set revoked_at = $2, revoke_reason = $3
         where person_id = $1 and revoked_at is null",
        learner,
        now,
        why.as_str()
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, person_key(KIND, learner));
    Ok(())
}

/// Ends one session.
///
/// # Errors
/// Those of the database.
pub(crate) async fn end_one(tx: &mut Tx, jti: Uuid, why: Ended) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "update platform.customer_session set revoked_at = $2, revoke_reason = $3 where jti = $1 and revoked_at is null",
        jti,
        now,
        why.as_str()
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, jti);
    Ok(())
}

/// A learner's name, in the sessions that go on: their audit rows tell it.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rename(tx: &mut Tx, learner: i64, name: &str) -> Result<()> {
    sqlx::query!(
        "update platform.customer_session set person_name = $2 where person_id = $1 and revoked_at is null",
        learner,
        name
    )
    .execute(&mut **tx)
    .await?;
    tx.notice(TOPIC, person_key(KIND, learner));
    Ok(())
}

/// A session to be opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewSession<'a> {
    pub(crate) account: &'a Account,
    /// Begun by a code instead of the password.
    pub(crate) by_code: bool,
    pub(crate) expires_at: Moment,
}

/// A session that has begun.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    pub(crate) jti: Uuid,
    pub(crate) token: String,
    pub(crate) must_change: bool,
}

/// Writes the session's row and signs its token. Whoever came by a code is not asked for a new password first: they may not know
/// the one that was told.
pub(crate) async fn open(tx: &mut Tx, visit: &RequestOrigin, new: NewSession<'_>, now: Moment) -> Result<Opened> {
    let jti = tx.app().random().uuid();
    let account = new.account;
    let must_change = account.must_change && !new.by_code;
    sqlx::query!(
        "insert into platform.customer_session (jti, client, kind, person_id, login_name, person_name, must_change, by_code, ip,
             user_agent, issued_at, last_seen_at, expires_at)
         values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)",
        jti,
        KIND,
        account.id,
        account.phone,
        account.name(),
        must_change,
        new.by_code,
        visit.ip,
        visit.user_agent,
        now,
        new.expires_at
    )
    .execute(&mut **tx)
    .await?;
    let claims = Claims {
        jti,
        sub: account.id,
        client: Some(KIND.to_owned()),
        kind: KIND.to_owned(),
        area: Area::Platform,
        school_id: None,
        root: jti,
        act: None,
        ro: false,
        iat: now.timestamp(),
        exp: new.expires_at.timestamp(),
        v: 1,
    };
    Ok(Opened { jti, token: token::issue(tx.app().keys(), &claims)?, must_change })
}

/// 退出登录.
///
/// # Errors
/// Those of the database.
pub async fn sign_out<K: Clients, M: Mode + MayWrite>(customer: &Customer<K, M>) -> Result<()> {
    let now = customer.app.clock().now();
    let session = &customer.session;
    let mut tx = customer.begin().await?;
    end_one(&mut tx, session.jti, Ended::Logout).await?;
    let event = ClientEvent {
        client: KIND,
        kind: KIND,
        person_id: Some(session.person_id),
        login_name: &session.login_name,
        person_name: Some(&session.person_name),
        school_id: None,
        event: "logout",
        success: true,
        reason: None,
        session: Some(session.jti),
    };
    log_client(&mut tx, &customer.visit, event, now).await?;
    tx.commit_untracked("a sign-out stands in the login log").await
}
