//! Whether the token of a person of the clients still stands. Its row is the school's, in `client_session`; that of a customer of the
//! operators' site stands in `platform`, in `customer_session`.

use std::{sync::Arc, time::Duration};

use uuid::Uuid;

use crate::{
    app::App,
    clock::Moment,
    db::Purpose,
    directory::School,
    error::{Error, Result},
    notice::{Cached, Notices},
};

/// The topic under which servers tell each other that sessions of the clients ended.
pub const TOPIC: &str = "client_session";

/// How a school tells of the sessions of one of its people. A person of another school with this number is read anew, no more.
pub fn person_key(kind: &str, person: i64) -> String {
    format!("{kind}/{person}")
}

/// A session of a person of the clients.
#[derive(Debug, Clone)]
pub struct ClientSession {
    pub jti: Uuid,
    pub client: String,
    /// Who the person is, in a word of the modules.
    pub kind: String,
    pub person_id: i64,
    pub account_id: i64,
    pub login_name: String,
    pub person_name: String,
    /// Who signed in as the person.
    pub acting: Option<Acting>,
    pub read_only: bool,
    pub must_change: bool,
    pub last_seen_at: Moment,
    pub expires_at: Moment,
    pub revoke_reason: Option<String>,
}

/// A person of the console behind a one-click sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    pub user_id: i64,
    pub name: String,
    /// The session with which they did it; when it ends, so does this one.
    pub session: Uuid,
}

/// Why sessions of the clients are ended by a module; one that was left alone is ended here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Logout,
    /// Signed in elsewhere. Staff who signed in as the person stay.
    Replaced,
    PasswordChanged,
    PasswordReset,
    AccountDisabled,
    /// After five wrong own passwords.
    Kicked,
}

impl Ended {
    /// As the rows of the sessions say it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Logout => "logout",
            Self::Replaced => "replaced",
            Self::PasswordChanged => "password_changed",
            Self::PasswordReset => "password_reset",
            Self::AccountDisabled => "account_disabled",
            Self::Kicked => "kicked",
        }
    }
}

/// Where the sessions of customers are remembered among those of the schools: no school has this number.
const OF_SITE: i64 = 0;

pub(crate) type ClientSessions = Cached<(i64, Uuid), Option<Arc<ClientSession>>>;

pub(crate) fn cache(notices: &Notices) -> ClientSessions {
    Cached::new(
        notices,
        TOPIC,
        100_000,
        Duration::from_secs(5),
        |(_, jti): &(i64, Uuid), session: &Option<Arc<ClientSession>>, key| {
            key == jti.to_string()
                || session.as_ref().is_some_and(|known| key == person_key(&known.kind, known.person_id))
        },
    )
}

impl App {
    pub(crate) async fn client_session(&self, school: &School, jti: Uuid) -> Result<Option<Arc<ClientSession>>> {
        self.caches()
            .client_sessions
            .get((school.id, jti), async {
                let mut tx = self.db().in_school(school.key()?, Purpose::Read).await?;
                let row = sqlx::query!(
                    "select jti, client, kind, person_id, account_id, login_name, person_name, actor_user_id, actor_name,
                            actor_session, read_only, must_change, last_seen_at, expires_at, revoke_reason
                     from client_session where jti = $1",
                    jti
                )
                .fetch_optional(&mut *tx)
                .await?;
                Ok::<_, Error>(row.map(|row| {
                    let acting = match (row.actor_user_id, row.actor_name, row.actor_session) {
                        (Some(user_id), Some(name), Some(session)) => Some(Acting { user_id, name, session }),
                        _ => None,
                    };
                    Arc::new(ClientSession {
                        jti: row.jti,
                        client: row.client,
                        kind: row.kind,
                        person_id: row.person_id,
                        account_id: row.account_id,
                        login_name: row.login_name,
                        person_name: row.person_name,
                        acting,
                        read_only: row.read_only,
                        must_change: row.must_change,
                        last_seen_at: row.last_seen_at,
                        expires_at: row.expires_at,
                        revoke_reason: row.revoke_reason,
                    })
                }))
            })
            .await
    }

