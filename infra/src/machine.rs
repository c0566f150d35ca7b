//! 机器令牌: programs that call under a token of a person (00 §8). A token never reaches further than its owner does at
//! the moment of use: its codes are met with the owner's, its schools with the owner's.
//!
//! A token acts under an account of its own, so that trails, logs, jobs and idempotency keys tell it from its owner. It
//! is in the operators' area, and inside a school where the header `schoolId` names one.

use std::{
    collections::{BTreeSet, HashSet},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use aws_lc_rs::digest;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    app::App,
    clock::Moment,
    db::Purpose,
    error::{Error, Result},
    notice::{Cached, Notices},
    session::{Rights, SessionState, ended},
    token::{Area, Claims},
};

/// How a machine token begins; a session's token never does.
pub const PREFIX: &str = "cjm_";
/// Without this code a token stays outside the schools, as its owner would.
const ENTER: &str = "system:pc:sys:school:enter";
/// A use is noted at most once in so many milliseconds.
const NOTED_EVERY_MS: i64 = 60_000;

/// A token as it stood a moment ago.
#[derive(Debug)]
pub struct Machine {
    pub id: i64,
    pub name: String,
    /// The account under which it acts.
    pub account_id: i64,
    pub owner_id: i64,
    pub owner_name: String,
    login_name: String,
    secret_digest: Vec<u8>,
    codes: HashSet<String>,
    /// Those that are the owner's too; none means all.
    schools: Option<BTreeSet<i64>>,
    expires_at: Moment,
    enabled: bool,
    owner_enabled: bool,
    owner_expires: Option<Moment>,
    noted_ms: AtomicI64,
}

pub(crate) type Machines = Cached<(), Arc<Vec<Arc<Machine>>>>;

/// All tokens are remembered together; they are few.
pub(crate) fn cache(notices: &Notices) -> Machines {
    Cached::new(notices, "session", 1, Duration::from_secs(5), |(): &(), all: &Arc<Vec<Arc<Machine>>>, key| {
        all.iter().any(|machine| key == format!("u{}", machine.owner_id) || key == format!("u{}", machine.account_id))
    })
}

/// What is kept of a secret: it has 256 random bits, so that a plain hash tells nothing.
pub fn digest_of(secret: &str) -> Vec<u8> {
    digest::digest(&digest::SHA256, secret.as_bytes()).as_ref().to_vec()
}

impl Machine {
    /// # Errors
    /// 302 after its end, 303 when it or its owner is switched off.
    pub(crate) fn check(&self, now: Moment) -> Result<()> {
        if !self.enabled {
            return Err(Error::new(303, "机器令牌已停用，请联系管理员"));
        }
        if self.expires_at <= now {
            return Err(Error::new(302, "机器令牌已过期，请签发新的令牌"));
        }
        if !self.owner_enabled {
            return Err(ended("account_disabled"));
        }
        if self.owner_expires.is_some_and(|end| end <= now) {
            return Err(ended("account_expired"));
        }
        Ok(())
    }

    /// Whether it may go into a school: one of its own, with the code that its owner needs too.
    pub(crate) fn may_enter(&self, platform: &Rights, school: i64) -> bool {
        platform.contains_key(ENTER) && self.schools.as_ref().is_none_or(|schools| schools.contains(&school))
    }

    /// What the owner holds, cut down to what the token was given.
    pub(crate) fn within(&self, owners: &Rights) -> Rights {
        owners
            .iter()
            .filter(|(code, _)| self.codes.contains(*code))
            .map(|(code, scope)| (code.clone(), scope.clone()))
            .collect()
    }

    /// As the trail and the logs name it.
    pub fn shown_name(&self) -> String {
        format!("机器令牌 {}", self.name)
    }

    /// Stands for the session that a person would have.
    pub(crate) fn session(&self, school: Option<i64>, read_only: bool, now: Moment) -> SessionState {
        let jti = self.jti();
        SessionState {
            jti,
            root: jti,
            parent: None,
            user_id: self.account_id,
            area: if school.is_some() { Area::School } else { Area::Platform },
            school_id: school,
            actor_user_id: None,
            actor_name: None,
            read_only,
            last_seen_at: now,
            expires_at: self.expires_at,
            revoke_reason: None,
            root_revoke_reason: None,
            login_name: self.login_name.clone(),
            real_name: self.shown_name(),
            user_type: "platform".to_owned(),
            user_enabled: true,
            gmt_expires: Some(self.expires_at),
            must_change_password: false,
            must_set_totp: false,
            password_changed_at: now,
            bound: true,
        }
    }

    pub(crate) fn claims(&self, school: Option<i64>, read_only: bool, now: Moment) -> Claims {
        Claims {
            jti: self.jti(),
            sub: self.account_id,
            client: None,
            kind: "machine".to_owned(),
            area: if school.is_some() { Area::School } else { Area::Platform },
            school_id: school,
            root: self.jti(),
            act: None,
            ro: read_only,
            iat: now.timestamp(),
            exp: self.expires_at.timestamp(),
            v: 1,
        }
    }

