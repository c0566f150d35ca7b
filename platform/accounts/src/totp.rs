//! 两步验证: after the password, the code of an authenticator or one of ten recovery codes (RFC 6238: SHA-1, six digits,
//! thirty seconds).
//!
//! ```text
//! begin ─→ unconfirmed ─confirm with a first code→ on ─disable, or reset by an administrator→ gone
//! ```
//! The secret is sealed at rest; a code opens once, and one step of thirty seconds early or late is forgiven.

use account_rules::authenticator::{DIGITS, authenticator, step_of};
use infra::{App, Error, Result, Tx, clock::Moment};

const SECRET_BYTES: usize = 20;
/// Recovery codes that are given at once.
const RECOVERY_CODES: usize = 10;
/// Without what is easily confused.
const RECOVERY_ALPHABET: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// What the digest of a recovery code is made for.
const PURPOSE: &str = "recovery code";

/// How the second step of a sign-in went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Second {
    /// The account has none.
    NotNeeded,
    /// No code was sent yet.
    Missing,
    Wrong,
    Passed,
}

/// What an authenticator needs to know of an account.
#[derive(Debug)]
pub struct Begun {
    /// Base32, for those who type it.
    pub secret: String,
    /// `otpauth://`, for those who scan it.
    pub url: String,
}

/// Makes a secret that opens nothing until [`confirm`] got a first code; one that was not confirmed is replaced.
///
/// # Errors
/// 409 when the account has a confirmed one.
pub async fn begin(tx: &mut Tx, user_id: i64, login_name: &str) -> Result<Begun> {
    let app = tx.app().clone();
    let secret = app.random().bytes::<SECRET_BYTES>();
    let sealed = app.keys().seal(app.random(), &secret)?;
    let by = tx.by();
    let written = sqlx::query!(
        "insert into platform.sys_user_totp as t (user_id, sealed, created_by, updated_by) values ($1, $2, $3, $3)
         on conflict (user_id) do update
         set sealed = excluded.sealed, last_step = 0, updated_at = now(), updated_by = excluded.updated_by, version = t.version + 1
         where t.confirmed_at is null",
        user_id,
        sealed,
        by
    )
    .execute(&mut **tx)
    .await?;
    if written.rows_affected() == 0 {
        return Err(Error::conflict("已启用两步验证；更换手机请先停用，再重新启用"));
    }
    let totp = authenticator(secret.to_vec(), login_name)?;
    Ok(Begun { secret: totp.get_secret_base32(), url: totp.get_url() })
}

/// Switches the second step on when the code is right; answers the recovery codes.
///
/// # Errors
/// 409 when nothing was begun, 422 at `code` when it is wrong.
pub async fn confirm(tx: &mut Tx, user_id: i64, code: &str, now: Moment) -> Result<Vec<String>> {
    let sealed = sqlx::query_scalar!(
        "select sealed from platform.sys_user_totp where user_id = $1 and confirmed_at is null for update",
        user_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("请先生成验证密钥"))?;
    let totp = authenticator(tx.app().keys().unseal(&sealed)?, "")?;
    let step =
        step_of(&totp, code, now).ok_or_else(|| Error::field("code", "动态验证码不正确，请确认手机时间准确后重试"))?;
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user_totp set confirmed_at = $2, last_step = $3, updated_at = now(), updated_by = $4, version = version + 1
         where user_id = $1",
        user_id,
        now,
        step,
        by
    )
    .execute(&mut **tx)
    .await?;
    tx.notice("session", format!("u{user_id}"));
    recovery_codes(tx, user_id).await
}

/// The second step of an account with this code, which is used up by it.
pub async fn check(tx: &mut Tx, user_id: i64, code: Option<&str>, now: Moment) -> Result<Second> {
    let known = sqlx::query!(
        "select sealed, last_step from platform.sys_user_totp where user_id = $1 and confirmed_at is not null for update",
        user_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(known) = known else { return Ok(Second::NotNeeded) };
    let Some(code) = code.map(str::trim).filter(|code| !code.is_empty()) else { return Ok(Second::Missing) };
    if code.len() != DIGITS || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return use_recovery_code(tx, user_id, code, now).await;
    }
    let totp = authenticator(tx.app().keys().unseal(&known.sealed)?, "")?;
    match step_of(&totp, code, now) {
        Some(step) if step > known.last_step => {
            sqlx::query!("update platform.sys_user_totp set last_step = $2 where user_id = $1", user_id, step)
                .execute(&mut **tx)
                .await?;
            Ok(Second::Passed)
        }
        _ => Ok(Second::Wrong),
    }
}

/// Takes the second step away, with everything that belongs to it.
pub async fn remove(tx: &mut Tx, user_id: i64) -> Result<bool> {
    let removed =
        sqlx::query!("delete from platform.sys_user_totp where user_id = $1", user_id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sys_recovery_code where user_id = $1", user_id).execute(&mut **tx).await?;
    tx.notice("session", format!("u{user_id}"));
    Ok(removed.rows_affected() > 0)
}

/// New recovery codes in the place of all former ones.
pub async fn recovery_codes(tx: &mut Tx, user_id: i64) -> Result<Vec<String>> {
    let app = tx.app().clone();
    let codes: Vec<String> = (0..RECOVERY_CODES)
        .map(|_| {
            let random = app.random();
            format!("{}-{}", random.text(RECOVERY_ALPHABET, 5), random.text(RECOVERY_ALPHABET, 5))
        })
        .collect();
    let digests: Vec<Vec<u8>> = codes.iter().map(|code| digest(&app, user_id, code)).collect();
    sqlx::query!("delete from platform.sys_recovery_code where user_id = $1", user_id).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into platform.sys_recovery_code (user_id, digest) select $1, d from unnest($2::bytea[]) as d",
        user_id,
        &digests
    )
    .execute(&mut **tx)
    .await?;
    Ok(codes)
}

/// Typed with or without the dash, in either case.
fn digest(app: &App, user_id: i64, code: &str) -> Vec<u8> {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    app.keys().sign(format!("{PURPOSE}\n{user_id}\n{}", plain.to_ascii_uppercase()).as_bytes())
}

async fn use_recovery_code(tx: &mut Tx, user_id: i64, code: &str, now: Moment) -> Result<Second> {
    let digest = digest(tx.app(), user_id, code);
    let used = sqlx::query!(
        "update platform.sys_recovery_code set used_at = $3 where user_id = $1 and digest = $2 and used_at is null",
        user_id,
        digest,
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(if used.rows_affected() == 1 { Second::Passed } else { Second::Wrong })
}
