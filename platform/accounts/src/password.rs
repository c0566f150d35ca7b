//! Passwords of back-office accounts: how they are kept, and which are good enough (01 §1.1, §1.4.11).

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use chrono::Duration;
use infra::{App, Error, Result, Tx, access::Caller, clock::Moment, config::Passwords};

use crate::session::{self, Which};

pub use account_rules::password::{Weak, check};

/// Wrong own passwords of a session within [`WRONG_WINDOW_MINUTES`] that end it.
const WRONG_OWN_PASSWORDS: i32 = 5;
const WRONG_WINDOW_MINUTES: i64 = 15;
/// How many former passwords may not come back.
const REMEMBERED: i64 = 5;

const UPPER: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
const LOWER: &[u8] = b"abcdefghijkmnpqrstuvwxyz";
const DIGITS: &[u8] = b"23456789";
const SYMBOLS: &[u8] = b"@#%*-_+=";

/// Argon2id, off the async threads; about 20 ms at the usual cost (`passwords.*`).
///
/// # Errors
/// None but internal ones.
pub async fn hash(app: &App, password: &str) -> Result<String> {
    let (cost, password, salt) = (argon(app)?, password.to_owned(), app.random().bytes::<16>());
    tokio::task::spawn_blocking(move || hashed(&cost, &password, &salt)).await.map_err(Error::internal)?
}

/// Whether a password belongs to a hash. Without a hash the same work is done for nothing,
/// so that an unknown account cannot be told by the time it takes.
///
/// # Errors
/// None but internal ones.
pub async fn matches(app: &App, password: &str, hash: Option<String>) -> Result<bool> {
    let (cost, password) = (argon(app)?, password.to_owned());
    tokio::task::spawn_blocking(move || match hash {
        Some(hash) => {
            let parsed = PasswordHash::new(&hash).map_err(Error::internal)?;
            Ok(cost.verify_password(password.as_bytes(), &parsed).is_ok())
        }
        None => hashed(&cost, &password, &[0; 16]).map(|_| false),
    })
    .await
    .map_err(Error::internal)?
}

fn argon(app: &App) -> Result<Argon2<'static>> {
    let Passwords { memory_kib, passes } = app.config().passwords;
    let cost = Params::new(memory_kib, passes, 1, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, cost))
}

fn hashed(argon: &Argon2<'_>, password: &str, salt: &[u8]) -> Result<String> {
    let hash: PasswordHash = argon.hash_password_with_salt(password.as_bytes(), salt).map_err(Error::internal)?;
    Ok(hash.to_string())
}

/// Twelve characters of all four kinds, without those that are easily confused.
pub fn random(app: &App) -> String {
    let random = app.random();
    let mut text = random.text(UPPER, 2) + &random.text(LOWER, 5) + &random.text(DIGITS, 3);
    text.insert_str(4, &random.text(SYMBOLS, 1));
    text.insert_str(8, &random.text(SYMBOLS, 1));
    text
}

/// Goes on only when the acting person gave their own password; wrong ones are counted, and end the session (01 §1.4.12).
///
/// # Errors
/// 422 at `oldPassword` when it is wrong; the count is committed, nothing else.
pub async fn confirmed(mut tx: Tx, caller: &Caller, own: &str, now: Moment) -> Result<Tx> {
    if caller.machine().is_some() {
        return Err(Error::new(403, "机器令牌没有登录密码，请使用账号登录后办理"));
    }
    // One try at a time: the next waits for this one's outcome, and finds the session ended by the fifth.
    let ended = sqlx::query_scalar!(
        "select revoke_reason from platform.sys_session where jti = $1 for update",
        caller.session.jti
    )
    .fetch_one(&mut *tx)
    .await?;
    if let Some(reason) = ended {
        return Err(infra::session::ended(&reason));
    }
    let hash =
        sqlx::query_scalar!("select password_hash from platform.sys_user where id = $1 for update", caller.user_id())
            .fetch_one(&mut *tx)
            .await?;
    if matches(tx.app(), own, Some(hash)).await? {
        return Ok(tx);
    }
    count_wrong(tx, caller, now).await?;
    Err(Error::field("oldPassword", "原密码不正确"))
}

/// Counts a wrong password or code of the acting person; the fifth within a quarter of an hour ends their session.
pub async fn count_wrong(mut tx: Tx, caller: &Caller, now: Moment) -> Result<()> {
    let failures = sqlx::query_scalar!(
        "update platform.sys_session set
             password_failures = case when password_failed_at >= $3 then password_failures + 1 else 1 end,
             password_failed_at = case when password_failed_at >= $3 then password_failed_at else $2 end
         where jti = $1 returning password_failures",
        caller.session.jti,
        now,
        (now - Duration::minutes(WRONG_WINDOW_MINUTES))
    )
    .fetch_one(&mut *tx)
    .await?;
    if failures >= WRONG_OWN_PASSWORDS {
        session::revoke(&mut tx, Which::Below(caller.session.root), "logout", now).await?;
    }
    tx.commit_untracked("the count of wrong own passwords").await
}

/// Sets a new password inside the caller's transaction: rules, history, time.
///
/// # Errors
/// 422 with the rule that it breaks.
pub async fn set(tx: &mut Tx, user_id: i64, password: &str, must_change: bool, now: Moment) -> Result<()> {
    let account = sqlx::query!("select login_name, phone from platform.sys_user where id = $1", user_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    check(password, &account.login_name, account.phone.as_deref())
        .map_err(|weak| Error::field("loginPassword", weak.zh()))?;
    let former = sqlx::query_scalar!(
        "select password_hash from platform.sys_password_history where user_id = $1 order by at desc, id desc limit $2",
        user_id,
        REMEMBERED
    )
    .fetch_all(&mut **tx)
    .await?;
    for hash in former {
        if matches(tx.app(), password, Some(hash)).await? {
            return Err(Error::field("loginPassword", Weak::Former.zh()));
        }
    }
    let hash = hash(tx.app(), password).await?;
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user set password_hash = $2, password_changed_at = $3, must_change_password = $4,
                updated_at = now(), updated_by = $5, version = version + 1 where id = $1",
        user_id,
        hash,
        now,
        must_change,
        by
    )
    .execute(&mut **tx)
    .await?;
    remember(tx, user_id, &hash, now).await
}

/// Keeps the hash among the last five.
pub async fn remember(tx: &mut Tx, user_id: i64, hash: &str, now: Moment) -> Result<()> {
    sqlx::query!(
        "insert into platform.sys_password_history (user_id, password_hash, at) values ($1, $2, $3)",
        user_id,
        hash,
        now
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.sys_password_history where user_id = $1 and id not in (
             select id from platform.sys_password_history where user_id = $1 order by at desc, id desc limit $2)",
        user_id,
        REMEMBERED
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