    /// No row of a session has this number.
    fn jti(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.account_id.unsigned_abs()))
    }

    /// Whether this use is the one to be noted; of calls beside each other it is one.
    fn is_to_be_noted(&self, now: Moment) -> bool {
        let (now, noted) = (now.timestamp_millis(), self.noted_ms.load(Ordering::Relaxed));
        now - noted >= NOTED_EVERY_MS
            && self.noted_ms.compare_exchange(noted, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl App {
    async fn machines(&self) -> Result<Arc<Vec<Arc<Machine>>>> {
        self.caches()
            .machines
            .get((), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let known = load(&mut tx).await?;
                let outdated = out_of_sync(&mut tx).await?;
                drop(tx);
                if !outdated.is_empty() {
                    let mut tx = self.db().in_platform(Purpose::Write).await?;
                    sync_schools(&mut tx, &outdated).await?;
                    tx.commit().await?;
                }
                Ok::<_, Error>(Arc::new(known))
            })
            .await
    }

    /// The token with this secret, if any.
    pub(crate) async fn machine(&self, secret: &str) -> Result<Option<Arc<Machine>>> {
        let digest = digest_of(secret);
        Ok(self.machines().await?.iter().find(|machine| machine.secret_digest == digest).cloned())
    }

    /// The token that acts under this account, if it is one of a token.
    pub(crate) async fn machine_of_account(&self, account_id: i64) -> Result<Option<Arc<Machine>>> {
        Ok(self.machines().await?.iter().find(|machine| machine.account_id == account_id).cloned())
    }

    pub(crate) async fn note_use(&self, machine: &Machine, ip: &str, now: Moment) -> Result<()> {
        if !machine.is_to_be_noted(now) {
            return Ok(());
        }
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "update platform.sys_machine_token set last_used_at = $2, last_used_ip = $3
             where id = $1 and (last_used_at is null or last_used_at < $2)",
            machine.id,
            now,
            ip
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

async fn load(connection: &mut PgConnection) -> Result<Vec<Arc<Machine>>> {
    let rows = sqlx::query!(
        r#"select t.id, t.name, t.account_id, t.owner_id, t.secret_digest, t.permission_codes, t.expires_at, t.enabled, t.last_used_at,
                  a.login_name, o.real_name as owner_name, o.enabled and o.deleted_at is null as "owner_enabled!",
                  o.gmt_expires as owner_expires,
                  case when t.school_ids is not null or o.school_scope <> 'all' then array(
                      select s.id from platform.school s
                      where (t.school_ids is null or s.id = any(t.school_ids))
                        and (o.school_scope = 'all' or exists (
                            select from platform.sys_user_school m
                            where m.user_id = o.id and m.school_id = s.id and m.enabled))) end as schools
           from platform.sys_machine_token t
           join platform.sys_user a on a.id = t.account_id
           join platform.sys_user o on o.id = t.owner_id"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            Arc::new(Machine {
                id: row.id,
                name: row.name,
                account_id: row.account_id,
                owner_id: row.owner_id,
                owner_name: row.owner_name,
                login_name: row.login_name,
                secret_digest: row.secret_digest,
                codes: row.permission_codes.into_iter().collect(),
                schools: row.schools.map(|ids| ids.into_iter().collect()),
                expires_at: row.expires_at,
                enabled: row.enabled,
                owner_enabled: row.owner_enabled,
                owner_expires: row.owner_expires,
                noted_ms: AtomicI64::new(row.last_used_at.map_or(0, |at| at.timestamp_millis())),
            })
        })
        .collect())
}

/// Accounts of tokens whose schools are no longer what the token and its owner allow.
async fn out_of_sync(connection: &mut PgConnection) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select t.account_id
           from platform.sys_machine_token t
           join platform.sys_user a on a.id = t.account_id
           join platform.sys_user o on o.id = t.owner_id
           where (a.school_scope = 'all') <> (t.school_ids is null and o.school_scope = 'all')
              or (t.school_ids is not null or o.school_scope <> 'all')
                 and array(select b.school_id from platform.sys_user_school b where b.user_id = a.id order by 1)
                  <> array(select s.id from platform.school s
                           where (t.school_ids is null or s.id = any(t.school_ids))
                             and (o.school_scope = 'all' or exists (
                                 select from platform.sys_user_school m
                                 where m.user_id = o.id and m.school_id = s.id and m.enabled))
                           order by 1)"#
    )
    .fetch_all(connection)
    .await?;
    Ok(ids)
}

/// Gives accounts of tokens the schools that token and owner have in common: every statement that asks which schools an
/// operator may act for asks the rows of these accounts too.
///
/// # Errors
/// Of the database.
pub async fn sync_schools(connection: &mut PgConnection, accounts: &[i64]) -> Result<()> {
    sqlx::query!(
        "update platform.sys_user a
         set school_scope = case when t.school_ids is null and o.school_scope = 'all' then 'all' else 'listed' end
         from platform.sys_machine_token t join platform.sys_user o on o.id = t.owner_id
         where a.id = t.account_id and a.id = any($1)",
        accounts
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("delete from platform.sys_user_school where user_id = any($1)", accounts)
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "insert into platform.sys_user_school (user_id, school_id, created_by, updated_by)
         select t.account_id, s.id, 0, 0
         from platform.sys_machine_token t
         join platform.sys_user o on o.id = t.owner_id
         join platform.school s on (t.school_ids is null or s.id = any(t.school_ids))
             and (o.school_scope = 'all' or exists (
                 select from platform.sys_user_school m where m.user_id = o.id and m.school_id = s.id and m.enabled))
         where t.account_id = any($1) and (t.school_ids is not null or o.school_scope <> 'all')",
        accounts
    )
    .execute(&mut *connection)
    .await?;
    Ok(())
}