    /// Notes that a session was used; at most once a minute.
    pub(crate) async fn touch_client(&self, school: &School, jti: Uuid, now: Moment) -> Result<()> {
        let mut tx = self.db().in_school(school.key()?, Purpose::Write).await?;
        sqlx::query!("update client_session set last_seen_at = $2 where jti = $1 and last_seen_at < $2", jti, now)
            .execute(&mut *tx)
            .await?;
        crate::notice::publish(&mut tx, TOPIC, &jti.to_string()).await?;
        tx.commit().await?;
        self.notices().forget(TOPIC, &jti.to_string());
        Ok(())
    }

    /// Ends a session that was not used for too long.
    pub(crate) async fn end_idle_client(&self, school: &School, session: &ClientSession, now: Moment) -> Result<()> {
        let mut tx = self.db().in_school(school.key()?, Purpose::Write).await?;
        let from = sqlx::query!(
            "update client_session set revoked_at = $2, revoke_reason = 'idle' where jti = $1 and revoked_at is null
             returning ip, user_agent",
            session.jti,
            now
        )
        .fetch_optional(&mut *tx)
        .await?;
        crate::notice::publish(&mut tx, TOPIC, &session.jti.to_string()).await?;
        tx.commit().await?;
        self.notices().forget(TOPIC, &session.jti.to_string());
        // Another request ended it first and wrote the log.
        let Some(from) = from else { return Ok(()) };
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "insert into platform.login_log (at, client, kind, user_id, login_name, real_name, school_id, event, success, ip,
                                             user_agent, device, session_id)
             values ($1, $2, $3, $4, $5, $6, $7, 'idle', true, $8, $9, 'pc', $10)",
            now,
            session.client,
            session.kind,
            session.person_id,
            session.login_name,
            session.person_name,
            school.id,
            from.ip,
            from.user_agent,
            session.jti
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The same as [`App::client_session`] of a customer of the operators' site. Nobody acts for one, and their account is
    /// themselves.
    pub(crate) async fn customer_session(&self, jti: Uuid) -> Result<Option<Arc<ClientSession>>> {
        self.caches()
            .client_sessions
            .get((OF_SITE, jti), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let row = sqlx::query!(
                    "select jti, client, kind, person_id, login_name, person_name, must_change, last_seen_at, expires_at,
                            revoke_reason
                     from platform.customer_session where jti = $1",
                    jti
                )
                .fetch_optional(&mut *tx)
                .await?;
                Ok::<_, Error>(row.map(|row| {
                    Arc::new(ClientSession {
                        jti: row.jti,
                        client: row.client,
                        kind: row.kind,
                        person_id: row.person_id,
                        account_id: row.person_id,
                        login_name: row.login_name,
                        person_name: row.person_name,
                        acting: None,
                        read_only: false,
                        must_change: row.must_change,
                        last_seen_at: row.last_seen_at,
                        expires_at: row.expires_at,
                        revoke_reason: row.revoke_reason,
                    })
                }))
            })
            .await
    }

    /// Notes that a customer's session was used; at most once a minute.
    pub(crate) async fn touch_customer(&self, jti: Uuid, now: Moment) -> Result<()> {
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "update platform.customer_session set last_seen_at = $2 where jti = $1 and last_seen_at < $2",
            jti,
            now
        )
        .execute(&mut *tx)
        .await?;
        crate::notice::publish(&mut tx, TOPIC, &jti.to_string()).await?;
        tx.commit().await?;
        self.notices().forget(TOPIC, &jti.to_string());
        Ok(())
    }

    /// Ends a customer's session that was not used for too long; the login log tells it.
    pub(crate) async fn end_idle_customer(&self, session: &ClientSession, now: Moment) -> Result<()> {
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "with over as (
                 update platform.customer_session set revoked_at = $2, revoke_reason = 'idle'
                 where jti = $1 and revoked_at is null
                 returning jti, client, kind, person_id, login_name, person_name, ip, user_agent)
             insert into platform.login_log (at, client, kind, user_id, login_name, real_name, event, success, ip, user_agent,
                                             device, session_id)
             select $2, client, kind, person_id, login_name, person_name, 'idle', true, ip, user_agent, 'pc', jti from over",
            session.jti,
            now
        )
        .execute(&mut *tx)
        .await?;
        crate::notice::publish(&mut tx, TOPIC, &session.jti.to_string()).await?;
        tx.commit().await?;
        self.notices().forget(TOPIC, &session.jti.to_string());
        Ok(())
    }
}
